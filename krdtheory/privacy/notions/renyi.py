"""Renyi differential privacy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit

from krdtheory import divergences
from krdtheory.arithmetic import FLOAT64, Arithmetic
from krdtheory.arithmetic.base import Array, Floats
from krdtheory.arithmetic.checks import check_number
from krdtheory.privacy import conversions
from krdtheory.privacy.notions.concentrated import MeanConcentratedDP, TruncatedConcentratedDP, ZeroConcentratedDP
from krdtheory.privacy.notions.differential import PureDP
from krdtheory.privacy.notions.finite import checked_laws
from krdtheory.privacy.notions.notion import Notion, Pair
from krdtheory.privacy.notions.tradeoff import GaussianDP
from krdtheory.privacy.regions import ApproximateDPRegion, RenyiRegion


@dataclass(frozen=True, kw_only=True)
class RenyiDP(Notion):
    """D_alpha <= epsilon. Order 1 bounds the KL divergence, order 1/2 the Hellinger distance.

    Parameters
    ----------
    alpha : number
        Order, positive and finite.
    epsilon : number
        Positive, in nats.

    References
    ----------
    Mironov (2017).

    Examples
    --------
    >>> from krdtheory.privacy.notions import ApproximateDP, RenyiDP
    >>> notion = RenyiDP(alpha=2, epsilon=0.5)
    >>> round(float(notion.divergence([0.5, 0.5], [0.25, 0.75])), 12)
    0.287682072452
    >>> known = notion.implies(ApproximateDP(epsilon=1, delta=0.09))
    >>> known.holds, round(known.parameter, 9), known.optimal
    (True, 0.089702291, True)
    """

    alpha: Any
    epsilon: Any
    bound_name: ClassVar[str] = "epsilon"

    def __post_init__(self) -> None:
        check_number(self.alpha, "alpha")
        check_number(self.epsilon, "epsilon")

    def divergence(self, p: ArrayLike, q: ArrayLike, *, arithmetic: Arithmetic = FLOAT64) -> Floats:
        """`krdtheory.renyi` of order alpha."""
        return divergences.renyi(*checked_laws(p, q, arithmetic), self.alpha, arithmetic=arithmetic)

    def _curve(self, alpha: float) -> tuple[float, bool, str]:
        order, e = float(self.alpha), float(self.epsilon)
        if alpha <= order:
            skew = min(1, alpha / (1 - alpha)) if alpha < 1 and 1 - alpha <= order else 1  # skew symmetry
            return skew * e, alpha == order, "the Renyi divergence increases with its order"
        if alpha < 1:
            ratio = alpha / (1 - alpha) * (1 - order) / order
            return ratio * e, False, "(1 - alpha) D_alpha / alpha decreases (van Erven and Harremoes 2014, Theorem 16)"
        return np.inf, False, ""

    def _delta(self, epsilon: float) -> tuple[float, bool, str]:
        order, e = float(self.alpha), float(self.epsilon)
        reason = "the optimal conversion, by the privacy region of tests"
        if order >= 1:
            d = conversions.rdp_to_delta(alpha=order, epsilon=e, target_epsilon=epsilon, two_sided=True)
            return float(d), True, reason
        if order == 0.5:
            d = conversions.hellinger_to_delta(hellinger=-np.expm1(-e / 2), epsilon=epsilon)
            return float(d), True, reason
        region = RenyiRegion(alpha=order, rho=e, two_sided=True)
        return ApproximateDPRegion(epsilon=epsilon, delta=0, two_sided=True).covering(region).delta, True, reason

    def _errors(self, level: Array) -> Array:
        return np.asarray(RenyiRegion(alpha=self.alpha, rho=self.epsilon, two_sided=True).boundary(level))

    def _never(self, other: Notion) -> str:
        higher = isinstance(other, RenyiDP) and float(other.alpha) > float(self.alpha) >= 1
        steep = isinstance(other, (PureDP, ZeroConcentratedDP, TruncatedConcentratedDP, MeanConcentratedDP, GaussianDP))
        return "two-point distributions on its boundary with q -> 0 have no bound there" if steep or higher else ""

    def _examples(self) -> Iterator[tuple[str, Pair]]:
        """Yield two-point distributions on the boundary: the largest p for each q from 1e-300 up, and p = 1 - q."""
        order, e = float(self.alpha), float(self.epsilon)
        if order < 1:
            kept = np.exp(-e * (1 - order) / max(order, 1 - order))
            yield "distributions of different support", (np.array([1 - kept, kept]), np.array([0.0, 1.0]))
        q = logit(np.concatenate([10.0 ** np.linspace(-300, -3, 50), np.linspace(5e-3, 0.995, 199)]))
        low, high = q, np.full_like(q, 745.0)
        for mirrored in (False, True):
            low, high = (np.maximum(q, 0), np.full_like(q, 745.0)) if mirrored else (low, high)
            for _ in range(60):
                middle = (low + high) / 2
                p_law, q_law = _two_points(middle), _two_points(-middle if mirrored else q)
                both = np.maximum(divergences.renyi(p_law, q_law, order), divergences.renyi(q_law, p_law, order))
                low, high = np.where(both <= e, middle, low), np.where(both <= e, high, middle)
            p_law, q_law = _two_points(low), _two_points(-low if mirrored else q)
            for pair in zip(p_law[:1] if mirrored else p_law, q_law[:1] if mirrored else q_law, strict=True):
                yield "two-point distributions on the boundary of the notion", pair

    def _guaranteed(self, notion: Notion) -> tuple[float, bool, str]:
        return notion._curve(float(self.alpha))

    def _of_gaussian(self, mu: float) -> float:
        return float(self.alpha) * mu * mu / 2


def _two_points(u: Array) -> Array:
    return np.stack([expit(u), expit(-u)], -1)
