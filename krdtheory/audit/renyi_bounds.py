r"""Lower confidence bounds on Renyi divergences of two distributions, from samples and a learnt score.

One part of the data is used to learn a score that is large where p is more likely than q, and cells, which are
intervals of the score. The rest bounds the divergence in one of two ways.

*Cells* (`cut_bound`). P(score >= t_i) >= a_i and Q(score >= t_i) <= b_i for all i at once, by Clopper and Pearson. Of
all pairs of distributions on the cells with such tails, the one with tails exactly a and b, whose ratio P / Q is made
monotone by pooling adjacent cells, has the least divergence: this holds exactly, for every order alpha and every
f-divergence simultaneously (`least_pair`). So one region bounds the whole Renyi curve.

*A witness* (`witness_bound`). For alpha > 1, r = (alpha - 1) / alpha and any bounded w >= 0, Hoelder's inequality gives

.. math:: e^{r D_\alpha(p\|q)} \geq E_p w \, / \, (E_q w^{1/r})^r

with equality at w = (p / q)^(alpha - 1). Here w is a power of the ratio learnt for the cells, capped where q has too
little mass to be observed. One bet covers both means (`krdtheory.audit.mean_bounds`), so that the squares of their
errors add.

References: Balle, Barthe, Gaboardi, Hsu and Sato (2020), for k-cuts; Clopper and Pearson (1934); Barlow, Bartholomew,
Bremner and Brunk (1972), for pooling adjacent violators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import isotonic_regression
from scipy.special import betainccinv, betaincinv

from krdtheory.arithmetic import FLOAT64
from krdtheory.arithmetic.base import Array, generator, reject
from krdtheory.arithmetic.checks import check_count
from krdtheory.audit.events import fitted_curve, learnt, operating_points
from krdtheory.audit.mean_bounds import check_level, expected_log_ratio, lower_log_ratio
from krdtheory.audit.outputs import read_two
from krdtheory.audit.result import Bound
from krdtheory.audit.scores import Fitted, make_scores, values_of
from krdtheory.divergences import renyi

_LEARN = 20_000  # the most outputs of each distribution to learn from
_MOST_CELLS = 12
_POWERS = np.array([0.25, 0.5, 0.75, 1.0])  # exponents relative to the best witness
_STEEP = np.array([1.0, 2.0, 4.0, 8.0, np.inf])  # exponents for infinite alpha
_ORDERS = 1 + np.geomspace(0.02, 1000, 60)  # the orders over which a supremum is taken
_FEW_ORDERS = 1 + np.geomspace(0.1, 63, 12)


def least_pair(a: Any, b: Any) -> tuple[Array, Array]:
    """Return the least divergent pair of distributions on ordered cells 0..k, given bounds on their upper tails.

    Among all P with P(cell >= i) >= a_i and Q with Q(cell >= i) <= b_i, i = 1..k, it minimises every f-divergence, and
    so every Renyi divergence, of P from Q. For increasing w, E_P w is least and E_Q g(w) largest if the tails are a and
    b. After pooling, the ratio of the pair is increasing, and the variational formula of the divergence with w a
    function of that ratio shows that no pair has a smaller one.

    Parameters
    ----------
    a, b : array_like, shape (k,)
        In [0, 1], in any order.

    Returns
    -------
    P, Q : array, shape (j,)
        On pooled cells, j <= k + 1, with P / Q increasing.

    Examples
    --------
    >>> from krdtheory.audit.renyi_bounds import least_pair
    >>> p, q = least_pair([0.75, 0.4], [0.5, 0.3])
    >>> print(p.round(3), q.round(3))
    [0.25 0.75] [0.5 0.5]
    """
    lower = np.concatenate([[1.0], np.minimum(np.maximum.accumulate(np.asarray(a, float)[::-1])[::-1], 1)])
    upper = np.concatenate([[1.0], np.minimum(np.minimum.accumulate(np.asarray(b, float)), 1)])
    first = np.concatenate([[True], np.diff(upper) < 0])  # a cell without mass under q is pooled with the next
    p, q = -np.diff(lower[first], append=0.0), -np.diff(upper[first], append=0.0)
    on = q > 0
    if not on.all():  # only in the last cell, where b = 0
        return p, q
    pooled = isotonic_regression(p / q, weights=q)
    starts = pooled.blocks[:-1]
    return np.add.reduceat(p, starts), np.add.reduceat(q, starts)


def cut_bound(
    x: Any,
    y: Any,
    *,
    alpha: float,
    level: float,
    claim: float | None = None,
    cells: int | None = None,
    scores: Any = "auto",
    learn_from: float = 1 / 3,
    rng: Any = 0,
) -> Bound:
    """Lower confidence bound on D_alpha(p || q) by the counts of k learnt cells (see the module).

    Parameters
    ----------
    x, y : array_like, shapes (n, d) and (m, d) or (n,) and (m,), or sequences of any objects
        Independent draws from p and from q, at least 20 of each.
    alpha : float
        Order, in [0, inf].
    level : float
        In (0, 1): the bound is above the divergence with probability at most this. The 2 (k - 1) tails share it
        equally.
    claim : float, optional
        `extra["p_value"]` is that of the hypothesis that the divergence is at most this; the p-value is at most `level`
        exactly if the claim is below the bound.
    cells : int, optional
        k >= 2; by default the k <= 12 that promises the largest bound on the learning data.
    scores
        As `krdtheory.audit.audit`.
    learn_from : float
        The share of the data to learn from, in (0, 1), at most 20 000 draws of each sample.
    rng : int, Generator or None

    Returns
    -------
    Bound
        In nats, at least 0. `extra["pair"]` is the least divergent pair: its divergence of any order is a bound too,
        and all these bounds hold simultaneously.

    Raises
    ------
    ValueError, TypeError
        Samples too small or of different kinds; options out of range.

    References
    ----------
    Balle, Barthe, Gaboardi, Hsu and Sato (2020).

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit.renyi_bounds import cut_bound
    >>> rng = np.random.default_rng(0)
    >>> x, y = rng.normal(1, 1, 6000), rng.normal(0, 1, 6000)  # D_2 = 1
    >>> two, best = (cut_bound(x, y, alpha=2, level=0.05, cells=k).value for k in (2, None))
    >>> 0.5 < two < 0.65 < best < 1
    True
    """
    order = one_order(alpha)
    return _cut(
        _Parts.of(x, y, level, learn_from, rng), _Renyi(np.array([order]), np.ones(1)), level, claim, cells, scores
    )


def witness_bound(
    x: Any,
    y: Any,
    *,
    alpha: float,
    level: float,
    claim: float | None = None,
    scores: Any = "auto",
    learn_from: float = 1 / 3,
    rng: Any = 0,
) -> Bound:
    """Lower confidence bound on D_alpha(p || q) by one learnt function of a score (see the module).

    Parameters
    ----------
    x, y, level, claim, scores, learn_from, rng
        As `cut_bound`.
    alpha : float
        Order, in (1, inf].

    Returns
    -------
    Bound
        In nats, at least 0.

    Raises
    ------
    ValueError, TypeError
        As `cut_bound`.

    References
    ----------
    Hoelder's inequality; van Erven and Harremoes (2014), for the variational formula.

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit.renyi_bounds import witness_bound
    >>> rng = np.random.default_rng(0)
    >>> x, y = rng.normal(1, 1, 6000), rng.normal(0, 1, 6000)  # D_2 = 1
    >>> 0.8 < witness_bound(x, y, alpha=2, level=0.05).value < 1
    True
    """
    order = one_order(alpha)
    if not order > 1:
        reject("alpha", alpha, "in (1, inf] for a witness; cells take all orders")
    return _witness(
        _Parts.of(x, y, level, learn_from, rng), _Renyi(np.array([order]), np.ones(1)), level, claim, scores
    )


def concentrated_bound(
    x: Any,
    y: Any,
    *,
    level: float,
    claim: float | None = None,
    omega: float = np.inf,
    method: str = "witness",
    cells: int | None = None,
    scores: Any = "auto",
    learn_from: float = 1 / 3,
    rng: Any = 0,
) -> Bound:
    """Lower confidence bound on the supremum of D_alpha(p || q) / alpha over 1 < alpha < omega, for zCDP and tCDP.

    Parameters
    ----------
    x, y, level, claim, cells, scores, learn_from, rng
        As `cut_bound`.
    omega : float
        In (1, inf].
    method : {"witness", "cells"}
        "witness" bounds the divergence of the order that promises the largest bound on the learning data; "cells"
        bounds all orders simultaneously, by one region.

    Returns
    -------
    Bound
        On rho, in nats, at least 0.

    Raises
    ------
    ValueError, TypeError
        As `cut_bound`.

    References
    ----------
    Bun and Steinke (2016); Bun, Dwork, Rothblum and Steinke (2018).

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit.renyi_bounds import concentrated_bound
    >>> rng = np.random.default_rng(0)
    >>> x, y = rng.normal(1, 1, 6000), rng.normal(0, 1, 6000)  # rho = 1/2
    >>> [0.3 < concentrated_bound(x, y, level=0.05, method=m).value < 0.5 for m in ("witness", "cells")]
    [True, True]
    """
    if not omega > 1:
        reject("omega", omega, "in (1, inf]")
    if method == "cells":
        orders = _ORDERS[omega > _ORDERS] if omega > _ORDERS[0] else np.array([(1 + omega) / 2])
        return _cut(_Parts.of(x, y, level, learn_from, rng), _Renyi(orders, orders), level, claim, cells, scores)
    if method != "witness":
        reject("method", method, '"witness" or "cells"')
    if cells is not None:
        reject("cells", cells, "None for a witness")
    orders = _FEW_ORDERS[omega > _FEW_ORDERS] if omega > _FEW_ORDERS[0] else np.array([(1 + omega) / 2])
    return _witness(_Parts.of(x, y, level, learn_from, rng), _Renyi(orders, orders), level, claim, scores)


# Learning


@dataclass(frozen=True, eq=False)
class _Renyi:
    """The maximum of D_alpha / divisor over some orders."""

    orders: Array
    divisors: Array

    def of(self, pairs: list[tuple[Array, Array]]) -> tuple[Array, Array]:
        """Return the value for each pair of distributions, and the order that attains it."""
        size = max(len(p) for p, _ in pairs)
        p, q = (np.array([np.pad(law, (0, size - len(law))) for law in laws]) for laws in zip(*pairs, strict=True))
        values = np.asarray(renyi(p[:, None], q[:, None], self.orders)) / self.divisors
        best = values.argmax(-1)
        return values[np.arange(len(pairs)), best], self.orders[best]


@dataclass(frozen=True, eq=False)
class _Curve:
    """A score, oriented so that it is larger under p, with the expected tails above thresholds (k,)."""

    name: str
    score: Fitted
    sign: float
    thresholds: Array
    p: Array
    q: Array

    def cell(self, z: Any, thresholds: Array) -> Array:
        """Return the cell, 0 to k, of each output."""
        return np.searchsorted(thresholds, self.sign * values_of(self.score, z, self.name), side="right")


def _curves(scores: Any, x: Array, y: Array, draw: np.random.Generator) -> Iterator[_Curve]:
    for name, score in make_scores(scores, x, y).items():
        fitted, (u, v) = learnt(score, x, y, draw)
        for sign in (1.0, -1.0):
            signed = sign * u, sign * v
            curve = fitted_curve(*signed)
            thresholds, *tails = operating_points(*signed, curve and curve.draws(draw))
            p, q = (np.minimum.accumulate(tail.mean(0)) for tail in tails)
            inner = (p < 1) | (q < 1)
            if inner.any():
                yield _Curve(name, fitted, sign, thresholds[inner], p[inner], q[inner])


@dataclass(frozen=True, eq=False)
class _Parts:
    learn: tuple[Array, Array]
    test: tuple[Array, Array]
    draw: np.random.Generator

    @classmethod
    def of(cls, x: Any, y: Any, level: float, learn_from: float, rng: Any) -> _Parts:
        check_level(level)
        draw = generator(rng)
        u, v = (sample.values for sample in read_two(x, y))
        first, second = split(u, "x", learn_from, draw), split(v, "y", learn_from, draw)
        return cls((first[0], second[0]), (first[1], second[1]), draw)

    @property
    def sizes(self) -> tuple[int, int]:
        return len(self.test[0]), len(self.test[1])

    def used(self, learnt: str, tested: str) -> dict[str, Any]:
        return split_used(len(self.learn[0]), len(self.learn[1]), *self.sizes, learnt, tested)

    def nothing(self, method: str, level: float, claim: float | None) -> Bound:
        """Return the bound if every score is constant."""
        p_value = None if claim is None else 1.0
        return Bound(
            value=0.0,
            level=level,
            witness={"method": method},
            used=self.used("nothing", "nothing"),
            extra={"p_value": p_value},
        )


def _cut(parts: _Parts, aim: _Renyi, level: float, claim: float | None, cells: int | None, scores: Any) -> Bound:
    if cells is not None:
        check_count(cells, "cells", 2)
    best: tuple[float, _Curve, Array] | None = None
    for curve in _curves(scores, *parts.learn, parts.draw):
        promise, chosen = _cells(curve, aim, parts, level, cells)
        if best is None or promise > best[0]:
            best = promise, curve, curve.thresholds[chosen]
    if best is None:
        return parts.nothing("cells", level, claim)
    _, curve, thresholds = best
    tails = [
        np.bincount(curve.cell(z, thresholds), minlength=len(thresholds) + 1)[::-1].cumsum()[::-1][1:]
        for z in parts.test
    ]

    def pair(at_level: float) -> tuple[Array, Array]:
        return least_pair(*_clopper_pearson(tails, parts.sizes, at_level / (2 * len(thresholds))))

    p, q = pair(level)
    (value,), (at,) = aim.of([(p, q)])
    p_value = None if claim is None else _least_level(lambda one: aim.of([pair(one)])[0][0] > claim, level)
    return Bound(
        value=max(float(value), 0.0),
        level=level,
        witness={
            "method": "cells",
            "score": curve.name,
            "sign": curve.sign,
            "thresholds": thresholds.tolist(),
            "alpha": float(at) if at < np.inf else "inf",
        },
        used=parts.used(
            f"a score and {len(thresholds) + 1} cells",
            f"the counts of cells; each of {2 * len(thresholds)} tails has an equal part of the level",
        ),
        extra={"pair": [p.tolist(), q.tolist()], "tails": [t.tolist() for t in tails], "p_value": p_value},
    )


def _cells(curve: _Curve, aim: _Renyi, parts: _Parts, level: float, cells: int | None) -> tuple[float, list[int]]:
    """Return the expected bound, and thresholds chosen greedily to maximise it."""
    n, m = parts.sizes
    found: list[int] = []
    best: tuple[float, list[int]] = -np.inf, []
    p, q = (_shrunk(tail, len(z)) for tail, z in zip((curve.p, curve.q), parts.learn, strict=True))
    for count in range(1, (_MOST_CELLS if cells is None else cells)):
        a, b = _clopper_pearson([n * p, m * q], parts.sizes, level / (2 * count))
        free = [i for i in range(len(a)) if i not in found]
        if not free:
            break
        sets = [sorted([*found, i]) for i in free]
        promises, _ = aim.of([least_pair(a[s], b[s]) for s in sets])
        found = sets[int(np.argmax(promises))]
        if promises.max() > best[0] or cells is not None:
            best = float(promises.max()), found
        elif count > len(best[1]) + 2:
            break
    return best


def _witness(parts: _Parts, aim: _Renyi, level: float, claim: float | None, scores: Any) -> Bound:
    best: tuple[float, _Curve, Array, int] | None = None
    for curve in _curves(scores, *parts.learn, parts.draw):
        for i, (order, divisor) in enumerate(zip(aim.orders, aim.divisors, strict=True)):
            promise, weights = _weights(curve, order, parts, level)
            if best is None or promise / divisor > best[0]:
                best = promise / divisor, curve, weights, i
    if best is None:
        return parts.nothing("witness", level, claim)
    _, curve, weights, i = best
    order = float(aim.orders[i])
    r = exponent(order)
    w, v = (weights[curve.cell(z, curve.thresholds)] for z in parts.test)
    unit = r * float(aim.divisors[i])
    value, p_value = lower_log_ratio(
        w,
        v ** (1 / r),
        power=r,
        level=level,
        tops=(1.0, 1.0),
        floor=0.0,
        claim=None if claim is None else unit * claim,
        rng=parts.draw,
    )
    return Bound(
        value=value / unit,
        level=level,
        witness={
            "method": "witness",
            "score": curve.name,
            "sign": curve.sign,
            "thresholds": curve.thresholds.tolist(),
            "weights": weights.tolist(),
            "alpha": order if order < np.inf else "inf",
        },
        used=parts.used("a score and a function of it", "one bet on both means"),
        extra={"p_value": p_value},
    )


def _weights(curve: _Curve, alpha: float, parts: _Parts, level: float) -> tuple[float, Array]:
    """Return the expected bound, and the weight of each cell, a capped power of p / q that is at most 1."""
    masses = [
        _shrunk_masses(-np.diff(np.concatenate([[1.0], tail, [0.0]])), len(z))
        for tail, z in zip((curve.p, curve.q), parts.learn, strict=True)
    ]
    p, q = masses
    logs = np.log(np.maximum(isotonic_regression(p / q, weights=q).x, 1e-300))
    r = exponent(alpha)
    powers = _STEEP if alpha == np.inf else _POWERS * (alpha - 1)
    caps = np.unique(logs)[1:]
    if not len(caps):
        return -np.inf, np.ones(len(logs))
    below = np.minimum(logs - caps[:, None], 0)  # (caps, cells)
    with np.errstate(invalid="ignore"):
        w = np.where(below == 0, 1.0, np.exp(powers[:, None, None] * below))
    g = w ** (1 / r)
    means, seconds = (w @ p, g @ q), ((w * w) @ p, (g * g) @ q)
    variances = tuple(np.maximum(s - e * e, 0) for s, e in zip(seconds, means, strict=True))
    promises = expected_log_ratio(means, (variances[0], variances[1]), parts.sizes, power=r, top=1.0, level=level) / r
    at = np.unravel_index(int(np.argmax(promises)), promises.shape)
    return float(promises[at]), w[at]


# Helper functions


def _clopper_pearson(above: list[Array], sizes: tuple[int, int], level: float) -> tuple[Array, Array]:
    """Return lower bounds on tails of P and upper bounds on tails of Q, each wrong with at most this probability."""
    (above_p, above_q), (n, m) = above, sizes
    with np.errstate(invalid="ignore"):
        a = np.where(above_p > 0, betaincinv(above_p, n - above_p + 1, level), 0.0)
        b = np.where(above_q < m, betainccinv(above_q + 1, m - above_q, level), 1.0)
    return a, b


def _least_level(rejects: Callable[[float], bool], level: float) -> float:
    """Return the p-value of a test that rejects from some level on, with an exact comparison with `level`."""
    if not rejects(1.0):
        return 1.0
    low, high = (-700.0, np.log(level)) if rejects(level) else (np.log(level), 0.0)
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if rejects(float(np.exp(middle))) else (middle, high)
    return float(min(np.exp(high), level)) if high <= np.log(level) else float(np.exp(high))


def _shrunk(tail: Array, n: int) -> Array:
    return (n * tail + 0.5) / (n + 1)


def _shrunk_masses(masses: Array, n: int) -> Array:
    return (n * masses + 1 / len(masses)) / (n + 1)


def split(z: Array, name: str, learn_from: float, draw: np.random.Generator) -> tuple[Array, Array]:
    if not 0 < learn_from < 1:
        reject("learn_from", learn_from, "in (0, 1)")
    if len(z) < 20:
        reject(name, len(z), "at least 20 draws (this is their number)")
    at, size = draw.permutation(len(z)), min(max(round(learn_from * len(z)), 5), len(z) - 5, _LEARN)
    return z[at[:size]], z[at[size:]]


def split_used(n_learn: int, m_learn: int, n: int, m: int, learnt: str, tested: str) -> dict[str, Any]:
    return {
        "learning": f"{learnt}: {n_learn} draws of the first distribution, {m_learn} of the second",
        "testing": f"{tested}: {n} draws of the first distribution, {m} of the second",
    }


def exponent(alpha: float) -> float:
    return 1.0 if alpha == np.inf else (alpha - 1) / alpha


def one_order(alpha: Any) -> float:
    value = FLOAT64.order(alpha)
    if value.ndim:
        reject("alpha", alpha, "one number")
    return float(value)
