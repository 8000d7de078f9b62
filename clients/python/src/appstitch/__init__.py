"""Client for appstitch, a catalog of macOS applications."""

from appstitch._async import Client
from appstitch._sync import SyncClient
from appstitch.errors import ResponseError
from appstitch.models import (
    App,
    AppSources,
    CaskCatalogSource,
    CatalogStats,
    DriftEntry,
    DriftResponse,
    GeneratedLabel,
    InstallMethod,
    LabelToolSource,
    MdmInstallerSource,
    RecipeEntry,
    RecipeIndexSource,
    SourceCoverage,
    SourceVersion,
    StoreListingSource,
)

__all__ = [
    "App",
    "AppSources",
    "CaskCatalogSource",
    "CatalogStats",
    "Client",
    "DriftEntry",
    "DriftResponse",
    "GeneratedLabel",
    "InstallMethod",
    "LabelToolSource",
    "MdmInstallerSource",
    "RecipeEntry",
    "RecipeIndexSource",
    "ResponseError",
    "SourceCoverage",
    "SourceVersion",
    "StoreListingSource",
    "SyncClient",
]
