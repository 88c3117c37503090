"""Privacy regions: the errors of tests between two distributions that a bound on their divergence allows.

A test is a map into two cells, so the region of D <= rho is that of its 2-cut. One region includes another exactly
where the bound on one 2-cut implies that on the other. For (epsilon, delta)-DP and total variation, which equal their
2-cuts, that is the optimal conversion; for the other targets it is optimal for tests, and the divergence over larger
alphabets may be larger (no Renyi divergence of order > 1 equals its 2-cut).

A parameter or an error outside the range given for it raises ValueError. One that is not a number raises TypeError, and
so does another object where a region is expected.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, NamedTuple, TypeVar, cast

import numpy as np
from scipy.special import log_expit, log_ndtr, ndtr, ndtri_exp

from krdtheory.arithmetic import FLOAT64
from krdtheory.arithmetic.base import Array, reject
from krdtheory.divergences import hellinger, hockey_stick, total_variation
from krdtheory.divergences.smooth import approximate_max_divergence
from krdtheory.imports import extra

Region = TypeVar("Region", bound="PrivacyRegion")
_Corner = tuple[tuple[float, float], tuple[float, float]]

# the largest value of a parameter, and the range as messages state it
_RANGES = {
    "alpha": (math.inf, "in (0, inf]"),
    "delta": (1.0, "in [0, 1]"),
    "distance": (1.0, "in [0, 1]"),
}


class _Tests(NamedTuple):
    """Images (..., 2) of P and Q under tests, with the probability of acceptance first. Their logarithms extend below
    1e-308, and log(p / q) distinguishes P from Q where the weights agree to all digits.
    """

    p: Array
    q: Array
    log_p: Array
    log_q: Array
    log_ratios: Array

    @classmethod
    def of_weights(cls, p: Any, q: Any, gap: Any = None) -> _Tests:
        """Return tests with these weights. `gap` is p - q for the first weight, and minus p - q for the second."""
        return cls._of(p, q, FLOAT64.log(p), FLOAT64.log(q), p[..., 0] - q[..., 0] if gap is None else gap)

    @classmethod
    def of_logs(cls, log_p: Any, log_q: Any, gap: Any = None) -> _Tests:
        p, q = np.exp(log_p), np.exp(log_q)
        if gap is None:  # from the smaller weights, whose rounding errors are smaller
            gap = np.where(p[..., 0] < p[..., 1], p[..., 0] - q[..., 0], q[..., 1] - p[..., 1])
        return cls._of(p, q, log_p, log_q, gap)

    @classmethod
    def _of(cls, p: Any, q: Any, log_p: Any, log_q: Any, gap: Any) -> _Tests:
        on = log_p > -np.inf
        far = np.where(on, log_p, 0) - np.where(on | (log_q > -np.inf), log_q, 0)
        share = np.stack([gap, -gap], -1) / np.where(p > 1e-300, p, 1)
        close = (p > 1e-300) & (abs(share) < 0.5)
        ratios = np.where(close, -np.log1p(-np.where(close, share, 0)), np.where(on, far, np.minimum(far, -np.inf)))
        return cls(p, q, log_p, log_q, np.where(on | (log_q > -np.inf), ratios, 0))

    def swapped(self) -> _Tests:
        return _Tests(self.q, self.p, self.log_q, self.log_p, -self.log_ratios)

    def choose(self, plain: Array, far: Array) -> Array:
        """Return `plain`, computed from the weights, or `far`, computed from the logarithms, if a weight underflows."""
        logs = np.concatenate([self.log_p, self.log_q], -1)
        return np.where(((logs < -700) & (logs > -np.inf)).any(-1), far, plain)

    def max_divergence(self) -> Array:
        return np.where(self.log_p > -np.inf, self.log_ratios, -np.inf).max(-1) + 0.0  # turns -0.0 into 0.0

    @np.errstate(over="ignore", invalid="ignore")  # invalid values occur only in terms that are not selected
    def renyi(self, alpha: float) -> Array:
        r"""Return the Renyi divergence, with a small relative error where P and Q are close. With r = log(p / q) and
        weights that sum to 1,

        .. math:: (\alpha - 1) D_\alpha = \log(1 + (\alpha - 1) S),\quad
            S = \sum p \left(e^{-r} - 1 + \frac{e^{(\alpha - 1) r} - 1}{\alpha - 1}\right)

        has no terms of first order in r, and for alpha >= 1 no negative ones. Orders below 1/2 follow from those above
        it by skew symmetry, from D(Q||P).
        """
        if alpha == math.inf:
            return self.max_divergence()
        if alpha < 0.5:
            return alpha / (1 - alpha) * self.swapped().renyi(1 - alpha)
        shift = alpha - 1
        on = self.log_p > -np.inf
        r = np.where(on, self.log_ratios, 0)
        z = shift * r
        near = self.p * (r * r) * (_second_order(-r) + shift * _second_order(z))
        # p (e^-r - 1) = q - p, and the latter does not overflow
        left = np.where(r < -1, self.q - self.p, self.p * np.expm1(-np.maximum(r, -1)))
        far = left + self.p * (r if shift == 0 else np.expm1(z) / shift)
        terms = np.where((abs(r) < 0.5) & (abs(z) < 0.5), near, far)
        total = np.where(on, terms, np.where(self.log_q > -np.inf, self.q, 0)).sum(-1)
        if shift == 0:  # the ratio may be inf although the weight of P underflows
            return np.where((r == np.inf).any(-1), np.inf, total)
        level = FLOAT64.log1p_quotient(np.asarray(shift), np.where(shift * total > -0.5, total, 0))
        logs = np.logaddexp.reduce(np.where(on, self.log_p + z, -np.inf), axis=-1) / shift
        return np.where((shift * total > -0.5) & (level < np.inf), level, logs) + 0.0  # turns -0.0 into 0.0


def _second_order(z: Array) -> Array:
    """Return (e^z - 1 - z) / z^2 = 1/2 + z/6 + ..., to all digits of float64 where |z| < 1/2."""
    series = np.ones_like(z)
    for n in range(16, 2, -1):
        series = 1 + series * z / n
    return series / 2


@dataclass(frozen=True, kw_only=True)
class PrivacyRegion(ABC):
    r"""The pairs of errors that tests between P and Q can have where D(P||Q) is at most a bound.

    .. math:: R^D(\rho) = \{(x, y) \in [0, 1]^2 : D((1-x, x)\,\|\,(y, 1-y)) \le \rho\}

    x is the probability of rejecting under P, y that of accepting under Q. Regions are closed, convex and symmetric
    about (1/2, 1/2). P is a probability, Q too; a region of bound +inf is the whole square. Instances are immutable and
    take their parameters by keyword; all take `two_sided`.

    Parameters
    ----------
    two_sided : bool
        Both D(P||Q) and D(Q||P) are bounded, as where neighbours are a symmetric relation: the region and its
        transpose, intersected. Nothing changes for the symmetric ones (Hellinger, total variation, Gaussian).

    References
    ----------
    Kairouz, Oh and Viswanath (2015); Balle, Barthe, Gaboardi, Hsu and Sato (2020), Section 4 and Appendix B.10.
    """

    two_sided: bool = False

    _bound: ClassVar[str]
    _symmetric: ClassVar[bool] = False
    _reach: ClassVar[float] = 700  # positions for `_log_p`, from p = e^-700 up, below which no supremum lies

    def __post_init__(self) -> None:
        if not isinstance(self.two_sided, (bool, np.bool_)):
            reject("two_sided", self.two_sided, "True or False", TypeError)
        for field in fields(self):
            if field.name == "two_sided":
                continue
            high, allowed = _RANGES.get(field.name, (math.inf, "in [0, inf]"))
            x = FLOAT64.parameter(getattr(self, field.name), field.name, 0, high, allowed)
            if x.ndim:
                reject(field.name, x.shape, "one number (this is its shape)", TypeError)
            object.__setattr__(self, field.name, float(x))

    def level(self, x: Any, y: Any) -> Any:
        """The least bound whose region has the errors (x, y): the divergence of the two images under such a test.

        Parameters
        ----------
        x, y : array_like
            Errors in [0, 1], broadcast against each other.

        Returns
        -------
        float or array
            In nats where the divergence is; +inf where no finite bound does.

        Examples
        --------
        >>> from krdtheory.privacy.regions import TotalVariationRegion
        >>> float(TotalVariationRegion(distance=0.5).level(0.25, 0.5))
        0.25
        """
        a, b = (FLOAT64.parameter(v, name, 0, 1, "in [0, 1]") for v, name in ((x, "x"), (y, "y")))
        try:
            a, b = np.broadcast_arrays(a, b)
        except ValueError:
            raise ValueError(f"x and y must broadcast; got shapes {a.shape} and {b.shape}") from None
        gap = ((1 - a) - b) + ((1 - (1 - a)) - a)  # plus the rounding error of 1 - a
        return self._levels(_Tests.of_weights(np.stack([1 - a, a], -1), np.stack([b, 1 - b], -1), gap))[()]

    def contains(self, x: Any, y: Any) -> Any:
        """Whether the errors (x, y) are in the region. Points near its boundary are decided up to rounding errors.

        Parameters
        ----------
        x, y : array_like
            Errors in [0, 1], broadcast against each other.

        Returns
        -------
        bool or array of bool

        Examples
        --------
        >>> from krdtheory.privacy.regions import HellingerRegion
        >>> HellingerRegion(distance=0.2).contains(0.8, [0.03, 0.1, 0.5, 1]).tolist()
        [True, True, True, False]
        """
        return np.asarray(self.level(x, y) <= self.bound)[()]

    def boundary(self, x: Any) -> Any:
        """The least y with (x, y) in the region: the trade-off function. The greatest is 1 - boundary(1 - x).

        Parameters
        ----------
        x : array_like
            In [0, 1].

        Returns
        -------
        float or array
            Convex and falling in x, at most 1 - x.

        Examples
        --------
        >>> from krdtheory.privacy.regions import PureDPRegion
        >>> PureDPRegion(epsilon=1).boundary([0, 0.5, 1]).round(6)
        array([0.367879, 0.18394 , 0.      ])
        """
        a = FLOAT64.parameter(x, "x", 0, 1, "in [0, 1]")
        return np.asarray(self._lower(a))[()]

    def covering(self: Region, other: PrivacyRegion) -> Region:
        """The smallest region of this family that includes another: the optimal bound, other parameters being kept.

        Parameters
        ----------
        other : PrivacyRegion

        Returns
        -------
        PrivacyRegion
            Of this class. Its bound is +inf where no finite one suffices; otherwise its error is about 1e-15 plus 1e-13
            relative. Polygons are covered by their exact corners, other regions by a search along the boundary.

        Examples
        --------
        >>> from krdtheory.privacy.regions import ApproximateDPRegion, HellingerRegion
        >>> round(ApproximateDPRegion(epsilon=1, delta=0).covering(HellingerRegion(distance=0.1)).delta, 12)
        0.26094687604
        """
        if not isinstance(other, PrivacyRegion):
            reject("other", other, "a PrivacyRegion", TypeError)
        bound = math.inf if self._unbounded_on(other) else other._supremum(self._levels)
        return replace(self, **cast(Any, {self._bound: bound}))

    def includes(self, other: PrivacyRegion) -> bool:
        """Whether this region includes another, so that the other's bound implies this one's for every test.

        Parameters
        ----------
        other : PrivacyRegion

        Returns
        -------
        bool
            Bounds within 1e-12 of the optimal one, relative, count as including.

        Examples
        --------
        >>> from krdtheory.privacy.regions import GaussianDPRegion, RenyiRegion
        >>> RenyiRegion(alpha=3, rho=1.5).includes(GaussianDPRegion(mu=1))
        True
        >>> GaussianDPRegion(mu=1).includes(RenyiRegion(alpha=3, rho=1.5))
        False
        """
        if self.bound == math.inf and isinstance(other, PrivacyRegion):
            return True
        least = self.covering(other).bound
        return least <= self.bound or math.isclose(least, self.bound, rel_tol=1e-12, abs_tol=1e-15)

    def plot(self, ax: Any = None, points: int = 401, **style: Any) -> Any:
        """Draw the region.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default in a new figure.
        points : int
            Number of abscissae, at least 2.
        **style
            Passed to `Axes.fill_between`; its label is by default the region's parameters.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        ImportError
            matplotlib is not installed.
        ValueError, TypeError
            `points` is not an integer of at least 2.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> from krdtheory.privacy.regions import PureDPRegion
        >>> PureDPRegion(epsilon=1).plot().get_xlabel()
        'Pr[reject] under P'
        """
        if isinstance(points, bool) or not isinstance(points, (int, np.integer)):
            reject("points", points, "an integer >= 2", TypeError)
        if points < 2:
            reject("points", points, "an integer >= 2")
        if ax is None:
            with extra("plot"):
                import matplotlib.pyplot as plt

            ax = plt.subplots()[1]
        x = (1 - np.cos(np.pi * np.linspace(0, 1, points))) / 2  # dense near the ends, where boundaries bend
        style = {"alpha": 0.3, "label": str(self), **style}
        ax.fill_between(x, self.boundary(x), 1 - np.asarray(self.boundary(1 - x)), **style)
        ax.set(xlabel="Pr[reject] under P", ylabel="Pr[accept] under Q", xlim=(0, 1), ylim=(0, 1), aspect="equal")
        return ax

    @property
    def bound(self) -> float:
        """The bound on the divergence."""
        return float(getattr(self, self._bound))

    @abstractmethod
    def _divergence(self, tests: _Tests) -> Array:
        """Return D of the images of P and Q."""

    def _levels(self, tests: _Tests) -> Array:
        level = self._divergence(tests)
        return np.maximum(level, self._divergence(tests.swapped())) if self.two_sided else level

    def _lower(self, x: Array) -> Array:
        tests = self._trace(np.stack([FLOAT64.log1p(-x), FLOAT64.log(x)], -1))
        return (1 - x) * np.exp(-tests.log_ratios[..., 0])

    def _trace(self, log_p: Array) -> _Tests:
        """Return the tests on the lower boundary with these log p. log(p / q) of the first weights is found by
        bisection over all floats from 0 to inf, which are ordered as their bits are; it ends inside the region.
        """

        def tests(bits: Array) -> _Tests:
            return _beside(log_p, bits.view(np.float64))

        low = np.zeros(log_p.shape[:-1], dtype=np.int64)
        high = np.full_like(low, np.float64(np.inf).view(np.int64))
        low = np.where(self._levels(tests(high)) <= self.bound, high, low)
        while (high - low > 1).any():
            middle = low + (high - low) // 2
            within = self._levels(tests(middle)) <= self.bound
            low, high = np.where(within, middle, low), np.where(within, high, middle)
        return tests(low)

    def _corners(self) -> list[_Corner] | None:
        """Return the images (p, q) at the corners of the lower boundary if the region is a polygon, else None."""
        return [((1, 0), (0, 1))] if self.bound == math.inf else None

    def _supremum(self, levels: Callable[[_Tests], Array]) -> float:
        """Return the largest value of a quasi-convex function over this region, attained on the lower boundary or its
        reflection in (1/2, 1/2). If the region is its own transpose, half of the boundary and the transpose of that
        half are searched.
        """
        whole = not (self.two_sided or self._symmetric)

        def largest(tests: _Tests) -> Array:
            return levels(tests) if whole else np.maximum(levels(tests), levels(tests.swapped()))

        corners = self._corners()
        if corners is not None:
            p, q = np.array(corners, dtype=float).swapaxes(0, 1)
            return float(largest(_Tests.of_weights(p, q)).max())

        def along(position: Array) -> Array:
            return largest(self._boundary_tests(position))

        end = np.inf if whole else self._middle()
        grid = np.sinh(np.linspace(-1, 1, 601) * math.asinh(self._reach))
        grid = np.concatenate([[-np.inf], grid[grid < end], [end]])
        values = along(grid)
        best = values.max()
        for _ in range(7):
            i = int(values.argmax())
            low, high = (grid[min(max(j, 0), len(grid) - 1)] for j in (i - 1, i + 1))
            grid = np.linspace(max(low, -self._reach), min(high, self._reach), 129)
            values = along(grid)
            best = max(best, values.max())
        return float(best)

    def _log_p(self, position: Array) -> Array:
        """Return (log p, log(1 - p)) on the lower boundary at a position, the logit of p in [-inf, inf]."""
        return log_expit(np.stack([position, -position], -1))

    def _boundary_tests(self, position: Array) -> _Tests:
        return self._trace(self._log_p(position))

    def _middle(self) -> float:
        """Return the position at which the lower boundary meets the diagonal x = y, that is, randomised response."""
        low, high = 0.0, 1e8
        for _ in range(120):
            middle = (low + high) / 2
            log_p = self._log_p(np.asarray(middle))
            low, high = (
                (middle, high) if self._levels(_Tests.of_logs(log_p, log_p[::-1])) <= self.bound else (low, middle)
            )
        return low

    # Divergences may be unbounded over a region on which the likelihood ratio p / q is, although its boundary touches
    # q = 0 only at p = 0.

    def _order(self) -> float:
        """Return the Renyi order up to which divergences are bounded on this region."""
        return math.inf

    def _needed_order(self) -> float:
        """Return the Renyi order whose divergence must be bounded for this divergence to be bounded."""
        return 0

    def _unbounded_on(self, other: PrivacyRegion) -> bool:
        return other.bound > 0 and other._order() < self._needed_order()


@np.errstate(over="ignore")
def _beside(log_p: Array, ratio: Array) -> _Tests:
    """Return the tests with these log p whose first weights have log(p / q) = `ratio` >= 0."""
    log_gap = log_p[..., 0] + FLOAT64.log(-np.expm1(-ratio))
    growth = np.exp(log_gap - np.where(log_p[..., 1] > -np.inf, log_p[..., 1], 0))  # relative, of the second weight
    grown = (log_p[..., 1] > -np.inf) & (growth < np.inf)
    other = np.log1p(np.where(grown, growth, 0))
    log_q = np.stack([log_p[..., 0] - ratio, np.where(grown, log_p[..., 1] + other, log_gap)], -1)
    ratios = np.stack([ratio, np.where(grown, -other, log_p[..., 1] - np.where(log_gap > -np.inf, log_gap, 0))], -1)
    empty = (log_p == -np.inf) & (log_q == -np.inf)
    return _Tests(np.exp(log_p), np.exp(log_q), log_p, log_q, np.where(empty, 0, ratios))


def _polygon(epsilon: float, delta: float, two_sided: bool) -> list[_Corner]:
    """Return the corners of q >= max(0, e^-epsilon (p - delta)), 1 - p >= e^-epsilon (1 - q - delta) if two-sided."""
    shrink = math.exp(-epsilon)
    top = (1 - delta) * shrink
    q = top / (1 + shrink)
    upper: list[_Corner] = [((1, 0), (1 - delta, delta)), ((1 - q, q), (q, 1 - q))]
    return [*(upper if two_sided else [((1, 0), (top, 1 - top))]), ((delta, 1 - delta), (0, 1)), ((0, 1), (0, 1))]


def _polygon_lower(epsilon: float, delta: float, two_sided: bool, x: Array) -> Array:
    q = np.exp(-epsilon) * np.maximum(1 - x - delta, 0)
    # the exponent may be capped, as the second line is then below 0 unless x = 0
    return np.maximum(q, 1 - delta - np.exp(min(epsilon, 700)) * x) if two_sided else q


@dataclass(frozen=True, kw_only=True)
class PureDPRegion(PrivacyRegion):
    r"""The region of epsilon-DP: :math:`1 - x \le e^\epsilon y,\ x \le e^\epsilon (1 - y)`.

    Parameters
    ----------
    epsilon : float
        In [0, inf].

    Examples
    --------
    >>> from krdtheory.privacy.regions import ApproximateDPRegion, PureDPRegion
    >>> PureDPRegion(epsilon=1).covering(ApproximateDPRegion(epsilon=1, delta=0.1)).epsilon
    inf
    """

    epsilon: float

    _bound: ClassVar[str] = "epsilon"

    def _divergence(self, tests: _Tests) -> Array:
        return tests.max_divergence()

    def _lower(self, x: Array) -> Array:
        return 0 * x if self.epsilon == math.inf else _polygon_lower(self.epsilon, 0, self.two_sided, x)

    def _corners(self) -> list[_Corner] | None:
        return super()._corners() or _polygon(self.epsilon, 0, self.two_sided)

    def _needed_order(self) -> float:
        return math.inf

    def _unbounded_on(self, other: PrivacyRegion) -> bool:
        return super()._unbounded_on(other) or (isinstance(other, GaussianDPRegion) and other.mu > 0)


@dataclass(frozen=True, kw_only=True)
class ApproximateDPRegion(PrivacyRegion):
    r"""The region of (epsilon, delta)-DP: :math:`1 - x \le e^\epsilon y + \delta,\ x \le e^\epsilon (1 - y) + \delta`.

    Parameters
    ----------
    epsilon : float
        In [0, inf). For epsilon < 0 the two lines would not suffice, as the test that always accepts requires
        delta >= 1 - e^epsilon.
    delta : float
        In [0, 1].

    Examples
    --------
    >>> from krdtheory.privacy.regions import ApproximateDPRegion, KLRegion
    >>> round(ApproximateDPRegion(epsilon=1, delta=0).covering(KLRegion(rho=0.1)).delta, 12)
    0.054973500229
    """

    epsilon: float
    delta: float

    _bound: ClassVar[str] = "delta"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.epsilon == math.inf:
            reject("epsilon", self.epsilon, "in [0, inf)")

    def covering_at_delta(self, other: PrivacyRegion) -> ApproximateDPRegion:
        r"""The (epsilon, delta) region with this delta and the least epsilon >= 0 that includes another region.

        Parameters
        ----------
        other : PrivacyRegion

        Returns
        -------
        ApproximateDPRegion

        Raises
        ------
        ValueError
            No finite epsilon does, as a test of `other` accepts with probability above delta under P and never under Q.

        Examples
        --------
        >>> from krdtheory.privacy.regions import ApproximateDPRegion, RenyiRegion
        >>> known = RenyiRegion(alpha=2, rho=1)
        >>> round(ApproximateDPRegion(epsilon=0, delta=1e-5).covering_at_delta(known).epsilon, 9)
        10.667979237
        """
        if self.delta == 0:
            epsilon = PureDPRegion(epsilon=0, two_sided=self.two_sided).covering(other).epsilon
        elif not isinstance(other, PrivacyRegion):
            reject("other", other, "a PrivacyRegion", TypeError)
        else:
            epsilon = max(0.0, other._supremum(self._least_epsilon))
        if epsilon == math.inf:
            reject("delta", self.delta, f"larger: at this one no finite epsilon covers {other}")
        return replace(self, epsilon=epsilon)

    def _least_epsilon(self, tests: _Tests) -> Array:
        sides = (tests, tests.swapped()) if self.two_sided else (tests,)
        return np.max([self._one_sided_epsilon(side) for side in sides], axis=0)

    def _one_sided_epsilon(self, tests: _Tests) -> Array:
        exact = approximate_max_divergence(tests.p, tests.q, delta=self.delta)
        excess = tests.p - self.delta  # for log(excess / q) where q underflows
        far = np.where(excess > 0, FLOAT64.log(np.where(excess > 0, excess, 1)) - tests.log_q, -np.inf)
        return tests.choose(np.asarray(exact), far.max(-1))

    def _divergence(self, tests: _Tests) -> Array:
        return np.asarray(hockey_stick(tests.p, tests.q, self.epsilon))

    def _lower(self, x: Array) -> Array:
        return _polygon_lower(self.epsilon, self.delta, self.two_sided, x)

    def _corners(self) -> list[_Corner] | None:
        return _polygon(self.epsilon, self.delta, self.two_sided)


@dataclass(frozen=True, kw_only=True)
class RenyiRegion(PrivacyRegion):
    r"""The region of a Renyi divergence, of (alpha, rho)-RDP:
    :math:`(1-x)^\alpha y^{1-\alpha} + x^\alpha (1-y)^{1-\alpha} \le e^{(\alpha-1)\rho}` for alpha > 1.

    Parameters
    ----------
    alpha : float
        Order, in (0, inf].
    rho : float
        In [0, inf], in nats.

    Examples
    --------
    >>> from krdtheory.privacy.regions import RenyiRegion
    >>> round(float(RenyiRegion(alpha=2, rho=1).boundary(0)), 12)  # e^-1
    0.367879441171
    """

    alpha: float
    rho: float

    _bound: ClassVar[str] = "rho"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.alpha == 0:
            reject("alpha", self.alpha, "in (0, inf]")

    def _divergence(self, tests: _Tests) -> Array:
        return tests.renyi(self.alpha)

    def _corners(self) -> list[_Corner] | None:
        pure = _polygon(self.rho, 0, self.two_sided) if self.alpha == math.inf else None
        return super()._corners() or pure

    def _order(self) -> float:
        return self.alpha

    def _needed_order(self) -> float:
        return self.alpha if self.alpha >= 1 else 0  # any order bounds all orders below 1

    def _unbounded_on(self, other: PrivacyRegion) -> bool:
        gaussian = self.alpha == math.inf and isinstance(other, GaussianDPRegion) and other.mu > 0
        return gaussian or super()._unbounded_on(other)


@dataclass(frozen=True, kw_only=True)
class KLRegion(PrivacyRegion):
    r"""The region of the Kullback-Leibler divergence:
    :math:`(1-x)\log\frac{1-x}{y} + x\log\frac{x}{1-y} \le \rho`.

    Parameters
    ----------
    rho : float
        In [0, inf], in nats.

    Examples
    --------
    >>> from krdtheory.privacy.regions import KLRegion, TotalVariationRegion
    >>> tv = TotalVariationRegion(distance=0).covering(KLRegion(rho=0.1)).distance
    >>> bool(tv < 0.05 ** 0.5)  # Pinsker's bound
    True
    """

    rho: float

    _bound: ClassVar[str] = "rho"

    def _divergence(self, tests: _Tests) -> Array:
        return tests.renyi(1)

    def _order(self) -> float:
        return 1

    def _needed_order(self) -> float:
        return 1


@dataclass(frozen=True, kw_only=True)
class HellingerRegion(PrivacyRegion):
    r"""The region of the Hellinger distance: :math:`\sqrt{(1-x)y} + \sqrt{x(1-y)} \ge 1 - d`.

    Its lower boundary is :math:`(\sqrt{1-x}\,(1-d) - \sqrt{x d (2-d)})_+^2`. The paper's equation, obtained by
    squaring, lacks the positive part.

    Parameters
    ----------
    distance : float
        d in [0, 1].

    Examples
    --------
    >>> from krdtheory.privacy.regions import HellingerRegion
    >>> round(float(HellingerRegion(distance=0.2).boundary(0.2)), 12)
    0.2
    >>> HellingerRegion(distance=2)
    Traceback (most recent call last):
    ...
    ValueError: distance must be in [0, 1]; got 2
    """

    distance: float

    _bound: ClassVar[str] = "distance"
    _symmetric: ClassVar[bool] = True

    def _divergence(self, tests: _Tests) -> Array:
        return np.asarray(hellinger(tests.p, tests.q))

    def _roots(self, p: Array, p_not: Array) -> tuple[Array, Array]:
        """Return the square roots of q and 1 - q on the lower boundary."""
        d = self.distance
        root = np.sqrt(p) * (1 - d) - np.sqrt(p_not * d * (2 - d))
        beside = np.sqrt(p_not) * (1 - d) + np.sqrt(p * d * (2 - d))
        return np.maximum(root, 0), np.where(root > 0, beside, 1)

    def _lower(self, x: Array) -> Array:
        return self._roots(1 - x, x)[0] ** 2

    def _trace(self, log_p: Array) -> _Tests:
        p, p_not = np.exp(log_p[..., 0]), np.exp(log_p[..., 1])
        roots = self._roots(p, p_not)
        # sqrt(p) - sqrt(q), without cancellation
        gap = np.where(
            roots[0] > 0, np.sqrt(p) * self.distance + np.sqrt(p_not * self.distance * (2 - self.distance)), np.sqrt(p)
        )
        return _Tests.of_logs(log_p, 2 * FLOAT64.log(np.stack(roots, -1)), gap * (np.sqrt(p) + roots[0]))


@dataclass(frozen=True, kw_only=True)
class TotalVariationRegion(PrivacyRegion):
    r"""The region of the total variation distance: :math:`|1 - x - y| \le d`, which is (0, d)-DP.

    Parameters
    ----------
    distance : float
        d in [0, 1].

    Examples
    --------
    >>> from krdtheory.privacy.regions import PureDPRegion, TotalVariationRegion
    >>> known = PureDPRegion(epsilon=1, two_sided=True)
    >>> round(TotalVariationRegion(distance=0).covering(known).distance, 12)  # tanh(1/2)
    0.46211715726
    """

    distance: float

    _bound: ClassVar[str] = "distance"
    _symmetric: ClassVar[bool] = True

    def _divergence(self, tests: _Tests) -> Array:
        return np.asarray(total_variation(tests.p, tests.q))

    def _lower(self, x: Array) -> Array:
        return _polygon_lower(0, self.distance, False, x)

    def _corners(self) -> list[_Corner] | None:
        return _polygon(0, self.distance, False)


@dataclass(frozen=True, kw_only=True)
class GaussianDPRegion(PrivacyRegion):
    r"""The region of mu-Gaussian DP, of tests between N(0, 1) and N(mu, 1):
    :math:`y \ge \Phi(\Phi^{-1}(1-x) - \mu)`.

    Its boundary starts at y = 1 where x = 0, so it includes no region that lets a test accept under Q with certainty
    less than under P: no one-sided region but the trivial ones, and no (epsilon, delta) region with delta > 0.

    Parameters
    ----------
    mu : float
        In [0, inf].

    References
    ----------
    Dong, Roth and Su (2022), Definition 2.6.

    Examples
    --------
    >>> from krdtheory.privacy.regions import ApproximateDPRegion, GaussianDPRegion
    >>> round(ApproximateDPRegion(epsilon=1, delta=0).covering(GaussianDPRegion(mu=1)).delta, 12)
    0.126936737507
    """

    mu: float

    _bound: ClassVar[str] = "mu"
    _symmetric: ClassVar[bool] = True
    _reach: ClassVar[float] = 1e8

    def _divergence(self, tests: _Tests) -> Array:
        p, q = _normal_quantile(tests.log_p), _normal_quantile(tests.log_q)
        return np.abs(np.where(p == q, 0, p) - np.where(p == q, 0, q))

    def _lower(self, x: Array) -> Array:
        log_p = np.stack([FLOAT64.log1p(-x), FLOAT64.log(x)], -1)
        return 0 * x if self.mu == math.inf else ndtr(_normal_quantile(log_p) - self.mu)

    def _log_p(self, position: Array) -> Array:
        """Return (log p, log(1 - p)) for the threshold Phi^-1(p) as position."""
        return log_ndtr(np.stack([position, -position], -1))

    def _boundary_tests(self, position: Array) -> _Tests:
        return _Tests.of_logs(self._log_p(position), self._log_p(position - self.mu))

    def covering(self, other: PrivacyRegion) -> GaussianDPRegion:
        if isinstance(other, GaussianDPRegion):  # exact, while a search would return the largest rounding error
            return replace(self, mu=other.mu)
        return super().covering(other)

    covering.__doc__ = PrivacyRegion.covering.__doc__

    def _unbounded_on(self, other: PrivacyRegion) -> bool:
        return isinstance(other, (RenyiRegion, KLRegion)) and other.bound > 0 and other._order() < math.inf


def _normal_quantile(log_p: Array) -> Array:
    """Return Phi^-1(p), from the smaller of p and 1 - p."""
    p, p_not = log_p[..., 0], log_p[..., 1]
    return np.where(p <= p_not, ndtri_exp(p), -ndtri_exp(p_not))
