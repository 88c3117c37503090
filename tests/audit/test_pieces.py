"""Audits in pieces: the counts are those of all outputs at once, on any machines and in any order."""

import pickle

import numpy as np
import pytest

from krdtheory.audit import EventAudit, learn_event
from krdtheory.audit.exact_test import JointTest
from krdtheory.audit.result import AuditResult
from krdtheory.privacy.notions import ApproximateDP, GaussianDP, KernelRenyiDP, PureDP

CLAIM = PureDP(epsilon=0.5)


def laplace(seed, n, shift=1.0):
    rng = np.random.default_rng(seed)
    return rng.laplace(shift, 1, n), rng.laplace(0, 1, n)


@pytest.fixture(scope="module")
def learnt():
    return learn_event(*laplace(0, 1000), CLAIM, n=4000, m=4000, rng=0)


@pytest.mark.parametrize("shift", [1.0, -1.0])
def test_counts_are_those_of_the_event_itself(shift):
    """For either tail of the noise, and for either input as the more likely one."""
    audit = learn_event(*laplace(0, 1000, shift), CLAIM, n=4000, m=4000, scores="value", rng=0)
    (upper,) = [t for t in (audit.event.upper, -audit.event.lower) if np.isfinite(t)]
    x, y = laplace(1, 4000, shift)
    rising = audit.event.words()[audit.event.direction == "q, p"].startswith("value >=")
    first, second = (x, y) if audit.event.direction == "p, q" else (y, x)
    a, b = ((z >= upper).sum() if rising else (-z >= upper).sum() for z in (first, second))
    found = audit.partial_fit(x, y)
    assert {found.a, found.b} == {a, b}
    test = JointTest(a=int(a), n=4000, b=int(b), m=4000, level=1 - 0.95)
    result = found.result()
    assert result.p_value == test.p_value(epsilon=0.5)
    assert result.epsilon_lower == test.epsilon_lower()
    assert result.rejected
    assert 0.5 < result.epsilon_lower < 1  # the noise is exactly 1-private


def test_pieces_on_other_machines_give_the_same_result(learnt):
    x, y = laplace(1, 4000)
    at_once = learnt.partial_fit(x, y)
    order = np.random.default_rng(2).permutation(8)
    there = [pickle.loads(pickle.dumps(learnt)).partial_fit(x[i * 500 : (i + 1) * 500]) for i in order]
    there += [learnt.partial_fit(y=y[:1]), learnt.partial_fit(y=y[1:].tolist()), learnt.partial_fit([], [])]
    whole = learnt
    for piece in there:
        whole = piece.merge(whole)
    assert whole == at_once
    assert whole.result().to_json() == at_once.result().to_json()
    assert whole != at_once.partial_fit(x[:1])  # one more output is not equal


def test_an_audit_does_not_grow(learnt):
    few, many = (pickle.dumps(learnt.partial_fit(*laplace(3, n))) for n in (100, 20_000))
    assert abs(len(few) - len(many)) <= 8


def test_learning_is_reproducible_by_its_seed(learnt):
    again = learn_event(*laplace(0, 1000), CLAIM, n=4000, m=4000, rng=0)
    assert again == learnt
    assert again.partial_fit([1.0]).merge(learnt).n == 1


@pytest.mark.parametrize(
    ("data", "claim", "options"),
    [
        (9, CLAIM, {}),
        (0, PureDP(epsilon=0.51), {}),
        (0, CLAIM, {"confidence": 0.9}),
        (0, CLAIM, {"rng": 1}),
    ],
)
def test_audits_of_other_events_do_not_merge(learnt, data, claim, options):
    other = learn_event(*laplace(data, 1000), claim, **{"n": 4000, "m": 4000, "rng": 0} | options)
    with pytest.raises(ValueError, match="other must be an audit by the same event"):
        learnt.merge(other)


def test_audits_with_a_function_as_score_merge_only_with_the_same_event():
    def made():
        return learn_event(*laplace(0, 200), CLAIM, n=400, m=400, scores=lambda z: z[:, 0], rng=0)

    one, other = made(), made()
    assert one.partial_fit([1.0]).merge(one.partial_fit([2.0])).n == 2
    with pytest.raises(ValueError, match="same event"):
        one.merge(other)


@pytest.mark.parametrize("notion", [GaussianDP(mu=0.5), ApproximateDP(epsilon=0.5, delta=0.01)])
@pytest.mark.parametrize("bound", ["epsilon", "delta"])
def test_every_notion_of_events(notion, bound):
    """A leak of twice the claim is rejected, and equal distributions are not."""
    if bound == "delta" and not isinstance(notion, ApproximateDP):
        pytest.skip("it has no delta")
    rng = np.random.default_rng(5)
    x, y, same = rng.normal(1.5, 1, 3000), rng.normal(0, 1, 3000), rng.normal(0, 1, 3000)
    for z, rejected in ((x, True), (same, False)):
        audit = learn_event(z[:1000], y[:1000], notion, n=2000, m=2000, bound=bound, rng=0)
        result = audit.partial_fit(z[1000:], y[1000:]).result()
        assert isinstance(result, AuditResult)
        assert result.rejected is rejected
        assert result.n == result.m == 2000


def test_texts_and_objects():
    rng = np.random.default_rng(0)
    x, y = (rng.choice(["yes", "no"], 600, p=p).tolist() for p in ((0.9, 0.1), (0.5, 0.5)))
    audit = learn_event(x[:200], y[:200], CLAIM, n=400, m=400, rng=0).partial_fit(x[200:], y[200:])
    assert {audit.a, audit.b} <= {
        f(z[200:]) for z in (x, y) for f in (lambda s: s.count("yes"), lambda s: s.count("no"))
    }
    first = [{"answer": one} for one in x]
    second = [{"answer": one} for one in y]
    objects = learn_event(first[:200], second[:200], CLAIM, n=400, m=400, rng=0).partial_fit(first[200:], second[200:])
    assert objects.result().n == 400
    by_feature = learn_event(
        first[:200], second[:200], CLAIM, n=400, m=400, features=lambda z: float(z["answer"] == "yes"), rng=0
    ).partial_fit(first[200:], second[200:])
    answer = "yes" if by_feature.event.direction == "p, q" else "no"
    assert (by_feature.a, by_feature.b) == (x[200:].count(answer), y[200:].count(answer))


@pytest.mark.parametrize("outputs", [np.zeros((5, 2)), ["a", "b"], [{"a": 1.0}]])
def test_outputs_unlike_the_learning_data(learnt, outputs):
    with pytest.raises((ValueError, TypeError), match="like those that were learnt from, 1 numbers each"):
        learnt.partial_fit(outputs)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"notion": 1}, TypeError, "notion"),
        ({"notion": KernelRenyiDP(alpha=2, regularization=0.1, epsilon=1)}, ValueError, "bounds the probabilities"),
        ({"confidence": 1}, ValueError, "confidence"),
        ({"bound": "gamma"}, ValueError, "bound"),
        ({"n": 0}, ValueError, "n must be"),
        ({"m": 1.5}, TypeError, "m must be"),
        ({"x": [1.0]}, ValueError, "the number of outputs in x"),
    ],
)
def test_bad_input(change, error, message):
    x, y = laplace(0, 20)
    given = {"x": x, "y": y, "notion": CLAIM, "n": 10, "m": 10} | change
    with pytest.raises(error, match=message):
        learn_event(given.pop("x"), given.pop("y"), given.pop("notion"), **given)


def test_a_result_without_outputs(learnt):
    assert isinstance(learnt, EventAudit)
    with pytest.raises(ValueError, match="given outputs of y; got none"):
        learnt.partial_fit([1.0]).result()
