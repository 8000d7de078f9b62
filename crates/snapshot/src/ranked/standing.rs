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

/// How many recipes, labels and titles carry an app.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Carriers {
    recipes: usize,
    labels: usize,
    titles: usize,
}

impl Carriers {
    /// `codes` is the number of titles of the patch catalog.
    pub(super) fn of(app: &App, recipes: usize, codes: usize) -> Self {
        let labels = usize::from(has(app, Source::LabelTool));
        Self { recipes, labels, titles: usize::from(has(app, Source::MdmInstaller)) + codes }
    }

    /// Adds those of a variant. Variants mostly have the same recipes.
    pub(super) fn join(&mut self, variant: Self) {
        self.recipes = self.recipes.max(variant.recipes);
        self.labels += variant.labels;
        self.titles += variant.titles;
    }

    /// One recipe more or less says nothing, so each level takes twice as many.
    fn level(self) -> u32 {
        let all = self.recipes + self.labels + self.titles;
        (all + 1).ilog2().min(u32::from(MOST_MANAGED))
    }
}

fn has(app: &App, source: Source) -> bool {
    app.sources.iter().any(|other| other == source)
}

impl Standing {
    pub(super) fn of(app: &App, carriers: Carriers, is_main: bool) -> Self {
        let level = carriers.level();
        let missing = [Source::LabelTool, Source::CaskCatalog].map(|source| !has(app, source));
        let missing = missing.map(u32::from).iter().sum::<u32>();
        let longest = (1 << INSTALLERS) - 1;
        let length = u32::try_from(app.name.chars().count()).unwrap_or(longest).min(longest);
        let standing = Self((7 - level) << LEVEL | missing << INSTALLERS | length);
        if is_main { standing } else { standing.behind() }
    }

    /// The same behind all main variants.
    pub(super) fn behind(self) -> Self {
        Self(self.0 | OTHER)
    }

    /// The same, carried by these.
    pub(super) fn carried_by(self, carriers: Carriers) -> Self {
        Self(self.0 & !(7 << LEVEL) | (7 - carriers.level()) << LEVEL)
    }

    pub(super) fn is_main(self) -> bool {
        self.0 & OTHER == 0
    }

    /// How much the app is managed: by how many recipes, labels and titles. Of a product, only the main
    /// variant counts, for all of them.
    pub(super) fn managed(self) -> u8 {
        let level = 7 - (self.0 >> LEVEL & 7);
        if self.is_main() { u8::try_from(level).unwrap_or_default() } else { 0 }
    }

    /// Below 2²⁰.
    pub(super) fn number(self) -> u32 {
        self.0
    }
}
