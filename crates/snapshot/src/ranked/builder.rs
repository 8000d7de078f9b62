//! Builds the index of the ranked search.

use std::collections::HashMap;

use appstitch_stitching::SearchKey;
use appstitch_types::{AliasKind, App, search::SearchField};

use super::{
    index::RankedIndex,
    keys::KeyBuffer,
    numbered::NumberedSlugs,
    standing::{Carriers, Standing},
    successors::TokenOwners,
    values::{Values, is_beyond_record},
};
use crate::entry::Notes;

/// An index being written, app by app in slug order.
pub(crate) struct RankedIndexBuilder {
    index: RankedIndex,
    numbered: NumberedSlugs,
    owners: TokenOwners,
    /// The position of the main record of each product with variants, and what carries all of them.
    products: HashMap<String, (Option<usize>, Carriers)>,
}

impl RankedIndexBuilder {
    pub(crate) fn new() -> Self {
        let (keys, values) = (KeyBuffer::new(), Values::new());
        let index = RankedIndex { keys, values, ..RankedIndex::default() };
        Self {
            index,
            numbered: NumberedSlugs::default(),
            owners: TokenOwners::default(),
            products: HashMap::new(),
        }
    }

    /// Adds the next app.
    pub(crate) fn push(&mut self, app: &App, notes: &Notes) {
        let Notes { aliases, names, variant_of, recipes, patch_codes, .. } = notes;
        let slug = app.slug.as_str();
        let mut keys: Vec<(SearchField, SearchKey)> = Vec::with_capacity(8);
        let mut add = |field: SearchField, text: &str| {
            let key = SearchKey::of(text);
            if key.text.is_empty() {
                return;
            }
            let same = keys.iter_mut().find(|known| known.0.is_name() && known.1.text == key.text);
            if let Some(same) = same.filter(|_| field.is_name()) {
                same.1.merge(&key);
                return;
            }
            if is_beyond_record(field) {
                self.index.values.push(text);
            }
            keys.push((field, key));
        };
        add(SearchField::Name, &app.name);
        add(SearchField::Slug, slug);
        for alias in aliases {
            match alias.kind {
                AliasKind::Token => add(SearchField::Token, &alias.name),
                AliasKind::LabelName => add(SearchField::LabelName, &alias.name),
                AliasKind::FormerToken => add(SearchField::FormerToken, &alias.name),
                AliasKind::Slug
                | AliasKind::BundleId
                | AliasKind::TeamId
                | AliasKind::TitleCode => {}
            }
        }
        for name in names {
            add(SearchField::OtherName, name);
        }
        if let Some(id) = &app.bundle_id {
            add(SearchField::BundleId, id);
        }
        if let Some(id) = &app.expected_team_id {
            add(SearchField::TeamId, id.as_str());
        }
        // The last one, because that is where it is looked for.
        if let Some(vendor) = &app.vendor {
            add(SearchField::Vendor, vendor);
        }
        self.index.values.end_app();
        self.index.keys.push(&keys);
        // The end of a token such as `sample@beta` is a channel or an old version.
        let position = self.index.standings.len();
        self.numbered.push(position, slug);
        let is_main = variant_of.as_ref().is_none_or(|main| main == slug) && !slug.contains('@');
        self.owners.push(position, app, aliases, is_main);
        let carriers = Carriers::of(app, *recipes, patch_codes.len());
        self.index.standings.push(Standing::of(app, carriers, is_main));
        if let Some(main) = variant_of {
            let product = self.products.entry(main.clone()).or_default();
            product.0 = product.0.or((main == slug).then_some(position));
            product.1.join(carriers);
        }
    }

    pub(crate) fn finish(mut self) -> RankedIndex {
        for (main, carriers) in self.products.into_values() {
            if let Some(standing) = main.and_then(|main| self.index.standings.get_mut(main)) {
                *standing = standing.carried_by(carriers);
            }
        }
        self.index.successors = self.owners.successors();
        let predecessors = self.index.successors.keys().map(|position| *position as usize);
        for older in self.numbered.older().chain(predecessors) {
            let standing = &mut self.index.standings[older];
            *standing = standing.behind();
        }
        self.index.keys.shrink();
        self.index.standings.shrink_to_fit();
        self.index.values.shrink();
        self.index
    }
}
