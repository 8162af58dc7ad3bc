"""`poise show`: print the properties of a character, controller, terrain or recording."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from poise.cli.group import HouseApp
from poise.cli.outputs import MakeFoldersOption, check_folder
from poise.cli.screen import make_console, make_facts, make_table
from poise.cli.show_recording import show_recording
from poise.cli.trusting import AllowOutsideOption
from poise.cli.values import RandomBodyOption, parse_assignments, parse_random_body

if TYPE_CHECKING:
    from poise.characters.model import Axis, Character
    from poise.world.controller import Parameter

app = HouseApp(help="Show the properties of a character, controller, terrain or recording")

Scale = Annotated[list[str] | None, typer.Option("--scale", metavar="PART=FACTOR", help="legs, left_arm, mass …")]


@app.command("character")
def show_character(
    name: Annotated[str, typer.Argument(metavar="NAME|FILE")],
    png: Annotated[
        str | None, typer.Option(metavar="F", callback=check_folder, help="Draw it from the front and the side")
    ] = None,
    mjcf: Annotated[
        str | None, typer.Option(metavar="F", callback=check_folder, help="Write it as MJCF, on level ground")
    ] = None,
    scale: Scale = None,
    random_body: RandomBodyOption = None,
    make_folders: MakeFoldersOption = False,
    allow_outside: AllowOutsideOption = False,
) -> None:
    """Show a character's segments, joints and landmarks"""
    factors, body_seed = parse_assignments("--scale", scale or ()), parse_random_body(random_body)
    from poise.characters.catalog import summarize
    from poise.characters.proportions import scaled
    from poise.characters.random_bodies import random_body as make_random_body
    from poise.world.adopt import load_any_character

    character = load_any_character(name)
    character = scaled(character if body_seed is None else make_random_body(character, body_seed), **factors)
    summary = summarize(character)
    console = make_console()
    facts = [
        ("mass", f"{summary.mass_kg:.2f} kg"),
        ("height", f"{summary.height_m:.3f} m"),
        ("root", f"{summary.root}, {character.root_dofs} degrees of freedom"),
        ("joint axes", len(character.axes)),
        ("landmarks", ", ".join(m.name for m in character.landmarks)),
        ("source", summary.source),
    ]
    console.print(make_facts(character.name, facts))
    console.print(_make_segment_table(character))
    console.print(_make_axis_table(character))
    if png is not None:
        from poise.characters.drawing import draw_character

        draw_character(character, png)
        print(f"wrote {png}")
    if mjcf is not None:
        _save_mjcf(character, mjcf)


def _save_mjcf(character: Character, path: str) -> None:
    from poise.files import save_text
    from poise.rollout.scene import Scene

    save_text(path, Scene(character=character).open().to_mjcf())
    print(f"wrote {path}")


def _make_segment_table(character: Character) -> Any:
    roles: dict[str, list[str]] = {}
    for role, segment in character.roles.items():
        roles.setdefault(segment, []).append(role)
    rows = [
        (s.name, s.parent or "", s.joint.kind if s.joint else character.root, f"{s.mass_kg:.3f}", _join(roles, s.name))
        for s in character.segments
    ]
    return make_table(("segment", "parent", "joint", "mass kg", "roles"), rows, right=("mass kg",))


def _join(roles: Mapping[str, list[str]], segment: str) -> str:
    return ", ".join(roles.get(segment, ()))


def _make_axis_table(character: Character) -> Any:
    columns = ("axis", "limits deg", "torque N·m", "kp N·m/rad", "kd N·m·s/rad")
    return make_table(columns, [_describe_axis(axis) for axis in character.axes], right=columns[1:])


def _describe_axis(axis: Axis) -> tuple[str, ...]:
    limits = [f"{math.degrees(v):.0f}" if math.isfinite(v) else "free" for v in (axis.low_rad, axis.high_rad)]
    torque = f"{axis.torque_limit_nm:g}" if math.isfinite(axis.torque_limit_nm) else "no limit"
    return (axis.name, " to ".join(limits), torque, f"{axis.kp_nm_per_rad:g}", f"{axis.kd_nms_per_rad:g}")


@app.command("controller")
def show_controller(
    name: Annotated[str, typer.Argument(metavar="NAME|FILE")],
    character: Annotated[str | None, typer.Option(metavar="C", help="Character to use instead of its own")] = None,
    allow_outside: AllowOutsideOption = False,
) -> None:
    """Show a controller's description, its parameters with their ranges, and the source of its values"""
    from poise.controllers.catalog import default_character, find_controller, load_controller, read_controller_file
    from poise.world.adopt import load_any_character

    body = load_any_character(character or default_character(name))
    controller = load_controller(name, body)
    method = "" if find_controller(name).suffix == ".py" else read_controller_file(name).method
    console = make_console()
    console.print(
        make_facts(
            controller.name,
            [
                ("description", controller.description),
                ("method", method),
                ("character", default_character(name)),
                *((str(key), _flatten(value)) for key, value in controller.provenance.items()),
            ],
        )
    )
    columns = ("parameter", "value", "minimum", "maximum", "description")
    rows = [_describe_parameter(p, controller.value(p.name)) for p in controller.parameters]
    if rows:
        console.print(make_table(columns, rows, right=columns[1:4]))


def _describe_parameter(p: Parameter, value: float) -> tuple[object, ...]:
    """One row of the table; a choice has names instead of a range."""
    if p.choices:
        return (p.name, p.show(value), "", "", f"{p.help}: {', '.join(p.choices)}" if p.help else ", ".join(p.choices))
    return (p.name, value, float(p.low), float(p.high), p.help)


def _flatten(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_flatten(item)}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_flatten(item) for item in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


@app.command("terrain")
def show_terrain(spec: Annotated[str, typer.Argument(metavar="SPEC", help="Such as slope:3")]) -> None:
    """Show a terrain: its parameters with their ranges, and its height along the path"""
    from poise.world.terrain import list_terrains, parse_terrain

    terrain = parse_terrain(spec)
    kind = next(k for k in list_terrains() if k.name == terrain.name)
    heights = [(x, terrain.height_m(float(x), 0.0)) for x in range(11)]
    console = make_console()
    console.print(
        make_facts(
            terrain.spec,
            [
                ("description", kind.about),
                ("friction", terrain.friction),
                ("elasticity", terrain.elasticity),
                ("height ahead", ", ".join(f"{h:.3g} m at {x} m" if x else f"{h:.3g} m at 0" for x, h in heights)),
            ],
        )
    )
    given = dict(item.split("=", 1) for item in terrain.spec.partition(":")[2].split(",") if "=" in item)
    rows = [
        (p.name, given.get(p.name, _show(p.default)), _show(p.default), _show_range(p.low, p.high, p.unit), p.about)
        for p in kind.parameters
    ]
    columns = ("parameter", "value", "default", "allowed", "description")
    console.print(make_table(columns, rows, right=columns[1:3]))


def _show(value: float | int | str | None) -> str:
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _show_range(low: float | None, high: float | None, unit: str) -> str:
    if low is None or high is None:
        return "text"
    return f"{low:.10g} to {high:.10g} {unit}".rstrip()


app.command("recording")(show_recording)
