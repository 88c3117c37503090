"""Divergences smoothed over a total variation ball around p, and the approximate max divergence.

A ball is a restriction: D is evaluated not at p but at the best p' near it. On a finite alphabet the same p' is best
for every f-divergence and every Renyi order: p with its likelihood ratio p / q clipped from above and from below.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from krdtheory.arithmetic import FLOAT64, Arithmetic
from krdtheory.arithmetic.base import Array, Floats, Vector, by_name, reject
from krdtheory.divergences.classical import log_ratio, plain_renyi, renyi_of_pieces, slices

_SOME = 10_000  # symbols from which a level is estimated
_ASIDE = 0.05, 0.3  # relative margins to try for the estimated level


@by_name
def approximate_max_divergence(
    p: ArrayLike, q: ArrayLike, *, delta: ArrayLike, arithmetic: Arithmetic = FLOAT64
) -> Floats:
    r"""Delta-approximate max divergence.

    .. math:: D_\infty^\delta(p\|q) = \max_{S \subseteq \mathrm{supp}\,p,\ p(S) \ge \delta} \log\frac{p(S)-\delta}{q(S)}
       = \inf\{\epsilon \in \mathbb{R} : E_{e^\epsilon}(p\|q) \le \delta\}

    E being the `hockey_stick` divergence. (epsilon, delta)-DP is D_inf^delta <= epsilon for every ordered pair of
    neighbours. The quotient 0/0 (p(S) = delta, q(S) = 0) is ignored; the value is +inf exactly where p(q = 0) > delta,
    and -inf where delta >= sum p. It is negative if delta is large: the set S of all symbols gives log(1 - delta);
    `smooth_renyi` of order inf is its positive part.

    Parameters
    ----------
    p, q : array_like, shape (..., n)
        Nonnegative weights; p not all zero. They need not be normalised.
    delta : array_like
        In [0, inf); broadcasts against the leading dimensions.
    arithmetic : Arithmetic
        The number system; ``krdtheory.mp.approximate_max_divergence`` chooses mpmath.

    Returns
    -------
    float or array, shape (...)
        The divergence in nats, of either sign.

    Raises
    ------
    ValueError, TypeError
        As `krdtheory.renyi`; delta negative, infinite or NaN; weights whose sum overflows.

    Notes
    -----
    The best S is {p > v q} at the value v = (p(S) - delta) / q(S) (Dinkelbach 1967). Newton's method on the convex
    piecewise linear E - delta reaches it in finitely many steps, each of O(n), without sorting.

    References
    ----------
    Dwork and Roth (2014), Definition 3.6; Colisson (2016), eq. (2.14) and Theorems 3, 4 and 12.

    Examples
    --------
    >>> import krdtheory
    >>> from krdtheory.divergences.smooth import approximate_max_divergence
    >>> round(float(approximate_max_divergence([0.75, 0.25], [0.25, 0.75], delta=0.01)), 12)
    1.085189268336
    >>> float(approximate_max_divergence([0.5, 0.5], [1, 0], delta=0.25))
    inf
    >>> approximate_max_divergence([0.5, 0.5], [1, 0], delta=-1)
    Traceback (most recent call last):
    ...
    ValueError: delta must be finite and >= 0; got -1
    """
    ar = arithmetic
    x, y, d = _checked(ar, p, q, delta)
    return ar.result(_upper(ar, x, y, d, _escaped(ar, p, delta, x, y, d)).log)


@by_name
def smooth_renyi(
    p: ArrayLike, q: ArrayLike, alpha: ArrayLike, *, delta: ArrayLike, arithmetic: Arithmetic = FLOAT64
) -> Floats:
    r"""Smooth Renyi divergence: the least Renyi divergence within total variation distance delta of p.

    .. math:: D_\alpha^\delta(p\|q) = \min_{p' \in B_\delta(p)} D_\alpha(p'\|q), \qquad
       B_\delta(p) = \{p' \ge 0 : \textstyle\sum_i p'_i = \sum_i p_i,\ \mathrm{TV}(p, p') \le \delta\}

    For alpha > 1 this is the paper's Definition 12. For alpha < 1 the paper takes the infimum inside the logarithm,
    where 1 / (alpha - 1) < 0 makes it a supremum of divergences, which is no smoothing (it would be positive for
    p = q); here the divergence itself is minimised at every order.

    Parameters
    ----------
    p, q : array_like, shape (..., n)
        Nonnegative weights; p not all zero. They need not be normalised; p' has the sum of p.
    alpha : array_like
        Order in [0, inf]; broadcasts against the leading dimensions.
    delta : array_like
        Radius in [0, inf); broadcasts against the leading dimensions.
    arithmetic : Arithmetic
        The number system; ``krdtheory.mp.smooth_renyi`` chooses mpmath.

    Returns
    -------
    float or array, shape (...)
        The divergence in nats: for distributions, 0 where delta >= TV(p, q); at orders >= 1 it is +inf exactly where
        p(q = 0) > delta. Of order inf it is the positive part of `approximate_max_divergence`.

    Raises
    ------
    ValueError, TypeError
        As `krdtheory.renyi`; delta negative, infinite or NaN; weights whose sum overflows.

    References
    ----------
    Renner and Wolf (2004); Colisson (2016), Definition 12.

    Examples
    --------
    >>> from krdtheory.divergences.smooth import smooth_renyi
    >>> p, q = [0.75, 0.25], [0.25, 0.75]
    >>> smooth_renyi(p, q, [0.5, 2], delta=0.25).round(12)
    array([0.06933646, 0.28768207])
    >>> float(smooth_renyi(p, q, 2, delta=0.5))
    0.0
    """
    ar = arithmetic
    x, y, d = _checked(ar, p, q, delta)
    order = ar.order(alpha, d.shape)
    near, ratio = _clipped(ar, x, y, d, _escaped(ar, p, delta, x, y, d), order.shape)
    if x.shape[-1] >= ar.plain_length:
        pieces = zip(near, (y[..., piece] for piece in slices(ar, x.shape, order.shape)), strict=True)
        if (value := plain_renyi(pieces, order)) is not None:
            return ar.result(value)
    return ar.result(renyi_of_pieces(ar, near, cache(ratio), order))


@by_name
def optimal_smoothing(p: ArrayLike, q: ArrayLike, *, delta: ArrayLike, arithmetic: Arithmetic = FLOAT64) -> Vector:
    r"""The weights p' within total variation distance delta of p that are closest to q.

    .. math:: p'_i = q_i\,\mathrm{clip}(p_i / q_i,\ l,\ u), \qquad
       \sum_i (p_i - u q_i)_+ = \delta = \sum_i (l q_i - p_i)_+

    and p' = q (with the sum of p) where delta >= TV(p, q). It minimises every Renyi divergence of order in [0, inf] and
    every f-divergence simultaneously: as f is convex, moving mass from the largest ratios to the smallest lowers sum q
    f(p' / q) the most. Where p(q = 0) > delta, u is +inf and p' keeps the excess outside supp q, in the proportions of
    p.

    Parameters
    ----------
    p, q : array_like, shape (..., n)
        Nonnegative weights; p not all zero.
    delta : array_like
        Radius in [0, inf); broadcasts against the leading dimensions.
    arithmetic : Arithmetic
        The number system; ``krdtheory.mp.optimal_smoothing`` chooses mpmath.

    Returns
    -------
    array, shape (..., n)
        p', with the sum of p, in float64 up to the rounding error of that sum.

    Raises
    ------
    ValueError, TypeError
        As `smooth_renyi`, or q all zero.

    References
    ----------
    Colisson (2016), Definition 12, of which this is the minimiser.

    Examples
    --------
    >>> from krdtheory.divergences.smooth import optimal_smoothing
    >>> optimal_smoothing([0.5, 0.25, 0.25], [0.25, 0.25, 0.5], delta=0.125)
    array([0.375, 0.25 , 0.375])
    """
    ar = arithmetic
    x, y, d = _checked(ar, p, q, delta)
    if not (y > 0).any(-1).all():
        reject("q", q, "not all zero")
    near, _ = _clipped(ar, x, y, d, _escaped(ar, p, delta, x, y, d))
    return ar.result(np.concatenate(near, axis=-1))


class _Level(NamedTuple):
    """A level v = mass / reference of the ratio x / y; `members` are the symbols beyond it."""

    members: Array
    mass: Array
    reference: Array
    log: Array


def _checked(ar: Arithmetic, p: Any, q: Any, delta: Any) -> tuple[Array, Array, Array]:
    """Return weights and radius, broadcast against each other."""
    x, y = ar.two_weights(p, q)
    for weights, name in ((x, "p"), (y, "q")):
        with np.errstate(over="ignore"):
            total = np.asarray(weights.sum(-1))
        if not (total < ar.inf).all():
            reject(name, total.max(), "weights whose sum is finite (this is its sum)")
    d = ar.parameter(delta, "delta", 0, np.finfo(float).max, "finite and >= 0")
    d = ar.fits(d, "delta", np.broadcast_shapes(x.shape, y.shape)[:-1])
    batch = np.broadcast_shapes(x.shape[:-1], y.shape[:-1], d.shape)
    return np.broadcast_to(x, batch + x.shape[-1:]), np.broadcast_to(y, batch + x.shape[-1:]), np.broadcast_to(d, batch)


def _escaped(ar: Arithmetic, p: Any, delta: Any, x: Array, y: Array, d: Array) -> Array:
    """Return (p(q = 0) - delta)_+ up to one rounding, except for irrational input, as its sign decides about +inf."""
    outside = (x > 0) & (y == 0)
    escaped = np.zeros_like(d)
    if not outside.any():
        return escaped
    masses = np.broadcast_to(ar.unrounded(p, "p"), x.shape)
    radii = np.broadcast_to(ar.unrounded(delta, "delta"), d.shape)
    for index in map(tuple, np.argwhere(outside.any(-1))):
        gap = ar.summed([*masses[index][outside[index]], -radii[index]])
        escaped[index] = max(gap, escaped[index])
    return escaped


def _upper(ar: Arithmetic, x: Array, y: Array, d: Array, escaped: Array) -> _Level:
    """Return the u with sum (x - u y)_+ = d."""
    level, beyond = _newton(ar, x, y, d, 1), escaped > 0
    if not beyond.any():
        return level
    return _Level(
        np.where(beyond[..., None], (x > 0) & (y == 0), level.members),
        np.where(beyond, escaped, level.mass),
        np.where(beyond, 0 * d, level.reference),
        np.where(beyond, ar.inf, level.log),
    )


def _lower(ar: Arithmetic, x: Array, y: Array, d: Array) -> _Level:
    """Return the l with sum (l y - x)_+ = d."""
    return _newton(ar, x, y, d, -1)


def _newton(ar: Arithmetic, x: Array, y: Array, d: Array, sign: int) -> _Level:
    """Solve sum (sign (x - v y))_+ = d by Newton's method, from v = 0 up or from v = inf down; sets only shrink."""
    trial = _start(ar, x, y, d, sign)
    columns = _some_row(trial)  # other columns are omitted
    u, w, trial = (v[..., columns] for v in (x, y, trial))
    best = np.zeros_like(trial)
    mass = reference = 0 * d
    going = np.ones(d.shape, dtype=bool)
    reached = np.full(d.shape, -np.inf)
    while going.any():
        shares = np.where(trial, w, 0)
        new_mass, new_reference = np.where(trial, u, 0).sum(-1) - sign * d, shares.sum(-1)
        plain = (new_reference > 0) & (new_mass > 0 if sign > 0 else new_mass >= 0)
        better = going & plain
        # a step in the wrong direction is a rounding error, as levels are monotone
        place = sign * (ar.log(np.where(plain, new_mass, 1)) - ar.log(np.where(plain, new_reference, 1)))
        better &= place > reached - 8 * ar.unit * (1 + abs(place))
        reached = np.where(better, place, reached)
        best = np.where(better[..., None], trial, best)
        mass, reference = np.where(better, new_mass, mass), np.where(better, new_reference, reference)
        level = shares / np.where(plain, new_reference, 1)[..., None] * new_mass[..., None]
        smaller = trial & (u > level if sign > 0 else u < level)
        at = trial & (abs(u - level) <= 4 * ar.unit * level)  # symbols at the level up to rounding errors
        smaller = np.where(smaller.any(-1, keepdims=True), smaller, at)
        going = better & (smaller != trial).any(-1)
        trial = np.where(going[..., None], smaller, best)
        kept = _some_row(best)
        if len(kept) < len(columns):
            columns, u, w, trial, best = (v[..., kept] for v in (columns, u, w, trial, best))
    excess = np.where(best, u - w, 0).sum(-1) - sign * d
    log = np.where(best.any(-1), _log_quotient(ar, mass, reference, excess), -sign * ar.inf)
    members = np.zeros(x.shape, dtype=bool)
    members[..., columns] = best
    return _Level(members, mass, reference, log)


def _some_row(members: Array) -> Array:
    """Return the columns that have a member in some row."""
    return np.flatnonzero(members.any(tuple(range(members.ndim - 1))))


def _start(ar: Arithmetic, x: Array, y: Array, d: Array, sign: int) -> Array:
    """Return the set at which Newton's method starts: all symbols or, if they are many, those beyond a level that it
    provably passes, estimated from some of them."""
    everything = x > 0 if sign > 0 else y > 0
    stride = x.shape[-1] // _SOME
    if stride < 10:
        return everything
    some = _newton(ar, x[..., ::stride], y[..., ::stride], d / stride, sign)
    for aside in _ASIDE:
        beyond, passed = np.empty(x.shape, dtype=bool), 0 * d
        with np.errstate(over="ignore", invalid="ignore"):
            level = ar.exp(some.log) * (1 - sign * aside)
            for piece in slices(ar, x.shape):
                apart = sign * (x[..., piece] - level[..., None] * y[..., piece])
                passed = passed + np.maximum(apart, 0).sum(-1)
                beyond[..., piece] = everything[..., piece] & (apart > 0)
        sure = (passed > d) & (level > 0) & (level < np.inf)  # False for NaN
        if sure.all():
            return beyond
    return np.where(sure[..., None], beyond, everything)


def _log_quotient(ar: Arithmetic, mass: Array, reference: Array, excess: Array) -> Array:
    """Return log(mass / reference), accurate near 1 by using excess = mass - reference."""
    positive = (mass > 0) & (reference > 0)
    x, y = np.where(positive, mass, 1), np.where(positive, reference, 1)
    close = positive & (x / 2 < y) & (y / 2 < x)
    log = np.where(close, ar.log1p(np.where(close, excess, 0) / y), ar.log(x) - ar.log(y))
    return np.where(positive, log, -ar.inf)


def _clipped(
    ar: Arithmetic, x: Array, y: Array, d: Array, escaped: Array, batch: tuple[int, ...] = ()
) -> tuple[list[Array], Callable[[int], Array]]:
    """Return p' in pieces, and a function that returns log(p' / q) on one of them."""
    upper, lower = _upper(ar, x, y, d, escaped), _lower(ar, x, y, d)
    total, reference = x.sum(-1), y.sum(-1)
    whole = log_ratio(ar, total, reference)
    met = ((upper.log <= whole) | (lower.log >= whole)) & (escaped == 0) & (reference > 0)  # q is in the ball

    def target(piece: slice) -> Array:
        """Return q scaled to the sum of p."""
        return np.asarray(y[..., piece] / np.where(reference > 0, reference, 1)[..., None] * total[..., None])

    pieces = slices(ar, x.shape, batch)
    if met.any():
        off = reduce(np.add, (np.maximum(target(piece) - x[..., piece], 0).sum(-1) for piece in pieces))
        met &= off <= d * (1 + 4 * ar.unit)  # levels may be equal up to rounding errors
    sizes, outside = [], [np.asarray(level.reference == 0) for level in (upper, lower)]
    # if u = +inf, symbols outside supp q shrink in proportion
    for level, out in zip((upper, lower), outside, strict=True):
        inside = np.where(level.members, x, 0).sum(-1) if out.any() else level.reference
        sizes.append(np.where(out, inside, level.reference))

    def clip(piece: slice) -> Array:
        u, v = x[..., piece], y[..., piece]
        near = u
        for level, size, out in zip((upper, lower), sizes, outside, strict=True):
            cut = level.members[..., piece]
            if cut.any():
                share = np.where(cut, np.where(out[..., None], u, v), 0) / np.where(size > 0, size, 1)[..., None]
                near = np.where(cut, share * level.mass[..., None], near)
        return np.where(met[..., None], target(piece), near) if met.any() else near

    near = [clip(piece) for piece in pieces]

    def ratio(i: int) -> Array:
        v, logs = y[..., pieces[i]], log_ratio(ar, x[..., pieces[i]], y[..., pieces[i]])
        for level in (upper, lower):
            cut = level.members[..., pieces[i]]
            logs = np.where(cut & (near[i] > 0), level.log[..., None], np.where(cut, 0 * v, logs))
        return np.where(met[..., None], np.where(v > 0, whole[..., None], 0 * v), logs) if met.any() else logs

    return near, ratio
