//! The rows that both engines read alike: each statement, and how its columns are read.

use crate::{
    columns::Columns,
    contents::{Document, FetchedFrom, Revision, ServedApp, ServedBy, StoredRecord},
    edition::Losses,
    error::StoreError,
    hook::{HookProgress, JournalPosition, StoredDelivery, StoredHook, StoredSecret},
    journal::{JournalHead, JournalRevision, StoredChange, StoredDriftEvent, StoredPatchTitle},
    label_run::{StoredLabelRun, StoredResponse},
    source_state::{SourceRefresh, SourceState, StoredRefresh},
};

/// What the numbers of changes are called in errors.
const SEQ: &str = "number of a change";

pub(crate) const REVISIONS: &str =
    "SELECT number, token, changed_at, content_hash FROM revision ORDER BY number";

pub(crate) const NEWEST_REVISION: &str =
    "SELECT number, token, changed_at, content_hash FROM revision ORDER BY number DESC LIMIT 1";

pub(crate) fn revision(row: &impl Columns) -> Result<Revision, StoreError> {
    Ok(Revision {
        number: row.count("revision number", 0)?,
        token: row.text(1)?,
        changed_at: row.time(2)?,
        content_hash: row.text(3)?,
    })
}

/// Whether a store has anything that a copy of another store would replace or contradict. The parameter
/// stands for the rules of a copy.
pub(crate) const HAS_OWN_CATALOG: &str = "SELECT EXISTS (SELECT 1 FROM document)
    OR EXISTS (SELECT 1 FROM record)
    OR EXISTS (SELECT 1 FROM served_by WHERE rules <> $1)";

pub(crate) const DOCUMENTS: &str =
    "SELECT source, origin, key, body FROM document ORDER BY source, key, origin";

pub(crate) fn document(row: &impl Columns) -> Result<Document, StoreError> {
    Ok(Document {
        source: row.text(0)?,
        origin: row.text(1)?,
        key: row.text(2)?,
        body: row.bytes(3)?,
    })
}

pub(crate) const RECORDS: &str = "SELECT slug, body, is_sample FROM record ORDER BY slug";

pub(crate) fn record(row: &impl Columns) -> Result<StoredRecord, StoreError> {
    Ok(StoredRecord { slug: row.text(0)?, body: row.text(1)?, is_sample: row.flag(2)? })
}

pub(crate) const INSERTIONS: &str = "SELECT slug, number FROM app";

pub(crate) fn insertion(row: &impl Columns) -> Result<(String, u64), StoreError> {
    Ok((row.text(0)?, row.count("insertion number", 1)?))
}

pub(crate) const FETCHED: &str =
    "SELECT source, address, etag, last_modified, reader FROM fetched ORDER BY source, address";

pub(crate) fn fetched(row: &impl Columns) -> Result<FetchedFrom, StoreError> {
    Ok(FetchedFrom {
        source: row.text(0)?,
        address: row.text(1)?,
        etag: row.optional_text(2)?,
        last_modified: row.optional_text(3)?,
        reader: row.text(4)?,
    })
}

pub(crate) const SOURCE_STATES: &str =
    "SELECT source, received_at, changed_at, rejected FROM source_state ORDER BY source";

pub(crate) fn source_state(row: &impl Columns) -> Result<SourceState, StoreError> {
    Ok(SourceState {
        source: row.text(0)?,
        received_at: row.time(1)?,
        changed_at: row.optional_time(2)?,
        rejected: row.optional_count("count", 3)?,
    })
}

pub(crate) fn document_count(row: &impl Columns) -> Result<(String, u64), StoreError> {
    Ok((row.text(0)?, row.count("count", 1)?))
}

pub(crate) const SERVED_BY: &str = "SELECT rules, content_hash FROM served_by";

pub(crate) fn served_by(row: &impl Columns) -> Result<ServedBy, StoreError> {
    Ok(ServedBy { rules: row.text(0)?, content_hash: row.text(1)? })
}

pub(crate) const SERVED: &str =
    "SELECT slug, app, sources, provenance, drift, notes FROM served ORDER BY slug";

pub(crate) fn served(row: &impl Columns) -> Result<ServedApp, StoreError> {
    Ok(ServedApp {
        slug: row.text(0)?,
        app: row.bytes(1)?,
        sources: row.bytes(2)?,
        provenance: row.bytes(3)?,
        drift: row.optional_bytes(4)?,
        notes: row.bytes(5)?,
    })
}

pub(crate) const SERVED_BEFORE: &str = "SELECT slug, app, drift FROM served ORDER BY slug";

pub(crate) fn served_before(row: &impl Columns) -> Result<ServedApp, StoreError> {
    Ok(ServedApp {
        slug: row.text(0)?,
        app: row.bytes(1)?,
        drift: row.optional_bytes(2)?,
        ..ServedApp::default()
    })
}

pub(crate) const JOURNAL_HEAD: &str = "SELECT epoch, newest, floor, floor_at FROM journal";

pub(crate) fn journal_head(row: &impl Columns) -> Result<JournalHead, StoreError> {
    Ok(JournalHead {
        epoch: row.text(0)?,
        newest: row.count(SEQ, 1)?,
        floor: row.count(SEQ, 2)?,
        floor_at: row.optional_time(3)?,
    })
}

pub(crate) fn journal_revision(row: &impl Columns) -> Result<JournalRevision, StoreError> {
    Ok(JournalRevision {
        token: row.text(0)?,
        changed_at: row.time(1)?,
        newest: row.count(SEQ, 2)?,
    })
}

pub(crate) const CHANGES: &str = "SELECT seq, token, changed_at, slug, kind, vendor, fields
     FROM change JOIN revision ON number = revision ORDER BY seq";

pub(crate) fn change(row: &impl Columns) -> Result<StoredChange, StoreError> {
    Ok(StoredChange {
        seq: row.count(SEQ, 0)?,
        revision: row.text(1)?,
        at: row.time(2)?,
        slug: row.text(3)?,
        kind: row.text(4)?,
        vendor: row.optional_text(5)?,
        fields: row.text(6)?,
    })
}

pub(crate) const DRIFT_EVENTS: &str = "SELECT seq, token, changed_at, body
     FROM drift_event JOIN revision ON number = revision ORDER BY seq";

pub(crate) fn drift_event(row: &impl Columns) -> Result<StoredDriftEvent, StoreError> {
    Ok(StoredDriftEvent {
        seq: row.count(SEQ, 0)?,
        revision: row.text(1)?,
        at: row.time(2)?,
        body: row.text(3)?,
    })
}

pub(crate) const PATCH_TITLES: &str = "SELECT slug, body FROM patch_title ORDER BY slug";

pub(crate) fn patch_title(row: &impl Columns) -> Result<StoredPatchTitle, StoreError> {
    Ok(StoredPatchTitle { slug: row.text(0)?, body: row.text(1)? })
}

pub(crate) const LABEL_RUNS: &str =
    "SELECT file, fragment, run_at, outcome, why FROM label_run ORDER BY file";

pub(crate) fn label_run(row: &impl Columns) -> Result<StoredLabelRun, StoreError> {
    Ok(StoredLabelRun {
        file: row.text(0)?,
        fragment: row.text(1)?,
        run_at: row.moment(2)?,
        outcome: row.text(3)?,
        why: row.optional_text(4)?,
    })
}

pub(crate) fn response(row: &impl Columns) -> Result<StoredResponse, StoreError> {
    Ok(StoredResponse {
        key: row.text(0)?,
        address: row.text(1)?,
        etag: row.optional_text(2)?,
        last_modified: row.optional_text(3)?,
        status: row.status(4)?.unwrap_or_default(),
        fetched_at: row.moment(5)?,
        headers: row.text(6)?,
        body: row.bytes(7)?,
    })
}

pub(crate) const HOOKS: &str =
    "SELECT id, url, secret, previous_secret, previous_until, filter, format, created_at,
         generation, cursor_epoch, cursor_seq, pending_epoch, pending_seq, replay_at, attempts,
         failing_since, next_attempt, disabled
     FROM hook ORDER BY id";

pub(crate) fn hook(row: &impl Columns) -> Result<StoredHook, StoreError> {
    let pending = row.optional_text(11)?.zip(row.optional_count("number", 12)?);
    let attempts = row.count("count", 14)?;
    Ok(StoredHook {
        id: row.text(0)?,
        url: row.text(1)?,
        secret: StoredSecret(row.text(2)?),
        previous_secret: row.optional_text(3)?.map(StoredSecret).zip(row.optional_moment(4)?),
        filter: row.text(5)?,
        format: row.text(6)?,
        created_at: row.moment(7)?,
        generation: row.count("generation", 8)?,
        progress: HookProgress {
            cursor: JournalPosition { epoch: row.text(9)?, seq: row.count("number", 10)? },
            pending: pending.map(|(epoch, seq)| JournalPosition { epoch, seq }),
            replay_at: row.optional_moment(13)?,
            attempts: u32::try_from(attempts).unwrap_or(u32::MAX),
            failing_since: row.optional_moment(15)?,
            next_attempt: row.optional_moment(16)?,
            disabled: row.optional_text(17)?,
        },
    })
}

pub(crate) fn hook_cursor(row: &impl Columns) -> Result<(u64, JournalPosition), StoreError> {
    let cursor = JournalPosition { epoch: row.text(1)?, seq: row.count("number", 2)? };
    Ok((row.count("generation", 0)?, cursor))
}

pub(crate) fn delivery(row: &impl Columns) -> Result<StoredDelivery, StoreError> {
    Ok(StoredDelivery {
        at: row.moment(0)?,
        message: row.text(1)?,
        kind: row.text(2)?,
        changes: row.count("count", 3)?,
        status: row.status(4)?,
        elapsed_ms: row.count("duration", 5)?,
        error: row.optional_text(6)?,
    })
}

pub(crate) const LOSSES: &str = "SELECT count(*), max(found_at) FROM lost_edition";

pub(crate) fn losses(row: &impl Columns) -> Result<Losses, StoreError> {
    Ok(Losses { count: row.count("count", 0)?, last_at: row.optional_moment(1)? })
}

pub(crate) const LAST_REFRESH: &str = "SELECT ended_at, result, why FROM refresh_state";

pub(crate) fn refresh(row: &impl Columns) -> Result<StoredRefresh, StoreError> {
    Ok(StoredRefresh { ended_at: row.moment(0)?, result: row.text(1)?, why: row.optional_text(2)? })
}

pub(crate) const SOURCE_REFRESHES: &str =
    "SELECT source, tried_at, succeeded_at, next_at, failures, why, entries, rejected, rejects
     FROM source_refresh ORDER BY source";

pub(crate) fn source_refresh(row: &impl Columns) -> Result<SourceRefresh, StoreError> {
    Ok(SourceRefresh {
        source: row.text(0)?,
        tried_at: row.moment(1)?,
        succeeded_at: row.optional_moment(2)?,
        next_at: row.moment(3)?,
        failures: row.count("count", 4)?,
        why: row.optional_text(5)?,
        entries: row.optional_count("count", 6)?,
        rejected: row.optional_count("count", 7)?,
        rejects: row.text(8)?,
    })
}
