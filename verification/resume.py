"""Reading the outcomes in the file of an earlier run, so that another run can continue it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from enum import EnumType
from pathlib import Path
from typing import Any, NoReturn

from krdtheory import __version__
from verification.claim import (
    MARGIN_EDGES,
    REGISTRY,
    CertifiedMargin,
    Claim,
    Counterexample,
    Evidence,
    Nature,
    Verdict,
)
from verification.digest import digest
from verification.proof import Argument, recalled
from verification.report import Record, described

DEPTH = 8  # the greatest depth to which the lists of an instance are nested


def read_outcomes(file: Path, head: Mapping[str, Any]) -> dict[str, Record]:
    """Return the outcomes in a file that `verify --json` or `check --json` wrote, by the ids of the claims.

    Raises
    ------
    OSError
        The file cannot be read.
    ValueError
        It is not such a file, or its version, seed, profile, budget or sizes differ from those in `head`.
    """
    if not file.is_file():
        raise ValueError(f"--resume needs a regular file to go on with; got {file}")
    try:
        data = json.loads(file.read_text(encoding="utf-8"), parse_constant=_no_number)
        if not _fits(data["claims"], [_RECORD]):
            raise ValueError("a claim's outcome is not whole")
        found = {r["id"]: r for r in data["claims"]}
        if len(found) < len(data["claims"]):
            raise ValueError("a claim is there twice")
        before = {key: data[key] for key in ("version", *head)}
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        why = f": {error}" if type(error) is ValueError else ""
        raise ValueError(f"--resume: {file} is not what --json writes{why}") from None
    for key, value in {"version": __version__, **head}.items():
        if before[key] != value or type(before[key]) is not type(value):
            raise ValueError(f"--resume: {file} has {key} {before[key]}, this run has {value}")
    return found


def read_outcome(text: str) -> Evidence:
    """Return the outcome that `Evidence.to_json` wrote.

    Raises
    ------
    ValueError
        The text is not such JSON; no claim has the id, or the claim has changed.
    """
    try:
        data = json.loads(text, parse_constant=_no_number)
        seed, version = data.pop("seed"), data.pop("version")
        if not (_fits(data, _RECORD) and _is_count(seed) and isinstance(version, str)):
            raise ValueError
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise ValueError(f"text must be what Evidence.to_json writes; got {str(text)[:80]!r}") from None
    claim = REGISTRY.get(data["id"])
    if claim is None or data["digest"] != digest(claim, data["proof"]["premises"] if data["proof"] else ()):
        what = "not there" if claim is None else "another now"
        raise ValueError(f"text must be of a claim as it is; {data['id']} is {what}")
    found, counterexample, margin = data["evidence"], data["counterexample"], data["certificate"]
    proof, argument = data["proof"], data["argument"]
    return Evidence(
        claim=claim,
        verdict=Verdict(data["verdict"]),
        reason=data["reason"],
        instances=found["instances"],
        min_margin=float(found["min_margin"]),
        seconds=found["seconds"],
        counterexample=counterexample and Counterexample(**counterexample),
        tightest=found["tightest"],
        certificate=margin and CertifiedMargin(**margin),
        proof=proof and recalled(**proof),
        argument=argument and Argument(**argument),
        margins=tuple(found["margins"]),
        drawn=found["drawn"],
        looked=found["looked_at_again"],
        contradicted=found["float64_wrong_by_far"],
        left=found["left_to_rounding"],
        sizes=tuple(found["sizes"]),
        seed=seed,
    )


def still_holds(record: Record, claim: Claim) -> bool:
    """Whether the outcome was found for this very claim. An error, perhaps for lack of time, is tried again."""
    premises = record["proof"]["premises"] if record["proof"] is not None else ()
    return record["verdict"] != Verdict.ERROR and record["digest"] == digest(claim, premises)


def renewed(record: Record, claim: Claim) -> Record:
    """Return the outcome with the current description of the claim."""
    return {**record, **described(claim)}


def _no_number(literal: str) -> NoReturn:
    raise ValueError(f"{literal} is no number of JSON")


# The form of a record. A type stands for its instances, an enumeration for its values, a tuple for any of its members,
# a list for lists of its one member, a mapping for mappings with its keys, a function for the values that it accepts.


def _fits(value: Any, form: Any) -> bool:
    if isinstance(form, EnumType):
        return isinstance(value, str) and value in list(form)
    if isinstance(form, type):
        return type(value) is form
    if isinstance(form, tuple):
        return any(_fits(value, one) for one in form)
    if isinstance(form, list):
        return isinstance(value, list) and all(_fits(one, form[0]) for one in value)
    if isinstance(form, Mapping):
        return isinstance(value, dict) and value.keys() == form.keys() and all(_fits(value[k], form[k]) for k in form)
    return value is None if form is None else bool(form(value))


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**63


def _is_finite(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def _is_numeral(value: Any) -> bool:
    try:
        return isinstance(value, str) and float(value) is not None
    except ValueError:
        return False


def _is_instance(value: Any, depth: int = DEPTH) -> bool:
    if isinstance(value, list):
        return depth > 0 and all(_is_instance(one, depth - 1) for one in value)
    return isinstance(value, str) or (depth > 0 and _is_inputs(value, depth - 1))


def _is_inputs(value: Any, depth: int = DEPTH) -> bool:
    return isinstance(value, dict) and all(type(one) is int or _is_instance(one, depth) for one in value.values())


def _is_histogram(value: Any) -> bool:
    return _fits(value, [_is_count]) and len(value) == len(MARGIN_EDGES) + 1


def _is_words(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(one, str) for one in value.values())


def _maybe(form: Any) -> tuple[Any, None]:
    return form, None


_RECORD: dict[str, type | tuple[Any, ...] | list[Any] | dict[str, Any] | Callable[[Any], bool]] = {
    **dict.fromkeys(("id", "paper", "label", "place", "statement", "relation", "digest", "reason"), str),
    **dict.fromkeys(("quote", "says", "fault", "source", "corrects", "note"), _maybe(str)),
    "nature": Nature,
    "verdict": Verdict,
    "recorded": Verdict,
    "kinds": _is_words,
    "corrected_by": [str],
    "evidence": {
        **dict.fromkeys(
            ("instances", "drawn", "looked_at_again", "float64_wrong_by_far", "left_to_rounding"), _is_count
        ),
        "method": str,
        "sizes": [_is_count],
        "min_margin": (_is_finite, _is_numeral),
        "tightest": _is_inputs,
        "margins": _is_histogram,
        "seconds": _is_finite,
    },
    "counterexample": _maybe({"inputs": _is_inputs, "lhs": str, "rhs": str, "digits": _is_count}),
    "certificate": _maybe({"margin_lower": _is_numeral, "margin_upper": _is_numeral, "bits": _is_count}),
    "proof": _maybe({"method": str, "domain": str, "complete": bool, "steps": [str], "premises": [str]}),
    "argument": _maybe({"method": str, "domain": str, "steps": _is_count, "detail": str}),
}
