"""Enclosures of expressions at points, compared with the evaluation by sympy with 60 digits."""

import pytest
import sympy
from flint import arb, ctx, fmpq
from sympy import Abs, Max, Min, Piecewise, Rational, Symbol, cosh, coth, exp, log, pi, sech, sinh, sqrt, tanh

from verification.proof import ProofError
from verification.provers.enclosures import TooWide, enclosure
from verification.provers.scalars import value

x, y = Symbol("x", positive=True), Symbol("y", real=True)
AT = {x: Rational(37, 16), y: Rational(-5, 64)}
EXPRESSIONS = [
    x**3 - y / x**2 + pi,
    exp(y) * log(x) + sqrt(x) + x ** Rational(-3, 2),
    x**y + sympy.E ** (x * y) - 2**x,
    sinh(y) + cosh(x) - tanh(y) * sech(x) + coth(x),
    Max(x, 2, -y) - Min(y, x - 3, 7),
    Abs(y - x) + Abs(y),
    Piecewise((x, y > 0), (2 * x, True)) + Piecewise((x, y < 0), (2 * x, True)),
    Piecewise((x, x >= 3), (y, y <= 0), (1, True)),
    (exp(x / 10**30) - 1 - x / 10**30) * 10**60,
]


@pytest.mark.parametrize("e", EXPRESSIONS, ids=str)
def test_values(e):
    digits = sympy.N(e.xreplace(AT), 60)
    with ctx.workprec(400):
        balls = enclosure(e, {s: arb(fmpq(int(v.p), int(v.q))) for s, v in AT.items()}), value(e, AT)
        for found in balls:
            assert abs(found - arb(str(digits))) < abs(found) * arb("1e-50")
            assert not abs(found - arb(str(digits)) * (1 + arb("1e-49"))) < abs(found) * arb("1e-50")


def test_undecided_values():
    assert value(log(y), AT) is None
    assert value(sqrt(y) ** 2 + x, AT) == value(x + y, AT)  # an intermediate value is complex
    assert value(sympy.zeta(x), AT) is not None  # only by sympy
    with pytest.raises(ProofError, match="zeta"):
        enclosure(sympy.zeta(x), {x: arb(2)})
    with pytest.raises(ProofError, match="no range"):
        enclosure(x + y, {x: arb(2)})
    with pytest.raises(TooWide):
        enclosure(Piecewise((x, x > 2), (0, True)), {x: arb(2, 1)})


def test_enclosures_are_as_narrow_as_requested():
    for bits in (64, 400):
        with ctx.workprec(bits):
            assert enclosure(log(sympy.Integer(2)) + pi, {}).rad() < arb(2) ** (8 - bits)
