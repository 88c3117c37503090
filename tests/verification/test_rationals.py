"""The vocabulary over exact rationals, compared with explicit sums."""

from fractions import Fraction as F

import numpy as np

from verification.rationals import LogOf, RationalVocabulary

k = RationalVocabulary()
p = np.array([[F(1, 2), F(1, 3), F(1, 6)]], dtype=object)
q = np.array([[F(1, 5), F(2, 5), F(2, 5)]], dtype=object)


def test_rational_values():
    epsilon = k.log(np.array([F(8, 7)], dtype=object))
    assert isinstance(epsilon[0], LogOf) and k.exp(epsilon)[0] == F(8, 7)
    assert k.hockey_stick(p, q, epsilon)[0] == F(1, 2) - F(8, 35)
    assert k.total_variation(p, q)[0] == F(3, 10)
    assert k.maximum(p, q)[0].tolist() == [F(1, 2), F(2, 5), F(2, 5)]
