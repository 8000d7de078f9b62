# Generated from _async.py by generate_sync.py. Do not edit.

"""The synchronous client, for scripts."""

import threading
import time
from collections.abc import Iterator, Collection, Iterable
from types import TracebackType
from typing import Self

import httpx2

from appstitch import _operations as operations
from appstitch._operations import PAGE, AppOperation, Operation, Result, Walk
from appstitch.errors import ResponseError
from appstitch.models import (
    AliasMatches,
    App,
    AppChange,
    AppDetails,
    AppExports,
    AppHistory,
    AppSources,
    CatalogStats,
    ChangeKind,
    ChangesResponse,
    DriftEntry,
    DriftResponse,
    DriftSource,
    ExportFormat,
    GeneratedLabel,
    InstallMethod,
    InventoryReport,
    Provenance,
    SearchResponse,
    SourceStatusResponse,
    UploadSummary,
    Verdict,
    VersionComparison,
)


class SyncClient:
    """A client of one server, for use with `with`. Threads can share it.

    Sends at most `max_concurrency` requests at once. Retries a request up to `retries` times if
    the connection fails or the server answers 502, 503 or 504.

    A read of one app by another of its names returns that app, unless `follow_canonical` is off.
    The slug in the result is that of the app; the logger `appstitch` reports both names.

    Uploads need the server's `deploy_token`, which other requests do not send. An upload is sent
    once: if the connection is lost, the server may have received it. Sending it again does no harm.
    """

    def __init__(
        self,
        base_url: str = "http://127.0.0.1:8000",
        *,
        max_concurrency: int = 5,
        timeout: float = 30.0,
        retries: int = 3,
        user_agent: str = "appstitch-python/0.1.0",
        follow_canonical: bool = True,
        deploy_token: str | None = None,
    ) -> None:
        self._base = operations.check_base(base_url)
        self._authorization = operations.authorization(base_url, deploy_token)
        self._retries = retries
        self._follow_canonical = follow_canonical
        self._places = threading.BoundedSemaphore(max(1, max_concurrency))
        self._http = httpx2.Client(timeout=timeout, headers={"user-agent": user_agent})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def list_apps(
        self,
        *,
        vendor: str | None = None,
        source: str | None = None,
        exclude_source: str | None = None,
        deprecated: bool | None = None,
        bundle_id: str | None = None,
        team_id: str | None = None,
        install_method: InstallMethod | None = None,
        slugs: Collection[str] | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> list[App]:
        """Apps in slug order. At most 500 `slugs`; an empty collection matches nothing."""
        return self._ask(
            operations.list_apps(
                vendor,
                source,
                exclude_source,
                deprecated,
                bundle_id,
                team_id,
                install_method,
                slugs,
                limit,
                offset,
            )
        )

    def search_apps(
        self,
        query: str,
        *,
        vendor: str | None = None,
        source: str | None = None,
        limit: int = 20,
        offset: int = 0,
    ) -> SearchResponse:
        """Apps that match a text, best first. Each hit says what matches."""
        return self._ask(operations.search_apps(query, vendor, source, limit, offset))

    def get_app(self, slug: str) -> App | None:
        """One app, or None if the slug is unknown."""
        return self._ask_about(operations.get_app(slug))

    def get_app_details(self, slug: str) -> AppDetails | None:
        """What the sources know beyond the record, or None if the slug is unknown."""
        return self._ask_about(operations.get_app_details(slug))

    def get_app_sources(self, slug: str) -> AppSources | None:
        """The source data of an app, or None if the slug is unknown."""
        return self._ask_about(operations.get_app_sources(slug))

    def get_app_provenance(self, slug: str) -> Provenance | None:
        """The origin of each field of an app, or None if the slug is unknown."""
        return self._ask_about(operations.get_app_provenance(slug))

    def list_drift(
        self,
        *,
        vendor: str | None = None,
        source: str | None = None,
        include: DriftSource | Collection[DriftSource] = (),
        limit: int = 100,
        offset: int = 0,
    ) -> DriftResponse:
        """Apps whose sources disagree on the newest version.

        Labels and casks are always compared, the sources in `include` too.
        """
        return self._ask(operations.list_drift(vendor, source, include, limit, offset))

    def list_changes(
        self,
        *,
        since: str | None = None,
        vendor: str | None = None,
        slug: str | None = None,
        kind: ChangeKind | None = None,
        field: str | None = None,
        squash: bool = False,
        limit: int = 100,
    ) -> ChangesResponse:
        """What changed since a point; without `since`, the newest changes.

        A `ResponseError` with status 410 means that the changes since then are not available: read all
        apps, then follow the changes from the `ETag` of the catalog.
        """
        return self._ask(
            operations.list_changes(since, vendor, slug, kind, field, squash, limit)
        )

    def iter_changes(
        self,
        since: str,
        *,
        vendor: str | None = None,
        slug: str | None = None,
        kind: ChangeKind | None = None,
        field: str | None = None,
    ) -> Iterator[AppChange]:
        """Every matching change since a point, oldest first, page by page."""
        position: str | None = since
        while position is not None:
            page = self._ask(
                operations.list_changes(position, vendor, slug, kind, field, False, PAGE)
            )
            position = page.next if page.more else None
            for change in page.changes:
                yield change

    def get_app_history(self, slug: str) -> AppHistory | None:
        """The versions that an app had, or None if the slug is unknown."""
        return self._ask_about(operations.get_app_history(slug))

    def find_alias(self, name: str) -> AliasMatches | None:
        """The apps with exactly this name of any kind, ignoring case, or None if there are none."""
        operation = operations.find_alias(name)
        return None if operation is None else self._ask(operation)

    def compare_versions(self, a: str, b: str) -> VersionComparison:
        """Whether version `a` is older than `b`, newer, or the same release."""
        return self._ask(operations.compare_versions(a, b))

    def get_jamf_index(self) -> dict[str, list[str]]:
        """Slugs by installer title code."""
        return self._ask(operations.get_jamf_index())

    def get_app_drift(
        self, slug: str, *, include: DriftSource | Collection[DriftSource] = ()
    ) -> DriftEntry | None:
        """The drift of an app, or None if its sources agree or the slug is unknown.

        Labels and casks are always compared, the sources in `include` too.
        """
        return self._ask_about(operations.get_app_drift(slug, include))

    def generate_label(self, slug: str) -> GeneratedLabel | None:
        """An installer label, or None if the slug is unknown."""
        return self._ask_about(operations.generate_label(slug))

    def generate_label_fragment(self, slug: str) -> str | None:
        """The label as a shell fragment for Installomator, or None if the slug is unknown."""
        return self._ask_about(operations.generate_label_fragment(slug))

    def get_app_exports(self, slug: str) -> AppExports | None:
        """The formats that fit an app, or None if the slug is unknown."""
        return self._ask_about(operations.get_app_exports(slug))

    def export_app(self, slug: str, format: ExportFormat) -> str | None:
        """An app as a file for another tool, or None if the slug is unknown.

        If a fact is missing that the tool needs, the error has the status 409 and says which.
        """
        return self._ask_about(operations.export_app(slug, format))

    def export_apps(
        self,
        format: ExportFormat,
        *,
        slugs: Collection[str] | None = None,
        vendor: str | None = None,
        source: str | None = None,
    ) -> bytes:
        """The files of many apps as a tar.gz, with a REPORT.csv of what does not fit."""
        return self._ask(operations.export_apps(format, slugs, vendor, source))

    def check_inventory(
        self,
        inventory: bytes | str,
        *,
        suggest: bool = False,
        verdicts: Verdict | Collection[Verdict] = (),
    ) -> InventoryReport:
        """Compares a list of installed apps with the catalog.

        The list is what system_profiler, osquery, a management tool or a spreadsheet wrote. The
        server recognizes the format and stores nothing. With `verdicts`, only apps with these are
        returned; the totals count all.
        """
        return self._ask(operations.check_inventory(inventory, suggest, verdicts))

    def get_source_status(self) -> SourceStatusResponse:
        """What each source contributes, and how recent it is."""
        return self._ask(operations.get_source_status())

    def get_health(self) -> dict[str, object]:
        """Whether the server is up, and what it serves."""
        return self._ask(operations.get_health())

    def get_stats(self) -> CatalogStats:
        """Catalog statistics."""
        return self._ask(operations.get_stats())

    def upload_source(
        self, source: str, file: bytes, *, allow_shrink: bool = False
    ) -> UploadSummary:
        """Replaces the data of a source with the file as its upstream publishes it.

        The source is a token such as "cask_catalog"; the file may be compressed with gzip or zstd.
        If more than a fifth of the records would be removed, the server rejects the file with
        status 409, unless `allow_shrink` is set.
        """
        return self._upload(operations.upload_source(source, file, allow_shrink))

    def upload_sources(
        self, files: Iterable[tuple[str, bytes]], *, allow_shrink: bool = False
    ) -> UploadSummary:
        """Like `upload_source`, for several sources and files as one change of the catalog."""
        return self._upload(operations.upload_sources(files, allow_shrink))

    def replace_records(
        self, lines: bytes | str, *, allow_shrink: bool = False
    ) -> UploadSummary:
        """Replaces all manual records with lines of JSON, each with `app` and `sources`."""
        return self._upload(operations.replace_records(lines, allow_shrink))

    def put_record(self, app: App, sources: AppSources | None = None) -> UploadSummary:
        """Adds or replaces one manual record."""
        return self._upload(operations.put_record(app, sources))

    def delete_record(self, slug: str) -> UploadSummary:
        """Removes one manual record."""
        return self._upload(operations.delete_record(slug))

    def iter_apps(
        self,
        *,
        vendor: str | None = None,
        source: str | None = None,
        exclude_source: str | None = None,
        deprecated: bool | None = None,
        bundle_id: str | None = None,
        team_id: str | None = None,
        install_method: InstallMethod | None = None,
        slugs: Collection[str] | None = None,
        offset: int = 0,
    ) -> Iterator[App]:
        """Every matching app, page by page."""
        walk = Walk(offset)
        while not walk.ended:
            operation = operations.list_apps(
                vendor,
                source,
                exclude_source,
                deprecated,
                bundle_id,
                team_id,
                install_method,
                slugs,
                PAGE,
                walk.offset,
            )
            response = self._send(operation)
            apps = operation.read(response)
            walk.take(response, len(apps))
            for app in apps:
                yield app

    def iter_drift(
        self,
        *,
        vendor: str | None = None,
        source: str | None = None,
        include: DriftSource | Collection[DriftSource] = (),
        offset: int = 0,
    ) -> Iterator[DriftEntry]:
        """Every matching drift entry, page by page."""
        walk = Walk(offset)
        while not walk.ended:
            operation = operations.list_drift(vendor, source, include, PAGE, walk.offset)
            response = self._send(operation)
            page = operation.read(response)
            walk.take(response, len(page.entries))
            for entry in page.entries:
                yield entry

    def _ask(self, operation: Operation[Result]) -> Result:
        return operation.read(self._send(operation))

    def _ask_about(self, operation: AppOperation[Result | None] | None) -> Result | None:
        if operation is None:
            return None
        response = self._send(operation)
        if self._follow_canonical:
            # Not followed again: a link must not lead to a chain of requests.
            canonical = operations.canonical(operation, response)
            if canonical is not None:
                response = self._send(canonical)
        return operation.read(response)

    def _upload(self, operation: Operation[Result]) -> Result:
        operation = operations.authorized(operation, self._base, self._authorization)
        url = f"{self._base}{operation.path}"
        with self._places:
            try:
                response = self._http.request(
                    operation.method,
                    url,
                    params=operation.params,
                    content=operation.body,
                    files=operation.parts,
                    headers=operation.headers,
                    timeout=operations.UPLOAD_TIMEOUT,
                )
            except (httpx2.HTTPError, httpx2.InvalidURL) as error:
                raise operations.network_error(url, error) from error
        return operation.read(response)

    def _send(self, operation: Operation[Result]) -> httpx2.Response:
        url = f"{self._base}{operation.path}"
        tried = 0
        # A request counts as concurrent until its response is complete.
        with self._places:
            while True:
                try:
                    response = self._http.request(
                        operation.method,
                        url,
                        params=operation.params,
                        content=operation.body,
                        headers=operation.headers,
                    )
                except httpx2.TransportError as error:
                    if tried >= self._retries or not operations.lost_connection(error):
                        raise operations.network_error(url, error) from error
                except (httpx2.HTTPError, httpx2.InvalidURL) as error:
                    raise ResponseError(url, str(error)) from error
                else:
                    if response.status_code not in operations.TEMPORARY or tried >= self._retries:
                        return response
                time.sleep(operations.pause_before(tried))
                tried += 1
