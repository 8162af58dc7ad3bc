"""Series of trials: pushes at every phase of a step, sweeps of a parameter, and so on.

`run_trials` distributes independent jobs over all cores; `run_trial` and `measure_gait` return the metrics of one. The
callers (commands, experiments, checks) interpret the results.
"""

from poise.batches.threads import TrialsInterrupted, count_cores, heartbeat, run_trials
from poise.measures.walking import Gait, measure_gait
from poise.trials.gait import record_trial, run_trial
from poise.trials.outcomes import (
    PushLimit,
    PushLimits,
    PushMatrix,
    PushOutcome,
    PushTest,
    PushTrains,
    RandomPush,
    RandomPushes,
    TrainOutcome,
)
from poise.trials.pushes import push_limits, push_matrix, push_train
from poise.trials.random_pushes import push_at_random
from poise.trials.sweep import Sweep, SweepRow, sweep

__all__ = [
    "Gait",
    "PushLimit",
    "PushLimits",
    "PushMatrix",
    "PushOutcome",
    "PushTest",
    "PushTrains",
    "RandomPush",
    "RandomPushes",
    "Sweep",
    "SweepRow",
    "TrainOutcome",
    "TrialsInterrupted",
    "count_cores",
    "heartbeat",
    "measure_gait",
    "push_at_random",
    "push_limits",
    "push_matrix",
    "push_train",
    "record_trial",
    "run_trial",
    "run_trials",
    "sweep",
]
