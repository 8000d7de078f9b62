//! Changes to the catalog.

use appstitch_stitching::Record;
use appstitch_types::Slug;

use crate::{
    resolved_labels::ResolvedLines,
    source_upload::{SourceUpload, StayingOrigin},
};

#[derive(Debug, Clone)]
pub enum CatalogChange {
    Records(RecordsChange),
    /// A change to the documents of the upstreams, published as one revision.
    Sources {
        uploads: Vec<SourceUpload>,
        /// The origins that keep their documents although other files of their source arrive: the
        /// URLs that reported no change or failed.
        staying: Vec<StayingOrigin>,
        /// Whether the change may remove more than a fifth of a source's documents.
        allow_shrink: bool,
    },
    /// Values found by running labels. They are merged with what is stored when the change is
    /// published; see [`Published::resolved`](crate::Published::resolved).
    ResolvedLabels(ResolvedLines),
}

#[derive(Debug, Clone)]
pub enum RecordsChange {
    Replace {
        /// The records, each slug once.
        records: Vec<Record>,
        /// The stored records to keep although they are not in `records`.
        keep: Keep,
        /// Whether the change may remove more than a fifth of the records.
        allow_shrink: bool,
    },
    Put(Box<Record>),
    /// Adds or replaces one record of the built-in sample.
    PutSample(Box<Record>),
    Remove(Slug),
}

/// The records to keep because their replacement was rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keep {
    Slugs(Vec<String>),
    /// All records, because a rejected line could belong to any of them.
    Everything,
}
