r"""Mechanisms, and what each leaks in every notion, exactly.

A mechanism is a frozen value. Its methods give the worst case over neighbouring inputs: the privacy profile
delta(epsilon), the Renyi divergence of every order, and with them KL, Hellinger and total variation. For noise added to
a vector that one individual moves by at most `sensitivity`, in the L1 norm (Laplace) or the L2 norm (Gaussian), the
worst case moves a single coordinate by all of it. For the Gaussian that is rotation. For both Laplace mechanisms it is
because two coordinates moved by u and v tell less than one moved by u + v, at every epsilon: with scale 1,
t = u + v - epsilon and epsilon >= 0 the profiles are 1 - e^{-t/2} (1 + min(t, 2u, 2v) / 4) and 1 - e^{-t/2}; and of two
pairs the one that tells less still does beside any independent output. So a single pair of laws answers every question.

Neighbouring is symmetric. Hence delta(-epsilon) = 1 - e^{-epsilon} + e^{-epsilon} delta(epsilon) and
(1 - alpha) D_alpha = alpha D_{1 - alpha}: only epsilon >= 0 and alpha >= 1/2 are computed.

Sampling is that of the textbook, in floating point, and not secure against an adversary who sees the low bits
(Mironov 2012): the mechanisms are here to be studied and audited.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import mpmath
import numpy as np
from flint import arb

from krdtheory.arithmetic import FLOAT64, MP, Arithmetic
from krdtheory.arithmetic.base import Array, generator, reject
from krdtheory.arithmetic.checks import check_count, check_delta, check_number
from krdtheory.arithmetic.exact import rational_parts
from krdtheory.arithmetic.float64 import Float64
from krdtheory.divergences._noise import NODES, WEIGHTS, laplace_renyi
from krdtheory.privacy.gaussian import (
    gaussian_delta_ball,
    gaussian_epsilon_near,
    gaussian_epsilon_rounded,
    gaussian_parameter,
    gaussian_profile,
    mirrored,
)
from krdtheory.privacy.guarantees import by_balls, by_multiprecision, raised, rounded_up, upper
from krdtheory.privacy.roots import increasing_root

_EXACT = MP(40)
_EXTENDED = Float64()  # on arrays of `numpy.longdouble`
BASE = 2**26  # of the digits that geometric noise of a large scale is drawn in
FLOAT_RANGE = 700  # decimal digits from the least number to the largest, and some more
_FAR = 600.0  # exponents beyond this leave no room in a float


def _rounded_up(value: Any) -> float:
    """The least float64 that is not below a number known to 40 digits, so that calibrated noise is never too small."""
    return float(rounded_up(raised(np.asarray(value).flat[0], 35)))


class Mechanism(ABC):
    """What every mechanism answers, about its worst pair of neighbouring inputs."""

    def privacy_profile(self, epsilon: Any, *, arithmetic: Arithmetic = FLOAT64) -> Any:
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

        value = mirrored(ar, self._profile(ar, abs(e)), e) if ar.exact_input else self._profile_above(e)
        return ar.result(value + 0)  # and no -0.0

    def epsilon_at(self, *, delta: Any, arithmetic: Arithmetic = FLOAT64) -> Any:
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
        if not ar.exact_input:
            value = by_multiprecision(self._epsilon_near, some, value)
        value = np.where(d < 1, value, 0)
        return ar.result(np.where(value > 0, value, 0 * d))

    def renyi(self, alpha: Any, *, arithmetic: Arithmetic = FLOAT64) -> Any:
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

    def kl(self, *, arithmetic: Arithmetic = FLOAT64) -> Any:
        """Kullback-Leibler divergence, in nats: `renyi` of order 1.

        Examples
        --------
        >>> from krdtheory.privacy.mechanisms import Gaussian
        >>> float(Gaussian(scale=2, sensitivity=1).kl())
        0.125
        """
        return self.renyi(1, arithmetic=arithmetic)

    def max_divergence(self, *, arithmetic: Arithmetic = FLOAT64) -> Any:
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

    def hellinger(self, *, arithmetic: Arithmetic = FLOAT64) -> Any:
        r"""Hellinger distance :math:`1 - \int \sqrt{pq}`, in [0, 1], the normalisation of `krdtheory.hellinger`.

        Examples
        --------
        >>> from krdtheory.privacy.mechanisms import Gaussian
        >>> round(float(Gaussian(scale=1, sensitivity=1).hellinger()), 12)
        0.117503097415
        """
        ar = arithmetic
        half = self.renyi("1/2" if ar.exact_input else 0.5, arithmetic=ar)
        return -ar.expm1(-half / 2)

    def total_variation(self, *, arithmetic: Arithmetic = FLOAT64) -> Any:
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
        """A release for the input `value`.

        Parameters
        ----------
        value : array_like
            The exact answer (scores for the exponential mechanism, counts for the matrix mechanism).
        rng : Generator or int
            The source of randomness, or a seed of one.
        """

    @abstractmethod
    def _profile(self, ar: Arithmetic, e: Array) -> Array:
        """delta(e) for e in [0, inf]."""

    def _profile_above(self, e: Array) -> Array:
        """delta(e) for any e in float64, rounded up."""

        def formula(ar: Arithmetic, e: Array) -> Array:
            return mirrored(ar, self._profile(ar, abs(e)), e)

        return by_multiprecision(formula, e, most=1)

    @abstractmethod
    def _epsilon_at(self, ar: Arithmetic, d: Array) -> Array:
        """The real epsilon with delta(epsilon) = d, d in [0, 1); where that is negative, any number <= 0."""

    def _epsilon_near(self, ar: Arithmetic, d: Array, start: Array) -> Array:
        """`_epsilon_at`, started from the value that float64 found."""
        return self._epsilon_at(ar, d)

    @abstractmethod
    def _renyi(self, ar: Arithmetic, a: Array) -> Array:
        """D_a for a in [1/2, inf)."""

    @abstractmethod
    def _largest_loss(self, ar: Arithmetic) -> Array:
        """D_inf."""


class _Bounded(Mechanism):
    """A mechanism of bounded loss whose profile has a closed form without cancellation but in the distance of epsilon
    to the largest loss."""

    @abstractmethod
    def _slope(self, ar: Arithmetic, e: Array) -> Array:
        """A bound on the slope of delta at e, 0 <= e <= the largest loss."""

    def _profile_above(self, e: Array) -> Array:
        def formula(ar: Arithmetic, e: Array) -> tuple[Array, Array]:
            ar, size = (ar if ar.exact_input else _EXTENDED), abs(e)
            loss, above = self._largest_loss(ar), self._profile(ar, size)
            inside = np.where(size < loss, size, loss)
            lost = 2 * above + self._slope(ar, inside) * (loss + inside)  # by rounding, of `loss` and of e - loss
            below = np.where(e < 0, e, 0)
            return mirrored(ar, above, e), ar.exp(below) * lost - ar.expm1(below)

        value = np.zeros(e.shape)
        inside = e < np.longdouble(float(self._largest_loss(FLOAT64))) * (1 + 4 * np.finfo(float).eps)
        value[inside] = upper(FLOAT64, formula, e[inside], most=1)
        return value


@dataclass(frozen=True, kw_only=True)
class Laplace(_Bounded):
    r"""Laplace noise of density e^{-|x| / scale} / (2 scale) added to every coordinate.

    With l = sensitivity / scale: delta(epsilon) = 1 - e^{(epsilon - l) / 2} on [-l, l] and 0 beyond; and, for
    alpha >= 1/2, D_alpha = l + log(1 - (alpha - 1) r) / (alpha - 1) with r = (1 - e^{-(2 alpha - 1) l}) / (2 alpha
    - 1).

    Parameters
    ----------
    scale : number
        The scale b > 0; the standard deviation is sqrt(2) b.
    sensitivity : number
        L1 sensitivity of what is released, positive.

    Raises
    ------
    ValueError, TypeError
        A parameter that is not a positive finite number; scale below 1e-300 times sensitivity.

    References
    ----------
    Dwork, McSherry, Nissim and Smith (2006); Mironov (2017), Proposition 6; capacity-bounded privacy, Theorems 8
    and 11.

    Examples
    --------
    >>> from krdtheory.privacy.mechanisms import Laplace
    >>> mechanism = Laplace.calibrated(epsilon=0.5, sensitivity=2)
    >>> mechanism
    Laplace(scale=4.0, sensitivity=2)
    >>> mechanism.sample([10.0, 20.0], rng=0).round(3).tolist()
    [11.28, 17.532]
    >>> Laplace(scale=0, sensitivity=1)
    Traceback (most recent call last):
    ...
    ValueError: scale must be a positive finite number; got 0
    """

    scale: Any
    sensitivity: Any

    def __post_init__(self) -> None:
        scale, sensitivity = (check_number(getattr(self, name), name) for name in ("scale", "sensitivity"))
        if sensitivity > 1e300 * scale:
            reject("scale", self.scale, "at least 1e-300 times sensitivity")

    @classmethod
    def calibrated(cls, *, epsilon: Any, sensitivity: Any, delta: Any = 0) -> Self:
        """The least noise that is (epsilon, delta)-private, rounded up: sensitivity / (epsilon - 2 log(1 - delta)).

        Raises
        ------
        ValueError, TypeError
            epsilon not positive and finite, delta outside [0, 1), sensitivity not positive.

        Examples
        --------
        >>> from krdtheory.privacy.mechanisms import Laplace
        >>> mechanism = Laplace.calibrated(epsilon=1, delta=0.01, sensitivity=1)
        >>> round(float(mechanism.privacy_profile(1)), 12)
        0.01
        """
        check_number(epsilon, "epsilon"), check_number(sensitivity, "sensitivity"), check_delta(delta)
        e, d, s = (as_number(_EXACT, x) for x in (epsilon, delta, sensitivity))
        return cls(scale=_rounded_up(s / (e - 2 * _EXACT.log1p(-d))), sensitivity=sensitivity)

    def sample(self, value: Any, *, rng: Any) -> Any:
        """`value` (any shape) with independent noise on every entry; `rng` a Generator or a seed."""
        x = FLOAT64.reals(value, "value")
        return (x + generator(rng).laplace(0, as_number(FLOAT64, self.scale), x.shape))[()]

    def _largest_loss(self, ar: Arithmetic) -> Array:
        return as_number(ar, self.sensitivity) / as_number(ar, self.scale)

    def _profile(self, ar: Arithmetic, e: Array) -> Array:
        gap = e - self._largest_loss(ar)
        return -ar.expm1(np.where(gap < 0, gap, 0) / 2)

    def _slope(self, ar: Arithmetic, e: Array) -> Array:
        return ar.exp((e - self._largest_loss(ar)) / 2)

    def _epsilon_at(self, ar: Arithmetic, d: Array) -> Array:
        return self._largest_loss(ar) + 2 * ar.log1p(-d)

    def _renyi(self, ar: Arithmetic, a: Array) -> Array:
        return laplace_renyi(ar, a, self._largest_loss(ar))


@dataclass(frozen=True, kw_only=True)
class DiscreteLaplace(_Bounded):
    r"""The geometric mechanism: noise k with probability (1 - q) / (1 + q) q^{|k|}, q = e^{-1 / scale}, on integers.

    The losses of a shift by m are (m - 2 i) / scale, i = 0, ..., m. At these delta = 1 - q^i, and it is linear in
    e^epsilon between them; with y = q^{2 alpha - 1}, alpha >= 1/2,
    D_alpha = m / scale + log(1 + (y - q) (1 - y^m) / ((1 + q) (1 - y))) / (alpha - 1).

    Parameters
    ----------
    scale : number
        b > 0.
    sensitivity : int
        L1 sensitivity of the integer vector that is released, at least 1.

    Raises
    ------
    ValueError, TypeError
        scale not a positive finite number, sensitivity not a positive integer.

    References
    ----------
    Ghosh, Roughgarden and Sundararajan (2012).

    Examples
    --------
    >>> from krdtheory.privacy.mechanisms import DiscreteLaplace
    >>> mechanism = DiscreteLaplace.calibrated(epsilon=1, sensitivity=2)
    >>> mechanism.privacy_profile([0, 0.5, 1]).round(12).tolist()
    [0.393469340287, 0.244918662404, 0.0]
    >>> mechanism.sample([10, 20], rng=0).tolist()
    [12, 20]
    """

    scale: Any
    sensitivity: int

    def __post_init__(self) -> None:
        check_number(self.scale, "scale")
        check_count(self.sensitivity, "sensitivity", 1)

    @classmethod
    def calibrated(cls, *, epsilon: Any, sensitivity: int) -> Self:
        """The mechanism that is just epsilon-private: scale = sensitivity / epsilon, rounded up.

        Raises
        ------
        ValueError, TypeError
            epsilon not positive and finite, sensitivity not a positive integer.

        Examples
        --------
        >>> from krdtheory.privacy.mechanisms import DiscreteLaplace
        >>> DiscreteLaplace.calibrated(epsilon=0.5, sensitivity=1)
        DiscreteLaplace(scale=2.0, sensitivity=1)
        """
        check_number(epsilon, "epsilon")
        size = check_count(sensitivity, "sensitivity", 1)
        return cls(scale=_rounded_up(size / as_number(_EXACT, epsilon)), sensitivity=sensitivity)

    def sample(self, value: Any, *, rng: Any) -> Any:
        """`value` (integers of any shape) with independent noise on every entry; `rng` a Generator or a seed.

        In 64-bit integers: ValueError for a scale above 1e16 and for values beyond 2^62, where they would overflow.
        """
        x = integers(value, "value")
        if (abs(x) > 2**62).any() or (x == np.iinfo(x.dtype).min).any():
            reject("value", value, "integers from -2^62 to 2^62")
        if as_number(FLOAT64, self.scale) > 1e16:  # up to it, noise beyond 2^62 has probability e^-460
            reject("scale", self.scale, "at most 1e16 to sample")
        g = generator(rng)
        return (x + self._geometric(g, x.shape) - self._geometric(g, x.shape))[()]

    def _geometric(self, g: np.random.Generator, shape: tuple[int, ...]) -> Array:
        """Failures before a success of probability 1 - q, up to a constant that differences lose.

        Digits in a large base are independent: the low one is a truncated geometric number, and what is above it a
        geometric one, so that no number is rounded.
        """
        scale = float(as_number(FLOAT64, self.scale))
        if scale <= BASE:
            return g.geometric(-np.expm1(-1 / scale), shape)
        low = np.floor(-scale * np.log1p(g.random(shape) * np.expm1(-BASE / scale))).astype(np.int64)
        return BASE * g.geometric(-np.expm1(-BASE / scale), shape) + np.minimum(low, BASE - 1)

    def _rate(self, ar: Arithmetic) -> Array:
        return 1 / as_number(ar, self.scale)

    def _largest_loss(self, ar: Arithmetic) -> Array:
        return as_number(ar, int(self.sensitivity)) * self._rate(ar)

    def _profile(self, ar: Arithmetic, e: Array) -> Array:
        rate, loss = self._rate(ar), self._largest_loss(ar)
        inside = e < loss
        twice_t = np.where(inside, loss - np.where(inside, e, 0), rate) / rate
        i = ceiling(twice_t / 2)  # losses above e
        delta = -ar.expm1(-(twice_t - i + 1) * rate) - ar.exp(-rate) * ar.expm1(-(i - 1) * rate)
        return np.where(inside, delta / (1 + ar.exp(-rate)), 0)

    def _slope(self, ar: Arithmetic, e: Array) -> Array:
        rate = self._rate(ar)
        twice_t = (self._largest_loss(ar) - e) / rate
        return ar.exp((ceiling(twice_t / 2) - 1 - twice_t) * rate)

    def _epsilon_at(self, ar: Arithmetic, d: Array) -> Array:
        rate = self._rate(ar)
        q, i = ar.exp(-rate), ceiling(-ar.log1p(-d) / rate)
        i = np.where(i > 1, i, 1)
        return self._largest_loss(ar) - (i - 1) * rate + ar.log1p(-q * ar.expm1(-(i - 1) * rate) - (1 + q) * d)

    def _renyi(self, ar: Arithmetic, a: Array) -> Array:
        if ar.exact_input:
            return self._closed_renyi(ar, a)
        loss = self._largest_loss(ar)
        value = np.array(self._closed_renyi(ar, a))
        for index in np.ndindex(a.shape):  # the closed form loses the digits that `loss` has before it
            if loss < 1 and (2 * a[index] - 1) * loss < 4:
                exact = MP(30 - 2 * int(np.log10(loss)))
                value[index] = self._closed_renyi(exact, exact.order(float(a[index])))[0]
        return value

    def _closed_renyi(self, ar: Arithmetic, a: Array) -> Array:
        rate, m, s = self._rate(ar), int(self.sensitivity), a - 1
        q, step = ar.exp(-rate), (2 * a - 1) * rate
        flat = step == 0
        geometric = np.where(flat, m, ar.expm1(-m * step) / ar.expm1(-np.where(flat, 1, step)))
        up, down = 2 * np.where(s < 0, s, 0) * rate, -2 * np.where(s > 0, s, 0) * rate
        gap = np.where(s < 0, -ar.exp(-step) * ar.expm1(up), q * ar.expm1(down))  # y - q
        growth = np.where(s == 0, -2 * rate * q, gap / np.where(s == 0, 1, s)) / (1 + q) * geometric
        return self._largest_loss(ar) + np.where(s == 0, growth, ar.log1p(s * growth) / np.where(s == 0, 1, s))


@dataclass(frozen=True, kw_only=True)
class Gaussian(Mechanism):
    r"""Gaussian noise of standard deviation `scale` on every coordinate.

    With mu = sensitivity / scale: delta(epsilon) = Phi(mu / 2 - epsilon / mu) - e^epsilon Phi(-mu / 2 - epsilon / mu)
    and D_alpha = alpha mu^2 / 2.

    Parameters
    ----------
    scale : number
        The standard deviation sigma > 0 (not the variance).
    sensitivity : number
        L2 sensitivity of what is released, positive.

    Raises
    ------
    ValueError, TypeError
        A parameter that is not a positive finite number.

    References
    ----------
    Balle and Wang (2018), Theorem 8; Dwork and Roth (2014), Theorem A.1; Mironov (2017), Proposition 7.

    Examples
    --------
    >>> from krdtheory.privacy.mechanisms import Gaussian
    >>> mechanism = Gaussian.calibrated(epsilon=1, delta=0.005, sensitivity=10)
    >>> round(float(mechanism.scale), 12)
    20.978156724333
    >>> round(float(mechanism.renyi(12)), 12)
    1.363378996257
    """

    scale: Any
    sensitivity: Any

    def __post_init__(self) -> None:
        for name in ("scale", "sensitivity"):
            check_number(getattr(self, name), name)

    @classmethod
    def calibrated(
        cls, *, epsilon: Any, delta: Any, sensitivity: Any, method: str = "analytic", arithmetic: Arithmetic = FLOAT64
    ) -> Self:
        r"""Noise for (epsilon, delta)-privacy. In float64 the scale is rounded up by 2 last-place units at most.

        Parameters
        ----------
        epsilon, delta, sensitivity : number
            The privacy asked for, and the L2 sensitivity.
        method : {"analytic", "classical"}
            "analytic" (Balle and Wang 2018): the least noise. "classical" (Dwork and Roth 2014):
            sigma = sensitivity sqrt(2 log(1.25 / delta)) / epsilon, more than is needed, and a theorem for epsilon
            < 1 only.
        arithmetic : Arithmetic
            The number system in which the scale is found.

        Raises
        ------
        ValueError
            epsilon negative, delta outside [1e-300, 1), sensitivity not positive; an unknown method; "classical" with
            epsilon outside (0, 1).
        TypeError
            An argument that is not a number.

        Examples
        --------
        >>> from krdtheory.privacy.mechanisms import Gaussian
        >>> for method in "analytic", "classical":
        ...     print(round(float(Gaussian.calibrated(epsilon=0.5, delta=1e-5, sensitivity=1, method=method).scale), 6))
        7.031827
        9.689611
        """
        ar = arithmetic if arithmetic.exact_input else _EXACT
        check_number(epsilon, "epsilon", 0, allowed="a finite number >= 0")
        if check_delta(delta) < 1e-300:
            reject("delta", delta, "in [1e-300, 1)")
        check_number(sensitivity, "sensitivity")
        e, d, size = (as_number(ar, x) for x in (epsilon, delta, sensitivity))
        if method == "classical":
            if not 0 < e < 1:
                reject("epsilon", epsilon, 'in (0, 1) for method="classical"')
            mu = e / ar.sqrt(2 * (ar.log(as_number(ar, "5/4")) - ar.log(d)))
        elif method == "analytic":
            mu = gaussian_parameter(ar, e, d)
        else:
            reject("method", method, '"analytic" or "classical"')
        scale = size / mu
        return cls(scale=ar.result(scale) if ar is arithmetic else _rounded_up(scale), sensitivity=sensitivity)

    def sample(self, value: Any, *, rng: Any) -> Any:
        """`value` (any shape) with independent noise on every entry; `rng` a Generator or a seed."""
        x = FLOAT64.reals(value, "value")
        return (x + generator(rng).normal(0, as_number(FLOAT64, self.scale), x.shape))[()]

    def _mu(self, ar: Arithmetic) -> Array:
        with np.errstate(over="ignore"):
            return as_number(ar, self.sensitivity) / as_number(ar, self.scale)

    def _largest_loss(self, ar: Arithmetic) -> Array:
        return np.asarray(ar.inf)

    def _profile(self, ar: Arithmetic, e: Array) -> Array:
        return gaussian_profile(ar, self._mu(ar), e)

    def _profile_above(self, e: Array) -> Array:
        sensitivity, scale = rational_parts(self.sensitivity), rational_parts(self.scale)
        if sensitivity is None or scale is None:  # irrational
            return super()._profile_above(e)
        mu = sensitivity[0] / scale[0]
        value = by_balls(lambda e: gaussian_delta_ball(arb(mu), e), e)
        wide = np.isnan(value)
        value[wide] = super()._profile_above(e[wide])
        return np.minimum(value, 1)

    def _epsilon_at(self, ar: Arithmetic, d: Array) -> Array:
        some = d > 0
        return np.where(some, gaussian_epsilon_rounded(ar, self._mu(ar), np.where(some, d, (1 + d) / 2)), ar.inf)

    def _epsilon_near(self, ar: Arithmetic, d: Array, start: Array) -> Array:
        return gaussian_epsilon_near(ar, self._mu(ar), d, start) if d[0] > 0 else start

    def _renyi(self, ar: Arithmetic, a: Array) -> Array:
        with np.errstate(over="ignore"):
            return a * self._mu(ar) ** 2 / 2


@dataclass(frozen=True, kw_only=True)
class RandomizedResponse(_Bounded):
    r"""k-ary randomised response: the true category with probability e^epsilon / (e^epsilon + k - 1), else another.

    With p that probability: delta(e) = p (1 - e^{e - epsilon}) on [0, epsilon], and
    e^{(alpha - 1) D_alpha} = 1 + p (1 - e^{-alpha epsilon}) (e^{(alpha - 1) epsilon} - 1). Binary randomised
    response is the worst of all epsilon-private mechanisms, in every f-divergence.

    Parameters
    ----------
    epsilon : number
        Positive.
    categories : int
        k >= 2.

    Raises
    ------
    ValueError, TypeError
        epsilon not a positive finite number, categories not an integer >= 2.

    References
    ----------
    Warner (1965); Kairouz, Oh and Viswanath (2014); Colisson (2016), Theorem 7.

    Examples
    --------
    >>> from krdtheory.privacy.mechanisms import RandomizedResponse
    >>> mechanism = RandomizedResponse(epsilon=1)
    >>> round(float(mechanism.renyi(3)), 12), round(float(mechanism.total_variation()), 12)
    (0.846726830485, 0.46211715726)
    >>> RandomizedResponse(epsilon=2, categories=4).sample([0, 1, 2, 3], rng=1).tolist()
    [0, 2, 2, 1]
    """

    epsilon: Any
    categories: int = 2

    def __post_init__(self) -> None:
        check_number(self.epsilon, "epsilon")
        check_count(self.categories, "categories", 2)

    def distribution(self, value: int, *, arithmetic: Arithmetic = FLOAT64) -> Any:
        """The law (categories,) of the response to `value`.

        Examples
        --------
        >>> from krdtheory.privacy.mechanisms import RandomizedResponse
        >>> RandomizedResponse(epsilon=1).distribution(0).round(6).tolist()
        [0.731059, 0.268941]
        """
        ar, k = arithmetic, int(self.categories)
        if not 0 <= check_count(value, "value", 0) < k:
            reject("value", value, f"a category, in 0, ..., {k - 1}")
        other = ar.exp(-as_number(ar, self.epsilon))
        law = np.where(np.arange(k) == value, 1, other) / (1 + (k - 1) * other)
        return ar.result(law[None]) if ar.exact_input else law

    def sample(self, value: Any, *, rng: Any) -> Any:
        """Responses to the categories `value` (integers in [0, k), of any shape); `rng` a Generator or a seed."""
        x, k, g = integers(value, "value"), int(self.categories), generator(rng)
        if ((x < 0) | (x >= k)).any():
            reject("value", x[(x < 0) | (x >= k)].flat[0], f"categories, in 0, ..., {k - 1}")
        truth = g.random(x.shape) < self._truth(FLOAT64)
        return np.where(truth, x, (x + g.integers(1, k, x.shape)) % k)[()]

    def _truth(self, ar: Arithmetic) -> Array:
        return 1 / (1 + as_number(ar, int(self.categories) - 1) * ar.exp(-as_number(ar, self.epsilon)))

    def _largest_loss(self, ar: Arithmetic) -> Array:
        return as_number(ar, self.epsilon)

    def _profile(self, ar: Arithmetic, e: Array) -> Array:
        gap = e - as_number(ar, self.epsilon)
        return -self._truth(ar) * ar.expm1(np.where(gap < 0, gap, 0))

    def _slope(self, ar: Arithmetic, e: Array) -> Array:
        truth = self._truth(ar)
        return truth * ar.exp(e - as_number(ar, self.epsilon)) + 1 - truth  # the latter for that of `truth`

    def _epsilon_at(self, ar: Arithmetic, d: Array) -> Array:
        kept = d / self._truth(ar)
        return as_number(ar, self.epsilon) + np.where(kept < 1, ar.log1p(-np.where(kept < 1, kept, 0)), -ar.inf)

    def _renyi(self, ar: Arithmetic, a: Array) -> Array:
        e, k, s = as_number(ar, self.epsilon), int(self.categories), a - 1
        nonzero = np.where(s == 0, 1, s)
        loss = np.where(abs(s) * e < _FAR, s * e, 0)
        growth = np.where(s == 0, e, ar.expm1(loss) / nonzero) * -ar.expm1(-a * e) * self._truth(ar)
        near = (abs(s) * e < _FAR) & (s * growth > -0.5)
        others = ar.exp(-(2 * a - 1) * e) + (k - 2) * ar.exp(-a * e)
        far = e + (ar.log1p(others) - ar.log1p((k - 1) * ar.exp(-e))) / nonzero
        value = np.where(near, ar.log1p(np.where(near, s * growth, 0)) / nonzero, far)
        return np.where(s == 0, growth, value)


@dataclass(frozen=True, kw_only=True)
class Exponential(_Bounded):
    r"""The exponential mechanism: candidate i with probability proportional to e^{c u_i}, u_i its score.

    c = epsilon / (2 sensitivity), or epsilon / sensitivity where one individual can only raise scores, or only
    lower them (`monotone`). The log ratios then lie in an interval of length epsilon ("bounded range"), and the
    worst case over all scores is a two-point pair: with L(x) = log(sinh(x) / x) and h = epsilon / 2,
    D_alpha = L(alpha h) - L((alpha - 1) h) + (L(alpha h) - L(h)) / (alpha - 1), which is about alpha epsilon^2 / 8, and
    delta(e) = (1 - e^{(e - epsilon) / 2})^2 / (1 - e^{-epsilon}) on [0, epsilon].

    Parameters
    ----------
    epsilon : number
        The epsilon of pure differential privacy, positive.
    sensitivity : number
        How much one individual changes any score, positive.
    monotone : bool
        Do all scores change in one direction?

    Raises
    ------
    ValueError, TypeError
        A parameter that is not a positive finite number; `monotone` not a boolean.

    References
    ----------
    McSherry and Talwar (2007); Durfee and Rogers (2019); Dong, Durfee and Rogers (2020).

    Examples
    --------
    >>> from krdtheory.privacy.mechanisms import Exponential
    >>> mechanism = Exponential(epsilon=2, sensitivity=1)
    >>> mechanism.distribution([0.0, 1.0]).round(6).tolist()
    [0.268941, 0.731059]
    >>> round(float(mechanism.kl()), 12), round(float(mechanism.total_variation()), 12)
    (0.474474647071, 0.46211715726)
    >>> int(mechanism.sample([1.0, 5.0, 2.0], rng=0))
    1
    """

    epsilon: Any
    sensitivity: Any
    monotone: bool = False

    def __post_init__(self) -> None:
        check_number(self.epsilon, "epsilon")
        check_number(self.sensitivity, "sensitivity")
        if not isinstance(self.monotone, (bool, np.bool_)):
            reject("monotone", self.monotone, "True or False", TypeError)

    def distribution(self, scores: Any, *, arithmetic: Arithmetic = FLOAT64) -> Any:
        """The law (..., n) of the choice for scores (..., n).

        Examples
        --------
        >>> from krdtheory.privacy.mechanisms import Exponential
        >>> Exponential(epsilon=1, sensitivity=1, monotone=True).distribution([[0, 0], [0, 1000]]).tolist()
        [[0.5, 0.5], [0.0, 1.0]]
        """
        ar = arithmetic
        weights = ar.exp(self._exponents(ar, scores))
        return ar.result(weights / weights.sum(-1, keepdims=True))

    def sample(self, value: Any, *, rng: Any) -> Any:
        """The index chosen for scores `value` (..., n); `rng` a Generator or a seed."""
        exponents = self._exponents(FLOAT64, value)
        return np.argmax(exponents + generator(rng).gumbel(size=exponents.shape), -1)

    def _exponents(self, ar: Arithmetic, scores: Any) -> Array:
        """c (u - max u): what overflows is -inf, a candidate that is never chosen."""
        u = _scores(ar, scores)
        with np.errstate(over="ignore"):
            gaps = u - u.max(-1, keepdims=True)
            epsilon, sensitivity = as_number(ar, self.epsilon), as_number(ar, self.sensitivity)
            if ar.exact_input:
                return epsilon / sensitivity / (1 if self.monotone else 2) * gaps
            (x, i), (y, j), (z, k) = map(np.frexp, (gaps, epsilon, sensitivity))  # as their quotient may overflow
            return np.ldexp(x * y / z, i + j - k - (0 if self.monotone else 1))

    def _largest_loss(self, ar: Arithmetic) -> Array:
        return as_number(ar, self.epsilon)

    def _profile(self, ar: Arithmetic, e: Array) -> Array:
        epsilon = as_number(ar, self.epsilon)
        gap = e - epsilon
        return ar.expm1(np.where(gap < 0, gap, 0) / 2) ** 2 / -ar.expm1(-epsilon)

    def _slope(self, ar: Arithmetic, e: Array) -> Array:
        half = (e - as_number(ar, self.epsilon)) / 2
        return ar.expm1(half) * ar.exp(half) / ar.expm1(-as_number(ar, self.epsilon))

    def _epsilon_at(self, ar: Arithmetic, d: Array) -> Array:
        epsilon = as_number(ar, self.epsilon)
        return epsilon + 2 * ar.log1p(-ar.sqrt(-d * ar.expm1(-epsilon)))

    def _renyi(self, ar: Arithmetic, a: Array) -> Array:
        h, s = as_number(ar, self.epsilon) / 2, a - 1
        if isinstance(ar, MP):
            return self._closed_renyi(ar, a)
        start, slope = (
            np.minimum(abs(s) * h, 1e200),
            np.minimum(s * h, 1e200),
        )  # the means have their limits long before
        step = np.where(s < 0, (2 * a - 1) * h, h)
        return step * _mean_langevin(start, step) + h * _mean_langevin(h, slope)

    def _closed_renyi(self, ar: MP, a: Array) -> Array:
        """With the digits that L loses at small arguments, and differences of it at large ones and near order 1."""
        h, s = as_number(ar, self.epsilon) / 2, abs(a - 1)
        sizes = [x for x in (*np.ravel(h), *np.ravel(a * h), *np.ravel(s)) if 0 < x < ar.inf]
        ar = MP(ar.digits + 3 * max(abs(int(ar.context.log10(x))) for x in sizes) + 5)
        h, a = as_number(ar, self.epsilon) / 2, np.frompyfunc(ar.context.mpf, 1, 1)(a)
        s = a - 1
        top = _log_sinhc(ar, a * h)
        slope = (top - _log_sinhc(ar, h)) / np.where(s == 0, 1, s)
        return top - _log_sinhc(ar, s * h) + np.where(s == 0, h * _coth(ar, h) - 1, slope)


@dataclass(frozen=True, kw_only=True, eq=False)
class MatrixMechanism(Mechanism):
    r"""The matrix mechanism: linear queries W x answered as W A^+ (A x + noise), A the strategy, x a histogram.

    Only A x + noise touches the data, so what leaks depends on the strategy: one individual more or less in cell j adds
    a column a_j of A. The Renyi divergence is the largest over columns of the sum over the entries of a_j (Laplace), or
    that of the longest column (Gaussian). The privacy profile with Laplace noise is the largest over columns of that of
    independent coordinates, a sum of one term for every way to choose entries, equal ones counted once, in
    multiprecision. Beyond 4096 terms it is that of a single entry of size \|A\|_1, the largest L1 norm of a column,
    which is an upper bound.

    Parameters
    ----------
    workload : array_like, shape (q, n)
        W, the queries on a histogram of n cells.
    strategy : array_like, shape (s, n)
        A; the rows of W must be combinations of its rows.
    scale : number
        Scale of the noise: b of Laplace, standard deviation of Gaussian.
    noise : {"laplace", "gaussian"}
        The noise.
    neighbours : {"add-remove", "replace"}
        "replace": one individual moves to another cell, and a_i - a_j takes the place of a_j.

    Raises
    ------
    ValueError, TypeError
        Matrices that are not of one width, a strategy of which the workload is no combination or that is zero, a scale
        that is not positive, an unknown noise or neighbouring.

    References
    ----------
    Li, Hay, Rastogi, Miklau and McGregor (2010); capacity-bounded privacy, Theorem 5 (whose bound is for add-remove).

    Examples
    --------
    >>> from krdtheory.privacy.mechanisms import MatrixMechanism
    >>> prefix, tree = [[1, 0], [1, 1]], [[1, 1], [1, 0], [0, 1]]
    >>> mechanism = MatrixMechanism.calibrated(workload=prefix, strategy=tree, epsilon=1)
    >>> float(mechanism.scale), mechanism.sample([100, 50], rng=0).round(3).tolist()
    (2.0, [101.059, 148.348])
    >>> round(float(mechanism.renyi(2)), 12)
    0.400607792347
    """

    workload: Any
    strategy: Any
    scale: Any
    noise: str = "laplace"
    neighbours: str = "add-remove"

    def __post_init__(self) -> None:
        check_number(self.scale, "scale")
        _check_matrices(self.workload, self.strategy, self.noise, self.neighbours)

    @classmethod
    def calibrated(
        cls,
        *,
        workload: Any,
        strategy: Any,
        epsilon: Any,
        delta: Any = 0,
        noise: str = "laplace",
        neighbours: str = "add-remove",
    ) -> Self:
        """(epsilon, delta)-private noise, by `Laplace.calibrated` or `Gaussian.calibrated` for this sensitivity.

        It is the least, but for Laplace noise with delta > 0, of which columns of several entries need less.

        Raises
        ------
        ValueError, TypeError
            As `MatrixMechanism`, `Laplace.calibrated` and `Gaussian.calibrated`.
        """
        unit = cls(workload=workload, strategy=strategy, scale=1, noise=noise, neighbours=neighbours)
        base = Laplace if noise == "laplace" else Gaussian
        scale = base.calibrated(epsilon=epsilon, delta=delta, sensitivity=unit.sensitivity).scale
        return cls(workload=workload, strategy=strategy, scale=scale, noise=noise, neighbours=neighbours)

    @property
    def sensitivity(self) -> float:
        """The largest L1 (Laplace) or L2 (Gaussian) norm of what one individual adds to A x."""
        return float(self._sensitivity(FLOAT64))

    def sample(self, value: Any, *, rng: Any) -> Any:
        """Answers (..., q) for histograms `value` (..., n); `rng` a Generator or a seed."""
        w, a, x = (
            FLOAT64.array(m, name)
            for m, name in ((self.workload, "workload"), (self.strategy, "strategy"), (value, "value"))
        )
        if x.ndim == 0 or x.shape[-1] != a.shape[1]:
            reject("value", x.shape, f"histograms of {a.shape[1]} cells, shape (..., {a.shape[1]}) (this is its shape)")
        released = self._base(FLOAT64).sample(x @ a.T, rng=rng)
        return released @ np.linalg.pinv(a).T @ w.T

    def _changes(self, ar: Arithmetic) -> Array:
        """What one individual may add to A x, up to sign, as rows."""
        columns = ar.array(self.strategy, "strategy").T
        if self.neighbours == "add-remove":
            return abs(columns)
        i, j = np.triu_indices(len(columns), 1)
        return abs(columns[i] - columns[j])

    def _sensitivity(self, ar: Arithmetic) -> Any:
        changes = self._changes(ar)
        if self.noise == "laplace":
            return changes.sum(-1).max()
        return np.sqrt((changes**2).sum(-1).max()) if ar is FLOAT64 else ar.sqrt((changes**2).sum(-1).max())

    def _base(self, ar: Arithmetic) -> Laplace | Gaussian:
        base = Laplace if self.noise == "laplace" else Gaussian
        return base(scale=self.scale, sensitivity=self._sensitivity(ar))

    def _largest_loss(self, ar: Arithmetic) -> Array:
        return self._base(ar)._largest_loss(ar)

    def _profile(self, ar: Arithmetic, e: Array) -> Array:
        kinds = self._kinds()
        if kinds is None:
            return self._base(ar)._profile(ar, e)
        value = np.empty(e.shape, dtype=object)
        for index in np.ndindex(e.shape):
            value[index] = max(self._one_profile(ar, kind, e[index]) for kind in kinds)
        return value

    def _one_profile(self, ar: Any, kind: tuple[float, ...], e: Any) -> Any:
        """delta(e), e >= 0, where one individual makes the changes of `kind`."""
        if e == ar.inf:
            return 0 * ar.context.one
        exact = MP(ar.digits + FLOAT_RANGE)
        t = (self._losses(exact, kind).sum() - exact.context.mpf(e)) / 2
        if t <= 0:
            return 0 * ar.context.one
        finer = _finer(ar, kind, t)
        return _product_profile(finer, self._losses(finer, kind), finer.context.mpf(t))

    def _one_epsilon(self, ar: Any, kind: tuple[float, ...], d: Any) -> Any:
        """The epsilon >= 0 with delta(epsilon) = d, by t = (the largest loss - epsilon) / 2."""
        if d == 0:
            return self._losses(ar, kind).sum()
        finer = _finer(ar, kind, -ar.context.log1p(-d), self._losses(ar, kind).sum())
        losses, d = self._losses(finer, kind), finer.context.mpf(d)
        low, most = -finer.context.log1p(-d), losses.sum() / 2  # delta <= 1 - e^-t
        if low >= most or _product_profile(finer, losses, most) <= d:
            return 0 * d
        high = low
        while high < most and _product_profile(finer, losses, high) < d:
            high = min(2 * high, most)

        def excess(log_t: Array) -> Array:
            delta = _product_profile(finer, losses, finer.context.exp(log_t[0]))
            return np.array([finer.context.log(delta / d) if 2 * d < 1 else -finer.context.log((1 - delta) / (1 - d))])

        ends = finer.log(np.array([[low], [high]], dtype=object))
        log_t = increasing_root(finer, excess, ends[0], ends[1], share=ar.digits / finer.digits)
        return losses.sum() - 2 * finer.context.exp(log_t[0])

    def _losses(self, ar: Arithmetic, kind: tuple[float, ...]) -> Array:
        return ar.array(kind, "strategy") / as_number(ar, self.scale)

    def _epsilon_at(self, ar: Arithmetic, d: Array) -> Array:
        return self._epsilon_near(ar, d, None)

    def _epsilon_near(self, ar: Arithmetic, d: Array, start: Array | None) -> Array:
        kinds = self._kinds()
        if kinds is None:
            base = self._base(ar)
            return base._epsilon_at(ar, d) if start is None else base._epsilon_near(ar, d, start)
        if not ar.exact_input:
            return 0 * d  # multiprecision needs no start
        return np.array([max(self._one_epsilon(ar, kind, one) for kind in kinds) for one in d], dtype=object)

    def _kinds(self) -> list[tuple[float, ...]] | None:
        """The changes that differ as multisets of sizes, None where one coordinate is enough or there is too much."""
        if self.noise == "gaussian":
            return None
        rows = np.unique(np.sort(self._changes(FLOAT64), -1), axis=0)
        kinds = [tuple(row[row > 0]) for row in rows if row.any()]
        terms = sum(np.prod(np.unique(kind, return_counts=True)[1] + 1.0) for kind in kinds)
        return None if terms > 4096 or max(map(len, kinds)) == 1 else kinds

    def _renyi(self, ar: Arithmetic, a: Array) -> Array:
        if self.noise == "gaussian":
            return self._base(ar)._renyi(ar, a)
        changes = self._changes(ar)
        sizes, kinds = np.unique(changes.ravel(), return_inverse=True)
        each = laplace_renyi(ar, a[..., None], sizes / as_number(ar, self.scale))
        return each[..., kinds.reshape(changes.shape)].sum(-1).max(-1)


# Formulas


def _finer(ar: Any, kind: tuple[float, ...], *sizes: Any) -> Any:
    """The number system with the digits that `_product_profile` loses at numbers of these sizes."""
    return MP(ar.digits + 2 * len(kind) + 5 + max(abs(int(ar.context.log10(size))) for size in sizes))


def _product_profile(ar: Any, losses: Array, t: Any) -> Any:
    """delta(e), e >= 0, of independent Laplace laws of scale 1 at distances l_i = `losses`, in multiprecision.

    With s_i = (l_i minus the loss) / 2, which lies in [0, l_i], t = (sum l_i - e) / 2 and s = sum s_i,
    delta = E (1 - e^{2 (s - t)})_+. The law of s is e^{-s} times the measure of Laplace transform
    prod ((1 + 1/z) + (1 - 1/z) e^{-l_i z}) / 2, piecewise polynomial: terms (s - shift)^{k-1} / (k - 1)!.
    """
    d = len(losses)
    terms = {(0 * t, 0): 1}  # (sum of the chosen l_i, how many) -> in how many ways
    for size in losses:
        for (shift, chosen), ways in list(terms.items()):
            terms[shift + size, chosen + 1] = terms.get((shift + size, chosen + 1), 0) + ways
    delta = 0 * t
    for (shift, chosen), ways in terms.items():
        x = t - shift
        if x <= 0:
            continue
        polynomial = [1]  # in 1/z
        for i in range(d):
            polynomial = np.convolve(np.array(polynomial, dtype=object), [1, -1 if i < chosen else 1]).tolist()
        rising, falling = ar.exp(x), ar.exp(-x)
        down, up, power = 1 - falling, rising - 1, x  # integrals of e^-u and e^u times u^{k-1} / (k-1)! over [0, x]
        outer = ar.exp(-shift)
        total = polynomial[0] * (1 - falling * falling)
        for k in range(1, d + 1):
            total = total + polynomial[k] * (down - falling * falling * up)
            down, up, power = down - falling * power, rising * power - up, power * x / (k + 1)
        delta = delta + ways * outer * total
    return delta / ar.context.mpf(2) ** d


def _mean_langevin(start: Any, step: Array) -> Array:
    """The mean of coth(x) - 1/x = d/dx log(sinh(x) / x) on the interval from `start` >= 0 to start + step >= 0."""
    start, step = np.broadcast_arrays(start, step)
    short = abs(step) <= 1
    one = np.maximum(start, 1)
    x = np.where(short, one + 2, start + step)
    far = _integral(_langevin, start, one - start) + (step - (one - start))  # in two parts, from start to one to x
    far = far + np.log1p(-np.exp(-2 * x)) - np.log1p(-np.exp(-2 * one)) - np.log(x / one)
    near = _integral(_langevin, start, np.where(short, step, 0))
    mean = np.where(step == 0, _langevin(start), near / np.where(step == 0, 1, step))
    return np.where(short, mean, far / np.where(short, 1, step))


def _integral(f: Callable[[Array], Array], start: Array, step: Array) -> Array:
    """Of f from start to start + step, |step| <= 1, by 24 Gauss-Legendre nodes."""
    return step * (WEIGHTS * f(start[..., None] + step[..., None] * NODES)).sum(-1)


def _langevin(x: Array) -> Array:
    """coth(x) - 1/x, x >= 0; by the continued fraction x / (3 + x^2 / (5 + ...)) where it would cancel."""
    small, large = np.minimum(x, 4), np.maximum(x, 4)
    tail = np.full_like(small, 41)
    for n in range(39, 1, -2):
        tail = n + small * small / tail
    return np.where(x < 4, small / tail, 1 / np.tanh(large) - 1 / large)


def _coth(ar: Arithmetic, x: Array) -> Array:
    return (1 + ar.exp(-2 * x)) / -ar.expm1(-2 * x)


def _log_sinhc(ar: Arithmetic, x: Array) -> Array:
    """log(sinh(x) / x)."""
    positive = np.where(x == 0, 1, abs(x))
    return np.where(x == 0, 0, positive + ar.log(-ar.expm1(-2 * positive) / (2 * positive)))


def _scores(ar: Arithmetic, value: Any) -> Array:
    u = ar.reals(value, "scores")
    if u.ndim == 0 or u.shape[-1] == 0:
        reject("scores", value, "scores of at least one candidate, shape (..., n)")
    return ar.lift(u)


def _check_matrices(workload: Any, strategy: Any, noise: str, neighbours: str) -> None:
    w, a = FLOAT64.array(workload, "workload"), FLOAT64.array(strategy, "strategy")
    for name, m in (("workload", w), ("strategy", a)):
        if m.ndim != 2 or not m.size:
            reject(name, m.shape, "a matrix, shape (m, n) (this is its shape)")
    if w.shape[1] != a.shape[1]:
        raise ValueError(f"workload and strategy must have as many columns; got {w.shape[1]} and {a.shape[1]}")
    if noise not in ("laplace", "gaussian"):
        reject("noise", noise, '"laplace" or "gaussian"')
    if neighbours not in ("add-remove", "replace"):
        reject("neighbours", neighbours, '"add-remove" or "replace"')
    if abs(w - w @ np.linalg.pinv(a) @ a).max() > 1e-9 * abs(w).max():
        reject("strategy", a, "a matrix of whose rows those of the workload are combinations")
    if not a.any() or (neighbours == "replace" and (a == a[:, :1]).all()):
        reject("strategy", a, "a matrix whose answers depend on the data")


def as_number(ar: Arithmetic, value: Any) -> Array:
    """A checked parameter in a number system: exact where that is, else as a float."""
    if ar.exact_input:
        return ar.parameter(value, "value", -np.inf, np.inf, "")
    number = _EXACT.parameter(value, "value", -np.inf, np.inf, "")[0]
    return np.asarray(np.longdouble(mpmath.nstr(number, 30)) if ar is _EXTENDED else float(number))


def integers(value: Any, name: str) -> Array:
    """An array of integers; floats that are integers are taken."""
    x = FLOAT64.array(value, name)
    if np.iscomplexobj(x) or (x != np.floor(x)).any():
        reject(name, value, "integers")
    exact = np.asarray(value)
    return (exact if exact.dtype.kind in "iu" else x).astype(np.int64)


def ceiling(x: Array) -> Array:
    """The next integer, in x's number system."""
    if x.dtype != object:
        return np.ceil(x)
    return np.frompyfunc(lambda v: v.context.ceil(v), 1, 1)(x)
