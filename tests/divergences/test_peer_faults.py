"""Inputs for which other libraries return a wrong number, inf, NaN or an error, with their true values.

The true values are computed here with 50 digits from the definitions, for 2 x 2 matrices whose spectrum is known in
closed form. `r` is the state with <0|r|0> = 3/4 and coherence 1/5, with eigenvalues (10 +- sqrt(41)) / 20. The numbers
of other libraries are in bits, except the two entropies relative to diag(1 - x, x), which are in nats. None of these
libraries is needed.
"""

import mpmath
import numpy as np
import pytest
import scipy.special
import scipy.stats
from mpmath import mpf

import krdtheory as k

R = np.array([[0.75, 0.2], [0.2, 0.25]])
MIXED = np.eye(2) / 2
ZERO, ONE, PLUS = np.diag([1.0, 0.0]), np.diag([0.0, 1.0]), np.full((2, 2), 0.5)
LOG2 = np.log(2)
P, Q = [0.5, 0.3, 0.2], [0.2, 0.3, 0.5]


@pytest.fixture(autouse=True)
def fifty_digits():
    with mpmath.workdps(50):
        yield


def spectrum_of_r():
    """Return the spectrum of the doubles in R, as `mp` takes them, not of the decimals."""
    a, b, c = mpf(0.75), mpf(0.25), mpf(0.2)
    gap = mpmath.sqrt((a - b) ** 2 + 4 * c * c)
    return (a + b + gap) / 2, (a + b - gap) / 2


def entropy_of_r():
    return -sum(x * mpmath.log(x) for x in spectrum_of_r())


@pytest.mark.parametrize(("x", "published"), [(1e-13, 7.01), (1e-10, 5.29)])
def test_small_eigenvalues_are_not_zero(x, published):
    """QuTiP's entropy_relative gives inf at 1e-13, toqito's quantum_relative_entropy an error at 1e-10."""
    truth = -entropy_of_r() - mpf(0.75) * mpmath.log(mpf(1 - x)) - mpf(0.25) * mpmath.log(mpf(x))
    assert abs(truth - published) < 0.005
    value = k.quantum_relative_entropy(R, np.diag([1 - x, x]))
    assert value == pytest.approx(float(truth), rel=1e-14)
    assert abs(k.mp.quantum_relative_entropy(R, np.diag([1 - x, x]), digits=40) - truth) < mpf(10) ** -38


def test_other_bases_are_obtained_by_division():
    """QuTiP rejects base 10."""
    truth = (mpmath.log(2) - entropy_of_r()) / mpmath.log(10)
    assert k.quantum_relative_entropy(R, MIXED) / np.log(10) == pytest.approx(float(truth), rel=1e-14)


@pytest.mark.parametrize("f", [k.sandwiched_renyi, k.petz_renyi, k.maximal_renyi])
@pytest.mark.parametrize(("alpha", "published"), [(1, 0.679735), (1 + 1e-12, 0.679735), (5000, 0.286), (np.inf, 0.286)])
def test_conditional_entropy_near_one_and_at_infinity(f, alpha, published):
    """toqito's sandwiched_renyi_conditional_entropy: 0.679867 at 1 + 1e-12, inf at 5000, LinAlgError at inf."""
    big, small = spectrum_of_r()
    a = mpf(alpha)
    if alpha == np.inf:
        truth = -mpmath.log(big)
    elif alpha == 1:
        truth = entropy_of_r()
    else:
        truth = mpmath.log(big**a + small**a) / (1 - a)
    assert abs(truth / mpmath.log(2) - published) < 1e-4
    # H(A) = -D(r || Id): relative to the identity it is the Renyi entropy
    assert -f(R, np.eye(2), alpha) == pytest.approx(float(truth), rel=1e-13)


@pytest.mark.parametrize("alpha", [2000, np.inf])
def test_classical_large_orders(alpha):
    """dit's renyi_divergence: -inf and nan."""
    p, q = ([mpf(x) for x in v] for v in (P, Q))
    if alpha == np.inf:
        truth = mpmath.log(max(x / y for x, y in zip(p, q, strict=True)))
    else:
        truth = mpmath.log(sum(x**alpha * y ** (1 - alpha) for x, y in zip(p, q, strict=True)) / sum(p)) / (alpha - 1)
    assert abs(truth / mpmath.log(2) - 1.32) < 0.005
    assert k.renyi(P, Q, alpha) == pytest.approx(float(truth), rel=1e-14)


@pytest.mark.parametrize("f", [k.sandwiched_renyi, k.petz_renyi, k.maximal_renyi])
@pytest.mark.parametrize(("alpha", "published"), [(1, 0.3203), (1 + 1e-12, 0.3203), (np.inf, 0.7140)])
def test_relative_to_the_maximally_mixed_state(f, alpha, published):
    """qibo's relative_renyi_entropy: 1.6797, 0.3206 and 0.9906."""
    truth = mpmath.log(2) + (mpmath.log(spectrum_of_r()[0]) if alpha == np.inf else -entropy_of_r())
    assert abs(truth / mpmath.log(2) - published) < 1e-4
    assert f(R, MIXED, alpha) == pytest.approx(float(truth), rel=1e-11)  # alpha - 1 changes it by 1e-13


def test_sandwiched_half_is_the_fidelity_which_is_not_d_max():
    """qibo documents -2 log of the trace norm of sqrt(rho) sqrt(sigma) for alpha = inf; that is D_1/2 = 0.1778 bits."""
    big, small = spectrum_of_r()
    truth = -2 * mpmath.log((mpmath.sqrt(big) + mpmath.sqrt(small)) / mpmath.sqrt(2))
    assert abs(truth / mpmath.log(2) - 0.1778) < 1e-4
    assert k.sandwiched_renyi(R, MIXED, 0.5) == pytest.approx(float(truth), rel=1e-14)


def test_pure_states_at_one_half():
    """qibo returns 0 for any two different pure states."""
    for f in (k.sandwiched_renyi, k.petz_renyi, k.maximal_renyi):
        assert f(ZERO, ONE, 0.5) == np.inf
    assert k.petz_renyi(ZERO, PLUS, 0.5) / LOG2 == pytest.approx(2, rel=1e-14)
    assert k.sandwiched_renyi(ZERO, PLUS, 0.5) / LOG2 == pytest.approx(1, rel=1e-14)


@pytest.mark.parametrize(("rho", "sigma"), [(ZERO, PLUS), (MIXED, ZERO)])
def test_relative_entropy_of_states_whose_supports_differ(rho, sigma):
    """qibo's relative_von_neumann_entropy returns 0 and 1."""
    assert k.quantum_relative_entropy(rho, sigma) == np.inf
    assert k.mp.quantum_relative_entropy(rho, sigma) == mpmath.inf


def test_relative_entropy_depends_on_eigenvectors():
    """The formula with sorted eigenvalues, used by qibo and until 2012 by QuTiP, gives 0 here."""
    turned = R[::-1, ::-1]
    assert k.quantum_relative_entropy(R, R) == pytest.approx(0, abs=1e-15)
    # r and its flip commute with no basis in common; log r = x + y r, hence tr (r - flip) log r by hand
    big, small = spectrum_of_r()
    slope = (mpmath.log(big) - mpmath.log(small)) / (big - small)
    truth = slope * (mpf(0.75) - mpf(0.25)) ** 2  # tr r (r - flip) = (r00 - r11)^2
    assert k.quantum_relative_entropy(R, turned) == pytest.approx(float(truth), rel=1e-13)


def test_jensen_shannon_is_not_half_the_jeffreys_divergence():
    """QInformation.jl's js_divergence averages KL(r, s) and KL(s, r); Jensen-Shannon is defined by the mixture."""

    def entropy(rho):
        return -sum(x * np.log(x) for x in np.linalg.eigvalsh(rho))

    mixture = (R + MIXED) / 2
    shannon = (k.quantum_relative_entropy(R, mixture) + k.quantum_relative_entropy(MIXED, mixture)) / 2
    assert shannon == pytest.approx(entropy(mixture) - (entropy(R) + entropy(MIXED)) / 2, rel=1e-12)
    jeffreys = (k.quantum_relative_entropy(R, MIXED) + k.quantum_relative_entropy(MIXED, R)) / 2
    assert jeffreys > 3 * shannon


def test_three_names_three_numbers():
    """On unnormalised weights kl_div adds -x + y, rel_entr does not, stats.entropy renormalises; `kl` is rel_entr."""
    p, q = np.array([1.0, 2.0]), np.array([3.0, 0.5])
    literal = np.log(1 / 3) + 2 * np.log(4)
    assert k.kl(p, q) == pytest.approx(literal, rel=1e-15)
    assert k.kl(p, q) == pytest.approx(scipy.special.rel_entr(p, q).sum(), rel=1e-15)
    assert k.kl(p, q) + (q - p).sum() == pytest.approx(scipy.special.kl_div(p, q).sum(), rel=1e-14)
    assert k.kl(p / p.sum(), q / q.sum()) == pytest.approx(scipy.stats.entropy(p, q), rel=1e-14)
    assert k.renyi(p, q, 1) == pytest.approx(literal / 3, rel=1e-15)


def test_lean_and_literature_disagree_on_overlapping_supports():
    """Finite below 1, as in the literature, where Lean-QuantumInfo has infinity; and alpha = 0 does not give 0."""
    rho, sigma = np.diag([0.5, 0.5, 0]), np.diag([0, 0.5, 0.5])
    for f in (k.sandwiched_renyi, k.petz_renyi, k.maximal_renyi):
        assert f(rho, sigma, 0.5) == pytest.approx(2 * LOG2, rel=1e-14)
        assert f(rho, sigma, 0) == pytest.approx(LOG2, rel=1e-14)
        assert f(rho, sigma, 1) == np.inf


def test_regularised_divergence_may_be_negative():
    """tr (sigma + lambda) > 1: not an error. D_2 relative to Id / 2 + lambda is log(tr r^2) - log(1/2 + lambda)."""
    big, small = spectrum_of_r()
    truth = mpmath.log(big**2 + small**2) - mpmath.log(mpf(0.5) + mpf(0.75))
    assert truth < -0.5
    assert k.sandwiched_renyi(R, MIXED, 2, 0.75) == pytest.approx(float(truth), rel=1e-13)
