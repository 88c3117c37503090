"""The privacy profile of k-fold randomised response: sums over the number of successes, which is binomial."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isqrt
from typing import Any

import mpmath
import numpy as np

from krdtheory.arithmetic import FLOAT64, MP, Arithmetic
from krdtheory.arithmetic.base import Array
from krdtheory.privacy.guarantees import UNIT
from krdtheory.privacy.roots import increasing_root

EXACT = MP(40)


def log_profile_of_responses(ar: Arithmetic, e: Any, k: int, x: Any) -> Any:
    """Return log delta_0(x) of k-fold randomised response, delta_0(x) being the sum over j with 2 j - k > x / e of the
    probability of j successes times 1 - exp(x - (2 j - k) e)."""
    context = ar.wide.context
    step, level = context.convert(e), context.convert(x)
    if not k * step > abs(level):  # a constant loss, or all losses on one side of x
        return ar.log(-ar.expm1(x)) if x < 0 else -ar.inf
    first = min(k, max(0, int(context.floor((level / step + k) / 2)) + 1))
    # the distance from x to the least loss above it, which cancels where both are large and so is taken before rounding
    gap = (2 * first - k) * step - level
    gap = ar.number(gap)
    mode = min(k, int((k + 1) / (1 + ar.exp(-e))))
    anchor = max(first, mode)
    one = ar.exp(0 * e)
    parts = _run(ar, e, k, gap, first, anchor, k + 1, one)
    parts += _run(ar, e, k, gap, first, anchor - 1, first - 1, one * anchor / (k - anchor + 1) * ar.exp(-e))
    total = sum(parts)
    return log_probability(ar, e, k, anchor) + ar.log(total) if total > 0 else -ar.inf


def wide(x: Any) -> Any:
    """Convert an mpmath number to extended precision, to 0 where it would underflow."""
    return np.longdouble(mpmath.nstr(x, 30) if mpmath.mag(x) > np.finfo(np.longdouble).minexp else 0)


def first_above(e: float, k: int, x: float) -> int:
    """Return the least number of successes whose loss is above x, or k if there is none."""
    context = EXACT.context
    return min(k, max(0, int(context.floor((context.mpf(float(x)) / context.mpf(float(e)) + k) / 2)) + 1))


@np.errstate(all="ignore")
def success_sums(e: float, k: int, x: float, low: int, high: int) -> tuple[Any, Any, Any, Any]:
    """Return sums over low, ..., high successes of k-fold randomised response, in extended precision, and a bound on
    their relative error: those of the probabilities times 1 - e^(x-l), times e^(x-l) and times 1, l being the loss. The
    bound covers the first sum only if all losses are above x, and the second unless weights that are negligible in the
    third make it up."""
    step, odds = np.longdouble(e), EXACT.context.mpf(float(e))
    gap = wide((2 * low - k) * odds - EXACT.context.mpf(float(x)))
    anchor = min(high, max(low, min(k, int((k + 1) / (1 + np.exp(-e))))))
    one = step * 0 + 1
    runs = ((anchor, high + 1, one), (anchor - 1, low - 1, one * anchor / (k - anchor + 1) * np.exp(-step)))
    gain = kept = mass = steps = 0 * step
    for start, end, weight in runs:
        for j, factors in _weights(FLOAT64, step, k, start, end, weight):
            steps = steps + factors.astype(float) @ abs(j - anchor)  # only for the bound, so float64 will do
            row = isqrt(len(j)) + 1  # rows of losses a + b with 1 - e^-(a + b) = (1 - e^-a) + e^-a (1 - e^-b)
            rows = np.zeros((len(j) // row + 1, row), np.longdouble)
            rows.ravel()[: len(j)] = factors if end > start else factors[::-1]
            a = gap + 2 * (j.min() - low + row * np.arange(len(rows))) * step
            b = 2 * np.arange(row) * step
            masses, decay = rows.sum(1), np.exp(-a)
            gain = gain + (masses * -np.expm1(-a)).sum() + (decay * (rows * -np.expm1(-b)).sum(1)).sum()
            kept = kept + (decay * (rows * np.exp(-b)).sum(1)).sum()
            mass = mass + masses.sum()
    scale = wide(EXACT.context.exp(log_probability(EXACT, odds, k, anchor)))
    return scale * gain, scale * kept, scale * mass, (4 * steps / mass + 48) * UNIT


def tail_sums(e: float, k: int, x: float) -> tuple[Any, Any, Any]:
    """Return the sums over the losses l above x of the probabilities times 1 - e^(x-l) and times e^(x-l), and a bound
    on their relative error."""
    zero = np.longdouble(0)
    if not k * mpmath.mpf(float(e)) > abs(x):
        return (-np.expm1(zero + x), np.exp(zero + x), 8 * UNIT) if x < 0 else (zero, zero, zero)
    gain, kept, _, error = success_sums(e, k, x, first_above(e, k, x), k)
    return gain, kept, error


@np.errstate(over="ignore")
def _weights(ar: Arithmetic, e: Any, k: int, start: int, end: int, weight: Any) -> Iterator[tuple[Array, Array]]:
    """Yield numbers of successes from `start` up or down to `end`, in blocks, with their relative probabilities, of
    which the first is `weight`, until these are negligible."""
    step = 1 if end >= start else -1
    negligible = 10.0 ** -(ar.digits + 11)
    length = max(isqrt(k), min(4 * isqrt(k), 2**12)) + 64  # a block, with few terms in vain at the end
    while (end - start) * step > 0 and weight > negligible:
        stop = min(end, start + length) if step == 1 else max(end, start - length)
        j = np.arange(start, stop, step).astype(ar.dtype)
        grow = ar.exp(min(e, ar.max_exponent)) * (k - j) / (j + 1) if step == 1 else ar.exp(-e) * j / (k - j + 1)
        factors = np.multiply.accumulate(np.concatenate([[weight], grow]))
        yield j, factors[:-1]
        weight, start = factors[-1], start + step * len(j)


def _run(ar: Arithmetic, e: Any, k: int, gap: Any, first: int, start: int, end: int, weight: Any) -> list[Any]:
    """Return the sums of blocks of terms from `start` up or down to `end`, until these are negligible. The first term
    has relative probability `weight`; `gap` is the loss at `first` minus x."""
    weights = _weights(ar, e, k, start, end, weight)
    return [(factors * -ar.expm1(-gap - 2 * (j - first) * e)).sum() for j, factors in weights]


def log_probability(ar: Arithmetic, e: Any, k: int, j: int) -> Any:
    """Return the logarithm of the probability of j successes in k trials with log-odds e."""
    context = ar.wide.context
    f = context.loggamma
    ways = f(k + 1) - f(j + 1) - f(k - j + 1)
    odds = context.convert(e)
    value = ways - (k - j) * odds - k * context.log1p(context.exp(-odds))
    return ar.number(value)


def inverse_profile(ar: Arithmetic, log_profile: Callable[[Any], Any], d: Any, most: Any) -> Any:
    """Return the epsilon at which a privacy profile that vanishes from `most` on equals d."""
    if d < 0:
        return ar.inf
    if d == 0 or most == 0 or most == ar.inf:  # if k epsilon overflows, smaller losses have probability e^-epsilon = 0
        return most + ar.log1p(-d)
    low, log_d = ar.log1p(-d), ar.log(d)

    def excess(x: Array) -> Array:
        return np.array([log_d - log_profile(epsilon) for epsilon in x], dtype=x.dtype)

    ends = np.array([[low], [most]], dtype=ar.dtype)
    if excess(ends[0])[0] >= 0:  # possible for a lower bound on a profile, not for the profile itself
        return low
    if excess(ends[1])[0] <= 0:
        return most
    return increasing_root(ar, excess, ends[0], ends[1])[0]
