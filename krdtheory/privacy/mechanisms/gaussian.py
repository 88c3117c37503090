"""Normal noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from flint import arb

from krdtheory.arithmetic import FLOAT64, Arithmetic
from krdtheory.arithmetic.base import Array, generator, reject
from krdtheory.arithmetic.checks import check_delta, check_number
from krdtheory.arithmetic.exact import rational_parts
from krdtheory.privacy.gaussian import (
    gaussian_delta_ball,
    gaussian_epsilon_near,
    gaussian_epsilon_rounded,
    gaussian_parameter,
    gaussian_profile,
)
from krdtheory.privacy.guarantees import by_balls
from krdtheory.privacy.mechanisms.mechanism import Mechanism
from krdtheory.privacy.mechanisms.parameters import as_number, rounded_up_float


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
        r"""Noise for (epsilon, delta)-privacy. In float64 the scale is rounded up by at most 2 units in the last place.

        Parameters
        ----------
        epsilon, delta, sensitivity : number
            The required privacy, and the L2 sensitivity.
        method : {"analytic", "classical"}
            "analytic" (Balle and Wang 2018): the least noise. "classical" (Dwork and Roth 2014): sigma = sensitivity
            sqrt(2 log(1.25 / delta)) / epsilon, more than is needed, and valid for epsilon < 1 only.
        arithmetic : Arithmetic
            The number system in which the scale is computed.

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
        ar = arithmetic.wide
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
        return cls(scale=ar.result(scale) if ar is arithmetic else rounded_up_float(scale), sensitivity=sensitivity)

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
