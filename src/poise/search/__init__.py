"""Search for controllers. A problem file defines the variables, the trials and the objective."""

from poise.search.optimize import optimize
from poise.search.outcome import Result
from poise.search.problem import Problem
from poise.search.read_problem import find_problem, problem_names, read_problem

__all__ = ["Problem", "Result", "find_problem", "optimize", "problem_names", "read_problem"]
