"""Divergences of weight vectors p, q (..., n), batched over the leading dimensions. Natural logarithms.

Weights are nonnegative and need not sum to one. Zeros are exact zeros: a weight of 1e-300 is in the support.
"""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from krdtheory.arithmetic import FLOAT64, Arithmetic
from krdtheory.arithmetic.base import Array, Floats, reject

LAST_ORDER = 1e290  # beyond, no float64 shows a Renyi divergence to differ from that of order infinity


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
    ratio = log_ratio(ar, x, y)
    order = ar.order(alpha, ratio.shape[:-1])
    value = renyi_from_ratio(ar, x, ratio, order)
    # below 1/2, Q = sum y exp(alpha ratio): nothing is lost as alpha -> 0, and at 0 an exact 0 stays one
    largest = x.max(-1)
    low = (order < 0.5) & (y.max(-1) / 4 < largest)
    exponent = np.where(low, order, 0)[..., None] * np.where((x > 0) & (y > 0), ratio, 0)
    low = low & (exponent < ar.max_exponent).all(-1)
    v, scale = np.where(low[..., None], y, 0), largest[..., None]
    growth = v / scale * ar.expm1(np.where(low[..., None], exponent, 0))
    gap = np.where(x > 0, v - x, 0 * y) / scale
    excess = (gap.sum(-1) + growth.sum(-1)) / (x / scale).sum(-1)
    low = low & (excess > -0.5)
    near = ar.log1p(np.where(low, excess, 0)) / (np.where(low, order, 0) - 1)
    return ar.result(np.where(low, near + 0, value))


def kl(p: ArrayLike, q: ArrayLike, *, arithmetic: Arithmetic = FLOAT64) -> Floats:
    r"""Kullback-Leibler divergence.

    .. math:: \mathrm{KL}(p\|q) = \sum_i p_i \log(p_i / q_i)

    with 0 log 0 = 0; +inf where q = 0 < p. Nothing is divided by the sum of p and nothing is added for it.

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
    shifted = np.where(y > 0, e + ar.log(np.where(y > 0, y, 1)), -ar.inf)
    above = shifted > ar.max_exponent
    plain = (abs(e) < ar.max_exponent) & (y > 0) & np.logical_not(above)
    scaled = ar.exp(np.where(plain, e, np.where(above, 0, shifted))) * np.where(plain, y, 1)
    gap = np.where(above, 0, x - scaled)
    return ar.result(np.where(gap > 0, gap, 0 * x).sum(-1))


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
        Nonnegative weights; p not all zero. The formula supposes probability vectors; others are taken as they are.
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
    The formula knows 1 - sum q, which is of the order of rounding errors, as 1. For distances as small as that,
    `f_divergence` with "hellinger" leaves it out.

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
    # what q leaves of 1 is added at the end, unless it would swallow the rest
    z = np.where(large[..., None], 0 * y, y)
    near = _named(ar, x, z, "hellinger") + (1 - z.sum(-1))
    return ar.result(np.where(large, 1 - (ar.sqrt(x) * ar.sqrt(y)).sum(-1), near))


def _chi_squared(ar: Arithmetic, x: Array, y: Array) -> Any:
    """(x - y)^2 / y, by a square root, as neither the square nor the ratio need be a float."""
    return ((x - y) / ar.sqrt(y)) ** 2


# name -> (y f(x / y) of x, y > 0, f(0), lim f(t) / t), None standing for +inf
GENERATORS: dict[str, tuple[Callable[[Arithmetic, Array, Array], Any], float | None, float | None]] = {
    "kl": (lambda ar, x, y: x * log_ratio(ar, x, y), 0, None),
    "reverse_kl": (lambda ar, x, y: y * log_ratio(ar, y, x), None, 0),
    "chi_squared": (_chi_squared, 1, None),
    "total_variation": (lambda ar, x, y: abs(x - y) / 2, 0.5, 0.5),
    "hellinger": (lambda ar, x, y: y - ar.sqrt(x) * ar.sqrt(y), 1, 0),
}
# name -> (y (f(t) - f'(1) (t - 1)) at t = x / y close to 1, f'(1)), where f'(1) is not 0: without what cancels in a sum
TANGENTS: dict[str, tuple[Callable[[Arithmetic, Array, Array], Any], float]] = {
    "kl": (lambda ar, x, y: x * _above_tangent(ar, log_ratio(ar, x, y)), 1),
    "reverse_kl": (lambda ar, x, y: y * _above_tangent(ar, log_ratio(ar, y, x)), -1),
    "hellinger": (lambda ar, x, y: ((x - y) / (ar.sqrt(x) + ar.sqrt(y))) ** 2 / 2, -0.5),
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
        f(0), as a limit; +inf is allowed. Needed where p = 0 < q and f is a callable. Named generators know theirs.
    slope_at_infinity : number, optional
        f'(inf); +inf is allowed. Needed where q = 0 < p and f is a callable. Named generators know theirs.
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
    return ar.result(_sum(x, y, np.where(both, values, 0), zero, infinity))


@np.errstate(over="ignore")  # what is beyond the floats is +inf
def _named(ar: Arithmetic, x: Array, y: Array, name: str) -> Array:
    """The f-divergence of a generator's name. Where p and q are close its terms are of order p - q and their sum of the
    order of the square, so those of the tangent at 1 are added apart: as differences they are nearly exact."""
    generator, *edges = GENERATORS[name]
    zero, infinity = (ar.inf if v is None else v for v in edges)
    both = (x > 0) & (y > 0)
    u, v = np.where(both, x, 1), np.where(both, y, 1)
    values = generator(ar, u, v)
    if name not in TANGENTS:
        return _sum(x, y, np.where(both, values, 0), zero, infinity)
    rest, slope = TANGENTS[name]
    close = both & (u / 2 < v) & (v / 2 < u)
    values = np.where(close, rest(ar, np.where(close, u, 1), np.where(close, v, 1)), values)
    tangent = slope * np.where(close, x - y, 0).sum(-1)
    return _sum(x, y, np.where(both, values, 0), zero, infinity) + tangent


def _sum(x: Array, y: Array, terms: Array, zero: Any, infinity: Any) -> Array:
    """The sum of the terms, with those of p = 0 < q and of q = 0 < p."""
    terms = np.where((x == 0) & (y > 0), np.where(y > 0, y, 1) * zero, terms)
    terms = np.where((y == 0) & (x > 0), np.where(x > 0, x, 1) * infinity, terms)
    return np.asarray(terms.sum(-1))


def _above_tangent(ar: Arithmetic, u: Array) -> Array:
    """e^-u - 1 + u, for |u| <= log 2."""
    if ar.exact_input:  # the working precision is raised until it suffices
        return ar.expm1(-u) + u
    series = 1 + 0 * u
    for n in range(20, 2, -1):
        series = 1 - u / n * series
    return u * u / 2 * series


def _limit(ar: Arithmetic, value: Any, name: str) -> Any:
    limit = ar.parameter(value, name, -np.inf, np.inf, "a real number or inf")
    if ar.shape(limit):
        reject(name, value, "one number", TypeError)
    return limit.flat[0]


def _values(ar: Arithmetic, f: Callable[[Any], Any], t: Array) -> Array:
    """f(t) of a caller's f, as an array of t's shape."""
    values = np.asarray(f(t))
    if values.dtype.kind not in "iuf" and not (ar.exact_input and all(isinstance(v, Real) for v in values.flat)):
        reject("f", values, "a function with real values (these are some)", TypeError)
    try:
        return np.broadcast_to(values, t.shape)
    except ValueError:
        reject("f", values.shape, f"elementwise, of shape {t.shape} here (this is the shape of its values)")


def log_ratio(ar: Arithmetic, p: Array, q: Array) -> Array:
    """log(p / q) where p > 0, +inf where q = 0 < p, 0 where p = 0; relatively accurate near p = q."""
    both = (p > 0) & (q > 0)
    x, y = np.where(both, p, 1), np.where(both, q, 1)
    close = (x / 2 < y) & (y / 2 < x)
    near = ar.log1p(np.where(close, x - y, 0) / y)
    ratio = np.where(close, near, ar.log(x) - ar.log(y))
    return np.where((p > 0) & (q == 0), ar.inf, np.where(both, ratio, 0 * ratio))


@np.errstate(over="ignore")  # of the exponents of high orders
def renyi_from_ratio(ar: Arithmetic, p: Array, ratio: Array, alpha: Array) -> Array:
    """Renyi divergence of weights p (..., n) from the logarithms `ratio` of p / q, +inf where q = 0.

    Two forms of log(Q / sum p), Q = sum p exp((alpha - 1) ratio): log1p of the sum of p expm1(.), which loses nothing
    as alpha -> 1, and log-sum-exp, which cannot overflow or cancel.
    """
    if not ar.exact_input:
        alpha = np.where(alpha > LAST_ORDER, np.inf, alpha)
    on = p > 0
    largest = p.max(-1)
    total = (p / largest[..., None]).sum(-1)
    share = p / largest[..., None] / total[..., None]
    plain = (alpha != 1) & (alpha != ar.inf)
    shift = np.where(plain, np.where(plain, alpha, 2) - 1, 1)
    exponent = np.where(on, shift[..., None] * ratio, -ar.inf)
    top = exponent.max(-1)
    overflow = exponent > ar.max_exponent
    growth = ar.expm1(np.where(on & ~overflow, exponent, 0))
    deviation = (share * growth).sum(-1)
    near = np.logical_not(overflow.any(-1)) & (deviation > -0.5)
    logs = exponent + ar.log(np.where(on, p, 1)) - (ar.log(largest) + ar.log(total))[..., None]
    peak = logs.max(-1)
    finite = abs(peak) < ar.inf
    base = np.where(finite, peak, 0)
    terms = ar.exp(np.where(finite[..., None], logs - base[..., None], 0))
    lse = np.where(finite, base + ar.log(terms.sum(-1)), peak)
    value = np.where(near, ar.log1p(np.where(near, deviation, 0)), lse) / shift
    value = np.where((top == ar.inf) & (shift > 0), ar.inf, value)
    finite = abs(ratio) < ar.inf
    at_one = np.where(finite, share * np.where(finite, ratio, 0), ar.inf).sum(-1)
    value = np.where(alpha == 1, at_one, value)
    return np.where(alpha == ar.inf, np.where(on, ratio, -ar.inf).max(-1), value)
