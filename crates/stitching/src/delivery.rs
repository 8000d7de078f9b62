//! What installing an app takes beyond its record: what is inside the download, and where the installed
//! version is found.

use appstitch_text::served;
use appstitch_types::{App, InstallMethod, LabelToolSource, Sha256, Uri};
use appstitch_versions::stated::Stated;
use serde_json::{Map, Value};

use crate::{
    cask::{CaskFacts, installed_app},
    label::literal::Literals,
    package_type,
    parsed_sources::ParsedSources,
};

/// The folder of an app that no source puts elsewhere.
const APPLICATIONS: &str = "/Applications";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The apps that the download installs; empty if no source tells.
    pub apps: Vec<DeliveredApp>,
    /// Whether a source installs apps whose place or name cannot be told.
    pub has_unknown_apps: bool,
    /// The path of the installer package inside a disk image, if it is the only one.
    pub package: Option<String>,
    pub version_place: VersionPlace,
    /// Whether Macs with an Intel processor need another file, or get none.
    pub differs_on_intel: bool,
    /// Whether the server expects more than the address.
    pub needs_request_fields: bool,
    /// The file of the cask, if it has the current version, a hash and a name.
    pub direct: Option<DirectFile>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveredApp {
    /// The path inside the download, with `.app`.
    pub source: String,
    /// The path on the Mac.
    pub installed: String,
}

/// Where the current version is found on a Mac.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VersionPlace {
    /// `CFBundleShortVersionString` of the app.
    ShortVersion,
    /// `CFBundleVersion` of the app.
    BundleVersion,
    /// The receipt of this installer package.
    Receipt(String),
    /// Another key of the app.
    OtherKey,
    /// What a function of the label finds.
    Function,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectFile {
    pub url: Uri,
    pub method: InstallMethod,
    pub sha256: Sha256,
    pub differs_on_intel: bool,
    pub needs_request_fields: bool,
}

impl Delivery {
    /// `app_files` are those of the app's details.
    pub fn of(app: &App, app_files: &[String], parsed: &ParsedSources<'_>) -> Self {
        let (cask, label) = (parsed.cask.as_ref(), parsed.label.as_ref());
        let raw = parsed.sources.label_tool.as_ref().map(|label| {
            label.raw.read_keys(|key| {
                matches!(key, LabelToolSource::VERSION_FUNCTION | "targetDir" | "curlOptions")
                    || matches!(key, "versionKey" | "packageID")
            })
        });
        let raw = raw.unwrap_or_default();
        let url = app.download_url.as_ref();
        let is_of_cask = cask.is_some_and(|cask| cask.url.is_some() && cask.url.as_ref() == url);
        let is_alike = cask.is_some_and(|cask| is_of_cask || cask.method == app.install_method);
        let on_intel = cask.and_then(|_| parsed.cask_on_intel());
        let of_cask = |other: &CaskFacts| cask.is_some_and(|cask| cask.url != other.url);
        let cask_differs = on_intel.as_ref().is_some_and(of_cask);
        let (apps, has_unknown_apps) =
            delivered_apps(parsed, app_files, label.filter(|_| !is_of_cask), &raw, is_alike);
        Self {
            apps,
            has_unknown_apps,
            package: cask
                .filter(|_| is_alike)
                .and_then(|cask| only(&cask.packages))
                .or_else(|| label.filter(|_| !is_of_cask)?.text("pkgName").map(str::to_owned))
                .filter(|path| is_inner_path(path)),
            version_place: VersionPlace::of(app, label, &raw),
            differs_on_intel: if is_of_cask { cask_differs } else { label_differs(label) },
            needs_request_fields: if is_of_cask {
                needs_fields(&parsed.entry)
            } else {
                raw.contains_key("curlOptions")
            },
            direct: cask.and_then(|cask| direct_file(app, cask, &parsed.entry, cask_differs)),
        }
    }
}

impl VersionPlace {
    fn of(app: &App, label: Option<&Literals>, raw: &Map<String, Value>) -> Self {
        let Some(label) = label else { return Self::ShortVersion };
        let current = app.current_version.as_deref().unwrap_or_default();
        let is_labels = label.version().is_some_and(|own| Stated::compare(own, current).is_exact());
        // What the label says about its version says nothing about the version of another source.
        if !is_labels {
            return Self::ShortVersion;
        }
        if raw.contains_key(LabelToolSource::VERSION_FUNCTION) {
            return Self::Function;
        }
        // The label tool asks for the receipt before it looks for the app. Without a package there is none.
        let installs_package = app.install_method.is_none_or(InstallMethod::is_package);
        if installs_package && raw.contains_key("packageID") {
            return label
                .text("packageID")
                .filter(|id| served::check_value("packageID", id).is_ok())
                .map_or(Self::Function, |id| Self::Receipt(id.to_owned()));
        }
        if !raw.contains_key("versionKey") {
            return Self::ShortVersion;
        }
        match label.text("versionKey") {
            Some("CFBundleShortVersionString") => Self::ShortVersion,
            Some("CFBundleVersion") => Self::BundleVersion,
            _ => Self::OtherKey,
        }
    }
}

/// The apps of the cask, else the app that the label looks for; and whether there are others.
fn delivered_apps(
    parsed: &ParsedSources<'_>,
    app_files: &[String],
    label: Option<&Literals>,
    raw: &Map<String, Value>,
    is_alike: bool,
) -> (Vec<DeliveredApp>, bool) {
    let artifacts = parsed.entry.get("artifacts").and_then(Value::as_array).into_iter().flatten();
    let artifacts: Vec<&Map<String, Value>> = artifacts
        .filter_map(Value::as_object)
        .filter(|artifact| artifact.contains_key("app"))
        .collect();
    if !artifacts.is_empty() {
        let read = |artifact: &&Map<String, Value>| of_artifact(artifact, is_alike);
        let apps: Vec<DeliveredApp> = artifacts.iter().filter_map(read).collect();
        let has_others = apps.len() < artifacts.len();
        return (apps, has_others);
    }
    let folder = match raw.get("targetDir").filter(|_| label.is_some()) {
        None => APPLICATIONS,
        Some(_) => match label.and_then(|label| label.text("targetDir")) {
            Some(folder) if folder.starts_with('/') => folder.trim_end_matches('/'),
            _ => return (Vec::new(), true),
        },
    };
    let app = |file: &String| DeliveredApp {
        source: file.clone(),
        installed: format!("{folder}/{file}"),
    };
    (app_files.iter().map(app).collect(), false)
}

fn of_artifact(artifact: &Map<String, Value>, is_alike: bool) -> Option<DeliveredApp> {
    let path = artifact.get("app")?.get(0)?.as_str().filter(|path| is_inner_path(path))?;
    let file = format!("{}.app", installed_app(artifact)?);
    let target = artifact.get("target").and_then(Value::as_str);
    let installed = match target {
        Some(target) if target.starts_with('/') => target.to_owned(),
        Some(target) if target.contains('/') => return None,
        _ => format!("{APPLICATIONS}/{file}"),
    };
    served::check_text("app_files", &installed).ok()?;
    let name = path.rsplit('/').next()?;
    let source = if is_alike { path } else { name };
    Some(DeliveredApp { source: source.to_owned(), installed })
}

/// Whether a text is a path below the folder that it is in.
fn is_inner_path(path: &str) -> bool {
    !path.starts_with('/')
        && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
        && served::check_text("app_files", path).is_ok()
}

fn only(values: &[String]) -> Option<String> {
    match values {
        [value] => Some(value.clone()),
        _ => None,
    }
}

fn label_differs(label: Option<&Literals>) -> bool {
    let Some(label) = label else { return false };
    let address = |label: &Literals| label.text("downloadURL").map(str::to_owned);
    label.exits_on_intel || label.on_intel().is_some_and(|intel| address(&intel) != address(label))
}

fn needs_fields(entry: &Map<String, Value>) -> bool {
    let specs = entry.get("url_specs").and_then(Value::as_object);
    specs.is_some_and(|specs| {
        ["user_agent", "referer", "cookies", "header", "data", "using"]
            .into_iter()
            .any(|key| specs.get(key).is_some_and(|value| !value.is_null()))
    })
}

fn direct_file(
    app: &App,
    cask: &CaskFacts,
    entry: &Map<String, Value>,
    differs_on_intel: bool,
) -> Option<DirectFile> {
    let url = cask.url.clone().filter(|_| !cask.is_gone && !cask.is_staged)?;
    package_type::extension(url.as_str())?;
    let current = app.current_version.as_deref()?;
    let stated = [cask.version.as_deref(), cask.full_version.as_deref()];
    let is_current =
        stated.into_iter().flatten().any(|own| Stated::compare(own, current).is_exact());
    let (method, sha256) = (cask.method?, cask.sha256.clone()?);
    let needs_request_fields = needs_fields(entry);
    is_current.then_some(DirectFile { url, method, sha256, differs_on_intel, needs_request_fields })
}
