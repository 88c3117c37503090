"""Rules prove true statements, and reject similar false ones."""

import pytest
import sympy
from sympy import Rational, Symbol, exp, log, oo

from verification.proof import ProofError
from verification.provers.convexity import convexity
from verification.provers.kernel import pointwise, positive
from verification.provers.operators import letterwise
from verification.provers.symbols import Case, Total, within
from verification.provers.tactics import Factors

a, x, y = (Symbol(n, positive=True) for n in "axy")
z = Symbol("z", real=True)
HALF = Rational(1, 2)


def named(v):
    """Return an id that is the same in every process."""
    return getattr(v, "__name__", str(v))


@pytest.mark.parametrize(
    ("f", "terms"),
    [
        (lambda v: v**2, [(HALF, z), (HALF, -z)]),
        (lambda v: -log(v), [(HALF, x), (HALF, y)]),
        (lambda v: v ** (1 + a), [(1 / (1 + a), x), (a / (1 + a), y)]),
        (exp, [(Rational(1, 3), x), (Rational(2, 3), z)]),
        (lambda v: 3 * v - 1, [(HALF, z), (HALF, 5)]),
        (lambda v: v * log(v), [(1, x)]),
    ],
    ids=named,
)
def test_convexity(f, terms):
    theorem = convexity(Case(), f, terms)
    assert theorem.lhs == f(sum(w * v for w, v in terms))
    assert theorem.rhs == sum(w * f(v) for w, v in terms)


@pytest.mark.parametrize(
    ("f", "terms"),
    [
        (log, [(HALF, x), (HALF, y)]),  # concave
        (lambda v: v**3, [(HALF, z), (HALF, -z)]),  # convex only for x > 0
        (lambda v: v**3, [(HALF, x), (HALF, z)]),
        (lambda v: v**2, [(HALF, x), (Rational(1, 3), y)]),  # weights of sum 5/6
        (lambda v: v**2, [(2, x), (-1, y)]),  # a weight below 0
        (lambda v: v**2, [(1 + a, x), (-a, y)]),
        (lambda v: -log((v - 1) ** 2), [(HALF, x), (HALF, y)]),  # a pole between
        (lambda v: 1 / (v - 1) ** 2, [(HALF, x), (HALF, y)]),
        (lambda v: 1 / v**2, [(HALF, z), (HALF, -z)]),
        (lambda v: -sympy.Abs(v), [(HALF, z), (HALF, -z)]),
        (lambda v: v**a, [(HALF, x), (HALF, y)]),  # convex only for a >= 1
        (lambda v: -log(v), [(HALF, oo), (HALF, x)]),
        (lambda v: v**2, [(HALF, Symbol("c")), (HALF, x)]),  # not a real number
    ],
    ids=named,
)
def test_convexity_rejects_false_statements(f, terms):
    with pytest.raises(ProofError):
        convexity(Case(), f, terms)


def test_convexity_of_a_letter_is_rejected():
    case = Case()
    w, at = Symbol("w", nonnegative=True), Symbol("letters_")
    case.alphabets[w], case.masses[w, at] = frozenset([at]), 1
    with pytest.raises(ProofError, match="no number"):
        convexity(case, lambda v: v**2, [(HALF, w), (HALF, 1)])
    with pytest.raises(ProofError):
        convexity(case, lambda v: v**2, [(w, x), (1 - w, 1)])


@pytest.mark.slow
def test_the_second_derivative_by_a_tactic():
    def gap(v):
        return -log(1 + x**v) + v * log(x) / 2 + v**2 * log(x) ** 2 / 2

    def second(v):
        return Factors([log(x) ** 2, 1 - x**v / (1 + x**v) ** 2])

    assert convexity(Case(), gap, [(HALF, z), (HALF, -z)], second).steps
    with pytest.raises(ProofError):
        convexity(Case(), lambda v: gap(v) - v**2 * log(x) ** 2, [(HALF, z), (HALF, -z)], second)


def test_a_multiplier_is_the_same_at_every_letter():
    """The mass of q where p is 0 is a number, although its term differs between letters with and without p."""
    case, at = Case(), Symbol("letters_")
    p, q = (Symbol(n, nonnegative=True) for n in "pq")
    for w in (p, q):
        case.alphabets[w], case.masses[w, at] = frozenset([at]), 1
    with within(case):
        outside = Total(sympy.Piecewise((0, p > 0), (q, True)), at)
        with pytest.raises(ProofError):
            pointwise(case, outside, 0, multipliers={q: outside, p: -outside})
        assert pointwise(case, outside, 1, multipliers={q: 1}).rhs == 1


@pytest.fixture
def pair():
    """Return two weights on one alphabet, in a case."""
    p, q, letters = Symbol("p0", nonnegative=True), Symbol("q0", nonnegative=True), Symbol("letters_")
    case = Case()
    case.alphabets = {p: frozenset([letters]), q: frozenset([letters])}
    case.masses.update({(p, letters): 1, (q, letters): 1})
    with within(case):
        yield case, p, q, letters


def test_terms_inside_a_total_belong_to_other_letters(pair):
    """2 sum p q - p is negative where p is large, and never positive for disjoint p and q."""
    case, p, q, letters = pair
    level = 2 * Total(p * q, letters) - p
    assert positive(case, Total(p * exp(q), letters))
    assert not positive(case, Total(sympy.Max(level, 0), letters))
    assert not positive(case, Total(p * q, letters))
    letterwise(2 * Total(p * q, letters) + p)
    with pytest.raises(ProofError):
        letterwise(level)
