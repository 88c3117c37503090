"""Privacy profiles of compositions of different randomised responses, as sums over all losses or over bins of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial, singledispatch
from typing import Any

import numpy as np

from krdtheory.arithmetic import FLOAT64, MP, Arithmetic, Float64
from krdtheory.arithmetic.base import Array, reject
from krdtheory.privacy.composition.binomial import inverse_profile, log_probability, log_profile_of_responses
from krdtheory.privacy.composition.pair_sums import PairSums

LARGEST = 1e300  # so that its product with a number of bins does not overflow
MOST_SUMS, MOST_SUMS_MP = 2**20, 2**10  # the most losses in either half
FEW_SUMS = 2**12  # up to so many losses in a half, all are formed at once
COARSE_BINS = 2**14  # of the profile whose root starts a search


def log_profiles(ar: Arithmetic, e: Array, d: Any, bins: int) -> list[Callable[[Any], Any]]:
    """Return the logarithms, as functions of x, of a lower and an upper bound on delta_0(x)."""
    e = e[e > 0]
    kinds = Counter(e)
    if len(kinds) == 1:
        profile: Callable[[Any], Any] = partial(log_profile_of_responses, ar, e[0], len(e))
        return [profile, profile]
    halves: list[list[tuple[Any, int]]] = [[], []]
    sizes = [1, 1]
    for epsilon, count in kinds.most_common():
        small = int(sizes[1] < sizes[0])
        halves[small].append((epsilon, count))
        sizes[small] *= count + 1
    return _profiles_of_sums(ar, halves, sizes, e, d, bins)


@singledispatch
def _profiles_of_sums(
    ar: Arithmetic, halves: list[list[tuple[Any, int]]], sizes: list[int], e: Array, d: Any, bins: int
) -> list[Callable[[Any], Any]]:
    """Return `log_profiles` by the sums of pairs of losses, one from either half."""
    if max(sizes) > MOST_SUMS_MP:
        reject("epsilon", sizes[0] * sizes[1], "such that there are at most 10^6 sums of losses (this is their number)")
    return [PairSums(ar, *map(partial(_losses, ar), halves, (1, -1)))] * 2


@_profiles_of_sums.register(Float64)
def _profiles_of_sums_in_float64(
    ar: Float64, halves: list[list[tuple[Any, int]]], sizes: list[int], e: Array, d: Any, bins: int
) -> list[Callable[[Any], Any]]:
    """Use multiprecision where e^loss overflows a float, and bins where there are too many sums."""
    with np.errstate(over="ignore"):
        small = bool(e.sum() < ar.max_exponent)
    if max(sizes) <= MOST_SUMS and small:
        if max(sizes) <= FEW_SUMS:
            return [PairSums(ar, *map(partial(_losses, ar), halves, (1, -1)))] * 2
        return [ManyPairSums(halves, e, d)] * 2
    if not small and max(sizes) <= MOST_SUMS_MP:
        return [_precise_profile(e, d, bins)] * 2
    if isinstance(bins, bool) or not isinstance(bins, (int, np.integer)) or bins < 16:
        reject("bins", bins, "an integer >= 16")
    reach = _reach(e, d)
    return [_merged_profile(e, reach, int(bins)), _split_profile(e, reach, 4 * int(bins))]


def _precise_profile(e: Array, d: Any, bins: int) -> Callable[[Any], Any]:
    """Return the exact profile in multiprecision, for losses so large that e^loss overflows float64."""
    ar = MP(digits_of(e))
    profile = log_profiles(ar, ar.array(e, "epsilon"), d, bins)[0]
    return lambda x: float(profile(ar.context.mpf(float(x))))


def digits_of(e: Array) -> int:
    """Return a number of digits with which different sums of losses are told apart."""
    sizes = np.log10(e[e > 0])
    return 70 + int(np.ptp(sizes)) if sizes.size else 50


class ManyPairSums:
    """`PairSums` in float64 for so many losses that those too small to matter at an epsilon are left out."""

    def __init__(self, halves: list[list[tuple[float, int]]], e: Array, d: Any) -> None:
        self.halves, self.e, self.d = halves, e, d
        self.largest = [sum(epsilon * count for epsilon, count in half) for half in halves]

    def above(self, x: float) -> PairSums:
        """Return the sums that determine the profile at x and beyond."""
        room = 1e-9 * (1 + sum(self.largest))  # for rounding errors, and so that the largest loss is always kept
        least = (min(x - other, own) - room for own, other in zip(self.largest, reversed(self.largest), strict=True))
        return PairSums(FLOAT64, *map(partial(_losses, FLOAT64), self.halves, (1, -1), least))

    def __call__(self, x: Any) -> Any:
        return self.above(float(x))(x)

    def root(self, d: float, tol: float) -> float | None:
        """Return the root of profile = d, by Newton's method from the root of a lower bound; None if that fails."""
        most = float(self.e.sum())
        start = float(inverse_profile(FLOAT64, _merged_profile(self.e, _reach(self.e, self.d), COARSE_BINS), d, most))
        start -= 1e-9 * (1 + abs(start))  # the accuracy of that root
        root = self.above(start).newton(d, start, tol)
        return root if root is not None and root >= start else None


def _losses(ar: Arithmetic, kinds: list[tuple[Any, int]], side: int, least: Any = None) -> tuple[Array, Array]:
    """Return the losses of a composition of randomised responses in ascending order, with their probabilities under the
    first (side 1) or the second (side -1) distribution. If `least` is given, smaller losses are left out."""
    loss = np.array([0 * ar.exp(0 * kinds[0][0]) if kinds else 0], dtype=ar.dtype)
    p, left = ar.exp(loss), sum((count * e for e, count in kinds), 0)
    alone = all(count == 1 for _, count in kinds)  # then the probability is a function of the loss
    for e, count in kinds:
        j, left = np.arange(count + 1).astype(loss.dtype), left - count * e
        loss = np.add.outer((2 * j - count) * e, loss).ravel()
        if not alone:
            weights = ar.exp(np.array([log_probability(ar, e, count, int(i)) for i in j], dtype=loss.dtype))
            p = np.multiply.outer(weights[::side], p).ravel()
        if least is not None:
            kept = loss >= least - left
            loss, p = loss[kept], p if alone else p[kept]
    if alone:
        loss, total = np.sort(loss), sum(e / 2 + ar.log1p(ar.exp(-e)) for e, _ in kinds)
        return loss, ar.exp(side * loss / 2 - total)
    order = np.argsort(loss)
    return loss[order], p[order]


@np.errstate(over="ignore")
def _reach(e: Array, d: Any) -> float:
    """Return a loss above which the probability is negligible by Hoeffding's inequality, at most the sum of all."""
    log_d = np.log(d) if d is not None and d > 0 else -700.0
    mean, spread = float((e * np.tanh(e / 2)).sum()), float((e * e).sum())
    return min(float(e.sum()), mean + np.sqrt(2 * spread * (30 - log_d)), LARGEST)


def _odds(e: float) -> tuple[float, float]:
    """Return the two output probabilities of randomised response."""
    other = np.exp(-e)
    return 1 / (1 + other), other / (1 + other)


@np.errstate(over="ignore")  # losses that overflow are above the reach anyway
def _split_profile(e: Array, reach: float, bins: int) -> Callable[[Any], Any]:
    """Return an upper bound on the profile: each outcome is split into two at the ends of its bin, and the outcomes
    above the reach count as revealing everything."""
    half = max(bins // 2, 2 * len(e))
    width = reach / (half - len(e))  # each mechanism may shift a loss up by one more bin
    p, revealed = np.zeros(2 * half + 1), 0.0
    p[half] = 1
    for epsilon in e:
        new = np.zeros_like(p)
        for loss, probability in zip((epsilon, -epsilon), _odds(epsilon), strict=True):
            low = int(np.floor(loss / width))
            upper = min(1.0, max(0.0, np.expm1(low * width - loss) / np.expm1(-width)))
            for shift, share in ((low, 1 - upper), (low + 1, upper)):
                weight = probability * share
                if shift >= 0:
                    new[shift:] += weight * p[: len(p) - shift]
                    revealed += weight * p[len(p) - shift :].sum()
                else:
                    new[:shift] += weight * p[-shift:]
                    new[0] += weight * p[:-shift].sum()
        p = new
    losses = width * np.arange(-half, half + 1)
    error = 8 * min(len(e) + bins + e.sum(), LARGEST) * np.finfo(float).eps  # of the weights and the losses
    return _binned_profile(losses, p, error, revealed * (1 + error))


@np.errstate(over="ignore")  # losses that overflow are above the reach anyway
def _merged_profile(e: Array, reach: float, bins: int) -> Callable[[Any], Any]:
    """Return a lower bound on the profile: all outcomes of a bin are merged, and those below -reach are dropped."""
    width = 2 * reach / bins
    loss: Array = np.zeros(1)
    p: Array = np.ones(1)
    for epsilon in e:
        loss = np.concatenate([loss + epsilon, loss - epsilon])
        p = np.concatenate([p * probability for probability in _odds(epsilon)])
        index = np.minimum(np.floor((loss + reach) / width), bins - 1)
        inside = (index >= 0) & (p > 0)
        loss, p, bin_ = loss[inside], p[inside], index[inside].astype(int)
        edges = width * np.arange(bins) - reach
        q = np.bincount(bin_, p * np.exp(edges[bin_] - loss), bins)  # relative to the value at the bin's lower end
        p = np.bincount(bin_, p, bins)
        kept = q > 0
        loss, p = edges[kept] + np.log(p[kept] / q[kept]), p[kept]
    error = 8 * (len(e) * (1 + reach) + bins) * np.finfo(float).eps  # losses are rounded at each step
    return _binned_profile(loss, p, -error, 0.0)


def _binned_profile(losses: Array, p: Array, error: float, revealed: float) -> Callable[[Any], Any]:
    """Return the function log sum p (1 - exp(x - losses))_+, with `error` times the p of its positive terms and
    `revealed` added to the sum."""

    def log_profile(x: float) -> float:
        above = losses > x
        total = revealed + (p[above] * (error - np.expm1(x - losses[above]))).sum()
        return float(np.log(min(1.0, total))) if total > 0 else -np.inf

    return log_profile
