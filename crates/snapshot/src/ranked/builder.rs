//! Builds the index of the ranked search.

use appstitch_stitching::SearchKey;
use appstitch_types::{Alias, AliasKind, App, search::SearchField};

use super::{
    index::RankedIndex,
    keys::KeyBuffer,
    numbered::NumberedSlugs,
    standing::Standing,
    values::{Values, is_beyond_record},
};

/// An index being written, app by app in slug order.
pub(crate) struct RankedIndexBuilder {
    index: RankedIndex,
    numbered: NumberedSlugs,
}

impl RankedIndexBuilder {
    pub(crate) fn new() -> Self {
        let (keys, values) = (KeyBuffer::new(), Values::new());
        let index = RankedIndex { keys, standings: Vec::new(), values };
        Self { index, numbered: NumberedSlugs::default() }
    }

    /// Adds an app with its other names and the slug of the main record of its product.
    pub(crate) fn push(
        &mut self,
        app: &App,
        aliases: &[Alias],
        names: &[String],
        variant_of: Option<&str>,
    ) {
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
        self.numbered.push(self.index.standings.len(), slug);
        let is_main = variant_of.is_none_or(|main| main == slug) && !slug.contains('@');
        self.index.standings.push(Standing::of(app, is_main));
    }

    pub(crate) fn finish(mut self) -> RankedIndex {
        for older in self.numbered.older() {
            self.index.standings[older].set_other();
        }
        self.index.keys.shrink();
        self.index.standings.shrink_to_fit();
        self.index.values.shrink();
        self.index
    }
}
