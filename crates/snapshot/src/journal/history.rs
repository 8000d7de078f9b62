//! The versions that an app had.

use appstitch_types::{AppHistory, AppVersion, ChangeKind};
use serde_json::Value;

use super::{ChangeRow, Journal};

const MOST_VERSIONS: usize = 1_000;

impl Journal {
    /// Every change of an app and of the slugs that it had before, newest first.
    pub(crate) fn of_app_renamed<'a>(&'a self, slug: &str) -> Vec<ChangeRow<'a>> {
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
                    // An app gave up this slug here. If another one took it later, its changes count.
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

    pub(crate) fn history(&self, slug: &str) -> AppHistory {
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
