"""Concentrated differential privacy: zero-concentrated, truncated and mean-concentrated."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp, ndtr, ndtri

from krdtheory import divergences
from krdtheory.arithmetic.base import Array, Floats
from krdtheory.arithmetic.checks import check_number
from krdtheory.privacy import conversions
from krdtheory.privacy.mechanisms import Gaussian
from krdtheory.privacy.notions.differential import PureDP
from krdtheory.privacy.notions.finite import of_each_pair
from krdtheory.privacy.notions.notion import SLACK, Notion, Pair
from krdtheory.privacy.notions.suprema import largest_shift, supremum


class Concentrated(Notion):
    """A notion that bounds the Renyi curve at every order."""

    def _errors(self, level: Array) -> Array:
        return ndtr(-ndtri(level) - largest_shift(self))


@dataclass(frozen=True, kw_only=True)
class ZeroConcentratedDP(Concentrated):
    """D_alpha <= xi + rho alpha for every alpha > 1.

    Parameters
    ----------
    rho : number
        Positive.
    xi : number
        Finite, >= 0.

    References
    ----------
    Bun and Steinke (2016); Colisson (2016), Definition 17.

    Examples
    --------
    >>> from krdtheory.privacy.notions import ZeroConcentratedDP
    >>> round(float(ZeroConcentratedDP(rho=1).divergence([0.75, 0.25], [0.25, 0.75])), 12)  # log(3) / 2
    0.549306144334
    """

    rho: Any
    xi: Any = 0
    bound_name: ClassVar[str] = "rho"

    def __post_init__(self) -> None:
        check_number(self.rho, "rho")
        check_number(self.xi, "xi", allowed="a finite number >= 0")

    def divergence(self, p: ArrayLike, q: ArrayLike) -> Floats:
        """The supremum over alpha > 1 of (D_alpha - xi) / alpha, and at least 0."""
        xi = float(self.xi)
        return of_each_pair(lambda x, y: _best_slope(lambda a: divergences.renyi(x, y, a), xi), p, q)

    def _curve(self, alpha: float) -> tuple[float, bool, str]:
        xi, rho = float(self.xi), float(self.rho)
        if alpha < 1:
            return min(1, alpha / (1 - alpha)) * (xi + rho), False, "D_alpha <= D_1 and skew symmetry"
        return xi + rho * alpha, xi == 0, "the definition"

    def _delta(self, epsilon: float) -> tuple[float, bool, str]:
        xi, rho = float(self.xi), float(self.rho)
        return _best_order(lambda a: xi + rho * a, epsilon), False, "the optimal conversion of its best order"

    def _examples(self) -> Iterator[tuple[str, Pair | Gaussian]]:
        yield from _normal_laws(float(self.rho))
        yield from self._response()

    def _guaranteed(self, notion: Notion) -> tuple[float, bool, str]:
        if isinstance(notion, ZeroConcentratedDP):
            more = max(0.0, float(notion.xi) - float(self.xi))
            return float(notion.rho) + more, more == 0 and notion.xi == self.xi, "xi <= xi alpha"
        value = _best_slope(lambda a: np.array([notion._curve(float(x))[0] for x in np.ravel(a)]), float(self.xi))
        return value, notion._worst() is not None, f"its Renyi curve: {notion._curve(2.0)[2]}"

    def _of_gaussian(self, mu: float) -> float:
        return mu * mu / 2


@dataclass(frozen=True, kw_only=True)
class TruncatedConcentratedDP(Concentrated):
    """D_alpha <= min(ceiling, rho alpha) for every alpha >= 1: Colisson's (m, z)-tCDP, m the ceiling and z = rho.

    It is not the truncated concentrated DP of Bun, Dwork, Rothblum and Steinke (2018), which bounds only the orders
    below a given one. With a finite ceiling it implies pure DP; the ceiling inf makes it (0, rho)-zCDP.

    Parameters
    ----------
    ceiling : number
        Positive; inf is allowed.
    rho : number
        Positive.

    References
    ----------
    Colisson (2016), Definition 18, Theorems 13 and 14 (whose converse needs xi = 0, or xi + rho for rho).

    Examples
    --------
    >>> from krdtheory.privacy.notions import PureDP, TruncatedConcentratedDP
    >>> bool(TruncatedConcentratedDP(ceiling=2, rho=0.5).implies(PureDP(epsilon=2)))
    True
    """

    ceiling: Any
    rho: Any
    bound_name: ClassVar[str] = "rho"

    def __post_init__(self) -> None:
        if self.ceiling != np.inf:
            check_number(self.ceiling, "ceiling")
        check_number(self.rho, "rho")

    def divergence(self, p: ArrayLike, q: ArrayLike) -> Floats:
        """The supremum over alpha >= 1 of D_alpha / alpha; +inf where D_inf is above the ceiling."""

        def slope(x: Array, y: Array) -> float:
            within = divergences.max_divergence(x, y) <= float(self.ceiling) * (1 + SLACK)
            return _best_slope(lambda a: divergences.renyi(x, y, a), 0) if within else np.inf

        return of_each_pair(slope, p, q)

    def _curve(self, alpha: float) -> tuple[float, bool, str]:
        if alpha < 1:
            return min(1, alpha / (1 - alpha)) * self._curve(1)[0], False, "D_alpha <= D_1 and skew symmetry"
        return min(float(self.ceiling), float(self.rho) * alpha), False, "the definition"

    def _delta(self, epsilon: float) -> tuple[float, bool, str]:
        delta = _best_order(lambda a: self._curve(a)[0], epsilon)
        if self.ceiling < np.inf:
            delta = min(delta, PureDP(epsilon=self.ceiling)._delta(epsilon)[0])
        return delta, False, "the optimal conversion of its best order, or pure DP"

    def _subgaussian(self, mu: float) -> tuple[float, bool, str]:
        within = self._curve(1)[0] <= mu * (1 + SLACK)
        return (float(self.ceiling) if within else np.inf), False, "Colisson (2016), Theorem 16, with tau = m"

    def _examples(self) -> Iterator[tuple[str, Pair | Gaussian]]:
        if self.ceiling == np.inf:
            yield from _normal_laws(float(self.rho))
        yield from self._response()

    def _guaranteed(self, notion: Notion) -> tuple[float, bool, str]:
        if notion._curve(np.inf)[0] > float(self.ceiling) * (1 + SLACK):
            return np.inf, False, ""
        return ZeroConcentratedDP(rho=1)._guaranteed(notion)

    def _of_gaussian(self, mu: float) -> float:
        return mu * mu / 2 if self.ceiling == np.inf else np.inf


@dataclass(frozen=True, kw_only=True)
class MeanConcentratedDP(Concentrated):
    """The privacy loss L = log(p / q), under p, has mean at most mu and L - E L is tau-subgaussian.

    Post-processing may violate it (Bun and Steinke 2016, against Colisson, Section 3.3.1).

    Parameters
    ----------
    mu, tau : number
        Positive.

    References
    ----------
    Dwork and Rothblum (2016); Colisson (2016), Definition 16.

    Examples
    --------
    >>> from krdtheory.privacy.notions import MeanConcentratedDP
    >>> p = [1 / (1 + 3**0.5), 3**0.5 / (1 + 3**0.5)]  # randomised response: tau^2 = 2 epsilon tanh(epsilon / 2)
    >>> round(float(MeanConcentratedDP(mu=1, tau=1).divergence(p, p[::-1])), 9)
    0.54256085
    """

    mu: Any
    tau: Any
    bound_name: ClassVar[str] = "tau"
    monotone: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_number(self.mu, "mu")
        check_number(self.tau, "tau")

    def divergence(self, p: ArrayLike, q: ArrayLike) -> Floats:
        """The least tau; +inf where the mean is above mu."""
        return of_each_pair(lambda x, y: _subgaussian_norm(x, y, float(self.mu)), p, q)

    def _curve(self, alpha: float) -> tuple[float, bool, str]:
        return (
            float(self.mu) + max(alpha - 1, 0) * float(self.tau) ** 2 / 2,
            False,
            "E e^(lambda L), Bun and Steinke (2016)",
        )

    def _delta(self, epsilon: float) -> tuple[float, bool, str]:
        return _best_order(lambda a: self._curve(a)[0], epsilon), False, "the optimal conversion of its best order"

    def _subgaussian(self, mu: float) -> tuple[float, bool, str]:
        return (float(self.tau) if self.mu <= mu else np.inf), self.mu == mu, "the definition"

    def _examples(self) -> Iterator[tuple[str, Pair | Gaussian]]:
        yield from _normal_laws(min(float(self.mu), float(self.tau) ** 2 / 2))
        yield from self._response()

    def _guaranteed(self, notion: Notion) -> tuple[float, bool, str]:
        return notion._subgaussian(float(self.mu))

    def _of_gaussian(self, mu: float) -> float:
        return mu if mu * mu / 2 <= float(self.mu) * (1 + SLACK) else np.inf


def _normal_laws(rho: float) -> Iterator[tuple[str, Gaussian]]:
    """Yield the normal distributions with D_alpha = rho alpha."""
    mu = float(np.sqrt(2 * rho))
    yield f"normal distributions at distance {mu:.6g}", Gaussian(scale=1, sensitivity=mu)


def _best_slope(curve: Callable[[Any], Any], xi: float) -> float:
    """Return the supremum over alpha >= 1 of (D_alpha - xi) / alpha, and at least 0."""
    first, at_infinity = float(np.ravel(curve(1.0))[0]), float(np.ravel(curve(1e300))[0])
    if not np.isfinite(first) or at_infinity == np.inf:
        return np.inf

    def slope(u: Array) -> Array:
        alpha = 1 + np.exp(u)
        return (np.ravel(curve(alpha)) - xi) / alpha

    return max(0.0, first - xi, supremum(slope, -30.0, 30.0))


def _best_order(curve: Callable[[float], float], epsilon: float) -> float:
    """Return the least delta at epsilon over the orders of a Renyi curve, by the optimal conversion of each."""

    def delta(u: Array) -> Array:
        alphas = 1 + np.exp(u)
        bounds = np.array([curve(float(a)) for a in alphas])
        deltas = conversions.rdp_to_delta(alpha=alphas, epsilon=bounds, target_epsilon=epsilon, two_sided=True)
        return -np.asarray(deltas)

    return abs(supremum(delta, -7.0, 9.0))


def _subgaussian_norm(p: Array, q: Array, mu: float) -> float:
    """Return the least tau with log E e^{s (L - E L)} <= s^2 tau^2 / 2 for all real s; +inf if E L > mu."""
    mean = float(divergences.kl(p, q))
    if not mean <= mu * (1 + SLACK):
        return np.inf
    on = p > 0
    weights, loss = p[on], np.log(p[on]) - np.log(q[on])
    centred = loss - mean
    size = abs(centred).max()
    if size == 0:
        return 0.0
    best = float((weights * centred**2).sum())
    for sign in (1, -1):

        def proxy(u: Array, sign: int = sign) -> Array:
            with np.errstate(over="ignore"):
                s = np.minimum(np.exp(u) / size, 1e150) * sign
            return 2 * logsumexp(np.log(weights) + s[:, None] * centred, axis=-1) / s**2

        best = max(best, supremum(proxy, -5.0, 7.0))
    return float(np.sqrt(best))
