//! What installing an app takes beyond its record: what is inside the download, and the files that can be
//! downloaded.

use appstitch_text::served;
use appstitch_types::{App, InstallMethod, Sha256, Uri};
use appstitch_versions::stated::Stated;
use serde_json::{Map, Value};

use crate::{
    cask::{CaskFacts, installed_app, only, strings},
    label::literal::Literals,
    package_type,
    parsed_sources::ParsedSources,
};

/// The variables of a label that say something even if only a shell knows their values.
const KEYS: [&str; 5] = ["appName", "curlOptions", "folderName", "installerTool", "targetDir"];

/// The folder of an app that no source puts elsewhere.
const APPLICATIONS: &str = "/Applications";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The apps that the download installs; empty if no source tells.
    pub apps: Vec<DeliveredApp>,
    /// The path at which the label puts the app; `None` if it installs a package or does not tell.
    pub app_of_label: Option<String>,
    /// Whether a source installs apps whose place or name cannot be told.
    pub has_unknown_apps: bool,
    /// The path of the installer package inside a disk image, if it is the only one.
    pub package: Option<String>,
    /// Whether Macs with an Intel processor need another file, or get none.
    pub differs_on_intel: bool,
    /// Whether the server expects more than the address.
    pub needs_request_fields: bool,
    /// The casks and formulas that Homebrew installs first.
    pub requires: Vec<String>,
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectFile {
    pub url: Uri,
    pub method: InstallMethod,
    pub sha256: Sha256,
    pub differs_on_intel: bool,
    pub needs_request_fields: bool,
}

impl DeliveredApp {
    /// Whether Homebrew gives the app another name than its maker.
    pub fn is_renamed(&self) -> bool {
        self.source.rsplit('/').next() != self.installed.rsplit('/').next()
    }
}

impl Delivery {
    /// `app_files` are those of the app's details.
    pub fn of(app: &App, app_files: &[String], parsed: &ParsedSources<'_>) -> Self {
        let (cask, label) = (parsed.cask.as_ref(), parsed.label.as_ref());
        let raw = parsed.sources.label_tool.as_ref().map(|label| &label.raw);
        let raw = raw.map(|raw| raw.read_keys(|key| KEYS.contains(&key))).unwrap_or_default();
        let url = app.download_url.as_ref();
        let is_of_cask = cask.is_some_and(|cask| cask.url.is_some() && cask.url.as_ref() == url);
        let is_alike = cask.is_some_and(|cask| is_of_cask || cask.method == app.install_method);
        let on_intel = cask.and_then(|_| parsed.cask_on_intel());
        let of_cask = |other: &CaskFacts| cask.is_some_and(|cask| cask.url != other.url);
        let cask_differs = on_intel.as_ref().is_some_and(of_cask);
        let (apps, has_unknown_apps) =
            delivered_apps(parsed, app_files, label.filter(|_| !is_of_cask), &raw, is_alike);
        Self {
            app_of_label: app_of_label(label, &raw),
            apps,
            has_unknown_apps,
            package: cask
                .filter(|_| is_alike)
                .and_then(|cask| only(&cask.packages))
                .or_else(|| label.filter(|_| !is_of_cask)?.text("pkgName").map(str::to_owned))
                .filter(|path| is_inner_path(path)),
            differs_on_intel: if is_of_cask { cask_differs } else { label_differs(label) },
            needs_request_fields: if is_of_cask {
                needs_fields(&parsed.entry)
            } else {
                raw.contains_key("curlOptions")
            },
            requires: required(&parsed.entry),
            direct: cask.and_then(|cask| direct_file(app, cask, &parsed.entry, cask_differs)),
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
    if installs_otherwise(parsed, raw) {
        return (Vec::new(), true);
    }
    if !artifacts.is_empty() {
        let read = |artifact: &&Map<String, Value>| of_artifact(artifact, is_alike);
        let apps: Vec<DeliveredApp> = artifacts.iter().filter_map(read).collect();
        let has_others = apps.len() < artifacts.len();
        return (apps, has_others);
    }
    let Some(folder) = label.map_or(Some(APPLICATIONS), |label| folder_of_label(label, raw)) else {
        return (Vec::new(), true);
    };
    let app = |file: &String| DeliveredApp {
        source: file.clone(),
        installed: format!("{folder}/{file}"),
    };
    (app_files.iter().map(app).collect(), false)
}

/// The folder in which a label puts the app, if it is known.
fn folder_of_label<'a>(label: &'a Literals, raw: &Map<String, Value>) -> Option<&'a str> {
    if !raw.contains_key("targetDir") {
        return Some(APPLICATIONS);
    }
    let folder = label.text("targetDir").filter(|folder| folder.starts_with('/'))?;
    Some(folder.trim_end_matches('/'))
}

/// The label tool copies an app under its own name, also where a cask renames it.
fn app_of_label(label: Option<&Literals>, raw: &Map<String, Value>) -> Option<String> {
    let label = label?;
    let method = label.text("type").and_then(InstallMethod::from_word)?;
    // The folder of the image can be copied with everything in it.
    let is_other = raw.contains_key("installerTool") || raw.contains_key("folderName");
    let file = match raw.get("appName") {
        Some(_) => label.text("appName"),
        None => label.name(),
    };
    let file = file.filter(|_| !method.is_package() && !is_other)?;
    let file = format!("{}.app", file.strip_suffix(".app").unwrap_or(file));
    let path = format!("{}/{file}", folder_of_label(label, raw)?);
    served::check_text("app_files", &path).is_ok().then_some(path)
}

/// Whether the download has an installer, or a folder of several apps, instead of the app or beside it.
fn installs_otherwise(parsed: &ParsedSources<'_>, raw: &Map<String, Value>) -> bool {
    let artifacts = parsed.entry.get("artifacts").and_then(Value::as_array);
    let mut artifacts = artifacts.into_iter().flatten().filter_map(Value::as_object);
    let is_other = |artifact: &Map<String, Value>| {
        artifact.contains_key("installer") || artifact.contains_key("suite")
    };
    raw.contains_key("installerTool") || artifacts.any(is_other)
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

fn label_differs(label: Option<&Literals>) -> bool {
    let Some(label) = label else { return false };
    let address = |label: &Literals| label.text("downloadURL").map(str::to_owned);
    label.exits_on_intel || label.on_intel().is_some_and(|intel| address(&intel) != address(label))
}

fn required(entry: &Map<String, Value>) -> Vec<String> {
    let depends_on = entry.get("depends_on");
    let names = ["cask", "formula"]
        .into_iter()
        .flat_map(|kind| strings(depends_on.and_then(|depends| depends.get(kind))));
    names.filter(|name| served::check_text("depends_on", name).is_ok()).collect()
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
