"""An error about a value on the command line names the option or argument that holds it."""

from __future__ import annotations

import pytest

WALK = "simbicon/planar-walk"


@pytest.mark.parametrize(
    ("line", "start"),
    [
        (f"run {WALK} --timestep 1", "--timestep: "),
        (f"run {WALK} --friction -1", "--friction: "),
        (f"run {WALK} --ground lava", "--ground: no ground named 'lava'. Known here: default, firm, springs."),
        (f"run {WALK} --self-collision arms", "--self-collision: no set of parts named 'arms'. Known here: none, "),
        (f"run {WALK} --character nobody", "character: no character named 'nobody'. Known here: beast1, "),
        (f"run {WALK} --scale tail=2", "scale: no part named 'tail'. Known here: left_leg, "),
        (f"run {WALK} --scale legs=9", "scale: legs is out of range, got 9.0. Allowed: 0.2 to 5."),
        (f"run {WALK} --push 9,0,1,.1,tail", "segment: no segment named 'tail'. Known here: trunk, "),
        (f"run {WALK} --repair", f"poise run: --repair is for scripts, got '{WALK}'. Give a .script file."),
        (f"robustness {WALK} --limits --tolerance 0", "--tolerance: the number is out of range, got 0.0 N."),
        (f"robustness {WALK} --limits --repeat 2", "poise robustness: --limits and --repeat do not go together."),
        (f"sweep {WALK}", "poise sweep: no parameter is swept. "),
        ("plot everything", "poise plot: no plot named 'everything'. Known here: phase, hips, "),
        (f"plot phase {WALK} --axis tail", "axis: no axis named 'tail'. Known here: trunk_pitch, "),
        ("reproduce nothing", "poise reproduce: no experiment named 'nothing'. Known here: bodies, "),
        ("claims --system nothing", "poise claims: no system named 'nothing'. Known here: simbicon, "),
        (f"check controller {WALK} --ground lava", "ground: no ground named 'lava'. Known here: default, "),
        ("studio --timestep 1 --no-browser", "--timestep: the number is out of range, got 1.0 s."),
    ],
)
def test_errors_name_what_was_typed(poise, line: str, start: str) -> None:
    result = poise(*line.split())
    assert result.exit_code == 2
    assert result.stderr.removeprefix("error: ").startswith(start), result.stderr
