"""The names a claim may use, in one arithmetic: every divergence, conversion and composition, and a little algebra."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from scipy.stats import binom

from krdtheory import mp
from krdtheory.arithmetic import FLOAT64, MP, Arithmetic
from krdtheory.arithmetic.base import Array

LIBRARY = {
    name: getattr(mp, name).__wrapped__ for name in mp.__all__ if hasattr(getattr(mp, name), "__wrapped__")
}  # every formula that runs in any arithmetic
SUPPORT_TOL = 1e-30  # in multiprecision an instance is built to many more digits than this


class Restrictions:
    """Seen through a channel, a map, an event: on arrays of any numbers. `maximum` is the vocabulary's."""

    maximum: Callable[..., Any]

    def product(self, p: Array, q: Array) -> Array:
        """The product (batch, n m) of distributions (batch, n) and (batch, m)."""
        return (p[:, :, None] * q[:, None, :]).reshape(len(p), -1)

    def through(self, p: Array, kernel: Array) -> Array:
        """The image (batch, cells) of p (batch, points) under a Markov kernel (batch, points, cells)."""
        return (p[:, None, :] @ kernel)[:, 0]

    def over_events(self, f: Callable[..., Array], *weights: Array) -> Array:
        """The largest f(w_1(S), w_2(S), ...) over all sets S of letters, (batch,)."""
        n = weights[0].shape[-1]
        top: Array | None = None
        for event in product((0, 1), repeat=n):
            value = f(*((w * np.array(event)).sum(-1) for w in weights))
            top = value if top is None else self.maximum(top, value)
        return np.asarray(top)


class Vocabulary(Restrictions):
    """Divergences and linear algebra on arrays with a leading batch axis, in float64 or in mpmath.

    `k.renyi`, `k.sandwiched_renyi`, ... are `krdtheory`'s, with the arithmetic filled in. `RigorousVocabulary` is the
    same in balls.
    """

    maximum: Callable[..., Any] = staticmethod(np.maximum)
    minimum: Callable[..., Any] = staticmethod(np.minimum)
    power: Callable[..., Any] = staticmethod(operator.pow)

    def __init__(self, arithmetic: Arithmetic = FLOAT64) -> None:
        self.arithmetic = arithmetic
        self.log, self.exp, self.sqrt = arithmetic.log, arithmetic.exp, arithmetic.sqrt
        self.inf = arithmetic.inf

    def __getattr__(self, name: str) -> Any:
        if name not in LIBRARY:
            raise AttributeError(f"a claim's vocabulary has no {name!r}; it has {', '.join(LIBRARY)}")
        formula = partial(LIBRARY[name], arithmetic=self.arithmetic)
        spectral = "support_tol" in LIBRARY[name].__kwdefaults__
        return partial(formula, support_tol=SUPPORT_TOL) if spectral and self.exact else formula

    @property
    def pi(self) -> Any:
        """The number."""
        return self.arithmetic.context.pi * 1 if isinstance(self.arithmetic, MP) else np.pi

    @property
    def exact(self) -> bool:
        """Are numbers known to many digits?"""
        return self.arithmetic is not FLOAT64

    def eigvalsh(self, matrix: Array) -> Array:
        """Eigenvalues, ascending."""
        return self.arithmetic.eigvalsh(matrix)

    def sqrtm(self, matrix: Array) -> Array:
        """Positive semidefinite square root."""
        values, vectors = self._eigh(matrix)
        root = self.sqrt(np.where(values > 0, values, 0 * values))
        return (vectors * root[..., None, :]) @ np.conj(vectors.swapaxes(-1, -2))

    def _eigh(self, matrix: Array) -> tuple[Array, Array]:
        if isinstance(self.arithmetic, MP):
            pairs = [self.arithmetic.eigh(m) for m in matrix]
            return np.stack([w for w, _ in pairs]), np.stack([v for _, v in pairs])
        return np.linalg.eigh(matrix)

    def general_power(self, matrix: Array, exponent: Array) -> Array:
        """matrix^exponent for diagonalisable matrices (batch, n, n) with positive spectrum, exponent (batch,)."""
        if not isinstance(self.arithmetic, MP):
            values, vectors = np.linalg.eig(matrix)
            powers = values.astype(complex) ** exponent[:, None]
            return (vectors * powers[:, None, :]) @ np.linalg.inv(vectors)
        context = self.arithmetic.context
        logs = [context.logm(context.matrix(m.tolist())) for m in matrix]
        return np.array([context.expm(e * m).tolist() for m, e in zip(logs, exponent, strict=True)], dtype=object)

    def general_eigenvalues(self, matrix: Array) -> Array:
        """Eigenvalues (batch, n) of general matrices."""
        if not isinstance(self.arithmetic, MP):
            return np.linalg.eigvals(matrix)
        context = self.arithmetic.context
        rows = [context.eig(context.matrix(m.tolist()), left=False, right=False) for m in matrix]
        return np.array(rows, dtype=object)

    def rank(self, matrix: Array) -> Array:
        """Rank (batch,): numerical in float64, over Q of the numbers as they are otherwise."""
        if not self.exact:
            return np.linalg.matrix_rank(matrix, hermitian=True).astype(float)
        norm = [self.arithmetic.svd_values(m) for m in matrix]  # type: ignore[attr-defined]
        return np.array([int((s > SUPPORT_TOL * s[0]).sum()) for s in norm], dtype=object)

    def binomial_outside(self, n: Array, q: Array, low: Array, high: Array) -> Array:
        """P(X < low or X > high) of X ~ Bin(n, q), arrays (batch,)."""
        if not isinstance(self.arithmetic, MP):
            return binom.cdf(np.ceil(low) - 1, n, q) + binom.sf(np.floor(high), n, q)
        context = self.arithmetic.context
        ends = [(int(context.ceil(x)) - 1, int(context.floor(y)) + 1) for x, y in zip(low, high, strict=True)]
        return binomial_ends(n, q, ends)


def binomial_ends(n: Array, q: Array, ends: list[tuple[int, int]]) -> Array:
    """P(X <= end[0] or X >= end[1]) of X ~ Bin(n, q), term by term."""
    out = np.empty(len(n), dtype=object)
    for i, (count, p, (below, above)) in enumerate(zip(map(int, n), q, ends, strict=True)):
        total, odds = 0 * p, p / (1 - p)
        term = (1 - p) ** count
        for j in range(count + 1):
            if j <= below or j >= above:
                total = total + term
            term = term * odds * (count - j) / (j + 1)
        out[i] = total
    return out
