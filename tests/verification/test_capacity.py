"""The integrals in the claims on Laplace and Gaussian distributions."""

import mpmath
import numpy as np
import pytest

from krdtheory.arithmetic import MP
from verification.claims import capacity
from verification.vocabulary import Vocabulary

K = Vocabulary(MP(30))
REAL = [-mpmath.inf, -4, 0, 1, 4, mpmath.inf]


def one(x):
    return np.array([mpmath.mpf(x)], dtype=object)


def laplace(x, mean=0):
    return mpmath.exp(-abs(x - mean)) / 2


def gaussian(x, mean, sigma):
    return mpmath.exp(-((x - mean) ** 2) / (2 * sigma**2)) / (sigma * mpmath.sqrt(2 * mpmath.pi))


def integral(f):
    return mpmath.quad(f, REAL)


def laws():
    p, q = laplace, lambda x: laplace(x, 1)
    n, m = (lambda x: gaussian(x, 0, 2)), (lambda x: gaussian(x, 1, 2))
    wide = lambda x: gaussian(x, 1, 3)  # noqa: E731
    a, s = mpmath.mpf(5) / 2, mpmath.mpf(1) / 3
    yield "laplace moment", capacity.laplace_moment(K, one(1), one(a)), lambda x: p(x) ** a * q(x) ** (1 - a)
    yield "laplace kl", capacity.laplace_divergence(K, one(1)), lambda x: p(x) * mpmath.log(p(x) / q(x))
    yield "laplace transform", capacity.laplace_transform(one(s)), lambda x: p(x) * mpmath.exp(s * x)
    yield "gaussian moment", capacity.gaussian_moment(K, one(1), one(2), one(a)), lambda x: n(x) ** a * m(x) ** (1 - a)
    yield (
        "gaussian kl",
        capacity.gaussian_divergence(K, one(1), one(3), one(2)),
        lambda x: wide(x) * mpmath.log(wide(x) / n(x)),
    )
    yield "gaussian transform", capacity.gaussian_transform(K, one(s), one(2)), lambda x: n(x) * mpmath.exp(s * x)


@pytest.mark.slow
@pytest.mark.parametrize(("value", "density"), [pytest.param(v, f, id=name) for name, v, f in laws()])
def test_closed_form_is_the_integral(value, density):
    assert abs(value[0] - integral(density)) < 1e-10
