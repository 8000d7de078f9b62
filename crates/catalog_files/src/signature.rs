//! Signing an index, and verifying it.

use minisign_verify::{PublicKey as MinisignKey, Signature};
use thiserror::Error;

use crate::{
    INDEX,
    index::Index,
    keys::{PublicKey, SecretKey},
};

/// The longest signature of somebody else that is read.
pub(crate) const LONGEST_SIGNATURE: usize = 4096;

/// The keys of a catalog: the one that signs, and while keys change the one that will.
#[derive(Debug)]
pub struct Signer {
    pub current: SecretKey,
    pub next: Option<SecretKey>,
}

impl Signer {
    /// The public key that will sign next, as the index announces it.
    pub fn next_key(&self) -> Option<String> {
        self.next.as_ref().map(|key| key.public().text())
    }
}

#[derive(Debug, Error)]
pub enum VerifyError {
    #[error("the signature cannot be read")]
    Malformed,
    #[error("the catalog is signed with an unknown key")]
    UnknownKey,
    #[error("the signature does not belong to this index: one of them was changed")]
    Wrong,
    #[error("the signature names another catalog, serial or revision than the index")]
    Comment,
}

/// The name of the signature of one key, while keys change.
pub fn signature_of(key: &str) -> String {
    format!("{INDEX}.{key}.minisig")
}

/// Verifies that one of the keys signed the index, and what the signature says of it. Returns that key.
pub fn verify<'a>(
    bytes: &[u8],
    index: &Index,
    signature: &str,
    keys: &'a [PublicKey],
) -> Result<&'a PublicKey, VerifyError> {
    if signature.len() > LONGEST_SIGNATURE {
        return Err(VerifyError::Malformed);
    }
    let signature = Signature::decode(signature).map_err(|_| VerifyError::Malformed)?;
    let mut result = Err(VerifyError::UnknownKey);
    for key in keys {
        let reader = MinisignKey::from_base64(&key.text()).map_err(|_| VerifyError::Malformed)?;
        match reader.verify(bytes, &signature, true) {
            Ok(()) => {
                result = Ok(key);
                break;
            }
            Err(minisign_verify::Error::UnexpectedKeyId) => {}
            Err(_) => result = Err(VerifyError::Wrong),
        }
    }
    let key = result?;
    // Somebody who may sign other files must not be able to pass one of those off as this index.
    if signature.trusted_comment() == index.trusted_comment() {
        Ok(key)
    } else {
        Err(VerifyError::Comment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{PackedFile, SCHEMA};

    fn index(serial: u64) -> Index {
        let hash = "0f".repeat(32);
        let file = |path: &str| PackedFile {
            path: path.to_owned(),
            size: 1,
            sha256: hash.clone(),
            raw_size: 1,
            raw_sha256: hash.clone(),
        };
        Index {
            schema: SCHEMA,
            catalog: "3f9a2c71".to_owned(),
            serial,
            revision: "20260822T193104Z-0a14e3052f33".to_owned(),
            at: "2026-08-22T19:31:04Z".parse().unwrap(),
            apps: 0,
            snapshot: file("r/catalog.ndjson.zst"),
            snapshot_gzip: file("r/catalog.ndjson.gz"),
            with_sources: None,
            deltas: Vec::new(),
            licences: Vec::new(),
            next_key: None,
        }
    }

    #[test]
    fn only_the_signed_index_with_a_known_key_is_accepted() {
        let (key, _) = SecretKey::generate().unwrap();
        let (other, _) = SecretKey::generate().unwrap();
        let keys = [other.public().clone(), key.public().clone()];
        let index = index(7);
        let bytes = index.to_bytes().unwrap();
        let signature = key.sign(&bytes, &index.trusted_comment());
        assert_eq!(verify(&bytes, &index, &signature, &keys).unwrap(), key.public());

        let unknown = verify(&bytes, &index, &signature, &keys[..1]);
        assert!(matches!(unknown, Err(VerifyError::UnknownKey)));
        let none = verify(&bytes, &index, &signature, &[]);
        assert!(matches!(none, Err(VerifyError::UnknownKey)));
        let long = format!("{signature}{}", " ".repeat(LONGEST_SIGNATURE));
        assert!(matches!(verify(&bytes, &index, &long, &keys), Err(VerifyError::Malformed)));
    }

    #[test]
    fn every_changed_byte_of_index_or_signature_is_noticed() {
        let (key, _) = SecretKey::generate().unwrap();
        let keys = [key.public().clone()];
        let index = index(7);
        let bytes = index.to_bytes().unwrap();
        let signature = key.sign(&bytes, &index.trusted_comment());
        for position in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[position] ^= 1;
            assert!(verify(&changed, &index, &signature, &keys).is_err(), "{position}");
        }
        // The first line is not signed, and may say anything.
        let start = signature.find('\n').unwrap() + 1;
        for position in start..signature.len() - 1 {
            let mut changed = signature.clone().into_bytes();
            changed[position] = if changed[position] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            assert!(verify(&bytes, &index, &changed, &keys).is_err(), "{position}");
        }
    }

    #[test]
    fn a_signature_is_bound_to_its_serial() {
        let (key, _) = SecretKey::generate().unwrap();
        let keys = [key.public().clone()];
        let bytes = index(8).to_bytes().unwrap();
        let signature = key.sign(&bytes, &index(7).trusted_comment());
        let result = verify(&bytes, &index(8), &signature, &keys);
        assert!(matches!(result, Err(VerifyError::Comment)));
    }
}
