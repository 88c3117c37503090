"""The search for a counterexample: sample, climb, evaluate again more precisely, simplify, certify; or else prove."""

from __future__ import annotations

import math
import threading
import time
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from krdtheory.arithmetic.base import Array, reject, seed_of
from krdtheory.arithmetic.checks import renamed
from verification.challenge import NotBound, challenge
from verification.claim import MARGIN_EDGES, Claim, Evidence, Verdict, check_integer
from verification.instances import (
    FIXED,
    RATIONALS,
    SIZES,
    Batch,
    build,
    contains,
    draw,
    join,
    legal,
    project,
    shown,
    take,
)
from verification.limits import TimeLimitError, time_limit
from verification.proof import Argument, Proof, ProofError, proved
from verification.sides import ClaimError, Look, Sides, at, evaluate, failure, look, rounding
from verification.simplify import certify_violation, counterexample, simplified

BUDGET = 8000  # instances for a claim of full effort, by default
CLIMB = 0.6  # the share of the instances that is for the climb
SECONDS = 300.0  # the time limit for one claim
BATCH, PER_BATCH = 256, 8
STEPS = 20  # of each half of a climb
CHILDREN = 12  # changes that are tried per instance and step in the second half of the climb, at most
TWICE = 8  # instances that are evaluated twice, to see that the claim's function is deterministic
LOOKS = 16  # instances that are evaluated again after sampling and after the climb, at full effort
LESS = 4  # the factor by which these are fewer before a proof is tried, which may make them unnecessary
TIGHTEST = 3  # instances of smallest margin that are evaluated again, per inequality
PARTS = 4  # inequalities of one claim that are searched separately
FAR = 1e-3  # a float64 gap and margin that are too large to be rounding
TIE = 2.0**-40  # a float64 margin this small counts as 0
LAST = 2.0**-46  # rounding explains a float64 margin this small
RARE = (100, 1000)  # hypotheses are rare if they hold for fewer than 100 instances, or for less than 1 in 1000
PATIENCE = 10  # the most instances drawn, as a multiple of those wanted, if the hypotheses rarely hold
LARGEST = 1 << 50  # the largest integer that is scaled up
_ONE_AT_A_TIME = threading.Lock()  # the precision of balls is set for the whole process
PROVERS = "verification.provers."  # only provers that are defined there make a claim proved


@renamed(seed="rng")
@threadpool_limits.wrap(limits=1, user_api="blas")  # the matrices are tiny
def check(
    claim: Claim,
    *,
    budget: int = BUDGET,
    rng: Any = 0,
    seconds: float | None = SECONDS,
    sizes: Sequence[int] = SIZES,
) -> Evidence:
    """Look for a counterexample to a claim.

    Batches from every family are sampled in float64. Unless a proof succeeds, a random search then lowers the margins
    of the worst instances. Negative margins that rounding is least likely to explain are evaluated again in balls or in
    multiprecision, as are the widest gaps and the smallest margins; if all of these turn out to be rounding errors, the
    other negative margins are counted and assumed to be rounding errors too. A violation is simplified to small
    integers as long as it remains one, and certified in ball arithmetic: the claim is `refuted`, or `undecided` without
    a certificate. Sampling never proves: a claim without a violation is `supported`, and `proved` only by its proof. It
    is `vacuous` if its hypotheses hold for too few instances, and `error` if its own Python fails.

    Parameters
    ----------
    claim : Claim
        A claim made by `verification.claim`.
    budget : int
        Instances for a claim of full effort, at least 1. Three fifths of them are for the climb, which a proof saves.
    rng : int, Generator or None
        The same seed gives the same verdict and the same instance. A Generator, or the system for None, supplies a
        seed, which is part of the outcome.
    seconds : float, optional
        The longest that a claim may take, > 0; None for no limit.
    sizes : sequence of int
        Dimensions and alphabet sizes to try, in turn, if the kinds leave them open.

    Returns
    -------
    Evidence

    Raises
    ------
    ValueError
        budget < 1, rng < 0, seconds <= 0, or a size < 1.
    TypeError
        An argument of the wrong type.
    """
    if not isinstance(claim, Claim):
        reject("claim", claim, "a Claim, as verification.claim makes them", TypeError)
    check_integer("budget", budget, 1)
    seed = seed_of(rng)
    if seconds is not None and (isinstance(seconds, bool) or not isinstance(seconds, Real)):
        reject("seconds", seconds, "a number > 0, or None", TypeError)
    if seconds is not None and not seconds > 0:
        reject("seconds", seconds, "a number > 0, or None")
    if isinstance(sizes, str) or not isinstance(sizes, Sequence) or not sizes:
        reject("sizes", sizes, "a list of integers >= 1", TypeError)
    for size in sizes:
        check_integer("sizes", size, 1)
    with _ONE_AT_A_TIME:
        return _checked(claim, budget, seed, seconds, sizes)


def _checked(claim: Claim, budget: int, seed: int, seconds: float | None, sizes: Sequence[int]) -> Evidence:
    start = time.perf_counter()
    small = [s for s in sizes if claim.largest is None or s <= claim.largest]
    search = _Search(claim, budget, seed, small or [min(sizes)])
    try:
        with time_limit(seconds):
            outcome = search.run()
    except Exception as error:  # from the user's code: the claim's function, its argument or a kind
        outcome = Evidence(claim, Verdict.ERROR, str(failure(claim, error)), 0, math.nan, 0.0)
    except TimeLimitError:
        text = f"it takes longer than {seconds:g} s: give it more time, or a smaller effort"
        outcome = Evidence(claim, Verdict.ERROR, text, 0, math.nan, 0.0)
    return replace(
        outcome,
        instances=search.held - search.failed,
        drawn=search.drawn,
        looked=search.looked,
        contradicted=search.contradicted,
        margins=tuple(map(int, search.counts)),
        sizes=tuple(sorted(search.tried)),
        seconds=time.perf_counter() - start,
        seed=seed,
    )


@dataclass
class Found:
    """An instance, the margin and the gap of one of its inequalities (`part`), and the number of its batch (`origin`).

    `score` is how far the gap is below 0 in units of rounding, and `seen` is the outcome of the second evaluation.
    """

    margin: float
    gap: float
    part: int
    raw: Batch
    origin: int
    score: float = 0.0
    seen: Look | None = None
    failed: bool = False  # float64 could not evaluate it


@dataclass
class _Search:
    """The search for one claim."""

    claim: Claim
    budget: int
    seed: int
    sizes: Sequence[int]
    held: int = 0  # instances for which the hypotheses hold
    failed: int = 0  # of these, those evaluated neither in float64 nor in another arithmetic
    drawn: int = 0
    looked: int = 0  # instances that were evaluated again
    unknown: int = 0  # of these, those still undecided
    contradicted: int = 0  # of these, those whose violation in float64 was large and false
    below: int = 0  # instances below 0 in float64 by more than a unit of rounding
    settled: int = 0  # of these, those that were evaluated again
    apart: int = 0  # instances whose sides differ in float64
    differ: bool = False  # whether sides that are equal in float64 differ in another arithmetic
    counts: Array = field(default_factory=lambda: np.zeros(len(MARGIN_EDGES) + 1, dtype=int))
    tried: set[int] = field(default_factory=set)
    found: list[Found] = field(default_factory=list)

    def run(self) -> Evidence:
        rng = np.random.default_rng([self.seed, zlib.crc32(self.claim.id.encode())])
        self._sample(rng)
        established: Established | None = None
        through = False
        violation = self._violation(1 if self.claim.proof is None else LESS)
        if violation is None and self.claim.proof is not None:  # a proof takes longer than to refute a false claim
            established = self._established()
            through = established.proof is not None
            violation = None if through else self._violation()
        if violation is None:
            established = established or self._established()
            if not through:
                self._climb(rng)
                violation = self._violation()
            violation = violation or self._among_the_tightest()
            if violation is None:
                return self._standing(established)
        return self._violated(violation)

    def _established(self) -> Established:
        return _established(self.claim, [f.raw for f in self._tightest(8)])

    # Sampling

    def _sample(self, rng: np.random.Generator) -> None:
        wanted = math.ceil((1 - CLIMB) * self.budget * self.claim.effort)
        most = wanted * PATIENCE
        seen: set[int] = set()
        for origin, dim in enumerate(cycle(self.sizes)):
            if self.held >= wanted or self.drawn >= most:
                break
            size = min(BATCH, max(wanted - self.held, 1))
            raw = draw(self.claim.given, rng, size, dim)
            if not origin:
                self._repeats(take(raw, np.arange(min(size, TWICE))))
            self._record(raw, origin)
            if dim not in seen:
                seen.add(dim)
                self.tried.update(self._free_sizes(take(raw, [0])))

    def _free_sizes(self, raw: Batch) -> list[int]:
        """Return the sizes of an instance that its kinds leave open."""
        values = build(self.claim.given, raw, RATIONALS)
        return [size for name, kind in self.claim.given.items() for size in kind.free_sizes(values[name])]

    def _repeats(self, raw: Batch) -> None:
        """Raise unless the claim's function returns the same sides twice."""
        one, other = evaluate(self.claim, raw), evaluate(self.claim, raw)
        same = np.array_equal(one.lhs, other.lhs, equal_nan=True) and np.array_equal(one.rhs, other.rhs, equal_nan=True)
        if not (same and np.array_equal(one.applies, other.applies)):
            raise ClaimError("it is not deterministic: its sides differ when it is called again on the same instances")

    def _record(self, raw: Batch, origin: int) -> None:
        """Evaluate a batch, and keep the instances that are to be evaluated again or to start a climb."""
        claim, sides = self.claim, evaluate(self.claim, raw)
        self._count(sides)
        values, gaps = sides.margins, sides.gaps
        told = values[~np.isnan(values).all(-1)]
        self.counts += np.bincount(np.digitize(told.min(-1), MARGIN_EDGES), minlength=len(self.counts))
        self.apart += int((told != 0).any(-1).sum())
        scores = np.zeros(values.shape)
        suspect = np.flatnonzero((values < -LAST).any(-1))
        if len(suspect):
            scores[suspect] = _scores(claim, take(raw, suspect), sides.of(suspect), times=1)
            self.below += int((scores > 1).any(-1).sum())
        for i in self._worth(values, scores, gaps):
            row, column = divmod(i, values.shape[-1])
            margin, gap, score = (float(x[row, column]) for x in (values, gaps, scores))
            self.found.append(Found(margin, gap, column, take(raw, [row]), origin, score))
        for row in np.flatnonzero(sides.applies & sides.failed)[:2]:  # to be decided in another arithmetic
            self.found.append(Found(-math.inf, -math.inf, 0, take(raw, [int(row)]), origin, math.inf, failed=True))

    def _count(self, sides: Sides) -> None:
        self.drawn += len(sides.applies)
        self.held += int(sides.applies.sum())
        self.failed += int((sides.applies & sides.failed).sum())

    @staticmethod
    def _worth(values: Array, scores: Array, gaps: Array) -> list[int]:
        """Return the entries (instance, inequality) of a batch to keep, as flat indices.

        They are the smallest margins of each inequality, the negative ones that rounding is least likely to explain,
        and the most negative gaps. Of the margins that are 0 up to rounding, a few are enough.
        """
        out: dict[int, None] = {}
        width = values.shape[-1]
        for column in range(width) if width <= PARTS else np.argsort(np.nanmin(values, 0, initial=np.inf))[:PARTS]:
            order = np.lexsort((gaps[:, column], values[:, column]))
            least = order[~np.isnan(values[order, column])]
            told = values[least, column]
            spare = least[abs(told) <= TIE][PER_BATCH // 2 :]
            below = least[told < 0]
            rows = [
                least[~np.isin(least, spare)][:PER_BATCH],
                below[np.argsort(-scores[below, column], kind="stable")][: PER_BATCH // 2],
                below[np.argsort(gaps[below, column], kind="stable")][:2],
            ]
            out.update(dict.fromkeys((np.concatenate(rows) * width + column).tolist()))
        return list(out)

    # Second evaluation

    def _violation(self, less: int = 1) -> Found | None:
        """Return the first instance that certainly violates the claim, or None.

        Instances with a negative margin in float64 are evaluated again: first those that rounding is least likely to
        explain, then those with the most negative gaps, and only a few of each batch.
        """
        below = [f for f in self.found if f.margin < 0 and f.score > 1]
        looks = math.ceil(LOOKS * self.claim.effort / less)
        orders: list[tuple[int, Callable[[Found], Any]]] = [
            (looks, lambda f: (-f.score, f.margin)),
            (looks // 4, lambda f: (f.gap, f.margin)),
        ]
        for most, order in orders:
            looked: Counter[int] = Counter()
            for f in sorted((f for f in below if f.seen is None), key=order):
                if looked.total() == most:
                    break
                if looked[f.origin] < math.ceil(most / 4):
                    looked[f.origin] += 1
                    if self._is_violation(f):
                        return f
        return None

    def _among_the_tightest(self) -> Found | None:
        """Return a violation among the instances with the smallest margins, whatever their sign in float64, or None."""
        tight = sorted((f for f in self.found if f.seen is None), key=lambda f: abs(f.margin))
        count = round(TIGHTEST * self.claim.effort)
        for part in sorted({f.part for f in tight})[:PARTS]:
            for tied in (False, True):
                mine = [f for f in tight if f.part == part and (f.margin == 0) is tied]
                for f in mine[: count or not self.looked]:
                    if self._is_violation(f):
                        return f
                    self.differ |= tied and f.margin != 0
        return None

    def _is_violation(self, f: Found) -> bool:
        self.looked += 1
        self.settled += f.score > 1 and not f.failed
        seen = look(self.claim, at(self.claim, f.raw))
        if seen is None:  # without rounding, the hypotheses do not hold
            f.margin, f.seen = math.nan, Look(np.array([math.nan]))
            return False
        f.seen = seen
        self.failed -= f.failed and seen.known
        if seen.violated is not None:
            outside = contains(self.claim.given, build(self.claim.given, f.raw, RATIONALS))
            if outside:
                raise ClaimError(f"the kind of {', '.join(outside)} builds an instance outside its domain")
            f.margin, f.part = float(seen.margins[seen.violated]), seen.violated
            return True
        self.unknown += not seen.known
        self.contradicted += seen.known and -math.inf < max(f.margin, f.gap) < -FAR
        f.margin = float(seen.margins[f.part]) if f.part < len(seen.margins) else seen.margin
        return False

    # Climbing

    def _climb(self, rng: np.random.Generator) -> None:
        """Change integers at random, and keep the changes that lower a margin.

        The first half makes one change per step in many instances. The second half takes the best of several changes
        per step, in the instances that came out lowest.
        """
        share = CLIMB * self.budget * self.claim.effort / 2
        chosen = self._lowest(self.found, math.ceil(share / STEPS))
        chosen = [replace(f, seen=None) for f in chosen]
        self.found += chosen
        self._descend(chosen, STEPS, 1, rng)
        children = min(CHILDREN, math.ceil(share / STEPS))
        few = [replace(f, seen=None) for f in self._lowest(chosen, math.ceil(share / STEPS / children))]
        self.found += few
        self._descend(few, STEPS, children, rng)
        for group in _same_shape([f for f in [*chosen, *few] if f.margin < 0]):
            raw = join([f.raw for f in group])
            for f, row in zip(group, _scores(self.claim, raw, evaluate(self.claim, raw)), strict=True):
                f.score = float(row[min(f.part, len(row) - 1)])
                self.below += f.score > 1

    @staticmethod
    def _lowest(found: Sequence[Found], count: int) -> list[Found]:
        """Return the instances with the smallest margins, `count` over all inequalities.

        Margins of 0 are left out if there are others. Half of the instances must also have a gap beyond rounding,
        because a gap that is nothing but rounding has the smallest margin of all if a side is 0.
        """
        parts = sorted({f.part for f in found})
        chosen: list[Found] = []
        for part in parts:
            mine = [f for f in found if f.part == part and math.isfinite(f.margin)]
            mine.sort(key=lambda f: (f.margin, f.gap))  # if a side is 0, all margins are equal
            apart = [f for f in mine if abs(f.margin) > TIE]
            most = math.ceil(count / len(parts))
            far = [f for f in apart if abs(f.gap) > TIE][: math.ceil(most / 2)]
            known = {id(f) for f in far}
            chosen += [*far, *(f for f in apart or mine if id(f) not in known)][:most]
        return chosen

    def _descend(self, chosen: list[Found], steps: int, children: int, rng: np.random.Generator) -> None:
        """Replace each instance by the lowest of its children, if that is lower, in every step."""
        given = self.claim.given
        for group in _same_shape(chosen):
            raw = join([f.raw for f in group])
            margins, gaps, parts = (np.array([getattr(f, name) for f in group]) for name in ("margin", "gap", "part"))
            parents = np.repeat(np.arange(len(group)), children)
            for _ in range(steps):
                old = take(raw, parents)
                young = project(given, _changed(old, rng))
                young = _where(legal(given, young), young, old)
                sides = evaluate(self.claim, young)
                self._count(sides)
                place = np.arange(len(parents)), np.minimum(parts[parents], sides.margins.shape[-1] - 1)
                found, gap = sides.margins[place], sides.gaps[place]
                order = np.lexsort((gap, np.where(np.isnan(found), np.inf, found), parents))
                lowest = order[::children]
                equal = found[lowest] == margins
                better = (found[lowest] < margins) | (equal & (gap[lowest] < gaps))
                raw = _where(better, take(young, lowest), raw)
                margins, gaps = np.where(better, found[lowest], margins), np.where(better, gap[lowest], gaps)
            for i, f in enumerate(group):
                f.margin, f.gap, f.raw = float(margins[i]), float(gaps[i]), take(raw, [i])

    # The outcome

    def _violated(self, violation: Found) -> Evidence:
        """Return `refuted` with a certificate of the simplified instance or of the one found; otherwise `undecided`."""
        claim, found = self.claim, violation.raw
        simple = simplified(claim, found)
        for raw in (simple, found):
            certificate = certify_violation(claim, at(claim, raw))
            if certificate is not None:
                break
        else:
            raw = simple
        seen = look(claim, at(claim, raw))
        return Evidence(
            claim,
            Verdict.UNDECIDED if certificate is None else Verdict.REFUTED,
            "violated at 60 digits, and not certified in balls" if certificate is None else "certified",
            0,
            violation.margin if seen is None else seen.margin,
            0.0,
            counterexample(claim, at(claim, raw)),
            self._shown(raw),
            certificate,
        )

    def _standing(self, established: Established) -> Evidence:
        """Return `proved` if the proof succeeds; otherwise `supported`, `vacuous` or `undecided`."""
        proof, argument, failures = established
        known = [f for f in self.found if not math.isnan(f.margin) and (f.margin >= 0 or f.seen is not None)]
        rounded = [f for f in self.found if f.margin < 0 and f.seen is None]  # rounding explains these
        tightest = min(known or rounded, key=lambda f: (f.margin, f.origin), default=None)
        verdict, reason = self._supported()
        return Evidence(
            self.claim,
            verdict if proof is None else Verdict.PROVED,
            "; ".join([reason, *failures]),
            0,
            math.inf if tightest is None else tightest.margin,
            0.0,
            tightest={} if tightest is None else self._shown(tightest.raw),
            left=max(self.below - self.settled, 0),
            proof=proof,
            argument=argument,
        )

    def _supported(self) -> tuple[Verdict, str]:
        few, share = RARE
        rare = self.held < self.drawn and (self.held < few or self.held * share < self.drawn)
        if not self.held or rare:
            return Verdict.VACUOUS, f"its hypotheses hold for {self.held:,} of {self.drawn:,} instances"
        if self.claim.relation == "<=" and self.apart * share < self.held >= few and not self.differ:
            return (
                Verdict.VACUOUS,
                f"its sides are the same number in all but {self.apart:,} of {self.held:,} instances",
            )
        if self.unknown:
            return Verdict.UNDECIDED, f"{self.unknown} of {self.looked} instances looked at again could not be decided"
        return Verdict.SUPPORTED, "no violation found"

    def _tightest(self, count: int) -> list[Found]:
        return sorted((f for f in self.found if not math.isnan(f.margin)), key=lambda f: f.margin)[:count]

    def _shown(self, raw: Batch) -> dict[str, Any]:
        return {name: shown(value) for name, value in build(self.claim.given, raw, RATIONALS).items()}


def _scores(claim: Claim, raw: Batch, sides: Sides, times: int = 2) -> Array:
    """Return how far the gaps are below 0, in units of rounding; 0 for gaps that are not negative."""
    noise = rounding(claim, raw, sides, times)
    below = sides.gaps < 0
    return np.where(below, -sides.gaps / np.where(noise > 0, noise, math.ulp(0.0)), 0)


def _same_shape(found: list[Found]) -> list[list[Found]]:
    groups: dict[Any, list[Found]] = {}
    for f in found:
        key = tuple((n, k, v.shape) for n, part in f.raw.items() for k, v in part.items())
        groups.setdefault((*key, _dim(f.raw)), []).append(f)
    return list(groups.values())


def _dim(raw: Batch) -> tuple[int, ...]:
    """Return the sizes that kinds fix for a whole batch."""
    return tuple(int(part[FIXED][0]) for part in raw.values() if FIXED in part)


def _changed(raw: Batch, rng: np.random.Generator) -> Batch:
    """Return instances with some of their integers changed: on average between about one and a third of them in each.

    An integer moves by up to a quarter of its size, often on a logarithmic scale, is multiplied or divided by a power
    of two, is set to 0, or becomes another entry of its array or a neighbour of one.
    """
    arrays = [v for part in raw.values() for k, v in part.items() if k != FIXED]
    count = sum(x[0].size for x in arrays)
    shares = np.maximum(2.0 ** rng.uniform(-6, -1.5, size=len(arrays[0])), 1 / count) if arrays else np.ones(1)

    def change(x: Array) -> Array:
        wide = np.maximum(np.abs(x) / 4, 1)
        step = np.where(rng.random(x.shape) < 0.5, wide, np.exp2(rng.random(x.shape) * np.log2(wide))).astype(np.int64)
        moved = x + rng.integers(-step, step + 1)
        shift = rng.integers(1, 9, size=x.shape)
        scaled = np.where(rng.random(x.shape) < 0.5, x >> shift, np.where(abs(x) < LARGEST, x << shift, x))
        flat = x.reshape(len(x), -1)
        other = flat[np.arange(len(x))[:, None], rng.integers(0, flat.shape[1], size=flat.shape)].reshape(x.shape)
        near = other + rng.integers(-1, 2, size=x.shape)
        how = rng.random(x.shape) / shares.reshape((-1,) + (1,) * (x.ndim - 1))
        # nested, because numpy.select is slow for small arrays
        rest = np.where(how < 0.81, 0, np.where(how < 0.94, other, np.where(how < 1, near, x)))
        return np.where(how < 0.56, moved, np.where(how < 0.69, scaled, rest))

    return {n: {k: v if k == FIXED else change(v) for k, v in part.items()} for n, part in raw.items()}


def _where(mask: Array, new: Batch, old: Batch) -> Batch:
    def pick(x: Array, y: Array) -> Array:
        return np.where(mask.reshape((-1,) + (1,) * (x.ndim - 1)), x, y)

    return {n: {k: pick(v, old[n][k]) for k, v in part.items()} for n, part in new.items()}


class Established(NamedTuple):
    """The proof and the argument of a claim, if they succeed, and the messages of failures."""

    proof: Proof | None
    argument: Argument | None
    failures: list[str]


def _established(claim: Claim, instances: Sequence[Batch]) -> Established:
    proof, argument, failures = None, None, []
    if claim.proof is not None:
        try:
            proof = proved(claim, claim.proof)
            challenge(claim, claim.proof, _false_at, instances)
            if not type(claim.proof).__module__.startswith(PROVERS):
                proof = None
                failures.append(f"a prover of one's own makes no verdict; use one of {PROVERS[:-1]}")
        except NotBound as error:
            proof = None
            failures.append(str(error))
        except ProofError as error:
            failures.append(f"the proof fails: {error}")
    if claim.argument is not None:
        try:
            argument = claim.argument(claim)
        except ProofError as error:
            failures.append(f"the argument fails: {error}")
    return Established(proof, argument, failures)


def _false_at(claim: Claim, instances: Sequence[Batch] | None) -> bool:
    """Return whether a claim is certainly violated at one of these instances or, for None, at one that is drawn."""
    drawn = instances is None
    if instances is None:
        rng = np.random.default_rng(zlib.crc32(claim.id.encode()))
        try:
            batch = draw(claim.given, rng, BATCH, 2)
            values = _least(claim, batch)
        except (ClaimError, ValueError):  # the statement, or the kinds, make no sense there
            return False
        instances = [take(batch, [int(i)]) for i in np.argsort(values)[:2] if values[i] < 0]
    for raw in instances:
        try:
            seen = look(claim, at(claim, raw)) if drawn or _least(claim, raw)[0] < 0 else None
        except ClaimError:  # the claim makes no sense at this instance
            continue
        if seen is not None and seen.violated is not None:
            return True
    return False


def _least(claim: Claim, raw: Batch) -> Array:
    return np.asarray(evaluate(claim, raw).margins.min(-1))
