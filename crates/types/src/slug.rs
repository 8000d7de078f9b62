//! The identifier of an app, in URLs and elsewhere.

use serde::{Deserialize, Serialize};

use crate::{broken_rule::BrokenRule, checked_text::checked_text};

/// Routes below `/apps/`; an app with such a slug would be unreachable.
const ROUTES: [&str; 2] = ["drift", "jamf-index"];

/// A URL-friendly, unique app identifier.
///
/// Its characters need no escaping in JSON. The first one is a letter or digit, so a slug
/// cannot be mistaken for a relative path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct Slug(Box<str>);

checked_text!(Slug);

impl Slug {
    const MAX_LENGTH: usize = 128;

    /// Checks the format and keeps the text unchanged.
    pub fn parse(text: &str) -> Result<Self, BrokenRule> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._+@-".contains(&byte);
        let starts_well = text.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric());
        if starts_well && text.len() <= Self::MAX_LENGTH && text.bytes().all(allowed) {
            Ok(Self(text.into()))
        } else {
            Err(BrokenRule::Slug(text.chars().take(160).collect()))
        }
    }

    /// The slug in lowercase. Two slugs with the same folded form cannot both be served.
    pub fn folded(&self) -> String {
        self.0.to_ascii_lowercase()
    }

    /// The message for a slug that differs from `first`, which is in use, only in case.
    pub fn twin_problem(&self, first: &Self) -> String {
        format!("the slug '{self}' differs from '{first}' only in case; '{first}' is used")
    }

    /// The slug with `-app` appended if a route of the same name would hide it; `None` if the
    /// slug can be served unchanged.
    pub fn unshadowed(&self) -> Option<Self> {
        ROUTES.contains(&self.folded().as_str()).then(|| Self(format!("{}-app", self.0).into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_what_upstreams_use_as_identifiers() {
        for text in ["firefox", "1password8", "firefox@beta", "notepad++", "a_b", "Xcode", "0.x"] {
            assert!(Slug::parse(text).is_ok(), "{text} should be a slug");
        }
    }

    #[test]
    fn refuses_what_would_need_escaping_or_could_be_a_path() {
        let long = "a".repeat(129);
        for text in ["", " ", "a b", "..", ".a", "-a", "a/b", "a%b", "ä", "a\"b", &long] {
            assert!(Slug::parse(text).is_err(), "{text:?} should be rejected");
        }
    }

    #[test]
    fn a_slug_hidden_by_a_route_gets_a_suffix() {
        let hidden = Slug::parse("drift").unwrap();
        assert_eq!(hidden.unshadowed().unwrap().as_str(), "drift-app");
        let capital = Slug::parse("Drift").unwrap();
        assert_eq!(capital.unshadowed().unwrap().as_str(), "Drift-app");
        assert_eq!(Slug::parse("driftwood").unwrap().unshadowed(), None);
    }
}
