"""Runs of scripts on the command line: their phases, their end, and the recording shown again."""

import json
from pathlib import Path

ONCE = """BEGINSCRIPT once(dt)
PHASE 0
ACTIONS
POSE lHip(0), rHip(0), lKnee(0), rKnee(0), lAnkle(0), rAnkle(0), waist(0), lTorso2uTorso(0);
ENDACTIONS
TRANSITION to(1).after(time dt);
ENDPHASE
PHASE 1
ACTIONS
POSE lHip(0);
ENDACTIONS
TRANSITION to(-1).after(contact lHand);
TRANSITION to(-1).after(fallen > 3);
ENDPHASE
ENDSCRIPT
"""
CRAWL = """SCRIPTS once.t;
BEGINSCRIPT crawl(void)
PHASE 0
> once.t(.2);
TRANSITION to(-1).after(complete);
ENDPHASE
ENDSCRIPT
"""


def rows_of(text: str) -> dict[str, str]:
    """The names and values of a summary, continued lines joined."""
    rows: dict[str, str] = {}
    last = ""
    for line in text.splitlines()[1:]:
        name, _, value = line.strip().partition("  ")
        if line.startswith("     ") and last:
            rows[last] += " | " + line.strip()
        elif value:
            last = name
            rows[name] = value.strip()
    return rows


def test_a_run_says_what_its_script_waits_for(poise) -> None:
    Path("once.t").write_text(ONCE)
    Path("crawl.s").write_text(CRAWL)
    result = poise("run", "crawl.s", "--seconds", "0.5", "--export", "a.npz", "--json", "a.json")
    assert result.exit_code == 0
    rows = rows_of(result.stdout)
    assert rows["script"] == "waiting since 0.2005 s in once.t:1 for contact lHand or fallen > 3, called by crawl.s:0"
    assert rows["last phases"] == "0 s once.t:0 | 0.2005 s once.t:1 (once.t:0 time dt)"
    figures = json.loads(Path("a.json").read_text())
    assert figures["ended_at_s"] is None
    assert figures["scripts"] == [
        {
            "character": 0,
            "ended_at_s": None,
            "stack": ["crawl.s:0", "once.t:1"],
            "since_s": 0.2005,
            "waits_for": ["contact lHand", "fallen > 3"],
        }
    ]
    assert [row["stack"] for row in figures["phase_log"]] == [
        ["crawl.s:0"],
        ["crawl.s:0", "once.t:0"],
        ["crawl.s:0", "once.t:1"],
    ]
    shown = poise("show", "recording", "a.npz")
    assert shown.exit_code == 0
    assert rows_of(shown.stdout)["script"] == rows["script"]
    assert "0.2005 s once.t:1 (once.t:0 time dt)" in " ".join(shown.stdout.split())
    again = poise("show", "recording", "a.npz", "--json", "-")
    assert json.loads(again.stdout)["phase_log"] == figures["phase_log"]


def test_a_run_says_that_its_script_ended_and_judges_it_up_to_then(poise) -> None:
    Path("once.t").write_text(ONCE.replace("contact lHand", "time .1"))
    Path("crawl.s").write_text(CRAWL)
    result = poise("run", "crawl.s", "--seconds", "3", "--json", "a.json")
    rows = rows_of(result.stdout)
    assert rows["outcome"] == "on its feet when its script ended at 0.30 s"
    assert rows["script"] == "ended at 0.301 s; the figures are up to then"
    assert rows["last phases"].endswith("0.301 s end (once.t:1 time .1, crawl.s:0 complete)")
    figures = json.loads(Path("a.json").read_text())
    assert (figures["fallen"], figures["ended_at_s"], figures["seconds"]) == (False, 0.301, 3.0)


def test_a_script_that_stays_in_a_phase_says_so(poise) -> None:
    Path("a.ctl").write_text("BEGINSCRIPT a(void)\nPHASE 0\nACTIONS\nHOLD lHip;\nENDACTIONS\nENDPHASE\nENDSCRIPT\n")
    rows = rows_of(poise("run", "a.ctl", "--seconds", "0.1").stdout)
    assert rows["script"] == "staying since 0 s in a.ctl:0, which has no transition"
    assert "last phases" in rows


ODD = """BEGINSCRIPT odd(height, wait, speed)
PHASE 0
ACTIONS
POSE lHip(height), rHip(30), lKnee(40), rKnee(50);
ENDACTIONS
TRANSITION to(-1).after(time wait);
ENDPHASE
ENDSCRIPT
"""


def test_a_run_repeats_the_warnings_and_names_what_has_no_value(poise) -> None:
    Path("odd.ctl").write_text("SET wait = 3\n" + ODD)
    Path("block.env").write_text("ENTITIES { BLOCK = Box(3, .2, 1, .1, -10); }\n")
    result = poise("run", "odd.ctl", "--seconds", "0.01", "--json", "a.json")
    assert result.exit_code == 0
    said = [line for line in result.stderr.splitlines() if not line.startswith(("Compiling", " " * 6, "    ^"))]
    says = [
        "warning: odd.ctl:2:1: this script has no environment: block.env is not used. "
        "Use 'ENVIRONMENT block.env;' before BEGINSCRIPT if it is meant.",
        "warning: odd.ctl:2:31: the parameter 'speed' is never used.",
        "warning: odd.ctl:5:25: angles are in radians, and 30 exceeds a full turn. Did you mean '0.524'?",
        "    and 2 more like this in line 5",
        "note: 5 warnings (3 of them shown). 'poise script check odd.ctl --all' lists all.",
        "note: height, speed have no value and are 0. "
        "Give one with --set height=VALUE, or with 'SET height = VALUE' in the script.",
    ]
    assert [line for line in said if not line.startswith("    ") or "more" in line] == says
    figures = json.loads(Path("a.json").read_text())
    assert figures["unset"] == ["height", "speed"]
    assert figures["warnings"][-1] == says[-2]
    again = poise("run", "odd.ctl", "--seconds", "0.01", "--set", "height=-.1", "speed=1")
    assert "no value" not in again.stderr
    one = poise("run", "odd.ctl", "--seconds", "0.01", "--set", "height=-.1")
    assert one.stderr.endswith(
        "note: speed has no value and is 0. "
        "Give one with --set speed=VALUE, or with 'SET speed = VALUE' in the script.\n"
    )


def test_shipped_scripts_run_without_remarks(poise) -> None:
    result = poise("run", "script/stand", "--seconds", "0.01")
    assert [line for line in result.stderr.splitlines() if not line.startswith("Compiling")] == []


def test_other_controllers_have_no_rows_of_phases(poise) -> None:
    poise("run", "simbicon/planar-walk", "--seconds", "0.2", "--export", "a.npz")
    assert "script" not in rows_of(poise("show", "recording", "a.npz").stdout)
