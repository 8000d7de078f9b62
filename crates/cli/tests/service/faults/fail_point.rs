//! Arms a fail point of a process, and reads what the process left in its store.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    pub(crate) name: &'static str,
    /// Whether the change is in the store at this step.
    pub(crate) is_committed: bool,
}

const fn before_commit(name: &'static str) -> Step {
    Step { name, is_committed: false }
}

const fn after_commit(name: &'static str) -> Step {
    Step { name, is_committed: true }
}

/// The steps, in order. Not every change takes all of them.
pub(crate) const POINTS: [Step; 9] = [
    before_commit("parse"),
    before_commit("read"),
    before_commit("stitch"),
    before_commit("begin"),
    before_commit("write"),
    before_commit("commit"),
    after_commit("committed"),
    after_commit("swap"),
    after_commit("swapped"),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failure {
    Error,
    Panic,
    Crash,
}

impl Failure {
    pub(crate) const ALL: [Self; 3] = [Self::Error, Self::Panic, Self::Crash];

    fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Panic => "panic",
            Self::Crash => "crash",
        }
    }
}

/// The file with which the fail points of a process are armed.
pub(crate) struct FailPoints(PathBuf);

impl FailPoints {
    pub(crate) fn in_folder(folder: &Path) -> Self {
        Self(folder.join("fail-point"))
    }

    pub(crate) fn apply(&self, command: &mut Command) {
        command.env("APPSTITCH_FAIL_POINT", &self.0);
        command.env("RUST_BACKTRACE", "0");
    }

    /// Makes the step fail the next time it is taken.
    pub(crate) fn arm(&self, step: Step, failure: Failure) {
        self.arm_named(step.name, failure);
    }

    pub(crate) fn arm_named(&self, step: &str, failure: Failure) {
        // Moved into place, so that no process reads half of it.
        let draft = self.0.with_extension("draft");
        fs::write(&draft, format!("{step}:{}", failure.name())).unwrap();
        fs::rename(&draft, &self.0).unwrap();
    }

    /// Disarms the step. Returns whether it had failed before.
    pub(crate) fn has_failed(&self) -> bool {
        fs::remove_file(&self.0).is_err()
    }
}

/// The served catalog in a store that no server has open: a hash and the rows of each app.
pub(crate) fn served_rows(store: &Path) -> (String, Vec<[Vec<u8>; 6]>) {
    let store = rusqlite::Connection::open(store).unwrap();
    let text = |query: &str| store.query_row(query, [], |row| row.get::<_, String>(0)).unwrap();
    let newest = text("SELECT content_hash FROM revision ORDER BY number DESC LIMIT 1");
    assert_eq!(text("SELECT content_hash FROM served_by"), newest, "the rows of this revision");
    let query = "SELECT CAST(slug AS BLOB), app, sources, provenance, ifnull(drift, x''), notes
                 FROM served ORDER BY slug";
    let mut statement = store.prepare(query).unwrap();
    let rows = statement
        .query_map([], |row| {
            Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?])
        })
        .unwrap();
    (newest, rows.map(Result::unwrap).collect())
}
