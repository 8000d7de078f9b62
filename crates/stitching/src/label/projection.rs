//! Builds the variables of a label from the sources.

use appstitch_text::served;
use appstitch_types::{
    App, AppSources, InstallMethod, LabelToolSource, MdmInstallerSource, Source, TeamId,
};
use serde_json::{Map, Value};

use super::{
    app_name::AppName,
    content::{ARGUMENTS, Projection, TEAM_ID, VERSION},
    download_variables::DownloadVariables,
    literal::Literals,
    no_type,
    offered_version::{self, offered_version},
    origin::Download,
    variable::is_labels_own,
};
use crate::{
    cask::{
        CaskFacts, RunsOn,
        deprecation::{describe_deprecation, fails_gatekeeper},
    },
    newest::{Newest, VersionedSources},
    package_type,
    parsed_sources::ParsedSources,
    publishers::{self, Evidence, Publisher},
};

/// The `expectedTeamID` of labels for software signed by Apple; the tool accepts it.
const SIGNED_BY_APPLE: &str = "Software Update";

const DISPLAYED_NAME: &str = "name: this is the display name; if the package installs an app of \
                              another name, the label installs every time";

#[derive(Clone, Copy)]
pub(super) struct LabelInputs<'a> {
    /// The raw arguments of the label's installer program, which may need a shell.
    arguments: Option<&'a Value>,
    label_source: Option<&'a LabelToolSource>,
    label: Option<&'a Literals>,
    cask: Option<&'a CaskFacts>,
    entry: &'a Map<String, Value>,
    installer: Option<&'a MdmInstallerSource>,
    /// The Team ID of the record, which need not come from a label.
    team_id: Option<&'a TeamId>,
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

impl<'a> LabelInputs<'a> {
    pub(super) fn of(
        app: &'a App,
        parsed: &'a ParsedSources<'_>,
        arguments: Option<&'a Value>,
    ) -> Self {
        Self {
            team_id: app.expected_team_id.as_ref(),
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

    fn publisher(&self) -> Option<&'static Publisher> {
        let label = self.label_source.zip(self.label);
        // The publisher is the same on every Mac, so this is never the entry for Intel.
        let id = self.cask.and_then(|cask| cask.find_bundle_id(self.entry)).map(|choice| choice.id);
        let evidence = Evidence::of(label, self.cask, id.as_deref(), self.installer);
        publishers::directory().find(&evidence)
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
        let package_name = || {
            let name = cask.filter(|cask| needs_no_app(cask, method))?.names.iter();
            name.filter(|name| !name.contains('/')).find(|name| is_text(name)).cloned()
        };
        let displayed = if app.name.is_none() { package_name() } else { None };
        let is_displayed = displayed.is_some();
        made.set("name", app.name.or_else(|| Some((Source::CaskCatalog, displayed?))));
        made.set(
            "type",
            origin.as_ref().and_then(|o| Some((o.source, o.method?.word().to_owned()))),
        );
        let receipt = || {
            // The label tool asks for a receipt before it looks for the app. An author who names
            // none wants the version of the app.
            let is_package = label.is_none() && method.is_some_and(InstallMethod::is_package);
            Some((Source::CaskCatalog, cask.filter(|_| is_package)?.package_id.clone()?))
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
        let offered = offered_version(origin.as_ref(), newest.as_ref(), label);
        let version_warning =
            offered_version::warning(origin.as_ref(), newest.as_ref(), offered.as_ref());
        made.set(VERSION, offered);
        made.stated = origin.as_ref().and_then(|origin| origin.version.clone());
        made.set(
            TEAM_ID,
            from_label(TEAM_ID)
                .filter(|(_, text)| TeamId::parse(text).is_ok() || text == SIGNED_BY_APPLE),
        );
        let of_cask = cask.filter(|_| download == Some(Source::CaskCatalog));
        let fails_gatekeeper = of_cask.is_some() && fails_gatekeeper(self.entry);
        made.add_team_id(self.team_id, || "no label states it".to_owned());
        let publisher = if made.content.contains_key(TEAM_ID) { None } else { self.publisher() };
        if let Some(publisher) = publisher.filter(|_| !fails_gatekeeper) {
            let others = || format!("other apps of {} are signed with it", publisher.name);
            made.add_team_id(publisher.signer(), others);
        }
        let reason = || no_type::reason(of_cask?, self.entry);
        made.warn_of_missing(reason, publisher);
        if is_displayed && !made.content.contains_key("packageID") {
            made.warnings.push(DISPLAYED_NAME.to_owned());
        }
        made.warnings.extend(version_warning);
        if let Some(deprecation) = cask.and_then(|cask| cask.deprecation.as_ref()) {
            let warning = format!("downloadURL: {}", describe_deprecation(deprecation));
            if fails_gatekeeper {
                // Nothing else that is missing matters then.
                made.warnings.insert(0, format!("{warning}; Installomator does not install it"));
            } else {
                made.warnings.push(warning);
            }
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
        if let Some(cask) = of_cask {
            made.add_installer(cask, origin.as_ref());
            made.set_list("curlOptions", &cask.curl_options);
        }
        let departures = label.map(|label| made.departures(label));
        made.warnings.extend(departures.into_iter().flatten());
        made
    }
}

/// Whether the label tool installs the download without looking for an app in it.
fn needs_no_app(cask: &CaskFacts, method: Option<InstallMethod>) -> bool {
    method.is_some_and(InstallMethod::is_package) || cask.installer.is_some()
}

fn is_text(name: &str) -> bool {
    served::check_text("name", name).is_ok()
}

fn archive_fits(archive: &Value, method: Option<InstallMethod>) -> bool {
    let extension = archive.as_str().and_then(package_type::extension);
    match (extension, method) {
        (Some((_, kind)), Some(method)) => kind.fits(method),
        _ => true,
    }
}
