"""Laplace noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from krdtheory.arithmetic import FLOAT64, Arithmetic
from krdtheory.arithmetic.base import Array, generator, reject
from krdtheory.arithmetic.checks import check_delta, check_number
from krdtheory.divergences._noise import laplace_renyi
from krdtheory.privacy.mechanisms.mechanism import BoundedMechanism
from krdtheory.privacy.mechanisms.parameters import EXACT, as_number, rounded_up_float


@dataclass(frozen=True, kw_only=True)
class Laplace(BoundedMechanism):
    r"""Laplace noise of density ``e^{-|x| / scale} / (2 scale)`` added to every coordinate.

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
        e, d, s = (as_number(EXACT, x) for x in (epsilon, delta, sensitivity))
        return cls(scale=rounded_up_float(s / (e - 2 * EXACT.log1p(-d))), sensitivity=sensitivity)

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
