r"""Lower confidence bounds on the regularised kernel Renyi divergence D_{alpha,lambda}(S_p || S_q), from samples.

`dual_bound` is the powerful one. For alpha > 1 and any H >= 0, with r = (alpha - 1) / alpha,

.. math:: e^{r D_{\alpha,\lambda}(S_p\|S_q)} \geq
    \frac{E_p \langle\varphi, H\varphi\rangle}{(E_q \langle\varphi, G\varphi\rangle + \lambda\, tr\, G)^r},
    \quad G = \nabla f(B_0), \quad f(B) = tr\,(H^{1/2} B^r H^{1/2})^{1/r}, \quad B_0 > 0

(the variational formula of Frank and Lieb; f is concave and homogeneous of degree 1, so f(B) <= tr G B; for the best
multiple of H the two terms of the formula become this ratio). H and G are learnt from one part of the data and act on
the span of landmarks, which can only lower the divergence (Hansen's inequality). The two means are of bounded variables
on the other part, and one bet covers both (`krdtheory.audit.mean_bounds`). The bound is valid for any H and G.

`perturbation_bound` is conservative and needs no learning: it subtracts from the estimate the effect of the errors of
the two empirical operators.

Below alpha = 1 the formula needs H > 0 on the whole feature space, where lambda Id has infinite trace: no sample gives
a lower bound on D_{alpha,lambda} for alpha <= 1 and lambda > 0, which may be -inf.

References: Frank and Lieb (2013), equation 4 and Proposition 5; Hansen (1980); Domingo-Enrich and Mroueh (2022),
Section 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from krdtheory.arithmetic import FLOAT64
from krdtheory.arithmetic.base import Array, generator, reject
from krdtheory.audit.mean_bounds import check_level, expected_log_ratio, lower_log_ratio
from krdtheory.audit.renyi_bounds import exponent, one_order, split, split_used
from krdtheory.audit.result import Bound
from krdtheory.kernels.kernels import BANDWIDTH_KERNELS, AnyKernel, Kernel, make_kernel, points_array
from krdtheory.kernels.renyi import kernel_renyi_estimate

_MEDIAN = 1_000  # points of each sample are enough for a bandwidth
_PIECE = 10_000  # points whose features are in memory at once
_RANK = 1e-9  # the least eigenvalue of the landmarks' Gram matrix that is kept, relative to the largest
_ROUNDING = 1e-6  # relative rounding error of a norm of features


@dataclass(frozen=True, eq=False)
class DualWitness:
    """H and G on the span of landmarks. `of_p` and `of_q` evaluate <phi, H phi> and <phi, G phi> at points.

    Parameters
    ----------
    alpha : float
        Order of the divergence, in (1, inf].
    regularization : float
        lambda >= 0.
    kernel : Kernel
    landmarks : array
        Points.
    root_h, root_g : array, shape (l, k)
        R with <phi, H phi> = |R^T k|^2, where k are the kernel values of a point and the landmarks.
    tops : pair of float
        The largest eigenvalues of H and G.
    trace : float
        Of G.
    learnt : mapping
        How it was learnt, in plain JSON values.
    """

    alpha: float
    regularization: float
    kernel: AnyKernel
    landmarks: Array
    root_h: Array
    root_g: Array
    tops: tuple[float, float]
    trace: float
    learnt: dict[str, Any] = field(default_factory=dict)

    @property
    def exponent(self) -> float:
        """r = (alpha - 1) / alpha."""
        return exponent(self.alpha)

    def of_p(self, points: Any) -> Array:
        """Return <phi(x), H phi(x)> of each point, at most `tops[0]`."""
        return np.minimum(self._form(self.root_h, points), self.tops[0])

    def of_q(self, points: Any) -> Array:
        """Return <phi(x), G phi(x)> of each point, at most `tops[1]`."""
        return self._form(self.root_g, points)

    def _form(self, root: Array, points: Any) -> Array:
        z = points_array(points, "points", vectors=self.kernel.takes_vectors)
        return _squares(_features(self.kernel, z, self.landmarks, root))


@dataclass(eq=False)
class DualAudit:
    """Samples of any size, in pieces and on several machines, evaluated by one `DualWitness`.

    One number is stored for each point. The bound is that of all points together, whatever the pieces. The points must
    be independent of those that the witness was learnt from.

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit.kernel_bounds import DualAudit, learn_witness
    >>> rng = np.random.default_rng(0)
    >>> x, y = rng.normal(1, 1, size=(3000, 5)), rng.normal(size=(3000, 5))
    >>> witness = learn_witness(x[:1000], y[:1000], alpha=2, regularization=0.01)
    >>> here, there = DualAudit(witness), DualAudit(witness)
    >>> here.partial_fit(x[1000:1500], y[1000:1700]).partial_fit(x[1500:])
    DualAudit(n=2000, m=700)
    >>> print(round(here.merge(there.partial_fit(y=y[1700:])).bound(level=0.05).value, 4))
    1.1348
    """

    witness: DualWitness
    values_p: list[Array] = field(default_factory=list)
    values_q: list[Array] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"DualAudit(n={sum(map(len, self.values_p))}, m={sum(map(len, self.values_q))})"

    def partial_fit(self, x: Any = None, y: Any = None) -> DualAudit:
        """Add points of p and of q; returns self."""
        if x is not None:
            self.values_p.append(self.witness.of_p(x))
        if y is not None:
            self.values_q.append(self.witness.of_q(y))
        return self

    def merge(self, other: DualAudit) -> DualAudit:
        """Add the points of another audit with the same witness; returns self.

        Raises
        ------
        ValueError
            The other audit has another witness.
        """
        if other.witness is not self.witness and not _same(other.witness, self.witness):
            raise ValueError("other must be an audit by the same witness; got one by another")
        self.values_p.extend(other.values_p)
        self.values_q.extend(other.values_q)
        return self

    def bound(self, *, level: float, claim: float | None = None, rng: Any = 0) -> Bound:
        """Return the lower confidence bound on D_{alpha,lambda}(S_p || S_q), in nats; -inf if there is none.

        `extra["p_value"]` is that of the hypothesis that the divergence is at most `claim`.

        Raises
        ------
        ValueError
            There are no points yet, or the level is outside (0, 1).
        """
        w = self.witness
        values = [np.concatenate([np.zeros(0), *v]) for v in (self.values_p, self.values_q)]
        for name, v in zip(("p", "q"), values, strict=True):
            if len(v) == 0:
                raise ValueError(f"partial_fit must have been given points of {name}; got none")
        top = w.tops[1] * (1 + _ROUNDING)
        added, r = w.regularization * w.trace, w.exponent
        ratio, p_value = lower_log_ratio(
            *values,
            power=r,
            level=level,
            tops=(w.tops[0], top),
            added=added,
            ceiling=r * _ceiling(w),
            claim=None if claim is None else r * claim,
            rng=rng,
        )
        p, q = float(values[0].mean()), float(values[1].mean()) + added
        seen = {"p": p, "q": q, "estimate": float((np.log(p) - r * np.log(q)) / r) if p > 0 else -np.inf}
        return Bound(
            value=ratio / r,
            level=level,
            witness={"method": "own.dual", "landmarks": len(w.landmarks), "tops": list(w.tops), **w.learnt},
            used={"test": f"one bet on both means: {len(values[0])} points of p, {len(values[1])} of q"},
            extra={"means": seen, "p_value": p_value},
        )


def dual_bound(
    x: Any,
    y: Any,
    *,
    alpha: float,
    regularization: float,
    level: float,
    kernel: Any = "rbf",
    bandwidth: Any = None,
    claim: float | None = None,
    learn_from: float = 1 / 3,
    landmarks: int = 300,
    rng: Any = 0,
) -> Bound:
    r"""Lower confidence bound on D_{alpha,lambda}(S_p || S_q) by a learnt `DualWitness` (see the module).

    Parameters
    ----------
    x, y : array_like, shapes (n, d) and (m, d), or sequences of any objects a callable kernel takes
        Independent draws from p and from q, at least 20 of each.
    alpha : float
        In (1, inf].
    regularization : float
        lambda, finite, >= 0.
    level : float
        In (0, 1): the bound is above the divergence with probability at most this.
    kernel, bandwidth
        As `krdtheory.kernels.kernel_renyi_estimate`; a median rule is applied to the part learnt from.
    claim : float, optional
        `extra["p_value"]` is that of the hypothesis that the divergence is at most this.
    learn_from : float
        The share of the data to learn from, in (0, 1), at most 20 000 points of each sample.
    landmarks : int
        At most this many points span the operators.
    rng : int, Generator or None
        For the split, the landmarks and the order of bets.

    Returns
    -------
    Bound
        In nats; -inf if there is none. It may be negative, as the divergence may.

    Raises
    ------
    ValueError, TypeError
        Parameters out of range, samples too small or of different dimensions.

    References
    ----------
    Frank and Lieb (2013), equation 4; Domingo-Enrich and Mroueh (2022), Definition 3.

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit.kernel_bounds import dual_bound
    >>> rng = np.random.default_rng(0)
    >>> x, y = rng.normal(1, 1, size=(3000, 5)), rng.normal(size=(3000, 5))
    >>> print(round(dual_bound(x, y, alpha=2, regularization=0.01, level=0.05).value, 3))
    1.138
    """
    order = generator(rng)
    takes = _takes_vectors(kernel)
    samples = [points_array(z, name, vectors=takes) for z, name in ((x, "x"), (y, "y"))]
    (learn_x, test_x), (learn_y, test_y) = (
        split(z, name, learn_from, order) for z, name in zip(samples, "xy", strict=True)
    )
    witness = learn_witness(
        learn_x,
        learn_y,
        alpha=alpha,
        regularization=regularization,
        kernel=kernel,
        bandwidth=bandwidth,
        landmarks=landmarks,
        test_size=min(len(test_x), len(test_y)),
        level=level,
        rng=order,
    )
    bound = DualAudit(witness).partial_fit(test_x, test_y).bound(level=level, claim=claim, rng=order)
    used = split_used(
        len(learn_x), len(learn_y), len(test_x), len(test_y), "bandwidth, landmarks, H and G", "one bet on both means"
    )
    return Bound(value=bound.value, level=level, witness=bound.witness, used=used, extra=bound.extra)


@threadpool_limits.wrap(limits=1, user_api="blas")  # threads do not pay for such small matrices
def learn_witness(
    x: Any,
    y: Any,
    *,
    alpha: float,
    regularization: float,
    kernel: Any = "rbf",
    bandwidth: Any = None,
    landmarks: int = 300,
    test_size: int = 10_000,
    level: float = 0.05,
    rng: Any = 0,
) -> DualWitness:
    """Learn H and G from samples that the bound will not use.

    H is optimal for the samples at an order and a regularisation of its own. Of a few of these, the ones are chosen
    that promise the largest bound at `test_size` and `level` on a third of the samples that is held out for this
    choice.

    Parameters
    ----------
    x, y : array_like
        At least 5 points of each of p and q.
    alpha, regularization, kernel, bandwidth, landmarks, rng
        As `dual_bound`.
    test_size : int
        The number of points of each distribution that the bound will use.
    level : float
        Of the bound.

    Returns
    -------
    DualWitness

    Raises
    ------
    ValueError, TypeError
        As `dual_bound`.
    """
    order = generator(rng)
    check_level(level)
    alpha, lam = _order(alpha), _regularization(regularization)
    if not 1 <= landmarks == int(landmarks):
        reject("landmarks", landmarks, "a positive integer")
    k = make_kernel(kernel, bandwidth, None, x[:_MEDIAN], y[:_MEDIAN])
    u, v = (points_array(z, name, vectors=k.takes_vectors) for z, name in ((x, "x"), (y, "y")))
    for name, z in (("x", u), ("y", v)):
        if len(z) < 5:
            reject(name, len(z), "at least 5 points to learn from (this is their number)")
    # Landmarks from both samples span the subspace on which H and G act (Nyström). In the basis K^(-1/2) features have
    # orthonormal coordinates. Directions below the rounding error of the Gram matrix are left out.
    chosen = [z[order.permutation(len(z))[: (landmarks + i) // 2]] for i, z in enumerate((u, v))]
    points = np.concatenate([c for c in chosen if len(c)])
    values, vectors = np.linalg.eigh(k.gram(points))
    on = values > _RANK * values[-1]
    basis = vectors[:, on] / np.sqrt(values[on])
    features = [_features(k, z, points, basis) for z in (u, v)]
    # Every candidate is fitted to two thirds of the samples, one is chosen on the last third, and then fitted to all.
    cuts = [2 * len(z) // 3 for z in features]
    first, last = zip(*((z[:cut], z[cut:]) for z, cut in zip(features, cuts, strict=True)), strict=True)
    operators = [z.T @ z / len(z) for z in first]
    best, best_promise = None, -np.inf
    for weight, own, c in _candidates(operators, alpha, max(lam, 1 / len(u))):
        roots = c, _gradient(c, operators[1] + own * np.eye(len(c)), alpha)
        promise = _promise(last, roots, alpha, lam, test_size, level)
        if best is None or promise > best_promise:
            best, best_promise = (weight, own), promise
    assert best is not None
    weight, own = best
    a, b = (z.T @ z / len(z) for z in features)
    root_h = _weighted(_Eigen.of(b, own), a, weight)
    root_g = _gradient(root_h, b + own * np.eye(len(b)), alpha)
    return DualWitness(
        alpha,
        lam,
        k,
        points,
        basis @ root_h,
        basis @ root_g,
        (_top(root_h), _top(root_g)),
        float((root_g**2).sum()),
        {
            "order of H": weight if np.isfinite(weight) else "inf",
            "regularization of H": own,
            "kernel": str(getattr(k, "kernel", k)),
            "bandwidth": float(width) if (width := getattr(k, "bandwidth", None)) else None,
        },
    )


def perturbation_bound(
    x: Any,
    y: Any,
    *,
    alpha: float,
    regularization: float,
    level: float,
    kernel: Any = "rbf",
    bandwidth: Any = None,
    rng: Any = 0,
) -> Bound:
    r"""Lower confidence bound on D_{alpha,lambda}(S_p || S_q) from the estimate and the errors of two operators.

    .. math:: D \geq \frac{1}{\kappa} \log \left((\lambda e^{\hat D})^\kappa - s\right)_+ - \log(\lambda + u), \quad
        \kappa = \frac{\alpha - 1}{\alpha}, \quad s, u = \frac{1 + \sqrt{\log(2 / level)}}{\sqrt{n}}

    where n is the size of x in s and that of y in u. With probability at least 1 - level, s and u bound the
    Hilbert-Schmidt distances of the empirical operators from the true ones (McDiarmid). This corrects the paper's
    Theorem 3, which is wrong as printed. It needs about 1 / lambda^2 points to be finite; `dual_bound` needs far fewer.

    Parameters
    ----------
    x, y, regularization, level, kernel, bandwidth, rng
        As `dual_bound`, with lambda > 0; for a median rule a tenth of each sample, at most 1000 points, is set aside.
        Time grows as the cube of the sizes.
    alpha : float
        In [2, inf].

    Returns
    -------
    Bound
        In nats; -inf where there is none.

    Raises
    ------
    ValueError, TypeError
        Parameters out of range, samples too small or of different dimensions.

    References
    ----------
    Domingo-Enrich and Mroueh (2022), Theorem 3, corrected.

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit.kernel_bounds import perturbation_bound
    >>> rng = np.random.default_rng(0)
    >>> x, y = rng.normal(4, 1, size=(600, 1)), rng.normal(size=(600, 1))
    >>> bound = perturbation_bound(x, y, alpha=2, regularization=0.1, level=0.05, bandwidth=2.0)
    >>> print(round(bound.value, 3), round(bound.extra["estimate"], 3))
    0.498 1.645
    """
    if (alpha := _order(alpha)) < 2:
        reject("alpha", alpha, "in [2, inf]")
    if (lam := _regularization(regularization)) == 0:
        reject("regularization", regularization, "positive")
    check_level(level)
    used = {"testing": "all points"}
    if isinstance(kernel, str) and kernel in BANDWIDTH_KERNELS and not isinstance(bandwidth, Real):
        order = generator(rng)
        x, y = (np.asarray(z)[order.permutation(len(z))] for z in (x, y))
        n, m = (min(len(z) // 10, _MEDIAN) for z in (x, y))
        kernel, bandwidth = make_kernel(kernel, bandwidth, None, x[:n], y[:m]), None
        x, y = x[n:], y[m:]
        used = {
            "learning": f"bandwidth: {n} points of the first distribution, {m} of the second",
            "testing": "the other points",
        }
    estimate = float(kernel_renyi_estimate(x, y, alpha=alpha, regularization=lam, kernel=kernel, bandwidth=bandwidth))
    s, u = ((1 + np.sqrt(np.log(2 / level))) / np.sqrt(len(z)) for z in (x, y))
    r = exponent(alpha)
    left = float((lam * np.exp(estimate)) ** r - s)
    value = float(np.log(left) / r - np.log(lam + u)) if left > 0 else -np.inf
    return Bound(
        value=value,
        level=level,
        witness={"method": "krd.thm3, corrected", "errors": [float(s), float(u)]},
        used=used,
        extra={"estimate": estimate},
    )


# Learning


@dataclass(frozen=True)
class _Eigen:
    """The eigendecomposition B = vectors diag(values) vectors^T of a regularised matrix."""

    values: Array
    vectors: Array

    @classmethod
    def of(cls, matrix: Array, regularization: float) -> _Eigen:
        values, vectors = np.linalg.eigh(matrix)
        return cls(np.maximum(values, 0) + regularization, vectors)


def _candidates(operators: list[Array], alpha: float, scale: float) -> Iterator[tuple[float, float, Array]]:
    """Yield (order, regularisation, root of H); lower orders and larger regularisations have a smaller variance."""
    orders = sorted({min(alpha, w) for w in (2.0, 4.0, 8.0, 16.0, 64.0)} | ({alpha} if alpha < 64 else set()))
    a, b = operators
    for own in scale * np.array([1.0, 3.0, 10.0]):
        eigen = _Eigen.of(b, own)
        for weight in orders[-3:]:
            yield weight, float(own), _weighted(eigen, a, weight)


def _weighted(eigen: _Eigen, a: Array, alpha: float) -> Array:
    """Return C with C C^T = H = B^(-r/2) (B^(-r/2) A B^(-r/2))^(alpha - 1) B^(-r/2), scaled to norm 1."""
    root = (eigen.vectors * eigen.values ** (-exponent(alpha) / 2)) @ eigen.vectors.T
    values, vectors = np.linalg.eigh(root @ a @ root)
    powers = (np.maximum(values, 0) / values[-1]) ** ((alpha - 1) / 2)
    on = powers > 1e-7 * powers.max()
    c = root @ (vectors[:, on] * powers[on])
    return c / np.linalg.norm(c, 2)


def _gradient(c: Array, b: Array, alpha: float) -> Array:
    """Return R with R R^T = G, the gradient of f at B for H = C C^T."""
    if alpha == np.inf:
        return c
    r = exponent(alpha)
    values, vectors = np.linalg.eigh(b)
    inner = c.T @ vectors
    s, u = np.linalg.eigh((inner * values**r) @ inner.T)
    outer = inner.T @ (u * np.maximum(s, 0) ** (1 / (2 * (alpha - 1))))
    logs = np.log(values)
    gap = logs[:, None] - logs  # (b^r - a^r) / (b - a), in terms of log(b / a)
    mean = (logs[:, None] + logs) / 2
    half = np.where(gap == 0, 1.0, gap) / 2
    slopes = np.where(gap == 0, r, np.sinh(r * half) / np.sinh(half)) * np.exp((r - 1) * mean)
    g = slopes * (outer @ outer.T) / r
    s, u = np.linalg.eigh((g + g.T) / 2)
    return vectors @ (u * np.sqrt(np.maximum(s, 0)))


def _promise(
    parts: tuple[Array, ...], roots: tuple[Array, Array], alpha: float, lam: float, size: int, level: float
) -> float:
    """Return the bound that these operators are expected to give."""
    h, g = (_squares(z @ root) for z, root in zip(parts, roots, strict=True))
    r = exponent(alpha)
    p, q = h.mean(), g.mean() + lam * (roots[1] ** 2).sum()
    if not (p > 0 and q > 0):
        return -np.inf
    promise = expected_log_ratio((p, q), (h.var(), g.var()), (size, size), power=r, top=_top(roots[1]), level=level)
    return float(promise) / r


def _features(k: AnyKernel, z: Array, points: Array, basis: Array) -> Array:
    return np.concatenate([k.gram(z[i : i + _PIECE], points) @ basis for i in range(0, len(z), _PIECE)])


def _squares(z: Array) -> Array:
    return np.einsum("ij,ij->i", z, z)


def _top(root: Array) -> float:
    """Return the largest eigenvalue of R R^T."""
    return float(np.linalg.norm(root, 2) ** 2)


def _ceiling(witness: DualWitness) -> float:
    """Return -log lambda, an upper bound on D."""
    return -np.log(witness.regularization) if witness.regularization > 0 else np.inf


def _same(w: DualWitness, v: DualWitness) -> bool:
    arrays = ((w.landmarks, v.landmarks), (w.root_h, v.root_h), (w.root_g, v.root_g))
    scalars = (w.alpha, w.regularization, w.kernel) == (v.alpha, v.regularization, v.kernel)
    return scalars and all(a.shape == b.shape and bool(np.all(a == b)) for a, b in arrays)


# Arguments


def _takes_vectors(kernel: Any) -> bool:
    """Return whether a kernel takes vectors, before its bandwidth is known."""
    ready = isinstance(kernel, AnyKernel)
    return bool((kernel if ready else Kernel(kernel, 1.0 if kernel in BANDWIDTH_KERNELS else None)).takes_vectors)


def _order(alpha: Any) -> float:
    value = one_order(alpha)
    if not value > 1:
        reject("alpha", alpha, "in (1, inf]: no sample bounds lower orders from below")
    return value


def _regularization(value: Any) -> float:
    lam = FLOAT64.regularization(value)
    if lam.ndim:
        reject("regularization", value, "one number")
    return float(lam)
