"""Affine functions of any feature map between the Laplace and Gaussian mechanisms, in float64: the convex problem of
`polynomials`, with panels split where h changes its sign. `precise` has more digits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.polynomial.legendre import leggauss

from krdtheory.arithmetic import FLOAT64, Arithmetic, PrecisionError
from krdtheory.arithmetic.base import Array
from krdtheory.divergences.restricted.polynomials import (
    FIRST_ORDER,
    ConvexProblem,
    Integrals,
    Masses,
    Point,
    Roots,
    follow_orders,
    jacobi_rule,
    minimise,
    solve_scaled,
)

COUNT = 20  # nodes per panel
DECAYED = 40.0  # distance of log integrands below their largest value at which they are negligible
NEAREST_ORDER = 1.02  # order close to the limit 1, which is KL
FARTHEST = 1e4  # scales, beyond which no mass is assumed
GRADED = 2.0 ** -np.arange(1, 12)  # graded panels towards a zero of h, as another may be near


@dataclass(frozen=True)
class Law:
    """The distribution of location + scale * standard."""

    family: str
    location: Any
    scale: Any

    def log_density(self, x: Array, ar: Arithmetic = FLOAT64) -> Array:
        z = (x - self.location) / self.scale
        if self.family == "laplace":
            return -abs(z) - ar.log(2 * self.scale)
        return -z * z / 2 - ar.log(2 * ar.pi) / 2 - ar.log(self.scale)

    @property
    def narrowed(self) -> Law:
        """The same distribution in float64."""
        return Law(self.family, float(self.location), float(self.scale))

    @property
    def reach(self) -> float:
        return self.scale * (DECAYED if self.family == "laplace" else np.sqrt(2 * DECAYED))


@dataclass(frozen=True)
class Integrand:
    """The integrand |h|^power q, or e^h q without a power, negligible from `decayed` below its largest logarithm."""

    p: Law
    q: Law
    power: float | None
    decayed: float = DECAYED

    @property
    def corners(self) -> list[Any]:
        """The points where the densities have corners."""
        return sorted({self.p.location, self.q.location})

    def _log(self, h: Array, x: Array) -> Array:
        with np.errstate(divide="ignore"):
            size = h if self.power is None else self.power * np.log(abs(h))
        return size + self.q.log_density(x)

    def window(self, h: Callable[[Any], Array]) -> tuple[float, float, float] | None:
        """Return the ends of where it is not negligible, and its largest logarithm; None if it does not decay."""
        far = self.q.reach * np.geomspace(1, FARTHEST, 200)
        x = np.concatenate([-far[::-1], np.linspace(-1, 1, 801)[1:-1] * self.q.reach, far]) + self.q.location
        with np.errstate(over="ignore", invalid="ignore"):
            logs = self._log(h(x), x)
        if not (logs < np.inf).all():
            return None
        seen = np.flatnonzero(logs > logs.max() - self.decayed)
        if seen[0] == 0 or seen[-1] == len(x) - 1:
            return None
        low, high = min(x[seen[0] - 1], *self.corners) - 1, max(x[seen[-1] + 1], *self.corners) + 1
        return low, high, logs.max()


@dataclass(frozen=True)
class FeatureProblem(ConvexProblem):
    """The problem of phi(x) = (features(x) - E_P features) @ basis, where the basis is orthonormal under Q and without
    functions that are constant there.
    """

    p: Law
    q: Law
    features: Callable[[Array], Array]
    alpha: float
    psi: str
    refinement: int = 1
    basis: Any = None
    ar: Any = field(default=FLOAT64, repr=False)

    @property
    def degree(self) -> int:
        return int(self.basis.shape[1])

    @cached_property
    def means(self) -> Array:
        """E_P features."""
        return self._mean(self.p)

    def _mean(self, law: Law, moments: int = 1) -> Array:
        """Return E features, or E features features^T about `means`."""
        low, high = law.location - 4 * law.reach, law.location + 4 * law.reach
        x, log_w = self._nodes([low, *self._integrand.corners, high], [])
        w = np.exp(log_w + law.log_density(x))
        f = self.features(x)
        if moments == 1:
            return w @ f / w.sum()
        f = f - self.means
        return (f.T * w) @ f

    @property
    def _integrand(self) -> Integrand:
        return Integrand(self.p, self.q, self._exponent, DECAYED * (1 + self.refinement) / 2)

    @property
    def _exponent(self) -> Any:
        return None if self.psi == "kl" else self.power

    def phi(self, x: Array) -> Array:
        """Return phi of x, shape (m, n)."""
        return ((self.features(x) - self.means) @ self.basis).T

    def values(self, point: Point) -> Callable[[Any], Array]:
        """Return h (g for KL) as a function of x."""

        def h(x: Any) -> Array:
            g = point.u @ self.phi(np.atleast_1d(np.asarray(x, dtype=float)))
            return (g if self.psi == "kl" else 1 + (self.alpha - 1) * g).reshape(np.shape(x))

        return h

    def coefficients(self, point: Point) -> Array:
        """Return the coefficients of h (of g for KL), the constant first."""
        c = self.basis @ point.u * (1 if self.psi == "kl" else self.alpha - 1)
        return np.concatenate([[(self.psi != "kl") - self.means @ c], c])

    def _masses(self, point: Point, roots: Roots) -> tuple[Any, Masses] | None:
        h = self.values(point)
        window = self._integrand.window(h)
        if window is None:
            return None
        low, high, _ = window
        zeros = [] if self.psi == "kl" else sign_changes(h, low, high)
        x, logs = self._nodes([low, *self._integrand.corners, high], zeros)
        if self.psi == "positive":
            inside = h(x) > 0
            if not inside.any():
                return None
            x, logs = x[inside], logs[inside]
        return self._weighed(point.u, x, self.phi(x), logs + self.q.log_density(x))

    def _nodes(self, ends: list[float], zeros: list[float]) -> tuple[Array, Array]:
        """Return nodes and logarithms of weights of Gauss-Legendre rules, and of Gauss-Jacobi rules at the zeros."""
        graded = [z + s * d for z in zeros for d in GRADED * self.q.scale for s in (-1, 1)] if zeros else []
        marks = sorted({*ends, *zeros, *(x for x in graded if ends[0] < x < ends[-1])})
        width = min(self.p.scale, self.q.scale) / self.refinement
        edges: list[float] = []
        for a, b in pairwise(marks):
            n = max(1, int(np.ceil((b - a) / max(width, (b - a) / 400))))
            edges += np.linspace(a, b, n + 1)[:-1].tolist()
        start, stop = np.array(edges), np.array([*edges[1:], marks[-1]])
        at_start, at_stop = np.isin(start, zeros), np.isin(stop, zeros)
        plain = ~(at_start | at_stop)
        s, w = leggauss(COUNT)
        pairs = [_spread(start[plain], stop[plain], (1 + s) / 2, np.log(w / 2))]
        if zeros:
            s, log_w = jacobi_rule(FLOAT64, COUNT, self.power - 2 - np.ceil(self.power - 2))
            pairs.append(_spread(start[at_start], stop[at_start], s, log_w))
            only = at_stop & ~at_start
            pairs.append(_spread(stop[only], start[only], s, log_w))
        return np.concatenate([x for x, _ in pairs]), np.concatenate([logs for _, logs in pairs])

    def moment_defect(self, at: Integrals) -> Any:
        """Return the bound for an s in the span of (1, phi) / sqrt(1 + |phi|^2) that corrects the moments of r."""
        masses = at.masses
        functions = np.concatenate([0 * masses.x[None] + 1, masses.phi])
        bounded = functions / self.ar.sqrt((functions * functions).sum(0))
        weight = masses.weight * abs(masses.h) / at.slope
        missed = at.gradient / (at.slope if self.psi == "kl" else self.alpha * at.slope)
        try:
            return abs(solve_scaled(self.ar, (functions * weight) @ bounded.T, np.concatenate([[0], -missed]))).sum()
        except (np.linalg.LinAlgError, ZeroDivisionError):
            return np.inf

    def _lost(self, point: Point, masses: Masses) -> Any:
        c = abs(self.coefficients(point))
        sizes = c[0] + abs(self.features(masses.x)) @ c[1:]
        return (masses.weight * abs(masses.h) * sizes).sum() + c[0] + abs(self.means) @ c[1:]


def _spread(a: Array, b: Array, s: Array, log_w: Array) -> tuple[Array, Array]:
    """Transform a rule on [0, 1] to [a, b]; b < a is allowed."""
    x = a[:, None] + (b - a)[:, None] * s
    return x.ravel(), (np.log(abs(b - a))[:, None] + log_w).ravel()


def sign_changes(h: Callable[[Any], Array], low: float, high: float) -> list[float]:
    """Return zeros of h by bisection, between points of a grid at which its sign changes."""
    x = np.linspace(low, high, 4001)
    y = h(x)
    at = np.flatnonzero(np.sign(y[1:]) * np.sign(y[:-1]) < 0)
    a, b, sign = x[at], x[at + 1], np.sign(y[at])
    for _ in range(60):
        middle = (a + b) / 2
        left = np.sign(h(middle)) == sign
        a, b = np.where(left, middle, a), np.where(left, b, middle)
    return sorted({*a.tolist(), *x[y == 0].tolist()})


def solve_features(
    p: Law, q: Law, features: Callable[[Array], Array], order: float | None, psi: str
) -> tuple[FeatureProblem, Point]:
    """Return the problem and the minimiser.

    Raises
    ------
    PrecisionError
        Newton's method did not converge.
    """
    alpha = 2.0 if order is None else order
    bare = FeatureProblem(p, q, features, alpha, psi)
    values, vectors = np.linalg.eigh(bare._mean(q, 2))
    on = values > 1e-13 * values.max(initial=0)
    basis = vectors[:, on] / np.sqrt(values[on])

    def problem(a: float) -> FeatureProblem:
        return replace(bare, alpha=a, psi="positive" if psi == "kl" else psi, basis=basis)

    final = replace(bare, basis=basis)
    start = Point(np.zeros(basis.shape[1]))
    found = minimise(final, start) if psi == "kl" or alpha <= FIRST_ORDER else None
    if found is None:
        found = minimise(problem(FIRST_ORDER), start)
        if found is not None:
            found = follow_orders(problem, found, NEAREST_ORDER if psi == "kl" else alpha)
            found = minimise(final, found) if psi == "kl" else found
    if found is None:
        raise PrecisionError("Newton's method did not reach the best function, which may not exist")
    return final, found
