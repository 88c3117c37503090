"""Every check in the rules of inference matters: it rejects a false statement, and a similar true one passes."""

import pytest
import sympy
from sympy import Abs, Gt, Max, Piecewise, Rational, Symbol, log, oo, sqrt

import verification.provers.kernel as kernel_module
from verification.claim import REGISTRY, Claim
from verification.instances import Distributions, Fraction01, Order, Region, Scale
from verification.proof import ProofError
from verification.provers.algebra import bound
from verification.provers.convexity import convexity, holder, processing, sublinear
from verification.provers.kernel import (
    Theorem,
    assumed,
    at_most,
    equal,
    every_event,
    maximum,
    more_trials,
    pointwise,
    positive,
    premise,
    rewrite,
    same,
    this_event,
    through,
)
from verification.provers.symbols import Case, Fact, Total, within
from verification.provers.tactics import Composed, Concave, Convex
from verification.provers.values import Letters, Scalar
from verification.provers.vocabulary import SymbolicVocabulary

HOME, CELLS = Symbol("letters_"), Symbol("cells_K")
HALF = Rational(1, 2)
a, r, x, y = (Symbol(n, positive=True) for n in "arxy")
p, q, w, kernel = (Symbol(n, nonnegative=True) for n in ("p0", "p1", "w", "K"))
full_p, full_q = (Symbol(n, positive=True) for n in ("f0", "f1"))
test = Symbol("t0", nonnegative=True)
z = Symbol("z", nonnegative=True)


@pytest.fixture
def case():
    """Return two distributions, two of full support, a weight of unknown total, a test, and a Markov kernel."""
    case = Case()
    for weight in (p, q, full_p, full_q, w, test):
        case.alphabets[weight] = frozenset([HOME])
    for weight in (p, q, full_p, full_q):
        case.masses[weight, HOME] = 1
    case.bounded.append(test)
    case.alphabets[kernel] = frozenset([HOME, CELLS])
    case.masses[kernel, CELLS] = 1
    with within(case):
        yield case


def total(e):
    return Total(e, HOME)


def refused(rule, *given, match=None, **hints):
    with pytest.raises(ProofError, match=match):
        rule(*given, **hints)


def test_theorems_are_combined_as_inequalities(case):
    below, above = at_most(case, x, 2 * x), at_most(case, 2 * x, 3 * x)
    refused(Theorem, case, x, 0, ())
    assert below.then(above).rhs == 3 * x
    refused(above.then, below)
    assert (below + above).rhs == 5 * x
    refused(below.then, at_most(Case(), 2 * x, 3 * x))
    refused(below.__add__, at_most(Case(), 2 * x, 3 * x))
    assert below.times(a).rhs == 2 * a * x
    for factor in (-1, a - 1, Symbol("y", real=True)):
        refused(below.times, factor)
    assert (below.negated().lhs, below.negated().rhs) == (-2 * x, -x)
    assert (below.plus(-a).lhs, below.plus(-a).rhs) == (x - a, 2 * x - a)
    assert equal(case, x, x).negated().equal
    same_twice = equal(case, x, x)
    sums = below + same_twice, same_twice + below
    for made in (same_twice.then(below), at_most(case, 0, x).then(same_twice), *sums, below.negated()):
        assert not made.equal
    assert maximum([below, at_most(case, a - a, 2 * x)]).rhs == 2 * x
    refused(maximum, [below, above])
    refused(maximum, [above, below])
    refused(maximum, [below, at_most(Case(), 0, 2 * x)])


def test_different_sides_are_rejected(case):
    name = case.define("M", x + 1, positive=True)
    assert same(case, name, 1 + x) and same(case, log(name), log(1 + x))
    for u, v in ((x, y), (name, x), (oo, x), (x, -oo), (oo, -oo), (total(p**2), total(q**2))):
        assert not same(case, u, v)
    assert equal(case, name, x + 1).equal
    refused(equal, case, name, x)
    theorem = at_most(case, x, 2 * x)
    assert rewrite(theorem, 2 * x - x, x + x).rhs == 2 * x
    refused(rewrite, theorem, lhs=x / 2)
    refused(rewrite, theorem, rhs=x)
    refused(rewrite, theorem, rhs=3 * x)


def test_infinite_sides(case):
    assert at_most(case, x, oo).rhs == oo and at_most(case, -oo, x).lhs == -oo
    for u, v in ((oo, x), (x, -oo), (oo, -oo)):
        refused(at_most, case, u, v)
    refused(through, at_most(case, x, oo), lambda v: v)


def test_assumptions_of_a_case(case):
    case.relations += [Gt(x, a), x <= r, sympy.Eq(x, y, evaluate=False)]
    assert (assumed(case, 0).lhs, assumed(case, 0).rhs) == (a, x)
    assert (assumed(case, 1).lhs, assumed(case, 1).rhs) == (x, r)
    refused(assumed, case, 2)


def test_nonnegative_assumptions_may_be_zero(case):
    case.relations += [total(p * q) <= HALF, sympy.Ge(total(p**2), HALF)]
    for gap in (HALF - total(p * q), total(p**2) - HALF, HALF - total(p**2)):
        assert not positive(case, gap)
    case.relations.append(sympy.Lt(total(p * q), HALF))
    assert positive(case, HALF - total(p * q)) and not positive(case, total(p * q) - HALF)


def test_only_increasing_functions_may_be_applied(case):
    here, touching, real = at_most(case, x, 2 * x), at_most(case, z, z + 1), at_most(case, -x, x)
    assert through(here, log).rhs == log(2 * x)
    assert through(touching, lambda v: v**2).rhs == (z + 1) ** 2
    for theorem, f in (
        (here, lambda v: -v),
        (here, lambda v: 1 / v),
        (here, lambda v: -1 / (v - Rational(37, 11))),  # increases on both sides of a pole
        (here, lambda v: -sympy.atan(1 / (v - Rational(37, 11)))),  # and of a jump
        (touching, lambda v: -1 / v),  # no value at 0
        (touching, log),
        (real, lambda v: v**2),  # increases only for v > 0
        (real, log),
        (here, lambda v: v - Abs(v - 5)),
    ):
        refused(through, theorem, f)


# Sums over letters


def test_letter_by_letter(case):
    distance = total(Abs(p - q) / 2)
    both = {p: HALF, q: HALF}
    assert pointwise(case, distance, 1, multipliers=both).rhs == 1
    refused(pointwise, case, distance, Rational(99, 100), multipliers=both)  # the multipliers add up to 1
    refused(pointwise, case, distance, 1, multipliers={p: HALF, q: Rational(1, 4)})  # a term below 0
    refused(pointwise, case, distance, HALF, multipliers={p: HALF, q: HALF, full_p: -HALF})
    refused(pointwise, case, distance, 1, multipliers={p: 1})  # where p = 0
    refused(pointwise, case, total(w), 1, multipliers={w: 1})  # a weight of unknown total
    refused(pointwise, case, w, 2 * w)  # no sums
    assert pointwise(case, total(test * p), 1, multipliers={p: 1}).rhs == 1
    refused(pointwise, case, total(test * p), HALF, multipliers={p: HALF})  # the test may be 1
    refused(pointwise, case, HALF, total(test * p), multipliers={p: -HALF})  # and 0


def test_the_zeros_of_weights(case):
    square = total(Piecewise((p**2 / q, q > 0), (0, True)))
    hint = {"multipliers": {p: -2, q: 1}, "at": 1}
    refused(pointwise, case, 1, square, **hint)  # it is 0 for disjoint p and q
    assert pointwise(case, 1, total(full_p**2 / full_q), multipliers={full_p: -2, full_q: 1}, at=1).rhs
    case.excluded.append(sympy.And(Gt(p, 0), sympy.Eq(q, 0)))
    assert pointwise(case, 1, square, **hint).rhs == square
    infinite = total(Piecewise((oo, sympy.Eq(q, 0)), (0, True)))
    refused(pointwise, case, total(p), 0, multipliers={p: 0})
    refused(pointwise, case, infinite, 0)
    refused(pointwise, case, 1, total(full_p**oo), multipliers={full_p: -1})


def test_a_term_is_homogeneous_or_keeps_its_weights(case):
    """h(p, q) = p^2 - 2 p q + q^3 is nonnegative at q = 1, but the sum is negative for two equal letters."""
    refused(pointwise, case, total(2 * full_p * full_q), total(full_p**2 + full_q**3), at=1)
    assert pointwise(case, total(2 * full_p * full_q), total(full_p**2 + full_q**2), at=1).rhs


def test_facts_have_a_nonnegative_multiplier(case):
    case.facts.append(Fact(r * q - p))
    true, false = {"multipliers": {p: -1, q: r}}, {"multipliers": {p: 1, q: -r}}
    assert pointwise(case, 1, r, facts={0: 1}, **true).rhs == r
    refused(pointwise, case, r, 1, facts={0: -1}, **false)
    refused(pointwise, case, r, 1, facts={0: 1}, **false)
    refused(pointwise, case, r, 1, facts={0: r - 2}, **false)
    refused(pointwise, case, 1, r, facts={0: 1}, equal=True, **true)
    refused(pointwise, case, total(full_p**2), total(full_p), equal=True)
    assert pointwise(case, total((p + q) ** 2), total(p**2 + 2 * p * q) + total(q**2), equal=True).equal
    refused(pointwise, case, total(p**2), total(p**2) + 1, equal=True)
    refused(pointwise, case, 0, total(p * q), equal=True)
    refused(pointwise, case, total(p * q), 0, equal=True)


def test_a_chord_needs_its_range_to_be_a_fact(case):
    """sum p^2 / q <= 3/2 for 1/2 <= p/q <= 2, as (u - 1/2)(2 - u) >= 0."""

    def chord(high):
        hint = {"multipliers": {full_p: Rational(5, 2), full_q: -1}}
        square = total(full_p**2 / full_q)
        return pointwise(case, square, Rational(3, 2), tactic=lambda e, s: Concave(s[0], HALF, high), **hint)

    refused(chord, 2, match="no fact")
    case.facts.append(Fact(2 * full_q - full_p))
    refused(chord, 2, match="no fact")
    case.facts.append(Fact(2 * full_p - full_q))
    assert chord(2).rhs == Rational(3, 2)
    refused(chord, 3)
    case.facts[0] = Fact(full_p - 2 * full_q)
    refused(chord, 2, match="no fact")


# Suprema


def both_letters():
    return [Letters(v, [(HOME,)]) for v in (p, q)]


def supremum(case):
    """Return the largest P(S) - Q(S)."""
    value = SymbolicVocabulary().over_events(lambda u, v: u - v, *both_letters())
    (top,) = value[0].e.free_symbols
    return top


def test_a_supremum_is_at_most_a_bound_for_every_event(case):
    top, bound = supremum(case), total(Max(p - q, 0))
    assert every_event(case, top, bound, lambda e, _: pointwise(case, e, bound)).rhs == bound
    refused(every_event, case, top, bound, lambda e, _: at_most(case, 0, 0))
    refused(every_event, case, top, HALF, lambda e, _: pointwise(case, e, 1, multipliers={p: 1}))
    refused(every_event, case, top, HALF, lambda e, _: at_most(case, 0, HALF))
    refused(every_event, case, top, 0, lambda e, _: pointwise(case, e, 0))
    case.suprema[y] = ("letters", p)
    refused(every_event, case, y, bound, lambda e, _: pointwise(case, e, bound))


def test_a_supremum_is_at_least_the_value_at_an_event(case):
    top = supremum(case)
    larger = Piecewise((1, p > q), (0, True))
    assert this_event(case, top, larger).rhs == top
    assert this_event(case, top, 1).lhs == 0
    cell = Symbol("c", nonnegative=True)
    case.alphabets[cell] = frozenset([CELLS])
    for event in (2, -1, HALF, p, Piecewise((2, p > q), (0, True)), Piecewise((1, p > q), (-1, True)), larger * 2):
        refused(this_event, case, top, event)
    refused(this_event, case, top, Piecewise((1, cell > 0), (0, True)))
    case.suprema[y] = ("letters", p)
    refused(this_event, case, y, larger)


def test_better_trials_reject_more_often(case):
    k, (n, m) = SymbolicVocabulary(), (Symbol(v, integer=True, positive=True) for v in "nm")
    region, other = Region(n, m, Symbol("R")), Region(n, m, Symbol("S"))
    low, high = x / (1 + x), (x + a) / (1 + x + a)

    def rejection(of, right, wrong):
        return k.rejection(of, right, wrong)[0].e

    def game(of, right, wrong):
        return k.game_rejection(of, right, wrong)[0].e

    middle = rejection(region, low, low)
    assert more_trials(case, middle, rejection(region, high, low)).lhs == middle
    assert more_trials(case, rejection(region, low, high), middle).rhs == middle
    refused(more_trials, case, rejection(region, high, low), middle)
    refused(more_trials, case, middle, rejection(region, low, high))
    refused(more_trials, case, middle, rejection(other, high, low), match="one region")
    refused(more_trials, case, middle, game(region, high / 2, low / 2))
    refused(more_trials, case, rejection(region, 2, low), rejection(region, 3, low))
    refused(more_trials, case, rejection(region, -2, low), rejection(region, 0, low))
    few = game(region, low / 2, HALF)
    assert more_trials(case, few, game(region, high / 2, HALF)).lhs == few
    assert more_trials(case, few, game(region, low / 2, 0)).lhs == few
    refused(more_trials, case, game(region, low / 2, 0), few)
    refused(more_trials, case, game(region, HALF, HALF), game(region, HALF + low / 4, HALF + low / 4))
    for chances in ({(1, 0): 1, (0, 1): 1}, {(1, 0): HALF}, {(2, 0): 1}):
        name = case.fresh("rejection", nonnegative=True)
        case.suprema[name] = ("trials", (region, [(n, chances)]))
        refused(more_trials, case, few, name)
        refused(more_trials, case, name, few)
    name = case.fresh("rejection", nonnegative=True)
    case.suprema[name] = ("trials", (region, [(m, {(1, 0): 1, (0, 0): 0})]))
    refused(more_trials, case, few, name, match="other trials")
    two = [case.fresh("rejection", nonnegative=True) for _ in range(2)]
    for one, chances in zip(two, ({(1, 0): HALF, (2, 0): HALF}, {(1, 0): 1}), strict=True):
        case.suprema[one] = ("trials", (region, [(n, chances)]))
    refused(more_trials, case, *two, match="other trials")


# Inequalities of convexity


def test_holder(case):
    theorem = holder(case, [(HALF, p), (HALF, q)], HOME)
    assert (theorem.lhs, theorem.rhs) == (total(sqrt(p) * sqrt(q)), 1)
    refused(holder, case, [(HALF, p), (Rational(1, 3), q)], HOME)
    refused(holder, case, [(1, p), (1, q)], HOME)
    refused(holder, case, [(2, p), (-1, q)], HOME)
    refused(holder, case, [(HALF, p - q), (HALF, q)], HOME)
    refused(holder, case, [(HALF, -p), (HALF, -q)], HOME)
    refused(holder, case, [(HALF, 1 / p), (HALF, q)], HOME)


def excess(u, v):
    return Max(u - v, 0)


FALSE_SUBLINEAR = [
    lambda u, v: sympy.Min(u, v),
    lambda u, v: -Max(u - v, 0),
    lambda u, v: -2 * Abs(u - v),
    lambda u, v: u**2,  # not homogeneous
    lambda u, v: Max(u - v, 0) + 1,
    lambda u, v: Abs(u * v),
    lambda u, v: sqrt(u) * sqrt(v),  # concave
    lambda u, v: u**2 / (u + v),  # no value at (0, 0)
    lambda u, v: Max(sqrt(u) * sqrt(v), 0),
    lambda u, v: Abs(sqrt(u) * sqrt(v) - u),
    lambda u, v: u * log(u / v),  # no value at u = 0
    lambda u, v: Max(sqrt(u) * sqrt(v), u),  # concave where the root is larger
    lambda u, v: -v * sympy.Integer(0) ** u,  # it drops at the edge u = 0
]


@pytest.mark.slow
def test_sublinear_functions(case):
    terms = [(a / (1 + a), p, q), (1 / (1 + a), q, p)]
    for f in (excess, lambda u, v: Abs(u - v), lambda u, v: -sqrt(u) * sqrt(v), lambda u, v: 2 * u - 3 * v):
        theorem = sublinear(case, f, terms, HOME)
        assert theorem.rhs == sum(c * total(f(u, v)) for c, u, v in terms)
        assert processing(case, f, p, q, kernel).rhs == total(f(p, q))
    for f in FALSE_SUBLINEAR:
        refused(sublinear, case, f, terms, HOME)
        refused(processing, case, f, p, q, kernel)
    refused(sublinear, case, excess, [(2, p, q), (-1, q, p)], HOME)
    refused(sublinear, case, excess, [(1, p, q), (-1, p, q)], HOME)
    refused(sublinear, case, excess, [(HALF, p - q, q), (HALF, q, p)], HOME)
    refused(sublinear, case, excess, [(HALF, p, q - p), (HALF, q, p)], HOME)


def test_edges_are_checked_if_letters_may_lie_there(case):
    """u^2 / v is infinite at v = 0 < u; functions that jump at an edge are rejected."""

    def odd(u, v):
        return -v if u == 0 else u * log(u / v)

    terms = [(HALF, p, q), (HALF, p, q)]
    refused(sublinear, case, odd, terms, HOME)
    refused(processing, case, odd, p, q, kernel)
    refused(processing, case, lambda u, v: -u if v == 0 else v * log(v / u), p, q, kernel)


def test_kernels_and_their_domains(case):
    image = Symbol("b0", nonnegative=True)
    case.alphabets[image], case.masses[image, CELLS] = frozenset([CELLS]), 1
    for u, v, k in (
        (p, q, p),
        (p, q, w),
        (image, image, kernel),
        (p, image, kernel),
        (image, q, kernel),
        (p, a, kernel),
    ):
        refused(processing, case, excess, u, v, k)
    refused(processing, case, excess, p - q, q, kernel)
    loose = Symbol("L", nonnegative=True)
    case.alphabets[loose] = frozenset([HOME, CELLS])
    refused(processing, case, excess, p, q, loose)  # its rows have arbitrary sums
    case.masses[loose, HOME] = 1
    refused(processing, case, excess, p, q, loose)  # it maps in the other direction


# Premises


@pytest.fixture
def other(monkeypatch):
    """Register claims as premises of others."""

    def registered(sides, relation="<=", id="own.premise", **given):
        made = Claim(id, "", "", given, sides, relation)
        monkeypatch.setitem(REGISTRY, id, made)
        return made

    return registered


def test_a_premise_is_used_where_it_is_stated(case, other):
    rests = other(lambda k, alpha, lam: (0 * lam, (alpha - 1) * lam), alpha=Order(1), lam=Scale())
    (theorem,) = premise(case, rests, alpha=Scalar(1 + a), lam=Scalar(z))
    assert (theorem.lhs, theorem.rhs, theorem.equal, theorem.premises) == (0, a * z, False, ("own.premise",))
    for alpha, lam in ((a, x), (1, x), (1 - a, x), (1 + z, x), (1 + a, -x), (1 + a, a - 1)):
        refused(premise, case, rests, alpha=Scalar(alpha), lam=Scalar(lam))
    refused(premise, case, rests, alpha=Scalar(1 + a))
    refused(premise, case, rests, alpha=Scalar(1 + a), lam=Scalar(z), more=Scalar(1))
    for made in (theorem.then(at_most(case, a * z, 2 * a * z)), theorem.times(a), theorem.plus(1), theorem.negated()):
        assert made.premises == ("own.premise",)
    for made in (theorem + at_most(case, 0, x), at_most(case, -1, 0).then(theorem), maximum([theorem, theorem])):
        assert made.premises == ("own.premise",)
    for made in (rewrite(theorem, rhs=z * a), through(theorem, lambda v: 2 * v)):
        assert made.premises == ("own.premise",)


def test_a_premise_of_any_order_excludes_1(case, other):
    rests = other(lambda k, alpha, part: (0 * part, alpha * part), "==", alpha=Order(0), part=Fraction01())
    (theorem,) = premise(case, rests, alpha=Scalar(2 + a), part=Scalar(x / (1 + x)))
    assert theorem.equal
    assert premise(case, rests, alpha=Scalar(x / (1 + x)), part=Scalar(z / (1 + z)))
    for alpha in (x, 1, 1 + z, 1 / (1 + z), -x, 0):
        refused(premise, case, rests, alpha=Scalar(alpha), part=Scalar(HALF))
    for part in (x, 1 + x, -z, 2 * x / (1 + x)):
        refused(premise, case, rests, alpha=Scalar(2), part=Scalar(part))


def test_a_premise_needs_distributions(case, other):
    rests = other(lambda k, p: (k.total_variation(*p), 1), p=Distributions(2))
    full = other(lambda k, p: (k.total_variation(*p), 1), id="own.full", p=Distributions(2, full=True))

    def weights(*of):
        return [Letters(v, [(HOME,)]) for v in of]

    assert premise(case, rests, p=weights(p, (p + q) / 2))
    assert premise(case, full, p=weights(full_p, full_q))
    refused(premise, case, full, p=weights(p, full_q))
    for wrong in (weights(p), weights(p, q, p), weights(p, w), weights(p, 2 * q), weights(p, 2 * q - p), [p, q]):
        refused(premise, case, rests, p=wrong)


def test_statements_that_fail_at_a_point_are_not_split_into_corners(monkeypatch):
    """Signs are not determined either if the sides differ; for true statements both work."""
    settled, seen = [], []
    original, sign = kernel_module.settle, kernel_module.seen_nonnegative
    monkeypatch.setattr(kernel_module, "settle", lambda *a: settled.append(a) or original(*a))
    monkeypatch.setattr(kernel_module, "seen_nonnegative", lambda *a, **k: seen.append(a) or sign(*a, **k))
    case = Case()
    with within(case):
        with pytest.raises(ProofError, match="is negative somewhere"):
            at_most(case, Max(x, y) + 1, Max(x, y))
        assert not settled
        at_most(case, Max(x, y), Max(x, y) + 1)
        assert settled
        assert not same(case, x * y, x * y + 1)
        assert not seen
        assert same(case, (x * y) ** a, x**a * y**a)


@pytest.mark.slow
def test_functions_cannot_capture_bound_variables(case):
    """With the u of the rule, sqrt(x y) u^(3/2) would be taken for the convex u^2 at y = 1, which gives 5 <= 4."""
    terms = [(1, Rational(1), Rational(4)), (1, Rational(4), Rational(1))]
    assert sublinear(case, lambda x, y: -sqrt(x) * sqrt(y), terms).rhs == -4
    for name in "utxyz":
        for known in ("positive", "nonnegative", "real"):
            taken = bound(name, known)
            refused(sublinear, case, lambda x, y, v=taken: sqrt(x) * sqrt(y) * v ** Rational(3, 2), terms)
            refused(through, at_most(case, 1, 2), lambda x, v=taken: x * (v - x))
            refused(convexity, case, lambda x, v=taken: sqrt(x) * v ** Rational(3, 2), [(HALF, r), (HALF, 4 * r)])


def test_functions_in_errors_cannot_capture_bound_variables():
    with pytest.raises(ProofError) as caught:
        sublinear(Case(), lambda s, t: -t * sympy.exp(s / t), [(1, x, y)])
    for v in set().union(*(e.free_symbols for e in caught.value.args if isinstance(e, sympy.Expr))) - {x, y}:
        refused(sublinear, Case(), lambda s, t, v=v: sqrt(s) * sqrt(t) * v ** Rational(3, 2), [(1, x, y), (1, y, x)])


def test_no_expression_captures_the_variable_of_a_corner(case):
    assert at_most(case, -1000, 1000 + Max(x, y))
    refused(at_most, case, bound("m", "real"), 1000 + Max(x, y))


def test_no_expression_captures_the_inside_of_a_range(case):
    """1 where x < 1000 s and -1 elsewhere jumps at x = 1000 s."""
    inside = bound("x inside", "positive")

    def jump(s):
        return Piecewise((1, x < 1000 * s), (-1, True))

    refused(at_most(case, 0, 1).times, jump(y), Composed(inside, y, jump(inside), Convex(x, inside)))
