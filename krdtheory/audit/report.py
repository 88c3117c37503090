"""Reports of audit results for people: text, figures and a page."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table
from scipy.stats import beta

from krdtheory.arithmetic.base import Array
from krdtheory.audit.event_bounds import half_planes, profile
from krdtheory.audit.result import AuditResult
from krdtheory.imports import extra
from krdtheory.privacy.notions import ApproximateDP, Notion, PureDP

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_NAMES = {
    "PureDP": "pure DP",
    "ApproximateDP": "approximate DP",
    "RenyiDP": "Renyi DP",
    "ZeroConcentratedDP": "zero-concentrated DP",
    "TruncatedConcentratedDP": "truncated concentrated DP",
    "MeanConcentratedDP": "mean-concentrated DP",
    "GaussianDP": "Gaussian DP",
    "TradeOffDP": "f-DP",
    "KernelRenyiDP": "kernel Renyi DP",
    "CapacityBoundedDP": "capacity-bounded DP",
}
_SLOPES = np.concatenate([[0], np.geomspace(0.01, 12, 120)])
_CLAIM, _FOUND, _X, _Y = "#5b7083", "#c0392b", "#c0392b", "#2c6fbb"
_WIDTH = 100
_UNSHOWN = ("method", "x_hits", "y_hits")  # entries of a witness that are shown in another form

Panel = Callable[[AuditResult, "Axes"], None]


def describe(notion: Notion) -> str:
    """Describe a notion.

    Examples
    --------
    >>> from krdtheory.audit.report import describe
    >>> from krdtheory.privacy.notions import ApproximateDP
    >>> describe(ApproximateDP(epsilon=1, delta=0.01))
    'approximate DP, epsilon = 1, delta = 0.01'
    """
    given = {f.name: getattr(notion, f.name) for f in fields(cast(Any, notion))}
    shown = [f"{k} = {getattr(v, '__name__', v)}" for k, v in given.items() if v is not None and (k, v) != ("xi", 0)]
    kind = type(notion).__name__
    return ", ".join([_NAMES.get(kind, kind), *shown])


def verdict(result: AuditResult) -> str:
    """Say whether the claim is rejected, and with what p-value."""
    sure = f"p = {result.p_value:.3g}, confidence {result.confidence:.12g}"
    return f"rejected ({sure})" if result.rejected else f"not rejected ({sure})"


def limits(result: AuditResult) -> str:
    """Say what remains possible if the claim is not rejected."""
    from krdtheory.audit.planning import smallest_found

    text = "Not rejected is no proof of privacy: other events, other inputs, other scores were not looked at."
    smallest = smallest_found(result)
    if smallest is None:
        return text
    name = "epsilon" if hasattr(result.notion, "epsilon") else result.notion.bound_name
    leaks = f"a leak of about {name} = {smallest:.3g} or more"
    return f"{text} Of this size, samples find {leaks} with probability 0.8, if one known event shows it."


def findings(result: AuditResult) -> list[tuple[str, str]]:
    """Describe the lower bounds."""
    name = result.notion.bound_name
    out = []
    if result.epsilon_lower is not None:
        at = f" at delta = {result.notion.delta:g}" if isinstance(result.notion, ApproximateDP) else ""
        out.append((f"epsilon{at}", f"at least {result.epsilon_lower:.6g}"))
    if result.delta_lower is not None and isinstance(result.notion, ApproximateDP):
        out.append((f"delta at epsilon = {result.notion.epsilon:g}", f"at least {result.delta_lower:.6g}"))
    if not out:
        words = "type II errors below f" if type(result.notion).__name__ == "TradeOffDP" else name
        out.append((words, f"at least {result.divergence_lower:.6g}"))
    return out + result.more_findings()


def tested(result: AuditResult) -> list[tuple[str, str]]:
    """Describe the event that was tested, and the data."""
    shown = {key: value for key, value in result.witness.items() if _is_plain(value) and key not in _UNSHOWN}
    if "direction" in shown:
        shown["direction"] += "  (p is the distribution of x, q that of y)"
    rows = [(key.replace("_", " "), _short(value)) for key, value in shown.items()]
    rows += [(key, _short(value)) for key, value in result.used.items() if _is_plain(value)]
    rows += [("method", result.method), ("samples", f"{result.n} and {result.m}"), ("seed", str(result.seed))]
    return [*rows, ("versions", ", ".join(f"{k} {v}" for k, v in result.versions.items()))]


def summary(result: AuditResult) -> str:
    """Return the result as text."""
    page = io.StringIO()
    made = Console(
        width=_WIDTH, file=page, force_jupyter=False, highlight=False, no_color=True, markup=False, emoji=False
    )
    made.print(f"{describe(result.notion)}: {verdict(result)}", soft_wrap=True)
    table = Table(box=box.SIMPLE, show_header=False, pad_edge=False)
    table.add_column()
    table.add_column(overflow="fold")
    for row in findings(result):
        table.add_row(*row)
    table.add_section()
    for row in tested(result):
        table.add_row(*row)
    made.print(table)
    for found in result.warnings:
        made.print(f"Warning: {found}: {result.consequence}.", markup=False)
    if not result.rejected:
        made.print(limits(result), markup=False)
    text = page.getvalue()
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip()) + "\n"


def plot(result: AuditResult, ax: Any = None) -> Figure:
    """Draw the band of the trade-off curve against the claimed region, and the scores of both; in `ax` if given."""
    if ax is None:
        return _figure(result, _panels(result))
    places = np.ravel(ax)
    for axes, draw in zip(places, _panels(result), strict=False):
        draw(result, axes)
    return cast("Figure", places[0].figure)


def _panels(result: AuditResult) -> Sequence[Panel]:
    drawn = ((trade_off, result.band), (path, getattr(result, "path", None)), (scores, result.scores))
    return [draw for draw, given in drawn if given is not None] or [bounds]


def _figure(result: AuditResult, panels: Sequence[Panel]) -> Figure:
    with extra("plot"):
        from matplotlib.figure import Figure

    figure = Figure(figsize=(4.6 * len(panels), 4.2), layout="constrained")
    for axes, draw in zip(np.ravel(figure.subplots(1, len(panels))), panels, strict=True):
        draw(result, axes)
    return figure


def trade_off(result: AuditResult, axes: Axes) -> None:
    """Draw the errors of tests between the distributions that the claim allows, and those found."""
    assert result.band is not None
    x = np.linspace(0, 1, 401)
    claimed = claimed_curve(result.notion, x)
    found = np.interp(x, result.band.x, result.band.y)
    axes.plot(x, 1 - x, color="0.7", lw=1, label="no leak")
    axes.fill_between(x, claimed, 1 - x, color=_CLAIM, alpha=0.15, lw=0)
    axes.plot(x, claimed, color=_CLAIM, label="claimed: no test below")
    axes.plot(x, found, color=_FOUND, label=f"found: a test below, {result.confidence:.12g}")
    violated = found < claimed - 1e-12
    if violated.any():
        axes.fill_between(x, found, claimed, where=violated.tolist(), color=_FOUND, alpha=0.35, lw=0, label="violation")
    axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="y taken for x", ylabel="x taken for y", aspect="equal")
    axes.legend(fontsize=8, frameon=False, loc="upper right")


def claimed_curve(notion: Notion, x: Array) -> Array:
    """Return the largest trade-off function below those of all pairs under the notion, from its half-planes."""
    if isinstance(notion, PureDP | ApproximateDP):
        gain, delta = half_planes(notion)
    else:
        gain, delta = np.exp(_SLOPES), profile(notion)(_SLOPES)
    gain, delta = gain[:, None], delta[:, None]
    lines = np.concatenate([1 - delta - gain * x, (1 - delta - x) / gain])
    return np.asarray(np.maximum(lines.max(0), 0))


def scores(result: AuditResult, axes: Axes) -> None:
    """Draw histograms of the witness's scores, and its thresholds."""
    assert result.scores is not None
    edges = np.array(result.scores["edges"])
    for name, colour, label in zip("xy", (_X, _Y), result.samples, strict=True):
        counts = np.array(result.scores[name], dtype=float)
        axes.stairs(counts / max(counts.sum(), 1), edges, fill=True, alpha=0.35, color=colour, label=label)
    inside = [t for t in result.witness.get("thresholds", ()) if edges[0] <= t <= edges[-1]]
    for k, threshold in enumerate(inside):
        axes.axvline(threshold, color="0.2", lw=1, ls="--", label="_" * (k > 0) + "threshold" + "s" * (len(inside) > 1))
    axes.set(xlabel=f"score: {result.witness['score']}", ylabel=f"part of the {result.sample_name}")
    axes.legend(fontsize=8, frameon=False)


def path(result: Any, axes: Axes) -> None:
    """Draw the share of right guesses among the most confident ones, against those of the claim and of chance."""
    followed = result.path
    guesses, right = (np.array(followed[name], dtype=float) for name in ("guesses", "right"))
    low, high = (beta.isf(tail, right + 0.5, guesses - right + 0.5) for tail in (0.975, 0.025))
    axes.fill_between(guesses, low, high, color=_FOUND, alpha=0.15, lw=0)
    axes.plot(guesses, right / guesses, color=_FOUND, label="right guesses (one by one, 95%)")
    for name, style, label in (("claimed", "-", "claimed: at most, in the mean"), ("chance", ":", "chance")):
        if followed.get(name) is not None:
            axes.axhline(followed[name], color=_CLAIM, ls=style, lw=1, label=label)
    axes.set(xscale="log", ylim=(min(0.4, float((right / guesses).min())), 1.02))
    axes.set(xlabel="most confident guesses", ylabel="part that is right")
    axes.legend(fontsize=8, frameon=False, loc="lower left")


def bounds(result: AuditResult, axes: Axes) -> None:
    """Draw the lower bounds against the claim: the overall bound, and that of each direction at its level."""
    bounded = next((b.extra["bounded"] for b in result.directions.values() if "bounded" in b.extra), None)
    name = bounded or result.notion.bound_name
    claimed = float(getattr(result.notion, str(bounded), result.notion.bound))
    whole = getattr(result, f"{bounded}_lower", None)
    whole = result.divergence_lower if whole is None else whole
    names = ["all", *result.directions]
    values = [max(value, 0.0) for value in (whole, *(b.value for b in result.directions.values()))]
    colours = [(_FOUND, 0.8), *[(_FOUND, 0.4)] * len(result.directions)]
    axes.bar(names, values, color=colours, width=0.5, label="lower bound")
    axes.axhline(claimed, color=_CLAIM, label="claimed")
    axes.set(ylabel=name, ylim=(0, 1.25 * max([*values, claimed]) or 1))
    axes.legend(fontsize=8, frameon=False)


def as_html(result: AuditResult) -> str:
    """Return the report as one self-contained page."""
    with extra("plot"):
        from jinja2 import Environment, PackageLoader, StrictUndefined
        from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("krdtheory.audit", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    pictures = [Markup(_svg(_figure(result, [draw]))) for draw in _panels(result)]
    return environment.get_template("audit.html.jinja").render(
        title=describe(result.notion),
        rejected=result.rejected,
        verdict=verdict(result),
        findings=findings(result),
        warnings=[f"{found}: {result.consequence}." for found in result.warnings],
        limits=limits(result),
        tested=tested(result),
        pictures=pictures,
        arguments=json.dumps(result.to_dict()["arguments"]),
        profile=_profile_rows(result),
    )


def _svg(figure: Figure) -> str:
    """Return the figure as SVG that fills the width of its container."""
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None})
    text = file.getvalue()
    return re.sub(r' (width|height)="[0-9.]+pt"', "", text[text.index("<svg") :], count=2)


def _profile_rows(result: AuditResult) -> list[tuple[str, str]]:
    if result.band is None:
        return []
    at = [0, 0.25, 0.5, 1, 1.5, 2, 3, 4]  # as delta decreases in epsilon, the value at the next grid point is a bound
    delta = result.band.delta[np.searchsorted(result.band.epsilon, at)]
    return [(f"{e:g}", f"{d:.4g}") for e, d in zip(at, delta, strict=True)]


def _is_plain(value: Any) -> bool:
    return isinstance(value, (str, int, float)) or (isinstance(value, (list, tuple)) and len(value) <= 12)


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (list, tuple)):
        return ", ".join(_short(v) for v in value)
    return str(value)
