//! What the catalog's upstreams publish, read as it really is: bytes in, documents out.
//!
//! One module per upstream, named by its token. Each says what it refused and why, and one
//! bad entry never sinks the rest. A document is kept in the store as upstream wrote it, so
//! that a better reader can read it again.

pub mod cask_catalog;
pub mod fetch;
pub mod label_tool;
pub mod mdm_installer;
mod parsed_file;
pub mod recipe_index;
pub mod store_listing;
mod unpack;
mod upstream;

pub use parsed_file::{FileError, ParsedFile, Refused, Unreadable, UpstreamEntry};
use parsed_file::{json_entries, stream_entries};
pub use upstream::{MAX_UNPACKED_BYTES, RESOLUTION, Upstream};
