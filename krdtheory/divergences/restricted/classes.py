"""Function classes, the distributions between which they are maximised, and the solution."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from krdtheory.arithmetic.base import Array, reject
from krdtheory.results import Result

EXTENSIONS = ("absolute", "positive")
Functions = Callable[[Any], Any] | ArrayLike  # points (n, d) -> values (n, m), or the values
Function = Callable[[Any], Any]  # of points, numbers of the arithmetic in any shape


# Function classes


@dataclass(frozen=True)
class Affine:
    """H = {b + a . phi(x)}: `features` is phi, a callable of the points (n, d) with values (n, m), or the array of its
    values at the points; None means phi(x) = x, the linear adversary.

    In multiprecision the points are object arrays of mpmath numbers (between mechanisms also arrays of floats, for a
    first solution), and the values must be such numbers or integers: x**2 and np.frompyfunc(mpmath.tanh, 1, 1) work,
    np.tanh does not. The same holds for the functions of the other classes. Between mechanisms a corner or a jump,
    other than at a location or a zero of h, takes more panels and time.
    """

    features: Functions | None = None


@dataclass(frozen=True)
class Polynomials:
    """H = the polynomials of total degree at most `degree`, 1 to 20."""

    degree: int

    def __post_init__(self) -> None:
        if isinstance(self.degree, bool) or not isinstance(self.degree, (int, np.integer)):
            reject("degree", self.degree, "an integer from 1 to 20", TypeError)
        if not 1 <= self.degree <= 20:
            reject("degree", self.degree, "an integer from 1 to 20")


@dataclass(frozen=True)
class ConvexHull:
    """H = the convex combinations of `functions` (a callable with values (n, m), or the values at the points), with
    any constant added if `intercept`.
    """

    functions: Functions
    intercept: bool = False


@dataclass(frozen=True)
class Box:
    """H = {s . g(x) : low <= s <= high}, g the `functions` (as in `ConvexHull`), any constant added if `intercept`."""

    functions: Functions
    low: ArrayLike
    high: ArrayLike
    intercept: bool = False


@dataclass(frozen=True)
class RKHSBall:
    """H = the functions of norm at most `radius` in the RKHS of `kernel`, a callable of two points or the Gram matrix
    (n, n) of the points; any constant added if `intercept`.

    Between mechanisms the kernel should be smooth: if it has a corner at x = y, like ``exp(-|x - y|)``, or is much
    narrower than the distributions, the quadrature does not converge (PrecisionError). Weights on points, or samples,
    take any kernel. In multiprecision its values are mpmath numbers, which is slow.
    """

    kernel: Callable[[Any, Any], Any] | ArrayLike
    radius: ArrayLike
    intercept: bool = False


FunctionClass = Affine | Polynomials | ConvexHull | Box | RKHSBall


# Distributions, besides weights on common points


@dataclass(frozen=True)
class Sample:
    """The empirical distribution of `points` (n,) or (n, d)."""

    points: ArrayLike


@dataclass(frozen=True)
class LaplaceDistribution:
    """Density ``exp(-|x - location| / scale) / (2 scale)``; the Laplace mechanism's scale is sensitivity / epsilon."""

    location: ArrayLike = 0
    scale: ArrayLike = 1
    family = "laplace"


@dataclass(frozen=True)
class GaussianDistribution:
    """The normal distribution of mean `location` and standard deviation `scale`."""

    location: ArrayLike = 0
    scale: ArrayLike = 1
    family = "gaussian"


Mechanism = LaplaceDistribution | GaussianDistribution


@dataclass(frozen=True, eq=False)
class RestrictedSolution(Result):
    """A restricted divergence from both sides.

    `value` is the restricted Renyi (or KL) divergence, attained by `maximiser` and so a lower bound; `upper` is the
    bound by the dual certificate `density`, the r = dP'/dQ of the package's docstring; `divergence` is D_f^H. On
    points, `maximiser` and `density` are arrays (n,); between mechanisms they are functions of x. `coefficients` are
    those of the constant (if the class has it) and of the class's functions; between mechanisms those of the powers of
    (x - location) / scale of q, ascending; for polynomials on points those of the products of the coordinates of
    (x - midrange) / half-range. For a class closed under scaling the maximiser of an order alpha is that of (M), with
    E_P h = 1. If the value is +inf or not attained, they are None.
    """

    value: float
    upper: float
    divergence: float
    coefficients: Array | None = None
    maximiser: Array | Function | None = None
    density: Array | Function | None = None

    def __post_init__(self) -> None:
        for name in ("value", "upper", "divergence"):
            if getattr(self, name) == 0:  # turns -0.0 into 0.0
                object.__setattr__(self, name, abs(getattr(self, name)))

    @property
    def gap(self) -> float:
        """upper - value, at most the error of `value`."""
        return 0 if self.value == self.upper else self.upper - self.value
