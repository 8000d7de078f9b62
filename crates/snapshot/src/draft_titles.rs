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
        for title in &self.patch.chosen.titles {
            let app = &self.patch.apps[title.app as usize];
            let own = journal.patch_title(&app.slug);
            let mut earlier = Vec::new();
            let known = own.or_else(|| {
                earlier = seen_before(journal, &app.slug);
                journal.patch_title(journal.former_slug(&app.slug)?)
            });
            let Some(mut history) = TitleHistory::after(known, app, *title, &earlier, now) else {
                continue;
            };
            if own.is_none() {
                history.modified = now;
            }
            let body = serde_json::to_string(&history)?;
            changed.push(StoredPatchTitle { slug: app.slug.clone(), body });
        }
        Ok(changed)
    }
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
