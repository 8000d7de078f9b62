//! Publishing, the only way to change the served catalog.
//!
//! A change is computed in memory from the contents of the store, committed in one transaction, and
//! only then served. A crash at any point leaves either the old or the new revision. A change that
//! does not affect the served bytes does not make a new revision.

mod assemble;
mod background;
mod batch;
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
mod preview;
mod private_address;
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
mod source_upload;
mod store_state;
mod tally;
mod whole_second;

pub use assemble::served_records;
pub use background::{Background, BackgroundPriority};
pub use batch::Batch;
pub use change::{CatalogChange, Keep, RecordsChange};
pub use follow::follow;
pub use frozen::FrozenApps;
pub use loaded_catalog::RECEIVED;
pub use origin::upload_origin;
pub use preview::{ChangePreview, MovedVersion};
pub use publish_error::PublishError;
pub use published::{AppCounts, BatchSummary, Published};
pub use publisher::Publisher;
pub use resolved_labels::{
    LabelReport, LabelResult, LinesError, MAX_RESOLVED_LINES, ResolvedLabel, ResolvedLines,
    ResolvedReport, ResolvedValues, TooManyLines,
};
pub use sample::load_sample;
pub use source_upload::{SourceUpload, StayingOrigin};
pub use tally::{Tally, UploadProblem};

pub use appstitch_store::FailPoint;
