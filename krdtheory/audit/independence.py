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
    for name, (table, labels) in zip("xy", columns, strict=True):
        yield from _ordered(table, labels or names, name)
    (u, labels), (v, others) = columns
    if u.shape == v.shape and labels == others and len(u) >= _LEAST:
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
    if n < _LEAST:
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


def _ordered(table: Array, names: Sequence[str] | None, name: str) -> Iterator[str]:
    n, d = table.shape
    if n < _LEAST:
        return
    ranks = rankdata(np.nan_to_num(table, posinf=np.finfo(float).max, neginf=-np.finfo(float).max), axis=0)
    ranks -= (n + 1) / 2
    limit = -ndtri(_ALARM / (2 * len(_LAGS) * d))
    square = (ranks**2).sum(0)
    for j in np.flatnonzero(square):
        label = _label(names, int(j), name)
        column, values = table[:, j], np.unique(table[:, j])
        if len(values) == n and np.isfinite(values).all() and np.array_equal(values, values[0] + np.arange(n)):
            yield f"{label} counts the outputs: each of {n} numbers in a row comes once"
            continue
        few = len(values) < _FEW
        if not few and ((column[1:] >= column[:-1]).all() or (column[1:] <= column[:-1]).all()):
            yield f"{label} is sorted"
            continue
        if (few and _written_out(column, len(values))) or _lopsided(column):
            continue
        for lag in _LAGS:
            correlation = float((ranks[lag:, j] * ranks[:-lag, j]).sum() / square[j])
            if abs(correlation) * math.sqrt(n) > limit:
                yield f"{label} goes with that of {lag} before (rank correlation {correlation:.2f})"
                break


def _written_out(column: Array, values: int) -> bool:
    """Return whether the column is one run of each value, or a cycle."""
    if (column[1:] != column[:-1]).sum() < values:
        return True
    return any((column[p:] == column[:-p]).all() for p in range(1, 2 * _FEW + 1) if p < len(column))


def _lopsided(column: Array) -> bool:
    """Return whether almost all entries are one value, so that correlations are not normal."""
    other = len(column) - int(np.unique(column, return_counts=True)[1].max())
    return other**2 < _TOGETHER * len(column)


def _paired(x: Array, y: Array, names: Sequence[str] | None) -> Iterator[str]:
    n, d = x.shape
    limit = -ndtri(_ALARM / (2 * d))
    for j in range(d):
        u, v = x[:, j], y[:, j]
        few = min(len(np.unique(u)), len(np.unique(v))) < _FEW
        if few or not (np.isfinite(u).all() and np.isfinite(v).all()) or _lopsided(u) or _lopsided(v):
            continue
        correlation = float(np.corrcoef(rankdata(u), rankdata(v))[0, 1])
        if abs(correlation) * math.sqrt(n - 1) > limit:
            where = "" if names is None and d == 1 else f" in {_label(names, j, '')}"
            yield f"x and y go together{where} (rank correlation {correlation:.2f}), as with the same noise for both"


def _label(names: Sequence[str] | None, j: int, sample: str) -> str:
    what = names[j] if names is not None and j < len(names) else f"column {j}"
    return f"{what} in {sample}" if sample else what
