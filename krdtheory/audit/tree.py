"""Small decision trees that tell two samples apart, by histograms of the columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from krdtheory.arithmetic.base import Array

_CUTS = 255  # the most thresholds of a column, at equal steps of its ranks, and as many where values repeat
_ALL_CUTS = 2**16  # the most of all columns
_AT_ONCE = 2**18  # entries that are counted together, which fit into the cache


@dataclass(frozen=True, eq=False)
class Node:
    """A node of a tree.

    Attributes
    ----------
    share : float
        The share of the first sample among its rows.
    column : int
        The column of its split, -1 for a leaf.
    threshold : float
        Rows whose value is at most this are in its left part.
    left, right : int
        The parts' places in the tree.
    """

    share: float
    column: int = -1
    threshold: float = np.nan
    left: int = -1
    right: int = -1


@dataclass(eq=False)
class _Part:
    """A part of the rows: its place in the tree, its best cut, and by how much this decreases the impurity.

    The counts are those of rows in each bin of each column, (2, columns, bins), of the first sample and of both.
    """

    place: int
    rows: Array
    counts: Array
    gain: float = 0.0
    column: int = -1
    cut: int = -1

    def look(self, least: int) -> None:
        """Find the best cut: the impurity of shares a / n decreases by (a' n - a n')^2 / (n n' (n - n'))."""
        first, below = np.add.accumulate(self.counts, axis=2, dtype=float)
        many, n = first[0, -1], below[0, -1]
        rest = n - below
        gain = (first * n - many * below) ** 2 / np.maximum(below * rest, 1)
        gain[np.minimum(below, rest) < least] = 0
        self.column, self.cut = divmod(int(gain.argmax()), gain.shape[1])
        self.gain = float(gain[self.column, self.cut] / n)


def grow(x: Array, y: Array, leaves: int, least: int) -> list[Node]:
    """Return a tree, the root first, in which each split decreases the Gini impurity the most, over all leaves.

    Parameters
    ----------
    x, y : array, shapes (n, d) and (m, d)
        Finite numbers.
    leaves, least : int
        The most leaves, and the least rows of each.

    References
    ----------
    Breiman, Friedman, Olshen and Stone (1984).

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit.tree import grow, predict
    >>> x, y = np.array([[0.0, 5], [1, 6], [2, 5]]), np.array([[0.0, 7], [1, 8], [2, 9]])
    >>> tree = grow(x, y, leaves=2, least=1)
    >>> tree[0].column, tree[0].threshold, predict(tree, {1: y[:, 1]}, 3).tolist()
    (1, 6.5, [0.0, 0.0, 0.0])
    """
    codes, thresholds = _binned(np.concatenate([x, y]))
    bins, n = thresholds.shape[1] + 1, len(x)
    rows = np.arange(n + len(y))
    root = _Part(0, rows, _counted(codes, rows, n, bins))
    root.look(least)
    tree, parts = [Node(n / len(rows))], [root]
    while len(parts) < leaves:
        best = max(parts, key=lambda part: part.gain)
        if best.gain <= 0:
            break
        inside = codes[best.column, best.rows] <= best.cut
        new = [best.rows[inside], best.rows[~inside]]
        small = int(len(new[1]) < len(new[0]))
        counts = _counted(codes, new[small], n, bins)
        both = [counts, best.counts - counts][:: -1 if small else 1]
        here, threshold = len(tree), float(thresholds[best.column, best.cut])
        tree[best.place] = Node(tree[best.place].share, best.column, threshold, here, here + 1)
        parts.remove(best)
        for place, rows, counts in zip((here, here + 1), new, both, strict=True):
            tree.append(Node(float(counts[0, 0].sum() / len(rows))))
            parts.append(_Part(place, rows, counts))
            if len(parts) < leaves and len(rows) >= 2 * least:
                parts[-1].look(least)
    return tree


def predict(tree: list[Node], columns: dict[int, Array], n: int) -> Array:
    """Return the share of the first sample in the leaf of each of n rows, from the columns that the tree splits."""
    out = np.empty(n)
    parts = [(tree[0], np.arange(n))]
    while parts:
        node, rows = parts.pop()
        if node.column < 0:
            out[rows] = node.share
            continue
        inside = columns[node.column][rows] <= node.threshold
        parts += [(tree[node.left], rows[inside]), (tree[node.right], rows[~inside])]
    return out


def splits(tree: list[Node]) -> Iterator[Node]:
    """Yield the nodes that are no leaves, from the root down."""
    places = [0]
    while places:
        node = tree[places.pop(0)]
        if node.column >= 0:
            yield node
            places += [node.left, node.right]


def _binned(z: Array) -> tuple[Array, Array]:
    """Return for each column (d, n) the number of the bin of each row, and the thresholds between bins (d, bins - 1).

    Bins begin at ranks in equal steps, moved to the first of equal values, and also after these. Values that are equal
    in float32 count as equal.
    """
    n, d = z.shape
    cuts = np.unique(np.linspace(0, n, min(n, 1 + min(_CUTS, _ALL_CUTS // d)), endpoint=False).astype(int))[1:]
    codes, thresholds = np.empty((d, n), dtype=np.uint16), np.full((d, 2 * len(cuts)), np.inf)
    size, tied = max(_AT_ONCE // n, 1), False
    for k in range(0, d, size):
        columns = np.ascontiguousarray(z[:, k : k + size].T)
        order, new = _sorted(columns)
        mine = np.broadcast_to(cuts, (len(columns), len(cuts)))
        if not new.all():
            tied = True
            first = np.maximum.accumulate(np.where(new, np.arange(n), 0), axis=1)
            last = np.minimum.accumulate(np.where(np.roll(new, -1, axis=1), np.arange(n), n)[:, ::-1], axis=1)[:, ::-1]
            mine = np.sort(np.concatenate([first[:, cuts], last[:, cuts] + 1], axis=1), axis=1)
        sizes = np.diff(mine, axis=1, prepend=0, append=n)
        numbers = np.tile(np.arange(sizes.shape[1], dtype=np.uint16), len(columns))
        np.put_along_axis(codes[k : k + size], order, np.repeat(numbers, sizes.ravel()).reshape(-1, n), axis=1)
        places = (np.take_along_axis(order, np.clip(mine - j, 0, n - 1), axis=1) for j in (1, 0))
        below, above = (np.take_along_axis(columns, place, axis=1) for place in places)
        middle = below + (above - below) / 2
        thresholds[k : k + size, : mine.shape[1]] = np.where(middle < above, middle, below)  # despite rounding
    return codes, thresholds if tied else thresholds[:, : len(cuts)]


def _sorted(columns: Array) -> tuple[Array, Array]:
    """Return the order of the float32 values of each row, and where in this order a new value begins.

    Integers of 64 bits, of which the upper half is the value and the lower half the place, are sorted faster than
    places by their values.
    """
    bits = (columns.astype(np.float32) + np.float32(0)).view(np.int32)  # without -0
    bits ^= (bits >> 31) & 0x7FFFFFFF  # negative numbers descend
    keys = bits.astype(np.int64) << 32
    keys |= np.arange(columns.shape[1])
    keys.sort(axis=1)
    values, new = keys >> 32, np.ones(keys.shape, dtype=bool)
    np.not_equal(values[:, 1:], values[:, :-1], out=new[:, 1:])
    return keys & 0xFFFFFFFF, new


def _counted(codes: Array, rows: Array, n: int, bins: int) -> Array:
    """Return how many of these rows are in each bin, (2, columns, bins), of those before the n-th and of all."""
    d = len(codes)
    out = np.empty((2, d, bins), dtype=int)
    size = max(_AT_ONCE // max(len(rows), 1), 1)
    second = rows >= n
    for k in range(0, d, size):
        some = codes[k : k + size, rows]
        places = some + (np.arange(len(some))[:, None] + len(some) * second) * bins
        found = np.bincount(places.ravel(), minlength=2 * len(some) * bins).reshape(2, -1, bins)
        out[0, k : k + size], out[1, k : k + size] = found[0], found[0] + found[1]
    return out
