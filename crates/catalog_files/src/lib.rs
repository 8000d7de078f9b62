//! The catalog as files that can be carried: to a mirror, behind a CDN, or on a stick.
//!
//! ```text
//! index.json                         names every other file by its hash
//! index.json.minisig                 signs the index, and so everything
//! REVISION/catalog.ndjson.zst, .gz   a header line, then one record per line, in the order of slugs
//! REVISION/with-sources.ndjson.zst    a copy of the store: everything that is served
//! REVISION/with-sources-from-OLDER.zst   a patch from the copy of an older revision
//! REVISION/from-OLDER.ndjson.zst     what changed since an older revision
//! ```
//!
//! `files` makes them from a snapshot; `index`, `records` and `delta` are their formats, in both
//! directions; `patch` leads from copy to copy; `received` is what a mirror keeps; `keys` and `signature` are
//! minisign's formats; `folder` verifies all files of a folder.

mod codec;
mod delta;
mod digest;
mod files;
mod folder;
mod index;
mod keys;
mod packed;
mod patch;
mod received;
mod records;
mod signature;

pub use appstitch_snapshot::is_revision_token;
pub use codec::CodecError;
pub use delta::DeltaError;
pub use files::{CatalogFiles, MakeError, serial_at};
pub use folder::{FolderError, Verified, verify_folder};
pub use index::{Delta, Index, IndexError, Licence, PackedFile, SCHEMA};
pub use keys::{KeyError, PublicKey, SecretKey};
pub use packed::FileError;
pub use patch::{apply_patch, patch_path};
pub use received::Received;
pub use records::{Records, RecordsError};
pub use signature::{Signer, VerifyError, signature_of, verify};

/// The name of the index.
pub const INDEX: &str = "index.json";
/// The name of its signature.
pub const SIGNATURE: &str = "index.json.minisig";
/// Longer files of somebody else are no index.
pub const MOST_INDEX_BYTES: u64 = index::LONGEST_INDEX as u64;
/// Longer files of somebody else are neither a signature nor a key.
pub const MOST_SIGNATURE_BYTES: u64 = signature::LONGEST_SIGNATURE as u64;
/// The name of the public key.
pub const KEY: &str = "key.pub";
