"""Splitting a number at a point, convexity of numbers, and equalities: true statements, and similar false ones."""

import pytest
from sympy import And, Eq, Gt, Integer, Max, Piecewise, Rational, Symbol, log

from verification.instances import Distributions, PurePairs
from verification.proof import ProofError
from verification.provers.convexity import sublinear
from verification.provers.kernel import at_most, equal, split, through
from verification.provers.kinds import instance
from verification.provers.symbols import Case, Total, within

a, c, x, y = (Symbol(n, positive=True) for n in "acxy")
HALF = Rational(1, 2)


def power(u, v):
    return Piecewise((u**2 / v, Gt(u, 0)), (0, True))


@pytest.mark.parametrize(
    ("lhs", "rhs", "at"),
    [(0, Max(x - c, c - x), c), (1, Max(x, 1 / x), Integer(1)), (x, Max(x, c), c)],
    ids=str,
)
def test_split(lhs, rhs, at):
    case = Case()

    def one(low, high, value):
        said = []
        for part in (high.args or (high,)) if isinstance(high, Max) else (high,):
            try:
                return at_most(case, low, part).then(at_most(case, part, high))
            except ProofError as error:
                said.append(error)
        raise said[0]

    assert split(case, lhs, rhs, x, at, one).rhs == rhs


def test_split_shows_both_sides():
    case = Case()
    with pytest.raises(ProofError):  # false for x < c
        split(case, 0, x - c, x, c, lambda low, high, _: at_most(case, low, high))
    with pytest.raises(ProofError):  # false for x > c
        split(case, 0, c - x, x, c, lambda low, high, _: at_most(case, low, high))
    with pytest.raises(ProofError, match="something else"):
        split(case, 0, x - c, x, c, lambda low, high, _: at_most(case, 0, 1))
    with pytest.raises(ProofError, match="different cases"):
        split(case, 0, x, x, c, lambda low, high, _: at_most(Case(), low, high))


@pytest.mark.parametrize("at", [Integer(0), -c, x, x + c, c - 1], ids=str)
def test_split_needs_a_point(at):
    case = Case()
    with pytest.raises(ProofError, match="point"):
        split(case, 0, x, x, at, lambda low, high, _: at_most(case, low, high))


def test_split_needs_a_separate_number():
    def trivially(low, high, _):
        return at_most(case, low, high)

    for symbol in (Symbol("z", nonnegative=True), Symbol("z", real=True), Symbol("n", integer=True, positive=True)):
        case = Case()
        with pytest.raises(ProofError, match="on its own"):
            split(case, 0, symbol**2, symbol, c, trivially)
    case = Case(relations=[x < c])  # so x > c does not occur, and c - x >= 0 may not be split
    with pytest.raises(ProofError, match="on its own"):
        split(case, 0, x, x, c, trivially)
    case = Case(definitions={y: x + 1})
    for symbol in (x, y):
        with pytest.raises(ProofError, match="on its own"):
            split(case, 0, symbol, symbol, c, trivially)
    case = Case()
    with within(case):
        made = instance({"pair": PurePairs()}, case)
    _, ratio = made.parameters["pair"]
    (more,) = ratio.free_symbols
    with pytest.raises(ProofError, match="on its own"):  # facts on the weights contain it
        split(case, 0, more, more, c, trivially)


def test_convexity_of_numbers():
    theorem = sublinear(Case(), power, [(a, x, y), (1, c, x)])
    assert theorem.lhs == (a * x + c) ** 2 / (a * y + x)
    assert theorem.rhs == a * x**2 / y + c**2 / x


@pytest.mark.parametrize(
    ("f", "terms"),
    [
        (lambda u, v: -power(u, v), [(1, x, y), (1, c, x)]),  # concave
        (lambda u, v: u**2 + 0 * v, [(1, x, y), (1, c, x)]),  # not homogeneous
        (lambda u, v: u * v, [(1, x, y), (1, c, x)]),
        (power, [(-1, x, y), (1, c, x)]),  # a weight below 0
        (power, [(1, -x, y), (1, c, x)]),
        (power, [(1, x, y), (1, c, Symbol("z", nonnegative=True))]),  # may be infinite
    ],
    ids=lambda v: getattr(v, "__name__", str(v)),
)
def test_convexity_of_numbers_rejects_false_statements(f, terms):
    with pytest.raises(ProofError):
        sublinear(Case(), f, terms)


def test_numbers_do_not_vary_over_letters():
    case = Case()
    with within(case):
        p, q = instance({"p": Distributions(2)}, case).parameters["p"]
    (at,) = case.alphabets[p]
    with pytest.raises(ProofError, match="varies"):
        sublinear(case, lambda u, v: Max(u - v, 0), [(1, p, q), (1, x, y)])
    with pytest.raises(ProofError, match="varies"):
        sublinear(case, lambda u, v: Max(u - v, 0), [(p, p, q), (q, x * p, q)], at)


def test_an_entropy_is_continuous_at_zero():
    def entropy(u, v, at_zero=0):
        return Piecewise((u * (log(u) - log(v)), Gt(u, 0)), (at_zero, True))

    assert sublinear(Case(), entropy, [(HALF, x, y), (HALF, c, x)]).rhs == (entropy(x, y) + entropy(c, x)) / 2
    case = Case()
    with within(case):
        p, q = instance({"p": Distributions(2)}, case).parameters["p"]
    case.excluded.append(And(Eq(q, 0), Gt(p, 0)))
    (at,) = case.alphabets[p]
    assert sublinear(case, entropy, [(1, p, q), (a, p, q)], at).rhs
    with pytest.raises(ProofError):  # v is not the limit at u = 0
        sublinear(case, lambda u, v: entropy(u, v, v), [(1, p, q), (a, p, q)], at)
    with pytest.raises(ProofError):  # infinite if q = 0 < p
        sublinear(Case(), lambda u, v: entropy(v, u), [(1, x, y), (1, Symbol("z", nonnegative=True), x)])


def test_equalities_are_preserved():
    case = Case()
    both = equal(case, x + x, 2 * x)
    assert through(both, log).times(a).plus(c).equal
    assert not at_most(case, x, 2 * x).times(a).plus(c).equal
    assert (both + at_most(case, x, 2 * x)).equal is False


def test_a_case_inside_a_total_is_not_a_case_of_a_number():
    case = Case()
    with within(case):
        p, q = instance({"p": Distributions(2)}, case).parameters["p"]
        below = Total(Piecewise((p - q, Gt(q, p)), (0, True)), *case.alphabets[p])
    with pytest.raises(ProofError):  # each branch on all letters has the total 0
        at_most(case, 0, below)
