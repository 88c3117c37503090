"""Pure and approximate differential privacy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from krdtheory import divergences
from krdtheory.arithmetic import FLOAT64, Arithmetic
from krdtheory.arithmetic.base import Floats
from krdtheory.arithmetic.checks import check_number
from krdtheory.privacy import conversions
from krdtheory.privacy.mechanisms import Gaussian, RandomizedResponse
from krdtheory.privacy.notions.finite import checked_laws
from krdtheory.privacy.notions.notion import SLACK, Notion, Pair, response_laws


@dataclass(frozen=True, kw_only=True)
class PureDP(Notion):
    """D_inf <= epsilon.

    Parameters
    ----------
    epsilon : number
        Positive, in nats.

    References
    ----------
    Dwork, McSherry, Nissim and Smith (2006).

    Examples
    --------
    >>> from krdtheory.privacy.notions import PureDP
    >>> round(float(PureDP(epsilon=1).divergence([0.5, 0.5], [0.25, 0.75])), 12)
    0.69314718056
    """

    epsilon: Any
    bound_name: ClassVar[str] = "epsilon"
    _worst_name: ClassVar[str] = "the distributions of binary randomised response"

    def __post_init__(self) -> None:
        check_number(self.epsilon, "epsilon")

    def divergence(self, p: ArrayLike, q: ArrayLike, *, arithmetic: Arithmetic = FLOAT64) -> Floats:
        """`krdtheory.max_divergence`."""
        return divergences.max_divergence(*checked_laws(p, q, arithmetic), arithmetic=arithmetic)

    def _worst(self) -> Pair:
        return response_laws(self.epsilon)

    def _curve(self, alpha: float) -> tuple[float, bool, str]:
        return float(RandomizedResponse(epsilon=self.epsilon).renyi(alpha)), True, self._by_worst

    def _delta(self, epsilon: float) -> tuple[float, bool, str]:
        return float(RandomizedResponse(epsilon=self.epsilon).privacy_profile(epsilon)), True, self._by_worst

    def _examples(self) -> Iterator[tuple[str, Pair]]:
        if float(self.epsilon) < 700:  # beyond that the pair underflows
            yield self._worst_name, self._worst()

    def _subgaussian(self, mu: float) -> tuple[float, bool, str]:
        e = float(self.epsilon)
        reason = "the loss has mean at most epsilon tanh(epsilon / 2), and Hoeffding's lemma"
        return (e if e * np.tanh(e / 2) <= mu * (1 + SLACK) else np.inf), False, reason

    def _guaranteed(self, notion: Notion) -> tuple[float, bool, str]:
        return notion._curve(np.inf)

    def _of_gaussian(self, mu: float) -> float:
        return np.inf


@dataclass(frozen=True, kw_only=True)
class ApproximateDP(Notion):
    """P(S) <= e^epsilon Q(S) + delta for every event S: the hockey-stick divergence at epsilon is at most delta.

    Parameters
    ----------
    epsilon : number
        Finite, >= 0.
    delta : number
        In [0, 1].

    References
    ----------
    Dwork and Roth (2014); Kairouz, Oh and Viswanath (2015) for the worst pair.

    Examples
    --------
    >>> from krdtheory.privacy.notions import ApproximateDP
    >>> round(float(ApproximateDP(epsilon=0.1, delta=0.2).divergence([0.5, 0.5], [0.25, 0.75])), 12)
    0.223707270481
    >>> ApproximateDP(epsilon=1, delta=0.1).implies(ApproximateDP(epsilon=0.5, delta=0.3)).parameter.__round__(12)
    0.35888422298
    """

    epsilon: Any
    delta: Any
    bound_name: ClassVar[str] = "delta"
    _worst_name: ClassVar[str] = "the four-symbol distributions of Kairouz, Oh and Viswanath"
    _rounding: ClassVar[float] = 2.0**-52

    def __post_init__(self) -> None:
        check_number(self.epsilon, "epsilon", allowed="a finite number >= 0")
        check_number(self.delta, "delta", 0, 1, allowed="in [0, 1]")

    def divergence(self, p: ArrayLike, q: ArrayLike, *, arithmetic: Arithmetic = FLOAT64) -> Floats:
        """`krdtheory.hockey_stick` at epsilon."""
        return divergences.hockey_stick(*checked_laws(p, q, arithmetic), self.epsilon, arithmetic=arithmetic)

    def _worst(self) -> Pair:
        d, e = float(self.delta), float(self.epsilon)
        law = np.array([d, (1 - d) * expit(e), (1 - d) * expit(-e), 0])
        return law, law[::-1]

    def _curve(self, alpha: float) -> tuple[float, bool, str]:
        if self.delta == 0 < self.epsilon:
            return PureDP(epsilon=self.epsilon)._curve(alpha)
        return super()._curve(alpha)

    def _examples(self) -> Iterator[tuple[str, Pair]]:
        if self.delta > 0 or float(self.epsilon) < 700:
            yield self._worst_name, self._worst()

    def _delta(self, epsilon: float) -> tuple[float, bool, str]:
        d = conversions.approximate_dp_to_delta(
            epsilon=float(self.epsilon), delta=float(self.delta), target_epsilon=epsilon, two_sided=True
        )
        return float(d), True, self._by_worst

    def _guaranteed(self, notion: Notion) -> tuple[float, bool, str]:
        delta, optimal, reason = notion._delta(float(self.epsilon))
        return (delta, optimal, reason) if delta < 1 else (1.0, optimal, "a probability is at most 1")

    def _of_gaussian(self, mu: float) -> float:
        return float(Gaussian(scale=1, sensitivity=mu).privacy_profile(float(self.epsilon)))
