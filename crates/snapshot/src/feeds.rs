//! What feeds there are: their requests, their sizes and the archives.

mod archives;
mod request;
mod selection;

pub use archives::ArchivePart;
pub(crate) use archives::Archives;
pub use request::{FeedKey, FeedRequest, FeedScope};
pub(crate) use selection::{Size, newest};
