//! The parameters of the tools.

use ParameterKind::{Document, Limit, Offset, OptionalText, Sources, Text};

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
    /// Sources to compare, separated by commas, or null.
    Sources,
    /// The maximum number of rows: its default and its cap.
    Limit(usize, usize),
    Offset,
}

impl Parameter {
    const fn new(name: &'static str, kind: ParameterKind, description: &'static str) -> Self {
        Self { name, kind, description }
    }
}

const fn limit(default: usize, description: &'static str) -> Parameter {
    Parameter::new("limit", Limit(default, 100), description)
}

const VENDOR: Parameter = Parameter::new(
    "vendor",
    OptionalText,
    "Only apps of this vendor; the full name, ignoring case",
);

const SLUG: Parameter = Parameter::new(
    "slug",
    Text,
    "The app's slug as returned by other tools, for example \"firefoxpkg\"; not the display name. Use find_app to find it",
);

pub(crate) const ONE_APP: &[Parameter] = &[SLUG];

pub(crate) const FIND_APP: &[Parameter] = &[
    Parameter::new(
        "query",
        Text,
        "What to look for, for example \"vs code\" or \"com.google.Chrome\"; up to 200 characters",
    ),
    VENDOR,
    Parameter::new(
        "source",
        OptionalText,
        "Only apps with this source: label_tool, cask_catalog, recipe_index or mdm_installer",
    ),
    limit(10, "Maximum number of apps to return, up to 100"),
    Parameter::new("offset", Offset, "Number of apps to skip, for paging"),
];

pub(crate) const SEARCH_APPS: &[Parameter] = &[
    Parameter::new("query", Text, "The text to search for; an empty string matches all apps"),
    limit(20, "Maximum number of apps to return, up to 100"),
];

pub(crate) const LIST_DRIFT: &[Parameter] = &[
    VENDOR,
    Parameter::new(
        "source",
        OptionalText,
        "Only entries with a version from this source: label_tool, cask_catalog, or mdm_installer if it is included",
    ),
    Parameter::new(
        "include",
        Sources,
        "Further sources to compare, separated by commas: mdm_installer (installer titles), store_listing (App Store)",
    ),
    limit(25, "Maximum number of entries to return, up to 100"),
    Parameter::new("offset", Offset, "Number of entries to skip, for paging"),
];

pub(crate) const LIST_CHANGES: &[Parameter] = &[
    Parameter::new(
        "since",
        OptionalText,
        "Only changes after this point: a time such as 2026-08-22T00:00:00Z, a day such as 2026-08-22, or next of an earlier result; null for the newest changes",
    ),
    VENDOR,
    Parameter::new("slug", OptionalText, "Only the app with this slug"),
    Parameter::new(
        "kind",
        OptionalText,
        "Only changes of this kind: added, changed, removed or renamed",
    ),
    Parameter::new(
        "field",
        OptionalText,
        "Only changes of this field, for example current_version",
    ),
    limit(25, "Maximum number of changes to return, up to 100"),
];

pub(crate) const CHECK_INVENTORY: &[Parameter] = &[
    Parameter::new(
        "inventory",
        Document,
        "The list of installed apps as text, in the format in which the tool wrote it",
    ),
    Parameter::new(
        "verdicts",
        OptionalText,
        "Return only apps with these verdicts, separated by commas, such as outdated,ambiguous,unmatched; all for every app. The default is outdated; the totals count every app",
    ),
];

pub(crate) const LIST_RECENT_CHANGES: &[Parameter] =
    &[limit(25, "Maximum number of apps to return, up to 100")];
