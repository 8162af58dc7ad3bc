"""All file readers of Poise, called as the commands call them.

`read` takes the file and raises a PoiseError if it is invalid. Cheap operations on the content are run too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np


@dataclass(frozen=True)
class Reader:
    """A kind of file and its reader."""

    name: str
    read: Callable[[Path], Any]


@cache
def _body(name: str) -> Any:
    from poise.world.adopt import load_any_character

    return load_any_character(name)


def _compile(characters: list[Any], terrain: Any, props: tuple[Any, ...] = ()) -> None:
    from poise.world.compile import PhysicsSettings, build_spec, compile_spec
    from poise.world.terrain import flat

    compile_spec(build_spec(characters, terrain or flat(), props, PhysicsSettings()))


def _read_character(path: Path) -> None:
    from poise.world.adopt import load_any_character

    _compile([load_any_character(str(path))], None)


def _read_controller(path: Path) -> None:
    from poise.controllers.catalog import default_character, load_controller
    from poise.world.adopt import load_any_character

    load_controller(str(path), load_any_character(default_character(str(path))))


def _read_script(path: Path) -> None:
    from poise.controllers.catalog import load_controller
    from poise.controllers.script.build import build_program, find_character
    from poise.controllers.script.guests import find_guests
    from poise.language.check import check_program
    from poise.language.load import load_program
    from poise.language.names import Body
    from poise.language.write import write_script
    from poise.world.adopt import load_any_character

    program = load_program(path)
    write_script(program.script)
    character = load_any_character(find_character(program.script.text))
    program.guests = find_guests(program, character, load_controller)
    for problem in check_program(program, Body(character)):
        str(problem)
    controller = build_program(program, character, path.stem, load_controller)
    if controller.environment is not None:
        _compile([character], controller.environment.terrain, controller.environment.props)


def _read_transition(path: Path) -> None:
    from poise.skills.script_file import read_transition

    found = read_transition(path)
    found.leave_phase  # noqa: B018
    found.repairs  # noqa: B018


def _read_state(path: Path) -> None:
    from poise.files import load_text
    from poise.language.names import Body
    from poise.language.states import read_state

    name = "humanoid" if "humanoid" in path.stem else "planar17"
    read_state(load_text(path), Body(_body(name)), path.name)


def _read_environment(path: Path) -> None:
    from poise.language.environment_file import read_environment

    environment = read_environment(path, {"height": 0.1, "width": 0.4})
    _compile([_body("planar17")], environment.terrain, environment.props)


def _read_pose_script(path: Path) -> None:
    from poise.controllers.limit_cycle.scripts.read import parse_script
    from poise.controllers.limit_cycle.scripts.repair import repair_script
    from poise.errors import PoiseError
    from poise.files import load_text

    text = load_text(path)
    repaired, _ = repair_script(text)
    try:
        parse_script(text, path)
    except PoiseError:
        parse_script(repaired, path)


def _read_style(path: Path) -> None:
    from poise.controllers.walker.styles import read_style
    from poise.tables import load_table

    read_style(path.stem, load_table(path), path.stem)


def _read_problem(path: Path) -> None:
    from poise.search.read_problem import read_problem

    read_problem(path)


def _read_tracker(path: Path) -> None:
    from poise.search.retouch_file import load_tracker
    from poise.search.tame_file import read_start, read_start_motion

    read_start(path)
    read_start_motion(path, path)
    load_tracker(path)


def _read_skill(path: Path) -> None:
    from poise.search.skills import load_skill

    skill = load_skill(path)
    skill(skill.low)


def _read_graph(path: Path) -> None:
    from poise.skills.graph import load_graph

    load_graph(path.parent)


def _read_clip(path: Path) -> None:
    from poise.motion.load import load_clip

    load_clip(path)


def _read_heights(path: Path) -> None:
    from poise.world.terrain import parse_terrain

    _compile([_body("biped7")], parse_terrain(f"heightfield:{path},amplitude_m=0.1"))


def _read_recording(path: Path) -> None:
    from poise.recordings.recording_file import load_recording
    from poise.rollout.compare import compare

    recording = load_recording(path)
    compare(recording, recording)


@cache
def open_world() -> Any:
    """The world whose snapshots are damaged; compiled once per process."""
    from poise.rollout.scene import Scene

    return Scene("simbicon/planar-walk").open()


def _read_snapshot(path: Path) -> None:
    from poise.world.snapshots import load_snapshot

    world = open_world()
    world.restore(load_snapshot(path))
    world.step(20)


def _read_journal(path: Path) -> None:
    from poise.search.drive import Judged, recall_generation
    from poise.search.session import load_notes, open_session

    with open_session(path.parent, path.stem, load_notes(path), folder=True, resume=True) as session:
        recall_generation(session, "generation 1", np.zeros((2, 2)), lambda: Judged(np.zeros(2)))


def _read_models(path: Path) -> None:
    from poise.controllers.limit_cycle.models import load_models

    load_models(path)


def _read_result(path: Path) -> None:
    from poise.reproduce.experiment import load_results

    load_results(path.parent)


def _read_claims(path: Path) -> None:
    from poise.reproduce.claims import load_claims

    load_claims.__wrapped__(path)


def _read_reasons(path: Path) -> None:
    from poise.reproduce.claims import load_reasons

    load_reasons(path)


def _read_report(path: Path) -> None:
    from poise.trials.compare import compare_reports
    from poise.trials.trial_file import load_report

    report = load_report(path)
    compare_reports(report, report)


#: Names are folders of seeds; a kind with several forms has a name for each.
READERS: Final = (
    Reader("character.toml", _read_character),
    Reader("character.bones", _read_character),
    Reader("character.xml", _read_character),
    Reader("character.urdf", _read_character),
    Reader("controller.toml", _read_controller),
    Reader("controller-models", _read_controller),
    Reader("script.ctl", _read_script),
    Reader("script.t", _read_script),
    Reader("script.s", _read_script),
    Reader("transition.ctl", _read_transition),
    Reader("environment.env", _read_environment),
    Reader("state.txt", _read_state),
    Reader("pose-graph.script", _read_pose_script),
    Reader("style.toml", _read_style),
    Reader("problem.toml", _read_problem),
    Reader("tracker.toml", _read_tracker),
    Reader("skill.toml", _read_skill),
    Reader("graph", _read_graph),
    Reader("clip.bvh", _read_clip),
    Reader("clip.amc", _read_clip),
    Reader("clip.json", _read_clip),
    Reader("clip.npz", _read_clip),
    Reader("heights", _read_heights),
    Reader("recording.npz", _read_recording),
    Reader("snapshot.npz", _read_snapshot),
    Reader("search.journal", _read_journal),
    Reader("models.npz", _read_models),
    Reader("result.json", _read_result),
    Reader("claims.csv", _read_claims),
    Reader("reasons.toml", _read_reasons),
    Reader("report.json", _read_report),
)
