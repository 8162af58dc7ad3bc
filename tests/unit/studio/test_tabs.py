"""Every tab has a world of its own, and there are only so many."""

from typing import Any

from poise.studio.tabs import Tabs


class Stub:
    """As much of an engine as the tabs know."""

    def __init__(self) -> None:
        self.started = self.closed = False

    def start(self) -> Any:
        self.started = True
        return self

    def close(self, timeout_s: float = 0.0) -> None:
        self.closed = True


def make_tabs(limit: int = 2) -> Tabs:
    return Tabs(Stub, limit)  # type: ignore[arg-type]


def test_each_tab_gets_an_engine_that_runs() -> None:
    tabs = make_tabs()
    first, second = tabs.open(), tabs.open()
    assert first is not second
    assert first is not None and first.started  # type: ignore[attr-defined]
    assert len(tabs) == 2


def test_beyond_the_limit_there_is_none() -> None:
    tabs = make_tabs()
    first = tabs.open()
    tabs.open()
    assert tabs.open() is None
    assert first is not None
    tabs.close(first)
    assert first.closed
    assert tabs.open() is not None


def test_a_tab_that_is_away_makes_room_for_a_new_one() -> None:
    tabs = make_tabs()
    first, second = tabs.open(), tabs.open()
    assert first is not None and second is not None
    tabs.set_present(second, False)
    third = tabs.open()
    assert third is not None
    assert second.closed and not first.closed
    assert len(tabs) == 2


def test_a_tab_that_came_back_keeps_its_engine() -> None:
    tabs = make_tabs()
    first, second = tabs.open(), tabs.open()
    assert first is not None and second is not None
    tabs.set_present(first, False)
    tabs.set_present(first, True)
    assert tabs.open() is None
    assert not first.closed


def test_closing_twice_or_late_does_no_harm() -> None:
    tabs = make_tabs()
    first = tabs.open()
    assert first is not None
    tabs.close(first)
    tabs.close(first)
    tabs.set_present(first, True)
    assert len(tabs) == 0


def test_the_end_closes_all() -> None:
    tabs = make_tabs()
    engines = [tabs.open(), tabs.open()]
    tabs.close_all()
    assert all(engine is not None and engine.closed for engine in engines)
    assert len(tabs) == 0
