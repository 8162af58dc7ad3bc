"""The contracts of controllers and pilots, and the checks that hold them to them."""

from poise.checking.contract import CHECKS, check_controller, check_pilot
from poise.checking.subject import CheckResult

__all__ = ["CHECKS", "CheckResult", "check_controller", "check_pilot"]
