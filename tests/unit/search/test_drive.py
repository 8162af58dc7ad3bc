"""The loop of every search: generations are kept, resumed searches end with the same bits, Ctrl-C keeps the best."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from poise.errors import FileFormatError
from poise.optim.cma_c import CmaC
from poise.optim.cma_es import CmaEs
from poise.optim.space import Space, Variable
from poise.search.drive import Judged, drive, ending_with_best, recall_generation
from poise.search.session import Session, open_session

SPACE = Space((Variable("x", -1.0, 1.0, 0.5, 0.3), Variable("y", -2.0, 2.0, 1.0, 0.5)))


@dataclass
class Bowl:
    """Costs of points, with noise that differs from one generation to the next."""

    asked: list[int] = field(default_factory=list)

    def __call__(self, generation, points):
        self.asked.append(generation)
        noise = np.random.default_rng(generation).normal(0.0, 0.01, len(points))
        failures = tuple(("too far",) if abs(p[0]) > 2.0 else () for p in points)
        return Judged(np.sum(points**2, axis=1) + noise, failures)


def search(generations, evaluate, session=None, optimizer=None, follow=None):
    optimizer = optimizer or CmaEs(SPACE, population=6, seed=3)
    reason = drive(
        optimizer, evaluate, done=lambda told: "enough" if told >= generations else None, session=session,
        follow=follow, learns_failures=isinstance(optimizer, CmaC),
    )  # fmt: skip
    assert reason == "enough"
    return optimizer


def test_it_asks_evaluates_and_tells_until_it_is_done():
    bowl, told = Bowl(), []
    optimizer = search(3, bowl, follow=told.append)
    assert bowl.asked == [1, 2, 3]
    assert optimizer.trace().generations == 3
    assert [(t.number, t.is_new, len(t.points)) for t in told] == [(1, True, 6), (2, True, 6), (3, True, 6)]
    assert [t.costs.tolist() for t in told] == [costs.tolist() for costs in optimizer.trace().costs]


@pytest.mark.parametrize("make", [CmaEs, CmaC])
def test_a_resumed_search_ends_with_the_same_bits(tmp_path, make):
    whole, bowl, told = search(5, Bowl(), optimizer=make(SPACE, population=6, seed=3)), Bowl(), []
    for resume, generations in ((False, 2), (True, 5)):
        with open_session(tmp_path / "a.toml", "test", {}, resume=resume) as session:
            again = search(generations, bowl, session, make(SPACE, population=6, seed=3), told.append)
    assert bowl.asked == [1, 2, 3, 4, 5], "nothing is evaluated twice"
    assert [t.is_new for t in told] == [True, True, False, False, True, True, True]
    assert again.ask().tolist() == whole.ask().tolist()
    assert again.best.cost == whole.best.cost
    assert [t.failures for t in told[2:4]] == [t.failures for t in told[:2]]


def test_the_journal_has_the_same_bytes_after_it_was_cut_off(tmp_path):
    with open_session(tmp_path / "whole.toml", "test", {}) as session:
        search(3, Bowl(), session)
    whole = (tmp_path / "whole.test.journal").read_bytes()
    for end in range(whole.index(b"\n") + 1, len(whole), 100):
        (tmp_path / "a.test.journal").write_bytes(whole[:end])
        with open_session(tmp_path / "a.toml", "test", {}, resume=True) as session:
            search(3, Bowl(), session)
        assert (tmp_path / "a.test.journal").read_bytes() == whole


def test_ctrl_c_ends_it_with_the_best_so_far():
    optimizer = CmaEs(SPACE, population=6, seed=3)

    def interrupt(told):
        if told.number == 2:
            raise KeyboardInterrupt

    with ending_with_best(lambda: optimizer.best is not None) as end:
        search(5, Bowl(), optimizer=optimizer, follow=interrupt)
    assert end.interrupted and optimizer.trace().generations == 2


def test_ctrl_c_before_anything_was_found_is_raised():
    def interrupt(_generation, _points):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), ending_with_best(lambda: False):
        search(1, interrupt)


def test_candidates_must_be_the_same(tmp_path):
    points = np.array([[1.0, 2.0], [0.1, 0.2]])
    costs = np.array([1.0, np.inf])
    with open_session(tmp_path / "a.toml", "test", {}) as session:
        recall_generation(session, "generation 1", points, lambda: Judged(costs))
    with open_session(tmp_path / "a.toml", "test", {}, resume=True) as session:
        old, judged = recall_generation(session, "generation 1", points + 1e-12, lambda: Judged(np.zeros(2)))
        assert np.array_equal(old, points) and judged.costs.tolist() == [1.0, np.inf] and judged.failures == ()
        with pytest.raises(FileFormatError) as error:
            recall_generation(session, "generation 1", points + 0.1, lambda: Judged(np.zeros(2)))
    path = tmp_path / "a.test.journal"
    assert str(error.value) == f"{path}: another version started that search. Start a new one."


def test_a_generation_of_another_form_is_refused(tmp_path):
    with open_session(tmp_path / "a.toml", "test", {}) as session:
        session.recall("generation 1", lambda: {"points": [[0.0]], "costs": [1.0, 2.0]})
        session.recall("generation 2", lambda: {"points": [[0.0]], "costs": [1.0], "failures": [[], []]})
        session.recall("generation 3", lambda: [1.0])
    with open_session(tmp_path / "a.toml", "test", {}, resume=True) as session:
        for number in (1, 2, 3):
            with pytest.raises(FileFormatError) as error:
                recall_generation(session, f"generation {number}", np.zeros((1, 1)), lambda: Judged(np.zeros(1)))
            assert str(error.value) == (
                f"{tmp_path / 'a.test.journal'}: generation {number}: does not match this search. Start a new one."
            )


def test_without_a_session_nothing_is_kept():
    first, second = Bowl(), Bowl()
    search(2, first, Session())
    search(2, second)
    assert first.asked == second.asked == [1, 2]
