"""The ways to check a verdict independently, and what has to be trusted for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verification.certificates.make import recorded_instances, rocq_name
from verification.claim import Verdict

TRUST = (  # verdict, how it is checked, what has to be trusted
    ("refuted", "balls", "Arb, by python-flint; the claim's function and what it calls in `krdtheory.ball`"),
    ("refuted", "script, rational sides", "Python's integers and `fractions`; the formula in the script"),
    ("refuted", "script, other sides", "these, and `certificates/intervals.py`"),
    ("refuted", "Rocq", "Rocq's kernel and its real numbers; the formula in the file"),
    (
        "proved",
        "prover",
        "the rules of `verification.provers`; sympy's simplifier and Arb where they are asked; premises",
    ),
    ("proved", "Rocq, for inequalities of one variable", "Rocq's kernel and its real numbers"),
    ("supported", "search", "no proof: that a counterexample would have been found"),
)


def checks(record: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the checks of a refutation and how to run each; `record` is an outcome as plain data."""
    id, certificate = record["id"], record["certificate"]
    if record["verdict"] != Verdict.REFUTED or certificate is None:
        return []
    out = [("balls", f"certified at {certificate['bits']} bits")]
    known = recorded_instances().get(id)
    if known is None:
        return [*out, ("script", f"krdtheory certificate {id} --file FILE --inline > cert.py && python3 cert.py")]
    out.append(("script", f"python3 certificates/{id}.py, or krdtheory certificate {id}"))
    if known.get("rocq"):
        out.append(("Rocq", f"coqc certificates/rocq/{rocq_name(id)}.v"))
    return out
