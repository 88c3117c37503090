"""Certificates of claims: which instance, recorded or found by a search, and what is written of it."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from verification.certificates import intervals
from verification.certificates.formula import is_rational, ordered
from verification.certificates.recorder import CannotRecordError, recorded
from verification.certificates.script import Found, body, library
from verification.claim import Claim, Verdict
from verification.instances import Field, contains, converted, read, shown
from verification.search import check
from verification.sides import DIGITS, ClaimError, exact_sides, look
from verification.vocabulary import NoneAssumed

SPECTRAL = {"sandwiched_renyi", "petz_renyi", "maximal_renyi", "quantum_relative_entropy", "max_relative_entropy"}
SPECTRAL |= {"quantum_hockey_stick", "trace_distance", "eigvalsh", "sqrtm"}
SPECIAL = {"gdp_to_delta", "binomial_outside", "optimal_composition_delta", "approximate_max_divergence"}
PRECISIONS = (intervals.BITS, 400, 1200)  # binary digits, tried in turn


class NotRefutedError(ValueError):
    """There is no counterexample to certify."""


@cache
def recorded_instances() -> Mapping[str, Mapping[str, Any]]:
    """The recorded counterexamples of the registered claims, by id: `inputs`, and `bits` where 160 are too few."""
    text = files("verification.certificates").joinpath("instances.json").read_text(encoding="utf-8")
    found: Mapping[str, Mapping[str, Any]] = json.loads(text)
    return found


def certified(claim: Claim, *, seed: int = 0) -> Found:
    """The certificate of a refuted claim: of the recorded counterexample, or else of one that a search finds.

    Parameters
    ----------
    claim : Claim
    seed : int
        Of the search.

    Raises
    ------
    NotRefutedError
        No counterexample is found.
    CannotRecordError
        The claim computes at its counterexample what no certificate can be made of.
    ClaimError
        The claim's own Python fails.
    """
    kept = recorded_instances().get(claim.id)
    if kept is not None and claim.recorded == Verdict.REFUTED:
        with contextlib.suppress(ValueError):  # where the claim is another by now
            return at_instance(claim, kept["inputs"], bits=kept.get("bits", intervals.BITS))
    outcome = check(claim, seed=seed)
    if outcome.verdict == Verdict.ERROR:
        raise ClaimError(outcome.reason)
    if outcome.verdict != Verdict.REFUTED or outcome.counterexample is None:
        raise NotRefutedError(f"{claim.id} is not refuted but {outcome.verdict}: {outcome.reason}")
    return at_instance(claim, outcome.counterexample.inputs)


def at_instance(claim: Claim, instance: Any, *, bits: int | None = None) -> Found:
    """The certificate of an instance, as outcomes show them.

    Parameters
    ----------
    claim : Claim
    instance : mapping
        As of `verification.given.evaluated`.
    bits : int, optional
        Binary digits of the intervals; without it as many as the script needs, which is run to see that.

    Raises
    ------
    ValueError
        It is no instance of the claim.
    NotRefutedError
        It does not violate the claim.
    CannotRecordError
        The claim computes there what no certificate can be made of.
    """
    values = read(claim.given, instance)
    outside = contains(claim.given, values)
    if outside:
        raise ValueError(f"{outside[0]} is outside of what the claim is about, {claim.given[outside[0]].describe()}")

    def made(field: Field) -> dict[str, Any]:
        return {name: converted(value, field) for name, value in values.items()}

    try:
        seen = look(claim, made)
        if seen is None or seen.violated is None:
            raise NotRefutedError(f"the instance does not violate {claim.id}")
        lhs, rhs = exact_sides(claim, made, DIGITS)
    except NoneAssumed:
        raise NotRefutedError(f"the hypotheses of {claim.id} do not hold of the instance") from None
    part = seen.violated
    recording = recorded(claim, values, part)
    sides = [_twenty(side[0, part]) for side in (lhs, rhs)]
    if bits is not None:
        return Found(recording, *sides, bits)
    why = ""
    for enough in PRECISIONS:
        found = Found(recording, *sides, enough)
        try:
            run(found)
            return found
        except (SystemExit, Exception) as error:
            why = f"{type(error).__name__}: {error}"
    raise CannotRecordError(f"the script of {claim.id} does not verify, which is a fault of this program: {why}")


def run(found: Found) -> dict[str, Any]:
    """Run a script in a namespace of its own, and return that.

    Raises
    ------
    SystemExit
        A check of it fails.
    """
    space = dict(_fresh())
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(body(found), f"{found.claim.id}.py", "exec"), space)
    finally:
        space["precision"](intervals.BITS)
    return space


@cache
def _fresh() -> dict[str, Any]:
    space: dict[str, Any] = {"__name__": "intervals"}
    exec(compile(library(), "intervals.py", "exec"), space)
    return space


def from_file(claim: Claim, file: Path) -> Found:
    """The certificate of the instance in a JSON file: an instance alone, or the outcomes of `--json`."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"--instance: {file} is no JSON: {error}") from None
    if isinstance(data, dict) and "claims" in data:
        (one,) = [r for r in data["claims"] if r.get("id") == claim.id] or [{}]
        data = (one.get("counterexample") or {}).get("inputs")
    return at_instance(claim, data)


def sort_of(found: Found) -> str:
    """What the two sides are: rational, with logarithms, powers and so on, or of matrices."""
    nodes = ordered([found.recording.lhs, found.recording.rhs])
    calls = {x.data.name for x in nodes if x.op == "call"}
    if is_rational(found.recording.lhs) and is_rational(found.recording.rhs):
        return "rational"
    if calls & SPECTRAL:
        return "spectral"
    return "elementary" if not calls & SPECIAL else "special"


def inputs(found: Found) -> dict[str, Any]:
    """The instance as outcomes show it."""
    return {name: shown(value) for name, value in found.recording.values.items()}


def digits(instance: Any) -> int:
    """How many digits an instance is written with."""
    if isinstance(instance, Mapping):
        return sum(map(digits, instance.values()))
    if isinstance(instance, list | tuple):
        return sum(map(digits, instance))
    return sum(c.isdigit() for c in str(instance))


def _twenty(x: Any) -> str:
    return str(x.context.nstr(x, 20)) if hasattr(x, "context") else str(x)
