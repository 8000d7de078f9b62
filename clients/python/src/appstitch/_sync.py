# Generated from _async.py by generate_sync.py. Do not edit.

"""The synchronous client, for scripts."""

import threading
import time
from collections.abc import Iterator, Collection
from types import TracebackType
from typing import Self

import httpx2

from appstitch import _operations as operations
from appstitch._operations import PAGE, AppOperation, Operation, Result, Walk
from appstitch.errors import ResponseError
from appstitch.models import (
    AliasMatches,
    App,
    AppDetails,
    AppSources,
    CatalogStats,
    DriftEntry,
    DriftResponse,
    DriftSource,
    GeneratedLabel,
    InventoryReport,
    Provenance,
    SourceStatusResponse,
    Verdict,
    VersionComparison,
)


class SyncClient:
    """A client of one server, for use with `with`. Threads can share it.

    Sends at most `max_concurrency` requests at once. Retries a request up to `retries` times if
    the connection fails or the server answers 502, 503 or 504.

    A read of one app by another of its names returns that app, unless `follow_canonical` is off.
    The slug in the result is that of the app; the logger `appstitch` reports both names.
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
    ) -> None:
        self._base = operations.check_base(base_url)
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
        limit: int = 100,
        offset: int = 0,
    ) -> list[App]:
        """Apps in slug order."""
        return self._ask(
            operations.list_apps(vendor, source, exclude_source, deprecated, limit, offset)
        )

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

    def get_stats(self) -> CatalogStats:
        """Catalog statistics."""
        return self._ask(operations.get_stats())

    def iter_apps(
        self,
        *,
        vendor: str | None = None,
        source: str | None = None,
        exclude_source: str | None = None,
        deprecated: bool | None = None,
        offset: int = 0,
    ) -> Iterator[App]:
        """Every matching app, page by page."""
        walk = Walk(offset)
        while not walk.ended:
            operation = operations.list_apps(
                vendor, source, exclude_source, deprecated, PAGE, walk.offset
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

    def _send(self, operation: Operation[Result]) -> httpx2.Response:
        url = f"{self._base}{operation.path}"
        tried = 0
        # A request counts as concurrent until its response is complete.
        with self._places:
            while True:
                try:
                    response = self._http.request(
                        operation.method, url, params=operation.params, content=operation.body
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
