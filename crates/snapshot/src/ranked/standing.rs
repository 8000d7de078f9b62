//! What decides between apps that match equally well.

use appstitch_types::{App, Source};

/// What decides between apps that match equally well, packed so that a lower number is better:
/// whether it is another variant than the main one, how little it is managed, whether it has a
/// label and a cask, the length of its name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Standing(u32);

/// The highest level of [`Standing::managed`].
pub(super) const MOST_MANAGED: u8 = 5;

const OTHER: u32 = 1 << 19;

const LEVEL: u32 = 16;

const INSTALLERS: u32 = 14;

impl Standing {
    pub(super) fn of(app: &App, recipes: usize, is_main: bool) -> Self {
        let has = |source: Source| usize::from(app.sources.iter().any(|other| other == source));
        let has_label = has(Source::LabelTool);
        let carriers = recipes + has_label + has(Source::MdmInstaller);
        // One recipe more or less says nothing, so each level takes twice as many.
        let level = (carriers + 1).ilog2().min(u32::from(MOST_MANAGED));
        let missing = u32::from(has_label == 0) + u32::from(has(Source::CaskCatalog) == 0);
        let longest = (1 << INSTALLERS) - 1;
        let length = u32::try_from(app.name.chars().count()).unwrap_or(longest).min(longest);
        let standing = Self((7 - level) << LEVEL | missing << INSTALLERS | length);
        if is_main { standing } else { standing.behind() }
    }

    /// The same behind all main variants.
    pub(super) fn behind(self) -> Self {
        Self(self.0 | OTHER)
    }

    pub(super) fn is_main(self) -> bool {
        self.0 & OTHER == 0
    }

    /// How much the app is managed: by how many recipes, labels and installer titles. Of a product,
    /// only the main variant counts, because the others have the same recipes.
    pub(super) fn managed(self) -> u8 {
        let level = 7 - (self.0 >> LEVEL & 7);
        if self.is_main() { u8::try_from(level).unwrap_or_default() } else { 0 }
    }

    /// Below 2²⁰.
    pub(super) fn number(self) -> u32 {
        self.0
    }
}
