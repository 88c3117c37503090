"""The regularised kernel Renyi divergence D_{alpha,lambda}(S_p || S_q), exact for finite distributions or from samples.

There are three methods. Each starts from the weighted Gram blocks Kxx, Kxy, Kyy, with entries sqrt(w_i w_j) k(x_i,
x_j), and uses one factorisation for the whole grid of orders and regularisations:

- *low rank*: a pivoted Cholesky factor from as few columns as leave a residual at rounding level, then matrices of that
  rank. It is used in float64 if lambda and alpha are not small and the rank is.

- *embedding*: Cholesky's factor of the joint Gram matrix, with pivots if that is nearly singular, singular values of
  the y block, then the quantum formula in that eigenbasis. It is valid for every alpha and lambda, as accurate as the
  rounded Gram matrix allows.
- *n x n*: the eigenvalues of lambda^s Kxx + Kxy h(Kyy) Kyx, h(t) = ((t + lambda)^s - lambda^s) / t,
  s = (1 - alpha) / alpha. It is faster, but it cancels, so it is not used for small lambda, nor for alpha near or below
  1.

The trace of a power is computed from matrix products for small integer orders, and from few eigenvalues for orders so
large that others do not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, singledispatch
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh, solve_triangular
from scipy.linalg.blas import dtrsm
from scipy.linalg.lapack import dgeqrf, dormqr, dpotrf, dpstrf

from krdtheory.arithmetic import FLOAT64, Arithmetic, Embedding, Float64, PrecisionError
from krdtheory.arithmetic.base import Array, Floats, by_name, check_support_tol, generator, reject
from krdtheory.arithmetic.float64 import EPS
from krdtheory.divergences.quantum import sandwiched_from_embedding
from krdtheory.kernels.covariance import Covariance, joint_support, weighted_points
from krdtheory.kernels.kernels import ALWAYS_POSITIVE, AnyKernel, Kernel, make_kernel, points_array
from krdtheory.kernels.low_rank import PIECE, RESIDUAL, low_rank_factor

SMALLEST_FAST_LAMBDA = 1e-4
SMALLEST_LOW_RANK = 256  # points; the Gram matrix of fewer costs next to nothing
LOW_RANK = 4  # a rank of at most n / LOW_RANK counts as low
BLOCK = 128
PIECE_OF_ROWS = 512
ROUNDS_TO_20_BITS = 1.5 * 2.0**32  # added to a number below 2^31 and subtracted again, it leaves multiples of 2^-20
WELL_CONDITIONED = 1e-6  # the least eigenvalue of such a matrix, over the largest
SMALLEST_PIVOT = 1e-8  # of Cholesky's method without a search for pivots; the diagonal is one
WIDTH = 32  # of the blocks that span a Krylov space
KRYLOV = 6  # a space of at most n / KRYLOV dimensions is cheaper than the n x n matrix's eigenvalues
ERROR_FACTOR = 4  # times the largest of three changes, which may all be small by chance


@by_name
def kernel_renyi(
    p_points: Any,
    p_weights: ArrayLike | None,
    q_points: Any,
    q_weights: ArrayLike | None,
    *,
    alpha: ArrayLike,
    regularization: ArrayLike,
    kernel: Any = "rbf",
    bandwidth: Any = None,
    kernel_params: Mapping[str, Any] | None = None,
    support_tol: float | None = None,
    arithmetic: Arithmetic = FLOAT64,
) -> Floats:
    r"""Kernel Renyi divergence of two finite weighted point sets, for all orders and regularisations at once.

    .. math:: D_{\alpha,\lambda}(\Sigma_p\|\Sigma_q) = \frac{1}{\alpha-1}\log \mathrm{tr}\,[
       ((\Sigma_q+\lambda)^{\frac{1-\alpha}{2\alpha}} \Sigma_p (\Sigma_q+\lambda)^{\frac{1-\alpha}{2\alpha}})^\alpha]
       - \frac{\log \mathrm{tr}\,\Sigma_p}{\alpha-1}

    Parameters
    ----------
    p_points, q_points : array_like, shapes (n, d) and (m, d), or sequences of objects
        Points; they may repeat and be common to both.
    p_weights, q_weights : array_like, shapes (n,) and (m,), or None
        Nonnegative weights; uniform where None.
    alpha, regularization : array_like
        Orders in [0, inf] and lambdas in [0, inf), a number or 1-dimensional each.
    kernel : str, callable, Kernel or ProductKernel
        As `Kernel`, normalised to k(x, x) = 1.
    bandwidth : float or {"median", "pooled"}, optional
        Bandwidth of "rbf" and "laplacian"; by default the median of the distances between p's and q's points.
    kernel_params : mapping, optional
        Parameters of other named kernels.
    support_tol : float, optional
        Tolerance by which supports are decided at lambda = 0; see below.
    arithmetic : Arithmetic
        The number system; ``krdtheory.mp.kernel_renyi`` chooses mpmath.

    Returns
    -------
    float or array, shape alpha.shape + regularization.shape
        In nats; negative values are possible for lambda > 0.

    Raises
    ------
    ValueError, TypeError
        Arguments out of range or of the wrong kind.
    ValueError
        lambda = 0, alpha >= 1, and neither of: every point of p is a point of q (finite); some is not and the kernel is
        strictly positive definite (+inf). Otherwise float64 cannot decide; with `support_tol`, eigenvalues above
        `support_tol` times the largest count as nonzero.

    Notes
    -----
    In float64, points whose kernel value is within rounding errors of 0 (some 1e-15) count as orthogonal. For alpha < 1
    and lambda near 0 the result may then be +inf although the value is finite and large; `krdtheory.mp.kernel_renyi`
    returns it correctly.

    References
    ----------
    Domingo-Enrich and Mroueh (2022), Section 2.

    Examples
    --------
    >>> from krdtheory.kernels import kernel_renyi
    >>> p, q = [[0.0], [1.0]], [[0.0], [2.0]]
    >>> d = kernel_renyi(p, [0.5, 0.5], q, None, alpha=[2, 6], regularization=0.1, bandwidth=1.0)
    >>> d.round(6).tolist()
    [0.832763, 1.21006]
    >>> d = kernel_renyi(["a"], None, ["a", "b"], [1, 3], alpha=2, regularization=0.25, kernel="identity")
    >>> round(float(d), 12)
    -0.223143551314
    """
    names = "p_points", "q_points"
    k = make_kernel(kernel, bandwidth, kernel_params, p_points, q_points, names=names, arithmetic=arithmetic)
    p = weighted_points(p_points, p_weights, k, "p_", arithmetic)
    q = weighted_points(q_points, q_weights, k, "q_", arithmetic)
    return _Problem.of(p, q, support_tol, arithmetic).grid(alpha, regularization)


@overload
def kernel_renyi_estimate(
    x: Any,
    y: Any,
    *,
    alpha: ArrayLike,
    regularization: ArrayLike,
    kernel: Any = ...,
    bandwidth: Any = ...,
    kernel_params: Mapping[str, Any] | None = ...,
    support_tol: float | None = ...,
    return_error: Literal[False] = ...,
    rng: Any = ...,
) -> Floats: ...


@overload
def kernel_renyi_estimate(
    x: Any,
    y: Any,
    *,
    alpha: ArrayLike,
    regularization: ArrayLike,
    kernel: Any = ...,
    bandwidth: Any = ...,
    kernel_params: Mapping[str, Any] | None = ...,
    support_tol: float | None = ...,
    return_error: Literal[True],
    rng: Any = ...,
) -> tuple[Floats, Floats]: ...


@overload
def kernel_renyi_estimate(
    x: Any,
    y: Any,
    *,
    alpha: ArrayLike,
    regularization: ArrayLike,
    kernel: Any = ...,
    bandwidth: Any = ...,
    kernel_params: Mapping[str, Any] | None = ...,
    support_tol: float | None = ...,
    return_error: bool,
    rng: Any = ...,
) -> Any: ...


@by_name
def kernel_renyi_estimate(
    x: Any,
    y: Any,
    *,
    alpha: ArrayLike,
    regularization: ArrayLike,
    kernel: Any = "rbf",
    bandwidth: Any = None,
    kernel_params: Mapping[str, Any] | None = None,
    support_tol: float | None = None,
    return_error: bool = False,
    rng: Any = 0,
) -> Floats | tuple[Floats, Floats]:
    r"""Plug-in estimate D_{alpha,lambda}(S^_p || S^_q) from samples x of p and y of q.

    The covariance operators are those of the samples. All orders and regularisations come from one factorisation;
    memory is O((n + m)^2). If all alpha >= 1.05, all lambda >= 1e-4 and the rank r of a named kernel's Gram matrix is,
    up to rounding errors, far below n + m, as for a smooth kernel in few dimensions, memory is O((n + m) r) and time
    O((n + m) r^2); a median bandwidth takes O(n m) of both.

    The estimate is biased upward, strongly at small lambda and large alpha: there it is positive even between two
    samples of the *same* distribution. By itself it is not a test.

    Parameters
    ----------
    x, y : array_like, shapes (n, d) and (m, d), or sequences of objects
        Samples; n and m may differ.
    alpha, regularization : array_like
        Orders in [0, inf] and lambdas in [0, inf), a number or 1-dimensional each.
    kernel, bandwidth, kernel_params, support_tol
        As `kernel_renyi`; the default bandwidth is the median of the distances between x and y.
    return_error : bool
        Also return an estimate of the numerical (not statistical) error, which the error hardly ever exceeds: four
        times the largest change over three recomputations, in which the weights, every Gram entry and the embedding are
        perturbed by rounding errors, plus the rounding error of the last sum and, for a low rank, a bound on the effect
        of the truncation.
    rng : int, Generator or None
        Randomness of those perturbations.

    Returns
    -------
    float or array, shape alpha.shape + regularization.shape
        In nats. With `return_error`, a pair of them.

    Raises
    ------
    ValueError, TypeError
        As `kernel_renyi`; empty samples.

    References
    ----------
    Domingo-Enrich and Mroueh (2022), Proposition 8.

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.kernels import kernel_renyi_estimate
    >>> rng = np.random.default_rng(0)
    >>> x, y = rng.normal(size=(200, 5)), rng.normal(1, 1, size=(150, 5))
    >>> kernel_renyi_estimate(x, y, alpha=[2, 6], regularization=[1e-3, 1e-1]).shape
    (2, 2)
    """
    k = make_kernel(kernel, bandwidth, kernel_params, x, y)
    u, v = (points_array(z, name, vectors=k.takes_vectors) for z, name in ((x, "x"), (y, "y")))
    if u.shape[1:] != v.shape[1:]:
        raise ValueError(f"x and y must have the same dimension; got {u.shape[1:]} and {v.shape[1:]}")
    draw = generator(rng)
    problem = _Problem.of(weighted_points(u, None, k), weighted_points(v, None, k), support_tol)
    estimate = problem.grid(alpha, regularization)
    if not return_error:
        return estimate
    change = np.zeros(np.shape(estimate))
    for _ in range(3):
        other = np.asarray(problem.rounded(draw).grid(alpha, regularization))
        with np.errstate(invalid="ignore"):
            difference = np.where(other == estimate, 0.0, np.abs(other - estimate))
        change = np.maximum(change, difference)
    error = ERROR_FACTOR * change + problem.rounding(estimate, regularization)
    return estimate, (error + problem.truncation(alpha, regularization))[()]


@dataclass(frozen=True, eq=False)
class _Problem:
    """Weights w (of p, sum one) and v (of q) on the points of one Gram matrix, and their divergence on a grid."""

    ar: Arithmetic
    points: Array
    kernel: AnyKernel
    w: Array
    v: Array
    trace: Any  # of p's operator; its logarithm is added to the divergence
    support_tol: float | None
    perturbed: Array | None = None  # the Gram matrix, if it is not the kernel's
    jitter: np.random.Generator | None = None  # for simulated rounding errors of the embedding
    thin: LowRank | None = None  # the low-rank factors, if they are given

    @classmethod
    def of(cls, p: Covariance, q: Covariance, support_tol: float | None, ar: Arithmetic = FLOAT64) -> _Problem:
        """Return the problem on the distinct points of p and q, those of q first."""
        tol = check_support_tol(support_tol)
        points, w, v = joint_support(p, q)
        order = np.argsort(v == 0, kind="stable")
        trace = w.sum()
        return cls(ar, points[order], p.kernel, w[order] / trace, v[order], trace, tol)

    @property
    def gram(self) -> Array:
        """The Gram matrix of all points. That of a named kernel takes less time than it is worth memory."""
        if self.perturbed is None and isinstance(self.kernel, Kernel) and isinstance(self.kernel.kernel, str):
            return self.kernel.gram(self.points, arithmetic=self.ar)
        return self._kept_gram

    @cached_property
    def _kept_gram(self) -> Array:
        return self.kernel.gram(self.points, arithmetic=self.ar) if self.perturbed is None else self.perturbed

    @cached_property
    def low_rank(self) -> LowRank | None:
        """Both operators by a thin factor of the Gram matrix, or None if it has none."""
        n = len(self.points)
        name = self.kernel.kernel if isinstance(self.kernel, Kernel) else None
        if self.thin is not None or self.perturbed is not None or self.ar is not FLOAT64:
            return self.thin
        if name not in ALWAYS_POSITIVE or name == "identity" or n < SMALLEST_LOW_RANK:
            return None

        def entries(columns: Array, rows: Array | slice) -> Array:
            return self.kernel.gram(self.points[rows], self.points[columns])

        found = low_rank_factor(entries, n, n // LOW_RANK)
        if found is None:
            return None
        return LowRank(*found, self.w, self.v)

    @cached_property
    def x(self) -> Array:
        """Mask of the points of p."""
        return self.w > 0

    @cached_property
    def y(self) -> Array:
        """Mask of the points of q."""
        return self.v > 0

    @cached_property
    def included(self) -> bool:
        """Whether every point of p is a point of q."""
        return bool(self.y[self.x].all())

    def rounded(self, rng: np.random.Generator) -> _Problem:
        """Return the problem perturbed by as much as rounding errors: the weights, the entries k = e^-u of the Gram
        matrix by 1 + u units, as u itself is rounded, and the points in the eigenbasis of q; or the entries of a thin
        factor F, which changes those of F F^T by as much.
        """
        if self.low_rank is not None and "_embedding" not in vars(self):
            return replace(self, thin=self.low_rank.rounded(rng))
        gram = self.gram
        noise = np.triu(rng.uniform(-1, 1, gram.shape))
        noise = noise + np.triu(noise, 1).T
        with np.errstate(divide="ignore"):
            units = np.where(gram == 0, 0, 1 - np.log(np.minimum(np.abs(gram), 1)))
        w, v = (x * (1 + EPS * rng.uniform(-1, 1, x.shape)) for x in (self.w, self.v))
        jitter = None if (gram == np.eye(len(gram))).all() else rng
        return replace(self, perturbed=gram * (1 + EPS * units * noise), w=w, v=v, jitter=jitter)

    def rounding(self, estimate: Any, regularization: Any) -> Array:
        """Return the rounding error of the last steps, a sum with a term for each point and its logarithm."""
        lam = np.asarray(regularization, dtype=float)
        finite = np.isfinite(estimate)
        size = 1 + np.abs(np.log(np.where(lam > 0, lam, 1))) + np.where(finite, np.abs(estimate), 0)
        return np.where(finite, EPS * (4 + len(self.points)) * size, 0)

    def truncation(self, alpha: Any, regularization: Any) -> Any:
        """Return bounds on the error of a low rank, at all pairs of an order and a regularisation."""

        def bound(a: float, lam: float) -> float:
            thin = self.low_rank if _small_form_is_right(self.ar, a, lam) else None
            return 0.0 if thin is None else thin.truncation(a, lam)

        cells = [[bound(a, lam) for lam in np.atleast_1d(regularization)] for a in np.atleast_1d(alpha)]
        return np.reshape(cells, np.shape(alpha) + np.shape(regularization))

    def grid(self, alpha: Any, regularization: Any) -> Any:
        """Return the values at all pairs of an order and a regularisation, shape alpha.shape + regularization.shape."""
        ar = self.ar
        orders, lambdas = ar.result(ar.order(alpha)), ar.result(ar.regularization(regularization))
        for value, name in ((orders, "alpha"), (lambdas, "regularization")):
            if np.ndim(value) > 1:
                reject(name, np.shape(value), "a number or 1-dimensional (this is its shape)")
        cells = [[self._cell(a, lam) for lam in np.atleast_1d(lambdas)] for a in np.atleast_1d(orders)]
        out = np.array(cells, dtype=ar.dtype) + ar.log(self.trace)
        return out.reshape(np.shape(orders) + np.shape(lambdas))[()]

    def _cell(self, alpha: Any, lam: Any) -> Any:
        if lam == 0 and alpha >= 1 and not self.included:
            if self.kernel.strictly_positive:
                return self.ar.inf
            if self.support_tol is None:
                raise ValueError(
                    "regularization must be positive, or support_tol given, where alpha >= 1, some point of p is not "
                    "one of q and the kernel is not known to be strictly positive definite: the value may be infinite; "
                    f"got regularization = 0, alpha = {float(alpha):g}"
                )
        if _small_form_is_right(self.ar, alpha, lam):
            return self._small(alpha, lam) if self.low_rank is None else self.low_rank.divergence(alpha, lam)
        return self._embedded(alpha, lam)

    # n x n form

    @cached_property
    def _blocks(self) -> tuple[Array, Array, Array]:
        """Kxx, Kxy in the eigenbasis of Kyy, and the eigenvalues of Kyy."""
        gram, root_x, root_y = self.gram, self.ar.sqrt(self.w[self.x]), self.ar.sqrt(self.v[self.y])
        kxx = gram[np.ix_(self.x, self.x)] * np.outer(root_x, root_x)
        kxy = gram[np.ix_(self.x, self.y)] * np.outer(root_x, root_y)
        kyy = gram[np.ix_(self.y, self.y)] * np.outer(root_y, root_y)
        del gram
        values, vectors = self.ar.eigh(kyy)
        return kxx, kxy @ vectors, np.where(values > 0, values, 0 * values)

    def _small(self, alpha: Any, lam: Any) -> Any:
        ar = self.ar
        kxx, rotated, values = self._blocks
        if alpha == 1:  # tr rho log rho - tr rho log(sigma + lambda), log(t + lambda) = log lambda + log1p(t / lambda)
            a = ar.eigvalsh(kxx)
            a = np.where(a > 0, a, 0 * a)
            entropy = (a * np.where(a > 0, ar.log(np.where(a > 0, a, 1)), 0)).sum()
            slope = _divided(ar.log1p(values / lam), values, 1 / lam)
            return entropy - ar.log(lam) - ((rotated * rotated) @ slope).sum()
        s = _exponent(alpha)
        h = _divided(ar.expm1(s * ar.log1p(values / lam)), values, s / lam)  # over lambda^s
        scaled = rotated * ar.sqrt(abs(h))
        sandwich = ar.matmul(scaled, scaled.T)
        (np.add if s > 0 else np.subtract)(kxx, sandwich, out=sandwich)
        return _log_trace_of_power(ar, sandwich, alpha) - ar.log(lam)

    # embedding

    def _embedded(self, alpha: Any, lam: Any) -> Any:
        ar = self.ar
        if _trace_is_right(ar, alpha, lam):
            return self._embedded_trace(alpha, lam)
        embedding = self._regularized if lam > 0 else self._bare
        embedding = replace(embedding, b=embedding.b + lam)
        order = np.full(1, alpha, dtype=embedding.b.dtype)
        return sandwiched_from_embedding(ar, embedding, order)[0]

    def _embedded_trace(self, alpha: float, lam: float) -> Any:
        """Compute D_{alpha,lambda} from the sandwich, or the smaller of X^T X and X X^T, X = B^(s/2) overlap. It is
        divided by the smallest eigenvalue of B = S_q + lambda, and what B does not change is a product for all."""
        b, overlap, s = self._embedding.b[0], self._embedding.overlap[0], _exponent(alpha)
        with np.errstate(over="ignore"):  # of the tiniest lambda
            rooted = np.sqrt(1 + (b - b[0]) / (b[0] + lam)) ** s
        if len(b) <= overlap.shape[1]:
            sandwich = rooted[:, None] * self._product * rooted
        else:
            seen = overlap[b > 0] * rooted[b > 0, None]
            sandwich = seen.T @ seen
            sandwich += self._product
        return _log_trace_of_power(self.ar, sandwich, alpha) - np.log(b[0] + lam)

    @cached_property
    def _product(self) -> Array:
        """The overlap times its transpose if it is wide, else its transpose times it without the support of S_q."""
        b, overlap = self._embedding.b[0], self._embedding.overlap[0]
        if len(b) <= overlap.shape[1]:
            return np.asarray(overlap @ overlap.T)
        unseen = overlap[b == 0]
        return np.asarray(unseen.T @ unseen)

    @cached_property
    def _regularized(self) -> Embedding:
        """The embedding for lambda > 0."""
        e = self._embedding
        rank = self.ar.rank(e.overlap, e.noise, self.ar.sqrt(e.trace))
        return replace(e, included=np.ones_like(e.included), rank=rank)

    @cached_property
    def _bare(self) -> Embedding:
        """The embedding for lambda = 0: rows outside the support of sigma are 0 if that of rho is included."""
        e = self._embedding
        off = (e.b == 0)[..., None]
        seen = np.where(off, 0 * e.overlap, e.overlap)
        overlap = np.where(e.included[..., None, None], seen, e.overlap)
        return replace(e, overlap=overlap, rank=self.ar.rank(seen, e.noise, self.ar.sqrt(e.trace)))

    @cached_property
    def _embedding(self) -> Embedding:
        """Both operators in the eigenbasis of S_q, at lambda = 0, with a leading axis of length one."""
        ar = self.ar
        factor = _factor(ar, self.gram, self.kernel.strictly_positive)
        x, y = factor[self.x], factor[self.y]
        x *= ar.sqrt(self.w[self.x])[:, None]
        y *= ar.sqrt(self.v[self.y])[:, None]
        del factor
        b, overlap, noise = _in_eigenbasis(ar, y, x)
        cut = noise if self.support_tol is None else self.support_tol
        known = self.kernel.strictly_positive and self.support_tol is None
        rank = int(self.y.sum()) if known else int((b > cut * b.max()).sum())
        b = np.where(np.arange(len(b)) >= len(b) - rank, b, 0 * b)
        b = np.where(b > 0, b, 0 * b)
        if ar is not FLOAT64 and known and int((b > noise * b.max()).sum()) < rank:
            raise PrecisionError("the Gram matrix is not resolved at this precision")
        if self.jitter is not None:  # low orders depend on entries below rounding
            overlap = overlap + 2 * noise * self.jitter.uniform(-1, 1, overlap.shape) * ar.sqrt(self.w[self.x])
        included = self.included
        if self.support_tol is not None and not included:
            included = bool((abs(overlap[b <= 0]) ** 2).sum() <= cut)
        return Embedding(
            b=b[None],
            overlap=overlap[None],
            included=np.array([included]),
            rank=np.array([0]),
            trace=np.array([self.w.sum()]),
            noise=np.array([noise]),
        )


@dataclass(frozen=True, eq=False)
class LowRank:
    """S_p = F diag(w) F^T and S_q = F diag(v) F^T with a thin factor F (r, n) of the Gram matrix; `left` (n,) is the
    diagonal of its residual."""

    factor: Array
    left: Array
    w: Array
    v: Array

    def rounded(self, rng: np.random.Generator) -> LowRank:
        """Return the same problem with its Gram matrix perturbed by as much as rounding may have changed it."""
        size = 2 * EPS * np.sqrt(np.einsum("ij,ij->j", self.factor, self.factor))
        return replace(self, factor=self.factor + size * rng.uniform(-1, 1, self.factor.shape))

    @cached_property
    def _reduced(self) -> tuple[Array, Array]:
        """The eigenvalues of S_q, and S_p in its eigenbasis; lambda is far above the rounding errors of both."""
        values, vectors = np.linalg.eigh(self._operator(self.v))
        return np.maximum(values, 0), vectors.T @ self._operator(self.w) @ vectors

    def _operator(self, weights: Array) -> Array:
        """Return F diag(weights) F^T, from pieces that fit in a cache."""
        out = np.zeros((len(self.factor), len(self.factor)))
        for start in range(0, len(weights), PIECE):
            piece = slice(start, start + PIECE)
            if weights[piece].any():
                rooted = self.factor[:, piece] * np.sqrt(weights[piece])
                out += rooted @ rooted.T
        return out

    def _sandwich(self, alpha: float, lam: float) -> tuple[float, Array, Array]:
        """Return s = (1 - alpha) / alpha, B^(s/2) in the eigenbasis of B = S_q + lambda, and the sandwich."""
        values, inner = self._reduced
        s = _exponent(alpha)
        half = (values + lam) ** (s / 2)
        return s, half, half[:, None] * inner * half

    def divergence(self, alpha: float, lam: float) -> Any:
        """Return D_{alpha,lambda}, alpha > 1."""
        return _log_trace_of_power(FLOAT64, self._sandwich(alpha, lam)[2], alpha)

    def truncation(self, alpha: float, lam: float) -> float:
        """Return twice a first-order bound on the truncation error of D_{alpha,lambda}, alpha > 1.

        Q = tr T^alpha, T = lambda^s Kxx + Kxy h(Kyy) Kyx, changes by tr f(T) dT, f(t) = alpha t^(alpha - 1). The
        changes of Kxx and Kyy have trace norms of at most those of their residuals, that of Kxy the root of their
        product; each is multiplied by the operator norm of its factor. The factor of Kyy has the divided differences of
        h, which are bounded by the slope of h, less than |h| / t.
        """
        values, _ = self._reduced
        s, half, sandwich = self._sandwich(alpha, lam)
        t, basis = np.linalg.eigh(sandwich)
        t = np.maximum(t, 0)
        if alpha == np.inf:
            slope = np.where(t == t[-1], 1 / t[-1], 0)
        else:  # f over |alpha - 1| Q
            share = t / t[-1]
            slope = alpha * share ** (alpha - 1) / ((alpha - 1) * (share**alpha).sum() * t[-1])
        # x^T f(T) x and x^T f(T)^2 x, from the eigenvectors of the sandwich and B^(-s/2)
        meets = np.sqrt(values)[:, None] * basis / half[:, None]
        h = -np.expm1(s * np.log1p(values / lam)) * lam**s
        h = np.where(values > 0, h / np.where(values > 0, values, 1), -s * lam ** (s - 1))
        fall = np.full_like(values, s * (s - 1) / 2 * lam ** (s - 2))
        some = values > 0
        fall[some] = np.minimum(fall[some], h[some] / values[some])
        of_yy = np.linalg.norm(np.maximum.outer(fall, fall) * ((meets * (slope * t)) @ meets.T))
        of_xy = np.linalg.norm(h[:, None] * meets * (slope * np.sqrt(t)))
        of_xx = lam**s * slope.max()
        x_left, y_left = ((weights * self.left).sum() + RESIDUAL for weights in (self.w, self.v))  # traces
        change = of_xx * x_left + of_yy * y_left + 2 * of_xy * np.sqrt(x_left * y_left)
        return float(2 * change)


@singledispatch
def _small_form_is_right(ar: Arithmetic, alpha: Any, lam: Any) -> bool:
    """Return whether the n x n form is accurate; small orders need tiny eigenvalues, which the embedding has."""
    return bool(alpha >= 0.5 and lam > 0)


@_small_form_is_right.register(Float64)
def _small_form_is_right_in_float64(ar: Float64, alpha: Any, lam: Any) -> bool:
    return bool(alpha >= 1.05 and lam >= SMALLEST_FAST_LAMBDA)  # a loss of digits is not made up by precision


def _exponent(alpha: Any) -> Any:
    """Return s = (1 - alpha) / alpha, the power of S_q + lambda in the sandwich."""
    return -1 if alpha == np.inf else (1 - alpha) / alpha


@singledispatch
def _trace_is_right(ar: Arithmetic, alpha: Any, lam: Any) -> bool:
    """Return whether the trace of a power of the sandwich is as accurate as its singular values."""
    return False


@_trace_is_right.register(Float64)
def _trace_is_right_in_float64(ar: Float64, alpha: float, lam: float) -> bool:
    return bool(alpha >= 1.05 and lam > 0)


@singledispatch
def _in_eigenbasis(ar: Arithmetic, y: Array, x: Array) -> tuple[Array, Array, Any]:
    """Return the ascending eigenvalues of y^T y, x^T in its eigenbasis, and the relative error of its entries."""
    values, vectors = ar.eigh(y.T @ y)
    return values, vectors.T @ x.T, ar.noise


@_in_eigenbasis.register(Float64)
def _in_eigenbasis_in_float64(ar: Float64, y: Array, x: Array) -> tuple[Array, Array, float]:
    """Use singular values, as y^T y squares the condition number of y, unless y is triangular and well conditioned;
    a wide y is first made triangular.

    It overwrites y and x.
    """
    m, r = y.shape
    rotated, noise = x.T, 4 * m * EPS
    if m < r:
        if y[:, m:].any():
            factored, tau, _, _ = dgeqrf(y.T, BLOCK * m, overwrite_a=True)
            rotated, _, _ = dormqr("L", "T", factored, tau, rotated, BLOCK * len(x), overwrite_c=True)
            y = np.tril(factored[:m].T)
        else:
            y = y[:, :m]
    values, basis = _squares_of_singular_values(y)
    seen = len(values)
    b = np.concatenate([np.zeros(r - seen), values])
    return b, np.concatenate([rotated[seen:], basis.T @ rotated[:seen]]), noise


def _squares_of_singular_values(y: Array) -> tuple[Array, Array]:
    """Return the ascending eigenvalues of y^T y and its eigenvectors, y (m, r), m >= r.

    They are the squares of the singular values of y and its right singular vectors. If y is triangular with a condition
    number of at most 1000, they are computed from y^T y, in a third of the time. Its rows and columns are graded as
    those of y, so the errors of small eigenvalues are near 1e-13 of themselves, and not of the largest.
    """
    if y.shape[0] == y.shape[1] and not np.triu(y, 1).any():
        squares = np.diagonal(y) ** 2  # the least is no less than the least eigenvalue
        if squares.min() > WELL_CONDITIONED * squares.max():
            values, vectors = eigh((y.T @ y).T, driver="evd", overwrite_a=True, check_finite=False)  # no copies
            if values[0] > WELL_CONDITIONED * values[-1]:
                return values, vectors
    _, s, basis = np.linalg.svd(y)
    return s[::-1] ** 2, basis[::-1].T


def _log_trace_of_power(ar: Arithmetic, sandwich: Array, alpha: Any) -> Any:
    """Return log(tr T^alpha) / (alpha - 1) of a T positive semidefinite up to rounding; for order infinity, log of the
    largest eigenvalue. For some integer orders the trace is a Frobenius product of powers of T, faster than
    all eigenvalues, unless a few of them suffice. T is overwritten."""
    t = _largest_eigenvalues(ar, sandwich, alpha)
    if t is None and alpha in (2, 3, 4, 6, 8, 12, 16):
        power, log_size, order = sandwich, 0, 1
        while True:  # T^order becomes T^(2 order), scaled to size one
            size = power.diagonal().max()
            power *= 1 / size
            log_size = 2 * log_size + ar.log(size)
            if 4 * order > alpha:
                break
            power, order = ar.matmul(power, power.T), 2 * order
        if 2 * order == alpha:
            power *= power
            return (2 * log_size + ar.log(power.sum())) / (alpha - 1)
        square = ar.matmul(power, power.T)  # T^(2 order)
        square *= power
        return (3 * log_size + ar.log(square.sum())) / (alpha - 1)
    t = ar.eigvalsh(sandwich) if t is None else t
    if not t[-1] > 0:
        raise PrecisionError("what is left of a small regularization is not resolved at this precision")
    t = np.where(t > 0, t, 0 * t)
    peak = ar.log(t[-1])
    if alpha == ar.inf:
        return peak
    log_t = ar.log(np.where(t > 0, t, t[-1])) - peak
    power = np.where(t > 0, ar.exp(alpha * log_t), 0 * t).sum()
    return (alpha * peak + ar.log(power)) / (alpha - 1)


@singledispatch
def _largest_eigenvalues(ar: Arithmetic, matrix: Array, alpha: Any) -> Array | None:
    """Return eigenvalues, ascending, whose powers alpha add up to the trace of the matrix's, or None."""
    return None


@_largest_eigenvalues.register(Float64)
def _largest_eigenvalues_in_float64(ar: Float64, matrix: Array, alpha: float) -> Array | None:
    """Use a block Krylov space from a random start, of at most n / KRYLOV dimensions.

    Its eigenvalues (Ritz values) are below those of the matrix, and rise as the space grows, the largest first to
    convergence. So does the sum of their powers. What the last block has added to it, beyond rounding errors, is taken
    as a bound on what each of as many blocks as fill the space would add.
    """
    n = len(matrix)
    most = n // KRYLOV
    if alpha <= 8 or most < 2 * WIDTH:  # for small orders all of them count
        return None
    basis, compressed = np.empty((n, most)), np.zeros((most, most))
    block = matrix @ np.linalg.qr(matrix @ np.random.default_rng(0).normal(size=(n, WIDTH)))[0]
    before, last = np.zeros(0), np.inf
    for k in range(WIDTH, most + 1, WIDTH):
        known, new = basis[:, : k - WIDTH], slice(k - WIDTH, k)
        for _ in range(2):  # once more against rounding errors
            block = np.linalg.qr(block - known @ (known.T @ block))[0]
        basis[:, new] = block
        block = matrix @ block
        compressed[new, :k] = block.T @ basis[:, :k]
        t = np.maximum(np.linalg.eigvalsh(compressed[:k, :k]), 0)
        before = np.concatenate([np.zeros(WIDTH), before])
        risen = t - before > 16 * EPS * t[-1]
        if alpha == np.inf:
            added = -ar.log(before[-1] / t[-1]) if risen[-1] else 0.0
        else:
            powers = (t / t[-1]) ** alpha
            share = np.where(risen, powers - (before / t[-1]) ** alpha, 0).sum() / powers.sum()
            added = -ar.log1p(-share) / (alpha - 1)
        if added * n / WIDTH < EPS / 2:
            return t
        if added > last / 4:
            return None
        before, last = t, added
    return None


@singledispatch
def _factor(ar: Arithmetic, gram: Array, invertible: bool) -> Array:
    """Return F with F F^T = gram, by eigenvectors."""
    values, vectors = ar.eigh(gram)
    # a rounding error of 10^-d in place of an eigenvalue 0 would add 10^(-d/2) to the factor, so these are cut
    cut = 0 if invertible else ar.noise * values[-1]
    return vectors * ar.sqrt(np.where(values > cut, values, 0 * values))


@_factor.register(Float64)
def _factor_in_float64(ar: Float64, gram: Array, invertible: bool) -> Array:
    """Use Cholesky's method; eigenvalues have errors relative to the largest one. A matrix that is singular, or nearly,
    needs pivots, and a factor of its numerical rank.

    LAPACK chooses the pivots. Its rounding errors add up to some ten times the effect of rounding `gram`, so the
    entries are computed again, block by block, with inner products that are not rounded before the subtraction.
    """
    n = len(gram)
    factor = _cholesky_in_order(gram, np.arange(n), np.empty((n, n), order="F"), SMALLEST_PIVOT)
    if factor.shape[1] < n:
        factor, pivots, rank, info = dpstrf(gram, lower=1, tol=EPS / 2)
        if info < 0:
            raise RuntimeError(f"dpstrf: argument {-info} is illegal")
        factor = _cholesky_in_order(gram, pivots - 1, factor[:, :rank])
    return factor


def _cholesky_in_order(gram: Array, order: Array, factor: Array, smallest: float = 0.0) -> Array:
    """Write Cholesky's factor, with pivots in this order, to `factor` (n, k). Return those of its columns that come
    before one with a pivot of at most `smallest`."""
    found, rank = 0, factor.shape[1]
    for start in range(0, rank, BLOCK):
        width = min(BLOCK, rank - start)
        rest = gram[np.ix_(order[start:], order[start : start + width])]
        _subtract_products(rest, factor[start:, :start])
        new = _cholesky_columns(rest)
        low = np.diagonal(new) ** 2 <= smallest
        new = new[:, : int(low.argmax())] if low.any() else new
        found = start + new.shape[1]
        factor[:start, start:found] = 0
        factor[start:, start:found] = new
        if found < start + width:  # the rest is rounding errors, or may be
            break
    factor = factor[:, :found]
    for start in range(0, found, BLOCK):  # in place
        columns = factor[:, start : start + BLOCK]
        columns[order] = columns.copy()
    return factor


def _cholesky_columns(columns: Array) -> Array:
    """Return the leading columns (n, k) of the Cholesky factor of a matrix, as long as it is positive definite."""
    corner, info = dpotrf(columns[: columns.shape[1]], lower=1)
    k = info - 1 if info else len(corner)
    corner, columns = corner[:k, :k], columns[:, :k]
    new = dtrsm(1.0, corner, columns, side=1, lower=1, trans_a=1)
    new[:k] = corner
    # A step of refinement: with C the corner and C^-1 left C^-T = H + H^T, C + C H is a better corner
    left = columns.copy()
    _subtract_products(left, new)
    sums = solve_triangular(corner, dtrsm(1.0, corner, left[:k], side=1, lower=1, trans_a=1), lower=True)
    change = corner @ (np.tril(sums) - np.diag(np.diagonal(sums)) / 2)
    new[k:] += dtrsm(1.0, corner, left[k:] - new[k:] @ change.T, side=1, lower=1, trans_a=1)
    new[:k] += change
    unresolved = np.abs(new).max(0, initial=0) > 2 * np.diagonal(new)
    return np.asarray(new[:, : int(unresolved.argmax())] if unresolved.any() else new)


def _subtract_products(rest: Array, rows: Array) -> None:
    """Subtract rows @ rows[:k].T from `rest` (n, k), with rounding errors of only 2^-21 of the products."""
    k, small = rest.shape[1], np.zeros(rest.shape)
    for start in range(0, rows.shape[1], PIECE_OF_ROWS):
        piece = rows[:, start : start + PIECE_OF_ROWS]
        high = piece + ROUNDS_TO_20_BITS
        high -= ROUNDS_TO_20_BITS
        low = piece - high
        rest -= high @ high[:k].T  # exact, as inner products need 41 bits only
        small += high @ low[:k].T
        small += low @ piece[:k].T
    rest -= small


def _divided(value: Array, by: Array, at_zero: Any) -> Array:
    """Return value / by, and its limit where by = 0."""
    zero = by == 0
    return np.where(zero, at_zero, value / np.where(zero, 1, by))
