"""Search for controllers: a problem file says what varies, over which trials, and what a good motion is."""

from poise.search.optimize import optimize
from poise.search.outcome import Result
from poise.search.problem import Problem
from poise.search.read_problem import find_problem, problem_names, read_problem

__all__ = ["Problem", "Result", "find_problem", "optimize", "problem_names", "read_problem"]
