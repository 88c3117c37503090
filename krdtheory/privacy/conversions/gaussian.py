"""Gaussian DP to and from approximate DP."""

from __future__ import annotations

from numpy.typing import ArrayLike

from krdtheory.arithmetic import FLOAT64, Arithmetic
from krdtheory.arithmetic.base import Floats
from krdtheory.privacy.conversions.arguments import as_bound, as_delta, as_real, broadcast_arguments, clamped
from krdtheory.privacy.gaussian import gaussian_delta, gaussian_epsilon


def gdp_to_delta(*, mu: ArrayLike, epsilon: ArrayLike, arithmetic: Arithmetic = FLOAT64) -> Floats:
    r"""The privacy profile of mu-Gaussian DP.

    .. math:: \delta(\varepsilon) = \Phi(\mu/2 - \varepsilon/\mu) - e^\varepsilon \Phi(-\mu/2 - \varepsilon/\mu)

    Parameters
    ----------
    mu : array_like
        Finite and >= 0; 0 is perfect privacy, delta = max(0, 1 - e^epsilon).
    epsilon : array_like
        Any real number.
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        The least delta, in [0, 1].

    References
    ----------
    Balle and Wang (2018), Theorem 8; Dong, Roth and Su (2022), Corollary 2.13.

    Examples
    --------
    >>> from krdtheory.privacy.conversions import gdp_to_delta
    >>> gdp_to_delta(mu=1, epsilon=[0, 1, 4]).round(12).tolist()
    [0.382924922548, 0.126936737507, 4.7122412e-05]
    """
    ar = arithmetic
    m, e = broadcast_arguments(ar, mu=as_bound(ar, mu, "mu"), epsilon=as_real(ar, epsilon, "epsilon"))
    return ar.result(gaussian_delta(ar, m, e))


def gdp_to_approximate_dp(
    *, mu: ArrayLike, delta: ArrayLike, nonnegative: bool = False, arithmetic: Arithmetic = FLOAT64
) -> Floats:
    r"""The epsilon of approximate DP that mu-Gaussian DP guarantees at delta, exactly: the inverse of `gdp_to_delta`.

    Parameters
    ----------
    mu : array_like
        Finite and >= 0; 0 is perfect privacy, epsilon = log(1 - delta).
    delta, nonnegative, arithmetic
        As `rdp_to_approximate_dp`.

    Returns
    -------
    float or array
        The epsilon in nats.

    Examples
    --------
    >>> from krdtheory.privacy.conversions import gdp_to_approximate_dp
    >>> round(float(gdp_to_approximate_dp(mu=1, delta=1e-5)), 12)
    4.377178095681
    """
    ar = arithmetic
    m, d = broadcast_arguments(ar, mu=as_bound(ar, mu, "mu"), delta=as_delta(ar, delta))
    return ar.result(clamped(gaussian_epsilon(ar, m, d), nonnegative))
