//! The catalog as files that can be carried: to a mirror, behind a CDN, or on a stick.
//!
//! ```text
//! index.json                         names every other file by its hash
//! index.json.minisig                 signs the index, and so everything
//! REVISION/catalog.ndjson.zst, .gz   a header line, then one record per line, in the order of slugs
//! REVISION/from-OLDER.ndjson.zst     what changed since an older revision
//! ```
//!
//! `files` makes them from a snapshot; `index`, `records` and `delta` are their formats, in both
//! directions; `keys` and `signature` are minisign's formats; `folder` verifies all files of a folder.

mod codec;
mod delta;
mod digest;
mod files;
mod folder;
mod index;
mod keys;
mod records;
mod signature;

pub use codec::CodecError;
pub use delta::DeltaError;
pub use files::{CatalogFiles, MakeError};
pub use folder::{FolderError, Verified, verify_folder};
pub use index::{Delta, Index, IndexError, Licence, PackedFile, SCHEMA};
pub use keys::{KeyError, PublicKey, SecretKey};
pub use records::{Records, RecordsError};
pub use signature::{Signer, VerifyError, verify};

/// The name of the index.
pub const INDEX: &str = "index.json";
/// The name of its signature.
pub const SIGNATURE: &str = "index.json.minisig";
/// The name of the public key.
pub const KEY: &str = "key.pub";
