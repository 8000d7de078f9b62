//! The addresses of downloads and home pages that may be served.

use appstitch_types::{BrokenRule, Uri, has_credentials};

/// The address of a download or a home page. One with a user name or a password is refused: it is somebody's own.
pub(crate) fn download_address(text: &str) -> Result<Uri, BrokenRule> {
    let uri = Uri::parse(text)?;
    if has_credentials(uri.as_str()) { Err(BrokenRule::UriCredentials) } else { Ok(uri) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_with_a_user_or_a_password_is_not_served() {
        for text in [
            "https://user:word@example.com/a.dmg",
            "https://user@example.com/a.dmg",
            "HTTPS://:word@example.com",
        ] {
            assert_eq!(download_address(text), Err(BrokenRule::UriCredentials), "{text}");
        }
        assert!(download_address("https://example.com/a@b.dmg").is_ok());
    }
}
