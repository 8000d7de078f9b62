//! Seals the secrets in a backup with a key of the operator: AES-256-GCM with a random nonce.

use std::fmt;

use base64::{Engine, engine::general_purpose::STANDARD};
use ring::{
    aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    digest::{Context, SHA256},
};

use super::BackupError;

/// The key is for this purpose only, even if the file is used for others.
const PURPOSE: &[u8] = b"appstitch backup secrets 1\0";

/// How many bytes a key file has at least and at most, without white space at its ends.
const SHORTEST: usize = 32;
const LONGEST: usize = 4096;

/// The key that seals the secrets of webhooks in a backup. It is never printed.
pub struct BackupKey(LessSafeKey);

impl BackupKey {
    /// Makes a key from the contents of a file. They should be random: short and guessable texts are
    /// not made stronger.
    pub fn new(contents: &[u8]) -> Result<Self, BackupError> {
        let contents = contents.trim_ascii();
        if !(SHORTEST..=LONGEST).contains(&contents.len()) {
            return Err(BackupError::Key { shortest: SHORTEST, longest: LONGEST });
        }
        let mut hash = Context::new(&SHA256);
        hash.update(PURPOSE);
        hash.update(contents);
        let key = UnboundKey::new(&AES_256_GCM, hash.finish().as_ref())
            .map_err(|_| BackupError::Sealing)?;
        Ok(Self(LessSafeKey::new(key)))
    }

    /// Seals a text for a hook. Only the same hook can open it.
    pub(super) fn seal(&self, hook: &str, mut text: Vec<u8>) -> Result<String, BackupError> {
        let mut nonce = [0; NONCE_LEN];
        getrandom::fill(&mut nonce).map_err(|_| BackupError::Sealing)?;
        let unique = Nonce::assume_unique_for_key(nonce);
        let sealed = self.0.seal_in_place_append_tag(unique, Aad::from(hook), &mut text);
        sealed.map_err(|_| BackupError::Sealing)?;
        Ok(STANDARD.encode([&nonce[..], &text].concat()))
    }

    pub(super) fn open(&self, hook: &str, sealed: &str) -> Result<Vec<u8>, BackupError> {
        let mut sealed = STANDARD.decode(sealed).map_err(|_| BackupError::WrongKey)?;
        let (nonce, rest) =
            sealed.split_first_chunk_mut::<NONCE_LEN>().ok_or(BackupError::WrongKey)?;
        let nonce = Nonce::assume_unique_for_key(*nonce);
        let text = self.0.open_in_place(nonce, Aad::from(hook), rest);
        text.map(|text| text.to_vec()).map_err(|_| BackupError::WrongKey)
    }
}

impl fmt::Debug for BackupKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[key]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_key_and_the_hook_open_what_is_sealed() {
        let key = BackupKey::new(&[b'a'; 32]).unwrap();
        let sealed = key.seal("one", b"sesame".to_vec()).unwrap();
        assert_ne!(sealed, key.seal("one", b"sesame".to_vec()).unwrap());
        assert_eq!(key.open("one", &sealed).unwrap(), b"sesame");
        assert!(key.open("two", &sealed).is_err());
        assert!(BackupKey::new(&[b'b'; 32]).unwrap().open("one", &sealed).is_err());
        for wrong in ["", "!", "AAAA", &sealed[4..]] {
            assert!(key.open("one", wrong).is_err());
        }
    }

    #[test]
    fn a_key_is_long_enough() {
        assert!(BackupKey::new(&[b' '; 64]).is_err());
        assert!(BackupKey::new(&[b'a'; 31]).is_err());
        assert!(BackupKey::new(&[b'a'; 5000]).is_err());
        let spaced = BackupKey::new(format!("{}\n", "a".repeat(32)).as_bytes()).unwrap();
        let sealed = spaced.seal("one", b"sesame".to_vec()).unwrap();
        assert!(BackupKey::new(&[b'a'; 32]).unwrap().open("one", &sealed).is_ok());
        assert_eq!(format!("{spaced:?}"), "[key]");
    }
}
