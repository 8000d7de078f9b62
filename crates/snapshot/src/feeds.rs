//! What feeds there are: their requests, their sizes and the archives.

mod archives;
mod request;
mod selection;

pub use archives::ArchivePart;
pub(crate) use archives::Archives;
pub(crate) use request::vendor_apps_path;
pub use request::{FeedKey, FeedRequest, FeedScope};
pub(crate) use selection::{Size, newest};
