r"""Notions of privacy as small values: each bounds a divergence of the output laws of neighbouring inputs.

Neighbouring is symmetric, so a pair of laws satisfies a notion if both orders do. A notion computes its divergence on
finite laws (`divergence`, `satisfied_by`) and knows what it implies (`implies`):

- A notion may have a *worst pair*, of which every pair that satisfies it is a post-processing: randomised response for
  pure DP, the four-symbol pair of Kairouz, Oh and Viswanath for approximate DP, two normal laws for Gaussian DP. It
  decides every implication to a notion whose divergence no post-processing increases, with the optimal parameter.
- Otherwise an implication holds by a theorem, which is named, fails by a counterexample, which is returned, or is
  unknown.

=================== ======== ========== =========== ===================== ======== ==============
implies             Pure     Approx.    Renyi       zCDP                  Gaussian kernel Renyi
=================== ======== ========== =========== ===================== ======== ==============
PureDP              yes      yes        yes         eps tanh(eps / 2)     yes      yes
ApproximateDP       no       yes        alpha < 1   no                    no       lambda >= d e^-e
RenyiDP, alpha > 1  no       yes        alpha less  no                    no       alpha less
ZeroConcentratedDP  no       yes        yes         yes                   yes      yes
GaussianDP          no       yes        yes         mu^2 / 2              yes      yes
KernelRenyiDP       no       no         no          no                    no       parameters
=================== ======== ========== =========== ===================== ======== ==============

("no": for no parameter; with delta in (0, 1), and for the kernel Renyi notion lambda > 0 and the identity kernel.)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.special import expit, log_expit, logit, logsumexp, ndtr, ndtri, ndtri_exp

from krdtheory import divergences
from krdtheory.arithmetic import FLOAT64, Arithmetic
from krdtheory.arithmetic.base import Array, reject
from krdtheory.arithmetic.checks import check_number
from krdtheory.divergences.restricted import Polynomials, restricted_renyi
from krdtheory.kernels import kernel_renyi
from krdtheory.privacy import conversions
from krdtheory.privacy.mechanisms import Gaussian, RandomizedResponse
from krdtheory.privacy.regions import ApproximateDPRegion, RenyiRegion

_SLACK = 1e-12  # relative; what rounding may cost a comparison
Pair = tuple[Array, Array]


@dataclass(frozen=True)
class Implication:
    """Whether one notion implies another, and why.

    Attributes
    ----------
    holds : bool or None
        None where it is not known.
    reason : str
        The theorem it follows from, or why it fails.
    parameter : float
        The least bound of the other notion that is known to follow, its other parameters as they are; inf for none.
    optimal : bool
        Is no smaller one implied?
    counterexample : pair of arrays, Gaussian or None
        Laws (or a mechanism) that satisfy the one notion and not the other.
    """

    holds: bool | None
    reason: str
    parameter: float = np.inf
    optimal: bool = False
    counterexample: Any = None

    def __bool__(self) -> bool:
        """Is it known to hold?"""
        return self.holds is True


class Notion(ABC):
    """A bound on a divergence, of both orders of every pair of laws of neighbouring inputs."""

    bound_name: ClassVar[str]
    monotone: ClassVar[bool] = True  # does post-processing never increase the divergence?

    @property
    def bound(self) -> float:
        """The largest value that the divergence may have."""
        return float(getattr(self, self.bound_name))

    @abstractmethod
    def divergence(self, p: Any, q: Any) -> Any:
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
        """Do both orders of a pair of finite laws (..., n) satisfy the notion, up to what rounding costs (1e-12)?

        Examples
        --------
        >>> from krdtheory.privacy.notions import ApproximateDP, PureDP
        >>> PureDP(epsilon=1).satisfied_by([0.5, 0.5], [[0.75, 0.25], [0.9, 0.1]]).tolist()
        [True, False]
        >>> bool(ApproximateDP(epsilon=0.7, delta=0.1).satisfied_by([0.5, 0.5, 0], [0.4, 0.5, 0.1]))
        True
        """
        worse = np.maximum(self.divergence(p, q), self.divergence(q, p))
        return worse <= self.bound + _SLACK * abs(self.bound) + self._rounding

    _rounding: ClassVar[float] = 0.0

    def implies(self, other: Notion) -> Implication:
        """Does every mechanism that satisfies this notion satisfy `other`?

        Parameters
        ----------
        other : Notion
            Of any kind.

        Returns
        -------
        Implication
            True with the theorem, false with a counterexample or the reason, or unknown; and the least bound of the
            other's kind that is known to follow.

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
        a counterexample: normal laws at distance 0.447214
        """
        if not isinstance(other, Notion):
            reject("other", other, "a notion of privacy", TypeError)
        parameter, optimal, reason = other._guaranteed(self)
        parameter += 0.0  # no -0.0
        worst = None if optimal or not other.monotone else self._worst()
        if worst is not None:
            value = other._of(worst)
            if value is not None:
                parameter, optimal, reason = value, True, self._by_worst
        if parameter <= other.bound + _SLACK * abs(other.bound) + other._rounding:
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

    # What a notion guarantees

    def _never(self, other: Notion) -> str:
        """Why `other` does not follow, whatever its parameters, where that is known."""
        return ""

    _worst_name: ClassVar[str] = ""

    @property
    def _by_worst(self) -> str:
        return f"{self._worst_name} are the worst of all pairs"

    def _worst(self) -> Pair | Gaussian | None:
        """The pair of which all others are post-processings, where there is one."""
        return None

    def _curve(self, alpha: float) -> tuple[float, bool, str]:
        """A bound on D_alpha, whether it is optimal, and the theorem."""
        worst = self._worst()
        if worst is None:
            return np.inf, False, ""
        return float(_renyi_of(worst, alpha)), True, self._by_worst

    def _delta(self, epsilon: float) -> tuple[float, bool, str]:
        """The value of the privacy profile at epsilon, as `_curve` gives it."""
        worst = self._worst()
        if worst is None:
            return np.inf, False, ""
        return float(_profile_of(worst, epsilon)), True, self._by_worst

    def _errors(self, level: Array) -> Array | None:
        """A lower bound on the type II error of tests at these levels, where no worst pair says it."""
        return None

    def _subgaussian(self, mu: float) -> tuple[float, bool, str]:
        """As `_curve`, for tau of mean-concentrated DP with mean at most mu."""
        return np.inf, False, ""

    def _examples(self) -> Iterator[tuple[str, Pair | Gaussian]]:
        """Named pairs that satisfy the notion."""
        worst = self._worst()
        if worst is not None:
            yield self._worst_name, worst

    def _response(self) -> Iterator[tuple[str, Pair]]:
        """Randomised response with the largest epsilon that satisfies the notion."""
        low, high = -14.0, 6.5  # of log epsilon
        if not self.satisfied_by(*PureDP(epsilon=np.exp(low))._worst()):
            return
        for _ in range(32):
            middle = (low + high) / 2
            within = self.satisfied_by(*PureDP(epsilon=np.exp(middle))._worst())
            low, high = (middle, high) if within else (low, middle)
        yield f"randomised response with epsilon = {np.exp(low):.6g}", PureDP(epsilon=np.exp(low))._worst()

    # What a notion asks

    @abstractmethod
    def _guaranteed(self, notion: Notion) -> tuple[float, bool, str]:
        """The least bound of this kind that `notion` is known to guarantee, whether it is optimal, the theorem."""

    def _of(self, laws: Pair | Gaussian) -> float | None:
        """The divergence of an example, None where it is not known how to compute it."""
        if isinstance(laws, Gaussian):
            return self._of_gaussian(float(laws.sensitivity) / float(laws.scale))
        return float(max(self.divergence(*laws), self.divergence(*laws[::-1])))

    def _of_gaussian(self, mu: float) -> float | None:
        """The divergence of unit normal laws at distance mu."""
        return None


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
    _worst_name: ClassVar[str] = "the laws of binary randomised response"

    def __post_init__(self) -> None:
        check_number(self.epsilon, "epsilon")

    def divergence(self, p: Any, q: Any, *, arithmetic: Arithmetic = FLOAT64) -> Any:
        """`krdtheory.max_divergence`."""
        return divergences.max_divergence(*_laws(p, q, arithmetic), arithmetic=arithmetic)

    def _worst(self) -> Pair:
        law = RandomizedResponse(epsilon=self.epsilon).distribution(0)
        return law, law[::-1]

    def _curve(self, alpha: float) -> tuple[float, bool, str]:
        return float(RandomizedResponse(epsilon=self.epsilon).renyi(alpha)), True, self._by_worst

    def _delta(self, epsilon: float) -> tuple[float, bool, str]:
        return float(RandomizedResponse(epsilon=self.epsilon).privacy_profile(epsilon)), True, self._by_worst

    def _examples(self) -> Iterator[tuple[str, Pair]]:
        if float(self.epsilon) < 700:  # beyond, floats cannot write the pair
            yield self._worst_name, self._worst()

    def _subgaussian(self, mu: float) -> tuple[float, bool, str]:
        e = float(self.epsilon)
        reason = "the loss has mean at most epsilon tanh(epsilon / 2), and Hoeffding's lemma"
        return (e if e * np.tanh(e / 2) <= mu * (1 + _SLACK) else np.inf), False, reason

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
    _worst_name: ClassVar[str] = "the four-symbol laws of Kairouz, Oh and Viswanath"
    _rounding: ClassVar[float] = 2.0**-52

    def __post_init__(self) -> None:
        check_number(self.epsilon, "epsilon", allowed="a finite number >= 0")
        check_number(self.delta, "delta", 0, 1, allowed="in [0, 1]")

    def divergence(self, p: Any, q: Any, *, arithmetic: Arithmetic = FLOAT64) -> Any:
        """`krdtheory.hockey_stick` at epsilon."""
        return divergences.hockey_stick(*_laws(p, q, arithmetic), self.epsilon, arithmetic=arithmetic)

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

    def divergence(self, p: Any, q: Any, *, arithmetic: Arithmetic = FLOAT64) -> Any:
        """`krdtheory.renyi` of order alpha."""
        return divergences.renyi(*_laws(p, q, arithmetic), self.alpha, arithmetic=arithmetic)

    def _curve(self, alpha: float) -> tuple[float, bool, str]:
        order, e = float(self.alpha), float(self.epsilon)
        if alpha <= order:
            skew = min(1, alpha / (1 - alpha)) if alpha < 1 and 1 - alpha <= order else 1  # (1 - alpha) D = alpha D'
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
        return "two-point laws on its boundary with q -> 0 have no bound there" if steep or higher else ""

    def _examples(self) -> Iterator[tuple[str, Pair]]:
        """Two-point laws on the boundary: p as large as it may be for q, from q = 1e-300 up, and p = 1 - q."""
        order, e = float(self.alpha), float(self.epsilon)
        if order < 1:
            kept = np.exp(-e * (1 - order) / max(order, 1 - order))
            yield "laws of different support", (np.array([1 - kept, kept]), np.array([0.0, 1.0]))
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
                yield "two-point laws on the boundary of the notion", pair

    def _guaranteed(self, notion: Notion) -> tuple[float, bool, str]:
        return notion._curve(float(self.alpha))

    def _of_gaussian(self, mu: float) -> float:
        return float(self.alpha) * mu * mu / 2


class _Concentrated(Notion):
    """Of a Renyi curve that is finite at every order."""

    def _errors(self, level: Array) -> Array:
        return ndtr(-ndtri(level) - _largest_shift(self))


@dataclass(frozen=True, kw_only=True)
class ZeroConcentratedDP(_Concentrated):
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

    def divergence(self, p: Any, q: Any) -> Any:
        """The supremum over alpha > 1 of (D_alpha - xi) / alpha, and at least 0."""
        xi = float(self.xi)
        return _each(lambda x, y: _best_slope(lambda a: divergences.renyi(x, y, a), xi), p, q)

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
class TruncatedConcentratedDP(_Concentrated):
    """D_alpha <= min(ceiling, rho alpha) for every alpha >= 1: Colisson's (m, z)-tCDP, m the ceiling and z = rho.

    It is not the truncated concentrated DP of Bun, Dwork, Rothblum and Steinke (2018), which bounds orders below a
    given one only. With a finite ceiling it implies pure DP; the ceiling inf makes it (0, rho)-zCDP.

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

    def divergence(self, p: Any, q: Any) -> Any:
        """The supremum over alpha >= 1 of D_alpha / alpha; +inf where D_inf is above the ceiling."""

        def slope(x: Array, y: Array) -> float:
            within = divergences.max_divergence(x, y) <= float(self.ceiling) * (1 + _SLACK)
            return _best_slope(lambda a: divergences.renyi(x, y, a), 0) if within else np.inf

        return _each(slope, p, q)

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
        within = self._curve(1)[0] <= mu * (1 + _SLACK)
        return (float(self.ceiling) if within else np.inf), False, "Colisson (2016), Theorem 16, with tau = m"

    def _examples(self) -> Iterator[tuple[str, Pair | Gaussian]]:
        if self.ceiling == np.inf:
            yield from _normal_laws(float(self.rho))
        yield from self._response()

    def _guaranteed(self, notion: Notion) -> tuple[float, bool, str]:
        if notion._curve(np.inf)[0] > float(self.ceiling) * (1 + _SLACK):
            return np.inf, False, ""
        return ZeroConcentratedDP(rho=1)._guaranteed(notion)

    def _of_gaussian(self, mu: float) -> float:
        return mu * mu / 2 if self.ceiling == np.inf else np.inf


@dataclass(frozen=True, kw_only=True)
class MeanConcentratedDP(_Concentrated):
    """The privacy loss L = log(p / q), under p, has mean at most mu and L - E L is tau-subgaussian.

    Post-processing may break it (Colisson, Section 3.3.1, to the contrary; Bun and Steinke 2016).

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

    def divergence(self, p: Any, q: Any) -> Any:
        """The least tau; +inf where the mean is above mu."""
        return _each(lambda x, y: _subgaussian_norm(x, y, float(self.mu)), p, q)

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
        return mu if mu * mu / 2 <= float(self.mu) * (1 + _SLACK) else np.inf


@dataclass(frozen=True, kw_only=True)
class GaussianDP(Notion):
    """Telling the laws apart is at least as hard as telling N(0, 1) from N(mu, 1), at every level of a test.

    Parameters
    ----------
    mu : number
        Positive.

    References
    ----------
    Dong, Roth and Su (2022).

    Examples
    --------
    >>> from krdtheory.privacy.notions import GaussianDP, PureDP
    >>> round(float(GaussianDP(mu=1).divergence([0.75, 0.25], [0.25, 0.75])), 12)  # 2 Phi^-1(3/4)
    1.348979500392
    >>> PureDP(epsilon=1).implies(GaussianDP(mu=2)).parameter.__round__(12)
    1.232035385345
    """

    mu: Any
    bound_name: ClassVar[str] = "mu"
    _worst_name: ClassVar[str] = "the normal laws"

    def __post_init__(self) -> None:
        check_number(self.mu, "mu")

    def divergence(self, p: Any, q: Any) -> Any:
        """The least mu: the largest of Phi^-1(1 - a) - Phi^-1(b) over the corners (a, b) of the trade-off curve.

        A convex curve lies above the Gaussian one where its corners do.
        """

        def least(x: Array, y: Array) -> float:
            if ((x > 0) != (y > 0)).any():
                return np.inf
            a, not_a, b, not_b = _trade_off(x, y)
            inner = (a > 0) & (not_a > 0) & (b > 0) & (not_b > 0)
            scores = -_normal_score(a[inner], not_a[inner]) - _normal_score(b[inner], not_b[inner])
            return float(scores.max(initial=0))

        return _each(least, p, q)

    def _worst(self) -> Gaussian:
        return Gaussian(scale=1, sensitivity=self.mu)

    def _guaranteed(self, notion: Notion) -> tuple[float, bool, str]:
        if isinstance(notion, PureDP) or (isinstance(notion, ApproximateDP) and notion.delta == 0):
            e = float(notion.epsilon)  # the corner of the trade-off curve has levels 1 / (1 + e^epsilon)
            return float(-2 * ndtri_exp(-np.logaddexp(0, e))), True, notion._by_worst
        if isinstance(notion, _Concentrated):
            return _largest_shift(notion), False, "the two-point laws with its Renyi curve: every test is one"
        return np.inf, False, ""

    def _of_gaussian(self, mu: float) -> float:
        return mu


@dataclass(frozen=True, kw_only=True)
class TradeOffDP(Notion):
    """f-DP: every test of level a has type II error at least f(a).

    Parameters
    ----------
    tradeoff : callable
        f, elementwise on arrays in [0, 1]: convex, continuous, nonincreasing and at most 1 - a.

    Raises
    ------
    ValueError, TypeError
        f is not such a function, on a grid of 257 points.

    References
    ----------
    Dong, Roth and Su (2022).

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.privacy.notions import PureDP, TradeOffDP
    >>> notion = TradeOffDP(tradeoff=lambda a: np.maximum(1 - 3 * a, (1 - a) / 3).clip(0))  # that of log(3)-DP
    >>> bool(notion.satisfied_by([0.75, 0.25], [0.25, 0.75])), bool(notion.satisfied_by([0.8, 0.2], [0.2, 0.8]))
    (True, False)
    >>> bool(PureDP(epsilon=1.09).implies(notion)), bool(PureDP(epsilon=1.1).implies(notion))
    (True, False)
    """

    tradeoff: Callable[[Any], Any]
    bound_name: ClassVar[str] = "bound"
    _rounding: ClassVar[float] = 1e-12

    def __post_init__(self) -> None:
        if not callable(self.tradeoff):
            reject("tradeoff", self.tradeoff, "a function", TypeError)
        a = np.linspace(0, 1, 257)
        f = np.asarray(self.tradeoff(a), dtype=float)
        fall = np.diff(f)
        if f.shape != a.shape or not ((f >= 0) & (f <= 1 - a + 1e-12)).all() or (fall > 1e-12).any():
            reject("tradeoff", f, "nonincreasing and between 0 and 1 - a (these are its values)")
        if (np.diff(fall) < -1e-12).any():
            reject("tradeoff", f, "convex (these are its values)")

    @property
    def bound(self) -> float:
        """0: the trade-off curve is nowhere below f."""
        return 0.0

    def divergence(self, p: Any, q: Any) -> Any:
        """How far f is above the trade-off curve: the largest f(a) - b over the corners (a, b) of the curve."""

        def excess(x: Array, y: Array) -> float:
            a, _, b, _ = _trade_off(x, y)
            return float((np.asarray(self.tradeoff(np.minimum(a, 1)), dtype=float) - b).max())

        return _each(excess, p, q)

    def _delta(self, epsilon: float) -> tuple[float, bool, str]:
        """sup 1 - f(a) - e^epsilon a, on each cell of a grid at most 1 - f(right) - e^epsilon left."""
        a = np.concatenate([[0], np.geomspace(1e-12, 1, 20001)])
        f = np.asarray(self.tradeoff(a), dtype=float)
        return (
            float((1 - f[1:] - np.exp(min(epsilon, 700)) * a[:-1]).max().clip(0)),  # no less where it would overflow
            False,
            "the conjugate of the trade-off function",
        )

    def _errors(self, level: Array) -> Array:
        return np.asarray(self.tradeoff(level), dtype=float)

    def _examples(self) -> Iterator[tuple[str, Pair]]:
        pair = self._chords()
        if self.satisfied_by(*pair):
            yield "laws whose trade-off curve has its corners on the function", pair
        yield from self._response()

    def _chords(self) -> Pair:
        """Laws with the trade-off curve of a polygon inscribed in f where f(a) >= a, and mirrored elsewhere."""

        def at(a: Any) -> Array:
            return np.asarray(self.tradeoff(np.asarray(a, dtype=float)), dtype=float)

        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if at([middle])[0] >= middle else (low, middle)
        a = np.concatenate([[0, 0], np.geomspace(1e-12, 1, 100) * low]) if low else np.zeros(2)
        b = np.maximum(at(a), low)
        b[0] = 1
        a, b = np.concatenate([a, b[::-1]]), np.concatenate([b, a[::-1]])
        p, q = np.diff(a), -np.diff(b)
        on = (p > 0) | (q > 0)
        return p[on], q[on]

    def _guaranteed(self, notion: Notion) -> tuple[float, bool, str]:
        if isinstance(notion, TradeOffDP) and notion.tradeoff == self.tradeoff:
            return 0.0, True, "the same function"
        tail = np.geomspace(1e-18, 0.1, 3000)
        inner = np.concatenate([tail, np.linspace(0.1, 0.9, 1000), 1 - tail[::-1]])
        a = np.concatenate([[0], np.geomspace(1e-300, 1e-18, 400), inner, [1]])
        f = np.asarray(self.tradeoff(a), dtype=float)
        least = notion._errors(a[1:]) if f.any() else 0 * a[1:]
        within = least is not None and (least >= f[:-1] - self._rounding).all()  # both fall: so it is within each cell
        return (0.0 if within else np.inf), False, "its tests have larger errors, cell by cell"

    def _of_gaussian(self, mu: float) -> float:
        a = np.linspace(0, 1, 4097)[1:-1]
        return float((np.asarray(self.tradeoff(a), dtype=float) - ndtr(-ndtri(a) - mu)).max())


@dataclass(frozen=True, kw_only=True)
class KernelRenyiDP(Notion):
    """The regularised kernel Renyi divergence of order alpha is at most epsilon.

    Parameters
    ----------
    alpha : number
        Order, positive and finite.
    regularization : number
        lambda, finite, >= 0.
    epsilon : number
        Positive.
    kernel, bandwidth
        As `krdtheory.kernels.kernel_renyi`; outputs are the points 0, 1, ... unless `points` says otherwise. "identity"
        sees only whether outputs are equal: an audit of real numbers, which hardly come twice, needs another, as "rbf".

    References
    ----------
    Domingo-Enrich and Mroueh (2022), Definition 4, Propositions 2, 4 and 9.

    Examples
    --------
    >>> from krdtheory.privacy.notions import ApproximateDP, KernelRenyiDP, PureDP
    >>> notion = KernelRenyiDP(alpha=2, regularization=0.01, epsilon=1, kernel="rbf", bandwidth=1.0)
    >>> round(float(notion.divergence([0.5, 0.5], [0.25, 0.75])), 6)
    0.235188
    >>> bool(ApproximateDP(epsilon=1, delta=0.027).implies(notion)), notion.implies(PureDP(epsilon=9)).holds
    (True, False)
    """

    alpha: Any
    regularization: Any
    epsilon: Any
    kernel: Any = "identity"
    bandwidth: Any = None
    bound_name: ClassVar[str] = "epsilon"
    monotone: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_number(self.alpha, "alpha")
        check_number(self.regularization, "regularization", allowed="a finite number >= 0")
        check_number(self.epsilon, "epsilon")

    def divergence(self, p: Any, q: Any, *, points: Any = None, arithmetic: Arithmetic = FLOAT64) -> Any:
        """`krdtheory.kernels.kernel_renyi` of laws p, q (n,) of the same `points`."""
        x, y = _laws(p, q, arithmetic)
        points = [[i] for i in range(np.shape(x)[-1])] if points is None else points
        return kernel_renyi(
            points,
            x,
            points,
            y,
            alpha=self.alpha,
            regularization=self.regularization,
            kernel=self.kernel,
            bandwidth=self.bandwidth,
            arithmetic=arithmetic,
        )

    def _never(self, other: Notion) -> str:
        if not other.monotone or self.kernel != "identity" or self.regularization == 0:
            return ""
        return "uniform laws on n and on n other points: D = -log(n lambda) for every alpha, and total variation 1"

    def _examples(self) -> Iterator[tuple[str, Pair]]:
        s = min(float(self.regularization), 1.0) / 2
        while s > 1e-300:
            pair = np.array([1.0, 0.0]), np.array([1 - s, s])
            if self.satisfied_by(*pair):
                yield "laws of different support, told apart by less than lambda", pair
                break
            s /= 16
        n = max(1, np.ceil(np.exp(-float(self.epsilon)) / max(float(self.regularization), 1e-300)))
        if self.kernel == "identity" and n <= 64:
            half = np.repeat([1 / n, 0], int(n))
            yield f"uniform laws on {int(n)} and on {int(n)} other points", (half, half[::-1])

    def _guaranteed(self, notion: Notion) -> tuple[float, bool, str]:
        lam, e = float(self.regularization), float(self.epsilon)
        if isinstance(notion, KernelRenyiDP):
            same = notion.kernel == self.kernel and notion.bandwidth == self.bandwidth
            smaller = float(notion.alpha) >= float(self.alpha) and float(notion.regularization) <= lam
            value = float(notion.epsilon) if same and smaller else np.inf
            return value, False, "Domingo-Enrich and Mroueh (2022), Proposition 4"
        value, _, _ = notion._curve(float(self.alpha))
        if value > e and notion._delta(e)[0] <= lam * float(np.exp(min(e, 709))):
            return e, False, "Domingo-Enrich and Mroueh (2022), Proposition 9"
        return value, False, "the kernel Renyi divergence is at most the Renyi divergence (ibid., Proposition 2)"


@dataclass(frozen=True, kw_only=True)
class CapacityBoundedDP(Notion):
    r"""The Renyi divergence restricted to polynomials of a degree is at most epsilon (capacity-bounded privacy).

    .. math:: D^H_\alpha(p\|q) = \sup_{h \in H,\, E_p h > 0} A \log E_p h - \log E_q |h|^A, \quad A = \alpha/(\alpha-1)

    Parameters
    ----------
    alpha : number
        Order, finite, > 1.
    epsilon : number
        Positive.
    degree : int
        Of the polynomials of a real output, 1 to 20; 1 is the paper's "lin". Powers of higher degree are dependent up
        to the rounding errors of float64: on 60 points a value has ten correct digits at degree 20, and six at 30.
        Outputs are 0, 1, ... unless `points` says otherwise.

    References
    ----------
    Chaudhuri, Imola and Machanavajjhala (2019), Definition 3 and equation 3.

    Examples
    --------
    >>> from krdtheory.privacy.notions import CapacityBoundedDP, PureDP
    >>> notion = CapacityBoundedDP(alpha=2, epsilon=1)
    >>> round(float(notion.divergence([0.5, 0, 0.5], [0.25, 0.5, 0.25])), 9)  # equal means
    0.0
    >>> notion.implies(PureDP(epsilon=1)).holds, bool(PureDP(epsilon=1).implies(notion))
    (False, True)
    """

    alpha: Any
    epsilon: Any
    degree: int = 1
    bound_name: ClassVar[str] = "epsilon"
    monotone: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if check_number(self.alpha, "alpha") <= 1:
            reject("alpha", self.alpha, "> 1")
        check_number(self.epsilon, "epsilon")
        Polynomials(self.degree)

    def divergence(self, p: Any, q: Any, *, points: Any = None, arithmetic: Arithmetic = FLOAT64) -> Any:
        """`krdtheory.restricted_renyi` of laws p, q of the same real `points` (n,), and its PrecisionError."""
        n = np.shape(arithmetic.array(p, "p"))[-1:]
        x = arithmetic.reals(np.arange(n[0]) if points is None else points, "points")
        if x.shape != n:
            reject("points", points, f"real numbers, one for each of the {n[0]} weights")
        if n[0] <= self.degree + 1 and len(set(x.tolist())) == n[0]:  # then every function is a polynomial
            return divergences.renyi(*_laws(p, q, arithmetic), self.alpha, arithmetic=arithmetic)
        polynomials = Polynomials(self.degree)

        def value(u: Array, v: Array) -> Any:
            found = restricted_renyi(u, v, self.alpha, polynomials, points=x, arithmetic=arithmetic)
            return found if found > 0 else 0 * abs(found)  # h = 1 has value 0

        return _each(value, p, q, arithmetic)

    def _of(self, laws: Pair | Gaussian) -> float | None:
        tiny = not isinstance(laws, Gaussian) and len(laws[0]) > self.degree + 1 and _least_weight(laws) < 1e-30
        return None if tiny else super()._of(laws)  # which float64 would not settle

    def _examples(self) -> Iterator[tuple[str, Pair]]:
        signed = np.array([1.0])
        for _ in range(int(self.degree) + 1):
            signed = np.convolve(signed, [1, -1])
        weights = signed / 2.0 ** int(self.degree)  # a difference of order degree + 1 does not see such polynomials
        yield "laws of different support and equal moments", (np.maximum(weights, 0), np.maximum(-weights, 0))

    def _guaranteed(self, notion: Notion) -> tuple[float, bool, str]:
        if isinstance(notion, CapacityBoundedDP):
            a, b = float(notion.alpha), float(self.alpha)
            if b > a or self.degree > notion.degree:
                return np.inf, False, ""
            return (1 - 1 / a) / (1 - 1 / b) * float(notion.epsilon), a == b, "(1 - 1 / alpha) D increases with alpha"
        return notion._curve(float(self.alpha))[0], False, "a restricted divergence is at most the Renyi divergence"


# Computations


def _laws(p: Any, q: Any, ar: Arithmetic = FLOAT64) -> tuple[Any, Any]:
    """p and q as they are, once they are known to be probability vectors."""
    for name, value, weights in zip(("p", "q"), (p, q), ar.two_weights(p, q), strict=True):
        if (abs(weights.sum(-1) - 1) > 1e-9).any():
            reject(name, value, "probability vectors: weights that sum to 1")
    return p, q


def _each(f: Callable[[Array, Array], Any], p: Any, q: Any, ar: Arithmetic = FLOAT64) -> Any:
    """f of every pair of vectors of a batch."""
    _laws(p, q, ar)
    kind = object if ar.exact_input else float
    x, y = np.broadcast_arrays(np.asarray(p, dtype=kind), np.asarray(q, dtype=kind))
    out = np.empty(x.shape[:-1], dtype=kind)
    for index in np.ndindex(out.shape):
        out[index] = f(x[index], y[index])
    return out[()]


def _least_weight(laws: Pair) -> float:
    weights = np.concatenate(laws)
    return float(weights[weights > 0].min())


def _two_points(u: Array) -> Array:
    return np.stack([expit(u), expit(-u)], -1)


def _renyi_of(laws: Pair | Gaussian, alpha: float) -> Any:
    if isinstance(laws, Gaussian):
        return laws.renyi(alpha)
    return max(divergences.renyi(*laws, alpha), divergences.renyi(*laws[::-1], alpha))


def _profile_of(laws: Pair | Gaussian, epsilon: float) -> Any:
    if isinstance(laws, Gaussian):
        return laws.privacy_profile(epsilon)
    return max(divergences.hockey_stick(*laws, epsilon), divergences.hockey_stick(*laws[::-1], epsilon))


def _normal_laws(rho: float) -> Iterator[tuple[str, Gaussian]]:
    """Those with D_alpha = rho alpha."""
    mu = float(np.sqrt(2 * rho))
    yield f"normal laws at distance {mu:.6g}", Gaussian(scale=1, sensitivity=mu)


def _supremum(f: Callable[[Array], Array], low: float, high: float) -> float:
    """Of f on [low, high], by grids about the best point so far."""
    best, size = -np.inf, 128
    for _ in range(7):
        grid = np.linspace(low, high, size + 1)
        values = f(grid)
        i = int(np.argmax(values))
        best = max(best, float(values[i]))
        low, high, size = grid[max(i - 1, 0)], grid[min(i + 1, size)], 32
    return best


def _largest_shift(notion: Notion) -> float:
    """The least mu such that two-point laws with the Renyi curve of `notion`, in both orders, are mu-GDP.

    It is attained near randomised response; as q -> 0 it falls to sqrt(2 rho), rho being the slope of the curve.
    """
    orders = np.array([1, *(1 + np.geomspace(1e-3, 1e4, 200)), np.inf])  # fewer conditions than there are: not below
    bounds = np.array([notion._curve(float(a))[0] for a in orders])[:, None] * (1 + _SLACK)

    def score(u: Array) -> Array:
        tail = ndtri_exp(log_expit(-abs(u)))
        return np.where(u < 0, tail, -tail)

    def renyi(u: Array, v: Array) -> Array:
        x, y = log_expit(u) - log_expit(v), log_expit(-u) - log_expit(-v)
        k = orders[1:-1, None] - 1
        middle = np.logaddexp(log_expit(u) + k * x, log_expit(-u) + k * y) / k
        return np.vstack([expit(u) * x + expit(-u) * y, middle, np.maximum(x, y)])

    def gap(place: Array) -> Array:
        v = -np.sinh(place)
        low, high = v, np.full_like(v, 745.0)
        for _ in range(60):
            u = (low + high) / 2
            within = (np.maximum(renyi(u, v), renyi(v, u)) <= bounds).all(0)
            low, high = np.where(within, u, low), np.where(within, high, u)
        return score(high) - score(v)

    return _supremum(gap, 0.0, float(np.arcsinh(700)))


def _best_slope(curve: Callable[[Any], Any], xi: float) -> float:
    """sup over alpha >= 1 of (D_alpha - xi) / alpha, at least 0."""
    first, at_infinity = float(np.ravel(curve(1.0))[0]), float(np.ravel(curve(1e300))[0])
    if not np.isfinite(first) or at_infinity == np.inf:
        return np.inf

    def slope(u: Array) -> Array:
        alpha = 1 + np.exp(u)
        return (np.ravel(curve(alpha)) - xi) / alpha

    return max(0.0, first - xi, _supremum(slope, -30.0, 30.0))


def _best_order(curve: Callable[[float], float], epsilon: float) -> float:
    """The least delta at epsilon over the orders of a Renyi curve, each by the optimal conversion."""

    def delta(u: Array) -> Array:
        alphas = 1 + np.exp(u)
        bounds = np.array([curve(float(a)) for a in alphas])
        return -conversions.rdp_to_delta(alpha=alphas, epsilon=bounds, target_epsilon=epsilon, two_sided=True)

    return abs(_supremum(delta, -7.0, 9.0))


def _subgaussian_norm(p: Array, q: Array, mu: float) -> float:
    """The least tau with log E e^{s (L - E L)} <= s^2 tau^2 / 2 for all real s, +inf where E L > mu."""
    mean = float(divergences.kl(p, q))
    if not mean <= mu * (1 + _SLACK):
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

        best = max(best, _supremum(proxy, -5.0, 7.0))
    return float(np.sqrt(best))


def _trade_off(p: Array, q: Array) -> tuple[Array, Array, Array, Array]:
    """Corners of the trade-off curve of tests of p against q: levels a, 1 - a, type II errors b, 1 - b."""
    order = np.argsort(np.where(p > 0, q / np.where(p > 0, p, 1), np.inf))[::-1]  # reject the largest q / p first
    x, y = p[order], q[order]

    def below(v: Array) -> Array:
        return np.concatenate([[0], np.cumsum(v)])

    a, not_a = below(x), below(x[::-1])[::-1]
    not_b, b = below(y), below(y[::-1])[::-1]
    return a, not_a, b, not_b


def _normal_score(a: Array, not_a: Array) -> Array:
    """Phi^-1(a), from whichever of a and 1 - a is small."""
    return np.where(a < 0.5, ndtri(a), -ndtri(not_a))
