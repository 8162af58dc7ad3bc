"""The contract that every controller keeps, and the checks that hold it to it."""

from poise.checking.contract import CHECKS, check_controller
from poise.checking.subject import CheckResult

__all__ = ["CHECKS", "CheckResult", "check_controller"]
