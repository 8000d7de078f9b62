//! What an operator says about a hook, and what of it is allowed.

use std::{fmt, net::IpAddr};

use appstitch_feeds::BodyFormat;
use serde::Deserialize;
use url::{Host, Url};

use crate::{filter::HookFilter, secret::HookSecret, sender::PRIVATE};

/// The longest name and URL of a hook, in characters.
const LONGEST_ID: usize = 64;
const LONGEST_URL: usize = 2048;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HookSettings {
    pub url: String,
    /// The key of the signatures. Without one, a new hook gets a generated key, and an existing hook
    /// keeps the one it has.
    #[serde(default)]
    pub secret: Option<GivenSecret>,
    /// Whether to replace the key of an existing hook with a generated one.
    #[serde(default)]
    pub rotate_secret: bool,
    #[serde(default)]
    pub filter: HookFilter,
    #[serde(default)]
    pub format: BodyFormat,
}

/// A key as it was sent. It is never printed.
#[derive(Clone, Deserialize)]
#[serde(transparent)]
pub struct GivenSecret(String);

impl fmt::Debug for GivenSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[secret]")
    }
}

impl HookSettings {
    /// Reads the settings. The error says what is wrong, without values that may be secret.
    pub fn read(json: &[u8]) -> Result<Self, String> {
        let mut reader = serde_json::Deserializer::from_slice(json);
        let settings = serde_path_to_error::deserialize(&mut reader)
            .map_err(|error| fault(&error.path().to_string(), error.inner()))?;
        reader.end().map_err(|error| fault("", &error))?;
        Ok(settings)
    }

    /// Checks everything that can be checked without a connection, and reads the key.
    pub(crate) fn check(&self, allow_private: bool) -> Result<Option<HookSecret>, String> {
        check_url(&self.url, allow_private)?;
        self.filter.check()?;
        let secret = self.secret.as_ref().map(|secret| HookSecret::parse(&secret.0));
        let secret = secret.transpose().map_err(|error| format!("invalid secret: {error}"))?;
        if secret.is_some() && self.rotate_secret {
            return Err("use either secret or rotate_secret".to_owned());
        }
        Ok(secret)
    }
}

fn fault(path: &str, error: &serde_json::Error) -> String {
    match error.classify() {
        serde_json::error::Category::Data => format!("invalid settings: {}", expected(path)),
        _ => format!("invalid JSON at line {} column {}", error.line(), error.column()),
    }
}

/// What has to be at a path inside of the settings. What is there instead may be a secret, and so may a
/// key that is not known.
fn expected(path: &str) -> String {
    let key = path.split('[').next().unwrap_or_default();
    let expected = match key {
        "url" | "secret" => "a string",
        "rotate_secret" => "true or false",
        "filter" => "an object with lists of slugs, vendors, kinds and fields",
        "filter.slugs" | "filter.vendors" | "filter.fields" => "a list of strings",
        "filter.kinds" => "a list of added, changed, removed and renamed",
        "format" => "standard, slack or teams",
        _ => {
            return "expected an object with url and optionally secret, rotate_secret, filter (slugs, vendors, kinds, fields) and format, and nothing else".to_owned();
        }
    };
    format!("{key} has to be {expected}")
}

/// Checks a URL as far as that is possible without a connection. The error does not have the URL.
pub(crate) fn check_url(text: &str, allow_private: bool) -> Result<(), String> {
    if text.chars().count() > LONGEST_URL {
        return Err(format!("the URL has more than {LONGEST_URL} characters"));
    }
    let url = Url::parse(text).map_err(|_| "the URL is invalid".to_owned())?;
    match url.scheme() {
        "https" => {}
        "http" if allow_private => {}
        "http" => {
            return Err("the URL has to begin with https://; http is only allowed if the server was started with --allow-private-hooks".to_owned());
        }
        _ if allow_private => {
            return Err("the URL has to begin with https:// or http://".to_owned());
        }
        _ => return Err("the URL has to begin with https://".to_owned()),
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("URLs with a user name or password are not supported".to_owned());
    }
    if url.fragment().is_some() {
        return Err("the URL must not have a fragment".to_owned());
    }
    let address = match url.host() {
        Some(Host::Ipv4(address)) => Some(IpAddr::V4(address)),
        Some(Host::Ipv6(address)) => Some(IpAddr::V6(address)),
        Some(Host::Domain(_)) => None,
        None => return Err("the URL has no host".to_owned()),
    };
    // A name is checked with each connection: what it leads to can change.
    if address.is_some_and(|address| !appstitch_network::is_public(address)) && !allow_private {
        return Err(PRIVATE.to_owned());
    }
    Ok(())
}

/// Whether a text can be the name of a hook: 1 to 64 characters from `a-z 0-9 . _ -`, starting with a
/// letter or digit.
pub(crate) fn is_id(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    (1..=LONGEST_ID).contains(&text.len())
        && text.bytes().all(|byte| is_plain(byte) || matches!(byte, b'.' | b'_' | b'-'))
        && text.bytes().next().is_some_and(is_plain)
}

/// The rule of [`is_id`], for people.
pub(crate) const ID_RULE: &str = "the name of a hook has 1 to 64 characters from a-z 0-9 . _ - and starts with a letter or digit";

/// A URL without what may be secret: user name, password and query, and in the URLs of chat services
/// the path.
pub(crate) fn shown_url(text: &str, format: BodyFormat) -> String {
    let Ok(mut url) = Url::parse(text) else { return String::new() };
    let had_query = url.query().is_some();
    url.set_query(None);
    url.set_fragment(None);
    // These fail only for URLs without a host.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    if format == BodyFormat::Standard {
        return if had_query { format!("{url}?…") } else { url.into() };
    }
    url.set_path("");
    format!("{url}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(json: &str, allow_private: bool) -> Result<(), String> {
        let settings = HookSettings::read(json.as_bytes())?;
        settings.check(allow_private).map(drop)
    }

    fn url(url: &str) -> String {
        format!(r#"{{"url":"{url}"}}"#)
    }

    #[test]
    fn only_public_https_urls_are_allowed() {
        assert_eq!(check(&url("https://example.com/hook?token=1"), false), Ok(()));
        for bad in [
            "http://example.com/",
            "ftp://example.com/",
            "file:///etc/passwd",
            "example.com",
            "",
            "https://user:sesame@example.com/",
            "https://example.com/#part",
            "https://127.0.0.1/",
            "https://[::1]/",
            "https://2130706433/",
            "https://169.254.169.254/latest/meta-data",
            "https://[::ffff:10.0.0.1]/",
        ] {
            let refused = check(&url(bad), false).unwrap_err();
            assert!(!refused.contains("sesame"), "{refused}");
        }
        for private in ["http://127.0.0.1:8080/", "https://10.0.0.1/", "http://intranet/"] {
            assert_eq!(check(&url(private), true), Ok(()), "{private}");
        }
        assert!(check(&url("ftp://10.0.0.1/"), true).is_err());
        let long = format!("https://example.com/{}", "a".repeat(2048));
        assert!(check(&url(&long), false).is_err());
    }

    #[test]
    fn a_wrong_secret_is_not_repeated() {
        for json in [
            r#"{"url":"https://example.com","secret":"sesame"}"#,
            r#"{"url":"https://example.com","secret":["sesame"]}"#,
            r#"{"url":"https://example.com","sesame":1}"#,
            r#"{"url":"https://example.com","format":"sesame"}"#,
            r#"{"url":"https://example.com","secret":"sesame"#,
        ] {
            let why = check(json, false).unwrap_err();
            assert!(!why.contains("sesame"), "{why}");
        }
        for (json, expected) in [
            (r#"{"url":5}"#, "url has to be a string"),
            (
                r#"{"url":"https://example.com","format":"sesame"}"#,
                "format has to be standard, slack or teams",
            ),
            (
                r#"{"url":"https://example.com","filter":{"kinds":["added","x"]}}"#,
                "filter.kinds has to be a list of added, changed, removed and renamed",
            ),
            ("{}", "expected an object with url and"),
            ("7", "expected an object with url and"),
        ] {
            let why = check(json, false).unwrap_err();
            assert!(why.starts_with(&format!("invalid settings: {expected}")), "{why}");
        }
        let why = check(r#"{"url":"https://example.com"} x"#, false).unwrap_err();
        assert_eq!(why, "invalid JSON at line 1 column 31");
        let given = r#"{"url":"https://example.com","secret":"whsec_sesamesesame"}"#;
        let settings = HookSettings::read(given.as_bytes()).unwrap();
        assert!(!format!("{settings:?}").contains("sesame"));
    }

    #[test]
    fn names_are_plain() {
        for id in ["a", "0", "slack-ops", "a.b_c", &"a".repeat(64)] {
            assert!(is_id(id), "{id}");
        }
        for id in ["", "-a", ".a", "A", "a b", "ä", "a/b", &"a".repeat(65)] {
            assert!(!is_id(id), "{id}");
        }
    }

    #[test]
    fn urls_are_shown_without_what_may_be_secret() {
        let shown = |url, format| shown_url(url, format);
        let url = "https://example.com/hook?token=sesame";
        assert_eq!(shown(url, BodyFormat::Standard), "https://example.com/hook?…");
        let url = "https://hooks.slack.com/services/T0/B0/sesame";
        assert_eq!(shown(url, BodyFormat::Slack), "https://hooks.slack.com/…");
        assert_eq!(shown("https://example.com/a", BodyFormat::Standard), "https://example.com/a");
    }
}
