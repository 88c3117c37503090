r"""Evidence that outputs are dependent, in their order and in their frequencies.

An audit assumes that every output was drawn anew. If not, a private mechanism is rejected far more often than the level
says, so the following patterns cause a warning. The false-alarm rate of each is at most 1e-6 for a sample of
independent outputs of any distribution; for the correlations, as far as rank correlations are normal.

- *A repeated sample*: every output occurs a multiple of g > 1 times, which has probability at most 2^-k for k different
  outputs; or too many occur exactly k times: of the values that occur k - 1, k or k + 1 times a share of at most
  1 / (1 + 2 sqrt(k / (k + 1))) occurs k times, whatever the distribution (the share for a Poisson count at the worst
  mean).
- *A batch given twice*: too many outputs recur a fixed number of places later.
- *Serial correlation*: of the ranks of a column with those 1, 2 and 3 outputs before. Columns of few values that list
  counts (one run for each value, or a fixed cycle) are exempt.
- *A column that counts rows*, and *sorted outputs*.
- *The same noise for both inputs*: the i-th output in x and the i-th in y are correlated.

Noise that was drawn once for all outputs, and outputs that were omitted because of their values, cannot be detected.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtri
from scipy.stats import binom, poisson, rankdata

from krdtheory.arithmetic.base import Array
from krdtheory.audit.outputs import FIXED, Encoder, Release, keys

_ALARM = 1e-6
_LEAST = 20  # outputs
_FEW = 10  # different values, below which a column may list counts
_MOST = 20_000  # outputs that are examined
_OBJECTS = 2_000  # objects whose features are examined
_COLUMNS = 100
_LAGS = (1, 2, 3)
_RARE = 0.05  # probability that two outputs are equal, above which repetition is no evidence
_TOGETHER = 16  # the least expected number of adjacent pairs without the most common value
_AGAIN = 5  # the least number of recurring outputs


class DependentReleases(UserWarning):
    """The outputs do not look independent, as the level of an audit requires."""


def warn(found: Iterable[str], said: Sequence[str] = (), stacklevel: int = 3) -> tuple[str, ...]:
    """Warn of findings that are new, and return them."""
    new = tuple(text for text in dict.fromkeys(found) if text not in said)
    for text in new:
        message = f"{text}: where outputs are not independent, the level does not hold"
        warnings.warn(message, DependentReleases, stacklevel=stacklevel)
    return new


def in_one_place(x: Any, y: Any) -> bool:
    """Return whether two samples share memory, so that the second may have overwritten the first."""
    if isinstance(x, np.ndarray) and isinstance(y, np.ndarray):
        return x.size > 0 and np.shares_memory(x, y)
    if not hasattr(x, "__len__") or not len(x):
        return False
    if x is y:
        return True
    lists = isinstance(x, list) and isinstance(y, list) and len(y) > 0 and not isinstance(x[0], FIXED)
    return lists and len({_place(one) for one in (*x, *y)}) == 1


def one_object(z: Any, name: str) -> list[str]:
    """Return a warning if all entries of a list are one mutable object."""
    if not isinstance(z, list) or len(z) < 2 or isinstance(z[0], FIXED) or len({_place(one) for one in z}) > 1:
        return []
    return [f"all outputs in {name} are one object in memory, as of a mechanism that fills one array again and again"]


def _place(value: Any) -> int:
    """Return the address of an object in memory."""
    return int(value.__array_interface__["data"][0]) if isinstance(value, np.ndarray) else id(value)


def suspicions(x: Array, y: Array, names: Sequence[str] | None = None) -> Iterator[str]:
    """Yield descriptions of the evidence against independence within each sample and between the two.

    Parameters
    ----------
    x, y : array
        From `krdtheory.audit.outputs.read_two`, in their original order.
    names : sequence of str, optional
        Of the columns.

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit.independence import suspicions
    >>> x, y = np.random.default_rng(0).normal(size=(2, 100, 1))
    >>> list(suspicions(x, y))
    []
    >>> list(suspicions(np.tile(x, (2, 1)), y))[0]
    'each of 100 outputs in x comes a multiple of 2 times, as in a sample that is repeated'
    """
    x, y = x[-_MOST:], y[-_MOST:]
    try:
        columns = [_columns(z) for z in (x, y)]
        for name, z in (("x", x), ("y", y)):
            yield from _repeated(z, name)
    except (TypeError, ValueError):  # objects without features, which only scores given by the user can handle
        return
    tables = [_Table.of(table) if len(table) >= _LEAST else None for table, _ in columns]
    for name, table, (_, labels) in zip("xy", tables, columns, strict=True):
        if table is not None:
            yield from _ordered(table, labels or names, name)
    (u, v), (labels, others) = tables, (labels for _, labels in columns)
    if u is not None and v is not None and u.columns.shape == v.columns.shape and labels == others:
        yield from _paired(u, v, labels or names)


def _columns(z: Array) -> tuple[Array, list[str] | None]:
    """Return numbers (n, d) to examine, and their names if they are features of objects."""
    if z.ndim == 2:
        return z[:, :: -(-z.shape[1] // _COLUMNS)], None
    if len(z) and isinstance(z[0], Release):
        some = z[-_OBJECTS:]
        encoder = Encoder(some)
        return encoder(some)[:, :_COLUMNS], encoder.names[:_COLUMNS]
    _, codes = np.unique(z.astype(str), return_inverse=True)
    return codes[:, None] / 2, ["text"]  # halves, so that different texts do not look like row numbers


def _repeated(z: Array, name: str) -> Iterator[str]:
    n = len(z)
    if n < _LEAST or (z.ndim == 2 and len(np.unique(z[:, 0])) == n):  # no two are equal if no two of a column are
        return
    _, codes, counts = np.unique(keys(z), return_inverse=True, return_counts=True)
    # for a Poisson number of outputs; for exactly n of them probabilities are at most e sqrt(n) times as large
    alarm = _ALARM / (3 * math.sqrt(n))
    times = np.bincount(counts, minlength=counts.max() + 3).astype(int)
    divisor = int(np.gcd.reduce(counts))
    if divisor > 1 and 0.5 ** len(counts) < alarm:
        often = f"a multiple of {divisor} times, as in a sample that is repeated"
        yield f"each of {len(counts)} outputs in {name} comes {often}"
    else:
        k = np.flatnonzero(times[:-1] > 0)
        k = k[k > 1]
        near = times[k - 1] + times[k] + times[k + 1]
        tail = binom.sf(times[k] - 1, near, 1 / (1 + 2 * np.sqrt(k / (k + 1)))) * max(len(k), 1)
        for one in k[tail < alarm][:1]:
            yield f"{times[one]} outputs in {name} come exactly {one} times, as in a sample that is repeated"
    collision = float((counts * (counts - 1.0)).sum() / (n * (n - 1.0)))
    if 0 < collision < _RARE:
        order = np.argsort(codes, kind="stable")
        apart = np.diff(order)[np.diff(codes[order]) == 0]
        lags = np.bincount(apart)
        lag = int(lags.argmax())
        if lags[lag] >= _AGAIN and poisson.sf(lags[lag] - 1, (n - lag) * collision) * n < _ALARM:
            yield f"{lags[lag]} outputs in {name} come again {lag} later, as in a batch that is given twice"


@dataclass(frozen=True, eq=False)
class _Table:
    """Columns of numbers (d, n), in their order and sorted, with statistics of each column (d,)."""

    columns: Array
    values: Array  # sorted, NaN last
    different: Array  # the number of different values
    lopsided: Array  # whether almost all entries are one value, so that correlations are not normal
    ranks: Array  # (d, n), with mean 0
    square: Array  # the sum of the squared ranks

    @classmethod
    def of(cls, table: Array) -> _Table:
        columns = np.ascontiguousarray(table.T)
        d, n = columns.shape
        order = np.argsort(columns, axis=1)
        values = np.take_along_axis(columns, order, axis=1)
        new = (values[:, 1:] != values[:, :-1]) & ~np.isnan(values[:, :-1])
        codes = np.concatenate([np.zeros((d, 1), dtype=int), np.cumsum(new, axis=1)], axis=1)
        most = max(n - math.isqrt(_TOGETHER * n - 1), 1)  # the least number with (n - most)^2 < _TOGETHER n
        if (codes[:, -1] == n - 1).all():
            ranks = np.empty((d, n))
            np.put_along_axis(ranks, order, np.arange((1 - n) / 2, n / 2)[None], axis=1)
        else:
            largest = np.finfo(float).max
            ranks = rankdata(np.nan_to_num(columns, posinf=largest, neginf=-largest), axis=1) - (n + 1) / 2
        lopsided = (codes[:, most - 1 :] == codes[:, : n - most + 1]).any(1)
        return cls(columns, values, codes[:, -1] + 1, lopsided, ranks, (ranks**2).sum(1))


def _ordered(table: _Table, names: Sequence[str] | None, name: str) -> Iterator[str]:
    z, ranks = table.columns, table.ranks
    d, n = z.shape
    limit = -ndtri(_ALARM / (2 * len(_LAGS) * d))
    counting = (table.values == table.values[:, :1] + np.arange(n)).all(1)
    few = table.different < _FEW
    is_sorted = ~few & ((z[:, 1:] >= z[:, :-1]).all(1) | (z[:, 1:] <= z[:, :-1]).all(1))
    square = np.where(table.square > 0, table.square, 1)
    correlations = [(lag, (ranks[:, lag:] * ranks[:, :-lag]).sum(1) / square) for lag in _LAGS]
    for j in np.flatnonzero(table.square):
        label = _label(names, int(j), name)
        if counting[j]:
            yield f"{label} counts the outputs: each of {n} numbers in a row comes once"
        elif is_sorted[j]:
            yield f"{label} is sorted"
        elif not table.lopsided[j] and not (few[j] and _written_out(z[j], table.different[j])):
            for lag, correlation in correlations:
                if abs(correlation[j]) * math.sqrt(n) > limit:
                    yield f"{label} goes with that of {lag} before (rank correlation {correlation[j]:.2f})"
                    break


def _written_out(column: Array, values: int) -> bool:
    """Return whether the column is one run of each value, or a cycle."""
    if (column[1:] != column[:-1]).sum() < values:
        return True
    return any((column[p:] == column[:-p]).all() for p in range(1, 2 * _FEW + 1) if p < len(column))


def _paired(x: _Table, y: _Table, names: Sequence[str] | None) -> Iterator[str]:
    d, n = x.columns.shape
    limit = -ndtri(_ALARM / (2 * d))
    plain = [np.isfinite(z.values).all(1) & (z.different >= _FEW) & ~z.lopsided for z in (x, y)]
    for j in np.flatnonzero(plain[0] & plain[1]):
        correlation = float((x.ranks[j] * y.ranks[j]).sum() / math.sqrt(x.square[j] * y.square[j]))
        if abs(correlation) * math.sqrt(n - 1) > limit:
            where = "" if names is None and d == 1 else f" in {_label(names, int(j), '')}"
            yield f"x and y go together{where} (rank correlation {correlation:.2f}), as with the same noise for both"


def _label(names: Sequence[str] | None, j: int, sample: str) -> str:
    what = names[j] if names is not None and j < len(names) else f"column {j}"
    return f"{what} in {sample}" if sample else what
