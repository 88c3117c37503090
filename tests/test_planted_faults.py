"""The list of planted faults fits the code, and the harness distinguishes noticed faults from unnoticed ones."""

import importlib.util
import io
import re
import sys
from pathlib import Path

import pytest
from rich.console import Console

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))  # as when the benchmark is run
_spec = importlib.util.spec_from_file_location("planted_faults", ROOT / "benchmarks" / "planted_faults.py")
harness = importlib.util.module_from_spec(_spec)
sys.modules["planted_faults"] = harness
_spec.loader.exec_module(harness)
from faults.fault import faults_of  # noqa: E402

sys.path.remove(str(ROOT / "benchmarks"))


@pytest.mark.slow
def test_every_fault_can_be_planted():
    """Its old text occurs once, and the new text is Python; every file has tests, and all faults are different."""
    for fault in harness.FAULTS:
        harness.planted((ROOT / fault.file).read_text(), fault)
        assert all((ROOT / name).exists() for name in harness.TESTS[fault.file] if name.startswith("tests/"))
    assert len({(f.file, f.meaning) for f in harness.FAULTS}) == len(harness.FAULTS)
    assert len({(f.file, f.old, f.new) for f in harness.FAULTS}) == len(harness.FAULTS)


def outcome(faults, root):
    """Return the exit status and the printed report on faults in a repository."""
    out = Console(file=io.StringIO(), width=200)
    quiet = Console(file=io.StringIO())
    status = harness.report(harness.run(faults, {"thing.py": ["test_thing.py"]}, root=root, console=quiet), out)
    return status, out.file.getvalue()


@pytest.fixture
def repository(tmp_path):
    (tmp_path / "thing.py").write_text("def twice(x):\n    y = x + x  # a sum\n    return y\n")
    (tmp_path / "test_thing.py").write_text("from thing import twice\n\n\ndef test_two():\n    assert twice(1) == 2\n")
    return tmp_path


REAL = ("x + x", "x - x", "difference")
NOTHING = ("# a sum", "# the sum", "a comment")


@pytest.mark.slow
def test_every_fault_is_noticed_or_explained_but_not_both(repository):
    """A changed comment is not noticed, so the run fails unless it is explained."""
    explained, against = ("# a sum", "", "no comment", "it is no code"), ("x + x", "x * 1", "product", "the same for 0")
    faults = faults_of("thing.py", REAL, NOTHING, explained, against)
    status, text = outcome(faults, repository)
    assert status == 1 and "4 faults: 2 noticed, 2 not; 2 to be looked at" in text
    endings = ("test_two", "NOT NOTICED", "explained: it is no code", "test_two, against: the same for 0")
    for fault, ending in zip(faults, endings, strict=True):
        assert re.search(rf"thing.py +{fault.meaning} +{ending} +\d+ *$", text, re.MULTILINE)
    assert "x + x" in (repository / "thing.py").read_text()
    good = [harness.Result(faults[0], "t.py::test", 1.0), harness.Result(faults[2], harness.UNNOTICED, 1.0)]
    assert harness.report(good, Console(file=io.StringIO())) == 0


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("z", "x", "occurs 0 times"),
        ("x", "z", "occurs 3 times"),
        ("x + x", "x + x", "changes nothing"),
        ("x + x", "x +", "is no Python"),
    ],
)
def test_a_fault_that_cannot_be_planted_is_an_error(old, new, message, repository):
    with pytest.raises(harness.PlantingError, match=message):
        outcome(faults_of("thing.py", (old, new, "a fault")), repository)


@pytest.mark.slow
def test_a_fault_that_stops_the_tests_from_starting_is_an_error(repository):
    with pytest.raises(harness.PlantingError, match="pytest ended with"):
        outcome(faults_of("thing.py", ("def twice", "def thrice", "another name")), repository)


@pytest.mark.slow
def test_tests_that_fail_without_a_fault_are_an_error(repository):
    (repository / "thing.py").write_text("def twice(x):\n    return x * x\n")
    with pytest.raises(harness.PlantingError, match=r"without any fault .*test_two fails"):
        outcome(faults_of("thing.py", ("x * x", "x - x", "difference")), repository)


@pytest.mark.slow
def test_an_endless_loop_is_noticed(repository):
    fault = faults_of("thing.py", ("return y", "return twice(x)", "no end"))[0]
    endless = "import time\n\n\ndef test_two():\n    time.sleep(60)\n"
    (repository / "test_thing.py").write_text(endless)
    assert harness.first_failure(repository, ["test_thing.py"], 0.5).startswith("no end within")
    assert harness.Result(fault, "no end within 1 s", 1.0).ok
