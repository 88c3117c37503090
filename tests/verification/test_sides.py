"""Both sides of a claim: valid return values, margins, and the effect of rounding."""

import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace

import mpmath
import numpy as np
import pytest

from verification.claim import Claim, Verdict
from verification.instances import Distributions, Fraction01, Order, Scale, draw, take
from verification.limits import TimeLimitError, time_limit
from verification.rigorous import RigorousVocabulary
from verification.search import check
from verification.sides import at, ball_sides, evaluate, look, rounding


def of(sides, relation="<=", **given):
    """Return an unregistered claim."""
    return Claim("test.claim", "test", "", given or {"alpha": Order(0.5)}, sides, relation)


def instance(claim, seed=0, size=8):
    return draw(claim.given, np.random.default_rng(seed), size, 2)


BAD = {  # the return value of a claim, and the message about it
    "one number": (lambda k, alpha: alpha, "it must return two arrays of real numbers"),
    "two numbers": (lambda k, alpha: (0.0, 1.0), "both are single numbers"),
    "three": (lambda k, alpha: (alpha, alpha, alpha), "it must return two arrays"),
    "text": (lambda k, alpha: (alpha, "x"), "rhs is str 'x'"),
    "another batch": (lambda k, alpha: (alpha[:1], 0), "lhs has shape (1,)"),
    "complex": (lambda k, alpha: (alpha * 1j, alpha), "lhs is complex"),
    "boolean": (lambda k, alpha: (alpha > 1, alpha), "lhs is boolean: a hypothesis is said with k.assume"),
    "a column and a row": (lambda k, alpha: (alpha[:, None], alpha), "the same shape; the shapes are"),
    "no inequality": (lambda k, alpha: (alpha[:, None][:, :0],) * 2, "there is no inequality"),
    "numpy": (lambda k, alpha: (np.log(alpha), alpha - 1 + 2 * (alpha > 60)), "use k.log"),
    "a division": (lambda k, alpha: (alpha, alpha + 1 // 0), "ZeroDivisionError"),
    "an attribute": (lambda k, alpha: (k.logarithm(alpha), alpha), "has no 'logarithm'"),
    "NaN": (lambda k, alpha: (alpha * np.nan, alpha), "NaN at 60 digits: say with k.assume"),
    "a hypothesis that is none": (lambda k, alpha: (k.assume(alpha), alpha)[1:] * 2, "condition must be booleans"),
}


@pytest.mark.parametrize("name", BAD)
def test_invalid_sides_are_an_error_with_a_message(name):
    sides, text = BAD[name]
    outcome = check(of(sides), budget=200)
    assert outcome.verdict is Verdict.ERROR
    assert text in outcome.reason
    if name in ("a division", "an attribute", "numpy"):
        assert "test_sides.py, line" in outcome.reason


def test_valid_sides():
    for sides in (
        lambda k, alpha: (0, alpha),
        lambda k, alpha: [alpha, alpha + 1],
        lambda k, alpha: (alpha.astype(int), alpha),
        lambda k, alpha: (alpha[:, None], alpha[:, None] + np.arange(3)),
    ):
        assert check(of(sides), budget=200).verdict is Verdict.SUPPORTED


def test_a_random_side_is_an_error():
    coin = np.random.default_rng(0)
    outcome = check(of(lambda k, alpha: (alpha, alpha + coin.integers(0, 2, size=alpha.shape))), budget=200)
    assert outcome.verdict is Verdict.ERROR
    assert "not deterministic" in outcome.reason


@pytest.mark.slow
def test_an_endless_loop_is_an_error():
    def endless(k, alpha):
        while True:
            with suppress(Exception):  # as a careless function does
                time.sleep(0.01)

    start = time.perf_counter()
    outcome = check(of(endless), budget=10, seconds=0.3)
    assert outcome.verdict is Verdict.ERROR
    assert "longer than 0.3 s" in outcome.reason
    assert time.perf_counter() - start < 30


@pytest.mark.slow
def test_tracing_works_after_a_time_limit():
    """Profilers, debuggers and the shrinker of hypothesis use tracing."""
    code = """
import sys
from verification.limits import time_limit

def loop():
    for _ in range(100):
        pass

with time_limit(60):
    loop()
for trace in (sys.setprofile, sys.settrace):
    trace(lambda *_: None)
    loop()
    trace(None)
"""
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == 0


def test_a_time_limit_that_is_not_reached_does_nothing():
    for _ in range(20):
        with time_limit(0.02):
            pass
    time.sleep(0.1)  # no signal arrives later
    with pytest.raises(TimeLimitError), time_limit(0.05):
        while True:
            time.sleep(0.01)


def test_margins_are_relative():
    """delta <= k delta / 2 is as false at 2^-40 as at 1, and has the same margin."""
    claim = of(lambda k, delta: (delta, delta * 3 / 4), delta=Scale(positive=True))
    raw = instance(claim)
    sides = evaluate(claim, raw)
    assert np.allclose(sides.margins, -1 / 4)


def test_infinite_sides():
    """inf <= inf holds, inf <= finite does not, and finite <= inf does."""
    claim = of(
        lambda k, alpha: (
            np.stack([alpha * 0 + k.inf, alpha, alpha * 0 + k.inf], -1),
            np.stack([alpha * 0 + k.inf, alpha * 0 + k.inf, alpha], -1),
        )
    )
    sides = evaluate(claim, instance(claim))
    assert (sides.margins == [0, np.inf, -np.inf]).all()
    assert check(of(lambda k, alpha: (alpha + k.inf, alpha)), budget=50).verdict is Verdict.REFUTED


def test_rounding_is_distinguished_from_a_violation():
    """1 - sum sqrt(p q) for close pairs: rounding is recognised, and a violation in the last digits is found."""

    def hellinger(k, p):
        return (k.sqrt(p[0]) - k.sqrt(p[1])) ** 2

    true = of(
        lambda k, p: (2 * (1 - (k.sqrt(p[0]) * k.sqrt(p[1])).sum(-1)), hellinger(k, p).sum(-1)),
        "==",
        p=Distributions(2),
    )
    assert check(true).verdict is Verdict.SUPPORTED
    raw = instance(true, size=64)
    sides = evaluate(true, raw)
    assert (abs(sides.gaps) <= 64 * rounding(true, raw, sides)).mean() > 0.95
    false = of(lambda k, p: (hellinger(k, p).sum(-1) * (1 + 1e-9), hellinger(k, p).sum(-1)), p=Distributions(2))
    assert check(false).verdict is Verdict.REFUTED


def test_margins_below_float64_are_evaluated_in_balls():
    """The sides differ in the thirtieth digit: they are equal in float64, but not in balls."""

    def sides(sign):
        def claim(k, part):
            x = part + 1
            tiny = x - (x * x + 2.0**-100) / x
            return x, x + sign * (-tiny)

        return claim

    assert check(of(sides(1), part=Fraction01())).verdict is Verdict.SUPPORTED
    assert check(of(sides(-1), part=Fraction01())).verdict is Verdict.REFUTED


def test_balls_agree_with_a_closed_form():
    """KL of (1/3, 2/3) and (1/2, 1/2) at 40 digits, by mpmath."""
    claim = of(lambda k, p: (k.kl(*p), 0 * p[0][:, 0] + 1), p=Distributions(2, dim=2))
    raw = {"p": {"weights": np.array([[[1, 2], [1, 1]]])}}
    lhs, _ = ball_sides(claim, at(claim, raw), 40)
    with mpmath.workdps(50):
        third = mpmath.mpf(1) / 3
        wanted = third * mpmath.log(2 * third) + 2 * third * mpmath.log(4 * third)
        assert abs(mpmath.mpf(lhs[0, 0].mid().str(45, radius=False)) - wanted) < mpmath.mpf(10) ** -38
    seen = look(claim, at(claim, raw))
    assert seen.violated is None and seen.margin == pytest.approx(1 - float(wanted))


def of_solver(sides, digits):
    """Return a claim of little effort without balls, and record the digits with which it is evaluated."""

    def noted(k, part):
        if isinstance(k, RigorousVocabulary):
            raise ValueError("no balls")
        digits.append(k.arithmetic.digits)
        return sides(k, part, digits[-1])

    return replace(of(noted, part=Fraction01()), effort=0.1)


@pytest.mark.parametrize(
    ("sides", "digits", "sign"),
    [
        (lambda k, x, digits: (0 * x, x), [15, 30], 1),
        (lambda k, x, digits: (0 * x, -x), [15, 60, 90], -1),  # float64 sees a violation,
        (lambda k, x, digits: (0 * x, x if digits < 30 else -x), [15, 30, 60, 90], -1),  # 30 digits,
        (lambda k, x, digits: (0 * x, x if digits == 30 else -x), [15, 60, 90], -1),  # float64 before 30 are tried,
        (lambda k, x, digits: (0 * x + 1, 1 + x * (1 if digits == 15 else 2)), [15, 30, 60], 1),  # they differ,
        (lambda k, x, digits: (0 * x + 1, 1 + x / 10**9), [15, 60], 1),  # or there is hardly a margin
    ],
)
def test_few_digits_suffice_if_float64_agrees_that_a_margin_is_positive(sides, digits, sign):
    tried = []
    claim = of_solver(sides, tried)
    seen = look(claim, at(claim, {"part": {"part": np.array([1 << 59])}}))
    assert tried == digits and np.sign(seen.margin) == sign and (seen.violated is None) == (sign > 0)


def test_without_a_solver_all_digits_are_used():
    tried = []
    claim = replace(of_solver(lambda k, x, digits: (0 * x, x), tried), effort=1.0)
    assert look(claim, at(claim, {"part": {"part": np.array([1 << 59])}})).margin == 1 and tried == [60]


# Hypotheses


def test_a_hypothesis_is_counted():
    claim = of(lambda k, part: (k.assume(part > 1 / 2), (part, 2 * part * part))[1], part=Fraction01())
    outcome = check(claim, budget=2000)
    assert outcome.verdict is Verdict.SUPPORTED  # x <= 2 x^2 from 1/2 on
    assert 100 <= outcome.instances < outcome.drawn
    below = of(lambda k, part: (k.assume(part < 1 / 2), (part, 2 * part * part))[1], part=Fraction01())
    assert check(below, budget=2000).verdict is Verdict.REFUTED


def test_too_few_instances_are_vacuous():
    never = of(lambda k, part: (k.assume(part > 2), (part, 0 * part))[1], part=Fraction01())
    outcome = check(never, budget=2000)
    assert outcome.verdict is Verdict.VACUOUS
    assert "its hypotheses hold for 0 of" in outcome.reason


def test_sides_that_are_the_same_number_nearly_everywhere_are_vacuous():
    """A hypothesis expressed by np.where that never holds."""
    claim = of(lambda k, part: (np.where(part > 2, part, 0 * part), 0 * part), part=Fraction01())
    outcome = check(claim, budget=2000)
    assert outcome.verdict is Verdict.VACUOUS
    assert "the same number in all but 0" in outcome.reason


def test_a_hypothesis_does_not_affect_other_instances():
    """Sides that fail if the hypothesis does not hold have no effect."""

    def claim(k, part):
        k.assume(part > 0)
        return k.log(part), 0 * part

    assert check(of(claim, part=Fraction01()), budget=1000).verdict is Verdict.SUPPORTED


def test_members_that_float64_cannot_evaluate_are_evaluated_again():
    """One instance in a few hundred fails in float64, but not with more digits."""

    def claim(k, part):
        if not k.exact and (part == part.max()).any() and len(part) > 1:
            raise np.linalg.LinAlgError("Eigenvalues did not converge")
        return part, part + 1

    assert check(of(claim, part=Fraction01()), budget=300).verdict is Verdict.SUPPORTED


def test_instances_that_were_not_evaluated_are_not_support():
    """Half of the instances are NaN in float64; a few are evaluated again, and the others are not counted."""

    def claim(k, part):
        return (part if k.exact else np.where(part < 1 / 2, part, np.nan)), part + 1

    outcome = check(of(claim, part=Fraction01()), budget=1000)
    assert outcome.verdict is Verdict.SUPPORTED
    assert 100 < outcome.instances < outcome.drawn * 3 / 4


def test_margins_explained_by_rounding_are_counted():
    """64 + x / 3 loses the last digits of x, so that many instances are below 0 in float64."""
    lossy = check(of(lambda k, part: ((64 + part / 3 - 64) * 3, part), part=Fraction01()), budget=2000)
    assert lossy.verdict is Verdict.SUPPORTED
    assert lossy.left > 100
    false = check(of(lambda k, part: ((64 + part / 3 - 64) * 3, part / 2), part=Fraction01()), budget=2000)
    assert false.verdict is Verdict.REFUTED
    assert false.left == 0
    assert check(of(lambda k, part: (part, part + 1), part=Fraction01()), budget=2000).left == 0


# Errors of users


class Leaving(Fraction01):
    """A kind that draws 2, and says that this is valid."""

    def drawn_from(self, rng, batch, dim, start):
        return {"part": 2 * super().drawn_from(rng, batch, dim, start)["part"] * 0 + (2 << 60)}

    def sound(self, raw):
        return np.ones(len(raw["part"]), dtype=bool)


def test_an_instance_outside_of_its_kind_refutes_nothing():
    outcome = check(of(lambda k, x: (x, 0 * x + 1), x=Leaving()), budget=100)
    assert outcome.verdict is Verdict.ERROR
    assert "the kind of x builds an instance outside its domain" in outcome.reason


class Failing(Fraction01):
    def drawn_from(self, rng, batch, dim, start):
        raise KeyError("nothing to draw")


def test_an_argument_or_a_kind_that_raises_is_an_error():
    def argument(claim):
        raise OSError("no such table")

    def sides(k, x):
        return x, 0 * x + 1

    outcome = check(replace(of(sides, x=Fraction01()), argument=argument), budget=100)
    assert outcome.verdict is Verdict.ERROR and "OSError: no such table at test_sides.py, line" in outcome.reason
    outcome = check(of(sides, x=Failing()), budget=100)
    assert outcome.verdict is Verdict.ERROR and "KeyError: 'nothing to draw'" in outcome.reason


def test_a_stacked_equality_does_not_stop_the_climb():
    """The second inequality is false only for close points; the first is an equality."""

    def claim(k, p):
        tv = abs(p[0] - p[1]).sum(-1) / 2
        hd = (1 - (k.sqrt(p[0] * p[1])).sum(-1)).astype(p[0].dtype)
        return np.stack([tv, tv * tv], -1), np.stack([tv, 1.9 * hd], -1)

    assert check(of(claim, p=Distributions(2))).verdict is Verdict.REFUTED


def test_take_selects_instances():
    claim = of(lambda k, alpha: (alpha, alpha))
    raw = instance(claim)
    assert len(evaluate(claim, take(raw, [1, 2])).lhs) == 2
