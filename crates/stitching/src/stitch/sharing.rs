//! Bounds how often an entry is attached to apps.
//!
//! Each app carries a copy of an entry, so entries of one name times apps of one name is
//! what the catalog would grow by. The first copy is always attached. Further copies are limited
//! per entry, and together to about as many bytes as the entries themselves have.

use appstitch_types::{RecipeEntry, StoreListingSource};

use crate::{
    bounds::{APPS_PER_ENTRY, COPIED_BYTES},
    documents::{Documents, TitleDocument},
    left_out::LeftOut,
};

/// How often each entry is attached, and the bytes that are left for copies.
pub(super) struct Sharing {
    left_bytes: usize,
    casks: Uses,
    titles: Uses,
    listings: Uses,
    recipes: Uses,
    pub(super) left_out: LeftOut,
}

/// The number of apps that each entry of a source is attached to.
struct Uses(Vec<u8>);

impl Sharing {
    pub(super) fn new(documents: &Documents) -> Self {
        let labels = documents.labels.iter().map(|label| label.source.raw.as_json().len());
        let casks = documents.casks.iter().map(|cask| cask.entry_json.as_json().len());
        let recipes = documents.recipes.iter().map(|recipe| recipe_bytes(&recipe.entry));
        let listings = documents.listings.iter().map(listing_bytes);
        let titles = documents.titles.iter().map(title_bytes);
        let all = labels.chain(casks).chain(recipes).chain(listings).chain(titles);
        Self {
            left_bytes: all.sum::<usize>() + COPIED_BYTES,
            casks: Uses(vec![0; documents.casks.len()]),
            titles: Uses(vec![0; documents.titles.len()]),
            listings: Uses(vec![0; documents.listings.len()]),
            recipes: Uses(vec![0; documents.recipes.len()]),
            left_out: LeftOut::default(),
        }
    }

    pub(super) fn admits_cask(&mut self, position: usize, documents: &Documents) -> bool {
        let bytes = documents.casks[position].entry_json.as_json().len();
        let admits = self.casks.admit(position, bytes, &mut self.left_bytes);
        self.left_out.casks += usize::from(!admits);
        admits
    }

    pub(super) fn admits_title(&mut self, position: usize, title: &TitleDocument) -> bool {
        let admits = self.titles.admit(position, title_bytes(title), &mut self.left_bytes);
        self.left_out.titles += usize::from(!admits);
        admits
    }

    pub(super) fn admits_listing(&mut self, position: usize, listing: &StoreListingSource) -> bool {
        let admits = self.listings.admit(position, listing_bytes(listing), &mut self.left_bytes);
        self.left_out.listings += usize::from(!admits);
        admits
    }

    /// The caller counts the recipes that are not admitted.
    pub(super) fn admits_recipe(&mut self, position: usize, entry: &RecipeEntry) -> bool {
        self.recipes.admit(position, recipe_bytes(entry), &mut self.left_bytes)
    }
}

impl Uses {
    fn admit(&mut self, position: usize, bytes: usize, left_bytes: &mut usize) -> bool {
        let Some(uses) = self.0.get_mut(position) else { return false };
        let is_copy = *uses > 0;
        if usize::from(*uses) >= APPS_PER_ENTRY || (is_copy && bytes > *left_bytes) {
            return false;
        }
        if is_copy {
            *left_bytes -= bytes;
        }
        *uses += 1;
        true
    }
}

/// The bytes of an entry in the catalog. The identifier is also in the provenance.
fn recipe_bytes(entry: &RecipeEntry) -> usize {
    let optional = [&entry.name, &entry.shortname, &entry.parent_identifier, &entry.inferred_type];
    let optional = optional.into_iter().flatten().map(String::len).sum::<usize>();
    2 * entry.identifier.len() + 2 * (entry.repo.len() + entry.path.len()) + optional
}

fn listing_bytes(listing: &StoreListingSource) -> usize {
    listing.bundle_id.len() + listing.raw.as_json().len()
}

fn title_bytes(title: &TitleDocument) -> usize {
    let source = &title.source;
    let optional = [
        &source.host, &source.bundle_id, &source.version, &source.mgmt_id, &source.download_url,
        &source.architecture,
    ];
    let optional = optional.into_iter().flatten().map(String::len).sum::<usize>();
    source.title.len() + source.source.len() + optional
}
