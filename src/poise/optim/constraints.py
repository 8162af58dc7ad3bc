"""Constraints learned from failures: one support vector machine each [Ha15 §6.1.1].

Samples are kept in the variables' own units, so that experience can be carried to a search with another start or
another spread.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.optim.space import FloatArray, Space

#: Least number of samples of each kind for training. The source says "enough". With three, the first machine becomes
#: active after about 17 evaluations, as in the source.
ENOUGH: Final = 3
#: Weight of a sample on the wrong side of the border. The source gives none. Failures are certain, so the border should
#: follow them: with a narrowing kernel, 1000 matched the region of the third toy better than 10 (seeds 0 to 11).
PENALTY: Final = 1000.0
#: Number of newest samples of each kind that a constraint remembers: with all of them, learning would become ever
#: slower.
MEMORY: Final = 200
#: When the spread of the samples has shrunk to this fraction, so does the kernel's width. A narrower kernel would
#: forget the surroundings of the last samples.
NARROWING: Final = 0.5
#: Distance, in units of the margin, beyond which acceptance no longer changes; keeps exp within range.
_FAR: Final = 50.0


@dataclass(frozen=True)
class Experience:
    """Experience with one constraint: samples, whether they kept it, and the width of the kernel."""

    constraint: str
    variables: tuple[str, ...]
    values: FloatArray  # (N, n) in the variables' own units
    kept: NDArray[np.bool_]  # (N,)
    #: Standard deviation of the kernel along each variable, in its unit; None until there are enough samples.
    widths: FloatArray | None = None


class Constraint:
    """One constraint during a search. Without samples of both kinds it rejects nothing."""

    def __init__(self, experience: Experience) -> None:
        self._known = experience
        self._machine: Any = None
        self._scale = 1.0
        self._train()

    @property
    def experience(self) -> Experience:
        return self._known

    @property
    def active(self) -> bool:
        return self._machine is not None

    def learn(self, values: FloatArray, kept: NDArray[np.bool_], widths: FloatArray) -> None:
        """Take samples; `widths` are the current widths for the kernel.

        The kernel takes them once there are enough samples. When the current widths have halved, so does the kernel. A
        search to which the constraint is carried begins with the full width again.
        """
        old = self._known
        # Samples beyond the margin on their own side have no weight, so the machine stays the same.
        changes = self._machine is None or bool(np.any(np.where(kept, 1.0, -1.0) * self.judge(values) < 1.0))
        values, kept = np.vstack([old.values, values]), np.concatenate([old.kept, kept])
        newest = _find_newest(kept)
        values, kept, fixed = values[newest], kept[newest], old.widths
        if fixed is None:
            if _has_enough(kept):
                fixed = widths.copy()
        elif self._scale > NARROWING and bool(np.all(widths <= NARROWING * fixed)):
            self._scale, changes = NARROWING, True
        self._known = Experience(old.constraint, old.variables, values, kept, fixed)
        if changes:
            self._train()

    def judge(self, values: FloatArray) -> FloatArray:
        """Signed distances to the border in units of the margin, (N,); positive where the constraint is kept."""
        assert self._machine is not None
        result: FloatArray = self._machine.decision_function(self._normalise(values))
        return result

    def _normalise(self, values: FloatArray) -> FloatArray:
        """Values in units of the kernel's width."""
        assert self._known.widths is not None
        return values / (self._scale * self._known.widths)

    def _train(self) -> None:
        known = self._known
        if known.widths is None or not _has_enough(known.kept):
            return
        # The import takes a second, and most searches have no constraints.
        from sklearn.svm import SVC

        # In units of its width the kernel is exp(-|x - y|² / 2) [Ha15 Eq. 24].
        machine = SVC(C=PENALTY, kernel="rbf", gamma=0.5)
        machine.fit(self._normalise(known.values), np.where(known.kept, 1, -1))
        self._machine = machine


def begin(constraint: str, space: Space) -> Constraint:
    """A constraint without any experience."""
    size = len(space)
    return Constraint(Experience(constraint, space.names, np.zeros((0, size)), np.zeros(0, dtype=bool)))


def carry(experience: Experience, space: Space) -> Constraint:
    """A constraint with the experience of an earlier search with the same variables."""
    if experience.variables != space.names:
        raise InputError(
            f"constraint {experience.constraint}: it was learned with {', '.join(experience.variables)} and cannot be "
            f"carried to {', '.join(space.names)}. The variables must be the same, in the same order."
        )
    return Constraint(experience)


def compute_acceptance(distances: FloatArray, hardness: float) -> FloatArray:
    """The probability of acceptance 1 / (1 + exp(-alpha x)) [Ha15 §6.1.1]."""
    result: FloatArray = 1.0 / (1.0 + np.exp(-np.clip(hardness * distances, -_FAR, _FAR)))
    return result


def _find_newest(kept: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Indices of the remembered samples, in order."""
    return np.sort(np.concatenate([np.flatnonzero(kept)[-MEMORY:], np.flatnonzero(~kept)[-MEMORY:]]))


def _has_enough(kept: NDArray[np.bool_]) -> bool:
    return int(kept.sum()) >= ENOUGH and int((~kept).sum()) >= ENOUGH
