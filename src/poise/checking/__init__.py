"""Checks that controllers and pilots fulfil their contracts."""

from poise.checking.contract import CHECKS, check_controller, check_pilot
from poise.checking.subject import CheckResult

__all__ = ["CHECKS", "CheckResult", "check_controller", "check_pilot"]
