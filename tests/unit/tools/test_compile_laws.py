"""What is compiled ahead of the tests holds every law that we ship."""

from __future__ import annotations

from poise.characters.catalog import load_character
from poise.controllers.catalog import controller_names, default_character, load_controller, read_controller_file
from tools.compile_laws import choose_controllers


def test_every_method_is_compiled_once() -> None:
    methods = [read_controller_file(name).method for name in choose_controllers()]
    assert len(set(methods)) == len(methods)
    assert set(methods) == {read_controller_file(name).method for name in controller_names()}


def test_controllers_of_one_method_share_its_law() -> None:
    last = {read_controller_file(name).method: name for name in controller_names()}
    for name in choose_controllers():
        pair = (name, last[read_controller_file(name).method])
        one, other = (load_controller(n, load_character(default_character(n))) for n in pair)
        assert one.law is other.law, pair
