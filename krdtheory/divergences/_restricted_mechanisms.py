"""Polynomial adversaries of the Laplace and Gaussian mechanisms: one smooth convex problem, by quadrature.

Scaled to E_P h = 1, polynomials are h = 1 + (alpha - 1) g with E_P g = 0, and the restricted Renyi divergence is
-log min_g E_Q |h|^A, A = alpha / (alpha - 1); as alpha -> 1 this is -log min_g E_Q e^g, the restricted KL divergence.
Each integral is a sum over panels between the real roots of h, on which |x - root|^(A - 2) is the weight of a
Gauss-Jacobi rule: the objective, its gradient and its Hessian are sums over the same nodes.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from mpmath import MPContext
from scipy.special import roots_jacobi

from krdtheory.arithmetic import FLOAT64, MP, Arithmetic, PrecisionError
from krdtheory.arithmetic.base import Array

LONGEST_PANEL = {"laplace": 4, "gaussian": 2}  # in units of scale: over these a density is entire and mild


@dataclass(frozen=True)
class Integrals:
    """E_Q of psi(g), with `slope` = E_Q psi'(g) / alpha, gradient and Hessian of E_Q psi in u."""

    value: Any
    slope: Any
    gradient: Array
    hessian: Array


@dataclass(frozen=True)
class PolynomialProblem:
    """min_u E_Q psi(u . phi), Q standard (`family`), phi (degree) polynomials with E_P phi = 0, coefficients (degree,
    degree + 1) ascending; psi(g) is |1 + d g|^A ("absolute"), (1 + d g)_+^A ("positive"), d = alpha - 1, or e^g ("kl").
    """

    ar: Arithmetic
    family: str
    basis: Array
    alpha: Any
    psi: str

    @property
    def digits(self) -> int:
        return self.ar.digits if isinstance(self.ar, MP) else 16

    @property
    def power(self) -> Any:
        return self.alpha / (self.alpha - 1)

    def polynomial(self, u: Array) -> Array:
        """Coefficients, ascending, of h (of g for KL)."""
        g = u @ self.basis
        if self.psi == "kl":
            return g
        h = g * (self.alpha - 1)
        h[0] = h[0] + 1
        return h

    def log_density(self, x: Array) -> Array:
        if self.family == "laplace":
            return -abs(x) - _number(self.ar, lambda c: c.log(2))
        return -x * x / 2 - _number(self.ar, lambda c: c.log(2 * c.pi) / 2)

    def integrals(self, u: Array) -> Integrals | None:
        """None where E_Q psi is infinite or out of range."""
        ar, h = self.ar, self.polynomial(u)
        rule = self._nodes(h)
        if rule is None:
            return None
        x, log_weight = rule
        phi = _values(self.basis, x)
        log_q = self.log_density(x)
        if self.psi == "kl":
            logs = log_weight + log_q + u @ phi
            if (logs > 600).any():
                return None
            mass = ar.exp(logs)
            moved = phi * mass
            return Integrals(mass.sum(), mass.sum(), moved.sum(-1), moved @ phi.T)
        step = (u @ phi) * (self.alpha - 1)
        size = abs(1 + step)
        positive = size > 0
        near = abs(step) < 0.5
        log_h = np.where(near, ar.log1p(np.where(near, step, 0)), ar.log(np.where(positive, size, 1)))
        logs = log_weight + log_q + log_h * (self.power - 2)
        if (logs + 2 * log_h > 600).any() or (logs > 600).any():
            return None
        mass = np.where(positive, ar.exp(logs), 0)
        y = 1 + step
        moved = phi * mass
        return Integrals(
            (mass * y * y).sum(),
            (mass * y).sum(),
            (moved * y).sum(-1) * self.alpha,
            (moved @ phi.T) * self.alpha,  # A (A - 1) (alpha - 1)^2 = alpha
        )

    def _nodes(self, h: Array) -> tuple[Array, Array] | None:
        """Nodes x and logarithms of weights, those of |x - root|^gamma divided out, on panels of h's real axis."""
        ar = self.ar
        roots = [] if self.psi == "kl" else _roots(ar, h)
        real = [z for z, y in roots if y == 0]
        ends = self._ends(h, real)
        if ends is None:
            return None
        low, high = ends
        marks = sorted({low, high, *(x for x, _ in roots if low < x < high), *([0 * low] if low < 0 < high else [])})
        panels: list[tuple[Any, Any]] = []
        for a, b in itertools.pairwise(marks):
            panels += self._graded(a, b, roots, set(real), high - low)
        if self.psi == "positive":
            panels = [(a, b) for a, b in panels if _values(h[None], np.array([(a + b) / 2]))[0, 0] > 0]
        gamma = 0 if self.psi == "kl" else self.power - 2 - math.ceil(self.power - 2)
        count = 3 * self.digits // 4 + 8
        xs, logs = [], []
        for a, b in panels:
            singular = gamma != 0 and (a in real or b in real)
            s, log_w = jacobi_rule(ar, count, gamma if singular else 0)
            xs.append(s * (a - b) + b if b in real else s * (b - a) + a)
            logs.append(log_w + ar.log(b - a))
        if not xs:
            return None
        return np.concatenate(xs), np.concatenate(logs)

    def _graded(self, a: Any, b: Any, roots: list[tuple[Any, Any]], real: set[Any], span: Any) -> list[tuple[Any, Any]]:
        """[a, b] bisected until no panel is much longer than its distance to a root, those at one end excepted."""
        width = b - a
        two_roots = a in real and b in real
        if width > span * 10.0 ** (-self.digits) and (
            two_roots
            or width > LONGEST_PANEL[self.family]
            or any(_distance(x, y, a, b) < 0.7 * width for x, y in roots if not (y == 0 and x in (a, b)))
        ):
            middle = (a + b) / 2
            return self._graded(a, middle, roots, real, span) + self._graded(middle, b, roots, real, span)
        return [(a, b)]

    def _ends(self, h: Array, real: list[Any]) -> tuple[Any, Any] | None:
        """An interval outside which the integrands are below 10^(-digits - 4) of their largest value."""
        power = 1.0 if self.psi == "kl" else float(self.power)
        coefficients = np.array([float(v) for v in h])
        drop = (self.digits + 4) * math.log(10)
        degree = len(h) - 1
        ends = []
        for sign in (-1.0, 1.0):
            step = 0.25
            while step < 1e7:  # the integrand is log-concave beyond the last root: a decline there is for good
                x = np.arange(0.0, 400.0) * (sign * step)
                values = np.polynomial.polynomial.polyval(x, coefficients)
                with np.errstate(divide="ignore"):
                    size = values if self.psi == "kl" else np.log(np.maximum(abs(values), 1e-300))
                    if self.psi == "positive":
                        size = np.where(values > 0, size, -690)
                logs = power * size + 2 * degree * np.log1p(abs(x)) + self._log_density64(x)
                last = int(np.argmax(np.where(logs > logs.max() - drop, np.arange(len(x)), 0)))
                if last < 300 and abs(x[-1]) > 1.2 * max([abs(float(r)) for r in real], default=0):
                    break
                step *= 2
            else:
                return None
            ends.append(x[last] + sign * step)
        convert = self._convert
        return convert(ends[0]), convert(ends[1])

    def _log_density64(self, x: Array) -> Array:
        return -abs(x) if self.family == "laplace" else -x * x / 2

    def _convert(self, x: float) -> Any:
        return self.ar.context.mpf(x) if isinstance(self.ar, MP) else float(x)


def _number(ar: Arithmetic, f: Callable[[Any], Any]) -> Any:
    """A constant f(context) in ar."""
    return f(ar.context) if isinstance(ar, MP) else float(f(_plain_context()))


@lru_cache(maxsize=1)
def _plain_context() -> Any:
    context = MPContext()
    context.dps = 25
    return context


def _values(coefficients: Array, x: Array) -> Array:
    """Values (m, n) at x (n) of polynomials (m, degree + 1), ascending, by Horner's rule."""
    out = coefficients[:, -1:] + 0 * x
    for column in coefficients[:, -2::-1].T:
        out = out * x + column[:, None]
    return out


def _distance(x: Any, y: Any, a: Any, b: Any) -> Any:
    """Of x + iy from [a, b], in the larger of the two coordinates."""
    return max(a - x, x - b, abs(y))


def _roots(ar: Arithmetic, h: Array) -> list[tuple[Any, Any]]:
    """(Re, Im) of the roots of h (ascending), one of each conjugate pair, Im = 0 for real ones."""
    if not abs(h[1:]).max() > 0:
        return []
    top = max(i for i, v in enumerate(h) if abs(v) > 0)
    falling = list(h[: top + 1][::-1])
    largest = abs(h).max()
    roots = [z for z in np.roots([float(v / largest) for v in falling]) if z.imag >= -1e-12 * abs(z)]
    pairs = [(z.real, 0.0 if abs(z.imag) <= 1e-12 * abs(z) else z.imag) for z in map(complex, roots)]
    return [_polished(ar.context, ar.digits, falling, *z) for z in pairs] if isinstance(ar, MP) else pairs


def _polished(context: Any, digits: int, falling: list[Any], x: float, y: float) -> tuple[Any, Any]:
    """A root of multiplicity one, by Newton's method."""
    z = context.mpc(x, y) if y else context.mpf(x)
    for _ in range(digits.bit_length() + 2):
        value, slope = context.polyval(falling, z, derivative=True)
        if not slope:
            break
        z = z - value / slope
    return context.re(z), abs(context.im(z))


@lru_cache(maxsize=512)
def _jacobi_rule(count: int, gamma: Any, digits: int) -> tuple[Array, Array]:
    """`jacobi_rule` at `digits` digits, by Newton's method from double precision."""
    context, guarded = MP(digits).context, MP(digits + 10).context
    gamma = guarded.mpf(gamma)
    nodes, weights = [], []
    for start in roots_jacobi(count, 0.0, float(gamma))[0]:
        s = guarded.mpf((1 + float(start)) / 2)
        for _ in range(40):
            value, slope = _shifted_jacobi(count, gamma, s)
            move = value / slope
            s = s - move
            if abs(move) < s * guarded.mpf(10) ** (-(digits + 10) // 2 - 1):
                break
        slope = _shifted_jacobi(count, gamma, s)[1]
        nodes.append(context.mpf(s))
        weights.append(context.mpf(-guarded.log(s * (1 - s) * slope * slope) - gamma * guarded.log(s)))
    return np.array(nodes, dtype=object), np.array(weights, dtype=object)


def _shifted_jacobi(n: int, b: Any, s: Any) -> tuple[Any, Any]:
    """P_n^(0, b)(2 s - 1) and its derivative in s."""
    x = 2 * s - 1
    previous, value = 1 + 0 * s, (b + 2) * s - (b + 1)
    if n == 1:
        return value, b + 2
    for k in range(2, n + 1):
        c = 2 * k + b
        factor = (c - 1) * (c * (c - 2) * x - b * b)
        lower = 2 * (k - 1) * (k + b - 1) * c
        previous, value = value, (factor * value - lower * previous) / (2 * k * (k + b) * (c - 2))
    c = 2 * n + b
    slope = (n * (-b - c * x) * value + 2 * n * (n + b) * previous) / (c * 4 * s * (1 - s))
    return value, 2 * slope


def jacobi_rule(ar: Arithmetic, count: int, gamma: Any) -> tuple[Array, Array]:
    """Gauss-Jacobi nodes s and logarithms of weights w, the sum of w s^gamma f(s) being int_0^1 s^gamma f(s) ds for
    polynomials f of degree < 2 count.
    """
    return _jacobi_rule(count, gamma, ar.digits) if isinstance(ar, MP) else _jacobi_rule64(count, float(gamma))


@lru_cache(maxsize=512)
def _jacobi_rule64(count: int, gamma: float) -> tuple[Array, Array]:
    s, log_w = _jacobi_rule(count, gamma, 20)
    return s.astype(float), log_w.astype(float)


def minimise(problem: PolynomialProblem, starts: Iterable[Array]) -> tuple[Array, Integrals]:
    """The minimiser by `newton` from the first of `starts` it converges from: psi may rise like a wall in between.

    Raises
    ------
    PrecisionError
        It converged from none of them.
    """
    for start in starts:
        at = problem.integrals(start)
        if at is not None:
            u, at, decrement = newton(problem, start, at)
            if decrement < 1e-15:
                return u, at
    raise PrecisionError("Newton's method did not reach the best polynomial")


def newton(problem: PolynomialProblem, u: Array, at: Integrals) -> tuple[Array, Integrals, Any]:
    """Newton's method for E_Q psi, convex in u: the point of least Newton decrement, relative to E_Q psi, and that."""
    tolerance = _power_of_ten(problem.ar, (12 if isinstance(problem.ar, MP) else 4) - 2 * problem.digits)
    best: tuple[Any, Array, Integrals] | None = None
    stalled = 0
    for _ in range(60):
        step = -_solve(problem.ar, at.hessian, at.gradient)
        decrement = -(step @ at.gradient) / at.value
        if best is None or decrement < best[0]:
            best, stalled = (decrement, u, at), 0
        else:
            stalled += decrement < 1e-9
        if decrement <= tolerance or stalled == 3:
            break
        moved = _line_search(problem, u, at, step)
        if moved is None:
            break
        u, at = moved
    assert best is not None
    return best[1], best[2], best[0]


def _line_search(problem: PolynomialProblem, u: Array, at: Integrals, step: Array) -> tuple[Array, Integrals] | None:
    """A point u + t step at which the slope along it is at most a quarter of the first one, by bisection and doubling.

    A wall (psi large or infinite beyond it) is so approached until the Hessian has seen it.
    """
    first = step @ at.gradient
    settled = abs(first) < 1e-9 * at.value
    low, high, t = 0.0, math.inf, 1.0
    found = None
    for _ in range(60):
        there = problem.integrals(u + step * t)
        slope: Any = math.inf if there is None else there.gradient @ step
        if there is not None and (settled or abs(slope) <= abs(first) / 4):
            return u + step * t, there
        if slope < 0 and there is not None:
            low, found = t, (u + step * t, there)
        else:
            high = t
        if high - low < 1e-3 * low:
            break
        t = 2 * t if high == math.inf else (low + high) / 2 if low > high / 16 else high / 8
    return found


def _power_of_ten(ar: Arithmetic, exponent: int) -> Any:
    return ar.context.mpf(10) ** exponent if isinstance(ar, MP) else 10.0**exponent


def _solve(ar: Arithmetic, matrix: Array, right: Array) -> Array:
    if isinstance(ar, MP):
        solution = ar.context.lu_solve(ar.context.matrix(matrix.tolist()), ar.context.matrix(right.tolist()))
        return np.array(list(solution), dtype=object)
    scale = 1 / np.sqrt(np.diag(matrix))
    return scale * np.linalg.solve(matrix * scale * scale[:, None], scale * right)


def moments(family: str, degree: int, location: Any, scale: Any) -> list[Any]:
    """E x^k, k = 0..degree, of location + scale * standard."""
    standard = [
        0 if k % 2 else (math.factorial(k) if family == "laplace" else math.prod(range(1, k, 2)))
        for k in range(degree + 1)
    ]
    return [
        sum(math.comb(k, j) * location ** (k - j) * scale**j * standard[j] for j in range(0, k + 1, 2))
        for k in range(degree + 1)
    ]


def orthonormal_basis(ar: Arithmetic, family: str, degree: int) -> Array:
    """Coefficients (degree + 1, degree + 1), ascending, of polynomials orthonormal under the standard distribution."""
    one = ar.array(1, "one")[()]
    power = moments(family, 2 * degree, 0 * one, one)
    gram = np.array([[power[i + j] + 0 * one for j in range(degree + 1)] for i in range(degree + 1)])
    rows: list[Array] = []
    for k in range(degree + 1):
        row = np.array([one if j == k else 0 * one for j in range(degree + 1)])
        for _ in range(2):
            for other in rows:
                row = row - (other @ gram @ row) * other
        rows.append(row / ar.sqrt(row @ gram @ row))
    return np.array(rows)


def polynomial_problem(
    ar: Arithmetic, families: tuple[str, str], degree: int, location: Any, scale: Any, alpha: Any, psi: str
) -> PolynomialProblem:
    """Of P = location + scale * standard against a standard Q, families (of P, of Q)."""
    basis = orthonormal_basis(ar, families[1], degree)
    mean = np.array(moments(families[0], degree, location, scale))
    centred = basis[1:].copy()
    centred[:, 0] = centred[:, 0] - basis[1:] @ mean
    return PolynomialProblem(ar, families[1], centred, alpha, psi)


def solve_polynomial(
    ar: Arithmetic, families: tuple[str, str], degree: int, location: Any, scale: Any, alpha: Any, psi: str
) -> tuple[PolynomialProblem, Array, Integrals]:
    """The problem, the minimiser's coordinates and the integrals there. For KL the degree may be lowered to that of
    the maximiser: E_Q e^g is infinite where the leading coefficient is positive or, of odd degree, not zero.
    """
    if psi == "kl":
        return _solve_kl(ar, families, degree, location, scale)
    args = families, degree, float(location), float(scale), float(alpha), psi
    try:
        rough, u, at = _by_degree(*args)
    except PrecisionError:
        rough, u, at = _by_order(*args)
    if not isinstance(ar, MP):
        return rough, u, at
    return _refined(polynomial_problem(ar, families, degree, location, scale, alpha, psi), u)


def _by_degree(
    families: tuple[str, str], degree: int, location: float, scale: float, alpha: float, psi: str
) -> tuple[PolynomialProblem, Array, Integrals]:
    """From degree to degree: far from the last minimiser, psi may rise like a wall."""
    u = np.zeros(0)
    for k in range(1, degree + 1):
        problem = polynomial_problem(FLOAT64, families, k, location, scale, alpha, psi)
        u, at = minimise(problem, (np.append(u, 0.0), np.zeros(k)))
    return problem, u, at


def _by_order(
    families: tuple[str, str], degree: int, location: float, scale: float, alpha: float, psi: str
) -> tuple[PolynomialProblem, Array, Integrals]:
    """From order to order, up or down from 2, each time from the last h."""
    last, u, at = _by_degree(families, degree, location, scale, 2.0, psi)
    count = math.ceil(abs(math.log(alpha - 1)) / math.log(1.3))
    for i in range(1, count + 1):
        order = 1 + (alpha - 1) ** (i / count)
        problem = polynomial_problem(FLOAT64, families, degree, location, scale, order, psi)
        u, at = minimise(problem, (u * ((last.alpha - 1) / (order - 1)), u))
        last = problem
    return last, u, at


def _refined(problem: PolynomialProblem, u: Array) -> tuple[PolynomialProblem, Array, Integrals]:
    assert isinstance(problem.ar, MP)
    start = np.array([problem.ar.context.mpf(float(v)) for v in u], dtype=object)
    return problem, *minimise(problem, (start,))


def _solve_kl(
    ar: Arithmetic, families: tuple[str, str], degree: int, location: Any, scale: Any
) -> tuple[PolynomialProblem, Array, Integrals]:
    free = 1 if families[1] == "laplace" else 2  # degrees up to this one may tilt Q either way
    if families == ("gaussian", "gaussian"):
        degree = min(degree, 2)  # log dP/dQ is quadratic
    starts = [np.zeros(degree)]
    if degree > free:
        degree -= degree % 2
        lower = _solve_kl(FLOAT64, families, degree - 1, float(location), float(scale))
        if not _improves(families, degree, float(location), float(scale), *lower[:2]):
            return _solve_kl(ar, families, degree - 1, location, scale)
        base = np.pad(lower[1], (0, degree - len(lower[1])))
        starts = [v - s * np.eye(degree)[-1] for s in (0.1, 0.01, 1e-3, 1e-4) for v in (base, 0 * base)]
    rough = polynomial_problem(FLOAT64, families, degree, float(location), float(scale), 2.0, "kl")
    u, at = minimise(rough, starts)
    if not isinstance(ar, MP):
        return rough, u, at
    return _refined(polynomial_problem(ar, families, degree, location, scale, ar.context.mpf(2), "kl"), u)


def _improves(
    families: tuple[str, str], degree: int, location: float, scale: float, lower: PolynomialProblem, u: Array
) -> bool:
    """Does a negative coefficient of x^degree raise the KL value above that of the `lower` problem's maximiser u?"""
    wide = polynomial_problem(FLOAT64, families, degree, location, scale, 2.0, "kl")
    lift = np.zeros(degree)
    lift[: len(u)] = u
    at = wide.integrals(lift)
    if at is None:
        return True
    gradient = at.gradient / at.value
    return bool(gradient[-1] > 1e-9 or (abs(gradient[len(u) : -1]) > 1e-9).any())
