//! What can change about the catalog.

use appstitch_catalog::{Record, Slug};
use appstitch_sources::{FileError, Upstream, UpstreamEntry, fetch::Validators};

use crate::{Tally, origin::SAMPLE};

/// A change to what the catalog is made of.
#[derive(Debug, Clone)]
pub enum CatalogChange {
    /// To the manual records.
    Records(RecordsChange),
    /// To what the upstreams said, all of it as one revision.
    Sources {
        /// The new files, read.
        uploads: Vec<SourceUpload>,
        /// The origins whose documents stay although other files of their source arrive: the
        /// addresses that sent nothing new.
        staying: Vec<StayingOrigin>,
        /// Whether losing more than a fifth of a source's documents is meant.
        allow_shrink: bool,
    },
}

/// One origin of a source's documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StayingOrigin {
    /// The source's token.
    pub source: &'static str,
    /// The address.
    pub origin: String,
}

/// The documents of one upstream file, or some of a source's documents.
#[derive(Debug, Clone)]
pub struct SourceUpload {
    /// The source's token.
    pub source: &'static str,
    /// Where the documents come from: the address, or [`upload_origin`](crate::upload_origin).
    pub origin: String,
    /// The documents.
    pub entries: Vec<UpstreamEntry>,
    /// The kind of documents that the file holds, as the start of their keys. All files of this
    /// kind that arrive together replace the documents of this kind. `None` if the documents only
    /// add to the stored ones.
    pub replaces: Option<&'static str>,
    /// What the address sent with the file, to ask for changes only the next time.
    pub validators: Validators,
}

impl SourceUpload {
    /// Reads an upstream's own file, packed or not, of at most `limit` bytes when unpacked, and
    /// counts what it holds.
    pub fn read(
        upstream: Upstream,
        origin: String,
        file: &[u8],
        limit: usize,
        tally: &mut Tally,
    ) -> Result<Self, FileError> {
        let source = upstream.token();
        let parsed = upstream.read_within(file, limit)?;
        tally.received += parsed.entries.len() + parsed.refused.len();
        for refused in &parsed.refused {
            tally.refuse(format!("{source}, {}", refused.what), refused.why.clone());
        }
        let replaces = Some(upstream.replaced_prefix(&parsed));
        let (entries, validators) = (parsed.entries, Validators::default());
        Ok(Self { source, origin, entries, replaces, validators })
    }

    /// Whether it is an upstream's own file, and not the built-in sample's.
    pub(crate) fn is_real_file(&self) -> bool {
        self.replaces.is_some() && self.origin != SAMPLE
    }
}

/// A change to the manual records.
#[derive(Debug, Clone)]
pub enum RecordsChange {
    /// These are all the records there are.
    Replace {
        /// The records, each slug once.
        records: Vec<Record>,
        /// The records of today that stay although they are not among them.
        keep: Keep,
        /// Whether losing more than a fifth of the records is meant.
        allow_shrink: bool,
    },
    /// One record, new or replaced.
    Put(Box<Record>),
    /// One record of the built-in sample.
    PutSample(Box<Record>),
    /// One record less.
    Remove(Slug),
}

/// Which records stay because their replacement was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keep {
    /// Those with these slugs.
    Slugs(Vec<String>),
    /// All: a refused line may have been meant for any of them.
    Everything,
}
