"""Results: complete, clear, and the same in words, plots and JSON."""

import json
import re

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy.stats import norm

from krdtheory.arithmetic.base import seed_of
from krdtheory.audit import AuditResult, Bound, OneRunResult, audit, audit_one_run
from krdtheory.audit.report import claimed_curve, describe
from krdtheory.audit.scores import Coordinate
from krdtheory.privacy import notions as n


@pytest.fixture(scope="module")
def samples():
    rng = np.random.default_rng(0)
    return rng.normal(1.5, 1, 400), rng.normal(0, 1, 400)


CLAIMS = [
    n.PureDP(epsilon=0.5),
    n.ApproximateDP(epsilon=0.5, delta=0.01),
    n.GaussianDP(mu=3),
    n.TradeOffDP(tradeoff=lambda a: (1 - a) ** 2),
    n.RenyiDP(alpha=2, epsilon=0.5),
    n.KernelRenyiDP(alpha=2, regularization=0.1, epsilon=2, kernel="rbf", bandwidth=1.0),
]


@pytest.mark.slow
@pytest.mark.parametrize("notion", CLAIMS, ids=lambda v: type(v).__name__)
def test_every_form(notion, samples):
    result = audit(*samples, notion, rng=0)
    data = json.loads(result.to_json(), parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert data["rejected"] == result.rejected
    assert data["notion"]["kind"] == type(notion).__name__
    assert data["seed"] == 0
    assert {"krdtheory", "numpy", "scipy", "scikit-learn", "python"} == set(data["versions"])
    text = result.summary()
    assert text.startswith(f"{describe(notion)}: {'rejected' if result.rejected else 'not rejected'} (p = ")
    assert ("no proof of privacy" in text) == (not result.rejected)
    assert "seed" in text
    page = result.to_html()
    assert len(re.findall("<svg", page)) == (2 if result.band is not None else 1)
    links = re.findall(r"""(?:src|href)=["']([^"'#][^"']*)""", page)
    assert links == []  # nothing is loaded from other servers
    assert "<script" not in page
    assert describe(notion).replace("<lambda>", "&lt;lambda&gt;") in page
    assert isinstance(result.plot(), Figure)
    figure = Figure()
    ax = figure.subplots()
    assert result.plot(ax) is figure
    assert ax.get_xlabel() == result.plot().axes[0].get_xlabel() and figure.axes == [ax]
    if not isinstance(notion, n.TradeOffDP):
        again = AuditResult.from_json(result.to_json())
        assert (again.notion, again.band, again.to_json()) == (notion, result.band, result.to_json())
        assert again.summary() == text
    else:
        with pytest.raises(ValueError, match="notion must be one that JSON holds"):
            AuditResult.from_json(result.to_json())


def test_json_that_is_not_a_result_is_rejected(samples):
    whole = audit(*samples, CLAIMS[0], rng=0).to_json()
    run = audit_one_run(samples[0], np.arange(400) % 2 == 0, CLAIMS[0], rng=0)
    assert OneRunResult.from_json(run.to_json()).to_json() == run.to_json()
    for kind, text in (
        (AuditResult, run.to_json()),
        (OneRunResult, whole),
        (AuditResult, "[]"),
        (AuditResult, whole.replace('"schema": 1', '"schema": 2')),
        (AuditResult, whole.replace("PureDP", "Notion")),
        (AuditResult, whole.replace('"epsilon": 0.5', '"epsilon": -1')),
        (AuditResult, whole[:-3]),
    ):
        with pytest.raises(ValueError):
            kind.from_json(text)


def test_a_summary_is_returned_in_a_notebook_too(samples, monkeypatch):
    """In a notebook, rich displays the text that it is asked to write."""
    result = audit(*samples, CLAIMS[0], rng=0)
    text = result.summary()
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    assert result.summary() == text and "at least" in text


def test_the_result_has_everything_to_repeat_the_audit(samples):
    given = {"direction": "both", "events": 2, "learn_from": 0.4, "scores": "tree", "bound": "delta"}
    data = json.loads(audit(*samples, CLAIMS[1], rng=3, **given).to_json())
    arguments = data["arguments"]
    method = arguments.pop("method")
    again = audit(*samples, CLAIMS[1], rng=data["seed"], method=method, confidence=data["confidence"], **arguments)
    assert json.loads(again.to_json())["p_value"] == data["p_value"]
    assert again.witness == data["witness"]
    assert set(data["directions"]) == {"p, q", "q, p"}
    assert sum(one["level"] for one in data["directions"].values()) == pytest.approx(0.05)


def test_the_default_scores_of_numbers_can_be_passed_explicitly(samples):
    result = audit(*samples, CLAIMS[0], rng=3)
    again = audit(*samples, CLAIMS[0], rng=3, **result.arguments)
    assert again.to_json() == result.to_json()


def test_the_counts_of_the_witness_can_be_reproduced(samples):
    x, y = samples
    result = audit(x, y, CLAIMS[0], direction="p, q", rng=0)
    w = result.witness
    assert w["score"] in ("value", "tree")
    counts = {name: w[f"count in {name}"].split(" of ") for name in ("x", "y")}
    assert {int(total) for _, total in counts.values()} == {300}  # a quarter is used for learning
    if w["score"] == "value":
        for name, z in (("x", x), ("y", y)):
            assert int(counts[name][0]) <= (z >= w["thresholds"][0]).sum()


def test_the_counts_of_the_guesses_can_be_reproduced(samples):
    x, y = samples
    w = audit(x, y, CLAIMS[0], scores=Coordinate(), rng=0).witness
    low, high = w["thresholds"]
    assert w["direction"] == "p, q and q, p"
    for which, most in (
        ("right", (x >= high).sum() + (y <= low).sum()),
        ("wrong", (y >= high).sum() + (x <= low).sum()),
    ):
        count, total = map(int, w[f"{which} guesses"].split(" of "))
        assert most / 2 < count <= most
        assert 500 < total <= 600


def test_the_witness_shows_outputs_that_are_compared_as_a_whole():
    x = ["yes"] * 200 + ["no"] * 60 + ["", "a" * 100] * 30
    y = ["yes"] * 60 + ["no"] * 200 + ["", "a" * 100] * 30
    result = audit(x, y, CLAIMS[0], direction="p, q", rng=0)
    assert result.witness["taken for x"][0] == "'yes'"
    assert "taken for y" not in result.witness
    assert " taken for x" in result.summary()
    backward = audit(y, x, CLAIMS[0], direction="q, p", rng=0).witness
    assert (backward["taken for y"][0], "taken for x" in backward) == ("'yes'", False)
    both = audit(x, y, CLAIMS[0], rng=0).witness
    assert (both["direction"], both["taken for x"][0], both["taken for y"][0]) == ("p, q and q, p", "'yes'", "'no'")
    u, v = ([[{"yes": 1.5, "no": 2}.get(z, 3), 0] for z in w] for w in (x, y))
    assert audit(u, v, CLAIMS[0], scores="atoms", direction="p, q", rng=0).witness["taken for x"][0] == "(1.5, 0)"
    assert "taken for x" not in audit([[1.0]] * 50, [[2.0]] * 50, CLAIMS[0], scores="tree", rng=0).witness


def test_claimed_curve_against_closed_forms():
    x = np.linspace(0, 1, 101)
    e = np.exp(1.0)
    pure = np.maximum(np.maximum(1 - e * x, (1 - x) / e), 0)
    assert claimed_curve(n.PureDP(epsilon=1), x) == pytest.approx(pure)
    approximate = np.maximum(np.maximum(1 - 0.1 - e * x, (1 - 0.1 - x) / e), 0)
    assert claimed_curve(n.ApproximateDP(epsilon=1, delta=0.1), x) == pytest.approx(approximate)
    inner = x[1:-1]
    gaussian = norm.cdf(norm.isf(inner) - 1.2)
    assert claimed_curve(n.GaussianDP(mu=1.2), inner) == pytest.approx(gaussian, abs=2e-3)
    assert (claimed_curve(n.GaussianDP(mu=1.2), inner) <= gaussian + 1e-12).all()


def test_describe():
    assert describe(n.RenyiDP(alpha=2, epsilon=0.5)) == "Renyi DP, alpha = 2, epsilon = 0.5"
    assert describe(n.ZeroConcentratedDP(rho=1)) == "zero-concentrated DP, rho = 1"
    assert describe(n.ZeroConcentratedDP(rho=1, xi=2)) == "zero-concentrated DP, rho = 1, xi = 2"


def test_bounds_are_numbers():
    for wrong, words in (({"value": np.nan}, "value must be a number"), ({"level": 0.0}, "level must be in")):
        with pytest.raises(ValueError, match=words):
            Bound(**{"value": 1.0, "level": 0.1, "witness": {}, "used": {}} | wrong)


def test_seeds():
    assert seed_of(7) == 7
    assert seed_of(np.random.default_rng(1)) == seed_of(np.random.default_rng(1))
    assert seed_of(None) != seed_of(None)
    with pytest.raises(ValueError, match="rng must be"):
        seed_of(-1)
