"""Outcomes for people and for programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from krdtheory import __version__
from verification.claim import PAPERS, Evidence, Verdict

STYLES = {
    Verdict.REFUTED: "bold red",
    Verdict.PROVED: "bold green",
    Verdict.SUPPORTED: "green",
    Verdict.UNDECIDED: "yellow",
}

ROUNDING = 1e-9  # a margin of float64 this small may be 0


def changed(outcomes: Iterable[Evidence]) -> list[Evidence]:
    """Those whose verdict is not the recorded one."""
    return [e for e in outcomes if e.verdict is not e.claim.recorded]


def tables(outcomes: Sequence[Evidence], *, narrow: bool = False) -> list[Table]:
    """One table for each paper; a narrow one leaves out where the claims are stated."""
    out = []
    for paper in dict.fromkeys(e.claim.paper for e in outcomes):
        table = Table(title=PAPERS.get(paper, paper), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column("claim", no_wrap=True)
        if not narrow:
            table.add_column("stated in")
        table.add_column("verdict")
        table.add_column("instances", justify="right")
        table.add_column("min margin", justify="right", no_wrap=True)
        for e in outcomes:
            if e.claim.paper == paper:
                name = e.claim.id if e.claim.corrects is None else f"  {e.claim.id}"
                stated = () if narrow else (e.claim.label,)
                table.add_row(name, *stated, _verdict(e), f"{e.instances:,}", _margin(e.min_margin))
        out.append(table)
    return out


def _margin(margin: float) -> str:
    return "~0" if abs(margin) <= ROUNDING else f"{margin:.2e}"


def _verdict(e: Evidence) -> Text:
    reason = "" if e.reason == "no violation found" else f" ({e.reason})"
    text = Text(f"{e.verdict}{reason}", style=STYLES[e.verdict])
    if e.verdict is not e.claim.recorded:
        text.append(f" was {e.claim.recorded}", style="bold magenta")
    return text


def summary(outcomes: Sequence[Evidence]) -> str:
    """One line: how many of each verdict."""
    counts = []
    for verdict in Verdict:
        found = [e for e in outcomes if e.verdict is verdict]
        violated = sum(e.counterexample is not None for e in found)
        said = f" ({violated} of them violated)" if verdict is Verdict.UNDECIDED and violated else ""
        if found:
            counts.append(f"{len(found)} {verdict}{said}")
    return f"{len(outcomes)} claim{'s' * (len(outcomes) != 1)}: {', '.join(counts)}"


def as_json(outcomes: Sequence[Evidence], *, seed: int, profile: str) -> dict[str, Any]:
    """The outcomes as plain data; every number of an instance is exact, as a string."""
    return {
        "version": __version__,
        "seed": seed,
        "profile": profile,
        "claims": [_claim_json(e) for e in outcomes],
    }


def _claim_json(e: Evidence) -> dict[str, Any]:
    c, found = e.claim, e.counterexample
    return {
        "id": c.id,
        "paper": c.paper,
        "label": c.label,
        "statement": c.statement,
        "verdict": e.verdict.value,
        "reason": e.reason,
        "recorded": c.recorded.value,
        "corrects": c.corrects,
        "note": c.note,
        "evidence": {
            "method": "sampling and climbing in float64, violations looked at again in mpmath",
            "instances": e.instances,
            "min_margin": e.min_margin if abs(e.min_margin) < float("inf") else str(e.min_margin),
            "tightest": e.tightest,
            "seconds": round(e.seconds, 3),
        },
        "counterexample": None
        if found is None
        else {"inputs": found.inputs, "lhs": found.lhs, "rhs": found.rhs, "digits": found.digits},
        "certificate": None,
    }
