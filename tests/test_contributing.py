"""CONTRIBUTING.md names existing files, tests and modules, and its recipes work."""

import json
import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import ClassVar

import mpmath
import numpy as np
import pytest

import krdtheory
from krdtheory import mp
from krdtheory.arithmetic import FLOAT64
from krdtheory.audit import audit, scores
from krdtheory.audit.event_bounds import half_planes
from krdtheory.audit.report import describe
from krdtheory.privacy.notions import ApproximateDP, Notion, PureDP, RenyiDP
from krdtheory.table import FUNCTIONS, Function, names
from verification import Verdict, check
from verification.claim import load

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def missing(text):
    """Return paths in backquotes, with or without a test, and modules, that do not exist."""
    out = []
    for quoted in re.findall(r"`([^`\n]+)`", text):
        path, _, test = quoted.partition("::")
        if re.fullmatch(r"[\w/]+\.(py|md)", path) and "/" in path:
            there = (ROOT / path).is_file() and test in (ROOT / path).read_text(encoding="utf-8")
        elif re.fullmatch(r"(krdtheory|verification)(\.\w+)+", quoted):
            file = ROOT / quoted.replace(".", "/")
            there = file.is_dir() or file.with_suffix(".py").is_file()
        else:
            continue
        if not there:
            out.append(quoted)
    return out


def test_every_name_exists():
    assert missing(TEXT) == []
    assert len(re.findall(r"`(?:krdtheory|tests|verification|benchmarks)[./][\w./:]+`", TEXT)) > 12


@pytest.mark.parametrize(
    "text", ["`tests/test_nothing.py`", "`krdtheory.audit.nothing`", "`tests/test_cli.py::nothing`"]
)
def test_a_name_that_does_not_exist_is_noticed(text):
    assert missing(text)


def unsourced(results, sources):
    """Return results without a recorded command, commit and machine, and sources without results."""
    told = {name for name, source in sources.items() if all(source.get(k) for k in ("command", "commit", "machine"))}
    return sorted(told ^ set(results))


def test_recorded_results_say_where_they_come_from():
    folder = ROOT / "benchmarks" / "results"
    sources = json.loads((folder / "sources.json").read_text(encoding="utf-8"))
    names = [path.name for path in folder.iterdir() if path.name not in ("sources.json", "speed.json")]
    assert unsourced(names, sources) == []
    assert all((ROOT / source["command"].split()[1]).is_file() for source in sources.values())
    assert unsourced([*names, "new.csv"], sources) == ["new.csv"]
    assert unsourced(names, {**sources, names[0]: {**sources[names[0]], "commit": ""}}) == [names[0]]


# The recipes, followed


def triangular(p, q, *, arithmetic=FLOAT64):
    """Return the sum of (p - q)^2 / (p + q)."""
    x, y = arithmetic.two_weights(p, q)
    total = x + y
    return arithmetic.result(((x - y) ** 2 / np.where(total > 0, total, 1)).sum(-1))


def test_a_divergence_is_written_once(monkeypatch):
    """1/12 + 1/20 = 2/15, in float64, in a batch, and to 30 digits; a row of the table says which systems have it."""
    p, q = [0.5, 0.5], [0.25, 0.75]
    assert triangular(p, q) == pytest.approx(2 / 15, rel=1e-15)
    assert triangular([p, [1, 0]], [q, [0, 0]]).tolist() == pytest.approx([2 / 15, 1], rel=1e-15)
    precise = mp._with_digits(triangular)(p, [Fraction(1, 4), "3/4"], digits=30)
    with mpmath.workdps(40):
        assert abs(precise - mpmath.mpf(2) / 15) < 1e-30
    with pytest.raises(ValueError, match="q must be nonnegative"):
        triangular(p, [0.5, -0.5])
    assert "triangular" not in names("mp")
    row = Function(
        "triangular", "krdtheory.divergences.classical", "sum (p - q)^2 / (p + q)", ("float64", "mp"), False, {}
    )
    monkeypatch.setitem(FUNCTIONS, "triangular", row)
    assert "triangular" in names("mp") and "triangular" not in names("ball")


CLAIM = """
from verification import claim
from verification.instances import Distributions

@claim("mine.{name}", label="{name}", statement="KL is at {word} 2 TV^2", given={{"p": Distributions(2)}})
def sides(k, p):
    distance = k.total_variation(*p)
    return {sides}
"""


@pytest.mark.slow
def test_a_claim_is_a_function_of_both_sides(tmp_path):
    """Pinsker's inequality is supported, and its opposite is refuted."""
    for name, word, text in (
        ("pinsker", "least", "2 * distance * distance, k.kl(*p)"),
        ("opposite", "most", "k.kl(*p), 2 * distance * distance"),
    ):
        file = tmp_path / f"{name}.py"
        file.write_text(CLAIM.format(name=name, word=word, sides=text))
        (one,) = load(file)
        verdict = check(one, rng=0).verdict
        assert verdict is (Verdict.REFUTED if name == "opposite" else Verdict.SUPPORTED)


@dataclass(frozen=True, kw_only=True)
class Bits(Notion):
    """Pure DP, with epsilon in bits."""

    bits: float
    bound_name: ClassVar[str] = "bits"

    def divergence(self, p, q):
        return krdtheory.max_divergence(p, q) / np.log(2)

    def _curve(self, alpha):
        odds = 2.0**self.bits
        worst = np.array([odds, 1]) / (1 + odds)
        return float(krdtheory.renyi(worst, worst[::-1], alpha)), True, "randomised response"

    def _guaranteed(self, notion):
        known = isinstance(notion, PureDP)
        return (notion.epsilon / np.log(2), True, "its unit") if known else (np.inf, False, "")


@pytest.mark.slow
def test_a_notion_bounds_events():
    two = Bits(bits=2)
    assert two.satisfied_by([0.8, 0.2], [0.2, 0.8]) and not two.satisfied_by([0.81, 0.19], [0.19, 0.81])
    assert PureDP(epsilon=1.38).implies(two) and not PureDP(epsilon=1.39).implies(two)
    assert two.implies(RenyiDP(alpha=2, epsilon=1.2)) and not two.implies(ApproximateDP(epsilon=1, delta=0)).holds
    assert describe(two) == "Bits, bits = 2"
    gain, delta = half_planes(two)  # from its Renyi curve, as for the built-in notions
    assert (gain * 0.2 + delta >= 0.8).all() and not (gain * 0.05 + delta >= 0.95).all()


class Parity:
    """A score that is large if the last digit is odd."""

    def fit(self, x, y, rng):
        sign = 1 if (x % 2).mean() > (y % 2).mean() else -1
        return lambda z: sign * (z[:, 0] % 2)


@pytest.mark.slow
def test_a_score_is_a_fit(monkeypatch):
    """It finds a leak that a linear score does not find, and nothing without the leak."""
    rng = np.random.default_rng(0)
    x = 2 * rng.integers(0, 50, 2000) + (rng.random(2000) < 0.95)
    y = 2 * rng.integers(0, 50, 2000) + (rng.random(2000) < 0.05)
    with pytest.raises(ValueError, match="scores must be"):
        audit(x, y, PureDP(epsilon=1), scores="parity", rng=0)
    monkeypatch.setitem(scores.SCORES, "parity", Parity)
    assert audit(x, y, PureDP(epsilon=1), scores="parity", rng=0).rejected
    assert not audit(x, y, PureDP(epsilon=1), scores="linear", rng=0).rejected
    assert not audit(x, rng.permutation(x), PureDP(epsilon=1), scores="parity", rng=0).rejected
