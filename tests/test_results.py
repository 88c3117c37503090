"""Every public class of results is frozen, and JSON preserves it to the last bit."""

import dataclasses
import importlib
import importlib.util
import inspect
import json
import typing
from pathlib import Path
from types import SimpleNamespace

import mpmath
import numpy as np
import pytest
from flint import arb

import krdtheory
from krdtheory import ball
from krdtheory.arithmetic import MP
from krdtheory.audit import AuditResult, Band, Bound, OneRunResult, audit, audit_one_run
from krdtheory.divergences.restricted import (
    Affine,
    LaplaceDistribution,
    Polynomials,
    RestrictedSolution,
    restricted_solution,
)
from krdtheory.privacy.notions import ApproximateDP, GaussianDP, Implication, PureDP, RenyiDP
from krdtheory.results import Result
from verification import Evidence, check
from verification.claim import REGISTRY
from verification.table1 import Table1Row, table1

spec = importlib.util.spec_from_file_location("public", Path(__file__).parents[1] / "docs" / "public.py")
public = importlib.util.module_from_spec(spec)
spec.loader.exec_module(public)

P, Q = [0.5, 0.25, 0.25, 0.0], [0.25, 0.25, 0.25, 0.25]
NOT_RESULTS = {  # created by users as arguments of functions; their repr is the call that creates them
    "krdtheory.divergences.restricted.classes",
    "krdtheory.kernels.covariance",
    "krdtheory.kernels.kernels",
    "krdtheory.privacy.mechanisms",
    "krdtheory.privacy.notions",
    "krdtheory.privacy.peers",
    "krdtheory.privacy.regions",
    "krdtheory.audit.one_run.stream",
    "krdtheory.audit.pieces",
    "verification.instances",
    "verification.provers",
}


def dataclasses_of(modules=public.PUBLIC):
    """Return public dataclasses, and those in the return types of public functions and methods."""

    def classes(hint):
        if inspect.isclass(hint):
            yield hint
        for part in typing.get_args(hint):
            yield from classes(part)

    found = set()
    for module in modules:
        for name in public.public(module):
            value = getattr(importlib.import_module(module), name)
            made = [value] if inspect.isclass(value) else []
            functions = [v for v in vars(value).values() if inspect.isfunction(v)] if made else [value]
            for function in map(inspect.unwrap, filter(callable, functions)):
                try:
                    hints = typing.get_type_hints(function)
                except (NameError, TypeError, AttributeError):
                    hints = {}
                made += classes(hints.get("return"))
            found |= {one for one in made if dataclasses.is_dataclass(one)}
    return found


def is_result(kind):
    return issubclass(kind, Result) or not any(kind.__module__.startswith(module) for module in NOT_RESULTS)


def samples():
    draw = np.random.default_rng(0)
    return draw.laplace(0, 0.5, 300), draw.laplace(1, 0.5, 300)


def one_run():
    draw = np.random.default_rng(0)
    included = draw.random(100) < 0.5
    return audit_one_run(draw.normal(size=100) + 3 * included, included, ApproximateDP(epsilon=1, delta=1e-5), rng=0)


def audited():
    return audit(*samples(), PureDP(epsilon=1), rng=0)


LAWS = LaplaceDistribution(0, 1), LaplaceDistribution(1, 1)
FOUND = {
    AuditResult: [audited, lambda: audit(*samples(), RenyiDP(alpha=2, epsilon=1), rng=0)],
    OneRunResult: [one_run],
    Band: [lambda: audited().band, lambda: Band(x=np.array([0, np.inf]), y=0, epsilon=0, delta=0, confidence=0.5)],
    Bound: [
        lambda: next(iter(audited().directions.values())),
        lambda: Bound(value=np.inf, level=0.1, witness={}, used={}),
    ],
    RestrictedSolution: [
        lambda: restricted_solution(P, Q, Polynomials(1), alpha=2, points=range(4)),
        lambda: restricted_solution(P, Q, Polynomials(1), alpha=2, points=range(4), arithmetic=MP(30)),
        lambda: restricted_solution(Q, [1, 0, 0, 0], Polynomials(1), points=range(4)),
        lambda: restricted_solution(*LAWS, Affine(), alpha=2),
    ],
    Table1Row: [lambda: table1()[0], lambda: table1(epsilon="1/3", arithmetic=MP(30))[-1]],
    Implication: [
        lambda: PureDP(epsilon=1).implies(PureDP(epsilon=0.5)),
        lambda: GaussianDP(mu=1).implies(PureDP(epsilon=3)),
        lambda: PureDP(epsilon=1).implies(RenyiDP(alpha=2, epsilon=3)),
    ],
    ball.Certificate: [
        lambda: ball.certify(lambda digits: ball.kl(P, Q, digits=digits), 1),
        lambda: ball.certify(0, float("inf")),
        lambda: ball.certify(lambda digits: arb("nan"), 0),
    ],
    Evidence: [
        lambda: check(REGISTRY["krd.cor2"], budget=2000),  # refuted
        lambda: check(REGISTRY["capacity.def2.pinsker.sharp"], budget=20, rng=3),
    ],
}


def test_every_public_result_is_tested():
    assert {kind for kind in dataclasses_of() if is_result(kind)} - {_claim()} == set(FOUND)


def _claim():
    return type(REGISTRY["krd.cor2"])  # also created by users, in the same module as Evidence


def test_a_forgotten_result_is_noticed():
    forgotten = dataclasses.make_dataclass("Found", ["value"])
    forgotten.__module__ = "krdtheory.audit.result"
    assert is_result(forgotten)
    assert Evidence in dataclasses_of(["verification"])  # returned by check
    assert not hasattr(forgotten, "to_json")


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "make"), [(kind, make) for kind, made in FOUND.items() for make in made])
def test_round_trip(kind, make):
    found = make()
    assert type(found) is kind
    assert kind.__dataclass_params__.frozen
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(found, dataclasses.fields(found)[0].name, None)
    text = found.to_json()
    json.loads(text, parse_constant=pytest.fail)
    again = kind.from_json(text)
    assert type(again) is kind
    assert again.to_json() == text
    if kind not in (AuditResult, OneRunResult, Evidence):  # these have the score, or exact inputs in another form
        assert again == found


def test_numbers_are_the_same_to_the_last_bit():
    found = FOUND[RestrictedSolution][1]()
    again = RestrictedSolution.from_json(found.to_json())
    assert isinstance(again.value, mpmath.mpf)
    assert again.value == found.value
    assert (again.maximiser == found.maximiser).all()
    certificate = ball.certify(lambda digits: ball.kl(P, Q, digits=digits), 1)
    margin = ball.Certificate.from_json(certificate.to_json()).margin
    assert (margin.mid(), margin.rad()) == (certificate.margin.mid(), certificate.margin.rad())
    assert not margin.is_exact()


def test_functions_are_not_in_json():
    found = FOUND[RestrictedSolution][3]()
    assert callable(found.maximiser)
    assert RestrictedSolution.from_json(found.to_json()).maximiser is None


def test_results_can_be_compared():
    first, second = (restricted_solution(P, Q, Polynomials(1), alpha=a, points=range(4)) for a in (2, 3))
    assert first == dataclasses.replace(first)
    assert first != second
    assert first != 1


def tampered(result, **changes):
    data = json.loads(FOUND[result][0]().to_json())
    return json.dumps({**data, **changes})


@pytest.mark.parametrize("kind", [RestrictedSolution, ball.Certificate, Implication, Bound])
@pytest.mark.parametrize(
    "text",
    [
        lambda kind: "",
        lambda kind: "[]",
        lambda kind: "[" * 100_000,
        lambda kind: tampered(kind, schema=2),
        lambda kind: tampered(kind, kind="Another"),
        lambda kind: tampered(kind, more=1),
        lambda kind: FOUND[Band][0]().to_json(),
        lambda kind: tampered(kind, **{dataclasses.fields(kind)[0].name: {"$": "os.system", "value": "true"}}),
        lambda kind: tampered(kind, **{dataclasses.fields(kind)[0].name: {"$": "array", "dtype": "V9", "value": []}}),
    ],
)
def test_other_text(kind, text):
    with pytest.raises(ValueError, match=f"text must be the JSON of {kind.__name__}, schema 1; got"):
        kind.from_json(text(kind))


@pytest.mark.slow
def test_outcomes_of_claims_that_changed():
    claim = REGISTRY["capacity.def2.pinsker.sharp"]
    text = check(claim, budget=20).to_json()
    other = dataclasses.replace(claim, statement="1 = 1", sides=lambda k, **given: (0, 1))
    for registry, words in (({claim.id: other}, "another now"), ({}, "not there")):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("verification.resume.REGISTRY", registry)
            with pytest.raises(ValueError, match=f"text must be of a claim as it is; {claim.id} is {words}"):
                Evidence.from_json(text)
    for wrong in ("", "{}", "3", text.replace('"verdict"', '"verdikt"'), text.replace('"seed": 0', '"seed": -1')):
        with pytest.raises(ValueError, match=r"text must be what Evidence\.to_json writes"):
            Evidence.from_json(wrong)


@pytest.mark.slow
def test_a_drawn_seed_is_reported():
    claim = REGISTRY["capacity.def2.pinsker.sharp"]
    found = check(claim, budget=50, rng=np.random.default_rng(5))
    again = check(claim, budget=50, rng=found.seed)
    assert found.seed > 0
    assert SimpleNamespace(**json.loads(again.to_json())).evidence["tightest"] == found.tightest
    assert check(claim, budget=50, rng=None).seed != found.seed


@pytest.mark.slow
def test_the_former_name_of_rng_still_works():
    with pytest.warns(DeprecationWarning, match="seed is called rng now, and goes in version"):
        found = check(REGISTRY["capacity.def2.pinsker.sharp"], budget=20, seed=4)
    assert found.seed == 4


def test_values_that_json_cannot_represent():
    with pytest.raises(TypeError, match="keys must be strings"):
        Bound(value=1, level=0.1, witness={1: 2}, used={}).to_json()
    with pytest.raises(TypeError, match="numbers, words, arrays and results"):
        Bound(value=1, level=0.1, witness={"a": {1}}, used={}).to_json()
    assert krdtheory.results.Result.__eq__(audited().band, 1) is NotImplemented
