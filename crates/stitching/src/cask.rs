//! The values of a cask entry that the catalog's rules use.

pub mod bundle_ids;
pub mod deprecation;
pub mod installer;
mod language;
mod request;

use appstitch_text::served;
use appstitch_types::{Deprecation, InstallMethod, RawObject, Sha256, Uri, read_member};
use bundle_ids::{Choice, Support, product::Product};
use deprecation::{is_gone, read_deprecation};
use installer::InstallerProgram;
use serde_json::{Map, Value};

use crate::{
    address::download_address,
    bounds::{CASK_NAMES, CASK_RECEIPTS, NAME_BYTES},
    package_type::{self, FileKind},
};

/// The last macOS release for Intel Macs. An entry's variation of this name has the values for
/// Intel.
const LAST_ON_INTEL: &str = "tahoe";

const VARIATIONS: &str = "variations";

/// The keys of an entry that no rule reads here. In some entries they are nearly everything.
const UNREAD: [&str; 2] = [VARIATIONS, "language_variations"];

/// Parses the values of an entry that rules read.
pub(crate) fn read_entry(entry: &RawObject) -> Map<String, Value> {
    entry.read_keys(is_read)
}

/// The same, and the text of the values that differ by macOS release.
pub(crate) fn read_with_variations(entry: &RawObject) -> (Map<String, Value>, Option<&str>) {
    entry.read_keys_beside(VARIATIONS, is_read)
}

fn is_read(key: &str) -> bool {
    !UNREAD.contains(&key)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunsOn {
    EveryMac,
    AppleSilicon,
    Linux,
}

#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on each other")]
#[derive(Clone)]
pub struct CaskFacts {
    pub url: Option<Uri>,
    pub method: Option<InstallMethod>,
    /// The version before the comma; never a placeholder.
    pub version: Option<String>,
    /// The version with its build, as the cask writes it; never a placeholder.
    pub full_version: Option<String>,
    /// The edition of the app, such as `beta` or an old major version; the plain app has none.
    pub edition: Option<String>,
    /// Never a placeholder.
    pub sha256: Option<Sha256>,
    /// The app's file name without `.app`, if the cask installs exactly one app, or one with the
    /// name of the cask.
    pub app_name: Option<String>,
    /// The app that uninstalling removes from /Applications, if there is exactly one, or one with
    /// the name of the cask. For a package, this is the app it installs.
    pub removed_app: Option<String>,
    /// The path of `app_name` in the download, with `.app`.
    pub archived_app: Option<String>,
    pub installer: Option<InstallerProgram>,
    /// What curl needs to get the download, beside its URL.
    pub curl_options: Vec<String>,
    pub packages: Vec<String>,
    /// The installer package's receipt, if there is exactly one.
    pub package_id: Option<String>,
    pub app_names: Vec<String>,
    /// Other names of the apps: those of files that the cask renames, that a package installs and
    /// uninstalling removes, and that are in a suite and also run as commands.
    pub other_app_names: Vec<String>,
    /// The file names of apps before the cask renames them.
    pub renamed_apps: Vec<String>,
    /// All receipts, except patterns.
    pub receipts: Vec<String>,
    /// The beginnings of receipts, from patterns such as `com.example.*`.
    pub receipt_beginnings: Vec<String>,
    /// The app's bundle identifier, if `uninstall` and `zap` identify exactly one. Only `read` looks
    /// for it.
    pub bundle_id: Option<String>,
    bundle_id_support: Support,
    pub names: Vec<String>,
    pub old_tokens: Vec<String>,
    pub homepage: Option<String>,
    pub disabled: bool,
    /// Whether the file is gone: the cask is disabled, and not for what the app is or does.
    pub(crate) is_gone: bool,
    /// Whether the file is that of a release which only some Macs get yet: `…/5-percent/…`.
    pub(crate) is_staged: bool,
    pub deprecation: Option<Deprecation>,
    pub runs_on: RunsOn,
    pub is_command: bool,
    pub is_font: bool,
}

impl CaskFacts {
    /// All values of an entry, with the bundle identifier. To weigh the evidence for it takes as long
    /// as all other values together, and hardly anything but stitching needs it.
    pub fn read(entry: &RawObject) -> Self {
        let entry = read_entry(entry);
        let mut facts = Self::of(&entry);
        if let Some(choice) = facts.find_bundle_id(&entry) {
            facts.bundle_id_support = choice.support;
            facts.bundle_id = Some(choice.id);
        }
        facts
    }

    /// The bundle identifier that an entry gives evidence for, of which these are the other values.
    pub(crate) fn find_bundle_id(&self, entry: &Map<String, Value>) -> Option<Choice> {
        let text = |key: &str| entry.get(key).and_then(Value::as_str);
        let is_of_apple =
            [self.homepage.as_deref(), text("url")].into_iter().flatten().any(is_apples);
        let token = text("token").unwrap_or_default();
        let product = Product::new(token, &self.names, &self.app_names, is_of_apple);
        bundle_ids::bundle_id(&artifacts(entry), &product)
    }

    pub(crate) fn firm_bundle_id(&self) -> Option<&str> {
        self.bundle_id.as_deref().filter(|_| self.bundle_id_support == Support::Much)
    }

    /// The values for an Intel Mac; `None` if the cask has no variation for it. The entry itself
    /// is for Apple silicon.
    pub fn on_intel(entry: &Map<String, Value>, variations: &str) -> Option<Self> {
        let variation = read_member(variations, LAST_ON_INTEL, is_read)?;
        let mut on_intel = entry.clone();
        on_intel.extend(variation);
        Some(Self::of(&on_intel))
    }

    /// The values of an entry without the bundle identifier.
    pub fn of(entry: &Map<String, Value>) -> Self {
        let artifacts = artifacts(entry);
        let text = |key: &str| entry.get(key).and_then(Value::as_str);
        let url = text("url").and_then(|text| download_address(text).ok());
        let container = |key: &str| entry.get("container")?.get(key)?.as_str();
        let packages = installer::packages(&artifacts);
        let app_paths = artifacts.iter().any(|artifact| artifact.contains_key("app"));
        let installer = if app_paths || !packages.is_empty() {
            None
        } else {
            InstallerProgram::read(&artifacts)
        };
        let contents =
            Contents { app: app_paths || installer.is_some(), package: !packages.is_empty() };
        let method = url.as_ref().and_then(|url| {
            let kind = container("type").and_then(|word| file_kind(word, contents));
            let kind = kind.or_else(|| Some(package_type::extension(url.as_str())?.1));
            install_method(kind?, container("nested"), contents)
        });
        let has = |stanza: &str| artifacts.iter().any(|artifact| artifact.contains_key(stanza));
        let app_names: Vec<String> = artifacts
            .iter()
            .filter_map(|artifact| installed_app(artifact))
            .take(CASK_NAMES)
            .collect();
        let (patterns, mut receipts): (Vec<String>, Vec<String>) = artifacts
            .iter()
            .flat_map(|artifact| receipts(artifact))
            .partition(|receipt| is_pattern(receipt));
        receipts.retain(|receipt| served::check_value("packageID", receipt).is_ok());
        receipts.truncate(CASK_RECEIPTS);
        let removed_apps = removed_apps(&artifacts);
        let mut other_app_names = removed_apps.clone();
        let renamed_apps: Vec<String> = artifacts
            .iter()
            .filter_map(|artifact| renamed_app(artifact))
            .take(CASK_NAMES)
            .collect();
        other_app_names.extend(renamed_apps.iter().cloned());
        if has("suite") {
            other_app_names.extend(artifacts.iter().filter_map(|artifact| command(artifact)));
        }
        other_app_names.retain(|name| name.len() <= NAME_BYTES);
        other_app_names.truncate(CASK_NAMES);
        let token = text("token").unwrap_or_default();
        let names = used_names(entry.get("name"));
        let main = main_app(&app_names, &names);
        let homepage = text("homepage").filter(|text| text.len() <= Uri::MAX_LENGTH);
        let homepage = homepage.map(str::to_owned);
        Self {
            method,
            version: text("version").and_then(marketing_version),
            full_version: text("version")
                .filter(|text| served::check_value("version", text).is_ok())
                .map(str::to_owned),
            edition: text("token")
                .and_then(|token| token.split_once('@'))
                .map(|(_, edition)| edition.to_owned()),
            sha256: text("sha256").and_then(|text| Sha256::parse(text).ok()),
            archived_app: main.as_ref().and_then(|main| {
                let mut files = artifacts
                    .iter()
                    .filter(|artifact| installed_app(artifact).as_ref() == Some(main));
                archived_app(files.next()?)
            }),
            app_name: main,
            removed_app: main_app(&removed_apps, &names),
            installer,
            curl_options: request::curl_options(entry),
            packages,
            package_id: only(&receipts),
            app_names,
            other_app_names,
            renamed_apps,
            receipt_beginnings: patterns
                .iter()
                .filter_map(|text| beginning(text))
                .take(CASK_RECEIPTS)
                .collect(),
            receipts,
            bundle_id_support: Support::Little,
            bundle_id: None,
            names,
            old_tokens: used_names(entry.get("old_tokens")),
            homepage,
            disabled: entry.get("disabled").and_then(Value::as_bool).unwrap_or_default(),
            is_gone: is_gone(entry),
            is_staged: text("url").is_some_and(is_staged),
            deprecation: read_deprecation(entry),
            runs_on: RunsOn::read(entry),
            is_command: has("binary") && !["app", "pkg", "suite", "installer"].into_iter().any(has),
            // Some fonts are installer packages, so the token is checked as well.
            is_font: token.starts_with("font-") || (has("font") && !has("app") && !has("pkg")),
            url,
        }
    }
}

fn artifacts(entry: &Map<String, Value>) -> Vec<&Map<String, Value>> {
    let artifacts = entry.get("artifacts").and_then(Value::as_array);
    artifacts.into_iter().flatten().filter_map(Value::as_object).collect()
}

pub fn strings(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(items)) => {
            items.iter().filter_map(Value::as_str).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    }
}

pub(crate) fn used_names(value: Option<&Value>) -> Vec<String> {
    let mut names = strings(value);
    names.retain(|name| name.len() <= NAME_BYTES);
    names.truncate(CASK_NAMES);
    names
}

pub(crate) fn only(values: &[String]) -> Option<String> {
    match values {
        [value] => Some(value.clone()),
        _ => None,
    }
}

/// The only app, or the only one with a display name of the cask.
fn main_app(apps: &[String], names: &[String]) -> Option<String> {
    only(apps).or_else(|| {
        let is_named = |app: &&String| names.iter().any(|name| name.eq_ignore_ascii_case(app));
        let named: Vec<String> = apps.iter().filter(is_named).cloned().collect();
        only(&named)
    })
}

fn is_apples(url: &str) -> bool {
    let host = url.split_once("://").map(|(_, rest)| rest.split('/').next().unwrap_or_default());
    host.is_some_and(|host| host == "apple.com" || host.ends_with(".apple.com"))
}

/// A token without its channel or old version: `sample` of `sample@beta`.
pub(crate) fn plain_token(token: &str) -> &str {
    token.split('@').next().unwrap_or(token)
}

pub(crate) fn is_staged(url: &str) -> bool {
    url.split('/').any(|folder| folder.ends_with("-percent"))
}

/// Whether a name is a pattern that can match several names.
fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '[', '(', '\\', '$'])
}

/// The part of a cask's version before the comma.
fn marketing_version(text: &str) -> Option<String> {
    let version = text.split(',').next().unwrap_or_default();
    served::check_value("version", version).is_ok().then(|| version.to_owned())
}

#[derive(Clone, Copy)]
struct Contents {
    /// The app, or an app that installs it.
    app: bool,
    package: bool,
}

/// The file type that a cask states because the URL does not show it. A naked file is not unpacked,
/// so it is the package itself.
fn file_kind(word: &str, contents: Contents) -> Option<FileKind> {
    match word {
        "zip" => Some(FileKind::Zip),
        "dmg" => Some(FileKind::DiskImage),
        "pkg" => Some(FileKind::Package),
        "naked" => Some(FileKind::Package).filter(|_| contents.package && !contents.app),
        _ => None,
    }
}

/// `None` unless file type and contents are unambiguous.
fn install_method(
    kind: FileKind,
    nested: Option<&str>,
    contents: Contents,
) -> Option<InstallMethod> {
    let nested_image = nested.is_some_and(|file| {
        matches!(package_type::extension(file), Some((_, FileKind::DiskImage)))
    });
    match (kind, contents.app, contents.package) {
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

/// The file name of an installed app artifact, without `.app`. A renamed app has a target.
pub fn installed_app(artifact: &Map<String, Value>) -> Option<String> {
    let file = artifact.get("app")?.get(0)?.as_str()?;
    let target = artifact.get("target").and_then(Value::as_str);
    let name = target.unwrap_or(file).rsplit('/').next()?.strip_suffix(".app")?;
    served::check_text("name", name).is_ok().then(|| name.to_owned())
}

/// The file name of an app artifact that the cask renames, without `.app`.
fn renamed_app(artifact: &Map<String, Value>) -> Option<String> {
    let file = artifact.get("app")?.get(0)?.as_str()?.rsplit('/').next()?.strip_suffix(".app")?;
    let is_renamed = installed_app(artifact).is_some_and(|name| name != file);
    is_renamed.then(|| file.to_owned())
}

fn command(artifact: &Map<String, Value>) -> Option<String> {
    let file = artifact.get("binary")?.get(0)?.as_str()?;
    file.rsplit('/').next().map(str::to_owned)
}

/// What a pattern of receipts begins with, if that is distinctive: two parts or more.
fn beginning(pattern: &str) -> Option<String> {
    let text = pattern.trim_end_matches(['*', '.', '+', '$']).replace("\\.", ".");
    (!is_pattern(&text) && text.split('.').count() > 2).then_some(text)
}

fn archived_app(artifact: &Map<String, Value>) -> Option<String> {
    let file = artifact.get("app")?.get(0)?.as_str()?;
    let is_app = file.strip_suffix(".app").is_some();
    (is_app && served::check_text("name", file).is_ok()).then(|| file.to_owned())
}

impl RunsOn {
    fn read(entry: &Map<String, Value>) -> Self {
        let platforms = strings(entry.get("supported_platforms"));
        if !platforms.is_empty() && platforms.iter().all(|platform| platform.contains("linux")) {
            return Self::Linux;
        }
        let architectures = entry.get("depends_on").and_then(|depends| depends.get("arch"));
        let types = architectures.and_then(Value::as_array).into_iter().flatten();
        let types: Vec<&str> = types.filter_map(|kind| kind.get("type")?.as_str()).collect();
        if !types.is_empty() && types.iter().all(|name| *name == "arm") {
            Self::AppleSilicon
        } else {
            Self::EveryMac
        }
    }
}

/// The apps that uninstall stanzas remove from /Applications, without `.app`. If they name none, a
/// program of the app may remove it.
fn removed_apps(artifacts: &[&Map<String, Value>]) -> Vec<String> {
    let stanzas = artifacts.iter().filter_map(|artifact| artifact.get("uninstall")?.as_array());
    let directives: Vec<&Value> = stanzas.flatten().collect();
    let paths = directives.iter().flat_map(|directive| {
        ["delete", "trash", "rmdir"].into_iter().flat_map(|key| strings(directive.get(key)))
    });
    let programs = directives.iter().flat_map(|directive| {
        ["script", "early_script"].into_iter().filter_map(|key| {
            let program = directive.get(key)?.get("executable")?.as_str()?;
            let end = program.find(".app/")? + ".app".len();
            Some(program[..end].to_owned())
        })
    });
    let removed = top_level_apps(paths);
    if removed.is_empty() { top_level_apps(programs) } else { removed }
}

/// The names of apps directly in /Applications, sorted.
fn top_level_apps(paths: impl Iterator<Item = String>) -> Vec<String> {
    let mut names: Vec<String> = paths
        .filter_map(|path| {
            let name = path.strip_prefix("/Applications/")?.strip_suffix(".app")?;
            let plain = !name.contains('/') && !is_pattern(name);
            (plain && served::check_text("name", name).is_ok()).then(|| name.to_owned())
        })
        .collect();
    names.sort();
    names.dedup();
    names
}

fn receipts(artifact: &Map<String, Value>) -> Vec<String> {
    let directives = artifact.get("uninstall").and_then(Value::as_array);
    let named = directives.into_iter().flatten().filter_map(|directive| directive.get("pkgutil"));
    named.flat_map(|value| strings(Some(value))).collect()
}
