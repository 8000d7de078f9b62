//! The apps that a search finds, a page at a time.

use std::collections::HashMap;

use appstitch_feeds::encoded;
use appstitch_types::{
    DriftScope,
    search::{MatchTier, SearchField, SearchHit, SearchMatch},
};

use crate::{
    address::{Address, app_page},
    display::Count,
    pager::Pager,
    site::{PageError, Site},
    source_names::source_title,
    verdict::Verdict,
};

const PER_PAGE: usize = 20;

/// A page of what a search finds.
pub(super) struct Hits {
    pub(super) query: String,
    pub(super) total: Count,
    pub(super) items: Vec<Hit>,
    /// The path and the name of the nearest apps, if nothing was found.
    pub(super) nearest: Vec<(String, String)>,
    pub(super) pager: Pager,
}

pub(super) struct Hit {
    pub(super) path: String,
    pub(super) name: String,
    pub(super) vendor: Option<String>,
    pub(super) version: Option<String>,
    pub(super) slug: String,
    pub(super) bundle_id: Option<String>,
    pub(super) sources: Vec<&'static str>,
    pub(super) is_deprecated: bool,
    /// Set if the sources disagree.
    pub(super) drift: Option<Verdict>,
    /// What matched besides the name: `cask firefox@esr`.
    pub(super) matched: Vec<Matched>,
    /// Further hits that are other deliveries of the same product.
    pub(super) variants: Vec<VariantHit>,
}

pub(super) struct VariantHit {
    pub(super) path: String,
    /// Its name if no other one here has it, otherwise its slug.
    pub(super) name: String,
    pub(super) version: Option<String>,
}

pub(super) struct Matched {
    pub(super) field: &'static str,
    pub(super) value: String,
    pub(super) is_similar: bool,
}

impl Hits {
    pub(super) fn find(site: &Site<'_>, query: &str, page: usize) -> Result<Self, PageError> {
        let offset = page.saturating_sub(1).saturating_mul(PER_PAGE);
        let mut found = site.search(query, PER_PAGE, offset)?;
        let total = usize::try_from(found.total).unwrap_or(usize::MAX);
        let pager = Pager::new(&Address::new("/").with("q", query), page, PER_PAGE, total);
        if pager.range().start != offset {
            // The number was beyond the last page.
            found = site.search(query, PER_PAGE, pager.range().start)?;
        }
        Ok(Self {
            query: query.to_owned(),
            total: Count(found.total),
            items: grouped(site, found.items),
            nearest: found
                .did_you_mean
                .into_iter()
                .map(|app| (app_page(&app.slug), app.name))
                .collect(),
            pager,
        })
    }

    pub(super) fn json_path(&self) -> String {
        let (query, offset) = (encoded(&self.query), self.pager.range().start);
        format!("/search?q={query}&limit={PER_PAGE}&offset={offset}")
    }
}

impl Hit {
    /// Whether it must be said what matched: a name that is there as it was typed speaks for itself.
    pub(super) fn is_explained(&self) -> bool {
        self.matched.iter().any(|found| found.field != "name" || found.is_similar)
    }
}

/// The hits in their order, with variants of a product under the first of them.
fn grouped(site: &Site<'_>, hits: Vec<SearchHit>) -> Vec<Hit> {
    let mut items: Vec<Hit> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for hit in hits {
        let position = site.snapshot.find(&hit.slug).ok();
        let product = position.map_or(&*hit.slug, |position| site.snapshot.main_variant(position));
        let place = *places.entry(product.to_owned()).or_insert(items.len());
        if let Some(first) = items.get_mut(place) {
            let has_own_name = first.name != hit.app.name
                && first.variants.iter().all(|variant| variant.name != hit.app.name);
            first.variants.push(VariantHit {
                path: app_page(&hit.slug),
                name: if has_own_name { hit.app.name } else { hit.slug },
                version: hit.app.current_version,
            });
        } else {
            let everything = DriftScope::EVERYTHING;
            let line = position.and_then(|app| site.snapshot.drift_line(everything, app));
            let mut item = Hit { drift: line.map(Verdict::of_line), ..Hit::from(hit) };
            if let Some(position) = position {
                let sources = site.snapshot.sources_of(position);
                item.sources = sources.map(|source| source_title(source.token())).collect();
            }
            items.push(item);
        }
    }
    items
}

impl From<SearchHit> for Hit {
    fn from(hit: SearchHit) -> Self {
        let app = hit.app;
        Self {
            is_deprecated: hit.deprecated,
            drift: None,
            variants: Vec::new(),
            path: app_page(&hit.slug),
            name: app.name,
            vendor: app.vendor,
            version: app.current_version,
            bundle_id: app.bundle_id,
            sources: Vec::new(),
            matched: hit.matches.into_iter().map(Matched::from).collect(),
            slug: hit.slug,
        }
    }
}

impl From<SearchMatch> for Matched {
    fn from(found: SearchMatch) -> Self {
        let field = match found.field {
            SearchField::Name => "name",
            SearchField::Slug => "slug",
            SearchField::Token => "cask",
            SearchField::LabelName => "label",
            SearchField::FormerToken => "former cask",
            SearchField::OtherName => "other name",
            SearchField::BundleId => "bundle ID",
            SearchField::TeamId => "Team ID",
            SearchField::Vendor => "vendor",
        };
        Self { field, value: found.value, is_similar: found.tier == MatchTier::Typo }
    }
}
