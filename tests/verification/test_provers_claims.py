"""The requirements on a proof: it is about the sides of the claim, in all cases, and fails for similar false claims."""

import numpy as np
import pytest
import sympy
from sympy import Rational, Symbol, exp

from verification import challenge as challenges
from verification.challenge import NotBound, challenge, opposite, tightened, widened
from verification.claim import REGISTRY, Claim, Verdict
from verification.instances import FLOATS, Distributions, Events, Fraction01, Order, Orders, Reals, Scale, build, draw
from verification.proof import Derivation, Proof, ProofError, Prover, proved
from verification.provers import derivation
from verification.provers.derivation import Derived, Goal, _belongs, derived
from verification.provers.kernel import Theorem, assumed, at_most, equal, premise, rewrite
from verification.provers.symbols import Case
from verification.provers.tactics import Convex
from verification.search import _established, _false_at, check
from verification.vocabulary import Vocabulary


def of(sides, relation="<=", proof=None, **given):
    """Return an unregistered claim."""
    return Claim("own.test", "test", "", given, sides, relation, proof=proof)


def margin(k, alpha, lam):
    return 0 * lam, (alpha - 1) * lam


TRUE = of(margin, alpha=Order(1), lam=Scale())
BENT = of(lambda k, x: (2 * x, k.exp(x)), x=Scale())  # not obvious


def tangent(goal):
    return Convex(goal.x, sympy.log(2))


def refused(claim, prover, match=None):
    with pytest.raises(ProofError, match=match):
        proved(claim, prover)


# Proofs


def test_a_proof_is_made_by_a_prover():
    with pytest.raises(ProofError, match="made by a prover"):
        Proof("derivation", "everything", ("it is clear",))
    with pytest.raises(ProofError, match="made by a prover"):
        Proof("derivation", "everything", ("it is clear",), seal=object())
    made = proved(TRUE, derived())
    with pytest.raises(ProofError):
        Proof(made.method, made.domain, made.steps, seal=made.seal)
    for wrong in (lambda claim: made, None, Derived, made):
        with pytest.raises(TypeError, match="prover"):
            proved(TRUE, wrong)
    assert (made.method, made.complete, made.premises) == ("derivation", True, ())
    assert "(1, oo)" in made.domain and "[0, oo)" in made.domain


class Says(Prover):
    """A prover that accepts the claims that a function accepts."""

    method = "saying so"

    def __init__(self, lets=lambda claim: True, complete=True, premises=()):
        self.lets, self.complete, self.premises = lets, complete, premises

    def derive(self, claim):
        if not self.lets(claim):
            raise ProofError("no")
        return Derivation("what it says", ("a step",), tuple(self.premises), self.complete)


def test_the_steps_of_a_prover_are_kept():
    made = proved(TRUE, Says(complete=False, premises=["own.other"]))
    assert (made.method, made.domain, made.steps) == ("saying so", "what it says", ("a step",))
    assert made.premises == ("own.other",) and not made.complete


@pytest.mark.parametrize("error", [ValueError, ZeroDivisionError, KeyError, RecursionError])
def test_an_error_is_not_a_proof(error):
    def fails(claim):
        raise error("inside")

    refused(TRUE, Says(fails), error.__name__)


# Derivations


@pytest.mark.parametrize(
    "script",
    [
        lambda goal: at_most(goal.case, goal.lhs, goal.rhs + 1),
        lambda goal: at_most(goal.case, goal.lhs - 1, goal.rhs),
        lambda goal: at_most(goal.case, 0, 0),
        lambda goal: at_most(Case(), goal.lhs, goal.rhs),
        lambda goal: (goal.lhs, goal.rhs),
        lambda goal: True,
        lambda goal: None,
        lambda goal: Theorem(goal.case, goal.lhs, goal.rhs, ()),
        lambda goal: at_most(goal.case, goal.rhs, goal.lhs),
    ],
)
def test_a_script_gives_a_theorem_of_its_goal(script):
    refused(BENT, derived(script))


def test_the_right_script_passes():
    assert proved(BENT, derived(lambda goal: at_most(goal.case, goal.lhs, goal.rhs, tangent(goal)))).steps
    assert proved(BENT, derived(lambda goal: goal.at_most(tactic=tangent(goal)))).steps
    assert proved(TRUE, derived(lambda goal: at_most(goal.case, goal.lhs, goal.rhs))).steps


def test_a_theorem_that_implies_the_goal_by_signs_is_sufficient():
    """But not one that the goal implies, and for an equality only the equality itself."""
    refused(BENT, derived())

    def shifted(below, above):
        return derived(lambda goal: goal.at_most(2 * goal.x + below, exp(goal.x) + above, tangent(goal)))

    around = of(lambda k, x: (2 * x - 1, k.exp(x) + 1), x=Scale())
    assert proved(around, shifted(0, 0)).steps
    for below, above in ((-2, 0), (0, 2)):
        refused(around, shifted(below, above))
    same = of(lambda k, x: (x, 2 * x), "==", x=Scale())
    refused(same, derived(lambda goal: goal.equal(goal.x, goal.x)), "the theorem is")
    refused(same, derived(lambda goal: goal.equal(2 * goal.x, 2 * goal.x)), "the theorem is")


def test_a_script_may_fail_only_on_obvious_goals():
    def never(goal):
        raise ProofError("never")

    assert proved(TRUE, derived(never))
    refused(BENT, derived(never), "never")
    refused(of(lambda k, x: (x, 2 * x - 1), x=Scale()), derived(never), "never")


def test_without_a_script_letters_are_compared():
    def squares(k, p):
        return (2 * p[0] * p[1]).sum(-1), (p[0] ** 2 + p[1] ** 2).sum(-1)

    assert proved(of(squares, p=Distributions(2)), derived())
    refused(of(lambda k, p: squares(k, p)[::-1], p=Distributions(2)), derived())


def test_an_equality_takes_a_theorem_of_equality():
    true = of(lambda k, x: (x + x, 2 * x), "==", x=Scale())
    assert proved(true, derived()) and proved(true, derived(lambda goal: equal(goal.case, goal.lhs, goal.rhs)))
    false = of(lambda k, x: (x, 2 * x), "==", x=Scale())
    refused(false, derived(lambda goal: at_most(goal.case, goal.lhs, goal.rhs)), "equality")
    refused(false, derived())


def test_every_case_and_every_inequality_is_derived():
    refused(of(margin, alpha=Order(0), lam=Scale()), derived())
    refused(of(margin, alpha=Order(1), lam=Reals()), derived())
    refused(of(lambda k, x: (x, 2 * x), x=Reals()), derived())

    def several(k, x):
        return np.stack([x, x + 0], -1), np.stack([2 * x, x + x / 2 - 1], -1)

    refused(of(several, x=Scale()), derived())
    refused(of(lambda k, x: tuple(s[:, ::-1] for s in several(k, x)), x=Scale()), derived())

    def opens(k, x):
        """Above 1 only."""
        return (0 * x, x) if x[0] > 1 else (1 + 0 * x, x)

    refused(of(opens, x=Scale()), derived())
    steps = proved(of(lambda k, x: (0 * x, x), x=Scale()), derived()).steps
    assert steps[0] == "2 cases, 1 trivial"


def test_numbers_are_not_a_proof():
    refused(of(lambda k, x: (0 * x, 0 * x + 1), x=Scale()), derived(), "trivial")
    refused(of(lambda k, x: (0 * x + 1, 0 * x), x=Scale()), derived())
    refused(of(lambda k, x: (x + 1, x) if x[0] == 0 else (0 * x, x), x=Scale()), derived())
    refused(of(lambda k, x: (0 * x, 0 * x), "==", x=Scale()), derived(), "trivial")
    refused(of(lambda k, x: (np.zeros(2), np.ones(2)), x=Scale()), derived())


def test_a_case_without_distributions_is_omitted():
    def sides(k, p):
        """Return sides for p > 0 somewhere."""
        return (0 * k.hellinger(*p), k.hellinger(*p) + 1) if bool((p[0] > 0).any()[0]) else (1 + k.hellinger(*p), 0)

    claim = of(sides, p=Distributions(2))
    prover = derived(lambda goal: goal.pointwise(multipliers=dict.fromkeys(goal.p, Rational(-1, 2))))
    with pytest.raises(ProofError):
        proved(opposite(claim), prover)
    cases = []

    def told(goal):
        cases.append(goal.case.assumed)
        return goal.at_most(0, 0)

    with pytest.raises(ProofError):
        proved(claim, derived(told))
    assert len(cases) == 1 and "somewhere" in cases[0][0]


def test_a_proof_has_a_time_limit(monkeypatch):
    assert proved(TRUE, derived())
    monkeypatch.setattr(derivation, "SECONDS", -1)
    refused(TRUE, derived(), "seconds")


def test_premises_are_reported(monkeypatch):
    monkeypatch.setitem(
        REGISTRY, "own.rests", Claim("own.rests", "", "", {"lam": Scale()}, lambda k, lam: (0 * lam, lam))
    )

    def script(goal):
        (given,) = premise(goal.case, REGISTRY["own.rests"], lam=goal.lam)
        return given

    assert proved(of(lambda k, lam: (0 * lam, lam), lam=Scale(positive=True)), derived(script)).premises == (
        "own.rests",
    )


def test_facts_on_letters_of_another_claim_are_forgotten():
    sure = of(lambda k, p: ((p[0] * p[0]).sum(-1), (p[0] + p[0] ** 2).sum(-1)), p=Distributions(1))
    assert proved(sure, derived())
    refused(of(lambda k, p: ((p[:, 0]).sum(-1), 1 + 0 * p[:, 0].sum(-1)), p=Events(1)), derived())


def test_goals_are_described_correctly():
    def told(goal):
        assert goal.index in (0, 1) and goal.relation == "<=" and goal.lam in (0, Symbol("lam", positive=True))
        assert not hasattr(goal, "nothing")
        return goal.at_most()

    assert proved(
        of(lambda k, lam: (np.stack([0 * lam, lam], -1), np.stack([lam, 2 * lam], -1)), lam=Scale()), derived(told)
    )


# The challenge


def values(claim, count=64):
    """Return both sides in float64 at some instances of the kinds of a claim."""
    raw = draw(claim.given, np.random.default_rng(3), count, 2)
    return [np.asarray(s, float) for s in claim.sides(Vocabulary(), **build(claim.given, raw, FLOATS))]


def holds(slack=0.0):
    """A prover that evaluates instances, and accepts claims that are violated by at most a slack."""

    def lets(claim):
        lhs, rhs = values(claim)
        return bool(np.all(abs(lhs - rhs) <= slack) if claim.relation == "==" else np.all(lhs <= rhs + slack))

    return Says(lets)


def bound(claim, prover):
    batch = draw(claim.given, np.random.default_rng(0), 4, 2)
    challenge(claim, prover, _false_at, [{k: _row(v, i) for k, v in batch.items()} for i in range(4)])


def _row(value, i):
    return {k: _row(v, i) for k, v in value.items()} if isinstance(value, dict) else value[i : i + 1]


def pushed(kind):
    return [k for wider in widened(of(margin, v=kind)) for k in wider.given.values()]


CHALLENGED = [
    ("opposite", of(lambda k, lam: (lam, lam), lam=Scale()), Says()),
    ("opposite", of(lambda k, lam: (lam, lam), "==", lam=Scale()), Says()),
    ("opposite", of(lambda k, lam: (lam, lam), "==", lam=Scale()), Says(lambda c: np.all(np.less_equal(*values(c))))),
    ("1%", of(lambda k, lam: (1 + lam, 1 + lam), lam=Scale(high=2)), holds(0.5)),
    ("lam beyond", of(lambda k, lam: (0 * lam, lam), lam=Scale(high=2)), None),
    ("alpha beyond", of(lambda k, alpha: (1 + 0 * alpha, alpha), alpha=Order(1)), None),
    ("part beyond", of(lambda k, part: (part, 1 + 0 * part), part=Fraction01()), None),
    ("test beyond", of(lambda k, test: (test[:, 0].max(-1), 1 + 0 * test[:, 0].max(-1)), test=Events(1)), None),
]


@pytest.mark.parametrize(("words", "claim", "prover"), CHALLENGED, ids=[words for words, *_ in CHALLENGED])
def test_a_prover_that_accepts_a_false_neighbour_is_rejected(words, claim, prover):
    kinds = {name: type(kind) for name, kind in claim.given.items()}

    def lets(other):  # all except the opposite and the tightened claim, of the kinds of the claim
        return (
            {n: type(k) for n, k in other.given.items()} != kinds or other.given != claim.given or holds().lets(other)
        )

    with pytest.raises(NotBound, match=words):
        bound(claim, prover or Says(lets))


@pytest.mark.parametrize("claim", [claim for _, claim, _ in CHALLENGED], ids=[words for words, *_ in CHALLENGED])
def test_a_prover_of_true_claims_is_accepted(claim):
    bound(claim, holds())


def test_true_neighbours_may_be_proved():
    """A right side of 0 is not tightened, and x^2 >= 0 holds for every real x."""
    for claim in (
        of(lambda k, lam: (-lam, 0 * lam), lam=Scale()),
        of(lambda k, lam: (0 * lam, lam * lam), lam=Scale(high=4)),
        of(lambda k, alpha: (0 * alpha, alpha), alpha=Order(1)),
    ):
        bound(claim, Says(lambda c: np.all(np.less_equal(*values(c)))))


def test_the_neighbours_of_a_claim():
    claim = of(lambda k, lam: (-4 + 0 * lam, -2 + 0 * lam), lam=Scale())
    assert [float(s[0]) for s in values(opposite(claim))] == [-1, -4]
    assert [float(s[0]) for s in values(tightened(claim))] == [-4, -2.02]
    equality = opposite(of(lambda k, lam: (lam, lam), "==", lam=Scale()))
    assert equality.relation == "==" and np.all(np.subtract(*values(equality)) == -1)
    assert pushed(Order(1)) == [Order(0, 1, closed=False)] and pushed(Order(0)) == [] == pushed(Reals()) == pushed(
        Orders(0)
    )
    assert [type(k) for k in pushed(Scale())] == [Reals] and [type(k) for k in pushed(Fraction01())] == [Scale]
    assert [k.most for k in pushed(Events())] == [2] and pushed(Events(most=2)) == []
    both = list(widened(of(margin, alpha=Order(1), lam=Scale())))
    assert [{n: type(k).__name__ for n, k in c.given.items()} for c in both] == [
        {"alpha": "Order", "lam": "Scale"},
        {"alpha": "Order", "lam": "Reals"},
    ]
    assert challenges.NotBound is NotBound and issubclass(NotBound, ProofError)


# Verdicts


def found(claim):
    return [draw(claim.given, np.random.default_rng(i), 1, 2) for i in range(4)]


def established(claim):
    return _established(claim, found(claim))


def test_a_proof_that_fails_its_challenge_is_not_a_proof():
    loose = of(lambda k, lam: (lam, lam), lam=Scale(), proof=Says())
    proof, argument, failures = established(loose)
    assert proof is None and argument is None and "not bound" in failures[0]
    slack = of(lambda k, lam: (1 + lam, 1 + lam), lam=Scale(high=2), proof=holds(0.5))
    assert established(slack)[0] is None
    assert "not bound" in established(slack)[2][0] and "smaller by 1%" in established(slack)[2][0]
    proof, _, failures = established(of(margin, alpha=Order(1), lam=Scale(), proof=derived()))
    assert proof is not None and not failures
    proof, _, failures = established(of(margin, alpha=Order(0), lam=Scale(), proof=derived()))
    assert proof is None and "the proof fails" in failures[0]


def test_a_theorem_of_another_case_is_not_accepted():
    """0 <= 1, but in a case that another derivation opened."""
    other = at_most(Case(), 0, 1)
    with pytest.raises(ProofError, match="of its own goal"):
        _belongs(other, Goal(Case(), sympy.Integer(0), sympy.Integer(1), {}))


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (of(margin, alpha=Order(1), lam=Scale(), proof=derived()), Verdict.PROVED),
        (of(margin, alpha=Order(1), lam=Scale(), proof=Says()), Verdict.SUPPORTED),
        (of(margin, alpha=Order(1), lam=Scale(), proof=Says(lambda c: False)), Verdict.SUPPORTED),
        (of(margin, alpha=Order(1), lam=Scale()), Verdict.SUPPORTED),
        (of(margin, alpha=Order(0), lam=Scale(), proof=Says()), Verdict.REFUTED),
    ],
)
def test_the_verdict_of_a_claim_with_a_proof(claim, verdict):
    assert check(claim, budget=64).verdict is verdict


def test_certainly_false_claims():
    def at(claim, *instances):
        return _false_at(claim, list(instances) or None)

    positive = of(lambda k, v: (0 * v, v), v=Reals())
    assert at(positive) and not at(of(lambda k, v: (0 * v, v * v), v=Reals()))
    false, true = of(lambda k, lam: (lam + 1, lam), lam=Scale()), of(lambda k, lam: (lam, lam + 1), lam=Scale())
    batch = found(false)
    assert at(false, *batch) and not at(true, *batch) and at(false) and not at(true)
    assert not _false_at(false, [])
    undefined = of(lambda k, lam: (1 + k.log(lam - lam - 1), 0 * lam), lam=Scale())
    assert not at(undefined) and not at(undefined, *batch)

    def raises(k, lam):
        raise ValueError("no value")

    assert not at(of(raises, lam=Scale())) and not at(of(raises, lam=Scale()), *batch)

    def rounded(k, lam):
        """Return sides that are violated only in float64."""
        return (lam + 1, lam) if _plain(k) else (lam, lam + 1)

    assert not at(of(rounded, lam=Scale()), *batch) and not at(of(rounded, lam=Scale()))
    assert at(of(lambda k, lam: (lam + 1e-9, lam + 0), lam=Scale()), *batch)


def _plain(k):
    return isinstance(getattr(k, "inf", None), float) and np.asarray(k.exp(np.array([1.0]))).dtype == float


# Hypotheses that a claim states with k.assume


def test_a_hypothesis_is_used_only_if_it_is_stated():
    """Only 2 <= lambda is assumed."""

    def beyond(bound, top=1):
        def sides(k, lam):
            k.assume(lam >= bound)
            return 2 + 0 * lam, top * lam

        return sides

    script = derived(lambda g: rewrite(assumed(g.case, 0), g.lhs, g.rhs))
    assert proved(of(beyond(2), lam=Scale()), script).steps
    for sides in (beyond(1), beyond(2, Rational(1, 2)), lambda k, lam: (2 + 0 * lam, lam)):
        with pytest.raises(ProofError):
            proved(of(sides, lam=Scale()), script)


def test_a_hypothesis_that_never_holds_proves_nothing():
    def never(k, lam):
        k.assume(lam < 0)
        return lam + 1, lam

    with pytest.raises(ProofError, match="trivial"):
        proved(of(never, lam=Scale()), derived())


def test_a_hypothesis_on_letters():
    """If q > 0 everywhere, p has no mass outside the support of q; otherwise it may have."""

    def outside(k, p):
        return np.where(p[1] > 0, 0 * p[0], p[0]).sum(-1), 0 * p[0].sum(-1)

    def assumed_positive(k, p):
        k.assume((p[1] > 0).all(-1))
        return outside(k, p)

    assert proved(of(assumed_positive, p=Distributions(2)), derived()).steps
    with pytest.raises(ProofError):
        proved(of(outside, p=Distributions(2)), derived())
