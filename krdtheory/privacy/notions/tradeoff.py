"""Notions that bound the errors of tests: Gaussian differential privacy and trade-off functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri, ndtri_exp

from krdtheory.arithmetic.base import Array, Floats, check_signature, reject
from krdtheory.arithmetic.checks import check_number
from krdtheory.privacy.mechanisms import Gaussian
from krdtheory.privacy.notions.concentrated import Concentrated
from krdtheory.privacy.notions.differential import ApproximateDP, PureDP
from krdtheory.privacy.notions.finite import of_each_pair
from krdtheory.privacy.notions.notion import Notion, Pair
from krdtheory.privacy.notions.suprema import largest_shift


@dataclass(frozen=True, kw_only=True)
class GaussianDP(Notion):
    """Telling the distributions apart is at least as hard as telling N(0, 1) from N(mu, 1), at every level of a test.

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
    _worst_name: ClassVar[str] = "the normal distributions"

    def __post_init__(self) -> None:
        check_number(self.mu, "mu")

    def divergence(self, p: ArrayLike, q: ArrayLike) -> Floats:
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

        return of_each_pair(least, p, q)

    def _worst(self) -> Gaussian:
        return Gaussian(scale=1, sensitivity=self.mu)

    def _guaranteed(self, notion: Notion) -> tuple[float, bool, str]:
        if isinstance(notion, PureDP) or (isinstance(notion, ApproximateDP) and notion.delta == 0):
            e = float(notion.epsilon)  # the corner of the trade-off curve has levels 1 / (1 + e^epsilon)
            return float(-2 * ndtri_exp(-np.logaddexp(0, e))), True, notion._by_worst
        if isinstance(notion, Concentrated):
            return largest_shift(notion), False, "the two-point distributions with its Renyi curve: every test is one"
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
        f is not such a function on a grid of 257 points.

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
        check_signature(self.tradeoff, "tradeoff", "a")
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

    def divergence(self, p: ArrayLike, q: ArrayLike) -> Floats:
        """How far f is above the trade-off curve: the largest f(a) - b over the corners (a, b) of the curve."""

        def excess(x: Array, y: Array) -> float:
            a, _, b, _ = _trade_off(x, y)
            return float((np.asarray(self.tradeoff(np.minimum(a, 1)), dtype=float) - b).max())

        return of_each_pair(excess, p, q)

    def _delta(self, epsilon: float) -> tuple[float, bool, str]:
        """Return sup 1 - f(a) - e^epsilon a, which on a cell of the grid is at most 1 - f(right) - e^epsilon left."""
        a = np.concatenate([[0], np.geomspace(1e-12, 1, 20001)])
        f = np.asarray(self.tradeoff(a), dtype=float)
        return (
            float((1 - f[1:] - np.exp(min(epsilon, 700)) * a[:-1]).max().clip(0)),  # the cap can only increase it
            False,
            "the conjugate of the trade-off function",
        )

    def _errors(self, level: Array) -> Array:
        return np.asarray(self.tradeoff(level), dtype=float)

    def _examples(self) -> Iterator[tuple[str, Pair]]:
        pair = self._chords()
        if self.satisfied_by(*pair):
            yield "distributions whose trade-off curve has its corners on the function", pair
        yield from self._response()

    def _chords(self) -> Pair:
        """Return distributions whose trade-off curve is a polygon, inscribed in f where f(a) >= a, else reflected."""

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
        within = least is not None and (least >= f[:-1] - self._rounding).all()  # as both decrease, inside cells too
        return (0.0 if within else np.inf), False, "its tests have larger errors, cell by cell"

    def _of_gaussian(self, mu: float) -> float:
        a = np.linspace(0, 1, 4097)[1:-1]
        return float((np.asarray(self.tradeoff(a), dtype=float) - ndtr(-ndtri(a) - mu)).max())


def _trade_off(p: Array, q: Array) -> tuple[Array, Array, Array, Array]:
    """Return the corners of the trade-off curve of p against q: levels a, 1 - a and type II errors b, 1 - b."""
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        ratio = np.where(p > 0, q / np.where(p > 0, p, 1), np.inf)
        beyond = np.where(p > 0, np.log(q) - np.log(p), np.inf)  # orders ratios that overflow
    order = np.lexsort((beyond, ratio))[::-1]  # reject the largest q / p first
    x, y = p[order], q[order]

    def below(v: Array) -> Array:
        return np.concatenate([[0], np.cumsum(v)])

    a, not_a = below(x), below(x[::-1])[::-1]
    not_b, b = below(y), below(y[::-1])[::-1]
    return a, not_a, b, not_b


def _normal_score(a: Array, not_a: Array) -> Array:
    """Return Phi^-1(a), from the smaller of a and 1 - a."""
    return np.where(a < 0.5, ndtri(a), -ndtri(not_a))
