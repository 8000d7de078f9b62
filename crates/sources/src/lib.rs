//! Readers for the files that the catalog's upstreams publish: bytes in, documents out.
//!
//! There is one module per upstream, named after its token. An invalid entry is reported with
//! the reason and does not affect the other entries. Files come from outside, so all work on them is
//! limited by a budget. The store keeps each document as upstream wrote it, so that a later version
//! of the reader can parse it again.

pub mod cask_catalog;
mod json_stream;
pub mod label_tool;
pub mod label_versions;
pub mod mdm_installer;
mod parsed_file;
pub mod patch_titles;
pub mod recipe_index;
pub mod store_listing;
mod tar_files;
mod unpack;
mod upstream;

pub use label_tool::RESOLUTION;
pub use label_versions::CLOCK_TOLERANCE;
pub use parsed_file::{FileError, ParsedFile, Refused, Unreadable, UpstreamEntry};
pub use unpack::{MAX_UNPACKED_BYTES, unpacked};
pub use upstream::Upstream;
