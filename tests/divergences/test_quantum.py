"""Quantum divergences compared with closed forms, literal definitions (scipy, mpmath) and their laws.

Random full-rank states have condition number below 100, so the backward error of an eigendecomposition, 4 n eps
relative to the largest eigenvalue, changes a divergence by less than 100 * 4 n eps ~ 1e-12 for n <= 9. So TOL = 1e-11.
"""

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import scipy.linalg as sl

import krdtheory as k
from krdtheory import ball
from krdtheory.arithmetic import FLOAT64, MP, float64
from krdtheory.divergences import quantum

INF = np.inf
TOL = 1e-11
RENYI = {"sandwiched": k.sandwiched_renyi, "petz": k.petz_renyi, "maximal": k.maximal_renyi}
ORDERS = [0, 0.05, 0.3, 0.5, 0.8, 0.97, 1 - 1e-9, 1, 1 + 1e-9, 1.04, 1.5, 2, 3, 7, 50, INF]

# every divergence as f(rho, sigma), with regularization passed on
ALL = {
    f"{name} {a:.10g}": (lambda r, s, lam=0.0, f=f, a=a: f(r, s, a, lam)) for name, f in RENYI.items() for a in ORDERS
}
ALL |= {
    "Umegaki": k.quantum_relative_entropy,
    "max": k.max_relative_entropy,
    "trace distance": k.trace_distance,
    "hockey stick": lambda r, s, lam=0.0: k.quantum_hockey_stick(r, s, 0.3, lam),
    "hockey stick, negative": lambda r, s, lam=0.0: k.quantum_hockey_stick(r, s, -1.1, lam),
}
RENYI_KEYS = [key for key in ALL if key.split()[0] in RENYI]


def ginibre(rng, n, rank=None, real=False):
    return rng.normal(size=(n, rank or n)) + (0 if real else 1j * rng.normal(size=(n, rank or n)))


def unitary(rng, n, real=False):
    return np.linalg.qr(ginibre(rng, n, real=real))[0]


def hermitian(x):
    return (x + x.conj().swapaxes(-1, -2)) / 2


def state(rng, n, rank=None, real=False):
    """Return a random state of trace one; the eigenvalues of full-rank ones are within a factor of 100."""
    m = ginibre(rng, n, rank, real)
    rho = hermitian(m @ m.conj().T)
    rho /= np.trace(rho).real
    return rho if rank else 0.9 * rho + 0.1 * np.eye(n) / n


def pure(psi):
    return np.outer(psi, np.conj(psi))


def spectral(matrix, f):
    """Return f of a positive definite matrix."""
    w, v = np.linalg.eigh(matrix)
    return (v * f(w)) @ v.conj().T


def rotated(u, values):
    return hermitian((u * np.asarray(values, dtype=float)) @ u.conj().T)


def close(x, y, tol=TOL):
    """Return whether the values are equal, or within tol relative to max(1, |y|)."""
    return np.all(
        (x == y)
        | (
            np.abs(np.subtract(x, y, where=np.isfinite(y), out=np.full(np.shape(y), INF)))
            <= tol * np.maximum(1, np.abs(y))
        )
    )


# Literal definitions by scipy, which shares no code with the package


def literal(name, rho, sigma, alpha):
    if alpha == 1:
        if name == "maximal":  # Belavkin-Staszewski
            root = sl.sqrtm(rho)
            return np.trace(rho @ sl.logm(root @ np.linalg.inv(sigma) @ root)).real / np.trace(rho).real
        return np.trace(rho @ (sl.logm(rho) - sl.logm(sigma))).real / np.trace(rho).real
    power = sl.fractional_matrix_power
    if name == "sandwiched":
        side = power(sigma, (1 - alpha) / (2 * alpha))
        q = np.trace(power(side @ rho @ side, alpha))
    elif name == "petz":
        q = np.trace(power(rho, alpha) @ power(sigma, 1 - alpha))
    else:
        side = power(sigma, -0.5)
        q = np.trace(sigma @ power(side @ rho @ side, alpha))
    return np.log(q.real / np.trace(rho).real) / (alpha - 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", RENYI)
@pytest.mark.parametrize("alpha", [0.3, 0.5, 0.8, 1, 1.5, 2, 3, 7])
@pytest.mark.parametrize("real", [True, False])
def test_literal_definition(name, alpha, real):
    rng = np.random.default_rng(1)
    for n in (1, 2, 3, 5):
        rho, sigma = 3 * state(rng, n, real=real), 0.2 * state(rng, n, real=real)
        # scipy's powers at condition 100: condition^(max(1, alpha)) eps, the exponent being at most 7
        assert close(RENYI[name](rho, sigma, alpha), literal(name, rho, sigma, alpha), 1e-9)


def test_other_literal_definitions():
    rng = np.random.default_rng(2)
    rho, sigma = 2 * state(rng, 4), state(rng, 4)
    assert close(k.quantum_relative_entropy(rho, sigma), 2 * literal("petz", rho, sigma, 1), 1e-10)
    assert close(k.max_relative_entropy(rho, sigma), np.log(sl.eigh(rho, sigma, eigvals_only=True)[-1]))
    assert close(k.trace_distance(rho, sigma), sl.svdvals(rho - sigma).sum() / 2)
    gap = rho - np.exp(0.3) * sigma  # tr X_+ = (tr |X| + tr X) / 2
    assert close(k.quantum_hockey_stick(rho, sigma, 0.3), (sl.svdvals(gap).sum() + np.trace(gap).real) / 2)


def test_order_one_half_is_minus_twice_the_log_fidelity():
    rng = np.random.default_rng(3)
    for n, r, s in ((2, None, None), (4, None, 2), (5, 2, 3), (5, 1, 2)):
        rho, sigma = state(rng, n, r), state(rng, n, s)
        w, v = np.linalg.eigh(rho)
        x, y = np.linalg.eigh(sigma)
        roots = [(b * np.sqrt(np.where(a > 1e-12, a, 0))) @ b.conj().T for a, b in ((w, v), (x, y))]
        assert close(k.sandwiched_renyi(rho, sigma, 0.5), -2 * np.log(sl.svdvals(roots[0] @ roots[1]).sum()))


# Closed forms


@pytest.mark.parametrize("lam", [0, 0.25])
def test_pure_state_against_any(lam):
    rng = np.random.default_rng(4)
    n = 4
    psi = ginibre(rng, n)[:, 0]
    psi /= np.linalg.norm(psi)
    sigma = state(rng, n)
    b = sigma + lam * np.eye(n)

    def mean(f):
        return (psi.conj() @ spectral(b, f) @ psi).real

    inverse = np.log(mean(lambda w: 1 / w))
    for a in (0.2, 0.5, 0.96, 1.03, 2, 9):
        assert close(
            k.sandwiched_renyi(pure(psi), sigma, a, lam), a / (a - 1) * np.log(mean(lambda w, a=a: w ** (1 / a - 1)))
        )
        assert close(k.petz_renyi(pure(psi), sigma, a, lam), np.log(mean(lambda w, a=a: w ** (1 - a))) / (a - 1))
    for a in ORDERS:
        assert close(k.maximal_renyi(pure(psi), sigma, a, lam), inverse)
    assert close(k.max_relative_entropy(pure(psi), sigma, lam), inverse)
    assert close(k.quantum_relative_entropy(pure(psi), sigma, lam), -mean(np.log))
    assert close(k.petz_renyi(pure(psi), sigma, 0, lam), -np.log(mean(lambda w: w)))
    assert close(k.sandwiched_renyi(pure(psi), sigma, 0, lam), -np.log(np.linalg.eigvalsh(b)[-1]))


@pytest.mark.parametrize("n", [2, 5])
def test_two_pure_states(n):
    rng = np.random.default_rng(5)
    psi, phi = unitary(rng, n)[:, 0], unitary(rng, n)[:, 0]
    rho, sigma = pure(psi), pure(phi)
    fidelity = abs(psi.conj() @ phi) ** 2
    for a in (0.05, 0.3, 0.5, 0.9):
        assert close(k.sandwiched_renyi(rho, sigma, a), a / (a - 1) * np.log(fidelity))
        assert close(k.petz_renyi(rho, sigma, a), np.log(fidelity) / (a - 1))
        assert k.maximal_renyi(rho, sigma, a) == INF
    assert close(k.sandwiched_renyi(rho, sigma, 0), 0)
    assert close(k.petz_renyi(rho, sigma, 0), -np.log(fidelity))
    for f in RENYI.values():
        assert (f(rho, sigma, [1, 1.5, 2, INF]) == INF).all()
        assert close(f(rho, rho, ORDERS), np.zeros(len(ORDERS)))
    assert k.quantum_relative_entropy(rho, sigma) == k.max_relative_entropy(rho, sigma) == INF
    assert close(k.trace_distance(rho, sigma), np.sqrt(1 - fidelity))
    for epsilon in (-2, 0, 0.7, 3):
        g = np.exp(epsilon)
        want = (1 - g + np.sqrt((1 - g) ** 2 + 4 * g * (1 - fidelity))) / 2
        assert close(k.quantum_hockey_stick(rho, sigma, epsilon), want, 1e-13 * g + 1e-14)


@pytest.mark.parametrize("key", ALL)
def test_one_by_one_matrices(key):
    kind = key.split()[0]
    want = {"Umegaki": 3 * np.log(6), "trace": 1.25, "hockey": 3 - 0.5 * np.exp(0.3)}.get(kind, np.log(6))
    if key.endswith("negative"):
        want = 3 - 0.5 * np.exp(-1.1)
    assert close(ALL[key]([[3.0]], [[0.5]]), want, 1e-14)


def test_rotation_of_a_qubit():
    """rho = |0><0|, and sigma has eigenvalues 3/4, 1/4 in a basis rotated by 45 degrees; all values by hand."""
    rho, sigma = np.diag([1.0, 0]), np.array([[0.5, 0.25], [0.25, 0.5]])
    assert close(k.petz_renyi(rho, sigma, 2), np.log(8 / 3), 1e-14)
    assert close(k.sandwiched_renyi(rho, sigma, 2), 2 * np.log((2 / np.sqrt(3) + 2) / 2), 1e-14)
    assert close(k.maximal_renyi(rho, sigma, 2), np.log(8 / 3), 1e-14)
    assert close(k.quantum_relative_entropy(rho, sigma), -np.log(3 / 16) / 2, 1e-14)
    assert close(k.trace_distance(rho, sigma), np.sqrt(0.25 + 0.0625), 1e-14)


# Laws


@pytest.mark.parametrize("key", ALL)
def test_commuting_case_is_classical(key):
    rng = np.random.default_rng(6)
    kind, *rest = key.split()
    classical = {
        "Umegaki": k.kl,
        "max": k.max_divergence,
        "trace": k.total_variation,
        "hockey": lambda p, q: k.hockey_stick(p, q, -1.1 if key.endswith("negative") else 0.3),
    }.get(kind, lambda p, q: k.renyi(p, q, float(rest[0])))
    for real in (True, False):
        u = unitary(rng, 4, real)
        p, q, lam = rng.uniform(0.1, 1, 4), rng.uniform(0.1, 1, 4), 0.3
        for mass in (p, np.r_[0, p[1:]]):
            want = classical(mass, q + lam)
            assert close(ALL[key](rotated(u, mass), rotated(u, q), lam), want)


@pytest.mark.parametrize("gap", [1e-2, 1e-4, 1e-6])
@pytest.mark.parametrize("name", RENYI)
def test_close_eigenvalues_do_not_mix(name, gap):
    """Eigenvectors have errors of eps / gap, which must not count as an overlap at large orders."""
    rng = np.random.default_rng(35)
    p, q = [0.1, 0.2, 0.7], [1, 0.01, 0.01 * (1 + gap)]
    for _ in range(5):
        u = unitary(rng, 3)
        for rho, sigma in ((p, q), (q, p)):
            # the eigenvalue 0.01 has a relative error of 1e-13
            assert close(RENYI[name](rotated(u, rho), rotated(u, sigma), ORDERS), k.renyi(rho, sigma, ORDERS), 1e-12)


@pytest.mark.parametrize("name", RENYI)
def test_diagonal_matrices_have_exact_zeros(name):
    """Every positive diagonal entry is in the support: the values are the classical ones, even if infinite."""
    cases = [
        ([0.5, 0.25, 0.25], [1, 1e-17, 0]),
        ([0.5, 0.5, 0], [1, 1e-17, 0]),
        ([1, 1e-40, 0], [1e-60, 1, 1]),
        ([1e-200, 0, 1], [1e-3, 1, 1e-100]),
        ([1, 0], [0, 1]),
        ([1, 1e-300], [0, 1]),
        ([0.3, 0.7], [0.3, 0.7]),
    ]
    for p, q in cases:
        want = [k.renyi(p, q, a) for a in ORDERS]
        assert close(RENYI[name](np.diag(p), np.diag(q), ORDERS), want), (p, q)


@pytest.mark.parametrize("name", RENYI)
def test_continuity_through_one(name):
    """D is smooth: D(1 + h) = D(1) + h D'(1) + O(h^2), and to rounding at every h, with no loss as h -> 0."""
    rng = np.random.default_rng(7)
    f = RENYI[name]
    for rho, sigma, lam in (
        (state(rng, 3), state(rng, 3), 0),
        (5 * state(rng, 4, 2), state(rng, 4), 0),
        (state(rng, 3), state(rng, 3, 1), 0.1),
    ):
        at_one = f(rho, sigma, 1, lam)
        slope = (f(rho, sigma, 1.01, lam) - f(rho, sigma, 0.99, lam)) / 0.02  # within O(1e-4)
        for h in 10.0 ** -np.arange(3, 15):
            for step in (h, -h):
                alpha = 1 + step
                assert abs(f(rho, sigma, alpha, lam) - at_one - slope * (alpha - 1)) < 20 * h * h + 1e-3 * h + 5e-14


@pytest.mark.parametrize("name", RENYI)
@pytest.mark.parametrize("edge", [0.5, 0.95, 1.05])
def test_no_step_where_the_algorithm_changes(name, edge):
    rng = np.random.default_rng(8)
    for rho, sigma in ((state(rng, 4), state(rng, 4)), (state(rng, 4, 2), state(rng, 4))):
        below, at, above = RENYI[name](rho, sigma, [np.nextafter(edge, 0), edge, np.nextafter(edge, 2)])
        assert max(abs(below - at), abs(above - at)) < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("key", ALL)
def test_unitary_invariance(key):
    rng = np.random.default_rng(9)
    f, n = ALL[key], 4
    for r in (None, 2):
        rho, sigma, u = state(rng, n, r), state(rng, n), unitary(rng, n)
        assert close(f(hermitian(u @ rho @ u.conj().T), hermitian(u @ sigma @ u.conj().T)), f(rho, sigma))
        # of one argument, if the other is a multiple of the identity
        assert close(f(hermitian(u @ rho @ u.conj().T), 0.3 * np.eye(n)), f(rho, 0.3 * np.eye(n)))
        assert close(f(np.eye(n), hermitian(u @ sigma @ u.conj().T)), f(np.eye(n), sigma))


@pytest.mark.parametrize("key", RENYI_KEYS)
def test_rotating_one_argument_changes_the_value(key):
    """An implementation that multiplies sorted eigenvalues would miss this."""
    rho, sigma = np.diag([0.9, 0.1]), np.diag([0.8, 0.2])
    turned = sigma[::-1, ::-1]
    if not key.endswith(" 0"):  # full supports: D_0 = -log tr sigma
        assert ALL[key](rho, turned) > ALL[key](rho, sigma) + 0.01


def channel(rng, n, m, environment):
    """Return a random channel from n to m dimensions, by Stinespring dilation."""
    v = np.linalg.qr(ginibre(rng, m * environment, n))[0]

    def apply(x):
        return hermitian(
            np.einsum("iejf,ef->ij", (v @ x @ v.conj().T).reshape(m, environment, m, environment), np.eye(environment))
        )

    return apply


def processes(key):
    """Return whether data processing holds: sandwiched from order 1/2 on, Petz and maximal up to 2."""
    kind, *rest = key.split()
    return kind not in RENYI or (float(rest[0]) >= 0.5 if kind == "sandwiched" else float(rest[0]) <= 2)


@pytest.mark.slow
@pytest.mark.parametrize("key", [*filter(processes, ALL)])
def test_data_processing(key):
    rng = np.random.default_rng(10)
    f = ALL[key]
    for trial in range(20):
        n, m, e = 3, *((2, 2), (3, 2), (4, 1), (2, 5))[trial % 4]
        rho, sigma = state(rng, n, (None, 1, 2)[trial % 3]), state(rng, n)
        apply = channel(rng, n, m, e)
        assert f(apply(rho), apply(sigma)) <= f(rho, sigma) + 1e-10


@pytest.mark.slow
def test_data_processing_fails_outside_its_range():
    """The ranges are necessary: outside them, a pinching or a random channel increases the value."""
    rng = np.random.default_rng(11)
    broken = {"sandwiched 0.2": 0, "petz 5": 0}
    for _ in range(300):
        rho, sigma, apply = state(rng, 2), state(rng, 2), channel(rng, 2, 2, 2)
        for key in broken:
            name, alpha = key.split()
            f = RENYI[name]
            broken[key] += f(apply(rho), apply(sigma), float(alpha)) > f(rho, sigma, float(alpha)) + 1e-9
            pinched = np.diag(np.diag(rho)), np.diag(np.diag(sigma))
            broken[key] += f(*pinched, float(alpha)) > f(rho, sigma, float(alpha)) + 1e-9
    assert all(broken.values()), broken


def test_ordering():
    """sandwiched <= Petz at every order (Araki-Lieb-Thirring), Petz <= maximal up to order 2 (Matsumoto)."""
    rng = np.random.default_rng(12)
    for r, lam in ((None, 0), (2, 0), (None, 0.3), (1, 0.01)):
        for _ in range(10):
            rho, sigma = state(rng, 3, r), state(rng, 3)
            s, p, m = (f(rho, sigma, ORDERS, lam) for f in RENYI.values())
            assert (s <= p + TOL).all()
            low = np.array(ORDERS) <= 2
            assert (p <= m + TOL)[low].all()
            assert (s <= m + TOL).all()
            assert close(s[-1], m[-1])
            assert close(s[np.array(ORDERS) == 1], p[np.array(ORDERS) == 1])


def test_petz_exceeds_maximal_above_two():
    """Exactly: at alpha = 3, tr rho^3 sigma^-2 = 35/9, compared with 31/9."""
    rho, sigma = np.array([[2, 1], [1, 2]]) / 4, np.diag([0.75, 0.25])
    assert close(k.petz_renyi(rho, sigma, 3), np.log(35 / 9) / 2, 1e-14)
    assert close(k.maximal_renyi(rho, sigma, 3), np.log(31 / 9) / 2, 1e-14)


@pytest.mark.parametrize("name", RENYI)
def test_monotone_in_alpha(name):
    rng = np.random.default_rng(13)
    for r, lam in ((None, 0), (2, 0), (1, 0.1)):
        for _ in range(10):
            values = RENYI[name](2 * state(rng, 4, r), state(rng, 4), ORDERS, lam)
            assert (np.diff(values) >= -TOL).all()


@pytest.mark.parametrize("key", ALL)
def test_scaling(key):
    rng = np.random.default_rng(14)
    rho, sigma, c, f = state(rng, 3), state(rng, 3), 7.25, ALL[key]
    base = f(rho, sigma)
    kind = key.split()[0]
    if kind in ("trace", "hockey"):
        assert close(f(c * rho, c * sigma), c * base)
    elif kind == "Umegaki":
        assert close(f(c * rho, sigma), c * (base + np.log(c)))
        assert close(f(rho, c * sigma), base - np.log(c))
    else:
        assert close(f(c * rho, sigma), base + np.log(c))
        assert close(f(rho, c * sigma), base - np.log(c))


@pytest.mark.slow
@pytest.mark.parametrize("key", [*RENYI_KEYS, "Umegaki", "max"])
def test_additive_on_tensor_products(key):
    rng = np.random.default_rng(15)
    f = ALL[key]
    for r in (None, 1):
        a, b, c, d = state(rng, 3, r), state(rng, 2), state(rng, 3), state(rng, 2)
        assert close(f(np.kron(a, b), np.kron(c, d)), f(a, c) + f(b, d), 1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("key", ALL)
def test_regularization_adds_to_the_second_argument(key):
    rng = np.random.default_rng(16)
    for r, s in ((None, None), (2, 1), (1, 3)):
        rho, sigma = state(rng, 4, r), state(rng, 4, s)
        for lam in (0.02, 1.5):
            assert close(ALL[key](rho, sigma, lam), ALL[key](rho, sigma + lam * np.eye(4)))


@pytest.mark.parametrize("name", RENYI)
def test_regularization_decreases_the_value_possibly_below_zero(name):
    rng = np.random.default_rng(17)
    rho, sigma = state(rng, 3), state(rng, 3)
    values = RENYI[name](rho, sigma, 2, [0, 1e-6, 1e-3, 0.1, 1, 10])
    assert (np.diff(values) < 0).all() and values[-1] < 0


# Supports


@pytest.mark.parametrize("n", [2, 3, 4, 8])
def test_orthogonal_supports_in_a_rounded_basis(n):
    """The overlaps are 1e-16, not 0, but the value is +inf at every order."""
    rng = np.random.default_rng(18)
    for real in (True, False):
        for m in range(1, n):
            u = unitary(rng, n, real)
            rho, sigma = (
                rotated(u, [*rng.uniform(0.1, 1, m), *[0] * (n - m)]),
                rotated(u, [*[0] * m, *rng.uniform(0.1, 1, n - m)]),
            )
            for f in RENYI.values():
                assert (f(rho, sigma, ORDERS) == INF).all()
            assert k.quantum_relative_entropy(rho, sigma) == INF
            assert close(k.trace_distance(rho, sigma), (np.trace(rho) + np.trace(sigma)).real / 2)


@pytest.mark.parametrize("name", RENYI)
def test_overlapping_supports(name):
    """In a rounded basis, the classical answer: finite below 1, +inf from 1 on."""
    rng = np.random.default_rng(19)
    p, q = [0.6, 0.4, 0, 0, 0], [0, 0.3, 0.7, 0.1, 0]
    want = k.renyi(p, q, ORDERS)
    finite = np.array(ORDERS) < 1
    assert np.isfinite(want[finite]).all() and (want[~finite] == INF).all()
    for _ in range(5):
        u = unitary(rng, 5)
        # the mass outside has an error of 1e-15, divided by |alpha - 1| >= 1e-9
        assert close(RENYI[name](rotated(u, p), rotated(u, q), ORDERS), want, 1e-11)


@pytest.mark.parametrize("name", RENYI)
def test_included_support_in_a_rounded_basis(name):
    rng = np.random.default_rng(20)
    p, q = [0.6, 0.4, 0, 0], [0.5, 0.3, 0.2, 0]
    for _ in range(5):
        u = unitary(rng, 4)
        assert close(RENYI[name](rotated(u, p), rotated(u, q), ORDERS), k.renyi(p, q, ORDERS))


@pytest.mark.parametrize("name", RENYI)
def test_a_hardly_resolved_eigenvalue_does_not_hide_the_others(name):
    """sigma has eigenvalues 1, 4e-15, 0 in a rounded basis: below order 1 the dominant part determines the value."""
    rng = np.random.default_rng(21)
    for tiny in (4e-15, 1e-14, 1e-12):
        u, rho = unitary(rng, 3), state(rng, 3)
        value = RENYI[name](rho, rotated(u, [1, tiny, 0]), 0.5)
        # the tiny part contributes sqrt(tiny) to Q
        assert abs(value - RENYI[name](rho, rotated(u, [1, 0, 0]), 0.5)) < 10 * np.sqrt(tiny)
        assert abs(RENYI[name](rho, rotated(u, [1, tiny, 0]), 0) + np.log1p(tiny)) < 1e-13  # rho has full rank


@pytest.mark.parametrize("f", [k.sandwiched_renyi, k.petz_renyi, k.maximal_renyi])
def test_support_tol_is_the_callers_choice(f):
    rng = np.random.default_rng(22)
    u = unitary(rng, 3)
    rho, sigma = rotated(u, [0.5, 0.3, 0.2]), rotated(u, [0.7, 0.3, 1e-9])
    assert np.isfinite(f(rho, sigma, 2)) and f(rho, sigma, 2) > 10
    assert f(rho, sigma, 2, support_tol=1e-6) == INF
    assert close(f(rho, sigma, 0.5, support_tol=1e-6), k.renyi([0.5, 0.3, 0.2], [0.7, 0.3, 0], 0.5), 1e-8)
    assert close(f(np.diag([1.0, 1e-9]), np.diag([1.0, 0]), 2, support_tol=1e-6), 0, 1e-8)


def greedy_by_brute_force(rho, b):
    """lim Q for sigma = diag(b), by the Cauchy-Binet formula: the sum of b over the heaviest independent rows."""
    size = np.linalg.matrix_rank(rho[np.array(b) > 0])
    bases = (
        s for s in itertools.combinations(np.flatnonzero(b), size) if np.linalg.matrix_rank(rho[np.ix_(s, s)]) == size
    )
    return max((np.prod([b[i] for i in s]), sum(b[i] for i in s)) for s in bases)[1]


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_order_zero_sandwiched(rank):
    rng = np.random.default_rng(23)
    for zeros in (0, 1):
        m = rng.integers(-2, 3, (4, rank))
        m[3] = m[0]  # two equal rows, so the greedy choice has to skip one
        m[0, 0] = m[3, 0] = 1
        rho, b = m @ m.T, [0.9, 0.4, 0.2, 0.7][: 4 - zeros] + [0] * zeros
        want = -np.log(greedy_by_brute_force(rho, b) / np.trace(rho))
        assert close(k.sandwiched_renyi(rho, np.diag(b), 0), want)
        u = unitary(rng, 4)
        assert close(k.sandwiched_renyi(hermitian(u @ rho @ u.conj().T), rotated(u, b), 0), want)


# mpmath: literal definitions at hundreds of digits


def mp_power(matrix, s, cut):
    """Return matrix^s on the support, where eigenvalues below cut * largest are zero, and its eigenvalues."""
    w, v = mpmath.mp.eighe(matrix)
    top = max(w)
    w = [x if x > cut * top else mpmath.mpf(0) for x in w]
    powers = [x**s if x > 0 else mpmath.mpf(0) for x in w]
    return v * mpmath.diag(powers) * v.transpose_conj()


def mp_matrix(matrix):
    return mpmath.matrix([[mpmath.mpmathify(complex(x)) for x in row] for row in np.asarray(matrix)])


def mp_trace(matrix):
    return mpmath.re(sum(matrix[i, i] for i in range(matrix.rows)))


def mp_literal(name, rho, b, alpha, cut):
    """Return a Renyi divergence by its definition, at an order other than 0, 1, inf, if it is finite."""
    if name == "sandwiched":
        side = mp_power(b, (1 - alpha) / (2 * alpha), cut)
        q = mp_trace(mp_power(side * rho * side, alpha, cut))
    elif name == "petz":
        q = mp_trace(mp_power(rho, alpha, cut) * mp_power(b, 1 - alpha, cut))
    else:
        side = mp_power(b, mpmath.mpf(-1) / 2, cut)
        q = mp_trace(b * mp_power(side * rho * side, alpha, cut))
    return mpmath.log(q / mp_trace(rho)) / (alpha - 1)


@pytest.mark.parametrize("seed", range(4))
def test_order_zero_sandwiched_is_the_limit(seed):
    """D_alpha = D_0 + c alpha + O(alpha^2), up to terms exponentially small in 1 / alpha; one Richardson step leaves
    O(alpha^2) = 1e-5 at alpha = 1 / 400, and rounding in the 400-digit literal formula is far below that.
    """
    rng = np.random.default_rng(seed)
    m, s = rng.integers(-2, 3, (3, 1 + seed % 2)), rng.integers(-2, 3, (3, 2 + seed // 2))
    m[0, 0] = 2
    rho, sigma = m @ m.T, s @ s.T
    with mpmath.workdps(900):
        fine, coarse = (
            mp_literal("sandwiched", mp_matrix(rho), mp_matrix(sigma), mpmath.mpf(1) / d, mpmath.mpf(10) ** -700)
            for d in (400, 200)
        )
        limit = float(2 * fine - coarse)
    assert abs(k.sandwiched_renyi(rho, sigma, 0) - limit) < 1e-3
    assert abs(float(k.mp.sandwiched_renyi(rho, sigma, 0, digits=10)) - limit) < 1e-3


@pytest.mark.parametrize("alpha", [0.25, 0.5, 0.75])
@pytest.mark.parametrize("seed", range(4))
def test_maximal_with_a_support_not_included_is_the_limit(alpha, seed):
    """sigma + t Id at t = 1e-60: the error is of order t^(1 - alpha) <= 1e-15."""
    rng = np.random.default_rng(seed)
    n, r, s = [(3, 2, 2), (4, 3, 2), (4, 2, 3), (3, 3, 1)][seed]
    m, v = (rng.integers(-2, 3, (n, k)) + 1j * rng.integers(-2, 3, (n, k)) for k in (r, s))
    rho, sigma = m @ m.conj().T, v @ v.conj().T
    with mpmath.workdps(300):
        b = mp_matrix(sigma) + mpmath.mpf(10) ** -60 * mpmath.eye(n)
        limit = float(mp_literal("maximal", mp_matrix(rho), b, mpmath.mpf(alpha), mpmath.mpf(10) ** -200))
    assert close(k.maximal_renyi(rho, sigma, alpha), limit, 1e-11)
    assert close(float(k.mp.maximal_renyi(rho, sigma, alpha, digits=15)), limit, 1e-12)


def gram_pair(rng, n):
    """Return a pair of exact integer matrices M M^* of random ranks."""

    def one():
        rank = n if rng.random() < 0.6 else int(rng.integers(1, n + 1))
        m = rng.integers(-3, 4, (n, rank)) + (1j * rng.integers(-3, 4, (n, rank)) if rng.random() < 0.5 else 0)
        m[0, 0] += not m.any()
        return m @ m.conj().T

    return one(), one()


AGREEMENT_ORDERS = [0, 0.05, 0.25, 0.5, 0.9, 1, 1.0001, 1.5, 2, 7, 50, INF]


def float_error(rho, sigma, lam, alpha, finite_support):
    """Return a bound on the rounding error of a divergence.

    Eigenvalues have errors of eta relative to the smallest positive one, so (1 - eta) B <= B' <= (1 + eta) B, times
    the exponents that act on them. Mass outside sigma's support has an error of eta, divided by |alpha - 1|.
    """
    n = len(rho)

    def condition(m):
        w = np.linalg.eigvalsh(m)
        return w[-1] / w[w > 1e-11 * w[-1]].min()

    eta = 4 * n * 2.2e-16 * (condition(rho) + condition(sigma + lam * np.eye(n)))
    exponent = max(1, 1 / alpha if alpha else 1) if alpha < 1 else 1
    return eta * exponent / (1 if finite_support else abs(1 - alpha))


@pytest.mark.slow
def test_float64_agrees_with_multiprecision_on_300_pairs():
    """Every third pair is tested with each divergence, with orders and lambdas in turn.

    Every sixth, up to dimension 5, is also compared with the literal definition at 180 digits, where zero eigenvalues
    of an integer matrix are below 1e-150 and the others above 1e-130, even of the product at alpha = 0.05.
    """
    rng, wide = np.random.default_rng(24), MP(30)
    infinite = literal_checks = 0
    for i in range(300):
        n = (2, 3, 4, 5, 6, 2, 3, 4, 5, 7, 2, 3, 4, 6, 8, 3)[i % 16]
        rho, sigma = gram_pair(rng, n)
        alpha, lam = AGREEMENT_ORDERS[int(rng.integers(12))], (0, 1e-3, 1)[int(rng.integers(3))]
        name = list(RENYI)[i % 3]
        exact = float(getattr(quantum, f"{name}_renyi")(rho, sigma, alpha, lam, arithmetic=wide))
        value = RENYI[name](rho, sigma, alpha, lam)
        if not np.isfinite(exact):
            infinite += 1
            assert value == exact, (i, name, alpha, lam)
            continue
        included = np.linalg.matrix_rank(np.hstack([rho, sigma])) == np.linalg.matrix_rank(sigma) or lam > 0
        error = float_error(rho, sigma, lam, alpha, included)
        assert abs(value - exact) <= error * max(1, abs(exact)), (i, name, n, alpha, lam, value, exact, error)
        if i % 6 < 3 and n <= 5 and alpha not in (0, 1, INF) and (included or name != "maximal"):
            literal_checks += 1
            with mpmath.workdps(180):
                b = mp_matrix(sigma) + mpmath.mpf(lam) * mpmath.eye(n)
                want = float(mp_literal(name, mp_matrix(rho), b, mpmath.mpf(alpha), mpmath.mpf(10) ** -150))
            assert abs(exact - want) <= 1e-13 * max(1, abs(want)), (i, name, n, alpha, lam, exact, want)
    assert infinite > 5 and literal_checks > 30


@pytest.mark.slow
@pytest.mark.parametrize("f", ["quantum_relative_entropy", "max_relative_entropy", "trace_distance"])
def test_float64_agrees_with_multiprecision_otherwise(f):
    rng = np.random.default_rng(25)
    for i in range(40):
        rho, sigma = gram_pair(rng, 2 + i % 4)
        lam = (0, 1e-3, 1)[i % 3]
        exact = float(getattr(k.mp, f)(rho, sigma, lam, digits=16))
        value = getattr(k, f)(rho, sigma, lam)
        scale = np.trace(rho).real + np.trace(sigma).real if f != "max_relative_entropy" else 1
        error = float_error(rho, sigma, lam, 1, True) if f != "trace_distance" else 1e-14
        assert value == exact or abs(value - exact) <= error * scale * max(1, abs(exact))


# Shapes


@pytest.mark.slow
@pytest.mark.parametrize("key", ALL)
def test_batch_is_loop(key):
    rng = np.random.default_rng(26)
    f = ALL[key]
    rho = np.array([[state(rng, 3, r) for r in (None, 1, 2)] for _ in range(2)])
    sigma = np.array([state(rng, 3, r) for r in (None, 2, 1)])
    batch = f(rho, sigma)
    assert batch.shape == (2, 3)
    for i in range(2):
        for j in range(3):
            assert close(batch[i, j], f(rho[i, j], sigma[j]), 1e-12)
    assert f(rho[:0], sigma).shape == (0, 3)


@pytest.mark.parametrize("name", RENYI)
def test_orders_and_regularizations_broadcast(name):
    rng = np.random.default_rng(27)
    rho, sigma = state(rng, 3), state(rng, 3, 2)
    lam = np.array([0, 0.1])
    grid = RENYI[name](rho, sigma, np.array(ORDERS)[:, None], lam)
    assert grid.shape == (len(ORDERS), 2)
    for i, a in enumerate(ORDERS):
        for j in range(2):
            assert close(grid[i, j], RENYI[name](rho, sigma, a, lam[j]), 1e-12)


@pytest.mark.parametrize("key", ALL)
def test_real_and_complex_dtypes_agree(key):
    rng = np.random.default_rng(28)
    rho, sigma = state(rng, 4, real=True), state(rng, 4, real=True)
    assert close(ALL[key](rho.astype(complex), sigma), ALL[key](rho, sigma))


@pytest.mark.parametrize("key", RENYI_KEYS)
def test_dimension_64(key):
    rng = np.random.default_rng(29)
    u, v = unitary(rng, 64), unitary(rng, 64)
    w, b = rng.uniform(0.1, 1, 64), rng.uniform(0.1, 1, 64)
    name, alpha = key.split()
    rho, sigma = rotated(u, w), rotated(u, b)
    assert close(ALL[key](rho, sigma), k.renyi(w, b, float(alpha)), 1e-11)
    # at 0.05 the literal formula loses its small eigenvalues; that order is compared with mpmath elsewhere
    if 0.1 < float(alpha) < 10 and abs(float(alpha) - 1) > 0.01:
        a, turned = float(alpha), rotated(v, b)
        if name == "petz":
            want = np.log(np.sum((w**a)[:, None] * abs(u.conj().T @ v) ** 2 * b ** (1 - a)) / w.sum()) / (a - 1)
        elif name == "sandwiched":
            half = (v * b ** ((1 - a) / (2 * a))) @ v.conj().T
            want = np.log((np.linalg.eigvalsh(half @ rho @ half) ** a).sum() / w.sum()) / (a - 1)
        else:
            t, basis = sl.eigh(rho, turned)  # basis^* sigma basis = 1: Q = sum t^a <B x, B x> over x in basis
            want = np.log((t**a * (abs(turned @ basis) ** 2).sum(0)).sum() / w.sum()) / (a - 1)
        assert close(ALL[key](rho, turned), want, 1e-9)


# Extremes


@pytest.mark.parametrize("name", RENYI)
@pytest.mark.parametrize("scale", [1e-300, 1e-200, 1e-100, 1e100, 1e200, 1e300])
def test_extreme_scales(name, scale):
    rng = np.random.default_rng(30)
    f = RENYI[name]
    orders = [*ORDERS, 5000, 1e15]
    for r, s in ((None, None), (1, None), (None, 2)):
        rho, sigma = state(rng, 3, r), state(rng, 3, s)
        base = f(rho, sigma, orders)
        # at order 1 +- 1e-9 the relative rounding 2^-52 of log Q ~ 700 counts 1e-13 / 1e-9 only where mass is outside
        assert close(f(scale * rho, sigma, orders), base + np.log(scale), 1e-9)
        assert close(f(rho, scale * sigma, orders), base - np.log(scale), 1e-9)


def test_huge_and_tiny_orders():
    rng = np.random.default_rng(31)
    rho, sigma = state(rng, 3), state(rng, 3, 2)
    full = state(rng, 3)
    for f in RENYI.values():
        assert close(f(rho, full, 1e-300), f(rho, full, 0))
        assert close(f(rho, full, 1e300), f(rho, full, INF))
        assert (f(rho, sigma, [5000, 1e15, 1e300]) == INF).all()
        assert close(f(rho, full, 5000), float(getattr(k.mp, f.__name__)(rho, full, 5000, digits=15)))
        for alpha in (1e-5, 0.01, 0.049):
            assert close(f(rho, full, alpha), float(getattr(k.mp, f.__name__)(rho, full, alpha, digits=15)))


def test_small_orders_of_a_graded_reference():
    """Powers of sigma up to b^99 need singular values with relative accuracy."""
    sigma, rho = np.diag([1, 1e-3, 1e-8]), np.array([[2, 1, 0], [1, 2, 1], [0, 1, 2]])
    for alpha in (0.01, 0.1, 0.3, 0.49):
        with mpmath.workdps(2000):
            exact = mpmath.diag([mpmath.mpf(float(x)) for x in (1, 1e-3, 1e-8)])
            want = float(mp_literal("sandwiched", mp_matrix(rho), exact, mpmath.mpf(alpha), mpmath.mpf(10) ** -1900))
        assert close(k.sandwiched_renyi(rho, sigma, alpha), want, 1e-11)


def test_hockey_stick_extremes():
    rng = np.random.default_rng(32)
    rho, sigma = state(rng, 3), state(rng, 3)
    assert k.quantum_hockey_stick(rho, 1e10 * sigma, 700) == 0
    assert close(k.quantum_hockey_stick(rho, sigma, -1000), 1, 1e-14)
    assert close(k.quantum_hockey_stick(1e200 * rho, sigma, 100), 1e200, 1e-14)
    diagonal = k.quantum_hockey_stick(np.diag([0.25, 0.75]), np.diag([0, 1.0]), [0.1, 50, 700])
    assert close(diagonal, [0.25] * 3, 1e-14)
    with pytest.raises(ValueError, match="epsilon"):
        k.quantum_hockey_stick(rho, sigma, 701)


def test_exact_supports_in_multiprecision_and_rounded_ones_in_float64():
    """The same decimal data is exact in mp, and rounded in float64."""
    third = Fraction(1, 3)
    rho = [[third, third], [third, third]]
    tilted = [[third, third], [third, third + Fraction(1, 10**40)]]
    assert k.mp.sandwiched_renyi(tilted, rho, 2) == mpmath.inf
    assert close(k.sandwiched_renyi(np.full((2, 2), 1 / 3), np.full((2, 2), 1 / 3), 2), 0)


@pytest.mark.parametrize("name", RENYI)
def test_ratios_beyond_the_range_of_floats(name):
    """rho / sigma of size 1e400, denormal weights, and a zero sigma."""
    f, m = RENYI[name], np.array([[2.0, 1], [1, 2]])
    base = f(np.eye(2), m, ORDERS)
    assert close(f(1e200 * np.eye(2), 1e-200 * m, ORDERS), base + 400 * np.log(10), 1e-13)
    assert close(f(5e-324 * np.eye(2), np.eye(2), ORDERS), np.full(len(ORDERS), np.log(5e-324)), 1e-13)
    assert (f(m, np.zeros((2, 2)), ORDERS) == INF).all()
    assert close(f(np.eye(2), np.zeros((2, 2)), ORDERS, 0.5), np.full(len(ORDERS), np.log(2)))


@pytest.mark.parametrize("lam", [1e-20, 1e-60, 1e-300])
def test_maximal_with_a_tiny_regularization(lam):
    """rho = [[2, 1], [1, 2]], sigma = diag(1, 0), alpha = 1/2: Q -> sqrt(3/2) by the Schur complement, up to sqrt(lam).

    A plain SVD of the product, graded by lam^-1/2, loses it at any fixed precision.
    """
    rho, sigma = np.array([[2, 1], [1, 2]]), np.diag([1, 0])
    want = 2 * np.log(4 / np.sqrt(1.5))
    assert close(k.maximal_renyi(rho, sigma, 0.5, lam), want, 10 * np.sqrt(lam) + 1e-12)
    assert close(float(k.mp.maximal_renyi(rho, sigma, 0.5, lam, digits=10)), want, 10 * np.sqrt(lam) + 1e-9)


@pytest.mark.parametrize("name", ["sandwiched_renyi", "petz_renyi", "maximal_renyi"])
def test_a_negative_entry_of_a_diagonal_matrix_is_not_a_rounding_error(name):
    f, bad, good = getattr(k, name), np.diag([1, -1e-12]), np.eye(2)
    with pytest.raises(ValueError, match="rho must be positive semidefinite"):
        f(bad, good, 2)
    with pytest.raises(ValueError, match="sigma must be positive semidefinite"):
        f(good, bad, 2)
    turn = np.array([[1, 1], [1, -1]]) / np.sqrt(2)
    for rho in (turn @ bad @ turn, np.diag([1, -0.0])):  # where it may be a rounding error, and where it is 0
        assert np.isfinite(f(rho, good, 2))
    assert np.isfinite(f(bad, good, 2, support_tol=1e-6))


@pytest.mark.parametrize("scale", [2.0**-330, 2.0**329, 2.0**900])
def test_equal_matrices_of_any_scale_have_divergence_zero(scale):
    """Equal matrices have divergence 0 without errors of the size of log(tr rho); also if sigma is scaled."""
    rng = np.random.default_rng(5)
    for _ in range(5):
        x = rng.normal(size=(3, 5))
        rho, y = x @ x.T, rng.normal(size=(3, 5))
        alphas = np.array([0.0045, 0.1, 0.5, 0.97, 1, 2, 30])
        assert (abs(k.sandwiched_renyi(rho * scale, rho * scale, alphas)) < 4e-15).all()
        sigma = y @ y.T
        near = k.sandwiched_renyi(rho, sigma, alphas)
        far = k.sandwiched_renyi(rho * scale, sigma * scale, alphas)
        assert far == pytest.approx(near, rel=1e-12, abs=0)
        away = k.sandwiched_renyi(rho * scale, sigma / scale, alphas)
        assert away == pytest.approx(near + 2 * np.log(scale), rel=1e-12)


def states_of(values, others, rng):
    """Return two complex states with these eigenvalues and random eigenvectors."""
    out = []
    for x in (values, others):
        z = rng.normal(size=(2, len(x), len(x)))
        q = np.linalg.qr(z[0] + 1j * z[1])[0]
        m = (q * (x / np.sum(x))) @ q.conj().T
        out.append((m + m.conj().T) / 2)
    return out


def test_regular_states_need_no_eigenvectors(monkeypatch):
    """Cholesky's method and eigenvectors agree up to the error of sigma's inverse in each, and agree with balls."""
    rng = np.random.default_rng(3)
    for low in (1e-1, 1e-4, 1e-7):
        rho, sigma = states_of(np.geomspace(low, 1, 4), np.geomspace(low, 1, 4), rng)
        assert all(float64._regular_factor(x) is not None for x in (rho, sigma))
        for lam in (0, 0.1):
            at = [1, 1.02, 2.5, 30, np.inf]
            fast, largest = k.sandwiched_renyi(rho, sigma, at, lam), k.max_relative_entropy(rho, sigma, lam)
            with monkeypatch.context() as patch:
                patch.setattr(float64, "_regular_factor", lambda matrix: None)
                assert fast == pytest.approx(k.sandwiched_renyi(rho, sigma, at, lam), rel=0, abs=2e-15 / low)
            assert largest == pytest.approx(fast[-1], rel=0, abs=2e-15 / low)
            truth = float(ball.max_relative_entropy(rho, sigma, lam, digits=17).mid())
            assert largest == pytest.approx(truth, rel=0, abs=2e-15 / low)


@pytest.mark.parametrize("least", [0, 1e-16, -1e-14])
def test_a_numerically_singular_state_is_not_taken_for_regular(least):
    rng = np.random.default_rng(4)
    rho, sigma = states_of([least, 0.3, 0.7], [0.2, 0.3, 0.5], rng)
    assert float64._regular_factor(rho) is None and float64._regular_factor(sigma) is not None
    assert k.sandwiched_renyi(sigma, rho, 2) == k.max_relative_entropy(sigma, rho) == np.inf
    bad, _ = states_of([-1e-8, 0.3, 0.7], [1, 1, 1], rng)
    for f in (k.max_relative_entropy, lambda r, s: k.sandwiched_renyi(r, s, 2)):
        for pair in ((bad, sigma), (sigma, bad)):
            with pytest.raises(ValueError, match="positive semidefinite"):
                f(*pair)


def test_full_rank_is_found_without_singular_values(monkeypatch):
    x = np.random.default_rng(5).normal(size=(80, 70))
    singular = x.copy()
    singular[:, 0] = singular[:, 1:].sum(1)
    noise = np.array(1e-13)
    assert float64._is_clearly_regular(x, noise) and not float64._is_clearly_regular(singular, noise)
    assert (FLOAT64.rank(x, noise), FLOAT64.rank(singular, noise)) == (70, 69)


@pytest.mark.parametrize("scale", [1e300, 1e-300, 1e154, 1e-154])
def test_quotients_beyond_all_floats_have_logarithms(scale):
    """D(s A || A / s) = 2 log s for every A, even if s^2 overflows; -inf would mean perfect privacy."""
    for a in (np.eye(2), np.array([[1, 0.5], [0.5, 1]]), np.array([[1, 0.5j], [-0.5j, 1]]), np.diag([1, 1e-6, 0.5])):
        for f in (k.max_relative_entropy, lambda *x: k.sandwiched_renyi(*x, 2), lambda *x: k.maximal_renyi(*x, 3)):
            assert f(scale * a, a / scale) == pytest.approx(2 * math.log(scale), rel=1e-13)


def test_matrices_whose_sums_overflow_are_rejected():
    huge = 0.51 * np.finfo(float).max
    for bad in (huge * np.eye(2), np.full((3, 3), huge / 1.2)):
        for pair in ((bad, np.eye(len(bad))), (np.eye(len(bad)), bad)):
            with pytest.raises(ValueError, match="must be of entries whose sums are finite"):
                k.max_relative_entropy(*pair)
    for good in (0.98 * huge * np.eye(2), np.array([[huge]])):
        value = math.log(good[0, 0])
        assert k.max_relative_entropy(good, np.eye(len(good))) == pytest.approx(value, rel=1e-14)
        assert k.sandwiched_renyi(np.eye(len(good)), good, 2) == pytest.approx(-value, rel=1e-14)
