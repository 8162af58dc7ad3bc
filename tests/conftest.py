"""What all tests share: no windows, and the same examples every time."""

import os

from hypothesis import HealthCheck, settings

os.environ.setdefault("MPLBACKEND", "Agg")

# The first call of a compiled function takes seconds: a deadline would measure the compiler.
settings.register_profile("poise", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("poise")
