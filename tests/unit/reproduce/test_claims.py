"""The list of claims, how they stand by the kept results, and the page about them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from itertools import groupby
from pathlib import Path

import pytest

from poise.errors import FileFormatError, NotFoundError
from poise.reproduce import experiment
from poise.reproduce.claims import (
    OWN,
    count_standings,
    find_claim,
    find_standings,
    list_systems,
    load_claims,
    load_reasons,
    make_row,
)
from poise.reproduce.experiment import (
    Experiment,
    Result,
    Row,
    load_results,
    load_revisions,
    run_experiment,
    save_result,
)
from poise.reproduce.pictures import Plot
from poise.reproduce.report import make_report

SIZES = {
    "simbicon": 7, "step_planning": 50, "task_policies": 54, "walker": 39, "walker_skills": 11, "tracker": 57,
    "limit_cycle": 67, "landing": 32, "fall_planning": 22, "coaching": 32, "cma_c": 21, "parametric_skills": 24,
    "dynamics_bias": 23, "script_language": 60, "transitions": 15,
}  # fmt: skip
SOURCES = ("Coros10 ", "Lee10 ", "Laszlo96 ", "Ha15 ", "Firmin15 ")
ROW = make_row("coros-5-push600", "48 of 48", True, exceeded=True, plot=Plot("line", [1.0, 2.0], {"a": [0.5, None]}))


def test_every_claim_of_every_system_is_listed() -> None:
    claims = load_claims().values()
    assert Counter(c.system for c in claims) == SIZES
    assert len(claims) == 514
    assert list_systems() == [*SIZES, OWN]
    assert all(c.source.startswith(SOURCES) for c in claims)
    # The claims of a system stand together: whatever shows them by system relies on it.
    assert [system for system, _ in groupby(c.system for c in claims)] == list(SIZES)


def test_experiments_refer_to_claims_that_exist() -> None:
    for result in load_results():
        for row in result.rows:
            assert row.claim in load_claims() or row.claim.startswith("poise-"), f"{result.experiment}: {row.claim}"


def test_reasons_are_about_claims_that_exist(tmp_path: Path) -> None:
    assert set(load_reasons()) <= set(load_claims())
    path = tmp_path / "reasons.toml"
    path.write_text('coros-5-psh600 = "no"\n')
    with pytest.raises(FileFormatError, match=r"no claim named 'coros-5-psh600'.* Did you mean 'coros-5-push600'\?"):
        load_reasons(path)


def test_what_was_not_measured_says_so() -> None:
    standings = {s.claim.id: s for s in find_standings(results=[])}
    assert len(standings) == 514
    assert all((s.holds, s.measured, s.command, s.verdict) == (None, None, None, "not measured")
               for s in standings.values())  # fmt: skip
    assert standings["ha-4-hw-roll"].as_dict()["reason"] == "It needs the real robot."
    assert standings["coros-5-push600"].as_dict()["reason"] == "not measured yet"


def test_what_was_measured_says_how() -> None:
    own = Row("poise-new", "Poise", "It walks.", "always", "never", False, note="It cannot.")
    result = Result("walker", False, 3, "9.9", (ROW, own))
    standings = {s.claim.id: s for s in find_standings(results=[result])}
    assert standings["coros-5-push600"].as_dict() == {
        "id": "coros-5-push600",
        "system": "walker",
        "source": "Coros10 §5.6: 600 N for 0.1 s, omnidirectional",
        "measured": "48 of 48",
        "holds": True,
        "command": "poise reproduce walker",
        "reason": None,
        "says": find_claim("coros-5-push600").says,
        "figure": "600 N for 0.1 s, omnidirectional",
        "exceeded": True,
        "revised": None,
        "seed": 3,
        "version": "9.9",
    }
    assert standings["coros-5-push600"].verdict == "exceeded"
    new = standings["poise-new"]
    assert (new.claim.system, new.verdict, new.reason) == (OWN, "does not hold", "It cannot.")
    assert [s.claim.id for s in find_standings(OWN, [result])] == ["poise-new"]


def test_a_claim_that_two_experiments_measure_holds_if_it_holds_in_both() -> None:
    failing = make_row("coros-5-push600", "40 of 48", False, note="Backward is too much.")
    results = [Result("walker", False, 0, "1", (ROW,)), Result("beasts", False, 0, "1", (failing,))]
    (standing,) = [s for s in find_standings("walker", results) if s.claim.id == "coros-5-push600"]
    assert (standing.holds, standing.exceeded) == (False, False)
    assert standing.measured == "48 of 48; 40 of 48"
    assert standing.command == "poise reproduce walker beasts"
    assert standing.reason == "Backward is too much."


def test_an_unknown_system_or_claim_is_named_with_its_neighbours() -> None:
    with pytest.raises(NotFoundError, match=r"^poise claims: no system named 'waker'.* Did you mean 'walker'\?$"):
        find_standings("waker")
    with pytest.raises(
        NotFoundError, match=r"^poise claims: no claim named 'coros-2-fms'.* Did you mean 'coros-2-fsm'\?$"
    ):
        find_claim("coros-2-fms")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,says\n", "the columns must be id, system, source, says, figure, got id, says."),
        ("id,system,source,says,figure\na,b,c,d\n", "every claim needs an id, a system, a source, words and a figure."),
        ("id,system,source,says,figure\na,b,c,d,e\na,b,c,d,e\n", "two claims have the id a."),
    ],
)
def test_a_damaged_list_is_told(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "claims.csv"
    path.write_text(text)
    with pytest.raises(FileFormatError) as caught:
        load_claims.__wrapped__(path)
    assert message in str(caught.value)


class Reader(HTMLParser):
    """What a browser would find on the page."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag not in ("br", "img", "meta"):
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.add(str(value))
            if name in ("src", "href"):
                self.links.append(str(value))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_report_is_one_page_that_needs_no_network() -> None:
    strange = Row("poise-strange", "Poise", "<b>", "a & b", "<script>", True)
    page = make_report(find_standings(results=[Result("walker", False, 0, "1", (ROW, strange))]))
    reader = Reader()
    reader.feed(page)
    assert not reader.open
    assert reader.tags.isdisjoint({"script", "link", "b"})
    assert set(load_claims()) | {"poise-strange", *SIZES} <= reader.ids
    assert all(link.startswith(("data:image/svg+xml;base64,", "#")) for link in reader.links)
    assert sum(link.startswith("data:") for link in reader.links) == 1
    assert "515 claims, 2 measured, 2 hold" in page


def test_the_same_results_give_the_same_page() -> None:
    results = [Result("walker", False, 0, "1", (ROW,))]
    assert make_report(find_standings(results=results)) == make_report(find_standings(results=results))


def test_a_revised_criterion_is_marked_and_counted_apart() -> None:
    revised = replace(ROW, revised="It asked for 40 of 48 before.")
    standings = find_standings("walker", [Result("walker-pushes", False, 0, "1", (revised,))])
    (standing,) = [s for s in standings if s.holds is not None]
    assert standing.verdict == "exceeded (revised)" and standing.as_dict()["revised"] == revised.revised
    told = count_standings(standings)
    assert told.endswith("1 hold; the criterion of 1 was revised after a result had been seen, 1 of them hold")
    assert "Revised: It asked for 40 of 48 before." in make_report(standings)
    assert count_standings([]) == "0 claims, 0 measured, 0 hold"


def test_kept_results_carry_the_revisions_of_the_list() -> None:
    revisions = load_revisions()
    rows = [row for result in load_results() for row in result.rows]
    assert set(revisions) <= {row.claim for row in rows}
    assert {row.claim: row.revised for row in rows if row.revised} == dict(revisions)


def test_a_run_marks_its_revised_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiment, "load_revisions", lambda: {ROW.claim: "It was another."})
    result = run_experiment(Experiment("x", "one row", lambda quick, seed: [ROW]))
    assert result.rows[0].revised == "It was another."
    save_result(result, tmp_path)
    (kept,) = load_results(tmp_path)
    assert kept.rows[0].revised == "It was another."


@pytest.mark.parametrize(
    ("value", "what"),
    [("true", "must be a string, got True."), ('""', "must be a sentence that says what was changed, got ''.")],
)
def test_a_revision_without_words_is_refused(tmp_path: Path, value: str, what: str) -> None:
    path = tmp_path / "revised.toml"
    path.write_text(f"coros-5-push600 = {value}\n")
    with pytest.raises(FileFormatError) as caught:
        load_revisions(path)
    assert str(caught.value) == f"{path}:1:1: coros-5-push600: {what}\n    coros-5-push600 = {value}\n    ^"
