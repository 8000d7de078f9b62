"""The responses of the service. Fields have the names of the JSON; unknown values are None."""

from datetime import date, datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

InstallMethod = Literal["dmg", "pkg", "zip", "tbz", "pkgInDmg", "pkgInZip", "appInDmgInZip"]


class Model(BaseModel):
    """Read-only; ignores fields that a newer server adds."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class App(Model):
    """One app."""

    slug: str
    bundle_id: str | None
    name: str
    vendor: str | None
    current_version: str | None
    latest_release_date: date | None
    download_url: str | None
    install_method: InstallMethod | None
    expected_team_id: str | None
    sha256: str | None
    sources: list[str]


class LabelToolSource(Model):
    """An installer label."""

    label_name: str
    label_url: str
    raw: dict[str, Any]


class CaskCatalogSource(Model):
    """A cask."""

    token: str
    entry_json: dict[str, Any]


class RecipeEntry(Model):
    """One recipe."""

    identifier: str
    name: str | None
    shortname: str | None
    repo: str
    path: str
    parent_identifier: str | None
    inferred_type: str | None
    recipe_url: str | None


class RecipeIndexSource(Model):
    """An app's recipes."""

    recipes: list[RecipeEntry]


class StoreListingSource(Model):
    """A store listing."""

    bundle_id: str
    store_url: str | None
    raw: dict[str, Any]


class MdmInstallerSource(Model):
    """An installer title."""

    title: str
    source: str
    host: str | None
    bundle_id: str | None
    version: str | None
    mgmt_id: str | None
    download_url: str | None
    architecture: str | None


class AppSources(Model):
    """The source data of an app; None for a source without data."""

    label_tool: LabelToolSource | None
    cask_catalog: CaskCatalogSource | None
    recipe_index: RecipeIndexSource | None
    store_listing: StoreListingSource | None
    mdm_installer: MdmInstallerSource | None


class SourceVersion(Model):
    """The newest version that a source states."""

    source: str
    version: str
    parsed_ok: bool


class DriftEntry(Model):
    """An app whose sources disagree on its newest version."""

    slug: str
    name: str
    vendor: str | None
    versions: list[SourceVersion]
    leader: str | None
    laggard: str | None


class DriftResponse(Model):
    """A page of drift."""

    total_scanned: int
    total_with_drift: int
    entries: list[DriftEntry]


class GeneratedLabel(Model):
    """An installer label."""

    label_name: str
    content: dict[str, Any]
    sources_used: list[str]
    warnings: list[str]


class SourceCoverage(Model):
    """The number of apps with each source."""

    label_tool: int
    cask_catalog: int
    mdm_installer: int
    recipe_index: int


class CatalogStats(Model):
    """Catalog statistics."""

    total_apps: int
    sources: SourceCoverage
    last_refresh: datetime | None
    catalog_sha: str | None
    catalog_version: str | None
