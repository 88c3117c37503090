"""Capacity-bounded differential privacy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from krdtheory import divergences
from krdtheory.arithmetic import FLOAT64, Arithmetic
from krdtheory.arithmetic.base import Array, Floats, reject
from krdtheory.arithmetic.checks import check_number
from krdtheory.divergences.restricted import Polynomials, restricted_renyi
from krdtheory.privacy.mechanisms import Gaussian
from krdtheory.privacy.notions.finite import checked_laws, of_each_pair
from krdtheory.privacy.notions.notion import Notion, Pair


@dataclass(frozen=True, kw_only=True)
class CapacityBoundedDP(Notion):
    r"""The Renyi divergence restricted to polynomials of a degree is at most epsilon (capacity-bounded privacy).

    .. math:: D^H_\alpha(p\|q) = \sup_{h \in H,\, E_p h > 0} A \log E_p h - \log E_q |h|^A, \quad A = \alpha/(\alpha-1)

    Parameters
    ----------
    alpha : number
        Order, finite, > 1.
    epsilon : number
        Positive.
    degree : int
        Of the polynomials of a real output, 1 to 20; 1 is the paper's "lin". Powers of higher degree are linearly
        dependent up to the rounding errors of float64: on 60 points a value has ten correct digits at degree 20, and
        six at degree 30. Outputs are 0, 1, ... unless `points` says otherwise.

    References
    ----------
    Chaudhuri, Imola and Machanavajjhala (2019), Definition 3 and equation 3.

    Examples
    --------
    >>> from krdtheory.privacy.notions import CapacityBoundedDP, PureDP
    >>> notion = CapacityBoundedDP(alpha=2, epsilon=1)
    >>> round(float(notion.divergence([0.5, 0, 0.5], [0.25, 0.5, 0.25])), 9)  # equal means
    0.0
    >>> notion.implies(PureDP(epsilon=1)).holds, bool(PureDP(epsilon=1).implies(notion))
    (False, True)
    """

    alpha: Any
    epsilon: Any
    degree: int = 1
    bound_name: ClassVar[str] = "epsilon"
    monotone: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if check_number(self.alpha, "alpha") <= 1:
            reject("alpha", self.alpha, "> 1")
        check_number(self.epsilon, "epsilon")
        Polynomials(self.degree)

    def divergence(self, p: ArrayLike, q: ArrayLike, *, points: Any = None, arithmetic: Arithmetic = FLOAT64) -> Floats:
        """`krdtheory.restricted_renyi` of distributions p, q of the same real `points` (n,), and its PrecisionError."""
        n = np.shape(arithmetic.array(p, "p"))[-1:]
        x = arithmetic.reals(np.arange(n[0]) if points is None else points, "points")
        if x.shape != n:
            reject("points", points, f"real numbers, one for each of the {n[0]} weights")
        if n[0] <= self.degree + 1 and len(set(x.tolist())) == n[0]:  # then every function is a polynomial
            return divergences.renyi(*checked_laws(p, q, arithmetic), self.alpha, arithmetic=arithmetic)
        polynomials = Polynomials(self.degree)

        def value(u: Array, v: Array) -> Any:
            renyi = restricted_renyi(u, v, self.alpha, polynomials, points=x, arithmetic=arithmetic)
            return renyi if renyi > 0 else 0 * abs(renyi)  # at least 0, the value at h = 1

        return of_each_pair(value, p, q, arithmetic)

    def _of(self, laws: Pair | Gaussian) -> float | None:
        tiny = not isinstance(laws, Gaussian) and len(laws[0]) > self.degree + 1 and _least_weight(laws) < 1e-30
        return None if tiny else super()._of(laws)  # such tiny weights are beyond the accuracy of float64

    def _examples(self) -> Iterator[tuple[str, Pair]]:
        signed = np.array([1.0])
        for _ in range(int(self.degree) + 1):
            signed = np.convolve(signed, [1, -1])
        weights = signed / 2.0 ** int(self.degree)  # a difference of order degree + 1 annihilates these polynomials
        yield "distributions of different support and equal moments", (np.maximum(weights, 0), np.maximum(-weights, 0))

    def _guaranteed(self, notion: Notion) -> tuple[float, bool, str]:
        if isinstance(notion, CapacityBoundedDP):
            a, b = float(notion.alpha), float(self.alpha)
            if b > a or self.degree > notion.degree:
                return np.inf, False, ""
            return (1 - 1 / a) / (1 - 1 / b) * float(notion.epsilon), a == b, "(1 - 1 / alpha) D increases with alpha"
        return notion._curve(float(self.alpha))[0], False, "a restricted divergence is at most the Renyi divergence"


def _least_weight(laws: Pair) -> float:
    weights = np.concatenate(laws)
    return float(weights[weights > 0].min())
