"""Layout of the flat arrays of a pose graph controller.

params: the header; for each perturbation its applied scaling, its requested scaling, and its largest change per step;
the base graph; a graph for each perturbation. The law reads the applied scalings and the graphs. The balancer reads the
rest, which is kept here because users may set it during a run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from poise.kernels.records import make_record, size_of
from poise.world.controller import FloatArray

#: Sampling strategies of a step [Laszlo96 §3.7.2]: none, forward then lateral, lateral then forward, superposed, and
#: the whole Jacobian, which is our own.
STRATEGIES: Final = ("open", "FL", "LF", "SP", "jacobian")
#: Regulation variables [§3.5, §3.8]: lean of the torso, lean of the pelvis, COM over swing foot, COM over stance foot.
VARIABLES: Final = ("up", "pelvis", "swing", "stance")
#: Source of a step's model: sampled for each step, reused while it predicts well, or looked up [§6.1.1].
MODELS: Final = ("sample", "reuse", "look-up")


@dataclass(frozen=True)
class Setting:
    """A number of the header that users may set."""

    name: str
    default: float
    low: float
    high: float
    help: str
    choices: tuple[str, ...] = ()


SETTINGS: Final = (
    Setting("servo", 0.0, 0.0, 1.0, "torso servo at the waist [§3.8]", ("off", "on")),
    Setting("servo_kp_nm_per_rad", 2000.0, 0.0, 1e5, "stiffness of the torso servo"),
    Setting("servo_kd_nms_per_rad", 100.0, 0.0, 1e4, "damping of the torso servo"),
    Setting("servo_rad", 0.0873, -1.5, 1.5, "torso lean that the servo holds"),
    Setting("strategy", 3.0, 0.0, len(STRATEGIES) - 1, "sampling strategy of a step", STRATEGIES),
    Setting("forward_by", 0.0, 0.0, len(VARIABLES) - 1, "variable regulated ahead", VARIABLES),
    Setting("side_by", 0.0, 0.0, len(VARIABLES) - 1, "variable regulated across", VARIABLES),
    Setting("target", 0.3, -1.0, 1.0, "target ahead at the end of each step, Q_d"),
    Setting("target_most", 1.0, -1.0, 1.0, "upper limit of the target ahead, speed feedback included"),
    Setting("target_side", 0.0, -1.0, 1.0, "target across, positive to the left"),
    Setting("outward", 0.0, -1.0, 1.0, "offset of the target across that lands the swing foot further out"),
    Setting("sample_deg", 5.0, 0.01, 90.0, "scaling of the samples ahead, plus and minus"),
    Setting("sample_side_deg", 1.0, 0.01, 90.0, "scaling of the samples across, plus and minus"),
    Setting("most_deg", 180.0, 0.0, 360.0, "largest scaling ahead"),
    Setting("most_side_deg", 180.0, 0.0, 360.0, "largest scaling across"),
    Setting("tolerance", 1.0, 0.0, 10.0, "error ahead above which the model is rebuilt around its result"),
    Setting("tolerance_side", 1.0, 0.0, 10.0, "error across above which the model is rebuilt"),
    Setting("speed_gain", 0.0, -20.0, 20.0, "change of the target per metre per step of missing speed [Eq. 5.1]"),
    Setting("speed_most", 0.15, 0.0, 1.0, "limit of that change"),
    Setting("speed_mpstep", 0.4, -2.0, 2.0, "commanded speed in metres per step"),
    Setting("side_gain", 0.0, -20.0, 20.0, "change of the target across per metre per step of sideways drift"),
    Setting("side_most", 0.05, 0.0, 1.0, "limit of that change"),
    Setting("turn_deg", 0.0, -45.0, 45.0, "yaw at which the feet are set down, positive to the left [§5.3]"),
    Setting("follow", 0.0, 0.0, 1.0, "steer automatically, to a heading or along a path", ("no", "yes")),
    Setting("heading_deg", 0.0, -1e5, 1e5, "heading to follow if there is no path"),
    Setting("turn_most_deg", 8.0, 0.0, 45.0, "largest yaw of the feet when following, reached 45 degrees off course"),
    Setting("near_m", 1.7, 0.05, 100.0, "distance at which a point of the path counts as reached"),
    Setting("models", 0.0, 0.0, len(MODELS) - 1, "source of a step's model", MODELS),
    Setting("trust", 0.05, 0.0, 10.0, "prediction error above which a reused model is sampled again"),
)  # fmt: skip

#: Perturbations that the balancer scales itself.
ROLES: Final = ("forward", "side", "turn_left", "turn_right")
#: The header of params: what the law reads, the indices of these perturbations (-1 for none), and the settings.
PARAMS: Final = make_record("states", "changes", *ROLES, *(s.name for s in SETTINGS))
SCALINGS_AT: Final = size_of(PARAMS)

#: A state, followed by its pose.
STATE: Final = make_record(
    "hold",
    "sensor",
    "timeout",
    "ends_step",
    "next",  # index of the next state, -1 if none
)
POSE: Final = size_of(STATE)
MEMORY: Final = make_record("state", "elapsed", "steps")
MEMORY_SIZE: Final = size_of(MEMORY)


def read_params(params: FloatArray) -> Any:
    """The header of the parameters, by name."""
    return params[:SCALINGS_AT].view(PARAMS)[0]


def read_memory(memory: FloatArray) -> Any:
    """The memory, by name."""
    return memory.view(MEMORY)[0]


def applied_at(change: int) -> int:
    """Index of a perturbation's applied scaling."""
    return SCALINGS_AT + change


def commanded_at(change: int, changes: int) -> int:
    """Index of a perturbation's requested scaling."""
    return SCALINGS_AT + changes + change


def pace_at(change: int, changes: int) -> int:
    """Index of the largest change of that scaling per step."""
    return SCALINGS_AT + 2 * changes + change


def graphs_at(changes: int) -> int:
    """Index of the base graph."""
    return SCALINGS_AT + 3 * changes
