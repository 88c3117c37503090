"""Kernel Renyi differential privacy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from krdtheory.arithmetic import FLOAT64, Arithmetic
from krdtheory.arithmetic.base import Floats
from krdtheory.arithmetic.checks import check_number
from krdtheory.kernels import kernel_renyi
from krdtheory.kernels.kernels import make_kernel
from krdtheory.privacy.notions.finite import checked_laws
from krdtheory.privacy.notions.notion import Notion, Pair


@dataclass(frozen=True, kw_only=True)
class KernelRenyiDP(Notion):
    """The regularised kernel Renyi divergence of order alpha is at most epsilon.

    Parameters
    ----------
    alpha : number
        Order, positive and finite.
    regularization : number
        lambda, finite, >= 0.
    epsilon : number
        Positive.
    kernel, bandwidth
        As `krdtheory.kernels.kernel_renyi`; outputs are the points 0, 1, ... unless `points` says otherwise. "identity"
        compares outputs for equality only, so an audit of real-valued outputs, which hardly ever repeat, needs another
        one such as "rbf".

    References
    ----------
    Domingo-Enrich and Mroueh (2022), Definition 4, Propositions 2, 4 and 9.

    Examples
    --------
    >>> from krdtheory.privacy.notions import ApproximateDP, KernelRenyiDP, PureDP
    >>> notion = KernelRenyiDP(alpha=2, regularization=0.01, epsilon=1, kernel="rbf", bandwidth=1.0)
    >>> round(float(notion.divergence([0.5, 0.5], [0.25, 0.75])), 6)
    0.235188
    >>> bool(ApproximateDP(epsilon=1, delta=0.027).implies(notion)), notion.implies(PureDP(epsilon=9)).holds
    (True, False)
    """

    alpha: Any
    regularization: Any
    epsilon: Any
    kernel: Any = "identity"
    bandwidth: Any = None
    bound_name: ClassVar[str] = "epsilon"
    monotone: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_number(self.alpha, "alpha")
        check_number(self.regularization, "regularization", allowed="a finite number >= 0")
        check_number(self.epsilon, "epsilon")
        make_kernel(self.kernel, self.bandwidth, None, [[0.0]], [[1.0]])  # checks both

    def divergence(self, p: ArrayLike, q: ArrayLike, *, points: Any = None, arithmetic: Arithmetic = FLOAT64) -> Floats:
        """`krdtheory.kernels.kernel_renyi` of distributions p, q (n,) of the same `points`."""
        x, y = checked_laws(p, q, arithmetic)
        points = [[i] for i in range(np.shape(x)[-1])] if points is None else points
        return kernel_renyi(
            points,
            x,
            points,
            y,
            alpha=self.alpha,
            regularization=self.regularization,
            kernel=self.kernel,
            bandwidth=self.bandwidth,
            arithmetic=arithmetic,
        )

    def _never(self, other: Notion) -> str:
        if not other.monotone or self.kernel != "identity" or self.regularization == 0:
            return ""
        return (
            "uniform distributions on n and on n other points: D = -log(n lambda) for all alpha, and total variation 1"
        )

    def _examples(self) -> Iterator[tuple[str, Pair]]:
        s = min(float(self.regularization), 1.0) / 2
        while s > 1e-300:
            pair = np.array([1.0, 0.0]), np.array([1 - s, s])
            if self.satisfied_by(*pair):
                yield "distributions of different support, told apart by less than lambda", pair
                break
            s /= 16
        n = max(1, np.ceil(np.exp(-float(self.epsilon)) / max(float(self.regularization), 1e-300)))
        if self.kernel == "identity" and n <= 64:
            half = np.repeat([1 / n, 0], int(n))
            yield f"uniform distributions on {int(n)} and on {int(n)} other points", (half, half[::-1])

    def _guaranteed(self, notion: Notion) -> tuple[float, bool, str]:
        lam, e = float(self.regularization), float(self.epsilon)
        if isinstance(notion, KernelRenyiDP):
            same = notion.kernel == self.kernel and notion.bandwidth == self.bandwidth
            smaller = float(notion.alpha) >= float(self.alpha) and float(notion.regularization) <= lam
            value = float(notion.epsilon) if same and smaller else np.inf
            return value, False, "Domingo-Enrich and Mroueh (2022), Proposition 4"
        value, _, _ = notion._curve(float(self.alpha))
        if value > e and notion._delta(e)[0] <= lam * float(np.exp(min(e, 709))):
            return e, False, "Domingo-Enrich and Mroueh (2022), Proposition 9"
        return value, False, "the kernel Renyi divergence is at most the Renyi divergence (ibid., Proposition 2)"
