//! The eight tools: their names, what they are for, and what they take and give.

use std::{
    borrow::Cow,
    sync::{Arc, LazyLock},
};

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::schema::Output;

/// A tool of the catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CatalogTool {
    /// `get_catalog_summary`.
    GetCatalogSummary,
    /// `search_apps`.
    SearchApps,
    /// `get_app`.
    GetApp,
    /// `list_drift`.
    ListDrift,
    /// `list_categories`.
    ListCategories,
    /// `generate_label_tool_label`.
    GenerateLabel,
    /// `get_app_sources`.
    GetAppSources,
    /// `list_recent_changes`.
    ListRecentChanges,
}

/// One parameter of a tool.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    description: &'static str,
}

/// What a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Text that must be given.
    Text,
    /// Text or null.
    OptionalText,
    /// A number of rows: the default and the cap.
    Limit(usize, usize),
    /// Rows to skip.
    Offset,
}

const SLUG: Parameter = Parameter {
    name: "slug",
    kind: Kind::Text,
    description: "The app's slug as other tools return it, for example \"firefoxpkg\"; not its display name. Use search_apps to find it",
};

impl CatalogTool {
    pub(crate) const ALL: [Self; 8] = [
        Self::GetCatalogSummary,
        Self::SearchApps,
        Self::GetApp,
        Self::ListDrift,
        Self::ListCategories,
        Self::GenerateLabel,
        Self::GetAppSources,
        Self::ListRecentChanges,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::GetCatalogSummary => "get_catalog_summary",
            Self::SearchApps => "search_apps",
            Self::GetApp => "get_app",
            Self::ListDrift => "list_drift",
            Self::ListCategories => "list_categories",
            Self::GenerateLabel => "generate_label_tool_label",
            Self::GetAppSources => "get_app_sources",
            Self::ListRecentChanges => "list_recent_changes",
        }
    }

    /// The tool with a name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    const fn title(self) -> &'static str {
        match self {
            Self::GetCatalogSummary => "Catalog summary",
            Self::SearchApps => "Search apps",
            Self::GetApp => "Get one app",
            Self::ListDrift => "List version drift",
            Self::ListCategories => "List categories",
            Self::GenerateLabel => "Generate an installer label",
            Self::GetAppSources => "Get an app's source payloads",
            Self::ListRecentChanges => "List the newest apps",
        }
    }

    /// For a model that has to choose between the tools.
    const fn description(self) -> &'static str {
        match self {
            Self::GetCatalogSummary => {
                "How many macOS apps the catalog holds, in all and from each source. Use it for the size and make-up of the catalog; it names no app."
            }
            Self::SearchApps => {
                "Find macOS apps by a part of their slug, name, vendor, bundle identifier or another name of their label, whatever the case. Start here when you know an app by name: the records tell its newest version, download address, signer and slug. Ordered by slug; an empty query lists everything up to the limit."
            }
            Self::GetApp => {
                "One app's record by its exact slug: newest version, download address, install method, signer's team identifier, hash. Use search_apps first if you do not know the slug."
            }
            Self::ListDrift => {
                "Apps whose sources disagree on the newest version, with what each source says and which one is ahead (leader) or behind (laggard). Use it to find sources that are out of date; narrow it by vendor or source, page with limit and offset."
            }
            Self::ListCategories => {
                "The values that apps can be grouped by: every install method, the sources and the vendors of the catalog. Use it to find the exact spelling of a vendor for list_drift."
            }
            Self::GenerateLabel => {
                "Make an installer label for an app from its sources: the variables the label tool needs, where they are from, and warnings that name what is missing. Use it when somebody wants to deploy an app."
            }
            Self::GetAppSources => {
                "What each source said about an app, unchanged: the label's variables, the cask's entry, recipes, store listing and installer title. Use it to see why a record says what it says, or for details a record leaves out; it can be long."
            }
            Self::ListRecentChanges => {
                "The apps that came into the catalog last, the newest first. Use it to see what is new; a new version of a known app is not listed."
            }
        }
    }

    pub(crate) const fn parameters(self) -> &'static [Parameter] {
        match self {
            Self::GetCatalogSummary | Self::ListCategories => &[],
            Self::GetApp | Self::GenerateLabel | Self::GetAppSources => &[SLUG],
            Self::SearchApps => &[
                Parameter {
                    name: "query",
                    kind: Kind::Text,
                    description: "What to look for; empty for everything",
                },
                Parameter {
                    name: "limit",
                    kind: Kind::Limit(20, 100),
                    description: "How many apps at most, 100 at the very most",
                },
            ],
            Self::ListDrift => &[
                Parameter {
                    name: "vendor",
                    kind: Kind::OptionalText,
                    description: "Only apps of this vendor: the whole name, whatever the case",
                },
                Parameter {
                    name: "source",
                    kind: Kind::OptionalText,
                    description: "Only entries in which this source takes part: label_tool or cask_catalog",
                },
                Parameter {
                    name: "limit",
                    kind: Kind::Limit(25, 100),
                    description: "How many entries at most, 100 at the very most",
                },
                Parameter {
                    name: "offset",
                    kind: Kind::Offset,
                    description: "How many entries to skip, for the next page",
                },
            ],
            Self::ListRecentChanges => &[Parameter {
                name: "limit",
                kind: Kind::Limit(25, 100),
                description: "How many apps at most, 100 at the very most",
            }],
        }
    }

    const fn output(self) -> Output {
        match self {
            Self::GetCatalogSummary => Output::Object("CatalogSummary"),
            Self::SearchApps | Self::ListRecentChanges => Output::List("App"),
            Self::GetApp => Output::Object("App"),
            Self::ListDrift => Output::Object("DriftResponse"),
            Self::ListCategories => Output::Object("Categories"),
            Self::GenerateLabel => Output::Object("GeneratedLabel"),
            Self::GetAppSources => Output::Object("AppSources"),
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

/// Every tool as the protocol describes it.
pub(crate) fn descriptions() -> &'static [Tool] {
    static DESCRIPTIONS: LazyLock<Vec<Tool>> =
        LazyLock::new(|| CatalogTool::ALL.map(CatalogTool::describe).to_vec());
    &DESCRIPTIONS
}

/// The schema of a tool's arguments.
fn input(parameters: &[Parameter]) -> JsonObject {
    let mut properties = JsonObject::new();
    for parameter in parameters {
        let mut schema = match parameter.kind {
            Kind::Text => json!({"type": "string"}),
            Kind::OptionalText => json!({"type": ["string", "null"], "default": null}),
            Kind::Limit(default, _) => json!({"type": "integer", "default": default}),
            Kind::Offset => json!({"type": "integer", "default": 0}),
        };
        schema["description"] = parameter.description.into();
        properties.insert(parameter.name.to_owned(), schema);
    }
    let required: Vec<&str> = parameters
        .iter()
        .filter(|parameter| parameter.kind == Kind::Text)
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
