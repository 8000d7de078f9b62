//! The identifier of an app in addresses and everywhere else.

use serde::{Deserialize, Serialize};

use crate::{BrokenRule, checked_text::checked_text};

/// Names below `/apps/` that are routes, so no app can be reached under them.
const ROUTES: [&str; 2] = ["drift", "jamf-index"];

/// A URL-friendly, unique app identifier.
///
/// Its characters need no escaping in JSON, and the first is a letter or digit, so a
/// slug can never be mistaken for a relative path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct Slug(Box<str>);

checked_text!(Slug);

impl Slug {
    const MAX_LENGTH: usize = 128;

    /// Checks the rule and keeps the text as it is.
    pub fn parse(text: &str) -> Result<Self, BrokenRule> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._+@-".contains(&byte);
        let starts_well = text.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric());
        if starts_well && text.len() <= Self::MAX_LENGTH && text.bytes().all(allowed) {
            Ok(Self(text.into()))
        } else {
            Err(BrokenRule::Slug(text.chars().take(160).collect()))
        }
    }

    /// The slug under which this one is served: `-app` is appended where a route of the
    /// same name would hide it. `None` when nothing needs to change.
    #[must_use]
    pub fn unshadowed(&self) -> Option<Self> {
        ROUTES.contains(&self.as_str()).then(|| Self(format!("{}-app", self.0).into()))
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
            assert!(Slug::parse(text).is_err(), "{text:?} should be refused");
        }
    }

    #[test]
    fn a_slug_hidden_by_a_route_gets_a_suffix() {
        let hidden = Slug::parse("drift").unwrap();
        assert_eq!(hidden.unshadowed().unwrap().as_str(), "drift-app");
        assert_eq!(Slug::parse("driftwood").unwrap().unshadowed(), None);
    }
}
