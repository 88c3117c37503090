"""The operations that every number system provides, so that formulas do not depend on which one they run in."""

import mpmath
import numpy as np
import pytest

from krdtheory.arithmetic import FLOAT64, MP, Arithmetic

SYSTEMS = pytest.mark.parametrize("ar", [FLOAT64, MP(30)], ids=repr)


def near(ar, value, truth):
    with mpmath.workdps(60):
        return abs(mpmath.mpmathify(value) - truth) <= 8 * mpmath.mpf(float(ar.unit)) * abs(truth)


@SYSTEMS
def test_constants_and_functions(ar):
    with mpmath.workdps(60):
        assert near(ar, ar.pi, mpmath.pi) and near(ar, ar.power_of_ten(-7), mpmath.mpf(10) ** -7)
        assert near(ar, ar.log_gamma(ar.number(7) / 2), mpmath.log(15 * mpmath.sqrt(mpmath.pi) / 8))
        third = mpmath.mpf(1) / 3
    assert near(ar, ar.number(third), third) and not near(ar, ar.number(third) * (1 + 16 * ar.unit), third)
    assert ar.complex(ar.number(1), ar.number(2)) ** 2 == -3 + 4j
    assert ar.wide.digits >= 30 and abs(ar.wide.number(1) / 3 - third) < ar.wide.power_of_ten(-29)


@SYSTEMS
def test_a_unit_is_the_distance_to_the_next_number(ar):
    one = ar.number(1)
    assert one + ar.unit > one == one + ar.unit / 4
    assert one + ar.power_of_ten(-ar.digits) > one


@SYSTEMS
def test_linear_algebra(ar):
    matrix = ar.array([[2, 1], [1, 2]], "matrix").astype(ar.dtype)
    assert ar.solve(matrix, ar.array([4, 5], "right").astype(ar.dtype)).tolist() == [1, 2]
    values, vectors = ar.eigh(matrix)
    assert abs(values - [1, 3]).max() <= 8 * ar.unit
    assert abs(matrix @ vectors - vectors * values).max() <= 16 * ar.unit


@SYSTEMS
@pytest.mark.parametrize("shape", [(), (3,), (2, 3)])
def test_lift_is_undone(ar, shape):
    given = ar.array(np.ones(shape), "x")
    lifted = ar.lift(given)
    assert ar.shape(lifted) == shape
    assert np.shape(ar.lowered(lifted)) == shape and (ar.lowered(lifted) == given).all()


def test_a_number_system_must_have_every_primitive():
    class Incomplete(MP):
        log_gamma = Arithmetic.log_gamma

    with pytest.raises(TypeError, match="log_gamma"):
        Incomplete(20)
