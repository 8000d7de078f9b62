//! Web URLs as the catalog serves them.

use serde::{Deserialize, Serialize};
use url::Url;

use crate::{BrokenRule, checked_text::checked_text};

/// An absolute `http` or `https` URL of 1 to 2083 characters, as serialized by a URL library.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct Uri(Box<str>);

checked_text!(Uri);

impl Uri {
    pub(crate) const MAX_LENGTH: usize = 2083;

    /// Parses and normalizes the URL.
    ///
    /// The length limit applies to the normalized form, which is served. It is ASCII, so one byte
    /// is one character.
    pub fn parse(text: &str) -> Result<Self, BrokenRule> {
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
    use super::*;

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
