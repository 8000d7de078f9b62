//! The ID of the developer team that signs an app.

use serde::{Deserialize, Serialize};

use crate::{broken_rule::BrokenRule, checked_text::checked_text};

/// A Team ID: ten uppercase letters or digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct TeamId(Box<str>);

checked_text!(TeamId);

impl TeamId {
    /// Checks the format. Lowercase letters are rejected, not converted: they never occur in a
    /// real Team ID.
    pub fn parse(text: &str) -> Result<Self, BrokenRule> {
        let allowed = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
        if text.len() == 10 && text.bytes().all(allowed) {
            Ok(Self(text.into()))
        } else {
            Err(BrokenRule::TeamId(text.chars().take(80).collect()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ten_upper_case_letters_or_digits_are_a_team_id() {
        assert!(TeamId::parse("43AQ936H96").is_ok());
        for text in ["", "43aq936h96", "43AQ936H9", "43AQ936H966", "43AQ-36H96", "$TEAMIDVAR"] {
            assert!(TeamId::parse(text).is_err(), "{text:?} should be rejected");
        }
    }
}
