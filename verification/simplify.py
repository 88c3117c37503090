"""Simplification of a violation, the counterexample to report, and its certificate."""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from functools import cache
from typing import Any

import numpy as np
from flint import arb

from krdtheory.arithmetic.base import Array
from krdtheory.ball import certify
from verification.claim import CertifiedMargin, Claim, Counterexample
from verification.instances import FIXED, RATIONALS, Batch, join, legal, project, shown, take
from verification.rigorous import RIGOROUS, RigorousVocabulary, number
from verification.sides import DIGITS, ClaimError, Made, at, evaluate, exact_sides, look, rounding

CLEAR = 1e4  # units of rounding; float64 is trusted if a gap is larger
ROUNDS = 100
LOOKS = 60  # the most smaller instances to evaluate in balls if float64 is not trusted
_ROUND = (1 << 24, 1 << 20, 64, 32, 16)


def simplified(claim: Claim, raw: Batch) -> Batch:
    """Return a violation with smaller integers, reduced one at a time while the instance still violates the claim.

    If the violation is clear in float64, it is tested there and confirmed in balls at the end; otherwise every smaller
    instance is tested in balls.
    """
    sides = evaluate(claim, raw)
    start = float(np.nanmin(sides.margins, initial=np.inf))
    if (sides.gaps < -CLEAR * rounding(claim, raw, sides)).any():
        simple = _descend(claim, raw, lambda variants: _clear(claim, variants, max(start / 4, -0.01)))
        if _still(claim, simple):
            return simple
    left = [LOOKS]

    def one_by_one(variants: Batch) -> Array:
        sizes, ok = _sizes(claim, variants), np.zeros(len(legal(claim.given, variants)), dtype=bool)
        for i in np.argsort(sizes, kind="stable"):
            if left[0] == 0 or sizes[i] >= sizes[0]:
                break
            left[0] -= 1
            if _still(claim, take(variants, [int(i)])):
                ok[i] = True
                break
        return ok

    return _descend(claim, raw, one_by_one)


def _descend(claim: Claim, raw: Batch, still: Callable[[Batch], Array]) -> Batch:
    """Move to the smallest variant that is still a violation, repeatedly; the first variant is the instance itself."""
    size = float(_sizes(claim, raw)[0])
    for _ in range(ROUNDS):
        variants = project(claim.given, join([raw, *_smaller(raw)]))
        variants = take(variants, np.flatnonzero(legal(claim.given, variants)))
        sizes = np.where(still(variants), _sizes(claim, variants), np.inf)
        best = int(np.argmin(sizes))
        if not sizes[best] < size:
            break
        raw, size = take(variants, [best]), float(sizes[best])
    return raw


def _clear(claim: Claim, variants: Batch, enough: float) -> Array:
    try:
        sides = evaluate(claim, variants)
    except ClaimError:
        return np.zeros(len(legal(claim.given, variants)), dtype=bool)
    return np.asarray(np.where(np.isnan(sides.margins), np.inf, sides.margins).min(-1) <= enough)


def _still(claim: Claim, raw: Batch) -> bool:
    try:
        seen = look(claim, at(claim, raw))
    except ClaimError:
        return False
    return seen is not None and seen.violated is not None


def _smaller(raw: Batch) -> list[Batch]:
    """Return the instances with one integer smaller or rounder, or with one array divided by a power of two."""
    out: list[Batch] = []
    for name, part in raw.items():
        for key, value in part.items():
            if key == FIXED:
                continue
            for shift in (1, 4, 10, 20, 30, 40):  # all at once, since only the ratios of weights matter
                if (np.abs(value) >> shift).any():
                    out.append({**raw, name: {**part, key: np.sign(value) * (np.abs(value) >> shift)}})
            for index in np.ndindex(value.shape):
                old = int(value[index])
                sign = -1 if old < 0 else 1
                candidates = {0, sign, int(old / 2), old - sign, *(old // u * u for u in _ROUND)}
                size = abs(old)
                leading = [max(size.bit_length() - bits, 0) for bits in (1, 2, 3, 5, 8, 12)]
                candidates |= {sign * (size >> shift << shift) for shift in leading}
                candidates |= {sign * (((size >> shift) + 1) << shift) for shift in leading}
                for new in sorted(candidates - {old}, key=abs) if old else ():
                    changed = value.copy()
                    changed[index] = new
                    out.append({**raw, name: {**part, key: changed}})
    return out


def _sizes(claim: Claim, raw: Batch) -> Array:
    """Return the size of each instance: the bits of its integers, of which trailing zeros cost almost nothing.

    A small cost that grows with the distance from plain numbers (`Kind.coarse`) decides between round numbers.
    """
    total: Array = np.zeros(1)
    for name, part in raw.items():
        for key, value in part.items():
            plain = np.log2(claim.given[name].coarse().get(key, 1))
            odd = np.where(value == 0, 0, value // np.where(value == 0, 1, value & -value))
            away = abs(np.log2(np.maximum(np.abs(value), 1)) - plain)
            bits = np.where(value == 0, 0, np.log2(np.abs(odd) + 1) + 0.5 + 0.01 * away)
            total = total + bits.reshape(len(value), -1).sum(-1)
    return total


def _violated(claim: Claim, made: Made) -> int | None:
    """Return the index of the inequality that an instance violates most, None if there is none."""
    seen = look(claim, made)
    return None if seen is None else seen.violated


def counterexample(claim: Claim, made: Made) -> Counterexample:
    """Return the instance in exact rationals, and the two sides of its worst inequality at 60 digits."""
    lhs, rhs = exact_sides(claim, made, DIGITS)
    i = _violated(claim, made) or 0
    inputs = {name: shown(value) for name, value in made(RATIONALS).items()}
    return Counterexample(inputs, _number(lhs[0, i]), _number(rhs[0, i]), DIGITS)


def certify_violation(claim: Claim, made: Made) -> CertifiedMargin | None:
    """Return a certificate that an instance violates the claim: its worst inequality in balls, at up to 240 digits."""

    @cache
    def sides(digits: int) -> tuple[Array, Array]:
        lhs, rhs = claim.sides(RigorousVocabulary(digits), **made(RIGOROUS))
        left, right = np.broadcast_arrays(np.asarray(lhs, dtype=object), np.asarray(rhs, dtype=object))
        return left.ravel(), right.ravel()

    i = _violated(claim, made)
    if i is None:
        return None
    try:
        found = certify(
            *(lambda digits, side=side: number(sides(digits)[side][i]).flint() for side in (0, 1)),
            relation=claim.relation,
            max_digits=240,
        )
    except (ArithmeticError, TypeError):  # balls cannot evaluate the claim's own arithmetic
        return None
    if found.verdict != "refuted":
        return None
    low, high = found.margin.lower(), found.margin.upper()
    return CertifiedMargin(_decimal(low, ROUND_FLOOR), _decimal(high, ROUND_CEILING), found.bits)


def _decimal(x: arb, rounding: str) -> str:
    """Return a number to 15 digits, rounded up or down."""
    if not x.is_finite():
        return "inf" if x > 0 else "-inf"
    mantissa, exponent = (int(part) for part in x.man_exp())
    power = Decimal(2 ** abs(exponent))
    context = Context(prec=15, rounding=rounding)
    scaled = context.multiply(Decimal(mantissa), power) if exponent >= 0 else context.divide(Decimal(mantissa), power)
    return str(scaled.normalize())


def _number(x: Any) -> str:
    return str(x.context.nstr(x, 20)) if hasattr(x, "context") else str(x)
