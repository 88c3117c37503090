"""Extreme valid inputs: numbers from the least subnormal to the largest float, and weights, matrices and points.

A source is a function of a random generator. Half of its numbers are the ends and the corners of the range.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

Source = Callable[[np.random.Generator], Any]
LEAST, LARGEST = 5e-324, float(np.finfo(float).max)
BELOW_ONE, ABOVE_ONE = 1 - 2.0**-53, 1 + 2.0**-52

TINY = (LEAST, 1e-310, 2.2250738585072014e-308, 1e-300, 1e-160, 1e-30, 1e-17, 2.0**-53)
PLAIN = (1e-8, 0.01, 0.5, 1.0, 2.0, 10.0)
HUGE = (700.0, 709.8, 745.2, 1e3, 2.0**53, 1e17, 1e154, 1e300, 1e308, LARGEST)


def choice(*values: Any) -> Source:
    """Return a source of one of the values."""
    return lambda rng: values[int(rng.integers(len(values)))]


def power(low: float, high: float) -> Source:
    """Return a source of 10^u, u uniform in [low, high]."""
    return lambda rng: float(min(max(10.0 ** rng.uniform(low, high), LEAST), LARGEST))


def either(*sources: Source) -> Source:
    """Return a source that draws from one of the sources."""
    return lambda rng: sources[int(rng.integers(len(sources)))](rng)


def signed(source: Source) -> Source:
    """Return a source of numbers of either sign."""
    return lambda rng: float(source(rng) * rng.choice([-1.0, 1.0]))


positive = either(choice(*TINY, *PLAIN, *HUGE), power(-323, 308), power(-6, 3))
nonnegative = either(choice(0.0), positive, positive, positive)
real = either(nonnegative, signed(positive))
extended = either(real, real, real, choice(math.inf, -math.inf))
inside_unit = either(
    choice(*TINY, 1e-8, 0.01, 0.5, 0.99, 1 - 1e-9, BELOW_ONE),
    power(-323, -1),
    power(-9, -0.01),
    lambda rng: min(1 - 10.0 ** rng.uniform(-16, -0.1), BELOW_ONE),
)
below_one = either(choice(0.0), inside_unit, inside_unit)
unit = either(choice(0.0, 1.0), inside_unit, inside_unit)
above_one = either(
    choice(ABOVE_ONE, 1 + 1e-9, 1.5, 2.0, 3.0, 32.0, 1e3, 1e6, 1e16, 1e154, 1e300, LARGEST),
    lambda rng: 1 + max(10.0 ** rng.uniform(-15, 3), 2.0**-52),
    power(0.01, 308),
)
order_above_one = either(above_one, above_one, above_one, choice(math.inf))
order_from_one = either(order_above_one, order_above_one, order_above_one, choice(1.0))
order = either(
    choice(0.0, 1.0, math.inf, 0.5, BELOW_ONE, 1 - 1e-9, *TINY), above_one, power(-300, 0), power(-3, 3), power(0, 300)
)
folds = either(
    choice(1, 2, 3, 10, 10**9), lambda rng: int(10 ** rng.uniform(0, 5)), lambda rng: int(10 ** rng.uniform(0, 9))
)
flag = choice(False, True)


def vector(rng: np.random.Generator, n: int, kind: str) -> np.ndarray:
    """Draw weights: "wide" from 1e-323 to 1.7e308, "graded" by powers of one ratio, "even", or a distribution."""
    if kind == "wide":
        return np.maximum(10.0 ** rng.uniform(-323, 308.25, n), LEAST)
    if kind == "graded":
        return np.maximum(10.0 ** (rng.uniform(-300, 0) * np.arange(n) / n), LEAST)
    if kind == "even":
        return np.full(n, 1 / n)
    weights = rng.exponential(size=n) + 1e-9
    return weights / weights.sum()


KINDS = ("wide", "graded", "law", "law", "even")


def pair_of_weights(rng: np.random.Generator, most: int = 1000) -> dict[str, Any]:
    """Draw p and q on few or many letters: equal, nearly equal, proportional, with zeros, or different."""
    n = int(rng.choice([1, 2, 2, 3, 3, 5, 8, most]))
    p, q = (vector(rng, n, str(rng.choice(KINDS))) for _ in range(2))
    relation = str(rng.choice(["any", "any", "any", "equal", "near", "multiple", "zeros", "zeros", "ties", "scaled"]))
    if relation == "equal":
        q = p.copy()
    elif relation == "near":
        q = p * (1 + 2.0**-52 * rng.integers(-3, 4, n))
    elif relation == "multiple":
        q = p * 2.0 ** -int(rng.integers(1, 40))
    elif relation == "zeros":
        p, q = (np.where(rng.random(n) < 0.3, 0.0, x) for x in (p, q))
        p[int(rng.integers(n))] = 0.5
    elif relation == "ties":
        p, q = (np.full(n, x[0]) for x in (p, q))
    elif relation == "scaled":
        p, q = p / p.max() * 10.0 ** rng.uniform(-140, 140), q / q.max() * 10.0 ** rng.uniform(-140, 140)
    return {"p": np.minimum(p, LARGEST), "q": np.minimum(q, LARGEST)}


def pair_of_laws(rng: np.random.Generator, most: int = 1000) -> dict[str, Any]:
    """Draw two distributions."""
    pair = pair_of_weights(rng, most)
    q = pair["q"] if pair["q"].any() else pair["p"]
    return {"p": law(pair["p"]), "q": law(q)}


def law(x: np.ndarray) -> np.ndarray:
    x = x / x.max()
    return x / x.sum()


def rotation(rng: np.random.Generator, n: int, complex_: bool) -> np.ndarray:
    z = rng.normal(size=(n, n)) + (1j * rng.normal(size=(n, n)) if complex_ else 0)
    return np.linalg.qr(z)[0]


def pair_of_states(rng: np.random.Generator) -> dict[str, Any]:
    """Draw rho and sigma: wide diagonals, well-conditioned matrices at any scale, equal ones, projections."""
    n = int(rng.choice([1, 2, 2, 3, 4]))
    kind = str(rng.choice(["diagonal", "diagonal", "full", "full", "equal", "integers", "shuffled"]))
    if kind in ("diagonal", "shuffled"):
        p, q = (
            x / x.max() * 10.0 ** rng.uniform(-100, 100) for x in (vector(rng, n, str(rng.choice(KINDS))) for _ in "pq")
        )
        if kind == "shuffled":
            p, q = rng.permutation(p), rng.permutation(q)
        if rng.random() < 0.3:
            p, q = (np.where(rng.random(n) < 0.3, 0.0, x) for x in (p, q))
            p[0] = 1.0
        return {"rho": np.diag(p), "sigma": np.diag(q)}
    if kind == "integers":  # of any rank
        x, y = (rng.integers(-2, 3, (n, int(rng.integers(1, n + 1)))) for _ in "xy")
        x[0, 0] = 1
        return {"rho": (x @ x.T).astype(float), "sigma": (y @ y.T).astype(float)}
    complex_ = bool(rng.integers(2))
    out = []
    for _ in "rs":
        u = rotation(rng, n, complex_)
        m = (u * rng.uniform(0.05, 1, n)) @ u.conj().T
        out.append((m + m.conj().T) / 2 * 2.0 ** int(rng.integers(-400, 400) * (rng.random() < 0.5)))
    return {"rho": out[0], "sigma": out[0] if kind == "equal" else out[1]}


def points_and_weights(rng: np.random.Generator) -> dict[str, Any]:
    """Draw few weighted points at any scale, with repeated and common ones, and a kernel that suits the scale."""
    n, m, d = (int(x) for x in rng.integers(1, 4, 3))
    scale = 10.0 ** rng.uniform(-150, 150) if rng.random() < 0.5 else 1.0
    p = np.round(rng.normal(size=(n, d)) * 2, 1)
    q = np.concatenate([p, np.round(rng.normal(size=(m, d)) * 2, 1)])[-m - int(rng.integers(0, n + 1)) :]
    if rng.random() < 0.3:
        p = np.concatenate([p, p[:1]])
    kernel = str(rng.choice(["rbf", "rbf", "laplacian", "identity", "polynomial"]))
    width = float(10.0 ** rng.uniform(-1, 1) * scale) if kernel in ("rbf", "laplacian") else None
    scale = 1.0 if kernel == "polynomial" else scale
    return {
        "p_points": p * scale,
        "p_weights": None if rng.random() < 0.5 else vector(rng, len(p), "law"),
        "q_points": q * scale,
        "q_weights": None if rng.random() < 0.5 else vector(rng, len(q), "law"),
        "kernel": kernel,
        "bandwidth": width,
    }
