"""The functions a claim may use, in one arithmetic: divergences, conversions, compositions and some linear algebra."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from scipy.special import bdtr, bdtrc

from krdtheory.arithmetic import FLOAT64, Arithmetic
from krdtheory.arithmetic.base import Array
from krdtheory.table import FUNCTIONS
from verification.instances import Region

LIBRARY = {name: f.load() for name, f in FUNCTIONS.items() if {"float64", "mp"} <= {*f.systems}}
SUPPORT_TOL = 1e-45  # an instance is built to 60 digits or more, or to fewer where float64 has to agree

SLOPES = np.array([sign * m * 2.0**i for sign in (-1, 1) for i in range(-12, 1) for m in range(8, 16)])
WASTE = (289, 288)  # (a + b)^2 / (4 a b) of neighbours a, b = 9/8 a among these


def words(vocabulary: type) -> list[str]:
    """Return the names that a claim may use."""
    own = {name for name in (*dir(vocabulary), "log", "exp", "sqrt", "inf") if not name.startswith("_")}
    return sorted({*LIBRARY, *own} - {"assumed", "arithmetic", "digits"})


def partitions(n: int, k: int) -> Iterator[tuple[int, ...]]:
    """Yield the maps from n points to k cells, one for each partition, that is, up to renaming the cells."""
    for g in product(range(k), repeat=n):
        if all(x <= max((-1, *g[:i])) + 1 for i, x in enumerate(g)):
            yield g


def merged(p: Array, maps: list[tuple[int, ...]], k: int) -> Array:
    """Return the images (maps, batch, k) of weights (batch, n)."""
    cells = np.array([[[x == j for j in range(k)] for x in g] for g in maps], dtype=int)
    return np.asarray((p[None, :, :, None] * cells[:, None]).sum(-2))


class NoneAssumed(Exception):
    """No instance of the batch satisfies the hypotheses of a claim."""


class Restrictions:
    """The part of the vocabulary that uses only field operations and its `maximum`, log, exp, ..., for any numbers."""

    maximum: Callable[..., Any]
    log: Callable[..., Any]
    exp: Callable[..., Any]
    eigvalsh: Callable[..., Any]
    sandwiched_renyi: Callable[..., Any]
    inf: Any
    assumed: Array | None = None

    def assume(self, condition: Any) -> None:
        """Restrict the claim to the instances for which a hypothesis holds.

        The condition is an array of booleans (batch,) or (batch, ...), of which all must be true. The statement says
        nothing about the other instances: they are not counted, and its sides there do not matter.

        Raises
        ------
        TypeError
            The condition is not an array of booleans.
        """
        holds = np.asarray(condition)
        if not all(isinstance(x, bool | np.bool_) for x in holds.ravel()[:1].tolist()):
            raise TypeError(f"condition must be booleans; got {str(condition)[:60]}")
        every = np.asarray(holds.astype(bool).reshape(len(holds), -1).all(-1) if holds.ndim else holds.astype(bool))
        self.assumed = every if self.assumed is None else np.asarray(self.assumed & every)
        if not self.assumed.any():
            raise NoneAssumed

    def product(self, p: Array, q: Array) -> Array:
        """Return the product (batch, n m) of distributions (batch, n) and (batch, m)."""
        return (p[:, :, None] * q[:, None, :]).reshape(len(p), -1)

    def through(self, p: Array, kernel: Array) -> Array:
        """Return the image (batch, cells) of p (batch, points) under a Markov kernel (batch, points, cells)."""
        return (p[:, None, :] @ kernel)[:, 0]

    def smallest_mass(self, p: Array) -> Array:
        """Return the least p(x) > 0, (batch,)."""
        values = np.where(p > 0, p, 0 * p + 1)
        least = values[..., 0]
        for i in range(1, values.shape[-1]):
            least = -self.maximum(-least, -values[..., i])
        return np.asarray(least)

    def graph(self, g: Array, image: int) -> Array:
        """Return the Markov kernel (batch, points, image) of a map g (batch, points) to 0 .. image - 1, as indices."""
        return (g[:, :, None] == np.arange(image)).astype(int)

    def cells(self, score: Array, thresholds: Array) -> Array:
        """Return the kernel (batch, points, cells) to how many thresholds (batch, cells - 1) a score reaches."""
        reached = (score[:, :, None] >= thresholds[:, None, :]).sum(-1)
        return (reached[..., None] == np.arange(thresholds.shape[-1] + 1)).astype(int)

    def rejection(self, region: Region, p: Array, q: Array) -> Array:
        """Return P((a, b) in a region) for independent a ~ Bin(n, p), b ~ Bin(m, q), p and q (batch,)."""
        first, second = (_binomial(count, x) for count, x in ((region.n, p), (region.m, q)))
        weights = [[first[a] * second[b] for b in range(region.m + 1)] for a in range(region.n + 1)]
        return _inside(region, weights)

    def game_rejection(self, region: Region, right: Array, wrong: Array) -> Array:
        """Return P((a, b) in a region) for a right and b wrong guesses in n = m games, with probabilities (batch,)."""
        n, zero = region.n, 0 * right
        counts: dict[tuple[int, int], Any] = {(0, 0): zero + 1}
        for _ in range(n):
            after: dict[tuple[int, int], Any] = {}
            for (a, b), w in counts.items():
                for step, chance in (((1, 0), right), ((0, 1), wrong), ((0, 0), 1 - right - wrong)):
                    key = (a + step[0], b + step[1])
                    after[key] = after.get(key, zero) + w * chance
            counts = after
        return _inside(region, [[counts.get((a, b), zero) for b in range(n + 1)] for a in range(n + 1)])

    def over_events(self, f: Callable[..., Array], *weights: Array) -> Array:
        """Return the largest f(w_1(S), w_2(S), ...) over all sets S of letters, (batch,)."""
        n = weights[0].shape[-1]
        top: Array | None = None
        for event in product((0, 1), repeat=n):
            value = f(*((w * np.array(event)).sum(-1) for w in weights))
            top = value if top is None else self.maximum(top, value)
        return np.asarray(top)

    def cut(self, divergence: Callable[..., Array], pair: list[Array], cells: Any, *parameters: Array) -> Array:
        """Return the k-cut: the supremum of a divergence (p, q, *parameters) over the Markov kernels into k cells.

        For a quasi-convex divergence it is the maximum over maps, which is computed. `cells` is k: a number, an array
        (batch,), or None for as many cells as there are letters; unless k is a number, cells of weight 0 must not
        change the divergence.
        """
        batch, points = pair[0].shape
        columns = cells if isinstance(cells, int) else points
        maps = list(partitions(points, columns))
        x, y = (merged(w, maps, columns).reshape(-1, columns) for w in pair)
        values = divergence(x, y, *(np.tile(a, len(maps)) for a in parameters)).reshape(len(maps), batch)
        top = values[0]  # for the map to one cell
        for g, value in zip(maps, values, strict=True):
            fits = True if cells is None or isinstance(cells, int) else np.array(cells >= max(g) + 1, dtype=bool)
            top = self.maximum(top, np.where(fits, value, values[0]))
        return np.asarray(top)

    # Covariance operators of features, and other operators

    def covariance(self, phi: Array, p: Array) -> Array:
        """Return sum_x p(x) phi(x) phi(x)^T (batch, dim, dim) for features (batch, points, dim)."""
        return np.asarray((phi.swapaxes(-1, -2) * p[..., None, :]) @ phi)

    def tensor(self, x: Array, y: Array) -> Array:
        """Return phi(x) (x) psi(x) for every point x."""
        out = x[..., :, None] * y[..., None, :]
        return out.reshape(*out.shape[:-2], -1)

    def pulled(self, psi: Array, g: Array) -> Array:
        """Return psi(g(x)) for a map g (batch, points), as indices."""
        return np.take_along_axis(psi, g[..., None], -2)

    def kron(self, x: Array, y: Array) -> Array:
        """Return the Kronecker product of matrices."""
        out = x[..., :, None, :, None] * y[..., None, :, None, :]
        return out.reshape(*out.shape[:-4], out.shape[-4] * out.shape[-3], out.shape[-2] * out.shape[-1])

    def direct_sum(self, x: Array, y: Array) -> Array:
        """Return block diagonal matrices."""
        n, m = x.shape[-1], y.shape[-1]
        out = np.zeros((*x.shape[:-2], n + m, n + m), dtype=np.result_type(x, y))
        out[..., :n, :n], out[..., n:, n:] = x, y
        return out

    def complement(self, x: Array) -> Array:
        """Return Id - X."""
        return np.asarray(np.eye(x.shape[-1], dtype=int) - x)

    def conjugated(self, x: Array, unitary: Array) -> Array:
        """Return U X U^*."""
        return np.asarray(unitary @ x @ np.conj(unitary.swapaxes(-1, -2)))

    def compressed(self, x: Array, isometry: Array) -> Array:
        """Return P X P on the range of P = V V^*, which is V^* X V."""
        return np.asarray(np.conj(isometry.swapaxes(-1, -2)) @ x @ isometry)

    def trace(self, matrix: Array) -> Array:
        """Return the real part of the trace."""
        return trace(matrix)

    def pairing(self, x: Array, y: Array) -> Array:
        """Return tr X Y for Hermitian matrices."""
        return trace(x @ y)

    def sandwiched_moment(self, a: Array, b: Array, alpha: Array, regularization: Any = 0) -> Array:
        """Return tr (C^s A C^s)^alpha, C = B + lambda, s = (1 - alpha) / (2 alpha); A may be zero."""
        mass = trace(a)
        zero = mass <= 0
        some = np.where(zero[:, None, None], np.eye(a.shape[-1], dtype=int) + 0 * a, a)
        value = self.exp((alpha - 1) * self.sandwiched_renyi(some, b, alpha, regularization))
        return np.where(zero, 0 * mass, value * np.where(zero, 0 * mass + 1, mass))

    def dimension(self, phi: Array) -> int:
        """Return the dimension of the space in which features lie."""
        return int(phi.shape[-1])

    def largest_eigenvalue(self, x: Array) -> Array:
        """Return the largest eigenvalues of Hermitian matrices."""
        return np.asarray(self.eigvalsh(x)[..., -1])

    def log_mixture(self, part: Array, x: Array, y: Array) -> Array:
        """Return log(part e^x + (1 - part) e^y), 0 < part < 1."""
        peak = self.maximum(x, y)
        safe = np.where(abs(peak) == self.inf, 0 * part, peak)
        mixed = safe + self.log(part * self.exp(x - safe) + (1 - part) * self.exp(y - safe))
        return np.asarray(np.where(abs(peak) == self.inf, peak, mixed))

    def subgaussian_bounds(self, p: Array, q: Array) -> Array:
        """Return lower and upper bounds (batch, 2) of the least tau^2 for which the privacy loss is subgaussian.

        That is sup 2 K(s) / s^2 over s, where K is the centred cumulant generating function; p and q must have the same
        support. K is convex, so between neighbouring slopes a and b it is below its chord, which costs a factor
        (a + b)^2 / (4 a b). Below 1/512 the variance grows at most by e^(range / 512), and above 15 K(s) <= s range.
        """
        on = p > 0
        ratio = np.where(on, p, 1) / np.where(on, q, 1)
        loss = self.log(ratio)
        centred = loss - (p * loss).sum(-1)[:, None]
        width = self.log(ratio.max(-1)) + self.log((1 / ratio).max(-1))
        sums = (p[:, None, :] * self.exp(SLOPES[:, None] * centred[:, None, :])).sum(-1)
        curve = 2 * self.log(sums) / (SLOPES * SLOPES)
        lower = curve[:, 0]
        for i in range(1, len(SLOPES)):
            lower = self.maximum(lower, curve[:, i])
        variance = (p * centred * centred).sum(-1)
        ends = self.maximum(variance * self.exp(width / 512), 2 * width / 15)
        return np.stack([lower, self.maximum(lower * WASTE[0] / WASTE[1], ends)], -1)


class Vocabulary(Restrictions):
    """Divergences and linear algebra on arrays with a leading batch axis, in float64 or in mpmath.

    `k.renyi`, `k.sandwiched_renyi`, ... are those of `krdtheory`, with the arithmetic filled in. `RigorousVocabulary`
    is the same in balls.
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
            raise AttributeError(f"a claim's vocabulary has no {name!r}; it has {', '.join(words(Vocabulary))}")
        formula = partial(LIBRARY[name], arithmetic=self.arithmetic)
        return partial(formula, support_tol=SUPPORT_TOL) if FUNCTIONS[name].ranks and self.exact else formula

    def __dir__(self) -> list[str]:
        return words(Vocabulary)

    @property
    def pi(self) -> Any:
        """The number pi."""
        return self.arithmetic.pi

    @property
    def exact(self) -> bool:
        """Whether numbers have more digits than float64."""
        return self.arithmetic is not FLOAT64

    def eigvalsh(self, matrix: Array) -> Array:
        """Return the eigenvalues, ascending."""
        return self.arithmetic.eigvalsh(matrix)

    def sqrtm(self, matrix: Array) -> Array:
        """Return the positive semidefinite square root."""
        values, vectors = self._eigh(matrix)
        root = self.sqrt(np.where(values > 0, values, 0 * values))
        return (vectors * root[..., None, :]) @ np.conj(vectors.swapaxes(-1, -2))

    def _eigh(self, matrix: Array) -> tuple[Array, Array]:
        if self.exact:
            pairs = [self.arithmetic.eigh(m) for m in matrix]
            return np.stack([w for w, _ in pairs]), np.stack([v for _, v in pairs])
        finite = np.asarray(np.isfinite(matrix).all((-1, -2)))
        values, vectors = np.linalg.eigh(np.where(finite[:, None, None], matrix, 0))
        return np.where(finite[:, None], values, np.nan), vectors

    def dual_functional(self, h: Array, b: Array, alpha: Array) -> Array:
        """Return f(B) = tr (H^(1/2) B^r H^(1/2))^(1/r), r = (alpha - 1) / alpha, alpha > 1, for H, B >= 0."""
        r = (alpha - 1) / alpha
        root, (values, vectors) = self._spectral_root(h), self._spectrum(b)
        inner = root @ vectors
        squared = (inner * self._powers(values, r)[:, None, :]) @ np.conj(inner.swapaxes(-1, -2))
        return np.asarray(self._powers(self._spectrum(squared)[0], 1 / r).sum(-1))

    def dual_gradient(self, h: Array, base: Array, shift: Array, alpha: Array) -> Array:
        """Return the gradient of `dual_functional` at B = base + shift > 0, by divided differences of B^r."""
        r = ((alpha - 1) / alpha)[:, None, None]
        values, vectors = self._eigh(base + shift[:, None, None] * np.eye(base.shape[-1], dtype=int))
        inner = self._spectral_root(h) @ vectors
        squared = (inner * self.power(values, r[:, 0])[:, None, :]) @ np.conj(inner.swapaxes(-1, -2))
        found, basis = self._spectrum(squared)
        turned = np.conj(inner.swapaxes(-1, -2)) @ basis
        outer = (turned * self._powers(found, 1 / (alpha - 1))[:, None, :]) @ np.conj(turned.swapaxes(-1, -2))
        x, y = values[:, :, None], values[:, None, :]
        close = abs(x - y) <= (1e-25 if self.exact else 1e-6) * (x + y)  # the error is the square of this
        gap = np.where(close, 0 * x + 1, x - y)
        steep = (self.power(x, r) - self.power(y, r)) / gap
        slopes = np.where(close, r * self.power((x + y) / 2, r - 1), steep)
        return np.asarray(vectors @ (slopes * outer / r) @ np.conj(vectors.swapaxes(-1, -2)))

    def _spectrum(self, matrix: Array) -> tuple[Array, Array]:
        """Return eigenvalues, with those within rounding of zero set to zero, and eigenvectors of a positive matrix."""
        values, vectors = self._eigh(matrix)
        noise = (SUPPORT_TOL if self.exact else 1e-13) * values[:, -1:]
        return np.where(values > noise, values, 0 * values), vectors

    def _spectral_root(self, matrix: Array) -> Array:
        values, vectors = self._spectrum(matrix)
        return np.asarray((vectors * self.sqrt(values)[:, None, :]) @ np.conj(vectors.swapaxes(-1, -2)))

    def _powers(self, values: Array, exponent: Array) -> Array:
        """Return values^exponent, and 0 for a value that is 0."""
        on = values > 0
        return np.where(on, self.power(np.where(on, values, 0 * values + 1), exponent[:, None]), 0 * values)

    def general_power(self, matrix: Array, exponent: Array) -> Array:
        """Return matrix^exponent for diagonalisable matrices (batch, n, n) of positive spectrum, exponent (batch,)."""
        if not self.exact:
            values, vectors = np.linalg.eig(matrix)
            powers = values.astype(complex) ** exponent[:, None]
            return (vectors * powers[:, None, :]) @ np.linalg.inv(vectors)
        return np.stack([self.arithmetic.wide.general_power(m, e) for m, e in zip(matrix, exponent, strict=True)])

    def general_eigenvalues(self, matrix: Array) -> Array:
        """Return the eigenvalues (batch, n) of general matrices."""
        if not self.exact:
            return np.linalg.eigvals(matrix)
        context = self.arithmetic.wide.context
        rows = [context.eig(context.matrix(m.tolist()), left=False, right=False) for m in matrix]
        return np.array(rows, dtype=object)

    def rank(self, matrix: Array) -> Array:
        """Return the rank (batch,): numerical in float64, and otherwise that of the numbers to full precision."""
        if not self.exact:
            return np.linalg.matrix_rank(matrix, hermitian=True).astype(float)
        norm = [self.arithmetic.wide.svd_values(m) for m in matrix]
        return np.array([int((s > SUPPORT_TOL * s[0]).sum()) for s in norm], dtype=object)

    def binomial_outside(self, n: Array, q: Array, low: Array, high: Array) -> Array:
        """Return P(X < low or X > high) for X ~ Bin(n, q), arrays (batch,)."""
        if not self.exact:
            below, above = np.ceil(low) - 1, np.floor(high)
            n = np.asarray(n).astype(np.int64)  # SciPy requires it
            left = np.where(below < 0, 0, bdtr(np.clip(below, 0, n), n, q))
            right = np.where(above < 0, 1, np.where(above < n, bdtrc(np.clip(above, 0, n), n, q), 0))
            return np.asarray(left + right)
        context = self.arithmetic.wide.context
        ends = [(int(context.ceil(x)) - 1, int(context.floor(y)) + 1) for x, y in zip(low, high, strict=True)]
        return binomial_ends(n, q, ends)


def _binomial(n: int, p: Array) -> list[Array]:
    """Return the probabilities of 0, ..., n successes."""
    weights = [0 * p + 1]
    for _ in range(n):
        weights = [
            (weights[i] * (1 - p) if i < len(weights) else 0 * p) + (weights[i - 1] * p if i else 0 * p)
            for i in range(len(weights) + 1)
        ]
    return weights


def _inside(region: Region, weights: list[list[Array]]) -> Array:
    """Return the total weight (batch,) of the pairs of counts in a region."""
    total = 0 * weights[0][0]
    for a, row in enumerate(weights):
        for b, w in enumerate(row):
            total = total + np.where(a >= region.staircase[:, b], w, 0 * w)
    return np.asarray(total)


def trace(matrix: Array) -> Array:
    """Return the real part of the trace."""
    value = np.trace(matrix, axis1=-2, axis2=-1)
    return np.frompyfunc(lambda z: z.real, 1, 1)(value) if value.dtype == object else value.real


def binomial_ends(n: Array, q: Array, ends: list[tuple[int, int]]) -> Array:
    """Return P(X <= end[0] or X >= end[1]) for X ~ Bin(n, q), summed term by term."""
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
