"""Audits of one run: their level at the boundary of the claim, their power, rejected input and reports.

Levels are measured by 200 audits at 5%; with a true level of 5%, more than `MOST` rejections have probability 1e-4.
"""

import json
import re
import warnings

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import binom, norm

from krdtheory.audit import audit_one_run
from krdtheory.audit.one_run.coins import Coins
from krdtheory.audit.one_run.mixture import Layout
from krdtheory.privacy import notions as n
from krdtheory.privacy.mechanisms import Gaussian

RUNS = 200
MOST = int(binom.isf(1e-5, RUNS, 0.05))
PLANE = n.ApproximateDP(epsilon=1, delta=1e-5)


def coins(rng, m, p=0.5):
    return rng.random(m) < p


def response(rng, m, epsilon=1.0):
    included = coins(rng, m)
    return np.where(rng.random(m) < expit(epsilon), included, ~included) * 1.0, included


def ranked_response(rng, m, epsilon=1.0):
    """Let the output choose the order of the guesses."""
    scores, included = response(rng, m, epsilon)
    return (scores - 0.5) * rng.exponential(size=m), included


def telling(rng, m, delta=0.02):
    scores, included = response(rng, m)
    return (included * 2.0 if rng.random() < delta else scores), included


def each_told(rng, m, delta=0.02):
    """Reveal each coin with probability delta, by a score that exceeds all others."""
    scores, included = response(rng, m)
    told = rng.random(m) < delta
    return np.where(told, included * 9.0 - 4, scores), included


def one_release(rng, m):
    """Determine every score by the number of included canaries with Laplace noise."""
    included = coins(rng, m)
    return np.full(m, included.sum() + rng.laplace()), included


def one_secret(rng, m):
    """Give a random set of canaries the response of the same coin as a score."""
    included = coins(rng, m)
    answer = included[0] ^ (rng.random() > expit(1.0))
    return np.full(m, float(answer)), included


def normal(rng, m, mu=1.0):
    included = coins(rng, m)
    return rng.normal(size=m) + mu * included, included


def rare(rng, m):
    """Flip coins that are True with probability 1/20."""
    included = coins(rng, m, 0.05)
    answer = np.where(rng.random(m) < expit(1.0), included, ~included)
    return answer * 1.0, included


def secrets(rng, m, k=5):
    chosen = rng.integers(k, size=m)
    told = rng.random(m) < np.e / (np.e + k - 1)
    answer = np.where(told, chosen, (chosen + rng.integers(1, k, size=m)) % k)
    return np.eye(k)[answer] * rng.exponential(size=(m, 1)), chosen


GAUSSIAN = Gaussian(scale=1, sensitivity=1)
BOUNDARY = {
    "response": (response, n.ApproximateDP(epsilon=1, delta=0), {}),
    "response, delta": (ranked_response, PLANE, {}),
    "response, bets": (ranked_response, PLANE, {"method": "bets"}),
    "everything with probability delta": (telling, n.ApproximateDP(epsilon=1, delta=0.02), {}),
    "each with probability delta": (each_told, n.ApproximateDP(epsilon=1, delta=2e-4), {}),
    "one output": (one_release, n.PureDP(epsilon=1), {}),
    "one secret": (one_secret, n.PureDP(epsilon=1), {}),
    "Gaussian, its profile": (normal, n.ApproximateDP(epsilon=2, delta=float(GAUSSIAN.privacy_profile(2.0))), {}),
    "Gaussian, mu": (normal, n.GaussianDP(mu=1), {}),
    "Gaussian, Renyi": (normal, n.RenyiDP(alpha=2, epsilon=1), {}),
    "rare": (rare, PLANE, {"inclusion": 0.05}),
    "secrets": (secrets, PLANE, {}),
}


def rejections(draw, claim, options, m, runs=RUNS, seed=1):
    rng = np.random.default_rng(seed)
    return sum(audit_one_run(*draw(rng, m), claim, rng=k, **options).rejected for k in range(runs))


@pytest.mark.slow
@pytest.mark.parametrize("name", BOUNDARY)
def test_the_level_at_the_boundary(name):
    assert rejections(*BOUNDARY[name], 100, RUNS) <= MOST


BEYOND = {
    "response": (lambda rng, m: response(rng, m, 2.0), n.ApproximateDP(epsilon=1, delta=0), {}),
    "mu": (lambda rng, m: normal(rng, m, 2.5), n.GaussianDP(mu=1), {}),
    "rare": (lambda rng, m: normal_of(coins(rng, m, 0.05), rng, 4.0), PLANE, {"inclusion": 0.05}),
    "secrets": (lambda rng, m: secrets(rng, m, 2), n.PureDP(epsilon=0.4), {}),
    "Renyi": (lambda rng, m: normal(rng, m, 3), n.RenyiDP(alpha=2, epsilon=0.5), {}),
    "concentrated": (lambda rng, m: normal(rng, m, 3), n.ZeroConcentratedDP(rho=0.05), {}),
}


def normal_of(included, rng, mu):
    return rng.normal(size=len(included)) + mu * included, included


@pytest.mark.slow
@pytest.mark.parametrize("name", BEYOND)
def test_what_leaks_more_is_rejected(name):
    assert rejections(*BEYOND[name], 500, 2) == 2


@pytest.mark.slow
def test_the_bound_agrees_with_the_verdict():
    rng = np.random.default_rng(3)
    scores, included = normal(rng, 600, 2.0)
    lower = audit_one_run(scores, included, PLANE, rng=0).epsilon_lower
    assert 2 < lower < 10
    for epsilon, rejected in ((lower * 0.99, True), (lower * 1.03, False)):
        result = audit_one_run(scores, included, n.ApproximateDP(epsilon=epsilon, delta=1e-5), rng=0)
        assert (result.rejected, result.p_value <= 0.05) == (rejected, rejected)
        assert result.epsilon_lower == pytest.approx(lower, rel=0.02)


@pytest.mark.slow
def test_a_leak_of_some_canaries_is_found_at_either_end_of_the_scores():
    rng = np.random.default_rng(5)
    included = coins(rng, 1000)
    leaks = rng.random(1000) < 0.1
    noise = rng.normal(size=1000)
    for scores in (
        noise + 4 * leaks * (included - 0.5),
        noise + 6 * leaks * included,
        noise - 6 * leaks * ~included,
    ):
        assert audit_one_run(scores, included, PLANE, rng=0).epsilon_lower > 1.2
    assert audit_one_run(noise, included, PLANE, rng=0).epsilon_lower < 0.5


def test_simulation_is_the_binomial_tail_where_there_is_one_block():
    layout = Layout(Coins(), 50, (50, 0), 50)
    assert layout.sizes.tolist() == [50]
    q = expit(1.0)
    for count in (41, 43, 46):
        evidence = float(layout.log_evidence(np.array([count]), 1.0))
        exact = binom.sf(count - 1, 50, q)
        found = layout.chance(evidence, 1.0, 0.05)
        assert exact <= found <= exact + 9 * np.sqrt(exact / 10_000) + 2e-3
        assert layout.chance(evidence * (1 - 1e-14), 1.0, 0.05) == found  # ties survive rounding


def test_evidence_has_mean_one_and_rises_in_every_count():
    layout = Layout(Coins(0.3), 9, (3, 2), 1)
    sizes, q = layout.sizes, layout.coins.right(0.8)[layout.side]
    grids = np.indices(sizes + 1).reshape(len(sizes), -1).T
    mass = binom.pmf(grids, sizes, q).prod(1)
    evidence = np.exp(layout.log_evidence(grids, 0.8))
    assert mass @ evidence == pytest.approx(1, abs=1e-12)
    table = evidence.reshape(sizes + 1)
    assert all((np.diff(table, axis=axis) >= -1e-12).all() for axis in range(table.ndim))


def test_the_number_of_guesses_on_the_ladder_does_not_depend_on_scores():
    """The number for a claim must not depend on the scores: with other scores it is the same."""
    rng = np.random.default_rng(7)
    included = coins(rng, 400)
    words = {
        audit_one_run(scores, included, n.GaussianDP(mu=9), rng=0, confidence=0.99).used["level"]
        for scores in (
            rng.normal(size=400),
            rng.standard_cauchy(400),
            np.zeros(400),
            np.r_[np.full(390, np.nan), range(10)],
        )
    }
    assert len(words) == 1


@pytest.mark.slow
def test_hard_scores():
    rng = np.random.default_rng(2)
    included = coins(rng, 300)
    told = np.where(included, 1.0, 0.0)
    whole = audit_one_run(told, included, PLANE, rng=0)
    assert whole.epsilon_lower > 3  # ties, but every coin is revealed
    infinite = audit_one_run(np.where(included, np.inf, -np.inf), included, PLANE, rng=0)
    assert infinite.epsilon_lower == whole.epsilon_lower
    assert not audit_one_run(np.zeros(300), included, PLANE, rng=0).rejected  # no coin is
    assert not audit_one_run(np.full(300, np.inf), included, PLANE, rng=0).rejected
    holes = np.where(rng.random(300) < 0.3, np.nan, told)
    result = audit_one_run(holes, included, PLANE, rng=0)
    missing = int(np.isnan(holes).sum())
    assert f"{missing} canaries, whose scores are NaN, are guessed at last, and at random" in " ".join(
        result.summary().split()
    )
    assert result.rejected
    assert "in were" in result.used["canaries"]
    sorted_first = np.argsort(~included)  # rows sorted by the truth, which must not affect ties
    constant = audit_one_run(np.zeros(300), included[sorted_first], PLANE, rng=0)
    assert not constant.rejected
    one = audit_one_run([3.0], [True], PLANE, rng=0)
    assert (one.epsilon_lower, one.rejected) == (0, False)
    assert one.p_value > 0.7  # one right guess
    backwards = audit_one_run(-told, included, PLANE, rng=0)  # the caller must ensure that higher means included
    assert backwards.epsilon_lower == 0


@pytest.mark.slow
@pytest.mark.parametrize(("epsilon", "delta"), [(0, 0), (0, 0.5), (1e-9, 1), (300, 0), (50, 0.999), (3, 1e-300)])
def test_extreme_claims(epsilon, delta):
    rng = np.random.default_rng(4)
    included = coins(rng, 200)
    claim = n.ApproximateDP(epsilon=epsilon, delta=delta)
    for scores, tells in ((included * 1.0, True), (rng.normal(size=200), False)):
        for options in ({}, {"bound": "delta"}, {"method": "ladder"}, {"method": "bets"}):
            result = audit_one_run(scores, included, claim, rng=0, **options)
            assert 0 <= result.p_value <= 1
            assert not result.rejected or (tells and epsilon < 4 and delta < 0.01)
            json.loads(result.to_json(), parse_constant=lambda name: pytest.fail(name))
    whole = audit_one_run(included * 1.0, included, claim, rng=0)
    assert whole.rejected == (delta < 1e-9 and epsilon < 4)  # 200 right guesses: q^200 is .05 at epsilon = 4.2


def test_delta_is_bounded_if_a_few_coins_are_revealed():
    """Randomised response, but a tenth of the coins are revealed; no bound can go beyond the level."""
    rng = np.random.default_rng(8)
    scores, included = response(rng, 2000, 0.2)
    told = rng.random(2000) < 0.3
    scores = np.where(told, included * 9.0 - 4, scores)
    result = audit_one_run(scores, included, n.ApproximateDP(epsilon=0.5, delta=1e-4), bound="delta", rng=0)
    assert result.rejected
    assert 1e-4 < result.delta_lower < 0.05
    assert result.delta_at(0.5) == result.delta_lower
    with pytest.raises(ValueError, match=r"epsilon must be that of the audit, 0\.5"):
        result.delta_at(1.0)
    with pytest.raises(ValueError, match="delta must be left alone"):
        result.epsilon_at(1e-4)


@pytest.mark.slow
def test_pairs_secrets_and_several_runs():
    rng = np.random.default_rng(6)
    which = rng.integers(2, size=400)
    scores = rng.normal(size=(400, 2)) + 3 * np.eye(2)[which]
    pairs = audit_one_run(scores, which, PLANE, rng=0)
    assert pairs.epsilon_lower > 2.5
    assert "one of 2 secrets each" in pairs.summary()
    five = rng.integers(5, size=400)
    assert audit_one_run(rng.normal(size=(400, 5)) + 4 * np.eye(5)[five], five, PLANE, rng=0).epsilon_lower > 2.5
    assert audit_one_run(rng.normal(size=(400, 5)), five, PLANE, rng=0).epsilon_lower < 0.6
    included = rng.random((4, 200)) < 0.5
    runs = (rng.normal(size=(4, 200)) + 2 * included) * np.array([[1], [10], [100], [1000]]) + 5e4
    result = audit_one_run(runs, included, PLANE, rng=0)
    assert result.epsilon_lower > 2.5
    assert "each run centred" in result.summary()


SCORES, BITS = np.arange(30.0), np.arange(30) % 2 == 0


@pytest.mark.parametrize(
    ("scores", "included", "options", "words"),
    [
        (BITS, SCORES, {}, "scores must be the scores, and included"),
        (SCORES, SCORES, {}, "included must be True or False"),
        (SCORES, BITS[:9], {}, r"included must be of the shape of scores, \(30,\); got shape \(9,\)"),
        (SCORES.reshape(10, 3), BITS, {}, r"or of shape \(10,\) for one of 3 secrets each"),
        (SCORES.reshape(10, 3), np.full(10, 3), {}, "column of the secret that was in, 0 to 2"),
        (SCORES.reshape(30, 1), np.zeros(30, dtype=int), {}, "at least 2 secrets"),
        (SCORES.reshape(15, 2), np.zeros(15, dtype=int), {"inclusion": 0.3}, "inclusion must be left out"),
        ([], [], {}, "scores must be real numbers"),
        (["a"] * 30, BITS, {}, "scores must be real numbers"),
        (SCORES, ["yes"] * 30, {}, "included must be an array that says"),
        (np.full(30, np.nan), BITS, {}, "at least one of them not NaN"),
        (np.ma.masked_less(SCORES, 3), BITS, {}, "an array without a mask"),
        (1j * SCORES, BITS, {}, "scores must be real numbers"),
        (SCORES.reshape(2, 3, 5), BITS.reshape(2, 3, 5), {}, "included must be of the shape"),
        (np.arange(60.0), np.ones(60, dtype=bool), {}, "got True for 60 of 60"),
        (SCORES, BITS, {"inclusion": 0.001}, "got True for 15 of 30"),
        (SCORES, BITS, {"inclusion": 1}, r"inclusion must be in \(0, 1\)"),
        (SCORES, BITS, {"confidence": 95}, r"confidence must be in \(0, 1\)"),
        (SCORES, BITS, {"method": "event"}, "method must be 'auto' or one of 'mixture', 'bets', 'ladder'"),
        (SCORES, BITS, {"method": "bets", "bound": "delta"}, "one of 'ladder' for this notion and bound"),
        (SCORES, BITS, {"bound": "mu"}, "bound must be 'epsilon' or 'delta'"),
        (SCORES, BITS, {"notion": n.GaussianDP(mu=1), "bound": "delta"}, "bound must be 'epsilon'"),
        (SCORES, BITS, {"notion": n.KernelRenyiDP(alpha=2, regularization=0.1, epsilon=1)}, "bounds the probabilities"),
        (SCORES, BITS, {"notion": 1.0}, "notion must be a notion"),
        (SCORES, BITS, {"rng": -1}, "rng must be"),
    ],
)
def test_errors_say_what_is_allowed(scores, included, options, words):
    notion = {"notion": PLANE} | options
    with pytest.raises((ValueError, TypeError), match=words):
        audit_one_run(scores, included, notion.pop("notion"), **notion)


@pytest.mark.slow
def test_coins_of_one_and_minus_one():
    scores, included = normal(np.random.default_rng(9), 300, 2.0)
    plain, signed = (audit_one_run(scores, c, PLANE, rng=3) for c in (included, 2 * np.asarray(included, int) - 1))
    assert signed.to_json() == plain.to_json()


@pytest.mark.slow
def test_every_form():
    rng = np.random.default_rng(9)
    scores, included = normal(rng, 300, 2.0)
    for claim in (PLANE, n.PureDP(epsilon=9), n.GaussianDP(mu=0.2), n.TradeOffDP(tradeoff=lambda a: (1 - a) ** 2)):
        result = audit_one_run(scores, included, claim, rng=3)
        data = json.loads(result.to_json(), parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
        again = audit_one_run(
            scores, included, claim, rng=data["seed"], confidence=data["confidence"], **data["arguments"]
        )
        assert again.to_json() == result.to_json()
        assert (data["n"], data["m"]) == (int(included.sum()), int((~included).sum()))
        page, text = result.to_html(), result.summary()
        assert len(re.findall("<svg", page)) == 2
        assert "AUROC" in text and "uncertified" in text
        assert ("conditional on the Gaussian curve" in text) == isinstance(claim, n.GaussianDP)
        assert ("no proof of privacy" in text) == (not result.rejected)
    mu = audit_one_run(scores, included, n.GaussianDP(mu=0.2), rng=3)
    assert mu.mu_lower == mu.divergence_lower > 0.2
    exact = norm.cdf(mu.mu_lower / 2 - 1 / mu.mu_lower) - np.e * norm.cdf(-mu.mu_lower / 2 - 1 / mu.mu_lower)
    assert mu.delta_at(1.0) == pytest.approx(exact, abs=1e-9)
    assert mu.delta_at(mu.epsilon_at(1e-5)) == pytest.approx(1e-5, rel=1e-6)


@pytest.mark.slow
def test_inclusions_that_are_unlike_coins_cause_a_warning():
    rng = np.random.default_rng(1)
    half = rng.permutation(np.arange(100) < 50)
    result = audit_one_run(rng.normal(size=100), half, PLANE, rng=0)
    assert "exactly half of the canaries were in, as happens to fair coins once in 13 runs" in result.warnings[0]
    assert "a coin of its own" in result.summary()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert audit_one_run(rng.normal(size=101), rng.random(101) < 0.5, PLANE, rng=0).warnings == ()


@pytest.mark.slow
def test_a_direction_chosen_by_the_coins_breaks_the_level():
    """The best of 80 random scores, in the better direction, seems to leak; each by itself does not."""
    rng = np.random.default_rng(10)
    included = coins(rng, 200)
    each = [audit_one_run(rng.normal(size=200), included, n.PureDP(epsilon=0.01), rng=0).p_value for _ in range(80)]
    assert min(each) < 0.05
    assert np.mean(np.array(each) < 0.05) < 0.2
