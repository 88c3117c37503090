"""`krdtheory.ball`: the functions of `krdtheory.mp`, compared with closed forms in exact numbers and with mpmath."""

import functools
import inspect
import math
from decimal import Decimal
from fractions import Fraction as F

import mpmath
import numpy as np
import pytest
import sympy
from flint import acb, acb_mat, arb, arb_mat, ctx, fmpq
from sympy.polys.domains import QQ_I

from krdtheory import ball, mp
from krdtheory.table import EVERY, FUNCTIONS

INF = arb.pos_inf()
THIRD = [F(1, 3), F(2, 3)]
HALF = ["0.5", "0.5"]
PLUS = [["1/2", "1/2"], ["1/2", "1/2"]]
ZERO = [[1, 0], [0, 0]]
ONE = [[0, 0], [0, 1]]


def closed(f, digits=50):
    """Return a closed form in arb, with twice the digits."""
    with ctx.workprec(8 * digits):
        return f()


def holds(value, truth, digits=50):
    """Check that the ball contains the true value, and has the requested digits."""
    size = max(abs(truth).upper(), arb(10) ** -digits)
    return value.contains(truth.mid()) and value.rad() <= arb(10) ** -digits * size


# One vocabulary


@pytest.mark.parametrize(
    "name", [name for name, f in FUNCTIONS.items() if f.systems == EVERY and "privacy" not in f.module]
)
def test_same_names_and_arguments_as_mp(name):
    dropped = {"support_tol", "kernel_params"}
    ours, theirs = (inspect.signature(getattr(m, name)).parameters for m in (ball, mp))
    assert list(ours) == [p for p in theirs if p not in dropped]
    assert name in ball.__all__


def random_rational(rng, n, rank):
    x = rng.integers(-3, 4, (n, rank)) + 1j * rng.integers(-3, 4, (n, rank))
    m = x @ x.conj().T
    return [[QQ_I(F(int(v.real), 7), F(int(v.imag), 7)) for v in row] for row in m]


CALLS = {
    **{
        f"{n} {a}": (n, (F(a),)) for n in ("sandwiched_renyi", "petz_renyi", "maximal_renyi") for a in ("0", "1/2", "3")
    },
    "sandwiched_renyi inf": ("sandwiched_renyi", (math.inf,)),
    "petz_renyi inf": ("petz_renyi", (math.inf,)),
    "maximal_renyi 1": ("maximal_renyi", (1,)),
    "umegaki": ("quantum_relative_entropy", ()),
    "trace": ("trace_distance", ()),
    "hockey": ("quantum_hockey_stick", (F(1, 3),)),
}


@pytest.mark.slow
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("lam", [0, F(1, 10)])
def test_quantum_values_agree_with_mpmath(call, lam):
    """The 40 digits of mpmath have a relative or absolute error below 1e-38, which `mp.evaluate` ensures."""
    name, more = CALLS[call]
    for seed in range(3):
        rng = np.random.default_rng(seed)
        n = 2 + seed % 2
        rho, sigma = random_rational(rng, n, 1 + seed % n), random_rational(rng, n, n - seed // 2)
        enclosed = getattr(ball, name)(rho, sigma, *more, lam, digits=30)
        number = mp.evaluate(FUNCTIONS[name].load(), rho, sigma, *more, lam, digits=40)
        if number == math.inf:
            assert enclosed == INF
        else:
            with ctx.workdps(60):
                error = abs(enclosed.mid() - arb(str(number)))
                assert error <= enclosed.rad() + arb("1e-38") * max(1, abs(float(number)))


# Classical closed forms


def test_renyi_closed_forms():
    assert holds(ball.renyi(THIRD, HALF, 2), closed(lambda: (arb(10) / 9).log()))
    assert holds(ball.renyi(THIRD, HALF, 0), arb(0))
    assert holds(ball.kl(THIRD, HALF), closed(lambda: (arb(2) / 3).log() / 3 + (arb(4) / 3).log() * 2 / 3))
    assert holds(ball.max_divergence(THIRD, HALF), closed(lambda: (arb(4) / 3).log()))
    assert holds(ball.renyi([1, 0, 1], [1, 2, 0], F(1, 2)), closed(lambda: 2 * arb(2).log()))
    assert ball.renyi([1, 0], [0, 1], F(1, 2)) == INF and ball.renyi([1, 1], [0, 1], 1) == INF
    assert ball.renyi(THIRD, THIRD, 1 + F(1, 10**30)).contains(0)


@pytest.mark.parametrize("alpha", [1 - F(1, 10**40), 1 + F(1, 10**40), F(1, 10**6), 200, F(1, 2)])
def test_two_point_renyi_at_hard_orders(alpha):
    def formula():
        a = arb(fmpq(F(alpha).numerator, F(alpha).denominator))
        p, q = [arb(1) / 3, arb(2) / 3], [arb(1) / 4, arb(3) / 4]
        return sum(x**a * y ** (1 - a) for x, y in zip(p, q, strict=True)).log() / (a - 1)

    assert holds(ball.renyi(THIRD, ["1/4", "3/4"], alpha), closed(formula))


@pytest.mark.parametrize("alpha", [0, F(1, 3), 1, F(5, 2), math.inf])
def test_equal_ratios_are_exact(alpha):
    assert ball.renyi(THIRD, THIRD, alpha) == 0 and ball.renyi([1, 2, 0], [1, 2, 5], alpha) == 0
    assert ball.kl(THIRD, THIRD) == 0 and holds(ball.renyi([2, 4], [1, 2], alpha), closed(lambda: arb(2).log()))
    assert (
        ball.certify(lambda digits: ball.renyi(THIRD, THIRD, alpha, digits=digits), 0, relation="==").verdict
        == "proved"
    )


@pytest.mark.parametrize("alpha", [0, F(1, 10**6), F(1, 3), 1, F(5, 2), math.inf])
def test_proportional_states_are_exact(alpha):
    rho, sigma = [["3/4", "1/4-1/8*I"], ["1/4+1/8*I", "1/4"]], [["1/2", "1/4-1/8*I"], ["1/4+1/8*I", "0"]]
    singular = [[1, 1, 0], [1, 1, 0], [0, 0, 0]]
    for call in (ball.sandwiched_renyi, ball.petz_renyi, ball.maximal_renyi):
        assert call(rho, rho, alpha) == 0 and call(singular, singular, alpha) == 0
        assert holds(call(np.multiply(3, singular), singular, alpha), closed(lambda: arb(3).log()))
    shifted = [[F(1, 2), "1/4-1/8*I"], ["1/4+1/8*I", "1/2"]]
    assert ball.sandwiched_renyi([[F(3, 2), "1/4-1/8*I"], ["1/4+1/8*I", F(3, 2)]], shifted, alpha, 1) == 0
    assert ball.quantum_relative_entropy(rho, rho) == 0 and ball.trace_distance(rho, rho) == 0
    for indefinite in (sigma, [[0, 1], [1, 0]]):
        with pytest.raises(ValueError, match="positive semidefinite"):
            ball.sandwiched_renyi(indefinite, indefinite, alpha)
        with pytest.raises(ValueError, match="positive semidefinite"):
            ball.sandwiched_renyi(indefinite, rho, alpha)


def test_distances():
    assert holds(ball.total_variation(THIRD, HALF), closed(lambda: arb(1) / 6))
    assert holds(ball.hellinger(THIRD, HALF), closed(lambda: 1 - (arb(1) / 6).sqrt() - (arb(1) / 3).sqrt()))
    assert ball.hellinger(HALF, HALF) == 0
    assert ball.hockey_stick(HALF, ["1/4", "3/4"], 0) == arb("0.25")
    assert ball.hockey_stick([1, 0], [0, 1], math.inf) == 1 and ball.hockey_stick(HALF, HALF, -math.inf) == 1
    epsilon = closed(lambda: arb(2).log())
    assert holds(ball.hockey_stick(HALF, ["0.2", "0.8"], epsilon), closed(lambda: arb(1) / 10))


@pytest.mark.parametrize("f", ["kl", "reverse_kl", "chi_squared", "total_variation", "hellinger"])
def test_named_f_divergences(f):
    generators = {
        "kl": lambda t: t * t.log(),
        "reverse_kl": lambda t: -t.log(),
        "chi_squared": lambda t: (t - 1) ** 2,
        "total_variation": lambda t: abs(t - 1) / 2,
        "hellinger": lambda t: 1 - t.sqrt(),
    }
    named, own = ball.f_divergence(THIRD, HALF, f), ball.f_divergence(THIRD, HALF, generators[f])
    assert named.overlaps(own)
    with_zero = ball.f_divergence([1, 0], [F(1, 2), F(1, 2)], f)
    assert with_zero == INF if f == "reverse_kl" else with_zero.is_finite()


# Quantum closed forms


def test_input_of_every_kind_is_exact():
    """tr rho^2 / sigma is 1/6 + 1/2 for rho = diag(1/2, 1/2), sigma = diag(3/2, 1/2)."""
    halves = F(1, 2), "1/2", "0.5", 0.5, Decimal("0.5"), sympy.Rational(1, 2), mpmath.mpf("0.5"), fmpq(1, 2), arb(0.5)
    for x in halves:
        value = ball.sandwiched_renyi([[x, 0], [0, x]], [["1.5", 0], [0, np.float32(0.5)]], 2)
        assert holds(value, closed(lambda: (arb(2) / 3).log()))
    decimal = ball.kl([0.1, 0.9], ["0.1", "0.9"])  # floats are not the decimals that they are printed as
    assert decimal > -1e-15 and decimal < 1e-15 and not decimal.contains(0)


@pytest.mark.parametrize("alpha", [F(1, 2), F(3, 4), F(999, 1000), 1, F(1001, 1000), 2, 7, 200, math.inf])
def test_pure_states(alpha):
    """|+> relative to diag(3/4, 1/4): tr (B^s |+><+|)^alpha = <+|B^s|+>^alpha, s = (1 - alpha) / alpha."""

    def formula():
        b = arb(3) / 4, arb(1) / 4
        if alpha == 1:
            return -(b[0].log() + b[1].log()) / 2
        if alpha == math.inf:
            return ((1 / b[0] + 1 / b[1]) / 2).log()
        a = arb(fmpq(F(alpha).numerator, F(alpha).denominator))
        return ((b[0] ** ((1 - a) / a) + b[1] ** ((1 - a) / a)) / 2).log() * a / (a - 1)

    assert holds(ball.sandwiched_renyi(PLUS, [["3/4", 0], [0, "1/4"]], alpha), closed(formula))


def test_supports():
    for f in (ball.sandwiched_renyi, ball.petz_renyi, ball.maximal_renyi):
        assert f(ZERO, ONE, F(1, 2)) == INF and f(PLUS, ZERO, 1) == INF and f(PLUS, ZERO, math.inf) == INF
        assert f(ZERO, ZERO, 3).contains(0) and f(ZERO, ZERO, 3).rad() < 1e-90
    assert holds(ball.sandwiched_renyi(ZERO, PLUS, F(1, 2)), closed(lambda: arb(2).log()))
    assert holds(ball.petz_renyi(ZERO, PLUS, F(1, 2)), closed(lambda: 2 * arb(2).log()))
    assert ball.maximal_renyi(ZERO, PLUS, F(1, 2)) == INF  # the supports meet in 0
    assert ball.quantum_relative_entropy(ZERO, PLUS) == INF and ball.max_relative_entropy(ZERO, PLUS) == INF


def test_complex_states():
    """|i> = (1, i) / sqrt 2 and |+> have overlap 1/2."""
    state = [["1/2", -0.5j], [0.5j, "1/2"]]
    assert holds(ball.sandwiched_renyi(state, PLUS, F(1, 2)), closed(lambda: arb(2).log()))
    assert holds(ball.trace_distance(state, PLUS), closed(lambda: arb(1) / arb(2).sqrt()))


def test_order_zero():
    """tr B for rho of full rank; a greedy choice of eigenvalues for rank one, commuting or not."""
    sigma = [[3, 0, 0], [0, 2, 0], [0, 0, 2]]
    diag = lambda *x: [[v if i == j else 0 for j in range(3)] for i, v in enumerate(x)]  # noqa: E731
    assert holds(ball.sandwiched_renyi(diag(1, 1, 1), sigma, 0), closed(lambda: (arb(3) / 7).log()))
    assert holds(ball.sandwiched_renyi(diag(0, 1, 1), sigma, 0), closed(lambda: (arb(2) / 4).log()))
    assert holds(ball.sandwiched_renyi([[1] * 3] * 3, sigma, 0), arb(0))
    assert holds(ball.petz_renyi(diag(0, 1, 0), sigma, 0), closed(lambda: -arb(2).log()))


def test_petz_of_infinite_order_of_commuting_irrational_spectra():
    """sigma = rho^2 + 1 has the same eigenspaces, which no precision shows: only the ratios a / (a^2 + 1) count."""
    rho, sigma = [[2, 1], [1, 1]], [[6, 3], [3, 3]]
    a = closed(lambda: (3 + arb(5).sqrt()) / 2)
    b = closed(lambda: (3 - arb(5).sqrt()) / 2)
    ratios = closed(lambda: [x / (x * x + 1) for x in (a, b)])
    assert holds(ball.petz_renyi(rho, sigma, math.inf), closed(lambda: max(r.mid() for r in ratios).log()))


def test_clustered_spectrum_where_mpmath_is_silently_wrong():
    """Eigenvalues 1e-25 and 1e-25 + 1e-30 under a rational rotation: Petz and sandwiched agree with the diagonal."""
    t, u = F(1, 10**25), F(1, 10**25) + F(1, 10**30)
    c, s = F(3, 5), F(4, 5)
    rotate = lambda x, y: [[c * c * x + s * s * y, c * s * (x - y)], [c * s * (x - y), s * s * x + c * c * y]]  # noqa: E731
    value = ball.sandwiched_renyi(rotate(u, t), rotate(t, u), 7)
    direct = closed(
        lambda: ((arb(100001) ** 7 / arb(100000) ** 6 + arb(100000) ** 7 / arb(100001) ** 6) / 200001).log() / 6,
        60,
    )
    assert holds(value, direct)


def test_batches():
    rho = [PLUS, ZERO]
    out = ball.sandwiched_renyi(rho, [["3/4", 0], [0, "1/4"]], [[2], [3]])
    assert out.shape == (2, 2)
    assert out[1, 0].overlaps(ball.sandwiched_renyi(PLUS, [["3/4", 0], [0, "1/4"]], 3))
    assert ball.renyi([THIRD, HALF], HALF, 2).shape == (2,)


# Kernels


KERNELS = {"rbf": {"bandwidth": F(3, 2)}, "laplacian": {"bandwidth": F(3, 2)}, "identity": {}, "linear": {}}


@pytest.mark.slow
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("common", [True, False])
def test_kernel_values_agree_with_mpmath(kernel, common):
    p, w = [[0, 1], [1, "1/2"], [-1, 1]], ["1/2", "1/4", "1/4"]
    q = [*p, [2, 1]] if common else [[0, 1], [3, 1]]
    for lam in (0, F(1, 100)):
        for alpha in (F(1, 3), F(3, 4), 1, F(5, 2), math.inf):
            if kernel == "linear" and lam == 0 and alpha >= 1:
                continue  # mpmath cannot decide it
            kwargs = {"alpha": alpha, "regularization": lam, "kernel": kernel, **KERNELS[kernel]}
            enclosed = ball.kernel_renyi(p, w, q, None, digits=25, **kwargs)
            number = mp.evaluate(FUNCTIONS["kernel_renyi"].load(), p, w, q, None, digits=30, **kwargs)
            if number == math.inf:
                assert enclosed == INF
            else:
                with ctx.workdps(50):  # mpmath's error is below 1e-28
                    assert abs(enclosed.mid() - arb(str(number))) <= enclosed.rad() + arb("1e-28")


def test_kernel_closed_forms():
    """Common points at lambda = 0 and infinite order: log max w / v for every kernel; and one point with lambda."""
    d = ball.kernel_renyi([0, 1], ["3/4", "1/4"], [0, 1, 2], None, alpha=math.inf, regularization=0, bandwidth=1)
    assert holds(d, closed(lambda: (arb(9) / 4).log()))
    d = ball.kernel_renyi([0], None, [0], None, alpha=[2, 5], regularization=["0.1", 1], bandwidth=1)
    assert d.shape == (2, 2) and holds(d[0, 0], closed(lambda: -(arb(11) / 10).log()))
    d = ball.kernel_renyi(["a"], None, ["a", "b"], [1, 3], alpha=2, regularization="1/4", kernel="identity")
    assert holds(d, closed(lambda: -(arb(5) / 4).log()))
    assert ball.kernel_renyi([0], None, [1], None, alpha=1, regularization=0, bandwidth=1) == INF


# Balls as input


def test_ball_matrices():
    with ctx.workprec(200):
        third = arb(1) / 3
        rho = arb_mat(2, 2, [third, 0, 0, 1 - third])
        sigma = arb_mat(2, 2, [third, third / 2, third / 2, third])
    exact = ball.sandwiched_renyi([["1/3", 0], [0, "2/3"]], [["1/3", "1/6"], ["1/6", "1/3"]], 2)
    value = ball.sandwiched_renyi(rho, sigma, 2)
    assert value.overlaps(exact) and value.contains(exact.mid()) and value.rad() < 1e-40
    complex_ = ball.sandwiched_renyi(acb_mat(rho), sigma, 2)
    assert complex_.contains(exact.mid())


def test_undecided_support_gives_a_lower_bound():
    tiny = arb(0, 1e-30)
    with pytest.raises(ball.UndecidedError, match="bits") as error:
        ball.sandwiched_renyi([[1, 0], [0, 1]], [[1, 0], [0, tiny]], 2)
    assert error.value.lower > 60  # tr rho sigma^-1 rho / 2 >= 1e30 / 2, about e^68
    with pytest.raises(ball.UndecidedError):
        ball.renyi([1, 1], [1, tiny], 2)
    assert ball.sandwiched_renyi([[1, 0], [0, 1]], [[1, 0], [0, tiny]], 2, "1/10").is_finite()


@pytest.mark.parametrize(
    "call",
    [
        *(functools.partial(ball.f_divergence, f=f) for f in ("kl", "chi_squared", "total_variation", "hellinger")),
        functools.partial(ball.f_divergence, f=lambda t: t * t, value_at_zero=0),
        ball.kl,
        ball.hellinger,
        ball.total_variation,
        *(functools.partial(ball.renyi, alpha=a) for a in (F(1, 3), 1, 3, math.inf)),
    ],
)
def test_weights_that_may_be_zero(call):
    """The result contains the values at the ends of a ball that touches 0."""
    p, q = [arb(0.0625, 0.0625), 1], [F(1, 2), F(1, 2)]
    value = call(p, q, digits=10)
    for first in (0, F(1, 16), F(1, 8)):
        there = call([first, 1], q, digits=30)
        assert value.overlaps(there) and value.contains(there.mid())


def test_reference_weights_that_may_be_zero():
    p, q = [F(1, 8), 1], [arb(0.0625, 0.0625), 1]
    for call in (ball.hellinger, ball.total_variation, functools.partial(ball.f_divergence, f="hellinger")):
        for first in (0, F(1, 8)):
            assert call(p, q, digits=10).contains(call(p, [first, 1], digits=30).mid())
    with pytest.raises(ball.UndecidedError, match="zero"):
        ball.f_divergence(p, q, "kl")
    with pytest.raises(ball.UndecidedError, match="may be 0"):
        ball.renyi(p, q, 2)


def test_limits_in_balls():
    value = ball.f_divergence([1, 0], [F(1, 2), F(1, 2)], lambda t: t, value_at_zero=arb(0, 0.125))
    assert value.contains(1 + arb(0.0625)) and value.contains(1 - arb(0.0625))
    value = ball.f_divergence([1, 1], [1, 0], lambda t: t, slope_at_infinity=arb(0, 0.125))
    assert value.contains(1 + arb(0.125))


def test_exact_balls_are_exact():
    """For all types of entries, even if the other entries have a radius."""
    assert ball.sandwiched_renyi(arb_mat(2, 2, [1, 0, 0, 0]), ZERO, 2).contains(0)
    assert ball.eigvalsh(acb_mat(2, 2, [0, acb(0, 1), acb(0, -1), 0]))[1].contains(1)
    with ctx.workprec(400):
        root = arb(2).sqrt()
        value = ball.sandwiched_renyi([[root, "1/3"], ["1/3", 1]], [[2, 0], [0, 1]], 2, digits=80)
        power = root * root / 2 + root / 9 + 1  # entries squared over 2, sqrt 2, sqrt 2, 1
        assert value.overlaps((power / (root + 1)).log()) and value.rad() < 1e-79
        turned = ball.sandwiched_renyi([[root, "1/3*I"], ["-1/3*I", 1]], [[2, 0], [0, 1]], 2, digits=80)
        assert turned.overlaps(value) and turned.rad() < 1e-79


@pytest.mark.parametrize("name", ["sandwiched_renyi", "petz_renyi", "maximal_renyi"])
@pytest.mark.parametrize("alpha", [F(1, 2), 1, F(3, 2), math.inf])
def test_results_for_states_in_balls_contain_those_for_their_points(name, alpha):
    """rho and sigma within 1e-6 of rational states, both together and separately."""
    points = [[["3/4", "1/4-1/8*I"], ["1/4+1/8*I", "1/4"]], [["1/2", "1/8*I"], ["-1/8*I", "1/3"]]]
    with ctx.workprec(200):
        ball_of = {"3/4": arb("0.75"), "1/4": arb("0.25"), "1/2": arb("0.5"), "1/3": arb(1) / 3}
        wide = [[[ball_of[x] + arb(0, 1e-6) if x in ball_of else x for x in row] for row in m] for m in points]
    truth = getattr(ball, name)(*points, alpha)
    for rho, sigma in ((wide[0], wide[1]), (points[0], wide[1]), (wide[0], points[1])):
        value = getattr(ball, name)(rho, sigma, alpha, digits=10)
        assert value.contains(truth.mid()) and value.rad() < 1e-2


def test_lower_bounds_of_undecided_values():
    """sigma may be singular: D_max and the maximal divergence of order inf are at least log(1 / 1e-30)."""
    for call in (ball.max_relative_entropy, functools.partial(ball.maximal_renyi, alpha=math.inf)):
        with pytest.raises(ball.UndecidedError) as error:
            call([[1, 0], [0, 1]], [[1, 0], [0, arb(0, 1e-30)]])
        assert error.value.lower > 60


# Errors


def test_not_positive_semidefinite_is_proved():
    tiny = F(1, 10**60)
    with pytest.raises(ValueError, match="sigma must be positive semidefinite"):
        ball.sandwiched_renyi(PLUS, [[1, 0], [0, -tiny]], 2)
    with pytest.raises(ValueError, match="rho must be positive semidefinite"):
        ball.sandwiched_renyi([["1/2", "1/2"], ["1/2", F(1, 2) - tiny]], [[1, 0], [0, 1]], 2)
    assert ball.sandwiched_renyi([["1/2", "1/2"], ["1/2", F(1, 2) + tiny]], [[1, 0], [0, 1]], 2).is_finite()


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: ball.renyi([0, 0], [1, 1], 2), ValueError, "p must be weights that are not all zero"),
        (lambda: ball.renyi([1, -1], [1, 1], 2), ValueError, "p must be nonnegative"),
        (lambda: ball.renyi([1, 1], [1, 1, 1], 2), ValueError, "same number of entries"),
        (lambda: ball.renyi([1, 1], [1, 1], -1), ValueError, "alpha must be in"),
        (lambda: ball.renyi([1, 1], [1, 1], sympy.sqrt(2)), TypeError, "alpha must be rational"),
        (lambda: ball.renyi([1, 1j], [1, 1], 2), TypeError, "p must be real"),
        (lambda: ball.renyi([1, math.nan], [1, 1], 2), ValueError, "p must be finite"),
        (lambda: ball.renyi([1, 1], [1, 1], 2, digits=1), ValueError, "digits"),
        (lambda: ball.renyi([1, 1], [1, 1], 2, digits="5"), TypeError, "digits"),
        (lambda: ball.sandwiched_renyi([[0, 0], [0, 0]], PLUS, 2), ValueError, "rho must be nonzero"),
        (lambda: ball.sandwiched_renyi([[1, 2], [3, 4]], PLUS, 2), ValueError, "exactly Hermitian"),
        (lambda: ball.sandwiched_renyi([[1]], PLUS, 2), ValueError, "same dimension"),
        (lambda: ball.sandwiched_renyi([1, 2], PLUS, 2), ValueError, "square matrix"),
        (lambda: ball.sandwiched_renyi(PLUS, PLUS, 2, -1), ValueError, "regularization"),
        (lambda: ball.sandwiched_renyi(PLUS, [["a"]], 2), ValueError, "sigma must be finite numbers"),
        (lambda: ball.f_divergence(HALF, HALF, "l2"), ValueError, "f must be"),
        (lambda: ball.f_divergence(HALF, HALF, 3), TypeError, "f must be"),
        (lambda: ball.f_divergence(HALF, HALF, lambda t: 0.5), TypeError, "ball"),
        (lambda: ball.f_divergence([1, 0], HALF, lambda t: t), ValueError, "value_at_zero must be given"),
        (
            lambda: ball.kernel_renyi([0], None, [1], None, alpha=2, regularization=1, kernel="cosine"),
            ValueError,
            "kernel",
        ),
        (
            lambda: ball.kernel_renyi([0], None, [1], None, alpha=2, regularization=1, bandwidth=-1),
            ValueError,
            "bandwidth",
        ),
        (lambda: ball.kernel_renyi([0], [1, 2], [1], None, alpha=2, regularization=1), ValueError, "p_weights"),
        (
            lambda: ball.kernel_renyi([[0]], None, [[1, 2]], None, alpha=2, regularization=1, bandwidth=1),
            ValueError,
            "dim",
        ),
        (lambda: ball.certify(0, 1, relation="<"), ValueError, "relation"),
        (lambda: ball.certify("a", 1), ValueError, "lhs"),
    ],
)
def test_bad_input(call, error, match):
    with pytest.raises(error, match=match):
        call()


def test_the_error_names_the_largest_precision():
    """f has an error of 1e-3 at every precision."""
    with pytest.raises(ball.UndecidedError, match=r"50 digits not certified at \d+ bits: the enclosure is"):
        ball.f_divergence(THIRD, HALF, lambda t: t + arb(0, 1e-3))


# Certificates


def test_certificates():
    def kl(digits):
        return ball.kl(THIRD, HALF, digits=digits)

    def renyi(digits):
        return ball.renyi(THIRD, HALF, 2, digits=digits)

    assert ball.certify(kl, renyi).verdict == "proved" and ball.certify(renyi, kl).verdict == "refuted"
    assert ball.certify(renyi, kl).margin < 0
    assert ball.certify(kl, renyi, relation="==").verdict == "refuted"
    same = ball.certify(renyi, renyi, max_digits=60)
    assert same.verdict == "undecided" and same.margin.contains(0) and same.digits == 60 and "margin" in same.reason
    assert ball.certify(F(1, 3), F(1, 3), relation="==").verdict == "proved"
    assert ball.certify(F(1, 3), F(1, 3)).margin == 0


def test_certificates_raise_precision():
    """The sign of a margin of 1e-200 needs about 240 digits."""
    tiny = F(1, 10**200)
    found = ball.certify(
        lambda digits: ball.kl(THIRD, HALF, digits=digits),
        lambda digits: ball.kl(THIRD, HALF, digits=digits) + arb(fmpq(1, tiny.denominator)),
    )
    assert found.verdict == "proved" and found.digits >= 200


def test_certificates_of_infinities_and_bounds():
    inf = math.inf
    assert ball.certify(1, inf).verdict == "proved" and ball.certify(inf, 1).verdict == "refuted"
    assert ball.certify(inf, inf).verdict == "proved" and ball.certify(inf, inf).margin == 0
    assert ball.certify(-inf, inf).verdict == "proved"
    unknown = arb(0, inf)
    assert ball.certify(unknown, inf).verdict == "proved" and ball.certify(-inf, unknown).verdict == "proved"
    wide = arb(0, 1)  # a little more than [-1, 1]: radii are rounded up
    assert ball.certify(wide, 1 + 1e-6).verdict == "proved" and ball.certify(wide, -2).verdict == "refuted"
    assert ball.certify(wide, 0).verdict == "undecided"

    def bounded(digits):
        raise ball.UndecidedError("only a bound", lower=arb(3))

    assert ball.certify(bounded, 2).verdict == "refuted" and ball.certify(2, bounded).verdict == "proved"
    assert ball.certify(bounded, 4, max_digits=30).verdict == "undecided"
    assert ball.certify(bounded, 4, max_digits=30).reason == "only a bound"
