"""Symbols for every kind, and the cases of a claim: they are complete, and assume only what the kinds state."""

import numpy as np
import pytest
import sympy
from sympy import And, Eq, Ge, Gt, Not, Rational, Symbol, oo

from verification.instances import (
    Distributions,
    Events,
    Fraction01,
    Integers,
    Maps,
    MarkovKernels,
    Order,
    Orders,
    PurePairs,
    Reals,
    Scale,
)
from verification.proof import ProofError
from verification.provers import kinds, symbols
from verification.provers.kinds import instance, lies
from verification.provers.symbols import Case, Fact, Total, cases, within
from verification.provers.values import Letters, Scalar, expression

HOME, CELLS = Symbol("letters_"), Symbol("cells_K")
a, x = Symbol("a", positive=True), Symbol("x", positive=True)
z, y = Symbol("z", nonnegative=True), Symbol("y", real=True)
p, q, kernel, test, event = (Symbol(n, nonnegative=True) for n in ("p0", "p1", "K", "t0", "e0"))
full = Symbol("f0", positive=True)
HALF = Rational(1, 2)


@pytest.fixture
def case():
    case = Case()
    for weight in (p, q, full, test, event):
        case.alphabets[weight] = frozenset([HOME])
    for weight in (p, q, full):
        case.masses[weight, HOME] = 1
    case.bounded.append(test)
    case.binary.append(event)
    case.alphabets[kernel] = frozenset([HOME, CELLS])
    case.masses[kernel, CELLS] = 1
    with within(case):
        yield case


def letters(e, *axes):
    return Letters(e, axes or [(HOME,)])


def test_totals(case):
    assert Total(p, HOME) == 1 and Total(kernel, CELLS) == 1
    assert Total(2 * x * p - q, HOME) == 2 * x - 1
    assert Total(x * p * q, HOME) == x * Total(p * q, HOME)
    assert Total(p * kernel, HOME, CELLS) == 1 and Total(p * kernel, CELLS) == p
    assert Total(Total(kernel * p, HOME), CELLS) == 1
    for opaque in (Total(kernel, HOME), Total(p**2, HOME), Total(p * q, HOME), Total(test, HOME)):
        assert isinstance(opaque, Total)
    assert Total(p * q, HOME).is_positive is None and Total(p * q, HOME).is_nonnegative
    assert Total(p - p * q, HOME).is_nonnegative is None
    assert Total(sympy.Min(p - x * q, q), HOME).is_nonnegative is None
    assert Total(0 * p, HOME) == 0
    for number in (1, x):
        with pytest.raises(ProofError, match="size of the alphabet"):
            Total(number, HOME)
    with pytest.raises(ProofError, match="size of the alphabet"):
        Total(p, CELLS)
    with pytest.raises(ProofError, match="differentiated"):
        Total(sympy.Max(p - x * q, 0), HOME).diff(x)


def run(f):
    """Return the value of f in every case, and the assumptions of each."""
    return [(found, case) for case, found in cases(f)]


@pytest.mark.parametrize(
    ("relation", "known"),
    [
        (Gt(x, 0), True),
        (Gt(z, 0, evaluate=False), None),
        (Gt(-z, 0), False),
        (Gt(-x, 0), False),
        (Gt(y, 0), None),
        (Ge(z, 0), True),
        (Ge(-x, 0), False),
        (Ge(-z, 0, evaluate=False), None),
        (Ge(y, 0), None),
        (Eq(x, 0, evaluate=False), False),
        (Eq(-x, 0, evaluate=False), False),
        (Eq(z, 0, evaluate=False), None),
        (Eq(y, 0, evaluate=False), None),
        (Eq((x + 1) ** 2, x**2 + 2 * x + 1, evaluate=False), True),
        (Gt((x + 1) ** 2, x**2 + 2 * x + 1, evaluate=False), False),
        (Ge((x + 1) ** 2, x**2 + 2 * x + 1, evaluate=False), True),
        (Gt(x, a), None),
    ],
    ids=str,
)
def test_a_comparison_is_known_or_opens_two_cases(relation, known):
    found = [answer for answer, _ in run(lambda case: case.holds(relation))]
    assert sorted(found) == ([False, True] if known is None else [known])


def test_a_comparison_is_remembered():
    def twice(case):
        return case.holds(Gt(x, a)), case.holds(Gt(x, a)), bool(Scalar(x) <= Scalar(a))

    assert sorted(found for found, _ in run(twice)) == [(False, False, True), (True, True, False)]
    for (answer, *_), case in run(twice):
        assert case.relations == [Gt(x, a) if answer else Not(Gt(x, a))]
        assert len(case.assumed) == 1


def test_every_choice_is_made():
    def choose(case):
        first = case.choose([("", i) for i in range(3)])
        return (first, case.choose([("", i) for i in range(2)])) if first else (first,)

    assert sorted(found for found, _ in run(choose)) == [(0,), (1, 0), (1, 1), (2, 0), (2, 1)]
    with pytest.raises(ProofError, match="cases"):
        run(lambda case: [case.choose([("", 0), ("", 1)]) for _ in range(10)])


def test_patterns_of_zeros(case):
    def count(*of):
        return len(list(case.patterns(of)))

    assert [count(p), count(p, q), count(full), count(test), count(event), count(p, q, test)] == [2, 4, 1, 3, 2, 12]
    assert {v for (v,) in (d.values() for d in case.patterns([event]))} == {0, 1}
    (middle,) = (v for (v,) in (d.values() for d in case.patterns([test])) if v not in (0, 1))
    assert (1 - middle).is_positive is not False and sympy.simplify(1 - middle).is_positive
    case.facts.append(Fact(q - p))
    assert count(p, q) == 3 and count(p) == 2
    case.facts[0] = Fact(-2 * p)
    assert list(case.patterns([p])) == [{p: 0}]
    case.facts.clear()
    case.excluded.append(And(Gt(p, 0), Eq(q, 0)))
    assert count(p, q) == 3 and count(p) == 2 and not case.impossible()
    case.excluded.append(Gt(p, 0))
    assert count(p, q) == 2 and case.impossible()
    case.excluded[:] = [Eq(p, 0)]
    assert count(p) == 1 and not case.impossible()
    case.excluded[:] = [And(Gt(p, 0), Gt(q, 0)), And(Gt(p, 0), Eq(q, 0))]
    assert case.impossible()


def test_a_condition_holds_somewhere_or_nowhere(case):
    outside = And(Gt(p, 0), Eq(q, 0))
    for open_condition in (Gt(p, q), Eq(p, q), And(Gt(p, 0), Eq(z * p, 0))):
        answers = [answer for answer, _ in run(lambda inner, c=open_condition: _somewhere(inner, case, c))]
        assert {first for first, _ in answers} == {False, True}
    found = run(lambda inner: _somewhere(inner, case, outside))
    assert sorted(answer for answer, _ in found) == [(False, False), (True, True)]
    for (answer, _), inner in found:
        assert (inner.present, inner.excluded) == (([outside], []) if answer else ([], [outside]))
    assert not case.somewhere(And(Gt(full, 0), Eq(full, 0)))
    assert case.somewhere_known(outside) and not case.somewhere_known(sympy.false)
    assert case.somewhere(sympy.true) and not case.somewhere(sympy.false)
    assert not case.taken
    case.excluded.append(outside)
    assert not case.somewhere(outside) and not case.somewhere_known(outside)


def _somewhere(inner, case, condition):
    inner.alphabets.update(case.alphabets)
    return inner.somewhere(condition), inner.somewhere(condition)


def test_definitions(case):
    name = case.define("M", x + 1, positive=True)
    assert case.define("M", x + 1, positive=True) is name and case.define("M", x + 2, positive=True) != name
    assert case.define("M", x + 1, nonnegative=True) is not None
    second = case.define("v", name * 2, positive=True)
    assert case.unfold(second + z) == 2 * (x + 1) + z
    sums = case.fresh("M", positive=True)
    case.definitions[sums] = Total(p * q, HOME)
    assert case.unfold(sums, sums=False) == sums and case.unfold(sums).has(Total)
    case.definitions[sums] = sums + 1
    with pytest.raises(ProofError, match="circle"):
        case.unfold(sums)


# Numbers


def test_numbers_are_exact():
    assert expression(0.1) == Rational(*(0.1).as_integer_ratio()) != Rational(1, 10)
    assert (expression(np.inf), expression(-np.inf), expression(True), expression(np.int64(3))) == (oo, -oo, 1, 3)
    assert expression(np.array([0.5])) == HALF
    with pytest.raises(ProofError, match="one number"):
        expression(np.array([1, 2]))


def test_comparisons_of_numbers(case):
    one, two = Scalar(x), Scalar(x + 1)
    assert one < two and one <= two and two > one and two >= one and one != two and one == Scalar(x)
    assert not (two < one or two <= one or one > two or one >= two or one == two or one != Scalar(x))
    assert one <= Scalar(x) and one >= Scalar(x) and not one < Scalar(x) and not one > Scalar(x)
    assert one < oo and not one > oo and one != oo and Scalar(oo) == oo and one > -oo
    assert not case.taken
    assert (one - two).e == -1 and (1 - one).e == 1 - x and (1 / one).e == 1 / x and (2**one).e == 2**x
    assert (two - 1).e == x and (one / 2).e == x / 2 and (one**2).e == x**2 and (-one).e == -x and abs(-one).e == x


def test_undefined_values_are_rejected(case):
    for f in (
        lambda: Scalar(0) * oo,
        lambda: Scalar(oo) * 0,
        lambda: 0 * Scalar(oo),
        lambda: Scalar(x) / 0,
        lambda: Scalar(x) / Scalar(x - x),
        lambda: letters(p) / letters(q),
        lambda: 1 / letters(p),
        lambda: letters(p) / letters(full - HALF),
    ):
        with pytest.raises(ProofError):
            f()
    assert (Scalar(x) / Scalar(a)).e == x / a and (Scalar(2) * oo).e == oo
    assert (letters(p) / letters(full)).e == p / full and (1 / letters(full)).e == 1 / full


def test_a_division_opens_the_case_of_zero():
    def divide(case):
        return (Scalar(1) / Scalar(z)).e

    with pytest.raises(ProofError, match="division"):
        run(divide)
    assert run(lambda case: Scalar(1) / Scalar(x))


def test_letters_of_several_alphabets_are_kept_apart(case):
    row, column = letters(p)[:, :, None], letters(q)[:, None, :]
    other = letters(kernel, (HOME,), (CELLS,))
    assert (row * other).axes == ((HOME,), (CELLS,))
    for f in (
        lambda: row * column,  # one letter along two axes
        lambda: letters(p) + letters(kernel, (CELLS,)),
        lambda: letters(p) * other,
        lambda: letters(p) * np.array([1.0, 2.0]),
        lambda: letters(p).shape,
        lambda: letters(p)[:, 0],
        lambda: letters(p)[0],
        lambda: letters(p)[:, :1],
        lambda: letters(p).sum(0),
        lambda: letters(p).sum(axis=-2),
        lambda: other.max(),
        lambda: (letters(p) > 0) & (letters(kernel, (CELLS,)) > 0),
        lambda: (other > 0).any(),
        lambda: np.cumsum(letters(p)),
        lambda: np.where(np.array([True, False]), letters(p), 0),
        lambda: letters(p).reshape(-1),
    ):
        with pytest.raises(ProofError):
            f()
    assert expression(letters(p).sum()) == 1
    assert other.sum(-1).e == 1 and other.sum(-1).axes == ((HOME,),)
    assert other.sum(-2).axes == ((CELLS,),) and isinstance(other.sum(-2).e, Total)


def test_conditions_on_letters():
    def anywhere(case):
        case.alphabets[p] = frozenset([HOME])
        return bool((letters(p) > 0).any()[0]), bool((~(letters(p) > 0)).all()[0])

    assert sorted(found for found, _ in run(anywhere)) == [(False, True), (True, False)]

    def everywhere(case):
        case.alphabets[p] = frozenset([HOME])
        return bool((letters(p) > 0).all()[0])

    found = dict(run(everywhere))
    assert found[True].excluded == [Not(Gt(p, 0))] and found[False].present == [Not(Gt(p, 0))]


def test_comparisons_of_letters(case):
    chosen = np.where(letters(p) > letters(q), letters(p), letters(q))
    assert chosen.e.subs({p: 2, q: 1}) == 2 and chosen.e.subs({p: 1, q: 3}) == 3
    assert (letters(p) < letters(q)).condition == Gt(q, p) and (letters(p) <= letters(q)).condition == Ge(q, p)
    assert (letters(p) >= letters(q)).condition == Ge(p, q)
    assert (~(letters(p) == letters(q))).condition == (letters(p) != letters(q)).condition == Not(Eq(p, q))


def test_a_largest_entry_is_at_least_each(case):
    top, bottom = expression(letters(p).max()), expression(letters(p).min())
    assert [f.expression for f in case.facts] == [top - p, p - bottom]
    assert expression(letters(p).max()) == top and len(case.facts) == 2
    assert expression(letters(q).max()) != top


# Kinds


class Unknown(Scale):
    """A kind without a builder."""


def ranges(kind):
    """Return the limits of a number of this kind at both ends of each of its cases, in any order."""
    found = []
    for case, made in cases(lambda case: instance({"v": kind}, case)):
        e = made.parameters["v"]
        assert expression(made.arguments["v"]) == e
        (s,) = e.free_symbols or {None}
        assert s is None or s.is_positive
        found.append((e, e) if s is None else (sympy.limit(e, s, 0), sympy.limit(e, s, oo)))
        assert len(case.assumed) == 1 or isinstance(kind, Order)
    return sorted(found, key=str)


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        (Order(1), [(1, oo)]),
        (Order(0), [(0, 1), (1, oo)]),
        (Order(0.5), [(HALF, 1), (HALF, HALF), (1, oo)]),
        (Order(0.5, closed=False), [(HALF, 1), (1, oo)]),
        (Order(2), [(2, oo), (2, 2)]),
        (Order(0, 0.5), [(0, HALF), (HALF, HALF)]),
        (Order(0, 1, closed=False), [(0, 1)]),
        (Order(1, 2), [(1, 2), (2, 2)]),
        (Order(0.5, 2), [(1, 2), (2, 2), (HALF, 1), (HALF, HALF)]),
        (Scale(), [(0, oo), (0, 0)]),
        (Scale(positive=True), [(0, oo)]),
        (Scale(high=2), [(0, 0), (0, 2), (2, 2)]),
        (Scale(positive=True, high=2), [(0, 2), (2, 2)]),
        (Reals(), [(0, -oo), (0, 0), (0, oo)]),
        (Reals(high=1), [(-1, -1), (-1, 1), (1, 1)]),
        (Fraction01(), [(0, 0), (0, 1), (1, 1)]),
        (Fraction01(zero=False), [(0, 1), (1, 1)]),
        (Fraction01(one=False), [(0, 0), (0, 1)]),
        (Fraction01(zero=False, one=False), [(0, 1)]),
    ],
    ids=repr,
)
def test_the_cases_cover_exactly_the_kind(kind, wanted):
    assert ranges(kind) == sorted(wanted, key=str)


def test_integers():
    ((_, made),) = cases(lambda case: instance({"n": Integers(3)}, case))
    n = made.parameters["n"]
    (more,) = n.free_symbols
    assert n == 3 + more and more.is_integer and more.is_nonnegative and not more.is_positive


@pytest.mark.slow
def test_two_orders():
    seen = set()
    for _, made in cases(lambda case: instance({"v": Orders(0)}, case)):
        low, high = made.parameters["v"]
        s, t = sorted(low.free_symbols | high.free_symbols, key=str) + [a] * (
            len(low.free_symbols | high.free_symbols) < 2
        )
        for i in (Rational(1, 7), 3):
            for j in (Rational(1, 5), 2):
                one, two = (e.subs({s: i, t: j}) for e in (low, high))
                assert 0 < one <= two and 1 not in (one, two)
        if sympy.simplify(low - high) != 0:  # neither is a function of the other
            assert sympy.simplify(sympy.Matrix([low, high]).jacobian([s, t]).det()) != 0
        seen.add((sympy.simplify(low - high) == 0, low.subs({s: 1, t: 1}) > 1, high.subs({s: 1, t: 1}) > 1))
    assert seen == {
        (True, True, True),
        (True, False, False),
        (False, True, True),
        (False, False, True),
        (False, False, False),
    }
    with pytest.raises(ProofError):
        list(cases(lambda case: instance({"v": Orders(0.5)}, case)))


def test_weights():
    ((case, made),) = cases(lambda case: instance({"p": Distributions(2), "q": Distributions(1, full=True)}, case))
    (one, two), (three,) = made.parameters["p"], made.parameters["q"]
    assert [s.is_nonnegative for s in (one, two, three)] == [True] * 3
    assert [s.is_positive for s in (one, two, three)] == [None, None, True]
    assert set(case.masses) == {(s, HOME) for s in (one, two, three)} and not case.facts
    ((case, made),) = cases(lambda case: instance({"p": PurePairs()}, case))
    (one, two), r = made.parameters["p"]
    assert {f.expression for f in case.facts} == {r * one - two, r * two - one} and (r - 1).is_positive
    assert expression(made.arguments["p"][1]) == r
    ((case, made),) = cases(lambda case: instance({"p": Distributions(2), "K": MarkovKernels()}, case))
    k = made.parameters["K"]
    assert case.alphabets[k] == {HOME, CELLS} and (k, CELLS) in case.masses and (k, HOME) not in case.masses
    ((case, made),) = cases(lambda case: instance({"t": Events(2)}, case))
    assert case.bounded == made.parameters["t"] and not case.binary and not case.masses
    assert [made.arguments["t"][:, i].e for i in range(2)] == made.parameters["t"]
    with pytest.raises(ProofError, match="beyond"):
        list(cases(lambda case: instance({"t": Events(most=2)}, case)))
    coin = [
        found.parameters["s"] for _, found in cases(lambda case: instance({"s": Maps(size=1, image=2, count=1)}, case))
    ]
    assert sorted(coin) == [0, 1]


@pytest.mark.parametrize("given", [{"x": Scale(), "x_more": Scale()}, {"r": Unknown()}])
def test_instances_that_are_rejected(given):
    with pytest.raises(ProofError):
        list(cases(lambda case: instance(given, case)))


@pytest.mark.parametrize(
    ("kind", "inside", "outside"),
    [
        (Order(1), [2, 1 + a], [1, HALF, a, 1 + z]),
        (Order(2), [2, 2 + z], [1 + a, 2 - a]),
        (Order(2, closed=False), [3, 2 + a], [2, 2 + z]),
        (Order(0.5, 2), [HALF, 2, 1 + a / (1 + a), HALF + a / (1 + a) / 2], [1, 3, 1 + 2 * a / (1 + a)]),
        (Order(0), [2, 1 + a, a / (1 + a)], [0, 1, a, 2 * a / (1 + a)]),
        (Scale(), [0, z, x], [-1, y, x - a]),
        (Scale(positive=True), [x, 1 + z], [0, z]),
        (Scale(high=2), [0, 2, 2 * z / (1 + z)], [3, x]),
        (Fraction01(), [0, 1, HALF, z / (1 + z)], [-1, 2, x]),
        (Fraction01(zero=False), [1, x / (1 + x)], [0, z / (1 + z)]),
        (Fraction01(one=False), [0, z / (1 + z)], [1, 1 - z / (1 + z)]),
        (Reals(), [], [x]),
    ],
    ids=repr,
)
def test_membership_in_a_kind(kind, inside, outside, case):
    for v in inside:
        lies(kind, Scalar(v), case)
    for v in outside:
        with pytest.raises(ProofError):
            lies(kind, Scalar(v), case)


def test_every_kind_with_an_instance_has_words():
    assert set(kinds.BUILDERS) == set(kinds.WORDS)
    words = kinds.domain({"v": Fraction01(zero=False), "w": Order(0)})
    assert "(0, 1]" in words and "(0, oo) without 1" in words
    assert kinds.domain({"v": Scale(positive=True)}) != kinds.domain({"v": Scale()})


def test_comparisons_that_are_certainly_false():
    """A comparison that may hold is not certainly false; one that cannot hold is."""
    assert symbols._false(Gt(-a, 0, evaluate=False)) and symbols._false(Eq(a, 0, evaluate=False))
    for may in (Gt(a, 0, evaluate=False), Gt(y, 0), Eq(z, 0), Gt(a - 1, 0)):
        assert not symbols._false(may)
    assert symbols._false(And(Gt(y, 0), Gt(-a, 0, evaluate=False))) and not symbols._false(And(Gt(y, 0), Gt(a, 1)))


def test_letters_of_two_alphabets_are_not_compared(case):
    cells = Symbol("b0", nonnegative=True)
    case.alphabets[cells] = frozenset([CELLS])
    with pytest.raises(ProofError, match="letters of two alphabets"):
        letters(p) + Letters(cells, [(CELLS,)])
    assert (letters(p) + letters(q)).axes == ((HOME,),)
