"""Series and data frames of pandas are accepted instead of arrays, and their labels are checked."""

import numpy as np
import pandas as pd
import pytest

import krdtheory
from krdtheory import ball, kernels, mp
from krdtheory.audit import audit, audit_one_run
from krdtheory.divergences.restricted import Polynomials
from krdtheory.privacy import composition, conversions
from krdtheory.privacy.notions import PureDP

P, Q = pd.Series([0.5, 0.3, 0.2], list("abc")), pd.Series([0.2, 0.2, 0.6], list("abc"))
OTHER = Q[["c", "b", "a"]]  # the same distribution, in another order
RHO, SIGMA = (pd.DataFrame(np.diag(x), list("abc"), list("abc")) for x in (P, Q))
X, Y = (pd.DataFrame(np.random.default_rng(k).normal(k, 1, (40, 2)), columns=["u", "v"]) for k in (0, 1))
KERNEL = {"alpha": 2, "regularization": 0.1, "bandwidth": 1}
SYSTEMS = [krdtheory, mp, ball]
WEIGHTS = {
    "renyi": lambda k, p, q: k.renyi(p, q, 2),
    "kl": lambda k, p, q: k.kl(p, q),
    "hockey_stick": lambda k, p, q: k.hockey_stick(p, q, 0.1),
    "f_divergence": lambda k, p, q: k.f_divergence(p, q, "hellinger") if k is ball else k.hellinger(p, q),
    "k_cut": lambda k, p, q: k.k_cut(p, q, k.kl, 2),
    "smooth_renyi": lambda k, p, q: k.smooth_renyi(p, q, 2, delta=0.1),
    "restricted_renyi": lambda k, p, q: k.restricted_renyi(p, q, 2, Polynomials(1), points=range(3)),
}


def arrays(*values):
    return [v.to_numpy() if hasattr(v, "to_numpy") else v for v in values]


def same(found, expected):
    return np.array_equal(np.asarray(found, float), np.asarray(expected, float))


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("call", WEIGHTS.values(), ids=WEIGHTS)
def test_weights(system, call):
    assert same(call(system, P, Q), call(system, *arrays(P, Q)))
    assert same(call(system, P, Q.to_numpy()), call(system, *arrays(P, Q)))
    with pytest.raises(ValueError, match=r"p and q must have the same labels .* got \[a, b, c\] and \[c, b, a\]"):
        call(system, P, OTHER)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_batch_has_a_row_each(system):
    table, other = pd.DataFrame([P, Q]), pd.DataFrame([Q, P])
    assert same(system.renyi(table, other, 2), system.renyi(*arrays(table, other), 2))
    with pytest.raises(ValueError, match="p and q must have the same labels"):
        system.renyi(table, other[["b", "a", "c"]], 2)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("name", ["sandwiched_renyi", "petz_renyi", "trace_distance"])
def test_matrices(system, name):
    order = () if name == "trace_distance" else (2,)
    function = getattr(system, name)
    assert same(function(RHO, SIGMA, *order), function(*arrays(RHO, SIGMA), *order))
    with pytest.raises(ValueError, match="rho and sigma must have the same labels"):
        function(RHO, SIGMA.iloc[::-1, ::-1], *order)


@pytest.mark.parametrize("kernel_renyi", [kernels.kernel_renyi, mp.kernel_renyi, ball.kernel_renyi])
def test_weighted_points(kernel_renyi):
    p, q = (
        pd.DataFrame({"u": [0, 1, 2], "v": [3, 4, 5]}, list("abc")),
        pd.DataFrame({"u": [0, 1, 3], "v": 3}, list("abc")),
    )
    expected = kernel_renyi(*arrays(p, P, q, Q), **KERNEL)
    assert same(kernel_renyi(p, P, q, Q, **KERNEL), expected)
    for given, words in (
        ((p, P, q[["v", "u"]], Q), "p_points and q_points"),
        ((p, P, q, OTHER), "q_points and q_weights"),
    ):
        with pytest.raises(ValueError, match=f"{words} must have the same labels"):
            kernel_renyi(*given, **KERNEL)


def test_samples():
    estimate = kernels.kernel_renyi_estimate
    assert same(estimate(X, Y.iloc[5:], **KERNEL), estimate(X.to_numpy(), Y.iloc[5:].to_numpy(), **KERNEL))
    assert same(estimate(X.u, Y.u, **KERNEL), estimate(X.u.to_numpy(), Y.u.to_numpy(), **KERNEL))
    swapped = Y[["v", "u"]]
    for call in (
        lambda: estimate(X, swapped, **KERNEL),
        lambda: kernels.median_bandwidth(X, swapped),
        lambda: kernels.Kernel("rbf", 1).gram(X, swapped),
    ):
        with pytest.raises(ValueError, match=r"x and y must have the same labels .* got \[u, v\] and \[v, u\]"):
            call()


@pytest.mark.slow
def test_audits():
    """Columns in another order would distinguish any two inputs."""
    found, same_found = (audit(*given, PureDP(epsilon=1), scores="value", rng=0) for given in ((X, Y), arrays(X, Y)))
    assert found.epsilon_lower == same_found.epsilon_lower
    for other in (Y[["v", "u"]], Y.rename(columns={"v": "w"})):
        with pytest.raises(ValueError, match="x and y must have the same columns in the same order; got u, v and"):
            audit(X, other, PureDP(epsilon=1), rng=0)
    canaries = pd.DataFrame({"score": X.u, "in": X.u > 0})
    assert audit_one_run(canaries.score, canaries["in"], PureDP(epsilon=1), rng=0).rejected
    with pytest.raises(ValueError, match="scores and included must have the same labels"):
        audit_one_run(canaries.score.sort_values(), canaries["in"], PureDP(epsilon=1), rng=0)


def test_columns_of_parameters():
    table = pd.DataFrame({"alpha": [2.0, 3.0], "epsilon": [0.1, 0.2]}, index=["x", "y"])
    given = {name: column.to_numpy() for name, column in table.items()}
    assert same(
        conversions.rdp_to_approximate_dp(**table, delta=1e-5), conversions.rdp_to_approximate_dp(**given, delta=1e-5)
    )
    expected = composition.optimal_composition(epsilon=[0.1, 0.2], delta=0, k=2, total_delta=1e-5)
    assert same(composition.optimal_composition(epsilon=table.epsilon, delta=0, k=2, total_delta=1e-5), expected)
