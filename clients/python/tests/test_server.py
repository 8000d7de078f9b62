"""Compares the results of both clients with the responses of a real server."""

import asyncio
import inspect
import json
import os
import re
import typing
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import appstitch
import httpx2
import pytest
from appstitch import Client, ResponseError, SyncClient, models
from pydantic import BaseModel

BASE = os.environ["APPSTITCH_TEST_BASE"]
OPENAPI = json.loads(Path(os.environ["APPSTITCH_TEST_OPENAPI"]).read_text())


def wire(path: str) -> Any:
    return httpx2.get(f"{BASE}{path}").raise_for_status().json()


def plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        # What the server leaves out stays out.
        return value.model_dump(mode="json", exclude_unset=True)
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value


def both(use: Callable[[Any], Any]) -> Any:
    """The result of an operation, which must be the same for both clients."""

    async def asynchronously() -> Any:
        async with Client(BASE) as client:
            result: Awaitable[Any] = use(client)
            return await result

    with SyncClient(BASE) as client:
        synchronously = use(client)
    assert asyncio.run(asynchronously()) == synchronously
    return synchronously


def test_every_operation_returns_what_its_route_says() -> None:
    apps = both(lambda client: client.list_apps())
    assert plain(apps) == wire("/apps")
    narrowed = both(
        lambda client: client.list_apps(
            vendor="MOZILLA", source="label_tool", exclude_source="x", limit=1, offset=0
        )
    )
    assert plain(narrowed) == wire("/apps?vendor=mozilla&source=label_tool&limit=1")
    assert both(lambda client: client.list_apps(deprecated=True)) == []
    assert both(lambda client: client.list_apps(deprecated=False)) == apps
    assert plain(both(lambda client: client.list_drift())) == wire("/apps/drift")
    assert both(lambda client: client.get_jamf_index()) == wire("/apps/jamf-index")
    assert plain(both(lambda client: client.get_source_status())) == wire("/sources")
    assert both(lambda client: client.get_stats()).total_apps == wire("/stats")["total_apps"]
    for app in apps:
        slug = app.slug
        assert plain(both(lambda client: client.get_app(slug))) == wire(f"/apps/{slug}")
        details = plain(both(lambda client: client.get_app_details(slug)))
        assert details == wire(f"/apps/{slug}/details")
        provenance = plain(both(lambda client: client.get_app_provenance(slug)))
        assert provenance == wire(f"/apps/{slug}/provenance")
        sources = plain(both(lambda client: client.get_app_sources(slug)))
        assert sources == wire(f"/apps/{slug}/sources")
        assert plain(both(lambda client: client.get_app_drift(slug))) == wire(f"/apps/{slug}/drift")
    label = both(lambda client: client.generate_label("zoom"))
    assert label.label_name == "zoom" and label.content["name"]
    fragment = both(lambda client: client.generate_label_fragment("zoom"))
    sent = httpx2.post(f"{BASE}/apps/zoom/generate-label", headers={"accept": "text/x-shellscript"})
    assert fragment == sent.raise_for_status().text and fragment.startswith("zoom)\n")
    exports = both(lambda client: client.get_app_exports("zoom"))
    assert plain(exports) == wire("/apps/zoom/exports")
    policy = both(lambda client: client.export_app("docker-desktop", "fleet-policy"))
    sent = httpx2.get(f"{BASE}/apps/docker-desktop/export/fleet-policy")
    assert policy == sent.raise_for_status().text
    archive = both(lambda client: client.export_apps("osquery", slugs=["docker-desktop"]))
    sent = httpx2.get(f"{BASE}/export/osquery.tar.gz", params={"slugs": "docker-desktop"})
    assert archive == sent.raise_for_status().content and archive
    assert both(lambda client: client.export_app("nobody", "munki")) is None
    assert both(lambda client: client.get_health()) == wire("/health")


def test_installed_apps_are_checked() -> None:
    app = next(app for app in wire("/apps") if app["bundle_id"] and app["current_version"])
    inventory = f"bundle_id,version\n{app['bundle_id']},0.0.1\ncom.example.nobody,1\n"
    report = both(lambda client: client.check_inventory(inventory, suggest=True))
    sent = httpx2.post(f"{BASE}/inventory/check?suggest=true", content=inventory.encode())
    assert plain(report) == sent.raise_for_status().json()
    assert [app.verdict for app in report.apps] == ["outdated", "unmatched"]
    outdated = both(lambda client: client.check_inventory(inventory.encode(), verdicts="outdated"))
    assert outdated.apps == report.apps[:1] and outdated.totals == report.totals
    with pytest.raises(ResponseError, match="not a list of installed apps"):
        both(lambda client: client.check_inventory("nothing"))


@pytest.mark.parametrize(
    "include",
    [(), [], "mdm_installer", ["store_listing"], {"mdm_installer", "store_listing"}],
)
def test_further_sources_are_compared_on_request(include: Any) -> None:
    names = include if isinstance(include, str) else ",".join(include)
    page = both(lambda client: client.list_drift(include=include))
    assert plain(page) == wire(f"/apps/drift?include={names}")
    one = both(lambda client: client.get_app_drift("firefoxpkg", include=include))
    assert plain(one) == wire(f"/apps/firefoxpkg/drift?include={names}")
    with SyncClient(BASE) as client:
        assert list(client.iter_drift(include=include)) == page.entries


def test_a_search_returns_the_best_match_first() -> None:
    found = both(lambda client: client.search_apps("vs code", limit=3))
    assert plain(found) == wire("/search?q=vs%20code&limit=3")
    assert found.items[0].slug == "microsoftvisualstudiocode"
    assert found.items[0].matches[0].tier == found.items[0].tier == "exact"
    filtered = both(lambda client: client.search_apps("chorme", vendor="GOOGLE", source="label_tool"))
    assert [hit.slug for hit in filtered.items] == ["googlechromepkg"]
    assert both(lambda client: client.search_apps("")).total == 0


def test_apps_are_filtered_exactly() -> None:
    slugs = ["zoom", "slack", "nobody"]
    found = both(lambda client: client.list_apps(slugs=slugs, install_method="pkg"))
    assert [app.slug for app in found] == ["slack", "zoom"]
    found = both(lambda client: client.list_apps(bundle_id="com.google.chrome"))
    assert [app.slug for app in found] == ["googlechromepkg"]
    found = both(lambda client: client.list_apps(team_id="UBF8T346G9"))
    assert [app.slug for app in found] == ["microsoftedge", "microsoftvisualstudiocode"]
    assert both(lambda client: client.list_apps(slugs=[])) == []


def test_every_kind_of_name_finds_its_apps() -> None:
    for name in ["google-chrome", "GOOGLE-CHROME", "com.google.Chrome", "docker", "UBF8T346G9"]:
        found = both(lambda client: client.find_alias(name))
        assert found.matches and plain(found) == wire(f"/aliases/{name}")
    with SyncClient(f"{BASE}/elsewhere") as client, pytest.raises(ResponseError) as caught:
        client.find_alias("docker")
    assert caught.value.status == 404


def test_versions_are_compared() -> None:
    compared = both(lambda client: client.compare_versions("2026.08.1+195", "2026.08.1,196"))
    assert compared.order == "older" and compared.rule is None
    assert plain(compared) == wire("/versions/compare?a=2026.08.1%2B195&b=2026.08.1,196")
    with SyncClient(BASE) as client, pytest.raises(ResponseError) as caught:
        client.compare_versions("", "1.0")
    assert caught.value.status == 422


def test_another_name_of_an_app_returns_the_app(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", logger="appstitch")
    name, slug = "google-chrome", "googlechromepkg"
    for read in ["get_app", "get_app_details", "get_app_provenance"]:
        caplog.clear()
        assert both(lambda client: getattr(client, read)(name)).slug == slug
        said = [record.getMessage() for record in caplog.records if record.name == "appstitch"]
        assert said == [f"{name} is another name of {slug}"] * 2
    sources = both(lambda client: client.get_app_sources(name))
    assert plain(sources) == wire(f"/apps/{slug}/sources")
    label = both(lambda client: client.generate_label("firefox"))
    assert label == both(lambda client: client.generate_label("firefoxpkg"))
    fragment = both(lambda client: client.generate_label_fragment("firefox"))
    assert fragment.startswith("firefoxpkg)\n")
    include = ["mdm_installer", "store_listing"]
    drift = both(lambda client: client.get_app_drift("firefox", include=include))
    assert (drift.slug, len(drift.versions)) == ("firefoxpkg", 3), "with its query"
    assert both(lambda client: client.get_app("UBF8T346G9")) is None, "a name of two apps"
    with SyncClient(BASE, follow_canonical=False) as client:
        assert client.get_app(name) is None and client.generate_label(name) is None
        assert client.get_app(slug) is not None


def test_an_unknown_slug_is_none_and_anything_else_an_error() -> None:
    for slug in ["nobody", "a/../b", "ä?x#y", "..", "%2F", ""]:
        assert both(lambda client: client.get_app(slug)) is None
        assert both(lambda client: client.get_app_details(slug)) is None
        assert both(lambda client: client.get_app_provenance(slug)) is None
        assert both(lambda client: client.find_alias(slug)) is None
        assert both(lambda client: client.get_app_sources(slug)) is None
        assert both(lambda client: client.get_app_drift(slug)) is None
        assert both(lambda client: client.generate_label(slug)) is None
        assert both(lambda client: client.generate_label_fragment(slug)) is None
    with SyncClient(BASE) as client:
        with pytest.raises(ResponseError) as caught:
            client.list_apps(limit=0)
        assert caught.value.status == 422 and "greater than or equal" in caught.value.detail
        unknown: Any = ["recipe_index"]
        reads: list[Callable[..., Any]] = [client.list_drift, partial(client.get_app_drift, "zoom")]
        for read in reads:
            with pytest.raises(ResponseError) as caught:
                read(include=unknown)
            assert caught.value.status == 422 and "recipe_index" in caught.value.detail
        slugs = [app.slug for app in client.list_apps(limit=1000)]
        bare = [slug for slug in slugs if not any(wire(f"/apps/{slug}/sources").values())]
        with pytest.raises(ResponseError) as caught:
            client.generate_label(bare[0])
        assert caught.value.status == 422


def test_walks_see_everything_once() -> None:
    async def walk() -> tuple[list[str], list[str]]:
        async with Client(BASE) as client:
            apps = [app.slug async for app in client.iter_apps()]
            drift = [entry.slug async for entry in client.iter_drift(source="label_tool")]
            return apps, drift

    apps, drift = asyncio.run(walk())
    assert apps == [app["slug"] for app in wire("/apps?limit=1000")]
    assert drift == [entry["slug"] for entry in wire("/apps/drift?limit=1000")["entries"]]
    with SyncClient(BASE) as client:
        assert [app.slug for app in client.iter_apps()] == apps
        assert [entry.slug for entry in client.iter_drift()] == drift


def test_changes_are_followed() -> None:
    with SyncClient(BASE) as client:
        newest = client.list_changes(limit=1)
        assert newest.changes[0].seq == wire("/changes?limit=1")["changes"][0]["seq"]
        assert not newest.more and client.list_changes(since=newest.next).changes == []
        added = list(client.iter_changes("0", kind="added"))
        assert added[0].fields["slug"].from_ is None
        assert added[0].fields["slug"].to == added[0].slug
        history = client.get_app_history("zoom")
        assert history is not None and history.versions[0].until is None
        assert client.get_app_history("no-such-app") is None
        with pytest.raises(ResponseError) as gone:
            client.list_changes(since="ffffffff-1")
        assert gone.value.status == 410


def test_both_clients_have_the_same_surface() -> None:
    def surface(kind: type) -> dict[str, list[str]]:
        methods = inspect.getmembers(kind, inspect.isfunction)
        public = {name: method for name, method in methods if not name.startswith("_")}
        return {
            name.replace("aclose", "close"): list(inspect.signature(method).parameters)
            for name, method in public.items()
        }

    assert surface(Client) == surface(SyncClient)


def kinds(annotation: Any) -> set[str]:
    """The JSON types of an annotation."""
    if annotation is type(None):
        return {"null"}
    origin = typing.get_origin(annotation)
    if origin is typing.Literal:
        return {"string"}
    if origin in (list,):
        return {"array"}
    if origin in (dict,) or (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
        return {"object"}
    if args := typing.get_args(annotation):
        return set().union(*(kinds(arg) for arg in args))
    if annotation is Any:
        return {"any"}
    return {{str: "string", int: "integer", bool: "boolean", float: "number"}.get(annotation, "string")}


def described(schema: dict[str, Any]) -> set[str]:
    """The JSON types of a schema in the OpenAPI document."""
    if "$ref" in schema:
        return described(OPENAPI["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]])
    for choice in ("oneOf", "anyOf"):
        if choice in schema:
            return set().union(*(described(part) for part in schema[choice]))
    kind = schema.get("type", "any")
    return set(kind) if isinstance(kind, list) else {kind}


# Responses have every other key, so the models require every key but these.
LEFT_OUT = {
    "MirrorStatus.refresh",
    "Provenance.title_codes",
    "SourceStatus.refresh",
    "SourceStatusResponse.mirror",
}


def test_the_models_are_those_of_the_openapi_document() -> None:
    checked = 0
    for name, schema in OPENAPI["components"]["schemas"].items():
        model = getattr(models, name, None)
        if not (isinstance(model, type) and issubclass(model, BaseModel)):
            continue
        fields = model.model_fields
        fields = {field.alias or key: field for key, field in fields.items()}
        assert list(fields) == list(schema["properties"]), name
        for field, description in schema["properties"].items():
            is_left_out = f"{name}.{field}" in LEFT_OUT
            known = kinds(fields[field].annotation) - ({"null"} if is_left_out else set())
            assert known == described(description), f"{name}.{field}"
            assert fields[field].is_required() != is_left_out, f"{name}.{field}"
        checked += 1
    public = [getattr(appstitch, name) for name in appstitch.__all__]
    expected = [kind for kind in public if isinstance(kind, type) and issubclass(kind, BaseModel)]
    # Uploads are for operators and not in the document.
    uploads = {models.UploadProblem, models.UploadSummary, models.UploadedApps}
    assert checked == len(set(expected) - uploads) == 53
    for name in [
        "InstallMethod",
        "AliasKind",
        "DeprecationStatus",
        "FoundBy",
        "ChangeKind",
        "MatchTier",
        "SearchField",
        "Verdict",
        "MatchedBy",
        "Confidence",
        "CheckRule",
        "VersionOrder",
        "SameReleaseRule",
    ]:
        words = OPENAPI["components"]["schemas"][name]
        described_words = words.get("enum") or [part["enum"][0] for part in words["oneOf"]]
        assert list(typing.get_args(getattr(models, name))) == described_words, name


def test_the_examples_of_the_readme_run(capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(__file__).parent.parent / "README.md").read_text()
    examples = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(examples) == 2
    for example in examples:
        exec(example.replace("http://127.0.0.1:8000", BASE), {"__name__": "__main__"})
    printed = capsys.readouterr().out
    assert "Zoom" in printed and "firefox" in printed and "zoom)\n" in printed
