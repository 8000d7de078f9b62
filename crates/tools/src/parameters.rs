//! The parameters of the tools.

/// One parameter of a tool.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) kind: ParameterKind,
    pub(crate) description: &'static str,
}

/// The type of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ParameterKind {
    /// Required text.
    Text,
    /// A required document, as text or, if it is JSON, as it is.
    Document,
    /// Text or null.
    OptionalText,
    /// Sources to compare, separated by commas, or null.
    Sources,
    /// The maximum number of rows: its default and its cap.
    Limit(usize, usize),
    /// The number of rows to skip.
    Offset,
}

const SLUG: Parameter = Parameter {
    name: "slug",
    kind: ParameterKind::Text,
    description: "The app's slug as returned by other tools, for example \"firefoxpkg\"; not the display name. Use find_app to find it",
};

/// The slug of an app.
pub(crate) const ONE_APP: &[Parameter] = &[SLUG];

/// Those of `find_app`.
pub(crate) const FIND_APP: &[Parameter] = &[
    Parameter {
        name: "query",
        kind: ParameterKind::Text,
        description: "What to look for, for example \"vs code\" or \"com.google.Chrome\"; up to 200 characters",
    },
    Parameter {
        name: "vendor",
        kind: ParameterKind::OptionalText,
        description: "Only apps of this vendor; the full name, ignoring case",
    },
    Parameter {
        name: "source",
        kind: ParameterKind::OptionalText,
        description: "Only apps with this source: label_tool, cask_catalog, recipe_index or mdm_installer",
    },
    Parameter {
        name: "limit",
        kind: ParameterKind::Limit(10, 100),
        description: "Maximum number of apps to return, up to 100",
    },
    Parameter {
        name: "offset",
        kind: ParameterKind::Offset,
        description: "Number of apps to skip, for paging",
    },
];

/// Those of `search_apps`.
pub(crate) const SEARCH_APPS: &[Parameter] = &[
    Parameter {
        name: "query",
        kind: ParameterKind::Text,
        description: "The text to search for; an empty string matches all apps",
    },
    Parameter {
        name: "limit",
        kind: ParameterKind::Limit(20, 100),
        description: "Maximum number of apps to return, up to 100",
    },
];

/// Those of `list_drift`.
pub(crate) const LIST_DRIFT: &[Parameter] = &[
    Parameter {
        name: "vendor",
        kind: ParameterKind::OptionalText,
        description: "Only apps of this vendor; the full name, ignoring case",
    },
    Parameter {
        name: "source",
        kind: ParameterKind::OptionalText,
        description: "Only entries with a version from this source: label_tool, cask_catalog, or mdm_installer if it is included",
    },
    Parameter {
        name: "include",
        kind: ParameterKind::Sources,
        description: "Further sources to compare, separated by commas: mdm_installer (installer titles), store_listing (App Store)",
    },
    Parameter {
        name: "limit",
        kind: ParameterKind::Limit(25, 100),
        description: "Maximum number of entries to return, up to 100",
    },
    Parameter {
        name: "offset",
        kind: ParameterKind::Offset,
        description: "Number of entries to skip, for paging",
    },
];

/// Those of `list_changes`.
pub(crate) const LIST_CHANGES: &[Parameter] = &[
    Parameter {
        name: "since",
        kind: ParameterKind::OptionalText,
        description: "Only changes after this point: a time such as 2026-08-22T00:00:00Z, a day such as 2026-08-22, or next of an earlier result; null for the newest changes",
    },
    Parameter {
        name: "vendor",
        kind: ParameterKind::OptionalText,
        description: "Only apps of this vendor; the full name, ignoring case",
    },
    Parameter {
        name: "slug",
        kind: ParameterKind::OptionalText,
        description: "Only the app with this slug",
    },
    Parameter {
        name: "kind",
        kind: ParameterKind::OptionalText,
        description: "Only changes of this kind: added, changed, removed or renamed",
    },
    Parameter {
        name: "field",
        kind: ParameterKind::OptionalText,
        description: "Only changes of this field, for example current_version",
    },
    Parameter {
        name: "limit",
        kind: ParameterKind::Limit(25, 100),
        description: "Maximum number of changes to return, up to 100",
    },
];

/// Those of `check_inventory`.
pub(crate) const CHECK_INVENTORY: &[Parameter] = &[
    Parameter {
        name: "inventory",
        kind: ParameterKind::Document,
        description: "The list of installed apps as text, in the format in which the tool wrote it",
    },
    Parameter {
        name: "verdicts",
        kind: ParameterKind::OptionalText,
        description: "Return only apps with these verdicts, separated by commas, such as outdated,ambiguous,unmatched; all for every app. The default is outdated; the totals count every app",
    },
];

/// Those of `list_recent_changes`.
pub(crate) const LIST_RECENT_CHANGES: &[Parameter] = &[Parameter {
    name: "limit",
    kind: ParameterKind::Limit(25, 100),
    description: "Maximum number of apps to return, up to 100",
}];
