"""Uploads with both clients to a real server, which has no sample."""

import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from appstitch import App, AppSources, CaskCatalogSource, Client, ResponseError, SyncClient

BASE = os.environ["APPSTITCH_TEST_UPLOAD_BASE"]
TOKEN = os.environ["APPSTITCH_TEST_TOKEN"]


def asynchronously(use: Callable[[Any], Awaitable[Any]], **settings: Any) -> Any:
    async def run() -> Any:
        async with Client(BASE, **settings) as client:
            return await use(client)

    return asyncio.run(run())


def synchronously(use: Callable[[Any], Any], **settings: Any) -> Any:
    with SyncClient(BASE, **settings) as client:
        return use(client)


EITHER = pytest.mark.parametrize("run", [synchronously, asynchronously])


def app(slug: str) -> App:
    return App(
        slug=slug,
        bundle_id=None,
        name=slug.title(),
        vendor=None,
        current_version="1.0",
        latest_release_date=None,
        download_url=None,
        install_method=None,
        expected_team_id=None,
        sha256=None,
        sources=["cask_catalog"],
    )


def casks(*tokens: str) -> bytes:
    return json.dumps([{"token": token, "name": [token], "version": "2.0"} for token in tokens]).encode()


@EITHER
def test_files_of_sources_replace_what_was_there(run: Any) -> None:
    names = [f"cask-{number}" for number in range(10)]
    upload = lambda client: client.upload_source(  # noqa: E731
        "cask_catalog", casks(*names), allow_shrink=True
    )
    summary = run(upload, deploy_token=f" {TOKEN}\n")
    assert (summary.received, summary.accepted, summary.problems) == (10, 10, [])
    assert run(upload, deploy_token=TOKEN).changed is False
    assert [found.slug for found in run(lambda client: client.list_apps())] == names

    def fewer(client: Any, **settings: Any) -> Any:
        return client.upload_sources([("cask_catalog", casks("cask-0"))], **settings)

    with pytest.raises(ResponseError) as caught:
        run(fewer, deploy_token=TOKEN)
    assert caught.value.status == 409
    allowed = run(lambda client: fewer(client, allow_shrink=True), deploy_token=TOKEN)
    assert (allowed.apps.total, allowed.apps.removed) == (1, 9)


@EITHER
def test_records_are_put_replaced_and_deleted(run: Any) -> None:
    cask = CaskCatalogSource(token="mine", entry_json={"version": "1.0"})
    sources = AppSources(
        label_tool=None,
        cask_catalog=cask,
        recipe_index=None,
        store_listing=None,
        mdm_installer=None,
    )
    put = run(lambda client: client.put_record(app("mine"), sources), deploy_token=TOKEN)
    assert put.accepted == 1
    assert run(lambda client: client.get_app("mine")) == app("mine")
    assert run(lambda client: client.get_app_sources("mine")).cask_catalog == cask
    line = json.dumps({"app": app("other").model_dump(mode="json"), "sources": None})
    replaced = run(
        lambda client: client.replace_records(line, allow_shrink=True), deploy_token=TOKEN
    )
    assert replaced.accepted == 1
    assert run(lambda client: client.get_app("mine")) is None
    run(lambda client: client.delete_record("other"), deploy_token=TOKEN)
    assert run(lambda client: client.get_app("other")) is None
    with pytest.raises(ResponseError) as caught:
        run(lambda client: client.delete_record("other"), deploy_token=TOKEN)
    assert caught.value.status == 404


@EITHER
def test_without_the_right_token_nothing_is_uploaded(run: Any) -> None:
    delete = lambda client: client.delete_record("a")  # noqa: E731
    with pytest.raises(ResponseError, match="requires a deploy token"):
        run(delete)
    with pytest.raises(ResponseError) as caught:
        run(delete, deploy_token="wrong")
    assert caught.value.status == 401
    for token in ["se\nsame", "sésame"]:
        with pytest.raises(ResponseError, match="cannot be sent") as unsendable:
            run(delete, deploy_token=token)
        assert token not in str(unsendable.value)
