"""The engine finds violations of false statements, confirms and simplifies them, and does not refute true ones."""

from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest

import verification.claims  # noqa: F401
import verification.search as search_module
from verification.campaign import run
from verification.challenge import opposite
from verification.claim import REGISTRY, Claim, Verdict, select
from verification.instances import Distributions, Fraction01, Order, Scale, States
from verification.proof import ProofError, Prover, proved
from verification.search import BUDGET, Established, Found, _Search, check

FALSE = [c for c in REGISTRY.values() if c.recorded is Verdict.REFUTED]
PROVED = [c for c in REGISTRY.values() if c.recorded is Verdict.PROVED]
TRUE = [
    c for c in REGISTRY.values() if c.recorded in (Verdict.SUPPORTED, Verdict.PROVED) and c.effort > 0.02
]  # the others take seconds for an instance


def of(sides, relation="<=", **given):
    """Return an unregistered claim."""
    return Claim("test.claim", "test", "", given, sides, relation)


@pytest.mark.slow
@pytest.mark.parametrize("claim", FALSE[::4], ids=lambda c: c.id)
def test_false_claims_are_found_from_another_seed(claim):
    outcome = check(claim, rng=7, budget=BUDGET // 4)  # enough for most
    if outcome.verdict is not Verdict.REFUTED:
        outcome = check(claim, rng=7)
    assert outcome.verdict is Verdict.REFUTED
    assert outcome.reason == "certified"
    lhs, rhs = (mpmath.mpf(x) for x in (outcome.counterexample.lhs, outcome.counterexample.rhs))
    assert lhs != rhs if claim.relation == "==" else lhs > rhs


@pytest.mark.slow
@pytest.mark.parametrize("claim", TRUE[::8], ids=lambda c: c.id)
def test_true_claims_are_not_refuted(claim):
    """The search does not refute them; `krdtheory verify` runs the proofs."""
    outcome = check(replace(claim, proof=None, argument=None), budget=300, rng=11)
    assert outcome.verdict is Verdict.SUPPORTED
    assert outcome.instances >= 120 * claim.effort


@pytest.mark.slow
@pytest.mark.parametrize("claim", PROVED[::8], ids=lambda c: c.id)
def test_proofs_do_not_prove_the_opposite(claim):
    """For the other proofs `krdtheory verify` challenges each."""
    with pytest.raises(ProofError):
        proved(opposite(claim), claim.proof)


@pytest.mark.slow
def test_the_climb_is_only_for_claims_without_a_proof():
    claim = REGISTRY["hyptest.ref.tv"]
    assert check(claim, budget=1000).instances == 400
    unproved = check(replace(claim, proof=REGISTRY["hyptest.eps.convex"].proof), budget=1000)
    assert unproved.verdict is Verdict.SUPPORTED
    assert unproved.instances > 600


def test_the_climb_works_for_equal_margins():
    """0 <= part + 1/8 has the margin 1 everywhere, so only the gap shows where it is smaller."""
    claim = of(lambda k, part: (0 * part, part + 0 * part + 1 / 8), part=Fraction01(zero=False))
    search = _Search(claim, 2000, 0, [2])
    search._sample(np.random.default_rng(0))
    high = sorted(search.found, key=lambda f: f.gap)[-5:]
    before = [(f.margin, f.gap) for f in high]
    search._descend(high, 20, 4, np.random.default_rng(0))
    assert {f.margin for f in high} == {m for m, _ in before} == {1.0}
    assert all(f.gap < gap for f, (_, gap) in zip(high, before, strict=True))


def test_half_of_the_climbing_instances_are_not_ties_up_to_rounding():
    """If one side is 0, a gap from rounding has the margin 1, as all others have."""
    tied = [Found(1.0, 1e-17 * k, 0, {}, 0) for k in range(1, 9)]
    far = [Found(1.0, 0.1 * k, 0, {}, 0) for k in range(1, 9)]
    chosen = _Search._lowest([*tied, *far], 4)
    assert [f.gap for f in chosen] == [0.1, 0.2, 1e-17, 2e-17]
    assert [f.gap for f in _Search._lowest(tied, 4)] == [1e-17, 2e-17, 3e-17, 4e-17]


def test_proved_claims_are_searched_less_but_still_refuted_if_false(monkeypatch):
    """If a proof of a false claim passes, as none should, the search still reports what it finds."""
    false = of(lambda k, p: (k.kl(*p), 2 * k.total_variation(*p) ** 2), p=Distributions(2, within=("full",)))
    believed = replace(false, proof=REGISTRY["hyptest.ref.tv"].proof)
    proof = proved(REGISTRY["hyptest.ref.tv"], believed.proof)
    monkeypatch.setattr(search_module, "_established", lambda *_: Established(proof, None, []))
    assert check(believed, budget=1000).verdict is Verdict.REFUTED


@pytest.mark.slow
@pytest.mark.parametrize("claim", PROVED[::22], ids=lambda c: c.id)
def test_proofs_give_verdicts(claim):
    outcome = check(claim, budget=300, rng=11)
    assert outcome.verdict is Verdict.PROVED
    assert outcome.proof.steps
    assert outcome.proof.domain


class Asked(Prover):
    """A prover that fails, and counts how often it is called."""

    def __init__(self):
        self.times = 0

    def derive(self, claim):
        self.times += 1
        raise ProofError("nothing is proved")


def test_proofs_are_tried_only_for_claims_that_are_not_refuted():
    given = {"x": Scale(positive=True, drawn=4)}
    for sides, verdict, times in (
        (lambda k, x: (1 + x, x), Verdict.REFUTED, 0),
        (lambda k, x: (x, 1 + x), Verdict.SUPPORTED, 1),
    ):
        prover = Asked()
        assert check(replace(of(sides, **given), proof=prover), budget=200).verdict is verdict
        assert prover.times == times


def exact(value):
    """Return strings of an outcome as Fractions, in NumPy object arrays."""
    if isinstance(value, list):
        return np.array([exact(v) for v in value], dtype=object)
    return Fraction(value)


def numeric(value):
    return np.array(exact(value), dtype=float)


def test_counterexample_of_corollary_2_by_hand():
    """By the literal definition, from the printed rationals only."""
    found = check(REGISTRY["krd.cor2"], budget=2000, rng=0).counterexample
    alpha, lam = float(exact(found.inputs["alpha"])), float(exact(found.inputs["lam"]))
    phi1, phi2 = numeric(found.inputs["phi1"]), numeric(found.inputs["phi2"])
    p, q = (numeric(w) for w in found.inputs["p"])

    def divergence(vectors):
        a, b = (sum(w * np.outer(v, v) for w, v in zip(weights, vectors, strict=True)) for weights in (p, q))
        values, basis = np.linalg.eigh(b + lam * np.eye(len(b)))
        power = (basis * values ** ((1 - alpha) / (2 * alpha))) @ basis.T
        return np.log((np.linalg.eigvalsh(power @ a @ power).clip(0) ** alpha).sum()) / (alpha - 1)

    first = [phi1[i] for i in (0, 0, 1, 1)]
    pairs = [np.kron(phi1[i], phi2[j]) for i in (0, 1) for j in (0, 1)]
    assert divergence(first) == pytest.approx(float(found.lhs), abs=1e-7)  # a small lambda loses digits
    assert divergence(pairs) == pytest.approx(float(found.rhs), abs=1e-7)
    assert divergence(first) > divergence(pairs) + 1e-6


def test_counterexample_of_the_side_remark_by_hand():
    """The Choi rank of the channel compared with dim(H')^2, in exact rationals."""
    inputs = check(REGISTRY["krd.thm4.environment"], budget=2000, rng=0).counterexample.inputs["channel"]
    isometry, out = exact(inputs["isometry"]), inputs["out"]
    n = isometry.shape[1]
    assert (isometry.T @ isometry == np.eye(n, dtype=int)).all()
    kraus = isometry.reshape(out, -1, n).swapaxes(0, 1).reshape(-1, out * n)
    assert np.linalg.matrix_rank(kraus.astype(float)) > out**2


@pytest.mark.slow
def test_counterexamples_are_small():
    """They are simplified: the integers up to 1000 of the random instances are gone."""
    outcome = check(REGISTRY["krd.prop6.negative"], budget=2000, rng=0)
    numbers = str(outcome.counterexample.inputs)
    assert max(int(x) for x in "".join(c if c.isdigit() else " " for c in numbers).split()) < 1000


MUTANTS = {
    "lambda the wrong way": of(
        lambda k, s, alpha, lam: (k.sandwiched_renyi(*s, alpha), k.sandwiched_renyi(*s, alpha, lam)),
        s=States(2),
        alpha=Order(0.5),
        lam=Scale(positive=True),
    ),
    "Renyi triangle inequality": of(
        lambda k, p, alpha: (
            k.renyi(p[0], p[2], alpha),
            k.renyi(p[0], p[1], alpha) + k.renyi(p[1], p[2], alpha),
        ),
        p=Distributions(3),
        alpha=Order(1, 8),
    ),
    "Pinsker with 1% more": of(lambda k, p: (2.02 * k.total_variation(*p) ** 2, k.kl(*p)), p=Distributions(2, dim=2)),
    "data processing bound halved": of(
        lambda k, s, alpha: (k.sandwiched_renyi(*s, alpha), k.petz_renyi(*s, alpha) * 0.99),
        s=States(2, normalised=True),
        alpha=Order(1.5, 8),
    ),
    "Petz below sandwiched": of(
        lambda k, s, alpha: (k.petz_renyi(*s, alpha), k.sandwiched_renyi(*s, alpha)), s=States(2), alpha=Order(1.1, 8)
    ),
    "symmetric": of(
        lambda k, p, alpha: (k.renyi(*p, alpha), k.renyi(*p[::-1], alpha)), "==", p=Distributions(2), alpha=Order(0.5)
    ),
}


NEAR_MISSES = {  # true claims, with one thing changed
    "krd.prop1.5.upper": lambda k, sides, lam, **i: sides(k, lam=lam * 8 / 5, **i),
    "krd.prop1.1.regularized": lambda k, sides, **i: (lambda lhs, rhs: (lhs, rhs * 0.99))(*sides(k, **i)),
    "krd.def.dp.corrected": lambda k, sides, slack, **i: (lambda lhs, rhs: (lhs * 1.01, rhs))(
        *sides(k, slack=slack, **i)
    ),
    "krd.lemma8.tight": lambda k, sides, **i: (lambda lhs, rhs: (lhs, rhs * 0.99))(*sides(k, **i)),
}


@pytest.mark.slow
@pytest.mark.parametrize("id", NEAR_MISSES)
def test_near_misses_are_found(id):
    true = REGISTRY[id]
    near = of(lambda k, **i: NEAR_MISSES[id](k, true.sides, **i), true.relation, **true.given)
    assert check(near, rng=3).verdict is Verdict.REFUTED


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_false_statements_of_users_are_refuted(name):
    assert check(MUTANTS[name], rng=3).verdict is Verdict.REFUTED


def test_rounding_is_not_a_violation():
    """Algebraically equal sides that differ by rounding are supported, and the margin is of the size of rounding."""
    claim = of(
        lambda k, p, alpha: (k.renyi(p[0], p[1], alpha) * (1 + 1e-12), k.renyi(p[0], p[1], alpha) * (1 + 2e-12)),
        p=Distributions(2),
        alpha=Order(0.5),
    )
    assert check(claim, budget=1000).verdict is Verdict.SUPPORTED


def test_a_violation_below_float64_is_found_in_balls():
    """A violation of relative size 1e-15, which float64 cannot distinguish from rounding."""
    claim = of(lambda k, alpha: (alpha * 0 + 1 + 2.0**-50, alpha * 0 + 1), alpha=Order(0.5))
    assert check(claim, budget=100).verdict is Verdict.REFUTED


@pytest.mark.slow
def test_same_seed_same_outcome_for_any_number_of_workers():
    claims = select(ids=["krd.cor2", "krd.prop2.alpha", "krd.lemma6", "krd.prop1.3"])
    alone = run(claims, rng=5)
    with ProcessPoolExecutor(2) as pool:
        together = run(claims, rng=5, executor=pool)
    for one, other in zip(alone, together, strict=True):
        assert one.claim is other.claim
        assert (one.verdict, one.instances, one.min_margin) == (other.verdict, other.instances, other.min_margin)
        assert one.counterexample == other.counterexample
        assert one.tightest == other.tightest


@pytest.mark.slow
def test_another_seed_is_another_search():
    outcomes = [check(REGISTRY["krd.lemma2"], budget=200, rng=s).tightest for s in (0, 1)]
    assert outcomes[0] != outcomes[1]
