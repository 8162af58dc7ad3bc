"""Print digests of recordings of every shipped kind of controller, to see which of them a change affects.

    python tools/recording_bits.py > before.txt
    python tools/recording_bits.py walker/walk script/walk

If two versions of Poise print the same lines on one machine, their recordings are bit-identical.
"""

from __future__ import annotations

import hashlib
import sys

import poise

SECONDS = 2.0
NAMES = (
    "pose/hold",
    "simbicon/planar-walk", "simbicon/planar-run", "simbicon/bigbird-walk",
    "simbicon/humanoid-walk", "simbicon/humanoid-turn-left", "simbicon/bird-walk", "simbicon/raptor-walk",
    "limit-cycle/human-walk", "limit-cycle/bird-run", "limit-cycle/human12-found", "limit-cycle/human12-skip",
    "tracker/normal", "tracker/spin", "tracker/route", "tracker/steer",
    "walker/walk", "walker/text",
    "bioloid/walk", "bioloid/jump", "jump/precision-jump",
    "script/walk", "script/backflip", "script/stair-climb", "script/humanoid-squat", "script/prone-to-stand",
)  # fmt: skip


def digest(name: str) -> str:
    """Digest of the states, torques and contacts of a run with a push."""
    push = poise.Push(start_s=0.8, duration_s=0.1, force_n=20.0, direction_deg=30.0)
    recording = poise.run(name, seconds=SECONDS, seed=3, pushes=[push]).recording
    whole = hashlib.sha256()
    for part in (recording.qpos, recording.qvel, recording.torque_nm, recording.contact_force_w_n):
        whole.update(part.tobytes())
    return whole.hexdigest()[:16]


for name in sys.argv[1:] or NAMES:
    print(f"{digest(name)}  {name}", flush=True)
