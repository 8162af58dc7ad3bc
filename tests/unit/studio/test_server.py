"""The studio answers on this machine only, finds a port, and says what is wrong before it opens."""

import builtins
import socket
import sys
from typing import Any

import pytest

from poise.errors import InputError, NotFoundError, PoiseError
from poise.studio import server
from poise.studio.server import can_open_browser, find_port, serve


def test_other_addresses_are_refused() -> None:
    with pytest.raises(InputError) as caught:
        serve(host="0.0.0.0")
    expected = "studio: the studio listens on the loopback address only, got '0.0.0.0'. Allowed: 127.0.0.1."
    assert str(caught.value) == expected


def test_a_port_that_is_taken_leads_to_the_next() -> None:
    with find_port(0) as first:
        taken = first.getsockname()[1]
        with find_port(taken) as second:
            host, port = second.getsockname()
            assert host == "127.0.0.1"
            assert taken < port <= taken + server.PORT_TRIES


def test_a_port_is_a_small_number() -> None:
    with pytest.raises(InputError) as caught:
        find_port(70000)
    assert str(caught.value) == "studio: port is out of range, got 70000. Allowed: 0 to 65535."


def test_no_free_port_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        taken = holder.getsockname()[1]
        monkeypatch.setattr(server, "PORT_TRIES", 0)
        with pytest.raises(InputError) as caught:
            find_port(taken)
    expected = f"studio: no free port from {taken} to {taken}. Choose another with --port, or 0 for any."
    assert str(caught.value) == expected


def test_wrong_names_are_found_before_anything_is_served() -> None:
    with pytest.raises(NotFoundError, match="no controller named 'simbicon/planar-wakl'"):
        serve("simbicon/planar-wakl")
    with pytest.raises(NotFoundError, match="no character named 'biped8'"):
        serve(character="biped8")
    with pytest.raises(NotFoundError, match="no kind named 'flta'"):
        serve(terrain="flta")


def test_without_nicegui_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **named: Any) -> Any:
        if name.partition(".")[0] == "nicegui":
            raise ModuleNotFoundError("No module named 'nicegui'", name="nicegui")
        return real(name, *rest, **named)

    for name in [n for n in sys.modules if n.startswith("poise.studio.pages") or n.startswith("poise.studio.page")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delattr("poise.studio.pages", raising=False)
    monkeypatch.delattr("poise.studio.page", raising=False)
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(PoiseError) as caught:
        serve()
    assert str(caught.value) == "studio: NiceGUI is not installed. Get it with: pip install poise[studio]"


def test_over_ssh_no_browser_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.webbrowser, "get", lambda: object())
    monkeypatch.setenv("DISPLAY", ":0")
    for name in ("SSH_CONNECTION", "SSH_TTY"):
        monkeypatch.delenv(name, raising=False)
    assert can_open_browser()
    monkeypatch.setenv("SSH_CONNECTION", "10.0.0.1 1 10.0.0.2 22")
    assert not can_open_browser()


def test_without_a_screen_or_a_browser_none_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SSH_CONNECTION", "SSH_TTY", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(server.sys, "platform", "linux")
    assert not can_open_browser()

    def none_here() -> None:
        raise server.webbrowser.Error("none")

    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(server.webbrowser, "get", none_here)
    assert not can_open_browser()
