"""Attacks on a studio: by another user of the machine, or by another site's page."""

import asyncio
import http.client
import json
import logging
import os
import pwd
import queue
import re
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest

from poise.studio import server
from poise.studio.engine import Engine
from poise.studio.guard import Key
from poise.studio.log_text import EscapeFilter, escape_text

pytest.importorskip("nicegui")

SECRET = "correct horse battery staple"
SERVE = "from poise.studio import serve; serve('simbicon/planar-walk', port=0, open_browser=False)"
SOCKET = "/_nicegui_ws/socket.io/?EIO=4&transport="
#: Where NiceGUI keeps its static files differs by version.
ROUTES = (
    "/",
    "/?world=abc",
    "/tabs",
    "/favicon.ico",
    "/_nicegui/any/static/nicegui.js",
    "/nothing",
    SOCKET + "polling",
)
HANDSHAKE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


class Studio:
    """A studio in a process of its own, and what a client without a browser gets from it."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        assert parts.port is not None
        self.port, self.token = parts.port, parts.query.removeprefix("token=")
        self.own = f"127.0.0.1:{self.port}"
        self.cookie = {"Cookie": f"poise-studio-{self.port}={self.token}"}

    def ask(self, path: str, headers: dict[str, str] | None = None, method: str = "GET") -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request(method, path, headers=headers or {})
            answer = connection.getresponse()
            text = "" if answer.status == 101 else answer.read().decode("utf-8", "replace")
            return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, text)
        finally:
            connection.close()

    def count_tabs(self) -> int:
        return int(json.loads(self.ask("/tabs", self.cookie).text)["open"])


@pytest.fixture(scope="module")
def lines() -> "queue.SimpleQueue[str]":
    return queue.SimpleQueue()


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory, lines: "queue.SimpleQueue[str]") -> Iterator[Studio]:
    env = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", SERVE],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=tmp_path_factory.mktemp("studio"),
        env=env,
    )

    def read() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            lines.put(line)
        lines.put("")

    threading.Thread(target=read, daemon=True).start()
    try:
        said = []
        while line := lines.get(timeout=300):
            said.append(line)
            if line.startswith("Poise studio: "):
                break
        assert line, f"the studio did not start: {''.join(said)}"
        yield Studio(line.split()[2])
    finally:
        process.terminate()
        process.wait(20)


# -- without the secret ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ROUTES)
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "OPTIONS"])
def test_no_route_answers_without_the_secret(studio: Studio, path: str, method: str) -> None:
    answer = studio.ask(path, method=method)
    assert answer.status == 403
    if method == "GET":
        assert "Open the address that <code>poise studio</code> printed" in answer.text
    assert studio.token not in str(answer)


@pytest.mark.parametrize("token", ["", "x", "?", "%00", "é"])
def test_a_wrong_secret_opens_nothing(studio: Studio, token: str) -> None:
    wrong = token.encode("utf-8").decode("latin-1")
    assert studio.ask(f"/?token={'%C3%A9' if token == 'é' else token}").status == 403
    assert studio.ask("/", {"Cookie": f"poise-studio-{studio.port}={wrong}"}).status == 403
    assert studio.ask("/", {"Cookie": f"poise-studio-{studio.port + 1}={studio.token}"}).status == 403
    assert studio.ask(f"/?token={studio.token[:-1]}").status == 403


@pytest.mark.parametrize("transport", ["polling", "websocket"])
def test_the_socket_needs_the_secret(studio: Studio, transport: str) -> None:
    headers = HANDSHAKE if transport == "websocket" else {}
    path = SOCKET + transport
    assert studio.ask(path, headers).status == 403
    assert studio.ask(f"{path}&token=wrong", headers).status == 403
    assert studio.ask(path, {**headers, **studio.cookie}).status == (101 if headers else 200)
    assert studio.ask(f"{path}&token={studio.token}", headers).status == (101 if headers else 200)


def test_no_world_is_made_for_whoever_is_not_let_in(studio: Studio) -> None:
    for _ in range(5):
        studio.ask("/")
        studio.ask(SOCKET + "websocket", HANDSHAKE)
    assert studio.count_tabs() == 0


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can act as another user")
def test_another_user_of_the_machine_gets_nothing(studio: Studio) -> None:
    attack = (
        "import http.client, os; assert os.geteuid() != 0\n"
        f"for path in {(*ROUTES, '/?token=guess')!r}:\n"
        f"    link = http.client.HTTPConnection('127.0.0.1', {studio.port}, timeout=20)\n"
        "    link.request('GET', path); print(link.getresponse().status)\n"
        f"ids = [p for p in os.listdir('/proc') if p.isdigit()]\n"
        "for p in ids:\n"
        "    try: text = open(f'/proc/{p}/cmdline').read()\n"
        "    except OSError: continue\n"
        f"    assert {studio.token[:12]!r} not in text or int(p) == os.getpid(), text\n"
    )
    # Not through an argument: the list of processes is what the attack reads. The base interpreter, since another user
    # may not read the environment that runs this test.
    python = "/usr/bin/python3"
    if not Path(python).exists():
        pytest.skip("no Python that another user may run")
    nobody = pwd.getpwnam("nobody")
    ran = subprocess.run(
        [python, "-"],
        input=attack,
        user=nobody.pw_uid,
        group=nobody.pw_gid,
        extra_groups=[],
        cwd="/",
        text=True,
        capture_output=True,
        timeout=60,
    )
    assert ran.returncode == 0, ran.stderr
    assert set(ran.stdout.split()) == {"403"}


# -- from elsewhere -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "[::1]:{port}"])
def test_another_host_is_refused_even_with_the_secret(studio: Studio, host: str) -> None:
    headers = {"Host": host.format(port=studio.port), **studio.cookie}
    assert studio.ask("/tabs", headers).status == 403
    assert studio.ask(f"/?token={studio.token}", headers).status == 403
    assert studio.ask(SOCKET + "websocket", {**HANDSHAKE, **headers}).status == 403


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:{port}", ""]
)
def test_another_origin_is_refused_even_with_the_secret(studio: Studio, origin: str) -> None:
    headers = {"Origin": origin.format(port=studio.port), **studio.cookie}
    assert studio.ask("/tabs", headers).status == 403
    assert studio.ask(SOCKET + "polling", headers).status == 403
    assert studio.ask(SOCKET + "websocket", {**HANDSHAKE, **headers}).status == 403


def test_the_owners_page_is_let_in(studio: Studio) -> None:
    for host in (studio.own, f"localhost:{studio.port}"):
        headers = {"Host": host, "Origin": f"http://{host}", **studio.cookie}
        assert studio.ask("/tabs", headers).status == 200
        assert studio.ask(SOCKET + "websocket", {**HANDSHAKE, **headers}).status == 101


def test_the_first_visit_leaves_a_cookie_and_leads_to_a_clean_address(studio: Studio) -> None:
    answer = studio.ask(f"/?quality=low&token={studio.token}&x=%22%3E%3Cscript%3E")
    assert answer.status == 200
    expected = f"poise-studio-{studio.port}={studio.token}; Path=/; HttpOnly; SameSite=Strict"
    assert answer.headers["set-cookie"] == expected
    found = re.search(r'content="0; url=([^"]*)"', answer.text)
    assert found is not None and found[1] == "/?quality=low&amp;x=%22%3E%3Cscript%3E"
    assert studio.token not in answer.text and "<script" not in answer.text


def test_a_cookie_is_found_among_those_of_others(studio: Studio) -> None:
    mine = studio.cookie["Cookie"]
    assert studio.ask("/tabs", {"Cookie": f'a b="(; {mine}; {{"x":1}}=2'}).status == 200


@pytest.mark.parametrize("path", ["/", "/tabs", "/nothing", "/?token={token}", "/?token=wrong"])
@pytest.mark.parametrize("known", [True, False])
def test_every_answer_forbids_frames_and_foreign_content(studio: Studio, path: str, known: bool) -> None:
    headers = studio.ask(path.format(token=studio.token), studio.cookie if known else {}).headers
    assert headers["x-frame-options"] == "DENY"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; ") and policy.endswith("frame-ancestors 'none'")
    assert "access-control-allow-origin" not in headers


# -- what is written down -------------------------------------------------------------------------------------------


def test_the_log_holds_neither_the_secret_nor_lines_of_strangers(
    studio: Studio, lines: "queue.SimpleQueue[str]"
) -> None:
    studio.ask(f"/nothing%0DERROR%3A%20forged%1B%5B31m?token={studio.token}")
    while "forged" not in (line := lines.get(timeout=20)):
        assert studio.token not in line
    assert "not found" in line and r"\rERROR: forged\x1b[31m" in line
    assert studio.token not in line


def test_texts_of_clients_are_logged_on_one_line_and_cut() -> None:
    assert escape_text("a\nb\x1b[0m\r\u2028\u202e") == r"a\nb\x1b[0m\r\u2028\u202e"
    assert escape_text("walk.ctl: größer, 脚") == "walk.ctl: größer, 脚"
    assert escape_text("x" * 2000) == "x" * 500 + "…"


def test_tracebacks_cannot_pass_for_entries() -> None:
    try:
        raise ValueError("wrong\nERROR: forged \x1b[31m")
    except ValueError:
        record = logging.LogRecord("nicegui", logging.ERROR, "", 0, "%s", ("one\ntwo",), sys.exc_info())
    assert EscapeFilter().filter(record)
    assert record.getMessage() == r"one\ntwo"
    assert record.exc_text is not None
    assert all(line.startswith("  | ") for line in record.exc_text.split("\n"))
    assert r"ERROR: forged \x1b[31m" in record.exc_text


def test_the_secret_is_new_at_every_start_and_not_shown_by_accident() -> None:
    one, other = Key(8080), Key(8080)
    assert one.token != other.token and len(one.token) >= 43
    assert one.token not in repr(one)
    assert one.url == f"http://127.0.0.1:8080/?token={one.token}"


def test_the_browser_is_sent_through_a_private_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    opened: list[str] = []
    monkeypatch.setattr(server.webbrowser, "open", opened.append)
    monkeypatch.setattr(server.tempfile, "tempdir", str(tmp_path))
    key = Key(8080)
    server.open_in_browser(key)
    assert opened and key.token not in opened[0] and opened[0].startswith("file://")
    (file,) = tmp_path.iterdir()
    assert f"url={key.url}" in file.read_text() and stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_controller_that_was_not_offered_is_not_loaded() -> None:
    from poise.studio.page import StudioPage

    class Select:
        options = ("walker/walk",)

    class Stage:
        class scenario:  # noqa: N801
            controller = "walker/walk"

    class Event:
        value: Any = "/tmp/evil.py"

    loaded: list[Any] = []
    page = object.__new__(StudioPage)
    page.engine = object.__new__(Engine)
    page.engine.stage = Stage()  # type: ignore[assignment]
    page.controller = page.character = Select()
    page._load = loaded.append  # type: ignore[method-assign]
    page._choose_controller(Event())  # type: ignore[arg-type]
    page._choose_character(Event())  # type: ignore[arg-type]
    assert loaded == []


def test_refused_websockets_never_reach_the_application() -> None:
    from poise.studio.guard import Guard

    reached: list[Any] = []
    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        reached.append(scope)

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    scope = {"type": "websocket", "path": "/", "query_string": b"", "headers": [(b"host", b"127.0.0.1:80")]}
    asyncio.run(Guard(app, Key(80))(scope, receive, send))
    assert reached == [] and sent == [{"type": "websocket.close", "code": 1008}]
