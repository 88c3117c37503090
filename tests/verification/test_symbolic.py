"""The vocabularies of arguments by hand against sums written out in plain Python."""

import math
from fractions import Fraction as F

import numpy as np
import pytest
import sympy

from verification.symbolic import LogOf, RationalVocabulary, SymbolicVocabulary

P = (F(1, 2), F(1, 3), F(1, 6))
Q = (F(1, 5), F(2, 5), F(2, 5))
PAIRS = list(zip(map(float, P), map(float, Q), strict=True))
ALPHA, EPSILON = F(5, 2), F(1, 7)

k, exact = SymbolicVocabulary(), RationalVocabulary()


def row(weights, convert=sympy.Rational):
    return np.array([[convert(w.numerator) / w.denominator for w in weights]], dtype=object)


def number(x):
    return np.array([sympy.Rational(x.numerator, x.denominator)], dtype=object)


VALUES = {
    "renyi": (
        lambda: k.renyi(row(P), row(Q), number(ALPHA)),
        math.log(sum(x**2.5 * y**-1.5 for x, y in PAIRS)) / 1.5,
    ),
    "kl": (lambda: k.kl(row(P), row(Q)), sum(x * math.log(x / y) for x, y in PAIRS)),
    "total_variation": (lambda: k.total_variation(row(P), row(Q)), 0.3),
    "hellinger": (lambda: k.hellinger(row(P), row(Q)), 1 - sum(math.sqrt(x * y) for x, y in PAIRS)),
    "hockey_stick": (
        lambda: k.hockey_stick(row(P), row(Q), number(EPSILON)),
        sum(max(x - math.exp(1 / 7) * y, 0) for x, y in PAIRS),
    ),
    "gdp_to_rdp": (lambda: k.gdp_to_rdp(mu=number(F(2, 3)), alpha=number(ALPHA)), 5 / 9),
    "sandwiched_renyi": (
        lambda: k.sandwiched_renyi(row(P[:1])[..., None], row(Q[:1])[..., None], number(ALPHA), number(F(1, 3))),
        math.log(0.5 / (0.2 + 1 / 3)),
    ),
    "maximum": (lambda: k.maximum(number(F(1, 3)), number(F(1, 2))), 0.5),
    "minimum": (lambda: k.minimum(number(F(1, 3)), number(F(1, 2))), 1 / 3),
    "power": (lambda: k.power(number(F(1, 4)), number(F(3, 2))), 1 / 8),
    "log of exp of sqrt": (lambda: k.log(k.exp(k.sqrt(number(F(4, 9))))), 2 / 3),
}


@pytest.mark.parametrize("name", VALUES)
def test_symbolic_values(name):
    made, wanted = VALUES[name]
    (value,) = made()
    assert float(sympy.N(value, 30)) == pytest.approx(wanted, rel=1e-14)


def test_matrices_are_numbers():
    with pytest.raises(NotImplementedError, match="1 x 1"):
        k.sandwiched_renyi(np.ones((1, 2, 2)), np.ones((1, 2, 2)), number(ALPHA))


def test_rational_values():
    p, q = row(P, F), row(Q, F)
    epsilon = exact.log(np.array([F(8, 7)], dtype=object))
    assert isinstance(epsilon[0], LogOf) and exact.exp(epsilon)[0] == F(8, 7)
    assert exact.hockey_stick(p, q, epsilon)[0] == F(1, 2) - F(8, 35)
    assert exact.total_variation(p, q)[0] == F(3, 10)
    assert exact.power(p, np.array([[2, 0, -1]]))[0].tolist() == [F(1, 4), 1, 6]
    assert exact.maximum(p, q)[0].tolist() == [F(1, 2), F(2, 5), F(2, 5)]
    assert exact.minimum(p, q)[0].tolist() == [F(1, 5), F(1, 3), F(1, 6)]
