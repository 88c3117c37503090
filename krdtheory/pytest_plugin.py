"""The pytest plugin: the fixture `privacy` audits mechanisms in a test suite, and a summary follows the tests.

::

    def test_noise(privacy):
        privacy(mechanism, 0, 1, PureDP(epsilon=1))

fails if the mechanism is found to violate the claim, as `krdtheory.audit.assert_private` does, which it calls. The
false-alarm rate, the number of outputs, the seed and the treatment of inconclusive audits are taken from, in this
order, the call, the marker ``privacy``, the command line and the configuration file::

    @pytest.mark.privacy(samples=50_000, inconclusive="xfail")

    pytest --privacy-false-alarm 1e-9 --privacy-samples 50000 --privacy-seed random --privacy-inconclusive skip

    [tool.pytest.ini_options]
    privacy_false_alarm = "1e-9"
    privacy_html = "build/privacy"

With ``--privacy-html FOLDER`` each failed audit writes a page to that folder (extra ``plot``). The audits are attached
to the reports of the tests as the property "privacy", in JSON, and so appear in ``--junit-xml`` and with pytest-xdist.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from krdtheory.imports import MissingExtraError

if TYPE_CHECKING:
    from krdtheory.audit import AuditResult
    from krdtheory.privacy.notions import Notion

PROPERTY = "privacy"


def _rate(text: Any) -> float:
    if not 0 < (value := float(text)) < 1:
        raise ValueError
    return value


def _count(text: Any) -> int:
    if isinstance(text, float) or (value := int(text)) < 1:
        raise ValueError
    return value


def _seed(text: Any) -> int | None:
    if text in (None, "random"):
        return None
    if isinstance(text, float) or (value := int(text)) < 0:
        raise ValueError
    return value


def _policy(text: Any) -> str:
    if text not in ("warn", "skip", "xfail"):
        raise ValueError
    return str(text)


# name: parser, allowed values, default, meaning
OPTIONS: dict[str, tuple[Callable[[Any], Any], str, Any, str]] = {
    "false_alarm": (_rate, "a number in (0, 1)", 1e-6, "how often, at most, an audit of a private mechanism fails"),
    "samples": (_count, "an integer >= 1", 10_000, "outputs of each input, at most"),
    "seed": (_seed, "an integer >= 0, or random", 0, "same seed, same result"),
    "inconclusive": (_policy, "warn, skip or xfail", "warn", "what happens to inconclusive audits"),
    "html": (Path, "a folder", None, "a page for each audit that fails goes there"),
}


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("privacy", "audits of privacy (krdtheory)")
    for name, (_, allowed, default, meaning) in OPTIONS.items():
        told = f"{meaning}: {allowed}" + ("" if default is None else f" (default: {default})")
        group.addoption(f"--privacy-{name.replace('_', '-')}", metavar="X", help=told)
        parser.addini(f"privacy_{name}", told)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"privacy({', '.join(OPTIONS)}): options of the fixture privacy in this test")
    for name in OPTIONS:
        _option(config, name)


def _option(config: pytest.Config, name: str) -> Any:
    given, ini = config.getoption(f"privacy_{name}"), f"privacy_{name}"
    if given is not None:
        return _parsed(name, given, f"--privacy-{name.replace('_', '-')}")
    return _parsed(name, config.getini(ini), ini) if config.getini(ini) else OPTIONS[name][2]


def _parsed(name: str, value: Any, where: str) -> Any:
    parse, allowed, *_ = OPTIONS[name]
    try:
        return parse(value)
    except (ValueError, TypeError):
        raise pytest.UsageError(f"{where} must be {allowed}; got {value!r}") from None


@pytest.fixture
def privacy(request: pytest.FixtureRequest) -> Privacy:
    """Audit a mechanism: ``privacy(mechanism, d, d_prime, notion)`` fails where it is found to break the notion."""
    options = {name: _option(request.config, name) for name in OPTIONS}
    try:
        return Privacy(request.node, options | _marked(request.node))
    except pytest.UsageError as error:
        pytest.fail(str(error), pytrace=False)


def _marked(node: pytest.Item) -> dict[str, Any]:
    """Return the options that the markers of a test set."""
    options: dict[str, Any] = {}
    for marker in reversed([*node.iter_markers("privacy")]):  # the closest marker comes last and takes precedence
        if marker.args or not marker.kwargs.keys() <= OPTIONS.keys():
            from krdtheory.arithmetic.base import meant

            got = [*map(repr, marker.args), *(name for name in marker.kwargs if name not in OPTIONS)]
            raise pytest.UsageError(
                f"the marker privacy takes {', '.join(OPTIONS)}, by name; got {', '.join(got)}{meant(got[0], OPTIONS)}"
            )
        options |= {name: _parsed(name, value, f"{name} of the marker") for name, value in marker.kwargs.items()}
    return options


class Privacy:
    """The audits of one test, with its options."""

    def __init__(self, node: pytest.Item, options: dict[str, Any]) -> None:
        self.options = options
        self._node = node

    def __call__(self, mechanism: Any, d: Any, d_prime: Any, notion: Notion, **given: Any) -> AuditResult:
        """Call `krdtheory.audit.assert_private` with the options of this test; arguments in `given` take precedence.

        Raises
        ------
        AssertionError
            The mechanism violates the claim. The message has the event, its counts, and how to reproduce the failure.
        """
        __tracebackhide__ = True
        from krdtheory.audit import Inconclusive, NotPrivateError, assert_private

        usual = {"max_samples": self.options["samples"], "rng": self.options["seed"]}
        given = {"false_alarm": self.options["false_alarm"], **usual, **given}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", Inconclusive)
                result = assert_private(mechanism, d, d_prime, notion, **given)
        except NotPrivateError as error:
            self._keep(error.result, "broken", "", given)
            raise
        except Inconclusive as doubt:
            result = doubt.result
            self._keep(result, "inconclusive", str(doubt), given)
            self._told(doubt)
        else:
            self._keep(result, "kept", "", given)
        return result

    def _told(self, doubt: UserWarning) -> None:
        __tracebackhide__ = True
        message = f"inconclusive: {doubt}"
        if self.options["inconclusive"] == "skip":
            pytest.skip(message)
        if self.options["inconclusive"] == "xfail":
            pytest.xfail(message)
        try:
            warnings.warn(doubt, stacklevel=3)
        except type(doubt):
            told = "it is no finding, but this run takes warnings for errors (privacy_inconclusive: skip or xfail)"
            pytest.fail(f"{message}; {told}", pytrace=False)

    def _keep(self, result: AuditResult, outcome: str, message: str, given: dict[str, Any]) -> None:
        from krdtheory.audit.report import describe, findings
        from krdtheory.audit.result import NOTHING

        found = {
            "test": self._node.nodeid,
            "mechanism": result.extra["mechanism"],
            "claim": describe(result.notion),
            "outcome": outcome,
            "message": message,
            "samples": result.n,
            "seed": result.seed,
            "false_alarm": given["false_alarm"],
            "nothing": NOTHING if result.witness.get("event") == NOTHING else "",
            "found": [f"{name} {value}" for name, value in findings(result)] if outcome == "broken" else [],
            "smallest_found": result.to_dict()["smallest_found"],
            "parameter": "epsilon" if hasattr(result.notion, "epsilon") else result.notion.bound_name,
        }
        if outcome == "broken" and self.options["html"] is not None:
            found["html"] = self._page(result)
        self._node.user_properties.append((PROPERTY, json.dumps(found)))

    def _page(self, result: AuditResult) -> str:
        """Write the page of a failed audit, and return its path, or the reason why there is none."""
        name = re.sub(r"\W+", "-", self._node.nodeid).strip("-")[-150:]
        count = sum(key == PROPERTY for key, _ in self._node.user_properties)
        file = self.options["html"] / (f"{name}-{count}.html" if count else f"{name}.html")
        try:
            text = result.to_html()
        except MissingExtraError as error:
            return f"none: {error}"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return str(file)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    reports = [r for kind in terminalreporter.stats.values() for r in kind if getattr(r, "when", None) == "teardown"]
    audits = [json.loads(value) for r in reports for name, value in r.user_properties if name == PROPERTY]
    if not audits:
        return
    terminalreporter.section("privacy audits")
    for one in audits:
        terminalreporter.line(f"{one['test']}: {one['mechanism']}, {one['claim']}, {one['samples']} outputs of each")
        terminalreporter.line(f"    {_outcome(one)}")
        if "html" in one:
            terminalreporter.line(f"    page: {one['html']}")
    rates = sum(one["false_alarm"] for one in audits)
    number = "1 audit" if len(audits) == 1 else f"{len(audits)} audits"
    terminalreporter.line(
        f"{number}: if all claims hold, one of them fails with probability at most {min(rates, 1):.3g}"
    )


def _outcome(one: dict[str, Any]) -> str:
    again = f"seed {one['seed']}"
    if one["outcome"] == "broken":
        return f"broken: {', '.join(one['found'])} ({again})"
    least = one["smallest_found"]
    power = "" if least is None else f"; {one['parameter']} from about {least:.3g} would have been found"
    told = ": ".join(["", *filter(None, (one["message"], one["nothing"]))])
    return f"{one['outcome']}{told}{power} ({again})"
