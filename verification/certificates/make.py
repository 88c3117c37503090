"""Certificates of refuted claims, from a recorded counterexample or from one that a search finds."""

from __future__ import annotations

import contextlib
import io
import json
import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from krdtheory.arithmetic.checks import renamed
from verification.certificates import intervals
from verification.certificates.recorder import CannotRecordError, recorded
from verification.certificates.script import Found, body
from verification.claim import REGISTRY, Claim, Verdict
from verification.instances import Field, contains, converted, read, shown
from verification.search import check
from verification.sides import DIGITS, ClaimError, exact_sides, look
from verification.vocabulary import NoneAssumed

BITS = intervals.BITS
PRECISIONS = (BITS, 400, 1200)  # binary digits, tried in turn


class NotRefutedError(ValueError):
    """There is no counterexample to certify."""


@cache
def recorded_instances() -> Mapping[str, Mapping[str, Any]]:
    """Return the recorded counterexamples of claims by id: `inputs`, and `bits` if 160 are too few."""
    text = files("verification.certificates").joinpath("instances.json").read_text(encoding="utf-8")
    found: Mapping[str, Mapping[str, Any]] = json.loads(text)
    return found


@renamed(seed="rng")
def certified(claim: Claim, *, rng: Any = 0) -> Found:
    """Return the certificate of a refuted claim, from the recorded counterexample or else from a search.

    Parameters
    ----------
    claim : Claim
    rng : int, Generator or None
        The seed of the search.

    Raises
    ------
    NotRefutedError
        No counterexample is found.
    CannotRecordError
        The claim computes something at its counterexample for which there is no certificate.
    ClaimError
        The claim's own Python fails.
    """
    kept = recorded_instances().get(claim.id) if REGISTRY.get(claim.id) is claim else None
    if kept is not None and claim.recorded == Verdict.REFUTED:
        with contextlib.suppress(ValueError):  # the claim may have changed
            return at_instance(claim, kept["inputs"], bits=kept.get("bits", BITS))
    outcome = check(claim, rng=rng)
    if outcome.verdict == Verdict.ERROR:
        raise ClaimError(outcome.reason)
    if outcome.verdict != Verdict.REFUTED or outcome.counterexample is None:
        raise NotRefutedError(f"{claim.id} is not refuted but {outcome.verdict}: {outcome.reason}")
    return at_instance(claim, outcome.counterexample.inputs)


def at_instance(claim: Claim, instance: Any, *, bits: int | None = None) -> Found:
    """Return the certificate of an instance, written as in outcomes.

    Parameters
    ----------
    claim : Claim
    instance : mapping
        As for `verification.given.evaluated`.
    bits : int, optional
        Binary digits of the intervals; by default as many as the script needs, which is found by running it.

    Raises
    ------
    ValueError
        The instance is not one of the claim.
    NotRefutedError
        The instance does not violate the claim.
    CannotRecordError
        The claim computes something at the instance for which there is no certificate.
    """
    values = read(claim.given, instance)
    outside = contains(claim.given, values)
    if outside:
        raise ValueError(f"{outside[0]} is outside of what the claim is about, {claim.given[outside[0]].describe()}")

    def made(field: Field) -> dict[str, Any]:
        return {name: converted(value, field) for name, value in values.items()}

    try:
        seen = look(claim, made)
        if seen is None:
            raise NoneAssumed
        if seen.violated is None:
            raise NotRefutedError(f"the instance does not violate {claim.id}")
        lhs, rhs = exact_sides(claim, made, DIGITS)
    except NoneAssumed:
        raise NotRefutedError(f"the hypotheses of {claim.id} do not hold for the instance") from None
    part = seen.violated
    recording = recorded(claim, values, part)
    left, right = (_twenty(side[0, part]) for side in (lhs, rhs))
    if bits is not None:
        return Found(recording, left, right, bits)
    why = ""
    for enough in PRECISIONS:
        found = Found(recording, left, right, enough)
        try:
            run(found)
            return found
        except (SystemExit, Exception) as error:
            why = f"{type(error).__name__}: {error}"
    raise CannotRecordError(f"the script of {claim.id} does not verify, which is a fault of this program: {why}")


def from_file(claim: Claim, file: Path) -> Found:
    """Return the certificate of the instance in a JSON file: an instance alone, or the outcomes of `--json`."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"--instance: {file} is no JSON: {error}") from None
    if isinstance(data, dict) and "claims" in data:
        (one,) = [r for r in data["claims"] if r.get("id") == claim.id] or [{}]
        data = (one.get("counterexample") or {}).get("inputs")
    return at_instance(claim, data)


def run(found: Found, *, logarithms: bool = False) -> dict[str, Any]:
    """Run a script in a new namespace and return that; `logarithms` marks logarithms as `Logarithm`.

    Raises
    ------
    SystemExit
        A check of the script fails.
    """
    module = vars(intervals)
    space, log = dict(module), intervals.log
    if logarithms:
        space["log"] = module["log"] = lambda x: _logarithm(log(x), x)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(body(found), f"{found.claim.id}.py", "exec"), space)
    finally:
        intervals.precision(BITS)
        module["log"] = log
    return space


def _logarithm(value: Any, x: Any) -> Any:
    return Logarithm(value.low, value.high) if intervals.is_exact(x) and hasattr(value, "low") else value


class Logarithm(intervals.Interval):
    """A sum of rational multiples of logarithms of rationals."""

    def __add__(self, other: Any) -> Any:
        if intervals.is_exact(other) and other == 0:
            return self
        made = super().__add__(other)
        return Logarithm(made.low, made.high) if isinstance(other, Logarithm) else made

    __radd__ = __add__

    def __neg__(self) -> Any:
        return self.scaled(Fraction(-1))

    def __mul__(self, other: Any) -> Any:
        return self.scaled(Fraction(other)) if intervals.is_exact(other) else super().__mul__(other)

    def __truediv__(self, other: Any) -> Any:
        return self.scaled(1 / Fraction(other)) if intervals.is_exact(other) else super().__truediv__(other)

    __rmul__ = __mul__

    def scaled(self, factor: Fraction) -> Any:
        """Return a multiple."""
        return Logarithm(*sorted([factor * self.low, factor * self.high]))


def sort_of(found: Found) -> str:
    """Return the type of the two sides: "rational", "logarithms" (of rationals), or "real"."""
    space = run(found, logarithms=True)
    sides = [space["lhs"], space["rhs"]]
    if all(intervals.is_infinite(x) or intervals.is_exact(x) for x in sides):
        return "rational"
    zero_or = [isinstance(x, Logarithm) or (intervals.is_exact(x) and x == 0) for x in sides]
    return "logarithms" if all(zero_or) else "real"


def rocq_name(id: str) -> str:
    """Return the name of a claim's file for Rocq, which must be an identifier."""
    return re.sub(r"\W", "_", id)


def inputs(found: Found) -> dict[str, Any]:
    """Return the instance, written as in outcomes."""
    return {name: shown(value) for name, value in found.recording.values.items()}


def digits(instance: Any) -> int:
    """Return the number of digits with which an instance is written."""
    if isinstance(instance, Mapping):
        return sum(map(digits, instance.values()))
    if isinstance(instance, list | tuple):
        return sum(map(digits, instance))
    return sum(c.isdigit() for c in str(instance))


def _twenty(x: Any) -> str:
    return str(x.context.nstr(x, 20)) if hasattr(x, "context") else str(x)
