"""Outcomes for people and for programs. An outcome is told as plain data, a record; tables and pages show records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from krdtheory import __version__
from verification.claim import MARGIN_EDGES, PAPERS, Evidence, Verdict

Record = Mapping[str, Any]

STYLES = {
    Verdict.REFUTED: "bold red",
    Verdict.PROVED: "bold green",
    Verdict.SUPPORTED: "green",
    Verdict.UNDECIDED: "yellow",
}

ROUNDING = 1e-9  # a margin of float64 this small may be 0


def as_json(records: Iterable[Record], *, seed: int, profile: str, budget: int) -> dict[str, Any]:
    """A run as plain data."""
    head = {"version": __version__, "seed": seed, "profile": profile, "budget": budget}
    return {**head, "margin_edges": list(MARGIN_EDGES), "claims": list(records)}


def record(e: Evidence) -> dict[str, Any]:
    """An outcome as plain data; every number of an instance is exact, as a string."""
    c, found, proof, certificate = e.claim, e.counterexample, e.proof, e.certificate
    return {
        "id": c.id,
        "paper": c.paper,
        "label": c.label,
        "statement": c.statement,
        "relation": c.relation,
        "verdict": e.verdict.value,
        "reason": e.reason,
        "recorded": c.recorded.value,
        "corrects": c.corrects,
        "note": c.note,
        "evidence": {
            "method": _method(e),
            "instances": e.instances,
            "min_margin": e.min_margin if abs(e.min_margin) < float("inf") else str(e.min_margin),
            "tightest": e.tightest,
            "margins": list(e.margins),
            "seconds": round(e.seconds, 3),
        },
        "counterexample": None
        if found is None
        else {"inputs": found.inputs, "lhs": found.lhs, "rhs": found.rhs, "digits": found.digits},
        "certificate": None
        if certificate is None
        else {
            "margin_lower": certificate.margin_lower,
            "margin_upper": certificate.margin_upper,
            "bits": certificate.bits,
        },
        "proof": None
        if proof is None
        else {"method": proof.method, "domain": proof.domain, "steps": proof.steps, "detail": proof.detail},
    }


def _method(e: Evidence) -> str:
    if e.certificate is not None:
        return "violation found in float64, confirmed in mpmath, certified in ball arithmetic"
    if e.proof is not None:
        return e.proof.method
    return "sampling and climbing in float64, violations looked at again in mpmath"


def changed(records: Iterable[Record]) -> list[Record]:
    """Those whose verdict is not the recorded one."""
    return [r for r in records if r["verdict"] != r["recorded"]]


def tables(records: Sequence[Record], *, narrow: bool = False, compare: bool = True) -> list[Table]:
    """One table for each paper; a narrow one leaves out where the claims are stated.

    `compare` tells the verdict that is recorded where another was found.
    """
    out = []
    for paper in dict.fromkeys(r["paper"] for r in records):
        table = Table(title=PAPERS.get(paper, paper), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column("claim", no_wrap=True)
        if not narrow:
            table.add_column("stated in")
        table.add_column("verdict")
        table.add_column("instances", justify="right")
        table.add_column("min margin", justify="right", no_wrap=True)
        for r in records:
            if r["paper"] == paper:
                name = r["id"] if r["corrects"] is None else f"  {r['id']}"
                stated = () if narrow else (r["label"],)
                evidence = r["evidence"]
                margin = _margin(float(evidence["min_margin"]))
                table.add_row(name, *stated, _verdict(r, compare), f"{evidence['instances']:,}", margin)
        out.append(table)
    return out


def counterexample(r: Record) -> Table:
    """The instance that refutes a claim, in exact numbers, and its two sides."""
    found, certificate = r["counterexample"], r["certificate"]
    table = Table(title=f"{r['id']}: counterexample", title_justify="left", box=box.SIMPLE_HEAD, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in found["inputs"].items():
        table.add_row(name, str(value).replace("'", ""))
    table.add_row("lhs", found["lhs"])
    table.add_row("rhs", found["rhs"])
    if certificate is not None:
        low, high = certificate["margin_lower"], certificate["margin_upper"]
        table.add_row("rhs - lhs", f"in [{low}, {high}], certified at {certificate['bits']} bits")
    return table


def _margin(margin: float) -> str:
    return "~0" if abs(margin) <= ROUNDING else f"{margin:.2e}"


def _verdict(r: Record, compare: bool) -> Text:
    reason = "" if r["reason"] in ("no violation found", "certified") else f" ({r['reason']})"
    text = Text(f"{r['verdict']}{reason}", style=STYLES[Verdict(r["verdict"])])
    if compare and r["verdict"] != r["recorded"]:
        text.append(f" was {r['recorded']}", style="bold magenta")
    return text


def summary(records: Sequence[Record]) -> str:
    """How many of each verdict."""
    counts = {v: sum(r["verdict"] == v for r in records) for v in Verdict}
    told = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
    return f"{len(records)} {'claim' if len(records) == 1 else 'claims'}: {told}"
