"""Rational input and exact ranks, compared with `fractions`, sympy and matrices constructed with a known rank."""

from decimal import Decimal
from fractions import Fraction

import flint
import mpmath
import numpy as np
import pytest
import sympy

import krdtheory
from krdtheory.arithmetic.exact import ExactMatrix, parts_array, rational_parts

GAUSSIAN = sympy.QQ_I(sympy.Rational(1, 3), sympy.Rational(2, 5))


@pytest.mark.parametrize(
    ("value", "re", "im"),
    [
        (3, 3, 0),
        (np.int64(-4), -4, 0),
        (10**40 + 1, 10**40 + 1, 0),
        (0.1, Fraction(0.1), 0),  # the double, not the decimal
        (np.float32(0.1), Fraction(float(np.float32(0.1))), 0),
        (5e-324, Fraction(5e-324), 0),
        (Fraction(1, 3), Fraction(1, 3), 0),
        ("1/3", Fraction(1, 3), 0),
        ("0.1", Fraction(1, 10), 0),
        ("-1e-40", Fraction(-1, 10**40), 0),
        (Decimal("0.1"), Fraction(1, 10), 0),
        (sympy.Rational(2, 7), Fraction(2, 7), 0),
        (sympy.Integer(5), 5, 0),
        (sympy.sqrt(2) ** 2 / 4, Fraction(1, 2), 0),
        (sympy.I / 4 + 1, 1, Fraction(1, 4)),
        (flint.fmpq(3, 8), Fraction(3, 8), 0),
        (flint.fmpz(-2), -2, 0),
        (mpmath.mpf("0.375"), Fraction(3, 8), 0),
        (mpmath.mpf(0), 0, 0),
        (-(mpmath.mpf(2) ** -500), -Fraction(1, 2**500), 0),
        (mpmath.mpc(0.5, -0.25), Fraction(1, 2), Fraction(-1, 4)),
        (0.5 - 0.75j, Fraction(1, 2), Fraction(-3, 4)),
        (np.complex64(0.5j), 0, Fraction(1, 2)),
        (GAUSSIAN, Fraction(1, 3), Fraction(2, 5)),
    ],
)
def test_rational_numbers(value, re, im):
    x, y = rational_parts(value)
    assert (Fraction(int(x.p), int(x.q)), Fraction(int(y.p), int(y.q))) == (re, im)


@pytest.mark.parametrize("value", [sympy.sqrt(2), sympy.pi, sympy.exp(1) * sympy.I, sympy.sqrt(3) - sympy.I])
def test_irrational_numbers(value):
    assert rational_parts(value) is None


@pytest.mark.parametrize("value", [np.nan, np.inf, "nan", "inf", "abc", "1/0", Decimal("Infinity"), mpmath.inf, 1e400j])
def test_not_finite(value):
    with pytest.raises(ValueError, match="not"):
        rational_parts(value)


@pytest.mark.parametrize("value", [True, np.True_, None, object(), [1], sympy.Symbol("x"), b"1"])
def test_not_numbers(value):
    with pytest.raises(TypeError, match="not a number"):
        rational_parts(value)


def test_parts_array_names_the_argument():
    with pytest.raises(ValueError, match="rho must be finite; got nan"):
        parts_array([[1, np.nan]], "rho")
    with pytest.raises(TypeError, match="sigma"):
        parts_array([[1, None]], "sigma")
    entries, parts = parts_array([["1/2", sympy.sqrt(2)]], "rho")
    assert entries.shape == parts.shape == (1, 2) and parts[0, 1] is None


def exact(matrix):
    return ExactMatrix.of(parts_array(matrix, "matrix")[1].tolist())


@pytest.mark.parametrize("seed", range(12))
def test_ranks_against_sympy(seed):
    rng = np.random.default_rng(seed)
    n, r, s = rng.integers(1, 5, 3)
    complex_ = 1j if seed % 2 else 0
    x = rng.integers(-2, 3, (n, r)) + complex_ * rng.integers(-2, 3, (n, r))
    y = rng.integers(-2, 3, (n, s)) + (seed % 3 > 0) * complex_ * rng.integers(-2, 3, (n, s))
    a, b = x @ x.conj().T, y @ y.conj().T

    def rank(matrix):
        return sympy.Matrix(
            [[int(v.real) + int(v.imag) * sympy.I for v in row] for row in np.asarray(matrix, dtype=complex)]
        ).rank(simplify=True)

    assert exact(a.tolist()).rank() == rank(a)
    assert exact(a.tolist()).rank_of_product(exact(b.tolist())) == rank(a @ b)
    assert exact(a.tolist()).rank_beside(exact(b.tolist())) == rank(np.hstack([a, b]))


def test_ranks_that_floats_do_not_show():
    tiny = Fraction(1, 10**200)
    one = [[Fraction(1, 3), Fraction(1, 3)], [Fraction(1, 3), Fraction(1, 3)]]
    two = [[Fraction(1, 3), Fraction(1, 3)], [Fraction(1, 3), Fraction(1, 3) + tiny]]
    assert exact(one).rank() == 1 and exact(two).rank() == 2
    assert exact(one).rank_beside(exact(two)) == 2
    # orthogonal: (1, -1) and (1, 1)
    assert exact(one).rank_of_product(exact([[1, -1], [-1, 1]])) == 0
    assert exact([[1, "1/2"], ["1/2", "1/4"]]).rank() == 1
    assert exact([[1, 1j], [-1j, 1]]).rank() == 1
    assert exact([[1, 1j], [-1j, 1]]).rank_of_product(exact([[1, -1j], [1j, 1]])) == 0


@pytest.mark.parametrize(
    ("text", "real", "imaginary"),
    [
        ("-3/11-3*I/11", Fraction(-3, 11), Fraction(-3, 11)),
        ("1/2+1/3*I", Fraction(1, 2), Fraction(1, 3)),
        ("-I", 0, -1),
        ("2*I", 0, 2),
        ("-0.5 - 1e-2j", Fraction(-1, 2), Fraction(-1, 100)),
        ("1e-2", Fraction(1, 100), 0),
    ],
)
def test_complex_strings(text, real, imaginary):
    """As printed in outcomes of a verification, and by Python."""
    found = rational_parts(text)
    assert tuple(Fraction(int(x.p), int(x.q)) for x in found) == (real, imaginary)


@pytest.mark.parametrize("text", ["I*I", "1+", "1//2", "", "i1"])
def test_strings_that_are_not_numbers(text):
    with pytest.raises(ValueError, match="is not a finite decimal or fraction"):
        rational_parts(text)


def test_complex_sympy_numbers_are_exact():
    """sympy's products have the attributes of mpmath numbers with 15 digits, which must not be taken for the value."""
    third = sympy.I / 3
    rho = [[sympy.Rational(1, 2), -third], [third, sympy.Rational(1, 2)]]
    found = krdtheory.mp.sandwiched_renyi(rho, [["1/2", 0], [0, "1/2"]], 2, digits=30)
    with mpmath.workdps(30):
        assert mpmath.almosteq(found, mpmath.log(mpmath.mpf(13) / 9), mpmath.mpf(10) ** -28)


@pytest.mark.parametrize(
    "value",
    ["1e100000000", "1e-100000000", "2+1e99999999*I", "1E+1000001", Decimal("1e99999999"), mpmath.ldexp(1, 10**9)],
)
def test_exponents_that_would_take_long(value):
    with pytest.raises(ValueError, match="exponent beyond"):
        rational_parts(value)


def test_large_exponents():
    assert rational_parts("1e1000000")[0] == flint.fmpq(10) ** 1000000
    assert rational_parts("1e-0000000002")[0] == flint.fmpq(1, 100)
