//! The parameters of the tools.

use ParameterKind::{Document, Limit, Offset, OptionalText, Text, Words};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) kind: ParameterKind,
    pub(crate) description: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ParameterKind {
    Text,
    /// A required document, as text or, if it is JSON, as it is.
    Document,
    OptionalText,
    /// A list of words, as an array or separated by commas, or null.
    Words,
    /// The maximum number of rows: its default and its cap.
    Limit(usize, usize),
    Offset,
}

impl Parameter {
    const fn new(name: &'static str, kind: ParameterKind, description: &'static str) -> Self {
        Self { name, kind, description }
    }
}

const fn limit(default: usize) -> Parameter {
    Parameter::new("limit", Limit(default, 100), "At most this many, up to 100")
}

const OFFSET: Parameter = Parameter::new("offset", Offset, "Skip this many, for paging");

const VENDOR: Parameter = Parameter::new(
    "vendor",
    OptionalText,
    "Only apps of this vendor: its full name, ignoring case",
);

const SLUG: Parameter = Parameter::new(
    "slug",
    Text,
    "The app's slug, such as \"firefoxpkg\", or another name that only this app has; not a display name",
);

pub(crate) const ONE_APP: &[Parameter] = &[SLUG];

pub(crate) const GET_APP_SOURCES: &[Parameter] = &[
    SLUG,
    Parameter::new(
        "source",
        OptionalText,
        "Only this payload, whole: label_tool (Installomator), cask_catalog (Homebrew), recipe_index (AutoPkg), store_listing (App Store) or mdm_installer (Jamf)",
    ),
];

pub(crate) const EXPORT_APP: &[Parameter] = &[
    SLUG,
    Parameter::new(
        "format",
        Text,
        "munki, autopkg, autopkg-download, intune, intune-preinstall, intune-postinstall, fleet, fleet-policy, osquery, osquery-pack or installomator",
    ),
];

pub(crate) const COMPARE_VERSIONS: &[Parameter] = &[
    Parameter::new("a", Text, "A version, such as 5.7.3"),
    Parameter::new("b", Text, "The version to compare it with"),
];

pub(crate) const FIND_APP: &[Parameter] = &[
    Parameter::new(
        "query",
        Text,
        "What to look for, such as \"vs code\" or \"com.google.Chrome\"; up to 200 characters",
    ),
    VENDOR,
    Parameter::new(
        "source",
        OptionalText,
        "Only apps with this source: label_tool (Installomator), cask_catalog (Homebrew), recipe_index (AutoPkg), mdm_installer (Jamf) or store_listing (App Store)",
    ),
    limit(10),
    OFFSET,
];

pub(crate) const SEARCH_APPS: &[Parameter] =
    &[Parameter::new("query", Text, "The text; empty for all apps"), limit(20)];

pub(crate) const LIST_DRIFT: &[Parameter] = &[
    VENDOR,
    Parameter::new(
        "source",
        OptionalText,
        "Only entries with a version from this source: label_tool (Installomator), cask_catalog (Homebrew), or one from include",
    ),
    Parameter::new(
        "include",
        Words,
        "Further sources to compare: mdm_installer (Jamf App Installers), store_listing (App Store)",
    ),
    limit(25),
    OFFSET,
];

pub(crate) const LIST_CATEGORIES: &[Parameter] = &[
    Parameter::new("limit", Limit(1000, 5000), "At most this many vendors, up to 5000"),
    Parameter::new("offset", Offset, "Skip this many vendors, for paging"),
];

pub(crate) const LIST_CHANGES: &[Parameter] = &[
    Parameter::new(
        "since",
        OptionalText,
        "Only changes after this: yesterday, 2d (two days ago), 12h, a day such as 2026-08-22, a time such as 2026-08-22T00:00:00Z, or next of an earlier result",
    ),
    VENDOR,
    Parameter::new("slug", OptionalText, "Only the app with this slug"),
    Parameter::new("kind", OptionalText, "Only added, changed, removed or renamed"),
    Parameter::new("field", OptionalText, "Only changes of this field, such as current_version"),
    limit(25),
];

pub(crate) const CHECK_INVENTORY: &[Parameter] = &[
    Parameter::new(
        "inventory",
        Document,
        "The list of installed apps as text, in the format in which the tool wrote it",
    ),
    Parameter::new(
        "verdicts",
        Words,
        "Only apps with these verdicts, such as outdated, ambiguous, unmatched; all for every app. The default is outdated; the totals count every app",
    ),
];

pub(crate) const LIST_RECENT_CHANGES: &[Parameter] = &[limit(25)];
