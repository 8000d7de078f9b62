//! Where a label's download comes from: one source, whole.

use serde_json::{Map, Value};

use super::literal::Literals;
use crate::{
    InstallMethod, MdmInstallerSource, RawObject, Source, Uri,
    package_type::{self, FileKind},
    served,
};

/// A download as one source describes it.
#[derive(Debug)]
pub(super) struct Origin {
    pub(super) source: Source,
    pub(super) url: Option<Uri>,
    pub(super) method: Option<InstallMethod>,
    pub(super) version: Option<String>,
}

impl Origin {
    /// The first source that tells both address and type; failing that, the first that tells
    /// the address, then the first that tells the type.
    pub(super) fn choose(
        label: Option<&Literals>,
        cask: Option<&CaskFacts>,
        installer: Option<&MdmInstallerSource>,
    ) -> Option<Self> {
        let mut origins: Vec<Self> = [
            label.and_then(Self::of_label),
            cask.and_then(Self::of_cask),
            installer.and_then(Self::of_installer),
        ]
        .into_iter()
        .flatten()
        .collect();
        // Stable, so sources of equal completeness keep their order.
        origins.sort_by_key(|origin| match (&origin.url, origin.method) {
            (Some(_), Some(_)) => 0,
            (Some(_), None) => 1,
            _ => 2,
        });
        origins.into_iter().next()
    }

    fn of_label(label: &Literals) -> Option<Self> {
        let url = label.text("downloadURL").and_then(|text| Uri::parse(text).ok());
        let method = label.text("type").and_then(InstallMethod::from_word);
        let contradictory = match (&url, method) {
            (Some(url), Some(method)) => {
                package_type::extension(url.as_str()).is_some_and(|(_, kind)| !kind.fits(method))
            }
            (None, None) => true,
            _ => false,
        };
        (!contradictory).then(|| Self {
            source: Source::LabelTool,
            url,
            method,
            version: label.version().map(str::to_owned),
        })
    }

    fn of_cask(cask: &CaskFacts) -> Option<Self> {
        Some(Self {
            source: Source::CaskCatalog,
            url: Some(cask.url.clone()?),
            method: cask.method,
            version: cask.version.clone(),
        })
    }

    /// Only external installers are the maker's own; the others are repackaged and signed
    /// by somebody else.
    fn of_installer(installer: &MdmInstallerSource) -> Option<Self> {
        if installer.source != "External" {
            return None;
        }
        let url = Uri::parse(installer.download_url.as_deref()?).ok()?;
        // Only a package says by its extension alone how it is installed.
        let method = match package_type::extension(url.as_str()) {
            Some((_, FileKind::Package)) => Some(InstallMethod::Pkg),
            _ => None,
        };
        let version = installer.version.clone();
        Some(Self {
            source: Source::MdmInstaller,
            url: Some(url),
            method,
            version: version.filter(|text| served::check_value("version", text).is_ok()),
        })
    }
}

/// What a cask entry says that a label can use.
pub(super) struct CaskFacts {
    pub(super) url: Option<Uri>,
    pub(super) method: Option<InstallMethod>,
    pub(super) version: Option<String>,
    /// The app's file name without `.app`, when the cask installs exactly one app.
    pub(super) app_name: Option<String>,
    /// The installer package's receipt, when there is exactly one.
    pub(super) package_id: Option<String>,
}

impl CaskFacts {
    pub(super) fn read(entry: &RawObject) -> Self {
        let entry = entry.read();
        let artifacts: Vec<&Map<String, Value>> = entry
            .get("artifacts")
            .and_then(Value::as_array)
            .map(|artifacts| artifacts.iter().filter_map(Value::as_object).collect())
            .unwrap_or_default();
        let url = entry.get("url").and_then(Value::as_str).and_then(|text| Uri::parse(text).ok());
        let nested = entry
            .get("container")
            .and_then(|container| container.get("nested"))
            .and_then(Value::as_str);
        let method = url.as_ref().and_then(|url| install_method(url, nested, &artifacts));
        Self {
            method,
            version: entry.get("version").and_then(Value::as_str).and_then(marketing_version),
            app_name: only(artifacts.iter().filter_map(|artifact| installed_app(artifact))),
            package_id: only(artifacts.iter().flat_map(|artifact| receipts(artifact))),
            url,
        }
    }
}

/// The version in front of a cask's comma.
fn marketing_version(text: &str) -> Option<String> {
    let version = text.split(',').next().unwrap_or_default();
    served::check_value("version", version).is_ok().then(|| version.to_owned())
}

/// How the file at the address is installed, where its extension and contents leave one answer.
fn install_method(
    url: &Uri,
    nested: Option<&str>,
    artifacts: &[&Map<String, Value>],
) -> Option<InstallMethod> {
    let (_, kind) = package_type::extension(url.as_str())?;
    let has = |stanza: &str| artifacts.iter().any(|artifact| artifact.contains_key(stanza));
    let nested_image = nested.is_some_and(|file| {
        matches!(package_type::extension(file), Some((_, FileKind::DiskImage)))
    });
    match (kind, has("app"), has("pkg")) {
        (FileKind::Package, _, _) => Some(InstallMethod::Pkg),
        (FileKind::Zip, true, false) if nested_image => Some(InstallMethod::AppInDmgInZip),
        (_, _, _) if nested.is_some() => None,
        (FileKind::DiskImage, true, false) => Some(InstallMethod::Dmg),
        (FileKind::DiskImage, false, true) => Some(InstallMethod::PkgInDmg),
        (FileKind::Zip, true, false) => Some(InstallMethod::Zip),
        (FileKind::Zip, false, true) => Some(InstallMethod::PkgInZip),
        (FileKind::Tar, true, false) => Some(InstallMethod::Tbz),
        _ => None,
    }
}

/// The name an app artifact has on disk, without `.app`: its target where it is renamed.
fn installed_app(artifact: &Map<String, Value>) -> Option<String> {
    let file = artifact.get("app")?.get(0)?.as_str()?;
    let target = artifact.get("target").and_then(Value::as_str);
    let name = target.unwrap_or(file).rsplit('/').next()?.strip_suffix(".app")?;
    served::check_text("name", name).is_ok().then(|| name.to_owned())
}

/// The receipts an uninstall stanza names, a string or a list; patterns are no receipt.
fn receipts(artifact: &Map<String, Value>) -> Vec<String> {
    let directives = artifact.get("uninstall").and_then(Value::as_array);
    directives
        .into_iter()
        .flatten()
        .filter_map(|directive| directive.get("pkgutil"))
        .flat_map(|value| match value {
            Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
            other => other.as_str().into_iter().collect::<Vec<_>>(),
        })
        .map(str::to_owned)
        .collect()
}

/// The one value there is; several are no answer, and neither is a pattern.
fn only(mut values: impl Iterator<Item = String>) -> Option<String> {
    let value = values.next()?;
    let literal = !value.contains(['*', '?', '[', '(', '\\']);
    (values.next().is_none() && literal).then_some(value)
}
