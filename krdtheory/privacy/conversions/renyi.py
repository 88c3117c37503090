"""Conversions of Renyi DP of one order, or of several, to approximate DP."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from krdtheory.arithmetic import FLOAT64, Arithmetic
from krdtheory.arithmetic.base import Floats, aligned, reject
from krdtheory.privacy.conversions.arguments import (
    as_bound,
    as_delta,
    as_order,
    as_target,
    broadcast_arguments,
    clamped,
)
from krdtheory.privacy.conversions.rounding import _guaranteed_delta, _guaranteed_epsilon, _itself


def rdp_to_approximate_dp(
    *,
    alpha: ArrayLike,
    epsilon: ArrayLike,
    delta: ArrayLike,
    method: str = "optimal",
    two_sided: bool = False,
    nonnegative: bool = False,
    arithmetic: Arithmetic = FLOAT64,
) -> Floats:
    r"""The epsilon of approximate DP that a bound on the Renyi divergence of one order guarantees at delta.

    With rho = `epsilon`, ``D_alpha(P||Q) <= rho`` implies ``P(S) <= e^eps Q(S) + delta`` for every S, where eps is

    - ``"mironov"``: :math:`\rho + \log(1/\delta) / (\alpha-1)`;
    - ``"balle"``: :math:`\rho + \log\frac{\alpha-1}{\alpha} - \frac{\log\delta + \log\alpha}{\alpha-1}` (Theorem 16);
    - ``"certificate"``: :math:`\log\frac{(\alpha-1)(R^{\alpha/(\alpha-1)}-1)}{\alpha(R-1)}`,
      :math:`R = 1 + (e^{(\alpha-1)\rho} - 1)/(\alpha\delta)`, a closed form that is nearly optimal for small delta;
    - ``"optimal"``: the least that holds for all P and Q. It is :math:`\rho + \log(1-\delta)` where
      :math:`\alpha\delta \ge 1`; otherwise with :math:`r = p/q` and :math:`s = (1-p)/(1-q)`, where (p, q) is the point
      at which a line of slope :math:`e^{eps}` touches the privacy region, it is

      .. math:: \log \min_{0 \le s \le 1} \frac{\alpha-1}{\alpha} \frac{r^\alpha - s^\alpha}{r^{\alpha-1}-s^{\alpha-1}},
         \qquad r^{\alpha-1} = s^{\alpha-1}
         + \frac{e^{(\alpha-1)\rho} - \alpha s^{\alpha-1} + (\alpha-1) s^\alpha}{\alpha\delta}

      which for alpha = 2 and delta <= 1/2 is :math:`\log(1 - \delta + (e^\rho - 1)/(4\delta))`.

    Parameters
    ----------
    alpha : array_like
        Order in (1, inf]; "optimal" takes alpha = 1 as well, where the divergence is the Kullback-Leibler one.
    epsilon : array_like
        The bound rho on the Renyi divergence, finite and >= 0, in nats.
    delta : array_like
        In (0, 1).
    method : str
        "optimal", "certificate", "balle" or "mironov".
    two_sided : bool
        Whether the divergence is bounded in both orders, as for a symmetric neighbour relation. The result is then the
        least epsilon >= 0. Only for method "optimal".
    nonnegative : bool
        Return 0 where the result is negative.
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        The epsilon in nats, of the shape to which the arguments broadcast.

    Raises
    ------
    ValueError
        An unknown method, or `two_sided` with a method other than "optimal".

    Notes
    -----
    Every s in [0, 1] gives a valid epsilon, so an error in the search for the best one never makes the result unsound;
    s = 0 is "balle" and s = 1 is "certificate". The value is stationary in s, hence known to twice its digits. Powers
    are taken in logarithms: nothing overflows.

    References
    ----------
    Mironov (2017), Proposition 3; Balle, Barthe, Gaboardi, Hsu and Sato (2020), Theorem 16 of the appendix (Theorem 21
    of the paper), whose closing conjecture "optimal" answers; Asoodeh, Liao, Calmon, Kosut and Sankar (2021).

    Examples
    --------
    >>> from krdtheory.privacy.conversions import rdp_to_approximate_dp
    >>> for method in "mironov", "balle", "optimal":
    ...     print(method, round(float(rdp_to_approximate_dp(alpha=2, epsilon=0.1, delta=1e-5, method=method)), 9))
    mironov 11.612925465
    balle 10.226631104
    optimal 7.8748429
    >>> rdp_to_approximate_dp(alpha=8, epsilon=0.5, delta=[0.1, 0.2], two_sided=True).round(9).tolist()
    [0.393655141, 0.187780146]
    """
    ar = arithmetic
    a, rho, d = broadcast_arguments(
        ar, alpha=as_order(ar, alpha, method), epsilon=as_bound(ar, epsilon, "epsilon"), delta=as_delta(ar, delta)
    )
    value = _guaranteed_epsilon(ar, _itself, a, d, method, two_sided, rho)
    return ar.result(clamped(value, nonnegative))


def rdp_to_delta(
    *,
    alpha: ArrayLike,
    epsilon: ArrayLike,
    target_epsilon: ArrayLike,
    two_sided: bool = False,
    arithmetic: Arithmetic = FLOAT64,
) -> Floats:
    r"""The least delta of approximate DP that a bound on the Renyi divergence of one order guarantees at an epsilon.

    The inverse of `rdp_to_approximate_dp` with method "optimal". With rho = `epsilon` it is
    :math:`1 - e^{\varepsilon-\rho}` where :math:`\varepsilon \le \rho + \log((\alpha-1)/\alpha)`, otherwise

    .. math:: \min_{s} \frac{e^{(\alpha-1)\rho} - \alpha s^{\alpha-1} + (\alpha-1)s^\alpha}
       {\alpha (r^{\alpha-1} - s^{\alpha-1})}, \qquad
       e^\varepsilon = \frac{\alpha-1}{\alpha} \frac{r^\alpha - s^\alpha}{r^{\alpha-1}-s^{\alpha-1}}

    Parameters
    ----------
    alpha : array_like
        Order in [1, inf].
    epsilon : array_like
        The bound rho on the Renyi divergence, finite and >= 0, in nats.
    target_epsilon : array_like
        The epsilon of approximate DP: any real number, >= 0 if `two_sided`.
    two_sided : bool
        Whether the divergence is bounded in both orders.
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        delta, in [0, 1].

    References
    ----------
    As `rdp_to_approximate_dp`.

    Examples
    --------
    >>> from krdtheory.privacy.conversions import rdp_to_delta
    >>> rdp_to_delta(alpha=2, epsilon=1, target_epsilon=[0, 1, 4]).round(12).tolist()
    [0.632120558829, 0.221457793718, 0.00801345273]
    """
    ar = arithmetic
    target = as_target(ar, target_epsilon, "target_epsilon", two_sided)
    a, rho, e = broadcast_arguments(
        ar, alpha=as_order(ar, alpha, "optimal"), epsilon=as_bound(ar, epsilon, "epsilon"), target_epsilon=target
    )
    return ar.result(_guaranteed_delta(ar, a, rho, e, two_sided))


def rdp_curve_to_approximate_dp(
    *,
    alpha: ArrayLike,
    epsilon: ArrayLike,
    delta: ArrayLike,
    method: str = "optimal",
    two_sided: bool = False,
    nonnegative: bool = False,
    arithmetic: Arithmetic = FLOAT64,
) -> Floats:
    """The epsilon of approximate DP that bounds on the Renyi divergences of several orders guarantee at delta: the
    least of `rdp_to_approximate_dp` over the orders.

    Parameters
    ----------
    alpha, epsilon : array_like, shape (..., n)
        Orders and the bounds at them, along the last axis; a bound may be +inf, as where a divergence is.
    delta : array_like, shape (...)
        In (0, 1).
    method, two_sided, nonnegative, arithmetic
        As `rdp_to_approximate_dp`.

    Returns
    -------
    float or array, shape (...)
        The epsilon in nats; +inf if every bound is.

    Raises
    ------
    ValueError
        As `rdp_to_approximate_dp`, or no order at all.

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.privacy.conversions import rdp_curve_to_approximate_dp
    >>> orders = np.array([1.5, 2, 4, 6, 8, 32])
    >>> round(float(rdp_curve_to_approximate_dp(alpha=orders, epsilon=orders / 2, delta=1e-5)), 9)
    4.761911581
    """
    ar = arithmetic
    a = as_order(ar, alpha, method)
    rho = ar.parameter(epsilon, "epsilon", 0, np.inf, ">= 0")
    d = as_delta(ar, delta)
    a, rho = broadcast_arguments(ar, alpha=a, epsilon=rho)
    if not ar.shape(a) or a.shape[-1] == 0:
        reject("alpha", alpha, "a vector of at least one order, shape (..., n)")
    d = ar.fits(d, "delta", a.shape[:-1])[..., None]
    a, rho, d = aligned(a, rho, d)
    finite = rho < ar.inf
    value = _guaranteed_epsilon(ar, _itself, a, d, method, two_sided, np.where(finite, rho, 0))
    return ar.result(clamped(np.where(finite, value, ar.inf).min(-1), nonnegative))
