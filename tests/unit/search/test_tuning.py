"""`poise tune`: what each method searches and writes; the trials themselves are replaced by quick ones."""

from pathlib import Path

import numpy as np
import pytest

from poise.controllers.catalog import find_controller, load_controller
from poise.errors import InputError, NotFoundError
from poise.search.tuning import graph, models, steering, walker
from poise.search.tuning.run import Order
from poise.tables import load_table
from poise.world.adopt import load_any_character

PLAN = walker.Plan(generations=6, population=8, vary=("knee", "reach"), seed=1)


def order(out, resume=False, **more):
    return Order("poise tune it", out, "an objective", 1, {"seed": 1}, resume, **more)


@pytest.fixture
def quick_walker(monkeypatch):
    """Trials that cost how much the gains of the knee differ from twice their value, and a random number."""
    knee = dict(load_table(find_controller("walker/walk")).data)["gains"]["knee"][0]

    def fill(trials):
        draw, gains = float(trials.random.uniform(0.0, 0.01)), trials.table["gains"]["knee"]
        trials.found += [walker.Trial("knee", 2.0, lambda: abs(gains[0] / knee - 2.0))]
        trials.found += [walker.Trial("draw", 1.0, lambda: draw)]

    monkeypatch.setattr(walker.Trials, "fill", fill)


def test_the_walker_is_written_with_the_mean_of_the_search(tmp_path, quick_walker):
    rows, start, out = [], find_controller("walker/walk"), tmp_path / "w.toml"
    tuned = walker.tune_walker(order(out, progress=lambda *row: rows.append(row)), PLAN, start, workers=1)
    assert [row[:3] for row in rows] == [(8 * k, 8, 48) for k in range(1, 7)]
    table, before = dict(load_table(out).data), dict(load_table(start).data)
    assert table["gains"]["knee"][0] > 1.2 * before["gains"]["knee"][0]
    assert {**table["gains"], "knee": 0} == {**before["gains"], "knee": 0}
    assert {k for k, v in table["values"].items() if v != before["values"][k]} == {"reach"}
    provenance = table["provenance"]
    assert (provenance["command"], provenance["objective"]) == ("poise tune it", "an objective")
    assert (provenance["stopped_by"], provenance["evaluations"], provenance["seed"]) == ("generations", 48, 1)
    assert tuned.evaluations == 48 and load_controller(out, load_any_character("humanoid")).parameters
    assert [path.name for path in tmp_path.iterdir()] == ["w.toml"]


def test_a_search_that_was_interrupted_is_written_and_resumed(tmp_path, quick_walker):
    start, rows, out = find_controller("walker/walk"), [], tmp_path / "a.toml"
    whole = walker.tune_walker(order(tmp_path / "whole.toml"), PLAN, start, workers=1)

    def interrupt(*row):
        rows.append(row)
        if len(rows) == 2:
            raise KeyboardInterrupt

    ended = walker.tune_walker(order(out, progress=interrupt), PLAN, start, workers=2)
    assert ended.interrupted and dict(load_table(out).data)["provenance"]["stopped_by"] == "interrupted"
    assert (tmp_path / "a.tune.journal").exists()
    again = order(out, resume=True, progress=lambda *row: rows.append(row))
    assert walker.tune_walker(again, PLAN, start, workers=1) == whole and len(rows) == 6
    assert out.read_text() == (tmp_path / "whole.toml").read_text()


def test_what_is_there_is_not_overwritten(tmp_path, quick_walker):
    out = tmp_path / "w.toml"
    out.write_text("")
    with pytest.raises(InputError) as error:
        walker.tune_walker(order(out), PLAN, find_controller("walker/walk"))
    assert str(error.value) == f"{out}: already exists. Give another file."
    with pytest.raises(InputError) as wrong:
        walker.tune_walker(order(Path("w.txt")), PLAN, find_controller("walker/walk"))
    assert str(wrong.value) == "poise tune: the result is written to a .toml file, got 'w.txt'."
    with pytest.raises(NotFoundError, match=r"poise tune walker: no parameter named 'nkee'.*Did you mean 'knee'"):
        walker.Plan(vary=("nkee",))


def test_worlds_are_used_again_and_a_later_fall_costs_less(monkeypatch):
    start = dict(load_table(find_controller("walker/walk")).data)
    bench, table = walker.Bench(), walker.decode(np.zeros(3), start, PLAN.vary)
    with bench.open(table, speed=0.6) as world:
        assert 0.0 <= walker.walk_cost(world, 0.6, seconds=1.0) <= 0.9
    with bench.open(table, speed=0.6) as again:
        assert again is world and again.time_s == 0.0
        monkeypatch.setattr(type(world), "fell_at_s", lambda _world: 3.0)
        assert walker.fall_cost(world, 9.0) == pytest.approx(2.0 - 3.0 / 9.0)


def test_the_steered_tracker_is_written_with_the_mean_of_the_search(tmp_path, monkeypatch):
    asked, start, out = [], find_controller("tracker/steer"), tmp_path / "s.toml"

    def tour(controller, seed, styles):
        asked.append((seed, styles))
        return float(seed)

    monkeypatch.setattr(steering, "tour", tour)
    tuned = steering.tune_steering(order(out), steering.Plan(1, 1), start, workers=1)
    assert asked == [*steering.TOURS] * steering.POPULATION
    assert tuned.cost == pytest.approx(np.mean([seed for seed, _ in steering.TOURS]))
    table, before = dict(load_table(out).data), dict(load_table(start).data)
    assert table["paces"] == before["paces"] and table["method"] == before["method"]
    assert set(steering.RANGES) <= set(table["gains"])
    assert load_controller(out, load_any_character("lee13")).parameters


GRAPH = graph.Plan(vary={"values.target": (0.0, 0.4), "states.S1+S2.hold_s": (0.1, 0.2)}, generations=2, population=4)


def test_numbers_of_a_graph_vary_between_their_bounds(tmp_path, monkeypatch):
    tried, out = [], tmp_path / "g.toml"

    def run(table, plan):
        tried.append((table["values"]["target"], *(state.get("hold_s") for state in table["states"][:2])))
        return graph.Trial(3, 1.0, table["values"]["target"], 0.0)

    monkeypatch.setattr(graph, "run", run)
    tuned = graph.tune_graph(order(out), GRAPH, find_controller("limit-cycle/human-walk"), workers=1)
    assert len(tried) == 8
    assert all(0.0 <= target <= 0.4 and 0.1 <= one == other <= 0.2 for target, one, other in tried)
    best = max(target for target, _, _ in tried)
    assert dict(load_table(out).data)["values"]["target"] == best
    assert tuned.cost == pytest.approx(-(3.0 + 1.0 + best))


def test_paths_and_bounds_that_make_no_sense_are_named():
    table = dict(load_table(find_controller("limit-cycle/human-walk")).data)
    with pytest.raises(InputError) as error:
        graph.put(table, "states.S9.hold_s", 0.1)
    assert str(error.value) == "poise tune graph: states.S9.hold_s: no such entry in the table."
    with pytest.raises(InputError) as few:
        graph.Plan(vary={"values.target": (0.0, 1.0)})
    assert str(few.value) == "poise tune graph: --vary: CMA-ES needs two numbers or more."
    with pytest.raises(InputError) as falling:
        graph.Plan(vary={"a": (0.0, 1.0), "b": (1.0, 1.0)})
    assert str(falling.value) == "poise tune graph: --vary b: the lower bound must be below the upper one, got '1:1'."


def test_models_are_recorded_round_by_round(tmp_path, monkeypatch):
    asked, said, saved = [], [], []

    def record(controller, plan, seen, seed):
        asked.append((len(seen), seed))
        return [seed]

    class Store:
        def __init__(self, seen):
            self.seen = list(seen)

        def save(self, out):
            saved.append((self.seen, out))

    monkeypatch.setattr(models, "record", record)
    monkeypatch.setattr(models.ModelStore, "gather", Store)
    plan, out = models.Plan(walks=2, rounds=1, seed=5), tmp_path / "m.npz"
    assert models.tune_models("limit-cycle/human-walk", out, plan, workers=1, say=said.append) == 4
    assert asked == [(0, 5), (0, 6), (2, 105), (2, 106)] and saved == [([5, 6, 105, 106], out)]
    assert said == ["round 0 of 1: 2 new models, 2 in all", "round 1 of 1: 2 new models, 4 in all"]
    with pytest.raises(InputError) as error:
        models.tune_models("limit-cycle/human-walk", Path("m.toml"), plan)
    assert str(error.value) == "poise tune models: models are written to an .npz file, got 'm.toml'."
