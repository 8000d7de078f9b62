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
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolOutput {
    /// The structured content, as JSON.
    pub json: Bytes,
    /// How to get the rest, if the result was truncated.
    pub note: Option<String>,
}

impl CatalogTool {
    pub(crate) const ALL: [Self; 11] = [
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
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::GetCatalogSummary => "get_catalog_summary",
            Self::FindApp => "find_app",
            Self::SearchApps => "search_apps",
            Self::GetApp => "get_app",
            Self::ListDrift => "list_drift",
            Self::ListCategories => "list_categories",
            Self::GenerateLabel => "generate_label_tool_label",
            Self::GetAppSources => "get_app_sources",
            Self::ListRecentChanges => "list_recent_changes",
            Self::ListChanges => "list_changes",
            Self::CheckInventory => "check_inventory",
        }
    }

    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// Whether it takes longer than an async thread may be blocked.
    pub const fn takes_long(self) -> bool {
        matches!(self, Self::CheckInventory)
    }

    const fn title(self) -> &'static str {
        match self {
            Self::GetCatalogSummary => "Catalog summary",
            Self::FindApp => "Find an app",
            Self::SearchApps => "Search apps",
            Self::GetApp => "Get one app",
            Self::ListDrift => "List version drift",
            Self::ListCategories => "List categories",
            Self::GenerateLabel => "Generate an installer label",
            Self::GetAppSources => "Get an app's source payloads",
            Self::ListRecentChanges => "List the newest apps",
            Self::ListChanges => "List what changed",
            Self::CheckInventory => "Check installed apps",
        }
    }

    /// Helps a model choose between the tools.
    const fn description(self) -> &'static str {
        match self {
            Self::GetCatalogSummary => {
                "Get the number of macOS apps in the catalog, in total and per source. Use it for the size and composition of the catalog; it does not list apps."
            }
            Self::FindApp => {
                "Find a macOS app by what people call it, best match first. The query can be a name, a slug, a cask token, a label name, a bundle identifier, a Team ID, a vendor, or words of these, in any order and with small typing errors. Start here if you know roughly which app you need: each hit has the app's record with its slug, newest version and download URL, and says what matched and how well (tier: exact, words, beginning, inside or typo)."
            }
            Self::SearchApps => {
                "List the macOS apps that contain a text, ordered by slug. The query matches, ignoring case, any part of the slug, name, vendor, bundle identifier or an alternative label name. Use it to list everything with a text in it; to look for one app, use find_app, which returns the best match first. Each record has its slug, newest version, download URL and the team identifier of the signer. An empty query returns all apps up to the limit."
            }
            Self::GetApp => {
                "Get one app's record by its exact slug: newest version, download URL, install method, team identifier of the signer, hash. If you do not know the slug, use find_app first."
            }
            Self::ListDrift => {
                "List the apps whose sources disagree on the newest version, with the version in each source and which source is ahead (leader) or behind (laggard). Use it to find outdated sources. Filter by vendor or source; page with limit and offset."
            }
            Self::ListCategories => {
                "List the values that apps can be grouped by: all install methods, and the sources and vendors in the catalog. Use it to find the exact spelling of a vendor for list_drift."
            }
            Self::GenerateLabel => {
                "Generate an installer label for an app from its sources: the variables that the label tool needs, the sources used, and a warning for each missing variable. Use it to deploy an app."
            }
            Self::GetAppSources => {
                "Get the unmodified data of each source for an app: label variables, cask entry, recipes, store listing and installer title. Use it to find out where the values of a record come from, or for details that the record does not contain. The result can be long."
            }
            Self::ListRecentChanges => {
                "List the apps most recently added to the catalog, newest first. Use it to see which apps are new; an app with a new slug is listed, too. New versions of existing apps are not listed: use list_changes for them."
            }
            Self::ListChanges => {
                "List what changed in the catalog since a point in time: new versions, other changed fields with their old and new values, added, removed and renamed apps. Oldest change first. Use it for questions such as what changed since yesterday, or which versions an app had. Without since, the newest changes are returned. If more is true, call again with since set to next."
            }
            Self::CheckInventory => {
                "Compare a list of installed macOS apps with the catalog and find out which are outdated: for each app the verdict, its slug, the installed and the newest version, and how sure the match is. Pass the unmodified output of system_profiler -json, osquery, Jamf Pro, Munki, Fleet, Intune, Kandji, brew or mas, or a CSV table with the columns name, bundle_id and version. Nothing is stored."
            }
        }
    }

    pub(crate) const fn parameters(self) -> &'static [Parameter] {
        match self {
            Self::GetCatalogSummary | Self::ListCategories => &[],
            Self::GetApp | Self::GenerateLabel | Self::GetAppSources => parameters::ONE_APP,
            Self::FindApp => parameters::FIND_APP,
            Self::SearchApps => parameters::SEARCH_APPS,
            Self::ListDrift => parameters::LIST_DRIFT,
            Self::ListChanges => parameters::LIST_CHANGES,
            Self::CheckInventory => parameters::CHECK_INVENTORY,
            Self::ListRecentChanges => parameters::LIST_RECENT_CHANGES,
        }
    }

    const fn output(self) -> Output {
        match self {
            Self::GetCatalogSummary => Output::Object("CatalogSummary"),
            Self::FindApp => Output::Object("SearchResponse"),
            Self::SearchApps | Self::ListRecentChanges => Output::List("App"),
            Self::GetApp => Output::Object("App"),
            Self::ListDrift => Output::Object("DriftResponse"),
            Self::ListCategories => Output::Object("Categories"),
            Self::GenerateLabel => Output::Object("GeneratedLabel"),
            Self::GetAppSources => Output::Object("AppSources"),
            Self::ListChanges => Output::Object("ChangesResponse"),
            Self::CheckInventory => Output::Object("InventoryReport"),
        }
    }

    fn describe(self) -> Tool {
        let annotations = ToolAnnotations::with_title(self.title())
            .read_only(true)
            .destructive(false)
            .idempotent(true)
            .open_world(false);
        Tool::new(
            self.name(),
            Cow::Borrowed(self.description()),
            Arc::new(input(self.parameters())),
        )
        .with_title(self.title())
        .with_raw_output_schema(Arc::new(self.output().schema()))
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
            ParameterKind::OptionalText | ParameterKind::Sources => {
                json!({"type": ["string", "null"], "default": null})
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
