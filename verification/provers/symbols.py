"""A claim's function on symbols: one generic letter stands for an alphabet, and a case for a range of parameters.

A distribution is not a list of weights but one symbol, its weight at a generic letter of a finite alphabet, with a
known total of 1. A sum over letters is a `Total`, which is linear and otherwise opaque unless its value is known. A
comparison that the assumptions do not decide opens two cases, and the function is run again for the second one. What a
case assumes is recorded, and a proof may use nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import sympy
from sympy import Add, And, Eq, Expr, Ge, Gt, Integer, Mul, Not, Symbol

from verification.proof import ProofError
from verification.provers import algebra
from verification.provers.scalars import Opaque, infinite, is_zero, opaque, replaced, seen_nonnegative

MAX_CASES = 600


class Total(Opaque):
    """The sum of an expression over the letters of some alphabets: linear, and 1 for a weight of known total 1."""

    def __new__(cls, integrand: Any, *alphabets: Symbol) -> Any:
        known = cls._evaluated(sympy.sympify(integrand), *alphabets)
        return Expr.__new__(cls, sympy.sympify(integrand), *alphabets) if known is None else known

    @classmethod
    def _evaluated(cls, integrand: Expr, *alphabets: Symbol) -> Expr | None:
        case = CASE.get()
        terms = Add.make_args(algebra.expand(integrand))
        if len(terms) > 1:
            return Add(*(cls(t, *alphabets) for t in terms))
        if integrand == 0:
            return Integer(0)
        if len(alphabets) > 1:
            apart = _independent(case, Mul.make_args(terms[0]), alphabets)
            if len(apart) > 1:  # a sum of products of independent factors is the product of their sums
                return Mul(*(cls(Mul(*factors), *own) if own else Mul(*factors) for factors, own in apart))
        if len(alphabets) > 1:  # sum over one alphabet at a time, first where the sum is known
            for a in alphabets:
                rest = tuple(b for b in alphabets if b != a)
                inner = cls(terms[0], a)
                if not inner.has(Total):
                    return cls(inner, *rest)
        local = [f for f in Mul.make_args(terms[0]) if case.lives(f, alphabets)]
        outside = Mul(*(f for f in Mul.make_args(terms[0]) if not case.lives(f, alphabets)))
        inside = Mul(*local)
        if len(alphabets) == 1 and (inside, alphabets[0]) in case.masses:
            return outside
        if len(alphabets) == 1:  # exchange two sums if that gives a known sum
            for f in local:
                rest = Mul(*(g for g in local if g is not f))
                if isinstance(f, cls) and len(f.args) == 2 and not case.lives(rest, f.args[1:]):
                    term = f.args[0] * rest
                    swapped = cls(term, *alphabets)
                    shorter = not (isinstance(swapped, cls) and swapped.args[0] == term)
                    if not swapped.has(cls) or (shorter and case.ranges(swapped) < case.ranges(f.args[0])):
                        return outside * cls(swapped, f.args[1])
        if not local:
            raise ProofError(f"the size of the alphabet is not known, but needed for the total of {terms[0]}")
        if outside != 1 or inside != integrand:
            return outside * cls(inside, *alphabets)
        return None

    def _eval_is_nonnegative(self) -> bool | None:
        return True if self.args[0].is_nonnegative else None

    def _eval_is_positive(self) -> bool | None:
        """Return True for the sum of a positive function or its mean under a weight of total 1; otherwise None."""
        if len(self.args) != 2 or not self.args[0].is_nonnegative:
            return None
        case, rest = CASE.get(None), self.args[0]
        if case is None:
            return None
        for factor in Mul.make_args(rest):
            if (factor, self.args[1]) in case.masses:
                rest = Mul(*(f for f in Mul.make_args(rest) if f is not factor))
                break
        return True if rest.is_positive else None


def _independent(
    case: Case, factors: Sequence[Expr], alphabets: Sequence[Symbol]
) -> list[tuple[list[Expr], tuple[Symbol, ...]]]:
    """Group the factors so that different groups depend on different alphabets; a group may have no factors."""
    groups: list[tuple[list[Expr], set[Symbol]]] = [([], {a}) for a in alphabets]
    for f in factors:
        over = set(alphabets) & case.ranges(f)
        met = [g for g in groups if g[1] & over] or [([], set())]
        groups = [g for g in groups if g not in met]
        groups.append(([f, *(x for g in met for x in g[0])], over.union(*(g[1] for g in met))))
    return [(fs, tuple(a for a in alphabets if a in own)) for fs, own in groups]


@dataclass(frozen=True)
class Fact:
    """An expression that is known to be nonnegative at every letter."""

    expression: Expr


@dataclass
class Case:
    """A range of the parameters, and what is assumed there.

    `choices` are the options to take, in the order in which choices arise. `taken` lists the options that were taken,
    each with the number of options, and `options` lists their texts. `asked` has those of an earlier run with these
    choices, which must be the same. `suprema` maps the symbols of suprema, levels and the like to their kind and
    definition, and `definitions` maps other defined symbols to their expressions. The pairs (weight, alphabet) in
    `masses` have total 1.
    """

    choices: Sequence[int] = ()
    asked: Sequence[tuple[str, ...]] = ()  # the options of these choices in an earlier run
    taken: list[tuple[int, int]] = field(default_factory=list)
    options: list[tuple[str, ...]] = field(default_factory=list)
    names: tuple[str, ...] = ()  # the names of the kinds
    assumed: list[str] = field(default_factory=list)
    relations: list[Any] = field(default_factory=list)  # sympy relations of scalars that hold in this case
    alphabets: dict[Symbol, frozenset[Symbol]] = field(default_factory=dict)  # of each letter symbol
    masses: dict[tuple[Expr, Symbol], int] = field(default_factory=dict)
    bounded: list[Symbol] = field(default_factory=list)  # letter symbols that are at most 1
    binary: list[Symbol] = field(default_factory=list)  # letter symbols that are 0 or 1
    excluded: list[Any] = field(default_factory=list)  # conditions that hold at no letter
    present: list[Any] = field(default_factory=list)  # conditions that hold at some letter
    facts: list[Fact] = field(default_factory=list)
    definitions: dict[Symbol, Expr] = field(default_factory=dict)
    suprema: dict[Symbol, Any] = field(default_factory=dict)
    sizes: dict[Symbol, Expr] = field(default_factory=dict)  # of alphabets, or upper bounds
    operators: dict[Symbol, Any] = field(default_factory=dict)  # assumptions about positive operators
    outcomes: dict[Any, Expr] = field(default_factory=dict)  # the values that moments have in this case
    opened: int = 0

    def choose(self, options: Sequence[tuple[str, Any]]) -> Any:
        """Choose one of several options, each given with the text of its assumption."""
        at = len(self.taken)
        chosen = self.choices[at] if at < len(self.choices) else 0
        self.taken.append((chosen, len(options)))
        self.options.append(tuple(text for text, _ in options))
        if at < len(self.asked) and self.asked[at] != self.options[at]:
            raise ProofError(f"run again, the function opens a case by {self.options[at]} instead of {self.asked[at]}")
        text, option = options[chosen]
        if text:
            self.assumed.append(text)
        return option

    def lives(self, e: Expr, alphabets: Sequence[Symbol]) -> bool:
        """Return whether an expression depends on the letter of one of these alphabets."""
        return bool(set(alphabets) & self.ranges(e))

    def ranges(self, e: Any) -> frozenset[Symbol]:
        """Return the alphabets on whose letters an expression depends, without those over which it sums."""
        if isinstance(e, Total):
            return self.ranges(e.args[0]) - set(e.args[1:])
        if isinstance(e, Symbol):
            return self.alphabets.get(e, frozenset())
        return frozenset().union(*(self.ranges(a) for a in e.args))

    def letters(self, e: Expr) -> list[Symbol]:
        """Return the letter symbols of an expression, outside its sums over letters, in order of their names."""
        return sorted((s for s in free(e) if s in self.alphabets), key=lambda s: s.name)

    def fresh(self, name: str, **assumptions: Any) -> Symbol:
        """Return a new symbol."""
        self.opened += 1
        mark = "'" if any(_named_after(f"{name}_", kind) for kind in self.names) else ""
        return sympy.Symbol(f"{name}{mark}_{self.opened}", **(assumptions or {"real": True}))

    def size(self, alphabet: Symbol) -> Expr:
        """Return the number of letters of an alphabet: a number if its kind says so, and otherwise a symbol."""
        if alphabet not in self.sizes:
            self.sizes[alphabet] = self.fresh("size", integer=True, positive=True)
        return self.sizes[alphabet]

    def define(self, name: str, e: Any, **assumptions: Any) -> Symbol:
        """Return a symbol for a number that is shown to satisfy the assumptions; equal expressions share it."""
        value = sympy.sympify(e)
        strict = assumptions.get("positive", False)
        if set(assumptions) - {"positive", "nonnegative", "real"} or not all(assumptions.values()):
            raise ProofError(f"a definition may not assume {assumptions}")
        if infinite(value) or not opaque(value).is_real or self.ranges(value):
            raise ProofError(f"{value} is no number")
        if (strict or "nonnegative" in assumptions) and not seen_nonnegative(value, strict=strict):
            raise ProofError(f"{value} is not seen to be {' '.join(assumptions)}")
        return self._define(name, value, **assumptions)

    def _define(self, name: str, e: Expr, **assumptions: Any) -> Symbol:
        """Apply `define` to a number that is known to satisfy the assumptions."""
        for symbol, known in self.definitions.items():
            if known == e and all(getattr(symbol, f"is_{k}") == v for k, v in assumptions.items()):
                return symbol
        if self.ranges(e):
            raise ProofError(f"{e} varies over the letters")
        symbol = self.fresh(name, **assumptions)
        self.definitions[symbol] = e
        return symbol

    def unfold(self, e: Expr, sums: bool = True) -> Expr:
        """Return the expression with definitions in place of defined symbols, sums over letters only if `sums`."""
        for _ in range(len(self.definitions) + 1):
            found = {s: d for s, d in self.definitions.items() if s in free(e) and (sums or not d.has(Total))}
            if not found:
                return e
            e = e.xreplace(found)
        raise ProofError("the definitions form a circle")

    def _fact(self, e: Expr) -> None:
        """Record that an expression is nonnegative at every letter."""
        self.facts.append(Fact(e))

    # Comparisons of scalars

    def holds(self, relation: Any) -> bool:
        """Return whether a relation between scalars is true; if that is not known, open a case for either answer."""
        if relation in (sympy.true, sympy.false):
            return bool(relation)
        if isinstance(relation, sympy.Lt | sympy.Le):
            relation = relation.reversed
        gap = relation.lhs - relation.rhs if relation.lhs.is_finite is not False else None
        if gap is not None:
            known = self._known(relation.func, gap)
            if known is not None:
                return known
        for told in self.relations:
            if told == relation:
                return True
            if told == Not(relation):
                return False
        if self.ranges(relation):
            raise ProofError(f"{relation} may hold at some letters and not at others")
        answer = self.choose([(str(relation), True), (str(Not(relation)), False)])
        self.relations.append(relation if answer else Not(relation))
        return bool(answer)

    def _known(self, func: Any, gap: Expr) -> bool | None:
        if is_zero(gap):
            return func in (Ge, Eq)
        if seen_nonnegative(gap, strict=True):
            return func is not Eq
        if func in (Ge, Gt):
            if func is Ge and seen_nonnegative(gap):
                return True
            if seen_nonnegative(-gap, strict=True) or (func is Gt and seen_nonnegative(-gap)):
                return False
        elif seen_nonnegative(-gap, strict=True):
            return False
        return None

    # Letters

    def patterns(self, symbols: Sequence[Symbol]) -> Iterator[dict[Symbol, Expr]]:
        """Yield all ways in which weights may be zero at a letter, with positive symbols for the other weights.

        Weights that are at most 1 are 0, 1 or strictly between; binary ones are 0 or 1; real ones may also be negative.
        """
        options: list[list[Any]] = []
        for s in symbols:
            if s in self.binary:
                options.append([Integer(0), Integer(1)])
            elif s in self.bounded:
                options.append([Integer(0), Integer(1), _odds(s)])
            elif s.is_positive:
                options.append([s])
            elif s.is_nonnegative:
                options.append([Integer(0), Symbol(s.name, positive=True)])
            else:
                size = Symbol(s.name, positive=True)
                options.append([Integer(0), size, -size])
        facts = [f for f in self.facts if set(self.letters(f.expression)) <= set(symbols)]
        for values in product(*options):
            pattern = dict(zip(symbols, values, strict=True))
            if any(self._true_of(c, pattern) for c in self.excluded):
                continue
            if any(seen_nonnegative(-at(f.expression, pattern), strict=True) for f in facts):
                continue
            yield pattern

    @staticmethod
    def _true_of(condition: Any, pattern: Mapping[Symbol, Expr]) -> bool:
        return bool(at(condition, pattern) == sympy.true)

    def somewhere(self, condition: Any) -> bool:
        """Return whether a condition holds at some letter; if that is not known, open a case for either answer."""
        if condition in (sympy.true, sympy.false):
            return bool(condition)
        symbols = self.letters(condition)
        if all(_false(at(condition, p)) for p in self.patterns(symbols)):
            return False
        if condition in self.present or condition in self.excluded:
            return condition in self.present
        answer = self.choose([(f"nowhere {condition}", False), (f"somewhere {condition}", True)])
        (self.present if answer else self.excluded).append(condition)
        return bool(answer)

    def somewhere_known(self, condition: Any) -> bool:
        """Return whether a condition may hold at some letter under the assumptions of this case; open no case."""
        if condition in (sympy.true, sympy.false):
            return bool(condition)
        patterns = self.patterns(self.letters(condition))
        return any(not _false(at(condition, p)) for p in patterns)

    def impossible(self) -> bool:
        """Return whether the assumptions are contradictory.

        They are if a weight of total 1, or every term of a sum that is assumed to be positive, must be 0 at every
        letter; if a condition that is assumed to hold somewhere holds nowhere; or if two relations exclude each other.
        """
        for told in self.present:
            if all(_false(at(told, p)) for p in self.patterns(self._with(*self.letters(told)))):
                return True
        if any(not any(p[weight] != 0 for p in self.patterns(self._with(weight))) for weight, _ in self.masses):
            return True
        for told in self.relations:
            if isinstance(told, sympy.Gt) and isinstance(told.lhs, Total) and told.rhs == 0:
                term, names = told.lhs.args[0], self._with(*self.letters(told.lhs.args[0]))
                if all(at(term, p) == 0 for p in self.patterns(names)):
                    return True
        return self._contradictory()

    def _contradictory(self) -> bool:
        """Return whether two relations exclude each other, because two expressions <= 0 have a positive sum."""
        below: list[Expr] = []
        for told in self.relations:
            if isinstance(told, sympy.Le | sympy.Lt | Eq):
                below.append(told.lhs - told.rhs)
            if isinstance(told, Ge | Gt | Eq):
                below.append(told.rhs - told.lhs)
        sums = (algebra.expand(a + b) for i, a in enumerate(below) for b in below[:i])
        return any(total.is_number and total.is_positive and total.is_finite for total in sums)

    def _with(self, *weights: Expr) -> list[Symbol]:
        """Return letter symbols together with all those that are connected to them by exclusions and facts."""
        names = set(weights)
        conditions = [set(self.letters(c)) for c in (*self.excluded, *(f.expression for f in self.facts))]
        for _ in conditions:
            for tied in conditions:
                names |= tied if tied & names else set()
        return sorted(names, key=lambda s: s.name)


def at(e: Any, pattern: Mapping[Symbol, Any]) -> Any:
    """Return an expression at given values of its letter symbols; sums over letters do not change."""
    return replaced(opaque(e), tuple(pattern.items()))


def _named_after(text: str, name: str) -> bool:
    """Return whether a kind of this name may have a symbol `text`: the name, a number, and more after an underscore."""
    return re.fullmatch(re.escape(name) + r"\d*(_.*)?", text) is not None


def _false(condition: Any) -> bool:
    """Return whether a condition on numbers is shown to be false."""
    if isinstance(condition, And):
        return any(_false(part) for part in condition.args)
    if isinstance(condition, Eq | Gt):
        gap = condition.lhs - condition.rhs
        if isinstance(condition, Gt):
            return seen_nonnegative(-gap)
        return seen_nonnegative(gap, strict=True) or seen_nonnegative(-gap, strict=True)
    return bool(condition == sympy.false)


def _odds(s: Symbol) -> Expr:
    odds = Symbol(f"{s.name}_odds", positive=True)
    return odds / (1 + odds)


def free(e: Any) -> set[Symbol]:
    """Return the symbols of an expression outside its sums over letters."""
    if isinstance(e, Total):
        return set()
    if isinstance(e, Symbol):
        return {e}
    return set().union(*(free(a) for a in e.args)) if e.args else set()


CASE: ContextVar[Case] = ContextVar("CASE")


@contextmanager
def within(case: Case) -> Iterator[Case]:
    """Compute in this case."""
    token = CASE.set(case)
    try:
        yield case
    finally:
        CASE.reset(token)


def cases(run: Callable[[Case], Any]) -> Iterator[tuple[Case, Any]]:
    """Call `run` in every case, with each option of every choice that arises, and yield the cases with their
    results."""
    waiting: list[tuple[list[int], list[tuple[str, ...]]]] = [([], [])]
    count = 0
    while waiting:
        choices, asked = waiting.pop()
        case = Case(choices, asked)
        with within(case):
            result = run(case)
        count += 1
        if count > MAX_CASES:
            raise ProofError(f"more than {MAX_CASES} cases")
        taken = [c for c, _ in case.taken]
        if len(taken) < len(choices):
            raise ProofError("run again, the function does not open a case that it opened before")
        for i in range(len(choices), len(taken)):
            waiting += [([*taken[:i], other], case.options[: i + 1]) for other in range(1, case.taken[i][1])]
        yield case, result
