"""What all tests share: no windows, Ctrl-C that is heard, and the same examples every time."""

import os
import signal

from hypothesis import HealthCheck, settings

os.environ.setdefault("MPLBACKEND", "Agg")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell makes its background processes ignore Ctrl-C; tests of Ctrl-C would then hang.
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The first call of a compiled function takes seconds: a deadline would measure the compiler.
settings.register_profile("poise", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("poise")
