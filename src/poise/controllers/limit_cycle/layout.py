"""What the flat arrays of a pose graph's controller hold.

params: the header; for each perturbation its applied scaling, the one that is asked for, and how much it may change a
step; the base graph; a graph for each perturbation. The law reads the first scalings and the graphs; the rest is what
the balancer goes by, kept here so that people can set it while it runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from poise.kernels.records import make_record, size_of
from poise.world.controller import FloatArray

#: How the samples of a step are taken [Laszlo96 §3.7.2]: not at all, forward then lateral, lateral then forward,
#: superposed, or with the whole Jacobian, which is ours.
STRATEGIES: Final = ("open", "FL", "LF", "SP", "jacobian")
#: What is regulated [§3.5, §3.8]: lean of the torso, of the pelvis, COM over swing foot, COM over stance foot.
VARIABLES: Final = ("up", "pelvis", "swing", "stance")
#: Whether models of a step are sampled for each, used again while they hold, or looked up [§6.1.1].
MODELS: Final = ("sample", "reuse", "look-up")


@dataclass(frozen=True)
class Setting:
    """A number of the header that people may set."""

    name: str
    default: float
    low: float
    high: float
    help: str
    choices: tuple[str, ...] = ()


SETTINGS: Final = (
    Setting("servo", 0.0, 0.0, 1.0, "torso servo at the waist [§3.8]", ("off", "on")),
    Setting("servo_kp_nm_per_rad", 2000.0, 0.0, 1e5, "its stiffness"),
    Setting("servo_kd_nms_per_rad", 100.0, 0.0, 1e4, "its damping"),
    Setting("servo_rad", 0.0873, -1.5, 1.5, "lean that it holds"),
    Setting("strategy", 3.0, 0.0, len(STRATEGIES) - 1, "how the samples of a step are taken", STRATEGIES),
    Setting("forward_by", 0.0, 0.0, len(VARIABLES) - 1, "what is regulated ahead", VARIABLES),
    Setting("side_by", 0.0, 0.0, len(VARIABLES) - 1, "what is regulated across", VARIABLES),
    Setting("target", 0.3, -1.0, 1.0, "value that is wanted ahead at the end of each step, Q_d"),
    Setting("target_most", 1.0, -1.0, 1.0, "most that is ever wanted ahead, however slow it is"),
    Setting("target_side", 0.0, -1.0, 1.0, "value that is wanted across, to the left"),
    Setting("outward", 0.0, -1.0, 1.0, "what is added across so that the swing foot lands outward"),
    Setting("sample_deg", 5.0, 0.01, 90.0, "scaling of the samples ahead"),
    Setting("sample_side_deg", 1.0, 0.01, 90.0, "scaling of the samples across"),
    Setting("most_deg", 180.0, 0.0, 360.0, "largest scaling ahead"),
    Setting("most_side_deg", 180.0, 0.0, 360.0, "largest scaling across"),
    Setting("tolerance", 1.0, 0.0, 10.0, "error ahead from which the model is built anew around what it gave"),
    Setting("tolerance_side", 1.0, 0.0, 10.0, "the same across"),
    Setting("speed_gain", 0.0, -20.0, 20.0, "added to the target for a missing metre a step [Eq. 5.1]"),
    Setting("speed_most", 0.15, 0.0, 1.0, "most of that"),
    Setting("speed_mpstep", 0.4, -2.0, 2.0, "metres a step that are wanted"),
    Setting("side_gain", 0.0, -20.0, 20.0, "the same across, where no speed is wanted"),
    Setting("side_most", 0.05, 0.0, 1.0, "most of that"),
    Setting("turn_deg", 0.0, -45.0, 45.0, "how far feet are set down turned, to the left [§5.3]"),
    Setting("follow", 0.0, 0.0, 1.0, "whether it turns by itself: to a heading, or along a path", ("no", "yes")),
    Setting("heading_deg", 0.0, -1e5, 1e5, "heading that is followed where there is no path"),
    Setting("turn_most_deg", 8.0, 0.0, 45.0, "turn of the feet at which it follows hardest: 45 degrees off"),
    Setting("near_m", 1.7, 0.05, 100.0, "how near a point of the path is reached"),
    Setting("models", 0.0, 0.0, len(MODELS) - 1, "where the model of a step comes from", MODELS),
    Setting("trust", 0.05, 0.0, 10.0, "error of the prediction from which a model that is used again is sampled anew"),
)  # fmt: skip

#: Perturbations that the balancer itself scales.
ROLES: Final = ("forward", "side", "turn_left", "turn_right")
#: The header of params: what the law reads, the numbers of these perturbations (-1 for none), and the settings.
PARAMS: Final = make_record("states", "changes", *ROLES, *(s.name for s in SETTINGS))
SCALINGS_AT: Final = size_of(PARAMS)

#: A state, followed by its pose.
STATE: Final = make_record(
    "hold",
    "sensor",
    "timeout",
    "ends_step",
    "next",  # the state after it, -1 if none
)
POSE: Final = size_of(STATE)
MEMORY: Final = make_record("state", "elapsed", "steps")
MEMORY_SIZE: Final = size_of(MEMORY)


def read_params(params: FloatArray) -> Any:
    """The header of the parameters, by name."""
    return params[:SCALINGS_AT].view(PARAMS)[0]


def read_memory(memory: FloatArray) -> Any:
    """A memory by name."""
    return memory.view(MEMORY)[0]


def applied_at(change: int) -> int:
    """Place of the scaling with which a perturbation acts."""
    return SCALINGS_AT + change


def asked_at(change: int, changes: int) -> int:
    """Place of the scaling that is asked for."""
    return SCALINGS_AT + changes + change


def pace_at(change: int, changes: int) -> int:
    """Place of how much of it a step may bring."""
    return SCALINGS_AT + 2 * changes + change


def graphs_at(changes: int) -> int:
    """Place of the base graph."""
    return SCALINGS_AT + 3 * changes
