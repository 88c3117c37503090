"""Claims of Colisson's report: known values of both sides, recorded verdicts, proofs."""

from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy.linalg import fractional_matrix_power
from scipy.optimize import brentq, linprog, minimize_scalar

from krdtheory.arithmetic import MP
from verification.claim import REGISTRY, Nature, Verdict, select
from verification.instances import Channel
from verification.search import check
from verification.vocabulary import Vocabulary

MPMATH = MP(50)
K = Vocabulary(MPMATH)
CLAIMS = select("colisson")
REFUTED = [c for c in CLAIMS if c.recorded is Verdict.REFUTED]
TRUE = [c for c in CLAIMS if c.recorded in (Verdict.SUPPORTED, Verdict.PROVED)]


def exact(x):
    """Return nested lists of rationals as an array of mpmath numbers, with a batch axis."""
    f = np.frompyfunc(lambda v: MPMATH.context.mpf(Fraction(v).numerator) / Fraction(v).denominator, 1, 1)
    return np.asarray(f(np.array(x, dtype=object)), dtype=object)[None]


def sides(id, **instance):
    """Return both sides at one instance, given by rationals, with lists of weights or matrices as lists of arrays."""
    built = {
        name: [exact(v) for v in value] if name in ("p", "rows", "near", "other", "states", "dual", "q") else value
        for name, value in instance.items()
    }
    if isinstance(instance.get("near"), tuple):  # a pure pair and its ratio
        pair, ratio = instance["near"]
        built["near"] = [exact(v) for v in pair], exact(ratio)
    built = {n: v if isinstance(v, (list, tuple, Channel, np.ndarray)) else exact(v) for n, v in built.items()}
    lhs, rhs = REGISTRY[f"colisson.{id}"].sides(K, **built)
    return [[float(v) for v in np.ravel(side)] for side in (lhs, rhs)]


RESPONSE = [["3/4", "1/4"], ["1/4", "3/4"]]
CORNERS = [[1, 0], [0, 1]]
LOG2, LOG3 = float(mpmath.log(2)), float(mpmath.log(3))

KNOWN = [
    ("sec22.delta-meaning", {"p": RESPONSE, "more": 1}, [0.75], [0.25]),
    ("thm3.1.negative", {"p": [["1/2", "1/2"]] * 2, "delta": "1/2"}, [-LOG2], [0]),
    (
        "thm3.2",
        {"near": [["3/4", "1/4"], ["3/8", "5/8"]], "other": CORNERS, "part": 0},
        [0, 0.125],
        [0, 0],
    ),
    (
        "lem8.additive-delta",
        {"p": [*RESPONSE, ["17/20", "3/20"], ["3/20", "17/20"]], "more": 0, "further": 2},
        [0.4],
        [0.2],
    ),
    ("thm11.a17", {"n": 2, "alpha": 2}, [0.74876253188576386899], [LOG2]),
    ("lem19.note.approximate", {"p": [["1/2", "1/2"]] * 2, "delta": "1/2"}, [-LOG2], [0]),
    (
        "lem8.a12",  # TV(M, Z) = 1/10, compared with 1/10 (e^0 + 1) / (e^log 3 + 1)
        {"p": [["17/20", "3/20"], RESPONSE[0], RESPONSE[0]], "more": 0, "further": 2},
        [0.1],
        [0.05],
    ),
    (
        "lem19.a35",
        {"p": [["1/2", "1/2", 0], ["1/4", "1/2", "1/4"]], "level": "1/2"},
        [5 / 24],  # for P' = (3/8, 5/12, 5/24)
        [1 / 8],
    ),
    (
        "thm21.tradeoff",
        {"near": (RESPONSE, 3), "part": 49},  # delta = TV / 50 = 1/100
        [1.0851892683359690046],
        [0.82193125741824264516],
    ),
    (
        "def20.maximal.any",
        {"states": [[["1/2", "1/4"], ["1/4", "1/2"]], [["3/4", 0], [0, "1/4"]]], "alpha": 3},
        [0.67906174207659714846],
        [0.61838131357446343157],
    ),
    (
        "thm22.petz",
        {"states": [[["9/10", "3/100"], ["3/100", "1/10"]], [["9/10", 0], [0, "1/10"]]], "alpha": 3},
        [0.048159885502838619511],
        [0.016651257389524591783],
    ),
    ("thm22.a86", {"more": 2}, [0, 2 / 3], [1, 1]),  # A = 1/4, B = -1/4 at e^epsilon = 3
    ("a88.sinh.any", {"x": 1, "y": -1}, [float(1 / mpmath.cosh(1))], [float(mpmath.exp(-0.5))]),
    ("sec23.names", {"names": 10000}, [0.95], [0.95093964559498968183]),
    (
        "thm20.composition",
        {"epsilon": "1/10", "delta": "1/1000000", "folds": 100, "odds": "1/999999"},
        [0.00009999884473822083572],
        [0.000101],
    ),
    (
        "thm20.composition",
        {"epsilon": 1, "delta": "1/1000", "folds": 30, "odds": "1/19"},
        [0.029633128909697146188],
        [0.08],
    ),
    (
        "thm20.literal",
        {"epsilon": 1, "delta": 0, "folds": 1, "odds": "1/99", "n": 10},
        [0.54197488907990082862],
        [0.01],
    ),
]


@pytest.mark.parametrize(("id", "instance", "lhs", "rhs"), KNOWN, ids=[k[0] for k in KNOWN])
def test_known_values(id, instance, lhs, rhs):
    left, right = sides(id, **instance)
    assert left == pytest.approx(lhs, rel=1e-14, abs=1e-30)
    assert right == pytest.approx(rhs, rel=1e-14, abs=1e-30)


@pytest.mark.parametrize(
    ("epsilon", "alpha", "best"),
    [("1/2", 2, 0.22733629380264572863), (1, 3, 0.84672683048544761728), (2, "3/2", 1.7824438337496744878)],
)
def test_best_bound_of_theorem_7(epsilon, alpha, best):
    more = np.array([MPMATH.context.expm1(exact(epsilon)[0])], dtype=object)
    left, right = sides("thm7.attained", more=more, alpha=alpha)
    assert left == pytest.approx([best], rel=1e-15)
    assert right == pytest.approx([best], rel=1e-15)


def test_reverse_of_theorem_14():
    more = np.array([MPMATH.context.e - 1], dtype=object)
    left, right = sides("thm14.reverse", rows=CORNERS, more=more, rho=0, alpha=2)
    assert (left, right) == (pytest.approx([0.73532566405551922471], rel=1e-15), [0])


def test_a_flag_is_discarded():
    """rho = sum of rho_b over the values b of the flag; both divergences of order 3 to all printed digits."""
    sigma = np.array([[25, -4], [-4, 1]])
    parts = [np.array([[996, -30], [-30, 9]]), np.array([[964, -10], [-10, 1]])]

    def flagged(blocks):
        out = np.zeros((2, 2, 2, 2), dtype=int)
        for b, block in enumerate(blocks):
            out[:, b, :, b] = block
        trace = sum(int(block.trace()) for block in blocks)
        return [[Fraction(int(v), trace) for v in row] for row in out.reshape(4, 4)]

    isometry = exact(np.eye(4, dtype=int).tolist())
    left, right = sides(
        "def20.monotone",
        states=[flagged(parts), flagged([sigma, sigma])],
        channel=Channel(isometry, 2, lambda m: m),
        alpha=3,
    )
    assert left == pytest.approx([0.92561968553423024147], rel=1e-15)
    assert right == pytest.approx([0.9254985883487034535], rel=1e-15)


def test_variance_proxies():
    """P = (1, 12, 11)/24, Q = (11, 2, 11)/24, as the image of randomised response with e^epsilon = 11."""
    rows = [[0, "13/24", "11/24"], ["12/24", "1/24", "11/24"]]
    (after,), (before,) = sides("sec331.all-definitions", rows=rows, more=10)
    assert 2.1978003986646632052 * (1 - 1 / 250) < after <= 2.1978003986646632052
    assert 2.0354587875925003659 <= before < 2.0354587875925003659 * (1 + 1 / 100)


@pytest.mark.slow
def test_gaussians_of_figure_2_1():
    """The supremum of the density ratio by a numerical maximum, and the other order by an integral."""
    loss = minimize_scalar(lambda x: -(np.log(5 / 4) - (x - 4) ** 2 / 32 + (x - 5) ** 2 / 50), (0, 8))
    assert sides("fig2.1.other-order", bound=1)[1] == pytest.approx([-loss.fun], rel=1e-9)
    alpha = mpmath.mpf(49) / 18  # where 16 alpha + 25 (1 - alpha) = 1/2
    p, q = (lambda x, m=m, s=s: mpmath.npdf(x, m, s) for m, s in ((5, 5), (4, 4)))
    integral = mpmath.quad(lambda x: p(x) ** alpha * q(x) ** (1 - alpha), mpmath.linspace(-400, 500, 31))
    assert sides("fig2.1", bound=1)[1] == pytest.approx([float(mpmath.log(integral) / (alpha - 1))], rel=1e-9)


@pytest.mark.slow
def test_least_level_by_linear_programming():
    """Theorem 3.1: the least e^epsilon of a P' within delta of P, by a solver that does not use clipping."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        p, q = rng.integers(0, 6, size=(2, 4)) + np.eye(4, dtype=int)[rng.integers(0, 4, size=2)]
        q = q + 1
        delta = Fraction(int(rng.integers(0, 33)), 64)
        x, y = p / p.sum(), q / q.sum()
        # p' (4), its excess over p (4), u; p' <= u q, p' - excess <= p, sum excess <= delta
        upper = np.block([[np.eye(4), np.zeros((4, 4)), -y[:, None]], [np.eye(4), -np.eye(4), np.zeros((4, 1))]])
        upper = np.vstack([upper, np.r_[np.zeros(4), np.ones(4), 0]])
        found = linprog(
            np.r_[np.zeros(8), 1],
            A_ub=upper,
            b_ub=np.r_[np.zeros(4), x, float(delta)],
            A_eq=np.r_[np.ones(4), np.zeros(5)][None],
            b_eq=[1],
        )
        weights = [[Fraction(int(v), int(w.sum())) for v in w] for w in (p, q)]
        left, right = sides("thm3.1", p=weights, delta=delta)
        assert np.exp(left) == pytest.approx([found.fun], rel=1e-7)
        assert np.exp(right) == pytest.approx([found.fun], rel=1e-7)


def test_dual_of_the_largest_fidelity():
    """Theorem 23 on commuting pairs: max sum sqrt(p p'), p' <= v q, sum p' <= 1, is at p' = min(v q, c p)."""
    p, q = np.array([0.625, 0.25, 0.125]), np.array([0.25, 0.25, 0.5])
    alpha, part = 2, Fraction(1, 2)
    epsilon = (1 + 62 / 2) / 64
    threshold = np.sqrt(1 - epsilon**2)
    level = (p**2 / q).sum() / (1 - threshold)
    level_q = level * q
    c = brentq(lambda c: np.minimum(level_q, c * p).sum() - 1, 1, 1e6) if level_q.sum() > 1 else np.inf
    near = np.minimum(level_q, c * p)
    primal = np.sqrt(p * near).sum()
    best = np.sqrt(p / near)
    states = [np.diag(w).tolist() for w in (p, q)]

    def dual(y, t):
        return sides(
            "thm23.smooth-max",
            states=states,
            alpha=alpha,
            epsilon=part,
            dual=[np.diag(y - 1 / 1024).tolist()],
            level=t,
        )

    left, right = dual(best, 1 / np.sqrt(c))
    assert left == pytest.approx([threshold**2], rel=1e-12)
    assert right == pytest.approx([primal**2], rel=1e-9)
    rng = np.random.default_rng(0)
    for _ in range(20):
        assert dual(best * rng.uniform(0.5, 2, size=3), rng.uniform(0.1, 2))[1][0] > primal**2 * (1 - 1e-9)


def test_alpha_z_divergence():
    """Theorem 23 for it: both sides by matrix powers and eigenvalues in float64."""
    vector, q, alpha, t = np.array([-15, 8]) / 17, np.array([512, 1]) / 513, 43, 27 / 32
    rho, z = np.outer(vector, vector), 2 * 43
    middle = rho @ fractional_matrix_power(np.diag(q), (1 - alpha) / z) @ rho
    divergence = z * np.log(np.trace(middle)) / (alpha - 1)  # the power z of a matrix of rank one
    bound = divergence - np.log(1 - np.sqrt(1 - 1 / 64**2)) / (alpha - 1)
    values = np.linalg.eigvalsh(np.diag(np.sqrt(q)) @ (rho - t * np.eye(2)) @ np.diag(np.sqrt(q)))
    psi = exact([["-15/17", "8/17"]])
    left, right = sides("thm23.any", psi=psi, q=[["512/513", "1/513"]], alpha=43, epsilon=0, level="53/63")
    assert left == pytest.approx([1 - 1 / 64**2], rel=1e-12)
    assert right == pytest.approx([t + np.exp(bound) * values[values > 0].sum()], rel=1e-10)
    assert right < left


@pytest.mark.slow
@pytest.mark.parametrize("claim", REFUTED, ids=lambda c: c.id)
def test_refuted_with_a_certificate(claim):
    found = check(claim, rng=1)
    assert found.verdict is Verdict.REFUTED
    upper = found.certificate.margin_upper
    assert float(upper) < 0 or claim.relation == "=="


@pytest.mark.slow
@pytest.mark.parametrize("claim", TRUE, ids=lambda c: c.id)
def test_true_statements_are_not_refuted(claim):
    """With 200 instances and two steps of the climb."""
    alone = replace(claim, effort=0.05, proof=None, argument=None)
    assert check(alone, rng=1).verdict is Verdict.SUPPORTED


@pytest.mark.slow
@pytest.mark.parametrize("claim", [c for c in TRUE if c.argument], ids=lambda c: c.id)
def test_arguments(claim):
    argument = claim.argument(claim)
    assert argument.steps > 0
    assert argument.domain


def test_every_refuted_statement_has_a_correction():
    corrected = {c.corrects for c in CLAIMS}
    printed = {c.id for c in REFUTED if c.nature is Nature.PRINTED}
    assert len(printed) == 4
    assert printed <= corrected


def test_every_refuted_statement_has_a_short_explanation():
    for claim in REFUTED:
        assert 0 < len(claim.says) <= 70
        assert 0 < len(claim.fault) <= 90


def test_no_sentence_counts_twice():
    quotes = [c.quote for c in CLAIMS if c.nature is Nature.PRINTED]
    assert all(not (x in y or y in x) for i, x in enumerate(quotes) for y in quotes[:i])
