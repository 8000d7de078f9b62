//! Computes a change in memory: the resulting catalog and the rows to write.

use std::collections::BTreeSet;

use appstitch_snapshot::{Difference, Draft, Journal, Snapshot};
use appstitch_stitching::LeftOut;
use appstitch_store::{Change, Contents, StoredRecord, StoredSources};
use jiff::{SignedDuration, Timestamp};

use crate::{
    assemble::{Assembled, assemble, assemble_all},
    change::{CatalogChange, RecordsChange},
    document_rows::DocumentRows,
    fetched_rows::FetchedRows,
    journal::LastServed,
    origin::StitchedDocument,
    publish_error::PublishError,
    record_rows::RecordRows,
    resolved_labels::{MergedLabels, ResolvedReport},
    rules::{is_kept, rules},
    source_rows::{received_sources, states_after},
    source_status::count_entries,
    source_upload::{SourceUpload, StayingOrigin},
    whole_second::whole_second,
};

/// A change ready to be committed.
pub(crate) struct Plan {
    pub(crate) change: Change,
    /// The catalog after the change; `None` if the change cannot affect the served data.
    pub(crate) next: Option<NextCatalog>,
    pub(crate) sources: StoredSources,
    /// What became of resolved labels; `None` if the change has none.
    pub(crate) resolved: Option<ResolvedReport>,
}

pub(crate) struct NextCatalog {
    pub(crate) draft: Draft,
    pub(crate) difference: Difference,
    pub(crate) left_out: LeftOut,
    pub(crate) journal: Journal,
}

/// The catalog of a store that another version of the program wrote.
pub(crate) struct Upgrade {
    pub(crate) draft: Draft,
    pub(crate) change: Change,
    pub(crate) journal: Journal,
}

impl Plan {
    /// Computes the effect of a change on the store. If no document or record changes, nothing is
    /// stitched.
    pub(crate) fn work_out(
        contents: &Contents,
        change: &CatalogChange,
        current: &Snapshot,
        last_served: &LastServed,
    ) -> Result<Self, PublishError> {
        // One time for everything that the change writes.
        let now = Timestamp::now();
        let merged;
        let (planned, resolved) = match change {
            CatalogChange::Records(change) => (PlannedRows::of_records(contents, change)?, None),
            CatalogChange::Sources { uploads, staying, allow_shrink } => {
                (PlannedRows::of_sources(contents, uploads, staying, *allow_shrink, now)?, None)
            }
            CatalogChange::ResolvedLabels(lines) => {
                merged = MergedLabels::merge(lines, &contents.documents);
                let planned = PlannedRows::of_sources(contents, &merged.uploads, &[], true, now)?;
                (planned, Some(merged.report.clone()))
            }
        };
        let PlannedRows { records, documents, changed, written } = planned;
        let sources = StoredSources {
            states: states_after(contents, &written.put_source_states),
            documents: count_entries(documents.iter().copied()),
        };
        // Compare the hash: another version of the program may have published the contents.
        let served = contents.revision.as_ref().map(|revision| revision.content_hash.as_str());
        if !changed && served == Some(current.content_hash()) {
            let change = Change { base_edition: contents.edition.clone(), ..written };
            return Ok(Self { change, next: None, sources, resolved });
        }
        // Most changes are small, so the current sizes are a good estimate.
        let expected = current.served_sizes();
        let Assembled { draft, left_out } =
            assemble(&records, documents.into_iter(), &contents.insertions, expected)?;
        let difference = Difference::between(current, &draft);
        let unavoidable = unavoidable_change(contents, &draft, now);
        let mut journal = (None, current.journal().clone());
        if let Some(revision) = &unavoidable.revision {
            let (change, next) =
                last_served.next_journal(&journal.1, Some(current), &draft, revision)?;
            journal = (Some(change), next);
        }
        let (journal_change, journal) = journal;
        let change = Change {
            base_edition: unavoidable.base_edition,
            added_apps: unavoidable.added_apps,
            removed_apps: unavoidable.removed_apps,
            served: unavoidable.revision.is_some().then(|| {
                let kept = is_kept(current, contents.served_by.as_ref());
                draft.served_change(rules(), kept.then_some(current))
            }),
            revision: unavoidable.revision,
            journal: journal_change,
            ..written
        };
        let next = Some(NextCatalog { draft, difference, left_out, journal });
        Ok(Self { change, next, sources, resolved })
    }

    /// Computes the catalog and the change for a store that another version of the program wrote.
    pub(crate) fn for_upgrade(
        contents: &Contents,
        last_served: &LastServed,
        mut journal: Journal,
    ) -> Result<Upgrade, PublishError> {
        let draft = assemble_all(contents)?;
        let mut change = unavoidable_change(contents, &draft, Timestamp::now());
        let is_published = contents.revision.is_some() || change.revision.is_some();
        change.served = is_published.then(|| draft.served_change(rules(), None));
        if let Some(revision) = &change.revision {
            let (written, next) = last_served.next_journal(&journal, None, &draft, revision)?;
            (change.journal, journal) = (Some(written), next);
        }
        Ok(Upgrade { draft, change, journal })
    }
}

/// The tables of the store after a change.
struct PlannedRows<'a> {
    records: Vec<StoredRecord>,
    documents: Vec<StitchedDocument<'a>>,
    /// Whether the records or the stitched documents differ from those before the change.
    changed: bool,
    written: Change,
}

impl<'a> PlannedRows<'a> {
    /// The rows after a change to the manual records. Replacing all records also removes the
    /// documents of the sample.
    fn of_records(contents: &'a Contents, change: &RecordsChange) -> Result<Self, PublishError> {
        let records = RecordRows::work_out(contents, change)?;
        let documents = match change {
            RecordsChange::Replace { .. } => DocumentRows::without_sample(contents),
            _ => DocumentRows::unchanged(contents),
        };
        Ok(Self {
            changed: records.changed || documents.changed,
            records: records.after,
            documents: documents.after,
            written: Change {
                put_records: records.put,
                removed_records: records.removed,
                removed_documents: documents.removed,
                ..Change::default()
            },
        })
    }

    /// The rows after a change to the documents of the upstreams. Real files also remove the
    /// records of the sample, which would otherwise hide them.
    fn of_sources(
        contents: &'a Contents,
        uploads: &'a [SourceUpload],
        staying: &[StayingOrigin],
        allow_shrink: bool,
        now: Timestamp,
    ) -> Result<Self, PublishError> {
        let documents = DocumentRows::work_out(contents, uploads, staying, allow_shrink)?;
        let fetched = FetchedRows::work_out(contents, uploads, staying, &documents.removed);
        let put_source_states =
            received_sources(contents, uploads, staying, &documents, whole_second(now));
        let real = uploads.iter().any(SourceUpload::is_real_file);
        let (sample, records): (Vec<StoredRecord>, Vec<StoredRecord>) =
            contents.records.iter().cloned().partition(|record| real && record.is_sample);
        Ok(Self {
            changed: documents.changed || !sample.is_empty(),
            records,
            documents: documents.after,
            written: Change {
                put_documents: documents.put,
                removed_documents: documents.removed,
                removed_records: sample.into_iter().map(|record| record.slug).collect(),
                put_fetched: fetched.put,
                removed_fetched: fetched.removed,
                put_source_states,
                ..Change::default()
            },
        })
    }
}

/// The time of a new revision. Times only grow, because mirrors reject an older catalog: another server's clock
/// may have been fast.
fn later(contents: &Contents, now: Timestamp) -> Timestamp {
    let last = contents.revision.as_ref().map(|revision| revision.changed_at);
    let second = SignedDuration::from_secs(1);
    last.filter(|last| now < *last).map_or(now, |last| last.checked_add(second).unwrap_or(last))
}

/// The rows that follow from the served catalog: insertion numbers, and a revision if it changed.
fn unavoidable_change(contents: &Contents, draft: &Draft, now: Timestamp) -> Change {
    let served = contents.revision.as_ref().map(|revision| revision.content_hash.as_str());
    // A store without a revision stays unpublished while it has no apps.
    let nothing_yet = served.is_none() && draft.counts.total_apps == 0;
    let changed = served != Some(draft.content_hash.as_str()) && !nothing_yet;
    let slugs: BTreeSet<&str> = draft.slugs().collect();
    let known = |slug: &&&str| contents.insertions.contains_key(**slug);
    let mut removed_apps: Vec<String> =
        contents.insertions.keys().filter(|slug| !slugs.contains(slug.as_str())).cloned().collect();
    removed_apps.sort();
    Change {
        base_edition: contents.edition.clone(),
        added_apps: slugs
            .iter()
            .filter(|slug| !known(slug))
            .map(|slug| (*slug).to_owned())
            .collect(),
        removed_apps,
        revision: changed.then(|| draft.new_revision(later(contents, now))),
        ..Change::default()
    }
}
