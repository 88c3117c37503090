"""Rules for positive operators: they prove true statements and reject similar false ones."""

import numpy as np
import pytest
import sympy
from sympy import Integer, Max, Rational, Symbol

from verification.instances import Channels, Distributions, Projections, PurePairs, States, Unitaries, Vectors
from verification.proof import ProofError
from verification.provers.kernel import Theorem
from verification.provers.kinds import instance
from verification.provers.lemmas import both, flipped
from verification.provers.operators import (
    Block,
    Features,
    Known,
    Kron,
    Operator,
    OperatorVocabulary,
    Projection,
    Seen,
    SymbolicChannel,
    added_up,
    classical,
    each_block,
    identity,
    kept,
    moment,
    pairing,
    pinched,
    prepared,
    psd,
    trace,
    traced_out,
    turned,
)
from verification.provers.operators.expressions import _atom
from verification.provers.operators.kinds import _member_states
from verification.provers.quantum import (
    antitone,
    at_most_largest,
    below,
    below_petz,
    blocks,
    commuting,
    divergences,
    homogeneous,
    increasing,
    itself,
    maxima,
    mixture,
    moments,
    petz_processed,
    positive_part,
    processed,
    products,
    quasiconvex,
    tangent,
    variational,
)
from verification.provers.symbols import Case, Total, within
from verification.provers.values import Letters
from verification.provers.vocabulary import SymbolicVocabulary
from verification.vocabulary import Vocabulary

TWO, HALF, THIRD = Integer(2), Rational(1, 2), Rational(1, 3)
X = Symbol("x", positive=True)
K = OperatorVocabulary()


@pytest.fixture
def case():
    with within(Case()) as made:
        yield made


def given(case, **kinds):
    return instance(kinds, case).parameters


@pytest.fixture
def abc(case):
    return given(case, s=States(3), u=States(3, contractions=True))["s"]


@pytest.fixture
def pair(case):
    """Return features and the covariance operators of two distributions."""
    made = given(case, phi=Vectors(), p=Distributions(2, dim=4))
    phi, weights = made["phi"], made["p"]
    return phi, weights, [Operator(Total(w * phi.e, *phi.axes), phi.space) for w in weights]


def unit(x):
    return Operator(identity(x.space), x.space)


def test_positive_operators(case, abc, pair):
    a, b, _ = abc
    phi, (p, q), (s, t) = pair
    good = [
        a,
        a + b * X,
        unit(s) - s,  # S <= Id
        unit(s) * 2 - s - t,
        unit(s) * X - s * X,
        K.kron(a, b),
        unit(K.kron(s, t)) - K.kron(s, t),
        K.direct_sum(a, unit(s) - s),
        Operator(Total(Max(p - q, 0) * phi.e, *phi.axes), phi.space) - s + t,
        unit(s) * Total(Max(p - 3 * q, 0), *phi.axes) - s + t * 3,
    ]
    for x in good:
        psd(x)


def test_operators_that_may_not_be_positive(case, abc, pair):
    a, b, _ = abc
    phi, (p, q), (s, t) = pair
    over = Total(Max(p - 3 * q, 0), *phi.axes)
    bad = [
        a - b,
        b * Symbol("y", real=True),
        -a,
        unit(a) - a,  # no state is known to be at most Id
        unit(s) - s * 2,
        unit(s) - s - t,
        unit(s) - s * X,
        K.kron(a, b) - K.kron(b, a),
        unit(K.kron(s, t)) - K.kron(s, t) * 2,
        K.direct_sum(a, s - t),
        K.direct_sum(unit(s), -s),
        s - t,
        Operator(Total(Max(p - q, 0) * phi.e, *phi.axes), phi.space) - s,
        unit(s) * over - s + t * 2,
        unit(s) * over / 2 - s + t * 3,
        unit(s) * Total(Max(q - 3 * p, 0), *phi.axes) - s + t * 3,
    ]
    for x in bad:
        with pytest.raises(ProofError):
            psd(x)


def test_a_fact_orders_covariance_operators(case):
    made = given(case, phi=Vectors(), near=PurePairs(dim=4))
    phi, ((p, q), r) = made["phi"], made["near"]
    s, t = (Operator(Total(w * phi.e, *phi.axes), phi.space) for w in (p, q))
    psd(t * r - s)
    for x in (t * r - s * 2, t - s, t * r - s - t, t * (r - 1) - s):
        with pytest.raises(ProofError):
            psd(x)


def test_traces(case, abc, pair):
    a, b, _ = abc
    _, _, (s, t) = pair
    channel = given(case, c=Channels())["c"]
    assert trace(s.e) == 1
    assert sympy.simplify(trace((s * X + t * (1 - X)).e)) == 1
    assert trace(channel(a).e) == trace(a.e) == trace(turned("u")(a).e)
    assert trace(K.kron(a, s).e) == trace(a.e)
    assert trace(K.direct_sum(a, b).e) == trace(a.e) + trace(b.e)
    assert sympy.expand(trace(pinched("P")(a).e) - trace(a.e)) == 0


def test_channels(case, abc, pair):
    a, b, _ = abc
    phi, (p, q), (s, _) = pair
    letters = [classical(Letters(w, [phi.axes])) for w in (p, q)]
    assert prepared(phi)(letters[0]).e == s.e
    assert traced_out()(K.kron(a, s)).e == a.e
    assert traced_out(second=False)(K.kron(s, a)).e == a.e
    assert added_up()(K.direct_sum(a, b)).e == (a + b).e
    assert turned("u", back=True)(turned("u")(a)).e == a.e
    assert turned("u")(unit(a)).e == unit(a).e
    assert turned("u", back=True)(turned("v")(a)).e != a.e  # another unitary does not cancel
    elsewhere = Operator(identity(Symbol("other")), Symbol("other"))
    for channel, x in (
        (traced_out(), a),
        (added_up(), a),
        (added_up(), K.direct_sum(a, elsewhere)),
        (prepared(phi), s),
        (prepared(phi), a),
    ):
        with pytest.raises(ProofError):
            channel(x)


def test_true_rules(case, abc, pair):
    a, b, c = abc
    phi, (p, q), (s, t) = pair
    u = given(case, v=Unitaries())["v"]
    theorems = [
        processed(case, a, b, TWO, turned(u.name)),
        processed(case, a, b, HALF, turned(u.name)),
        increasing(case, a, b, THIRD, TWO),
        antitone(case, a, b, c, TWO),
        antitone(case, a, b, c, HALF),
        commuting(case, a, b, unit(b), THIRD),
        commuting(case, a, b, b, THIRD),
        commuting(case, K.kron(a, b), K.kron(a, b), K.kron(unit(a), b), THIRD),
        blocks(case, [(a, b), (b, c)], THIRD),
        products(case, (a, b), (b, c), THIRD),
        homogeneous(case, a, b, THIRD, X, 3),
        itself(case, a, THIRD),
        mixture(case, [(HALF, a, b), (HALF, b, c)], TWO),
        quasiconvex(case, [(THIRD, s, s + t), (1 - THIRD, t, s + t)], HALF),
        at_most_largest(case, s - t * X, Total(Max(p - X * q, 0), *phi.axes)),
        at_most_largest(case, s, 1),
        positive_part(case, a - b, a),
        below(case, a, a + b, 1, TWO),
        below(case, s, s * THIRD + t, 3, THIRD),
    ]
    assert all(isinstance(x, Theorem) for x in theorems)
    assert theorems[12].rhs == HALF * moment(a, b, TWO) + HALF * moment(b, c, TWO)
    assert moment(a, b, TWO) == sympy.oo or theorems[0].rhs.has(moment(a, b, TWO))


def test_false_neighbours_of_rules(case, abc, pair):
    a, b, c = abc
    _, _, (s, t) = pair
    y = Symbol("y", real=True)
    zero = Operator(0, a.space)
    false = [
        lambda: processed(case, a, b, THIRD, turned("u")),  # below order 1/2
        lambda: processed(case, zero, b, TWO, turned("u")),
        lambda: processed(case, a, -b, TWO, turned("u")),
        lambda: processed(case, a, b, Integer(1), turned("u")),
        lambda: processed(case, a, b, TWO, lambda x: x * 2),  # not a channel
        lambda: increasing(case, a, b, TWO, THIRD),
        lambda: increasing(case, a, b, TWO, Integer(1)),
        lambda: increasing(case, a - b, b, THIRD, TWO),
        lambda: antitone(case, a, b, c, THIRD),
        lambda: antitone(case, a, b, -c, TWO),
        lambda: antitone(case, a, b, c - b, TWO),
        lambda: antitone(case, a, b, c * y, TWO),
        lambda: commuting(case, a, b, c, THIRD),  # they need not commute
        lambda: commuting(case, a, b, -b, THIRD),
        lambda: commuting(case, K.kron(a, b), K.kron(a, b), K.kron(b, a), THIRD),
        lambda: commuting(case, s, t, s, THIRD),
        lambda: homogeneous(case, a, b, TWO, y, 1),
        lambda: homogeneous(case, a, b, TWO, 1, 0),
        lambda: homogeneous(case, a, b, Integer(1), 1, 2),
        lambda: mixture(case, [(HALF, a, b), (HALF, b, c)], THIRD),
        lambda: mixture(case, [(y, a, b), (1 - y, b, c)], TWO),
        lambda: quasiconvex(case, [(THIRD, s, t), (THIRD, t, s)], TWO),  # the weights do not sum to 1
        lambda: quasiconvex(case, [(HALF, a, b), (HALF, b, c)], TWO),  # other traces
        lambda: at_most_largest(case, s - t * X, HALF),
        lambda: at_most_largest(case, s + t, 1),
        lambda: at_most_largest(case, a, 1),
        lambda: positive_part(case, a - b, b),
        lambda: positive_part(case, a - b, a - b),
        lambda: positive_part(case, s + t, s),
        lambda: below(case, a + b, a, 1, TWO),
        lambda: below(case, a, a * HALF + b, 1, TWO),
        lambda: below(case, a, a + b, 0, TWO),
        lambda: below(case, s, t, 1, TWO),
    ]
    for i, rule in enumerate(false):
        with pytest.raises((ProofError, AttributeError), match=r".*"):
            print(i, rule())


def test_moments_and_divergences(case, abc):
    a, b, c = abc
    step = antitone(case, a, b, c, TWO)
    assert moments(step, (a, b + c), (a, b), TWO).rhs == moment(a, b, TWO)
    for wrong in (
        lambda: moments(step, (a, b), (a, b + c), TWO),
        lambda: moments(step, (a, b + c), (a, b), Integer(3)),
        lambda: moments(step, (b, b + c), (a, b), TWO),
        lambda: divergences(moments(step, (a, b + c), (a, b), TWO), Symbol("y", real=True), TWO),
        lambda: divergences(step, trace(a.e), TWO),  # no moments
        lambda: flipped(step),
        lambda: both(step, step),
        lambda: maxima([step, antitone(Case(), a, b, c, TWO)]),
    ):
        with pytest.raises(ProofError):
            wrong()
    low = antitone(case, a, b, c, HALF)  # below order 1 the moments are in the opposite order
    assert moments(low, (a, b + c), (a, b), HALF).lhs == moment(a, b, HALF)
    assert divergences(moments(low, (a, b + c), (a, b), HALF), trace(a.e), HALF).lhs == low.lhs


def test_a_moment_with_a_multiple_of_the_identity_is_finite(case, abc, pair):
    a, b, _ = abc
    _, _, (s, t) = pair
    before = len(case.taken)
    moment(a, b + unit(b) * X, TWO)
    moment(s, t + unit(t), HALF)
    moment(a, a, TWO)
    assert len(case.taken) == before
    moment(s, unit(t) - t, TWO)  # positive, but perhaps singular
    moment(a, b, TWO)
    assert len(case.taken) == before + 2


def test_diagonal_operators_have_the_classical_divergence(case, pair):
    phi, weights, _ = pair
    k = SymbolicVocabulary()
    p, q = (Letters(w, [phi.axes]) for w in weights)
    value = k.sandwiched_renyi(classical(p), classical(q), 3)
    assert value[0].e == k.renyi(p, q, 3)[0].e


def test_operators_are_not_numbers(case, abc):
    a, b, _ = abc
    for wrong in (
        lambda: a * b,
        lambda: a.shape,
        lambda: np.where(True, a, b),
        lambda: a + 1,
        lambda: a + K.kron(a, b),
        lambda: moment(a, K.kron(a, b), TWO),
        lambda: K.complement(a),
        lambda: trace(Seen(Symbol("half0:P"), a.e) * a.e),
    ):
        with pytest.raises((ProofError, TypeError)):
            wrong()
    assert Kron(a.e + b.e, a.e * 2) == 2 * Kron(a.e, a.e) + 2 * Kron(b.e, a.e)
    assert Block(0, a.e - a.e) == 0


@pytest.mark.parametrize("order", [0.5, 0.75, 2.0, 3.5])
def test_rules_agree_with_numbers(order):
    """The algebra that the rules use, on random matrices."""
    rng, k = np.random.default_rng(3), Vocabulary()

    def state(n):
        m = rng.normal(size=(1, n, n)) + 1j * rng.normal(size=(1, n, n))
        return m @ np.conj(m.swapaxes(-1, -2))

    def q(x, y):
        return float(k.trace(x)[0] * np.exp((order - 1) * k.sandwiched_renyi(x, y, order)[0]))

    a, b, c, d = (state(n) for n in (3, 3, 2, 2))
    assert q(a, a) == pytest.approx(k.trace(a)[0])
    assert q(k.direct_sum(a, c), k.direct_sum(b, d)) == pytest.approx(q(a, b) + q(c, d))
    assert q(k.kron(a, c), k.kron(b, d)) == pytest.approx(q(a, b) * q(c, d))
    assert q(2 * a, 5 * b) == pytest.approx(2**order * 5 ** (1 - order) * q(a, b))
    assert k.quantum_hockey_stick(a, b, 0.3)[0] <= k.trace(a)[0]
    p, r = np.array([[0.2, 0.8]]), np.array([[0.5, 0.5]])
    assert k.sandwiched_renyi(np.diag(p[0])[None], np.diag(r[0])[None], order)[0] == pytest.approx(
        k.renyi(p, r, order)[0]
    )


def test_the_trace_of_a_product(case, abc, pair):
    a, b, _ = abc
    phi, (p, _), (s, t) = pair
    h, flat = Operator(a.e, s.space), Operator(b.e, s.space)
    assert pairing(h, flat + unit(h) * X) == pairing(flat, h) + X * trace(h.e)
    assert pairing(h, s * X - t) == X * pairing(h, s) - pairing(h, t) != 0
    assert pairing(unit(s), s) == 1
    for x, y in ((s, t), (h, K.kron(h, h)), (K.kron(h, h), K.kron(h, flat))):
        with pytest.raises(ProofError):
            pairing(x, y)
    with pytest.raises(ProofError):
        pairing(h, Operator(phi.e, phi.space) * p)


def test_dual_functionals(case, abc, pair):
    h, a, b = abc
    letter = Operator(pair[0].e, pair[2][0].space)
    order = 1 + X
    formula, bound = variational(case, h, a, b, order), tangent(case, h, b, (a, X), order)
    f = K.dual_functional(h, b, order)[0].e
    assert formula.premises == ("cited.variational",)
    assert bound.premises == ("cited.tangent",)
    assert formula.lhs == order * pairing(h, a) - X * f
    assert formula.rhs == moment(a, b, order)
    assert bound.lhs == f
    assert bound.rhs == pairing(K.dual_gradient(h, a, X, order), b)
    gradients = [K.dual_gradient(h, a, t, w).e for t in (X, 2 * X) for w in (order, TWO)]
    assert len(set(gradients)) == 4
    for wrong in (
        lambda: variational(case, h, a, b, HALF),
        lambda: variational(case, h, a, b, X),
        lambda: variational(case, -h, a, b, TWO),
        lambda: variational(case, h, a, a - b, TWO),
        lambda: tangent(case, h, b, (a, X), HALF),
        lambda: tangent(case, h, b, (a, Integer(0)), TWO),
        lambda: tangent(case, h, b, (a, -X), TWO),
        lambda: tangent(case, h, b, (a - b, X), TWO),
        lambda: tangent(case, h - a, b, (a, X), TWO),
        lambda: tangent(case, h, -b, (a, X), TWO),
        lambda: tangent(case, h, b, (K.kron(a, a), X), TWO),
        lambda: K.dual_gradient(letter, a, X, TWO),
        lambda: K.dual_gradient(h, letter, X, TWO),
    ):
        with pytest.raises(ProofError):
            wrong()


def test_a_projection_halves_a_covariance_operator(case, pair):
    _, _, (s, t) = pair
    halves = pinched("P")(s)
    assert moment(halves, pinched("P")(t + unit(t)), TWO) == sum(
        moment(x, y + unit(y), TWO)
        for x, y in ([Operator(pinched_half(i, w), Symbol(f"{s.space}_P_{i}")) for w in (s, t)] for i in range(2))
    )


def pinched_half(i, w):
    (weighted,) = w.e.atoms(Total)
    weight, atom = weighted.args[0].args
    return Total(weight * Seen(Symbol(f"half{i}:P"), atom), *weighted.args[1:])


def test_the_divergence_of_petz(case, abc, pair):
    a, b, _ = abc
    phi, weights, (s, t) = pair
    order, zero = X / (1 + X), s - s
    p, q = (classical(Letters(w, [phi.axes])) for w in weights)
    less = petz_processed(case, p, q, order, prepared(phi))
    assert less.premises == ("cited.petz-processing",)
    assert less.rhs == SymbolicVocabulary().renyi(*(Letters(w, [phi.axes]) for w in weights), order)[0].e
    channel = each_block(prepared(phi), kept())
    more = petz_processed(case, K.direct_sum(p, zero), K.direct_sum(q, unit(s) * X), order, channel)
    assert more.rhs == less.rhs
    assert more.lhs == K.petz_renyi(s, t + unit(t) * X, order)[0].e != less.lhs
    assert below_petz(case, s, t + unit(t) * X, order).rhs == more.lhs
    for wrong in (
        lambda: below_petz(case, a, b, 1 + X),  # has no symbols above order 1
        lambda: below_petz(case, a, b, X),
        lambda: below_petz(case, a, b - a, order),
        lambda: below_petz(case, a - b, b, order),
        lambda: petz_processed(case, a, b, 3 + X, kept()),
        lambda: petz_processed(case, K.direct_sum(p, s), K.direct_sum(q, unit(s)), order, channel),
        lambda: petz_processed(case, K.direct_sum(p, zero), K.direct_sum(q, zero - unit(s)), order, channel),
        lambda: petz_processed(
            case, K.direct_sum(p, zero), K.direct_sum(q, unit(s)), order, each_block(kept(), kept())
        ),
        lambda: petz_processed(case, p, q, order, channel),
        lambda: petz_processed(case, p, q, order, kept()).then(less),
    ):
        with pytest.raises(ProofError):
            wrong()


def test_operators_are_typed(case, abc, pair):
    a, b, _ = abc
    phi, _, (s, _) = pair
    elsewhere = Symbol("K")
    for e, space in (
        (a.e, a.space),
        (Kron(a.e, s.e), ("tensor", a.space, s.space)),
        (Block(0, a.e) + Block(1, Kron(a.e, b.e)), ("sum", a.space, ("tensor", a.space, b.space))),
        (Seen(Symbol("half0:P"), Seen(Symbol("unitary:U"), a.e)), Symbol("H_P_0")),
    ):
        assert Operator(e, space).space == space
    for e, space in (
        (a.e, elsewhere),
        (s.e, ("letters", *phi.axes)),  # would be a diagonal operator of weights p
        (identity(elsewhere), a.space),
        (Kron(a.e, b.e), a.space),
        (a.e, ("tensor", a.space, b.space)),
        (Kron(Kron(a.e, b.e), b.e), ("tensor", a.space, a.space, a.space)),
        (Block(1, a.e), ("sum", a.space)),
        (Block(0, a.e), ("sum", elsewhere, a.space)),
        (Seen(Symbol("half1:P"), a.e), Symbol("H_P_0")),
        (Seen(Symbol("transpose:P"), a.e), a.space),
        (Symbol("unknown", commutative=False), a.space),
    ):
        with pytest.raises(ProofError):
            Operator(e, space)
    _atom("s0", Known(a.space, trace(a.e)), case)
    with pytest.raises(ProofError):
        _atom("s0", Known(a.space, trace(a.e), Integer(1)), case)


def test_data_processing_needs_channels(case, abc, pair):
    a, b, _ = abc
    phi, (p, q), _ = pair
    x, y = (classical(Letters(w, [phi.axes])) for w in (p, q))
    blurred = Features(phi.e / 2 + identity(phi.space) / trace(identity(phi.space)) / 2, phi.space, phi.axes)
    for features in (phi, blurred):
        assert processed(case, x, y, TWO, prepared(features)).premises == ("cited.processing",)
    for e in (p * phi.e, 2 * phi.e, phi.e - a.e, a.e, 2 * phi.e - identity(phi.space) / trace(identity(phi.space))):
        with pytest.raises(ProofError):  # not trace preserving, or not positive
            prepared(Features(e, phi.space, phi.axes))
    with pytest.raises(ProofError):  # maps only the reference to its half: D would increase
        SymbolicChannel(lambda atom: atom if atom == a.e else atom / 2, lambda space: space)
    with pytest.raises(ProofError):
        _member_states(States(2, dim=2), [a, b], case)


def test_moments_need_positive_operators_that_do_not_vary(case, abc, pair):
    a, b, _ = abc
    phi, _, (s, t) = pair
    letter, zero = Operator(phi.e, phi.space), a - a
    assert moment(zero, b, TWO) == 0
    for x, y, order in (
        (s - t, t + unit(t), TWO),  # of trace 0, but not 0
        (zero, -b, TWO),
        (letter, unit(s), TWO),  # another number at every letter
        (s, letter, TWO),
        (s, letter, HALF),
    ):
        with pytest.raises(ProofError):
            moment(x, y, order)
    with pytest.raises(ProofError):
        K.petz_renyi(s, letter, HALF)


def test_divergence_of_zero_operators(case, abc):
    a, b, _ = abc
    given(case, onto=Projections())
    half = [K.compressed(x, Projection("onto")) for x in (a, b)]
    assert K.sandwiched_moment(*half, TWO)[0].e != 0  # where the trace is positive
    assert K.sandwiched_renyi(*half, TWO)[0].e != sympy.oo
    for x in (a - a, half[0] - half[0]):
        with pytest.raises(ProofError):
            K.sandwiched_renyi(x, b if x.space == b.space else half[1], TWO)
