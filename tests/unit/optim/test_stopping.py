"""Rules that end a search, from its history alone."""

from types import SimpleNamespace

import pytest

from poise.errors import InputError
from poise.optim.stopping import StopRules


def make_history(*best_costs, size=4, spread=1.0):
    return [
        SimpleNamespace(evaluations=size * (k + 1), best_cost=c, spread=spread * 0.5**k)
        for k, c in enumerate(best_costs)
    ]


@pytest.mark.parametrize(
    ("rules", "history", "reason"),
    [
        (StopRules(8), make_history(3.0), None),
        (StopRules(8), make_history(3.0, 2.0), "evaluations"),
        (StopRules(7), make_history(3.0, 2.0), "evaluations"),
        (StopRules(99, target_cost=2.0), make_history(3.0, 2.1), None),
        (StopRules(99, target_cost=2.0), make_history(3.0, 2.0), "target cost"),
        (StopRules(99, min_spread=0.5), make_history(3.0, 2.0), None),
        (StopRules(99, min_spread=0.5), make_history(3.0, 2.0, 1.0), "spread"),
        (StopRules(99, stagnation=8), make_history(3.0, 3.0), None),
        (StopRules(99, stagnation=8), make_history(3.0, 3.0, 3.0), "stagnation"),
        (StopRules(99, stagnation=8), make_history(3.0, 3.0, 2.9), None),
        (StopRules(99, stagnation=9), make_history(3.0, 3.0, 3.0), None),
        (StopRules(12, stagnation=8, target_cost=3.0), make_history(3.0, 3.0, 3.0), "target cost"),
        (StopRules(8), [], None),
    ],
)
def test_the_first_rule_that_holds_is_named(rules, history, reason):
    assert rules.find(history) == reason


def test_rules_that_would_end_before_the_beginning_are_refused():
    with pytest.raises(InputError, match="stop rules: evaluations must be at least 1, got 0"):
        StopRules(0)
    with pytest.raises(InputError, match="stop rules: stagnation must be at least 1, got 0"):
        StopRules(9, stagnation=0)
