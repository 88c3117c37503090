"""What a claimed notion means for an audit: the objective for events, the half-planes to test, and the bounds."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from krdtheory.arithmetic.base import Array, reject
from krdtheory.audit.event_bounds import profile
from krdtheory.audit.events import BACKWARD, FORWARD, TWO_SIDED, Event, Objective
from krdtheory.audit.exact_test import JointTest, approximate_gain, deviation, shrunk
from krdtheory.audit.two_sided_test import TwoSidedTest, coins, games
from krdtheory.privacy.notions import ApproximateDP, Notion, PureDP, TradeOffDP

_EPSILON = np.concatenate([[0], np.geomspace(0.01, 20, 80)])
_CAUTION = 3.0  # standard deviations subtracted if delta = 0, as chance produces large ratios
_CAUTION_OF_FREQUENCIES = 1.0  # those are moved towards each other already
_CAUTION_FROM = 200  # outputs; with fewer, that would be too strict
_NEAR = 1e-3  # weight of an event's distance from showing anything
_PROMISING = 30  # events for which a divergence is computed, chosen by p - gain q
_GAINS = (1.0, math.exp(1), math.exp(2))
_SPREAD = (0.0, -0.25, 0.25)  # tested epsilons relative to that of the event, for several half-planes


class Target:
    """The events and tests for a claimed notion."""

    def __init__(self, notion: Notion, bound: str, n: int, m: int, level: float) -> None:
        self.notion, self.n, self.m, self.level = notion, n, m, level
        self.games = games(n, m, level)
        self.plane = isinstance(notion, PureDP | ApproximateDP)
        self.epsilon = float(getattr(notion, "epsilon", 0.0))
        self.delta = float(getattr(notion, "delta", 0.0))
        self.by_delta = bound == "delta" and isinstance(notion, ApproximateDP)
        if bound == "delta" and not self.by_delta:
            reject("bound", bound, "'epsilon' for a notion without a delta")
        if not self.plane and profile(notion)(np.zeros(1))[0] >= 1:
            reject("notion", notion, "one that says more of the probabilities of events than that they are at most 1")

    def objectives(self, events: int, level: float) -> list[Objective]:
        """Return the objective of the main event, and those of further events, each for one epsilon."""
        z = float(-ndtri(min(level, 0.4)))
        main = self._objective(z)
        several = np.linspace(0, 1.5 * self._epsilon(), events)[1:]
        return [main, *(partial(self._offset, gain=math.exp(e), z=z) for e in several.tolist())]

    def _epsilon(self) -> float:
        if self.plane:
            return max(self.epsilon, 0.5)
        known = profile(self.notion)(_EPSILON)
        return max(float(_EPSILON[np.argmin(np.abs(known - known[0] / 10))]), 0.5)

    def _trials(self, two_sided: bool) -> tuple[float, float]:
        return (self.games, self.games) if two_sided else (self.n, self.m)

    def _offset(self, p: Array, q: Array, two_sided: bool, gain: float, z: float) -> Array:
        """Return p - gain q minus z standard deviations."""
        n, m = self._trials(two_sided)
        p, q = shrunk(p * n, n), shrunk(q * m, m)
        out: Array = p - gain * q - z * deviation(p, n, q, m, gain, two_sided)
        return out

    def _objective(self, z: float) -> Objective:
        """Return the objective for the claim: the bound that could be certified, or the distance from any."""
        few = min(math.sqrt(min(self.n, self.m) / _CAUTION_FROM), 1.0)

        def near(p: Array, q: Array, two_sided: bool) -> Array:
            n, m = self._trials(two_sided)
            p, q = shrunk(p * n, n), shrunk(q * m, m)
            return _NEAR * np.minimum((p - self.delta - q) / deviation(p, n, q, m, 1.0, two_sided) - z, 0)

        def of_plane(p: Array, q: Array, two_sided: bool) -> Array:
            if self.by_delta:
                return self._offset(p, q, two_sided, math.exp(min(self.epsilon, 300)), z)
            n, m = self._trials(two_sided)
            out = near(p, q, two_sided)
            p, q = shrunk(p * n, n), shrunk(q * m, m)
            gain = math.exp(min(self.epsilon, 300))
            rejects = ndtr((p - self.delta - gain * q) / deviation(p, n, q, m, gain, two_sided) - z)
            drawn = len(p) > 1  # from a fitted curve; frequencies are one draw
            caution = few * (_CAUTION if drawn else _CAUTION_OF_FREQUENCIES) if self.delta == 0 else 0.0
            certified = approximate_gain(p, n, q, m, self.delta, z + caution, two_sided)
            return np.asarray(out + rejects + np.log(np.maximum(certified, 1)))

        def of_notion(p: Array, q: Array, two_sided: bool) -> Array:
            p, q = p.mean(0), q.mean(0)  # as divergences are expensive
            out = near(p, q, two_sided)
            promising = [np.argsort(-self._offset(p, q, two_sided, gain, z))[:_PROMISING] for gain in _GAINS]
            p, q = self._corner(p, q, two_sided, z)
            apart = np.unique(np.concatenate(promising))
            apart = apart[p[apart] > q[apart]]
            if len(apart):
                laws = (np.stack([w[apart], 1 - w[apart]], -1) for w in (p, q))
                out[apart] += np.log1p(np.minimum(self.notion.divergence(*laws), 1e300))
            return out[None]

        return of_plane if self.plane else of_notion

    def _corner(self, p: Array, q: Array, two_sided: bool, z: float) -> tuple[Array, Array]:
        """Return about the point closest to p = q in the confidence set of the anticipated counts."""
        n, m = self._trials(two_sided)
        p, q = shrunk(p * n, n), shrunk(q * m, m)
        low = np.maximum(p - z * np.sqrt(p * (1 - p) / n / 2), 0)
        return low, np.minimum(q + z * np.sqrt(q * (1 - q) / m / 2), 1)

    def test(self, event: Event, x: Array, y: Array, level: float, rng: np.random.Generator) -> JointTest:
        """Return the test of an event's counts in the test outputs, ordered for the anticipated counts."""
        if event.direction == TWO_SIDED:
            n, m = coins(len(x), len(y), level, rng)
            (right, wrong), (wrong_too, right_too) = event.guesses(x[:n]), event.guesses(y[:m])
            a, b = right + right_too, wrong + wrong_too
            return TwoSidedTest(a=a, b=b, n=n + m, m=n + m, level=level, **self._towards(event, level))
        first, second = (x, y) if event.direction == FORWARD else (y, x)
        a, b = (event.guesses(z)[event.direction == BACKWARD] for z in (first, second))
        return self.test_of_counts(event, a, len(first), b, len(second), level)

    def test_of_counts(self, event: Event, a: int, n: int, b: int, m: int, level: float) -> JointTest:
        """Return the test of an event with a occurrences in n outputs of its first law and b in m of the other."""
        return JointTest(a=a, n=n, b=b, m=m, level=level, **self._towards(event, level))

    def _towards(self, event: Event, level: float) -> dict[str, float]:
        """Return the half-plane for which the order of outcomes is sharpest."""
        if self.by_delta:
            return {"epsilon": self.epsilon}
        if not self.plane:
            return {"epsilon": self._slope(event, float(-ndtri(min(level, 0.4))))}
        return {"delta": self.delta}

    def _slope(self, event: Event, z: float) -> float:
        """Return the epsilon of the half-plane that is tight at the bound anticipated for the event."""
        p, q = self._corner(np.array([event.p]), np.array([event.q]), event.direction == TWO_SIDED, z)
        gap = p - np.exp(_EPSILON) * q
        if p <= q:
            return 0.0
        if isinstance(self.notion, TradeOffDP):
            return float(_EPSILON[np.argmax(gap - profile(self.notion)(_EPSILON))])
        value = float(self.notion.divergence(np.append(p, 1 - p), np.append(q, 1 - q)))
        return float(_EPSILON[np.argmax(gap - profile(self.notion._with_bound(min(value, 1e6)))(_EPSILON))])

    def p_value(self, test: JointTest) -> float:
        """Return the p-value of the claim; the half-planes of a notion are tested simultaneously."""
        if self.plane:
            return test.p_value(epsilon=self.epsilon, delta=self.delta)
        at = _about(test)
        return min(test.p_value(epsilon=e, delta=d) for e, d in zip(at, profile(self.notion)(at), strict=True))

    def bounds(self, test: JointTest) -> dict[str, float]:
        """Return lower bounds, which hold simultaneously at the level of the test."""
        if self.plane:
            epsilon = test.epsilon_lower(delta=self.delta)
            if isinstance(self.notion, PureDP):
                return {"epsilon_lower": epsilon, "divergence_lower": epsilon}
            delta = test.delta_lower(epsilon=self.epsilon)
            return {"epsilon_lower": epsilon, "delta_lower": delta, "divergence_lower": delta}
        at = _about(test)
        deltas = np.array([test.delta_lower(epsilon=e) for e in at])
        if isinstance(self.notion, TradeOffDP):
            return {"divergence_lower": float(max(np.max(deltas - profile(self.notion)(at)), 0.0))}
        value = max(_least_bound(self.notion, e, d) for e, d in zip(at.tolist(), deltas.tolist(), strict=True))
        named = {"epsilon_lower": value} if self.notion.bound_name == "epsilon" else {}
        return {"divergence_lower": value, **named}


def _about(test: JointTest) -> Array:
    return np.maximum(np.array(_SPREAD) + (test.epsilon or 0.0), 0.0)


def _least_bound(notion: Notion, epsilon: float, delta: float) -> float:
    """Return the largest bound found for which the notion guarantees at most delta at epsilon; 0 if delta is 0."""
    at = np.array([epsilon])

    def guaranteed(log_bound: float) -> float:
        return float(profile(notion._with_bound(math.exp(log_bound)))(at)[0]) - delta

    low, high = -20.0, 12.0
    if delta <= 0 or guaranteed(low) >= 0:
        return 0.0
    if guaranteed(high) < 0:
        return math.inf
    found = brentq(guaranteed, low, high, xtol=1e-6)
    return math.exp(found - 1e-6)
