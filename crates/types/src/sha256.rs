//! The hash of an installer file.

use serde::{Deserialize, Serialize};

use crate::{broken_rule::BrokenRule, checked_text::checked_text};

/// A SHA-256 hash as 64 lowercase hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct Sha256(Box<str>);

checked_text!(Sha256);

impl Sha256 {
    /// Checks the digits and converts them to lowercase.
    pub fn parse(text: &str) -> Result<Self, BrokenRule> {
        if text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            Ok(Self(text.to_ascii_lowercase().into()))
        } else {
            Err(BrokenRule::Sha256(text.chars().take(80).collect()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upper_case_digits_are_the_same_hash() {
        let hash = Sha256::parse(&"AB".repeat(32)).unwrap();
        assert_eq!(hash.as_str(), "ab".repeat(32));
    }

    #[test]
    fn sentinels_and_other_lengths_are_refused() {
        for text in ["no_check", "", &"a".repeat(63), &"g".repeat(64), &"é".repeat(32)] {
            assert!(Sha256::parse(text).is_err(), "{text:?} should be rejected");
        }
    }
}
