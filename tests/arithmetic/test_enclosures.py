"""Each part of ball arithmetic separately, on balls that are wide enough for its bounds to matter.

Random balls contain exact points, whose images are computed without the tested code: in Fractions, or by mpmath with 60
digits, with a tolerance of 1e-50. Correct enclosures contain them with certainty, so the false-alarm rate is 0.
"""

from fractions import Fraction as F

import mpmath
import numpy as np
import pytest
from flint import acb, acb_mat, arb, arb_mat, ctx, fmpq, fmpq_mat
from mpmath import mpf

from krdtheory.arithmetic import ball
from krdtheory.arithmetic.ball import UndecidedError
from krdtheory.arithmetic.exact import ExactMatrix

NAN, INF = arb.nan(), arb.pos_inf()


@pytest.fixture(autouse=True)
def sixty_digits():
    with mpmath.workdps(60):
        yield


def rational(x):
    return fmpq(*F(x).as_integer_ratio())


def holds(value, x):
    """Return whether a ball contains a Fraction or an mpmath number."""
    with ctx.workprec(400):
        if isinstance(x, (int, F)):
            return value.overlaps(arb(rational(x)))
        return value.overlaps(arb(mpmath.nstr(x, 58), "1e-50"))


def fraction(x):
    """Return an exact ball as a Fraction."""
    mantissa, exponent = x.man_exp()
    return F(int(mantissa)) * F(2) ** int(exponent)


def real(x):
    return mpf(x.numerator) / x.denominator


def hull(low, high):
    """Return a ball that contains [low, high] and is hardly wider."""
    low, high = F(low), F(high)
    return arb(rational((low + high) / 2), rational((high - low) / 2))


INTERVALS = [
    *((0, "1/10"), (0, "1/2"), (0, 1), (0, 3), ("1/10", "1/2"), ("1/10", 2), ("1/3", "1/3"), (1, 2), (0, "1/1000000")),
    *((-1, "1/10"), (-1, "1/2"), (-1, 3), (-2, "1/100"), ("-1/10", 2), (-5, 1)),
]


def points(low, high):
    """Return nonnegative numbers in an interval, among them those at which a function may have its extremes."""
    low, high = max(F(low), F(0)), F(high)
    between = [low + (high - low) * i / 16 for i in range(17)]
    return sorted({*between, *(x for x in (F(0), F(1, 10**9), F(36788, 100000), F(1)) if low <= x <= high)})


# Functions of balls


@pytest.mark.parametrize(("low", "high"), INTERVALS)
@pytest.mark.parametrize("zero", [False, True])
def test_functions_of_nonnegative_numbers_in_a_ball(low, high, zero):
    x = hull(low, high)
    if zero and F(low) == 0:  # the ball that ends at 0 exactly
        x = arb(0).union(x.upper())
    for t in points(low, high):
        assert holds(ball.x_log_x(x), real(t) * mpmath.log(real(t)) if t else 0)
        assert holds(ball.positive_part(x), t)
        for s in (F(1, 2), F(1, 3), F(5, 2), F(3), F(1)):
            assert holds(ball.positive_power(x, rational(s)), real(t) ** real(s))
        assert ball.positive_power(x, fmpq(0)) == 1
        if x > 0:
            assert holds(ball.positive_power(x, rational(F(-2, 3))), real(t) ** (mpf(-2) / 3))
    assert holds(ball.positive_part(x), max(F(low), F(0))) and ball.positive_part(x) >= -1e-6
    if F(low) < 0:
        assert ball.positive_part(x).upper() <= 2 * F(high) + 10**-6


def test_functions_at_and_about_zero():
    zero, negative = arb(0), arb(-1, 0.5)
    for x in (zero, negative, arb(-1)):
        assert ball.x_log_x(x) == 0 and ball.positive_part(x) == 0
        assert ball.positive_power(x, fmpq(1, 3)) == 0 and ball.positive_power(x, fmpq(0)) == 1
    for x in (zero, arb(0, 1), arb(0).union(arb(1)), negative):
        for s in (fmpq(-1, 2), fmpq(-3)):
            with pytest.raises(UndecidedError, match="negative power"):
                ball.positive_power(x, s)
        with pytest.raises(UndecidedError, match="zero"):
            ball.quotient(arb(1), x)
    assert holds(ball.quotient(arb(1), arb(3)), F(1, 3))
    # not wider than necessary
    assert ball.x_log_x(hull(0, F(1, 10))).upper() < 0.1 and ball.x_log_x(hull(0, 1)).lower() > -0.37


def test_intervals_contain_their_ends():
    for low, high in ((0, 0), (-1, 2), (F(1, 3), F(1, 2)), (F(1, 3), F(1, 3) + F(1, 10**30))):
        value = ball.interval(arb(rational(low)), arb(rational(high)))
        assert all(holds(value, F(x)) for x in (low, high, (F(low) + high) / 2))
    wide = ball.interval(arb(0, 1), arb(0.5, 1))
    assert holds(wide, -1) and holds(wide, F(3, 2))


def test_the_largest_of_balls():
    rng = np.random.default_rng(0)
    for _ in range(200):
        ends = [sorted(F(int(x), 8) for x in rng.integers(-8, 9, 2)) for _ in range(3)]
        value = ball.largest(hull(*x) for x in ends)
        for part in range(5):
            assert holds(value, max(low + (high - low) * part / 4 for low, high in ends))
        assert holds(value, max(low for low, _ in ends)) and holds(value, max(high for _, high in ends))
    assert ball.largest([arb(1), arb(2), arb(2), arb(0)]) == 2 and ball.largest([-INF, arb(1, 1), INF]) == INF
    for values in ([NAN, arb(1)], [arb(1), NAN], [NAN, arb(1), arb(2, 1)], [arb(1), NAN, arb(5)]):
        assert ball.largest(values).is_nan()


def test_sums_of_powers_of_a_spectrum():
    values = [arb(0), hull(0, F(1, 4)), hull(F(-1, 100), 2), arb(3)]
    for x, y in ((F(0), F(0)), (F(1, 4), F(2)), (F(1, 9), F(1))):
        for s in (F(1, 2), F(1), F(2)):
            wanted = real(x) ** real(s) + real(y) ** real(s) + mpf(3) ** real(s)
            assert holds(ball.power_sum(values, rational(s)), wanted)
    assert ball.power_sum([arb(0), arb(2), arb(3)], fmpq(0)) == 2


# enclose


def test_enclose_returns_only_accurate_values():
    assert ball.enclose(lambda: arb(2).sqrt(), 30).rad() < arb("1e-30") * 2
    for compute in (lambda: NAN, lambda: np.array([arb(1), NAN]), lambda: acb(arb(1), NAN)):
        with pytest.raises(UndecidedError, match="no finite enclosure"):
            ball.enclose(compute, 10)
    for wide in (arb(3, 0.5), arb(3, "1e-16"), acb(arb(1), arb(3, 0.5)), np.array([arb(1), arb(3, 0.5)])):
        with pytest.raises(UndecidedError, match="30 digits not certified"):
            ball.enclose(lambda wide=wide: wide, 30)
    with pytest.raises(UndecidedError) as caught:
        ball.enclose(lambda: arb(3, 0.5), 10)
    assert caught.value.lower <= 2.5 and caught.value.upper >= 3.5
    assert ball.enclose(lambda: INF, 10) == INF


def test_enclose_takes_the_narrower_of_two():
    widths = iter([arb(1, 0.25), arb(1, 0.5)])
    assert ball.enclose(lambda: next(widths), 10, exact=False).rad() < 0.3
    widths = iter([acb(arb(1), arb(1, 0.5)), acb(arb(1), arb(1, 0.25))])
    assert ball.enclose(lambda: next(widths), 10, exact=False).imag.rad() < 0.3


# Matrices


def random_complex(rng, n, k, complex_=True):
    """Return two integer matrices, and the acb_mat with entries (re + i im) / 7."""
    re, im = rng.integers(-9, 10, (n, k)), rng.integers(-9, 10, (n, k)) * complex_
    entries = [acb(int(x), int(y)) / 7 for x, y in zip(re.ravel(), im.ravel(), strict=True)]
    if not complex_:
        return re, im, arb_mat(n, k, [x.real for x in entries])
    return re, im, acb_mat(n, k, entries)


def test_adjoints_traces_and_columns():
    rng = np.random.default_rng(3)
    for complex_ in (False, True):
        re, im, m = random_complex(rng, 3, 4, complex_)
        re2, im2, b = random_complex(rng, 4, 3, complex_)
        for i in range(4):
            for j in range(3):
                entry = acb(ball.adjoint(m)[i, j])
                assert holds(entry.real, F(int(re[j, i]), 7)) and holds(entry.imag, F(-int(im[j, i]), 7))
        wanted = F(int(np.trace(re @ re2 - im @ im2)), 49)
        assert holds(ball.real_trace_of_product(m, b), wanted) and holds(ball.trace(m * b), wanted)
        scaled = ball.scaled_columns(m, [arb(x) for x in (2, 3, 5, 7)])
        for i in range(3):
            for j, factor in enumerate((2, 3, 5, 7)):
                assert holds(acb(scaled[i, j]).real, F(factor * int(re[i, j]), 7))


def test_norms_are_rounded_up():
    """For exact and for wide entries, compared with the sum of squares at the farthest corner, in Fractions."""
    rng = np.random.default_rng(4)
    for complex_ in (False, True):
        for trial in range(40):
            re, im, m = random_complex(rng, 2, 3, complex_)
            square = sum(F(int(x), 7) ** 2 for x in (*re.ravel(), *im.ravel()))
            with ctx.workprec(20 + trial):
                value = fraction(ball.norm(m))
            assert square <= value**2 <= square * F(101, 100)
            radius = F(1, 8)
            corner = sum((abs(F(int(x), 7)) + radius) ** 2 for x in (*re.ravel(), *(im.ravel() if complex_ else ())))
            assert fraction(ball.norm(ball.widened(m, arb(rational(radius))))) ** 2 >= corner


def test_widened_by_the_radius():
    for m in (arb_mat([[1, 2], [3, 4]]), acb_mat([[1, acb(2, 1)], [acb(2, -1), 4]])):
        for radius in (F(1, 2), F(1, 8), F(3)):
            for before, after in zip(m.entries(), ball.widened(m, arb(rational(radius))).entries(), strict=True):
                for x, y in (
                    ((before.real, after.real), (before.imag, after.imag))
                    if isinstance(m, acb_mat)
                    else ((before, after),)
                ):
                    assert holds(y, fraction(x) + radius) and holds(y, fraction(x) - radius)
                    assert y.rad() < 1.01 * float(radius)


def gaussian(re, im):
    n = len(re)
    return ExactMatrix(*(fmpq_mat(n, n, [rational(x) for row in part for x in row]) for part in (re, im)))


def test_matrices_at_precision_and_their_sums():
    """a + b f, for exact matrices and for balls, compared with Fractions."""
    re, im = [[1, 2], [2, 5]], [[0, F(1, 3)], [F(-1, 3), 0]]
    real_only = ball.Matrix(2, ExactMatrix(gaussian(re, im).re, None))
    exact = ball.Matrix(2, gaussian(re, im))
    entries = tuple((rational(x), rational(y)) for a, b in zip(re, im, strict=True) for x, y in zip(a, b, strict=True))
    inexact = ball.Matrix(2, None, (*entries[:3], arb(5, 2.0**-20)))
    matrices = [(real_only, 0), (exact, 1), (inexact, 1)]
    for a, x in matrices:
        for b, y in matrices:
            total = a.plus(b, fmpq(3, 7)).at_precision()
            for i in range(2):
                for j in range(2):
                    entry = acb(total[i, j])
                    assert holds(entry.real, F(10, 7) * re[i][j])
                    assert holds(entry.imag, F(im[i][j]) * (x + F(3, 7) * y))
                    assert entry.real.rad() < 1e-5 and entry.imag.rad() < 1e-5


def test_ranks_of_balls_are_known_only_where_all_are_positive_definite():
    def matrix(corner):
        return ball.Matrix(2, None, (arb(1), arb(0), arb(0), corner))

    assert matrix(arb(1, 0.5)).rank_of() == 2
    for corner in (arb(0, 0.5), arb(0.5, 0.75), arb(0)):
        assert matrix(corner).rank_of() is None
    assert ball.Matrix(2, ExactMatrix(fmpq_mat(2, 2, [1, 1, 1, 1]), None)).rank_of() == 1


# Error terms


def test_error_terms_are_rounded_up():
    """Compared with the formulas in Fractions (squared, for roots), at 20 to 60 bits."""
    rng = np.random.default_rng(5)
    for bits in range(20, 60):
        eps, delta, rotation, size = (F(int(x), 2**14) for x in rng.integers(1, 2**12, 4))
        with ctx.workprec(bits):
            eta = fraction(ball._eta(*(arb(rational(x)) for x in (eps, delta, rotation, size))))
        assert eta >= eps / (1 - delta) + rotation * size
        assert eta <= (eps / (1 - delta) + rotation * size) * (1 + F(1, 2 ** (bits - 6)))
        for defect in (delta, delta / 2**90):  # phi^2 above the rounding errors, and far below
            with ctx.workprec(bits):
                turned = real(fraction(ball._rotation(arb(rational(defect)))))
            phi = real(defect / 2) / mpmath.sqrt(real((1 - defect) ** 3))
            assert 2 * phi <= turned <= (2 * phi + phi**2) * (1 + mpf(2) ** (6 - bits))


def test_defect_and_residual_bound_those_of_every_matrix_in_the_balls():
    """For [[1, 1/8], [1/8, 2]] in the balls, compared with the norms of its differences from I and diag(1, 3/2)."""
    corner = [[F(1), F(1, 8)], [F(1, 8), F(2)]]
    for shift in (F(1, 8), F(-1, 8), F(0)):
        m = balls_of(corner, F(1, 8), shift)
        assert fraction(ball._defect(m)) ** 2 >= 2 * F(1, 64) + 1
        assert fraction(ball._residual(m, [arb(1), arb(1.5)])) ** 2 >= 2 * F(1, 64) + F(1, 4)
        assert fraction(ball._defect(balls_of([[F(1), F(0)], [F(0), F(1)]], F(1, 8)))) ** 2 >= 4 * F(1, 64)


def scaled_basis(factor):
    """Return V = factor * U, far from orthonormal, where U has the columns (3, 4) / 5 and (-4, 3) / 5."""
    return arb_mat(2, 2, [arb(rational(factor * x)) for x in (F(3, 5), F(-4, 5), F(4, 5), F(3, 5))])


def rotated(values):
    """Return U diag(values) U^T."""
    a, b = (F(x) for x in values)
    off = (a - b) * F(12, 25)
    return [[a * F(9, 25) + b * F(16, 25), off], [off, a * F(16, 25) + b * F(9, 25)]]


def balls_of(rows, radius=0, shift=0):
    """Return a matrix in balls of this radius, whose midpoints are off by the radius."""
    return arb_mat(2, 2, [arb(rational(x + shift), rational(radius)) for row in rows for x in row])


def holds_spectrum(eigen, values):
    for enclosure, x in zip(eigen.spectrum(), sorted(F(v) for v in values), strict=True):
        assert holds(enclosure, x)
    low, high = min(map(F, values)), max(map(F, values))
    assert fraction(eigen.highest.upper()) >= high
    if not eigen.zeros:
        assert fraction(eigen.lowest.lower()) <= low


@pytest.mark.parametrize("factor", [F(83, 100), F(9, 10), F(99, 100), F(101, 100), F(115, 100)])
@pytest.mark.parametrize("values", [(1, 2), (-3, -2), (-1, 5), (0, 100), (2, 2)])
def test_spectra_from_a_basis_far_from_orthonormal(factor, values, monkeypatch):
    """For eigenvectors of length `factor`, the error of D is exactly delta |D| / (1 - delta)."""
    monkeypatch.setattr(ball, "_approximate_basis", lambda a: scaled_basis(factor))
    holds_spectrum(ball.Eigen.of(balls_of(rotated(values))), values)


def test_the_cost_of_a_basis_of_one_vector(monkeypatch):
    """V = (factor) and A = (a): D = factor^2 a, as far from a as delta = |1 - factor^2| permits."""
    for factor in (F(3, 4), F(9, 10), F(99, 100), F(101, 100), F(6, 5)):
        monkeypatch.setattr(ball, "_approximate_basis", lambda a, factor=factor: arb_mat(1, 1, [arb(rational(factor))]))
        for a in (F(1), F(-3), F(100), F(1, 100)):
            eigen = ball.Eigen.of(arb_mat(1, 1, [arb(rational(a))]))
            assert holds(eigen.spectrum()[0], a)
            image = eigen.apply(ball.Power(fmpq(2)))[0, 0] if a > 0 else arb(rational(a * a))
            assert holds(image, a * a)


@pytest.mark.parametrize("factor", [F(83, 100), F(115, 100)])
def test_spectra_from_a_basis_that_is_neither_orthonormal_nor_diagonalising(factor, monkeypatch):
    """[[a, b], [b, a]] in the basis factor * I: b is the residual, and the eigenvalues are a +- b."""
    basis = arb_mat(2, 2, [arb(rational(factor * x)) for x in (1, 0, 0, 1)])
    monkeypatch.setattr(ball, "_approximate_basis", lambda a: basis)
    for a, b in ((0, 3), (1, 1), (-2, F(1, 3))):
        holds_spectrum(ball.Eigen.of(balls_of([[F(a), F(b)], [F(b), F(a)]])), (a - F(b), a + F(b)))


def test_a_singular_basis_gives_no_spectrum(monkeypatch):
    for factor in (F(0), F(1, 2), F(3, 2)):
        monkeypatch.setattr(ball, "_approximate_basis", lambda a, factor=factor: scaled_basis(factor))
        with pytest.raises(UndecidedError, match="no eigenbasis"):
            ball.Eigen.of(balls_of(rotated((1, 2))))
    monkeypatch.undo()
    with pytest.raises(UndecidedError, match="no eigenbasis"):
        ball.Eigen.of(arb_mat(2, 2, [arb(1), NAN, NAN, arb(1)]))


@pytest.mark.parametrize("values", [(1, 2), (0, 1), (-1, 1), (-3, -2), (1, 1), (F(1, 100), 5)])
@pytest.mark.parametrize("radius", [F(1, 1000), F(1, 8)])
def test_results_for_wide_matrices_hold_for_every_matrix_in_them(values, radius):
    """The balls around A + shift contain A, so the results contain its spectrum, hulls, projections and functions."""
    for shift in (0, radius, -radius):
        m = balls_of(rotated(values), radius, shift)
        eigen = ball.Eigen.of(m)
        holds_spectrum(eigen, values)
        low, high = sorted(F(v) for v in values)
        clusters = eigen.clusters()
        hulls = [eigen.hull(c) for c in clusters for _ in c]
        assert all(holds(h, x) for h, x in zip(hulls, (low, high), strict=True))
        for group in ([eigen.values.index(x)] for x in eigen.values if values == (F(1, 100), 5)):
            which = (1, 0) if eigen.values[group[0]] < 2 else (0, 1)
            projection = eigen.projection(group)
            for i in range(2):
                for j in range(2):
                    assert holds(projection[i, j], rotated(which)[i][j])
        if low >= 0:
            for f, wanted in FUNCTIONS.values():
                try:
                    image = eigen.positive().apply(f)
                except UndecidedError:
                    assert low < 3 * radius
                    continue
                exact = rotated_images(wanted, (F(v) for v in values))
                for i in range(2):
                    for j in range(2):
                        assert holds(image[i, j], exact[i][j])


def rotated_images(f, values):
    a, b = (f(real(x)) for x in values)
    off = (a - b) * 12 / 25
    return [[a * 9 / 25 + b * 16 / 25, off], [off, a * 16 / 25 + b * 9 / 25]]


FUNCTIONS = {
    "square": (ball.Power(fmpq(2)), lambda x: x**2),
    "5/2": (ball.Power(fmpq(5, 2)), lambda x: x ** (mpf(5) / 2)),
    "root": (ball.Power(fmpq(1, 2)), mpmath.sqrt),
    "shifted root": (ball.Power(fmpq(1, 3), fmpq(1, 4)), lambda x: (x + mpf(1) / 4) ** (mpf(1) / 3)),
    "inverse": (ball.Power(fmpq(-1)), lambda x: 1 / x if x else mpf(0)),
    "shifted inverse": (ball.Power(fmpq(-1), fmpq(1, 4)), lambda x: 1 / (x + mpf(1) / 4)),
    "shifted square": (ball.Power(fmpq(2), fmpq(1, 4)), lambda x: (x + mpf(1) / 4) ** 2),
    "log": (ball.Log(), lambda x: mpmath.log(x) if x else mpf(0)),
    "shifted log": (ball.Log(fmpq(1, 4)), lambda x: mpmath.log(x + mpf(1) / 4)),
    "x log x": (ball.XLogX(), lambda x: x * mpmath.log(x) if x else mpf(0)),
    "divided root": (ball.DividedPower(fmpq(1, 2), fmpq(1, 4)), lambda x: divided(x, mpf(1) / 2)),
    "divided inverse": (ball.DividedPower(fmpq(-1), fmpq(1, 4)), lambda x: divided(x, -1)),
    "divided cube": (ball.DividedPower(fmpq(3), fmpq(1, 4)), lambda x: divided(x, 3)),
    "divided log": (ball.DividedLog(fmpq(1, 4)), lambda x: mpmath.log1p(4 * x) / x if x else mpf(4)),
}


def divided(x, s):
    t = mpf(1) / 4
    return ((x + t) ** s - t**s) / x if x else s * t ** (s - 1)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_exact_numbers(name):
    f, wanted = FUNCTIONS[name]
    for x in (F(0), F(1, 8), F(1), F(3)):
        assert holds(f(arb(rational(x))), wanted(real(x)))


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("zero", [False, True])
def test_no_function_is_steeper_than_its_slope(name, zero):
    """Over pairs of points of [low, high], and 0 if it is included; also for `move`, which bounds numbers."""
    f, wanted = FUNCTIONS[name]
    for low, high in ((F(0), F(1)), (F(1, 100), F(1, 10)), (F(1, 10), F(3)), (F(2), F(5)), (F(1, 50), F(30))):
        ends = arb(rational(low)), arb(rational(high)).upper()
        slope = f.slope(*ends, zero)
        if not slope.is_finite():
            assert low == 0
            continue
        slope = real(fraction(slope.upper())) * (1 + mpf(10) ** -30)
        width = high - low
        spread = [low + width * i / 8 for i in range(9)] + [low + width / 10**9, high - width / 10**9]
        values = [(x, wanted(real(x))) for x in ([F(0)] if zero else []) + spread]
        for i, (x, image) in enumerate(values):
            for y, other in values[:i]:
                assert abs(image - other) <= slope * abs(real(x - y))
                if x != y:
                    moved = f.move(arb(rational(abs(x - y))).upper(), *ends, zero).upper()
                    assert abs(image - other) <= real(fraction(moved)) * (1 + mpf(10) ** -30)


def test_ends_are_rounded_up():
    for bits in range(20, 50):
        with ctx.workprec(bits):
            x = arb(bits) / 7
            for s in (fmpq(1, 3), fmpq(-2, 3), fmpq(5, 2)):
                end = real(fraction(ball._end(x, s)))
                assert end >= (mpf(bits) / 7) ** (mpf(int(s.p)) / int(s.q))
    assert ball._end(arb(0), fmpq(-1)) == INF and ball._end(arb(0), fmpq(0)) == 1 and ball._end(arb(0), fmpq(2)) == 0
    assert ball._end(arb(0, 1), fmpq(-1)) == INF and ball._end(arb(0).union(arb(2)), fmpq(2)) >= 4


# What is known of a spectrum


def eigen_of(*values):
    n = len(values)
    return ball.Eigen.of(
        arb_mat(n, n, [x if i == j else arb(0) for i, x in enumerate(map(arb, values)) for j in range(n)])
    )


def test_known_zeros_are_exact_and_the_smallest():
    eigen = eigen_of(arb(3), arb(0, 0.125), arb(2), arb(0, 0.125))
    spectrum = eigen.positive(2).spectrum()
    assert spectrum[0].is_zero() and spectrum[1].is_zero() and holds(spectrum[2], 2) and holds(spectrum[3], 3)
    assert eigen.positive(2).lowest > 1 and not eigen.lowest > 0
    assert all(not x.is_zero() for x in eigen.positive(4).spectrum())
    assert all(x > -0.5 for x in eigen_of(arb(-0.125, 0.25), arb(1)).positive().values)
    assert min(eigen_of(arb(-0.125, 0.25), arb(1)).positive().values) == 0
    indefinite = eigen_of(arb(-3), arb(0, 0.125), arb(2)).of_rank(2).spectrum()
    assert holds(indefinite[0], -3) and indefinite[1].is_zero() and holds(indefinite[2], 2)


def test_hulls_of_clusters_that_hold_a_zero():
    eigen = eigen_of(arb(0, 0.5), arb(1, 0.5), arb(1000)).positive(2)
    low, high = eigen.hull([eigen.values.index(min(eigen.values)), eigen.values.index(sorted(eigen.values)[1])]), None
    assert holds(low, 0) and holds(low, F(3, 2)) and high is None
    zero = next(iter(eigen.zeros))
    assert eigen.hull([zero]).is_zero()


def test_positive_semidefinite_or_refused_or_undecided():
    def exact(*values):
        n = len(values)
        entries = [x if i == j else fmpq(0) for i, x in enumerate(values) for j in range(n)]
        return ball.Matrix(n, ExactMatrix(fmpq_mat(n, n, entries), None))

    def inexact(*values):
        n = len(values)
        return ball.Matrix(n, None, tuple(x if i == j else arb(0) for i, x in enumerate(values) for j in range(n)))

    for bad in (exact(fmpq(1), fmpq(-1, 2)), exact(fmpq(1), fmpq(-1, 1000)), inexact(arb(1), arb(-1, 0.25))):
        with pytest.raises(ValueError, match="positive semidefinite"):
            ball.positive_eigen(bad, "rho")
    for good in (inexact(arb(1), arb(-0.125, 0.25)), inexact(arb(1), arb(0.125, 0.25))):
        eigen = ball.positive_eigen(good, "rho")
        assert all(holds(x, v) for x, v in zip(eigen.spectrum(), (F(1, 16), F(1)), strict=True))
    singular = ball.positive_eigen(exact(fmpq(1), fmpq(0)), "rho")
    assert singular.spectrum()[0].is_zero() and holds(singular.spectrum()[1], 1)
    hidden = ball.Matrix(2, ExactMatrix(fmpq_mat(2, 2, [1, 1, 1, 1 + fmpq(1, 10**60)]), None))
    with ctx.workprec(64), pytest.raises(UndecidedError, match="not separated from 0"):
        ball.positive_eigen(hidden, "rho")
    below = ball.Matrix(2, ExactMatrix(fmpq_mat(2, 2, [1, 1, 1, 1 - fmpq(1, 10**60)]), None))
    with ctx.workprec(64), pytest.raises(UndecidedError, match="not separated from 0"):
        ball.positive_eigen(below, "rho")


def test_functions_of_a_matrix_that_has_known_zeros():
    """f(A) for A = U diag(0, 2) U^T, which is known to have rank 1, in balls that contain it."""
    for radius in (F(0), F(1, 1000), F(1, 16)):
        eigen = ball.Eigen.of(balls_of(rotated((0, 2)), radius, radius)).positive(1)
        for name, (f, wanted) in FUNCTIONS.items():
            image, exact = eigen.apply(f), rotated_images(wanted, (F(0), F(2)))
            for i in range(2):
                for j in range(2):
                    assert holds(image[i, j], exact[i][j]), name
    with pytest.raises(UndecidedError):
        ball.Eigen.of(balls_of(rotated((0, 2)), F(1, 16))).positive().apply(ball.Power(fmpq(-1)))


@pytest.mark.parametrize("factor", [F(83, 100), F(115, 100)])
def test_functions_and_projections_in_a_basis_far_from_orthonormal(factor, monkeypatch):
    """f(A) is W f(D) W*, not V f(D) V*: even with exact values, the difference is of the size of f."""
    monkeypatch.setattr(ball.Eigen, "eta", arb(0))
    basis = scaled_basis(factor)
    gram = basis.transpose() * basis
    eigen = ball.Eigen(basis, gram, ball._defect(gram), [arb(100), arb(1000)])
    for f, wanted in FUNCTIONS.values():
        image, exact = eigen.apply(f), rotated_images(wanted, (F(100), F(1000)))
        assert all(holds(image[i, j], exact[i][j]) for i in range(2) for j in range(2))
    projection = eigen.projection([1])
    assert all(holds(projection[i, j], rotated((0, 1))[i][j]) for i in range(2) for j in range(2))


def test_functions_outside_their_domain_have_no_value():
    for values in ((-1, -1), (2, -1), (-1, 2)):
        for f in (ball.Log(fmpq(1, 4)), ball.Log(), ball.Power(fmpq(1, 3), fmpq(1, 4)), ball.XLogX()):
            with pytest.raises(UndecidedError):
                eigen_of(*values).apply(f)


def test_nan_gives_no_information():
    """NaN contains every number, so no function of it is 0."""
    assert ball.positive_part(NAN).is_nan() and ball.x_log_x(NAN).is_nan()
    assert ball.positive_power(NAN, fmpq(1, 3)).is_nan() and ball.interval(arb(0), NAN).is_nan()
