"""The hypotheses of a claim on its instance, kind by kind, as conditions that a script checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from verification.certificates.recorder import CannotRecordError
from verification.instances import (
    Channels,
    CommutingPairs,
    Distributions,
    Events,
    Fraction01,
    Functions,
    Integers,
    Kind,
    Maps,
    MarkovKernels,
    Order,
    Orders,
    Projections,
    PurePairs,
    PureStates,
    Reals,
    Scale,
    States,
    Unitaries,
    UpSets,
    Vectors,
)

Condition = tuple[str, str]  # in Python, and in words


def conditions(
    given: Mapping[str, Kind], values: Mapping[str, Any], letter: Callable[[str], str] = str
) -> list[Condition]:
    """Return the conditions under which an instance, its names changed by `letter`, lies in the kinds of a claim.

    Raises
    ------
    CannotRecordError
        There is no condition for a kind, or for a family of one.
    """
    out: list[Condition] = []
    free: list[tuple[str, int]] = []
    for name, kind in given.items():
        if type(kind) not in KINDS:
            raise CannotRecordError(f"certificates have no hypotheses of the kind {type(kind).__name__}")
        found = list(KINDS[type(kind)](kind, letter(name), values[name]))
        out += [(condition, f"{name}: {words}") for condition, words in found]
        if kind.within:
            families = [_family(kind, letter(name), one) for one in kind.within]
            words = " or ".join(kind.DOMAINS[one] for one in kind.within)
            out.append((" or ".join(families), f"{name}: {words}"))
        free += [(name, size) for size in kind.free_sizes(values[name])]
    if len({size for _, size in free}) > 1:
        raise CannotRecordError("the sizes of the instance do not agree")
    return out


def _rational(x: float) -> str:
    q = Fraction(x)
    return str(q) if q.denominator == 1 else f"F({q.numerator}, {q.denominator})"


def _between(name: str, low: float | None, high: float, *, open_low: bool, open_high: bool = False) -> str:
    left = "" if low is None else f"{_rational(low)} {'<' if open_low else '<='} "
    right = "" if high == np.inf else f" {'<' if open_high else '<='} {_rational(high)}"
    return f"{left}{name}{right}"


def _order(kind: Order, name: str, _: Any) -> Iterator[Condition]:
    inside = _between(name, kind.low, kind.high, open_low=not kind.closed or kind.low == 0, open_high=not kind.closed)
    yield f"{inside} and {name} != 1", _words(kind)


def _orders(kind: Orders, name: str, value: Any) -> Iterator[Condition]:
    for i in range(2):
        yield from _order(Order(kind.low, kind.high), f"{name}[{i}]", None)
    yield f"{name}[0] <= {name}[1]", "the first is at most the second"


def _scale(kind: Scale, name: str, _: Any) -> Iterator[Condition]:
    yield _between(name, 0, kind.high, open_low=kind.positive), _words(kind)


def _reals(kind: Reals, name: str, _: Any) -> Iterator[Condition]:
    condition = (
        f"isinstance({name}, F)" if kind.high == np.inf else _between(name, -kind.high, kind.high, open_low=False)
    )
    yield condition, _words(kind)


def _fraction(kind: Fraction01, name: str, _: Any) -> Iterator[Condition]:
    yield _between(name, 0, 1, open_low=not kind.zero, open_high=not kind.one), _words(kind)


def _integers(kind: Integers, name: str, _: Any) -> Iterator[Condition]:
    yield f"{name}.denominator == 1 and {_between(name, kind.low, kind.high, open_low=False)}", _words(kind)


def _rows(kind: Distributions, name: str, value: Any) -> Iterator[Condition]:
    size = _sized(name, kind.count, kind.dim or len(value[0][0]))
    weights = f"all(x {'>' if kind.full else '>='} 0 for w in {name} for x in w)"
    yield f"{size} and {weights} and all(sum(w) == 1 for w in {name})", _words(kind)


def _sized(name: str, count: int, dim: int) -> str:
    return (
        f"[len(w) for w in {name}] == {[dim] * count}"
        if count < 4
        else (f"len({name}) == {count} and all(len(w) == {dim} for w in {name})")
    )


def _kernels(kind: MarkovKernels, name: str, value: Any) -> Iterator[Condition]:
    size = _sized(name, kind.points or value.shape[1], kind.cells or value.shape[2])
    yield (
        f"{size} and all(x >= 0 for w in {name} for x in w) and all(sum(w) == 1 for w in {name})",
        _words(kind),
    )


def _events(kind: Events, name: str, value: Any) -> Iterator[Condition]:
    size = _sized(name, kind.count, kind.dim or value.shape[2])
    yield f"{size} and all(0 <= x <= {kind.most} for w in {name} for x in w)", _words(kind)


def _functions(kind: Functions, name: str, value: Any) -> Iterator[Condition]:
    yield _sized(name, kind.count, kind.dim or value.shape[2]), _words(kind)


def _maps(kind: Maps, name: str, value: Any) -> Iterator[Condition]:
    size = _sized(name, kind.count, kind.size)
    yield f"{size} and all(0 <= x < {kind.image} for w in {name} for x in w)", _words(kind)
    yield f"{name} == {value[0].tolist()}", "the formula below is written out for this one"


def _up_sets(kind: UpSets, name: str, value: Any) -> Iterator[Condition]:
    yield (
        f"len({name}) == {value.m} + 1 and {name} == sorted({name}) and {name}[0] >= 0 and {name}[-1] <= {value.n} + 1",
        _words(kind),
    )
    yield f"{name} == {value.staircase[0].tolist()}", "the formula below is written out for this one"


def _vectors(kind: Vectors, name: str, value: Any) -> Iterator[Condition]:
    size = _sized(name, kind.count, kind.dim or value.shape[2])
    yield f"{size} and all(sum(x * x for x in w) == 1 for w in {name})", _words(kind)


def _states(kind: States, name: str, value: Any) -> Iterator[Condition]:
    size = f"[len(a) for a in {name}] == {[len(a[0]) for a in value]}"
    yield f"{size} and all(is_semidefinite(a) and trace(a) > 0 for a in {name})", _words(kind)
    if kind.normalised:
        yield f"all(trace(a) == 1 for a in {name})", "of trace 1"
    if kind.contractions:
        n = len(value[0][0])
        yield f"all(is_semidefinite(plus(identity({n}), a, -1)) for a in {name}[1:])", "at most the identity"


def _unitary(name: str) -> str:
    return f"times(transposed({name}), {name}) == identity(len({name}[0]))"


def _unitaries(kind: Unitaries, name: str, value: Any) -> Iterator[Condition]:
    yield f"{_unitary(name)} and len({name}) == len({name}[0]) == {value.shape[1]}", _words(kind)


def _projections(kind: Projections, name: str, value: Any) -> Iterator[Condition]:
    rank = min(kind.rank, value.shape[1])
    yield f"{_unitary(name)} and len({name}[0]) == {rank}", _words(kind)


def _channels(kind: Channels, name: str, value: Any) -> Iterator[Condition]:
    size = f"len({name}) % {value.out} == 0 and len({name}[0]) == {kind.dim or value.isometry.shape[2]}"
    yield f"{_unitary(name)} and {size}", _words(kind)


def _commuting(kind: CommutingPairs, name: str, value: Any) -> Iterator[Condition]:
    both = f"times({name}[0], {name}[1]) == times({name}[1], {name}[0]) and trace({name}[0]) > 0"
    yield f"all(is_semidefinite(a) for a in {name}) and {both}", _words(kind)


def _pure_pairs(kind: PurePairs, name: str, value: Any) -> Iterator[Condition]:
    yield from _rows(Distributions(2, kind.dim), f"{name}[0]", value[0])
    p, q = (f"{name}[0][{i}]" for i in range(2))
    bounded = f"all(left <= {name}[1] * right and right <= {name}[1] * left for left, right in zip({p}, {q}))"
    yield f"{name}[1] > 1 and {bounded}", "each at most r times the other, r > 1"


def _pure_states(kind: PureStates, name: str, value: Any) -> Iterator[Condition]:
    yield from _states(States(2, normalised=True, dim=kind.dim), f"{name}[0]", value[0])
    p, q = (f"{name}[0][{i}]" for i in range(2))
    bounded = " and ".join(f"is_semidefinite(plus({b}, {a}, -1 / {name}[1]))" for a, b in ((p, q), (q, p)))
    yield f"{name}[1] > 1 and {bounded}", "each at most r times the other, r > 1"


KINDS: Mapping[type[Kind], Callable[..., Iterator[Condition]]] = {
    Order: _order,
    Orders: _orders,
    Scale: _scale,
    Reals: _reals,
    Fraction01: _fraction,
    Integers: _integers,
    Distributions: _rows,
    MarkovKernels: _kernels,
    Events: _events,
    Functions: _functions,
    Maps: _maps,
    UpSets: _up_sets,
    Vectors: _vectors,
    States: _states,
    Unitaries: _unitaries,
    Projections: _projections,
    Channels: _channels,
    CommutingPairs: _commuting,
    PurePairs: _pure_pairs,
    PureStates: _pure_states,
}


def _words(kind: Kind) -> str:
    return kind.domain().split("; of these only")[0].split(", by an isometry")[0]


_LISTS: Mapping[str, str] = {  # families of lists of numbers
    "points": "all(sorted(w)[-1] == 1 for w in {0})",
    "deterministic": "all(x == 0 or x == {most} for w in {0} for x in w)",
    "nonnegative": "all(x >= 0 for w in {0} for x in w)",
    "indicators": "all(x == 0 or x == 1 for w in {0} for x in w)",
    "steps": "all(sum(a != b for a, b in zip(w, w[1:])) <= 1 for w in {0})",
    "axes": "all(x == 0 or x == 1 for w in {0} for x in w)",
    "one sign": "all(x >= 0 for w in {0} for x in w)",
    "orthonormal": "times({0}, transposed({0})) == identity(len({0}))",
    "full": "all(x > 0 for w in {0} for x in w)",
}
_MATRICES: Mapping[str, str] = {  # families of lists of matrices
    "full": "all(rank(a) == len(a) for a in {0})",
    "deficient": "all(rank(a) < len(a) for a in {0})",
    "pure": "all(rank(a) == 1 for a in {0})",
    "diagonal": "all(is_diagonal(a) for a in {0})",
    "real": "all(is_rational(a) for a in {0})",
}


def _family(kind: Kind, name: str, family: str) -> str:
    if isinstance(kind, Channels) and family == "discard":
        return f"{name} == [row[: len({name}[0])] for row in identity(len({name}))]"
    if isinstance(kind, (Unitaries, Projections, Channels)):
        return _MATRICES[family].format(f"[{name}]")
    if isinstance(kind, (PurePairs, PureStates)):
        if family in ("points", "pure"):
            raise CannotRecordError(f"certificates have no hypothesis of {type(kind).__name__} within {family!r}")
        name = f"{name}[0]"
    matrices = isinstance(kind, (States, CommutingPairs, PureStates))
    return (_MATRICES if matrices else _LISTS)[family].format(name, most=getattr(kind, "most", 1))
