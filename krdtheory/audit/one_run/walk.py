"""Lower bounds from nested claims, which are tested from the smallest upwards until one is not rejected.

If one claim is true, so are all larger ones. Going too far requires that the smallest true claim among those tested is
rejected, which has probability at most the level, so there is no price for multiple tests. The claimed bound is among
them, so the verdict and the bound hold together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from scipy.special import ndtr, ndtri

from krdtheory.arithmetic.base import Array, reject
from krdtheory.audit.event_bounds import profile
from krdtheory.audit.one_run import tradeoff
from krdtheory.audit.one_run.guesses import Guesses
from krdtheory.audit.one_run.mixture import _MISLED, Layout, bet
from krdtheory.privacy.notions import ApproximateDP, GaussianDP, Notion, PureDP, TradeOffDP

RUNGS = np.concatenate([np.arange(0, 1.5, 0.02), 1.5 * 1.0125 ** np.arange(220)]).round(6)
_MU = (0.03 * 1.01 ** np.arange(620)).round(6)
_DELTA = np.concatenate([[0.0], np.geomspace(1e-6, 1, 241)])
_BOUND = 2.0 ** (np.arange(-16, 17) / 4)  # factors of the claimed bound, for notions on other scales
_LOWERED = np.linspace(0, 1, 201)
_SLOPES = np.concatenate([[0], np.geomspace(0.05, 10, 15)])
_PARTS = ((0.9, None), (0.1, 0.05))  # shares of the level, and of the canaries to guess (None: the best)
_PARTS_OF_DELTA = ((0.2, 0.1), (0.3, 0.3), (0.5, 1.0))
_CHUNK = 40  # claims tested together if their trade-off functions have closed forms
_COSTLY = 3  # the same if they have not
_TINY = 1e-12


@dataclass(frozen=True)
class Found:
    """The largest rejected bound (0 if none is), the p-value of the claim, descriptions, and the number of guesses."""

    lower: float
    p_value: float
    method: str
    level: str
    guesses: int


def by_mixture(
    guesses: Guesses, layout: Layout, claimed: float, delta: float, level: float, simulate: bool = True
) -> Found:
    """Return the lower bound on epsilon at the claimed delta."""
    counts = layout.counts(guesses)
    misled = _MISLED * level if simulate else 0.0

    def quick(epsilon: float) -> float:
        return bet(float(layout.log_evidence(counts, epsilon))) + misled + layout.cost(epsilon, delta)

    def p_value(epsilon: float, enough: float = 0.0) -> float:
        """Return the p-value, from bets if these show that it is below `enough`, otherwise from simulation."""
        p = quick(epsilon)
        if simulate and p > enough:
            p = layout.p_value(float(layout.log_evidence(counts, epsilon)), epsilon, delta, level)
        return min(p, 1.0)

    rungs = np.unique(np.append(RUNGS, claimed))
    tested = rungs[[layout.cost(e, delta) + misled < level for e in rungs.tolist()]]
    if not len(tested):
        words = f"{level:.6g}, all of which delta takes of so many canaries: nothing can be rejected"
        return Found(0.0, 1.0, "none", words, sum(layout.guesses))
    of_claim = max(claimed, float(tested[0]))  # where a larger claim is refuted, so is this one
    lower, p = 0.0, p_value(of_claim)
    for epsilon in tested.tolist():
        if epsilon == of_claim:
            p_here = p_value(epsilon)
        else:
            p_here = p_value(epsilon, level if epsilon > of_claim else min(p, level))
        if epsilon < of_claim:
            p = max(p, p_here)
        if p_here > level:
            break
        lower = epsilon
    taken = layout.cost(max(lower, float(tested[0])), delta)
    words = f"{level:.6g} on all guesses at once; of it delta takes {taken:.2g}"
    how = "mixture of likelihood ratios of right guesses, calibrated by simulation" if simulate else "bets on guesses"
    return Found(lower, p, how, words, sum(layout.guesses))


def by_tradeoff(guesses: Guesses, notion: Notion, bound: str, level: float) -> Found:
    """Return the bound on the notion's parameter, or on delta at epsilon, with numbers of guesses fixed in advance."""
    parts = _PARTS_OF_DELTA if bound == "delta" else _PARTS
    claimed, rungs, floor_of, strength = _family(notion, bound)
    closed = isinstance(notion, PureDP | ApproximateDP | GaussianDP | TradeOffDP)
    right = np.concatenate([[0], guesses.merged.cumsum()])
    a, b = guesses.coins.shares
    totals = guesses.canaries * a, guesses.canaries * b

    def numbers(which: Array) -> list[Array]:
        return [_number(part, strength(rungs[which]), guesses.canaries, len(guesses.merged)) for _, part in parts]

    def rejected(which: Array, at: Array) -> Array:
        out = np.zeros(len(which), dtype=bool)
        for (share, _), r in zip(parts, numbers(which), strict=True):
            out |= tradeoff.rejects(floor_of(rungs[which]), right[r], r, totals, share * at)
        return out

    every, reach = np.arange(len(rungs)), 0
    while reach < len(rungs):
        chunk = every[reach : reach + (_CHUNK if closed else _COSTLY)]
        beyond = rejected(chunk, np.full(len(chunk), level))
        reach += len(chunk) if beyond.all() else int(np.argmin(beyond))
        if not beyond.all():
            break
    lower = float(rungs[reach - 1]) if reach else 0.0
    upto = every[rungs <= claimed]
    low, high = np.log(_TINY), 0.0  # the p-value is the largest of all claims up to the claimed one
    if not rejected(upto, np.full(len(upto), 1 - _TINY)).all():
        low = 0.0
    while high - low > 1e-3:
        middle = (low + high) / 2
        failed = upto[~rejected(upto, np.full(len(upto), np.exp(middle)))]
        low, high = (middle, high) if len(failed) else (low, middle)
        upto = failed if len(failed) else upto
    p_value = float(np.exp(high))
    passed = reach > int(np.searchsorted(rungs, claimed))
    if (p_value <= level) != passed:  # differences in the last digits
        p_value = level if passed else float(np.nextafter(level, 1))
    most = [int(r[0]) for r in numbers(every[[min(reach, len(rungs) - 1)]])]
    shared = ", ".join(f"{share * level:.3g} on {r} guesses" for (share, _), r in zip(parts, most, strict=True))
    words = f"{level:.6g}, at the last claim tested: {shared}; the numbers were fixed before"
    return Found(lower, p_value, "trade-off function at fixed numbers of guesses, claim after claim", words, max(most))


def _family(
    notion: Notion, bound: str
) -> tuple[float, Array, Callable[[Array], tradeoff.Floor], Callable[[Array], Array]]:
    """Return the claimed bound, bounds to test in increasing order, and functions for their H and total variation."""
    if isinstance(notion, GaussianDP):
        rungs = np.unique(np.append(_MU, float(notion.mu)))
        return float(notion.mu), rungs, tradeoff.gaussian_floor, lambda mu: 2 * ndtr(mu / 2) - 1
    if isinstance(notion, TradeOffDP):
        curve = notion.tradeoff
        a = np.linspace(0, 1, 1025)
        whole = float((1 - a - np.asarray(curve(a), dtype=float)).max())
        return 0.0, _LOWERED, partial(tradeoff.curve_floor, curve), lambda c: np.minimum(whole + c, 1)
    if bound == "delta" and isinstance(notion, ApproximateDP):
        gain, claimed = np.exp(float(notion.epsilon)), float(notion.delta)

        def floor_of(delta: Array) -> tradeoff.Floor:
            return tradeoff.planes_floor(np.full((len(delta), 1), gain), delta[:, None])

        return claimed, np.unique(np.append(_DELTA, claimed)), floor_of, lambda d: d
    if isinstance(notion, PureDP | ApproximateDP):
        delta, claimed = float(getattr(notion, "delta", 0)), float(notion.epsilon)

        def floor_of_epsilon(epsilon: Array) -> tradeoff.Floor:
            return tradeoff.planes_floor(np.exp(epsilon)[:, None], np.full((len(epsilon), 1), delta))

        return (
            claimed,
            np.unique(np.append(RUNGS, claimed)),
            floor_of_epsilon,
            lambda e: delta + (1 - delta) * np.tanh(e / 2),
        )
    claimed = notion.bound
    rungs = claimed * _BOUND
    whole = profile(notion)(np.zeros(1))[0]
    if whole >= 1:
        reject("notion", notion, "one that says more of the probabilities of events than that they are at most 1")

    def planes(values: Array) -> tradeoff.Floor:
        return tradeoff.planes_floor(np.exp(_SLOPES), np.array([_deltas(notion, x) for x in values.tolist()]))

    return claimed, rungs, planes, lambda values: np.array([_deltas(notion, x)[0] for x in values.tolist()])


@lru_cache(maxsize=256)
def _deltas(notion: Notion, bound: float) -> Array:
    """Return the deltas that a notion of this kind and bound guarantees at the slopes."""
    return profile(notion._with_bound(bound))(_SLOPES)


def _number(part: float | None, distance: Array, canaries: int, most: int) -> Array:
    """Return the number of guesses, at most `most`, for a claim of this total variation distance."""
    if part is None:
        mu = 2 * ndtri((1 + np.clip(distance, 0, 1 - 1e-12)) / 2)  # Gaussian DP of the same distance
        part_of = best_part(mu, canaries)
    else:
        part_of = np.full(len(distance), part)
    return np.clip(np.round(part_of * most), 1, most).astype(int)


def best_part(mu: Array, canaries: int) -> Array:
    """Return roughly the best share of the canaries to guess, for Gaussian scores at distance mu.

    For small mu most scores carry little information, and a few confident guesses carry the most.
    """
    many = canaries / 1000
    return np.clip(0.036 * many**-0.4 * np.exp(1.4 * mu), min(0.11 * many**-0.5, 1.0), 0.8)
