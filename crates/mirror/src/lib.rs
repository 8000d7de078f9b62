//! Takes over the catalog of another store from its signed files.
//!
//! `origin` reads the files from a web server or a folder, within limits; `take` verifies them and
//! replaces what the store serves, in one transaction; `error` says why a catalog is not taken over.
//! Nothing of a file is used before its signature or hash is verified.

mod error;
mod origin;
mod take;

pub use error::MirrorError;
pub use origin::{Origin, OriginError, Reader};
pub use take::{Taken, Trust, take};
