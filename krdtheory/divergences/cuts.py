"""k-cuts: a divergence restricted to partitions of the alphabet into k cells (for k = 2, to tests).

The k-cut of D is the largest value of D after a map into k cells. A divergence that satisfies data processing is at
least its k-cuts, and it is called k-generated if it equals its k-cut. The hockey-stick divergence and total variation
are 2-generated; no Renyi divergence of order > 1 is k-generated for any k.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from functools import partial, reduce
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from krdtheory.arithmetic import FLOAT64, Arithmetic
from krdtheory.arithmetic.base import Array, Floats, Vector, check_signature, reject
from krdtheory.arithmetic.exact import parts_array
from krdtheory.divergences import classical
from krdtheory.divergences.classical import (
    GENERATORS,
    hockey_stick_terms,
    log_ratio,
    pieces_of,
    renyi_from_ratio,
)
from krdtheory.table import FUNCTIONS

Terms = Callable[[Array, Array], Array]

LARGEST_SEARCH = 10_000_000
LARGE_ALPHABET = 2048  # the number of symbols from which a search between blocks pays
SLACK = 1e-10  # relative slack, far above rounding errors


def k_cut(
    p: ArrayLike,
    q: ArrayLike,
    divergence: Callable[..., Any],
    k: int,
    *,
    quasi_convex: bool = False,
    arithmetic: Arithmetic = FLOAT64,
) -> Floats:
    r"""k-cut of a divergence: the largest divergence after a map of the alphabet into k cells.

    .. math:: \overline{D}^k(p\|q) = \max_{\gamma: [n] \to [k]} D(\gamma(p)\|\gamma(q))

    Maps are deterministic; for jointly quasi-convex D (all divergences of this package) randomised maps do no better,
    as a randomised map is a mixture of deterministic ones (`weak_birkhoff_von_neumann`).

    Parameters
    ----------
    p, q : array_like, shape (..., n)
        Nonnegative weights; p not all zero.
    divergence : callable
        If it is `krdtheory.kl`, `renyi`, `max_divergence`, `hockey_stick`, `total_variation`, `hellinger` or
        `f_divergence`, with its parameters given by `functools.partial`, the best cells are intervals of the likelihood
        ratio and are found by dynamic programming in O(k n log n). Any other is called as divergence(p, q) on arrays
        (..., k), returns (...), and is maximised over all maps: at most 10^7 of them, k^n. In another arithmetic it is
        called with the keyword `arithmetic`.
    k : int
        Number of cells, at least 1; some may stay empty.
    quasi_convex : bool
        The callable is jointly quasi-convex in (p, q) and does not depend on the order of the symbols: only intervals
        of the likelihood ratio are tried, (n + k - 1 choose k - 1) maps.
    arithmetic : Arithmetic
        The number system; ``krdtheory.mp.k_cut`` chooses mpmath.

    Returns
    -------
    float or array, shape (...)
        The k-cut; `k_cut_cells` gives the map.

    Raises
    ------
    ValueError
        As `krdtheory.renyi` and as the divergence; k < 1; more than 10^7 maps; a divergence that is NaN.
    TypeError
        As `krdtheory.renyi`; k is not an integer; the divergence is not a callable.

    Notes
    -----
    A quasi-convex function is largest at an extreme point of the convex hull of the (p(A_c), q(A_c))_c over all
    partitions, that is where each symbol is in the cell with the largest a_c p + b_c q for some numbers a, b. As upper
    envelopes of lines in p / q, these cells are intervals. For D_f the gain of an interval is an inverse Monge array,
    so the best cut points are monotone and are found by divide and conquer.

    References
    ----------
    Balle, Barthe, Gaboardi, Hsu and Sato (2020), Section 3 and Appendix B; Kurkoski and Yagi (2014) for intervals.

    Examples
    --------
    >>> from functools import partial
    >>> import krdtheory
    >>> from krdtheory.divergences.cuts import k_cut
    >>> p, q = [1/3, 1/3, 1/3], [1/21, 4/21, 16/21]
    >>> [round(float(k_cut(p, q, partial(krdtheory.renyi, alpha=2), k)), 6) for k in (1, 2, 3)]
    [0.0, 1.029619, 1.119232]
    >>> round(float(k_cut(p, q, lambda p, q: abs(p - q).max(-1), 2)), 6)
    0.428571
    """
    ar = arithmetic
    x, y = ar.two_weights(p, q)
    cells = _cells(ar, p, q, x, y, divergence, k, quasi_convex)
    images = (ar.result(_merge(ar, v, cells, k)) for v in (x, y))
    return _called(ar, divergence)(*images)


def k_cut_cells(
    p: ArrayLike,
    q: ArrayLike,
    divergence: Callable[..., Any],
    k: int,
    *,
    quasi_convex: bool = False,
    arithmetic: Arithmetic = FLOAT64,
) -> np.ndarray[Any, np.dtype[np.intp]]:
    """The map into k cells that attains `k_cut`.

    Parameters
    ----------
    p, q, divergence, k, quasi_convex, arithmetic
        As `k_cut`.

    Returns
    -------
    array of int, shape (..., n)
        The cell, 0 to k - 1, of each symbol. Intervals are numbered by decreasing likelihood ratio.

    Raises
    ------
    ValueError, TypeError
        As `k_cut`.

    Examples
    --------
    >>> import krdtheory
    >>> from krdtheory.divergences.cuts import k_cut_cells
    >>> k_cut_cells([1, 2, 1], [2, 1, 1], krdtheory.total_variation, 2)
    array([1, 0, 1])
    """
    x, y = arithmetic.two_weights(p, q)
    return arithmetic.result(_cells(arithmetic, p, q, x, y, divergence, k, quasi_convex))


def coarsen(weights: ArrayLike, cells: ArrayLike, k: int, *, arithmetic: Arithmetic = FLOAT64) -> Vector:
    r"""Weights after a map of the symbols into k cells.

    .. math:: \gamma(p)_c = \sum_{i: \gamma(i) = c} p_i

    Parameters
    ----------
    weights : array_like, shape (..., n)
        Nonnegative weights.
    cells : array_like of int, shape (..., n)
        The cell, 0 to k - 1, of each symbol.
    k : int
        Number of cells.
    arithmetic : Arithmetic
        The number system.

    Returns
    -------
    array, shape (..., k)
        The weights of the cells.

    Raises
    ------
    ValueError
        Negative or non-finite weights, cells outside 0 to k - 1, shapes that do not match.
    TypeError
        Weights that are not numeric, cells that are not integers.

    Examples
    --------
    >>> from krdtheory.divergences.cuts import coarsen
    >>> coarsen([0.5, 0.25, 0.25], [0, 1, 0], 2)
    array([0.75, 0.25])
    """
    x, k = arithmetic.weights(weights, "weights"), cell_count(k)
    c = checked_cells(cells, x.shape[-1], k)
    c = arithmetic.lift(c)
    arithmetic.fits(c[..., 0], "cells", x.shape[:-1])
    return arithmetic.result(_merge(arithmetic, x, c, k))


def weak_birkhoff_von_neumann(channel: Any) -> list[tuple[Fraction, tuple[int, ...]]]:
    r"""A channel as a mixture of deterministic maps, in exact rationals.

    .. math:: \gamma(i)(j) = \sum_m a_m [g_m(i) = j], \qquad a_m > 0,\ \sum_m a_m = 1

    Each step takes every row's largest remaining entry for g_m and the smallest of these entries for a_m. Each step
    makes an entry 0, and the last step k of them, so there are at most k (l - 1) + 1 terms, one more than the dimension
    of the channels, which is attained.

    Parameters
    ----------
    channel : array_like, shape (k, l)
        Rows of nonnegative rationals that sum to one: integers, `fractions.Fraction`, strings such as "1/3", floats as
        the dyadic rationals they are.

    Returns
    -------
    list of (Fraction, tuple of int)
        The weights a_m and the maps, g_m(i) being the i-th entry.

    Raises
    ------
    ValueError
        Irrational or negative entries, a row that does not sum to one exactly.
    TypeError
        Entries that are not numbers.

    References
    ----------
    Balle, Barthe, Gaboardi, Hsu and Sato (2020), Appendix A, Theorem 1 (with i in [k] for rows and j in [l] for
    columns throughout; k > l is not needed, and its bound k l on the number of steps is not attained unless k = 1).

    Examples
    --------
    >>> from krdtheory.divergences.cuts import weak_birkhoff_von_neumann
    >>> for weight, cells in weak_birkhoff_von_neumann([["1/2", "1/2"], ["1/3", "2/3"], ["1/5", "4/5"]]):
    ...     print(weight, cells)
    1/2 (0, 1, 1)
    3/10 (1, 0, 1)
    1/6 (1, 1, 0)
    1/30 (1, 0, 0)
    >>> weak_birkhoff_von_neumann([[0.1, 0.9]])
    Traceback (most recent call last):
    ...
    ValueError: channel must have rows that sum to 1 exactly; got one of sum 36028797018963969/36028797018963968
    """
    rows = _rational_rows(channel)
    terms = []
    left = Fraction(1)
    while left:
        cells = tuple(max(range(len(row)), key=row.__getitem__) for row in rows)
        weight = min(row[j] for row, j in zip(rows, cells, strict=True))
        for row, j in zip(rows, cells, strict=True):
            row[j] -= weight
        terms.append((weight, cells))
        left -= weight
    return terms


def _rational_rows(channel: Any) -> list[list[Fraction]]:
    entries, parts = parts_array(channel, "channel")
    if entries.ndim != 2 or not entries.size:
        reject("channel", entries.shape, "a matrix, shape (k, l) (this is its shape)")
    for entry, part in zip(entries.flat, parts.flat, strict=True):
        if part is None or part[1] != 0 or part[0] < 0:
            reject("channel", entry, "of nonnegative rationals")
    rows = [[Fraction(int(x.p), int(x.q)) for x, _ in row] for row in parts]
    for row in rows:
        if sum(row) != 1:
            raise ValueError(f"channel must have rows that sum to 1 exactly; got one of sum {sum(row)}")
    return rows


def cell_count(k: int) -> int:
    """Check and return a number of cells."""
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)):
        reject("k", k, "an integer >= 1", TypeError)
    if k < 1:
        reject("k", k, "an integer >= 1")
    return int(k)


def checked_cells(cells: Any, n: int, k: int) -> Array:
    """Check and return the cells (..., n), 0 to k - 1, of n symbols."""
    c = np.asarray(cells)
    if c.dtype.kind not in "iu":
        reject("cells", cells, "integers", TypeError)
    if c.ndim == 0 or c.shape[-1] != n:
        reject("cells", c.shape, f"one for each of the {n} weights (this is its shape)")
    if ((c < 0) | (c >= k)).any():
        reject("cells", c, f"from 0 to {k - 1}")
    return c


@np.errstate(over="ignore")
def _merge(ar: Arithmetic, x: Array, cells: Array, k: int) -> Array:
    pieces = pieces_of(ar, x, cells)
    return reduce(np.add, (np.stack([(u * (v == c)).sum(-1) for c in range(k)], -1) for u, v in pieces))


def _parts(divergence: Callable[..., Any]) -> tuple[Callable[..., Any], dict[str, Any]]:
    """Return the function and its options; a function of krdtheory.mp is replaced by that of krdtheory."""
    function, options = divergence, {}
    if isinstance(divergence, partial) and not divergence.args:
        function, options = divergence.func, dict(divergence.keywords)
    if getattr(function, "__module__", "") == "krdtheory.mp" and "digits" not in options:
        function = FUNCTIONS[function.__name__].load()
    return function, options


def _test(divergence: Callable[..., Any]) -> dict[str, Any] | None:
    """Return the epsilon of a 2-generated divergence, whose best map is the test p > e^epsilon q; None for others."""
    if not callable(divergence):
        return None
    function, options = _parts(divergence)
    if not isinstance(function, Hashable) or function not in (classical.hockey_stick, classical.total_variation):
        return None
    known = options.keys() == ({"epsilon"} if function is classical.hockey_stick else set())
    return {"epsilon": 0, **options} if known else None


def _called(ar: Arithmetic, divergence: Callable[..., Any]) -> Callable[..., Any]:
    """Return the divergence as a function of arrays of the arithmetic's numbers."""
    if ar is FLOAT64:
        return divergence
    function, options = _parts(divergence)
    return partial(function, **options, arithmetic=ar)


def _cells(
    ar: Arithmetic, p: Any, q: Any, x: Array, y: Array, divergence: Callable[..., Any], k: int, quasi_convex: bool
) -> Array:
    """Return the best map for each row."""
    k = cell_count(k)
    if not callable(divergence):
        reject("divergence", divergence, "a callable", TypeError)
    function, options = _parts(divergence)
    exact = {} if ar is FLOAT64 else {"arithmetic": "..."}
    check_signature(partial(function, **options) if options else function, "divergence", "p", "q", **exact)
    additive = _ADDITIVE.get(function) if isinstance(function, Hashable) else None
    test = _test(divergence) if k > 1 else None
    if test is not None:  # checks the arguments of the divergence, for any weights
        one = np.ones((*np.broadcast_shapes(ar.shape(x)[:-1], ar.shape(y)[:-1]), 1))
        _called(ar, divergence)(one, one)
    elif additive is not None:
        _called(ar, divergence)(p, q)  # checks the arguments of the divergence
    batch = np.broadcast_shapes(x.shape[:-1], y.shape[:-1])
    x, y = (np.broadcast_to(v, batch + v.shape[-1:]) for v in (x, y))
    cells = np.empty(x.shape, dtype=np.intp)
    for index in np.ndindex(batch):
        u, v = x[index], y[index]
        if test is not None:
            terms = _hockey_stick_terms(ar, u, v, **test)
            above = np.concatenate([terms(*piece) > 0 for piece in pieces_of(ar, u, v)])
            cells[index] = ~above if above.any() else 0
        elif additive is not None:
            cells[index] = _best_intervals(u, v, _by_ratio(ar, u, v), k, additive(ar, u, v, **options))
        else:
            maps = interval_maps(_by_ratio(ar, u, v), k) if quasi_convex else all_maps(len(u), k)
            cells[index] = _best_map(ar, u, v, _called(ar, divergence), k, maps)
    return cells


def _by_ratio(ar: Arithmetic, x: Array, y: Array) -> Array:
    """Return the symbols by decreasing x / y."""
    return np.argsort(-np.where(x > 0, log_ratio(ar, x, y), -ar.inf), kind="stable")


# Any divergence


def _search(k: int, log_size: float, what: str) -> None:
    if log_size > math.log(LARGEST_SEARCH) + 1e-9:
        reject("k", k, f"such that there are at most {LARGEST_SEARCH} maps to try ({what} here)")


def all_maps(n: int, k: int) -> Iterator[Array]:
    """Yield all maps of n symbols into k cells, in blocks (m, n)."""
    _search(k, n * math.log(k), f"k ** {n}")
    powers = k ** np.arange(n)
    for start in range(0, k**n, 2**14):
        yield np.arange(start, min(start + 2**14, k**n))[:, None] // powers % k


def interval_maps(order: Array, k: int) -> Iterator[Array]:
    """Yield all maps whose cells are intervals of `order`, in blocks (m, n)."""
    n = len(order)
    _search(k, math.lgamma(n + k) - math.lgamma(k) - math.lgamma(n + 1), f"{n} + k - 1 choose k - 1")
    ends = itertools.combinations_with_replacement(range(n + 1), k - 1)
    while block := list(itertools.islice(ends, 2**14)):
        maps = np.empty((len(block), n), dtype=np.intp)
        maps[:, order] = (np.array(block, dtype=np.intp)[:, :, None] <= np.arange(n)).sum(1)
        yield maps


def _best_map(
    ar: Arithmetic, x: Array, y: Array, divergence: Callable[..., Any], k: int, maps: Iterator[Array]
) -> Array:
    best, cells = None, np.zeros(len(x), dtype=np.intp)
    for block in maps:
        values = np.asarray(divergence(*(_merge(ar, w, block, k) for w in (x, y))))
        if values.shape != block.shape[:1]:
            reject(
                "divergence",
                values.shape,
                f"of shape {block.shape[:1]} on arrays {(len(block), k)} (this is its shape)",
            )
        if (values != values).any():
            reject("divergence", values[values != values][0], "a number on every image")
        i = values.argmax()
        if best is None or values[i] > best:
            best, cells = values[i], block[i]
    return cells


# Divergences that are, up to a monotone function, sums over cells of a function of the two masses


def _terms(ar: Arithmetic, inside: Terms, zero: Any, slope: Any) -> Terms:
    """Return the gain of a cell: `inside` where both masses are positive, with the limits f(0) and f'(inf)."""

    def terms(x: Array, y: Array) -> Array:
        both = (x > 0) & (y > 0)
        values = np.where(both, inside(np.where(both, x, 1), np.where(both, y, 1)), 0 * x)
        values = np.where((x == 0) & (y > 0), np.where(y > 0, y, 1) * zero, values)
        return np.where((y == 0) & (x > 0), np.where(x > 0, x, 1) * slope, values)

    return terms


def _number(value: Array, ar: Arithmetic, name: str) -> Any:
    if ar.shape(value):
        reject(name, ar.shape(value), "one number for all rows (this is its shape)")
    return value.flat[0]


def _f_terms(
    ar: Arithmetic, x: Array, y: Array, f: Any, value_at_zero: Any = None, slope_at_infinity: Any = None
) -> Terms:
    if isinstance(f, str):
        generator, *edges = GENERATORS[f]
        return _terms(ar, partial(generator, ar), *(ar.inf if v is None else v for v in edges))
    limits = (  # limits that are not given are not needed
        _number(ar.parameter(0 if v is None else v, "limit", -np.inf, np.inf, "a real number"), ar, "limit")
        for v in (value_at_zero, slope_at_infinity)
    )
    return _terms(ar, lambda u, v: v * f(u / v), *limits)


def _hockey_stick_terms(ar: Arithmetic, x: Array, y: Array, epsilon: Any) -> Terms:
    e = np.array([_number(ar.parameter(epsilon, "epsilon", -np.inf, np.inf, "a real number"), ar, "epsilon")])
    return lambda u, v: hockey_stick_terms(ar, u, v, e)


def _renyi_terms(ar: Arithmetic, x: Array, y: Array, alpha: Any) -> Terms | None:
    """Return the terms of Q = sum u^alpha v^(1 - alpha), divided by alpha - 1, where u and v are divided by their sums,
    which does not change the best map. If Q is near 1 they are the terms of Q - 1, as differences from u or v;
    otherwise those of Q, scaled to 1 for the finest cells. The computation is in logarithms, as a weight divided by the
    sum may underflow."""
    a = _number(ar.order(alpha), ar, "alpha")
    if a == ar.inf or not (y > 0).any() or (a >= 1 and ((x > 0) & (y == 0)).any()):
        return None
    if a == 1:
        return _f_terms(ar, x, y, "kl")
    low = a < 0.5
    log_x, log_y = (ar.log(w.max()) + ar.log((w / w.max()).sum()) for w in (x, y))
    divergence = renyi_from_ratio(ar, x[None], log_ratio(ar, x, y)[None], np.array([a]))[0] + log_y - log_x
    size = (a - 1) * divergence
    far = size < -0.7 or size > ar.max_exponent / 2
    shift = size if far and abs(size) < ar.inf else 0 * a

    def share(w: Array, log_total: Any) -> Array:
        some = w > 0
        return np.where(some, ar.exp(np.where(some, ar.log(np.where(some, w, 1)) - log_total, 0 * w)), 0 * w)

    def terms(u: Array, v: Array) -> Array:
        both = (u > 0) & (v > 0)
        base, log_total = (v, log_y) if low else (u, log_x)
        ratio = np.where(both, log_ratio(ar, np.where(both, u, 1), np.where(both, v, 1)) - (log_x - log_y), 0 * u)
        exponent = (a if low else a - 1) * ratio
        logs = np.where(both, ar.log(np.where(both, base, 1)) - log_total + exponent - shift, -ar.inf)
        power = ar.exp(np.minimum(logs, ar.max_exponent))
        if far:
            return power / (a - 1)
        near = both & (abs(exponent) < 1)
        part = share(base, log_total)
        growth = np.where(near, part * ar.expm1(np.where(near, exponent, 0 * exponent)), power - part)
        return growth / (a - 1)

    return terms


def _named_terms(ar: Arithmetic, x: Array, y: Array, f: Any, **limits: Any) -> Terms | None:
    """Return the terms of a generator. If p and q differ in size or are almost singular, two named generators use those
    of the Renyi divergence with the same best maps, as in their own sums the differences between maps would be lost."""
    order = {"hellinger": 0.5, "chi_squared": 2.0}.get(f) if isinstance(f, str) else None
    plain = _hellinger_terms(ar) if f == "hellinger" else _f_terms(ar, x, y, f, **limits)
    if order is None:
        return plain
    apart = _renyi_terms(ar, x, y, order)
    top, bottom = x.max(), y.max()
    alike = top / 8 < bottom and bottom / 8 < top
    if alike:
        half = np.array([ar.exp(0 * top) / 2])
        alike = abs(renyi_from_ratio(ar, x[None], log_ratio(ar, x, y)[None], half)[0]) < 1
    return plain if alike else apart


def _hellinger_terms(ar: Arithmetic) -> Terms:
    return _terms(ar, lambda u, v: (ar.sqrt(u) - ar.sqrt(v)) ** 2, 1, 1)


# (arithmetic, p, q, **options) -> the terms of a divergence; None if only the largest ratio matters
_ADDITIVE: dict[Any, Callable[..., Terms | None]] = {
    classical.renyi: _renyi_terms,
    classical.max_divergence: lambda ar, x, y: None,
    classical.kl: partial(_f_terms, f="kl"),
    classical.total_variation: partial(_f_terms, f="total_variation"),
    classical.hellinger: partial(_named_terms, f="hellinger"),
    classical.hockey_stick: _hockey_stick_terms,
    classical.f_divergence: _named_terms,
}


class _IntervalSums:
    """Sums of x over intervals [i, j), each by one addition of positive numbers, so that nothing cancels. They use a
    table of prefix and suffix sums of the blocks of each size 2^h."""

    def __init__(self, x: Array) -> None:
        self.x = x
        padded = np.concatenate([x, np.repeat(0 * x[:1], (1 << (len(x) - 1).bit_length()) - len(x))])
        rows = []
        for h in range((len(padded) - 1).bit_length()):
            halves = padded.reshape(-1, 2, 1 << h)
            left = halves[:, 0, ::-1].cumsum(-1)[:, ::-1]
            rows.append(np.stack([left, halves[:, 1].cumsum(-1)], 1).ravel())
        self.table = np.array(rows) if rows else padded[None]

    @np.errstate(over="ignore")  # for an interval of one symbol, twice its weight is computed and not used
    def __call__(self, i: Array, j: Array) -> Array:
        first, last = np.minimum(i, len(self.x) - 1), np.maximum(j - 1, 0)
        level = np.maximum(np.frexp((first ^ last).astype(float))[1] - 1, 0)
        sums = self.table[level, first] + self.table[level, last]
        return np.where(i >= j, 0 * self.x[first], np.where(first == last, self.x[first], sums))


def _best_intervals(x: Array, y: Array, order: Array, k: int, terms: Terms | None) -> Array:
    """Return the best map into k intervals of `order`, by dynamic programming over the ends of the cells."""
    n, k = len(order), min(k, len(order))
    cells = np.zeros(n, dtype=np.intp)
    if terms is None:
        cells[order[1:]] = min(k - 1, 1)
        return cells
    mass, reference = _IntervalSums(x[order]), _IntervalSums(y[order])

    def gain(i: Array, j: Array) -> Array:
        return terms(mass(i, j), reference(i, j))

    windows = _windows(gain, n, k) if n >= LARGE_ALPHABET and k > 1 else [(0, n)] * (k - 1)
    first, best, starts = 0, 0 * x[:1], []
    for low, high in [*windows, (n, n)]:
        best, start = _last_interval(best, first, np.arange(low, high + 1), gain)
        starts.append(start)
        first = low
    end = n
    for c in range(k - 1, 0, -1):
        start = starts[c][end - (windows[c][0] if c < k - 1 else n)]
        cells[order[start:end]] = c
        end = start
    return cells


def _windows(gain: Callable[[Array, Array], Array], n: int, k: int) -> list[tuple[int, int]]:
    """Return the range in which each of the k - 1 cuts lies.

    The best cuts between blocks of symbols give a lower bound. If a cut is within a block, an upper bound is the gain
    of the block with each of its symbols as a cell, plus the best gains before and after it, as more cells gain more.
    Blocks whose upper bound is below the lower one contain no best cut.
    """
    grid = np.unique(np.linspace(0, n, isqrt(4 * n) + 1).astype(np.intp))
    blocks, symbols = len(grid) - 1, np.arange(n)
    split = np.add.reduceat(gain(symbols, symbols + 1), grid[:-1])
    ends = np.arange(blocks + 1)

    def whole(i: Array, j: Array) -> Array:
        return gain(grid[i], grid[j])

    def before(i: Array, j: Array) -> Array:  # a cut in block i, followed by a cell
        return np.where(i < j, split[np.minimum(i, blocks - 1)], 0) + whole(np.minimum(i + 1, j), j)

    def after(i: Array, j: Array) -> Array:  # the same from the other end
        i, j = blocks - i, blocks - j
        return np.where(j < i, split[i - 1], 0) + whole(j, np.maximum(i - 1, j))

    lower = whole(0 * ends, ends)
    fore, back = [lower], [whole(blocks - ends, 0 * ends + blocks)]
    for _ in range(k - 2):
        lower = _last_interval(lower, 0, ends, whole)[0]
        fore.append(_last_interval(fore[-1], 0, ends, before)[0])
        back.append(_last_interval(back[-1], 0, ends, after)[0])
    least = _last_interval(lower, 0, ends[-1:], whole)[0][0]
    if not abs(least) < np.inf:
        return [(0, n)] * (k - 1)
    least = least - SLACK * (abs(least) + abs(split).sum())
    out: list[tuple[int, int]] = []
    low = 0
    for c in range(k - 1):
        kept = np.flatnonzero(fore[c][:-1] + split + back[k - 2 - c][::-1][1:] >= least)
        if not len(kept):  # p and q are so close that gains are of the order of rounding errors
            return [(0, n)] * (k - 1)
        low = max(low, int(grid[kept[0]]))
        out.append((low, max(low, int(grid[kept[-1] + 1]))))
    return out


def _last_interval(best: Array, first: int, ends: Array, gain: Callable[[Array, Array], Array]) -> tuple[Array, Array]:
    """Return max over first <= i <= j of best[i - first] + gain(i, j) for every j in `ends`, and the first such i.

    These i increase with j, as gain is inverse Monge. They are found for multiples of decreasing powers of two, each
    between those of its neighbours.
    """
    m, last = len(ends), first + len(best) - 1
    values, starts = np.empty(m, dtype=best.dtype), np.full(m + 1, first, dtype=np.intp)
    step = 1 << m.bit_length()
    while step > 1:
        step //= 2
        at = np.arange(step, m + 1, 2 * step)
        if not len(at):
            continue
        low = starts[at - step]
        high = np.where(at + step <= m, starts[np.minimum(at + step, m)], last)
        sizes = np.minimum(high, ends[at - 1]) - low + 1
        place = np.cumsum(sizes) - sizes
        i = np.arange(sizes.sum()) - np.repeat(place - low, sizes)
        sums = best[i - first] + gain(i, np.repeat(ends[at - 1], sizes))
        values[at - 1] = np.maximum.reduceat(sums, place)
        starts[at] = np.minimum.reduceat(np.where(sums == np.repeat(values[at - 1], sizes), i, last), place)
    return values, starts[1:]
