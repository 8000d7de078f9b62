//! Addresses of the service in texts that leave it.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use thiserror::Error;
use url::Url;

/// What may stand in a segment of a path and in the value of a query unencoded.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "invalid public URL; use an address such as https://apps.example, without a user name, query or fragment"
)]
pub struct PublicUrlError;

/// Makes links to the service.
///
/// A server does not know under which address the world reaches it, and must not believe a `Host`
/// header: its texts are kept and sent to others. Without a configured address, links are paths,
/// which readers of a feed resolve against the address of the feed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Links {
    /// Without a slash at the end; empty if unknown.
    base: String,
}

impl Links {
    const LONGEST: usize = 500;

    /// Links below a public address such as `https://apps.example` or `https://example.org/apps`.
    pub fn new(public_url: &str) -> Result<Self, PublicUrlError> {
        let url = Url::parse(public_url.trim()).map_err(|_| PublicUrlError)?;
        let is_plain = matches!(url.scheme(), "http" | "https")
            && url.has_host()
            && url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none();
        let base = url.as_str().trim_end_matches('/').to_owned();
        if is_plain && base.len() <= Self::LONGEST {
            Ok(Self { base })
        } else {
            Err(PublicUrlError)
        }
    }

    /// The address of a path; the path itself if the public address is unknown.
    pub fn reference(&self, path: &str) -> String {
        [&self.base, path].concat()
    }

    /// The address of a path; `None` if the public address is unknown.
    pub fn absolute(&self, path: &str) -> Option<String> {
        (!self.base.is_empty()).then(|| self.reference(path))
    }
}

pub fn app_path(slug: &str) -> String {
    format!("/apps/{}", encoded(slug))
}

/// The path of an app's page.
pub fn page_path(slug: &str) -> String {
    format!("/a/{}", encoded(slug))
}

/// The path of the page with an app's changes, which outlives the app.
pub fn changes_path(slug: &str) -> String {
    format!("/changes?slug={}", encoded(slug))
}

/// The path of an app's history, which outlives the app.
pub fn history_path(slug: &str) -> String {
    format!("/apps/{}/history", encoded(slug))
}

/// A text as a segment of a path, or as the value of a query.
pub fn encoded(text: &str) -> impl std::fmt::Display {
    utf8_percent_encode(text, ENCODED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_below_the_public_address_or_paths() {
        let links = Links::new(" https://Apps.Example/catalog/ ").unwrap();
        assert_eq!(links.reference("/feed.atom"), "https://apps.example/catalog/feed.atom");
        assert_eq!(Links::default().reference("/feed.atom"), "/feed.atom");
        assert_eq!(Links::default().absolute("/feed.atom"), None);
    }

    #[test]
    fn addresses_that_are_no_base_are_refused() {
        for url in [
            "",
            "apps.example",
            "/apps",
            "ftp://apps.example",
            "https://user:secret@apps.example",
            "https://apps.example/?a=b",
            "https://apps.example/#a",
            "javascript:alert(1)",
            &format!("https://apps.example/{}", "a".repeat(600)),
        ] {
            assert_eq!(Links::new(url), Err(PublicUrlError), "{url}");
        }
    }

    #[test]
    fn a_slug_is_encoded_for_its_place() {
        assert_eq!(app_path("notepad++"), "/apps/notepad%2B%2B");
        assert_eq!(app_path("a/b?c"), "/apps/a%2Fb%3Fc");
        assert_eq!(page_path("notepad++"), "/a/notepad%2B%2B");
        assert_eq!(changes_path("a/b&c"), "/changes?slug=a%2Fb%26c");
    }
}
