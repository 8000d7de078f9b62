//! What stitching left out because of the bounds.

use crate::bounds::{APPS_PER_ENTRY, RECIPES_PER_APP};

/// The matches that were left out because an app, an entry or the catalog would carry too much.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LeftOut {
    /// Labels whose cask was left out.
    pub casks: usize,
    /// Apps whose title was left out.
    pub titles: usize,
    /// Apps whose store listing was left out.
    pub listings: usize,
    /// Apps of which recipes were left out.
    pub recipes: usize,
}

impl LeftOut {
    /// What was left out of each source, by its token, with the reason.
    pub fn told(&self) -> impl Iterator<Item = (&'static str, String)> {
        let shared = |count: usize, what: &str| {
            format!(
                "{what} of {count} apps is left out: it would be attached to more than \
                 {APPS_PER_ENTRY} apps, or take too much memory"
            )
        };
        [
            ("cask_catalog", self.casks, shared(self.casks, "the cask")),
            (
                "recipe_index",
                self.recipes,
                format!(
                    "recipes of {} apps are left out: an app has at most {RECIPES_PER_APP}, and \
                     a recipe is attached to at most {APPS_PER_ENTRY} apps",
                    self.recipes
                ),
            ),
            ("store_listing", self.listings, shared(self.listings, "the listing")),
            ("mdm_installer", self.titles, shared(self.titles, "the title")),
        ]
        .into_iter()
        .filter(|(_, count, _)| *count > 0)
        .map(|(source, _, why)| (source, why))
    }
}
