//! User names and passwords in URLs, which must not be printed or stored.

/// Where the user name and password of a URL are, with the sign after them. The text is not parsed,
/// because an invalid URL may have them, too.
fn position(url: &str) -> Option<std::ops::Range<usize>> {
    let start = url.find("//")? + 2;
    let rest = url.get(start..)?;
    let authority = rest.find(['/', '?', '#', '\\']).map_or(rest, |end| &rest[..end]);
    let end = start + authority.rfind('@')? + 1;
    Some(start..end)
}

/// Whether a URL has a user name or password.
pub fn has_credentials(url: &str) -> bool {
    position(url).is_some()
}

/// A URL without its user name and password.
pub fn without_credentials(url: &str) -> String {
    let mut url = url.to_owned();
    if let Some(position) = position(&url) {
        url.replace_range(position, "");
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_user_and_the_password_are_removed() {
        for (url, expected) in [
            ("https://user:word@example.com/a@b", "https://example.com/a@b"),
            ("https://user@example.com", "https://example.com"),
            ("https://us@er:wo@rd@example.com:8443/?q", "https://example.com:8443/?q"),
            ("http://user:word@:not a url", "http://:not a url"),
            ("postgres://user:word@host/db?a=b@c", "postgres://host/db?a=b@c"),
        ] {
            assert!(has_credentials(url), "{url}");
            assert_eq!(without_credentials(url), expected);
        }
        for url in
            ["", "@", "https://example.com/@a", "https://example.com?a@b", "mailto:a@b.example"]
        {
            assert!(!has_credentials(url), "{url}");
            assert_eq!(without_credentials(url), url);
        }
    }
}
