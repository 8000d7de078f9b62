//! Publishing, the only way to change the served catalog.
//!
//! A change is computed in memory from the contents of the store, committed in one transaction, and
//! only then served. A crash at any point leaves either the old or the new revision. A change that
//! does not affect the served bytes does not make a new revision.

mod assemble;
mod background;
mod batch;
mod blocking;
mod catch_up;
mod change;
mod document_rows;
mod fetched_rows;
mod follow;
mod frozen;
mod journal;
mod loaded_catalog;
mod origin;
mod plan;
mod publish_error;
mod published;
mod publisher;
mod record_rows;
mod resolved_labels;
mod rules;
mod sample;
mod servable;
mod source_rows;
mod source_status;
mod store_state;

pub use assemble::served_records;
pub use background::{Background, BackgroundPriority};
pub use batch::{AppCounts, Batch, BatchSummary, MAX_RECORD_BYTES, Tally, UploadProblem};
pub use change::{CatalogChange, Keep, RecordsChange, SourceUpload, StayingOrigin};
pub use follow::follow;
pub use frozen::FrozenApps;
pub use origin::upload_origin;
pub use publish_error::PublishError;
pub use published::Published;
pub use publisher::Publisher;
pub use resolved_labels::{
    LabelOutcome, LabelResult, LinesError, MAX_RESOLVED_LINES, ResolvedLabel, ResolvedLines,
    ResolvedOutcome, ResolvedValues, TooManyLines,
};
pub use sample::load_sample;

pub use appstitch_store::FailPoint;

/// The maximum number of attempts to use the store while other processes write to it.
pub(crate) const ATTEMPTS: u32 = 20;

/// An upload that removes more than one in this many entries is treated as a mistake.
pub(crate) const SHRINK_PARTS: usize = 5;
