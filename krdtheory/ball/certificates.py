"""Rigorous decisions of inequalities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flint import arb, fmpq

from krdtheory.arithmetic.ball import INF, UndecidedError, check_digits, interval, precision
from krdtheory.arithmetic.base import check_signature, reject
from krdtheory.ball.inputs import is_infinite, number, rational
from krdtheory.results import Result


@dataclass(frozen=True, eq=False)
class Certificate(Result):
    """The result of `certify`: "proved", "refuted" or "undecided", and a ball that contains the margin rhs - lhs."""

    verdict: str
    margin: Any
    digits: int
    reason: str = ""

    @property
    def bits(self) -> int:
        """Precision of the balls."""
        return _bits(self.digits)


def certify(lhs: Any, rhs: Any, *, relation: str = "<=", digits: int = 15, max_digits: int = 960) -> Certificate:
    """Decide lhs <= rhs, or lhs == rhs, rigorously, raising the precision until the sign of the margin is determined.

    Parameters
    ----------
    lhs, rhs : number, arb or callable
        A callable takes `digits` and returns a ball, for example ``lambda digits: ball.kl(p, q, digits=digits)``; a
        rational number is exact.
    relation : {"<=", "=="}
        The claimed relation.
    digits, max_digits : int
        The first number of digits, which then doubles, and the last.

    Returns
    -------
    Certificate
        "proved": every value in the balls satisfies the relation; "refuted": none does; "undecided" otherwise, with the
        reason in `reason`. An equality is proved only if both sides are exact or both infinite. Equal infinities have
        margin 0. NaN decides nothing. If there is only a bound on a side, the margin is a half-line, which a ball shows
        as [+/- inf].

    Raises
    ------
    ValueError, TypeError
        An invalid relation, number of digits or side.

    Examples
    --------
    >>> from krdtheory import ball
    >>> p, q = ["1/3", "2/3"], ["1/2", "1/2"]
    >>> certificate = ball.certify(
    ...     lambda digits: ball.kl(p, q, digits=digits), lambda digits: ball.renyi(p, q, 2, digits=digits))
    >>> certificate.verdict, certificate.margin > 0
    ('proved', True)
    >>> ball.certify(lambda digits: ball.kl(p, q, digits=digits), 0).verdict
    'refuted'
    """
    if relation not in ("<=", "=="):
        reject("relation", relation, "'<=' or '=='")
    check_digits(digits)
    check_digits(max_digits)
    for name, side in (("lhs", lhs), ("rhs", rhs)):
        if callable(side):
            check_signature(side, name, "digits")
    while True:
        with precision(_bits(digits)):
            (a, why_a), (b, why_b) = _side(lhs, "lhs", digits), _side(rhs, "rhs", digits)
            verdict, margin = _compare(a, b, relation)
        fixed = not callable(lhs) and not callable(rhs)
        if verdict != "undecided" or fixed or 2 * digits > max_digits:
            reason = "" if verdict != "undecided" else why_a or why_b or f"the margin is {margin.str(5)}"
            return Certificate(verdict, margin, digits, reason)
        digits *= 2


def _bits(digits: int) -> int:
    return int(3.33 * digits) + 64


def _side(side: Any, name: str, digits: int) -> tuple[tuple[Any, Any], str]:
    """Return bounds on a side, rational or infinite, and what was undecided."""
    try:
        value = side(digits) if callable(side) else side
    except UndecidedError as error:
        return (_extended(error.lower), _extended(error.upper)), str(error)
    if isinstance(value, arb):
        if value.is_nan():
            return (value, value), f"{name} is not a number"
        return (_extended(value.lower()), _extended(value.upper())), ""
    if is_infinite(value) or is_infinite(value, -1):
        value = INF if is_infinite(value) else -INF
    else:
        value = number(value, name)
    return (value, value), ""


def _extended(x: arb) -> Any:
    return rational(x) if x.is_finite() else x


def _compare(a: tuple[Any, Any], b: tuple[Any, Any], relation: str) -> tuple[str, Any]:
    """Return the verdict and the margin of sides within bounds."""
    if a[0] == a[1] == b[0] == b[1]:
        return "proved", arb(0)
    if any(isinstance(x, arb) and x.is_nan() for x in (*a, *b)):
        return "undecided", interval(-INF, INF)
    low, high = _gap(b[0], a[1], fmpq(0)), _gap(b[1], a[0], INF)  # nothing is below -inf or above inf
    margin = arb(low) if low == high else interval(arb(low), arb(high))
    if high < 0 or (relation == "==" and low > 0):
        return "refuted", margin
    return "proved" if relation == "<=" and low >= 0 else "undecided", margin


def _gap(x: Any, y: Any, unknown: Any) -> Any:
    """Return x - y of rationals and infinities; `unknown` if both are the same infinity."""
    if isinstance(x, fmpq) and isinstance(y, fmpq):
        return x - y
    difference = arb(x) - arb(y)
    return unknown if difference.is_nan() else difference
