//! Entries that are attached to apps and never create one: titles, store listings, recipes.

use std::collections::{BTreeSet, HashMap};

use super::{
    evidence::{Evidence, Signal},
    names::Names,
};
use crate::{
    RecipeDocument, RecipeEntry, StoreListingSource, TitleDocument, fold_case, normal_name::normal,
};

/// Installer titles by bundle identifier and name.
pub(super) struct Titles<'a> {
    all: &'a [TitleDocument],
    /// By the bundle identifier with its case folded.
    by_bundle_id: HashMap<String, Vec<usize>>,
    by_name: HashMap<String, Vec<usize>>,
}

impl<'a> Titles<'a> {
    pub(super) fn new(titles: &'a [TitleDocument]) -> Self {
        let mut by_bundle_id: HashMap<String, Vec<usize>> = HashMap::new();
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (position, title) in titles.iter().enumerate() {
            if let Some(id) = &title.source.bundle_id {
                by_bundle_id.entry(fold_case(id)).or_default().push(position);
            }
            by_name.entry(normal(&title.source.title)).or_default().push(position);
        }
        Self { all: titles, by_bundle_id, by_name }
    }

    /// The title with the best evidence. If several titles share a bundle identifier (for example,
    /// one for each year), the name must also match.
    pub(super) fn find(
        &self,
        bundle_id: Option<&str>,
        names: &Names,
    ) -> Option<(&'a TitleDocument, Evidence)> {
        let bundle_id = bundle_id.map(fold_case);
        let by_id = bundle_id.as_ref().and_then(|id| self.by_bundle_id.get(id));
        let by_name = names.iter().filter_map(|name| self.by_name.get(name)).flatten();
        let candidates: BTreeSet<usize> =
            by_id.into_iter().flatten().chain(by_name).copied().collect();
        let shared = by_id.is_some_and(|titles| titles.len() > 1);
        let weighed = candidates.into_iter().filter_map(|position| {
            let title = &self.all[position];
            let same_name = names.contains(&normal(&title.source.title));
            let id_signal = match (&bundle_id, title.source.bundle_id.as_deref().map(fold_case)) {
                (Some(left), Some(right)) if *left == right => Some(Signal::BundleId),
                (Some(_), Some(_)) => Some(Signal::OtherBundleId),
                _ => None,
            };
            if shared && !same_name {
                return None;
            }
            // Titles are named manually and are unique in their catalog: the name counts twice.
            let name = same_name.then_some(Signal::Name);
            let evidence = Evidence::of([id_signal, name, name]);
            evidence.is_enough().then_some((position, evidence))
        });
        let (position, evidence) = weighed
            .max_by_key(|(position, evidence)| (evidence.weight(), std::cmp::Reverse(*position)))?;
        Some((&self.all[position], evidence))
    }
}

/// Store listings by bundle identifier, with its case folded.
pub(super) struct Listings<'a>(HashMap<String, &'a StoreListingSource>);

impl<'a> Listings<'a> {
    pub(super) fn new(listings: &'a [StoreListingSource]) -> Self {
        Self(listings.iter().map(|listing| (fold_case(&listing.bundle_id), listing)).collect())
    }

    pub(super) fn find(
        &self,
        bundle_id: Option<&str>,
    ) -> Option<(&'a StoreListingSource, Evidence)> {
        let listing = self.0.get(&fold_case(bundle_id?))?;
        Some((listing, Evidence::of([Some(Signal::BundleId)])))
    }
}

/// Recipes by name.
pub(super) struct Recipes<'a> {
    recipes: &'a [RecipeDocument],
    by_name: HashMap<String, Vec<usize>>,
}

impl<'a> Recipes<'a> {
    pub(super) fn new(recipes: &'a [RecipeDocument]) -> Self {
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (position, recipe) in recipes.iter().enumerate() {
            if is_for_another_system(&recipe.entry) {
                continue;
            }
            let shortname = recipe.entry.shortname.as_deref();
            let stem =
                shortname.and_then(|shortname| shortname.rsplit_once('.')).map(|(stem, _)| stem);
            let told = [recipe.entry.name.as_deref(), recipe.app_display_name.as_deref(), stem];
            let names: BTreeSet<String> = told.into_iter().flatten().map(normal).collect();
            for name in names.into_iter().filter(|name| !name.is_empty()) {
                by_name.entry(name).or_default().push(position);
            }
        }
        Self { recipes, by_name }
    }

    /// All recipes with one of the app's names, sorted by identifier.
    pub(super) fn find(&self, names: &Names) -> Option<(Vec<RecipeEntry>, Evidence)> {
        let found: BTreeSet<usize> =
            names.iter().filter_map(|name| self.by_name.get(name)).flatten().copied().collect();
        if found.is_empty() {
            return None;
        }
        let mut entries: Vec<RecipeEntry> =
            found.into_iter().map(|position| self.recipes[position].entry.clone()).collect();
        entries.sort_by(|left, right| left.identifier.cmp(&right.identifier));
        Some((entries, Evidence::of([Some(Signal::Name)])))
    }
}

/// Whether a recipe is for Windows. The name of such a recipe is no evidence for a Mac app.
fn is_for_another_system(entry: &RecipeEntry) -> bool {
    let told =
        [Some(entry.path.as_str()), Some(entry.identifier.as_str()), entry.shortname.as_deref()];
    told.into_iter().flatten().any(|text| {
        let words = text.split(|character: char| !character.is_ascii_alphanumeric());
        let mut words = words.map(str::to_ascii_lowercase);
        words.any(|word| {
            matches!(word.as_str(), "win" | "win32" | "win64" | "windows" | "msi" | "msix")
        }) || text.ends_with("Win")
            || text.contains("Windows")
    })
}
