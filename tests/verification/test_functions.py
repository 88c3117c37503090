"""Claims on real functions of letters: true ones are proved, and nearly true ones are not."""

import numpy as np
import pytest
import sympy
from sympy import Abs, Symbol, exp

from verification.claim import Claim
from verification.instances import Distributions, Events, Fraction01, Functions, Order
from verification.proof import ProofError
from verification.provers.convexity import power_of_sum
from verification.provers.derivation import derive
from verification.provers.kernel import at_most, modulus
from verification.provers.scalars import seen_nonnegative
from verification.provers.symbols import Case, Total, within

ONE = {"p": Distributions(1), "h": Functions()}
TWO = {"p": Distributions(1, dim=2), "q": Distributions(1), "h": Functions(dim=2), "g": Functions()}


def mean(p, h):
    return (p * h).sum(-1)


def outer(x, y):
    return (x[:, :, None] * y[:, None, :]).reshape(1, -1)


def sums(x, y):
    return (x[:, :, None] + y[:, None, :]).reshape(1, -1)


def positive_part(k, p, h):
    """Return log E h - log E |h|, where E h > 0."""
    top, norm = mean(p[0], h[:, 0]), mean(p[0], abs(h[:, 0]))
    value = k.log(np.where(top > 0, top, 0 * top + 1)) - k.log(norm)
    return np.where(top > 0, value, 0 * top)


LETTERS = {
    "E h <= E |h|": (ONE, lambda k, p, h: (mean(p[0], h[:, 0]), mean(p[0], abs(h[:, 0])))),
    "0 <= E h^2": (ONE, lambda k, p, h: (0 * mean(p[0], h[:, 0]), mean(p[0], h[:, 0] * h[:, 0]))),
    "0 <= E |h|^alpha": (
        {**ONE, "alpha": Order(1)},
        lambda k, p, h, alpha: (0 * alpha, mean(p[0], k.power(abs(h[:, 0]), alpha[:, None]))),
    ),
    "0 < E e^h": (ONE, lambda k, p, h: (0 * mean(p[0], h[:, 0]), 1 / mean(p[0], k.exp(h[:, 0])))),
    "E (h + g) = E h + E g": (
        TWO,
        lambda k, p, q, h, g: (
            mean(outer(p[0], q[0]), sums(h[:, 0], g[:, 0])),
            mean(p[0], h[:, 0]) + mean(q[0], g[:, 0]),
        ),
    ),
    "E e^(h + g) = E e^h E e^g": (
        TWO,
        lambda k, p, q, h, g: (
            mean(outer(p[0], q[0]), k.exp(sums(h[:, 0], g[:, 0]))),
            mean(p[0], k.exp(h[:, 0])) * mean(q[0], k.exp(g[:, 0])),
        ),
    ),
}
FALSE = {
    "E |h| <= E h": (ONE, lambda k, p, h: (mean(p[0], abs(h[:, 0])), mean(p[0], h[:, 0]))),
    "0 <= E h": (ONE, lambda k, p, h: (0 * mean(p[0], h[:, 0]), mean(p[0], h[:, 0]))),
    "0 <= E h^3": (ONE, lambda k, p, h: (0 * mean(p[0], h[:, 0]), mean(p[0], h[:, 0] * h[:, 0] * h[:, 0]))),
    "E h^2 <= (E h)^2": (
        ONE,
        lambda k, p, h: (mean(p[0], h[:, 0] * h[:, 0]), mean(p[0], h[:, 0]) * mean(p[0], h[:, 0])),
    ),
    "1 / E |h| exists": (ONE, lambda k, p, h: (0 * mean(p[0], h[:, 0]), 1 / mean(p[0], abs(h[:, 0])))),
    "-log E |h| <= 1 + E h^2": (
        ONE,
        lambda k, p, h: (-k.log(mean(p[0], abs(h[:, 0]))), 1 + mean(p[0], h[:, 0] ** 2)),
    ),
    "0 <= log E h - log E |h|": (ONE, lambda k, p, h: (0 * mean(p[0], h[:, 0]), positive_part(k, p, h))),
    "E h t = E h E t, not independent": (
        {**ONE, "t": Events()},
        lambda k, p, h, t: (mean(p[0], h[:, 0] * t[:, 0]), mean(p[0], h[:, 0]) * mean(p[0], t[:, 0])),
    ),
    "E e^(h + g) <= E e^h E e^g, not independent": (
        {"p": Distributions(1), "h": Functions(2)},
        lambda k, p, h: (
            mean(p[0], k.exp(h[:, 0] + h[:, 1])),
            mean(p[0], k.exp(h[:, 0])) * mean(p[0], k.exp(h[:, 1])),
        ),
    ),
    "E (h + g) <= E h + 2 E g": (
        TWO,
        lambda k, p, q, h, g: (
            mean(outer(p[0], q[0]), sums(h[:, 0], g[:, 0])),
            mean(p[0], h[:, 0]) + 2 * mean(q[0], g[:, 0]),
        ),
    ),
    "t E |h| <= E h": (
        {**ONE, "t": Fraction01()},
        lambda k, p, h, t: (t * mean(p[0], abs(h[:, 0])), mean(p[0], h[:, 0])),
    ),
}


def derived(given, sides, relation="<="):
    claim = Claim("own.test", "test", "test", given, sides, relation)
    return derive(claim, lambda g: g.obvious or g.pointwise())


@pytest.mark.parametrize(("given", "sides"), LETTERS.values(), ids=LETTERS)
def test_functions_of_letters(given, sides):
    assert derived(given, sides).inequalities > 0


@pytest.mark.parametrize(("given", "sides"), FALSE.values(), ids=FALSE)
def test_functions_of_letters_false(given, sides):
    with pytest.raises(ProofError):
        derived(given, sides)


def test_a_sum_is_positive_by_its_weight():
    w, at, h = Symbol("w0", nonnegative=True), Symbol("letters_"), Symbol("h0", real=True)
    for known in (True, False, True):
        case = Case()
        case.alphabets = {w: frozenset([at]), h: frozenset([at])}
        if known:
            case.masses[w, at] = 1
        with within(case):
            assert seen_nonnegative(Total(w * exp(h), at), strict=True) is known
            assert not seen_nonnegative(Total(w * Abs(h), at), strict=True)
            assert not seen_nonnegative(Total(w * h, at))


def test_modulus():
    x, b = Symbol("x", nonnegative=True), Symbol("b", nonnegative=True)
    case = Case()
    above, below = at_most(case, x, x + b), at_most(case, -x, x + b)
    assert modulus(above, below).lhs == Abs(x)
    for one, other in ((above, at_most(case, -x, x + 2 * b)), (above, at_most(case, -2 * x, x + b)), (above, above)):
        with pytest.raises(ProofError):
            modulus(one, other)


def test_power_of_sum():
    v, at, r = Symbol("v0", real=True), Symbol("letters_"), Symbol("r", positive=True)
    case = Case()
    case.alphabets[v] = frozenset([at])
    shown = power_of_sum(case, Abs(v), 1 + r, at)
    with within(case):
        assert shown.rhs == Total(Abs(v), at) ** (1 + r)
    for f, power in (
        (v, 2),
        (Abs(v) - 1, 2),
        (Abs(v), r),
        (Abs(v), sympy.Rational(1, 2)),
        (v**2, -1),
        (1 / v**2, 2),
        (r, 2),
    ):
        with pytest.raises(ProofError):
            power_of_sum(case, f, power, at)
