//! The variables of a label that is being made, and its warnings.

use appstitch_types::{InstallMethod, Source, SourceSet, TeamId};
use serde_json::{Map, Value};

use super::{departure, literal::Literals, origin::Origin};
use crate::{cask::CaskFacts, publishers::Publisher};

pub(super) const VERSION: &str = "appNewVersion";

pub(super) const TEAM_ID: &str = "expectedTeamID";

/// The variables with a fixed order. Required ones have a warning for when the value is missing.
const LEADING_VARIABLES: [(&str, Option<&str>); 6] = [
    (
        "name",
        Some("file name of the app unknown; set it to the name in /Applications without .app"),
    ),
    ("type", Some("package format unknown; download the file to check it")),
    ("packageID", None),
    ("downloadURL", Some("no fixed URL known; set it manually")),
    (VERSION, Some("newest version unknown; without it, the label installs every time")),
    (TEAM_ID, Some("Team ID unknown; get it with codesign -dv")),
];

pub(super) const ARGUMENTS: &str = "CLIArguments";

#[derive(Debug, Default)]
pub(super) struct Projection {
    pub(super) content: Map<String, Value>,
    pub(super) used: SourceSet,
    pub(super) warnings: Vec<String>,
    pub(super) download: Option<Source>,
    /// The version that the source of the download states.
    pub(super) stated: Option<String>,
}

impl Projection {
    pub(super) fn set(&mut self, variable: &str, value: Option<(Source, String)>) {
        if let Some((source, text)) = value {
            self.content.insert(variable.to_owned(), Value::String(text));
            self.used = self.used.with(source);
        }
    }

    pub(super) fn set_list(&mut self, variable: &str, texts: &[String]) {
        if !texts.is_empty() {
            let texts = texts.iter().cloned().map(Value::String).collect();
            self.content.insert(variable.to_owned(), Value::Array(texts));
        }
    }

    /// Whether both have a file of the same release from the same source.
    pub(super) fn is_same_release(&self, other: &Self) -> bool {
        let url = |made: &Self| made.content.get("downloadURL").cloned();
        let is_stated = self.stated.is_some() && self.stated == other.stated;
        self.download == other.download && (is_stated || url(self) == url(other))
    }

    /// Adds a Team ID if the label has none. No source of the app states it as such, so somebody
    /// should look at it.
    pub(super) fn add_team_id(&mut self, id: Option<&TeamId>, origin: impl Fn() -> String) {
        if let Some(id) = id.filter(|_| !self.content.contains_key(TEAM_ID)) {
            self.content.insert(TEAM_ID.to_owned(), Value::String(id.to_string()));
            self.warnings.push(format!("{TEAM_ID}: {}; check it with codesign -dv", origin()));
        }
    }

    /// Warns of required variables without a value. The Team IDs of other apps of the publisher
    /// are only a hint: an app can have another signer.
    pub(super) fn warn_of_missing(
        &mut self,
        no_type: impl Fn() -> Option<String>,
        publisher: Option<&Publisher>,
    ) {
        let missing =
            LEADING_VARIABLES.iter().filter(|(name, _)| !self.content.contains_key(*name));
        let hint = || {
            let ids = publisher.map_or(&[][..], |publisher| &publisher.team_ids);
            let ids: Vec<&str> = ids.iter().map(TeamId::as_str).collect();
            (!ids.is_empty()).then(|| {
                format!("; other apps of this publisher are signed with {}", ids.join(", "))
            })
        };
        self.warnings.extend(missing.filter_map(|(name, advice)| {
            let hint = if *name == TEAM_ID { hint() } else { None };
            let reason = if *name == "type" { no_type() } else { None };
            let advice = reason.or(advice.map(str::to_owned))?;
            Some(format!("{name}: {advice}{}", hint.unwrap_or_default()))
        }));
    }

    /// Where this departs from the label, unless another warning tells about that variable.
    pub(super) fn departures(&self, label: &Literals) -> Vec<String> {
        let variable = |warning: &String| warning.split(':').next().map(str::to_owned);
        let told: Vec<_> = self.warnings.iter().map(variable).collect();
        let mut departures = departure::warnings(label, &self.content);
        departures.retain(|warning| !told.contains(&variable(warning)));
        departures
    }

    /// Adds what the label tool needs to install the cask's download: the program to run, or the
    /// package to choose.
    pub(super) fn add_installer(&mut self, cask: &CaskFacts, origin: Option<&Origin>) {
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
            self.set_list(ARGUMENTS, &installer.arguments);
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
    pub(super) fn carry_over(&mut self, label: &Literals, fits: impl Fn(&str, &Value) -> bool) {
        for (variable, value) in label.all() {
            let leading = LEADING_VARIABLES.iter().any(|(name, _)| *name == variable);
            if !leading && !self.content.contains_key(variable) && fits(variable, value) {
                self.content.insert(variable.to_owned(), value.clone());
                self.used = self.used.with(Source::LabelTool);
            }
        }
    }
}
