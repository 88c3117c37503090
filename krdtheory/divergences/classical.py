"""Divergences of weight vectors p, q (..., n), batched over the leading dimensions. Natural logarithms.

Weights are nonnegative and need not sum to one. Only exact zeros count as zero: a weight of 1e-300 is in the support.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial, reduce
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import rel_entr

from krdtheory.arithmetic import FLOAT64, Arithmetic
from krdtheory.arithmetic.base import Array, Floats, check_signature, reject

_UNDERFLOW = 1e-280  # far above the error of a product that underflows


def renyi(p: ArrayLike, q: ArrayLike, alpha: ArrayLike, *, arithmetic: Arithmetic = FLOAT64) -> Floats:
    r"""Renyi divergence of order alpha.

    .. math:: D_\alpha(p\|q) = \frac{1}{\alpha-1} \log \frac{\sum_i p_i^\alpha q_i^{1-\alpha}}{\sum_i p_i}

    with its limits: alpha = 0, ``-log(sum of q over supp p / sum p)``; alpha = 1, ``kl(p, q) / sum p``;
    alpha = inf, `max_divergence`. It is +inf where q = 0 < p and alpha >= 1, and where p and q have no common support.

    Parameters
    ----------
    p, q : array_like, shape (..., n)
        Nonnegative weights; p not all zero. They need not be normalised.
    alpha : array_like
        Order in [0, inf]; an array broadcasts against the leading dimensions.
    arithmetic : Arithmetic
        The number system; ``krdtheory.mp.renyi`` chooses mpmath.

    Returns
    -------
    float or array, shape (...)
        The divergence in nats.

    Raises
    ------
    ValueError
        Negative or non-finite weights, p all zero, alpha outside [0, inf], shapes that do not match.
    TypeError
        Input that is not numeric.

    References
    ----------
    Renyi (1961); van Erven and Harremoes (2014); Mironov (2017), Definition 3.

    Examples
    --------
    >>> import krdtheory
    >>> round(float(krdtheory.renyi([0.5, 0.5], [0.25, 0.75], 2)), 12)
    0.287682072452
    >>> [float(x) for x in krdtheory.renyi([1, 0], [[0, 1], [0.5, 0.5]], 3).round(6)]
    [inf, 0.693147]
    """
    ar = arithmetic
    x, y = ar.two_weights(p, q)
    order = ar.order(alpha, np.broadcast_shapes(x.shape, y.shape)[:-1])
    pieces = pieces_of(ar, x, y, order.shape)

    def ratio(i: int) -> Array:
        return log_ratio(ar, *pieces[i])

    if len(pieces) == 1:
        ratio = cache(ratio)
    if x.shape[-1] >= ar.plain_length and (value := plain_renyi(pieces, order)) is not None:
        return ar.result(value)
    value = renyi_of_pieces(ar, [u for u, _ in pieces], ratio, order)
    # below 1/2, Q = sum y exp(alpha ratio) is accurate as alpha -> 0, and at 0 an exact 0 remains 0
    largest = x.max(-1)
    low = (order < 0.5) & (y.max(-1) / 4 < largest)
    if not low.any():
        return ar.result(value)
    scale, excess, total = largest[..., None], 0 * largest, 0 * largest
    for i, (u, v) in enumerate(pieces):
        exponent = np.where(low, order, 0)[..., None] * np.where((u > 0) & (v > 0), ratio(i), 0)
        low = low & (exponent < ar.max_exponent).all(-1)
        part = np.where(low[..., None], v, 0)
        growth = part / scale * ar.expm1(np.where(low[..., None], exponent, 0))
        excess = excess + (np.where(u > 0, part - u, 0 * v) / scale).sum(-1) + growth.sum(-1)
        total = total + (u / scale).sum(-1)
    excess = excess / total
    low = low & (excess > -0.5)
    near = ar.log1p(np.where(low, excess, 0)) / (np.where(low, order, 0) - 1)
    return ar.result(np.where(low, near + 0, value))


def kl(p: ArrayLike, q: ArrayLike, *, arithmetic: Arithmetic = FLOAT64) -> Floats:
    r"""Kullback-Leibler divergence.

    .. math:: \mathrm{KL}(p\|q) = \sum_i p_i \log(p_i / q_i)

    with 0 log 0 = 0; +inf where q = 0 < p. There is no division by the sum of p, and no correction term for it.

    Parameters
    ----------
    p, q : array_like, shape (..., n)
        Nonnegative weights; p not all zero.
    arithmetic : Arithmetic
        The number system.

    Returns
    -------
    float or array, shape (...)
        The divergence in nats.

    Raises
    ------
    ValueError, TypeError
        As `renyi`.

    Examples
    --------
    >>> import krdtheory
    >>> round(float(krdtheory.kl([0.5, 0.5], [0.25, 0.75])), 12)
    0.143841036226
    """
    ar = arithmetic
    x, y = ar.two_weights(p, q)
    return ar.result(_named(ar, x, y, "kl"))


def max_divergence(p: ArrayLike, q: ArrayLike, *, arithmetic: Arithmetic = FLOAT64) -> Floats:
    r"""Max divergence, the Renyi divergence of order infinity.

    .. math:: D_\infty(p\|q) = \log \max_{i: p_i > 0} p_i / q_i

    Pure epsilon-DP is D_inf <= epsilon for every ordered pair of neighbours.

    Parameters
    ----------
    p, q : array_like, shape (..., n)
        Nonnegative weights; p not all zero.
    arithmetic : Arithmetic
        The number system.

    Returns
    -------
    float or array, shape (...)
        The divergence in nats; +inf where q = 0 < p.

    Raises
    ------
    ValueError, TypeError
        As `renyi`.

    Examples
    --------
    >>> import krdtheory
    >>> round(float(krdtheory.max_divergence([0.5, 0.5], [0.25, 0.75])), 12)
    0.69314718056
    """
    return renyi(p, q, np.inf, arithmetic=arithmetic)


@np.errstate(over="ignore")
def hockey_stick(p: ArrayLike, q: ArrayLike, epsilon: ArrayLike, *, arithmetic: Arithmetic = FLOAT64) -> Floats:
    r"""Hockey-stick divergence, the privacy profile at epsilon.

    .. math:: E_{e^\epsilon}(p\|q) = \sum_i (p_i - e^\epsilon q_i)_+

    For probability vectors it is the smallest delta with p(S) <= e^epsilon q(S) + delta for all S.

    Parameters
    ----------
    p, q : array_like, shape (..., n)
        Nonnegative weights; p not all zero.
    epsilon : array_like
        Any real, -inf and inf included; broadcasts against the leading dimensions.
    arithmetic : Arithmetic
        The number system.

    Returns
    -------
    float or array, shape (...)
        The divergence, at least 0.

    Raises
    ------
    ValueError, TypeError
        As `renyi`; epsilon is NaN or not real.

    References
    ----------
    Balle, Barthe, Gaboardi, Hsu and Sato (2020), hypothesis-testing interpretation, Appendix.

    Examples
    --------
    >>> import krdtheory
    >>> round(float(krdtheory.hockey_stick([0.5, 0.5], [0.25, 0.75], 0)), 12)
    0.25
    """
    ar = arithmetic
    x, y = ar.two_weights(p, q)
    e = ar.parameter(epsilon, "epsilon", -np.inf, np.inf, "a real number")
    e = ar.fits(e, "epsilon", np.broadcast_shapes(x.shape, y.shape)[:-1])[..., None]
    parts = (hockey_stick_terms(ar, u, v, e).sum(-1) for u, v in pieces_of(ar, x, y, e.shape[:-1]))
    return ar.result(reduce(np.add, parts))


@np.errstate(over="ignore")  # values that overflow are +inf
def hockey_stick_terms(ar: Arithmetic, x: Array, y: Array, e: Array) -> Array:
    """Return (x - e^e y)_+ for weights (..., n) and an array e (..., 1)."""
    if (abs(e) < ar.max_exponent).all() and (e + ar.log(y.max(-1, keepdims=True)) < ar.max_exponent).all():
        gap = x - ar.exp(e) * y
    else:
        gap = _extreme_gap(ar, x, y, e)
    return np.asarray(np.maximum(gap, 0 * x[..., :1]))


def _extreme_gap(ar: Arithmetic, x: Array, y: Array, e: Array) -> Array:
    """Return x - e^e y, or something negative, where e^e or the product may be infinite."""
    shifted = np.where(y > 0, e + ar.log(np.where(y > 0, y, 1)), -ar.inf)
    above = shifted > ar.max_exponent
    plain = (abs(e) < ar.max_exponent) & (y > 0) & np.logical_not(above)
    scaled = ar.exp(np.where(plain, e, np.where(above, 0, shifted))) * np.where(plain, y, 1)
    gap = np.where(above, 0, x - scaled)
    if above.any():  # where q e^epsilon overflows it exceeds p
        direct = above & (abs(e) < ar.max_exponent)  # then q > 1
        scaled = np.where(
            direct,
            ar.exp(np.where(direct, e, 0)) * np.ldexp(np.where(direct, y, 0), -64),
            ar.exp(np.where(above, shifted - 64 * np.log(2), 0)),
        )
        gap = np.where(above, np.ldexp(np.ldexp(x, -64) - scaled, 64), gap)
    return np.asarray(gap)


def total_variation(p: ArrayLike, q: ArrayLike, *, arithmetic: Arithmetic = FLOAT64) -> Floats:
    r"""Total variation distance.

    .. math:: \mathrm{TV}(p, q) = \tfrac12 \sum_i |p_i - q_i|

    Parameters
    ----------
    p, q : array_like, shape (..., n)
        Nonnegative weights; p not all zero.
    arithmetic : Arithmetic
        The number system.

    Returns
    -------
    float or array, shape (...)
        The distance, in [0, 1] for probability vectors.

    Raises
    ------
    ValueError, TypeError
        As `renyi`.

    Examples
    --------
    >>> import krdtheory
    >>> float(krdtheory.total_variation([0.5, 0.5], [0.25, 0.75]))
    0.25
    """
    ar = arithmetic
    x, y = ar.two_weights(p, q)
    return ar.result(_named(ar, x, y, "total_variation"))


@np.errstate(over="ignore")
def hellinger(p: ArrayLike, q: ArrayLike, *, arithmetic: Arithmetic = FLOAT64) -> Floats:
    r"""Hellinger distance in the papers' normalisation.

    .. math:: \mathrm{HD}(p, q) = 1 - \sum_i \sqrt{p_i q_i}

    Parameters
    ----------
    p, q : array_like, shape (..., n)
        Nonnegative weights; p not all zero. The formula is meant for probability vectors; others are not normalised.
    arithmetic : Arithmetic
        The number system.

    Returns
    -------
    float or array, shape (...)
        The distance, in [0, 1] for probability vectors.

    Raises
    ------
    ValueError, TypeError
        As `renyi`.

    Notes
    -----
    The formula includes 1 - sum q, which is of the order of rounding errors. For distances as small as that, use
    `f_divergence` with "hellinger", which omits it.

    References
    ----------
    Balle, Barthe, Gaboardi, Hsu and Sato (2020), Appendix.

    Examples
    --------
    >>> import krdtheory
    >>> round(float(krdtheory.hellinger([0.5, 0.5], [0.25, 0.75])), 12)
    0.034074173711
    """
    ar = arithmetic
    x, y = ar.two_weights(p, q)
    large = np.asarray(y.sum(-1) > 2)
    # 1 - sum q is added at the end, unless it is so large that the rest would be lost
    z = np.where(large[..., None], 0 * y, y)
    near = _named(ar, x, z, "hellinger") + (1 - z.sum(-1))
    return ar.result(np.where(large, 1 - (ar.sqrt(x) * ar.sqrt(y)).sum(-1), near))


def _chi_squared(ar: Arithmetic, x: Array, y: Array) -> Any:
    """Return (x - y)^2 / y, by a square root, as both the square and the ratio may overflow."""
    return ((x - y) / ar.sqrt(y)) ** 2


# name -> (y f(x / y) for x, y > 0, f(0), lim f(t) / t), where None means +inf
GENERATORS: dict[str, tuple[Callable[[Arithmetic, Array, Array], Any], float | None, float | None]] = {
    "kl": (lambda ar, x, y: x * log_ratio(ar, x, y), 0, None),
    "reverse_kl": (lambda ar, x, y: y * log_ratio(ar, y, x), None, 0),
    "chi_squared": (_chi_squared, 1, None),
    "total_variation": (lambda ar, x, y: abs(x - y) / 2, 0.5, 0.5),
    "hellinger": (lambda ar, x, y: y - ar.sqrt(x) * ar.sqrt(y), 1, 0),
}
# name -> (y (f(t) - f'(1) (t - 1)) at t = x / y close to 1, f'(1)), if f'(1) is not 0; f'(1) (t - 1) cancels in sums
TANGENTS: dict[str, tuple[Callable[[Arithmetic, Array, Array], Any], float]] = {
    "kl": (lambda ar, x, y: ar.above_tangent(x, y), 1),
    "reverse_kl": (lambda ar, x, y: ar.above_tangent(y, x), -1),
    "hellinger": (lambda ar, x, y: ((x - y) / (ar.sqrt(x) + ar.sqrt(y))) ** 2 / 2, -0.5),
}


def _plain_relative_entropy(x: Array, y: Array) -> tuple[Any, Any]:
    value, reference = rel_entr(x, y).sum(-1), y.sum(-1)
    return value, value + x.sum(-1) + 2 * reference  # each term is at least -y / e


def _plain_chi_squared(x: Array, y: Array) -> tuple[Any, Any]:
    value = ((x - y) ** 2 / y).sum(-1)
    return value, np.where(value * y.min(-1) > _UNDERFLOW, value, np.inf)  # underflow is negligible


def _plain_hellinger(x: Array, y: Array) -> tuple[Any, Any]:
    half, gap = (np.sqrt(x) - np.sqrt(y)) ** 2 / 2, (y - x) / 2
    return (half + gap).sum(-1), (half + abs(gap)).sum(-1)


# name -> the sum of the terms, for floats >= 0, and the size that its rounding error is relative to
PLAIN_SUMS: dict[str, Callable[[Array, Array], tuple[Any, Any]]] = {
    "kl": _plain_relative_entropy,
    "reverse_kl": lambda x, y: _plain_relative_entropy(y, x),
    "chi_squared": _plain_chi_squared,
    "hellinger": _plain_hellinger,
}


def f_divergence(
    p: ArrayLike,
    q: ArrayLike,
    f: Callable[[Any], Any] | str,
    *,
    value_at_zero: Any = None,
    slope_at_infinity: Any = None,
    arithmetic: Arithmetic = FLOAT64,
) -> Floats:
    r"""Csiszar's f-divergence.

    .. math:: D_f(p\|q) = \sum_{q_i > 0} q_i f(p_i / q_i) + f'(\infty) \sum_{q_i = 0} p_i,
       \qquad f'(\infty) = \lim_{t \to \infty} f(t) / t

    Parameters
    ----------
    p, q : array_like, shape (..., n)
        Nonnegative weights; p not all zero.
    f : callable or str
        A convex function of t > 0 (elementwise on arrays), or one of "kl", "reverse_kl", "chi_squared",
        "total_variation", "hellinger" (generator 1 - sqrt t).
    value_at_zero : number, optional
        f(0), as a limit; +inf is allowed. Required where p = 0 < q and f is a callable. Named generators have their
        own.
    slope_at_infinity : number, optional
        f'(inf); +inf is allowed. Required where q = 0 < p and f is a callable. Named generators have their own.
    arithmetic : Arithmetic
        The number system.

    Returns
    -------
    float or array, shape (...)
        The divergence.

    Raises
    ------
    ValueError
        As `renyi`; an unknown name; `value_at_zero` or `slope_at_infinity` missing where it is needed.
    TypeError
        f is neither a callable nor a name.

    Examples
    --------
    >>> import krdtheory
    >>> float(krdtheory.f_divergence([0.5, 0.5], [0.25, 0.75], "chi_squared").round(12))
    0.333333333333
    >>> krdtheory.f_divergence([0.5, 0.5], [1, 0], lambda t: (t - 1) ** 2)
    Traceback (most recent call last):
    ...
    ValueError: slope_at_infinity must be given, q being 0 where p is not; got None
    """
    ar = arithmetic
    x, y = ar.two_weights(p, q)
    if isinstance(f, str):
        if f not in GENERATORS:
            reject("f", f, f"a callable or one of {', '.join(GENERATORS)}")
        for name, given in (("value_at_zero", value_at_zero), ("slope_at_infinity", slope_at_infinity)):
            if given is not None:
                reject(name, given, "None where f is a name")
        return ar.result(_named(ar, x, y, f))
    if not callable(f):
        reject("f", f, "a callable or a name", TypeError)
    check_signature(f, "f", "t")
    zero, infinity = value_at_zero, slope_at_infinity
    for name, needed, given, where in (
        ("value_at_zero", (x == 0) & (y > 0), zero, "p being 0 where q is not"),
        ("slope_at_infinity", (y == 0) & (x > 0), infinity, "q being 0 where p is not"),
    ):
        if given is None and needed.any():
            reject(name, None, f"given, {where}")
    zero, infinity = (
        ar.inf if v is None else _limit(ar, v, n) for v, n in ((zero, "value_at_zero"), (infinity, "slope_at_infinity"))
    )
    both = (x > 0) & (y > 0)
    u, v = np.where(both, x, 1), np.where(both, y, 1)
    values = v * _values(ar, f, u / v)
    if (values != values).any():
        bad = (u / v)[values != values].flat[0]
        reject("f", bad, "a function with a value, not NaN, at every p / q (it has none at this one)")
    return ar.result(_sum(x, y, both, values, zero, infinity))


def _named(ar: Arithmetic, x: Array, y: Array, name: str) -> Array:
    """Return the f-divergence of a named generator. Where sums of either sign overflow, symbols with weights above 1
    are summed with their weights scaled by 2^-64, as a divergence is homogeneous of degree 1 in them."""
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):  # values that overflow are +inf
        value = _named_plainly(ar, x, y, name)
        lost = value != value
        if not lost.any():
            return value
        large = np.maximum(x, y) > 1
        u, v = (ar.ldexp(np.where(large, z, 0), -64) for z in (x, y))
        above = ar.ldexp(_named_plainly(ar, u, v, name), 64)
        below = _named_plainly(ar, np.where(large, 0, x), np.where(large, 0, y), name)
        return np.where(lost, above + below, value)


def _named_plainly(ar: Arithmetic, x: Array, y: Array, name: str) -> Array:
    """Return the f-divergence of a named generator. If p and q are close, the terms are of order p - q and their sum is
    of the order of its square, so the terms of the tangent at 1 are added separately; as differences they are nearly
    exact."""
    pieces = pieces_of(ar, x, y)
    if x.shape[-1] >= ar.plain_length and name in PLAIN_SUMS:
        # if nothing cancels, rounding errors are relative to the terms
        sums = [PLAIN_SUMS[name](u, v) for u, v in pieces]
        value, size = (reduce(np.add, part) for part in zip(*sums, strict=True))
        if ((value > size / 8) & (size < np.inf)).all():
            return value
    parts = [_named_part(ar, u, v, name) for u, v in pieces]
    terms, tangents = parts[0]
    for term, tangent in parts[1:]:
        terms, tangents = terms + term, tangents + tangent
    return terms + tangents


def _named_part(ar: Arithmetic, x: Array, y: Array, name: str) -> tuple[Array, Any]:
    """Return the sum of the terms, and that of their tangents."""
    generator, *edges = GENERATORS[name]
    zero, infinity = (ar.inf if v is None else v for v in edges)
    both = (x > 0) & (y > 0)
    u, v = (x, y) if both.all() else (np.where(both, x, 1), np.where(both, y, 1))
    if name not in TANGENTS:
        return _sum(x, y, both, generator(ar, u, v), zero, infinity), 0
    rest, slope = TANGENTS[name]
    close = both & (u / 2 < v) & (v / 2 < u)
    values = _either(close, partial(rest, ar), partial(generator, ar), u, v)
    return _sum(x, y, both, values, zero, infinity), slope * np.where(close, x - y, 0).sum(-1)


def _sum(x: Array, y: Array, both: Array, terms: Array, zero: Any, infinity: Any) -> Array:
    """Return the sum of the terms where p and q are positive, plus those of p = 0 < q and of q = 0 < p."""
    if not both.all():
        terms = np.where(both, terms, 0)
        terms = np.where((x == 0) & (y > 0), np.where(y > 0, y, 1) * zero, terms)
        terms = np.where((y == 0) & (x > 0), np.where(x > 0, x, 1) * infinity, terms)
    return np.asarray(terms.sum(-1))


def pieces_of(ar: Arithmetic, x: Array, y: Array, batch: tuple[int, ...] = ()) -> list[tuple[Array, Array]]:
    """Return both in pieces of the alphabet."""
    if x.shape != y.shape:
        x, y = np.broadcast_arrays(x, y)
    return [(x[..., piece], y[..., piece]) for piece in slices(ar, x.shape, batch)]


def slices(ar: Arithmetic, shape: tuple[int, ...], batch: tuple[int, ...] = ()) -> list[slice]:
    """Return pieces of the last axis, each with about `ar.piece` numbers for the whole batch."""
    rows = math.prod(np.broadcast_shapes(shape[:-1], batch) if batch else shape[:-1])
    size = max(ar.piece // max(1, rows), 1024)
    return [slice(start, start + size) for start in range(0, shape[-1], size)]


def _either(
    chosen: Array, first: Callable[[Array, Array], Array], second: Callable[[Array, Array], Array], x: Array, y: Array
) -> Array:
    """Return first(x, y) where `chosen` and second(x, y) elsewhere, each evaluated only where it is needed."""
    if chosen.all():
        return first(x, y)
    if not chosen.any():
        return second(x, y)
    chosen, x, y = np.broadcast_arrays(chosen, x, y)
    values = np.empty(x.shape, dtype=np.result_type(x, y))
    values[chosen] = first(x[chosen], y[chosen])
    other = ~chosen
    values[other] = second(x[other], y[other])
    return values


def _limit(ar: Arithmetic, value: Any, name: str) -> Any:
    limit = ar.parameter(value, name, -np.inf, np.inf, "a real number or inf")
    if ar.shape(limit):
        reject(name, value, "one number", TypeError)
    return limit.flat[0]


def _values(ar: Arithmetic, f: Callable[[Any], Any], t: Array) -> Array:
    """Return f(t) for a callable given by the user, as an array of t's shape."""
    values = np.asarray(f(t))
    if not ar.are_real(values):
        reject("f", values, "a function with real values (these are some)", TypeError)
    try:
        return np.broadcast_to(values, t.shape)
    except ValueError:
        reject("f", values.shape, f"elementwise, of shape {t.shape} here (this is the shape of its values)")


def log_ratio(ar: Arithmetic, p: Array, q: Array) -> Array:
    """Return log(p / q), +inf where q = 0 < p and 0 where p = 0, with a small relative error near p = q."""
    both = (p > 0) & (q > 0)
    whole = both.all()
    x, y = (p, q) if whole else (np.where(both, p, 1), np.where(both, q, 1))
    close = (x / 2 < y) & (y / 2 < x)
    ratio = _either(close, ar.log_quotient, lambda x, y: ar.log(x) - ar.log(y), x, y)
    return ratio if whole else np.where((p > 0) & (q == 0), ar.inf, np.where(both, ratio, 0 * ratio))


def renyi_from_ratio(ar: Arithmetic, p: Array, ratio: Array, alpha: Array) -> Array:
    """Return the Renyi divergence of weights p (..., n), given `ratio` = log(p / q), which is +inf where q = 0."""
    pieces = pieces_of(ar, p, ratio, alpha.shape)
    return renyi_of_pieces(ar, [p for p, _ in pieces], lambda i: pieces[i][1], alpha)


@np.errstate(all="ignore")
def plain_renyi(pieces: Iterable[tuple[Array, Array]], order: Array) -> Array | None:
    """Return the Renyi divergence by its plain formula in float64 if that is accurate to a few units, that is, if the
    result is not small compared with the absolute errors of log(p / q). None otherwise."""
    shift = order[..., None] - 1
    if (shift == 0).any() or (order == np.inf).any():
        return None
    power = total = 0
    for x, y in pieces:
        power = power + (x * np.exp(shift * np.log(x / y))).sum(-1)
        total = total + x.sum(-1)
    size = np.asarray(np.log(power / total))
    value = size / shift[..., 0]
    return value if ((abs(size) > 0.125) & (value > 0.125) & (value < np.inf)).all() else None


@np.errstate(over="ignore")  # exponents of high orders overflow
def renyi_of_pieces(ar: Arithmetic, weights: Sequence[Array], ratio: Callable[[int], Array], alpha: Array) -> Array:
    """Return the Renyi divergence, given p in pieces, and log(p / q) on each of them.

    It uses two forms of log(Q / sum p), Q = sum p exp((alpha - 1) ratio): log1p of the sum of p expm1(.), which is
    accurate as alpha -> 1, and log-sum-exp, which cannot overflow or cancel.
    """
    alpha = np.where(alpha > ar.last_order, ar.inf, alpha)
    plain = (alpha != 1) & (alpha != ar.inf)
    shift = np.where(plain, np.where(plain, alpha, 2) - 1, 1)
    largest = reduce(np.maximum, [p.max(-1) for p in weights])
    total = reduce(np.add, [(p / largest[..., None]).sum(-1) for p in weights])

    def near(i: int) -> tuple[Any, ...]:
        p, ratios = weights[i], ratio(i)
        on, part = p > 0, p / largest[..., None]
        exponent = np.where(on, shift[..., None] * ratios, -ar.inf)
        overflow = exponent > ar.max_exponent
        growth = ar.expm1(np.where(on & ~overflow, exponent, 0))
        sums = exponent.max(-1), overflow.any(-1), (part * growth).sum(-1)
        if plain.all():
            return *sums, 0 * largest, 0 * largest
        finite = abs(ratios) < ar.inf
        at_one = np.where(finite, part * np.where(finite, ratios, 0), ar.inf)
        return *sums, at_one.sum(-1), np.where(on, ratios, -ar.inf).max(-1)

    top, overflow, deviation, at_one, most = (
        reduce(f, parts)
        for f, parts in zip(
            (np.maximum, np.logical_or, np.add, np.add, np.maximum),
            zip(*map(near, range(len(weights))), strict=True),
            strict=True,
        )
    )
    deviation, at_one = deviation / total, at_one / total
    close = np.logical_not(overflow) & (deviation > -0.5)
    value = ar.log1p(np.where(close, deviation, 0))
    if not (close | ~plain).all():
        log_total = (ar.log(largest) + ar.log(total))[..., None]

        def far(i: int) -> tuple[Array, Array]:
            p, ratios = weights[i], ratio(i)
            on = p > 0
            logs = np.where(on, shift[..., None] * ratios, -ar.inf) + ar.log(np.where(on, p, 1)) - log_total
            peak = logs.max(-1)
            finite = abs(peak) < ar.inf
            base = np.where(finite, peak, 0)
            return peak, ar.exp(np.where(finite[..., None], logs - base[..., None], 0)).sum(-1)

        peaks, sums = zip(*map(far, range(len(weights))), strict=True)
        peak = reduce(np.maximum, peaks)
        finite = abs(peak) < ar.inf
        base = np.where(finite, peak, 0)
        scaled = [one * ar.exp(np.where(finite, at, 0) - base) for at, one in zip(peaks, sums, strict=True)]
        value = np.where(close, value, np.where(finite, base + ar.log(reduce(np.add, scaled)), peak))
    value = value / shift
    value = np.where((top == ar.inf) & (shift > 0), ar.inf, value)
    value = np.where(alpha == 1, at_one, value)
    return np.where(alpha == ar.inf, most, value)
