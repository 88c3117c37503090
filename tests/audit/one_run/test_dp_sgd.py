"""The DP-SGD example: its clipping compared with single gradients, and audits that find its bugs."""

import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

FOLDER = Path(__file__).parents[3] / "examples" / "dp_sgd"


@pytest.fixture(scope="module")
def example():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FOLDER))
        import experiments
        import training

        yield training, experiments
    for name in ("experiments", "training"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("hidden", [0, 5])
def test_gradients_are_those_of_finite_differences(example, hidden):
    training, _ = example
    rng = np.random.default_rng(0)
    x, y = rng.random((3, 7)), np.array([2, 9, 0])
    widths = [7, hidden, 10] if hidden else [7, 10]
    layers = [rng.normal(size=(a + 1, b)) for a, b in pairwise(widths)]
    inputs, back = training.errors(layers, x, y)
    for k, layer in enumerate(layers):
        for i in range(3):
            gradient = np.outer(inputs[k][i], back[k][i])
            for place in ((0, 0), (layer.shape[0] - 1, layer.shape[1] - 1), (2, 3)):
                step = np.zeros_like(layer)
                step[place] = 1e-6
                up, down = ([*layers[:k], layer + s * step, *layers[k + 1 :]] for s in (1, -1))
                slope = (training.losses(up, x, y)[i] - training.losses(down, x, y)[i]) / 2e-6
                assert gradient[place] == pytest.approx(slope, abs=1e-6)


def test_a_step_is_the_sum_of_clipped_gradients_one_by_one(example):
    training, _ = example
    rng = np.random.default_rng(1)
    x, y = rng.random((20, 6)) * 3, rng.integers(10, size=20)
    recipe = training.Recipe(rate=0.9, steps=1, sigma=1e-12, clip=0.7, learning_rate=2.0)
    run = training.train(x, y, recipe, np.random.default_rng(2))
    again = np.random.default_rng(2)
    start = again.normal(size=(7, 10)) / np.sqrt(7)
    again.normal(size=(7, 10))
    batch = np.flatnonzero(again.random(20) < 0.9)
    whole = np.zeros((7, 10))
    for i in batch:
        z = np.append(x[i], 1.0)
        p = np.exp(z @ start)
        gradient = np.outer(z, p / p.sum() - np.eye(10)[y[i]])
        whole += gradient * min(1, 0.7 / np.linalg.norm(gradient))
    assert run.layers[0] == pytest.approx(start - 2.0 * whole / 18, abs=1e-9)


@pytest.mark.slow
def test_the_right_code_is_not_rejected_and_faults_are(example):
    training, experiments = example
    recipe = training.Recipe(sigma=1.5)
    claim = experiments.accounted(recipe)
    right, accuracy, _ = experiments.audited(recipe, 400, 0)
    assert not right.rejected
    assert 0 <= right.epsilon_lower < claim.epsilon
    assert accuracy > 0.6
    for fault, changed in (
        ("noise not scaled by the clipping norm", {"clip": 8.0}),
        ("clipped by batch", {}),
        ("noise reused", {}),
        ("wrong sampling rate", {}),
    ):
        assert fault in training.FAULTS
        found, _, _ = experiments.audited(replace(recipe, fault=fault, **changed), 400, 0)
        assert found.rejected, fault
        assert found.epsilon_lower > claim.epsilon


def test_a_recipe_without_accounting_is_rejected(example):
    training, experiments = example
    with pytest.raises(ValueError, match=r"accounted\.json must have a row for rate = 0\.3"):
        experiments.accounted(training.Recipe(rate=0.3))
