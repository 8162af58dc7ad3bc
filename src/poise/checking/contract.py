"""The contract as a list of checks, run on a controller given by name, by file, or as an object."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os import PathLike

from poise.characters.model import Character
from poise.checking import answers, bits, mirror, momentum, pilots
from poise.checking.subject import CheckResult, Subject
from poise.controllers.catalog import default_character, load_controller
from poise.world.adopt import load_any_character
from poise.world.controller import Controller
from poise.world.pilot import Pilot
from poise.world.settings import check_ground

Progress = Callable[[float], None]

#: In the order in which they run: later checks rely on earlier ones.
CHECKS: Mapping[str, Callable[[Subject], CheckResult]] = {
    "parameters": answers.check_parameters,
    "compiled": answers.check_compiled,
    "finite": answers.check_finite,
    "reads only": answers.check_reads_only,
    "no allocation": answers.check_allocations,
    momentum.NAME: momentum.check_internal,
    "deterministic": bits.check_deterministic,
    "snapshot-exact": bits.check_snapshot,
    "chunk-exact": bits.check_chunks,
    mirror.NAME: mirror.check_mirror,
    pilots.STATE: pilots.check_state,
    pilots.ROLLOUTS: pilots.check_rollouts,
}


def load_subject(
    controller: str | PathLike[str] | Controller, character: str | Character | None, ground: str | None = None
) -> Subject:
    """A controller on the requested character, or on the one it was made for."""
    if character is None:
        character = "biped7" if isinstance(controller, Controller) else default_character(controller)
    body = load_any_character(character) if isinstance(character, str) else character
    if not isinstance(controller, Controller):
        controller = load_controller(controller, body)
    return Subject(body, controller, None if ground is None else check_ground("ground", ground))


def check_controller(
    name_or_controller: str | PathLike[str] | Controller,
    character: str | Character | None = None,
    *,
    ground: str | None = None,
    progress: Progress | None = None,
) -> tuple[CheckResult, ...]:
    """Checks a controller's contract; returns a result for each of `CHECKS`.

    `ground` overrides the ground that the controller asks for. `progress` is called with the fraction completed. Checks
    that cannot run because the law does not compile count as failed.
    """
    subject = load_subject(name_or_controller, character, ground)
    results: list[CheckResult] = []
    for name, check in CHECKS.items():
        results.append(_run(name, check, subject, results))
        if progress is not None:
            progress(len(results) / len(CHECKS))
    return tuple(results)


def check_pilot(
    make: Callable[[], Pilot],
    controller: str | PathLike[str] | Controller,
    character: str | Character | None = None,
) -> tuple[CheckResult, ...]:
    """Checks a pilot's contract on a controller that it may command: deterministic, complete state, no side effects."""
    subject = pilots.with_pilot(load_subject(controller, character), make)
    checks = {
        "deterministic": bits.check_deterministic,
        "snapshot-exact": bits.check_snapshot,
        "chunk-exact": bits.check_chunks,
        pilots.STATE: pilots.check_state,
        pilots.ROLLOUTS: pilots.check_rollouts,
    }
    return tuple(_run(name, check, subject, []) for name, check in checks.items())


def _run(
    name: str, check: Callable[[Subject], CheckResult], subject: Subject, before: list[CheckResult]
) -> CheckResult:
    if any(r.name == "compiled" and not r.passed for r in before):
        return CheckResult(name, False, True, "not run, since the law does not compile")
    try:
        return check(subject)
    except Exception as error:
        # A violation may break a later check itself: that counts as a failure, too.
        return CheckResult(name, False, detail=f"it raises {type(error).__name__}: {error}")
