//! What is made on request and kept with its snapshot, as long as there is room.

mod bodies;
mod bounded;
mod texts;

pub use bodies::{BodyCache, BodyKey, CachedBody};
pub use texts::{DocumentCache, DocumentKey, ExportFile, LabelForm, TextCache};
pub(crate) use texts::{ExportCache, ExportKey, FeedCache, LabelCache};
