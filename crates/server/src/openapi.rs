//! The OpenAPI document. Each route is described in its own file; this collects them.

mod bodies;
mod examples;

use appstitch_catalog::inventory::{
    CheckRule, CheckedApp, Confidence, InventoryReport, InventoryTotals, MatchedBy, SkippedRows,
    Verdict,
};
use appstitch_catalog::{
    Alias, AliasKind, AliasMatch, AliasMatches, App, AppChange, AppDetails, AppHistory, AppSources,
    AppVersion, CaskCatalogSource, CatalogStats, ChangeKind, ChangesResponse, ComparedVersion,
    Deprecation, DeprecationStatus, DriftEntry, DriftResponse, FieldChange, FieldOrigins,
    FieldReasons, FoundBy, GeneratedLabel, HttpValidationError, InstallMethod, LabelFinding,
    LabelToolSource, LabelValues, MdmInstallerSource, Provenance, RecipeEntry, RecipeIndexSource,
    SameReleaseRule, SourceCoverage, SourceMatch, SourceMatches, SourceStatus,
    SourceStatusResponse, SourceVersion, StoreListingSource, ValidationError, Variant,
    VersionComparison, VersionOrder,
    search::{MatchTier, SearchField, SearchHit, SearchMatch, SearchResponse},
};
use bytes::Bytes;
use serde_json::Value;
use utoipa::{OpenApi, openapi::path::PathsBuilder};

use crate::routes::ROUTES;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "appstitch",
        version = "0.1.0",
        description = "A public, read-only catalog of macOS applications: one stitched record per app.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    components(schemas(
        Alias,
        AliasKind,
        AliasMatch,
        AliasMatches,
        App,
        AppChange,
        AppDetails,
        AppHistory,
        AppSources,
        AppVersion,
        CaskCatalogSource,
        CatalogStats,
        ChangeKind,
        ChangesResponse,
        CheckRule,
        CheckedApp,
        ComparedVersion,
        Confidence,
        Deprecation,
        DeprecationStatus,
        DriftEntry,
        DriftResponse,
        FieldChange,
        FieldOrigins,
        FieldReasons,
        FoundBy,
        GeneratedLabel,
        HttpValidationError,
        InstallMethod,
        InventoryReport,
        InventoryTotals,
        LabelFinding,
        LabelToolSource,
        LabelValues,
        MatchTier,
        MatchedBy,
        MdmInstallerSource,
        Provenance,
        RecipeEntry,
        RecipeIndexSource,
        SameReleaseRule,
        SearchField,
        SearchHit,
        SearchMatch,
        SearchResponse,
        SkippedRows,
        SourceCoverage,
        SourceMatch,
        SourceMatches,
        SourceStatus,
        SourceStatusResponse,
        SourceVersion,
        StoreListingSource,
        ValidationError,
        Variant,
        Verdict,
        VersionComparison,
        VersionOrder,
    )),
    tags(
        (name = "apps", description = "Apps and what their sources said"),
        (name = "changes", description = "What changed, and when"),
        (name = "drift", description = "Sources that disagree on the newest version"),
        (name = "feeds", description = "Changes as Atom and JSON feeds"),
        (name = "versions", description = "The order of versions"),
        (name = "labels", description = "Installer labels generated from the sources"),
        (name = "inventory", description = "Installed apps, checked against the catalog"),
        (name = "service", description = "The service itself"),
    )
)]
struct Interface;

/// The document: the description above with every documented route of the table, and examples.
fn document() -> Value {
    let mut document = Interface::openapi();
    let described = ROUTES.iter().filter_map(|route| route.describe);
    document.paths = described.fold(PathsBuilder::new(), |paths, add| add(paths)).build();
    let mut document = serde_json::to_value(document).unwrap_or_default();
    examples::add(&mut document);
    document
}

/// The OpenAPI document as JSON with line breaks, for people to read.
#[must_use]
pub fn openapi_document() -> String {
    format!("{:#}\n", document())
}

/// The document as it is served.
pub(crate) fn body() -> Bytes {
    document().to_string().into()
}
