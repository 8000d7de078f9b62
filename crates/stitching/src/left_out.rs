//! What stitching left out because of the bounds.

use appstitch_text::words::counted;
use appstitch_types::Source;

use crate::bounds::{APPS_PER_ENTRY, CODES_PER_APP, RECIPES_PER_APP};

/// The matches that were left out because an app, an entry or the catalog would carry too much.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LeftOut {
    pub casks: usize,
    pub titles: usize,
    pub listings: usize,
    pub recipes: usize,
    pub patch_titles: usize,
}

impl LeftOut {
    /// What was left out of each source, by its token, with the reason.
    pub fn reasons(&self) -> impl Iterator<Item = (&'static str, String)> {
        let shared = |count: usize, what: &str| {
            format!(
                "{what} of {} was left out: it would be attached to more than \
                 {APPS_PER_ENTRY} apps, or take too much memory",
                counted(count, "app")
            )
        };
        let codes = format!(
            "{} of the patch catalog left out: at most {CODES_PER_APP} lead to one app",
            counted(self.patch_titles, "title")
        );
        [
            (Source::CaskCatalog.token(), self.casks, shared(self.casks, "the cask")),
            (
                Source::RecipeIndex.token(),
                self.recipes,
                format!(
                    "recipes of {} were left out: an app has at most {RECIPES_PER_APP}, and \
                     a recipe is attached to at most {APPS_PER_ENTRY} apps",
                    counted(self.recipes, "app")
                ),
            ),
            (Source::StoreListing.token(), self.listings, shared(self.listings, "the listing")),
            (Source::MdmInstaller.token(), self.titles, shared(self.titles, "the title")),
            ("patch_titles", self.patch_titles, codes),
        ]
        .into_iter()
        .filter(|(_, count, _)| *count > 0)
        .map(|(source, _, why)| (source, why))
    }
}
