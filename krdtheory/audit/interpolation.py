r"""Polynomials in place of probabilities of counts, with proven errors.

With p = sin^2 t, a sum of multinomial probabilities is an entire function of the angle t. If the probabilities of one
trial are linear in p and remain probabilities from p = 0 to p = 1, the moduli of those at a complex angle add up to at
most

.. math:: |\sin^2 t| + |\cos^2 t| = \cosh(2 \operatorname{Im} t),

so the sum over N trials is at most cosh(2 Im t)^N. On an interval of half-width h, the ellipse of parameter rho reaches
h (rho - 1 / rho) / 2 from the real axis, and a function of modulus at most M there differs from its interpolant at k
Chebyshev nodes by at most 4 M rho^(1 - k) / (rho - 1) (Trefethen 2013, Theorem 8.2). Errors of the values grow by at
most the Lebesgue constant, 1 + (2 / pi) log k (Rivlin 1974).

A polynomial of degree d is at most 1 / cos(pi d / (2 m)) times its largest modulus at m > d Chebyshev nodes (Ehlich and
Zeller 1964).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.fft import dct

from krdtheory.arithmetic.base import Array

_RHO = 1 + np.geomspace(1e-3, 6, 80)
_REACH, _LOG_RHO, _LOG_REST = (_RHO - 1 / _RHO) / 2, np.log(_RHO), np.log(_RHO - 1)
_DENSE = 16  # points for each degree at which the largest value is looked for


def angle(p: Array) -> Array:
    """Return the t in [0, pi / 2] with p = sin^2 t; p is clipped to [0, 1]."""
    return np.arcsin(np.sqrt(np.clip(p, 0, 1)))


def nodes_needed(width: float, trials: int, error: float) -> int:
    """Return a number of Chebyshev nodes on an interval of angles that suffices for an error, for a number of trials.

    Examples
    --------
    >>> from krdtheory.audit.interpolation import nodes_needed
    >>> nodes_needed(0.1, 1000, 1e-6)
    23
    """
    modulus = trials * np.log(np.cosh(_REACH * width))
    return 1 + math.ceil(float(((math.log(4 / error) + modulus - _LOG_REST) / _LOG_RHO).min()))


def growth(count: int) -> float:
    """Return a bound on the Lebesgue constant of interpolation at this number of Chebyshev nodes."""
    return 1 + 2 / math.pi * math.log(count)


def nodes(low: float, high: float, count: int) -> Array:
    """Return the Chebyshev nodes of an interval, from the high end to the low one."""
    return (low + high) / 2 + (high - low) / 2 * np.cos((np.arange(count) + 0.5) * (math.pi / max(count, 1)))


def coefficients(values: Array, axis: int = -1) -> Array:
    """Return the Chebyshev coefficients of the interpolant of values at `nodes`."""
    values = np.moveaxis(values, axis, -1)
    out = dct(values) / values.shape[-1]
    out[..., 0] /= 2
    return np.asarray(np.moveaxis(out, -1, axis))


def largest(values: Array, error: float) -> float:
    """Return an upper bound on the interpolant of values at `nodes`, at most about 0.25% of their range and `error` too
    large.

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit.interpolation import largest, nodes
    >>> t = nodes(0, 2, 20)
    >>> print(round(largest(np.exp(-((t - 0.7) ** 2)), 1e-6), 3))
    1.002
    """
    found = coefficients(values)
    left = np.cumsum(np.abs(found[::-1]))[::-1]
    count = max(int((left > error).sum()), 1)
    found[1:] /= 2
    dense = dct(found[:count], type=3, n=_DENSE * count)
    low, high = float(dense.min()), float(dense.max())
    peak = (low + high) / 2 + (high - low) / 2 / math.cos(math.pi / (2 * _DENSE))
    return peak + (float(left[count]) if count < len(left) else 0.0)


@dataclass(frozen=True, eq=False)
class Surface:
    """A function of two probabilities, by Chebyshev polynomials of their angles in two intervals.

    Parameters
    ----------
    of : array, shape (j, k)
        Coefficients of products of polynomials in the first and in the second angle.
    first, second : pair of float
        The intervals of the angles. Others are moved to their ends.
    error : float
        A bound on the absolute error.
    """

    of: Array
    first: tuple[float, float]
    second: tuple[float, float]
    error: float

    @classmethod
    def through(
        cls, values: Array, first: tuple[float, float], second: tuple[float, float], error: float, lost: float
    ) -> Surface:
        """Return the interpolant of values (j, k) at the nodes of both intervals, which have an error, without the last
        coefficients, which may add up to `lost`."""
        of = coefficients(coefficients(values, 0), 1)
        for _ in range(2):
            left = np.cumsum(np.abs(of).sum(1)[::-1])[::-1]
            count = max(int((left > lost / 2).sum()), 1)
            of, error = of[:count].T, error + float(left[count : count + 1].sum())
        return cls(of, first, second, error)

    def __call__(self, p: Array, q: Array) -> Array:
        """Return the values (k,) at points (k,)."""
        rows = self.of.T @ _polynomials(p, self.first, self.of.shape[0])
        rows *= _polynomials(q, self.second, self.of.shape[1])
        return np.asarray(rows.sum(0))


def _polynomials(p: Array, ends: tuple[float, float], count: int) -> Array:
    """Return the Chebyshev polynomials (count, k) of the angles, by T_{m + i} = 2 T_m T_i - T_{m - i}."""
    low, high = ends
    out = np.ones((count, len(p)))
    out[1:2] = np.clip((2 * angle(p) - low - high) / (high - low), -1, 1)
    m = 1
    while m < count - 1:
        k = min(m, count - 1 - m)
        new = np.multiply(out[1 : k + 1], 2 * out[m], out=out[m + 1 : m + 1 + k])
        new -= out[m - k : m][::-1]
        m += k
    return out
