"""What can be asked, apart from how it is sent: both clients use these."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from urllib.parse import quote, urlsplit

import httpx2
from pydantic import TypeAdapter, ValidationError

from appstitch import models
from appstitch.errors import ResponseError

Result = TypeVar("Result")

#: The largest page there is: the fewest requests for a walk.
PAGE = 1000

#: Statuses of a server that is gone for now.
AWAY = frozenset({502, 503, 504})

FIRST_PAUSE = 0.1
LONGEST_PAUSE = 5.0


@dataclass(frozen=True)
class Operation(Generic[Result]):
    """A request and how its answer is read."""

    method: str
    path: str
    params: dict[str, str]
    read: Callable[[httpx2.Response], Result]


def check_base(base_url: str) -> str:
    """The base address without a slash at its end."""
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ResponseError(base_url, "no http or https address")
    return base_url.rstrip("/")


def pause_before(tried: int) -> float:
    """How long to wait before another try."""
    return float(min(FIRST_PAUSE * 2**tried, LONGEST_PAUSE))


def lost_connection(error: httpx2.TransportError) -> bool:
    """Whether no connection came about, or it was lost before an answer began."""
    return isinstance(error, (httpx2.ConnectError, httpx2.RemoteProtocolError, httpx2.ReadError))


def network_error(url: str, error: Exception) -> ResponseError:
    return ResponseError(url, str(error) or type(error).__name__)


def _detail(response: httpx2.Response) -> str | None:
    try:
        body = response.json()
    except ValueError:
        return None
    detail = body.get("detail") if isinstance(body, dict) else None
    return detail if isinstance(detail, str) or detail is None else str(detail)


def _refused(response: httpx2.Response) -> ResponseError:
    detail = _detail(response) or "no reason given"
    return ResponseError(str(response.url), detail, response.status_code)


def _reader(kind: Any) -> Callable[[httpx2.Response], Any]:
    adapter: TypeAdapter[Any] = TypeAdapter(kind)

    def read(response: httpx2.Response) -> Any:
        if not response.is_success:
            raise _refused(response)
        try:
            return adapter.validate_json(response.content)
        except ValidationError as error:
            detail = f"the answer cannot be read: {error}"
            raise ResponseError(str(response.url), detail, response.status_code) from error

    return read


def _or_none(read: Callable[[httpx2.Response], Any]) -> Callable[[httpx2.Response], Any]:
    """Only the service's own 404 says that there is no such app."""

    def read_or_none(response: httpx2.Response) -> Any:
        if response.status_code == 404 and "with slug" in (_detail(response) or ""):
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
    """A slug is one part of the path; nothing, and dots that lead elsewhere, cannot be one."""
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
    """Keeps count of a walk, and notices when the catalog changes on the way."""

    def __init__(self, offset: int) -> None:
        self.offset = offset
        self.ended = False
        self._etag: str | None = None

    def take(self, response: httpx2.Response, rows: int) -> None:
        etag = response.headers.get("etag")
        if self._etag is not None and etag != self._etag:
            detail = "the catalog changed on the way: begin again"
            raise ResponseError(str(response.url), detail)
        self._etag = etag
        self.offset += rows
        self.ended = rows < PAGE
