//! The histories of the patch source's titles. They outlive the changes: folding and a new epoch keep
//! them.

use std::{collections::HashMap, sync::Arc};

use appstitch_patch_source::TitleHistory;
use appstitch_store::StoredPatchTitle;

use super::Journal;

pub(super) type PatchTitleHistories = Arc<HashMap<Box<str>, Arc<TitleHistory>>>;

impl Journal {
    /// What was published of an app as a title; `None` if it never was one.
    pub fn patch_title(&self, slug: &str) -> Option<&TitleHistory> {
        self.patch_titles.get(slug).map(|history| &**history)
    }

    /// The same journal with these histories, instead of older ones of the same apps. One that cannot be
    /// read is left out: only its app loses its past.
    #[must_use]
    pub fn with_patch_titles(mut self, stored: &[StoredPatchTitle]) -> Self {
        if stored.is_empty() {
            return self;
        }
        let titles = Arc::make_mut(&mut self.patch_titles);
        for title in stored {
            match serde_json::from_str(&title.body) {
                Ok(history) => {
                    titles.insert(title.slug.as_str().into(), Arc::new(history));
                }
                Err(error) => {
                    tracing::error!(slug = title.slug, %error, "a patch title in the store is damaged");
                }
            }
        }
        self
    }

    /// The slug that an app gave up for this one.
    pub(crate) fn former_slug(&self, slug: &str) -> Option<&str> {
        self.of_app(slug).rev().find(|row| row.slug() == slug)?.former_slug()
    }

    pub(super) fn patch_titles_size(&self) -> usize {
        // A version with its texts and times.
        const VERSION: usize = 96;
        let titles = self.patch_titles.iter();
        titles
            .map(|(slug, history)| {
                slug.len() + size_of::<TitleHistory>() + history.versions.len() * VERSION
            })
            .sum()
    }
}
