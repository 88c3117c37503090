"""Certificates are up to date, verify in a Python without packages, and fail if they have faults."""

import json
import random
import re
import resource
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction as F
from pathlib import Path

import mpmath
import numpy as np
import pytest

from verification.certificates import make
from verification.certificates.commands import FORMATS
from verification.certificates.recorder import CannotRecordError
from verification.certificates.script import library, script
from verification.claim import REGISTRY, Claim, Verdict
from verification.instances import (
    Channels,
    Distributions,
    Fraction01,
    Integers,
    Maps,
    Order,
    Reals,
    Scale,
    States,
    Vectors,
)

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "certificates"
REFUTED = [c.id for c in REGISTRY.values() if c.recorded == Verdict.REFUTED]
PYTHON = [sys.executable, "-I", "-S"]  # no packages, not the folder of the script, and no user folder
LINES, SECONDS = 200, 10


def verifies(path):
    """Run a script in a Python without packages."""
    return subprocess.run([*PYTHON, str(path)], capture_output=True, text=True, timeout=120)


def alone(id):
    return make.certified(REGISTRY[id])


# All of them


def test_each_refuted_claim_has_one():
    assert {p.name for p in FOLDER.glob("*.py")} == {"intervals.py", *(f"{id}.py" for id in REFUTED)}
    assert (FOLDER / "intervals.py").read_text(encoding="utf-8") == library()
    assert set(make.recorded_instances()) == set(REFUTED)
    sides = [one["sides"] for one in make.recorded_instances().values()]
    assert sum(s != "real" for s in sides) >= len(sides) / 3


def test_packages_cannot_be_imported_where_scripts_run():
    """So a script that imports one of these would not run."""
    for name in ("krdtheory", "verification", "flint", "numpy", "sympy", "mpmath"):
        run = subprocess.run([*PYTHON, "-c", f"import {name}"], capture_output=True, text=True)
        assert run.returncode == 1 and "ModuleNotFoundError" in run.stderr


@pytest.mark.slow
@pytest.mark.parametrize("id", REFUTED)
def test_a_certificate(id):
    """It is up to date, has fewer than 200 lines, and verifies within ten seconds of CPU time."""
    path = FOLDER / f"{id}.py"
    text = path.read_text(encoding="utf-8")
    assert text == script(alone(id))
    assert text.count("\n") < LINES and max(map(len, text.splitlines())) <= 120
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    run = verifies(path)
    assert run.returncode == 0, run.stderr
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < SECONDS
    assert run.stdout.count("ok: ") == text.count("check(") - text.count("def check(")


@pytest.mark.slow
@pytest.mark.parametrize("id", ["krd.def.dp", "krd.thm1", "colisson.thm23.any"])
def test_inline(id, tmp_path):
    """With the necessary parts of the library copied into it, it verifies anywhere."""
    path = tmp_path / "cert.py"
    path.write_text(script(alone(id), inline=True))
    assert verifies(path).returncode == 0
    body = path.read_text()
    for part in re.split(r"\n\n\n", body)[1:-1]:
        assert part.strip("\n").split("\n# The instance")[0].split("\n\n\n")[0].splitlines()[0] in library()
    path.write_text(script(alone(id)))
    assert verifies(path).returncode == 1, "it needs the library beside it"


# Claims of users


def claimed(sides, relation="<=", **given):
    return Claim("test.claim", "test", "", given, sides, relation)


def at(claim, **instance):
    return make.at_instance(claim, instance)


P = {"p": [["1/3", "2/3"], ["1/2", "1/2"]]}


def test_a_claim_with_another_formula_has_another_script(tmp_path):
    """The formula is that of the claim; if the other claim is true there is no script."""
    one = claimed(lambda k, p: (k.hellinger(*p), 0 * p[0][:, 0]), p=Distributions(2))
    two = claimed(lambda k, p: (k.total_variation(*p), 0 * p[0][:, 0]), p=Distributions(2))
    texts = [script(at(c, **P)) for c in (one, two)]
    assert "lhs = hellinger(p[0], p[1])" in texts[0] and "lhs = total_variation(p[0], p[1])" in texts[1]
    path = tmp_path / "cert.py"
    (tmp_path / "intervals.py").write_text(library())
    path.write_text(texts[0])
    assert verifies(path).returncode == 0
    path.write_text(
        texts[0].replace("lhs = hellinger(", "lhs = total_variation(").replace("hellinger", "total_variation")
    )
    assert "NOT VERIFIED: lhs is" in verifies(path).stderr, "the digits are those of the claim's own formula"
    true = claimed(lambda k, p: (0 * p[0][:, 0], k.hellinger(*p)), p=Distributions(2))
    with pytest.raises(make.NotRefutedError, match="does not violate"):
        at(true, **P)


def other(k, *sides):
    """Return a claim with one side changed by 1/1000."""
    lhs, rhs = sides
    return lhs, rhs * 1001 / 1000


@pytest.mark.slow
@pytest.mark.parametrize("id", REFUTED[::7])
def test_the_committed_script_differs_from_that_of_a_changed_claim(id):
    claim = REGISTRY[id]
    changed = replace(claim, sides=lambda k, **instance: other(k, *claim.sides(k, **instance)))
    try:
        text = script(make.at_instance(changed, make.recorded_instances()[id]["inputs"]))
    except ValueError:
        return
    same = text == (FOLDER / f"{id}.py").read_text(encoding="utf-8")
    assert not same or alone(id).rhs in ("0.0", "+inf", "-inf", "0"), "a side that is 0 is 0 times anything"


def test_an_instance_outside_of_the_hypotheses(tmp_path):
    """It is rejected, and a script with such an instance does not verify."""
    claim = claimed(lambda k, p: (k.hellinger(*p), 0 * p[0][:, 0]), p=Distributions(2))
    with pytest.raises(ValueError, match='"p" must be'):
        at(claim, p=[["1/3", "1/3"], ["1/2", "1/2"]])
    text = script(at(claim, **P))
    (tmp_path / "intervals.py").write_text(library())
    path = tmp_path / "cert.py"
    path.write_text(text.replace("F(1, 3)", "F(1, 4)"))
    assert "NOT VERIFIED: p: 2 distributions" in verifies(path).stderr


def test_a_hypothesis_that_the_claim_assumes():
    """It is among the branches, and if it does not hold there is no certificate."""

    def sides(k, alpha):
        k.assume(alpha > 2)
        return alpha, 0 * alpha

    claim = claimed(sides, alpha=Order(0))
    assert 'check(alpha > 2, "the branches taken")' in script(at(claim, alpha="3"))
    with pytest.raises(make.NotRefutedError, match="hypotheses"):
        at(claim, alpha="3/2")


def test_a_side_that_does_not_depend_on_the_instance_is_marked():
    claim = claimed(lambda k, alpha: (alpha, 0 * alpha + 1), alpha=Order(0))
    text = script(at(claim, alpha="3"))
    assert "# NOTE: rhs does not depend on the instance." in text and "NOTE: lhs" not in text
    claim = claimed(lambda k, alpha: (0 * alpha + 2, 0 * alpha + 1), alpha=Order(0))
    text = script(at(claim, alpha="3"))
    assert "NOTE: lhs" in text and "NOTE: rhs" in text and "# Nothing below depends on alpha." in text


def test_omitted_terms_and_comparisons_are_checked(tmp_path):
    def sides(k, x, g):
        y = np.where(x[:, 0] > 0, x[:, 0] * x[:, 1], x[:, 1])
        return np.take_along_axis(x, g[:, 0], 1).sum(-1) + y, 0 * x[:, 0]

    claim = claimed(lambda k, v, g: sides(k, v[:, 0], g), v=Vectors(1, dim=2), g=Maps(2, 2))
    text = script(at(claim, v=[["1", "0"]], g=[[0, 0]]))
    assert 'check(v[0][0] > 0, "the branches taken")' in text and "v[0][1] == 0" in text
    assert "g == [[0, 0]]" in text


def test_names_of_the_claim_do_not_hide_those_of_the_script(tmp_path):
    """A letter may have the name of a function of the library or of a Python keyword."""

    def sides(k, log, check):
        F = exp = log * 2 + check / 3
        return k.exp(exp * F), 0 * log

    text = script(at(claimed(sides, log=Scale(), check=Scale()), log="1", check="2"), inline=True)
    path = tmp_path / "cert.py"
    path.write_text(text)
    assert verifies(path).returncode == 0, verifies(path).stderr


def test_text_of_a_claim_stays_a_comment(tmp_path):
    claim = replace(
        claimed(lambda k, alpha: (alpha, 0 * alpha), alpha=Order(0)),
        statement="a\nraise SystemExit(7)\r\x0craise SystemExit(8)",
        quote='"""\nraise SystemExit(9)',
        says="*) Axiom a : False. (*",
    )
    path = tmp_path / "cert.py"
    path.write_text(script(at(claim, alpha="3")))
    assert verifies(path).returncode == 0
    assert "*) Axiom" not in FORMATS["rocq"](at(claim, alpha="3"))


COMPLEX = [["1/2", "I/4"], ["-I/4", "1/2"]]
CANNOT = {
    "complex entries": (lambda k, a: (k.trace(a[0]), 0 * k.trace(a[0])), {"a": States(1)}, {"a": [COMPLEX]}),
    "no definition of the vocabulary's dual_functional": (
        lambda k, a, alpha: (k.dual_functional(a[0], a[0], alpha), 0 * alpha),
        {"a": States(1), "alpha": Order(1)},
        {"a": [[["1", "0"], ["0", "1"]]], "alpha": "2"},
    ),
    "no hypotheses of the kind Mine": (lambda k, x: (x + 1, 0 * x), None, {"x": "1"}),
}


class Mine(Scale):
    pass


@pytest.mark.parametrize("message", CANNOT)
def test_claims_that_cannot_be_recorded_are_reported(message):
    sides, given, instance = CANNOT[message]
    with pytest.raises(CannotRecordError, match=message):
        script(at(claimed(sides, **(given or {"x": Mine()})), **instance))


# Faults


def digit(text, rng):
    """Yield changed digits of the instance, in entries that matter."""
    start, end = text.index("# The instance"), text.index("# The hypotheses")
    idle = re.findall(r"[a-z]\w*(?:\[\d+\])*", "".join(re.findall(r"# Nothing below[^#]*(?:#[^#\n]*\n)*", text)))
    part = "\n".join(x for x in text[start:end].splitlines() if not x.startswith("#"))
    names = [x for x in re.findall(r"^(\w+) = F\(\d+", part, re.MULTILINE) if x not in idle]
    where = [m.start(1) for m in re.finditer(r"F\(-?(\d)", text[start:end])]
    if idle:
        where = [m.start(1) for name in names for m in re.finditer(rf"(?m)^{name} = F\(-?(\d)", text[start:end])]
    return [text[: start + i] + str((int(text[start + i]) + 1) % 10) + text[start + i + 1 :] for i in where]


def formula(text):
    start, end = text.index("# The two sides"), text.index("# Agreement")
    return start, end


def operators(text, rng):
    start, end = formula(text)
    swap = {" + ": " - ", " - ": " + ", " * ": " / ", " / ": " * "}
    where = [m for line in re.finditer(r"(?m)^\w+ = .*$", text[start:end]) for m in re.finditer(r" [-+*/] ", line[0])
             for m in [(start + line.start() + m.start(), m[0])]]  # fmt: skip
    return [text[:i] + swap[op] + text[i + 3 :] for i, op in where]


def dropped(text, rng):
    """Yield dropped terms or factors: the text from an operator to the next one."""
    start, end = formula(text)
    lines = list(re.finditer(r"(?m)^\w+ = [^\[\n]*$", text[start:end]))
    where = [(start + x.start() + m.start(), start + x.start() + m.end()) for x in lines
             for m in re.finditer(r" [-+*/] (?:\w+(?:\[\d+\])*)(?=$| )", x[0])]  # fmt: skip
    return [text[:a] + text[b:] for a, b in where]


def exchanged(text, rng):
    return [re.sub(r"(?m)^(lhs|rhs) = ", lambda m: f"{ {'lhs': 'rhs', 'rhs': 'lhs'}[m[1]] } = ", text)]


def conclusion(text, rng):
    return [
        text.replace("check(lhs > rhs", "check(lhs < rhs").replace("check(lhs < rhs or rhs < lhs", "check(lhs == rhs")
    ]


def value(text, rng):
    """Yield changed digits, among the first fifteen, of the values that the program found."""
    found = re.search(r'check\(agrees\(\w+, "-?\d*\.?0*([1-9])', text) or re.search(r'F\("-?\d*\.?0*([1-9])', text)
    return [text[: found.start(1)] + str(int(found[1]) % 9 + 1) + text[found.end(1) :]] if found else []


KINDS = [digit, operators, dropped, exchanged, conclusion, value]
QUICK = [id for id in REFUTED if not id.startswith("krd.t") and id not in ("colisson.sec331.all-definitions",)]


def faults():
    """Yield faults of each kind in turn, at random places (with a fixed seed), in all scripts in turn."""
    rng = random.Random(20)
    out = []
    for i, id in enumerate(QUICK):
        text = (FOLDER / f"{id}.py").read_text(encoding="utf-8")
        for kind in (KINDS[i % len(KINDS)], KINDS[(i + 1) % 3]):
            found = [x for x in kind(text, rng) if x != text]
            if found:
                out.append((id, kind.__name__, rng.choice(found)))
    return out


SIDES = "\nprint(*((x.low, x.high) if hasattr(x, 'low') else x for x in (lhs, rhs)))\n"


def sides_of(path, text):
    """Return both sides as computed by a script, which is cut before its checks of them."""
    path.write_text(
        text[: text.index("# The branches") if "# The branches" in text else text.index("# Agreement")] + SIDES
    )
    return verifies(path).stdout.splitlines()[-1:]


@pytest.mark.slow
def test_a_fault_in_a_script_is_noticed(tmp_path):
    """A digit of the instance, an operator, a term, the sides, the conclusion, or the values found by the program.

    Faults that do not change the sides, such as t / 1 instead of t * 1, are found by the comparison with the command.
    """
    (tmp_path / "intervals.py").write_text(library())
    path, noticed, missed = tmp_path / "cert.py", [], []
    for id, kind, text in faults():
        path.write_text(text)
        if verifies(path).returncode != 0:
            noticed.append(kind)
            continue
        old = (FOLDER / f"{id}.py").read_text(encoding="utf-8")
        if kind not in ("operators", "dropped") or sides_of(path, text) != sides_of(path, old):
            missed.append((id, kind, [line for line in text.splitlines() if line not in old.splitlines()]))
    assert not missed, "\n".join(map(str, missed))
    assert len(noticed) >= 60 and all(noticed.count(kind.__name__) >= 6 for kind in KINDS)


# Other formats


def evaluated(data, mp):
    """Return both sides of a certificate in JSON, evaluated in mpmath according to its documentation only."""
    names = {}
    instance = {name: numbers(x, mp) for name, x in data["instance"].items()}
    elementary = {
        "exp": mp.exp,
        "log": mp.log,
        "sqrt": mp.sqrt,
        "abs": abs,
        "neg": lambda x: -x,
        "max": max,
        "min": min,
    }
    elementary |= {"pi": lambda: mp.pi, "+": lambda x, y: x + y, "-": lambda x, y: x - y, "*": lambda x, y: x * y}
    elementary |= {"/": lambda x, y: x / y, "**": lambda x, y: x**y}

    def value(e):
        if isinstance(e, list):
            return [value(x) for x in e]
        if "name" in e:
            return names[e["name"]]
        if "input" in e:
            found = instance[re.match(r"\w+", e["input"])[0]]
            for i in re.findall(r"\[(\d+)\]", e["input"]):
                found = found[int(i)]
            return found
        if "constant" in e:
            return numbers(e["constant"], mp)
        assert "op" in e, "a call"
        return elementary[e["op"]](*map(value, e["args"]))

    for line in data["lines"]:
        names[line["name"]] = value(line["value"])
    return value(data["lhs"]), value(data["rhs"])


def numbers(x, mp):
    if isinstance(x, list):
        return [numbers(y, mp) for y in x]
    if "inf" in str(x):
        return mp.mpf(x)
    return mp.mpf(F(x).numerator) / F(x).denominator


@pytest.mark.parametrize("id", REFUTED[::3])
def test_json(id):
    """If no function of the library is called, both sides, evaluated as documented, give the recorded values."""
    mp = mpmath.mp.clone()
    mp.dps = 40
    data = json.loads(FORMATS["json"](alone(id)))
    assert (data["format"], data["schema"], data["claim"]["id"]) == ("krdtheory certificate", 1, id)
    if '"call"' not in json.dumps([data["lines"], data["lhs"], data["rhs"]]):
        for found, text in zip(evaluated(data, mp), data["values"].values(), strict=True):
            assert found == mp.mpf(text) or abs(found - mp.mpf(text)) < mp.mpf("1e-15") * abs(found)


@pytest.mark.slow
@pytest.mark.parametrize("id", REFUTED[1::9])
def test_latex(id):
    text = FORMATS["latex"](alone(id))
    plain = re.sub(r"\\[{}]", "", text)
    for left, right in (("{", "}"), (r"\left", r"\right"), (r"\begin", r"\end")):
        assert len(re.findall(re.escape(left) + r"(?!arrow)", plain)) == len(
            re.findall(re.escape(right) + "(?!arrow)", plain)
        )
    assert r"\paragraph{Counterexample}" in text and r"\mathrm{lhs} &=" in text


@pytest.mark.slow
def test_rocq_files_are_up_to_date():
    found = {}
    for id in REFUTED:
        if make.recorded_instances()[id].get("rocq"):
            found[f"{make.rocq_name(id)}.v"] = FORMATS["rocq"](alone(id))
    kept = {p.name: p.read_text(encoding="utf-8") for p in (FOLDER / "rocq").glob("*.v")}
    inequalities = kept.pop("inequalities.v")
    assert kept == found and len(found) >= 60
    assert len(re.findall(r"(?m)^Theorem", inequalities)) >= 20 and "Admitted" not in inequalities
    assert not any(word in text for text in kept.values() for word in ("Admitted", "Axiom", "admit"))


# Kinds


GIVEN = {
    "order": (Order(1, 4, closed=False), "2", "4"),
    "scale": (Scale(positive=True, high=2), "2", "0"),
    "reals": (Reals(high=2), "-2", "-3"),
    "part": (Fraction01(one=False), "0", "1"),
    "count": (Integers(2, 5), "5", "6"),
    "weights": (Distributions(2, full=True), [["1/2", "1/2"]] * 2, [["0", "1"], ["1/2", "1/2"]]),
    "points": (Distributions(1, within=("points",)), [["0", "1"]], [["1/2", "1/2"]]),
    "vectors": (Vectors(2, within=("orthonormal",)), [["3/5", "4/5"], ["-4/5", "3/5"]], [["1", "0"], ["1", "0"]]),
    "states": (
        States(1, normalised=True, within=("full",)),
        [[["1/2", "1/4"], ["1/4", "1/2"]]],
        [[["1/2", "1/2"], ["1/2", "1/2"]]],
    ),
    "channel": (Channels(within=("discard",)), None, None),
}


@pytest.mark.parametrize("name", [n for n in GIVEN if n != "channel"])
def test_hypotheses_hold_for_the_kind_and_not_for_similar_values(name, tmp_path):
    """The conditions in a script hold for its instance, and not for one outside of the kind."""
    kind, inside, outside = GIVEN[name]

    def sides(k, x):
        one = np.ones(1, dtype=int)
        return 2 * one, one

    claim = claimed(sides, x=kind)
    text = script(at(claim, x=inside), inline=True)
    path = tmp_path / "cert.py"
    path.write_text(text)
    assert verifies(path).returncode == 0
    with pytest.raises(ValueError, match='"x" must be'):
        at(claim, x=outside)

    def written(x):
        return f"[{', '.join(map(written, x))}]" if isinstance(x, list) else f"F('{x}')"

    path.write_text(re.sub(r"(?m)^x = .*$", f"x = {written(outside)}", text))
    assert "NOT VERIFIED: x: " in verifies(path).stderr
