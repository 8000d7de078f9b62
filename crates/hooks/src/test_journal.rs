//! Journals for tests.

use appstitch_snapshot::Journal;
use appstitch_store::{JournalHead, StoredChange, StoredJournal};
use jiff::Timestamp;

/// A journal with changes up to a number: `app1`, `app2` and so on, each with its own revision.
pub(crate) fn journal(epoch: &str, floor: u64, newest: u64) -> Journal {
    let changes = (1..=newest).map(|seq| {
        change(seq, &format!("app{seq}"), "changed", r#"{"name":{"from":"A","to":"B"}}"#)
    });
    of_changes(epoch, floor, newest, changes.collect())
}

/// A journal with one change of Firefox.
pub(crate) fn firefox(kind: &str, fields: &str) -> Journal {
    of_changes("e1", 0, 1, vec![change(1, "firefox", kind, fields)])
}

fn change(seq: u64, slug: &str, kind: &str, fields: &str) -> StoredChange {
    StoredChange {
        seq,
        revision: format!("r{seq}"),
        at: Timestamp::UNIX_EPOCH,
        slug: slug.to_owned(),
        kind: kind.to_owned(),
        vendor: Some("Mozilla".to_owned()),
        fields: fields.to_owned(),
    }
}

fn of_changes(epoch: &str, floor: u64, newest: u64, changes: Vec<StoredChange>) -> Journal {
    let head = JournalHead { epoch: epoch.to_owned(), newest, floor, floor_at: None };
    Journal::read(StoredJournal { head, changes, ..StoredJournal::default() }).unwrap()
}
