//! The other names of an app, and the other deliveries of the same product.

use appstitch_feeds::encoded;
use appstitch_types::{AliasKind, Variant};

use super::{extent::Extent, known::Known};
use crate::address::app_page;

pub(super) struct Names {
    /// What kind of name it is, and the name.
    pub(super) listed: Vec<(&'static str, String)>,
    pub(super) more: usize,
    pub(super) more_variants: usize,
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
        }
    }
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

/// Another delivery of the same product.
pub(super) struct VariantRow {
    pub(super) path: String,
    pub(super) slug: String,
    pub(super) name: String,
    pub(super) what: String,
    pub(super) version: Option<String>,
    pub(super) is_this: bool,
}

impl VariantRow {
    pub(super) fn all(known: &Known<'_>, extent: Extent) -> Vec<Self> {
        let variants = known.details.variants.as_deref().unwrap_or_default();
        let row = |variant: &Variant| Self {
            path: app_page(&variant.slug),
            slug: variant.slug.clone(),
            name: variant.name.clone(),
            what: what(variant),
            version: variant.current_version.clone(),
            is_this: variant.slug == known.slug(),
        };
        variants.iter().take(extent.variants).map(row).collect()
    }
}

/// The path that compares the first variants, with this one among them.
pub(super) fn compare_path(known: &Known<'_>) -> String {
    let variants = known.details.variants.as_deref().unwrap_or_default();
    let others = variants.iter().map(|variant| variant.slug.as_str());
    let others = others.filter(|slug| *slug != known.slug()).take(3);
    let slugs: Vec<String> =
        std::iter::once(known.slug()).chain(others).map(|slug| encoded(slug).to_string()).collect();
    format!("/compare?slugs={}", slugs.join(","))
}

/// What distinguishes a variant from the usual delivery.
fn what(variant: &Variant) -> String {
    let main = variant.is_main.then(|| "main".to_owned());
    let major = variant.major_version.as_ref().map(|major| format!("version {major}"));
    let known = [&variant.channel, &variant.edition, &variant.language].map(Clone::clone);
    let method = variant.install_method.map(|method| method.word().to_owned());
    let parts = main.into_iter().chain(known.into_iter().flatten()).chain(major).chain(method);
    parts.collect::<Vec<_>>().join(", ")
}
