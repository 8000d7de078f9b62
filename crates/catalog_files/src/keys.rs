//! Keys in minisign's format: two lines, a comment and the key in base64.
//!
//! Secret keys are not encrypted, because a server starts without anybody who could type a password.
//! Such a key is made by `appstitch catalog new-key` or by `minisign -G -W`.

use std::fmt;

use base64::{Engine, prelude::BASE64_STANDARD};
use ring::{
    rand::{SecureRandom, SystemRandom},
    signature::{Ed25519KeyPair, KeyPair},
};
use thiserror::Error;

/// Ed25519, as minisign writes it.
const ALGORITHM: &[u8; 2] = b"Ed";
/// The length of the unencrypted key's head: algorithm, no key derivation, kind of checksum, salt, limits.
const SECRET_HEAD: usize = 54;
/// Identifier, seed and public key, checksum.
const SECRET_LENGTH: usize = SECRET_HEAD + 8 + 64 + 32;

#[derive(Debug, Error, PartialEq, Eq)]
pub enum KeyError {
    #[error("it is not a minisign key: expected a comment line and a line of base64")]
    Malformed,
    #[error("it is not an Ed25519 key")]
    Algorithm,
    #[error("the secret key is encrypted; make one without a password with `minisign -G -W`")]
    Encrypted,
    #[error("the secret key is damaged: its two halves do not belong together")]
    Damaged,
    #[error("the system does not provide random numbers")]
    NoRandomness,
}

#[derive(Clone, PartialEq, Eq)]
pub struct PublicKey {
    id: [u8; 8],
    key: [u8; 32],
}

impl PublicKey {
    /// Reads a file of two lines, or the second line alone.
    pub fn read(text: &str) -> Result<Self, KeyError> {
        let bytes = decode(text)?;
        let (algorithm, rest) = bytes.split_first_chunk::<2>().ok_or(KeyError::Malformed)?;
        if algorithm != ALGORITHM {
            return Err(KeyError::Algorithm);
        }
        let (id, key) = rest.split_first_chunk().ok_or(KeyError::Malformed)?;
        Ok(Self { id: *id, key: key.try_into().map_err(|_| KeyError::Malformed)? })
    }

    /// The line of base64, as `minisign -P` takes it.
    pub fn text(&self) -> String {
        BASE64_STANDARD.encode([&ALGORITHM[..], &self.id, &self.key].concat())
    }

    /// A whole file, as `minisign -p` takes it.
    pub fn file(&self) -> String {
        format!("untrusted comment: minisign public key {}\n{}\n", self.id(), self.text())
    }

    /// The identifier, as minisign writes it.
    pub fn id(&self) -> String {
        format!("{:016X}", u64::from_le_bytes(self.id))
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "PublicKey({})", self.id())
    }
}

/// A key that signs. It is never printed.
pub struct SecretKey {
    public: PublicKey,
    pair: Ed25519KeyPair,
}

impl SecretKey {
    pub fn read(text: &str) -> Result<Self, KeyError> {
        let bytes = decode(text)?;
        if bytes.len() != SECRET_LENGTH {
            return Err(KeyError::Malformed);
        }
        if &bytes[..2] != ALGORITHM {
            return Err(KeyError::Algorithm);
        }
        if bytes[2..4] != [0, 0] {
            return Err(KeyError::Encrypted);
        }
        let (id, rest) = bytes[SECRET_HEAD..].split_first_chunk().ok_or(KeyError::Malformed)?;
        let (seed, rest) = rest.split_first_chunk::<32>().ok_or(KeyError::Malformed)?;
        let (key, _checksum) = rest.split_first_chunk().ok_or(KeyError::Malformed)?;
        // Keys without a password have no checksum, but they hold the public key, which follows from the seed.
        let pair = Ed25519KeyPair::from_seed_and_public_key(seed, key);
        let pair = pair.map_err(|_| KeyError::Damaged)?;
        Ok(Self { public: PublicKey { id: *id, key: *key }, pair })
    }

    /// Makes a new key. The second part is its file, which is a secret.
    pub fn generate() -> Result<(Self, String), KeyError> {
        let (mut id, mut seed) = ([0; 8], [0; 32]);
        let random = SystemRandom::new();
        random
            .fill(&mut id)
            .and_then(|()| random.fill(&mut seed))
            .map_err(|_| KeyError::NoRandomness)?;
        let pair = Ed25519KeyPair::from_seed_unchecked(&seed).map_err(|_| KeyError::Damaged)?;
        let key: [u8; 32] = pair.public_key().as_ref().try_into().map_err(|_| KeyError::Damaged)?;
        let mut bytes = Vec::with_capacity(SECRET_LENGTH);
        bytes.extend(ALGORITHM);
        bytes.extend([0, 0]);
        bytes.extend(b"B2");
        bytes.resize(SECRET_HEAD, 0);
        for part in [&id[..], &seed, &key] {
            bytes.extend(part);
        }
        bytes.resize(SECRET_LENGTH, 0);
        let text = BASE64_STANDARD.encode(bytes);
        let file = format!("untrusted comment: secret key of an appstitch catalog\n{text}\n");
        Ok((Self { public: PublicKey { id, key }, pair }, file))
    }

    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    /// The signature of a file with a comment that is signed with it, as the text of a `.minisig` file.
    ///
    /// The file itself is signed and not its hash: it is short, and every minisign verifies both.
    pub fn sign(&self, file: &[u8], comment: &str) -> String {
        let signature = self.pair.sign(file);
        let both = self.pair.sign(&[signature.as_ref(), comment.as_bytes()].concat());
        let first = [&ALGORITHM[..], &self.public.id, signature.as_ref()].concat();
        format!(
            "untrusted comment: signature of an appstitch catalog\n{}\ntrusted comment: {comment}\n{}\n",
            BASE64_STANDARD.encode(first),
            BASE64_STANDARD.encode(both),
        )
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "SecretKey({})", self.public.id())
    }
}

/// The bytes of a key: the last line that has any text.
fn decode(text: &str) -> Result<Vec<u8>, KeyError> {
    let line = text.lines().map(str::trim).rfind(|line| !line.is_empty());
    BASE64_STANDARD.decode(line.unwrap_or_default()).map_err(|_| KeyError::Malformed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made by `minisign -G -W` for this test alone.
    const SECRET: &str = "untrusted comment: minisign encrypted secret key\nRWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA5nDF18aZ4D6F8Y1k0+BUU8gKMCrVZ2paTaDJp6YSo0EOahy5RyfpvUDfs/NGOa9vqXN4Dyxhu3qucTXZ2mOyIjVlNcIa9BrWAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n";
    const PUBLIC: &str = "RWTmcMXXxpngPkDfs/NGOa9vqXN4Dyxhu3qucTXZ2mOyIjVlNcIa9BrW";

    #[test]
    fn keys_of_minisign_are_read() {
        let secret = SecretKey::read(SECRET).unwrap();
        assert_eq!(secret.public().text(), PUBLIC);
        assert_eq!(secret.public().id(), "3EE099C6D7C570E6");
        let public = PublicKey::read(PUBLIC).unwrap();
        assert_eq!(&public, secret.public());
        assert_eq!(PublicKey::read(&public.file()).unwrap(), public);
        assert_eq!(format!("{secret:?}"), "SecretKey(3EE099C6D7C570E6)");
    }

    #[test]
    fn a_new_key_is_read_from_its_file() {
        let (key, file) = SecretKey::generate().unwrap();
        assert_eq!(SecretKey::read(&file).unwrap().public(), key.public());
        let (other, _) = SecretKey::generate().unwrap();
        assert_ne!(key.public(), other.public());
    }

    #[test]
    fn damaged_encrypted_and_foreign_keys_are_told_apart() {
        let decoded = decode(SECRET).unwrap();
        let changed = |position: usize, value: u8| {
            let mut bytes = decoded.clone();
            bytes[position] ^= value;
            SecretKey::read(&BASE64_STANDARD.encode(bytes)).unwrap_err()
        };
        assert_eq!(changed(2, b'S'), KeyError::Encrypted);
        assert_eq!(changed(0, 1), KeyError::Algorithm);
        assert_eq!(changed(SECRET_HEAD + 10, 1), KeyError::Damaged);
        assert_eq!(changed(SECRET_HEAD + 50, 1), KeyError::Damaged);
        for text in ["", "no key", &SECRET[..120], PUBLIC] {
            assert_eq!(SecretKey::read(text).unwrap_err(), KeyError::Malformed, "{text}");
        }
        assert_eq!(PublicKey::read("AAAA").unwrap_err(), KeyError::Algorithm);
        assert_eq!(PublicKey::read("RWTmcMXX").unwrap_err(), KeyError::Malformed);
    }
}
