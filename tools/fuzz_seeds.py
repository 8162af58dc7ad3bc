"""Valid files of every kind, from which mutants are made: those of the library, and others written by Poise.

`make_seeds` fills a folder with a subfolder of cases for each reader. Each case holds the file to read, the files that
it needs beside it, and a file `MAIN` with its name.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from poise import __file__ as _package

LIBRARY: Final = Path(_package).parent / "library"
#: Most files of a kind: more find nothing new and take time to copy.
MOST: Final = 24
_LEG: Final = """<body name="thigh_{s}" pos="0 {y} 0"><joint name="hip_{s}" axis="0 1 0" range="-1 2" limited="true"/>
<geom type="capsule" size="0.05" fromto="0 0 0 0 0 -0.4"/>
<body name="shank_{s}" pos="0 0 -0.4"><joint name="knee_{s}" axis="0 1 0"/>
<geom type="capsule" size="0.04" fromto="0 0 0 0 0 -0.4"/>
<body name="sole_{s}" pos="0 0 -0.4"><geom type="box" size="0.1 0.05 0.02"/></body></body></body>"""
MJCF: Final = f"""<mujoco><compiler angle="radian"/>
<asset><hfield name="hills" nrow="3" ncol="3" size="1 1 1 1" elevation="0 0 0 0 1 0 0 0 0"/>
<mesh name="tip" vertex="0 0 0 .1 0 0 0 .1 0 0 0 .1"/></asset>
<worldbody><geom type="plane" size="1 1 1"/><geom type="hfield" hfield="hills"/>
<replicate count="3" offset="1 0 0"><body pos="3 0 0"><geom type="box" size="0.1 0.1 0.1"/></body></replicate>
<body name="base" pos="0 0 1"><freejoint name="root"/>
<geom type="ellipsoid" size="0.1 0.15 0.2" pos="0 0 0.1"/><geom type="mesh" mesh="tip"/>
{"".join(_LEG.format(s=s, y=y) for s, y in (("l", 0.1), ("r", -0.1)))}
</body></worldbody>
<actuator><motor joint="hip_l" gear="50" ctrlrange="-2 2" ctrllimited="true"/></actuator></mujoco>"""
_LINK: Final = """<link name="{name}"><inertial><mass value="2"/>
<inertia ixx="0.03" iyy="0.03" izz="0.03" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><cylinder radius="0.05" length="0.3"/></geometry></collision></link>"""
_HINGE: Final = """<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{child}"/>
<origin xyz="0 {y} -0.3"/><axis xyz="0 1 0"/><limit lower="-2" upper="1" effort="90" velocity="5"/></joint>"""
ROLES: Final = """name = "walker"
[roles]
pelvis = "base"
trunk = "base"
left_thigh = "thigh_l"
left_shank = "shank_l"
left_foot = "sole_l"
right_thigh = "thigh_r"
right_shank = "shank_r"
right_foot = "sole_r"
"""
TABLE: Final = f"""{ROLES}[axes]
left_hip_pitch = "-hip_l"
left_knee_pitch = "knee_l"
right_hip_pitch = "-hip_r"
right_knee_pitch = "knee_r"
[gains]
hip_pitch = [200, 20]
"""
ENVIRONMENT: Final = """DEFINE Chair { Box(3, .4, .05, .4, 0, .45, -10); Sphere(1, .1, 2, 1, -10); }
# a ground and what stands on it
ENTITIES { GROUND = 2DPlane(-200, 0, 200, 0); SEAT = Chair(2, 0, 0);
  STEPS = Stairs(3, .3, .1, 5); HILLS = Heightfield(hills.txt); SLOPE = 2DPlane(5, 0, 9, 1).friction(.5); }
"""
ASF: Final = """# a comment
:version 1.10
:name small
:units
  mass 1.0
  length 0.45
  angle deg
:documentation
   anything at all: 1 2 3
:root
   order TX TY TZ RX RY RZ
   axis XYZ
   position 0 0 0
   orientation 0 0 0
:bonedata
  begin
     id 1
     name lfemur
     direction 0.342020 -0.939693 0
     length 7.1
     axis 0 0 20  XYZ
     dof rx ry rz
     limits (-160.0 20.0)
            (-70.0 70.0)
            (-60.0 70.0)
  end
  begin
     id 2
     name ltibia
     direction 0.342020 -0.939693 0
     length 7.4
     axis 10 -30 20  XYZ
     dof rx
     limits (-10.0 170.0)
  end
  begin
     id 3
     name lfoot
     direction 0.1 -0.2 0.9
     length 2.0
     axis -90 0 20  XYZ
  end
:hierarchy
  begin
    root lfemur
    lfemur ltibia
    ltibia lfoot
  end
"""
AMC: Final = ":FULLY-SPECIFIED\n:DEGREES\n" + "".join(
    f"{k}\nroot 1 2 {k} 10 20 30\nlfemur 11 -12 {k}\nltibia 4{k}\n" for k in range(1, 9)
)


class _Seeds:
    """The folder of the seeds."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add(self, reader: str, main: str, files: dict[str, bytes | str | Path]) -> None:
        """Add a case: contents or paths of files, by name."""
        place = self.folder / reader / f"{len(list(self._cases(reader))):03}"
        place.mkdir(parents=True)
        (place / "MAIN").write_text(main)
        for name, content in files.items():
            if isinstance(content, Path):
                shutil.copyfile(content, place / name)
            else:
                (place / name).write_bytes(content.encode() if isinstance(content, str) else content)

    def add_files(self, reader: str, paths: Iterable[Path], name: str = "") -> None:
        """Add files that need no others, an even sample if there are many."""
        found = sorted(paths)
        for path in found[:: -(-len(found) // MOST)]:
            self.add(reader, name or path.name, {name or path.name: path})

    def _cases(self, reader: str) -> Iterable[Path]:
        return (self.folder / reader).iterdir() if (self.folder / reader).is_dir() else ()


def make_seeds(folder: Path) -> None:
    """Fill a folder with seeds for every reader."""
    seeds = _Seeds(folder)
    _add_characters(seeds)
    _add_controllers(seeds)
    _add_searches(seeds)
    _add_motions(seeds)
    _add_pictures(seeds)
    _add_archives(seeds)
    _add_results(seeds)


def _add_characters(seeds: _Seeds) -> None:
    shipped = LIBRARY / "characters"
    tables = {p: p.read_text(encoding="utf-8") for p in shipped.glob("*.toml")}
    plain = [p for p, text in tables.items() if not any(f"\n{k} =" in f"\n{text}" for k in ("bones", "mjcf", "urdf"))]
    seeds.add_files("character.toml", plain)
    for path, text in sorted(tables.items()):
        for bones in shipped.glob("*.bones"):
            if f'"{bones.name}"' in text:
                seeds.add("character.bones", path.name, {path.name: path, bones.name: bones})
    seeds.add("character.xml", "walker.xml", {"walker.xml": MJCF, "walker.toml": TABLE})
    links = "".join(
        _LINK.format(name=n) for n in ("base", *(f"{p}_{s}" for s in "lr" for p in ("thigh", "shank", "sole")))
    )
    hinges = "".join(
        _HINGE.format(
            name=f"{joint}_{s}", parent=parent if parent == "base" else f"{parent}_{s}", child=f"{child}_{s}", y=y
        )
        for s, y in (("l", 0.1), ("r", -0.1))
        for joint, parent, child in (("hip", "base", "thigh"), ("knee", "thigh", "shank"), ("ankle", "shank", "sole"))
    )
    urdf = f'<?xml version="1.0"?>\n<robot name="robot">{links}{hinges}</robot>'
    seeds.add("character.urdf", "walker.urdf", {"walker.urdf": urdf, "walker.toml": TABLE})


def _add_controllers(seeds: _Seeds) -> None:
    for k, path in enumerate(sorted((LIBRARY / "controllers").rglob("*.toml"))):
        text = path.read_text(encoding="utf-8")
        stores = [p for p in path.parent.glob("*.npz") if f'"{p.name}"' in text]
        reader = "controller-models" if stores else "controller.toml"
        if stores or k % 2 == 0:
            seeds.add(reader, path.name, {path.name: path, **{p.name: p for p in stores}})
    scripts = LIBRARY / "scripts"
    for suffix in (".ctl", ".t", ".s"):
        for path in sorted(p for p in scripts.glob("*.ctl") if not p.name.startswith("_"))[::4]:
            named = {p.name: p for p in scripts.glob("*.env") if p.name in path.read_text(encoding="utf-8")}
            seeds.add(f"script{suffix}", path.stem + suffix, {path.stem + suffix: path, **named})
    seeds.add_files("transition.ctl", (LIBRARY / "transitions").glob("[!_]*.ctl"))
    seeds.add_files("environment.env", scripts.glob("*.env"))
    hills = "0 4 5 0 .1 .2 .1 0\n"
    seeds.add("environment.env", "all.env", {"all.env": ENVIRONMENT, "hills.txt": hills})
    for body in ("planar17", "humanoid"):
        seeds.add("state.txt", f"{body}.txt", {f"{body}.txt": _write_state(body)})
    for path in sorted(scripts.glob("*.script")):
        needed = {p.name: p for p in (LIBRARY / "characters").glob("*.bones") if p.name in path.read_text()}
        tables = {
            p.name: p for p in (LIBRARY / "characters").glob("*.toml") if any(f'"{b}"' in p.read_text() for b in needed)
        }
        seeds.add("pose-graph.script", path.name, {path.name: path, **needed, **tables})
    seeds.add_files("style.toml", (LIBRARY / "styles").glob("*.toml"))


def _write_state(name: str) -> str:
    from poise.language.names import Body
    from poise.language.states import BodyState, PartState, Servo, write_state
    from poise.world.adopt import load_any_character

    character = load_any_character(name)
    body, axes = Body(character), len(character.axes)
    free = character.root == "free"
    state = BodyState(
        (0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0) if free else (0.0, 1.0, 0.0), (0.0,) * (6 if free else 3),
        (0.1,) * axes, (0.0,) * axes, (Servo(True, 0.1, 300.0, 30.0),) * axes,
    )  # fmt: skip
    parts = [PartState(0.0, 1.0, 0.1, 0.0, 0.0, 0.0)] * len(character.segments)
    return write_state(body, state, parts, (0.0, 1.0, 0.0, 0.0), 0.001)


def _add_searches(seeds: _Seeds) -> None:
    for path in sorted((LIBRARY / "problems").glob("*.toml"))[::2]:
        text = path.read_text(encoding="utf-8")
        starts = {f"start-{p.name}": p for p in (path.parent / "start").glob("*.toml") if f'"start/{p.name}"' in text}
        seeds.add("problem.toml", path.name, {path.name: text.replace('"start/', '"start-'), **starts})
    for path in sorted((LIBRARY / "controllers" / "tracker").glob("*.toml"))[::2]:
        seeds.add("tracker.toml", path.name, {path.name: path})
    for path in sorted((LIBRARY / "tamed").glob("*.toml"))[::2]:
        text = path.read_text(encoding="utf-8")
        clip = next(line.split('"')[1] for line in text.splitlines() if line.startswith("clip ="))
        if "[retouch]" in text:
            continue  # made for the fragments of a clip that is not shipped
        seeds.add("tracker.toml", path.name, {path.name: text.replace(f'"{clip}"', '"normal"')})
    skill = '[skill]\nparameter = "speed_mps"\nlow = 0.4\nhigh = 0.9\ndegree = 3\n'
    skill += "[skill.weights]\nlift_duration_s = [0.31, 0.02, -0.01, 0.005]\nplant_s = [1, 0, 0, 2.5]\n"
    seeds.add("skill.toml", "walk.skill.toml", {"walk.skill.toml": skill})
    _add_graph(seeds)


def _add_graph(seeds: _Seeds) -> None:
    """Add a few skills of the shipped graph: reading all of it takes a second."""
    from poise.skills.graph import load_graph, save_graph

    whole = load_graph(names=("stand", "walk", "run"))
    names = set(whole.manners)
    few = replace(
        whole,
        moments={n: rows[:20] for n, rows in whole.moments.items() if n in names},
        outcomes={pair: rows[:20] for pair, rows in whole.outcomes.items() if set(pair) <= names},
    )
    part = seeds.folder / "part-graph"
    save_graph(few, part)
    for main in ("graph.toml", "graph.npz"):
        seeds.add("graph", main, {p.name: p for p in part.iterdir()})
    shutil.rmtree(part)


def _add_motions(seeds: _Seeds) -> None:
    from poise.motion.load import load_clip, write_clip
    from poise.motion.read_deepmimic import JOINTS, WIDTH

    clips = sorted((LIBRARY / "clips").glob("*.npz"))
    seeds.add_files("clip.npz", clips[::4])
    for path in clips[::12]:
        written = seeds.folder / "clip.bvh.part.bvh"
        write_clip(load_clip(path), written)
        seeds.add("clip.bvh", f"{path.stem}.bvh", {f"{path.stem}.bvh": _shorten(written.read_text())})
        written.unlink()
    seeds.add("clip.amc", "small.amc", {"small.amc": AMC, "small.asf": ASF})
    rows = []
    for k in range(8):
        row: list[float] = [1 / 30, 0.1 * k, 0.9, 0.0]
        for joint in JOINTS:
            row += [1.0, 0.0, 0.0, 0.0] if joint[3] == 4 else [0.1 * k]
        assert len(row) == WIDTH
        rows.append(row)
    for name in ("walk.json", "walk.txt"):
        seeds.add("clip.json", name, {name: json.dumps({"Loop": "wrap", "Frames": rows}, indent=1)})


def _shorten(text: str, frames: int = 30) -> str:
    """A BVH file with fewer frames, so that most damage hits its header."""
    lines = text.splitlines()
    first = next(k for k, line in enumerate(lines) if line.startswith("Frame Time"))
    lines = [f"Frames: {frames}" if line.startswith("Frames:") else line for line in lines[: first + 1 + frames]]
    return "\n".join(lines) + "\n"


def _add_pictures(seeds: _Seeds) -> None:
    from PIL import Image

    grey = (np.arange(300).reshape(15, 20) * 200).astype(np.uint16)
    for mode, suffix in (
        ("L", ".png"),
        ("I;16", ".png"),
        ("RGB", ".jpg"),
        ("L", ".tif"),
        ("RGB", ".bmp"),
        ("L", ".ppm"),
    ):
        deep = mode == "I;16"
        picture = Image.fromarray(grey) if deep else Image.fromarray((grey // 256).astype(np.uint8)).convert(mode)
        part = seeds.folder / f"part{suffix}"
        picture.save(part)
        seeds.add("heights", f"hills{suffix}", {f"hills{suffix}": part})
        part.unlink()


def _add_archives(seeds: _Seeds) -> None:
    from poise.api import run
    from poise.recordings.recording_file import save_recording
    from poise.search.session import open_session
    from poise.world.snapshots import save_snapshot
    from tools.fuzz_readers import open_world

    part = seeds.folder / "part.npz"
    for controller in ("simbicon/planar-walk", "pose/hold"):
        save_recording(run(controller, seconds=0.2).recording, part)
        seeds.add("recording.npz", "run.npz", {"run.npz": part})
    world = open_world()
    for ticks in (0, 300):
        world.step(ticks)
        save_snapshot(world.snapshot(), part)
        seeds.add("snapshot.npz", "snapshot.npz", {"snapshot.npz": part})
    part.unlink()
    generation = {"points": np.zeros((2, 2)), "costs": np.arange(2.0), "failures": (("fall",), ())}
    with open_session(seeds.folder, "part", {"problem": "walk", "seed": 1}, folder=True) as session:
        session.recall("generation 1", lambda: generation)
    part = seeds.folder / "part.journal"
    seeds.add("search.journal", "search.journal", {"search.journal": part})
    part.unlink()
    seeds.add_files("models.npz", (LIBRARY / "controllers").rglob("*-models.npz"))


def _add_results(seeds: _Seeds) -> None:
    seeds.add_files("result.json", (LIBRARY / "results").rglob("*.json"))
    seeds.add_files("claims.csv", [LIBRARY / "claims.csv"])
    seeds.add_files("reasons.toml", [LIBRARY / "claims-reasons.toml"])
    for name, report in REPORTS.items():
        settings = {"controller": "walk", "physics": {"timestep_s": 0.001}, "phases": [0.0, 0.5]}
        text = json.dumps({"kind": name, "poise": "1", "seed": 7, **report, "settings": settings}, indent=2)
        seeds.add("report.json", f"{name}.json", {f"{name}.json": text})


_PUSH: Final[dict[str, Any]] = {"force_n": 400.0, "direction_deg": 90.0, "phase": 0.5, "fell_after_s": None}
REPORTS: Final[dict[str, dict[str, Any]]] = {
    "push-matrix": {
        "forces_n": [400.0], "directions_deg": [0.0, 90.0], "phases": [0.0, 0.5], "step_s": 0.4,
        "outcomes": [_PUSH, {**_PUSH, "direction_deg": 0.0, "fell_after_s": 0.8}], "survived": 1, "tried": 2,
    },
    "push-limits": {
        "limits": [{"direction_deg": 0.0, "limit_n": 400.0, "fell_n": 410.0, "phase": 0.5}], "phases": [0.5],
    },
    "push-train": {
        "repeat": 10, "every_s": 4.0,
        "outcomes": [{"force_n": 80.0, "direction_deg": 0.0, "survived_pushes": 10, "fell_at_s": None}],
    },
    "sweep": {
        "parameter": "speed_mps", "commanded": True,
        "rows": [{"value": 0.5, "label": "0.5", "measured": 0.4, "fell_at_s": None, "speed_mps": 0.4,
                  "mean_step_time_s": 0.5}],
    },
}  # fmt: skip
