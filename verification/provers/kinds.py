"""Kinds on symbols: a symbolic instance of each kind, a test of membership, and the domain in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy
from sympy import Expr, Integer, Rational, Symbol

from verification.instances import (
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
    PurePairs,
    PureStates,
    Reals,
    Region,
    Scale,
    UpSets,
)
from verification.proof import ProofError
from verification.provers import algebra
from verification.provers.scalars import infinite, is_zero, seen_nonnegative
from verification.provers.symbols import CASE, Case, Total, _named_after
from verification.provers.values import Letters, _array, expression


@dataclass(frozen=True)
class Instance:
    """Symbols for every kind of a claim, in a case.

    `arguments` are passed to the claim's function, and `parameters` are the expressions in them; both are by name.
    """

    arguments: dict[str, Any]
    parameters: dict[str, Any]


def instance(given: Mapping[str, Kind], case: Case) -> Instance:
    """Return a symbolic instance, and record in the case what the kinds imply.

    The families of a kind (`within`) are ignored, so that more than the claim is proved.
    """
    arguments, parameters = {}, {}
    if any(a != b and _named_after(a, b) for a in given for b in given):
        raise ProofError(f"symbols of one name may be taken for those of another: {', '.join(given)}")
    case.names = tuple(given)
    for name, kind in given.items():
        build = BUILDERS.get(type(kind))
        if build is None:
            raise ProofError(f"{type(kind).__name__} has no symbolic instance")
        arguments[name], parameters[name] = build(name, kind, case)
    return Instance(arguments, parameters)


def _positive(name: str) -> Symbol:
    return Symbol(name, positive=True)


def _number(value: float) -> Expr:
    return Rational(*float(value).as_integer_ratio())


def interval(name: str, low: Expr, high: Any, closed: tuple[bool, bool], case: Case) -> Expr:
    """Return a number from low to high, which may be infinite; each finite end that is included is a separate case."""
    options: list[tuple[str, Any]] = []
    if high == sympy.oo:
        inner = low + _positive(name if low == 0 else f"{name}_more")
        options.append((f"{name} > {low}", inner))
    else:
        s = _positive(f"{name}_odds")
        options.append((f"{low} < {name} < {high}", (low + high * s) / (1 + s)))
        if closed[1]:
            options.append((f"{name} = {high}", high))
    if closed[0]:
        options.append((f"{name} = {low}", low))
    return case.choose(options)


def _order(name: str, kind: Order, case: Case) -> tuple[Any, Expr]:
    low, high = _number(kind.low), sympy.oo if np.isinf(kind.high) else _number(kind.high)
    pieces: list[tuple[Expr, Any, tuple[bool, bool]]] = []
    if low < 1:
        top = algebra.minimum(1, high)
        pieces.append((low, top, (kind.closed and low > 0, kind.closed and high < 1)))
    if high > 1:
        pieces.append((algebra.maximum(low, 1), high, (kind.closed and low > 1, kind.closed and high != sympy.oo)))
    bottom, top, ends = case.choose([("", p) for p in pieces])
    alpha = interval(name, bottom, top, ends, case)
    return _array(alpha), alpha


def _orders(name: str, kind: Orders, case: Case) -> tuple[Any, Any]:
    if kind.low > 0 or not np.isinf(kind.high):
        raise ProofError("two orders have a symbolic instance in (0, oo) only")
    s, t = _positive(f"{name}_1"), _positive(f"{name}_2")
    same = [(1 + s, 1 + s), (s / (1 + s), s / (1 + s))]
    apart = [(1 + s, 1 + s + t), (s / (1 + s), 1 + t), (s / (1 + s), (s + t) / (1 + s + t))]
    texts = [
        "1 < first = second",
        "first = second < 1",
        "1 < first < second",
        "first < 1 < second",
        "first < second < 1",
    ]
    low, high = case.choose(list(zip(texts, same + apart, strict=True)))
    return (_array(low), _array(high)), (low, high)


def _scale(name: str, kind: Scale, case: Case) -> tuple[Any, Expr]:
    high = sympy.oo if np.isinf(kind.high) else _number(kind.high)
    e = interval(name, Integer(0), high, (not kind.positive, True), case)
    return _array(e), e


def _real(name: str, kind: Reals, case: Case) -> tuple[Any, Expr]:
    if np.isinf(kind.high):
        s = _positive(name)
        e = case.choose([(f"{name} > 0", s), (f"{name} < 0", -s), (f"{name} = 0", Integer(0))])
    else:
        high = _number(kind.high)
        e = interval(name, -high, high, (True, True), case)
    return _array(e), e


def _part(name: str, kind: Fraction01, case: Case) -> tuple[Any, Expr]:
    e = interval(name, Integer(0), Integer(1), (kind.zero, kind.one), case)
    return _array(e), e


def _integer(name: str, kind: Integers, case: Case) -> tuple[Any, Expr]:
    more = Symbol(f"{name}_more", integer=True, nonnegative=True)
    return _array(kind.low + more), kind.low + more


def _alphabet(dim: int | None) -> Symbol:
    return Symbol(f"letters_{dim or ''}")


def _distributions(name: str, kind: Distributions, case: Case) -> tuple[Any, list[Symbol]]:
    at = _alphabet(kind.dim)
    if kind.dim is not None:
        case.sizes[at] = Integer(kind.dim)
    known = {"positive": True} if kind.full else {"nonnegative": True}
    weights = [Symbol(f"{name}{i}", **known) for i in range(kind.count)]
    for w in weights:
        case.alphabets[w] = frozenset([at])
        case.masses[w, at] = 1
    return [Letters(w, [(at,)]) for w in weights], weights


class _Several:
    """An array (batch, count, letters) that supports indexing of its second axis only."""

    def __init__(self, members: Sequence[Any]) -> None:
        self._members = members

    def __getitem__(self, index: Any) -> Any:
        if not (isinstance(index, tuple) and len(index) == 2 and index[0] == slice(None)):
            raise ProofError("this array can be indexed by [:, i] only")
        return self._members[index[1]]


def _events(name: str, kind: Events, case: Case) -> tuple[Any, list[Symbol]]:
    at = _alphabet(kind.dim)
    if kind.most != 1:
        raise ProofError("tests with values beyond 1 have no symbolic instance")
    tests = [Symbol(f"{name}{i}", nonnegative=True) for i in range(kind.count)]
    for t in tests:
        case.alphabets[t] = frozenset([at])
        case.bounded.append(t)
    return _Several([Letters(t, [(at,)]) for t in tests]), tests


def _functions(name: str, kind: Functions, case: Case) -> tuple[Any, list[Symbol]]:
    at = _alphabet(kind.dim)
    values = [Symbol(f"{name}{i}", real=True) for i in range(kind.count)]
    for v in values:
        case.alphabets[v] = frozenset([at])
    return _Several([Letters(v, [(at,)]) for v in values]), values


def _sign(name: str, kind: Maps, case: Case) -> tuple[Any, int]:
    """Return a map from a single point, which is one number; each of its values is a case of its own."""
    if (kind.size, kind.count) != (1, 1) or kind.image > 8:
        raise ProofError("maps have no symbolic instance: use k.pushed")
    value = case.choose([(f"{name} = {i}", i) for i in range(kind.image)])
    return np.array([[[value]]]), value


def _pure_pairs(name: str, kind: PurePairs, case: Case) -> tuple[Any, Any]:
    """Return two weights, each of which is at most r times the other at every letter."""
    letters, weights = _distributions(name, Distributions(2, kind.dim), case)
    r = 1 + _positive(f"{name}_more")
    case._fact(r * weights[1] - weights[0])
    case._fact(r * weights[0] - weights[1])
    return (letters, _array(r)), (weights, r)


class Spectral:
    """A state of a pair, given by the spectrum of X = sigma^(-1/2) rho sigma^(-1/2) = sum t_i Pi_i.

    The letters are the indices i. Their weights are q_i = tr sigma Pi_i for sigma, and p_i = t_i q_i for rho, which is
    the `first` of the pair. Both states of a pair have the same `partner`.
    """

    def __init__(self, weights: Letters, partner: Any, first: bool) -> None:
        self.weights, self.partner, self.first = weights, partner, first


def _pure_states(name: str, kind: PureStates, case: Case) -> tuple[Any, Any]:
    """Return two states whose spectral weights are a pure pair.

    The conditions rho <= r sigma and sigma <= r rho mean 1 / r <= X <= r.
    """
    (letters, ratio), known = _pure_pairs(name, PurePairs(), case)
    pair = object()
    return ([Spectral(w, pair, first) for w, first in zip(letters, (True, False), strict=True)], ratio), known


def _kernel(name: str, kind: MarkovKernels, case: Case) -> tuple[Letters, Symbol]:
    source, target = _alphabet(kind.points), Symbol(f"cells_{name}")
    k = Symbol(name, nonnegative=True)
    case.alphabets[k] = frozenset([source, target])
    case.masses[k, target] = 1
    return Letters(k, [(source,), (target,)]), k


def deterministic(name: str, source: Symbol) -> Letters:
    """Return a generic map from one alphabet to another, as a kernel of zeros and ones."""
    case = CASE.get()
    k = case.fresh(name, nonnegative=True)
    target = Symbol(f"cells_{k.name}")
    case.alphabets[k] = frozenset([source, target])
    case.masses[k, target] = 1
    case.binary.append(k)
    return Letters(k, [(source,), (target,)])


def _up_set(name: str, kind: UpSets, case: Case) -> tuple[Region, Symbol]:
    n, m = (Symbol(f"{name}_{i}", integer=True, positive=True) for i in "nm")
    return Region(n, m, Symbol(name)), Symbol(name)


BUILDERS: dict[type, Callable[[str, Any, Case], tuple[Any, Any]]] = {
    Order: _order,
    Orders: _orders,
    Scale: _scale,
    Reals: _real,
    Fraction01: _part,
    Integers: _integer,
    Distributions: _distributions,
    Events: _events,
    Functions: _functions,
    Maps: _sign,
    PurePairs: _pure_pairs,
    PureStates: _pure_states,
    MarkovKernels: _kernel,
    UpSets: _up_set,
}


def lies(kind: Kind, argument: Any, case: Case) -> None:
    """Raise unless an argument is shown to be a member of a kind."""
    check = MEMBERS.get(type(kind))
    if check is None:
        raise ProofError(f"membership in {type(kind).__name__} cannot be decided")
    if kind.within:  # the checks know nothing of families
        raise ProofError(f"membership in {' or '.join(kind.within)} cannot be decided")
    check(kind, argument, case)


def _lies_between(e: Expr, low: Any, high: Any, closed: tuple[bool, bool]) -> None:
    if CASE.get().ranges(e):
        raise ProofError(f"{e} varies over the letters")
    if infinite(e):
        raise ProofError(f"{e} is no number")
    ends = [(e - low, closed[0])] + ([(high - e, closed[1])] if high != sympy.oo else [])
    for gap, edge in ends:
        if not seen_nonnegative(gap, strict=not edge):
            raise ProofError(f"{e} is not seen to lie in the range from {low} to {high}")


def _member_order(kind: Order, x: Any, case: Case) -> None:
    e = expression(x)
    low, high = _number(kind.low), sympy.oo if np.isinf(kind.high) else _number(kind.high)
    _lies_between(e, low, high, (kind.closed and kind.low not in (0, 1), kind.closed))
    if not (seen_nonnegative(e - 1, strict=True) or seen_nonnegative(1 - e, strict=True)):
        raise ProofError(f"{e} may be 1")


def _member_scale(kind: Scale, x: Any, case: Case) -> None:
    high = sympy.oo if np.isinf(kind.high) else _number(kind.high)
    _lies_between(expression(x), Integer(0), high, (not kind.positive, True))


def _member_distributions(kind: Distributions, x: Any, case: Case) -> None:
    if len(x) != kind.count:
        raise ProofError(f"{len(x)} distributions instead of {kind.count}")
    for w in x:
        if not isinstance(w, Letters) or len(w.axes) != 1:
            raise ProofError("an argument is not a weight on one alphabet")
        if w.axes != x[0].axes or (kind.dim is not None and w.axes != ((_alphabet(kind.dim),),)):
            raise ProofError("the weights are on different alphabets")
        if not seen_nonnegative(w.e, strict=kind.full) or not is_zero(Total(w.e, *w.axes[0]) - 1):
            raise ProofError(f"{w.e} is not seen to be a distribution")


def _member_orders(kind: Orders, x: Any, case: Case) -> None:
    low, high = x
    for order in x:
        _member_order(kind._one, order, case)
    _lies_between(expression(high), expression(low), sympy.oo, (True, True))


MEMBERS: dict[type, Callable[[Any, Any, Case], None]] = {
    Order: _member_order,
    Orders: _member_orders,
    Scale: _member_scale,
    Fraction01: lambda kind, x, case: _lies_between(expression(x), 0, 1, (kind.zero, kind.one)),
    Distributions: _member_distributions,
}


def domain(given: Mapping[str, Kind]) -> str:
    """Return the domain of the symbolic instances of these kinds in words."""
    return "; ".join(f"{name}: {WORDS[type(kind)](kind)}" for name, kind in given.items())


def _range(low: Any, high: float, closed: tuple[bool, bool]) -> str:
    top = "oo" if np.isinf(high) else f"{high:g}"
    return f"in {'[' if closed[0] else '('}{low:g}, {top}{']' if closed[1] and top != 'oo' else ')'}"


WORDS: dict[type, Callable[[Any], str]] = {
    Order: lambda k: (
        _range(k.low, k.high, (k.closed and k.low not in (0, 1), k.closed))
        + (" without 1" if k.low < 1 < k.high else "")
    ),
    Orders: lambda k: f"two orders {_range(k.low, k.high, (False, True))} without 1",
    Scale: lambda k: _range(0, k.high, (not k.positive, True)),
    Reals: lambda k: "real" if np.isinf(k.high) else _range(-k.high, k.high, (True, True)),
    Fraction01: lambda k: _range(0, 1, (k.zero, k.one)),
    Integers: lambda k: f"an integer >= {k.low}",
    Distributions: lambda k: (
        f"{k.count} distribution{'s' if k.count > 1 else ''}{' of full support' if k.full else ''}"
        " on any finite alphabet"
    ),
    Events: lambda k: f"{k.count} test{'s' if k.count > 1 else ''} on any finite alphabet",
    Functions: lambda k: f"{k.count} real function{'s' if k.count > 1 else ''} on any finite alphabet",
    Maps: lambda k: f"in {{0, ..., {k.image - 1}}}",
    PureStates: lambda k: "every pair of density matrices with rho <= r sigma, sigma <= r rho, r > 1, any dimension",
    PurePairs: lambda k: "every pair with p <= r q, q <= r p, r > 1, on any finite alphabet",
    UpSets: lambda k: "every set of counts (a, b) of n and m trials that is up in a and down in b, any n and m",
    MarkovKernels: lambda k: "every Markov kernel between finite alphabets",
}
