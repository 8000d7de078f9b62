//! The titles of the patch source in a revision that is not published yet.

use std::collections::HashMap;

use appstitch_patch_source::{Reason, TitleHistory};
use appstitch_store::StoredPatchTitle;
use appstitch_types::SeenVersion;
use jiff::Timestamp;

use crate::{build::Draft, journal::Journal, patch_titles::PatchTitles};

impl Draft {
    /// Every app by its slug, and why it is no title of the patch source, if it is none.
    pub fn patch_outcomes(&self) -> HashMap<&str, Option<Reason>> {
        let PatchTitles { apps, chosen, .. } = &self.patch;
        let slug = |app: u32| apps[app as usize].slug.as_str();
        let titles = chosen.titles.iter().map(|title| (slug(title.app), None));
        let omitted = chosen.omitted.iter();
        titles.chain(omitted.map(|omission| (slug(omission.app), Some(omission.reason)))).collect()
    }

    /// The histories of the titles that a revision changes. `journal` is the one after the revision,
    /// still with the histories before it.
    pub fn patch_titles(
        &self,
        journal: &Journal,
        now: Timestamp,
    ) -> Result<Vec<StoredPatchTitle>, serde_json::Error> {
        let mut changed = Vec::new();
        let held = self.patch.held(journal);
        let patch = held.as_ref().unwrap_or(&self.patch);
        for title in &patch.chosen.titles {
            let app = &patch.apps[title.app as usize];
            let own = journal.patch_title(&app.slug);
            let (mut earlier, mut inherited) = (Vec::new(), None);
            if own.is_none() {
                earlier = seen_before(journal, &app.slug);
                inherited = inherited_history(journal, &app.slug);
            }
            let known = own.or(inherited.as_ref());
            let Some(history) = TitleHistory::after(known, app, *title, &earlier, now) else {
                continue;
            };
            let body = serde_json::to_string(&history)?;
            changed.push(StoredPatchTitle { slug: app.slug.clone(), body });
        }
        Ok(changed)
    }
}

/// What an app with a new slug takes over from its former one. It is a new title, even if everything else
/// stays, so it has the state of none.
fn inherited_history(journal: &Journal, slug: &str) -> Option<TitleHistory> {
    let former = journal.patch_title(journal.former_slug(slug)?)?;
    Some(TitleHistory { state: String::new(), ..former.clone() })
}

/// The versions that the journal knows of an app, oldest first.
fn seen_before(journal: &Journal, slug: &str) -> Vec<SeenVersion> {
    let versions = journal.history(slug).versions.into_iter().rev();
    let seen = versions.filter_map(|known| {
        let at = known.first_seen.or(known.until)?;
        Some(SeenVersion { version: known.version, at })
    });
    seen.collect()
}

#[cfg(test)]
mod tests {
    use appstitch_store::{JournalHead, StoredJournal};
    use serde_json::{Value, json};

    use super::*;
    use crate::Previous;

    fn draft(slug: &str, former: &[&str]) -> Draft {
        let app: Value = json!({"slug": slug, "name": "Sample", "vendor": "Acme",
            "bundle_id": "com.example.sample", "current_version": "1.0", "sources": ["cask_catalog"]});
        let cask = json!({"token": slug, "entry_json": {"version": "1.0", "old_tokens": former}});
        Draft::of_records([json!({"app": app, "sources": {"cask_catalog": cask}})])
    }

    #[test]
    fn a_title_with_a_new_slug_and_the_same_id_is_written_with_its_past() {
        let time = |seconds| Timestamp::from_second(seconds).unwrap();
        let head = JournalHead { epoch: "0123abcd".to_owned(), ..JournalHead::default() };
        let empty = Journal::read(StoredJournal { head, ..StoredJournal::default() }).unwrap();
        let before = draft("sample@beta", &[]);
        let revision = before.new_revision(time(1_700_000_000));
        let change =
            empty.next(before.compared_with(&Previous::Nothing).unwrap(), &revision).unwrap();
        let journal = empty.with(&change, &revision).unwrap();
        let titles = before.patch_titles(&journal, revision.changed_at).unwrap();
        let journal = journal.with_patch_titles(&titles);
        let served = before.into_snapshot(Some((&revision).into())).unwrap();

        let after = draft("sample-at-beta", &["sample@beta"]);
        let revision = after.new_revision(time(1_700_003_600));
        let comparison = after.compared_with(&Previous::Served(&served)).unwrap();
        let change = journal.next(comparison, &revision).unwrap();
        let journal = journal.with(&change, &revision).unwrap();
        assert_eq!(journal.former_slug("sample-at-beta"), Some("sample@beta"));
        let titles = after.patch_titles(&journal, revision.changed_at).unwrap();
        assert_eq!(titles.len(), 1);
        assert_eq!(titles[0].slug, "sample-at-beta");
        let journal = journal.with_patch_titles(&titles);
        let history = journal.patch_title("sample-at-beta").unwrap();
        assert_eq!(history.modified, revision.changed_at);
        assert_eq!(history.versions, journal.patch_title("sample@beta").unwrap().versions);
        assert!(
            after.patch_titles(&journal, time(1_700_007_200)).unwrap().is_empty(),
            "written once"
        );
    }
}
