"""The rules of inference: a `Theorem` states that one expression is at most another in a case, and only rules make one.

Scripts combine theorems and are not trusted: their hints say where to look, and the rules check every part. The proof
of a claim is a theorem about the claim's own two sides in every case of its own kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import sympy
from sympy import Add, Expr, Gt, Mul, Piecewise, Symbol

from verification.cited import CITED
from verification.claim import REGISTRY
from verification.proof import ProofError
from verification.provers import algebra
from verification.provers.corners import settle
from verification.provers.kinds import lies
from verification.provers.scalars import (
    Opaque,
    infinite,
    is_zero,
    negative_somewhere,
    opaque,
    seen_nonnegative,
    vanishes,
)
from verification.provers.symbols import Case, Total, free, within
from verification.provers.symbols import at as at_letter
from verification.provers.tactics import Concave, Convex, Tactic, continuous, nonnegative, smooth
from verification.provers.values import expression
from verification.provers.vocabulary import SymbolicVocabulary

_SEAL = object()


@dataclass(frozen=True)
class Theorem:
    """The statement lhs <= rhs in a case, or lhs == rhs if `equal`.

    `steps` say how it was derived, and `premises` are the ids of the statements on which it rests. `seal` is a private
    object that only the rules pass.

    Raises
    ------
    ProofError
        The theorem was not made by a rule, or a side is undefined.
    """

    case: Case
    lhs: Expr
    rhs: Expr
    steps: tuple[str, ...]
    premises: tuple[str, ...] = ()
    equal: bool = False
    seal: object = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.seal is not _SEAL:
            raise ProofError("a theorem is made by a rule")
        object.__setattr__(self, "seal", None)
        for side in (self.lhs, self.rhs):
            if side.has(sympy.nan, sympy.zoo):
                raise ProofError(f"{side} is no number")

    def __add__(self, other: Theorem) -> Theorem:
        """Prove a + c <= b + d from a <= b and c <= d."""
        self._alongside(other)
        return _made(self.case, self.lhs + other.lhs, self.rhs + other.rhs, (), self, other)

    def then(self, other: Theorem) -> Theorem:
        """Prove a <= c from a <= b and b <= c."""
        self._alongside(other)
        if not same(self.case, self.rhs, other.lhs):
            raise ProofError("{} is not seen to be {}", self.rhs, other.lhs)
        return _made(self.case, self.lhs, other.rhs, (), self, other)

    def times(self, c: Any, tactic: Tactic | None = None) -> Theorem:
        """Prove c a <= c b from a <= b for c >= 0, or the equality of these from a == b."""
        factor = sympy.sympify(c)
        if any(s.has(sympy.oo, -sympy.oo) for s in (self.lhs, self.rhs)) and not seen_nonnegative(factor, strict=True):
            raise ProofError(f"{factor}, which may be 0, is multiplied by infinity")
        nonnegative(factor, tactic)
        return _made(
            self.case,
            factor * self.lhs,
            factor * self.rhs,
            (f"times {algebra.written(factor)} >= 0",),
            self,
            equal=self.equal,
        )

    def negated(self) -> Theorem:
        """Prove -b <= -a from a <= b."""
        return _made(self.case, -self.rhs, -self.lhs, (), self, equal=self.equal)

    def plus(self, c: Any) -> Theorem:
        """Prove a + c <= b + c from a <= b."""
        return _made(self.case, self.lhs + c, self.rhs + c, (), self, equal=self.equal)

    def _alongside(self, *others: Theorem) -> None:
        if any(other.case is not self.case for other in others):
            raise ProofError("theorems of different cases")


def _made(case: Case, lhs: Any, rhs: Any, steps: Sequence[str], *of: Theorem, equal: bool = False) -> Theorem:
    before = tuple(dict.fromkeys(s for t in of for s in t.steps))
    premises = tuple(dict.fromkeys(p for t in of for p in t.premises))
    return Theorem(case, sympy.sympify(lhs), sympy.sympify(rhs), before + tuple(steps), premises, equal, _SEAL)


def same(case: Case, a: Expr, b: Expr) -> bool:
    """Return whether two expressions are shown to be equal in a case, with definitions put in for defined symbols."""
    if a.has(sympy.zoo, sympy.nan) or b.has(sympy.zoo, sympy.nan):
        return False
    if a == b:
        return True
    if a.has(sympy.oo, -sympy.oo) or b.has(sympy.oo, -sympy.oo):
        return False
    if is_zero(a - b):
        return True
    with within(case):
        for sums in (False, True):
            x, y = case.unfold(a, sums), case.unfold(b, sums)
            if is_zero(x - y):
                return True
            if not vanishes(opaque(x - y)):
                continue
            if all(seen_nonnegative(v, strict=True) for v in (x, y)) and is_zero(sympy.log(x) - sympy.log(y)):
                return True
    return False


# Rules


def at_most(case: Case, a: Any, b: Any, tactic: Tactic | None = None) -> Theorem:
    """Prove a <= b by showing that b - a is nonnegative for all values of the symbols, or that a bound is infinite."""
    a, b = sympy.sympify(a), sympy.sympify(b)
    if b == sympy.oo or a == -sympy.oo:
        return _made(case, a, b, ("the bound is infinite",))
    if negative_somewhere(opaque(b - a)):  # a quick refusal, before maxima are settled one by one
        raise ProofError("{} is negative somewhere", b - a)
    settle(b - a, None, lambda e, _: nonnegative(e, tactic))
    return _made(case, a, b, (f"{type(tactic).__name__.lower() if tactic else 'sign'}: {shortened(b - a)} >= 0",))


def equal(case: Case, a: Any, b: Any) -> Theorem:
    """Prove a == b by showing that the difference is 0, with definitions put in for defined symbols."""
    a, b = sympy.sympify(a), sympy.sympify(b)
    if not same(case, a, b):
        raise ProofError("{} is not seen to equal {}", a, b)
    return _made(case, a, b, (f"identity: {shortened(a)} = {shortened(b)}",), equal=True)


def assumed(case: Case, index: int) -> Theorem:
    """Return the theorem low <= high for the relation in `case.relations` with this index."""
    relation = case.relations[index]
    if isinstance(relation, sympy.Gt | sympy.Ge):
        low, high = relation.rhs, relation.lhs
    elif isinstance(relation, sympy.Lt | sympy.Le):
        low, high = relation.lhs, relation.rhs
    else:
        raise ProofError(f"{relation} is no inequality")
    return _made(case, low, high, (f"in this case {low} <= {high}",))


def split(case: Case, a: Any, b: Any, x: Symbol, at: Any, proof: Callable[[Expr, Expr, Expr], Theorem]) -> Theorem:
    """Prove a <= b for every x > 0 by substituting x = c + s and x = c / (1 + s) for s >= 0, at a point c = `at` > 0.

    `proof(lhs, rhs, value)` proves each part, given both sides at such an x and the value of x. No definition, fact or
    assumption of the case may contain x, and the case may have no suprema, because these would have to be split as
    well.
    """
    a, b, at = (sympy.sympify(v) for v in (a, b, at))
    with within(case):
        told = [*case.definitions.values(), *(f.expression for f in case.facts), *case.relations, *case.present]
        told += [*case.excluded, *case.definitions, *(s for s in case.suprema), *(w for w, _ in case.masses)]
        tied = case.alphabets.keys() | case.suprema.keys() | set().union(*(_symbols(t) for t in told))
        if not x.is_positive or x.is_integer or x in tied or case.suprema:
            raise ProofError(f"{x} is not a number on its own")
        if at.has(x) or case.ranges(at) or not seen_nonnegative(at, strict=True):
            raise ProofError(f"{at} is no point where {x} > 0 may be split")
        past = case.fresh("past", nonnegative=True)
        shown = []
        for value in (at + past, at / (1 + past)):
            part = proof(a.subs(x, value), b.subs(x, value), value)
            if part.case is not case:
                raise ProofError("theorems of different cases")
            for mine, wanted in ((part.lhs, a), (part.rhs, b)):
                if not same(case, mine, wanted.subs(x, value)):
                    raise ProofError("the proof shows something else about a part")
            shown.append(part)
        return _made(case, a, b, (f"on both sides of {x} = {at}",), *shown)


def _symbols(e: Any) -> set[Symbol]:
    return set(getattr(e, "free_symbols", set()))


def rewrite(theorem: Theorem, lhs: Any | None = None, rhs: Any | None = None) -> Theorem:
    """Prove the same statement with its sides written in another way."""
    case = theorem.case
    new = [theorem.lhs if lhs is None else sympy.sympify(lhs), theorem.rhs if rhs is None else sympy.sympify(rhs)]
    for old, wanted in zip((theorem.lhs, theorem.rhs), new, strict=True):
        if not same(case, old, wanted):
            raise ProofError(f"{old} is not seen to be {wanted}")
    return _made(case, new[0], new[1], (), theorem, equal=theorem.equal)


def through(theorem: Theorem, f: Callable[[Any], Any], slope: Tactic | None = None) -> Theorem:
    """Prove f(a) <= f(b) from a <= b for f that is nondecreasing on a range of x that contains a and b.

    The range is x > 0 if a is shown to be positive, x >= 0 if it is shown to be nonnegative, and the real line
    otherwise. `slope` is a tactic for f' >= 0.
    """
    a, b = theorem.lhs, theorem.rhs
    seen = positive(theorem.case, a) or (theorem.equal and positive(theorem.case, b))  # b is equal to a
    known = "positive" if seen else "nonnegative" if seen_nonnegative(a) else "real"
    if any(v.has(sympy.oo, -sympy.oo) for v in (a, b)):
        raise ProofError("a side is infinite")
    x = algebra.bound("x", known)
    fx = _function(f, x)
    smooth(fx, x)
    if x.is_nonnegative and not x.is_positive:
        continuous(fx, x)
    nonnegative(algebra.simplify(fx.diff(x)), slope)
    fa, fb = _value(fx, x, a), _value(fx, x, b)
    if theorem.equal:
        return _made(theorem.case, fa, fb, (f"apply {fx}",), theorem, equal=True)
    return _made(theorem.case, fa, fb, (f"apply {fx}, which rises",), theorem)


def _function(f: Callable[..., Any], *x: Symbol) -> Expr:
    """Return f(x) as an expression in x, which must be numbers: x may not occur inside a sum over letters."""
    seen = [sympy.Dummy(symbol.name, **symbol.assumptions0) for symbol in x]  # f cannot contain x in another role
    fx: Expr = sympy.sympify(f(*seen))
    if any(t.has(*seen) for t in fx.atoms(Opaque)):
        raise ProofError(f"{fx} is no function of a number")
    if fx.has(*x):
        raise ProofError(f"{fx} has a variable that is taken")
    return fx.xreplace(dict(zip(seen, x, strict=True)))


def _value(fx: Expr, x: Symbol, at: Any) -> Expr:
    return fx.xreplace({x: sympy.sympify(at)})


def positive(case: Case, e: Expr) -> bool:
    """Return whether an expression is shown to be positive.

    It may be positive by its form, be a positive multiple of a gap that the case assumes to be positive, be a sum with
    a positive term (`_charged`), or be a product of such expressions.
    """
    return (
        seen_nonnegative(e, strict=True)
        or any(is_zero(e - gap) or seen_nonnegative(e / gap, strict=True) for gap in _gaps(case))
        or any(_charged(case, e, weight, alphabet) for weight, alphabet in case.masses)
        or (isinstance(e, Mul) and all(positive(case, factor) for factor in e.args))
    )


def _charged(case: Case, e: Expr, weight: Expr, alphabet: Symbol) -> bool:
    """Return whether e is a sum of terms >= 0 that are positive at every letter where a weight of total 1 is."""
    if not isinstance(e, Total) or e.args[1:] != (alphabet,) or case.ranges(weight) != {alphabet}:
        return False
    term = e.args[0]
    symbols = sorted({*case.letters(term), *case.letters(weight)}, key=lambda s: s.name)
    for pattern in case.patterns(symbols):
        here, there = (at_letter(v, pattern) for v in (term, weight))
        if infinite(here) or not seen_nonnegative(here, strict=there != 0):
            return False
    return True


def _gaps(case: Case) -> list[Expr]:
    """Return the differences that the strict relations of a case assume to be positive."""
    more = [(r.lhs, r.rhs) if isinstance(r, Gt) else (r.rhs, r.lhs) for r in case.relations if isinstance(r, STRICT)]
    return [a - b for a, b in more]


STRICT = (sympy.Gt, sympy.Lt)


def absurd(shown: Theorem, a: Any, b: Any, equal: bool = False) -> Theorem:
    """Prove any statement in a case that cannot occur, because it assumes the contrary of the theorem `shown`."""
    if not any(is_zero(shown.lhs - shown.rhs - gap) for gap in _gaps(shown.case)):
        raise ProofError(f"this case does not deny {shown.lhs} <= {shown.rhs}")
    return _made(shown.case, a, b, ("the case does not occur",), shown, equal=equal)


def maximum(lhs_of: Sequence[Theorem]) -> Theorem:
    """Prove max a_i <= b from a_i <= b for every i."""
    first = lhs_of[0]
    first._alongside(*lhs_of[1:])
    if any(not same(first.case, t.rhs, first.rhs) for t in lhs_of):
        raise ProofError("the theorems have different bounds")
    return _made(first.case, algebra.maximum(*(t.lhs for t in lhs_of)), first.rhs, ("each is below",), *lhs_of)


def modulus(above: Theorem, below: Theorem) -> Theorem:
    """Prove |x| <= b from x <= b and -x <= b."""
    above._alongside(below)
    if not same(above.case, above.rhs, below.rhs) or not same(above.case, above.lhs, -below.lhs):
        raise ProofError("the left sides are not a number and its negative")
    return _made(above.case, sympy.Abs(above.lhs), above.rhs, ("both signs",), above, below)


def minimum(lhs: Any, of: Sequence[Theorem]) -> Theorem:
    """Prove a <= min b_i from a <= b_i for every i."""
    a, first = sympy.sympify(lhs), of[0]
    first._alongside(*of[1:])
    if any(not same(first.case, t.lhs, a) for t in of):
        raise ProofError("the theorems have different left sides")
    return _made(first.case, a, algebra.minimum(*(t.rhs for t in of)), ("each is above",), *of)


def pointwise(
    case: Case,
    a: Any,
    b: Any,
    *,
    multipliers: Mapping[Symbol, Any] | None = None,
    facts: Mapping[int, Any] | None = None,
    at: Any = None,
    tactic: Tactic | Callable[[Expr, tuple[Symbol, ...]], Tactic | None] | None = None,
    letters: Mapping[Symbol, Any] | None = None,
    equal: bool = False,
) -> Theorem:
    """Prove a <= b by showing that b - a is a sum over letters of nonnegative terms; or a == b if `equal`.

    b - a must be linear in sums over letters: sum c_i f_i + c. `multipliers` maps weights w_j of total 1 to numbers m_j
    with c >= sum m_j; the term at a letter is then sum c_i f_i + sum m_j w_j. `facts` maps indices of `case.facts`,
    whose expressions are nonnegative at every letter, to numbers >= 0; these multiples of the facts may be subtracted
    from the term.

    Every pattern of zero weights is considered, and a maximum, minimum or modulus is replaced by each of its arguments.
    If the term is homogeneous in the nonzero weights, the last of them is set to 1; of two, this leaves the ratio
    u = first / second. The sign of the term is proved as it is; or as that of a convex function with a minimum >= 0
    at u = `at`; or by `tactic`, which may be a function of the term and its symbols.
    """
    with within(case):
        a, b = sympy.sympify(a), sympy.sympify(b)
        if case.ranges(a) or case.ranges(b):
            raise ProofError("a side varies over the letters")
        term, steps = _term(case, b - a, multipliers or {}, facts or {}, equal)
        checks = 0
        symbols = case.letters(term)
        known = [f.expression for f in case.facts if set(case.letters(f.expression)) <= set(symbols)]
        patterns = list(case.patterns(symbols))
        for pattern in patterns:
            here = at_letter(term, pattern)
            where = at if at is None else at_letter(sympy.sympify(at), pattern)
            checks += _letter(here, pattern, known, where, tactic, equal)
        said = f"letter by letter ({len(patterns)} patterns of zeros): {shortened(term)} {'=' if equal else '>='} 0"
        return _made(case, a, b, (*steps, said), equal=equal)


def _term(
    case: Case, gap: Expr, multipliers: Mapping[Symbol, Any], facts: Mapping[int, Any], equal: bool
) -> tuple[Expr, list[str]]:
    """Return the term at a letter of an expression that is linear in sums over letters, and lines for the proof."""
    named = {s: d for s, d in case.definitions.items() if s in free(gap) and d.has(Total)}
    linear: dict[Symbol, Expr] = {}
    for s, d in named.items():
        if isinstance(d, Total) or (isinstance(d, Add | Mul) and not free(d) & set(case.definitions)):
            linear[s] = d
    for s, d in linear.items():  # replace a moment that enters linearly by its sum
        if is_zero(sympy.diff(gap, s, 2)) and gap.has(s):
            rest, slope = (algebra.expand(gap).coeff(s, n) for n in (0, 1))
            if not is_zero(gap - rest - slope * s):
                raise ProofError(f"{gap} is not seen to be linear in {s}")
            gap = rest + slope * d
    atoms = sorted((t for t in gap.atoms(Total) if not any(t is not o and o.has(t) for o in gap.atoms(Total))), key=str)
    marks = {t: sympy.Dummy("t", real=True) for t in atoms}
    marked = algebra.expand(gap.xreplace(marks))
    term: Expr = sympy.Integer(0)
    rest = marked
    alphabet: set[tuple[Symbol, ...]] = set()
    for t, mark in marks.items():
        c = marked.coeff(mark, 1)
        if c.has(*marks.values()):
            raise ProofError("{} is not linear in totals", gap)
        rest = rest - c * mark
        term += c * t.args[0]
        alphabet.add(t.args[1:])
    rest = algebra.expand(rest)
    if rest.has(*marks.values()) or rest.atoms(Total):
        raise ProofError("{} is not linear in totals", gap)
    if len(alphabet) > 1:
        raise ProofError("totals over different alphabets")
    total: Expr = sympy.Integer(0)
    for weight, m in multipliers.items():
        homes = case.alphabets.get(weight, frozenset())
        if (weight, next(iter(homes), None)) not in case.masses or (alphabet and {(h,) for h in homes} != alphabet):
            raise ProofError(f"{weight} is no weight of total 1 on this alphabet")
        alphabet = {(h,) for h in homes}
        if case.lives(sympy.sympify(m), list(homes)):
            raise ProofError(f"the multiplier {m} varies over the letters")
        term += sympy.sympify(m) * weight
        total += sympy.sympify(m)
    if equal:
        if not is_zero(rest - total):
            raise ProofError("{} is not seen to be {}", rest, total)
    elif not is_zero(rest - total):
        nonnegative(rest - total)
    steps = []
    for index, factor in facts.items():
        fact, factor = case.facts[index].expression, sympy.sympify(factor)
        if equal:
            raise ProofError("an inequality proves no equality")
        nonnegative(factor)
        if case.lives(factor, [x for t in alphabet for x in t]):
            raise ProofError(f"the multiplier {factor} varies over the letters")
        term -= USED * factor * fact
        steps.append(f"at every letter {shortened(fact)} >= 0")
    if not case.ranges(term) <= {x for t in alphabet for x in t}:
        raise ProofError(f"{term} varies over letters over which no total sums")
    if not case.letters(term) and not is_zero(term):
        raise ProofError(f"{term} is no term of a letter")
    return term, steps


def _letter(
    term: Expr, pattern: Mapping[Symbol, Expr], facts: Sequence[Expr], at: Any, tactic: Any, equal: bool
) -> int:
    """Show that a term is nonnegative (or zero) in a pattern of zero weights, and return the number of checks."""
    nothing = [power for power in term.atoms(sympy.Pow) if power.base == 0 and seen_nonnegative(power.exp, strict=True)]
    term = term.xreplace(dict.fromkeys(nothing, sympy.Integer(0)))
    positive = tuple(s for w, s in pattern.items() if isinstance(s, Symbol) and w.is_nonnegative)
    if term == sympy.oo and not equal:
        return 1
    if infinite(term):
        raise ProofError(f"a term at a letter is {term}")
    if equal and is_zero(term):
        return 1
    weights = tuple(s for s in positive if s in term.free_symbols)
    several = len(weights) > 1 or (weights and len(positive) < len(pattern))
    scale = weights[-1] if several and _homogeneous(term, weights) else None
    ratio = weights[0] if len(weights) == 2 and scale is not None else None
    unit = {scale: sympy.Integer(1)} if scale is not None else {}
    known = [at_letter(f, pattern).xreplace(unit) for f in facts]
    left = tuple(s for s in weights if s is not scale)

    def prove(e: Expr, x: Symbol | None) -> int:
        return _branch(e, x if x is ratio else None, left, known, at, tactic)

    term = term.xreplace(unit)
    count = settle(term, ratio, prove)
    return count + settle(-term, ratio, prove) if equal else count


_SCALE = sympy.Dummy("t", positive=True)


@cache
def _homogeneous(term: Expr, weights: tuple[Symbol, ...]) -> bool:
    t = _SCALE
    scaled = term.xreplace({w: t * w for w in weights})
    return is_zero(_pulled(scaled, t) - t * term) or is_zero(scaled - t * term)


def _pulled(e: Expr, t: Symbol) -> Expr:
    """Return the expression with the positive factor t taken out of maxima, moduli, cases and comparisons."""

    def out(x: Expr) -> Expr:
        if isinstance(x, Piecewise) and not any(v.has(t) for v, _ in x.args):
            return x
        if isinstance(x, Piecewise):
            return t * Piecewise(*((algebra.expand(v / t), c) for v, c in x.args))
        if isinstance(x, sympy.core.relational.Relational):
            return x.func(algebra.expand(x.lhs / t), algebra.expand(x.rhs / t))
        return t * x.func(*(algebra.expand(a / t) for a in x.args))

    kinds = (sympy.Max, sympy.Min, sympy.Abs, Piecewise, sympy.core.relational.Relational)
    return e.replace(lambda x: isinstance(x, kinds), out)


USED = sympy.Dummy("used", nonnegative=True)  # 1 if the facts are subtracted from a term, 0 if not


def _branch(
    e: Expr, ratio: Symbol | None, symbols: tuple[Symbol, ...], known: Sequence[Expr], at: Any, tactic: Any
) -> int:
    if e.has(USED):
        try:
            return _branch(e.subs(USED, 1), ratio, symbols, known, at, tactic)
        except ProofError:
            return _branch(e.subs(USED, 0), ratio, symbols, known, at, tactic)
    if e.is_nonnegative:
        return nonnegative(e)
    if at is not None and ratio is not None and ratio in e.free_symbols:
        try:
            return nonnegative(e, Convex(ratio, at))
        except ProofError:
            return nonnegative(e)
    try:
        return nonnegative(e)
    except ProofError:
        chosen = tactic(e, symbols) if callable(tactic) and not isinstance(tactic, Tactic) else tactic
        if chosen is None:
            raise
        if isinstance(chosen, Concave):
            for end in (chosen.x - chosen.low, chosen.high - chosen.x):
                if not seen_nonnegative(end) and not any(_multiple(fact, end) for fact in known):
                    raise ProofError(f"{end} >= 0 is no fact of this case") from None
            return chosen.check_between(e)
        return nonnegative(e, chosen)


def _multiple(fact: Expr, e: Expr) -> bool:
    """Return whether a fact is a positive multiple of an expression."""
    quotient = algebra.factor(algebra.simplify(fact / e))
    return is_zero(fact - quotient * e) and seen_nonnegative(quotient, strict=True)


def meaningful(case: Case) -> set[Symbol]:
    """Return the symbols that have a meaning in a case; those added after a generic object may depend on it."""
    return {*case.alphabets, *case.definitions, *case.suprema, *case.operators}


def atoms(e: Expr) -> set[Symbol]:
    """Return all symbols of an expression, including those inside sums over letters."""
    return {s for s in sympy.preorder_traversal(e) if isinstance(s, Symbol)}


def every_event(case: Case, top: Symbol, bound: Any, proof: Callable[[Expr, Symbol], Theorem]) -> Theorem:
    """Prove that a supremum over events is at most a bound that `proof` shows for a generic event."""
    kind, told = case.suprema[top]
    if kind != "events":
        raise ProofError(f"{top} is no supremum over events")
    at, alphabet = told
    known = meaningful(case)
    with within(case):
        event = case.fresh("event", nonnegative=True)
        case.alphabets[event] = frozenset([alphabet])
        case.binary.append(event)
        shown = proof(at(event), event)
        if shown.case is not case:
            raise ProofError("the theorem is about another case")
        if not same(case, shown.lhs, at(event)) or not same(case, shown.rhs, sympy.sympify(bound)):
            raise ProofError("the proof shows something else about a generic event")
        if (meaningful(case) - known) & atoms(case.unfold(sympy.sympify(bound))):
            raise ProofError("the bound depends on the event")
        return _made(case, top, bound, ("a supremum over events, of a generic one",), shown)


def this_event(case: Case, top: Symbol, event: Any) -> Theorem:
    """Prove that the value at one event, given by its indicator, is at most the supremum over events."""
    kind, told = case.suprema[top]
    if kind != "events":
        raise ProofError(f"{top} is no supremum over events")
    at, alphabet = told
    with within(case):
        indicator = sympy.sympify(event)
        if not case.ranges(indicator) <= {alphabet}:
            raise ProofError(f"{indicator} is no event of that alphabet")
        values = {v for v, _ in indicator.args} if isinstance(indicator, Piecewise) else {indicator}
        if not values <= {sympy.Integer(0), sympy.Integer(1)}:
            raise ProofError(f"{indicator} is no indicator")
        return _made(
            case, at(indicator), top, (f"a supremum over events is at least its value at {shortened(indicator)}",)
        )


# what a trial adds to (a, b), from worst to best, for a set that is increasing in a and decreasing in b
WORSE = ((0, 1), (0, 0), (1, 0))


def more_trials(case: Case, low: Symbol, high: Symbol) -> Theorem:
    """Prove that P((a, b) in R) does not fall if every trial does better, for R increasing in a and decreasing in b.

    `low` and `high` are the probabilities of the same region R after the same numbers of trials. The proof is by
    induction over the trials. The probability U of ending in R from given counts is increasing in a and decreasing in
    b, and sum (pi' - pi) U(next) >= 0 by summation by parts, since pi' gives the best outcomes at least as much
    probability as pi.
    """
    (kind, (region, before)), (other, (also, after)) = case.suprema[low], case.suprema[high]
    if kind != "trials" or other != "trials" or region is not also or len(before) != len(after):
        raise ProofError("the symbols are not two probabilities of one region")
    with within(case):
        for (count, pi), (same_count, more) in zip(before, after, strict=True):
            if count != same_count or not set(pi) | set(more) <= set(WORSE):
                raise ProofError("the two probabilities are of other trials")
            for chances in (pi, more):
                if not is_zero(Add(*chances.values()) - 1):
                    raise ProofError(f"{chances} is not seen to sum to 1")
                for chance in chances.values():
                    settle(sympy.sympify(chance), None, lambda e, _: nonnegative(e))
            for i in (1, 2):
                gain = Add(*(more.get(o, 0) - pi.get(o, 0) for o in WORSE[i:]))
                settle(sympy.sympify(gain), None, lambda e, _: nonnegative(e))
        return _made(case, low, high, ("every trial does better, so the count is stochastically larger",))


def premise(case: Case, claim: Any, **arguments: Any) -> list[Theorem]:
    """Apply another claim to arguments, and return a theorem for each of its inequalities, which rests on that claim.

    Each argument must be shown to lie in its kind before the claim's own sides are evaluated on the arguments.
    """
    with within(case):
        if not any(known.get(claim.id) is claim for known in (REGISTRY, CITED)):
            raise ProofError(f"{claim.id} is no registered claim")
        if set(arguments) != set(claim.given):
            raise ProofError(f"{claim.id} takes the arguments {', '.join(claim.given)}")
        for name, kind in claim.given.items():
            lies(kind, arguments[name], case)
        lhs, rhs = claim.sides(SymbolicVocabulary(), **arguments)
        left, right = np.broadcast_arrays(np.asarray(lhs, dtype=object), np.asarray(rhs, dtype=object))
        pairs = [(expression(x), expression(y)) for x, y in zip(left.ravel(), right.ravel(), strict=True)]
        same_sides = claim.relation == "=="
        return [
            Theorem(
                case,
                x,
                y,
                (f"{claim.id}: {shortened(x)} {claim.relation} {shortened(y)}",),
                (claim.id,),
                same_sides,
                _SEAL,
            )
            for x, y in pairs
        ]


def shortened(e: Expr, most: int = 300) -> str:
    text = algebra.written(e)
    return text if len(text) <= most else text[: most - 3] + "..."
