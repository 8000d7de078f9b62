//! Documents of an upstream that arrived.

use appstitch_budget::Budget;
use appstitch_network::Validators;
use appstitch_sources::{FileError, Upstream, UpstreamEntry};
use jiff::Timestamp;

use crate::{
    origin::SAMPLE, private_address::refused_address, servable::ServableEntries, tally::Tally,
};

/// The most characters of an entry's key in a problem.
const LISTED_KEY: usize = 160;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StayingOrigin {
    pub source: &'static str,
    pub origin: String,
    /// Whether its server reported no change, as opposed to a failure. If so, the source counts as
    /// received.
    pub is_current: bool,
}

/// The documents of one upstream file, or some of a source's documents.
#[derive(Debug, Clone)]
pub struct SourceUpload {
    pub source: &'static str,
    /// Where the documents come from: the URL, or [`upload_origin`](crate::upload_origin).
    pub origin: String,
    pub entries: Vec<UpstreamEntry>,
    /// The number of entries of the file that were rejected.
    pub rejected: usize,
    /// The kind of documents in the file, as a prefix of their keys. All files of this kind that
    /// arrive together replace the stored documents of this kind. `None` if the documents are
    /// added to the stored ones.
    pub replaces: Option<&'static str>,
    /// The validators sent with the file, for a conditional request next time.
    pub validators: Validators,
}

impl SourceUpload {
    /// Reads an upstream's file that was just received, compressed or not, of at most `limit` bytes
    /// when decompressed, and counts its entries in `tally`. The entries that are kept, and the work
    /// of finding them, are taken from the budget.
    pub fn read(
        upstream: Upstream,
        origin: String,
        file: &[u8],
        limit: usize,
        tally: &mut Tally,
        budget: &mut Budget,
    ) -> Result<Self, FileError> {
        let source = upstream.token();
        let parsed = upstream.read_within(file, limit, Timestamp::now(), budget)?;
        let replaces = Some(upstream.replaced_prefix(&parsed));
        tally.received += parsed.entries.len() + parsed.rejected;
        tally.rejected += parsed.rejected;
        for noted in parsed.refused.iter().chain(&parsed.notes) {
            tally.note(format!("{source}, {}", noted.what), noted.why.clone());
        }
        let (mut entries, mut rejected) = (parsed.entries, parsed.rejected);
        let mut servable = ServableEntries::new(upstream);
        entries.retain(|entry| {
            let checked = servable.check(entry);
            let what = || {
                let key: String = entry.key.chars().take(LISTED_KEY).collect();
                format!("{source}, {key}")
            };
            if let Err(why) = &checked {
                tally.refuse(what(), why.clone());
                rejected += 1;
            } else if let Some(why) = refused_address(upstream, entry) {
                tally.note(what(), why);
            }
            checked.is_ok()
        });
        Ok(Self { source, origin, entries, rejected, replaces, validators: Validators::default() })
    }

    /// Whether this is a file of an upstream, as opposed to a file of the built-in sample or
    /// resolved labels.
    pub(crate) fn is_real_file(&self) -> bool {
        self.replaces.is_some() && self.origin != SAMPLE
    }
}
