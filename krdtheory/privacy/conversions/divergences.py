"""Conversions of Kullback-Leibler, Hellinger and total variation bounds to approximate DP, and from it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from krdtheory.arithmetic import FLOAT64, Arithmetic
from krdtheory.arithmetic.base import Array, Floats
from krdtheory.privacy.conversions.arguments import (
    as_bound,
    as_delta,
    as_pair,
    as_real,
    as_target,
    broadcast_arguments,
    clamped,
)
from krdtheory.privacy.conversions.rounding import _guaranteed_delta, _guaranteed_epsilon, _itself
from krdtheory.privacy.guarantees import relative, upper
from krdtheory.privacy.roots import tolerance


def kl_to_approximate_dp(
    *,
    kl: ArrayLike,
    delta: ArrayLike,
    two_sided: bool = False,
    nonnegative: bool = False,
    arithmetic: Arithmetic = FLOAT64,
) -> Floats:
    r"""The least epsilon of approximate DP that a bound on the Kullback-Leibler divergence guarantees at delta.

    With r = p/q > 1 > s = (1-p)/(1-q) at the point where the line of slope e^epsilon touches the privacy region,

    .. math:: e^\varepsilon = \frac{r-s}{\log(r/s)}, \quad q = \frac{1-s}{r-s}, \quad
       q\, r\log r + (1-q)\, s\log s = \mathrm{KL}, \quad \delta = q(r - e^\varepsilon)

    which is `rdp_to_approximate_dp` at alpha = 1.

    Parameters
    ----------
    kl : array_like
        The bound on KL(P||Q), finite and >= 0.
    delta : array_like
        In (0, 1).
    two_sided, nonnegative, arithmetic
        As `rdp_to_approximate_dp`.

    Returns
    -------
    float or array
        The epsilon in nats, of the order of kl / delta.

    Examples
    --------
    >>> from krdtheory.privacy.conversions import kl_to_approximate_dp
    >>> round(float(kl_to_approximate_dp(kl=0.1, delta=0.05)), 9)
    1.122481119
    """
    ar = arithmetic
    rho, d = broadcast_arguments(ar, kl=as_bound(ar, kl, "kl"), delta=as_delta(ar, delta))
    value = _guaranteed_epsilon(ar, _itself, 0 * rho + 1, d, "optimal", two_sided, rho)
    return ar.result(clamped(value, nonnegative))


def kl_to_delta(
    *, kl: ArrayLike, epsilon: ArrayLike, two_sided: bool = False, arithmetic: Arithmetic = FLOAT64
) -> Floats:
    """The least delta of approximate DP that a bound on the Kullback-Leibler divergence guarantees at epsilon: the
    inverse of `kl_to_approximate_dp`.

    Parameters
    ----------
    kl : array_like
        The bound on KL(P||Q), finite and >= 0.
    epsilon : array_like
        Any real number, >= 0 if `two_sided`.
    two_sided, arithmetic
        As `rdp_to_delta`.

    Returns
    -------
    float or array
        delta, in [0, 1].

    Examples
    --------
    >>> from krdtheory.privacy.conversions import kl_to_delta
    >>> kl_to_delta(kl=0.1, epsilon=[0, 1, 4]).round(12).tolist()
    [0.22235542483, 0.054973500229, 0.017344352877]
    """
    ar = arithmetic
    e = as_target(ar, epsilon, "epsilon", two_sided)
    rho, e = broadcast_arguments(ar, kl=as_bound(ar, kl, "kl"), epsilon=e)
    return ar.result(_guaranteed_delta(ar, 0 * rho + 1, rho, e, two_sided))


def hellinger_to_delta(*, hellinger: ArrayLike, epsilon: ArrayLike, arithmetic: Arithmetic = FLOAT64) -> Floats:
    r"""The least delta of approximate DP that a bound on the Hellinger distance guarantees at epsilon.

    .. math:: \delta = \frac{\sqrt{(e^\varepsilon-1)^2 + 4 e^\varepsilon\kappa} - (e^\varepsilon-1)}{2},
       \qquad \kappa = \rho(2-\rho)

    for ``1 - sum sqrt(P Q) <= rho = hellinger``. The distance is symmetric, so this is optimal one-sided and two-sided.

    Parameters
    ----------
    hellinger : array_like
        In [0, 1].
    epsilon : array_like
        Any real number.
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        delta, in [0, 1]: sqrt(kappa) at epsilon = 0, and kappa as epsilon -> inf.

    References
    ----------
    Balle, Barthe, Gaboardi, Hsu and Sato (2020), Theorem 20 of the appendix, with the formula of Lemma 19 corrected.

    Examples
    --------
    >>> from krdtheory.privacy.conversions import hellinger_to_delta
    >>> hellinger_to_delta(hellinger=0.2, epsilon=[0, 1, 50]).round(12).tolist()
    [0.6, 0.451089816882, 0.36]
    """
    ar = arithmetic
    rho = ar.parameter(hellinger, "hellinger", 0, 1, "in [0, 1]")
    rho, e = broadcast_arguments(ar, hellinger=rho, epsilon=as_real(ar, epsilon, "epsilon"))
    return ar.result(upper(ar, relative(_hellinger_delta), rho, e, most=1))


def _hellinger_delta(ar: Arithmetic, rho: Array, e: Array) -> Array:
    kappa = rho * (2 - rho)
    positive, negative = np.where(e > 0, e, 0), np.where(e < 0, e, 0)
    fall = -ar.expm1(-positive)
    scale = ar.sqrt(fall * fall + 4 * ar.exp(-positive) * kappa) + fall
    above = 2 * kappa / np.where(scale > 0, scale, 1)
    rise = ar.expm1(negative)
    below = (ar.sqrt(rise * rise + 4 * ar.exp(negative) * kappa) - rise) / 2
    return np.where(e > 0, above, below)


def hellinger_to_approximate_dp(
    *, hellinger: ArrayLike, delta: ArrayLike, nonnegative: bool = False, arithmetic: Arithmetic = FLOAT64
) -> Floats:
    r"""The least epsilon of approximate DP that a bound on the Hellinger distance guarantees at delta.

    .. math:: e^\varepsilon = \frac{\delta(1-\delta)}{\delta - \kappa}, \qquad \kappa = \rho(2-\rho)

    Parameters
    ----------
    hellinger : array_like
        In [0, 1].
    delta, nonnegative, arithmetic
        As `rdp_to_approximate_dp`.

    Returns
    -------
    float or array
        The epsilon in nats; +inf where delta <= kappa, as no epsilon is guaranteed there.

    References
    ----------
    As `hellinger_to_delta`.

    Examples
    --------
    >>> from krdtheory.privacy.conversions import hellinger_to_approximate_dp
    >>> hellinger_to_approximate_dp(hellinger=0.2, delta=[0.36, 0.37, 0.6]).round(12).tolist()
    [inf, 3.148882453048, 0.0]
    """
    ar = arithmetic
    rho = ar.parameter(hellinger, "hellinger", 0, 1, "in [0, 1]")
    rho, d = broadcast_arguments(ar, hellinger=rho, delta=as_delta(ar, delta))
    return ar.result(clamped(upper(ar, _hellinger_epsilon, rho, d), nonnegative))


def _hellinger_epsilon(ar: Arithmetic, rho: Array, d: Array) -> tuple[Array, Array]:
    kappa, rest = rho * (2 - rho), (1 - rho) ** 2  # these sum to 1, and differences use the smaller one
    large = rho > 0.5
    gap = np.where(large, rest - (1 - d), (d - 2 * rho) + rho * rho)
    excess = np.where(large, (1 - d) * (1 + d) - rest, kappa - d * d)
    gap_size, excess_size = np.where(large, rest + 1 - d, d + 2 * rho), np.where(large, 2 - 2 * d + rest, kappa + d * d)
    some = gap > 0
    by = np.where(some, gap, 1)
    ratio = np.where(some, excess, 0) / by
    value = np.where(some, ar.log1p(ratio), ar.inf)
    size = (excess_size + abs(ratio) * gap_size) / by / (1 + ratio) + np.where(some, abs(value), 0)
    return value, np.where(abs(gap) > gap_size * tolerance(ar), size, ar.inf)


def total_variation_to_delta(
    *, total_variation: ArrayLike, epsilon: ArrayLike, arithmetic: Arithmetic = FLOAT64
) -> Floats:
    r"""The least delta of approximate DP that a bound on the total variation distance guarantees at epsilon.

    .. math:: \delta = \max(\tau, 1 - e^\varepsilon(1 - \tau))

    the second only for epsilon < 0: total variation by itself bounds no likelihood ratio.

    Parameters
    ----------
    total_variation : array_like
        The bound tau, in [0, 1].
    epsilon : array_like
        Any real number.
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        delta, in [0, 1].

    Examples
    --------
    >>> from krdtheory.privacy.conversions import total_variation_to_delta
    >>> total_variation_to_delta(total_variation=0.1, epsilon=[-1, 0, 1]).round(12).tolist()
    [0.668908502946, 0.1, 0.1]
    """
    ar = arithmetic
    tau = ar.parameter(total_variation, "total_variation", 0, 1, "in [0, 1]")
    tau, e = broadcast_arguments(ar, total_variation=tau, epsilon=as_real(ar, epsilon, "epsilon"))
    formula = relative(lambda ar, tau, e: tau - (1 - tau) * ar.expm1(np.where(e < 0, e, 0)))
    return ar.result(upper(ar, formula, tau, e, most=1))


def total_variation_to_approximate_dp(
    *, total_variation: ArrayLike, delta: ArrayLike, nonnegative: bool = False, arithmetic: Arithmetic = FLOAT64
) -> Floats:
    r"""The least epsilon of approximate DP that a bound on the total variation distance guarantees at delta.

    .. math:: \varepsilon = \log\frac{1-\delta}{1-\tau} \le 0

    where delta >= tau. Below tau no epsilon is guaranteed: P may have an atom of mass tau that Q has not.

    Parameters
    ----------
    total_variation : array_like
        The bound tau, in [0, 1].
    delta, nonnegative, arithmetic
        As `rdp_to_approximate_dp`.

    Returns
    -------
    float or array
        The epsilon in nats; +inf where delta < tau.

    Examples
    --------
    >>> from krdtheory.privacy.conversions import total_variation_to_approximate_dp
    >>> total_variation_to_approximate_dp(total_variation=0.1, delta=[0.05, 0.1, 0.5]).round(12).tolist()
    [inf, 0.0, -0.587786664902]
    """
    ar = arithmetic
    tau = ar.parameter(total_variation, "total_variation", 0, 1, "in [0, 1]")
    tau, d = broadcast_arguments(ar, total_variation=tau, delta=as_delta(ar, delta))
    return ar.result(clamped(upper(ar, _total_variation_epsilon, tau, d), nonnegative))


def _total_variation_epsilon(ar: Arithmetic, tau: Array, d: Array) -> tuple[Array, Array]:
    some = d >= tau
    rest, step = np.where(some, 1 - tau, 1), np.where(some, tau - d, 0)
    near = 2 * step > -rest
    far = ar.log1p(-d) - ar.log1p(np.where(some, -tau, 0))
    value = np.where(near, ar.log1p(np.where(near, step / rest, 0)), far)
    return np.where(some, value, ar.inf), np.where(near, 1, 2 - ar.log1p(-d)) * abs(value)


def approximate_dp_to_delta(
    *,
    epsilon: ArrayLike,
    delta: ArrayLike,
    target_epsilon: ArrayLike,
    two_sided: bool = False,
    arithmetic: Arithmetic = FLOAT64,
) -> Floats:
    r"""The least delta at another epsilon that (epsilon, delta)-DP guarantees.

    .. math:: \delta + (1-\delta) (1 - e^{\varepsilon'-\varepsilon})_+ \quad\text{or, two-sided,}\quad
       \delta + (1-\delta) \frac{(1 - e^{\varepsilon'-\varepsilon})_+}{1 + e^{-\varepsilon}}

    Parameters
    ----------
    epsilon : array_like
        Finite and >= 0.
    delta : array_like
        In [0, 1].
    target_epsilon : array_like
        epsilon' above: any real number, >= 0 if `two_sided`.
    two_sided : bool
        Whether the guarantee holds in both orders.
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        The delta at `target_epsilon`, in [0, 1].

    Examples
    --------
    >>> from krdtheory.privacy.conversions import approximate_dp_to_delta
    >>> approximate_dp_to_delta(epsilon=1, delta=0, target_epsilon=[0, 0.5, 2], two_sided=True).round(12).tolist()
    [0.46211715726, 0.287649136645, 0.0]
    """
    ar = arithmetic
    target = as_target(ar, target_epsilon, "target_epsilon", two_sided)
    e, d, t = broadcast_arguments(
        ar,
        epsilon=as_bound(ar, epsilon, "epsilon"),
        delta=ar.parameter(delta, "delta", 0, 1, "in [0, 1]"),
        target_epsilon=target,
    )

    def formula(ar: Arithmetic, e: Array, d: Array, t: Array) -> Array:
        fall = -ar.expm1(np.where(t < e, t - e, 0))
        return d + (1 - d) * (fall / (1 + ar.exp(-e)) if two_sided else fall)

    return ar.result(upper(ar, relative(formula), e, d, t, most=1))


def approximate_dp_to_hellinger(*, epsilon: ArrayLike, delta: ArrayLike, arithmetic: Arithmetic = FLOAT64) -> Floats:
    r"""The largest Hellinger distance under two-sided (epsilon, delta)-DP.

    .. math:: 1 - \frac{1-\delta}{\cosh(\varepsilon/2)}

    Every such pair is a post-processing of the canonical one, which has this distance (Kairouz, Oh and Viswanath 2015).

    Parameters
    ----------
    epsilon, delta, arithmetic
        As `approximate_dp_to_delta`.

    Returns
    -------
    float or array
        The distance 1 - sum sqrt(P Q), in [0, 1].

    Examples
    --------
    >>> from krdtheory.privacy.conversions import approximate_dp_to_hellinger
    >>> round(float(approximate_dp_to_hellinger(epsilon=1, delta=0.01)), 12)
    0.12204930487
    """
    ar = arithmetic
    e, d = as_pair(ar, epsilon, delta)

    def formula(ar: Arithmetic, e: Array, d: Array) -> Array:
        half = ar.expm1(-e / 2)
        return (half * half + 2 * d * ar.exp(-e / 2)) / (1 + ar.exp(-e))

    return ar.result(upper(ar, relative(formula), e, d, most=1))


def approximate_dp_to_total_variation(
    *, epsilon: ArrayLike, delta: ArrayLike, arithmetic: Arithmetic = FLOAT64
) -> Floats:
    r"""The largest total variation distance under two-sided (epsilon, delta)-DP.

    .. math:: \delta + (1-\delta)\tanh(\varepsilon/2)

    Parameters
    ----------
    epsilon, delta, arithmetic
        As `approximate_dp_to_delta`.

    Returns
    -------
    float or array
        The distance, in [0, 1].

    Examples
    --------
    >>> from krdtheory.privacy.conversions import approximate_dp_to_total_variation
    >>> round(float(approximate_dp_to_total_variation(epsilon=1, delta=0.01)), 12)
    0.467495985687
    """
    ar = arithmetic
    e, d = as_pair(ar, epsilon, delta)
    formula = relative(lambda ar, e, d: d + (1 - d) * -ar.expm1(-e) / (1 + ar.exp(-e)))
    return ar.result(upper(ar, formula, e, d, most=1))


def approximate_dp_to_regularization(
    *, epsilon: ArrayLike, delta: ArrayLike, arithmetic: Arithmetic = FLOAT64
) -> Floats:
    r"""The regularization at which (epsilon, delta)-DP bounds the kernel Renyi divergences of every order by epsilon.

    .. math:: \lambda = \delta e^{-\varepsilon}

    For a kernel with k(x, x) <= 1, ``D_{alpha,lambda}(P||Q) <= epsilon`` for every alpha. The bound is attained, so no
    smaller lambda serves.

    Parameters
    ----------
    epsilon, delta, arithmetic
        As `approximate_dp_to_delta`.

    Returns
    -------
    float or array
        lambda, in [0, 1].

    References
    ----------
    Domingo-Enrich and Mroueh (2022), Proposition 9.

    Examples
    --------
    >>> from krdtheory.privacy.conversions import approximate_dp_to_regularization
    >>> round(float(approximate_dp_to_regularization(epsilon=1, delta=0.005)), 12)
    0.001839397206
    """
    ar = arithmetic
    e, d = as_pair(ar, epsilon, delta)
    return ar.result(upper(ar, relative(lambda ar, e, d: d * ar.exp(-e)), e, d, most=1))
