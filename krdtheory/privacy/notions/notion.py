"""The interface of notions: the divergence that a notion bounds, the pairs that satisfy it, and what it implies."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import ArrayLike

from krdtheory import divergences
from krdtheory.arithmetic.base import Array, Floats, reject
from krdtheory.privacy.mechanisms import Gaussian, RandomizedResponse
from krdtheory.results import Result

SLACK = 1e-12  # relative rounding error allowed in comparisons
Pair = tuple[Array, Array]


@dataclass(frozen=True, eq=False)
class Implication(Result):
    """Whether one notion implies another, and why.

    Attributes
    ----------
    holds : bool or None
        None where it is not known.
    reason : str
        The theorem that gives it, or why it fails.
    parameter : float
        The least bound of the other notion that is known to follow, its other parameters as they are; inf for none.
    optimal : bool
        Whether no smaller one is implied.
    counterexample : pair of arrays, Gaussian or None
        Distributions (or a mechanism) that satisfy the one notion and not the other.
    """

    holds: bool | None
    reason: str
    parameter: float = np.inf
    optimal: bool = False
    counterexample: Any = None
    parts: ClassVar[tuple[type, ...]] = (Gaussian,)

    def __bool__(self) -> bool:
        """Return whether the implication is known to hold."""
        return self.holds is True


class Notion(ABC):
    """A bound on a divergence, in both orders, between the output distributions of every two neighbouring inputs."""

    bound_name: ClassVar[str]
    monotone: ClassVar[bool] = True  # whether post-processing never increases the divergence

    @property
    def bound(self) -> float:
        """The largest value that the divergence may have."""
        return float(getattr(self, self.bound_name))

    def _with(self, **parameters: Any) -> Self:
        """Return the notion with other values of some parameters."""
        return cast(Self, replace(cast(Any, self), **parameters))

    def _with_bound(self, bound: float) -> Self:
        """Return the notion with another bound."""
        return self._with(**{self.bound_name: bound})

    @abstractmethod
    def divergence(self, p: ArrayLike, q: ArrayLike) -> Floats:
        """The least bound for which p relative to q satisfies the notion, its other parameters as they are.

        Parameters
        ----------
        p, q : array_like, shape (..., n)
            Probability vectors.

        Returns
        -------
        float or array, shape (...)
            +inf where there is none.

        Raises
        ------
        ValueError, TypeError
            Not probability vectors of one length.
        """

    def satisfied_by(self, p: Any, q: Any) -> Any:
        """Whether both orders of a pair of finite distributions (..., n) satisfy the notion, up to rounding (1e-12).

        Examples
        --------
        >>> from krdtheory.privacy.notions import ApproximateDP, PureDP
        >>> PureDP(epsilon=1).satisfied_by([0.5, 0.5], [[0.75, 0.25], [0.9, 0.1]]).tolist()
        [True, False]
        >>> bool(ApproximateDP(epsilon=0.7, delta=0.1).satisfied_by([0.5, 0.5, 0], [0.4, 0.5, 0.1]))
        True
        """
        worse = np.maximum(self.divergence(p, q), self.divergence(q, p))
        return worse <= self.bound + SLACK * abs(self.bound) + self._rounding

    _rounding: ClassVar[float] = 0.0

    def implies(self, other: Notion) -> Implication:
        """Whether every mechanism that satisfies this notion satisfies `other`.

        Parameters
        ----------
        other : Notion
            Of any kind.

        Returns
        -------
        Implication
            True with the theorem, false with a counterexample or the reason, or unknown; with the least bound of the
            other notion that is known to follow.

        Raises
        ------
        TypeError
            `other` is not a notion.

        Examples
        --------
        >>> from krdtheory.privacy.notions import PureDP, RenyiDP, ZeroConcentratedDP
        >>> known = PureDP(epsilon=1).implies(RenyiDP(alpha=3, epsilon=0.8))
        >>> known.holds, round(known.parameter, 12), known.optimal
        (False, 0.846726830485, True)
        >>> known.counterexample[0].round(6).tolist()
        [0.731059, 0.268941]
        >>> bool(PureDP(epsilon=1).implies(ZeroConcentratedDP(rho=0.4622)))
        True
        >>> print(ZeroConcentratedDP(rho=0.1).implies(PureDP(epsilon=100)).reason)
        a counterexample: normal distributions at distance 0.447214
        """
        if not isinstance(other, Notion):
            reject("other", other, "a notion of privacy", TypeError)
        parameter, optimal, reason = other._guaranteed(self)
        parameter += 0.0  # turns -0.0 into 0.0
        worst = None if optimal or not other.monotone else self._worst()
        if worst is not None:
            value = other._of(worst)
            if value is not None:
                parameter, optimal, reason = value, True, self._by_worst
        if parameter <= other.bound + SLACK * abs(other.bound) + other._rounding:
            return Implication(True, reason, parameter, optimal)
        for name, laws in self._examples():
            value = other._of(laws)
            if value is not None and value > other.bound + 1e-9 * abs(other.bound) + 4 * other._rounding:
                return Implication(False, f"a counterexample: {name}", parameter, optimal, laws)
        refuted = f"the least that follows is {parameter:.6g}: {reason}" if optimal else self._never(other)
        if refuted:
            return Implication(False, refuted, parameter, optimal)
        known = "none" if parameter == np.inf else f"{parameter:.6g}"
        unknown = f"no theorem known here gives it (the least bound that does: {known}), no example here refutes it"
        return Implication(None, unknown, parameter, optimal)

    # What the notion guarantees

    def _never(self, other: Notion) -> str:
        """Return the reason why `other` follows for no value of its parameters, "" if none is known."""
        return ""

    _worst_name: ClassVar[str] = ""

    @property
    def _by_worst(self) -> str:
        return f"{self._worst_name} are the worst of all pairs"

    def _worst(self) -> Pair | Gaussian | None:
        """Return the pair of which all others are post-processings, None if there is none."""
        return None

    def _curve(self, alpha: float) -> tuple[float, bool, str]:
        """Return a bound on D_alpha, whether it is optimal, and the theorem."""
        worst = self._worst()
        if worst is None:
            return np.inf, False, ""
        return float(renyi_of(worst, alpha)), True, self._by_worst

    def _delta(self, epsilon: float) -> tuple[float, bool, str]:
        """Return a bound on the privacy profile at epsilon, whether it is optimal, and the theorem."""
        worst = self._worst()
        if worst is None:
            return np.inf, False, ""
        return float(profile_of(worst, epsilon)), True, self._by_worst

    def _errors(self, level: Array) -> Array | None:
        """Return a lower bound on the type II errors of tests at these levels, None if only a worst pair gives one."""
        return None

    def _subgaussian(self, mu: float) -> tuple[float, bool, str]:
        """Return a bound on tau of mean-concentrated DP with mean at most mu, whether it is optimal, and why."""
        return np.inf, False, ""

    def _examples(self) -> Iterator[tuple[str, Pair | Gaussian]]:
        """Yield pairs that satisfy the notion, with their names."""
        worst = self._worst()
        if worst is not None:
            yield self._worst_name, worst

    def _response(self) -> Iterator[tuple[str, Pair]]:
        """Yield randomised response with the largest epsilon that satisfies the notion."""
        low, high = -14.0, 6.5  # of log epsilon
        if not self.satisfied_by(*response_laws(np.exp(low))):
            return
        for _ in range(32):
            middle = (low + high) / 2
            within = self.satisfied_by(*response_laws(np.exp(middle)))
            low, high = (middle, high) if within else (low, middle)
        yield f"randomised response with epsilon = {np.exp(low):.6g}", response_laws(np.exp(low))

    # What the notion requires

    @abstractmethod
    def _guaranteed(self, notion: Notion) -> tuple[float, bool, str]:
        """Return the least bound of this notion that `notion` is known to guarantee, whether it is optimal, and why."""

    def _of(self, laws: Pair | Gaussian) -> float | None:
        """Return the divergence of an example, None if it cannot be computed."""
        if isinstance(laws, Gaussian):
            return self._of_gaussian(float(laws.sensitivity) / float(laws.scale))
        return float(max(self.divergence(*laws), self.divergence(*laws[::-1])))

    def _of_gaussian(self, mu: float) -> float | None:
        """Return the divergence of unit normal distributions at distance mu, None if it cannot be computed."""
        return None


def response_laws(epsilon: Any) -> Pair:
    """Return the output distributions of binary randomised response on both inputs."""
    law = RandomizedResponse(epsilon=epsilon).distribution(0)
    return law, law[::-1]


def renyi_of(laws: Pair | Gaussian, alpha: float) -> Any:
    if isinstance(laws, Gaussian):
        return laws.renyi(alpha)
    return max(divergences.renyi(*laws, alpha), divergences.renyi(*laws[::-1], alpha))


def profile_of(laws: Pair | Gaussian, epsilon: float) -> Any:
    if isinstance(laws, Gaussian):
        return laws.privacy_profile(epsilon)
    return max(divergences.hockey_stick(*laws, epsilon), divergences.hockey_stick(*laws[::-1], epsilon))
