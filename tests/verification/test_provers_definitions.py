"""The vocabulary over symbols agrees with that of numbers, for explicit weights and for generic letters."""

from itertools import product

import mpmath
import numpy as np
import pytest
import sympy
from sympy import And, Eq, Gt, Max, Piecewise, Rational, Symbol, oo

from krdtheory.arithmetic import MP
from verification.instances import Distributions, Maps, Region
from verification.proof import ProofError
from verification.provers.kinds import instance
from verification.provers.symbols import Case, Total, cases, within
from verification.provers.values import Letters, Scalar, expression
from verification.provers.vocabulary import SymbolicVocabulary
from verification.vocabulary import Vocabulary

HOME, OTHER = Symbol("letters_"), Symbol("letters_2")
x = Symbol("x", positive=True)
p, q, b = (Symbol(n, nonnegative=True) for n in ("p0", "p1", "b0"))
k = SymbolicVocabulary()
HALF = Rational(1, 2)

# p, q: of full support, with a zero of q, of p, of both, disjoint, and equal
PAIRS = [
    ([1, 2, 3], [3, 2, 1]),
    ([1, 2, 3], [3, 3, 0]),
    ([0, 3, 3], [3, 2, 1]),
    ([0, 3, 3], [0, 5, 1]),
    ([0, 3, 3], [2, 4, 0]),
    ([0, 6, 0], [2, 0, 4]),
    ([2, 2, 2], [2, 2, 2]),
]
CALLS = {
    "kl": lambda v, *w: v.kl(*w),
    "total_variation": lambda v, *w: v.total_variation(*w),
    "hellinger": lambda v, *w: v.hellinger(*w),
    "renyi 1/2": lambda v, *w: v.renyi(*w, number(v, HALF)),
    "renyi 1": lambda v, *w: v.renyi(*w, number(v, 1)),
    "renyi 3": lambda v, *w: v.renyi(*w, number(v, 3)),
    "renyi 3/2": lambda v, *w: v.renyi(*w, number(v, Rational(3, 2))),
    "hockey_stick 0": lambda v, *w: v.hockey_stick(*w, number(v, 0)),
    "hockey_stick 1": lambda v, *w: v.hockey_stick(*w, number(v, 1)),
    "hockey_stick -1": lambda v, *w: v.hockey_stick(*w, number(v, -1)),
}


def number(v, e):
    if v is k:
        return np.array([Scalar(e)], dtype=object)
    return np.array([mpmath.mpf(int(sympy.Rational(e).p)) / int(sympy.Rational(e).q)], dtype=object)


def weights(v, row):
    if v is k:
        return np.array([[Scalar(Rational(i, 6)) for i in row]], dtype=object)
    return np.array([[mpmath.mpf(i) / 6 for i in row]], dtype=object)


def numeric(call, one, two):
    return call(NUMERIC, weights(NUMERIC, one), weights(NUMERIC, two))[0]


NUMERIC = Vocabulary(MP(40))


def close(found, wanted):
    if found in (oo, -oo) or mpmath.isinf(wanted):
        return found in (oo, -oo) and mpmath.isinf(wanted) and (found > 0) == (wanted > 0)
    return abs(mpmath.mpf(str(sympy.N(found, 40))) - wanted) < 1e-13


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_explicit_weights(name, pair):
    with within(Case()):
        found = expression(CALLS[name](k, *(weights(k, row) for row in pair)))
    assert close(found, numeric(CALLS[name], *pair))


def generic(call):
    """Return a divergence of two generic distributions, in the cases of their supports."""

    def run(case):
        for w in (p, q):
            case.alphabets[w], case.masses[w, HOME] = frozenset([HOME]), 1
        return expression(call(k, Letters(p, [(HOME,)]), Letters(q, [(HOME,)])))

    return list(cases(run))


def at(case, e, pair):
    """Return an expression of totals at explicit weights, with expanded definitions; None outside of the case."""
    rows = [dict(zip((p, q), (Rational(i, 6) for i in letter), strict=True)) for letter in zip(*pair, strict=True)]
    true = [any(c.subs(row) == sympy.true for row in rows) for c in (*case.excluded, *case.present)]
    if true != [False] * len(case.excluded) + [True] * len(case.present):
        return None
    with within(case):
        e = case.unfold(e)
    totals = {t: sum(t.args[0].subs(row) for row in rows) for t in e.atoms(Total)}
    return e.xreplace(totals)


@pytest.mark.parametrize("name", CALLS)
def test_generic_letters(name):
    """Every pair is in one case, in which the totals of its weights agree with numbers."""
    found = generic(CALLS[name])
    for pair in PAIRS:
        values = [v for v in (at(case, e, pair) for case, e in found) if v is not None]
        assert len(values) == 1
        assert close(values[0], numeric(CALLS[name], *pair))


def test_the_orders_at_which_a_divergence_changes():
    ((outside, value),) = [(c, e) for c, e in generic(lambda v, *w: v.renyi(*w, number(v, 0))) if e != oo]
    assert outside.present == [And(Gt(p, 0), Gt(q, 0))]
    with within(outside):
        assert outside.unfold(value) == -sympy.log(Total(Piecewise((q, p > 0), (0, True)), HOME))
    assert len(generic(lambda v, *w: v.renyi(*w, number(v, 0)))) == 2
    orders = [c.relations for c, _ in generic(lambda v, *w: v.renyi(*w, number(v, x)))]
    assert any(Gt(x, 1) in r for r in orders) and any(Gt(x, 1) not in r for r in orders)
    largest = generic(lambda v, *w: v.renyi(*w, number(v, oo)))
    assert sorted(str(e == oo) for _, e in largest) == ["False", "True"]
    for case, e in largest:
        if e != oo:
            (top,) = e.free_symbols
            assert e == sympy.log(top) and [f.expression for f in case.facts] == [top * q - p]
            assert case.excluded == [And(Gt(p, 0), Eq(q, 0))]


def test_hockey_stick_at_infinity_is_the_mass_outside():
    ((case, value),) = generic(lambda v, *w: v.hockey_stick(*w, number(v, oo)))
    with within(case):
        assert value == Total(Piecewise((p, Eq(q, 0)), (0, True)), HOME)
    ((case, named),) = generic(lambda v, *w: v.hockey_stick(*w, v.total_variation(*w)))
    ((level, stands),) = case.definitions.items()
    with within(case):
        assert named == Total(Max(p - level * q, 0), HOME) and stands == sympy.exp(Total(abs(p - q), HOME) / 2)


def test_ratios_are_kept_apart():
    def both(case):
        for w in (p, q):
            case.alphabets[w], case.masses[w, HOME] = frozenset([HOME]), 1
        one, two = (Letters(v, [(HOME,)]) for v in (p, q))
        return k.ratio(one, two), k.ratio(one, two), k.ratio(two, one)

    ((case, (first, again, other)),) = cases(both)
    assert first == again != other and len(case.facts) == 2


@pytest.fixture
def case():
    case = Case()
    for w, home in ((p, HOME), (q, HOME), (b, OTHER)):
        case.alphabets[w], case.masses[w, home] = frozenset([home]), 1
    with within(case):
        yield case


def test_weights_that_are_not_distributions_are_rejected(case):
    one, two, away = Letters(p, [(HOME,)]), Letters(q, [(HOME,)]), Letters(b, [(OTHER,)])
    double = Letters(2 * p, [(HOME,)])
    for name in ("kl", "max_divergence"):
        for pair in ((double, two), (one, double)):
            with pytest.raises(ProofError):
                getattr(k, name)(*pair)
    for f in (
        lambda: k.renyi(double, two, 2),
        lambda: k.renyi(one, double, 2),
        lambda: k.approximate_max_divergence(one, double, delta=HALF),
        lambda: k.smooth_renyi(double, two, 2, delta=HALF),
        lambda: k.kl(one, away),
        lambda: k.total_variation(one, away),
        lambda: k.over_events(lambda u, v: u - v, one, away),
        lambda: k.approximate_max_divergence(one, away, delta=HALF),
        lambda: k.renyi(weights(k, [1, 2, 4]), weights(k, [3, 2, 1]), 2),
        lambda: k.fidelity(one, two),
    ):
        with pytest.raises(ProofError):
            f()


def test_functions_of_numbers(case):
    one = Scalar(x)
    found = [k.log(one), k.exp(one), k.sqrt(one), k.power(one, Scalar(3)), k.maximum(one, 2), k.minimum(one, 2)]
    wanted = [sympy.log(x), sympy.exp(x), sympy.sqrt(x), x**3, Max(x, 2), sympy.Min(x, 2)]
    assert [expression(v) for v in found] == wanted
    assert [expression(k.log(Scalar(v))) for v in (0, oo)] == [-oo, oo]
    assert [expression(k.exp(Scalar(v))) for v in (-oo, oo, 0)] == [0, oo, 1]
    assert k.maximum(Letters(p, [(HOME,)]), 0 * one).e == p and k.pi.e == sympy.pi


def test_conversions():
    """Compared with sums over two points, for randomised response, and with two Gaussians."""
    values = (Rational(1, 3), Rational(2))
    for epsilon, alpha in product(values, (HALF, Rational(1), Rational(3))):
        with within(Case()):
            found = expression(k.pure_to_rdp(epsilon=Scalar(epsilon), alpha=Scalar(alpha)))
        r = mpmath.exp(mpmath.mpf(epsilon.p) / epsilon.q)
        row = np.array([[r / (1 + r), 1 / (1 + r)]], dtype=object)
        wanted = NUMERIC.renyi(row, row[:, ::-1], number(NUMERIC, alpha))[0]
        assert close(found, wanted)
    assert expression(k.gdp_to_rdp(mu=Scalar(x), alpha=Scalar(3))) == 3 * x**2 / 2


def test_products_and_images(case):
    one, two, away = Letters(p, [(HOME,)]), Letters(q, [(HOME,)]), Letters(b, [(OTHER,)])
    pair = k.product(one, away)
    assert (pair.e, pair.axes) == (p * b, ((HOME, OTHER),)) and expression(pair.sum()) == 1
    with pytest.raises(ProofError):
        k.product(one, two)
    cells = Symbol("cells_K")
    kernel = Symbol("K", nonnegative=True)
    case.alphabets[kernel], case.masses[kernel, cells] = frozenset([HOME, cells]), 1
    channel = Letters(kernel, [(HOME,), (cells,)])
    through = [k.through(w, channel) for w in (one, two)]
    assert through[0].axes == ((cells,),) and through[0].e == Total(p * kernel, HOME)
    assert expression(through[0].sum()) == 1
    outside = And(Gt(p, 0), Eq(q, 0))
    case.excluded.append(outside)
    assert not k.outside(*through) and not case.taken
    case.excluded.clear()
    case.present.append(And(Gt(p, 0), Gt(q, 0)))
    assert k.meet(*through) and k.meet(one, two) and not case.taken
    assert len(case.excluded) == 0


def test_the_supports_of_images_follow_from_those_of_weights(case):
    """A case is opened if p has mass outside the support of q, if supports are disjoint, or for two kernels."""
    cells = Symbol("cells_K")
    channels = []
    for name in "KL":
        kernel = Symbol(name, nonnegative=True)
        case.alphabets[kernel], case.masses[kernel, cells] = frozenset([HOME, cells]), 1
        channels.append(Letters(kernel, [(HOME,), (cells,)]))
    outside, meet = And(Gt(p, 0), Eq(q, 0)), And(Gt(p, 0), Gt(q, 0))

    def opened(f, channels, **told):
        inner = Case(alphabets=case.alphabets, masses=case.masses, **told)
        with within(inner):
            f(*(k.through(Letters(w, [(HOME,)]), channel) for w, channel in zip((p, q), channels, strict=True)))
        return len(inner.taken)

    same = channels[:1] * 2
    assert opened(k.outside, same, excluded=[outside]) == 0 == opened(k.meet, same, present=[meet])
    assert opened(k.outside, same, present=[outside]) == 1 == opened(k.meet, same, excluded=[meet])
    assert opened(k.outside, channels, excluded=[outside]) == 1 == opened(k.meet, channels, present=[meet])


def test_the_supports_of_explicit_weights():
    """p = (t, 1) / (1 + t) has mass outside of q = (z, 1) / (1 + z) where t > 0 = z."""
    t, z = (Symbol(name, nonnegative=True) for name in "tz")

    def row(v):
        return np.array([[Scalar(v / (1 + v)), Scalar(1 / (1 + v))]], dtype=object)

    found = list(cases(lambda case: k.outside(row(t), row(z))))
    assert len(found) == 3
    for case, answer in found:
        held = [isinstance(relation, Eq | Gt) and relation.lhs.has(t, z) for relation in case.relations]
        assert answer == (held == [True, True])


def test_a_supremum_is_over_the_values_at_events(case):
    top = expression(k.over_events(lambda u, v: u - 2 * v, *(Letters(w, [(HOME,)]) for w in (p, q))))
    event = Symbol("e", nonnegative=True)
    case.alphabets[event] = frozenset([HOME])
    assert case.suprema[top][1][0](event) == Total(event * p, HOME) - 2 * Total(event * q, HOME)


def test_trials_have_probabilities_of_sum_1(case):
    region = Region(Symbol("n"), Symbol("m"), Symbol("R"))
    k.rejection(region, Scalar(x), Scalar(HALF))
    k.game_rejection(region, Scalar(x), Scalar(HALF))
    (_, (_, trials)), (_, (_, games)) = case.suprema.values()
    assert trials == [(Symbol("n"), {(1, 0): x, (0, 0): 1 - x}), (Symbol("m"), {(0, 1): HALF, (0, 0): HALF})]
    assert games == [(Symbol("n"), {(1, 0): x, (0, 1): HALF, (0, 0): HALF - x})]


def test_the_graph_of_a_map():
    g, law = np.array([[2, 0, 2]]), np.array([[Rational(1, 6), Rational(1, 3), Rational(1, 2)]])
    assert (Vocabulary().through(law, Vocabulary().graph(g, 4)) == [[Rational(1, 3), 0, Rational(2, 3), 0]]).all()
    with within(Case()) as case:
        one = instance({"p": Distributions(2, dim=4), "g": Maps(4, 3)}, case).arguments
        graph = k.graph(one["g"][:, 0], 3)
        image = k.through(one["p"][0], graph)
        assert graph.e in case.binary
        assert expression(image.sum()) == 1
        assert image.axes == graph.axes[1:] != one["p"][0].axes
        with pytest.raises(ProofError):
            k.through(k.through(one["p"][0], graph), graph)
        with pytest.raises((ProofError, AttributeError)):
            k.graph(one["p"][0], 3)
