//! The names that an app is known by, read from its sources.

use appstitch_text::served;
use appstitch_types::{Alias, AliasKind, App, AppSources, TitleCode};

/// The names of an app besides its slug, ordered and each once. A name that is the slug itself is
/// omitted.
pub(crate) fn aliases(
    app: &App,
    sources: Option<&AppSources>,
    former_tokens: Vec<String>,
    other_names: &[String],
    title_codes: &[TitleCode],
) -> Vec<Alias> {
    let token = sources.and_then(|sources| Some(sources.cask_catalog.as_ref()?.token.clone()));
    let label = sources.and_then(|sources| Some(sources.label_tool.as_ref()?.label_name.clone()));
    let title = sources.and_then(|sources| sources.mdm_installer.as_ref()?.mgmt_id.clone());
    let team_id = app.expected_team_id.as_ref().map(ToString::to_string);
    let mut all: Vec<Alias> = token
        .map(|name| (AliasKind::Token, name))
        .into_iter()
        .chain(former_tokens.into_iter().map(|name| (AliasKind::FormerToken, name)))
        .chain(label.map(|name| (AliasKind::LabelName, name)))
        .chain(other_names.iter().map(|name| (AliasKind::LabelName, name.clone())))
        .chain(app.bundle_id.clone().map(|name| (AliasKind::BundleId, name)))
        .chain(team_id.map(|name| (AliasKind::TeamId, name)))
        .chain(title.map(|name| (AliasKind::TitleCode, name)))
        .chain(title_codes.iter().map(|title| (AliasKind::TitleCode, title.code.clone())))
        .filter(|(_, name)| name != app.slug.as_str() && served::check_text("alias", name).is_ok())
        .map(|(kind, name)| Alias { kind, name })
        .collect();
    all.sort();
    all.dedup();
    all
}
