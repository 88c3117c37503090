"""Orders near 0 compared with closed forms with arbitrary exponents, and ranks that only algebra decides."""

from fractions import Fraction as F

import mpmath
import numpy as np
import pytest
from flint import arb, arb_mat, ctx, fmpq
from sympy.polys.domains import QQ_I

import krdtheory
from krdtheory import ball, mp
from krdtheory.arithmetic import ball as arithmetic
from krdtheory.ball import low_orders, quantum
from krdtheory.ball.inputs import matrices


@pytest.fixture(autouse=True)
def precision():
    with ctx.workprec(400):
        yield


ORDERS = [F(1, 10**60), F(1, 10**9), F(1, 5000), F(1, 1000), F(1, 300), F(1, 40), F(1, 7)]
ROTATION = [[F(3, 5), 0, F(-4, 5)], [0, 1, 0], [F(4, 5), 0, F(3, 5)]]


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column, strict=True)) for column in zip(*b, strict=True)] for row in a]


def rotated(m):
    return product(product(ROTATION, m), list(zip(*ROTATION, strict=True)))


def big(digits=150):
    context = mpmath.MPContext()
    context.dps = digits
    return context


def contains(value, number, slack="1e-140"):
    with ctx.workprec(2000):
        return value.overlaps(arb(mpmath.nstr(number, 145)) + arb(0, arb(slack)))


def two_level(rho, sigma, alpha):
    """Return the divergence of 2 x 2 states from tr X = sum of b_i^2s <v_i|rho|v_i>, det X = det(sigma)^2s det(rho).

    Exponents in mpmath are unbounded, so b^2s is finite for every s.
    """
    m = big()
    p, q, r = (m.mpf(x.numerator) / x.denominator for x in map(F, (sigma[0][0], sigma[0][1], sigma[1][1])))
    a, b, d = (m.mpf(x.numerator) / x.denominator for x in map(F, (rho[0][0], rho[0][1], rho[1][1])))
    half, gap = (p + r) / 2, m.sqrt(((p - r) / 2) ** 2 + q * q)
    alpha = m.mpf(alpha.numerator) / alpha.denominator
    power = (1 - alpha) / alpha
    values = [half + gap, (p * r - q * q) / (half + gap)]
    top = m.zero
    for sign, value in zip((1, -1), values, strict=True):
        projection = [[(1 + sign * (p - r) / 2 / gap) / 2, sign * q / gap / 2], [0, (1 - sign * (p - r) / 2 / gap) / 2]]
        seen = projection[0][0] * a + 2 * projection[0][1] * b + projection[1][1] * d
        top += m.exp(power * m.log(value)) * seen
    det = m.exp(power * m.log(p * r - q * q)) * (a * d - b * b)
    high = (top + m.sqrt(top * top - 4 * det)) / 2
    powers = [m.exp(alpha * m.log(t)) for t in (high, det / high) if t > 0]
    return m.log(m.fsum(powers) / (a + d)) / (alpha - 1)


@pytest.mark.slow
@pytest.mark.parametrize("alpha", ORDERS)
def test_two_level_states(alpha):
    rng = np.random.default_rng(0)
    for _ in range(20):
        x, y = (rng.integers(-4, 5, (2, 2)) for _ in range(2))
        rho, sigma = (x @ x.T).tolist(), (y @ y.T + np.eye(2, dtype=int)).tolist()
        if not any(map(any, rho)) or (sigma[0][1] == 0 and sigma[0][0] == sigma[1][1]):
            continue
        value = ball.sandwiched_renyi(rho, sigma, alpha, digits=40)
        assert contains(value, two_level(rho, sigma, alpha)) and value.rad() < 1e-38


@pytest.mark.parametrize("alpha", ORDERS)
def test_pure_states(alpha):
    """tr (B^s |v><v| B^s)^alpha = <v|B^2s|v>^alpha, in an orthonormal basis of sigma."""
    m = big()
    sigma, v = [F(7, 3), F(1, 2), F(1, 2) + F(1, 10**20)], [F(1, 3), F(2, 3), F(-2, 3)]
    basis = list(zip(*ROTATION, strict=True))
    seen = [sum(x * y for x, y in zip(column, v, strict=True)) for column in zip(*ROTATION, strict=True)]
    a = m.mpf(alpha.numerator) / alpha.denominator
    terms = [
        m.exp((1 - a) / a * m.log(m.mpf(b.numerator) / b.denominator)) * m.mpf(w.numerator) ** 2 / w.denominator**2
        for b, w in zip(sigma, seen, strict=True)
    ]
    truth = m.log(m.fsum(terms)) * a / (a - 1)
    assert product(ROTATION, basis) == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    reference = rotated([[sigma[i] if i == j else F(0) for j in range(3)] for i in range(3)])
    value = ball.sandwiched_renyi([[x * y for x in v] for y in v], reference, alpha, digits=30)
    assert contains(value, truth) and value.rad() < 1e-28


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [F(1, 3000), F(1, 50)])
def test_values_agree_with_mpmath(alpha):
    """The reference uses one-sided Jacobi rotations; complex, rank-deficient, singular and regularised states."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        n, rank = 3, 1 + seed % 3
        x, y = (rng.integers(-3, 4, (n, r)) + 1j * rng.integers(-3, 4, (n, r)) for r in (rank, 3 - seed // 4))
        rho, sigma = ([[QQ_I(int(t.real), int(t.imag)) for t in row] for row in z @ z.conj().T] for z in (x, y))
        shift = F(seed % 2, 10)
        value = ball.sandwiched_renyi(rho, sigma, alpha, shift, digits=20)
        number = mp.evaluate(krdtheory.sandwiched_renyi, rho, sigma, alpha, shift, digits=25)
        assert abs(value.mid() - arb(str(number))) < 1e-16 and value.rad() < 1e-18


def test_commuting_states_are_classical():
    rho, sigma = [F(1, 2), F(0), F(1, 3)], [F(1, 10), F(3), F(1, 10) + F(1, 10**15)]
    lift = lambda w: rotated([[w[i] if i == j else F(0) for j in range(3)] for i in range(3)])  # noqa: E731
    for alpha in [*ORDERS, F(0)]:
        value = ball.sandwiched_renyi(lift(rho), lift(sigma), alpha, digits=30)
        assert value.overlaps(ball.renyi(rho, sigma, alpha, digits=30))


# Ranks


def test_a_rank_that_symmetry_reduces():
    """sigma has the eigenvalues of the golden ratio on a plane, and 5 orthogonal to it. rho is supported on this
    plane, so its rank in the top eigenspace is exactly 0, which the basis hides.
    """
    sigma = rotated([[2, 1, 0], [1, 1, 0], [0, 0, 5]])
    for state, greedy in (
        ([[1, 1, 0], [1, 1, 0], [0, 0, 0]], lambda a, b: a),
        ([[1, 0, 0], [0, 1, 0], [0, 0, 0]], lambda a, b: a + b),
    ):
        value = ball.sandwiched_renyi(rotated(state), sigma, 0)
        with ctx.workprec(300):
            root = arb(5).sqrt()
            truth = (2 / greedy((3 + root) / 2, (3 - root) / 2)).log()
        assert value.overlaps(truth) and value.rad() < 1e-49
        near = ball.sandwiched_renyi(rotated(state), sigma, F(1, 10**80))
        assert abs(near - truth) < 1e-49


@pytest.mark.parametrize("broken", [False, True])
def test_ranks_are_not_underestimated(broken, monkeypatch):
    """An overlap of 1e-100 with the top eigenspace counts in full at order 0."""
    if broken:
        monkeypatch.setattr(low_orders.LeastEigenvalue, "__call__", lambda self, m: arb(1))
    vector = [0, 1, F(1, 10**100)]
    rho, sigma = rotated([[x * y for x in vector] for y in vector]), rotated([[2, 1, 0], [1, 1, 0], [0, 0, 5]])
    value = ball.sandwiched_renyi(rho, sigma, 0)
    truth = ((1 + arb(fmpq(1, 10**200))) / 5).log()
    assert (value.overlaps(truth) and value.rad() < 1e-49) != broken


def test_least_eigenvalue_is_a_lower_bound():
    """Compared with P rho P for every choice of eigenspaces, in doubles."""
    rng = np.random.default_rng(1)
    for _ in range(30):
        n = int(rng.integers(2, 5))
        x, y = rng.integers(-2, 3, (n, int(rng.integers(1, n + 1)))), rng.integers(-2, 3, (n, n))
        a, b = x @ x.T, y + y.T
        rho, sigma = (matrices(m.tolist(), "m")[()] for m in (a, b))
        if not a.any():
            continue
        least = low_orders.LeastEigenvalue(rho, sigma)
        values, vectors = np.linalg.eigh(b)
        edges = np.flatnonzero(np.diff(values) > 1e-6) + 1
        spaces = np.split(np.arange(n), edges)
        for chosen in range(1, 2 ** len(spaces)):
            columns = np.concatenate([s for k, s in enumerate(spaces) if chosen >> k & 1])
            p = vectors[:, columns] @ vectors[:, columns].T
            found = np.sort(np.linalg.eigvalsh(p @ a @ p))[::-1]
            for m in range(1, n + 1):
                if found[m - 1] > 1e-7:
                    assert found[m - 1] >= float(least(m)) * (1 - 1e-6)


# Balls


def test_balls():
    """Products with square roots, and a rank that is known because rho is positive definite."""
    with ctx.workprec(300):
        root = arb(2).sqrt()
        sigma = [[2 * root, 1], [1, root]]
        rho = [[root, 0], [0, 1 / root]]
    for alpha in (0, F(1, 1000)):
        value = ball.sandwiched_renyi(rho, sigma, alpha, digits=20)
        scaled = ball.sandwiched_renyi([[2, 0], [0, 1]], [[4, root], [root, 2]], alpha, digits=20)
        assert value.overlaps(scaled) and value.rad() < 1e-18  # both states times sqrt 2
    mixed = ball.sandwiched_renyi([[1, 0], [0, 1]], sigma, 0, F(1, 10), digits=20)
    assert mixed.is_finite() and mixed.rad() < 1e-18
    with pytest.raises(ball.UndecidedError, match="rank"):
        ball.sandwiched_renyi([[root, root], [root, root]], sigma, 0)


# Errors


def columns_alone(b, rho, parts):
    columns = [i for part in parts for i in part.members]
    w = arb_mat(rho.nrows(), len(columns), [b.basis[i, j] for i in range(rho.nrows()) for j in columns])
    return w.transpose() * rho * w


@pytest.mark.parametrize("seen", [low_orders._seen, columns_alone])
def test_eigenspaces_are_enclosed(seen, monkeypatch):
    """<w|rho|w> for exact eigenvectors w, from an eigenbasis with an error of 2^(-bits / 3) in its angle."""
    honest = arithmetic._approximate_basis

    def turned(a):
        v, t = honest(a), arb(2) ** (-ctx.prec // 3)
        size = (1 + t * t).sqrt()
        return (v * arb_mat(3, 3, [1 / size, -t / size, 0, t / size, 1 / size, 0, 0, 0, 1])).mid()

    monkeypatch.setattr(arithmetic, "_approximate_basis", turned)
    rho = [[5, 2, 1], [2, 3, 1], [1, 1, 1]]
    exact = [product([w], product(rho, [[x] for x in w]))[0][0] for w in zip(*ROTATION, strict=True)]
    a, b = (matrices(m, "m")[()] for m in (rho, rotated([[7, 0, 0], [0, 2, 0], [0, 0, 1]])))
    with ctx.workprec(90):
        pair = quantum.OperatorPair.of(a, b, fmpq(0))
        parts = low_orders.levels(pair.b, pair.shift, a.at_precision(), 3)
        h = seen(pair.b, a.at_precision(), parts)
    held = [h[i, i].contains(arb(fmpq(x.numerator, x.denominator))) for i, x in enumerate(exact)]
    assert all(held) == (seen is not columns_alone)


@pytest.mark.parametrize("broken", [False, True])
def test_results_for_balls_contain_those_for_their_points(broken, monkeypatch):
    """The result contains the values at the extreme rho."""
    if broken:
        monkeypatch.setattr(low_orders, "norm", lambda m: arb(0))
    sigma, held = [[3, 1], [1, 2]], []
    for alpha in (F(1, 100), F(1, 400)):
        rho = [[1, arb(0.25, 0.0625)], [arb(0.25, 0.0625), 1]]
        wide = ball.sandwiched_renyi(rho, sigma, alpha)
        for x in (F(3, 16), F(5, 16)):
            held.append(contains(wide, two_level([[1, x], [x, 1]], sigma, alpha)))
    assert all(held) != broken and wide.rad() < 0.1


def test_kernels():
    """The identity kernel's limit: points far apart are orthogonal up to e^-10^6."""
    for alpha in (0, F(1, 10**6), F(1, 300)):
        far = ball.kernel_renyi(
            [0, 1], ["1/4", "3/4"], [0, 1, 2], None, alpha=alpha, regularization="1/50", bandwidth="1/1000"
        )
        near = ball.renyi([F(1, 4), F(3, 4), 0], [F(1, 3) + F(1, 50)] * 2 + [F(1, 3) + F(1, 50)], alpha)
        assert far.overlaps(near) or abs(far - near) < 1e-40
