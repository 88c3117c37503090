"""Divergences and linear algebra with 240 digits, from their definitions, with mpmath only.

This module checks the refutations of the search, and shares no code with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from mpmath import MPContext

mp = MPContext()
mp.dps = 240
NOISE = mp.mpf(10) ** -110  # eigenvalues this small, relative to the largest, are 0
CLEAR = mp.mpf(10) ** -120  # a violation is larger than this relative to the sides,
ROUNDING = mp.mpf(10) ** -210  # and than this
log, exp, sqrt, inf = mp.log, mp.exp, mp.sqrt, mp.inf
TERM = re.compile(r"[+-]?[^+-]+")


# Instances


def read(value: Any) -> Any:
    """Return an instance in numbers: strings and rationals become numbers, and lists remain lists."""
    if isinstance(value, Mapping):
        return {name: read(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [read(part) for part in value]
    if isinstance(value, (int, Fraction)):
        return _real(Fraction(value))
    if isinstance(value, str):
        return _complex(value)
    raise TypeError(f"an instance is made of lists and rationals; got {value!r}")


def _real(x: Fraction) -> Any:
    return mp.mpf(x.numerator) / x.denominator


def _complex(text: str) -> Any:
    """Return the value of a string such as "1/3", "0.25", "-2*I/3" or "1/3+2*I/3"."""
    parts = [Fraction(0), Fraction(0)]
    for term in TERM.findall(re.sub(r"[\s()]", "", text)):
        imaginary = "I" in term
        plain = term.replace("*I", "").replace("I*", "").replace("I", "1") if imaginary else term
        parts[imaginary] += Fraction(plain)
    return mp.mpc(_real(parts[0]), _real(parts[1])) if parts[1] else _real(parts[0])


@dataclass(frozen=True)
class Violation:
    """Two sides in the wrong order, and by how much."""

    lhs: Any
    rhs: Any
    gap: Any


def worst(pairs: Iterable[tuple[Any, Any]], relation: str) -> Violation | None:
    """Return the clearest violation among pairs of sides."""
    found = []
    for lhs, rhs in pairs:
        if lhs == rhs:
            continue
        gap = abs(lhs - rhs) if relation == "==" else lhs - rhs
        size = max(abs(lhs), abs(rhs))
        if gap == inf or gap > max(CLEAR * size, ROUNDING):
            found.append(Violation(lhs, rhs, gap))
    return max(found, key=lambda v: v.gap, default=None)


# Distributions


def kl(p: Sequence[Any], q: Sequence[Any]) -> Any:
    """Return sum p log(p / q)."""
    if any(x > 0 and y == 0 for x, y in zip(p, q, strict=True)):
        return inf
    return mp.fsum(x * log(x / y) for x, y in zip(p, q, strict=True) if x > 0)


def renyi(p: Sequence[Any], q: Sequence[Any], alpha: Any) -> Any:
    """Return log(sum p^alpha q^(1 - alpha)) / (alpha - 1), alpha > 0 other than 1."""
    if alpha > 1 and any(x > 0 and y == 0 for x, y in zip(p, q, strict=True)):
        return inf
    total = mp.fsum(x**alpha * y ** (1 - alpha) for x, y in zip(p, q, strict=True) if x > 0 and y > 0)
    return inf if total == 0 else log(total) / (alpha - 1)


def max_divergence(p: Sequence[Any], q: Sequence[Any]) -> Any:
    """Return log max p / q."""
    return max(inf if y == 0 else log(x / y) for x, y in zip(p, q, strict=True) if x > 0)


def tv(p: Sequence[Any], q: Sequence[Any]) -> Any:
    """Return half the sum of |p - q|."""
    return mp.fsum(abs(x - y) for x, y in zip(p, q, strict=True)) / 2


def hellinger(p: Sequence[Any], q: Sequence[Any]) -> Any:
    """Return 1 - sum (p q)^(1/2)."""
    return 1 - mp.fsum(sqrt(x * y) for x, y in zip(p, q, strict=True))


def hockey_stick(p: Sequence[Any], q: Sequence[Any], ratio: Any) -> Any:
    """Return sum (p - ratio q)_+."""
    return mp.fsum(max(x - ratio * y, 0) for x, y in zip(p, q, strict=True))


def triangular(p: Sequence[Any], q: Sequence[Any]) -> Any:
    """Return sum (p - q)^2 / (p + q)."""
    return mp.fsum((x - y) ** 2 / (x + y) for x, y in zip(p, q, strict=True) if x + y > 0)


def mix(part: Any, p: Sequence[Any], q: Sequence[Any]) -> list[Any]:
    """Return part p + (1 - part) q."""
    return [part * x + (1 - part) * y for x, y in zip(p, q, strict=True)]


def jensen_shannon(p: Sequence[Any], q: Sequence[Any]) -> Any:
    """Return the mean of the divergences from the mean distribution."""
    middle = mix(mp.mpf(1) / 2, p, q)
    return (kl(p, middle) + kl(q, middle)) / 2


def entropy(p: Sequence[Any]) -> Any:
    """Return - sum p log p."""
    return -mp.fsum(x * log(x) for x in p if x > 0)


def dot(x: Sequence[Any], y: Sequence[Any]) -> Any:
    """Return sum x y."""
    return mp.fsum(a * b for a, b in zip(x, y, strict=True))


def groupings(n: int, cells: int) -> Iterator[tuple[int, ...]]:
    """Yield the maps of n points to this number of cells."""
    return product(range(cells), repeat=n)


# Operators


def matrix(rows: Any) -> Any:
    """Return the matrix of nested lists."""
    return mp.matrix(rows)


def eigh(a: Any) -> tuple[list[Any], Any]:
    """Return eigenvalues, ascending, and eigenvectors of a Hermitian matrix."""
    values, vectors = mp.eighe(a)
    return [mp.re(x) for x in values], vectors


def applied(a: Any, f: Callable[[Any], Any]) -> Any:
    """Return f(A) on the support of A >= 0, and 0 outside."""
    values, vectors = eigh(a)
    noise = NOISE * max(abs(x) for x in values)
    scaled = mp.diag([f(x) if x > noise else mp.mpf(0) for x in values])
    return vectors * scaled * vectors.H


def tr(a: Any) -> Any:
    """Return the real part of the trace."""
    return mp.fsum(mp.re(a[i, i]) for i in range(a.rows))


def supported(a: Any, b: Any) -> bool:
    """Return whether the support of A is in that of B."""
    inside = applied(b, lambda x: mp.mpf(1))
    return bool(tr(a) - tr(a * inside) <= NOISE * tr(a))


def petz(a: Any, b: Any, alpha: Any) -> Any:
    """Return log(tr A^alpha B^(1 - alpha) / tr A) / (alpha - 1)."""
    if alpha > 1 and not supported(a, b):
        return inf
    total = tr(applied(a, lambda x: x**alpha) * applied(b, lambda x: x ** (1 - alpha)))
    return inf if alpha < 1 and total <= NOISE else log(total / tr(a)) / (alpha - 1)


def sandwiched(a: Any, b: Any, alpha: Any) -> Any:
    """Return log(tr (B^s A B^s)^alpha / tr A) / (alpha - 1), s = (1 - alpha) / (2 alpha)."""
    if alpha > 1 and not supported(a, b):
        return inf
    power = applied(b, lambda x: x ** ((1 - alpha) / (2 * alpha)))
    total = tr(applied(power * a * power, lambda x: x**alpha))
    return inf if alpha < 1 and total <= NOISE else log(total / tr(a)) / (alpha - 1)


def maximal(a: Any, b: Any, alpha: Any) -> Any:
    """Return log(tr B (B^(-1/2) A B^(-1/2))^alpha / tr A) / (alpha - 1), alpha > 1."""
    if not supported(a, b):
        return inf
    root = applied(b, lambda x: 1 / sqrt(x))
    return log(tr(b * applied(root * a * root, lambda x: x**alpha)) / tr(a)) / (alpha - 1)


def relative_entropy(a: Any, b: Any) -> Any:
    """Return tr A (log A - log B) / tr A."""
    if not supported(a, b):
        return inf
    return (tr(applied(a, lambda x: x * log(x))) - tr(a * applied(b, log))) / tr(a)


def max_relative_entropy(a: Any, b: Any) -> Any:
    """Return the logarithm of the largest eigenvalue of B^(-1/2) A B^(-1/2)."""
    if not supported(a, b):
        return inf
    root = applied(b, lambda x: 1 / sqrt(x))
    return log(eigh(root * a * root)[0][-1])


def von_neumann(a: Any) -> Any:
    """Return - tr A log A."""
    return -tr(applied(a, lambda x: x * log(x)))


def trace_distance(a: Any, b: Any) -> Any:
    """Return half the sum of the absolute eigenvalues of A - B."""
    return mp.fsum(abs(x) for x in eigh(a - b)[0]) / 2


def fidelity(a: Any, b: Any) -> Any:
    """Return tr (A^(1/2) B A^(1/2))^(1/2)."""
    root = applied(a, sqrt)
    return tr(applied(root * b * root, sqrt))


def through(channel: Mapping[str, Any], a: Any) -> Any:
    """Return the image of A under a channel, given by its Stinespring isometry and its output dimension."""
    isometry, out = matrix(channel["isometry"]), int(channel["out"])
    whole = isometry * a * isometry.H
    environment = isometry.rows // out
    made = mp.zeros(out)
    for i in range(out):
        for j in range(out):
            made[i, j] = mp.fsum(whole[i * environment + e, j * environment + e] for e in range(environment))
    return made


# Membership of an instance in a kind, by the name of the kind and the field


def outside(kind: Any, value: Any) -> str:
    """Return what is wrong with a value (from `read`) as an instance of a kind, or an empty string.

    `within`, the families to which a kind is restricted, is checked by the statements that use it.
    """
    check = CHECKS.get(type(kind).__name__)
    return "no check of this kind" if check is None else check(kind, value)


def _same(x: Any, y: Any) -> bool:
    return bool(abs(x - y) <= CLEAR)


def _distributions(kind: Any, value: Any) -> str:
    if len(value) != kind.count or len({len(p) for p in value}) != 1:
        return f"not {kind.count} lists of one length"
    if kind.dim is not None and len(value[0]) != kind.dim:
        return f"not on {kind.dim} points"
    return _laws(value, getattr(kind, "full", False))


def _laws(rows: Any, full: bool = False) -> str:
    if not all(_same(mp.fsum(p), 1) for p in rows):
        return "does not sum to 1"
    return "" if all(x >= 0 and (x > 0 or not full) for p in rows for x in p) else "weights not allowed"


def _kernel(kind: Any, value: Any) -> str:
    sizes = (kind.points or len(value), kind.cells or len(value[0]))
    return "wrong size" if (len(value), len(value[0])) != sizes else _laws(value)


def _states(kind: Any, value: Any) -> str:
    if len(value) != kind.count:
        return f"not {kind.count} matrices"
    for rows in value:
        a = matrix(rows)
        if a.rows != a.cols or (kind.dim is not None and a.rows != kind.dim):
            return "wrong size"
        if any(not _same(a[i, j], mp.conj(a[j, i])) for i in range(a.rows) for j in range(i + 1)):
            return "not Hermitian"
        values = eigh(a)[0]
        if values[0] < -NOISE * values[-1] or values[-1] <= 0:
            return "not positive"
        if kind.normalised and not _same(tr(a), 1):
            return "trace is not 1"
    return ""


def _isometry(kind: Any, value: Any) -> str:
    v = matrix(value["isometry"])
    if v.rows % int(value["out"]) or int(value["out"]) != kind.out or kind.dim not in (None, v.cols):
        return "wrong size"
    return "" if _isometric(v) else "no isometry"


def _fraction(kind: Any, x: Any) -> str:
    return "" if 0 <= x <= 1 and (kind.zero or x > 0) and (kind.one or x < 1) else "out of range"


def _order(kind: Any, x: Any) -> str:
    inside = kind.low <= x <= kind.high if kind.closed else kind.low < x < kind.high
    return "" if inside and 0 < x < inf and x != 1 else "out of range"


def _scale(kind: Any, x: Any) -> str:
    return "" if 0 <= x <= kind.high and (x > 0 or not kind.positive) else "out of range"


def _integer(kind: Any, x: Any) -> str:
    return "" if x == mp.floor(x) and kind.low <= x <= kind.high else "out of range"


def _tests(kind: Any, value: Any) -> str:
    if len(value) != kind.count or (kind.dim is not None and len(value[0]) != kind.dim):
        return "wrong size"
    return "" if all(0 <= x <= kind.most for row in value for x in row) else "out of range"


def _functions(kind: Any, value: Any) -> str:
    return "" if len(value) == kind.count and kind.dim in (None, len(value[0])) else "wrong size"


def _vectors(kind: Any, value: Any) -> str:
    if len(value) != kind.count or kind.dim not in (None, len(value[0])):
        return "wrong size"
    return "" if all(_same(dot(x, x), 1) for x in value) else "not a unit vector"


def _unitary(kind: Any, value: Any) -> str:
    if len(value) != len(value[0]) or kind.dim not in (None, len(value)):
        return "wrong size"
    return "" if _isometric(matrix(value)) else "not unitary"


def _projection(kind: Any, value: Any) -> str:
    if kind.dim not in (None, len(value)) or len(value[0]) != min(kind.rank, len(value)):
        return "wrong size"
    return "" if _isometric(matrix(value)) else "no isometry"


def _isometric(v: Any) -> bool:
    gram = v.H * v
    return all(_same(gram[i, j], int(i == j)) for i in range(v.cols) for j in range(v.cols))


def _commuting(kind: Any, value: Any) -> str:
    a, b = map(matrix, value)
    if (a.rows, a.cols) != (b.rows, b.cols) or a.rows != a.cols or kind.dim not in (None, a.rows):
        return "wrong size"
    size = tr(a) + tr(b)
    for x in (a, b):
        if max(abs(x[i, j] - mp.conj(x[j, i])) for i in range(x.rows) for j in range(x.rows)) > CLEAR * size:
            return "not Hermitian"
        if eigh(x)[0][0] < -NOISE * size:
            return "not positive"
    gap = a * b - b * a
    if max(abs(gap[i, j]) for i in range(a.rows) for j in range(a.rows)) > CLEAR * size**2:
        return "do not commute"
    return "" if tr(a) > 0 else "the first is 0"


def _pure_pair(kind: Any, value: Any) -> str:
    (p, q), ratio = value
    if kind.dim not in (None, len(p)) or len(p) != len(q):
        return "wrong size"
    if not ratio > 1 or any(x - ratio * y > CLEAR or y - ratio * x > CLEAR for x, y in zip(p, q, strict=True)):
        return "out of range"
    return _laws([p, q])


def _up_set(kind: Any, value: Any) -> str:
    steps, n, m = value["staircase"], int(value["n"]), int(value["m"])
    good = len(steps) == m + 1 and all(0 <= x <= n + 1 for x in steps) and sorted(steps) == list(steps)
    return "" if good and n >= 1 and m >= 1 else "no up-set"


CHECKS: dict[str, Callable[[Any, Any], str]] = {
    "Distributions": _distributions,
    "MarkovKernels": _kernel,
    "States": _states,
    "Channels": _isometry,
    "Fraction01": _fraction,
    "Order": _order,
    "Scale": _scale,
    "Integers": _integer,
    "Events": _tests,
    "Functions": _functions,
    "Vectors": _vectors,
    "UpSets": _up_set,
    "Unitaries": _unitary,
    "Projections": _projection,
    "CommutingPairs": _commuting,
    "PurePairs": _pure_pair,
}
