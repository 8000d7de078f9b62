//! The other names of an app.

use appstitch_feeds::encoded;
use appstitch_types::AliasKind;

use super::{extent::Extent, known::Known};

pub(super) struct Names {
    /// What kind of name it is, and the name.
    pub(super) listed: Vec<(&'static str, String)>,
    pub(super) more: usize,
    pub(super) more_variants: usize,
    /// The path of a search that finds the variants.
    pub(super) search: String,
}

impl Names {
    pub(super) fn of(known: &Known<'_>, extent: Extent) -> Self {
        let aliases = known.details.aliases.as_deref().unwrap_or_default();
        let listed = aliases.iter().take(extent.names);
        let variants = known.details.variants.as_ref().map_or(0, Vec::len);
        Self {
            listed: listed.map(|alias| (kind(alias.kind), alias.name.clone())).collect(),
            more: aliases.len().saturating_sub(extent.names),
            more_variants: variants.saturating_sub(extent.variants),
            search: search_path(known),
        }
    }
}

/// Variants begin with the name of the product, which the main one has.
fn search_path(known: &Known<'_>) -> String {
    let mut variants = known.details.variants.iter().flatten();
    let main = variants.find(|variant| variant.is_main);
    format!("/?q={}", encoded(main.map_or(&*known.app.name, |main| &*main.name)))
}

fn kind(kind: AliasKind) -> &'static str {
    match kind {
        AliasKind::Slug => "slug",
        AliasKind::Token => "cask",
        AliasKind::FormerToken => "former cask",
        AliasKind::LabelName => "label",
        AliasKind::BundleId => "bundle ID",
        AliasKind::TeamId => "Team ID",
        AliasKind::TitleCode => "title code",
    }
}
