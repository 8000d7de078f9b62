"""The requests of the service and how to read their responses, shared by both clients."""

import json
import logging
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
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

#: The header with the code of an error, and the codes for an unknown slug and an unknown name.
ERROR_CODE = "x-error-code"
APP_NOT_FOUND = "app_not_found"
NAME_NOT_FOUND = "name_not_found"

#: A path to an app: a slug, and what is read of the app.
APP_PATH = re.compile(r"/apps/([A-Za-z0-9][A-Za-z0-9._+@-]{0,127})(/[a-z-]+(?:/[a-z-]+)?)?")

#: Routes at the place of a slug.
RESERVED = frozenset({"drift", "jamf-index"})

logger = logging.getLogger("appstitch")

FIRST_PAUSE = 0.1
LONGEST_PAUSE = 5.0

#: The files of sources are large, and the server answers when the catalog is made. In seconds.
UPLOAD_TIMEOUT = 600.0


@dataclass(frozen=True)
class Operation(Generic[Result]):
    """A request and how to read its response."""

    method: str
    path: str
    params: dict[str, str]
    read: Callable[[httpx2.Response], Result]
    body: bytes | None = field(default=None, kw_only=True)
    #: The parts of a form, in place of a body.
    parts: list[tuple[str, bytes]] | None = field(default=None, kw_only=True)
    headers: dict[str, str] = field(default_factory=dict, kw_only=True)


@dataclass(frozen=True)
class AppOperation(Operation[Result]):
    """A request about one app."""

    slug: str
    detail: str


def check_base(base_url: str) -> str:
    """The base URL without a trailing slash."""
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ResponseError(base_url, "not an HTTP or HTTPS URL")
    return base_url.rstrip("/")


def authorization(base_url: str, token: str | None) -> dict[str, str]:
    """The header that allows uploads; nothing without a token."""
    if token is None:
        return {}
    token = token.strip()
    if not (token.isascii() and token.isprintable()):
        raise ResponseError(base_url, "the deploy token contains characters that cannot be sent")
    return {"authorization": f"Bearer {token}"}


def authorized(
    operation: Operation[Result], base_url: str, headers: dict[str, str]
) -> Operation[Result]:
    """An upload with the deploy token."""
    if not headers:
        detail = "an upload requires a deploy token; pass deploy_token to the client"
        raise ResponseError(f"{base_url}{operation.path}", detail)
    return replace(operation, headers=headers)


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


def _text(response: httpx2.Response) -> str:
    if not response.is_success:
        raise _refused(response)
    return response.text


def _bytes(response: httpx2.Response) -> bytes:
    if not response.is_success:
        raise _refused(response)
    return response.content


def _is_unknown(response: httpx2.Response, code: str) -> bool:
    """Whether the slug or name is unknown.

    The server marks that 404 with a header. Any other 404 means that the URL is wrong, or that the
    response is from another server.
    """
    return response.status_code == 404 and response.headers.get(ERROR_CODE) == code


def _or_none(
    read: Callable[[httpx2.Response], Any], code: str = APP_NOT_FOUND
) -> Callable[[httpx2.Response], Any]:
    """Returns None for an unknown slug or name."""

    def read_or_none(response: httpx2.Response) -> Any:
        return None if _is_unknown(response, code) else read(response)

    return read_or_none


_apps = _reader(list[models.App])
_search = _reader(models.SearchResponse)
_drift = _reader(models.DriftResponse)
_index = _reader(dict[str, list[str]])
_stats = _reader(models.CatalogStats)
_status = _reader(models.SourceStatusResponse)
_app = _or_none(_reader(models.App))
_details = _or_none(_reader(models.AppDetails))
_aliases = _or_none(_reader(models.AliasMatches), NAME_NOT_FOUND)
_comparison = _reader(models.VersionComparison)
_provenance = _or_none(_reader(models.Provenance))
_sources = _or_none(_reader(models.AppSources))
_entry = _or_none(_reader(models.DriftEntry | None))
_history = _or_none(_reader(models.AppHistory))
_changes = _reader(models.ChangesResponse)
_label = _or_none(_reader(models.GeneratedLabel))
_fragment = _or_none(_text)
_exports = _or_none(_reader(models.AppExports))
_health = _reader(dict[str, object])
_summary = _reader(models.UploadSummary)
_report = _reader(models.InventoryReport)


def _params(**given: str | int | None) -> dict[str, str]:
    return {name: str(value) for name, value in given.items() if value is not None}


def _segment(text: str) -> str | None:
    """A text as one path segment; an empty one or dots would lead to another path."""
    return None if text in ("", ".", "..") else quote(text, safe="")


def _app_path(slug: str, detail: str) -> str | None:
    segment = _segment(slug)
    return None if segment is None else f"/apps/{segment}{detail}"


def _about(
    slug: str,
    detail: str,
    read: Callable[[httpx2.Response], Any],
    method: str = "GET",
    headers: dict[str, str] | None = None,
    **params: str | None,
) -> AppOperation[Any] | None:
    path = _app_path(slug, detail)
    if path is None:
        return None
    return AppOperation(
        method, path, _params(**params), read, slug, detail, headers=headers or {}
    )


def canonical(
    operation: AppOperation[Result], response: httpx2.Response
) -> AppOperation[Result] | None:
    """The operation on the app that the slug is another name of; None if it is not.

    The server sends a link to that app with the 404. Only the slug is taken from it, so a link
    cannot lead to another server or another route.
    """
    if not _is_unknown(response, APP_NOT_FOUND):
        return None
    link = APP_PATH.fullmatch(response.links.get("canonical", {}).get("url", ""))
    if link is None or link[1] in RESERVED or (link[2] or "") != operation.detail:
        return None
    slug, path = link[1], _app_path(link[1], operation.detail)
    if path is None:
        return None
    logger.info("%s is another name of %s", operation.slug, slug)
    return replace(operation, path=path, slug=slug)


def _include(include: models.DriftSource | Collection[models.DriftSource]) -> str | None:
    return (include if isinstance(include, str) else ",".join(include)) or None


def list_apps(
    vendor: str | None,
    source: str | None,
    exclude_source: str | None,
    deprecated: bool | None,
    bundle_id: str | None,
    team_id: str | None,
    install_method: models.InstallMethod | None,
    slugs: Collection[str] | None,
    limit: int,
    offset: int,
) -> Operation[list[models.App]]:
    params = _params(
        vendor=vendor,
        source=source,
        exclude_source=exclude_source,
        deprecated=None if deprecated is None else str(deprecated).lower(),
        bundle_id=bundle_id,
        team_id=team_id,
        install_method=install_method,
        slugs=None if slugs is None else ",".join(slugs),
        limit=limit,
        offset=offset,
    )
    return Operation("GET", "/apps", params, _apps)


def search_apps(
    query: str, vendor: str | None, source: str | None, limit: int, offset: int
) -> Operation[models.SearchResponse]:
    params = _params(q=query, vendor=vendor, source=source, limit=limit, offset=offset)
    return Operation("GET", "/search", params, _search)


def list_drift(
    vendor: str | None,
    source: str | None,
    include: models.DriftSource | Collection[models.DriftSource],
    limit: int,
    offset: int,
) -> Operation[models.DriftResponse]:
    params = _params(
        vendor=vendor, source=source, include=_include(include), limit=limit, offset=offset
    )
    return Operation("GET", "/apps/drift", params, _drift)


def list_changes(
    since: str | None,
    vendor: str | None,
    slug: str | None,
    kind: models.ChangeKind | None,
    field: str | None,
    squash: bool,
    limit: int,
) -> Operation[models.ChangesResponse]:
    params = _params(
        since=since,
        vendor=vendor,
        slug=slug,
        kind=kind,
        field=field,
        squash="true" if squash else None,
        limit=limit,
    )
    return Operation("GET", "/changes", params, _changes)


def get_jamf_index() -> Operation[dict[str, list[str]]]:
    return Operation("GET", "/apps/jamf-index", {}, _index)


def get_source_status() -> Operation[models.SourceStatusResponse]:
    return Operation("GET", "/sources", {}, _status)


def get_health() -> Operation[dict[str, object]]:
    return Operation("GET", "/health", {}, _health)


def get_stats() -> Operation[models.CatalogStats]:
    return Operation("GET", "/stats", {}, _stats)


def find_alias(name: str) -> Operation[models.AliasMatches | None] | None:
    segment = _segment(name)
    return None if segment is None else Operation("GET", f"/aliases/{segment}", {}, _aliases)


def compare_versions(a: str, b: str) -> Operation[models.VersionComparison]:
    return Operation("GET", "/versions/compare", {"a": a, "b": b}, _comparison)


def get_app(slug: str) -> AppOperation[models.App | None] | None:
    return _about(slug, "", _app)


def get_app_details(slug: str) -> AppOperation[models.AppDetails | None] | None:
    return _about(slug, "/details", _details)


def get_app_sources(slug: str) -> AppOperation[models.AppSources | None] | None:
    return _about(slug, "/sources", _sources)


def get_app_provenance(slug: str) -> AppOperation[models.Provenance | None] | None:
    return _about(slug, "/provenance", _provenance)


def get_app_drift(
    slug: str, include: models.DriftSource | Collection[models.DriftSource]
) -> AppOperation[models.DriftEntry | None] | None:
    return _about(slug, "/drift", _entry, include=_include(include))


def get_app_history(slug: str) -> AppOperation[models.AppHistory | None] | None:
    return _about(slug, "/history", _history)


def generate_label(slug: str) -> AppOperation[models.GeneratedLabel | None] | None:
    return _about(slug, "/generate-label", _label, method="POST")


def generate_label_fragment(slug: str) -> AppOperation[str | None] | None:
    headers = {"accept": "text/x-shellscript"}
    return _about(slug, "/generate-label", _fragment, method="POST", headers=headers)


def get_app_exports(slug: str) -> AppOperation[models.AppExports | None] | None:
    return _about(slug, "/exports", _exports)


def export_app(slug: str, format: models.ExportFormat) -> AppOperation[str | None] | None:
    return _about(slug, f"/export/{quote(format, safe='')}", _fragment)


def export_apps(
    format: models.ExportFormat,
    slugs: Collection[str] | None,
    vendor: str | None,
    source: str | None,
) -> Operation[bytes]:
    picked = None if slugs is None else ",".join(slugs)
    params = _params(slugs=picked, vendor=vendor, source=source)
    return Operation("GET", f"/export/{quote(format, safe='')}.tar.gz", params, _bytes)


def _allow_shrink(allow: bool) -> dict[str, str]:
    return {"allow_shrink": "true"} if allow else {}


def _admin_path(route: str, name: str) -> str:
    segment = _segment(name)
    if segment is None:
        raise ResponseError(name, "not a name")
    return f"/admin/{route}/{segment}"


def upload_source(
    source: str, file: bytes, allow_shrink: bool
) -> Operation[models.UploadSummary]:
    path = _admin_path("sources", source)
    return Operation("PUT", path, _allow_shrink(allow_shrink), _summary, body=file)


def upload_sources(
    files: Iterable[tuple[str, bytes]], allow_shrink: bool
) -> Operation[models.UploadSummary]:
    params = _allow_shrink(allow_shrink)
    return Operation("PUT", "/admin/sources", params, _summary, parts=list(files))


def replace_records(lines: bytes | str, allow_shrink: bool) -> Operation[models.UploadSummary]:
    body = lines.encode() if isinstance(lines, str) else lines
    return Operation("PUT", "/admin/records", _allow_shrink(allow_shrink), _summary, body=body)


def put_record(
    app: models.App, sources: models.AppSources | None
) -> Operation[models.UploadSummary]:
    served = None if sources is None else sources.model_dump(mode="json")
    record = {"app": app.model_dump(mode="json"), "sources": served}
    path = _admin_path("records", app.slug)
    return Operation("PUT", path, {}, _summary, body=json.dumps(record).encode())


def delete_record(slug: str) -> Operation[models.UploadSummary]:
    return Operation("DELETE", _admin_path("records", slug), {}, _summary)


def check_inventory(
    inventory: bytes | str, suggest: bool, verdicts: models.Verdict | Collection[models.Verdict]
) -> Operation[models.InventoryReport]:
    words = verdicts if isinstance(verdicts, str) else ",".join(verdicts)
    params = _params(suggest="true" if suggest else None, verdict=words or None)
    body = inventory.encode() if isinstance(inventory, str) else inventory
    return Operation("POST", "/inventory/check", params, _report, body=body)


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
