"""Renyi curves of pure DP and of Gaussian DP."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from krdtheory.arithmetic import FLOAT64, Arithmetic
from krdtheory.arithmetic.base import Array, Floats
from krdtheory.privacy.conversions.arguments import as_bound, broadcast_arguments
from krdtheory.privacy.guarantees import relative, upper


def pure_to_rdp(*, epsilon: ArrayLike, alpha: ArrayLike, arithmetic: Arithmetic = FLOAT64) -> Floats:
    r"""The largest Renyi divergence of order alpha under pure epsilon-DP, that of randomised response.

    .. math:: \frac{1}{\alpha-1} \log \frac{\cosh((\alpha-\frac12)\varepsilon)}{\cosh(\varepsilon/2)}
       \le \min(\varepsilon, \alpha\varepsilon^2/2)

    with its limits: alpha = 1, :math:`\varepsilon\tanh(\varepsilon/2)`; alpha = inf, epsilon; 0 at alpha = 0.

    Parameters
    ----------
    epsilon : array_like
        Finite and >= 0.
    alpha : array_like
        Order in [0, inf].
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        The bound in nats; it is attained.

    References
    ----------
    Colisson (2016), Theorem 7 (the bound alpha epsilon^2 / 2); Bun and Steinke (2016), Proposition 3.3.

    Examples
    --------
    >>> from krdtheory.privacy.conversions import pure_to_rdp
    >>> pure_to_rdp(epsilon=1, alpha=[1, 3, float("inf")]).round(12).tolist()
    [0.46211715726, 0.846726830485, 1.0]
    """
    ar = arithmetic
    e, a = broadcast_arguments(ar, epsilon=as_bound(ar, epsilon, "epsilon"), alpha=ar.order(alpha))
    infinite = a == ar.inf
    value = upper(ar, relative(pure_curve), e, np.where(infinite, 2, a))
    return ar.result(np.where(infinite | (value > e), e, value))


@np.errstate(over="ignore")
def pure_curve(ar: Arithmetic, e: Array, a: Array) -> Array:
    """Return the Renyi curve of randomised response. Where the ratio of the two cosh is near 1, it is computed by
    cosh((a - 1/2) e) / cosh(e / 2) - 1 = 2 sinh(a e / 2) sinh((a - 1) e / 2) / cosh(e / 2)."""
    k = a - 1
    lead = np.where(a > 1, k, -np.minimum(a, abs(k))) * e
    far, flat = abs(lead) > 1, k == 0
    value = lead
    if far.any():
        value = lead + ar.log1p(ar.exp(-abs(2 * a - 1) * e)) - ar.log1p(ar.exp(-e))
    if not far.all():
        near_e, near_a = np.where(far, 0, e), np.where(far, 1, a)
        growth = ar.exp((near_a + abs(near_a - 1) - 1) * near_e / 2)
        growth = growth * -ar.expm1(-near_a * near_e) * -ar.expm1(-abs(near_a - 1) * near_e)
        small = ar.log1p(np.where(a > 1, growth, -growth) / (1 + ar.exp(-near_e)))
        value = np.where(far, value, small)
    value = value / np.where(flat, 1, k)
    if flat.any():
        value = np.where(flat, e * -ar.expm1(-e) / (1 + ar.exp(-e)), value)
    return np.where(lead < ar.inf, value, e)  # where (a - 1) e overflows, the curve is e to all digits


def pure_to_zcdp(*, epsilon: ArrayLike, arithmetic: Arithmetic = FLOAT64) -> Floats:
    r"""The least rho for which every purely epsilon-DP mechanism is rho-zCDP.

    .. math:: \rho = \varepsilon \tanh(\varepsilon/2) \le \varepsilon^2/2

    Parameters
    ----------
    epsilon : array_like
        Finite and >= 0.
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        rho: D_alpha <= rho alpha for every alpha > 1, with equality for randomised response as alpha -> 1.

    References
    ----------
    Bun and Steinke (2016), Proposition 3.3, with epsilon^2 / 2.

    Examples
    --------
    >>> from krdtheory.privacy.conversions import pure_to_zcdp
    >>> round(float(pure_to_zcdp(epsilon=1)), 12)
    0.46211715726
    """
    ar = arithmetic
    e = as_bound(ar, epsilon, "epsilon")
    value = upper(ar, relative(lambda ar, e: e * -ar.expm1(-e) / (1 + ar.exp(-e))), e)
    return ar.result(np.minimum(value, e))


def gdp_to_rdp(*, mu: ArrayLike, alpha: ArrayLike, arithmetic: Arithmetic = FLOAT64) -> Floats:
    r"""The largest Renyi divergence of order alpha under mu-Gaussian DP: alpha mu^2 / 2, that of N(mu, 1) and N(0, 1).

    Parameters
    ----------
    mu : array_like
        Finite and >= 0.
    alpha : array_like
        Order in [0, inf].
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        The bound in nats; +inf at alpha = inf unless mu = 0. So mu-GDP implies mu^2/2-zCDP.

    References
    ----------
    Dong, Roth and Su (2022), Corollary B.6.

    Examples
    --------
    >>> from krdtheory.privacy.conversions import gdp_to_rdp
    >>> float(gdp_to_rdp(mu=0.5, alpha=8))
    1.0
    """
    ar = arithmetic
    m, a = broadcast_arguments(ar, mu=as_bound(ar, mu, "mu"), alpha=ar.order(alpha))
    return ar.result(upper(ar, relative(lambda ar, m, a: np.where(m > 0, a / 2, 1) * m * m), m, a))
