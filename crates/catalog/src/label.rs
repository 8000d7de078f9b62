//! Generated installer labels: a fragment an admin can deploy, made from what the sources say.
//!
//! The parts of a label must fit each other, so type, address and archive name are taken
//! from one origin (see [`origin`]) and never mixed. What no source tells is left out and
//! named in a warning.

pub(crate) mod literal;
pub(crate) mod origin;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::{
    AppSources, InstallMethod, Slug, Source, SourceSet, TeamId, Uri, cask::CaskFacts, package_type,
};
use literal::Literals;
use origin::Origin;

/// An installer-label fragment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GeneratedLabel {
    /// The label's name: the app's slug.
    pub label_name: String,
    /// Label variable name to value; unresolved variables are omitted.
    #[schema(value_type = Object)]
    pub content: Map<String, Value>,
    /// The sources that contributed.
    pub sources_used: Vec<String>,
    /// What could not be resolved; each starts with the variable's name.
    pub warnings: Vec<String>,
}

/// The variables whose order is fixed and, for those a label cannot work without, what an
/// admin should do when no source tells them.
const LEADING_VARIABLES: [(&str, Option<&str>); 6] = [
    (
        "name",
        Some(
            "no source tells the app's file name; set it to the name in /Applications without .app",
        ),
    ),
    ("type", Some("no source tells how the download is packed; download it and look")),
    ("packageID", None),
    ("downloadURL", Some("no source tells a fixed address; set it by hand")),
    (
        "appNewVersion",
        Some("no source tells the newest version; without it the label installs every time"),
    ),
    (
        "expectedTeamID",
        Some(
            "no source tells who signs the app; read it from a trusted copy with spctl or codesign",
        ),
    ),
];

/// Projects an app's source payloads into a label.
#[must_use]
pub fn generate_label(slug: &Slug, sources: &AppSources) -> GeneratedLabel {
    let label = sources.label_tool.as_ref().map(|label| Literals::read(&label.raw));
    let cask = sources.cask_catalog.as_ref().map(|cask| CaskFacts::read(&cask.entry_json));
    let origin = Origin::choose(label.as_ref(), cask.as_ref(), sources.mdm_installer.as_ref());
    let mut draft = Draft::default();

    let from_label = |key: &str| Some((Source::LabelTool, label.as_ref()?.text(key)?.to_owned()));
    let from_cask = |value: Option<&str>| value.map(|text| (Source::CaskCatalog, text.to_owned()));
    let cask_facts = cask.as_ref();

    let name = label.as_ref().and_then(Literals::name);
    let name = name.map(|name| (Source::LabelTool, name.to_owned()));
    let app_name = || from_cask(cask_facts.and_then(|cask| cask.app_name.as_deref()));
    draft.set("name", name.or_else(app_name));
    draft.set("type", origin.as_ref().and_then(|o| Some((o.source, o.method?.word().to_owned()))));
    draft.set(
        "packageID",
        from_label("packageID")
            .or_else(|| from_cask(cask_facts.and_then(|cask| cask.package_id.as_deref()))),
    );
    draft.set(
        "downloadURL",
        origin.as_ref().and_then(|o| Some((o.source, o.url.as_ref()?.as_str().to_owned()))),
    );
    draft.set("appNewVersion", newest_version(origin.as_ref(), label.as_ref(), cask_facts));
    draft.set(
        "expectedTeamID",
        from_label("expectedTeamID").filter(|(_, text)| TeamId::parse(text).is_ok()),
    );
    if let Some(label) = &label {
        draft.carry_over(label, origin.as_ref());
    }
    draft.finish(slug)
}

/// The origin of the address knows best which version is behind it. Another source's version
/// is used only where the address does not name a different one.
fn newest_version(
    origin: Option<&Origin>,
    label: Option<&Literals>,
    cask: Option<&CaskFacts>,
) -> Option<(Source, String)> {
    let of_origin = origin.and_then(|origin| Some((origin.source, origin.version.clone()?)));
    let of_label = || Some((Source::LabelTool, label?.version()?.to_owned()));
    let of_cask = || Some((Source::CaskCatalog, cask?.version.clone()?));
    let url = origin.and_then(|origin| origin.url.as_ref()).map_or("", Uri::as_str);
    let fits = |(_, version): &(Source, String)| !names_other_version(url, version);
    of_origin.or_else(|| of_label().filter(fits)).or_else(|| of_cask().filter(fits))
}

/// Whether an address has dotted numbers in it, none of which is this version.
fn names_other_version(url: &str, version: &str) -> bool {
    let is_dotted = |number: &&str| number.split('.').filter(|part| !part.is_empty()).count() > 1;
    let path =
        url.split("://").nth(1).and_then(|rest| rest.split_once('/')).map_or("", |(_, path)| path);
    let mut numbers = path
        .split(|character: char| !character.is_ascii_digit() && character != '.')
        .map(|number| number.trim_matches('.'))
        .filter(is_dotted)
        .peekable();
    numbers.peek().is_some() && !path.contains(version) && numbers.all(|number| number != version)
}

/// A label being put together.
#[derive(Default)]
struct Draft {
    content: Map<String, Value>,
    used: SourceSet,
}

impl Draft {
    fn set(&mut self, variable: &str, value: Option<(Source, String)>) {
        if let Some((source, text)) = value {
            self.content.insert(variable.to_owned(), Value::String(text));
            self.used = self.used.with(source);
        }
    }

    /// Adds what else the label says literally. Its archive name belongs to its own download:
    /// it stays behind when that comes from elsewhere or is packed in another way.
    fn carry_over(&mut self, label: &Literals, origin: Option<&Origin>) {
        let own_download = origin.is_none_or(|origin| origin.source == Source::LabelTool);
        for (variable, value) in label.all() {
            let leading = LEADING_VARIABLES.iter().any(|(name, _)| *name == variable);
            let archive_fits =
                || own_download && archive_fits(value, origin.and_then(|o| o.method));
            if leading || (variable == "archiveName" && !archive_fits()) {
                continue;
            }
            self.content.insert(variable.to_owned(), value.clone());
            self.used = self.used.with(Source::LabelTool);
        }
    }

    fn finish(self, slug: &Slug) -> GeneratedLabel {
        let warnings = LEADING_VARIABLES
            .iter()
            .filter(|(variable, _)| !self.content.contains_key(*variable))
            .filter_map(|(variable, advice)| Some(format!("{variable}: {}", (*advice)?)))
            .collect();
        GeneratedLabel {
            label_name: slug.to_string(),
            content: self.content,
            sources_used: self.used.iter().map(|source| source.token().to_owned()).collect(),
            warnings,
        }
    }
}

fn archive_fits(archive: &Value, method: Option<InstallMethod>) -> bool {
    let extension = archive.as_str().and_then(package_type::extension);
    match (extension, method) {
        (Some((_, kind)), Some(method)) => kind.fits(method),
        _ => true,
    }
}

#[cfg(test)]
mod tests;
