"""A static page about all claims: grouped by system, with the source's figure, ours, the verdict and plots.

It needs no network and no scripts; plots are drawn from the numbers stored with the results.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from html import escape
from itertools import groupby
from os import PathLike
from typing import Final

from poise import __version__
from poise.files import save_text
from poise.reproduce.claims import Standing, count_standings
from poise.reproduce.pictures import draw_svg

_STYLE: Final = """
body { font: 15px/1.45 system-ui, sans-serif; color: #2b3038; margin: 2rem auto; max-width: 1280px; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.4rem; }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
th { text-align: left; border-bottom: 2px solid #c9ced6; padding: 4px 8px; }
td { border-bottom: 1px solid #e3e5e8; padding: 5px 8px; vertical-align: top; }
td.id, td code { font: 12px ui-monospace, monospace; white-space: nowrap; }
.says { color: #5b6472; }
.verdict { white-space: nowrap; font-weight: 600; }
.holds, .exceeded { color: #2f7a4f; } .fails { color: #b3372f; } .open { color: #8a919c; font-weight: 400; }
table.counts { width: auto; } table.counts td, table.counts th { text-align: right; }
table.counts td:first-child, table.counts th:first-child { text-align: left; }
img { max-width: 460px; width: 100%; }
"""


def save_report(standings: Sequence[Standing], path: str | PathLike[str]) -> None:
    """Write the page atomically."""
    save_text(path, make_report(standings))


def make_report(standings: Sequence[Standing]) -> str:
    """The page as HTML."""
    systems = [(system, list(group)) for system, group in groupby(standings, key=lambda s: s.claim.system)]
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8"><title>Poise: claims</title>',
        f"<style>{_STYLE}</style></head><body>",
        "<h1>Poise: what the sources say, and what was measured</h1>",
        f"<p>Poise {escape(__version__)}. {escape(count_standings(standings))}. A claim holds where the figure or "
        "limit of its source is met or exceeded.</p>",
        _make_counts(systems),
        *(_make_section(system, group) for system, group in systems),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _make_counts(systems: Sequence[tuple[str, list[Standing]]]) -> str:
    rows = [
        f'<tr><td><a href="#{escape(system)}">{escape(system)}</a></td><td>{len(group)}</td>'
        f"<td>{sum(s.holds is not None for s in group)}</td><td>{sum(s.holds is True for s in group)}</td>"
        f"<td>{sum(s.holds is False for s in group)}</td><td>{sum(bool(s.revised) for s in group)}</td></tr>"
        for system, group in systems
    ]
    head = "<tr><th>system</th><th>claims</th><th>measured</th><th>hold</th><th>do not hold</th><th>revised</th></tr>"
    return f'<table class="counts">{head}{"".join(rows)}</table>'


def _make_section(system: str, standings: Sequence[Standing]) -> str:
    head = "<tr><th>claim</th><th>source says</th><th>measured</th><th>verdict</th><th>how, and why</th></tr>"
    rows = "\n".join(_make_row(standing) for standing in standings)
    title = f'<h2 id="{escape(system)}">{escape(system)}</h2><p>{escape(count_standings(standings))}.</p>'
    return f"{title}\n<table>{head}\n{rows}</table>"


def _make_row(standing: Standing) -> str:
    claim = standing.claim
    kind = {True: "holds", False: "fails", None: "open"}[standing.holds]
    command = f"<code>{escape(standing.command)}</code><br>" if standing.command else ""
    cells = [
        f'<td class="id" id="{escape(claim.id)}">{escape(claim.id)}</td>',
        f'<td>{escape(claim.figure)}<br><span class="says">{escape(claim.source)}: {escape(claim.says)}</span></td>',
        f"<td>{escape(standing.measured or '')}</td>",
        f'<td class="verdict {kind}">{escape(standing.verdict)}</td>',
        f"<td>{command}{escape(' '.join(filter(None, [standing.reason, _tell_revision(standing)])))}</td>",
    ]
    pictures = _make_pictures(standing)
    return f"<tr>{''.join(cells)}</tr>" + (f'<tr><td></td><td colspan="4">{pictures}</td></tr>' if pictures else "")


def _tell_revision(standing: Standing) -> str:
    return f"Revised: {standing.revised}" if standing.revised else ""


def _make_pictures(standing: Standing) -> str:
    pictures = (base64.b64encode(draw_svg(plot)).decode("ascii") for plot in standing.plots)
    alt = escape(f"curves of {standing.claim.id}")
    return " ".join(f'<img alt="{alt}" src="data:image/svg+xml;base64,{picture}">' for picture in pictures)
