"""Claims about balanced walks that last, and about some that do not [Laszlo96 §4.1]."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from poise.reproduce.claims import make_row
from poise.reproduce.experiment import Row
from poise.reproduce.laszlo.pictures import plot_steps
from poise.reproduce.laszlo.runs import STRATEGIES, TRIAL_STEPS, Walk, variation

#: A value has settled once it stays this close to its mean over the last steps.
BAND: Final = 0.01
LENGTH_BAND: Final = 0.02
#: Steps at the end of a trial that count as steady.
STEADY_STEPS: Final = 20

#: Trials of each sampling strategy, by target.
Found = Mapping[str, Sequence[Walk]]


def bend_degpm(made: Walk) -> float:
    """Heading change per metre walked, over the second half."""
    half = made.done // 2
    way = float(made.lengths_m[half:].sum())
    return math.degrees(abs(float(made.headings_rad[-1] - made.headings_rad[half]))) / max(way, 1e-6)


def _settled_after(values: np.ndarray) -> int:
    """Steps after which the values of each leg stay near their final mean."""
    late = [values[k::2][-STEADY_STEPS // 2 :].mean() for k in range(2)]
    off = [k for k, v in enumerate(values) if abs(v - late[k % 2]) > BAND]
    return (off[-1] + 1) if off else 0


def _lengths_settled_after(lengths: np.ndarray) -> int:
    late = float(lengths[-STEADY_STEPS:].mean())
    off = [k for k, v in enumerate(lengths) if abs(v - late) > LENGTH_BAND * late]
    return (off[-1] + 1) if off else 0


def steady_rows(grid: Sequence[float], found: Found, quick: bool) -> list[Row]:
    """Rows about all walks that last."""
    good = [(s, t, w) for s in STRATEGIES for t, w in zip(grid, found[s], strict=True) if w.done >= TRIAL_STEPS]
    if not good:
        return []
    walks = [w for _, _, w in good]
    ahead, aside = ([_settled_after(w.values(k)) for w in walks] for k in range(2))
    both = [max(a, b) for a, b in zip(ahead, aside, strict=True)]
    starts = [_lengths_settled_after(w.lengths_m) for w in walks]
    spread = [[float(np.std(w.values(k)[-STEADY_STEPS:])) for w in walks] for k in range(2)]
    offs = [abs(float(w.values(0)[-STEADY_STEPS:].mean()) - t) for _, t, w in good]
    lengths = [variation(w.lengths_m[-STEADY_STEPS:]) for w in walks]
    bends = [bend_degpm(w) for w in walks]
    shown = {f"{s} at {t:g}": w for s, t, w in good[:: max(len(good) // 4, 1)]}
    rows = [
        make_row(
            "laszlo-4-startup",
            f"values settle in {min(both)} to {max(both)} steps (median {np.median(both):.0f}), step lengths in "
            f"{min(starts)} to {max(starts)} (median {np.median(starts):.0f})",
            3 <= float(np.median(starts)) <= 25,
            note=f"Values within {BAND:g} and lengths within {LENGTH_BAND:.0%} of their final means. Values meet their "
            "targets from the first steps on; the walk itself takes as long as in the source.",
        ),
        make_row(
            "laszlo-4-offset",
            f"up to {max(offs):.3f} off the target in a steady walk",
            max(offs) > 0.003,
            plot=plot_steps({k: w.values(0) for k, w in shown.items()}, "", "forward value at the end of each step"),
        ),
        make_row(
            "laszlo-4-steplength",
            f"steady steps vary by {np.median(lengths):.1%} (median; {min(lengths):.1%} to {max(lengths):.1%})",
            float(np.median(lengths)) < 0.05,
            plot=plot_steps({k: w.lengths_m for k, w in shown.items()}, "m", "distance of the pelvis in each step"),
        ),
        make_row(
            "laszlo-4-curved",
            f"{sum(b > 0.1 for b in bends)} of {len(bends)} bend by over 0.1 degrees per metre, up to {max(bends):.1f}",
            sum(b > 0.1 for b in bends) > len(bends) / 2,
            plot=plot_steps({k: np.degrees(w.headings_rad) for k, w in shown.items()}, "degrees", "heading"),
        ),
    ]
    if not quick:
        rows.append(
            make_row(
                "laszlo-4-fwd-lat",
                f"settles after {np.median(ahead):.0f} steps forward and {np.median(aside):.0f} laterally (medians); "
                f"steady spread {np.median(spread[0]):.4f} and {np.median(spread[1]):.4f}",
                float(np.median(ahead)) <= float(np.median(aside))
                and float(np.median(spread[0])) <= float(np.median(spread[1])),
                note="Medians over all trials that last.",
            )
        )
        rows += _odd_rows(grid, found, good)
    return rows


def _odd_rows(grid: Sequence[float], found: Found, good: Sequence[tuple[str, float, Walk]]) -> list[Row]:
    """The walk that staggers, the one that goes backward, and feet in one line."""
    restless = [(float(np.std(w.values(0)[-STEADY_STEPS:])), s, t) for s, t, w in good]
    most = max(restless)
    back = [
        (float(w.places[-1, 0] - w.places[:, 0].max()), s, t, w.done)
        for s in STRATEGIES
        for t, w in zip(grid, found[s], strict=True)
        if w.done and w.done < TRIAL_STEPS
    ]
    least = min(back, default=(0.0, "", 0.0, 0))
    width = [(_foot_width(w), s, t) for s, t, w in good]
    return [
        make_row(
            "laszlo-4-chaotic",
            f"least steady walk that lasts: {most[1]} at {most[2]:g}, forward spread {most[0]:.3f} at its end",
            most[0] > 0.02,
            note="Not the source's setting; a spread of 0.02 counts as a stagger." if most[0] > 0.02
            else "All walks that last settle.",
        ),
        make_row(
            "laszlo-4-backward",
            f"{least[1]} at {least[2]:g} goes back by {-least[0]:.1f} m and falls after {least[3]} steps",
            least[0] < -0.5,
            note="" if least[0] < -0.5 else "None goes back by more than half a metre.",
        ),
        make_row(
            "laszlo-4-tightrope",
            f"lateral position of the pelvis swings by {min(width)[0] * 100:.1f} cm at least ({min(width)[1]} at "
            f"{min(width)[2]:g}), {max(width)[0] * 100:.1f} cm at most",
            min(width)[0] < 0.02,
            note="Judged by the lateral motion of the pelvis, which is least with feet in one line.",
        ),
    ]  # fmt: skip


def _foot_width(made: Walk) -> float:
    """Lateral swing of the pelvis across its path over the steady steps."""
    at = made.places[-STEADY_STEPS:]
    way = at[-1] - at[0]
    across = np.array([-way[1], way[0]]) / max(float(np.hypot(*way)), 1e-9)
    side = at @ across
    middle = np.convolve(side, np.ones(2) / 2.0, mode="valid")
    return float(np.abs(side[:-1] - middle).mean() * 2.0)
