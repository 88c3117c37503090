"""Composition of mechanisms with different parameters."""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from krdtheory.arithmetic import FLOAT64, MP, Arithmetic, Float64
from krdtheory.arithmetic.base import Array, Vector, reject
from krdtheory.privacy.composition.arguments import checked_below_one, share_left
from krdtheory.privacy.composition.binomial import inverse_profile
from krdtheory.privacy.composition.losses import MOST_SUMS, ManyPairSums, digits_of, log_profiles
from krdtheory.privacy.composition.pair_sums import PairSums
from krdtheory.privacy.conversions.arguments import as_bound, as_real, broadcast_arguments, clamped
from krdtheory.privacy.guarantees import raised, rounded_up
from krdtheory.privacy.roots import increasing_root, tolerance


def heterogeneous_composition(
    *,
    epsilon: ArrayLike,
    delta: ArrayLike,
    total_delta: ArrayLike,
    nonnegative: bool = False,
    bins: int = 2**15,
    arithmetic: Arithmetic = FLOAT64,
) -> Vector:
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
        A lower and an upper bound in nats. Where the computation is exact both are the value, in float64 rounded up.
        Both are +inf where no epsilon is guaranteed, and sum(epsilon) where no smaller one is.

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
    total = _single(ar, checked_below_one(ar, total_delta, "total_delta"), "total_delta")
    e, deltas = _list(ar, epsilon, delta, below_one=True)
    d = share_left(ar, total, sum(map(ar.wide.context.log1p, -deltas)))
    profiles = log_profiles(ar, e, d, bins)
    room = _room(profiles, e)
    left = (d + room * total, max(d - room * total, 0)) if d >= 0 else (d, d)
    with np.errstate(over="ignore"):
        most = e.sum()
    if profiles[0] is profiles[1]:
        value = [_inverse(ar, profiles[0], left[0], most)] * 2
    else:
        value = [inverse_profile(ar, profile, part, most) for profile, part in zip(profiles, left, strict=True)]
    if room == 0 and 0 < d < np.inf and value[1] > -np.inf:
        value = _by_exact_sums(ar, e, deltas, total, value, inverse=True)
    return _pair_result(ar, clamped(_apart(value, room), nonnegative))


def heterogeneous_composition_delta(
    *,
    epsilon: ArrayLike,
    delta: ArrayLike,
    total_epsilon: ArrayLike,
    bins: int = 2**15,
    arithmetic: Arithmetic = FLOAT64,
) -> Vector:
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
    profiles = log_profiles(ar, e, None, bins)
    low = profiles[0](x)
    logs = np.array([low, low if profiles[0] is profiles[1] else profiles[1](x)])
    room = _room(profiles, e)
    value = _apart(_delta_of(ar, deltas, logs), room)
    if room == 0:
        value = np.array(_by_exact_sums(ar, e, deltas, x, value))
    return _pair_result(ar, np.where(value < 1, value, 1 + 0 * value))


def _inverse(ar: Arithmetic, profile: Callable[[Any], Any], d: Any, most: Any) -> Any:
    """Return `inverse_profile`; if there are many sums, only those that matter near the root are formed."""
    if isinstance(profile, ManyPairSums) and d > 0 and (root := profile.root(d, tolerance(ar, 0.9))) is not None:
        return root
    return inverse_profile(ar, profile, d, most)


@singledispatch
def _by_exact_sums(ar: Arithmetic, e: Array, deltas: Array, total: Any, value: Any, inverse: bool = False) -> Any:
    """Refine `value`: two bounds on the delta at a total epsilon or (`inverse`) on the epsilon at a total delta."""
    return value


@_by_exact_sums.register(Float64)
def _by_exact_sums_in_float64(
    ar: Float64, e: Array, deltas: Array, total: Any, value: Any, inverse: bool = False
) -> list[float]:
    """Recompute the value in multiprecision and round it up. If there are too many sums for that, widen it by a bound
    on the rounding error."""
    near = value[1]

    def at(ar: MP) -> Any:
        epsilons, revealing = (ar.array(x, "list") for x in (e, deltas))
        if not inverse:
            return _composed_delta(ar, epsilons, revealing, ar.array(float(total), "total")[()])
        hidden = sum(map(ar.context.log1p, -revealing))
        left = -ar.context.expm1(ar.context.log1p(-ar.context.mpf(float(total))) - hidden)
        profile, log_left = log_profiles(ar, epsilons, left, 16)[1], ar.context.log(left)
        step = abs(near) * ar.context.mpf(2) ** -30 + ar.context.mpf(2) ** -60
        least = ar.context.log1p(-left)
        if profile(least) <= log_left:
            return least
        if isinstance(profile, PairSums):
            root = profile.newton(left, max(near - step, least), tolerance(ar, 50 / ar.digits))
            if root is not None:
                return root
        ends = np.array([[max(near - step, least)], [min(near + step, epsilons.sum())]], dtype=object)

        def excess(x: Array) -> Array:
            return np.array([log_left - profile(epsilon) for epsilon in x], dtype=object)

        return increasing_root(ar, excess, ends[0], ends[1], share=50 / ar.digits)[0]

    try:
        return [float(rounded_up(raised(at(MP(digits_of(e))), 30)))] * 2
    except ValueError:  # too many sums for mpmath
        room = (2 * MOST_SUMS + 64) * np.finfo(float).eps
        if not inverse:
            return [near * (1 - room), min(near * (1 + room), 1.0)]
        room *= abs(near) + 1
        return [near - room, near + room]


def _composed_delta(ar: Arithmetic, e: Array, deltas: Array, x: Any) -> Any:
    return np.minimum(_delta_of(ar, deltas, np.array([log_profiles(ar, e, None, 16)[1](x)]))[0], 1)


def _delta_of(ar: Arithmetic, deltas: Array, logs: Array) -> Array:
    """Return 1 - (1 - e^logs) prod (1 - deltas)."""
    return 0 - ar.expm1(ar.log1p(-deltas).sum() + ar.log1p(-ar.exp(np.minimum(logs, 0))))


def _room(profiles: list[Callable[[Any], Any]], e: Array) -> float:
    """Return a bound on the relative rounding error outside the profiles; 0 if both profiles are the same."""
    return 0.0 if profiles[0] is profiles[1] else (len(e) + 16) * float(np.finfo(float).eps)


def _apart(bounds: Any, room: float) -> Array:
    return np.array(
        [x + side * (room * abs(x) if abs(x) < np.inf else 0) for side, x in zip((-1, 1), bounds, strict=True)]
    )


def _pair_result(ar: Arithmetic, value: Array) -> Array:
    return value.astype(ar.dtype)


def _list(ar: Arithmetic, epsilon: Any, delta: Any, below_one: bool) -> tuple[Array, Array]:
    """Return the checked epsilons and deltas, both of shape (n,)."""
    d = checked_below_one(ar, delta, "delta") if below_one else ar.parameter(delta, "delta", 0, 1, "in [0, 1]")
    e, d = broadcast_arguments(ar, epsilon=as_bound(ar, epsilon, "epsilon"), delta=d)
    if len(ar.shape(e)) != 1 or e.size == 0:
        reject("epsilon", ar.shape(e), "a vector of at least one epsilon (this is its shape)")
    return e.ravel(), d.ravel()


def _single(ar: Arithmetic, value: Array, name: str) -> Any:
    if value.size != 1:
        reject(name, ar.shape(value), "one number (this is its shape)")
    return value.flat[0]
