"""Results of audits: bounds, the verdict on the claimed notion, and all that is needed to repeat the audit."""

from __future__ import annotations

import json
import math
import platform
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache
from importlib import metadata
from typing import Any, ClassVar, Self, cast

import numpy as np

from krdtheory.arithmetic.base import Array, reject
from krdtheory.privacy.notions import Notion
from krdtheory.results import Result

SCHEMA = 1  # version of the JSON format
NOTHING = "none: all outputs for both inputs are the same, so that nothing was released that depends on the input"


@cache
def installed() -> dict[str, str]:
    """Return the installed versions of everything on which a result may depend."""
    found = {"python": platform.python_version()}
    for name in ("krdtheory", "numpy", "scipy", "scikit-learn"):
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


@dataclass(frozen=True, kw_only=True, eq=False)
class Bound(Result):
    """A lower confidence bound on a divergence, from two samples.

    Parameters
    ----------
    value : float
        The bound, in the unit of the divergence (nats; a probability for the hockey-stick divergence).
    level : float
        The probability that it is above the true value is at most this.
    witness : mapping
        The evidence (event, score, cells, order), in plain JSON values.
    used : mapping
        Which data were used for what, in plain JSON values.
    extra : mapping
        Anything else, in plain JSON values.

    Raises
    ------
    ValueError
        The value is NaN, or the level is outside (0, 1).
    """

    value: float
    level: float
    witness: Mapping[str, Any]
    used: Mapping[str, Any]
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if math.isnan(self.value):
            reject("value", self.value, "a number (a NaN would pass every comparison)")
        if not 0 < self.level < 1:
            reject("level", self.level, "in (0, 1)")


@dataclass(frozen=True, kw_only=True, eq=False)
class Band(Result):
    """A simultaneous confidence band: with probability `confidence` it contains the trade-off curve at every level.

    For a test of both directions at once, the curve is the symmetric one of both: the convex hull of that of p and q
    and that of q and p.

    Parameters
    ----------
    x, y : array, shape (k,)
        Corners of an upper bound on the trade-off curve, convex and decreasing: with the stated confidence, a test
        attains every pair of errors (x, y) above it.
    epsilon, delta : array, shape (j,)
        The privacy profile that follows: a lower bound delta on the hockey-stick divergence at every epsilon.
    confidence : float
    """

    x: Array
    y: Array
    epsilon: Array
    delta: Array
    confidence: float


@dataclass(frozen=True, kw_only=True)
class AuditResult(Result):
    """Outcome of an audit.

    Parameters
    ----------
    notion : Notion
        The claimed notion.
    method : str
        A description of the test.
    confidence : float
        All bounds of the result hold simultaneously with at least this probability.
    divergence_lower : float
        Lower confidence bound on the larger of the notion's divergences, D(p, q) and D(q, p).
    epsilon_lower : float, optional
        Lower confidence bound on epsilon, at the claimed delta or order, if the notion has one.
    delta_lower : float, optional
        Lower confidence bound on delta at the claimed epsilon, if the notion has one.
    p_value : float
        For the hypothesis that both directions satisfy the notion. Bets stop at the level, and exact tests of events
        add a share of the level, a thousandth or, for both directions at once, a fiftieth: for a smaller p-value,
        choose a higher confidence.
    rejected : bool
        Whether the p-value is at most 1 - confidence.
    directions : mapping
        The `Bound` in each direction, and for each pair of inputs if there are several.
    witness : mapping
        The evidence for the larger bound.
    used : mapping
        Which data were used for what, and how the level was shared.
    n, m : int
        Sizes of the samples.
    seed : int
        The same seed gives the same outcome.
    arguments : mapping
        The other arguments of the call, which with the notion, `confidence` and rng=`seed` give the same outcome.
        Scores that are not in `krdtheory.audit.scores` appear by name.
    band : Band, optional
        A simultaneous band for the trade-off curve and the privacy profile.
    scores : mapping, optional
        Histograms of the scores of the test samples: "edges" (k + 1), "x" (k), "y" (k).
    score : callable, optional
        The witness's score, a function of further outputs whose values are on the scale of the witness's thresholds. It
        is not part of the JSON.
    warnings : sequence of str
        Evidence against the independence that the level requires (`krdtheory.audit.independence`).
    extra : mapping
        Anything else, in plain JSON values.
    versions : mapping
        Of the software.
    """

    notion: Notion
    method: str
    confidence: float
    divergence_lower: float
    p_value: float
    rejected: bool
    directions: Mapping[str, Bound]
    witness: Mapping[str, Any]
    used: Mapping[str, Any]
    n: int
    m: int
    seed: int
    epsilon_lower: float | None = None
    delta_lower: float | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    band: Band | None = None
    scores: Mapping[str, Any] | None = None
    warnings: tuple[str, ...] = ()
    score: Any = field(default=None, compare=False, repr=False)
    extra: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=installed)

    def to_dict(self) -> dict[str, Any]:
        """The result as plain JSON values; infinities are strings.

        "schema" is the version of the format, which is the same for all audits: the fields of this class except the
        score, null where they do not apply. Directions are "p, q", "q, p", or both as "p, q and q, p", after the name
        of a pair of inputs if there are several; p is the distribution of x, or of the first input. A witness has
        "direction", "score", "event", "thresholds", and where it applies "tells" (what the score depends on), "count in
        x" and "count in y", or "right guesses" and "wrong guesses" of both directions at once. If nothing was rejected,
        "smallest_found" is roughly the smallest violation, in the notion's parameter, that this sample would have shown
        with probability 0.8 (`krdtheory.audit.planning.smallest_found`).
        """
        from krdtheory.audit.planning import smallest_found

        out: dict[str, Any] = _plain(replace(self, score=None))
        del out["score"]
        return {"schema": SCHEMA, **out, "smallest_found": None if self.rejected else smallest_found(self)}

    def to_json(self) -> str:
        """Return the result as JSON."""
        return json.dumps(self.to_dict(), indent=1, allow_nan=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a result that `to_json` or a command with --json wrote. It has no score.

        Parameters
        ----------
        text : str

        Raises
        ------
        ValueError
            The text is not such JSON, or has a claim without JSON: a trade-off function, or a kernel that is a
            function.

        Examples
        --------
        >>> import numpy as np
        >>> from krdtheory.audit import AuditResult, audit
        >>> from krdtheory.privacy.notions import PureDP
        >>> found = audit(np.arange(40), np.arange(40), PureDP(epsilon=1), rng=0)
        >>> AuditResult.from_json(found.to_json()).to_json() == found.to_json()
        True
        """
        data = json.loads(text)
        names = {f.name for f in fields(cls)} - {"score"}
        if not isinstance(data, dict) or data.get("schema") != SCHEMA or not names <= data.keys():
            reject("text", text, f"the JSON of {cls.__name__}, schema {SCHEMA}")
        if "supposes" in data.keys() - names:
            reject("text", text, "the JSON of two samples; that of one run is for OneRunResult.from_json")
        values = {name: data[name] for name in names}
        values["notion"] = _read_notion(data["notion"])
        for name in ("divergence_lower", "epsilon_lower", "delta_lower"):
            values[name] = _read_number(data[name])
        values["directions"] = {
            name: Bound(**{**one, "value": _read_number(one["value"])}) for name, one in data["directions"].items()
        }
        if (band := data["band"]) is not None:
            arrays = {name: np.array([_read_number(x) for x in band[name]]) for name in ("x", "y", "epsilon", "delta")}
            values["band"] = Band(**arrays, confidence=band["confidence"])
        return cls(**values | {"warnings": tuple(data["warnings"])})

    consequence: ClassVar[str] = "where outputs are not independent, the level does not hold"
    samples: ClassVar[tuple[str, str]] = ("x", "y")
    sample_name: ClassVar[str] = "test sample"

    def more_findings(self) -> list[tuple[str, str]]:
        """Return findings to show beside the bounds."""
        return []

    def __str__(self) -> str:
        return self.summary()

    def summary(self) -> str:
        """Return a summary of the result for a terminal."""
        from krdtheory.audit import report

        return report.summary(self)

    def to_html(self) -> str:
        """Return the result as one self-contained page with text, figures and what is needed to repeat the audit."""
        from krdtheory.audit import report

        return report.as_html(self)

    def plot(self, ax: Any = None) -> Any:
        """Draw the band of the trade-off curve against the claimed region, and the scores of both samples.

        Without a band it draws the bounds in both directions against the claim. With `ax`, one or several matplotlib
        Axes, one picture is drawn in each as far as they go, and the Figure of the first is returned; otherwise a new
        Figure is.
        """
        from krdtheory.audit import report

        return report.plot(self, ax)


def _read_number(value: Any) -> Any:
    return float(value) if value in ("inf", "-inf", "nan") else value


def _read_notion(data: Mapping[str, Any]) -> Notion:
    kinds: dict[str, Any] = {kind.__name__: kind for kind in _kinds(Notion)}
    given = {name: _read_number(value) for name, value in data.items() if name != "kind"}
    try:
        return cast(Notion, kinds[data["kind"]](**given))
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"notion must be one that JSON holds; got {dict(data)}: {error}") from None


def _kinds(kind: type) -> Iterator[type]:
    """Yield all subclasses of a class, recursively."""
    below: list[type] = kind.__subclasses__()
    for one in below:
        yield from (one, *_kinds(one))


def _plain(value: Any) -> Any:
    if isinstance(value, Notion) or (is_dataclass(value) and not isinstance(value, type)):
        name = {"kind": type(value).__name__} if isinstance(value, Notion) else {}
        return name | {f.name: _plain(getattr(value, f.name)) for f in fields(cast(Any, value))}
    if isinstance(value, Mapping):
        return {str(key): _plain(v) for key, v in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(v) for v in value]
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if value is None or isinstance(value, str):
        return value
    if callable(value):
        return getattr(value, "__name__", type(value).__name__)
    number = float(value)
    return number if math.isfinite(number) else str(number)
