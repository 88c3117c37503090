"""The two sides of a claim on instances, in float64, in multiprecision and in balls, and errors of the claim's code.

A margin is (rhs - lhs) / max(|lhs|, |rhs|), for an equality minus its absolute value. It has no unit, so that a
violation between probabilities of 1e-12 counts as much as one between numbers near 1.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
from flint import arb, ctx

from krdtheory.arithmetic import FLOAT64, MP
from krdtheory.arithmetic.ball import UndecidedError
from krdtheory.arithmetic.base import Array
from krdtheory.privacy.guarantees import rough
from verification.claim import Claim
from verification.instances import FLOATS, Batch, Field, build, legal, multiprecision, take
from verification.rigorous import RIGOROUS, RigorousVocabulary, number
from verification.vocabulary import NoneAssumed, Vocabulary

DIGITS = 60  # of the evaluation in multiprecision
FEW, ALIKE = 30, 1e-3  # digits if the sides need a solver, and the relative difference that float64 may have
PLAIN = 1e-9  # the smallest margin that may be evaluated with few digits
ROUNDING = 1e-40  # a margin of this size at 60 digits may be rounding
BALL_DIGITS = (40, 100)
CLOSER = arb(10) ** -30  # the factor by which a gap that is 0 shrinks between these precisions
NUDGE = 2.0**-52  # the relative change of an entry that estimates rounding errors
SPARE = 32  # the most instances of a batch whose evaluation in float64 may raise
OWN = Path(__file__).parent


class ClaimError(Exception):
    """A claim's own Python code fails, or returns something that cannot be a side."""


def failure(claim: Claim, error: BaseException) -> ClaimError:
    """Return an error with the message of an exception of a claim's function, the line that raised it, and advice."""
    if isinstance(error, ClaimError):
        return error
    file = claim.sides.__code__.co_filename
    every = list(traceback.extract_tb(error.__traceback__))
    frames = [f for f in every if f.filename == file] or [f for f in every if OWN not in Path(f.filename).parents]
    frames = frames or every
    where = f" at {Path(frames[-1].filename).name}, line {frames[-1].lineno}: {frames[-1].line}" if frames else ""
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return ClaimError(f"{text}{where}{_advice(error, frames[-1].line if frames else '')}")


NUMPY = ("log", "exp", "sqrt", "power", "maximum", "minimum", "pi")


def _advice(error: BaseException, line: str | None) -> str:
    used = [name for name in NUMPY if f"np.{name}" in (line or "") or f"math.{name}" in (line or "")]
    if used:
        return f"; use k.{used[0]}, which also computes in multiprecision and in balls"
    if isinstance(error, ZeroDivisionError):
        return "; say with k.assume(...) where the statement applies"
    return ""


@dataclass(frozen=True)
class Sides:
    """Float64 sides (batch, inequalities) of instances, and to which of these the statement applies.

    `failed` marks those that float64 could not evaluate, because an iteration did not converge or a side is NaN.
    """

    lhs: Array
    rhs: Array
    applies: Array
    failed: Array
    equality: bool

    def of(self, rows: Array) -> Sides:
        """Return the sides of some of the instances."""
        return Sides(self.lhs[rows], self.rhs[rows], self.applies[rows], self.failed[rows], self.equality)

    @cached_property
    def differences(self) -> Array:
        """rhs - lhs (batch, inequalities), 0 if they are equal; NaN where `applies` is false or `failed` is true."""
        with np.errstate(invalid="ignore"):  # infinity minus infinity occurs if the sides are equal
            gap = np.where(self.lhs == self.rhs, 0.0, self.rhs - self.lhs)
        return np.where((self.applies & ~self.failed)[:, None], gap, np.nan)

    @property
    def gaps(self) -> Array:
        """The differences, for equalities minus their absolute values: negative if the statement is violated."""
        return -abs(self.differences) if self.equality else self.differences

    @cached_property
    def margins(self) -> Array:
        """The gaps relative to the larger side."""
        gaps, size = self.gaps, np.maximum(abs(self.lhs), abs(self.rhs))
        whole = np.isinf(gaps) | (gaps == 0) | ~(size > 0)
        return np.where(whole, gaps, gaps / np.where(whole, 1, size))


def evaluate(claim: Claim, raw: Batch, nudged: np.random.Generator | None = None, spare: int = SPARE) -> Sides:
    """Return the sides in float64; `nudged` moves each entry of the instance's arrays by a unit of its last digit.

    An exception of the claim's function may concern only a few members of the batch, such as a matrix that is singular
    in float64: up to `spare` of them are marked `failed`, and evaluated in multiprecision later.

    Raises
    ------
    ClaimError
        The claim's function raises, or does not return two arrays of sides.
    """
    ok = legal(claim.given, raw)
    try:
        lhs, rhs, assumed = _float_sides(claim, raw, nudged, len(ok))
    except ClaimError:
        raise
    except Exception as error:
        if spare == 0:
            raise failure(claim, error) from error
        batch = len(ok)
        if batch == 1:
            nothing = np.full((1, 1), np.nan)
            return Sides(nothing, nothing, ok, np.ones(1, dtype=bool), claim.relation == "==")
        parts: list[Sides] = []
        for rows in np.array_split(np.arange(batch), 2):
            left = spare - int(sum(p.failed.sum() for p in parts))
            parts.append(evaluate(claim, take(raw, rows), nudged, left))
        return _joined(parts)
    failed = np.asarray((np.isnan(lhs) | np.isnan(rhs)).any(-1))
    return Sides(lhs, rhs, ok & assumed, failed, claim.relation == "==")


def _joined(parts: list[Sides]) -> Sides:
    width = max(p.lhs.shape[-1] for p in parts)
    lhs, rhs = (
        np.concatenate([np.broadcast_to(getattr(p, name), (len(p.applies), width)) for p in parts])
        for name in ("lhs", "rhs")
    )
    applies, failed = (np.concatenate([getattr(p, name) for p in parts]) for name in ("applies", "failed"))
    return Sides(lhs, rhs, applies, failed, parts[0].equality)


def _float_sides(
    claim: Claim, raw: Batch, nudged: np.random.Generator | None, batch: int
) -> tuple[Array, Array, Array]:
    k = Vocabulary(FLOAT64)
    instance = build(claim.given, raw, FLOATS)
    if nudged is not None:
        instance = {name: _nudged(value, nudged) for name, value in instance.items()}
    with np.errstate(all="ignore"), rough():  # values that are not finite are handled, and reported, afterwards
        try:
            sides = claim.sides(k, **instance)
        except NoneAssumed:
            nothing = np.full((batch, 1), np.nan)
            return nothing, nothing, np.zeros(batch, dtype=bool)
    assumed = np.ones(batch, dtype=bool) if k.assumed is None else k.assumed
    lhs, rhs = paired(claim, sides, batch, "fiu")
    return lhs.astype(float), rhs.astype(float), assumed


def paired(claim: Claim, sides: Any, batch: int, kinds: str) -> tuple[Array, Array]:
    """Return the sides that a claim returned as two arrays (batch, inequalities) of one shape.

    Raises
    ------
    ClaimError
        They are not two arrays of real numbers with the batch as first axis and the same number of axes.
    """
    wanted = "it must return two arrays of real numbers, lhs and rhs, with the batch as first axis"
    if not isinstance(sides, tuple | list) or len(sides) != 2:
        raise ClaimError(f"{wanted}; it returned {_told(sides)}")
    arrays = []
    for name, side in zip(("lhs", "rhs"), sides, strict=True):
        try:
            array = np.asarray(side)
        except Exception as error:
            raise ClaimError(f"{wanted}; {name} is {_told(side)}") from error
        if array.dtype.kind == "c":
            raise ClaimError(f"{wanted}; {name} is complex: take its real part or its modulus")
        if array.dtype.kind == "b":
            raise ClaimError(f"{wanted}; {name} is boolean: a hypothesis is said with k.assume(...)")
        if array.dtype.kind not in kinds + "iu":
            raise ClaimError(f"{wanted}; {name} is {_told(side)}")
        if array.ndim and array.shape[0] != batch:
            raise ClaimError(f"{wanted}, {batch} here; {name} has shape {array.shape}")
        arrays.append(array)
    if not max(a.ndim for a in arrays):
        raise ClaimError(f"{wanted}, {batch} here; both are single numbers: add 0 times an argument")
    if min(a.ndim for a in arrays) and arrays[0].ndim != arrays[1].ndim:
        raise ClaimError(f"{wanted} and the same shape; the shapes are {arrays[0].shape} and {arrays[1].shape}")
    try:
        lhs, rhs = np.broadcast_arrays(*arrays)
    except ValueError:
        raise ClaimError(f"{wanted}; the shapes are {arrays[0].shape} and {arrays[1].shape}") from None
    if not lhs.size:
        raise ClaimError(f"{wanted}; there is no inequality in shape {lhs.shape}")
    return lhs.reshape(batch, -1), rhs.reshape(batch, -1)


def _told(x: Any) -> str:
    text = f"{type(x).__name__} {x!r}".replace("\n", " ")
    return text if len(text) <= 80 else f"{text[:77]}..."


def _nudged(value: Any, rng: np.random.Generator) -> Any:
    """Return the instance with each array entry moved by a unit of its last digit; parameters and exact values stay."""
    if isinstance(value, tuple | list):
        return type(value)(_nudged(v, rng) for v in value)
    if hasattr(value, "isometry"):
        return type(value)(_nudged(value.isometry, rng), value.out, value.conj)
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "fc" or value.ndim < 2:
        return value
    return value * (1 + NUDGE * rng.integers(-1, 2, size=value.shape))


def rounding(claim: Claim, raw: Batch, sides: Sides, times: int = 2) -> Array:
    """Estimate the rounding error of rhs - lhs (batch, inequalities) by changing last digits of the instance."""
    rng = np.random.default_rng(1)
    moved = np.zeros(sides.lhs.shape)
    for _ in range(times):
        try:
            with np.errstate(invalid="ignore"):  # infinite gaps
                change = abs(evaluate(claim, raw, rng).differences - sides.differences)
        except ClaimError:
            continue
        moved = np.maximum(moved, np.where(np.isfinite(change), change, 0))
    size = np.maximum(abs(sides.lhs), abs(sides.rhs))
    return np.asarray(np.maximum(moved, NUDGE * np.where(np.isfinite(size), size, 0)))


@dataclass(frozen=True)
class Look:
    """The outcome of a second evaluation.

    `margins` (inequalities,) are NaN if unknown, and `violated` is the index of an inequality that is certainly
    violated.
    """

    margins: Array
    violated: int | None = None

    @property
    def known(self) -> bool:
        return not np.isnan(self.margins).any()

    @property
    def margin(self) -> float:
        return float(np.nan if np.isnan(self.margins).all() else np.nanmin(self.margins))


Made = Callable[[Field], dict[str, Any]]  # one instance as a function of the number field


def at(claim: Claim, raw: Batch) -> Made:
    """Return the instance that raw integers describe, as a function of the field."""
    return partial(build, claim.given, raw)


def look(claim: Claim, made: Made) -> Look | None:
    """Return the margins of one instance in balls, or in multiprecision if balls cannot decide.

    Multiprecision has 60 digits, or fewer if the sides need a solver and float64 agrees. None if the statement does not
    apply.

    Raises
    ------
    ClaimError
        A side is NaN at 60 digits, or the claim's function fails there.
    """
    try:
        found = _in_balls(claim, made)
        found = found if found is not None else _plainly(claim, made)
        return found if found is not None else in_multiprecision(claim, made)
    except NoneAssumed:
        return None


def _plainly(claim: Claim, made: Made) -> Look | None:
    """Return the margins with few digits if all are positive and float64 nearly agrees; otherwise None.

    This is for claims of effort < 1, whose sides need a solver. Cancellation that spoils these digits would spoil those
    of float64 long before.
    """
    if claim.effort == 1:
        return None
    try:
        near = _float_margins(claim, made(FLOATS))
        if not (near > PLAIN).all():
            return None
        _, margins = _exact_margins(claim, made, FEW)
    except Exception:  # the evaluation with more digits reports errors
        return None
    alike = margins.shape == near.shape and (abs(margins - near) <= ALIKE * abs(near)).all()
    return Look(margins) if alike and (margins > PLAIN).all() else None


def _float_margins(claim: Claim, instance: dict[str, Any]) -> Array:
    """Return the margins (inequalities,) of one instance in float64."""
    with np.errstate(all="ignore"), rough():
        lhs, rhs = paired(claim, claim.sides(Vocabulary(FLOAT64), **instance), 1, "fiu")
    applies = np.ones(1, dtype=bool)
    return Sides(lhs.astype(float), rhs.astype(float), applies, ~applies, claim.relation == "==").margins[0]


def _in_balls(claim: Claim, made: Made) -> Look | None:
    """Return the margins if every gap in balls excludes 0, or shrinks to 0 with the precision; otherwise None."""
    widths: list[Any] = []
    for digits in BALL_DIGITS:
        try:
            lhs, rhs = ball_sides(claim, made, digits)
        except NoneAssumed:
            raise
        except Exception:  # multiprecision evaluates what balls cannot follow, and reports errors
            return None
        before, widths = (
            widths or [None] * lhs.shape[-1],
            [(y - x).abs_upper() for x, y in zip(lhs[0], rhs[0], strict=True)],
        )
        margins = [
            _ball_margin(claim, x, y, vanishing=wide is not None and width <= wide * CLOSER)
            for x, y, wide, width in zip(lhs[0], rhs[0], before, widths, strict=True)
        ]
        if None not in margins:
            values = np.array(margins, dtype=float)
            bad = [i for i, m in enumerate(values) if m < 0]
            return Look(values, min(bad, key=lambda i: values[i]) if bad else None)
    return None


def _ball_margin(claim: Claim, x: arb, y: arb, *, vanishing: bool) -> float | None:
    """Return the margin of balls lhs and rhs if its sign is certain, or 0 if their gap vanishes with more precision."""
    if x.is_nan() or y.is_nan():
        return None
    if not (x.is_finite() and y.is_finite()):
        if x == y:
            return 0.0
        return float("inf") if y > x and claim.relation == "<=" else float("-inf") if y != x else None
    gap = y - x
    if gap.contains(0):
        return 0.0 if gap.is_zero() or vanishing else None
    margin = float(gap.mid() / abs(x).max(abs(y)).mid())
    return -abs(margin) if claim.relation == "==" else margin


def ball_sides(claim: Claim, made: Made, digits: int) -> tuple[Array, Array]:
    """Return balls of the sides (1, inequalities) of one instance."""
    with ctx.workdps(digits):
        k = RigorousVocabulary(digits)
        lhs, rhs = paired(claim, claim.sides(k, **made(RIGOROUS)), 1, "Of")
        balls = np.frompyfunc(lambda v: arb(number(v).part()), 1, 1)
        return np.asarray(balls(lhs)), np.asarray(balls(rhs))


def in_multiprecision(claim: Claim, made: Made) -> Look:
    """Return the margins of one instance at 60 digits.

    A negative gap is confirmed if it is the same at 90 digits. If it vanishes there it was rounding, and the margin is
    0; otherwise the margin is unknown.
    """
    gaps, margins = _exact_margins(claim, made, DIGITS)
    below = [int(i) for i in np.argsort(margins) if margins[i] < 0]
    if not below:
        return Look(margins)
    finer, _ = _exact_margins(claim, made, DIGITS + DIGITS // 2)
    violated = None
    for i in below:
        if finer[i] == gaps[i] or abs(finer[i] - gaps[i]) < 1e-6 * abs(gaps[i]):
            violated = i if violated is None else violated
        else:
            vanishes = abs(finer[i]) < 1e-6 * abs(gaps[i]) or margins[i] > -ROUNDING
            margins[i] = 0 if vanishes else np.nan
    return Look(margins, violated)


def exact_sides(claim: Claim, made: Made, digits: int) -> tuple[Array, Array]:
    """Return the sides (1, inequalities) of one instance in mpmath.

    Raises
    ------
    ClaimError
        The claim's function fails, or a side is not a real number.
    """
    arithmetic = MP(digits)
    k = Vocabulary(arithmetic)
    try:
        sides = claim.sides(k, **made(multiprecision(arithmetic.context)))
    # an iteration of mpmath that does not converge is not an error of the claim
    except (NoneAssumed, UndecidedError, RuntimeError):
        raise
    except Exception as error:
        raise failure(claim, error) from error
    lhs, rhs = paired(claim, sides, 1, "Of")
    for side in (lhs, rhs):
        for v in side.ravel():
            if isinstance(v, bool | np.bool_) or hasattr(v, "_mpc_"):
                raise ClaimError(f"a side is {_told(v)}: it must be a real number")
    return lhs, rhs


def _exact_margins(claim: Claim, made: Made, digits: int) -> tuple[list[Any], Array]:
    """Return the gaps rhs - lhs, minus their absolute values for equalities, and the margins.

    They are NaN if mpmath does not converge.
    """
    try:
        lhs, rhs = exact_sides(claim, made, digits)
    except (ArithmeticError, RuntimeError):
        return [np.nan], np.full(1, np.nan)
    gaps = []
    for x, y in zip(lhs[0], rhs[0], strict=True):
        if x != x or y != y:
            raise ClaimError(f"a side is NaN at {digits} digits: say with k.assume(...) where the statement applies")
        gap = 0 if x == y else y - x
        gaps.append(-abs(gap) if claim.relation == "==" else gap)
    sizes = [max(abs(x), abs(y)) for x, y in zip(lhs[0], rhs[0], strict=True)]
    return gaps, np.array(
        [float(g) if g == 0 or abs(g) == np.inf else float(g / s) for g, s in zip(gaps, sizes, strict=True)]
    )
