"""The requests of the service and how to read their responses, shared by both clients."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from urllib.parse import quote, urlsplit

import httpx2
from pydantic import TypeAdapter, ValidationError

from appstitch import models
from appstitch.errors import ResponseError

Result = TypeVar("Result")

#: The largest page size, for the fewest requests.
PAGE = 1000

#: Status codes of a temporarily unavailable server.
TEMPORARY = frozenset({502, 503, 504})

#: The header with the code of an error, and the code for an unknown slug.
ERROR_CODE = "x-error-code"
APP_NOT_FOUND = "app_not_found"

FIRST_PAUSE = 0.1
LONGEST_PAUSE = 5.0


@dataclass(frozen=True)
class Operation(Generic[Result]):
    """A request and how to read its response."""

    method: str
    path: str
    params: dict[str, str]
    read: Callable[[httpx2.Response], Result]


def check_base(base_url: str) -> str:
    """The base URL without a trailing slash."""
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ResponseError(base_url, "not an HTTP or HTTPS URL")
    return base_url.rstrip("/")


def pause_before(tried: int) -> float:
    """The pause before the next attempt, in seconds."""
    return float(min(FIRST_PAUSE * 2**tried, LONGEST_PAUSE))


def lost_connection(error: httpx2.TransportError) -> bool:
    """Whether connecting failed, or the connection was lost before the response started."""
    return isinstance(error, (httpx2.ConnectError, httpx2.RemoteProtocolError, httpx2.ReadError))


def network_error(url: str, error: Exception) -> ResponseError:
    """An error for a server that could not be reached."""
    return ResponseError(url, f"server unavailable: {str(error) or type(error).__name__}")


def _detail(response: httpx2.Response) -> str | None:
    try:
        body = response.json()
    except ValueError:
        return None
    detail = body.get("detail") if isinstance(body, dict) else None
    return detail if isinstance(detail, str) or detail is None else str(detail)


def _refused(response: httpx2.Response) -> ResponseError:
    detail = _detail(response) or "no details"
    return ResponseError(str(response.url), detail, response.status_code)


def _reader(kind: Any) -> Callable[[httpx2.Response], Any]:
    adapter: TypeAdapter[Any] = TypeAdapter(kind)

    def read(response: httpx2.Response) -> Any:
        if not response.is_success:
            raise _refused(response)
        try:
            return adapter.validate_json(response.content)
        except ValidationError as error:
            detail = f"invalid response body: {error}"
            raise ResponseError(str(response.url), detail, response.status_code) from error

    return read


def _or_none(read: Callable[[httpx2.Response], Any]) -> Callable[[httpx2.Response], Any]:
    """Returns None for an unknown slug.

    The server marks that 404 with a header. Any other 404 means that the URL is wrong, or that the
    response is from another server.
    """

    def read_or_none(response: httpx2.Response) -> Any:
        code = response.headers.get(ERROR_CODE)
        if response.status_code == 404 and code == APP_NOT_FOUND:
            return None
        return read(response)

    return read_or_none


_apps = _reader(list[models.App])
_drift = _reader(models.DriftResponse)
_index = _reader(dict[str, list[str]])
_stats = _reader(models.CatalogStats)
_app = _or_none(_reader(models.App))
_sources = _or_none(_reader(models.AppSources))
_entry = _or_none(_reader(models.DriftEntry | None))
_label = _or_none(_reader(models.GeneratedLabel))


def _params(**given: str | int | None) -> dict[str, str]:
    return {name: str(value) for name, value in given.items() if value is not None}


def _app_path(slug: str, detail: str = "") -> str | None:
    """A slug is one path segment; an empty one or dots would lead to another path."""
    return None if slug in ("", ".", "..") else f"/apps/{quote(slug, safe='')}{detail}"


def list_apps(
    vendor: str | None,
    source: str | None,
    exclude_source: str | None,
    limit: int,
    offset: int,
) -> Operation[list[models.App]]:
    params = _params(
        vendor=vendor, source=source, exclude_source=exclude_source, limit=limit, offset=offset
    )
    return Operation("GET", "/apps", params, _apps)


def list_drift(
    vendor: str | None, source: str | None, limit: int, offset: int
) -> Operation[models.DriftResponse]:
    params = _params(vendor=vendor, source=source, limit=limit, offset=offset)
    return Operation("GET", "/apps/drift", params, _drift)


def get_jamf_index() -> Operation[dict[str, list[str]]]:
    return Operation("GET", "/apps/jamf-index", {}, _index)


def get_stats() -> Operation[models.CatalogStats]:
    return Operation("GET", "/stats", {}, _stats)


def get_app(slug: str) -> Operation[models.App | None] | None:
    path = _app_path(slug)
    return None if path is None else Operation("GET", path, {}, _app)


def get_app_sources(slug: str) -> Operation[models.AppSources | None] | None:
    path = _app_path(slug, "/sources")
    return None if path is None else Operation("GET", path, {}, _sources)


def get_app_drift(slug: str) -> Operation[models.DriftEntry | None] | None:
    path = _app_path(slug, "/drift")
    return None if path is None else Operation("GET", path, {}, _entry)


def generate_label(slug: str) -> Operation[models.GeneratedLabel | None] | None:
    path = _app_path(slug, "/generate-label")
    return None if path is None else Operation("POST", path, {}, _label)


class Walk:
    """The position in a listing; notices when the catalog changes between two pages."""

    def __init__(self, offset: int) -> None:
        self.offset = offset
        self.ended = False
        self._etag: str | None = None

    def take(self, response: httpx2.Response, rows: int) -> None:
        etag = response.headers.get("etag")
        if self._etag is not None and etag != self._etag:
            detail = "the catalog changed between two pages; start again"
            raise ResponseError(str(response.url), detail)
        self._etag = etag
        self.offset += rows
        self.ended = rows < PAGE
