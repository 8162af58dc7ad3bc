"""Shares of trials with a property, such as surviving a push, and how far chance may have moved them."""

from __future__ import annotations

import math
from typing import Final

#: Quantile of the normal distribution for an interval that contains the true share in 95 of 100 cases.
Z_95: Final = 1.959964


def compute_share_interval(count: int, tried: int, z: float = Z_95) -> tuple[float, float]:
    """Bounds of the true share if `count` of `tried` independent trials had the property: the Wilson score interval.

    Unlike count ± z·σ, it stays within 0 to 1 and has a width even if all trials agree.
    """
    if tried == 0:
        return 0.0, 1.0
    share, weight = count / tried, z * z / tried
    middle = (share + 0.5 * weight) / (1.0 + weight)
    half = math.sqrt(share * (1.0 - share) * weight + 0.25 * weight * weight) / (1.0 + weight)
    return max(middle - half, 0.0), min(middle + half, 1.0)
