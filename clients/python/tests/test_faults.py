"""How the clients handle a faulty server or network."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from appstitch import AliasMatches, App, Client, ResponseError, SyncClient

APP = (
    '{"slug":"a","bundle_id":null,"name":"A","vendor":null,"current_version":"1",'
    '"latest_release_date":null,"download_url":null,"install_method":null,'
    '"expected_team_id":null,"sha256":null,"sources":[]}'
)


UNKNOWN = "App with slug 'a' not found"


def full(status: int, body: str, headers: str = "") -> bytes:
    length = f"content-length: {len(body)}"
    head = f"HTTP/1.1 {status} X\r\n{headers}{length}\r\nconnection: close\r\n\r\n"
    return (head + body).encode()


def unknown_app(status: int, body: str) -> bytes:
    return full(status, body, "X-Error-Code: app_not_found\r\n")


class Faulty:
    """Performs its acts in turn, and then repeats the last one.

    Bytes are a response, a float is a delay in seconds before one, None closes the connection.
    """

    def __init__(self, *acts: bytes | float | None) -> None:
        self.acts = acts
        self.asked = 0
        self.now = 0
        self.most_at_once = 0
        self.wanted_at_once = 0
        self.base = ""

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        act = self.acts[min(self.asked, len(self.acts) - 1)]
        self.asked += 1
        self.now += 1
        self.most_at_once = max(self.most_at_once, self.now)
        await reader.readuntil(b"\r\n\r\n")
        if isinstance(act, float):
            # On a slow machine, the first request could be over before the last one is there.
            while self.most_at_once < self.wanted_at_once:
                await asyncio.sleep(0.001)
            await asyncio.sleep(act)
            act = full(200, APP)
        self.now -= 1
        if act is not None:
            writer.write(act)
        writer.close()


@contextmanager
def running(*acts: bytes | float | None) -> Iterator[Faulty]:
    faulty = Faulty(*acts)
    loop = asyncio.new_event_loop()
    started = threading.Event()

    def serve() -> None:
        asyncio.set_event_loop(loop)
        server = loop.run_until_complete(asyncio.start_server(faulty.answer, "127.0.0.1", 0))
        port = server.sockets[0].getsockname()[1]
        faulty.base = f"http://127.0.0.1:{port}"
        started.set()
        loop.run_forever()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    started.wait()
    yield faulty
    loop.call_soon_threadsafe(loop.stop)
    thread.join()


def synchronously(base: str, **settings: Any) -> App | None:
    with SyncClient(base, **settings) as client:
        return client.get_app("a")


def asynchronously(base: str, **settings: Any) -> App | None:
    async def get() -> App | None:
        async with Client(base, **settings) as client:
            return await client.get_app("a")

    return asyncio.run(get())


EITHER = pytest.mark.parametrize("get", [synchronously, asynchronously])


@EITHER
@pytest.mark.parametrize("first", [full(502, ""), full(503, ""), full(504, ""), None])
def test_a_server_that_is_away_for_a_moment_is_asked_again(get: Any, first: bytes | None) -> None:
    with running(first, full(503, ""), full(200, APP)) as server:
        assert get(server.base).name == "A"
        assert server.asked == 3


@EITHER
def test_it_is_asked_only_so_often_and_never_after_a_refusal(get: Any) -> None:
    with running(full(503, '{"detail":"later"}')) as server:
        with pytest.raises(ResponseError) as caught:
            get(server.base, retries=2)
        assert (caught.value.status, caught.value.detail, server.asked) == (503, "later", 3)
        assert caught.value.url.endswith("/apps/a")
    with running(full(500, "<html>")) as server:
        with pytest.raises(ResponseError) as caught:
            get(server.base)
        assert (caught.value.status, server.asked) == (500, 1)
    with pytest.raises(ResponseError) as caught:
        get("http://127.0.0.1:9", retries=1)
    assert caught.value.status is None
    assert str(caught.value).startswith("http://127.0.0.1:9/apps/a: server unavailable: ")


@EITHER
@pytest.mark.parametrize(
    "answer",
    [
        full(200, "{"),
        full(200, '{"slug":"a"}'),
        full(200, "<html>"),
        b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{",
        full(404, "<html>not here</html>"),
        full(404, '{"detail":"Not Found"}'),
        full(404, f'{{"detail":"{UNKNOWN}"}}'),
        full(404, "", "x-error-code: another\r\n"),
        unknown_app(410, ""),
    ],
)
def test_broken_and_unreadable_answers_are_errors(get: Any, answer: bytes) -> None:
    with running(answer) as server, pytest.raises(ResponseError):
        get(server.base, retries=0)


@EITHER
def test_the_services_own_404_is_none_and_a_slow_server_an_error(get: Any) -> None:
    for body in [f'{{"detail":"{UNKNOWN}"}}', '{"detail":"anything"}', ""]:
        with running(unknown_app(404, body)) as server:
            assert get(server.base) is None
    with running(5.0) as server, pytest.raises(ResponseError):
        get(server.base, timeout=0.2)
    for base in ["ftp://example.com", "no address", ""]:
        with pytest.raises(ResponseError):
            get(base)


def linked(link: str) -> bytes:
    return full(404, "", f"X-Error-Code: app_not_found\r\nLink: {link}\r\n")


@EITHER
def test_a_link_to_the_canonical_slug_is_followed_once(get: Any) -> None:
    canonical = linked('</apps/b>; rel="canonical"')
    # Behind a path of a proxy, too: only the slug is taken from the link.
    for path in ["", "/catalog"]:
        with running(canonical, full(503, ""), full(200, APP)) as server:
            assert get(server.base + path).name == "A"
            assert server.asked == 3
    with running(canonical) as server:
        assert get(server.base) is None, "a chain ends after one step"
        assert server.asked == 2
    with running(canonical, full(500, "")) as server:
        with pytest.raises(ResponseError) as caught:
            get(server.base)
        assert caught.value.status == 500 and caught.value.url.endswith("/apps/b")
    with running(canonical) as server:
        assert get(server.base, follow_canonical=False) is None
        assert server.asked == 1


@EITHER
@pytest.mark.parametrize(
    "link",
    [
        '<http://example.com/apps/b>; rel="canonical"',
        '<//example.com/apps/b>; rel="canonical"',
        '<apps/b>; rel="canonical"',
        '</admin/records>; rel="canonical"',
        '</apps/../admin/records>; rel="canonical"',
        '</apps/%2e%2e>; rel="canonical"',
        '</apps/..>; rel="canonical"',
        '</apps/drift>; rel="canonical"',
        '</apps/b/sources>; rel="canonical"',
        '</apps/b?x=y>; rel="canonical"',
        '</apps/b>; rel="next"',
        "</apps/b>",
        "canonical",
        "",
    ],
)
def test_a_link_that_leads_elsewhere_is_ignored(get: Any, link: str) -> None:
    with running(linked(link)) as server:
        assert get(server.base) is None
        assert server.asked == 1


@EITHER
def test_only_the_services_own_404_is_followed(get: Any) -> None:
    for status in [404, 410, 500]:
        with running(full(status, "", 'link: </apps/b>; rel="canonical"\r\n')) as server:
            with pytest.raises(ResponseError):
                get(server.base)
            assert server.asked == 1


def test_only_the_services_own_404_means_that_there_is_no_such_name() -> None:
    def find(answer: bytes) -> AliasMatches | None:
        with running(answer) as server, SyncClient(server.base, retries=0) as client:
            return client.find_alias("a")

    assert find(full(404, "", "x-error-code: name_not_found\r\n")) is None
    found = find(full(200, '{"matches":[{"slug":"b","kind":"token"}]}'))
    assert found is not None and found.matches[0].slug == "b"
    for answer in [
        full(404, '{"detail":"No app is known as \'a\'"}'),
        unknown_app(404, ""),
        full(500, ""),
        full(200, "null"),
        full(200, '{"matches":[{"slug":"b","kind":"nickname"}]}'),
    ]:
        with pytest.raises(ResponseError):
            find(answer)


@pytest.mark.parametrize("allowed", [5, 2])
def test_no_more_requests_are_on_their_way_than_allowed(allowed: int) -> None:
    async def many(base: str) -> None:
        async with Client(base, max_concurrency=allowed) as client:
            await asyncio.gather(*(client.get_app("a") for _ in range(20)))

    with running(0.05) as server:
        server.wanted_at_once = allowed
        asyncio.run(many(server.base))
        assert server.most_at_once == allowed
    with running(0.05) as server, SyncClient(server.base, max_concurrency=allowed) as client:
        server.wanted_at_once = allowed
        threads = [threading.Thread(target=client.get_app, args=("a",)) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert server.most_at_once == allowed


def test_an_error_has_no_password() -> None:
    for user in ("user:sesame", "us@er:sesame", "sesame"):
        error = ResponseError(f"http://{user}@127.0.0.1:9/apps/a@b", "detail")
        assert error.url == "http://127.0.0.1:9/apps/a@b"
        assert "sesame" not in f"{error!r} {error}"
