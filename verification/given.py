"""Exact evaluation of a claim at a given instance, for `krdtheory check --instance`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from verification.claim import CertifiedMargin, Claim
from verification.instances import Field, contains, converted, read, shown
from verification.sides import DIGITS, ClaimError, exact_sides, look
from verification.simplify import certify_violation
from verification.vocabulary import NoneAssumed

SHOWN = 40  # digits of each side


@dataclass(frozen=True)
class Evaluation:
    """Both sides of a claim at an instance to 40 digits, and the margins, one for each inequality.

    `applies` is whether the hypotheses hold there; if the claim is violated, `certificate` bounds rhs - lhs.
    """

    inputs: Mapping[str, Any]
    lhs: tuple[str, ...] = ()
    rhs: tuple[str, ...] = ()
    margins: tuple[float, ...] = ()
    applies: bool = True
    violated: bool = False
    certificate: CertifiedMargin | None = None


def evaluated(claim: Claim, instance: Any) -> Evaluation:
    """Evaluate a claim at an instance, a mapping of its arguments to exact numbers.

    Parameters
    ----------
    claim : Claim
    instance : mapping
        For every argument, integers, fractions "1/3" or decimals "0.25" as strings, or lists of these, as in the
        `inputs` of a counterexample.

    Raises
    ------
    ValueError
        An argument is missing or unknown, has another shape, or lies outside its kind.
    ClaimError
        The claim's own Python fails at this instance.
    """
    values = read(claim.given, instance)
    outside = contains(claim.given, values)
    if outside:
        name = outside[0]
        raise ValueError(f"{name} is outside of what the claim is about, {claim.given[name].describe()}")

    def made(field: Field) -> dict[str, Any]:
        return {name: converted(value, field) for name, value in values.items()}

    inputs = {name: shown(value) for name, value in values.items()}
    try:
        seen = look(claim, made)
        if seen is None:
            return Evaluation(inputs, applies=False)
        lhs, rhs = exact_sides(claim, made, DIGITS)
    except NoneAssumed:
        return Evaluation(inputs, applies=False)
    except RuntimeError as error:
        raise ClaimError(f"{error} at {DIGITS} digits") from error
    violated = seen.violated is not None
    certificate = certify_violation(claim, made) if violated else None
    left, right = (tuple(_number(x) for x in side[0]) for side in (lhs, rhs))
    return Evaluation(inputs, left, right, tuple(map(float, seen.margins)), True, violated, certificate)


def _number(x: Any) -> str:
    return str(x.context.nstr(x, SHOWN)) if hasattr(x, "context") else str(x)
