//! The OpenAPI document. Each route is described in its own file; this collects them.

use appstitch_catalog::inventory::{
    CheckRule, CheckedApp, Confidence, InventoryReport, InventoryTotals, MatchedBy, SkippedRows,
    Verdict,
};
use appstitch_catalog::{
    Alias, AliasKind, AliasMatch, AliasMatches, App, AppDetails, AppSources, CaskCatalogSource,
    CatalogStats, ComparedVersion, Deprecation, DeprecationStatus, DriftEntry, DriftResponse,
    FieldOrigins, FieldReasons, FoundBy, GeneratedLabel, HttpValidationError, InstallMethod,
    LabelFinding, LabelToolSource, LabelValues, MdmInstallerSource, Provenance, RecipeEntry,
    RecipeIndexSource, SameReleaseRule, SourceCoverage, SourceMatch, SourceMatches, SourceStatus,
    SourceStatusResponse, SourceVersion, StoreListingSource, ValidationError, Variant,
    VersionComparison, VersionOrder,
};
use bytes::Bytes;
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
        AppDetails,
        AppSources,
        CaskCatalogSource,
        CatalogStats,
        CheckRule,
        CheckedApp,
        Confidence,
        ComparedVersion,
        Deprecation,
        DeprecationStatus,
        DriftEntry,
        DriftResponse,
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
        MatchedBy,
        MdmInstallerSource,
        Provenance,
        RecipeEntry,
        RecipeIndexSource,
        SkippedRows,
        SameReleaseRule,
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
        (name = "drift", description = "Sources that disagree on the newest version"),
        (name = "versions", description = "The order of versions"),
        (name = "labels", description = "Installer labels generated from the sources"),
        (name = "inventory", description = "Installed apps, checked against the catalog"),
        (name = "service", description = "The service itself"),
    )
)]
struct Interface;

/// The document: the description above with every documented route of the table.
fn document() -> utoipa::openapi::OpenApi {
    let mut document = Interface::openapi();
    let described = ROUTES.iter().filter_map(|route| route.describe);
    document.paths = described.fold(PathsBuilder::new(), |paths, add| add(paths)).build();
    document
}

/// The OpenAPI document as JSON with line breaks, for people to read.
#[must_use]
pub fn openapi_document() -> String {
    let mut text = document().to_pretty_json().unwrap_or_default();
    text.push('\n');
    text
}

/// The document as it is served.
pub(crate) fn body() -> Bytes {
    document().to_json().unwrap_or_default().into()
}
