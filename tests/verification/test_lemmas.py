"""Lemmas applied to expressions: unproved lemmas, and uses outside of the range, are rejected."""

from __future__ import annotations

from typing import Any

import pytest
from sympy import Expr, Gt, Integer, Max, Min, Symbol, exp, log, oo, sqrt

from verification.proof import ProofError
from verification.provers.kernel import absurd, at_most, minimum, pointwise, positive, through
from verification.provers.lemmas import both, instantiated, lemma
from verification.provers.symbols import Case, Fact, Total, within
from verification.provers.tactics import Rising

x, y = Symbol("x", positive=True), Symbol("y", positive=True)
z, r = Symbol("z", nonnegative=True), Symbol("r", real=True)
n, a = Symbol("n", integer=True, positive=True), Symbol("a", positive=True)
HOME = Symbol("letters")


@pytest.fixture
def case() -> Case:
    case = Case()
    for name in "pq":
        weight = Symbol(name, nonnegative=True)
        case.alphabets[weight] = frozenset([HOME])
        case.masses[weight, HOME] = 1
    return case


p, q = (Symbol(name, nonnegative=True) for name in "pq")


def _excess(case: Case) -> Expr:
    with within(case):
        return Total(Max(p - q, 0), HOME)


@pytest.mark.parametrize(
    ("lhs", "rhs", "where", "tactic", "at"),
    [
        (1 + x, exp(x), {x: a**2}, Rising(x, Rising(x)), (1 + a**2, exp(a**2))),
        (1 + x, exp(x), {x: log(1 + a)}, Rising(x, Rising(x)), (1 + log(1 + a), 1 + a)),
        (z, 2 * z, {z: Integer(0)}, None, (0, 0)),
        (-(r**2), r**2, {r: -a}, None, (-(a**2), a**2)),
        (x, x + y, {x: y, y: x}, None, (y, x + y)),
    ],
)
def test_a_lemma_can_be_used_where_it_holds(case: Case, lhs: Any, rhs: Any, where: Any, tactic: Any, at: Any) -> None:
    theorem = lemma(case, lhs, rhs, where, tactic)
    assert (theorem.lhs, theorem.rhs) == at


@pytest.mark.parametrize(
    ("lhs", "rhs", "where", "tactic"),
    [
        (1 + 2 * x, exp(x), {x: a}, Rising(x)),  # false
        (x, 2 * x, {x: -a}, None),  # outside
        (x, 2 * x, {x: Integer(0)}, None),  # the end of an open range
        (x, 2 * x, {x: a - 1}, None),  # not known to be inside
        (z, 2 * z, {z: log(a)}, None),
        (0, 1 / z, {z: Integer(0)}, None),  # undefined at 0
        (0, 1 / z, {z: a}, None),
        (-log(1 + 1 / z), 0, {z: a}, None),
        (x, 2 * x, {x: oo}, None),
        (0, n - 1, {n: a}, None),  # a symbol of an integer
        (0, r**2, {r: sqrt(-a)}, None),
        (x, 2 * x, {x: p}, None),  # varies over the letters
        (0, p, {p: a}, None),  # a weight is not a free symbol
    ],
)
def test_a_lemma_is_rejected_elsewhere(case: Case, lhs: Any, rhs: Any, where: Any, tactic: Any) -> None:
    with pytest.raises(ProofError):
        lemma(case, lhs, rhs, where, tactic)


def test_a_lemma_at_an_expression_that_a_theorem_shows_nonnegative(case: Case) -> None:
    excess = _excess(case)
    gap = pointwise(case, 0, 1 - excess, multipliers={p: 1})
    assert lemma(case, z, 2 * z, {z: gap}).rhs == 2 - 2 * excess
    with pytest.raises(ProofError, match="lie"):
        lemma(case, z, 2 * z, {z: pointwise(case, excess, 1, multipliers={p: 1})})  # no statement about 0
    with pytest.raises(ProofError, match="lie"):
        lemma(case, x, 2 * x, {x: gap})  # may be 0
    with pytest.raises(ProofError, match="lie"):
        lemma(case, z, 2 * z, {z: 1 - excess})  # not known without the theorem
    other = Case()
    with pytest.raises(ProofError, match="different cases"):
        lemma(other, z, 2 * z, {z: gap})


def test_a_symbol_of_the_case_is_not_free(case: Case) -> None:
    with within(case):
        inside = Total(Max(p - x * q, 0), HOME)
    theorem = pointwise(case, 0, inside)
    with within(case):
        assert instantiated(theorem, {x: a}).rhs == Total(Max(p - a * q, 0), HOME)
    named = case.define("M", inside, nonnegative=True)
    for known in (named, x):
        with pytest.raises(ProofError, match="means something"):
            lemma(case, 0, known, {known: a})
    case.facts.append(Fact(y * q - p))
    case.relations.append(Gt(a, 1))
    for known in (y, a):
        with pytest.raises(ProofError, match="means something"):
            instantiated(at_most(case, 0, known), {known: z + 1})


def test_assumptions_of_a_case_are_positive(case: Case) -> None:
    excess = _excess(case)
    assert not positive(case, excess)
    with pytest.raises(ProofError):
        through(pointwise(case, excess, 1, multipliers={p: 1}), log)
    case.relations.append(Gt(excess, 0, evaluate=False))
    assert positive(case, 2 * excess) and positive(case, a * excess)
    for other in (-excess, excess - 1, (a - 1) * excess, 1 - excess, excess - excess**2):
        assert not positive(case, other)
    assert through(pointwise(case, excess, 1, multipliers={p: 1}), log).rhs == 0
    assert lemma(case, x, 2 * x, {x: excess}).rhs == 2 * excess


def test_negated_assumptions_of_a_case_are_not_positive(case: Case) -> None:
    excess = _excess(case)
    case.relations += [excess <= 1, Gt(1, a * excess, evaluate=False)]
    assert not positive(case, excess) and not positive(case, a * excess)
    assert positive(case, 1 - a * excess)


def test_two_inequalities_make_an_equality(case: Case) -> None:
    below, above = at_most(case, x, 2 * x), at_most(case, x, x + y)
    same = both(at_most(case, 2 * x, x + x), at_most(case, x + x, 2 * x))
    assert same.equal
    for first, second in ((below, above), (below, below), (below, at_most(Case(), x, x))):
        with pytest.raises(ProofError):
            both(first, second)


def test_a_case_that_does_not_occur(case: Case) -> None:
    excess = _excess(case)
    shown = pointwise(case, excess, 1, multipliers={p: 1})
    with pytest.raises(ProofError, match="deny"):
        absurd(shown, 1, 0)
    case.relations += [Gt(1, excess, evaluate=False), Gt(excess, a, evaluate=False), excess > 2]
    with pytest.raises(ProofError, match="deny"):
        absurd(shown, 1, 0)
    case.relations.append(Gt(excess, 1, evaluate=False))
    assert absurd(shown, 1, 0).rhs == 0


def test_a_total_is_positive_if_a_weight_is_positive_there(case: Case) -> None:
    with within(case):
        good = [Total(e, HOME) for e in (p * exp(r), q * a + p, sqrt(p), p + Max(p - q, 0), p**2 * a)]
        bad = [Total(e, HOME) for e in (p * q, Max(p - q, 0), p * r, sqrt(p) * q, p**2 - p * q / 2, p * (q - 1))]
        varying = Total(p * x, HOME)
    assert [e for e in good if not positive(case, e)] == []
    assert [e for e in bad if positive(case, e)] == []
    assert positive(case, varying) and not positive(Case(), good[2])


def test_a_minimum_combines_bounds_of_the_same_quantity(case: Case) -> None:
    bounds = [at_most(case, x, 2 * x), at_most(case, x, x + y)]
    assert minimum(x, bounds).rhs == Min(2 * x, x + y)
    for lhs, of in (
        (y, bounds),
        (2 * x, bounds),
        (x, [*bounds, at_most(case, y, 2 * y)]),
        (x, [at_most(Case(), y, y)]),
    ):
        with pytest.raises(ProofError):
            minimum(lhs, of)


def test_a_total_of_a_free_symbol(case: Case) -> None:
    with within(case):
        sums = [Total(Max(z * p - q, 0), HOME), Total(Max(p - sqrt(z) * q, 0), HOME)]
        poles = [Total(Max(p - q / z, 0), HOME), log(Total(Max(p - z * q, 0), HOME)), Total(p * log(z + p), HOME)]
        for e in sums:
            assert instantiated(at_most(case, 0, e), {z: a}).rhs == e.subs(z, a)
        for e in poles:
            with pytest.raises(ProofError):
                instantiated(at_most(case, e, e), {z: a})
