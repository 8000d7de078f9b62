//! The versions that an app had.

use appstitch_catalog::{AppHistory, AppVersion, ChangeKind};
use serde_json::Value;

use super::{ChangeRow, Journal};
use crate::{ReadError, Snapshot};

/// The most versions that are listed.
const MOST_VERSIONS: usize = 1_000;

impl Snapshot {
    /// The versions that an app had, newest first. An app that left the catalog is known as long as the
    /// journal knows it.
    pub fn history(&self, slug: &str) -> Result<AppHistory, ReadError> {
        let current = match self.find(slug) {
            Ok(position) => Some(self.read_app(position).map_err(|_| ReadError::Internal)?),
            Err(error) if self.journal().of_app(slug).all(|row| row.slug() != slug) => {
                return Err(error);
            }
            Err(_) => None,
        };
        let mut history = self.journal().history(slug);
        // The journal of an app that did not change since it began is empty.
        if history.versions.is_empty()
            && let Some(version) = current.and_then(|app| app.current_version)
        {
            history.versions.push(AppVersion { version, first_seen: None, until: None });
        }
        Ok(history)
    }
}

impl Journal {
    /// Every change of an app and of the slugs that it had before, newest first.
    #[must_use]
    pub fn of_app_renamed<'a>(&'a self, slug: &str) -> Vec<ChangeRow<'a>> {
        let mut found = Vec::new();
        let mut slugs = vec![slug];
        let mut before = u64::MAX;
        while let Some(slug) = slugs.pop() {
            for row in self.of_app(slug).rev() {
                // What happened to this slug after the app gave it up belongs to another app.
                if row.seq() >= before || found.len() >= MOST_VERSIONS * 4 {
                    continue;
                }
                if row.slug() != slug {
                    // An app gave up this slug here. If another one took it later, that one is told.
                    if found.is_empty() {
                        continue;
                    }
                    break;
                }
                found.push(row);
                if let Some(former) = row.former_slug() {
                    before = row.seq();
                    slugs.push(former);
                    break;
                }
            }
        }
        found
    }

    fn history(&self, slug: &str) -> AppHistory {
        let mut versions: Vec<AppVersion> = Vec::new();
        // Oldest first, as it happened.
        for row in self.of_app_renamed(slug).into_iter().rev() {
            let Some(change) = row.fields().remove("current_version") else { continue };
            let at = row.at();
            if let Value::String(from) = change.from {
                match versions.last_mut().filter(|last| last.until.is_none()) {
                    Some(last) if last.version == from => last.until = Some(at),
                    // Nobody saw when it appeared.
                    _ => {
                        let until = Some(at);
                        versions.push(AppVersion { version: from, first_seen: None, until });
                    }
                }
            }
            if let (Value::String(version), true) = (change.to, row.kind() != ChangeKind::Removed) {
                versions.push(AppVersion { version, first_seen: Some(at), until: None });
            }
        }
        versions.reverse();
        versions.truncate(MOST_VERSIONS);
        AppHistory { slug: slug.to_owned(), versions }
    }
}
