"""The responses of the service. Fields have the names of the JSON; unknown values are None."""

import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

InstallMethod = Literal["dmg", "pkg", "zip", "tbz", "pkgInDmg", "pkgInZip", "appInDmgInZip"]

#: What kind of name leads to an app.
AliasKind = Literal[
    "slug", "token", "former_token", "label_name", "bundle_id", "team_id", "title_code"
]

#: How a search matches an app, from the best tier to the last.
MatchTier = Literal["exact", "words", "beginning", "inside", "typo"]

#: The field of an app that a search matches.
SearchField = Literal[
    "name",
    "slug",
    "token",
    "label_name",
    "former_token",
    "other_name",
    "bundle_id",
    "team_id",
    "vendor",
]

#: Whether an app can still be installed from the cask catalog (deprecated) or not (disabled).
DeprecationStatus = Literal["deprecated", "disabled"]

#: Who found a value of a label: a run of appstitch, somebody who posted it, or the public tracker.
FoundBy = Literal["run", "posted", "tracker"]

#: What happened to an app.
ChangeKind = Literal["added", "changed", "removed", "renamed"]

#: The sources that drift compares on request, besides labels and casks.
DriftSource = Literal["mdm_installer", "store_listing"]


#: How the first of two versions stands to the second.
VersionOrder = Literal["older", "same", "newer", "unknown"]

#: Why two versions mean the same release.
SameReleaseRule = Literal[
    "same_version",
    "build_on_one_side",
    "build_behind",
    "same_build",
    "build_alone",
    "same_text",
    "same_numbers",
    "version_inside",
    "short_year",
    "word_on_one_side",
    "says_less",
    "run_together",
    "letters_lost",
    "zero_lost",
    "first_part_lost",
]

#: Whether an installed app is up to date.
Verdict = Literal[
    "current",
    "outdated",
    "newer",
    "same_release_other_string",
    "not_comparable",
    "no_version",
    "ambiguous",
    "unmatched",
    "system",
    "store",
    "ignored",
]

#: What led from an installed app to an app of the catalog.
MatchedBy = Literal["token", "bundle_id", "name_and_team_id", "name"]

#: How sure it is that the app is the right one.
Confidence = Literal["high", "medium", "low"]

#: The rule that decided a verdict.
CheckRule = Literal[
    "system_path",
    "system_origin",
    "apple_bundle_id",
    "apple_name",
    "nested_app",
    "backup_copy",
    "not_installed",
    "web_app",
    "other_copy",
    "no_identity",
    "unknown_token",
    "unknown_bundle_id",
    "other_identity",
    "unknown_name",
    "short_name",
    "several_apps",
    "no_store_listing",
    "store_version",
    "no_installed_version",
    "no_catalog_version",
    "equal",
    "same_version",
    "build_on_one_side",
    "build_behind",
    "same_build",
    "build_alone",
    "same_text",
    "same_numbers",
    "version_inside",
    "short_year",
    "word_on_one_side",
    "says_less",
    "run_together",
    "letters_lost",
    "zero_lost",
    "first_part_lost",
    "installed_build",
    "cask_version",
    "part_before",
    "older_version",
    "older_build",
    "newer_version",
    "newer_build",
    "unordered",
    "other_scheme",
    "more_parts",
    "sources_disagree",
    "other_major",
    "self_updating",
]


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
    latest_release_date: datetime.date | None
    download_url: str | None
    install_method: InstallMethod | None
    expected_team_id: str | None
    sha256: str | None
    sources: list[str]


class SearchMatch(Model):
    """What a search, or a word of it, matches."""

    field: SearchField
    value: str
    tier: MatchTier


class SearchHit(Model):
    """An app that a search finds."""

    slug: str
    tier: MatchTier
    matches: list[SearchMatch]
    deprecated: bool
    app: App


class NearestApp(Model):
    """An app with a name that is near to a query."""

    slug: str
    name: str


class SearchResponse(Model):
    """A page of the apps that a search finds, best first."""

    total: int
    limit: int
    offset: int
    items: list[SearchHit]
    did_you_mean: list[NearestApp]


class Deprecation(Model):
    """Why an app should no longer be deployed, according to the cask catalog."""

    status: DeprecationStatus
    date: datetime.date | None
    reason: str | None
    replacement: str | None
    disabled_from: datetime.date | None


class Alias(Model):
    """A name of an app."""

    kind: AliasKind
    name: str


class Variant(Model):
    """A record for another delivery of the same product."""

    slug: str
    name: str
    is_main: bool
    channel: str | None
    edition: str | None
    language: str | None
    major_version: str | None
    install_method: InstallMethod | None
    current_version: str | None


class StatedVersion(Model):
    """The version that a source states, and why it is not compared, if it is not."""

    source: str
    version: str
    left_out: str | None


class VersionAgreement(Model):
    """Whether the sources of an app agree on its newest version; None if they cannot be compared."""

    agree: bool | None
    versions: list[StatedVersion]


class AppDetails(Model):
    """What the sources know about an app beyond its record."""

    slug: str
    description: str | None
    homepage: str | None
    minimum_macos: str | None
    architectures: list[str] | None
    updates_itself: bool | None
    deprecation: Deprecation | None
    app_files: list[str] | None
    package_receipts: list[str] | None
    blocking_processes: list[str] | None
    aliases: list[Alias] | None
    variants: list[Variant] | None
    first_seen: datetime.date | None
    version_agreement: VersionAgreement | None
    sources: list[str] | None


class AliasMatch(Model):
    """An app that a name leads to."""

    slug: str
    kind: AliasKind


class AliasMatches(Model):
    """The apps that a name leads to, ordered by the kind of name."""

    matches: list[AliasMatch]


class ComparedVersion(Model):
    """One of two compared versions."""

    version: str
    parsed_ok: bool
    normal_form: str | None


class VersionComparison(Model):
    """How the first of two versions stands to the second."""

    a: ComparedVersion
    b: ComparedVersion
    order: VersionOrder
    rule: SameReleaseRule | None


class FieldOrigins(Model):
    """The source of each field; None if the field is None."""

    bundle_id: str | None
    name: str | None
    vendor: str | None
    current_version: str | None
    latest_release_date: str | None
    download_url: str | None
    install_method: str | None
    expected_team_id: str | None
    sha256: str | None


class FieldReasons(Model):
    """Why the sources of contested fields were chosen; None if there is nothing to say."""

    current_version: str | None
    download_url: str | None


class SourceMatch(Model):
    """The entry of one source and why it was matched to the app."""

    id: str
    evidence: list[str]


class SourceMatches(Model):
    """The matched entry of each source."""

    label_tool: SourceMatch | None
    cask_catalog: SourceMatch | None
    recipe_index: SourceMatch | None
    store_listing: SourceMatch | None
    mdm_installer: SourceMatch | None


class LabelFinding(Model):
    """Who found a value of a label, and when."""

    found_by: FoundBy
    found_at: datetime.datetime | None


class LabelValues(Model):
    """The values of a label that were found by running it; None for a value that is not."""

    version: LabelFinding | None
    download_url: LabelFinding | None


class TitleCode(Model):
    """A title of Jamf's patch catalog, and why it leads to the app."""

    code: str
    title: str
    evidence: list[str]


class Provenance(Model):
    """Where the values of an app come from."""

    slug: str
    other_names: list[str]
    fields: FieldOrigins
    reasons: FieldReasons
    sources: SourceMatches
    label_values: LabelValues | None
    title_codes: list[TitleCode] = []
    manual_record: bool


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


class FieldChange(Model):
    """The old and the new value of a field. `from` is a keyword of Python, so it is `from_` here."""

    from_: Any = Field(alias="from")
    to: Any


class AppChange(Model):
    """One change of one app."""

    seq: int
    at: datetime.datetime
    revision: str
    slug: str
    kind: ChangeKind
    fields: dict[str, FieldChange]


class ChangesResponse(Model):
    """A page of changes, oldest first. Send `next` as `since` of the next request."""

    from_: str = Field(alias="from")
    to: str
    next: str
    more: bool
    changes: list[AppChange]


class AppVersion(Model):
    """A version that an app had; `until` is None for the current one."""

    version: str
    first_seen: datetime.datetime | None
    until: datetime.datetime | None


class AppHistory(Model):
    """The versions that an app had, newest first."""

    slug: str
    versions: list[AppVersion]


class GeneratedLabel(Model):
    """An installer label."""

    label_name: str
    content: dict[str, Any]
    sources_used: list[str]
    warnings: list[str]


#: What an app can be exported as.
ExportFormat = Literal[
    "installomator",
    "munki",
    "autopkg",
    "autopkg-download",
    "intune",
    "intune-preinstall",
    "intune-postinstall",
    "fleet",
    "fleet-policy",
    "osquery",
    "osquery-pack",
]


class ExportReason(Model):
    """Why a file cannot be made."""

    code: str
    text: str


class ExportState(Model):
    """One format, for one app."""

    format: str
    title: str
    fits: bool
    file_name: str | None
    content_type: str
    warnings: list[str]
    reasons: list[ExportReason]


class AppExports(Model):
    """The formats that an app can be exported in."""

    slug: str
    exports: list[ExportState]


class SourceCoverage(Model):
    """The number of apps with each source."""

    label_tool: int
    cask_catalog: int
    mdm_installer: int
    recipe_index: int


class RejectedEntry(Model):
    """An entry of a source that is not used."""

    what: str
    why: str


class SourceRefreshStatus(Model):
    """How refreshing a source went."""

    tried_at: datetime.datetime
    succeeded_at: datetime.datetime | None
    next_at: datetime.datetime
    problem: str | None
    rejects: list[RejectedEntry]


class SourceStatus(Model):
    """What a source contributes, and how recent it is."""

    source: str
    documents: int
    apps: int
    received_at: datetime.datetime | None
    changed_at: datetime.datetime | None
    rejected: int | None
    refresh: SourceRefreshStatus | None = None


class MirrorStatus(Model):
    """The catalog that a mirror shows, and how old it is."""

    origin: str | None
    catalog: str
    serial: int
    published_at: datetime.datetime
    refresh: SourceRefreshStatus | None = None


class SourceStatusResponse(Model):
    """The state of the sources, always in the same order."""

    sources: list[SourceStatus]
    mirror: MirrorStatus | None = None


class CatalogStats(Model):
    """Catalog statistics."""

    total_apps: int
    sources: SourceCoverage
    last_refresh: datetime.datetime | None
    catalog_sha: str | None
    catalog_version: str | None
    manual_records: int


class UploadProblem(Model):
    """A problem with an entry of an upload."""

    what: str
    why: str


class UploadedApps(Model):
    """The effect of an upload on the apps of the catalog."""

    total: int
    added: int
    updated: int
    removed: int


class UploadSummary(Model):
    """What the server did with an upload. `revision` is the token of the catalog now."""

    revision: str
    changed: bool
    received: int
    accepted: int
    rejected: int
    problems: list[UploadProblem]
    apps: UploadedApps


class CheckedApp(Model):
    """The answer about one installed app."""

    host: str | None
    name: str | None
    bundle_id: str | None
    path: str | None
    verdict: Verdict
    slug: str | None
    slugs: list[str]
    installed_version: str | None
    newest_version: str | None
    download_url: str | None
    matched_by: MatchedBy | None
    confidence: Confidence | None
    rule: CheckRule
    did_you_mean: list[str]
    deprecated: bool


class InventoryTotals(Model):
    """How many installed apps got each verdict."""

    rows: int
    current: int
    outdated: int
    newer: int
    same_release_other_string: int
    not_comparable: int
    no_version: int
    ambiguous: int
    unmatched: int
    system: int
    store: int
    ignored: int
    matched: int
    coverage: float | None


class SkippedRows(Model):
    """How many entries of an inventory are left out, and why."""

    not_mac_apps: int
    not_installed: int
    empty: int


class InventoryReport(Model):
    """The answer about an inventory, one row for each of its rows."""

    catalog_version: str | None
    formats: list[str]
    skipped: SkippedRows
    totals: InventoryTotals
    apps: list[CheckedApp]
