//! The tools: their names, descriptions and results.

use std::{
    borrow::Cow,
    sync::{Arc, LazyLock},
};

use bytes::Bytes;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::{
    parameters::{self, Parameter, ParameterKind},
    schema::Output,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CatalogTool {
    GetCatalogSummary,
    FindApp,
    SearchApps,
    GetApp,
    ListDrift,
    ListCategories,
    GenerateLabel,
    GetAppSources,
    ListRecentChanges,
    ListChanges,
    CheckInventory,
    GetAppDetails,
    GetAppHistory,
    GetAppProvenance,
    CompareVersions,
    GetSourceStatus,
    ExportApp,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolOutput {
    /// The structured content, as JSON.
    pub json: Bytes,
    /// What the caller should know besides: which name was followed or is unknown, and how to get the
    /// rest of a truncated result.
    pub notes: Vec<String>,
}

impl ToolOutput {
    pub(crate) const fn of(json: Bytes) -> Self {
        Self { json, notes: Vec::new() }
    }
}

/// What is said of a tool.
pub(crate) struct ToolText {
    pub(crate) name: &'static str,
    title: &'static str,
    /// Helps a model choose between the tools. People call the sources by the names of the products.
    description: &'static str,
    pub(crate) parameters: &'static [Parameter],
    output: Output,
}

impl CatalogTool {
    pub(crate) const ALL: [Self; 17] = [
        Self::GetCatalogSummary,
        Self::FindApp,
        Self::SearchApps,
        Self::GetApp,
        Self::ListDrift,
        Self::ListCategories,
        Self::GenerateLabel,
        Self::GetAppSources,
        Self::ListRecentChanges,
        Self::ListChanges,
        Self::CheckInventory,
        Self::GetAppDetails,
        Self::GetAppHistory,
        Self::GetAppProvenance,
        Self::CompareVersions,
        Self::GetSourceStatus,
        Self::ExportApp,
    ];

    #[expect(clippy::too_many_lines, reason = "a row per tool")]
    pub(crate) const fn text(self) -> ToolText {
        match self {
            Self::GetCatalogSummary => ToolText {
                name: "get_catalog_summary",
                title: "Catalog summary",
                description: "Get the number of macOS apps in the catalog, in total and per source. It does not list apps; App Store listings are counted by get_source_status.",
                parameters: &[],
                output: Output::Object("CatalogSummary"),
            },
            Self::FindApp => ToolText {
                name: "find_app",
                title: "Find an app",
                description: "Find a macOS app by what people call it, best match first. Start here. The query can be a name, a slug, a Homebrew cask token, an Installomator label, a bundle identifier, a Team ID, a vendor, or words of these, in any order and with small typing errors. Each hit has the app's record and says what matched and how well (tier: exact, words, beginning, inside or typo).",
                parameters: parameters::FIND_APP,
                output: Output::Object("SearchResponse"),
            },
            Self::SearchApps => ToolText {
                name: "search_apps",
                title: "Search apps",
                description: "List the macOS apps whose slug, name, vendor, bundle identifier or other label name contains a text, ignoring case, ordered by slug. If more apps contain it than limit, those that find_app ranks best are listed. Use it to list everything with a text in it; use find_app to look for one app. An empty query lists the first apps.",
                parameters: parameters::SEARCH_APPS,
                output: Output::List("App"),
            },
            Self::GetApp => ToolText {
                name: "get_app",
                title: "Get one app",
                description: "Get one app's record: newest version, download URL, install method, Team ID of the signer, hash, sources. If you do not know the slug, use find_app first.",
                parameters: parameters::ONE_APP,
                output: Output::Object("App"),
            },
            Self::ListDrift => ToolText {
                name: "list_drift",
                title: "List version drift",
                description: "List the apps whose sources disagree on the newest version, with the version of each source, and which is ahead (leader) or behind (laggard). Use it to find outdated Installomator labels (laggard label_tool) or Homebrew casks (laggard cask_catalog).",
                parameters: parameters::LIST_DRIFT,
                output: Output::Object("DriftResponse"),
            },
            Self::ListCategories => ToolText {
                name: "list_categories",
                title: "List categories",
                description: "List the values that apps can be grouped by: all install methods, the sources that records list, and the vendors. Use it for the exact spelling of a vendor. store_listing (Mac App Store) is a source that records do not list; get_source_status has all five.",
                parameters: parameters::LIST_CATEGORIES,
                output: Output::Object("Categories"),
            },
            Self::GenerateLabel => ToolText {
                name: "generate_label_tool_label",
                title: "Generate an installer label",
                description: "Generate an Installomator label for an app from its sources: the label's variables, the sources used, and a warning for each variable that is missing. Check the warnings before you deploy it.",
                parameters: parameters::ONE_APP,
                output: Output::Object("GeneratedLabel"),
            },
            Self::GetAppSources => ToolText {
                name: "get_app_sources",
                title: "Get an app's source payloads",
                description: "Get the unmodified data of each source for an app: Installomator label, Homebrew cask, AutoPkg recipes, App Store listing and Jamf App Installers title. Use it for details that the record does not contain. Long values are left out and named; pass source to get one payload whole.",
                parameters: parameters::GET_APP_SOURCES,
                output: Output::Object("AppSources"),
            },
            Self::ListRecentChanges => ToolText {
                name: "list_recent_changes",
                title: "List the newest apps",
                description: "List the apps most recently added to the catalog, newest first; also apps with a new slug. For new versions of existing apps, use list_changes.",
                parameters: parameters::LIST_RECENT_CHANGES,
                output: Output::List("App"),
            },
            Self::ListChanges => ToolText {
                name: "list_changes",
                title: "List what changed",
                description: "List what changed in the catalog since a point in time: new versions, other changed fields with old and new values, added, removed and renamed apps. Oldest change first; without since, the newest changes. If more is true, call again with since set to next.",
                parameters: parameters::LIST_CHANGES,
                output: Output::Object("ChangesResponse"),
            },
            Self::CheckInventory => ToolText {
                name: "check_inventory",
                title: "Check installed apps",
                description: "Compare a list of installed macOS apps with the catalog: for each app the verdict (such as outdated), its slug, the installed and the newest version, and how sure the match is. Pass the unmodified output of system_profiler -json, osquery, Jamf Pro, Munki, Fleet, Intune, Kandji, brew or mas, or a CSV table with the columns name, bundle_id and version. Nothing is stored.",
                parameters: parameters::CHECK_INVENTORY,
                output: Output::Object("InventoryReport"),
            },
            Self::GetAppDetails => ToolText {
                name: "get_app_details",
                title: "Get an app's details",
                description: "Get what the sources know about an app beyond its record: description, home page, oldest macOS, architectures, whether it updates itself, whether Homebrew deprecated or disabled it and why, installed files, other names, variants, and whether the sources agree on the version.",
                parameters: parameters::ONE_APP,
                output: Output::Object("AppDetails"),
            },
            Self::GetAppHistory => ToolText {
                name: "get_app_history",
                title: "Get the versions an app had",
                description: "Get every version that the catalog had for an app, newest first, with the times when it was first seen and replaced.",
                parameters: parameters::ONE_APP,
                output: Output::Object("AppHistory"),
            },
            Self::GetAppProvenance => ToolText {
                name: "get_app_provenance",
                title: "Get where an app's values come from",
                description: "Get where each value of an app's record comes from and why, and which label, cask, recipe, listing and title were matched to the app, with the evidence. Use it to explain or doubt a value.",
                parameters: parameters::ONE_APP,
                output: Output::Object("Provenance"),
            },
            Self::CompareVersions => ToolText {
                name: "compare_versions",
                title: "Compare two versions",
                description: "Say whether version a is older than version b, newer, or the same release, by the rules that find drift and outdated apps. The order is unknown if a version cannot be ordered, such as a date.",
                parameters: parameters::COMPARE_VERSIONS,
                output: Output::Object("VersionComparison"),
            },
            Self::GetSourceStatus => ToolText {
                name: "get_source_status",
                title: "Get the freshness of the sources",
                description: "Get how fresh the catalog's data is: for each source the number of entries and apps, and when it was last received and last changed.",
                parameters: &[],
                output: Output::Object("SourceStatusResponse"),
            },
            Self::ExportApp => ToolText {
                name: "export_app",
                title: "Export an app for another tool",
                description: "Export an app as a file for Munki, AutoPkg, Intune, Fleet or osquery. If a fact is missing that the tool needs, the error says which. Show the warnings.",
                parameters: parameters::EXPORT_APP,
                output: Output::Object("ExportedFile"),
            },
        }
    }

    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.text().name == name)
    }

    /// Whether it takes longer than an async thread may be blocked.
    pub const fn takes_long(self) -> bool {
        matches!(self, Self::CheckInventory)
    }

    fn describe(self) -> Tool {
        let annotations = ToolAnnotations::new()
            .read_only(true)
            .destructive(false)
            .idempotent(true)
            .open_world(false);
        let ToolText { name, title, description, parameters, output } = self.text();
        Tool::new(name, Cow::Borrowed(description), Arc::new(input(parameters)))
            .with_title(title)
            .with_raw_output_schema(Arc::new(output.schema()))
            .with_annotations(annotations)
    }
}

pub(crate) fn descriptions() -> &'static [Tool] {
    static DESCRIPTIONS: LazyLock<Vec<Tool>> =
        LazyLock::new(|| CatalogTool::ALL.map(CatalogTool::describe).to_vec());
    &DESCRIPTIONS
}

fn input(parameters: &[Parameter]) -> JsonObject {
    let mut properties = JsonObject::new();
    for parameter in parameters {
        let mut schema = match parameter.kind {
            ParameterKind::Text => json!({"type": "string"}),
            ParameterKind::Document => json!({"type": ["string", "object", "array"]}),
            ParameterKind::OptionalText => json!({"type": ["string", "null"], "default": null}),
            ParameterKind::Words => {
                json!({"type": ["array", "string", "null"], "items": {"type": "string"}, "default": null})
            }
            ParameterKind::Limit(default, _) => json!({"type": "integer", "default": default}),
            ParameterKind::Offset => json!({"type": "integer", "default": 0}),
        };
        schema["description"] = parameter.description.into();
        properties.insert(parameter.name.to_owned(), schema);
    }
    let required: Vec<&str> = parameters
        .iter()
        .filter(|parameter| matches!(parameter.kind, ParameterKind::Text | ParameterKind::Document))
        .map(|parameter| parameter.name)
        .collect();
    let mut schema = JsonObject::new();
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    schema.insert("additionalProperties".to_owned(), false.into());
    schema
}
