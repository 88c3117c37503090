"""The sides of a claim on symbols agree with those in numbers, in the one case that contains an instance."""

import itertools
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy
from sympy import Expr, Rational, Symbol

from krdtheory.arithmetic import MP
from verification.claim import REGISTRY, Claim
from verification.instances import (
    RATIONALS,
    Distributions,
    Events,
    Fraction01,
    Integers,
    MarkovKernels,
    Order,
    Orders,
    PurePairs,
    Reals,
    Scale,
    build,
    draw,
    multiprecision,
)
from verification.provers import kinds
from verification.provers.derivation import goals
from verification.provers.symbols import Case, Total, cases, free, within
from verification.provers.vocabulary import SymbolicVocabulary
from verification.vocabulary import Vocabulary

KNOWN = (Distributions, Events, Fraction01, Integers, MarkovKernels, Order, Orders, PurePairs, Reals, Scale)
ARITHMETIC = MP(30)
DRAWN, DIGITS = 3, 30


class NotComparedError(Exception):
    """The value of a symbol is not known."""


class Values:
    """The values of the symbols of a case at one instance."""

    def __init__(self, case: Case, parameters: Mapping[str, Any], given: Mapping[str, Any]) -> None:
        self.case = case
        self.numbers: dict[Symbol, Any] = {}
        self.arrays: dict[Symbol, np.ndarray] = {}
        self.sizes: dict[Symbol, int] = {}
        self.rounded = False
        self.fits = all(self._match(parameters[name], value) for name, value in given.items()) and self._holds()
        self.rounded = True  # exact powers would be long

    def _match(self, symbol: Any, value: Any) -> bool:
        if isinstance(symbol, list | tuple):
            if isinstance(value, np.ndarray):  # tests (batch, count, letters)
                value = [value[:, i] for i in range(value.shape[1])]
            return all(self._match(s, v) for s, v in zip(symbol, value, strict=True))
        value = np.asarray(value, dtype=object)
        if symbol in self.case.alphabets:
            axes = sorted(self.case.alphabets[symbol], key=lambda a: (a.name.startswith("cells"), a.name))
            self.arrays[symbol] = value[0]
            for axis, size in zip(axes, value[0].shape, strict=True):
                assert self.sizes.setdefault(axis, size) == size
            return True
        number, e = _rational(value.ravel()[0]), sympy.sympify(symbol)
        if not e.free_symbols:
            return bool(e == number)
        known = {s: self.numbers[s] for s in e.free_symbols if s in self.numbers}
        e = e.xreplace(known)
        if not e.free_symbols:
            return bool(e == number)
        (s,) = e.free_symbols
        found = [r for r in sympy.solve(e - number, s) if _in_range(s, r)]
        if found:
            self.numbers[s] = found[0]
        return bool(found)

    def _holds(self) -> bool:
        everywhere = [sympy.Not(c) for c in self.case.excluded]
        return (
            all(self._true(r, {}) for r in self.case.relations)
            and all(all(self._true(c, at) for at in self._letters(c)) for c in everywhere)
            and all(any(self._true(c, at) for at in self._letters(c)) for c in self.case.present)
        )

    def _letters(self, e: Any) -> Iterator[dict[Symbol, int]]:
        axes = sorted(self.case.ranges(e), key=str)
        if not set(axes) <= set(self.sizes):
            raise NotComparedError(f"the letters of {axes}")
        for index in itertools.product(*(range(self.sizes[a]) for a in axes)):
            yield dict(zip(axes, index, strict=True))

    def _true(self, relation: Any, at: Mapping[Symbol, int]) -> bool:
        return bool(self.at(relation, at) == sympy.true)

    def at(self, e: Any, at: Mapping[Symbol, int]) -> Any:
        """Return an expression at a letter of each alphabet over which it varies."""
        with within(self.case):
            return self._at(e, at)

    def _at(self, e: Any, at: Mapping[Symbol, int]) -> Any:
        e = self.case.unfold(e) if isinstance(e, Expr) else e
        totals = e.atoms(Total)
        outer = [t for t in totals if not any(t is not o and o.has(t) for o in totals)]
        values: dict[Any, Any] = {t: self._total(t, at) for t in outer}
        rest = e.xreplace(values)
        return rest.xreplace({s: self._symbol(s, at) for s in free(rest) if isinstance(s, Symbol)})

    def _total(self, total: Expr, at: Mapping[Symbol, int]) -> Any:
        integrand, *axes = total.args
        if not set(axes) <= set(self.sizes):
            raise NotComparedError(f"the letters of {axes}")
        indices = itertools.product(*(range(self.sizes[a]) for a in axes))
        return sympy.Add(*(self.at(integrand, {**at, **dict(zip(axes, i, strict=True))}) for i in indices))

    def _symbol(self, s: Symbol, at: Mapping[Symbol, int]) -> Any:
        exact = self._exact(s, at)
        return sympy.N(exact, 2 * DIGITS) if self.rounded and not exact.is_Integer else exact

    def _exact(self, s: Symbol, at: Mapping[Symbol, int]) -> Any:
        if s in self.numbers:
            return self.numbers[s]
        if s in self.arrays:
            axes = sorted(self.case.alphabets[s], key=lambda a: (a.name.startswith("cells"), a.name))
            return _rational(self.arrays[s][tuple(at[a] for a in axes)])
        kind, told = self.case.suprema.get(s, ("", None))
        if kind == "letters":
            return sympy.Max(*(self.at(told, i) for i in self._letters(told)))
        if kind == "ratio":
            p, q = told
            pairs = [(self.at(p, i), self.at(q, i)) for i in self._letters(p)]
            return sympy.Max(*(x / y for x, y in pairs if y != 0))
        if kind == "events":
            return self._event(*told)
        raise NotComparedError(f"{s} of kind {kind}")

    def _event(self, value: Any, alphabet: Symbol) -> Any:
        event, out = Symbol("an_event", nonnegative=True), []
        with within(self.case):
            self.case.alphabets[event] = frozenset([alphabet])
            e = value(event)
        for indicator in itertools.product((0, 1), repeat=self.sizes[alphabet]):
            self.arrays[event] = np.array(indicator, dtype=object)
            out.append(sympy.N(self.at(e, {}), DIGITS))
        return sympy.Max(*out)


def _rational(x: Any) -> Any:
    return Rational(x.numerator, x.denominator) if isinstance(x, Fraction) else Rational(int(x))


def _in_range(s: Symbol, value: Any) -> bool:
    return bool(value.is_positive if s.is_positive else value.is_nonnegative if s.is_nonnegative else value.is_real)


def compare(claim: Claim, drawn: int = DRAWN, seed: int = 0) -> int:
    """Return the number of inequalities of random instances whose sides agree on symbols and in numbers; all must."""

    parts = [(case, wanted) for case, wanted in cases(lambda case: goals(claim, case)) if wanted]
    rng, compared = np.random.default_rng(seed), 0
    for dim in (2, 3) * drawn:
        raw = draw(claim.given, rng, 1, dim)
        exact = build(claim.given, raw, RATIONALS)
        numbers = build(claim.given, raw, multiprecision(ARITHMETIC.context))
        sides = claim.sides(Vocabulary(ARITHMETIC), **numbers)
        left, right = (x.ravel() for x in np.broadcast_arrays(*(np.asarray(s, dtype=object) for s in sides)))
        found = [(Values(case, wanted[0].given, exact), wanted) for case, wanted in parts]
        found = [(values, wanted) for values, wanted in found if values.fits]
        assert len(found) == 1, f"{len(found)} cases have the instance {exact}"
        ((values, wanted),) = found
        assert len(wanted) == len(left)
        for goal, *both in zip(wanted, left, right, strict=True):
            for mine, theirs in zip((goal.lhs, goal.rhs), both, strict=True):
                assert _near(values.at(mine, {}), theirs), f"{mine} is {values.at(mine, {})}, not {theirs} at {exact}"
            compared += 1
    return compared


def _near(mine: Any, theirs: Any) -> bool:
    x = sympy.N(mine, DIGITS)
    y = sympy.sympify(str(theirs).replace("inf", "oo")) if not isinstance(theirs, float) else sympy.sympify(theirs)
    if x in (sympy.oo, -sympy.oo) or y in (sympy.oo, -sympy.oo):
        return bool(x == y)
    return bool(abs(x - y) <= sympy.Float("1e-12") * max(1, abs(y)))


def _claims() -> list[Claim]:
    return [c for c in REGISTRY.values() if c.proof is not None and all(type(k) in KNOWN for k in c.given.values())]


NOT_COMPARED = {  # a least level, a nearest distribution, the cells of a score: symbols with a meaning but no formula
    "krd.sec2.limit-inf",
    "colisson.lem19.note",
    "colisson.lem19.note.approximate.corrected",
    "colisson.thm21.tradeoff.corrected",
    "colisson.thm21.tradeoff.best",
    "own.score",
}


@pytest.mark.slow
@pytest.mark.parametrize("claim", [c for c in _claims() if c.id not in NOT_COMPARED], ids=lambda c: c.id)
def test_sides_of_claims(claim):
    assert compare(claim, 1) >= 1


@pytest.mark.slow
@pytest.mark.parametrize("id", sorted(NOT_COMPARED))
def test_symbols_that_are_not_compared_have_no_formula(id):
    with pytest.raises(NotComparedError):
        compare(REGISTRY[id], 1)


PAIR, ORDER = Distributions(2), Order(0)
DEFINITIONS = {
    "renyi": ({"p": PAIR, "a": ORDER}, lambda k, p, a: k.renyi(*p, a)),
    "renyi of one": ({"p": Distributions(1), "a": ORDER}, lambda k, p, a: k.renyi(p[0], p[0], a)),
    "kl": ({"p": PAIR}, lambda k, p: k.kl(*p)),
    "max_divergence": ({"p": PAIR}, lambda k, p: k.max_divergence(*p)),
    "hockey_stick": ({"p": PAIR, "e": Reals(drawn=2)}, lambda k, p, e: k.hockey_stick(*p, e)),
    "hockey_stick at infinity": ({"p": PAIR}, lambda k, p: k.hockey_stick(*p, float("inf"))),
    "total_variation": ({"p": PAIR}, lambda k, p: k.total_variation(*p)),
    "hellinger": ({"p": PAIR}, lambda k, p: k.hellinger(*p)),
    "product": (
        {"p": PAIR, "q": Distributions(2, dim=2), "a": ORDER},
        lambda k, p, q, a: k.renyi(k.product(p[0], q[0]), k.product(p[1], q[1]), a),
    ),
    "through": (
        {"p": PAIR, "K": MarkovKernels(), "a": ORDER},
        lambda k, p, K, a: k.renyi(k.through(p[0], K), k.through(p[1], K), a),
    ),
    "over_events": ({"p": PAIR, "x": Scale()}, lambda k, p, x: k.over_events(lambda P, Q: P - x * Q, *p)),
    "gdp_to_rdp": ({"m": Scale(), "a": ORDER}, lambda k, m, a: k.gdp_to_rdp(mu=m, alpha=a)),
    "pure_to_rdp": ({"e": Scale(drawn=4), "a": ORDER}, lambda k, e, a: k.pure_to_rdp(epsilon=e, alpha=a)),
    "largest": ({"p": PAIR}, lambda k, p: p[0].max(-1) - p[1].min(-1)),
    "where": ({"p": PAIR}, lambda k, p: np.where(p[0] > p[1], p[0], p[1] ** 2).sum(-1)),
    "any": ({"p": PAIR}, lambda k, p: np.where((p[0] > p[1]).any(-1), 1.0, 0.0) + p[0].sum(-1) ** 2),
    "functions": (
        {"x": Scale(positive=True, drawn=4), "a": ORDER},
        lambda k, x, a: k.log(1 + k.exp(x)) + k.sqrt(x) + k.power(x, a) + k.maximum(x, a) - k.minimum(x, a),
    ),
    "pure pairs": ({"p": PurePairs(), "a": ORDER}, lambda k, p, a: k.renyi(*p[0], a) + p[1]),
    "orders": ({"a": Orders(0)}, lambda k, a: a[0] + 2 * a[1]),
    "tests": ({"t": Events(2), "p": Distributions(1)}, lambda k, t, p: ((t[:, 0] - t[:, 1] ** 2) * p[0]).sum(-1)),
    "numbers": (
        {"x": Fraction01(), "y": Scale(high=4, drawn=4), "n": Integers()},
        lambda k, x, y, n: x + 2 * y + n,
    ),
    "reals": ({"x": Reals(high=2, drawn=2), "y": Reals()}, lambda k, x, y: x + 4 * y),
    "two orders in a range": ({"a": Order(1 / 2, 4)}, lambda k, a: a * a),
}


def defined(name: str) -> Claim:
    given, value = DEFINITIONS[name]
    return Claim("own.defined", "", "", given, lambda k, **x: (value(k, **x),) * 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", DEFINITIONS)
def test_definitions(name):
    assert compare(defined(name), 5) >= 10


def test_a_wrong_sign_is_noticed(monkeypatch):
    right = SymbolicVocabulary.kl
    monkeypatch.setattr(SymbolicVocabulary, "kl", lambda self, p, q: right(self, q, p))
    with pytest.raises(AssertionError):
        compare(defined("kl"), 5)


def test_another_order_is_noticed(monkeypatch):
    right = SymbolicVocabulary.renyi
    monkeypatch.setattr(SymbolicVocabulary, "renyi", lambda self, p, q, a: right(self, p, q, 2 * a[0]))
    with pytest.raises(AssertionError):
        compare(defined("renyi"), 5)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("total_variation", lambda x, y: sympy.Abs(x - y)),
        ("hellinger", lambda x, y: 1 - sympy.sqrt(x * y)),
    ],
)
def test_another_term_is_noticed(name, value, monkeypatch):
    def wrong(self, p, q):
        return np.array([self.sum(value, p, q)])

    monkeypatch.setattr(SymbolicVocabulary, name, wrong)
    with pytest.raises((AssertionError, ArithmeticError)):
        compare(defined(name), 5)


def test_a_case_that_is_omitted_is_noticed(monkeypatch):
    monkeypatch.setitem(kinds.BUILDERS, Order, lambda name, kind, case: kinds._order(name, Order(1), case))
    with pytest.raises(AssertionError, match="0 cases"):
        compare(defined("gdp_to_rdp"), 5)
