//! Publishing: the one way in which the served catalog changes.
//!
//! A change is worked out in memory from the store's contents, committed in one transaction, and
//! only then swapped in. A crash at any point leaves the old revision or the new one, and a change
//! that moves no served byte moves nothing.

mod assemble;
mod background;
mod batch;
mod change;
mod document_rows;
mod fetched_rows;
mod follow;
mod loaded_catalog;
mod origin;
mod plan;
mod publish_error;
mod publisher;
mod record_rows;
mod resolved_labels;
mod sample;

pub use assemble::served_records;
pub use background::{Background, BackgroundPriority};
pub use batch::{AppCounts, Batch, BatchSummary, Tally, UploadProblem};
pub use change::{CatalogChange, Keep, RecordsChange, SourceUpload, StayingOrigin};
pub use follow::follow;
pub use origin::upload_origin;
pub use publish_error::PublishError;
pub use publisher::{Published, Publisher};
pub use resolved_labels::read_resolved_labels;
pub use sample::load_sample;

/// Which rules make the served bytes: another build of the program may make others of the same
/// documents, and read other documents from the same file.
pub(crate) const RULES: &str = env!("APPSTITCH_RULES");

/// An upload that removes more than one entry in this many is taken for a mistake.
pub(crate) const SHRINK_PARTS: usize = 5;
