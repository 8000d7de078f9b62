//! The result of running a label: its version and download URL.

use appstitch_catalog::Uri;
use serde::{Deserialize, Serialize};

/// The values found by running one label. They are valid only for the fragment that was run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resolution {
    /// A fingerprint of the fragment that was run.
    fragment: String,
    /// The download URL.
    #[serde(rename = "downloadURL", skip_serializing_if = "Option::is_none")]
    download_url: Option<String>,
    /// The newest version.
    #[serde(rename = "appNewVersion", skip_serializing_if = "Option::is_none")]
    app_new_version: Option<String>,
}

impl Resolution {
    /// Creates a resolution from the result of a run. An invalid URL or version is dropped.
    /// Returns `None` if nothing is left.
    #[must_use]
    pub fn new(
        fragment: &str,
        download_url: Option<&str>,
        app_new_version: Option<&str>,
    ) -> Option<Self> {
        let is_version = |text: &&str| {
            !text.trim().is_empty()
                && text.len() <= 100
                && !text.contains(['$', '`', '|', '<', '>', '\n'])
        };
        let resolution = Self {
            fragment: fingerprint(fragment),
            download_url: download_url.filter(|url| Uri::parse(url).is_ok()).map(str::to_owned),
            app_new_version: app_new_version.filter(is_version).map(|text| text.trim().to_owned()),
        };
        (resolution.download_url.is_some() || resolution.app_new_version.is_some())
            .then_some(resolution)
    }

    /// Fills in missing values from an earlier run of the same fragment, unless they belong to
    /// another release: a URL that contains its version is valid only with that version.
    #[must_use]
    pub fn or(self, earlier: Option<Self>) -> Self {
        let Some(earlier) = earlier.filter(|earlier| earlier.fragment == self.fragment) else {
            return self;
        };
        let names_version = earlier.download_url.as_ref().is_some_and(|url| {
            earlier.app_new_version.as_ref().is_some_and(|version| url.contains(version.as_str()))
        });
        let fits = !names_version
            || self.app_new_version == earlier.app_new_version
            || self.download_url == earlier.download_url;
        if !fits {
            return self;
        }
        Self {
            download_url: self.download_url.or(earlier.download_url),
            app_new_version: self.app_new_version.or(earlier.app_new_version),
            ..self
        }
    }

    /// Whether this is the result of exactly this fragment.
    pub(super) fn is_of(&self, fragment: &str) -> bool {
        self.fragment == fingerprint(fragment)
    }

    pub(super) fn values(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let url = self.download_url.as_deref().map(|value| ("downloadURL", value));
        let version = self.app_new_version.as_deref().map(|value| ("appNewVersion", value));
        url.into_iter().chain(version)
    }
}

/// A hash of a fragment's text. It is written to the store.
///
/// This is FNV-1a. Unlike the standard library's hashers, it gives the same result on every
/// machine and in every version. A cryptographic hash is not needed: the hash only has to
/// distinguish a fragment from its own earlier text, and anyone who could forge a fragment can
/// upload one anyway. Changing the function would invalidate every stored resolution.
#[must_use]
pub fn fingerprint(fragment: &str) -> String {
    let hash = fragment.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}-{}", fragment.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_in_stores_stay_valid() {
        assert_eq!(fingerprint(""), "cbf29ce484222325-0");
        assert_eq!(fingerprint("foobar"), "85944171f73967e8-6", "a published test vector");
    }

    #[test]
    fn a_resolution_holds_for_its_fragment_alone() {
        let resolution =
            Resolution::new("one", Some("https://example.com/a.dmg"), Some("1.0")).unwrap();
        assert!(resolution.is_of("one") && !resolution.is_of("two"));
    }

    #[test]
    fn junk_is_left_out_and_a_failed_part_keeps_the_earlier_one() {
        assert_eq!(Resolution::new("one", Some("not an address"), Some("")), None);
        let earlier = Resolution::new("one", Some("https://example.com/a.dmg"), Some("1.0"));
        let later = Resolution::new("one", None, Some("2.0")).unwrap().or(earlier.clone());
        assert_eq!(
            later.values().collect::<Vec<_>>(),
            [("downloadURL", "https://example.com/a.dmg"), ("appNewVersion", "2.0")]
        );
        let changed = Resolution::new("two", None, Some("2.0")).unwrap().or(earlier);
        assert_eq!(changed.values().count(), 1, "values of another fragment are not reused");
    }
}
