//! The key of a hook's signatures, as Standard Webhooks write it: `whsec_` and 24 to 64 bytes in
//! Base64. It is never printed, except once to the client that had it generated.

use std::fmt;

use base64::{Engine, engine::general_purpose::STANDARD};
use thiserror::Error;

const PREFIX: &str = "whsec_";
/// The sizes that Standard Webhooks allow, in bytes.
const SHORTEST: usize = 24;
const LONGEST: usize = 64;
/// The size of a generated key: that of the hash.
const GENERATED: usize = 32;

#[derive(Clone, PartialEq, Eq)]
pub struct HookSecret(Vec<u8>);

/// A text that is no key. It may be close to one, so it is not repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("expected whsec_ and {SHORTEST} to {LONGEST} bytes in Base64")]
pub struct SecretError;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("cannot generate random bytes")]
pub struct NoRandomness;

impl HookSecret {
    pub fn parse(text: &str) -> Result<Self, SecretError> {
        let encoded = text.trim().strip_prefix(PREFIX).ok_or(SecretError)?;
        if encoded.len() > LONGEST.div_ceil(3) * 4 {
            return Err(SecretError);
        }
        let key = STANDARD.decode(encoded).map_err(|_| SecretError)?;
        if (SHORTEST..=LONGEST).contains(&key.len()) { Ok(Self(key)) } else { Err(SecretError) }
    }

    /// A new key from random bytes.
    pub fn generate() -> Result<Self, NoRandomness> {
        let mut key = vec![0; GENERATED];
        getrandom::fill(&mut key).map_err(|_| NoRandomness)?;
        Ok(Self(key))
    }

    /// The key as its owner writes it.
    #[must_use]
    pub fn reveal(&self) -> String {
        format!("{PREFIX}{}", STANDARD.encode(&self.0))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for HookSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[secret]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_24_to_64_bytes() {
        for (bytes, is_valid) in [(0, false), (23, false), (24, true), (64, true), (65, false)] {
            let text = format!("whsec_{}", STANDARD.encode(vec![7; bytes]));
            assert_eq!(HookSecret::parse(&text).is_ok(), is_valid, "{bytes} bytes");
        }
        let long = format!("whsec_{}", "A".repeat(1 << 20));
        for text in ["", "whsec_", "whsk_AAAA", "whsec_!!!", long.as_str()] {
            assert_eq!(HookSecret::parse(text), Err(SecretError));
        }
    }

    #[test]
    fn a_generated_key_can_be_read_and_is_not_printed() {
        let secret = HookSecret::generate().unwrap();
        assert_ne!(secret, HookSecret::generate().unwrap());
        assert_eq!(HookSecret::parse(&format!(" {}\n", secret.reveal())), Ok(secret.clone()));
        assert_eq!(format!("{secret:?}"), "[secret]");
    }
}
