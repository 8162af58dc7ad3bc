"""Shipped SIMBICON gaits that were found by a search say how to find them again."""

import pytest

from poise.controllers.catalog import controller_names, read_controller_file
from poise.search import read_problem

#: `planar-walk` is published; those to the right are the mirror images of those to the left.
SEARCHED = [
    name
    for name in controller_names()
    if read_controller_file(name).method in ("simbicon", "simbicon-planar")
    and name != "simbicon/planar-walk"
    and not name.endswith("-right")
]


@pytest.mark.parametrize("name", SEARCHED)
def test_a_gait_that_was_searched_says_how(name: str) -> None:
    file, problem = read_controller_file(name), read_problem(name.removeprefix("simbicon/"))
    provenance = file.provenance
    assert provenance["command"] == f"poise optimize {problem.name} --seed {problem.seed}"
    assert provenance["problem_sha256"] == problem.sha256
    assert file.description == problem.description and file.character == problem.character
    assert not provenance["check"]["fallen"] and provenance["check"]["seconds"] >= 60.0
