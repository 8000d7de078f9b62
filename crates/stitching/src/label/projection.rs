//! Builds the variables of a label from the sources.

use appstitch_types::{
    AppSources, InstallMethod, LabelToolSource, MdmInstallerSource, Source, SourceSet, TeamId,
};
use appstitch_versions::Version;
use serde_json::{Map, Value};

use super::{
    app_name::AppName,
    download_variables::DownloadVariables,
    literal::Literals,
    origin::{Download, Offer, Origin},
    variable::is_labels_own,
};
use crate::{
    cask::{CaskFacts, RunsOn, deprecation::describe_deprecation},
    newest::{Newest, VersionedSources},
    package_type,
    parsed_sources::ParsedSources,
    publishers::{self, Evidence},
};

/// The variables with a fixed order. Required ones have a warning for when the value is missing.
const LEADING_VARIABLES: [(&str, Option<&str>); 6] = [
    (
        "name",
        Some("file name of the app unknown; set it to the name in /Applications without .app"),
    ),
    ("type", Some("package format unknown; download the file to check it")),
    ("packageID", None),
    ("downloadURL", Some("no fixed URL known; set it manually")),
    ("appNewVersion", Some("newest version unknown; without it, the label installs every time")),
    ("expectedTeamID", Some("Team ID unknown; get it with codesign -dv")),
];

/// The `expectedTeamID` of labels for software signed by Apple; the tool accepts it.
const SIGNED_BY_APPLE: &str = "Software Update";

const ARGUMENTS: &str = "CLIArguments";

#[derive(Clone, Copy)]
pub(super) struct LabelInputs<'a> {
    /// The raw arguments of the label's installer program, which may need a shell.
    arguments: Option<&'a Value>,
    label_source: Option<&'a LabelToolSource>,
    label: Option<&'a Literals>,
    cask: Option<&'a CaskFacts>,
    entry: &'a Map<String, Value>,
    installer: Option<&'a MdmInstallerSource>,
}

/// The raw arguments of the installer program of the app's label.
pub(super) fn arguments(sources: &AppSources) -> Option<Value> {
    let raw = &sources.label_tool.as_ref()?.raw;
    raw.read_keys(|key| key == ARGUMENTS).shift_remove(ARGUMENTS)
}

pub(super) struct IntelValues {
    label: Option<Literals>,
    cask: Option<CaskFacts>,
}

impl IntelValues {
    /// `None` if no source has different values.
    pub(super) fn of(parsed: &ParsedSources<'_>) -> Option<Self> {
        let label = parsed.label.as_ref().and_then(Literals::on_intel);
        let cask = parsed.cask_on_intel();
        (label.is_some() || cask.is_some()).then_some(Self { label, cask })
    }
}

#[derive(Debug, Default)]
pub(super) struct Projection {
    pub(super) content: Map<String, Value>,
    pub(super) used: SourceSet,
    pub(super) warnings: Vec<String>,
    pub(super) download: Option<Source>,
}

impl<'a> LabelInputs<'a> {
    pub(super) fn of(parsed: &'a ParsedSources<'_>, arguments: Option<&'a Value>) -> Self {
        Self {
            arguments,
            label_source: parsed.sources.label_tool.as_ref(),
            label: parsed.label.as_ref(),
            cask: parsed.cask.as_ref(),
            entry: &parsed.entry,
            installer: parsed.sources.mdm_installer.as_ref(),
        }
    }

    pub(super) fn on_intel(&self, intel: &'a IntelValues) -> Self {
        Self {
            label: intel.label.as_ref().or(self.label),
            cask: intel.cask.as_ref().or(self.cask),
            ..*self
        }
    }

    /// Whether the download of this source runs only on Apple silicon.
    pub(super) fn needs_apple_silicon(&self, download: Option<Source>) -> bool {
        download == Some(Source::CaskCatalog)
            && self.cask.is_some_and(|cask| cask.runs_on == RunsOn::AppleSilicon)
    }

    /// The Team IDs that other apps of the publisher are signed with.
    fn team_ids_of_publisher(&self) -> &'static [TeamId] {
        let label = self.label_source.zip(self.label);
        // The publisher is the same on every Mac, so this is never the entry for Intel.
        let id = self.cask.and_then(|cask| cask.find_bundle_id(self.entry)).map(|choice| choice.id);
        let evidence = Evidence::of(label, self.cask, id.as_deref(), self.installer);
        let publisher = publishers::directory().find(&evidence);
        publisher.map_or(&[], |publisher| &publisher.team_ids)
    }

    /// Builds the variables and omits those that do not match the download.
    pub(super) fn project(&self) -> Projection {
        let (label, cask) = (self.label, self.cask);
        let name = self.label_source.map_or("", |label| label.label_name.as_str());
        let named = label.map(|label| (name, label));
        let sources = VersionedSources::new(named, cask, self.installer);
        let newest = Newest::choose(sources);
        let origin = Download::to_install(sources, newest.as_ref()).map(|download| download.origin);
        let method = origin.as_ref().and_then(|origin| origin.method);
        let download =
            origin.as_ref().filter(|origin| origin.url.is_some()).map(|origin| origin.source);
        let mut made = Projection { download, ..Projection::default() };
        let from_label = |key: &str| Some((Source::LabelTool, label?.text(key)?.to_owned()));

        let app = AppName::choose(label, cask, download);
        made.set("name", app.name.clone());
        made.set(
            "type",
            origin.as_ref().and_then(|o| Some((o.source, o.method?.word().to_owned()))),
        );
        let receipt = || {
            let cask = cask.filter(|_| method.is_some_and(InstallMethod::is_package))?;
            Some((Source::CaskCatalog, cask.package_id.clone()?))
        };
        // The receipt of the label's package does not apply to an app from another source.
        let is_labels_download =
            origin.as_ref().is_none_or(|origin| origin.source == Source::LabelTool);
        let keeps_receipt = is_labels_download || method.is_none_or(InstallMethod::is_package);
        made.set("packageID", from_label("packageID").filter(|_| keeps_receipt).or_else(receipt));
        made.set(
            "downloadURL",
            origin.as_ref().and_then(|o| Some((o.source, o.url.as_ref()?.as_str().to_owned()))),
        );
        made.set("appNewVersion", offered_version(origin.as_ref(), newest.as_ref(), label));
        made.set(
            "expectedTeamID",
            from_label("expectedTeamID")
                .filter(|(_, text)| TeamId::parse(text).is_ok() || text == SIGNED_BY_APPLE),
        );
        made.warn_of_missing(|| self.team_ids_of_publisher());
        made.warnings.extend(older_version(origin.as_ref(), newest.as_ref()));
        if let Some(deprecation) = cask.and_then(|cask| cask.deprecation.as_ref()) {
            made.warnings.push(format!("downloadURL: {}", describe_deprecation(deprecation)));
        }
        made.set("appName", app.archived);
        if method.is_some_and(|method| !method.is_package()) {
            made.warnings.extend(app.warning);
        }
        if let Some(label) = label {
            let variables = DownloadVariables::compare(label, cask, download, method);
            made.carry_over(label, |variable, value| {
                let fits = match variable {
                    "appName" => app.is_labels,
                    "archiveName" => is_labels_download && archive_fits(value, method),
                    _ => variables.fits(variable),
                };
                fits && is_labels_own(variable)
            });
            made.warnings.extend(variables.warning(self.arguments, label));
        }
        if let Some(cask) = cask.filter(|_| download == Some(Source::CaskCatalog)) {
            made.add_installer(cask, origin.as_ref());
        }
        made
    }
}

/// The version of the file at the URL. The source of the URL is preferred if it states that
/// version, because the label's other variables fit its spelling.
fn offered_version(
    origin: Option<&Origin>,
    newest: Option<&Newest<'_>>,
    label: Option<&Literals>,
) -> Option<(Source, String)> {
    let newest = newest?;
    let Some(origin) = origin else {
        // Only the label and the cask describe the app that a label without a download is for.
        let stated = (newest.chosen.source, newest.chosen.version.to_owned());
        return Some(stated).filter(|(source, _)| *source != Source::MdmInstaller);
    };
    let stated = origin.version.clone().map(|version| (origin.source, version));
    // With a version key, a label states another number of the app than the others.
    let has_key = label.is_some_and(|label| label.text("versionKey").is_some());
    let is_replaced = |source| newest.replaces(source) || (newest.respells(source) && !has_key);
    match (origin.offer, stated) {
        (Offer::Other, stated) => stated.filter(|(_, version)| Version::parse(version).is_some()),
        (_, Some((source, version))) if !is_replaced(source) => Some((source, version)),
        _ => Some((newest.chosen.source, newest.chosen.version.to_owned())),
    }
}

fn older_version(origin: Option<&Origin>, newest: Option<&Newest<'_>>) -> Option<String> {
    let newest = newest?.chosen;
    (origin?.offer == Offer::Other).then(|| {
        format!(
            "appNewVersion: {} states {}, but no download of that version is known that can be \
             installed",
            newest.source.token(),
            newest.version
        )
    })
}

fn archive_fits(archive: &Value, method: Option<InstallMethod>) -> bool {
    let extension = archive.as_str().and_then(package_type::extension);
    match (extension, method) {
        (Some((_, kind)), Some(method)) => kind.fits(method),
        _ => true,
    }
}

impl Projection {
    fn set(&mut self, variable: &str, value: Option<(Source, String)>) {
        if let Some((source, text)) = value {
            self.content.insert(variable.to_owned(), Value::String(text));
            self.used = self.used.with(source);
        }
    }

    /// Warns of required variables without a value. The Team IDs of other apps of the publisher
    /// are only a hint: an app can have another signer.
    fn warn_of_missing(&mut self, team_ids: impl Fn() -> &'static [TeamId]) {
        let missing =
            LEADING_VARIABLES.iter().filter(|(name, _)| !self.content.contains_key(*name));
        let hint = || match team_ids() {
            [] => String::new(),
            ids => {
                let ids: Vec<&str> = ids.iter().map(TeamId::as_str).collect();
                format!("; other apps of this publisher are signed with {}", ids.join(", "))
            }
        };
        self.warnings.extend(missing.filter_map(|(name, advice)| {
            let hint = if *name == "expectedTeamID" { hint() } else { String::new() };
            Some(format!("{name}: {}{hint}", (*advice)?))
        }));
    }

    /// Adds what the label tool needs to install the cask's download: the program to run, or the
    /// package to choose.
    fn add_installer(&mut self, cask: &CaskFacts, origin: Option<&Origin>) {
        let is_package = |origin: &Origin| {
            matches!(origin.method, Some(InstallMethod::PkgInDmg | InstallMethod::PkgInZip))
        };
        let has_program = ["installerTool", "CLIInstaller"]
            .iter()
            .any(|variable| self.content.contains_key(*variable));
        if let Some(installer) = cask.installer.as_ref().filter(|_| !has_program) {
            let of_cask = |text: &String| Some((Source::CaskCatalog, text.clone()));
            self.set("installerTool", of_cask(&installer.app));
            self.set("CLIInstaller", of_cask(&installer.program));
            if !installer.arguments.is_empty() {
                let arguments = installer.arguments.iter().cloned().map(Value::String).collect();
                self.content.insert(ARGUMENTS.to_owned(), Value::Array(arguments));
            }
        }
        if let [_, _, ..] = cask.app_names.as_slice()
            && let Some(name) = self.content.get("name").and_then(Value::as_str)
        {
            let count = cask.app_names.len();
            self.warnings
                .push(format!("name: the cask installs {count} apps, this label only {name}"));
        }
        let Some(package) = cask.packages.first().filter(|_| origin.is_some_and(is_package)) else {
            return;
        };
        if self.content.contains_key("pkgName") {
            return;
        }
        // The name of a package often contains its version. If the URL gives another one some day,
        // the label tool must look for the package itself.
        let moves = origin.is_some_and(|origin| origin.names_no_version);
        if !(moves && package.contains(|character: char| character.is_ascii_digit())) {
            self.set("pkgName", Some((Source::CaskCatalog, package.clone())));
        }
        if cask.packages.len() > 1 {
            self.warnings.push(format!(
                "pkgName: the cask installs {} packages, this label only {package}",
                cask.packages.len()
            ));
        }
    }

    /// Adds the label's other literal variables that fit.
    fn carry_over(&mut self, label: &Literals, fits: impl Fn(&str, &Value) -> bool) {
        for (variable, value) in label.all() {
            let leading = LEADING_VARIABLES.iter().any(|(name, _)| *name == variable);
            if !leading && !self.content.contains_key(variable) && fits(variable, value) {
                self.content.insert(variable.to_owned(), value.clone());
                self.used = self.used.with(Source::LabelTool);
            }
        }
    }
}
