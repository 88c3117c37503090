"""The outcomes of a run as one self-contained HTML page."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from html import unescape
from importlib.resources import files
from typing import Any
from xml.etree.ElementTree import tostring

from krdtheory.imports import extra
from krdtheory.terminal import cleaned
from verification import report
from verification.certificates.checks import TRUST, checks
from verification.claim import PAPERS, Nature, Verdict

with extra("verify"):
    from jinja2 import Environment, PackageLoader, StrictUndefined, Template
    from latex2mathml.converter import Converter
    from markupsafe import Markup

# MathML that typesets formulas, without links, styles or HTML elements
ELEMENTS = re.compile(
    "math|m(row|i|n|o|text|space|frac|sqrt|root|style|padded|phantom|enclose|sub|sup|subsup|under|over|underover|"
    "multiscripts|table|tr|td)"
)
ATTRIBUTES = re.compile(
    "xmlns|display|displaystyle|scriptlevel|mathvariant|mathcolor|mathbackground|mathsize|accent|accentunder|align|"
    "column(align|lines|spacing)|row(lines|spacing)|depth|fence|form|frame|height|largeop|linethickness|lspace|rspace|"
    "maxsize|minsize|movablelimits|notation|separator|stretchy|symmetric|voffset|width"
)


def as_html(run: Mapping[str, Any]) -> str:
    """Return a page for a run as `verification.report.as_json` returns it, without external scripts or styles.

    A content security policy keeps the browser from running any script but the page's own, whatever the texts contain.
    """
    template, context = _page(run)
    return template.render(context)


def block(run: Mapping[str, Any], name: str, **other: Any) -> Markup:
    """Return one block of the page ("counted", "failures", "filters", "reading" or "claims"), for use in another page.

    `other` replaces variables of the template: `link`, a function of the id of a claim, and `checks`, of its record.
    """
    template, context = _page(run)
    return Markup("".join(template.blocks[name](template.new_context({**context, **other}))))


def script() -> str:
    """Return the script of the page, which filters claims and opens the one that the address names."""
    return files("verification").joinpath("templates", "report.js").read_text(encoding="utf-8")


def _page(run: Mapping[str, Any]) -> tuple[Template, dict[str, Any]]:
    environment = Environment(
        loader=PackageLoader("verification", "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    environment.filters.update(mathml=mathml, entries=entries, bars=bars)
    run = cleaned(run)
    claims = run["claims"]
    failing = [c for c in claims if c["nature"] == Nature.PRINTED and c["verdict"] == Verdict.REFUTED]
    groups = [
        (PAPERS.get(p, p), [c for c in claims if c["paper"] == p]) for p in dict.fromkeys(c["paper"] for c in claims)
    ]
    tested = {c["id"] for c in claims}

    def link(id: str) -> Markup:
        return Markup('<a href="#{0}">{0}</a>').format(id) if id in tested else Markup("{}").format(id)

    return environment.get_template("report.html.jinja"), {
        "run": run,
        "script": Markup(script()),
        "script_digest": b64encode(sha256(script().encode()).digest()).decode(),
        "groups": groups,
        "counts": [(v.value, sum(c["verdict"] == v for c in claims)) for v in Verdict],
        "edges": run["margin_edges"],
        "summary": run["summary"],
        "columns": report.columns(run["summary"]),
        "papers": PAPERS,
        "headline": report.headline(run["summary"]["printed"]).plain,
        "besides": report.besides(run["summary"]),
        "failing": failing,
        "says": report.says,
        "fault": report.fault,
        "marks": report.marks,
        "cited": report.cited,
        "checks": checks,
        "trust": TRUST,
        "natures": [(n.value, sum(c["nature"] == n for c in claims)) for n in Nature],
        "link": link,
    }


def mathml(latex: str) -> Markup:
    """Return a statement as MathML, or as source text if it is not LaTeX or does more than typeset."""
    try:
        math = Converter().convert_to_element(latex)
        for element in math.iter():
            if not ELEMENTS.fullmatch(element.tag):
                raise ValueError(element.tag)
            element.attrib = {k: v for k, v in element.attrib.items() if ATTRIBUTES.fullmatch(k)}
            element.text = element.text and unescape(element.text)  # the converter writes symbols as entities
        return Markup(tostring(math, encoding="unicode"))
    except Exception:  # the converter's exceptions have no common base class
        return Markup("<code>{}</code>").format(latex)


def entries(value: Any) -> Markup:
    """Return an exact number, vector or matrix of an instance as HTML, or several of them side by side."""
    if isinstance(value, Mapping):
        return Markup(" ").join(Markup("{}: {}").format(k, entries(v)) for k, v in value.items())
    if not isinstance(value, Sequence) or isinstance(value, str):
        return Markup("<code>{}</code>").format(value)
    if any(isinstance(row, Sequence) and not isinstance(row, str) for part in value for row in part):
        return Markup(" ").join(map(entries, value))
    nested = any(isinstance(row, Sequence) and not isinstance(row, str) for row in value)
    rows = value if nested else [value]
    cell = Markup("<td>{}</td>").format
    body = Markup("").join(Markup("<tr>{}</tr>").format(Markup("").join(cell(x) for x in row)) for row in rows)
    return Markup('<table class="matrix">{}</table>').format(body)


def bars(counts: Sequence[int], edges: Sequence[float]) -> list[dict[str, Any]]:
    """Return the bars of a histogram of margins: height in percent of the tallest, count, range, and whether the range
    is negative."""
    tallest = max([1, *counts])
    ends = [float("-inf"), *edges, float("inf")]
    return [
        {
            "height": 100 * count / tallest,
            "count": count,
            "range": f"{low:g} to {high:g}",
            "negative": high <= -1e-9,
        }
        for count, low, high in zip(counts, ends[:-1], ends[1:], strict=True)
    ]
