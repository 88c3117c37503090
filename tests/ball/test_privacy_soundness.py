"""Certified conversions and compositions compared with known answers; every step is needed.

The instances are those of ``benchmarks/ball_privacy.py``, which runs more: literal definitions in mpmath.
"""

import importlib.util
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from flint import arb

from krdtheory.ball import best_order, composition, conversions, monotone, optimal_conversion
from krdtheory.ball.inputs import rational

_path = Path(__file__).parents[2] / "benchmarks" / "ball_privacy.py"
_spec = importlib.util.spec_from_file_location("ball_privacy_benchmark", _path)
bench = importlib.util.module_from_spec(_spec)
sys.modules["ball_privacy_benchmark"] = bench
_spec.loader.exec_module(bench)

INSTANCES = 450


@pytest.mark.slow
def test_enclosures_contain_the_value():
    """There are no misses, all values are certified, and half the errors exceed 1/20 of their radius."""
    found = list(bench.soundness(INSTANCES, seed=0))
    assert all(one.ratio <= 1 for one in found)  # false for NaN
    for low, high in ((2, 15), (25, 60)):
        assert np.median([one.ratio for one in found if low <= one.digits <= high and not one.balls]) > 1 / 20


def unproved(f, x, end, step):
    return x


def middle(self, x, side):
    return rational(x.mid()) if isinstance(x, arb) else x


def rising(value, name, allowed, sign=1):
    return monotone.argument(value, name, allowed, 1)


def one_sided(f, *args):
    return f(*args[:3])


MUTANTS = {
    "no certificate": [(optimal_conversion, "interval", lambda low, high: low)],
    "a sign that is not proved": [(monotone, "_beside", unproved)],
    "the slope of the region": [(optimal_conversion.Order, "weight", lambda self, h: arb(1) / 2)],
    "the certificate's gain": [(optimal_conversion.Order, "gain", lambda self, y: self.growth(self.rho + y))],
    "only one order of P and Q": [
        (conversions, "epsilon_at", partial(one_sided, optimal_conversion.epsilon_at)),
        (conversions, "delta_at", partial(one_sided, optimal_conversion.delta_at)),
    ],
    "randomised response": [(optimal_conversion.Order, "response", lambda self: self.rho)],
    "balls by their centres": [(monotone.Range, "corner", middle)],
    "every argument raises the value": [
        (conversions, "argument", rising),
        (composition, "argument", rising),
    ],
    "no lower bound over orders": [(best_order, "interval", lambda low, high: high)],
    "a wrong moment": [(best_order.Concentrated, "moment", lambda self, a: (a - 1) * (a * self.slope))],
    "one event late": [(composition.Binomial, "event", lambda self, x: int((x / self.epsilon + self.k) / 2) + 2)],
    "nothing is revealed": [(composition, "_left", lambda delta, k, total: arb(total))],
    "revealed twice": [(composition, "_with_revealed", lambda log, delta: delta - 2 * log.expm1())],
    "sums of both halves alike": [(composition.Sums, "event", lambda self, x: (0,) * len(self.first))],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_every_step_is_noticed(name, monkeypatch):
    """Without a step, one of the same instances misses its value, or is not certified."""
    for owner, attribute, broken in MUTANTS[name]:
        monkeypatch.setattr(owner, attribute, broken)
    assert any(not bench.outcome(i).ratio <= 1 for i in range(INSTANCES))
