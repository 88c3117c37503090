r"""Composition: the privacy of k mechanisms together, each (epsilon, delta)-DP for a symmetric neighbour relation.

Every such pair of output distributions is a post-processing of the canonical pair, which with probability delta reveals
which of the two it is and otherwise is randomised response with log-odds epsilon (Kairouz, Oh and Viswanath 2015). So
the composition of the canonical pairs is the worst one, also when each mechanism is chosen after the outputs of the
earlier ones: `optimal_composition` and `heterogeneous_composition` compute its privacy, and `composition_bound` the
closed bounds of the literature.

Arguments are numbers or arrays that broadcast, and `arithmetic` is as in `krdtheory.privacy.conversions`. What is
outside the range given for it raises ValueError; what is not numeric, and a k that is no integer, TypeError.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from math import isqrt
from typing import Any

import mpmath
import numpy as np

from krdtheory.arithmetic import FLOAT64, MP, Arithmetic
from krdtheory.arithmetic.base import Array, reject
from krdtheory.privacy.conversions.arguments import as_bound, as_real, broadcast_arguments, clamped
from krdtheory.privacy.conversions.concentrated import best_order
from krdtheory.privacy.conversions.curves import pure_curve
from krdtheory.privacy.guarantees import UNIT, raised, relative, rounded_up, upper
from krdtheory.privacy.roots import increasing_root

__all__ = [
    "composition_bound",
    "heterogeneous_composition",
    "heterogeneous_composition_delta",
    "optimal_composition",
    "optimal_composition_delta",
]

METHODS = ("best", "basic", "dwork_rothblum_vadhan", "dwork_rothblum", "colisson", "tanh", "tanh_log", "renyi")
MOST_FOLDS = 10**9
_EXACT = MP(40)
LARGEST = 1e300  # that may be multiplied by a number of bins
MOST_SUMS, MOST_SUMS_MP = 2**20, 2**10  # of losses in either half


# k mechanisms of one kind


def optimal_composition(
    *,
    epsilon: Any,
    delta: Any,
    k: Any,
    total_delta: Any,
    nonnegative: bool = False,
    arithmetic: Arithmetic = FLOAT64,
) -> Any:
    r"""The least epsilon of k (epsilon, delta)-DP mechanisms together at a total delta.

    The inverse of `optimal_composition_delta`: with :math:`d = 1 - (1-\delta_{tot})/(1-\delta)^k` it is

    .. math:: \max_l \log \frac{A_l - d}{B_l}

    where A_l and B_l are the probabilities that binomials of k trials with success probabilities
    :math:`e^\varepsilon/(1+e^\varepsilon)` and :math:`1/(1+e^\varepsilon)` are at least l.

    Parameters
    ----------
    epsilon : array_like
        Of each mechanism: finite and >= 0.
    delta : array_like
        Of each mechanism: in [0, 1).
    k : array_like of int
        Number of mechanisms, from 1 to 10^9.
    total_delta : array_like
        In [0, 1).
    nonnegative : bool
        Return 0 where the result is negative, as it may be for a large `total_delta`.
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        The epsilon in nats; k epsilon where d = 0, and +inf where d < 0, as no epsilon is guaranteed there.

    References
    ----------
    Kairouz, Oh and Viswanath (2015), Theorem 3.3.

    Notes
    -----
    In float64 the result is never below the true value, and above it by what rounding costs a tail of k terms: 2 units
    in the last place up to k = 10^5 or so, sqrt(k) / 1000 beyond, and more where epsilon is near 0 or negative, as
    there delta hardly depends on it.

    Examples
    --------
    >>> from krdtheory.privacy.composition import optimal_composition
    >>> round(float(optimal_composition(epsilon=0.1, delta=1e-6, k=100, total_delta=1.01e-4)), 9)
    4.773898543
    >>> optimal_composition(epsilon=1, delta=0, k=[1, 5], total_delta=[0.01, 0.001]).round(9).tolist()
    [0.986226789, 4.995199559]
    """
    ar = arithmetic
    total = _below_one(ar, total_delta, "total_delta")
    e, d, n, total = broadcast_arguments(**_mechanisms(ar, epsilon, delta, k), total_delta=total)
    left = _unrevealed(ar, d, n, total)
    value = np.empty(e.shape, dtype=object if ar.exact_input else float)
    for index in np.ndindex(e.shape):
        one, fold = e[index], int(n[index])
        with np.errstate(over="ignore"):
            most = one * fold
        value[index] = _inverse(ar, partial(_log_profile, ar, one, fold), left[index], most)
        if not ar.exact_input and value[index] < np.inf:
            value[index] = _epsilon_above(one, fold, d[index], total[index], value[index])
    return ar.result(clamped(value, nonnegative))


def optimal_composition_delta(
    *, epsilon: Any, delta: Any, k: Any, total_epsilon: Any, arithmetic: Arithmetic = FLOAT64
) -> Any:
    r"""The least delta of k (epsilon, delta)-DP mechanisms together at a total epsilon.

    .. math:: 1 - (1-\delta)^k (1-\delta_0), \qquad
       \delta_0 = \sum_l \binom{k}{l} \frac{(e^{l\varepsilon} - e^{\varepsilon_{tot} + (k-l)\varepsilon})_+}
       {(1+e^\varepsilon)^k}

    Parameters
    ----------
    epsilon, delta, k
        As `optimal_composition`; delta = 1 is allowed.
    total_epsilon : array_like
        Any real number.
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        The total delta, in [0, 1].

    Notes
    -----
    The sum has positive terms only. Its largest one is found in multiprecision and the others from ratios of
    neighbours, so that nothing cancels and nothing overflows for k up to 10^9. In float64 the result is never below the
    true value, and above it by 2 units in the last place up to k = 10^5 or so, sqrt(k) / 1000 beyond.

    References
    ----------
    Kairouz, Oh and Viswanath (2015), Theorem 3.3.

    Examples
    --------
    >>> from krdtheory.privacy.composition import optimal_composition_delta
    >>> optimal_composition_delta(epsilon=1, delta=0, k=2, total_epsilon=[0, 1, 2]).round(12).tolist()
    [0.46211715726, 0.337834712147, 0.0]
    """
    ar = arithmetic
    total = as_real(ar, total_epsilon, "total_epsilon")
    e, d, n, total = broadcast_arguments(**_mechanisms(ar, epsilon, delta, k, most=1), total_epsilon=total)
    value = np.empty(e.shape, dtype=object if ar.exact_input else float)
    for index in np.ndindex(e.shape):
        one, fold = e[index], int(n[index])
        if ar.exact_input:
            log_delta = np.asarray([_log_profile(ar, one, fold, total[index])])
            value[index] = _with_revealed(ar, d[index], n[index], log_delta)[0]
        else:
            value[index] = _delta_above(one, fold, d[index], total[index])
    return ar.result(value)


def composition_bound(
    *,
    epsilon: Any,
    delta: Any,
    k: Any,
    total_delta: Any,
    method: str = "best",
    arithmetic: Arithmetic = FLOAT64,
) -> Any:
    r"""An epsilon of k (epsilon, delta)-DP mechanisms together at a total delta, by a theorem of the literature.

    With what the revealing outcomes leave of the total delta, :math:`d = 1 - (1-\delta_{tot})/(1-\delta)^k`, at least
    the :math:`\delta_{tot} - k\delta` of the first theorems, and :math:`S = \varepsilon\sqrt{2k\log(1/d)}`:

    - ``"basic"``: :math:`k\varepsilon`;
    - ``"dwork_rothblum_vadhan"``: :math:`k\varepsilon(e^\varepsilon - 1) + S`;
    - ``"dwork_rothblum"``: :math:`k\varepsilon(e^\varepsilon - 1)/2 + S`;
    - ``"colisson"``: :math:`k\varepsilon^2/2 + S` (Theorem 20);
    - ``"tanh"``: :math:`k\varepsilon\tanh(\varepsilon/2) + S`;
    - ``"tanh_log"``: the same with :math:`\log(e + \sqrt{k}\varepsilon/d)` for :math:`\log(1/d)`;
    - ``"renyi"``: k times the Renyi curve of randomised response, `pure_to_rdp`, at the best order by the optimal
      conversion of `rdp_to_approximate_dp`;
    - ``"best"``: the least of them, never below `optimal_composition`.

    Parameters
    ----------
    epsilon, delta, k, total_delta
        As `optimal_composition`.
    method : str
        One of those above.
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        The epsilon in nats, negative for a large `total_delta` by "renyi" and "best" only; +inf where d < 0 and, but
        for "basic" and "best", where d = 0. In float64 never below the value of the bound, and at most 2 units in the
        last place above it; "renyi" searches for its order and is a few units above, and more where epsilon and the
        deltas are all about 1e-16 or less.

    Raises
    ------
    ValueError
        An unknown method.

    References
    ----------
    Dwork, Rothblum and Vadhan (2010); Dwork and Rothblum (2016); Colisson (2016), Theorem 20; Kairouz, Oh and Viswanath
    (2015), Theorem 3.4.

    Examples
    --------
    >>> from krdtheory.privacy.composition import composition_bound
    >>> for method in "basic", "dwork_rothblum_vadhan", "colisson", "tanh", "renyi":
    ...     bound = composition_bound(epsilon=0.01, delta=0, k=1000, total_delta=1e-9, method=method)
    ...     print(method, round(float(bound), 9))
    basic 10.0
    dwork_rothblum_vadhan 2.136343798
    colisson 2.085842127
    tanh 2.085841711
    renyi 1.875456373
    """
    ar = arithmetic
    if method not in METHODS:
        reject("method", method, f"one of {', '.join(METHODS)}")
    total = _below_one(ar, total_delta, "total_delta")
    e, d, n, total = broadcast_arguments(**_mechanisms(ar, epsilon, delta, k), total_delta=total)
    left = _unrevealed(ar, d, n, total)
    with np.errstate(over="ignore"):
        whole = upper(ar, relative(lambda ar, n, e: n * e), n, e)
        basic = np.where(left >= 0, whole, ar.inf)
    if method == "basic":
        return ar.result(basic)
    some = (left > 0) & (basic < ar.inf)  # elsewhere the bounds are infinite, or beyond the largest float
    names = [m for m in METHODS if m not in ("best", "basic")] if method == "best" else [method]
    bounds = []
    for name in names:
        bound = np.full_like(basic, ar.inf)
        if some.any():
            with np.errstate(over="ignore"):
                bound[some] = _bound_above(ar, name, *(x[some] for x in (e, d, n, total, left)))
        bounds.append(bound)
    if method == "best":
        bounds.append(basic)
    value = bounds[0]
    for bound in bounds[1:]:
        value = np.minimum(value, bound)
    return ar.result(value)


def _bound_above(ar: Arithmetic, method: str, e: Array, d: Array, n: Array, total: Array, slack: Array) -> Array:
    """`_bound_of`, in float64 rounded up: from a smaller slack and an error of a few units."""
    if ar.exact_input:
        return _bound_of(ar, method, e, n, slack)
    if method == "renyi":
        found = _bound_of(ar, method, e, n, np.nextafter(slack, 0))
        return np.where(e > 0, found, upper(ar, _of_nothing, d, n, total))

    def formula(ar: Arithmetic, e: Array, d: Array, n: Array, total: Array) -> tuple[Array, Array]:
        shown, hidden = ar.log1p(-total), n * ar.log1p(-d)
        left = -ar.expm1(np.minimum(shown - hidden, 1))
        some = left > 0
        left = np.where(some, left, 0.5)
        value = _bound_of(ar, method, e, n, left)
        error = (abs(shown) + abs(hidden)) / left
        return value, value * (8 + error / np.where(left < 0.5, -ar.log(left), (1 - left)))

    return upper(ar, formula, e, d, n, total)


def _bound_of(ar: Arithmetic, method: str, e: Array, n: Array, slack: Array) -> Array:
    if method == "renyi":
        positive = np.where(e > 0, e, 1)
        middle = ar.log(-2 * ar.log(slack) / n) / 2 - ar.log(positive)
        low = np.minimum(middle, 0) - 12
        high = np.maximum(middle, 0) + 12
        value = best_order(ar, _responses, slack, low, high, positive, n)
        return np.where(e > 0, value, ar.log1p(-slack))
    half = -ar.expm1(-e) / (1 + ar.exp(-e))  # tanh(e / 2)
    log_term = ar.log(ar.exp(0 * e + 1) + ar.sqrt(n) * e / slack) if method == "tanh_log" else -ar.log(slack)
    spread = e * ar.sqrt(2 * n * log_term)
    if method.startswith("tanh"):
        return n * e * half + spread
    if method == "colisson":
        return n * e * e / 2 + spread
    grown = np.where(e < ar.max_exponent, ar.expm1(np.where(e < ar.max_exponent, e, 0)), ar.inf)
    return n * e * (grown if method == "dwork_rothblum_vadhan" else grown / 2) + spread


def _of_nothing(ar: Arithmetic, d: Array, n: Array, total: Array) -> tuple[Array, Array]:
    """The epsilon where every one is 0: log(1 - total) less that of what is revealed."""
    shown, hidden = ar.log1p(-total), n * ar.log1p(-d)
    return shown - hidden, abs(shown) + abs(hidden)


def _responses(ar: Arithmetic, a: Array, e: Array, n: Array) -> Array:
    return n * pure_curve(ar, e, a)


def _log_profile(ar: Arithmetic, e: Any, k: int, x: Any) -> Any:
    """log of delta_0(x) of k-fold randomised response: the sum over j with 2 j - k > x / e of the probability of j
    successes times 1 - exp(x - (2 j - k) e)."""
    context = _context(ar)
    step, level = context.convert(e), context.convert(x)
    if not k * step > abs(level):  # a constant loss, or all losses on one side of x
        return ar.log(-ar.expm1(x)) if x < 0 else -ar.inf
    first = min(k, max(0, int(context.floor((level / step + k) / 2)) + 1))
    gap = (2 * first - k) * step - level  # of the least loss above x to x: where they are large, not to be rounded
    gap = gap if ar.exact_input else float(gap)
    mode = min(k, int((k + 1) / (1 + ar.exp(-e))))
    anchor = max(first, mode)
    one = ar.exp(0 * e)
    parts = _run(ar, e, k, gap, first, anchor, k + 1, one)
    parts += _run(ar, e, k, gap, first, anchor - 1, first - 1, one * anchor / (k - anchor + 1) * ar.exp(-e))
    total = sum(parts)
    return _log_probability(ar, e, k, anchor) + ar.log(total) if total > 0 else -ar.inf


def _wide(x: Any) -> Any:
    """A number of mpmath in extended precision, 0 where it is below its range."""
    return np.longdouble(mpmath.nstr(x, 30) if mpmath.mag(x) > np.finfo(np.longdouble).minexp else 0)


def _first_above(e: float, k: int, x: float) -> int:
    """The least number of successes whose loss is above x, or k."""
    context = _EXACT.context
    return min(k, max(0, int(context.floor((context.mpf(float(x)) / context.mpf(float(e)) + k) / 2)) + 1))


@np.errstate(all="ignore")
def _sums(e: float, k: int, x: float, low: int, high: int) -> tuple[Any, Any, Any, Any]:
    """Of k-fold randomised response, in extended precision: the sums over low, ..., high successes, of losses l, of the
    probabilities times 1 - e^(x-l), times e^(x-l) and times 1, and a bound on their relative error."""
    step, odds = np.longdouble(e), _EXACT.context.mpf(float(e))
    gap = _wide((2 * low - k) * odds - _EXACT.context.mpf(float(x)))
    anchor = min(high, max(low, min(k, int((k + 1) / (1 + np.exp(-e))))))
    one = step * 0 + 1
    runs = ((anchor, high + 1, one), (anchor - 1, low - 1, one * anchor / (k - anchor + 1) * np.exp(-step)))
    gain = kept = mass = steps = 0 * step
    for start, end, weight in runs:
        for j, factors in _weights(FLOAT64, step, k, start, end, weight):
            loss = gap + 2 * (j - low) * step
            gain = gain + (factors * -np.expm1(-loss)).sum()
            kept = kept + (factors * np.exp(-loss)).sum()
            mass = mass + factors.sum()
            steps = steps + (factors * abs(j - anchor)).sum()
    scale = _wide(_EXACT.context.exp(_log_probability(_EXACT, odds, k, anchor)))
    return scale * gain, scale * kept, scale * mass, (4 * steps / mass + 32) * UNIT


def _tail(e: float, k: int, x: float) -> tuple[Any, Any, Any]:
    """The sums over the losses above x of the probabilities times 1 - e^(x-l) and times e^(x-l), and a bound on their
    relative error."""
    zero = np.longdouble(0)
    if not k * mpmath.mpf(float(e)) > abs(x):
        return (-np.expm1(zero + x), np.exp(zero + x), 8 * UNIT) if x < 0 else (zero, zero, zero)
    gain, kept, _, error = _sums(e, k, x, _first_above(e, k, x), k)
    return gain, kept, error


def _delta_above(e: Any, k: int, d: Any, x: Any) -> float:
    """The total delta in float64, not below the true one."""
    if d == 1:
        return 1.0
    gain, _, error = _tail(e, k, x)
    if d == gain == 0 and k * mpmath.mpf(float(e)) <= x:
        return 0.0
    gain = min(gain * (1 + error) + np.finfo(np.longdouble).tiny, np.longdouble(1))
    hidden = k * np.log1p(-np.longdouble(d)) + FLOAT64.log1p(-gain)
    return min(float(rounded_up(-np.expm1(hidden) * (1 + 8 * UNIT))), 1.0)


def _epsilon_above(e: Any, k: int, d: Any, total: Any, near: Any) -> float:
    """The total epsilon in float64, not below the true one, near which it is.

    The profile is convex in e^x, so that its tangents, p - e^x q of an event, are zero below its root, and one of those
    at the float64 numbers about the root is it.
    """
    context = MP(80).context
    log_hidden = k * context.log1p(-context.mpf(float(d)))
    left = -context.expm1(context.log1p(-context.mpf(float(total))) - log_hidden)
    top = k * context.mpf(float(e))
    if left == 0 or e == 0:
        return float(rounded_up(raised(top + context.log1p(-left), 70)))
    share, rest = _wide(left), _wide(1 - left)

    def tangent(x: float) -> tuple[Any, Any]:
        gain, kept, error = _tail(e, k, x)
        if not kept > 0 and gain > share:  # the least loss above x is so large that no other one counts
            first = _first_above(e, k, x)
            value = _wide((2 * first - k) * context.mpf(float(e)) - _log_probability(MP(80), e, k, first))
            value = value + np.log(gain - share)
            return value, 8 * UNIT * abs(value)
        if not kept > 0:
            return np.longdouble(x), 0
        if share < 0.5:
            value = x + np.log1p((gain - share) / kept)
            return value, error * gain / kept + 4 * UNIT * (share / kept + abs(value))
        below, first = 0 * kept, _first_above(e, k, x)  # no more than the rest
        if top > abs(x) and first > 0:
            below, low_error = _sums(e, k, x, 0, first - 1)[2:]
            error = error + low_error * below / abs(rest - below)
        value = x + np.log((rest - below) / kept)
        return value, error + 4 * UNIT * (rest / abs(rest - below) + abs(x) + abs(value))

    for _ in range(3):
        value = tangent(near)[0]
        near = float(value) if np.isfinite(value) else near
    about = (np.nextafter(near, -np.inf), near, np.nextafter(near, np.inf))
    most = float(rounded_up(raised(top, 70)))
    return min(float(rounded_up(np.nanmax([sum(tangent(float(x))) for x in about]))), most)


@np.errstate(over="ignore")
def _weights(ar: Arithmetic, e: Any, k: int, start: int, end: int, weight: Any) -> Iterator[tuple[Array, Array]]:
    """Numbers of successes from start up or down to end, with their probabilities relative to one of them, the first
    of which is `weight`, until they are negligible."""
    step = 1 if end >= start else -1
    negligible = 10.0 ** -(getattr(ar, "digits", 16) + 10)
    length = 4 * isqrt(k) + 64
    while (end - start) * step > 0 and weight > negligible:
        j = np.arange(start, end, step)[:length].astype(object if ar.exact_input else float)
        grow = ar.exp(min(e, ar.max_exponent)) * (k - j) / (j + 1) if step == 1 else ar.exp(-e) * j / (k - j + 1)
        factors = np.multiply.accumulate(np.concatenate([[weight], grow]))
        yield j, factors[:-1]
        weight, start = factors[-1], start + step * len(j)


def _run(ar: Arithmetic, e: Any, k: int, gap: Any, first: int, start: int, end: int, weight: Any) -> list[Any]:
    """Sums of the terms from start up or down to end, the first of relative probability `weight`, until they are
    negligible; `gap` is the loss less x at `first`."""
    weights = _weights(ar, e, k, start, end, weight)
    return [(factors * -ar.expm1(-gap - 2 * (j - first) * e)).sum() for j, factors in weights]


def _context(ar: Arithmetic) -> Any:
    """A context of mpmath, for what float64 would round too much."""
    return (ar if ar.exact_input else _EXACT).context  # type: ignore[attr-defined]


def _log_probability(ar: Arithmetic, e: Any, k: int, j: int) -> Any:
    """log of the probability of j successes in k trials at log-odds e."""
    context = _context(ar)
    f = context.loggamma
    ways = f(k + 1) - f(j + 1) - f(k - j + 1)
    odds = context.convert(e)
    value = ways - (k - j) * odds - k * context.log1p(context.exp(-odds))
    return value if ar.exact_input else float(value)


def _inverse(ar: Arithmetic, log_profile: Callable[[Any], Any], d: Any, most: Any) -> Any:
    """The epsilon at which a profile, zero from `most` on, is d."""
    if d < 0:
        return ar.inf
    if d == 0 or most == 0 or most == ar.inf:  # k epsilon overflows: smaller losses have probability e^-epsilon = 0
        return most + ar.log1p(-d)
    low, log_d = ar.log1p(-d), ar.log(d)

    def excess(x: Array) -> Array:
        return np.array([log_d - log_profile(one) for one in x], dtype=x.dtype)

    ends = np.array([[low], [most]], dtype=object if ar.exact_input else float)
    if excess(ends[0])[0] >= 0:  # as a lower bound on a profile may have it: the profile itself has not
        return low
    if excess(ends[1])[0] <= 0:
        return most
    return increasing_root(ar, excess, ends[0], ends[1])[0]


# Mechanisms of different kinds


def heterogeneous_composition(
    *,
    epsilon: Any,
    delta: Any,
    total_delta: Any,
    nonnegative: bool = False,
    bins: int = 2**15,
    arithmetic: Arithmetic = FLOAT64,
) -> Any:
    """Bounds on the least epsilon of several (epsilon_i, delta_i)-DP mechanisms together at a total delta.

    The inverse of `heterogeneous_composition_delta`.

    Parameters
    ----------
    epsilon, delta, bins
        As `heterogeneous_composition_delta`; delta in [0, 1).
    total_delta : float
        In [0, 1).
    nonnegative : bool
        Return 0 where the result is negative.
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    array, shape (2,)
        A lower and an upper bound in nats; equal where the computation is exact, and then the value, in float64 rounded
        up. Both are +inf where no epsilon is guaranteed, and sum(epsilon) where only that is.

    Raises
    ------
    ValueError
        More sums than mpmath is to add.

    Examples
    --------
    >>> from krdtheory.privacy.composition import heterogeneous_composition
    >>> lower, upper = heterogeneous_composition(epsilon=[0.1, 0.2, 0.3], delta=[0, 0, 1e-6], total_delta=1e-2)
    >>> round(float(upper), 9), bool(lower == upper)
    (0.537802524, True)
    """
    ar = arithmetic
    total = _single(ar, _below_one(ar, total_delta, "total_delta"), "total_delta")
    e, deltas = _list(ar, epsilon, delta, below_one=True)
    d = _left(ar, total, sum(map(_context(ar).log1p, -deltas)))
    profiles = _profiles(ar, e, d, bins)
    room = _room(profiles, e)
    left = (d + room * total, max(d - room * total, 0)) if d >= 0 else (d, d)
    with np.errstate(over="ignore"):
        most = e.sum()
    value = [_inverse(ar, profile, part, most) for profile, part in zip(profiles, left, strict=True)]
    if room == 0 and not ar.exact_input and 0 < d < np.inf and value[1] > -np.inf:
        value = _by_exact_sums(e, deltas, total, value[1])
    return _pair_result(ar, clamped(_apart(value, room), nonnegative))


def heterogeneous_composition_delta(
    *, epsilon: Any, delta: Any, total_epsilon: Any, bins: int = 2**15, arithmetic: Arithmetic = FLOAT64
) -> Any:
    r"""Bounds on the least delta of several (epsilon_i, delta_i)-DP mechanisms together at a total epsilon.

    .. math:: 1 - (1-\delta_0)\prod_i (1-\delta_i), \qquad
       \delta_0 = \sum_{S} \frac{\left(e^{\sum_{i \in S}\varepsilon_i} -
       e^{\varepsilon_{tot} + \sum_{i \notin S}\varepsilon_i}\right)_+}{\prod_i (1+e^{\varepsilon_i})}

    Parameters
    ----------
    epsilon, delta : array_like, shape (n,)
        Of the mechanisms; epsilon finite and >= 0, delta in [0, 1]. Either may be one number for all.
    total_epsilon : float
        Any real number.
    bins : int
        Number of bins of the privacy loss where the sum is too long, at least 16; more are closer and slower. Float64
        only.
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    array, shape (2,)
        A lower and an upper bound; equal where the computation is exact, which it is, up to rounding, where the
        multisets of equal epsilons leave at most about 10^12 sums in float64 (40 different epsilons), 10^6 in mpmath.

    Raises
    ------
    ValueError
        More sums than mpmath is to add.

    Notes
    -----
    The exact sum is taken over pairs of halves, one of them sorted. Otherwise the privacy loss is kept in bins,
    mechanism by mechanism: merging the outcomes of a bin is a post-processing, which gives the lower bound; splitting
    each outcome into two at the bin's ends, so that both probabilities are kept, is the reverse of one and gives the
    upper bound. Both err by the square of the bin's width, and are widened by their rounding errors.

    References
    ----------
    Murtagh and Vadhan (2016), Theorem 1.5; Doroshenko, Ghazi, Kamath, Kumar and Manurangsi (2022) for the upper bound.

    Examples
    --------
    >>> from krdtheory.privacy.composition import heterogeneous_composition_delta
    >>> heterogeneous_composition_delta(epsilon=[0.5, 1], delta=0, total_epsilon=1).round(12).tolist()
    [0.179049889217, 0.179049889217]
    """
    ar = arithmetic
    x = _single(ar, as_real(ar, total_epsilon, "total_epsilon"), "total_epsilon")
    e, deltas = _list(ar, epsilon, delta, below_one=False)
    profiles = _profiles(ar, e, None, bins)
    logs = np.array([profile(x) for profile in profiles])
    room = _room(profiles, e)
    value = _apart(_delta_of(ar, deltas, logs), room)
    if room == 0 and not ar.exact_input:
        value = np.array(_by_exact_sums(e, deltas, x))
    return _pair_result(ar, np.where(value < 1, value, 1))


def _by_exact_sums(e: Array, deltas: Array, total: Any, near: float | None = None) -> list[float]:
    """The delta at the total epsilon, or the epsilon, which is near a number, at the total delta: in float64, twice,
    and not below the true one. Where mpmath is not to add so many losses, an interval by what rounding may cost."""

    def at(ar: MP) -> Any:
        epsilons, revealing = (ar.array(x, "list") for x in (e, deltas))
        if near is None:
            return _composed_delta(ar, epsilons, revealing, ar.array(float(total), "total")[()])
        hidden = sum(map(ar.context.log1p, -revealing))
        left = -ar.context.expm1(ar.context.log1p(-ar.context.mpf(float(total))) - hidden)
        profile, log_left = _profiles(ar, epsilons, left, 16)[1], ar.context.log(left)
        step = abs(near) * ar.context.mpf(2) ** -30 + ar.context.mpf(2) ** -60
        least = ar.context.log1p(-left)
        if profile(least) <= log_left:
            return least
        ends = np.array([[max(near - step, least)], [min(near + step, epsilons.sum())]], dtype=object)

        def excess(x: Array) -> Array:
            return np.array([log_left - profile(one) for one in x], dtype=object)

        return increasing_root(ar, excess, ends[0], ends[1], share=50 / ar.digits)[0]

    try:
        return [float(rounded_up(raised(at(MP(_digits(e))), 30)))] * 2
    except ValueError:  # too many sums for mpmath
        room = (2 * MOST_SUMS + 64) * np.finfo(float).eps
        if near is None:
            near = float(_composed_delta(FLOAT64, e, deltas, total))
            return [near * (1 - room), min(near * (1 + room), 1.0)]
        room *= abs(near) + 1
        return [near - room, near + room]


def _composed_delta(ar: Arithmetic, e: Array, deltas: Array, x: Any) -> Any:
    return np.minimum(_delta_of(ar, deltas, np.array([_profiles(ar, e, None, 16)[1](x)]))[0], 1)


def _delta_of(ar: Arithmetic, deltas: Array, logs: Array) -> Array:
    """1 - (1 - e^logs) prod (1 - deltas)."""
    return 0 - ar.expm1(ar.log1p(-deltas).sum() + ar.log1p(-ar.exp(np.minimum(logs, 0))))


def _room(profiles: list[Callable[[Any], Any]], e: Array) -> float:
    """What rounding may cost bounds, relatively, beside their profiles; nothing where the two are the same."""
    return 0.0 if profiles[0] is profiles[1] else (len(e) + 16) * float(np.finfo(float).eps)


def _apart(bounds: Any, room: float) -> Array:
    return np.array(
        [x + side * (room * abs(x) if abs(x) < np.inf else 0) for side, x in zip((-1, 1), bounds, strict=True)]
    )


def _pair_result(ar: Arithmetic, value: Array) -> Array:
    return value if ar.exact_input else value.astype(float)


def _profiles(ar: Arithmetic, e: Array, d: Any, bins: int) -> list[Callable[[Any], Any]]:
    """The logarithms of a lower and an upper bound on delta_0(x)."""
    e = e[e > 0]
    kinds = Counter(e)
    if len(kinds) == 1:
        profile: Callable[[Any], Any] = partial(_log_profile, ar, e[0], len(e))
        return [profile, profile]
    halves: list[list[tuple[Any, int]]] = [[], []]
    sizes = [1, 1]
    for one, count in kinds.most_common():
        small = int(sizes[1] < sizes[0])
        halves[small].append((one, count))
        sizes[small] *= count + 1
    limit = MOST_SUMS_MP if ar.exact_input else MOST_SUMS
    with np.errstate(over="ignore"):
        small = bool(e.sum() < ar.max_exponent)
    if max(sizes) <= limit and small:
        profile = _exact_profile(ar, *(_losses(ar, half) for half in halves))
        return [profile, profile]
    if not (ar.exact_input or small) and max(sizes) <= MOST_SUMS_MP:
        profile = _precise_profile(e, d, bins)
        return [profile, profile]
    if ar.exact_input:
        reject("epsilon", sizes[0] * sizes[1], "such that there are at most 10^6 sums of losses (this is their number)")
    if isinstance(bins, bool) or not isinstance(bins, (int, np.integer)) or bins < 16:
        reject("bins", bins, "an integer >= 16")
    reach = _reach(e, d)
    return [_merged_profile(e, reach, int(bins)), _split_profile(e, reach, 4 * int(bins))]


def _precise_profile(e: Array, d: Any, bins: int) -> Callable[[Any], Any]:
    """The exact one, where float64 has no exponents for it."""
    ar = MP(_digits(e))
    profile = _profiles(ar, ar.array(e, "epsilon"), d, bins)[0]
    return lambda x: float(profile(ar.context.mpf(float(x))))


def _digits(e: Array) -> int:
    """That tell sums of losses from each other."""
    sizes = np.log10(e[e > 0])
    return 70 + int(np.ptp(sizes)) if sizes.size else 50


def _losses(ar: Arithmetic, kinds: list[tuple[Any, int]]) -> tuple[Array, Array, Array]:
    """Losses of a composition of randomised responses, sorted, with their probabilities under both distributions."""
    one = np.array([ar.exp(0 * kinds[0][0]) if kinds else 1], dtype=object if ar.exact_input else float)
    loss, p, q = 0 * one, one, one
    for e, count in kinds:
        j = np.arange(count + 1).astype(loss.dtype)
        logs = np.array([_log_probability(ar, e, count, int(i)) for i in j], dtype=loss.dtype)
        weights = ar.exp(logs)
        loss = np.add.outer(loss, (2 * j - count) * e).ravel()
        p, q = np.multiply.outer(p, weights).ravel(), np.multiply.outer(q, weights[::-1]).ravel()
    order = np.argsort(loss)
    return loss[order], p[order], q[order]


def _exact_profile(
    ar: Arithmetic, first: tuple[Array, Array, Array], second: tuple[Array, Array, Array]
) -> Callable[[Any], Any]:
    """By the sums over m >= j of p_m (1 - exp(l_j - l_m)) and of p_m exp(l_j - l_m), whose terms are not negative."""
    (loss, p, _), (l2, _, q2) = first, second
    tail = ar.exp(l2) * q2[::-1].cumsum()[::-1]
    step = -ar.expm1(l2[:-1] - l2[1:]) * tail[1:]
    zero = 0 * tail[:1]
    above = np.concatenate([step[::-1].cumsum()[::-1], zero])
    l2, tail, above = np.append(l2, l2[-1]), np.append(tail, zero), np.append(above, zero)

    def log_profile(x: Any) -> Any:
        place = np.searchsorted(l2[:-1], x - loss, side="right")
        gap = x - loss - l2[place]
        inner = above[place] - ar.expm1(np.where(gap < 0, gap, 0)) * tail[place]
        total = (p * inner).sum()
        return ar.log(total) if total > 0 else -ar.inf

    return log_profile


@np.errstate(over="ignore")
def _reach(e: Array, d: Any) -> float:
    """A loss above which there is negligible probability (Hoeffding), and none to speak of beyond the sum."""
    log_d = np.log(d) if d is not None and d > 0 else -700.0
    mean, spread = float((e * np.tanh(e / 2)).sum()), float((e * e).sum())
    return min(float(e.sum()), mean + np.sqrt(2 * spread * (30 - log_d)), LARGEST)


def _odds(e: float) -> tuple[float, float]:
    """The probabilities of randomised response."""
    other = np.exp(-e)
    return 1 / (1 + other), other / (1 + other)


@np.errstate(over="ignore")  # losses that overflow are beyond every reach
def _split_profile(e: Array, reach: float, bins: int) -> Callable[[Any], Any]:
    """Every outcome split into two at the ends of its bin; above the reach, into one that reveals everything."""
    half = max(bins // 2, 2 * len(e))
    width = reach / (half - len(e))  # a split may go one bin further up, each time
    p, revealed = np.zeros(2 * half + 1), 0.0
    p[half] = 1
    for one in e:
        new = np.zeros_like(p)
        for loss, probability in zip((one, -one), _odds(one), strict=True):
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
    error = 8 * min(len(e) + bins + e.sum(), LARGEST) * np.finfo(float).eps  # of the weights, and of the losses
    return _binned_profile(losses, p, error, revealed * (1 + error))


@np.errstate(over="ignore")  # as above
def _merged_profile(e: Array, reach: float, bins: int) -> Callable[[Any], Any]:
    """All outcomes of a bin merged; what lies below the reach is left out."""
    width = 2 * reach / bins
    loss: Array = np.zeros(1)
    p: Array = np.ones(1)
    for one in e:
        loss = np.concatenate([loss + one, loss - one])
        p = np.concatenate([p * probability for probability in _odds(one)])
        index = np.minimum(np.floor((loss + reach) / width), bins - 1)
        inside = (index >= 0) & (p > 0)
        loss, p, bin_ = loss[inside], p[inside], index[inside].astype(int)
        edges = width * np.arange(bins) - reach
        q = np.bincount(bin_, p * np.exp(edges[bin_] - loss), bins)  # relative to that at the bin's end
        p = np.bincount(bin_, p, bins)
        kept = q > 0
        loss, p = edges[kept] + np.log(p[kept] / q[kept]), p[kept]
    error = 8 * (len(e) * (1 + reach) + bins) * np.finfo(float).eps  # losses are rounded at each step
    return _binned_profile(loss, p, -error, 0.0)


def _binned_profile(losses: Array, p: Array, error: float, revealed: float) -> Callable[[Any], Any]:
    """log of the sum of p (1 - exp(x - losses))_+ with an error relative to the sum of the p that are in it."""

    def log_profile(x: float) -> float:
        above = losses > x
        total = revealed + (p[above] * (error - np.expm1(x - losses[above]))).sum()
        return float(np.log(min(1.0, total))) if total > 0 else -np.inf

    return log_profile


# Arguments


def _mechanisms(ar: Arithmetic, epsilon: Any, delta: Any, k: Any, most: int = 0) -> dict[str, Array]:
    n = ar.parameter(k, "k", 1, MOST_FOLDS, f"an integer from 1 to {MOST_FOLDS}")
    for one in n.flat:
        if one != int(one):
            reject("k", one, f"an integer from 1 to {MOST_FOLDS}", TypeError)
    d = ar.parameter(delta, "delta", 0, 1, "in [0, 1]") if most else _below_one(ar, delta, "delta")
    return {"epsilon": as_bound(ar, epsilon, "epsilon"), "delta": d, "k": n}


def _below_one(ar: Arithmetic, value: Any, name: str) -> Array:
    x = ar.parameter(value, name, 0, 1, "in [0, 1)")
    if (x == 1).any():
        reject(name, value, "in [0, 1)")
    return x


def _list(ar: Arithmetic, epsilon: Any, delta: Any, below_one: bool) -> tuple[Array, Array]:
    """The epsilons and the deltas (n,)."""
    d = _below_one(ar, delta, "delta") if below_one else ar.parameter(delta, "delta", 0, 1, "in [0, 1]")
    e, d = broadcast_arguments(epsilon=as_bound(ar, epsilon, "epsilon"), delta=d)
    if e.ndim != 1 + ar.lifted or e.size == 0:
        reject("epsilon", e.shape[ar.lifted :], "a vector of at least one epsilon (this is its shape)")
    return e.ravel(), d.ravel()


def _single(ar: Arithmetic, value: Array, name: str) -> Any:
    if value.size != 1:
        reject(name, value.shape[ar.lifted :], "one number (this is its shape)")
    return value.flat[0]


def _left(ar: Arithmetic, total: Any, hidden: Any) -> Any:
    """What a total delta leaves, relatively, of log-probability `hidden` that no outcome reveals everything: with more
    digits, as the two may be nearly equal. Above 0 only its sign counts."""
    context = _context(ar)
    left = -context.expm1(min(context.log1p(-context.convert(total)) - hidden, 1))
    return left if ar.exact_input else float(left)


def _unrevealed(ar: Arithmetic, d: Array, n: Array, total: Array) -> Array:
    """What the total delta leaves, relatively, after the outcomes that reveal everything."""
    context = _context(ar)

    def left(one: Any, fold: Any, most: Any) -> Any:
        return _left(ar, most, int(fold) * context.log1p(-context.convert(one)))

    value = np.asarray(np.frompyfunc(left, 3, 1)(d, n, total), dtype=object)
    return value if ar.exact_input else value.astype(float)


def _with_revealed(ar: Arithmetic, d: Array, n: Array, log_delta: Array) -> Array:
    certain = (d == 1) | (log_delta >= 0)
    hidden = ar.log1p(-ar.exp(np.where(certain, -ar.inf, log_delta)))
    return np.where(certain, 1, -ar.expm1(n * ar.log1p(-np.where(certain, 0, d)) + hidden))
