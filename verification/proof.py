"""Provers: a symbolic identity, an inequality over a whole box, a finite statement case by case.

A proof is a function without arguments that returns a `Proof`, or raises `ProofError`; it runs anew in every
verification.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import sympy
from flint import arb, ctx, fmpq

from krdtheory.arithmetic.ball import interval
from krdtheory.arithmetic.exact import rational_parts


class ProofError(ArithmeticError):
    """The prover did not get through: this says nothing of the statement."""


@dataclass(frozen=True)
class Proof:
    """What was established: by which method, over which domain, in how many steps (terms, boxes or cases)."""

    method: str
    domain: str
    steps: int
    detail: str = ""

    def __and__(self, other: Proof) -> Proof:
        """Both together, where a statement has several parts."""
        joined = [a if a == b else f"{a}; {b}" for a, b in zip(self._texts(), other._texts(), strict=True)]
        return Proof(joined[0], joined[1], self.steps + other.steps, joined[2])

    def _texts(self) -> tuple[str, str, str]:
        return self.method, self.domain, self.detail


def identity(*differences: Any, domain: str, detail: str = "") -> Proof:
    """Every sympy expression is 0 by simplification, under the assumptions its symbols carry.

    Raises
    ------
    ProofError
        sympy does not simplify one to 0.

    Examples
    --------
    >>> x = sympy.Symbol("x", positive=True)
    >>> identity(sympy.log(x**2) - 2 * sympy.log(x), domain="x > 0").method
    'symbolic identity'
    """
    for difference in differences:
        if sympy.sympify(difference) != 0 and sympy.simplify(sympy.expand(difference)) != 0:
            raise ProofError(f"{difference} is not seen to be 0")
    return Proof("symbolic identity", domain, len(differences), detail)


def nonnegative_on_box(
    f: Callable[..., Any],
    box: Mapping[str, tuple[Any, Any]],
    *,
    domain: str | None = None,
    strict: bool = False,
    max_boxes: int = 200_000,
    bits: int = 96,
    detail: str = "",
) -> Proof:
    """f >= 0 (or > 0) at every point of a box, by interval branch and bound.

    Parameters
    ----------
    f : callable
        Takes an `arb` for each name of the box and returns an `arb` that contains every value over it. NaN or an
        infinite ball means that the box is still too wide.
    box : mapping of str to (low, high)
        Rational ends, low <= high.
    domain : str, optional
        What is proved, in words; the box unless told.
    strict : bool
        Prove f > 0.
    max_boxes, bits : int
        Boxes looked at, at most, and bits of precision.

    Raises
    ------
    ProofError
        f < 0 somewhere, or the boxes did not suffice.

    Examples
    --------
    >>> nonnegative_on_box(lambda x: x.exp() - 1 - x + arb("1e-9"), {"x": (-1, 1)}).method
    'interval branch and bound'
    """
    names = list(box)
    start = tuple((_rational(low), _rational(high)) for low, high in box.values())
    widths = [max(high - low, fmpq(1, 10**12)) for low, high in start]
    looked = 0
    waiting: list[tuple[float, int, Any]] = [(0.0, 0, start)]
    with ctx.workprec(bits):
        while waiting:
            _, _, here = heapq.heappop(waiting)
            looked += 1
            value = f(**{n: interval(arb(lo), arb(hi)) for n, (lo, hi) in zip(names, here, strict=True)})
            if value > 0 or (not strict and value >= 0):
                continue
            if value < 0:
                raise ProofError(f"negative at {_shown(names, here)}: {value.str(5)}")
            if looked + len(waiting) >= max_boxes:
                raise ProofError(f"{max_boxes} boxes did not suffice; open: {_shown(names, here)}: {value.str(5)}")
            relative = [(hi - lo) / w for (lo, hi), w in zip(here, widths, strict=True)]
            i = relative.index(max(relative))
            low, high = here[i]
            middle = (low + high) / 2
            for part in ((low, middle), (middle, high)):
                child = (*here[:i], part, *here[i + 1 :])
                heapq.heappush(
                    waiting, (-float(relative[i].p) / float(relative[i].q), looked * 2 + len(waiting), child)
                )
    text = domain or ", ".join(f"{n} in [{lo}, {hi}]" for n, (lo, hi) in zip(names, start, strict=True))
    return Proof("interval branch and bound", text, looked, detail)


def exhaustive(cases: Iterable[Any], holds: Callable[[Any], bool], *, domain: str, detail: str = "") -> Proof:
    """`holds` of every case, each decided in exact arithmetic.

    Raises
    ------
    ProofError
        It does not hold of one, or there are none.

    Examples
    --------
    >>> exhaustive(range(-5, 6), lambda n: n * n >= n, domain="integers from -5 to 5").steps
    11
    """
    count = 0
    for case in cases:
        if not holds(case):
            raise ProofError(f"it does not hold of {case}")
        count += 1
    if count == 0:
        raise ProofError("there are no cases")
    return Proof("exhaustive enumeration", domain, count, detail)


def _rational(x: Any) -> fmpq:
    parts = rational_parts(x)
    if parts is None or parts[1] != 0:
        raise TypeError(f"a box must have rational ends; got {x!r}")
    return parts[0]


def _shown(names: list[str], box: Any) -> str:
    return ", ".join(
        f"{n} in [{float(lo.p) / float(lo.q):.6g}, {float(hi.p) / float(hi.q):.6g}]"
        for n, (lo, hi) in zip(names, box, strict=True)
    )
