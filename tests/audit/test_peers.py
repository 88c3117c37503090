"""Audits of OpenDP and diffprivlib by their public interfaces: true guarantees are not rejected, and faults are found.

Needs the extra `peers`. OpenDP takes no seed, so results vary between runs: the levels are such that the private
mechanisms here are rejected by chance less than once in 10 000 runs, and the faults are gross.
"""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from krdtheory.audit import audit_mechanism
from krdtheory.privacy.notions import ApproximateDP, PureDP, ZeroConcentratedDP

dp = pytest.importorskip("opendp.prelude")
mechanisms = pytest.importorskip("diffprivlib.mechanisms", exc_type=ImportError)
models = pytest.importorskip("diffprivlib.models", exc_type=ImportError)
dp.enable_features("contrib")

CONFIDENCE = 1 - 1e-6  # of each audit of a private mechanism
SCALAR = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)


def vector(distance):
    return dp.vector_domain(dp.atom_domain(T=float, nan=False), size=3), distance(T=float)


OPENDP = {
    "laplace": (dp.m.make_laplace(*SCALAR, scale=1.0), 0.0, 1.0, PureDP(epsilon=1)),
    "laplace, vector": (
        dp.m.make_laplace(*vector(dp.l1_distance), scale=1.0),
        [0.0, 0.0, 0.0],
        [0.5, -0.5, 0.0],
        PureDP(epsilon=1),
    ),
    "gaussian": (dp.m.make_gaussian(*SCALAR, scale=1.0), 0.0, 1.0, ZeroConcentratedDP(rho=0.5)),
    "gaussian, vector": (
        dp.m.make_gaussian(*vector(dp.l2_distance), scale=1.0),
        [0.0, 0.0, 0.0],
        [0.6, 0.0, 0.8],
        ZeroConcentratedDP(rho=0.5),
    ),
}


def releases(measurement):
    """Wrap a measurement of OpenDP, which is called only with the data."""
    return lambda data: measurement(data)


@pytest.mark.parametrize("name", OPENDP)
def test_opendp_satisfies_its_guarantees(name):
    measurement, d, d_prime, claim = OPENDP[name]
    bound = claim.bound
    distance = 1.0
    assert measurement.map(distance) == pytest.approx(bound)  # the guarantee is OpenDP's own
    found = audit_mechanism(releases(measurement), d, d_prime, claim, max_samples=600, confidence=CONFIDENCE)
    assert not found.rejected


@pytest.mark.parametrize("name", OPENDP)
def test_opendp_with_half_the_noise_is_caught(name):
    """The inputs are at twice the distance of the guarantee."""
    measurement, d, d_prime, claim = OPENDP[name]
    farther = np.subtract(np.multiply(2.0, d_prime), d).tolist()
    assert audit_mechanism(releases(measurement), d, farther, claim, max_samples=4000).rejected


@pytest.mark.parametrize(("d", "d_prime"), [(0.1, 1.1), (0.0, 1.0), (1 / 3, 4 / 3)])
def test_low_bits_of_opendp_reveal_nothing(d, d_prime):
    """Its noise is discrete, on a grid to which the input is rounded; textbook noise is rejected with 500 outputs."""
    measurement = dp.m.make_laplace(*SCALAR, scale=1.0)
    found = audit_mechanism(
        releases(measurement),
        d,
        d_prime,
        PureDP(epsilon=1),
        max_samples=1500,
        scores="low_bits",
        confidence=CONFIDENCE,
    )
    assert not found.rejected


DIFFPRIVLIB = {
    "laplace": (mechanisms.Laplace, {"epsilon": 1}, PureDP(epsilon=1)),
    "gaussian": (mechanisms.GaussianAnalytic, {"epsilon": 1, "delta": 0.01}, ApproximateDP(epsilon=1, delta=0.01)),
    "geometric": (mechanisms.Geometric, {"epsilon": 1}, PureDP(epsilon=1)),
}


def randomised(name, sensitivity):
    """Seed the generator in a mechanism of diffprivlib from that of the audit, for each batch."""
    kind, parameters, _ = DIFFPRIVLIB[name]

    def mechanism(data, size, rng):
        made = kind(sensitivity=sensitivity, random_state=int(rng.integers(2**31)), **parameters)
        return [made.randomise(data) for _ in range(size)]

    return mechanism


@pytest.mark.parametrize("name", DIFFPRIVLIB)
def test_diffprivlib_satisfies_its_guarantees(name):
    claim = DIFFPRIVLIB[name][2]
    found = audit_mechanism(randomised(name, 1), 0, 1, claim, max_samples=1500, confidence=CONFIDENCE)
    assert not found.rejected


@pytest.mark.parametrize("name", DIFFPRIVLIB)
def test_diffprivlib_with_a_wrong_sensitivity_is_caught(name):
    """The sensitivity is given as 1, but it is 3."""
    assert audit_mechanism(randomised(name, 1), 0, 3, DIFFPRIVLIB[name][2], max_samples=3000).rejected


@pytest.mark.parametrize("name", ["laplace", "gaussian"])
def test_low_bits_of_diffprivlib_reveal_the_input(name):
    """Its noise is combined from several draws, so that none can be recovered, but it is added in float64.

    So the precision of an output depends on the input (Haney, Desfontaines, Hartman, Shrestha and Hay 2022,
    Precision-based attacks).
    """
    found = audit_mechanism(
        randomised(name, 1), 0.1, 1.1, DIFFPRIVLIB[name][2], max_samples=4000, scores="low_bits", confidence=CONFIDENCE
    )
    assert found.rejected


X, Y = load_iris(return_X_y=True)
BOUNDS = X.min(0), X.max(0)


def naive_bayes(epsilon):
    """Return what a private Gaussian naive Bayes classifier publishes: counts, means and variances of every class."""

    def fit(data, rng):
        model = models.GaussianNB(epsilon=epsilon, bounds=BOUNDS, random_state=int(rng.integers(2**31)))
        model.fit(*data)
        return np.concatenate([model.class_count_, model.theta_.ravel(), model.var_.ravel()])

    return fit


def iris_without(row):
    return np.delete(X, row, axis=0), np.delete(Y, row)


def iris_with(row, values):
    changed = X.copy()
    changed[row] = values
    return changed, Y


def test_a_private_model_on_iris():
    """One flower is moved from one end of the bounds to the other: within the epsilon used for fitting."""
    d, d_prime = iris_with(70, BOUNDS[0]), iris_with(70, BOUNDS[1])
    found = audit_mechanism(
        naive_bayes(1.0), d, d_prime, PureDP(epsilon=1), max_samples=150, batch=150, confidence=CONFIDENCE
    )
    assert not found.rejected


def test_a_model_with_more_epsilon_than_claimed_is_caught():
    """The model is fitted with epsilon = 10, the claim is 0.5, and one flower is left out."""
    found = audit_mechanism(naive_bayes(10.0), (X, Y), iris_without(70), PureDP(epsilon=0.5), max_samples=400, batch=20)
    assert found.rejected
    assert 0.5 <= found.epsilon_lower <= 10
