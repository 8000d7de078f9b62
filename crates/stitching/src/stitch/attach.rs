//! Entries that are attached to apps and never create one: titles, store listings, recipes.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap, HashMap},
};

use appstitch_text::{fold_case, normal_name::normal};
use appstitch_types::{RecipeEntry, StoreListingSource};

use super::{
    evidence::{Evidence, Signal},
    keyed::Keyed,
    names::Names,
    owners::OthersNames,
    product_scope::{ProductScope, is_for_another_system},
    sharing::Sharing,
};
use crate::{
    bounds::RECIPES_PER_APP,
    documents::{RecipeDocument, TitleDocument},
};

pub(super) struct Attachment<'a, T> {
    pub(super) position: usize,
    pub(super) entry: &'a T,
    pub(super) evidence: Evidence,
}

pub(super) struct Titles<'a> {
    all: &'a [TitleDocument],
    /// The normal name and the bundle identifier with its case folded, of each title.
    compared: Vec<(String, Option<String>)>,
    by_bundle_id: HashMap<String, Keyed>,
    by_name: HashMap<String, Keyed>,
}

impl<'a> Titles<'a> {
    pub(super) fn new(titles: &'a [TitleDocument]) -> Self {
        let mut by_bundle_id: HashMap<String, Keyed> = HashMap::new();
        let mut by_name: HashMap<String, Keyed> = HashMap::new();
        let compared: Vec<(String, Option<String>)> = titles
            .iter()
            .map(|title| {
                (normal(&title.source.title), title.source.bundle_id.as_deref().map(fold_case))
            })
            .collect();
        for (position, (name, id)) in compared.iter().enumerate() {
            if let Some(id) = id {
                by_bundle_id.entry(id.clone()).or_default().add(position);
            }
            by_name.entry(name.clone()).or_default().add(position);
        }
        Self { all: titles, compared, by_bundle_id, by_name }
    }

    /// The title with the best evidence. If several titles share a bundle identifier (for example,
    /// one for each year), the name must also match.
    pub(super) fn find(
        &self,
        bundle_id: Option<&str>,
        names: &Names,
    ) -> Option<Attachment<'a, TitleDocument>> {
        let bundle_id = bundle_id.map(fold_case);
        let by_id = bundle_id.as_ref().and_then(|id| self.by_bundle_id.get(id));
        let by_name = names.iter().filter_map(|name| self.by_name.get(name));
        let candidates: BTreeSet<usize> =
            by_id.into_iter().chain(by_name).flat_map(Keyed::positions).copied().collect();
        let shared = by_id.is_some_and(|titles| titles.count() > 1);
        let weighed = candidates.into_iter().filter_map(|position| {
            let (name, id) = &self.compared[position];
            let same_name = names.contains(name);
            let id_signal = match (&bundle_id, id) {
                (Some(left), Some(right)) if left == right => Some(Signal::BundleId),
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
        Some(Attachment { position, entry: &self.all[position], evidence })
    }
}

/// Store listings by bundle identifier, with its case folded.
pub(super) struct Listings<'a>(HashMap<String, (usize, &'a StoreListingSource)>);

impl<'a> Listings<'a> {
    pub(super) fn new(listings: &'a [StoreListingSource]) -> Self {
        let numbered = listings.iter().enumerate();
        Self(numbered.map(|listing| (fold_case(&listing.1.bundle_id), listing)).collect())
    }

    pub(super) fn find(
        &self,
        bundle_id: Option<&str>,
    ) -> Option<Attachment<'a, StoreListingSource>> {
        let (position, entry) = *self.0.get(&fold_case(bundle_id?))?;
        Some(Attachment { position, entry, evidence: Evidence::of([Some(Signal::BundleId)]) })
    }
}

pub(super) struct Recipes<'a> {
    documents: &'a [RecipeDocument],
    by_name: HashMap<String, Vec<usize>>,
    /// The names of all apps.
    all_names: Names,
}

impl<'a> Recipes<'a> {
    pub(super) fn new(documents: &'a [RecipeDocument], all_names: Names) -> Self {
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (position, recipe) in documents.iter().enumerate() {
            if is_for_another_system(&recipe.entry) {
                continue;
            }
            for name in names_of(recipe) {
                by_name.entry(name).or_default().push(position);
            }
        }
        Self { documents, by_name, all_names }
    }

    /// The recipes with one of the app's names, sorted by identifier, as far as they may be
    /// attached.
    pub(super) fn find(
        &self,
        names: &Names,
        scope: &ProductScope,
        others: &OthersNames<'_>,
        sharing: &mut Sharing,
    ) -> AttachedRecipes {
        let named = names.iter().filter_map(|name| self.by_name.get(name));
        // One more than an app may have shows that there are more.
        let found = first_of_all(named.map(Vec::as_slice).collect(), RECIPES_PER_APP + 1);
        let mut is_incomplete = found.len() > RECIPES_PER_APP;
        let mut entries: Vec<RecipeEntry> = Vec::new();
        for position in found.into_iter().take(RECIPES_PER_APP) {
            let recipe = &self.documents[position];
            let RecipeDocument { entry, app_display_name } = recipe;
            let displayed = app_display_name.as_deref();
            let mut common = names_of(recipe).into_iter().filter(|name| names.contains(name));
            let is_others = input_beyond_file(entry)
                .is_some_and(|input| !names.contains(&input) && others.has(&input));
            if is_others || common.all(|name| others.has(&name)) {
                continue;
            }
            if !scope.fits_recipe(entry, displayed, names, &self.all_names) {
                continue;
            }
            if sharing.admits_recipe(position, entry) {
                entries.push(entry.clone());
            } else {
                is_incomplete = true;
            }
        }
        sharing.left_out.recipes += usize::from(is_incomplete);
        entries.sort_by(|left, right| left.identifier.cmp(&right.identifier));
        AttachedRecipes { entries, is_incomplete }
    }
}

/// What a recipe calls its app, for comparison.
fn names_of(recipe: &RecipeDocument) -> BTreeSet<String> {
    let shortname = recipe.entry.shortname.as_deref();
    let stem = shortname.and_then(|shortname| shortname.rsplit_once('.')).map(|(stem, _)| stem);
    let names = [recipe.entry.name.as_deref(), recipe.app_display_name.as_deref(), stem];
    names.into_iter().flatten().map(normal).filter(|name| !name.is_empty()).collect()
}

/// The name of a recipe's input if it says more than that of its file: `MakerSample` in `Sample.munki`.
/// Another one is often copied from the recipe of another app.
fn input_beyond_file(entry: &RecipeEntry) -> Option<String> {
    let (stem, _) = entry.shortname.as_deref()?.rsplit_once('.')?;
    let input = normal(entry.name.as_deref()?);
    let file = normal(stem);
    (!file.is_empty() && input != file && input.contains(&file)).then_some(input)
}

/// The smallest different numbers of sorted lists, at most so many. The work is that of the result,
/// however long the lists are: a recipe has few names, so it is in few lists.
fn first_of_all(mut lists: Vec<&[usize]>, most: usize) -> Vec<usize> {
    let mut heads: BinaryHeap<Reverse<(usize, usize)>> = lists
        .iter()
        .enumerate()
        .filter_map(|(number, list)| Some(Reverse((*list.first()?, number))))
        .collect();
    let mut found = Vec::new();
    while found.len() < most
        && let Some(Reverse((smallest, number))) = heads.pop()
    {
        if found.last() != Some(&smallest) {
            found.push(smallest);
        }
        let Some((_, rest)) = lists[number].split_first() else { continue };
        lists[number] = rest;
        heads.extend(rest.first().map(|head| Reverse((*head, number))));
    }
    found
}

pub(super) struct AttachedRecipes {
    pub(super) entries: Vec<RecipeEntry>,
    /// Whether more recipes have one of its names.
    pub(super) is_incomplete: bool,
}

impl AttachedRecipes {
    pub(super) fn evidence() -> Evidence {
        Evidence::of([Some(Signal::Name)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_can_say_more_than_the_file() {
        let input = |name: &str, shortname: &str| {
            let entry = serde_json::json!({"identifier": "a", "name": name, "path": "x.recipe",
                "repo": "r", "shortname": shortname});
            input_beyond_file(&serde_json::from_value(entry).unwrap())
        };
        assert_eq!(input("Maker Sample", "Sample.munki").as_deref(), Some("makersample"));
        assert_eq!(input("Sample", "Sample.munki"), None);
        assert_eq!(input("Other", "Sample.munki"), None, "it is copied");
        assert_eq!(input("Sample", "SamplePlus.munki"), None);
    }

    #[test]
    fn the_first_of_sorted_lists_are_found_without_reading_the_rest() {
        let first = |lists: &[&[usize]], most| first_of_all(lists.to_vec(), most);
        assert_eq!(first(&[&[1, 4, 9], &[], &[1, 2, 9, 10]], 10), [1, 2, 4, 9, 10]);
        assert_eq!(first(&[&[1, 4, 9], &[1, 2, 9, 10]], 3), [1, 2, 4]);
        assert_eq!(first(&[], 3), [0; 0]);
        assert_eq!(first(&[&[7], &[7], &[7]], 1), [7]);
    }
}
