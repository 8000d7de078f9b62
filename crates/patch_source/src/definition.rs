//! The answers: summaries, definitions, and the apps without one.
//!
//! A summary and the definition of the same title are made of the same values, so they agree. No key is
//! null.

use appstitch_types::Source;
use jiff::{Timestamp, civil::Date};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    candidate::Candidate,
    choose::Title,
    id::title_id,
    published::{PublishedVersion, TitleHistory},
    reason::Reason,
};

/// A title in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PatchSummary)]
pub struct Summary {
    /// The name of the app.
    pub name: String,
    /// The vendor; the name of the app if no source knows the vendor.
    pub publisher: String,
    /// When the definition last changed.
    #[schema(value_type = String, format = "date-time")]
    pub last_modified: Timestamp,
    /// The newest version.
    pub current_version: String,
    /// The app's slug, with `-at-` for `@` and `-plus-` for `+`.
    #[schema(pattern = "^[A-Za-z0-9._-]+$")]
    pub id: String,
}

/// Everything that Jamf needs to report an app's versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PatchDefinition)]
pub struct Definition {
    /// The app's slug, with `-at-` for `@` and `-plus-` for `+`.
    #[schema(pattern = "^[A-Za-z0-9._-]+$")]
    pub id: String,
    /// The name of the app.
    pub name: String,
    /// The vendor; the name of the app if no source knows the vendor.
    pub publisher: String,
    /// The file of the app; empty if no source names it.
    pub app_name: String,
    /// The bundle identifier.
    pub bundle_id: String,
    /// When the definition last changed.
    #[schema(value_type = String, format = "date-time")]
    pub last_modified: Timestamp,
    /// The newest version; one of the patches has it.
    pub current_version: String,
    /// Finds the Macs that have any version.
    pub requirements: Vec<Criterion>,
    /// The versions, newest first: at most 100.
    pub patches: Vec<Patch>,
    /// Always empty: the catalog serves no code.
    #[schema(value_type = Vec<Object>)]
    pub extension_attributes: [(); 0],
}

/// A version of an app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PatchVersion)]
pub struct Patch {
    /// The version.
    pub version: String,
    /// When the version was released; when the catalog first had it if that is not known.
    #[schema(value_type = String, format = "date-time")]
    pub release_date: Timestamp,
    /// Whether the version can be installed without an earlier one: always true.
    pub standalone: bool,
    /// The oldest macOS that the version needs, as far as it is known.
    pub minimum_operating_system: String,
    /// Whether installing needs a restart: always false.
    pub reboot: bool,
    /// The apps that must not run.
    pub kill_apps: Vec<KillApp>,
    /// Finds the Macs that have the version.
    pub components: Vec<Component>,
    /// Finds the Macs that can run the version.
    pub capabilities: Vec<Criterion>,
    /// Always empty: Jamf does not use it.
    #[schema(value_type = Vec<Object>)]
    pub dependencies: [(); 0],
}

/// An app that must not run while the version is installed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PatchKillApp)]
pub struct KillApp {
    /// The bundle identifier.
    pub bundle_id: String,
    /// The file of the app.
    pub app_name: String,
}

/// What finds the Macs that have a version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = PatchComponent)]
pub struct Component {
    /// The name of the app.
    pub name: String,
    /// The version.
    pub version: String,
    /// All of them have to hold.
    pub criteria: Vec<Criterion>,
}

/// A criterion, as in a smart group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = PatchCriterion)]
pub struct Criterion {
    /// What is compared.
    pub name: &'static str,
    /// How it is compared.
    pub operator: &'static str,
    /// What it is compared with.
    pub value: String,
    /// Where the value comes from: always the inventory.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Whether it has to hold together with the ones before; if not, it begins an alternative.
    pub and: bool,
}

/// An app without a definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = PatchOmittedApp)]
pub struct OmittedApp {
    /// The app's slug.
    pub slug: String,
    /// Why it has none.
    pub reason: Reason,
    /// The reason in words.
    pub detail: String,
}

impl Summary {
    pub fn new(app: &Candidate, history: &TitleHistory) -> Self {
        Self {
            name: app.name.clone(),
            publisher: app.publisher().to_owned(),
            last_modified: history.modified,
            current_version: version(app),
            id: title_id(&app.slug).into_owned(),
        }
    }
}

impl Definition {
    /// `minimum` is the macOS version that is required of apps whose requirement is not known.
    pub fn new(app: &Candidate, title: Title, history: &TitleHistory, minimum: &str) -> Self {
        let Summary { name, publisher, last_modified, current_version, id } =
            Summary::new(app, history);
        let bundle_id = app.bundle_id.as_deref().unwrap_or_default();
        let requirements = requirements(app, title, history);
        let patches = history.versions.iter();
        Self {
            app_name: app.app_file.clone().unwrap_or_default(),
            bundle_id: bundle_id.to_owned(),
            patches: patches.map(|version| patch(app, title, version, minimum)).collect(),
            requirements,
            extension_attributes: [],
            name,
            publisher,
            last_modified,
            current_version,
            id,
        }
    }
}

impl OmittedApp {
    /// `other` is the slug of the app that has what both need.
    pub fn new(app: &Candidate, reason: Reason, other: Option<&str>) -> Self {
        let version = app.version.as_deref().unwrap_or_default();
        let other = other.unwrap_or_default();
        let detail = match reason {
            Reason::NoBundleId => "No source knows the bundle identifier".to_owned(),
            Reason::UnsureBundleId => format!(
                "The bundle identifier '{}' may be that of a part or of another program",
                app.bundle_id.as_deref().unwrap_or_default()
            ),
            Reason::NoVersion => "No source knows the version".to_owned(),
            Reason::BuildVersion => format!(
                "{version} may be the version of the build (CFBundleVersion), not the one that Jamf \
                 compares (CFBundleShortVersionString)"
            ),
            Reason::VersionElsewhere => format!(
                "Installomator does not find {version} in the app's version \
                 (CFBundleShortVersionString), so the app may show another one"
            ),
            Reason::VersionForm => {
                format!("Apps do not show a version like {version}, so Jamf would not find it")
            }
            Reason::OtherVersion => match &app.other_version {
                Some(other) => format!(
                    "{} writes the version as {}, the catalog as {version}: which of them the app \
                     shows is not known",
                    Source::product_of(&other.source),
                    other.version
                ),
                None => format!("Another source does not write the version as {version}"),
            },
            Reason::SharedBundleId => format!("'{other}' has the same bundle identifier"),
            Reason::SharedId => format!("'{other}' has the same identifier as a title"),
        };
        Self { slug: app.slug.clone(), reason, detail }
    }
}

fn version(app: &Candidate) -> String {
    app.version.clone().unwrap_or_default()
}

fn patch(app: &Candidate, title: Title, published: &PublishedVersion, minimum: &str) -> Patch {
    let PublishedVersion { version, released, minimum_macos, bundle_id } = published;
    let minimum = minimum_macos.as_deref().unwrap_or(minimum);
    let bundle_id = bundle_id.as_ref().or(app.bundle_id.as_ref());
    let mut criteria = installed(app, title, bundle_id.map_or("", String::as_str));
    criteria.push(criterion("Application Version", "is", version));
    Patch {
        version: version.clone(),
        release_date: *released,
        standalone: true,
        minimum_operating_system: minimum.to_owned(),
        reboot: false,
        kill_apps: kill_app(app).into_iter().collect(),
        components: vec![Component { name: app.name.clone(), version: version.clone(), criteria }],
        capabilities: vec![criterion("Operating System Version", "greater than or equal", minimum)],
        dependencies: [],
    }
}

/// What finds any version of the app, also those that had another identifier.
fn requirements(app: &Candidate, title: Title, history: &TitleHistory) -> Vec<Criterion> {
    let current = app.bundle_id.as_deref().unwrap_or_default();
    let mut all = vec![current];
    let former = history.versions.iter().filter_map(|version| version.bundle_id.as_deref());
    // Alternatives of several criteria each would need brackets, which Jamf's definitions do not have.
    for id in former.filter(|_| !title.by_file) {
        if !all.contains(&id) {
            all.push(id);
        }
    }
    let mut criteria = Vec::new();
    for id in all {
        let mut found = installed(app, title, id);
        if let Some(first) = found.first_mut() {
            first.and = criteria.is_empty();
        }
        criteria.append(&mut found);
    }
    criteria
}

/// What finds the app with an identifier.
fn installed(app: &Candidate, title: Title, bundle_id: &str) -> Vec<Criterion> {
    let file = app.app_file.as_deref().filter(|_| title.by_file);
    let by_id = criterion("Application Bundle ID", "is", bundle_id);
    let by_file = file.map(|file| criterion("Application Title", "is", file));
    [by_id].into_iter().chain(by_file).collect()
}

fn kill_app(app: &Candidate) -> Option<KillApp> {
    Some(KillApp { bundle_id: app.bundle_id.clone()?, app_name: app.app_file.clone()? })
}

fn criterion(name: &'static str, operator: &'static str, value: &str) -> Criterion {
    Criterion { name, operator, value: value.to_owned(), kind: "recon", and: true }
}

/// An answer of each kind. It differs between two versions of the program exactly if they write
/// answers differently.
pub fn sample() -> impl Serialize {
    let app = Candidate {
        slug: "sample".to_owned(),
        name: "Sample".to_owned(),
        bundle_id: Some("com.example.sample".to_owned()),
        version: Some("1.0".to_owned()),
        app_file: Some("Sample.app".to_owned()),
        ..Candidate::default()
    };
    let title = Title { app: 0, by_file: true };
    let modified = Date::constant(2026, 1, 1);
    let modified = modified.to_zoned(jiff::tz::TimeZone::UTC).map(|time| time.timestamp());
    let modified = modified.unwrap_or_default();
    let history = TitleHistory::first(&app, modified);
    let omitted = Reason::ALL.map(|reason| OmittedApp::new(&app, reason, Some("other")));
    let definition = Definition::new(&app, title, &history, crate::DEFAULT_MINIMUM);
    (Summary::new(&app, &history), definition, omitted)
}

#[cfg(test)]
mod tests;
