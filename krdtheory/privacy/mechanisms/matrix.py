"""The matrix mechanism, and the privacy profile of independent Laplace noise on several coordinates."""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch
from typing import Any, Self

import numpy as np

from krdtheory.arithmetic import FLOAT64, MP, Arithmetic, Float64
from krdtheory.arithmetic.base import Array, reject
from krdtheory.arithmetic.checks import check_number
from krdtheory.divergences._noise import laplace_renyi
from krdtheory.privacy.mechanisms.gaussian import Gaussian
from krdtheory.privacy.mechanisms.laplace import Laplace
from krdtheory.privacy.mechanisms.mechanism import Mechanism
from krdtheory.privacy.mechanisms.parameters import as_number
from krdtheory.privacy.roots import increasing_root

FLOAT_RANGE = 700  # more than the decimal digits from the least float to the largest


@dataclass(frozen=True, kw_only=True, eq=False)
class MatrixMechanism(Mechanism):
    r"""The matrix mechanism: linear queries W x answered as W A^+ (A x + noise), A the strategy, x a histogram.

    Only A x + noise depends on the data, so the privacy is that of the strategy: one individual more or less in cell j
    adds or removes the column a_j of A. The Renyi divergence is the largest over columns of the sum over the entries of
    a_j (Laplace), or that of the longest column (Gaussian). The privacy profile with Laplace noise is the largest over
    columns of the profile of independent coordinates, computed in multiprecision as a sum over the subsets of entries,
    with equal entries combined. If that has more than 4096 terms, it is the profile of a single entry of size \|A\|_1,
    the largest L1 norm of a column, which is an upper bound.

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
        Matrices of different widths, a strategy that is zero or whose rows do not span those of the workload, a scale
        that is not positive, an unknown noise or neighbour relation.

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

        It is the least such noise, except for Laplace noise with delta > 0, where columns of several entries need less.

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
        """The largest L1 (Laplace) or L2 (Gaussian) norm of the change of A x by one individual."""
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
        """Return the absolute values of the changes of A x by one individual, as rows."""
        columns = ar.array(self.strategy, "strategy").T
        if self.neighbours == "add-remove":
            return abs(columns)
        i, j = np.triu_indices(len(columns), 1)
        return abs(columns[i] - columns[j])

    def _sensitivity(self, ar: Arithmetic) -> Any:
        changes = self._changes(ar)
        if self.noise == "laplace":
            return changes.sum(-1).max()
        return ar.sqrt((changes**2).sum(-1).max())

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
        """Return delta(e), e >= 0, for an individual who makes the changes `kind`."""
        if e == ar.inf:
            return 0 * ar.context.one
        exact = MP(ar.digits + FLOAT_RANGE)
        t = (self._losses(exact, kind).sum() - exact.context.mpf(e)) / 2
        if t <= 0:
            return 0 * ar.context.one
        finer = _finer(ar, kind, t)
        return _product_profile(finer, self._losses(finer, kind), finer.context.mpf(t))

    def _one_epsilon(self, ar: Any, kind: tuple[float, ...], d: Any) -> Any:
        """Return the epsilon >= 0 with delta(epsilon) = d; the unknown is t = (the largest loss - epsilon) / 2."""
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
        kinds = self._kinds()
        return self._base(ar)._epsilon_at(ar, d) if kinds is None else _largest_epsilon(ar, self, kinds, d)

    def _epsilon_near(self, ar: Arithmetic, d: Array, start: Array) -> Array:
        kinds = self._kinds()
        return self._base(ar)._epsilon_near(ar, d, start) if kinds is None else _largest_epsilon(ar, self, kinds, d)

    def _kinds(self) -> list[tuple[float, ...]] | None:
        """Return the distinct multisets of sizes of changes; None if one coordinate suffices or terms are too many."""
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


@singledispatch
def _largest_epsilon(ar: Arithmetic, mechanism: MatrixMechanism, kinds: list[tuple[float, ...]], d: Array) -> Array:
    """Return the largest epsilon over the kinds of changes, for each delta."""
    return np.array([max(mechanism._one_epsilon(ar, kind, delta) for kind in kinds) for delta in d], dtype=object)


@_largest_epsilon.register(Float64)
def _no_start(ar: Float64, mechanism: MatrixMechanism, kinds: list[tuple[float, ...]], d: Array) -> Array:
    return 0 * d  # a placeholder, as the search in multiprecision that follows needs no start


def _finer(ar: Any, kind: tuple[float, ...], *sizes: Any) -> Any:
    """Return a number system with the digits added that `_product_profile` loses at numbers of these sizes."""
    return MP(ar.digits + 2 * len(kind) + 5 + max(abs(int(ar.context.log10(size))) for size in sizes))


def _product_profile(ar: Any, losses: Array, t: Any) -> Any:
    """Return delta(e), e >= 0, of independent Laplace distributions of scale 1 at distances l_i = `losses`.

    With s_i = (l_i minus the loss) / 2, which lies in [0, l_i], t = (sum l_i - e) / 2 and s = sum s_i, delta = E
    (1 - e^{2 (s - t)})_+. The distribution of s is e^{-s} times the measure with Laplace transform prod
    ((1 + 1/z) + (1 - 1/z) e^{-l_i z}) / 2, which is piecewise polynomial, with terms (s - shift)^{k-1} / (k - 1)!.
    """
    d = len(losses)
    terms = {(0 * t, 0): 1}  # (sum of the chosen l_i, their number) -> number of ways to choose them
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
