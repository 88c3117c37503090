"""Table 1 of the capacity-bounded paper, compared with exact restricted divergences."""

import math

import pytest

from krdtheory.arithmetic import MP
from krdtheory.divergences.restricted import Affine, GaussianDistribution, LaplaceDistribution, restricted_renyi
from verification.table1 import table1


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [1.2, 2, 2.5, 4, 12])
@pytest.mark.parametrize("scale", [0.1, 0.5, 1, 3])
def test_table_brackets_the_exact_values(alpha, scale):
    """In one dimension, and for the Gaussian in two, which a rotation reduces to one."""
    rows = table1(epsilon=scale, sigma=1 / scale, alpha=alpha, v=(0.6, 0.8))
    laplace = restricted_renyi(LaplaceDistribution(0), LaplaceDistribution(scale), alpha, Affine())
    gaussian = restricted_renyi(GaussianDistribution(0), GaussianDistribution(scale), alpha, Affine())
    for row, exact in ((rows[2], laplace), (rows[3], gaussian), (rows[5], gaussian)):
        assert row.linear_lower <= exact + 1e-14 and exact <= row.linear_upper + 1e-14
        assert exact <= row.unrestricted + 1e-14
        assert row.printed_holds is not True or exact <= row.printed_linear + 1e-14
        assert row.printed_holds is not False or exact > row.printed_linear
        assert alpha > 2 or row.printed_holds


def test_table_as_printed():
    rows = table1(epsilon=0.1, sigma=3, alpha=4, v=(1, 0))
    values = [float(r.printed_linear) for r in rows]
    assert values[2] == pytest.approx(0.00026656005685477738634, rel=1e-12)
    assert values[3] == pytest.approx(0.059225715220188369077, rel=1e-12)
    assert values[4] == pytest.approx(0.0021265356546796754049, rel=1e-12)
    assert rows[2].linear_lower == pytest.approx(0.0033250276740260490747, rel=1e-12)
    assert rows[3].linear_lower == pytest.approx(0.0702403437718842, rel=1e-12)
    assert rows[2].unrestricted == pytest.approx(0.0189912149633842, rel=1e-12)
    assert [r.printed_holds for r in rows] == [True, True, False, False, False, True]  # exact: 0.1454 < log(2.56) / 3
    wide = table1(epsilon=1, sigma=1, alpha=3, v=(1, 1))
    assert wide[4].printed_linear == pytest.approx(math.log(33) / 2, rel=1e-13)
    assert wide[4].unrestricted == pytest.approx(2 * wide[2].unrestricted, rel=1e-14)
    high = table1(epsilon="1/10", alpha=4, arithmetic=MP(30))
    assert float(high[2].printed_linear) == pytest.approx(values[2], rel=1e-14)
    assert float(high[2].linear_upper) == pytest.approx(rows[2].linear_upper, rel=1e-13)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"epsilon": 0}, "epsilon must be positive"),
        ({"sigma": [1, 2]}, "sigma must be one number"),
        ({"alpha": 1}, "alpha must be in"),
        ({"v": [0, 0]}, "v must be a vector that is not zero"),
    ],
)
def test_bad_input(arguments, words):
    with pytest.raises((TypeError, ValueError), match=words):
        table1(**arguments)
