"""What the tests of batches have done by workers, which must be able to import it: they know nothing of test files."""

import os
import signal
import time
from pathlib import Path


def square(x):
    return x * x


def nap_and_square(x):
    # Those that are handed out first come back last.
    time.sleep(0.2 / (1 + x))
    return x * x


def tell_pid(_):
    time.sleep(0.05)
    return os.getpid()


def fail_at_three(x):
    if x == 3:
        raise ValueError("no three here")
    return x


class MoodyError(Exception):
    """Cannot be unpickled: it wants two arguments and keeps one."""

    def __init__(self, who, what):
        super().__init__(f"{who} {what}")


def fail_moodily(_):
    raise MoodyError("the item", "is moody")


def make_lock(_):
    import threading

    return threading.Lock()


def lose_connection(_):
    raise ConnectionResetError("of the item's own")


def die_once(item):
    """Squares, but where `folder/k` does not yet exist it leaves it there and dies."""
    folder, k = item
    flag = Path(folder) / str(k)
    if k % 3 == 1 and not flag.exists():
        flag.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return k * k


def die_always(x):
    if x == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return x


def sleep_long(folder):
    (Path(folder) / f"{os.getpid()}").touch()
    time.sleep(60)


def log_and_square(item):
    """Squares after a while, and leaves a line with its process in `folder/k` when it begins and when it ends."""
    folder, k = item
    with open(Path(folder) / str(k), "a") as file:
        file.write(f"begin {os.getpid()}\n")
        file.flush()
        time.sleep(0.25)
        file.write(f"end {os.getpid()}\n")
    return k * k
