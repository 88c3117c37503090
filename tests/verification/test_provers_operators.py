"""Operators on symbols: positivity, traces, and the cases of a moment."""

import pytest
import sympy
from sympy import Integer, Rational, Symbol, log, oo

from verification.instances import Channels, CommutingPairs, Distributions, States, Vectors
from verification.proof import ProofError
from verification.provers.kinds import instance, lies
from verification.provers.operators import (
    Block,
    Known,
    Kron,
    Largest,
    Map,
    Moment,
    Operator,
    OperatorVocabulary,
    PositiveTrace,
    Projection,
    Seen,
    Unitary,
    added_up,
    classical,
    commute,
    diagonal,
    dimension,
    divergence,
    identity,
    moment,
    pinched,
    prepared,
    psd,
    sandwiched,
    trace,
    traced_out,
    turned,
)
from verification.provers.scalars import seen_nonnegative
from verification.provers.symbols import Case, Fact, Total, cases, within
from verification.provers.values import Letters, expression

k = OperatorVocabulary()
a, x = Symbol("a", positive=True), Symbol("x", positive=True)
HALF = Rational(1, 2)
SPACE = Symbol("H")
DIM = Symbol("dim_H", positive=True, integer=True)
ABOVE, BELOW = 1 + a, a / (1 + a)
GIVEN = {
    "rho": States(2),
    "tau": States(2, normalised=True),
    "phi": Vectors(),
    "p": Distributions(2, dim=4),
    "c": Channels(),
}


class Made:
    """Two states of any trace, two of trace 1, unit vectors, two distributions, and a channel, in a case."""

    def __init__(self, case):
        made = instance(GIVEN, case)
        (self.rho, self.sigma), (self.tau, self.omega) = made.arguments["rho"], made.arguments["tau"]
        self.phi, (self.p, self.q), self.channel = (made.arguments[n] for n in ("phi", "p", "c"))
        self.case, self.one = case, Operator(identity(SPACE), SPACE)


@pytest.fixture
def made():
    case = Case()
    with within(case):
        yield Made(case)


def refused(f, *given):
    with pytest.raises(ProofError):
        f(*given)


def test_traces(made):
    mass = trace(made.rho.e)
    assert mass.is_positive and mass.is_Symbol and mass != trace(made.sigma.e) and trace(made.tau.e) == 1
    assert trace(made.one.e) == DIM and trace((2 * made.tau - x * made.omega).e) == 2 - x
    assert trace(k.covariance(made.phi, made.p).e) == 1
    assert trace(k.covariance(made.phi, made.p * made.q).e) == Total(made.p.e * made.q.e, *made.p.axes[0])
    assert trace(k.kron(made.rho, 3 * made.one).e) == 3 * DIM * mass
    assert trace(k.direct_sum(made.rho, made.one).e) == mass + DIM
    for image in (made.channel(made.rho), k.conjugated(made.rho, Unitary("U"))):
        assert trace(image.e) == mass
    part = trace(k.compressed(made.rho, Projection("P")).e)
    assert part != mass and part.is_nonnegative and not part.is_positive
    assert trace(pinched("P")(made.rho).e) == mass
    assert expression(k.trace(made.tau)) == 1 and trace(classical(made.p).e) == 1
    refused(trace, made.rho.e**2)
    refused(trace, Symbol("rho9", commutative=False))


def test_spaces(made):
    both, either = ("tensor", SPACE, SPACE), ("sum", SPACE, SPACE, SPACE)
    assert (dimension(SPACE), dimension(both), dimension(either)) == (DIM, DIM**2, 3 * DIM)
    assert trace(identity(both)) == DIM**2 and trace(identity(either)) == 3 * DIM
    other = Operator(identity(Symbol("K")), Symbol("K"))
    for f in (
        lambda: made.rho + other,
        lambda: made.rho - other,
        lambda: made.rho + 1,
        lambda: moment(made.rho, other, ABOVE),
        lambda: dimension(("letters", Symbol("letters_"))),
        lambda: identity(("letters", Symbol("letters_"))),
        lambda: made.rho * made.p,
        lambda: made.rho * made.p.e,
        lambda: made.rho * made.sigma.e,
        lambda: made.rho.shape,
        lambda: sympy.sympify(made.one.shape),
    ):
        with pytest.raises((ProofError, TypeError)):
            f()


def test_atoms_are_linear(made):
    rho, sigma = made.rho.e, made.sigma.e
    assert Kron(rho + 2 * sigma, rho) == Kron(rho, rho) + 2 * Kron(sigma, rho)
    assert Kron(rho, sigma - rho) == Kron(rho, sigma) - Kron(rho, rho)
    assert Block(0, 2 * rho - sigma) == 2 * Block(0, rho) - Block(0, sigma)
    name = Symbol("channel:c")
    assert Seen(name, 3 * rho - sigma) == 3 * Seen(name, rho) - Seen(name, sigma)
    assert made.channel(made.rho + made.sigma).e == made.channel(made.rho).e + made.channel(made.sigma).e
    assert Kron(rho, sigma) != Kron(sigma, rho) and Block(0, rho) != Block(1, rho)


def test_positive_operators(made):
    p, q = (k.covariance(made.phi, w) for w in (made.p, made.q))
    for good in (
        made.rho,
        made.rho + x * made.sigma,
        made.one - made.tau,
        2 * made.one - made.tau - made.omega,
        made.one * 2 - made.tau,
        p,
        made.one - p,
        made.one * Total(sympy.Max(made.q.e - made.p.e, 0), *made.p.axes[0]) + p - q,
        k.direct_sum(made.rho, made.one - made.tau),
        made.channel(made.rho),
        k.kron(made.rho, made.sigma),
        k.kron(made.one, made.one) - k.kron(made.tau, made.omega),
        classical(made.p),
    ):
        psd(good)
    for bad in (
        made.rho * -1,
        made.rho - made.sigma,
        made.one - made.rho,  # of unknown sign
        made.one - 2 * made.tau,
        made.one - made.tau - made.omega,
        made.one / 2 - made.tau,
        made.tau - made.one,
        (a - x) * made.rho,
        (a - 1) * made.one,
        made.one * Total(sympy.Max(made.p.e - made.q.e, 0), *made.p.axes[0]) + p - q,
        p - q,
        p - made.one,
        made.one / 2 - p,
        k.direct_sum(made.rho, made.rho * -1),
        k.direct_sum(made.rho * -1, made.rho),
        made.channel(made.rho) - made.channel(made.sigma),
        made.channel(made.rho) * -1,
        k.kron(made.rho, made.sigma) * -1,
        k.kron(made.one, made.one) - 2 * k.kron(made.tau, made.omega),
        k.kron(made.one, made.one) - k.kron(made.tau, made.rho),
        classical(made.p) - classical(made.q),
    ):
        refused(psd, bad)


def test_a_fact_orders_covariances(made):
    p, q = (k.covariance(made.phi, w) for w in (made.p, made.q))
    made.case.facts.append(Fact(x * made.q.e - made.p.e))
    psd(x * q - p)
    psd(2 * x * q - 2 * p)
    for bad in (p - x * q, q - p, x * q - 2 * p, (a - x) * (x * q - p)):
        refused(psd, bad)


def test_moments_have_cases():
    def found(f, order):
        out = []
        for case, value in cases(lambda case: f(Made(case), order)):
            assert case.opened == 0
            out.append("finite" if isinstance(value, Moment) else str(value))
        return sorted(out)

    def plain(made, order):
        return moment(made.rho, made.sigma, order)

    assert found(plain, ABOVE) == ["finite", "oo"] and found(plain, BELOW) == ["0", "finite"]
    for f in (
        lambda made, order: moment(made.rho, made.rho, order),
        lambda made, order: moment(made.rho, made.sigma + x * made.one, order),
        lambda made, order: moment(made.rho, made.one, order),
    ):
        assert found(f, ABOVE) == found(f, BELOW) == ["finite"]
    for f in (
        lambda made, order: moment(made.rho, made.sigma + made.tau, order),
        lambda made, order: moment(made.rho, made.one - made.tau, order),  # not of full rank
        lambda made, order: moment(made.rho, made.one - made.tau + made.sigma, order),
        lambda made, order: moment(classical(made.p), classical(made.q), order),
    ):
        assert found(f, ABOVE) == ["finite", "oo"] and found(f, BELOW) == ["0", "finite"]
    blocks = [v for _, v in cases(lambda case: _blocks(Made(case)))]
    assert len(blocks) == 4 and sum(v.has(oo) for v in blocks) == 3


def _blocks(made):
    return moment(k.direct_sum(made.rho, made.tau), k.direct_sum(made.sigma, made.omega), ABOVE)


def test_moments_that_are_rejected(made):
    for order in (1, x, Integer(0), -a, Symbol("y", real=True)):
        refused(moment, made.rho, made.sigma, sympy.sympify(order))
    refused(moment, made.rho - made.sigma, made.sigma, ABOVE)
    refused(moment, made.rho, made.sigma - made.rho, ABOVE)
    assert moment(made.rho - made.rho, made.sigma, ABOVE) == 0
    first = moment(made.rho, made.sigma, ABOVE)
    assert moment(made.rho, made.sigma, ABOVE) == first != moment(made.sigma, made.rho, ABOVE)
    assert first.is_positive
    assert moment(made.rho, made.tau, ABOVE, follows=oo) == oo and moment(made.rho, made.tau, BELOW, follows=0 * a) == 0
    assert isinstance(moment(made.rho, made.omega, ABOVE, follows=first), Moment)


def test_the_divergence_of_a_moment(made):
    q, mass = (Symbol(n, positive=True) for n in ("Q", "m"))
    assert divergence(q, mass, Integer(3)) == (log(q) - log(mass)) / 2
    assert divergence(oo, mass, Integer(3)) == oo == divergence(Integer(0), mass, HALF)
    found = sandwiched(made.rho, made.sigma, Integer(2), x)
    value = Moment(made.rho.e, (made.sigma + x * made.one).e, Integer(2))
    assert found == log(value) - log(trace(made.rho.e))
    assert expression(k.sandwiched_renyi(made.rho, made.sigma, Integer(2), x)) == found


def test_numbers_of_operators(made):
    assert PositiveTrace((made.rho - made.sigma * sympy.exp(x)).e) == expression(
        k.quantum_hockey_stick(made.rho, made.sigma, x)
    )
    assert PositiveTrace(made.rho.e).is_nonnegative and not seen_nonnegative(PositiveTrace(made.rho.e), strict=True)
    top = expression(k.largest_eigenvalue(made.rho - made.sigma))
    assert top == Largest((made.rho - made.sigma).e) and not seen_nonnegative(top)
    assert expression(k.log_mixture(HALF, Integer(0), Integer(2))) == log(HALF + sympy.exp(2) / 2)


def test_channels(made):
    both = k.kron(made.rho, made.sigma)
    one, two = traced_out()(both), traced_out(second=False)(both)
    assert (one.e, one.space) == (made.rho.e * trace(made.sigma.e), SPACE)
    assert (two.e, two.space) == (made.sigma.e * trace(made.rho.e), SPACE)
    assert added_up()(k.direct_sum(made.rho, made.sigma)).e == made.rho.e + made.sigma.e
    there = turned("U")(made.rho)
    assert there.e != made.rho.e and turned("U", back=True)(there).e == made.rho.e
    assert turned("V", back=True)(there).e != made.rho.e and turned("U")(there).e != made.rho.e
    assert turned("U")(made.one).e == made.one.e
    assert prepared(made.phi)(classical(made.p)).e == k.covariance(made.phi, made.p).e
    other = Operator(identity(Symbol("K")), Symbol("K"))
    for f, given in (
        (traced_out(), made.rho),
        (traced_out(), k.direct_sum(made.rho, made.sigma)),
        (added_up(), both),
        (added_up(), k.direct_sum(made.rho, other)),
        (prepared(made.phi), made.rho),
        (pinched("P"), both),
    ):
        refused(f, given)
    halves = pinched("P")(made.one)
    assert trace(halves.e) != DIM  # the dimensions of two ranges
    assert [s.name for s in halves.space[1:]] == ["H_P_0", "H_P_1"]


def test_alphabets_are_kept_apart(made):
    away, home = Symbol("letters_9"), made.p.axes[0][0]
    weight = Symbol("b0", nonnegative=True)
    made.case.alphabets[weight], made.case.masses[weight, away] = frozenset([away]), 1
    b = Letters(weight, [(away,)])
    refused(k.covariance, made.phi, b)
    moved = k.pulled(made.phi, Map("g", away, home))
    assert moved.axes == (away,) and trace(k.covariance(moved, b).e) == 1
    refused(k.pulled, made.phi, Map("g", home, away))
    refused(k.covariance, moved, made.p)
    refused(k.tensor, made.phi, moved)
    pair = k.tensor(made.phi, made.phi)
    assert trace(k.covariance(pair, made.p).e) == 1 and pair.space == ("tensor", SPACE, SPACE)
    refused(prepared(moved), classical(made.p))
    assert diagonal(classical(made.p)).e == made.p.e and diagonal(made.rho) is None


def test_a_complement_needs_an_operator_below_the_identity(made):
    rest = k.complement(made.tau)
    psd(rest)
    assert trace(rest.e) == DIM - 1
    for wrong in (made.rho, 2 * made.tau, k.covariance(made.phi, made.p), made.tau / 2):
        with pytest.raises((ProofError, KeyError)):
            k.complement(wrong)


def test_commuting_operators(made):
    rho, sigma, one = made.rho.e, made.sigma.e, made.one.e
    for u, v in ((rho, rho), (rho, one), (one, sigma), (rho, 2 * rho + one), (Kron(rho, one), Kron(one, sigma))):
        assert commute(u, v)
    for u, v in ((rho, sigma), (rho, one + sigma), (rho + sigma, rho), (Kron(rho, one), Kron(sigma, one))):
        assert not commute(u, v)
    first, second = (k.covariance(made.phi, w).e for w in (made.p, made.q))
    assert not commute(first, second)
    lies(CommutingPairs(), (made.rho, made.one), made.case)
    for pair in ((made.rho, made.sigma), (made.rho, made.rho * -1), (made.rho * -1, made.rho)):
        refused(lies, CommutingPairs(), pair, made.case)


def test_states(made):
    kind = States(2)
    lies(kind, [made.rho, made.sigma + made.tau], made.case)
    lies(Channels(), made.channel, made.case)
    refused(lies, Channels(), lambda v: v, made.case)
    part = k.compressed(made.rho, Projection("P"))
    for wrong in (
        [made.rho],
        [made.rho, made.rho - made.rho],
        [made.rho, 2 * made.one - made.rho],
        [made.rho, made.rho - made.sigma],
        [made.rho, made.rho * -1],
        [made.tau, 3 * made.tau - 2 * made.omega],  # of trace 1, but indefinite for some
        [part, part],  # which may be zero
        [made.rho, k.kron(made.rho, made.sigma)],
        [made.rho.e, made.sigma.e],
    ):
        refused(lies, kind, wrong, made.case)
    refused(lies, States(2, normalised=True), [made.tau, made.omega], made.case)
    assert isinstance(made.case.operators[made.rho.e], Known) and made.case.operators[made.rho.e].bound is None
