"""Sample, climb, look again in multiprecision, simplify, certify; and where nothing is found, prove."""

from __future__ import annotations

import math
import time
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from functools import cache
from typing import Any

import numpy as np
from flint import arb
from threadpoolctl import threadpool_limits

from krdtheory.arithmetic import FLOAT64, MP
from krdtheory.arithmetic.base import Array, reject
from krdtheory.ball import certify
from verification.argument import Argument
from verification.challenge import NotBound, challenge
from verification.claim import MARGIN_EDGES, Certificate, Claim, Counterexample, Evidence, Verdict, check_integer
from verification.instances import (
    FIXED,
    FLOATS,
    RATIONALS,
    SIZES,
    Batch,
    build,
    draw,
    legal,
    multiprecision,
    project,
    shown,
    take,
)
from verification.proof import Proof, ProofError, proved
from verification.rigorous import RIGOROUS, RigorousVocabulary, number
from verification.vocabulary import Vocabulary

DIGITS = 60
NOTICED = -1e-9  # a float64 margin below this is looked at again
CONFIRMED = -1e-20  # and counts when it is below this at DIGITS digits, and half as many digits more leave it so
CLEAR = -1e-6  # what is being simplified stays below this
BATCH, PER_BATCH = 64, 8
CLIMBERS, STEPS = 160, 32
LOOKED_AT = 8
PROVERS = "verification.provers."  # where the provers are whose every step is checked
_ROUND = (1 << 24, 1 << 20, 64, 32, 16)


@threadpool_limits.wrap(limits=1, user_api="blas")  # the matrices are tiny
def check(claim: Claim, *, budget: int = 6000, seed: int = 0) -> Evidence:
    """Look for a counterexample to a claim.

    Batches of every family are sampled in float64, the worst instances climb down their margin, and what looks violated
    is built anew with 60 digits, simplified to small integers as far as it stays a violation, and certified in ball
    arithmetic: `refuted`. Without a certificate it is `undecided`. Sampling never proves: a claim that stands is
    `supported`, and `proved` only by its proof.

    Parameters
    ----------
    claim : Claim
        A claim made by `verification.claim`.
    budget : int
        Instances to sample, at least 1, of a claim of full effort; the climb looks at some 5 000 more.
    seed : int
        Same seed, same verdict and same instance.

    Returns
    -------
    Evidence

    Raises
    ------
    ValueError
        budget < 1 or seed < 0.
    TypeError
        Arguments of another kind.
    """
    if not isinstance(claim, Claim):
        reject("claim", claim, "a Claim, as verification.claim makes them", TypeError)
    check_integer("budget", budget, 1)
    check_integer("seed", seed, 0)
    start = time.perf_counter()
    rng = np.random.default_rng([seed, zlib.crc32(claim.id.encode())])
    found: list[Found] = []
    counts = np.zeros(len(MARGIN_EDGES) + 1, dtype=int)
    sampled = batches = 0
    wanted = math.ceil(budget * claim.effort)
    while sampled < wanted:
        size = min(BATCH, wanted - sampled)
        raw = draw(claim.given, rng, size, SIZES[batches % len(SIZES)])
        values = margins(claim, raw)
        counts += np.bincount(np.digitize(values[~np.isnan(values)], MARGIN_EDGES), minlength=len(counts))
        found += [Found(float(values[i]), take(raw, [i]), batches) for i in _lowest(values)]
        sampled, batches = sampled + size, batches + 1
    violation = _confirmed(claim, found)
    if violation is None:
        found.sort(key=lambda f: f.margin)
        sampled += _climb(claim, found[:CLIMBERS], rng)
        violation = _confirmed(claim, found)
    outcome = _violated_outcome(claim, violation) if violation is not None else _unviolated_outcome(claim, found)
    seconds = time.perf_counter() - start
    return replace(outcome, instances=sampled, margins=tuple(map(int, counts)), seconds=seconds)


def _violated_outcome(claim: Claim, violation: Batch) -> Evidence:
    """`refuted` with a certificate of the simplified instance, or else of the one found; `undecided` with neither."""
    simple = _simplify(claim, violation)
    for raw in (simple, violation):
        certificate = certify_violation(claim, raw)
        if certificate is not None:
            break
    else:
        raw = simple
    verdict = Verdict.UNDECIDED if certificate is None else Verdict.REFUTED
    return Evidence(
        claim,
        verdict,
        f"violated in mp at {DIGITS} digits" if certificate is None else "certified",
        0,
        _look_again(claim, raw),
        0.0,
        _counterexample(claim, raw),
        _shown(claim, raw),
        certificate,
    )


def _unviolated_outcome(claim: Claim, found: list[Found]) -> Evidence:
    """`proved` where a proof gets through; `supported`, or `undecided` where nothing could be compared."""
    proof, argument, failures = _established(claim, found)
    known = [f for f in found if f.margin >= NOTICED or f.confirmed]
    unseen = len(found) - len(known)
    if not found:
        reason, verdict = "no instance with two numbers for sides", Verdict.UNDECIDED
    else:
        reason, verdict = f"{unseen} float64 margins below 0 not looked at again", Verdict.SUPPORTED
        reason = reason if unseen and proof is None else "no violation found"
    tightest = min(known, key=lambda f: f.margin, default=None)
    return Evidence(
        claim,
        verdict if proof is None else Verdict.PROVED,
        "; ".join([reason, *failures]),
        0,
        float("inf") if tightest is None else tightest.margin,
        0.0,
        tightest={} if tightest is None else _shown(claim, tightest.raw),
        proof=proof,
        argument=argument,
    )


def _established(claim: Claim, found: list[Found]) -> tuple[Proof | None, Argument | None, list[str]]:
    """The proof and the argument of a claim, and what was wrong with them."""
    proof, argument, failures = None, None, []
    if claim.proof is not None:
        try:
            proof = proved(claim, claim.proof)
            challenge(claim, claim.proof, _false_at, [f.raw for f in found[:LOOKED_AT]])
            if not type(claim.proof).__module__.startswith(PROVERS):
                proof = None
                failures.append(f"a prover of one's own makes no verdict; use one of {PROVERS[:-1]}")
        except NotBound as error:
            proof = None
            failures.append(str(error))
        except ProofError as error:
            failures.append(f"the proof does not get through: {error}")
    if claim.argument is not None:
        try:
            argument = claim.argument(claim)
        except ProofError as error:
            failures.append(f"the argument does not get through: {error}")
    return proof, argument, failures


def _false_at(claim: Claim, instances: Sequence[Batch] | None) -> bool:
    """Is a claim violated, for certain, at one of these instances, or else at one of some that are drawn?"""
    if instances is None:
        rng = np.random.default_rng(zlib.crc32(claim.id.encode()))
        batch = draw(claim.given, rng, 4 * BATCH, SIZES[0])
        try:
            values = margins(claim, batch)
        except Exception:  # the statement makes no sense there
            return False
        instances = [take(batch, [int(i)]) for i in np.argsort(values)[:2] if values[i] < CLEAR]
    for raw in instances:
        try:
            if float(margins(claim, raw)[0]) < CLEAR and _violated(claim, raw, _look_again(claim, raw)):
                return True
        except Exception:  # nor here
            continue
    return False


@dataclass
class Found:
    """An instance, its margin, the batch it came from, and whether the margin is that of multiprecision."""

    margin: float
    raw: Batch
    origin: int
    confirmed: bool = False


def _lowest(values: Array) -> list[int]:
    """Instances to start from, the lowest margins first; only half of them tight to rounding, as trivial ones are."""
    order = [int(i) for i in np.argsort(values, kind="stable") if not np.isnan(values[i])]
    tight = [i for i in order if abs(values[i]) <= -NOTICED]
    spare = set(tight[PER_BATCH // 2 :])
    return [i for i in order if i not in spare][:PER_BATCH]


def _confirmed(claim: Claim, found: list[Found]) -> Batch | None:
    """The first instance that violates the claim at `DIGITS` digits, of those that seem to in float64: the lowest
    margins, few from one batch, where rounding may have made them all. Margins that were rounding are corrected.
    """
    looked: Counter[int] = Counter()
    for f in sorted(found, key=lambda f: f.margin):
        if f.margin >= NOTICED or looked.total() == LOOKED_AT:
            break
        if f.confirmed:
            continue
        if looked[f.origin] == PER_BATCH // 2:
            continue
        looked[f.origin] += 1
        exact = _look_again(claim, f.raw)
        if _violated(claim, f.raw, exact):
            return f.raw
        if exact == exact:
            f.margin, f.confirmed = exact, True
    return None


def margins(claim: Claim, raw: Batch) -> Array:
    """Margins (batch,) of the instances in float64, NaN where they are not legal or a side is NaN.

    Raises
    ------
    TypeError
        The claim's sides are not two arrays of numbers with the batch as first axis.
    """
    ok = legal(claim.given, raw)
    with np.errstate(all="ignore"):
        sides = claim.sides(Vocabulary(FLOAT64), **build(claim.given, raw, FLOATS))
        try:
            lhs, rhs = np.broadcast_arrays(*(np.asarray(side, float) for side in sides))
        except (TypeError, ValueError) as error:
            raise TypeError(f"{claim.id} must return two arrays of real numbers, lhs and rhs: {error}") from None
        if lhs.shape[:1] != ok.shape:
            raise TypeError(f"{claim.id} must return sides with the batch, {len(ok)}, as first axis; got {lhs.shape}")
        value = _margin(claim, lhs, rhs)
    return np.where(ok, value, np.nan)


def _margin(claim: Claim, lhs: Array, rhs: Array) -> Array:
    same = lhs == rhs
    size = np.maximum(np.maximum(abs(lhs), abs(rhs)), 1)
    gap = np.where(same, 0, np.where(same, 0, rhs) - np.where(same, 0, lhs))
    infinite = abs(gap) == np.inf
    relative = np.where(infinite, gap, gap / np.where(infinite, 1, size))
    if claim.relation == "==":
        relative = -abs(relative)
    batch = len(relative)
    return relative.reshape(batch, -1).min(-1)


def _climb(claim: Claim, found: list[Found], rng: np.random.Generator) -> int:
    """Change integers at random, and keep what lowers the margin. Returns how many instances were tried."""
    count = 0
    for _ in range(math.ceil(STEPS * claim.effort)):
        for group in _same_shape(found):
            parents = _stack([f.raw for f in group])
            children = project(claim.given, _changed(parents, rng))
            ok = legal(claim.given, children)
            children = _where(ok, children, parents)
            values = margins(claim, children)
            count += len(group)
            for i, f in enumerate(group):
                if values[i] < f.margin:
                    f.margin, f.raw, f.confirmed = float(values[i]), take(children, [i]), False
    return count


def _same_shape(found: list[Found]) -> list[list[Found]]:
    groups: dict[Any, list[Found]] = {}
    for f in found:
        key = tuple((n, k, v.shape) for n, part in f.raw.items() for k, v in part.items())
        groups.setdefault((*key, _dim(f.raw)), []).append(f)
    return list(groups.values())


def _dim(raw: Batch) -> tuple[int, ...]:
    """Integers a kind builds a whole batch by."""
    return tuple(int(part[FIXED][0]) for part in raw.values() if FIXED in part)


def _stack(batches: list[Batch]) -> Batch:
    first = batches[0]
    return {n: {k: np.concatenate([b[n][k] for b in batches]) for k in part} for n, part in first.items()}


def _changed(raw: Batch, rng: np.random.Generator) -> Batch:
    """About one integer in seven changed: moved by up to a quarter of itself, set to 0, or to another of its array."""

    def change(x: Array) -> Array:
        step = np.maximum(np.abs(x) // 4, 1)
        moved = x + rng.integers(-step, step + 1)
        flat = x.reshape(len(x), -1)
        other = np.take_along_axis(flat, rng.integers(0, flat.shape[1], size=flat.shape), 1).reshape(x.shape)
        how = rng.random(x.shape)
        return np.select([how < 0.1, how < 0.12, how < 0.15], [moved, 0 * x, other], x)

    return {n: {k: v if k == FIXED else change(v) for k, v in part.items()} for n, part in raw.items()}


def _where(mask: Array, new: Batch, old: Batch) -> Batch:
    def pick(x: Array, y: Array) -> Array:
        return np.where(mask.reshape((-1,) + (1,) * (x.ndim - 1)), x, y)

    return {n: {k: pick(v, old[n][k]) for k, v in part.items()} for n, part in new.items()}


def _simplify(claim: Claim, raw: Batch) -> Batch:
    """Smaller integers, one at a time, as long as a clear violation is left; clear to float64, confirmed at the end."""
    first, start = raw, float(margins(claim, raw)[0])
    enough, size = max(start / 4, -0.01), float(_sizes(claim, raw)[0])
    if enough > CLEAR:
        return first
    for _ in range(100):
        variants = _stack([raw, *_smaller(raw)])
        variants = take(variants, np.flatnonzero(legal(claim.given, variants)))
        sizes = np.where(margins(claim, variants) <= enough, _sizes(claim, variants), np.inf)
        best = int(np.argmin(sizes))
        if not sizes[best] < size:
            break
        raw, size = take(variants, [best]), float(sizes[best])
    return raw if _violated(claim, raw, _look_again(claim, raw)) else first


def _smaller(raw: Batch) -> list[Batch]:
    """Every instance with one integer made smaller, or rounder where it is a parameter."""
    out: list[Batch] = []
    for name, part in raw.items():
        for key, value in part.items():
            if key == FIXED:
                continue
            for shift in (1, 4, 10, 20, 30, 40):  # all together, as weights that only mean their ratios
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
    """Length of the integers written out; trailing zero bits nearly free, most of all those of plain numbers."""
    total: Array = np.zeros(1)
    for name, part in raw.items():
        for key, value in part.items():
            plain = np.log2(claim.given[name].coarse().get(key, 1))
            odd = np.where(value == 0, 0, value // np.where(value == 0, 1, value & -value))
            away = abs(np.log2(np.maximum(np.abs(value), 1)) - plain)
            bits = np.where(value == 0, 0, np.log2(np.abs(odd) + 1) + 0.5 + 0.01 * away)
            total = total + bits.reshape(len(value), -1).sum(-1)
    return total


def _both_sides(claim: Claim, raw: Batch, digits: int) -> tuple[Array, Array]:
    arithmetic = MP(digits)
    field = multiprecision(arithmetic.context)
    lhs, rhs = claim.sides(Vocabulary(arithmetic), **build(claim.given, raw, field))
    left, right = np.broadcast_arrays(np.asarray(lhs, dtype=object), np.asarray(rhs, dtype=object))
    return left, right


def _look_again(claim: Claim, raw: Batch, digits: int = DIGITS) -> float:
    """Margin of one instance at many digits; NaN where mpmath's iterations do not converge."""
    try:
        return float(_margin(claim, *_both_sides(claim, raw, digits))[0])
    except (ArithmeticError, RuntimeError):
        return float("nan")


def _violated(claim: Claim, raw: Batch, margin: float) -> bool:
    """Is the claim violated, this margin having been found at `DIGITS` digits? Rounding would shrink with more."""
    if not margin < CONFIRMED:
        return False
    finer = _look_again(claim, raw, DIGITS + DIGITS // 2)
    return finer == margin or abs(finer - margin) < 1e-6 * abs(margin)


def _counterexample(claim: Claim, raw: Batch) -> Counterexample:
    lhs, rhs = (np.ravel(x) for x in _both_sides(claim, raw, DIGITS))
    worst = int(np.argmin([_margin(claim, np.array([[x]]), np.array([[y]]))[0] for x, y in zip(lhs, rhs, strict=True)]))
    return Counterexample(_shown(claim, raw), _number(lhs[worst]), _number(rhs[worst]), DIGITS)


def certify_violation(claim: Claim, raw: Batch) -> Certificate | None:
    """A certificate that an instance violates the claim: its worst inequality in balls, at up to 240 digits."""

    @cache
    def sides(digits: int) -> tuple[Array, Array]:
        lhs, rhs = claim.sides(RigorousVocabulary(digits), **build(claim.given, raw, RIGOROUS))
        left, right = np.broadcast_arrays(np.asarray(lhs, dtype=object), np.asarray(rhs, dtype=object))
        return left.ravel(), right.ravel()

    lhs, rhs = (np.ravel(x) for x in _both_sides(claim, raw, DIGITS))
    worst = int(np.argmin([_margin(claim, np.array([[x]]), np.array([[y]]))[0] for x, y in zip(lhs, rhs, strict=True)]))
    try:
        found = certify(
            *(lambda digits, side=side: number(sides(digits)[side][worst]).flint() for side in (0, 1)),
            relation=claim.relation,
            max_digits=240,
        )
    except (ArithmeticError, TypeError):  # the claim's own arithmetic could not be followed
        return None
    if found.verdict != "refuted":
        return None
    low, high = found.margin.lower(), found.margin.upper()
    return Certificate(_decimal(low, ROUND_FLOOR), _decimal(high, ROUND_CEILING), found.bits)


def _decimal(x: arb, rounding: str) -> str:
    """15 digits of a number, rounded to one side."""
    if not x.is_finite():
        return "inf" if x > 0 else "-inf"
    mantissa, exponent = (int(part) for part in x.man_exp())
    power = Decimal(2 ** abs(exponent))
    context = Context(prec=15, rounding=rounding)
    scaled = context.multiply(Decimal(mantissa), power) if exponent >= 0 else context.divide(Decimal(mantissa), power)
    return str(scaled.normalize())


def _number(x: Any) -> str:
    return str(x.context.nstr(x, 20)) if hasattr(x, "context") else str(x)


def _shown(claim: Claim, raw: Batch) -> dict[str, Any]:
    """The instance in exact rationals, as nested lists of strings."""
    return {name: shown(value) for name, value in build(claim.given, raw, RATIONALS).items()}
