"""Every tab has a world of its own, which waits for it; there are only so many."""

from collections.abc import Callable
from typing import Any

import pytest

from poise.studio.tabs import KEEP_S, Session, Tabs


class Stub:
    """As much of an engine as the tabs know."""

    def __init__(self) -> None:
        self.started = self.closed = self.held = False

    def start(self) -> Any:
        self.started = True
        return self

    def hold(self, held: bool) -> None:
        self.held = held

    def close(self, timeout_s: float = 0.0) -> None:
        self.closed = True


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tabs(clock: Clock) -> Tabs:
    return Tabs(Stub, 2, clock=clock)  # type: ignore[arg-type]


@pytest.fixture
def enter(tabs: Tabs) -> Callable[..., Session]:
    """Enter with an address and the browser's name of the tab; there is room."""

    def enter(name: str = "", tab: str = "") -> Session:
        session = tabs.enter(name, tab)
        assert session is not None
        return session

    return enter


def closed(session: Session) -> bool:
    return session.engine.closed


def test_each_tab_gets_an_engine_that_runs(tabs: Tabs, enter: Callable[..., Session]) -> None:
    first, second = enter(tab="a"), enter(tab="b")
    assert first.engine is not second.engine and first.name != second.name
    assert first.engine.started  # type: ignore[attr-defined]
    assert (len(tabs), tabs.present) == (2, 2)


def test_beyond_the_limit_there_is_none(tabs: Tabs, enter: Callable[..., Session]) -> None:
    first = enter(tab="a")
    enter(tab="b")
    assert tabs.enter(tab="c") is None
    tabs.close(first)
    assert closed(first) and tabs.enter(tab="c") is not None


def test_a_gap_in_the_connection_holds_the_world_and_ends_nothing(
    tabs: Tabs, enter: Callable[..., Session], clock: Clock
) -> None:
    session = enter(tab="a")
    tabs.set_present(session, False)
    assert session.engine.held  # type: ignore[attr-defined]
    assert (len(tabs), tabs.present) == (1, 0)
    clock.now_s += KEEP_S - 1.0
    tabs.sweep()
    tabs.set_present(session, True)
    assert not session.engine.held and not closed(session)  # type: ignore[attr-defined]
    clock.now_s += 10.0 * KEEP_S
    tabs.sweep()
    assert not closed(session) and tabs.present == 1


def test_a_reload_returns_to_the_world_in_the_address(tabs: Tabs, enter: Callable[..., Session]) -> None:
    session = enter(tab="a")
    session.store["kept"] = 7
    tabs.set_present(session, False)
    again = enter(session.name, "a")
    assert again is session and again.store == {"kept": 7} and session.present
    assert len(tabs) == 1


def test_a_connection_that_only_seems_to_be_open_is_taken_over_by_the_same_tab(
    tabs: Tabs, enter: Callable[..., Session]
) -> None:
    session = enter(tab="a")
    assert enter(session.name, "a") is session and len(tabs) == 1


def test_the_address_of_a_world_that_is_shown_gives_another_tab_a_world_of_its_own(
    enter: Callable[..., Session],
) -> None:
    session = enter(tab="a")
    copy = enter(session.name, "b")
    assert copy is not session and copy.name != session.name and session.tab == "a"


def test_a_closed_tab_can_be_opened_again_by_its_address(tabs: Tabs, enter: Callable[..., Session]) -> None:
    session = enter(tab="a")
    tabs.set_present(session, False)
    assert enter(session.name, "b") is session


@pytest.mark.parametrize("name", ["", "nobody", "../../etc", "x" * 100_000])
def test_an_unknown_name_opens_a_new_world(enter: Callable[..., Session], name: str) -> None:
    session = enter(tab="a")
    assert enter(name, "b") is not session


def test_names_cannot_be_guessed(enter: Callable[..., Session]) -> None:
    names = {Session(Stub()).name for _ in range(100)}  # type: ignore[arg-type]
    assert len(names) == 100 and min(map(len, names)) >= 12


def test_minutes_after_a_tab_was_closed_its_world_is_freed(
    tabs: Tabs, enter: Callable[..., Session], clock: Clock
) -> None:
    assert KEEP_S >= 120.0
    session = enter(tab="a")
    session.store["page"] = object()
    tabs.set_present(session, False)
    clock.now_s += 1.0
    # A second report of the same absence does not postpone the end.
    tabs.set_present(session, False)
    clock.now_s += KEEP_S - 1.0
    tabs.sweep()
    assert closed(session) and len(tabs) == 0 and session.store == {}


def test_the_world_that_waits_longest_makes_room(tabs: Tabs, enter: Callable[..., Session], clock: Clock) -> None:
    first, second = enter(tab="a"), enter(tab="b")
    tabs.set_present(second, False)
    clock.now_s += 1.0
    tabs.set_present(first, False)
    enter(tab="c")
    assert closed(second) and not closed(first) and len(tabs) == 2
    enter(tab="d")
    assert closed(first)
    assert tabs.enter(tab="e") is None


def test_closing_twice_or_late_does_no_harm(tabs: Tabs, enter: Callable[..., Session]) -> None:
    first = enter(tab="a")
    tabs.close(first)
    tabs.close(first)
    tabs.set_present(first, True)
    assert len(tabs) == 0


def test_the_end_closes_all(tabs: Tabs, enter: Callable[..., Session]) -> None:
    sessions = [enter(tab="a"), enter(tab="b")]
    tabs.close_all()
    assert all(closed(session) for session in sessions)
    assert len(tabs) == 0
