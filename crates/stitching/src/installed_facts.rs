//! What of an app is found on a Mac that has it: its file, the version that it shows, and what it needs.

use appstitch_text::served;
use appstitch_types::{App, AppSources, Source, SourceVersion};
use appstitch_versions::stated::Stated;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    agreement::Agreement,
    cask::{
        CaskFacts,
        bundle_ids::{Support, is_named_like_no_app},
    },
    details::{minimum_macos, minimum_of_listing},
    label::literal::Literals,
    parsed_sources::ParsedSources,
    version_place::{SHORT_VERSION, VersionPlace},
};

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct InstalledFacts {
    /// The file of the app itself, with `.app`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app_file: Option<String>,
    /// The oldest macOS that it needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum_macos: Option<String>,
    /// Where the current version is found.
    #[serde(default)]
    pub version_place: VersionPlace,
    /// Whether the version is that of a receipt, and another source does not state the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_of_receipt_alone: bool,
    /// What a source states that knows the version which the app shows, if that is written in another
    /// way than the record's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown_otherwise: Option<SourceVersion>,
    /// Whether only the cask shows the bundle identifier, and it may be that of a part.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_unsure_id: bool,
}

impl InstalledFacts {
    /// Whether neither the app's own version nor that of its build is known to be the current one.
    pub fn is_elsewhere(&self) -> bool {
        match self.version_place {
            VersionPlace::ShortVersion | VersionPlace::BundleVersion => false,
            VersionPlace::Receipt(_) => self.is_of_receipt_alone,
            VersionPlace::OtherKey | VersionPlace::Function | VersionPlace::Unknown => true,
        }
    }

    pub fn of(app: &App, parsed: &ParsedSources<'_>) -> Self {
        let (label, entry) = (parsed.label.as_ref(), &parsed.entry);
        Self::read(app, parsed.sources, label, entry, &parsed.agreement())
    }

    /// `label` and `entry` are the parsed payloads.
    pub(crate) fn read(
        app: &App,
        sources: &AppSources,
        label: Option<&Literals>,
        entry: &Map<String, Value>,
        agreement: &Agreement,
    ) -> Self {
        let cask = CaskFacts::of(entry);
        let listing = sources.store_listing.as_ref();
        let version_place = VersionPlace::of(app, label, sources.label_tool.as_ref());
        let key = label.and_then(|label| label.text("versionKey"));
        let is_short = key.is_none_or(|key| key == SHORT_VERSION);
        let current = app.current_version.as_deref();
        let is_confirmed = |current: &str| {
            let of_label = Source::LabelTool.token();
            agreement
                .compared()
                .any(|stated| stated.source != of_label && stated.version == current)
        };
        Self {
            app_file: app_file(&cask, label),
            minimum_macos: minimum_macos(entry).or_else(|| minimum_of_listing(listing?)),
            is_of_receipt_alone: matches!(version_place, VersionPlace::Receipt(_))
                && !current.is_some_and(is_confirmed),
            version_place,
            has_unsure_id: has_unsure_id(app, sources, label, &cask, entry),
            shown_otherwise: current.and_then(|current| {
                let mut shown = shown_versions(agreement, is_short);
                let otherwise = shown.find(|stated| is_other_notation(current, &stated.version));
                otherwise.cloned().or_else(|| without_build(&cask, current))
            }),
        }
    }
}

/// An identifier that another source gives as well needs no support of the cask.
fn has_unsure_id(
    app: &App,
    sources: &AppSources,
    label: Option<&Literals>,
    cask: &CaskFacts,
    entry: &Map<String, Value>,
) -> bool {
    let Some(id) = app.bundle_id.as_deref() else { return false };
    let others = [
        sources.mdm_installer.as_ref().and_then(|title| title.bundle_id.as_deref()),
        sources.store_listing.as_ref().map(|listing| listing.bundle_id.as_str()),
        label.and_then(|label| label.text("packageID")),
    ];
    let is_same = |other: &str| other.eq_ignore_ascii_case(id);
    if !is_named_like_no_app(id) || others.into_iter().flatten().any(is_same) {
        return false;
    }
    let choice = cask.find_bundle_id(entry);
    choice.is_some_and(|choice| choice.id == id && choice.support == Support::Doubtful)
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

/// The cask's version if the record's has its build as a further part: a cask writes behind a comma what
/// the app does not show with its version.
fn without_build(cask: &CaskFacts, current: &str) -> Option<SourceVersion> {
    let (version, _) = cask.full_version.as_deref()?.split_once(',')?;
    let is_longer = current.strip_prefix(version)?.starts_with('.');
    is_longer.then(|| SourceVersion {
        source: Source::CaskCatalog.token().to_owned(),
        version: version.to_owned(),
        parsed_ok: true,
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
