"""The types that users see: `mypy --strict` accepts this file, and needs each of its `type: ignore`."""

from typing import assert_type

import numpy as np
from numpy.typing import NDArray

import krdtheory
from krdtheory.divergences.restricted import (
    Affine,
    LaplaceDistribution,
    RestrictedSolution,
    restricted_kl,
    restricted_renyi,
    restricted_solution,
)
from krdtheory.kernels import kernel_renyi_estimate
from krdtheory.privacy.composition import heterogeneous_composition, optimal_composition
from krdtheory.privacy.conversions import rdp_to_approximate_dp
from krdtheory.privacy.mechanisms import Gaussian
from krdtheory.privacy.notions import PureDP

Floats = float | NDArray[np.float64]

p, q = [0.5, 0.5], np.array([0.25, 0.75])
assert_type(krdtheory.renyi(p, q, [0.5, 2]), Floats)
assert_type(krdtheory.sandwiched_renyi(np.eye(2), np.eye(2), 2, regularization=0.1), Floats)
assert_type(krdtheory.smooth_renyi(p, q, 2, delta=0.1), Floats)
assert_type(krdtheory.optimal_smoothing(p, q, delta=0.1), NDArray[np.float64])
assert_type(kernel_renyi_estimate(p, q, alpha=2, regularization=0.1), Floats)
assert_type(kernel_renyi_estimate(p, q, alpha=2, regularization=0.1, return_error=True), tuple[Floats, Floats])
assert_type(rdp_to_approximate_dp(alpha=2, epsilon=1, delta=1e-5), Floats)
assert_type(optimal_composition(epsilon=1, delta=0, k=[2, 3], total_delta=0.1), Floats)
assert_type(heterogeneous_composition(epsilon=p, delta=0, total_delta=0.1), NDArray[np.float64])
assert_type(Gaussian(scale=1, sensitivity=1).privacy_profile([0, 1]), Floats)
assert_type(PureDP(epsilon=1).divergence(p, q), Floats)
assert_type(restricted_renyi(p, q, 2, Affine()), float)
assert_type(restricted_kl(LaplaceDistribution(), LaplaceDistribution(1, scale=2), Affine(np.square)), float)
solution = restricted_solution(p, q, Affine([[0.0], [1.0]]), alpha=2)
assert_type(solution, RestrictedSolution)
assert_type(solution.gap, float)

krdtheory.renyy  # type: ignore[attr-defined]  # noqa: B018
krdtheory.renyi(object(), q, 2)  # type: ignore[arg-type]
krdtheory.renyi(p, q)  # type: ignore[call-arg]
restricted_kl(p, q, "affine")  # type: ignore[arg-type]
restricted_kl(p, object(), Affine())  # type: ignore[arg-type]
rdp_to_approximate_dp(2, 1, 1e-5)  # type: ignore[call-arg]
assert_type(krdtheory.renyi(p, q, 2), str)  # type: ignore[assert-type]
