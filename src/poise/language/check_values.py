"""Checks of implausible numbers: degrees for radians, negative times, probabilities above one, divisions by zero."""

from __future__ import annotations

import math
from typing import Final

from poise.errors import describe_unknown_name
from poise.language import tree
from poise.language.atoms import components
from poise.language.check_names import check_each, walk_values
from poise.language.problems import Notes
from poise.language.tree import Angles, Number, Value

#: The released code's numbers have single precision.
MOST: Final = 3.4028235e38
#: Larger gains and forces are mistakes: a servo of this gain reaches any torque limit at once.
MOST_GAIN: Final = 1e5
MOST_FORCE_N: Final = 1e6
#: Larger angles are probably degrees; smaller ones may push a joint against its stop on purpose.
MOST_RAD: Final = 2.0 * math.pi


def _number(value: Value | None) -> float | None:
    return value.value if isinstance(value, Number) else None


def check_values(notes: Notes) -> None:
    """Check settings, angles, times and conditions that are plain numbers."""
    _check_settings(notes)
    for value in walk_values(notes.script):
        if isinstance(value, tree.Linterp):
            _check_linterp(notes, value)
        elif isinstance(value, Number):
            _check_size(notes, value)
    check_each(notes, _check_action, _check_condition)


def _check_settings(notes: Notes) -> None:
    seen: set[str] = set()
    parameters = [p.text for p in notes.script.parameters]
    for setting in notes.script.settings:
        _check_size(notes, setting.value)
        if setting.name in seen:
            notes.warn(f"{setting.name} is set twice; the first value counts", setting)
        seen.add(setting.name)
        if setting.name == tree.TORQUE_LIMIT:
            if setting.value.value < 0.0:
                notes.error(f"TORQUELIMIT must not be negative, got {setting.value.text}", setting.value)
            elif setting.value.value == 0.0:
                notes.warn("with a TORQUELIMIT of 0 no joint has any torque", setting.value)
        elif setting.name not in parameters:
            notes.warn(describe_unknown_name("setting", setting.name, [tree.TORQUE_LIMIT, *parameters]), setting)


def _check_size(notes: Notes, number: Number) -> None:
    if abs(number.value) > MOST:
        notes.error(f"a number beyond the range of a float, got {number.value:.3g}. Allowed: up to 3.4e+38", number)


def _is_beyond(value: Value | None, most: float) -> bool:
    number = _number(value)
    return number is not None and most < abs(number) <= MOST


def _check_gain(notes: Notes, gain: Value, unit: str) -> None:
    """Warn about a gain that saturates every joint."""
    if _is_beyond(gain, MOST_GAIN):
        what = f"a gain of {_number(gain):.3g} {unit} is implausibly large"
        notes.warn(f"{what}: the joint only jumps between its torque limits. Usual gains are below 5000", gain)


def _check_force(notes: Notes, value: Value, what: str, unit: str) -> None:
    """Warn about a force, or the gain of one, that no body withstands."""
    if _is_beyond(value, MOST_FORCE_N):
        text = f"a {what} of {_number(value):.3g} {unit} is implausibly large: it throws the body away"
        notes.warn(f"{text}. Usual values are below 5000", value)


def _check_linterp(notes: Notes, value: tree.Linterp) -> None:
    g0, g1 = _number(value.values[1]), _number(value.values[2])
    if g0 is not None and g0 == g1:
        notes.error(f"linterp(g, g0, g1, v0, v1) divides by g1 - g0, and both are {g0:g}", value)


def _check_angle(notes: Notes, angles: Angles) -> None:
    for value in components(angles):
        angle = _number(value)
        if angle is not None and MOST_RAD < abs(angle) <= MOST:
            radians = f"{math.radians(angle):.3g}"
            notes.warn(f"angles are in radians, and {angle:g} exceeds a full turn. Did you mean {radians!r}?", value)


def _check_time(notes: Notes, value: Value | None) -> None:
    time = _number(value)
    if value is not None and time is not None and time <= 0.0:
        notes.warn(f"a time of {time:g} s: the target applies at once", value)


def _check_action(notes: Notes, action: tree.Action | tree.Toggle) -> None:
    for target in tree.targets_of(action):
        _check_target(notes, target)
    _check_sizes(notes, action)
    match action:
        case tree.Lipose():
            _check_time(notes, action.time)
        case tree.Match():
            _check_gains(notes, action.gains)
            _check_time(notes, action.time)
        case tree.Vpd():
            _check_angle(notes, action.angle)
            signs = [_number(components(g)[0]) for g in action.gains]
            if (
                action.parent is None
                and len(signs) == 2
                and None not in signs
                and (signs[0] or 0.0) * (signs[1] or 0.0) < 0.0
            ):
                notes.warn("kp and kd of a VPD must have the same sign, or one of them amplifies the motion", action)
        case tree.Vffb() | tree.Vfsfb():
            for gain in _balance_gains(action):
                number = _number(gain)
                if number is not None and number < 0.0:
                    notes.warn(f"a negative gain drives the body away from balance, got {number:g}", gain)
        case tree.Ik():
            tolerance = _number(action.tolerance)
            if action.tolerance is not None and tolerance is not None and tolerance <= 0.0:
                notes.warn("with a tolerance of zero the angles are solved again at every step", action.tolerance)


def _check_sizes(notes: Notes, action: tree.Action | tree.Toggle) -> None:
    """Check the gains and forces of actions that have no target."""
    match action:
        case tree.Vpd():
            for gains in action.gains:
                for gain in components(gains):
                    _check_gain(notes, gain, "N·m/rad")
        case tree.Vf() | tree.Ef():
            for component in action.force:
                _check_force(notes, component, "force", "N")
        case tree.Posefb():
            for gain in (g for law in action.laws for g in (law.cd, law.cv, *(law.side or ()))):
                _check_gain(notes, gain, "rad/m")
        case tree.Comfb2():
            for gain in (action.cd, action.cv, *(action.side or ())):
                _check_gain(notes, gain, "rad/m")
        case tree.Vffb() | tree.Vfsfb():
            for gain in _balance_gains(action):
                _check_force(notes, gain, "gain", "N/m")


def _balance_gains(action: tree.Vffb | tree.Vfsfb) -> tuple[Value, ...]:
    if isinstance(action, tree.Vfsfb):
        return (action.cv,) if action.side is None else (action.cv, action.side)
    return (action.cd, action.cv, *(action.side or ()))


def _check_target(notes: Notes, target: tree.Target) -> None:
    _check_angle(notes, target.angle)
    _check_gains(notes, target.gains)


def _check_gains(notes: Notes, gains: tuple[Angles, ...]) -> None:
    for gain in (value for angles in gains for value in components(angles)):
        number = _number(gain)
        _check_gain(notes, gain, "N·m/rad")
        if number is not None and number < 0.0:
            notes.warn(f"a negative gain drives the joint away from its target, got {number:g}", gain)


def _check_condition(notes: Notes, condition: tree.Condition) -> None:
    numbers = [_number(v) for v in condition.values]
    if None in numbers or not numbers:
        return
    first = numbers[0] or 0.0
    match condition.kind:
        case "time" if first < 0.0:
            notes.warn(f"a negative time has always passed, got {first:g}", condition.values[0])
        case "stable" if first <= 0.0:
            notes.warn(f"nothing is slower than {first:g}: this transition can never fire", condition.values[0])
        case "random" if not 0.0 <= first <= 1.0:
            notes.warn(f"a probability must be between 0 and 1, got {first:g}", condition.values[0])
        case "random" if first == 0.0:
            notes.warn("a probability of 0: this transition never fires", condition.values[0])
        case "iterations" if first < 0.0 or first != int(first):
            notes.warn(f"iterations counts whole runs, got {first:g}", condition.values[0])
        case "pass" if first <= 0.0:
            notes.warn(
                f"a distance must be positive, got {first:g}: this transition can never fire", condition.values[0]
            )
        case "fallen":
            _check_fallen(notes, condition, first)
        case "anglerange":
            _check_range(notes, condition, first, numbers[1] or 0.0)


def _check_fallen(notes: Notes, condition: tree.Condition, angle: float) -> None:
    value = condition.values[0]
    if condition.sign == "x":
        if angle < 0.0:
            notes.warn(f"every trunk is beyond {angle:g} on one side: this is always true", value)
        elif angle >= math.pi:
            notes.warn(
                f"a trunk's angle lies between -π and π and is never beyond {angle:g}{_in_degrees(angle)}", value
            )
    elif (condition.sign == ">" and angle >= math.pi) or (condition.sign == "<" and angle <= -math.pi):
        what = f"a trunk's angle lies between -π and π and is never {condition.sign} {angle:g}"
        notes.warn(f"{what}{_in_degrees(angle)}", value)
    elif condition.sign == "<" and angle > 0.0:
        notes.warn(f"backward is negative: an upright trunk is already < {angle:g}. Did you mean {-angle:g}?", value)


def _in_degrees(*angles: float) -> str:
    """A question for angles that are probably degrees."""
    if max(map(abs, angles)) <= MOST_RAD:
        return ""
    meant = " ".join(f"{math.radians(angle):.3g}" for angle in angles)
    return f". Angles are in radians. Did you mean {meant!r}?"


def _check_range(notes: Notes, condition: tree.Condition, low: float, high: float) -> None:
    if low < high and (low >= math.pi or high <= -math.pi):
        what = f"a trunk's angle lies between -π and π and is never from {low:g} to {high:g}"
        notes.warn(f"{what}{_in_degrees(low, high)}", condition)
    elif low == high:
        notes.warn("a range from an angle to itself contains every angle", condition)
