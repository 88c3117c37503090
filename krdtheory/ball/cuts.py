"""k-cuts of exact weights, as the largest enclosure over a set of maps that contains the best one."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from functools import partial
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
from flint import arb, fmpq

from krdtheory.arithmetic.ball import INF, largest
from krdtheory.arithmetic.base import Array, check_signature, reject
from krdtheory.ball import classical
from krdtheory.ball.inputs import (
    INFINITY,
    extended_numbers,
    mapped,
    renyi_orders,
    require_rational,
    two_weights,
    weight_vectors,
)
from krdtheory.divergences.cuts import LARGEST_SEARCH, cell_count, checked_cells

Gain = Callable[[fmpq, fmpq], Any]  # (mass under p, mass under q) of a cell -> its gain


def k_cut(
    p: Any, q: Any, divergence: Callable[..., Any], k: int, *, quasi_convex: bool = False, digits: int = 50
) -> Any:
    """k-cut of a divergence, as `krdtheory.divergences.cuts.k_cut`.

    If the best cells are intervals of the likelihood ratio, dynamic programming takes the largest enclosure over the
    last cell, so that ties need not be decided.

    Parameters
    ----------
    p, q : array_like, shape (..., n)
        Nonnegative rational weights; p not all zero.
    divergence : callable
        `krdtheory.kl`, `renyi`, `max_divergence`, `hockey_stick`, `total_variation`, `hellinger` or `f_divergence`, of
        krdtheory, `krdtheory.mp` or `krdtheory.ball`, with its parameters through `functools.partial`: O(k n^2). Any
        other is called as divergence(p, q, digits=digits) on lists of k rationals (`flint.fmpq`), returns a ball, and
        is maximised over all maps.
    k : int
        Number of cells, at least 1.
    quasi_convex : bool
        As `krdtheory.divergences.cuts.k_cut`.
    digits : int
        Required number of correct digits.

    Returns
    -------
    arb or array of arb, shape (...)
        The k-cut.

    Raises
    ------
    UndecidedError
        Not certified at the highest precision.
    ValueError, TypeError
        As `krdtheory.divergences.cuts.k_cut`, or balls.

    Examples
    --------
    >>> from functools import partial
    >>> from krdtheory import ball
    >>> p, q = ["1/3"] * 3, ["1/21", "4/21", "16/21"]
    >>> [ball.k_cut(p, q, partial(ball.renyi, alpha=2), k, digits=10).str(7) for k in (2, 3)]
    ['[1.029619 +/- 4.18e-7]', '[1.119232 +/- 4.25e-7]']
    """
    k, arrays = cell_count(k), _weights(p, q)
    if not callable(divergence):
        reject("divergence", divergence, "a callable", TypeError)
    maker = _additive(divergence)
    check_signature(divergence, "divergence", "p", "q", **({} if maker else {"digits": "..."}))
    if maker is None:
        return mapped(lambda x, y: _of_maps(x, y, divergence, k, quasi_convex, digits), arrays, digits)
    sums = maker()
    return mapped(lambda x, y: sums(x, y, k), arrays, digits)


def coarsen(weights: Any, cells: Any, k: int, *, digits: int = 50) -> Any:
    """Weights after a map of the symbols into k cells, as `krdtheory.divergences.cuts.coarsen`.

    Parameters
    ----------
    weights : array_like, shape (..., n)
        Nonnegative weights, exact or balls.
    cells : array_like of int, shape (..., n)
        The cell, 0 to k - 1, of each symbol.
    k : int
        Number of cells.
    digits : int
        Required number of correct digits.

    Returns
    -------
    array of arb, shape (..., k)
        The weights of the cells.

    Raises
    ------
    ValueError, TypeError
        As `krdtheory.divergences.cuts.coarsen`.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.coarsen(["1/2", "1/4", "1/4"], [0, 1, 0], 2))
    [0.750000000000000 0.250000000000000]
    """
    k, x = cell_count(k), weight_vectors(weights, "weights")
    c = checked_cells(cells, len(x.flat[0]) if x.size else 0, k)
    rows = np.empty(c.shape[:-1], dtype=object)
    for index in np.ndindex(rows.shape):
        rows[index] = c[index].tolist()
    return mapped(lambda w, g: _balls(_image(w, g, k)), {"weights": x, "cells": rows}, digits)


def _balls(numbers: list[Any]) -> Array:
    return np.array([arb(x) for x in numbers], dtype=object)


def _weights(p: Any, q: Any) -> dict[str, Array]:
    x, y = two_weights(p, q)
    for values, name in ((x, "p"), (y, "q")):
        require_rational(values, name)
    return {"p": x, "q": y}


def _image(weights: list[Any], cells: Any, k: int) -> list[Any]:
    out = [fmpq(0)] * k
    for weight, cell in zip(weights, cells, strict=True):
        out[cell] = out[cell] + weight
    return out


# Any divergence


def _of_maps(
    x: list[fmpq], y: list[fmpq], divergence: Callable[..., Any], k: int, quasi_convex: bool, digits: int
) -> Any:
    n = len(x)
    count = math.comb(n + k - 1, n) if quasi_convex else k**n
    if count > LARGEST_SEARCH:
        what = f"{n} + k - 1 choose k - 1" if quasi_convex else f"k ** {n}"
        reject("k", k, f"such that there are at most {LARGEST_SEARCH} maps to try ({what} here)")
    order = _by_ratio(x, y)  # intervals of the likelihood ratio are the increasing sequences of cells
    cells = combinations_with_replacement(range(k), n) if quasi_convex else product(range(k), repeat=n)
    p, q = ([weights[i] for i in order] for weights in (x, y))
    images = {(tuple(_image(p, each, k)), tuple(_image(q, each, k))) for each in cells}
    values = []
    for u, v in images:
        value = divergence(list(u), list(v), digits=digits)
        if not isinstance(value, arb) or value.is_nan():
            reject("divergence", value, "a function whose values are balls (flint.arb)", TypeError)
        values.append(value)
    return largest(values)


def _by_ratio(x: list[fmpq], y: list[fmpq]) -> list[int]:
    """Return the symbols by decreasing x / y."""
    return sorted(range(len(x)), key=lambda i: (x[i] > 0 and y[i] == 0, x[i] / y[i] if y[i] > 0 else 0), reverse=True)


# Divergences that are, up to a monotone function, sums over cells of a function of the two masses


def _of_intervals(x: list[fmpq], y: list[fmpq], gain: Gain, k: int) -> Any:
    """Return the largest sum of gains over k intervals of the likelihood ratio."""
    order, n = _by_ratio(x, y), len(x)
    mass, reference = ([sum((w[i] for i in order[:j]), fmpq(0)) for j in range(n + 1)] for w in (x, y))

    def between(i: int, j: int) -> Any:
        return gain(mass[j] - mass[i], reference[j] - reference[i]) if i < j else arb(0)

    k = min(k, n)
    best = [between(0, j) for j in range(n + 1)]
    for last in range(1, k):
        ends = range(n + 1) if last < k - 1 else [n]
        gains = {j: largest([best[j], *(best[i] + between(i, j) for i in range(1, j))]) for j in ends}
        best = [gains.get(j, arb(0)) for j in range(n + 1)]
    return best[n]


def _additive(divergence: Callable[..., Any]) -> Callable[[], Callable[..., Any]] | None:
    """Return what makes the k-cut, a function of p, q and k; None for an unknown divergence."""
    function, options = divergence, {}
    if isinstance(divergence, partial) and not divergence.args:
        function, options = divergence.func, dict(divergence.keywords)
    options.pop("digits", None)
    name, home = (getattr(function, key, "") for key in ("__name__", "__module__"))
    ours = (
        home in _HOMES and getattr(sys.modules.get(home), name, None) is function
    )  # and not a wrapper, which has its name
    return partial(_MAKERS[name], **options) if ours and name in _MAKERS else None


def _sums(formula: Callable[..., Any]) -> Callable[..., Any]:
    """Return the cut of a divergence that is a sum over the cells."""
    return lambda x, y, k: _of_intervals(x, y, lambda u, v: formula([u], [v]), k)


def _hellinger_sums() -> Callable[..., Any]:
    return lambda x, y, k: 1 + _of_intervals(x, y, lambda u, v: classical.hellinger_of([u], [v]) - 1, k)


def _hockey_stick_sums(epsilon: Any) -> Callable[..., Any]:
    e = _one(extended_numbers(epsilon), "epsilon")
    return _sums(lambda u, v: classical.hockey_stick_of(u, v, e))


def renyi_cut(alpha: Any) -> Callable[..., Any]:
    """Return the k-cut of a Renyi divergence, from sums of u^alpha v^(1 - alpha), negated if minimised."""
    a = _one(renyi_orders(alpha), "alpha")

    def value(x: list[fmpq], y: list[fmpq], k: int) -> Any:
        total = sum(x, fmpq(0))
        if k == 1:
            return classical.renyi_of([total], [sum(y, fmpq(0))], a)
        if a == INFINITY:
            return classical.renyi_of(x, y, a)
        if a == 1:
            return _of_intervals(x, y, lambda u, v: classical.kl_of([u], [v]), k) / arb(total)
        sign = 1 if a > 1 else -1
        power = sign * _of_intervals(x, y, lambda u, v: sign * classical.power_term(u, v, a), k)
        return INF if power == 0 else classical.renyi_of_power(power, arb(total), a)

    return value


def _one(values: Array, name: str) -> Any:
    if values.ndim:
        reject(name, values.shape, "one number for all rows (this is its shape)")
    return values[()]


_MAKERS: dict[str, Callable[..., Callable[..., Any]]] = {
    "renyi": renyi_cut,
    "max_divergence": partial(renyi_cut, alpha=float("inf")),
    "kl": lambda: _sums(classical.kl_of),
    "total_variation": lambda: _sums(classical.total_variation_of),
    "hellinger": _hellinger_sums,
    "hockey_stick": _hockey_stick_sums,
    "f_divergence": lambda f, **limits: _sums(classical.f_formula(f, **limits)),
}
_HOMES = {"krdtheory.divergences.classical", "krdtheory.mp", "krdtheory.ball.classical"}
