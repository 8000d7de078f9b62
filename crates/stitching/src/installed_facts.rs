//! What of an app is found on a Mac that has it: its file, the version that it shows, and what it needs.

use appstitch_text::served;
use appstitch_types::{App, Source, SourceVersion, StoreListingSource};
use appstitch_versions::stated::Stated;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    agreement::Agreement,
    cask::CaskFacts,
    details::{minimum_macos, minimum_of_listing},
    label::literal::Literals,
};

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct InstalledFacts {
    /// The file of the app itself, with `.app`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app_file: Option<String>,
    /// The oldest macOS that it needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum_macos: Option<String>,
    /// Whether the label compares the version of the build, `CFBundleVersion`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub counts_builds: bool,
    /// What a source states that knows the version which the app shows, if that is written in another
    /// way than the record's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown_otherwise: Option<SourceVersion>,
}

impl InstalledFacts {
    /// `label` and `entry` are the parsed payloads.
    pub(crate) fn read(
        app: &App,
        listing: Option<&StoreListingSource>,
        label: Option<&Literals>,
        entry: &Map<String, Value>,
        agreement: &Agreement,
    ) -> Self {
        let cask = CaskFacts::of(entry);
        let version_key = label.and_then(|label| label.text("versionKey"));
        let counts_builds = version_key == Some("CFBundleVersion");
        let current = app.current_version.as_deref();
        Self {
            app_file: app_file(&cask, label),
            minimum_macos: minimum_macos(entry).or_else(|| minimum_of_listing(listing?)),
            counts_builds,
            shown_otherwise: current.and_then(|current| {
                let mut shown = shown_versions(agreement, version_key.is_none());
                shown.find(|stated| is_other_notation(current, &stated.version)).cloned()
            }),
        }
    }
}

/// The file of the app itself. A label that installs a package names it only if it has an `appName`.
fn app_file(cask: &CaskFacts, label: Option<&Literals>) -> Option<String> {
    let of_cask = cask.app_name.as_deref().or(cask.removed_app.as_deref());
    let of_label = || {
        let label = label?;
        let is_package = label.text("type").is_none_or(|method| method.starts_with("pkg"));
        let name = label.text("appName").or_else(|| label.name().filter(|_| !is_package))?;
        let file = name.rsplit('/').next()?;
        Some(file.strip_suffix(".app").unwrap_or(file))
    };
    let file = format!("{}.app", of_cask.or_else(of_label)?);
    served::check_text("app_files", &file).is_ok().then_some(file)
}

/// The versions of the sources that state what the app shows. The label tool compares the version of a
/// label with it, unless the label names another key; a listing has nothing else.
fn shown_versions(
    agreement: &Agreement,
    is_label_shown: bool,
) -> impl Iterator<Item = &SourceVersion> {
    agreement.compared().filter(move |stated| {
        let of = |source: Source| stated.source == source.token();
        of(Source::StoreListing) || (is_label_shown && of(Source::LabelTool))
    })
}

/// Whether two versions cannot be written by the same app: one says less than the other about the same
/// release, or they are counted in different ways.
fn is_other_notation(current: &str, shown: &str) -> bool {
    if current == shown {
        return false;
    }
    match Stated::compare(current, shown) {
        // `v1.2` for `1.2` does not say how the app writes it, but `1.2.0` for `1.2` does.
        Stated::Same(_) => true,
        Stated::Different(_) => !Stated::are_counted_alike(current, shown),
    }
}
