"""The asynchronous client."""

import asyncio
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Self

import httpx2

from appstitch import _operations as operations
from appstitch._operations import PAGE, Operation, Result, Walk
from appstitch.errors import ResponseError
from appstitch.models import App, AppSources, CatalogStats, DriftEntry, DriftResponse, GeneratedLabel


class Client:
    """A client of one server, for use with `async with`.

    Sends at most `max_concurrency` requests at once. Retries a request up to `retries` times if
    the connection fails or the server answers 502, 503 or 504.
    """

    def __init__(
        self,
        base_url: str = "http://127.0.0.1:8000",
        *,
        max_concurrency: int = 5,
        timeout: float = 30.0,
        retries: int = 3,
        user_agent: str = "appstitch-python/0.1.0",
    ) -> None:
        self._base = operations.check_base(base_url)
        self._retries = retries
        self._places = asyncio.Semaphore(max(1, max_concurrency))
        self._http = httpx2.AsyncClient(timeout=timeout, headers={"user-agent": user_agent})

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def list_apps(
        self,
        *,
        vendor: str | None = None,
        source: str | None = None,
        exclude_source: str | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> list[App]:
        """Apps in slug order."""
        return await self._ask(operations.list_apps(vendor, source, exclude_source, limit, offset))

    async def get_app(self, slug: str) -> App | None:
        """One app, or None if the slug is unknown."""
        return await self._ask_about(operations.get_app(slug))

    async def get_app_sources(self, slug: str) -> AppSources | None:
        """The source data of an app, or None if the slug is unknown."""
        return await self._ask_about(operations.get_app_sources(slug))

    async def list_drift(
        self,
        *,
        vendor: str | None = None,
        source: str | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> DriftResponse:
        """Apps whose sources disagree on the newest version."""
        return await self._ask(operations.list_drift(vendor, source, limit, offset))

    async def get_jamf_index(self) -> dict[str, list[str]]:
        """Slugs by installer title code."""
        return await self._ask(operations.get_jamf_index())

    async def get_app_drift(self, slug: str) -> DriftEntry | None:
        """The drift of an app, or None if its sources agree or the slug is unknown."""
        return await self._ask_about(operations.get_app_drift(slug))

    async def generate_label(self, slug: str) -> GeneratedLabel | None:
        """An installer label, or None if the slug is unknown."""
        return await self._ask_about(operations.generate_label(slug))

    async def get_stats(self) -> CatalogStats:
        """Catalog statistics."""
        return await self._ask(operations.get_stats())

    async def iter_apps(
        self,
        *,
        vendor: str | None = None,
        source: str | None = None,
        exclude_source: str | None = None,
        offset: int = 0,
    ) -> AsyncIterator[App]:
        """Every matching app, page by page."""
        walk = Walk(offset)
        while not walk.ended:
            operation = operations.list_apps(vendor, source, exclude_source, PAGE, walk.offset)
            response = await self._send(operation)
            apps = operation.read(response)
            walk.take(response, len(apps))
            for app in apps:
                yield app

    async def iter_drift(
        self, *, vendor: str | None = None, source: str | None = None, offset: int = 0
    ) -> AsyncIterator[DriftEntry]:
        """Every matching drift entry, page by page."""
        walk = Walk(offset)
        while not walk.ended:
            operation = operations.list_drift(vendor, source, PAGE, walk.offset)
            response = await self._send(operation)
            page = operation.read(response)
            walk.take(response, len(page.entries))
            for entry in page.entries:
                yield entry

    async def _ask(self, operation: Operation[Result]) -> Result:
        return operation.read(await self._send(operation))

    async def _ask_about(self, operation: Operation[Result | None] | None) -> Result | None:
        return None if operation is None else await self._ask(operation)

    async def _send(self, operation: Operation[Result]) -> httpx2.Response:
        url = f"{self._base}{operation.path}"
        tried = 0
        # A request counts as concurrent until its response is complete.
        async with self._places:
            while True:
                try:
                    response = await self._http.request(
                        operation.method, url, params=operation.params
                    )
                except httpx2.TransportError as error:
                    if tried >= self._retries or not operations.lost_connection(error):
                        raise operations.network_error(url, error) from error
                except (httpx2.HTTPError, httpx2.InvalidURL) as error:
                    raise ResponseError(url, str(error)) from error
                else:
                    if response.status_code not in operations.TEMPORARY or tried >= self._retries:
                        return response
                await asyncio.sleep(operations.pause_before(tried))
                tried += 1
