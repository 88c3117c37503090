"""The plugin, in separate test suites."""

import json
import xml.etree.ElementTree as xml
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from krdtheory.audit import assert_private, planning, report  # noqa: F401  (before the suites, which forget imports)
from krdtheory.pytest_plugin import OPTIONS

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[1]
INSTALLED = any(entry.value == "krdtheory.pytest_plugin" for entry in entry_points(group="pytest11"))
PLUGIN = () if INSTALLED else ("-p", "krdtheory.pytest_plugin")
SUITE = """
import pytest
from krdtheory.privacy.mechanisms import Laplace
from krdtheory.privacy.notions import PureDP

NOISE = Laplace(scale=1, sensitivity=1)

def test_kept(privacy):
    assert not privacy(NOISE, 0, 1, PureDP(epsilon=1)).rejected

def test_broken(privacy):
    privacy(NOISE, 0, 3, PureDP(epsilon=1))

@pytest.mark.privacy(samples=100)
def test_too_few(privacy):
    privacy(NOISE, 0, 1, PureDP(epsilon=1))

@pytest.mark.privacy(inconclusive="skip")
@pytest.mark.parametrize("scale", [1])
class TestOne:
    @pytest.mark.privacy(samples=100)
    def test_skipped(self, privacy, scale):
        privacy(Laplace(scale=scale, sensitivity=1), 0, 1, PureDP(epsilon=1))
        raise AssertionError("skipped before")
"""


@pytest.fixture
def suite(pytester):
    """Return a function that runs a test suite and returns its result and the lines of the plugin's section."""

    def run(text, *arguments, within="inprocess"):
        if text is not None:
            pytester.makepyfile(text)
        start = getattr(pytester, f"runpytest_{within}")
        result = start(*PLUGIN, "-p", "no:randomly", "-p", "no:cacheprovider", "--strict-markers", *arguments)
        lines = result.outlines
        at = [k for k, line in enumerate(lines) if "privacy audits" in line]
        return result, lines[at[0] + 1 :] if at else []

    return run


@pytest.mark.slow
def test_the_example_ends_as_the_tutorial_shows(suite):
    page = (ROOT / "docs" / "tutorials" / "audit_mechanism.md").read_text(encoding="utf-8")
    file = ROOT / "examples" / "test_noise.py"
    result, lines = suite(None, str(file), "-k", "clipped", f"--rootdir={ROOT}")
    result.assert_outcomes(failed=1)
    assert lines[0] in page and lines[1] in page
    for name in OPTIONS:  # the table has them all
        assert f"| `{name}` |" in page


@pytest.mark.slow
def test_outputs_that_are_all_the_same_are_reported(suite):
    text = """
from krdtheory.privacy.notions import PureDP

def test_nothing(privacy):
    privacy(lambda data, rng, size: [float("nan")] * size, 0, 1, PureDP(epsilon=1))
"""
    result, (_, told, *_) = suite(text, "-W", "error", "--privacy-samples", "1000")
    result.assert_outcomes(passed=1)
    assert told.startswith("    kept: none: all outputs for both inputs are the same")


@pytest.mark.slow
def test_a_suite(suite, pytester):
    options = ("--privacy-samples", "1000", "--privacy-inconclusive", "xfail", "--junit-xml", "found.xml")
    result, lines = suite(SUITE, "-W", "error", *options)
    result.assert_outcomes(passed=1, failed=1, xfailed=1, skipped=1)
    kept, power, broken, epsilon, few, doubt, skipped, _, total = lines[:9]
    assert kept.endswith("::test_kept: Laplace(scale=1, sensitivity=1), pure DP, epsilon = 1, 1000 outputs of each")
    assert power.startswith("    kept; epsilon from about ") and power.endswith("would have been found (seed 0)")
    assert "::test_broken" in broken
    assert epsilon.startswith("    broken: epsilon at least ")
    assert "::test_too_few" in few and few.endswith("100 outputs of each")
    assert doubt.startswith("    inconclusive: 100 outputs may miss even a mechanism that leaks twice")
    assert "::TestOne::test_skipped[1]" in skipped
    assert total == "4 audits: if all claims hold, one of them fails with probability at most 4e-06"
    result.stdout.fnmatch_lines(["*NotPrivateError: the mechanism is not PureDP(epsilon=1)", "*again *rng=0"])
    found = xml.parse(pytester.path / "found.xml").findall(".//property[@name='privacy']")
    told = [json.loads(one.get("value")) for one in found]
    assert [one["outcome"] for one in told] == ["kept", "broken", "inconclusive", "inconclusive"]
    assert told[0]["smallest_found"] > 1 and told[1]["smallest_found"] is None


@pytest.mark.slow
def test_inconclusive_audits_warn_by_default(suite):
    one = SUITE.partition("@pytest.mark.privacy(inconclusive")[0]
    result, _ = suite(one, "-k", "too_few", "-W", "default")
    result.assert_outcomes(passed=1, warnings=1)
    result.stdout.fnmatch_lines(["*Inconclusive: 100 outputs may miss*"])
    result, _ = suite(None, "-k", "too_few", "-W", "error")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["inconclusive: 100 outputs *; it is no finding, but this run takes warnings for errors*"]
    )
    result.stdout.no_fnmatch_line("*Inconclusive*")


@pytest.mark.slow
def test_workers_send_their_results(suite, pytester):
    result, lines = suite(
        SUITE, "-n", "2", "-W", "error", "--privacy-samples", "1000", "--privacy-html", "pages", within="subprocess"
    )
    result.assert_outcomes(passed=1, failed=2, skipped=1)  # warnings are errors here
    told = {line.split("::")[-1].partition(":")[0] for line in lines if "::" in line and "outputs of each" in line}
    assert told == {"test_kept", "test_broken", "test_too_few", "test_skipped[1]"}
    (page,) = (pytester.path / "pages").iterdir()
    assert "rejected" in page.read_text(encoding="utf-8")
    assert f"    page: {page.relative_to(pytester.path)}" in lines


@pytest.mark.slow
def test_options_of_the_file_and_of_the_call(suite, pytester):
    pytester.makepyprojecttoml("""
        [tool.pytest.ini_options]
        privacy_samples = "300"
        privacy_seed = "random"
        privacy_false_alarm = "0.05"
    """)
    text = """
        from krdtheory.privacy.mechanisms import Laplace
        from krdtheory.privacy.notions import PureDP

        def test_options(privacy):
            mechanism, claim = Laplace(scale=1, sensitivity=1), PureDP(epsilon=1.5)
            first = privacy(mechanism, 0, 1, claim)
            again = privacy(mechanism, 0, 1, claim, max_samples=200, rng=7, false_alarm=0.01)
            assert (first.n, again.n, again.seed) == (300, 200, 7)
            assert (round(first.confidence, 9), round(again.confidence, 9)) == (0.95, 0.99)
            assert first.seed != privacy(mechanism, 0, 1, claim).seed
        """
    result, lines = suite(text)
    result.assert_outcomes(passed=1)
    assert "at most 0.11" in lines[6]
    result, lines = suite(None, "--privacy-samples", "250")
    result.assert_outcomes(failed=1)
    assert "250 outputs of each" in lines[0]


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("false-alarm", "0"),
        ("false-alarm", "nan"),
        ("samples", "0.5"),
        ("seed", "-1"),
        ("inconclusive", "pass"),
    ],
)
def test_bad_options(suite, option, value):
    result, _ = suite("def test_it(): pass", f"--privacy-{option}={value}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*--privacy-{option} must be *; got '{value}'"])


def test_bad_markers(suite):
    result, lines = suite("""
        import pytest

        @pytest.mark.privacy(sample=3)
        def test_name(privacy):
            pass

        @pytest.mark.privacy(samples=0.5)
        def test_value(privacy):
            pass
        """)
    result.assert_outcomes(errors=2)
    result.stdout.fnmatch_lines(
        [
            "*the marker privacy takes *; got sample; did you mean 'samples'[?]",
            "*samples of the marker must be *; got 0.5",
        ]
    )
    assert len(result.outlines) < 25  # no traceback
    assert lines == []  # nothing was audited


@pytest.mark.slow
def test_nothing_is_imported_without_audits(suite):
    result, lines = suite(
        "import sys\ndef test_it(): assert 'krdtheory.audit' not in sys.modules", "-p", "no:xdist", within="subprocess"
    )
    result.assert_outcomes(passed=1)
    assert lines == []
