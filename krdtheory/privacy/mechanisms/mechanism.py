"""The interface of mechanisms: quantities of the worst pair of neighbouring inputs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from krdtheory.arithmetic import FLOAT64, Arithmetic, Float64
from krdtheory.arithmetic.base import Array, Floats
from krdtheory.privacy.gaussian import mirrored
from krdtheory.privacy.guarantees import by_multiprecision, found_near, upper


class Mechanism(ABC):
    """A mechanism, with the quantities of its worst pair of neighbouring inputs."""

    def privacy_profile(self, epsilon: ArrayLike, *, arithmetic: Arithmetic = FLOAT64) -> Floats:
        r"""The smallest delta for which the mechanism is (epsilon, delta)-differentially private.

        .. math:: \delta(\epsilon) = \sup_{x \sim x'} \sup_S\, P[M(x) \in S] - e^\epsilon P[M(x') \in S]

        Parameters
        ----------
        epsilon : array_like
            Any real, infinities included.
        arithmetic : Arithmetic
            The number system.

        Returns
        -------
        float or array, shape of epsilon
            In [0, 1]; in float64 never below the true value, and at most 2 units in the last place above it.

        Raises
        ------
        ValueError, TypeError
            epsilon is NaN or not a real number.

        Examples
        --------
        >>> from krdtheory.privacy.mechanisms import Gaussian, Laplace
        >>> Gaussian(scale=1, sensitivity=1).privacy_profile([0, 4]).round(12).tolist()
        [0.382924922548, 4.7122412e-05]
        >>> round(float(Laplace(scale=1, sensitivity=1).privacy_profile(0.5)), 12)
        0.221199216929
        """
        ar = arithmetic
        e = ar.parameter(epsilon, "epsilon", -np.inf, np.inf, "a real number")

        value = _guaranteed_profile(ar, self, e)
        return ar.result(value + 0)  # turns -0.0 into 0.0

    def epsilon_at(self, *, delta: ArrayLike, arithmetic: Arithmetic = FLOAT64) -> Floats:
        """The smallest epsilon >= 0 for which the mechanism is (epsilon, delta)-differentially private.

        Parameters
        ----------
        delta : array_like
            In [0, 1].
        arithmetic : Arithmetic
            The number system.

        Returns
        -------
        float or array, shape of delta
            In nats, clamped at 0; +inf where there is none. In float64 never below the true value, and at most 2 units
            in the last place above it.

        Raises
        ------
        ValueError, TypeError
            delta outside [0, 1] or not a real number.

        Examples
        --------
        >>> from krdtheory.privacy.mechanisms import Gaussian
        >>> round(float(Gaussian(scale=1, sensitivity=1).epsilon_at(delta=1e-5)), 12)
        4.377178095681
        """
        ar = arithmetic
        d = ar.parameter(delta, "delta", 0, 1, "in [0, 1]")
        some = np.where(d < 1, d, 0)
        with np.errstate(over="ignore"):
            value = self._epsilon_at(ar, some)
        value = found_near(ar, self._epsilon_near, value, some)
        value = np.where(d < 1, value, 0)
        return ar.result(np.where(value > 0, value, 0 * d))

    def renyi(self, alpha: ArrayLike, *, arithmetic: Arithmetic = FLOAT64) -> Floats:
        r"""Renyi divergence of order alpha: the mechanism is (alpha, epsilon)-Renyi private iff it is at most epsilon.

        Parameters
        ----------
        alpha : array_like
            Order in [0, inf], the limits 1 (`kl`) and inf (`max_divergence`) included.
        arithmetic : Arithmetic
            The number system.

        Returns
        -------
        float or array, shape of alpha
            In nats.

        Raises
        ------
        ValueError, TypeError
            alpha outside [0, inf] or not a real number.

        Examples
        --------
        >>> from krdtheory.privacy.mechanisms import Laplace
        >>> Laplace(scale=1, sensitivity=1).renyi([1, 2, float("inf")]).round(12).tolist()
        [0.367879441171, 0.619123629999, 1.0]
        """
        ar = arithmetic
        a = ar.order(alpha)
        low, infinite = a < 0.5, a == ar.inf
        part = np.where(low, a, 0)
        with np.errstate(over="ignore"):
            value = self._renyi(ar, np.where(low, 1 - part, np.where(infinite, 2, a)))
            value = np.where(a == 0, 0, value) * np.where(low & (a > 0), part / (1 - part), 1)
        return ar.result(np.where(infinite, self._largest_loss(ar), value))

    def kl(self, *, arithmetic: Arithmetic = FLOAT64) -> Floats:
        """Kullback-Leibler divergence, in nats: `renyi` of order 1.

        Examples
        --------
        >>> from krdtheory.privacy.mechanisms import Gaussian
        >>> float(Gaussian(scale=2, sensitivity=1).kl())
        0.125
        """
        return self.renyi(1, arithmetic=arithmetic)

    def max_divergence(self, *, arithmetic: Arithmetic = FLOAT64) -> Floats:
        """The epsilon of pure differential privacy, +inf where there is none: `renyi` of order inf.

        Examples
        --------
        >>> from krdtheory.privacy.mechanisms import Gaussian, Laplace
        >>> float(Laplace(scale=2, sensitivity=1).max_divergence())
        0.5
        >>> float(Gaussian(scale=2, sensitivity=1).max_divergence())
        inf
        """
        return self.renyi(np.inf, arithmetic=arithmetic)

    def hellinger(self, *, arithmetic: Arithmetic = FLOAT64) -> Floats:
        r"""Hellinger distance :math:`1 - \int \sqrt{pq}`, in [0, 1], the normalisation of `krdtheory.hellinger`.

        Examples
        --------
        >>> from krdtheory.privacy.mechanisms import Gaussian
        >>> round(float(Gaussian(scale=1, sensitivity=1).hellinger()), 12)
        0.117503097415
        """
        ar = arithmetic
        half = self.renyi(0.5, arithmetic=ar)
        return -ar.expm1(-half / 2)

    def total_variation(self, *, arithmetic: Arithmetic = FLOAT64) -> Floats:
        """Total variation distance, in [0, 1]: `privacy_profile` at 0.

        Examples
        --------
        >>> from krdtheory.privacy.mechanisms import Laplace
        >>> round(float(Laplace(scale=1, sensitivity=1).total_variation()), 12)
        0.393469340287
        """
        return self.privacy_profile(0, arithmetic=arithmetic)

    @abstractmethod
    def sample(self, value: Any, *, rng: Any) -> Any:
        """An output for the input `value`.

        Parameters
        ----------
        value : array_like
            The exact answer (scores for the exponential mechanism, counts for the matrix mechanism).
        rng : int, Generator or None
            The source of randomness, or a seed for it.
        """

    @abstractmethod
    def _profile(self, ar: Arithmetic, e: Array) -> Array:
        """Return delta(e) for e in [0, inf]."""

    def _profile_above(self, e: Array) -> Array:
        """Return delta(e) for any e in float64, rounded up."""

        def formula(ar: Arithmetic, e: Array) -> Array:
            return mirrored(ar, self._profile(ar, abs(e)), e)

        return by_multiprecision(formula, e, most=1)

    @abstractmethod
    def _epsilon_at(self, ar: Arithmetic, d: Array) -> Array:
        """Return the real epsilon with delta(epsilon) = d, d in [0, 1); if it is negative, any number <= 0 will do."""

    def _epsilon_near(self, ar: Arithmetic, d: Array, start: Array) -> Array:
        """Return `_epsilon_at` by a search that starts at the value that float64 found."""
        return self._epsilon_at(ar, d)

    @abstractmethod
    def _renyi(self, ar: Arithmetic, a: Array) -> Array:
        """Return D_a for a in [1/2, inf)."""

    @abstractmethod
    def _largest_loss(self, ar: Arithmetic) -> Array:
        """Return D_inf."""


@singledispatch
def _guaranteed_profile(ar: Arithmetic, mechanism: Mechanism, e: Array) -> Array:
    """Return delta(e) for any e; in float64 it is rounded up."""
    return mirrored(ar, mechanism._profile(ar, abs(e)), e)


@_guaranteed_profile.register(Float64)
def _guaranteed_profile_in_float64(ar: Float64, mechanism: Mechanism, e: Array) -> Array:
    return mechanism._profile_above(e)


class BoundedMechanism(Mechanism):
    """A mechanism of bounded loss. Its profile is a closed form that cancels only in the largest loss minus epsilon."""

    @abstractmethod
    def _slope(self, ar: Arithmetic, e: Array) -> Array:
        """Return a bound on |delta'(e)|, 0 <= e <= the largest loss."""

    def _profile_above(self, e: Array) -> Array:
        def formula(ar: Arithmetic, e: Array) -> tuple[Array, Array]:
            size = abs(e)
            loss, above = self._largest_loss(ar), self._profile(ar, size)
            inside = np.where(size < loss, size, loss)
            lost = 2 * above + self._slope(ar, inside) * (loss + inside)  # by rounding `loss` and e - loss
            below = np.where(e < 0, e, 0)
            return mirrored(ar, above, e), ar.exp(below) * lost - ar.expm1(below)

        value = np.zeros(e.shape)
        inside = e < np.longdouble(float(self._largest_loss(FLOAT64))) * (1 + 4 * np.finfo(float).eps)
        value[inside] = upper(FLOAT64, formula, e[inside], most=1)
        return value
