//! Web URLs as the catalog serves them.

use serde::{Deserialize, Serialize};
use url::Url;

use crate::{broken_rule::BrokenRule, checked_text::checked_text};

/// An absolute `http` or `https` URL of 1 to 2083 characters, as serialized by a URL library.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct Uri(Box<str>);

checked_text!(Uri);

impl Uri {
    /// In bytes.
    pub const MAX_LENGTH: usize = 2083;

    /// Parses and normalizes the URL.
    ///
    /// The length limit applies to the normalized form, which is served. It is ASCII, so one byte
    /// is one character.
    pub fn parse(text: &str) -> Result<Self, BrokenRule> {
        if is_normal(text) { Ok(Self(text.into())) } else { Self::normalize(text) }
    }

    fn normalize(text: &str) -> Result<Self, BrokenRule> {
        let refused = || BrokenRule::Uri(text.chars().take(200).collect());
        // A URL parser would remove line breaks and tabs and escape shell characters. Text that
        // contains them was not meant as a URL.
        if text.contains(['$', '`', '\n', '\r', '\t']) {
            return Err(refused());
        }
        let url = Url::parse(text).map_err(|_| refused())?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(refused());
        }
        let serialised = escaped(url.as_str());
        // The parser decodes escapes in the host, and shell characters with them.
        if serialised.contains(['$', '`']) {
            return Err(refused());
        }
        if serialised.len() > Self::MAX_LENGTH {
            return Err(BrokenRule::UriLength(serialised.len()));
        }
        Ok(Self(serialised.into()))
    }
}

/// Whether a URL is surely in its normal form, as nearly all of them are: parsing it takes many times
/// as long as seeing that. `false` if there is the least doubt.
fn is_normal(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let Some((host, path)) = rest.and_then(|rest| rest.split_once('/')) else { return false };
    let is_plain_label = |label: &str| {
        let is_allowed =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        !label.is_empty() && label.bytes().all(is_allowed) && !label.starts_with("xn--")
    };
    // A host whose last part is a number is an address of the Internet Protocol.
    let is_name = host
        .rsplit('.')
        .next()
        .is_some_and(|last| last.starts_with(|first: char| first.is_ascii_lowercase()));
    let is_unchanged =
        |byte: u8| byte.is_ascii_alphanumeric() || b"-_~.+,:;=&@!*()/?%".contains(&byte);
    // Segments that begin with a dot may be removed, and a dot may be written as an escape.
    let has_dots =
        |path: &str| path.starts_with(['.', '%']) || path.contains("/.") || path.contains("/%");
    text.len() <= Uri::MAX_LENGTH
        && is_name
        && host.split('.').all(is_plain_label)
        && path.bytes().all(is_unchanged)
        && !has_dots(path)
}

/// Escapes characters after the host that the library accepts although URLs may not contain
/// them: strict clients reject such URLs.
fn escaped(url: &str) -> String {
    let host = url.find("://").map_or(0, |start| start + 3);
    let path = url[host..].find(['/', '?', '#']).map_or(url.len(), |end| host + end);
    let (front, rest) = url.split_at(path);
    let mut escaped = front.to_owned();
    for character in rest.chars() {
        match character {
            '[' | ']' | '{' | '}' | '|' | '\\' | '^' | '<' | '>' | '"' | ' ' => {
                // All of these are ASCII, so each is a single byte.
                escaped.extend([format!("%{:02X}", u32::from(character))]);
            }
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_looks_normal_is_normal(
            text in r"https?://[a-z0-9.x-]{1,12}(\.[a-z0]{1,4})?/?[a-zA-Z0-9./?%2eE:;=&@!*()+,_~#$'|-]{0,24}",
        ) {
            if is_normal(&text) {
                prop_assert_eq!(Uri::normalize(&text).unwrap().to_string(), text);
            }
        }
    }

    #[test]
    fn common_addresses_need_no_parser() {
        let host = format!("https://{}.example/", "a".repeat(100));
        for text in [
            "https://example.com/",
            "http://download-2.example.co.uk/a_b/c~1/Sample-1.2.dmg?os=mac&v=1.2+3",
            "https://github.com/autopkg/recipes/Sample%20App.download.recipe",
            &host,
        ] {
            assert!(is_normal(text), "{text}");
            assert_eq!(Uri::normalize(text).unwrap().as_str(), text);
        }
        for text in [
            "https://example.com",
            "https://Example.com/",
            "https://example.com:443/",
            "https://user@example.com/",
            "https://127.1/",
            "https://example.0x1/",
            "https://xn--a.example/",
            "https://a..example/",
            "https:///a",
            "https://example.com/a/../b",
            "https://example.com/%2e/b",
            "https://example.com/a b",
            "https://example.com/a#b",
            "ftp://example.com/",
        ] {
            assert!(!is_normal(text), "{text}");
        }
    }

    #[test]
    fn shell_characters_are_not_decoded_into_the_host() {
        for text in ["http:%24", "https://%24(id)/a", "https://%60id%60.example/"] {
            assert!(Uri::parse(text).is_err(), "{text} should be rejected");
        }
        assert!(Uri::parse("https://example.com/%24a").is_ok());
    }

    #[test]
    fn an_address_is_served_in_its_normal_form() {
        let uri = Uri::parse("HTTPS://Example.com:443/a b.dmg").unwrap();
        assert_eq!(uri.as_str(), "https://example.com/a%20b.dmg");
        let uri = Uri::parse("https://[::1]/a[1]|b?c=[d]&e={f}^").unwrap();
        assert_eq!(uri.as_str(), "https://[::1]/a%5B1%5D%7Cb?c=%5Bd%5D&e=%7Bf%7D%5E");
        assert_eq!(Uri::parse(uri.as_str()).unwrap(), uri, "normalizing twice changes nothing");
    }

    #[test]
    fn other_schemes_shell_and_fragments_of_addresses_are_refused() {
        for text in [
            "",
            "ftp://example.com/a.dmg",
            "file:///a.dmg",
            "javascript:alert(1)",
            "example.com/a.dmg",
            "https://",
            "https://example.com/$version.dmg",
            "https://example.com/`date`.dmg",
            "https://example.com/a\nb",
        ] {
            assert!(Uri::parse(text).is_err(), "{text:?} should be rejected");
        }
    }

    #[test]
    fn the_length_limit_counts_what_is_served() {
        let stem = "https://example.com/";
        let longest = format!("{stem}{}", "a".repeat(2083 - stem.len()));
        assert!(Uri::parse(&longest).is_ok());
        assert_eq!(Uri::parse(&format!("{longest}a")), Err(BrokenRule::UriLength(2084)));
    }
}
