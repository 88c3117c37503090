"""Multiprecision: exact input and ranks, digits, clusters and tiny eigenvalues, compared with closed forms.

Matrices are rotated by rational orthogonal ones, so that they are exact and their eigenvectors are known.
"""

import itertools
from decimal import Decimal
from fractions import Fraction
from functools import partial

import flint
import mpmath
import numpy as np
import pytest
import sympy
from mpmath import mpf

import krdtheory as k
from krdtheory import mp
from krdtheory.arithmetic import MP, PrecisionError

INF = np.inf
RENYI = [partial(mp.evaluate, f) for f in (k.sandwiched_renyi, k.petz_renyi, k.maximal_renyi)]  # not computed by balls
TENTH = Fraction(1, 10)


def reflection(v):
    """Return the rational orthogonal matrix 1 - 2 v v^T / v^T v."""
    v = [Fraction(x) for x in v]
    norm = sum(x * x for x in v)
    n = range(len(v))
    return np.array([[(i == j) - 2 * v[i] * v[j] / norm for j in n] for i in n], dtype=object)


def turned(q, values):
    """Return q diag(values) q^T, exactly."""
    return q @ np.diag([Fraction(x) for x in values]) @ q.T


def number(x):
    return mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mpf(x)


def literal_classical(p, q, alpha):
    """Return the Renyi divergence of weights given as fractions, at the working precision."""
    pairs = [(number(x), number(y)) for x, y in zip(p, q, strict=True) if x]
    total = sum(x for x, _ in pairs)
    if alpha >= 1 and any(y == 0 for _, y in pairs):
        return mpmath.inf
    pairs = [(x, y) for x, y in pairs if y]
    if not pairs:
        return mpmath.inf
    if alpha == INF:
        return mpmath.log(max(x / y for x, y in pairs))
    if alpha == 1:
        return sum(x * mpmath.log(x / y) for x, y in pairs) / total
    a = number(alpha)
    return mpmath.log(sum(x**a * y ** (1 - a) for x, y in pairs) / total) / (a - 1)


def agree(x, y, digits):
    """Return whether the values are equal up to one unit of the digit after `digits`."""
    with mpmath.workdps(2 * digits + 20):
        return x == y or abs(x - y) <= mpf(10) ** (1 - digits) * max(abs(y), mpf(10) ** -digits)


SPECTRA = {
    "full": ([TENTH, 2 * TENTH, 7 * TENTH], [5 * TENTH, 3 * TENTH, 2 * TENTH]),
    "eigenvalue 1e-40": ([TENTH, 2 * TENTH, 7 * TENTH], [TENTH**40, 1 - TENTH, TENTH]),
    "cluster at 1e-25, gap 1e-30": ([TENTH, 2 * TENTH, 7 * TENTH], [1, TENTH**25, TENTH**25 + TENTH**30]),
    "rho's cluster": ([1, TENTH**25, TENTH**25 + TENTH**30], [TENTH, 2 * TENTH, 7 * TENTH]),
    "gap 1e-25": ([5 * TENTH, 5 * TENTH + TENTH**25, TENTH], [TENTH, TENTH + TENTH**25, 1]),
    "included": ([TENTH, 0, 7 * TENTH], [TENTH**30, 0, TENTH]),
    "1e-40 outside": ([TENTH, TENTH**40, 7 * TENTH], [TENTH, 0, TENTH]),
    "overlapping": ([TENTH, 2 * TENTH, 0], [0, 3 * TENTH, 2 * TENTH]),
    "orthogonal": ([TENTH, 0, 0], [0, TENTH, TENTH**40]),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", SPECTRA)
@pytest.mark.parametrize("f", RENYI)
def test_commuting_matrices_of_any_spectrum(f, case):
    """The classical closed form to 40 digits for any gaps; the rank over Q decides whether it is +inf."""
    p, q = ([Fraction(x) for x in v] for v in SPECTRA[case])
    u = reflection([1, 2, 2])
    rho, sigma = turned(u, p), turned(u, q)
    for alpha in (0, Fraction(1, 4), Fraction(1, 2), Fraction(999, 1000), 1, Fraction(3, 2), 7, INF):
        with mpmath.workdps(150):
            want = literal_classical(p, q, alpha)
        assert agree(f(rho, sigma, alpha, digits=40), want, 40), (case, alpha)


@pytest.mark.slow
@pytest.mark.parametrize("spectrum", [[1, TENTH**25, TENTH**25 + TENTH**30], [1, 2, TENTH**40]])
def test_pure_state_against_a_cluster(spectrum):
    """Closed forms with <psi|sigma^s|psi> = sum w_i b_i^s, w exact; plain mpmath at 50 digits loses half of them."""
    u = reflection([2, -1, 3])
    psi = np.array([3, 2, 6], dtype=object)  # of norm 7
    rho, sigma = np.outer(psi, psi) * Fraction(1, 49), turned(u, spectrum)
    weights = (u.T @ psi) ** 2 * Fraction(1, 49)
    with mpmath.workdps(200):
        w, b = [number(x) for x in weights], [number(Fraction(x)) for x in spectrum]

        def mean(s):
            return sum(x * y**s for x, y in zip(w, b, strict=True))

        for a in (mpf(1) / 4, mpf(3) / 4, mpf(2), mpf(9)):
            assert agree(mp.sandwiched_renyi(rho, sigma, a), a / (a - 1) * mpmath.log(mean((1 - a) / a)), 50)
            assert agree(mp.petz_renyi(rho, sigma, a), mpmath.log(mean(1 - a)) / (a - 1), 50)
            assert agree(mp.maximal_renyi(rho, sigma, a), mpmath.log(mean(-1)), 50)
        entropy = -sum(x * mpmath.log(y) for x, y in zip(w, b, strict=True))
        assert agree(mp.quantum_relative_entropy(rho, sigma), entropy, 50)
        assert agree(mp.max_relative_entropy(rho, sigma), mpmath.log(mean(-1)), 50)


HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
KINDS = {
    "Fraction": lambda x: x,
    "str": str,
    "decimal str": lambda x: str(float(x)),
    "Decimal": lambda x: Decimal(float(x)),
    "sympy": lambda x: sympy.Rational(x.numerator, x.denominator),
    "flint": lambda x: flint.fmpq(x.numerator, x.denominator),
    "mpf": lambda x: mpf(float(x)),
    "float": float,
    "complex": complex,
    "mpc": lambda x: mpmath.mpc(float(x)),
    "np.float32": lambda x: np.float32(float(x)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_of_exact_input(kind):
    """[[1/2, 1/4], [1/4, 1/2]], with eigenvalues 3/4 and 1/4, relative to Id / 2 and to a pure state."""
    make = KINDS[kind]
    rho = [[make(x) for x in row] for row in ((HALF, QUARTER), (QUARTER, HALF))]
    pure = [[make(HALF), make(HALF)], [make(HALF), make(HALF)]]
    with mpmath.workdps(60):
        want = mpmath.log(mpf(5) / 4)  # 2 (9 + 1) / 16
    assert agree(
        mp.sandwiched_renyi(rho, [[HALF, 0], [0, HALF]], make(Fraction(2)) if kind not in ("complex", "mpc") else 2),
        want,
        50,
    )
    assert mp.sandwiched_renyi(rho, pure, 2) == mpmath.inf
    assert agree(mp.sandwiched_renyi(pure, rho, 2, digits=50), mp.maximal_renyi(pure, rho, 3), 48)  # psi an eigenvector


@pytest.mark.parametrize("unit", [1j, sympy.I, mpmath.mpc(0, 1)])
def test_complex_exact_input(unit):
    rho = [[HALF, unit / 4], [-unit / 4, HALF]]
    pure = [[HALF, unit / 2], [-unit / 2, HALF]]
    identity = [[HALF, 0], [0, HALF]]
    with mpmath.workdps(60):
        assert agree(mp.petz_renyi(rho, identity, 2), mpmath.log(mpf(5) / 4), 50)
        assert agree(mp.petz_renyi(pure, rho, 2), mpmath.log(mpf(4) / 3), 50)
        assert mp.petz_renyi(rho, pure, 2) == mpmath.inf
        assert agree(mp.trace_distance(rho, pure), mpf(1) / 4, 50)
        assert agree(mp.quantum_hockey_stick(pure, rho, 0), mpf(1) / 4, 50)


def test_irrational_input():
    root = sympy.sqrt(2)
    rho = [[HALF, root / 4], [root / 4, HALF]]
    pure = [[sympy.Rational(1, 3), root / 3], [root / 3, sympy.Rational(2, 3)]]
    identity = [[HALF, 0], [0, HALF]]
    with mpmath.workdps(60):
        assert agree(mp.sandwiched_renyi(rho, identity, 2), mpmath.log(mpf(3) / 2), 50)  # 2 tr rho^2 = 3/2
        for f in RENYI:
            for alpha in (0, HALF, 1, 2, INF):
                assert agree(f(pure, identity, alpha), mpmath.log(2), 50)
        assert mp.sandwiched_renyi(rho, pure, 2) == mpmath.inf
        assert mp.renyi([root, 1], [1, root], INF) == mpmath.log(mpmath.sqrt(2)) or agree(
            mp.renyi([root, 1], [1, root], INF), mpmath.log(2) / 2, 50
        )


def test_floats_are_taken_at_their_exact_values():
    """0.1 + 0.2 is not 0.3: the last bit decides whether a matrix is singular."""
    assert mp.sandwiched_renyi([[1, 0], [0, 0.1 + 0.2 - 0.3]], [[1, 0], [0, 0]], 2) == mpmath.inf
    assert mp.sandwiched_renyi([[1, 0], [0, 0.25 + 0.5 - 0.75]], [[1, 0], [0, 0]], 2) == 0


@pytest.mark.slow
@pytest.mark.parametrize("f", RENYI)
def test_results_have_the_requested_digits(f):
    rng = np.random.default_rng(1)
    m, s = rng.integers(-3, 4, (2, 4, 3))
    rho, sigma = m @ m.T, s @ s.T
    for alpha, lam in ((Fraction(1, 4), 0), (Fraction(3, 4), Fraction(1, 1000)), (1, 1), (Fraction(7, 3), "1e-12")):
        wide = f(rho, sigma, alpha, lam, digits=80)
        for digits in (2, 15, 30, 50):
            value = f(rho, sigma, alpha, lam, digits=digits)
            assert agree(value, wide, digits)
            assert value.context.dps == digits


@pytest.mark.parametrize("bad", [1, 0, -3, 10**6])
def test_digits_out_of_range(bad):
    with pytest.raises(ValueError, match="digits"):
        mp.kl([1], [1], digits=bad)


@pytest.mark.parametrize("bad", [2.5, "30", True, None])
def test_digits_not_an_integer(bad):
    with pytest.raises(TypeError, match="digits"):
        mp.kl([1], [1], digits=bad)


def test_very_small_orders():
    """At alpha = 1e-5, with powers b^(1e5): a closed form for a pure state, and otherwise D_0 up to O(alpha)."""
    alpha = TENTH**5
    u = reflection([1, 2, 2])
    spectrum = [Fraction(1, 2), Fraction(3, 10), Fraction(1, 5)]
    sigma = turned(u, spectrum)
    psi = np.array([3, 2, 6], dtype=object)
    pure = np.outer(psi, psi) * Fraction(1, 49)
    weights = (u.T @ psi) ** 2 * Fraction(1, 49)
    with mpmath.workdps(60):
        a = number(alpha)
        mean = sum(number(x) * number(y) ** ((1 - a) / a) for x, y in zip(weights, spectrum, strict=True))
        assert agree(mp.sandwiched_renyi(pure, sigma, alpha, digits=30), a / (a - 1) * mpmath.log(mean), 30)
    rng = np.random.default_rng(2)
    for rank in (1, 2, 3):
        m = rng.integers(-2, 3, (3, rank))
        m[0, 0] = 2
        # Q_alpha = sum over the chosen b of b (c b^-1)^alpha, c within the condition numbers: |D - D_0| < 20 alpha
        assert (
            abs(mp.sandwiched_renyi(m @ m.T, sigma, alpha, digits=15) - mp.sandwiched_renyi(m @ m.T, sigma, 0)) < 2e-4
        )


@pytest.mark.parametrize("f", RENYI)
def test_orders_near_one(f):
    """D(1 + h) - D(1) = h D' + O(h^2): at h = 1e-30 the second difference is zero up to 1e-60."""
    rng = np.random.default_rng(3)
    m, s = rng.integers(-3, 4, (2, 3, 3))
    rho, sigma = m @ m.T, s @ s.T
    h = TENTH**30
    below, at, above = (f(rho, sigma, 1 + step, digits=80) for step in (-h, 0, h))
    with mpmath.workdps(100):
        assert 0 < above - at < mpf(10) ** -28
        assert abs(above - 2 * at + below) < mpf(10) ** -57


def test_precision_error_when_digits_do_not_separate():
    tiny = Fraction(1, 10**3000)
    matrix = [[1, 1], [1, 1 + tiny]]
    with pytest.raises(PrecisionError, match="do not agree"):
        mp.sandwiched_renyi(matrix, [[1, 0], [0, 1]], 0, digits=2)  # 64 (2 + 15) = 1088 digits are not enough
    with pytest.raises(PrecisionError, match="do not separate"):
        MP(30).spectrum([[1, 1], [1, 1 + Fraction(1, 10**40)]], "rho", None)
    with mpmath.workdps(60):
        want = mpmath.log1p(mpf(10) ** -40 / 2)
        assert agree(mp.petz_renyi([[1, 1], [1, 1 + Fraction(1, 10**40)]], [[1, 0], [0, 1]], 0), want, 45)


def test_singular_values_that_do_not_converge_are_found_at_another_precision():
    """mpmath's iteration fails for equal singular values at 104 digits, with which 89 are sought."""
    args = [[HALF, 0], [0, HALF]], [[3 * QUARTER, QUARTER], [QUARTER, QUARTER]], 0
    with pytest.raises(PrecisionError, match="do not converge at 104 digits"):
        k.sandwiched_renyi(*args, arithmetic=MP(104))
    assert mp.evaluate(k.sandwiched_renyi, *args, digits=89) == 0


def test_support_tol_decides_by_size():
    rho, sigma = [[1, 0], [0, 1]], [[1, 0], [0, TENTH**20]]
    assert mp.sandwiched_renyi(rho, sigma, 2) > 40
    assert mp.sandwiched_renyi(rho, sigma, 2, support_tol=1e-10) == mpmath.inf


def test_not_positive_semidefinite_however_slightly():
    for tiny in (Fraction(1, 10), Fraction(1, 10**30), Fraction(1, 10**60)):
        with pytest.raises(ValueError, match="positive semidefinite"):
            mp.sandwiched_renyi([[1, 0], [0, -tiny]], [[1, 0], [0, 1]], 2)


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: mp.sandwiched_renyi([[1, 2], [3, 4]], [[1, 0], [0, 1]], 2), ValueError, "Hermitian"),
        (lambda: mp.sandwiched_renyi([["x"]], [[1]], 2), ValueError, "rho must be finite numbers"),
        (lambda: mp.sandwiched_renyi([[None]], [[1]], 2), TypeError, "rho"),
        (lambda: mp.sandwiched_renyi([[1]], [[1]], -1), ValueError, "alpha"),
        (lambda: mp.sandwiched_renyi([[1]], [[1]], 1j), TypeError, "alpha"),
        (lambda: mp.sandwiched_renyi([[1]], [[1]], np.nan), ValueError, "alpha"),
        (lambda: mp.sandwiched_renyi([[1]], [[1]], 2, "-1/3"), ValueError, "regularization"),
        (lambda: mp.sandwiched_renyi([[0]], [[1]], 2), ValueError, "rho must be nonzero"),
        (lambda: mp.renyi([-1, 2], [1, 1], 2), ValueError, "p must be nonnegative"),
        (lambda: mp.renyi([1j, 2], [1, 1], 2), TypeError, "p must be real"),
        (lambda: mp.kl([1], [1, 2]), ValueError, "same number"),
    ],
)
def test_bad_input(call, error, match):
    with pytest.raises(error, match=match):
        call()


def test_zero_is_found():
    """The value 0 is found, for which no relative precision is possible."""
    rho = [[HALF, QUARTER], [QUARTER, HALF]]
    for f in RENYI:
        for alpha in (0, HALF, 1, 2, INF):
            assert abs(f(rho, rho, alpha)) < mpf(10) ** -90
    assert mp.trace_distance(rho, rho) == mp.kl(["1/3"], ["1/3"]) == 0


def test_batches():
    rho = np.array([[[HALF, QUARTER], [QUARTER, HALF]], [[HALF, HALF], [HALF, HALF]]], dtype=object)
    values = mp.sandwiched_renyi(rho, [[HALF, 0], [0, HALF]], [[2], [INF]], digits=20)
    assert values.shape == (2, 2)
    with mpmath.workdps(30):
        wanted = [[mpf(5) / 4, 2], [mpf(3) / 2, 2]]
        assert all(agree(values[i, j], mpmath.log(wanted[i][j]), 20) for i in range(2) for j in range(2))


def test_same_names_and_arguments_as_float64():
    import inspect

    homes = (k, k.kernels, k.privacy.conversions, k.privacy.composition)
    for name in sorted({*mp.__all__} - {"PrecisionError", "evaluate"}):
        formula = next(getattr(module, name) for module in homes if hasattr(module, name))
        wide, narrow = (inspect.signature(f).parameters for f in (getattr(mp, name), formula))
        assert [*wide] == [p for p in narrow if p != "arithmetic"] + ["digits"]


def hermitian(values, complex_):
    """Return a Hermitian matrix with these eigenvalues, to the digits of the current context."""
    rng = np.random.default_rng(len(values))
    n = len(values)
    entries = rng.normal(size=(n, n)) + 1j * complex_ * rng.normal(size=(n, n))
    basis = mpmath.qr(mpmath.matrix(entries.tolist() if complex_ else entries.real.tolist()))[0]
    return basis * mpmath.diag(values) * basis.H


@pytest.mark.parametrize("complex_", [False, True])
def test_eigenvectors_of_python_flint_diagonalise_and_close_ones_are_refused(complex_):
    ar = MP(50)
    with mpmath.workdps(60):
        apart = hermitian([mpf(10) ** -i for i in range(6)], complex_)
        close = hermitian([mpf(1), mpf(1), mpf(1) + mpf(10) ** -48, mpf(3)], complex_)
        for matrix, flint_knows in ((apart, True), (close, False)):
            a = np.array(matrix.tolist(), dtype=object).reshape(matrix.rows, -1)
            assert (ar._flint_eigh(a, complex_, True) is not None) == flint_knows
            values, vectors = ar.eigh(a)
            v = mpmath.matrix(vectors.tolist())
            assert mpmath.mnorm(v.H * v - mpmath.eye(len(a)), "f") < 1e-45
            assert mpmath.mnorm(matrix * v - v * mpmath.diag(list(values)), "f") < 1e-45
            assert all(x <= y for x, y in itertools.pairwise(values))


def test_elementary_functions_to_full_relative_accuracy_at_all_sizes():
    ar = MP(30)
    rng = np.random.default_rng(0)
    for size in (-400, -70, -31, -20, -3, 0, 2):
        x = mpf(str(rng.uniform(0.1, 0.9))) * mpf(10) ** size
        for sign in (1, -1):
            with mpmath.workdps(900):
                y = sign * x
                want = {"expm1": mpmath.exp(y) - 1}
                if y > -1:
                    want["log1p"] = mpmath.log(1 + y)
            for name, value in want.items():
                with mpmath.workdps(60):
                    assert abs(getattr(ar, name)(y) / value - 1) < mpf(10) ** -29, (name, y)
    assert ar.log(mpf(0)) == -ar.inf and ar.log1p(mpf(-1)) == -ar.inf and ar.expm1(-ar.inf) == -1


@pytest.mark.parametrize(
    ("matrix", "root"),
    [
        ([[4, 0], [3, 1]], [[2, 0], [1, 1]]),  # eigenvalues 4 and 1, not symmetric
        ([[9, 0, 0], [0, 9, 0], [0, 5, 4]], [[3, 0, 0], [0, 3, 0], [0, 1, 2]]),  # 9 twice
        ([[1, 1], [0, 1]], [[1, "0.5"], [0, 1]]),  # no eigenvectors diagonalise it
        ([[1, 1], [0, "1.0000000000000000000000000000000000000000000000000000000001"]], None),  # nearly none do
    ],
)
def test_a_power_of_a_general_matrix(matrix, root):
    ar = MP(40)
    x = np.array([[ar.context.mpf(v) for v in row] for row in matrix], dtype=object)
    found = ar.general_power(x, ar.context.mpf(1) / 2)
    assert abs(found @ found - x).max() < 1e-36
    if root is not None:
        assert abs(found - np.array([[ar.context.mpf(v) for v in row] for row in root])).max() < 1e-36
        assert abs(ar.general_power(x, ar.context.mpf(1) / 3) - found).max() > 1e-3


def test_an_array_is_left_to_numpy_at_once():
    two, numbers = MP(40).number(2), np.array([1, 2], dtype=object)
    assert (two * numbers).tolist() == [2, 4]
    assert two * np.float64(0.5) == 1  # a scalar of NumPy is a number
    with pytest.raises(TypeError, match=r"^an array is no number$"):  # mpmath's own message writes the array out
        two.context.convert(numbers)
