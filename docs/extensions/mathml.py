"""Formulas as MathML, generated when the site is built, so that no script is loaded."""

from __future__ import annotations

import re
from html import unescape
from itertools import pairwise
from typing import Any
from xml.etree.ElementTree import Element, tostring

from docutils import nodes
from latex2mathml.converter import Converter
from sphinx.application import Sphinx
from sphinx.util import logging

LOG = logging.getLogger(__name__)
BARE = ("∞", "|", "‖")
TARGET = re.compile(r"\\label\{[^}]*\}")


def mathml(latex: str, *, block: bool = False) -> str:
    """Return a formula as a <math> element. Raises an exception of latex2mathml if it is not valid LaTeX."""
    if block and "\\\\" in latex and "\\begin" not in latex:
        latex = rf"\begin{{aligned}}{latex}\end{{aligned}}"
    made = Converter(display="block" if block else "inline").convert_to_element(TARGET.sub("", latex))
    for element in list(made.iter()):
        element.text = element.text and unescape(element.text)
        _spaced(element)
    return tostring(made, encoding="unicode")


def _spaced(element: Element) -> None:
    """Space as TeX does: a thin space after the name of a function, and none around infinity and bars."""
    if element.tag == "mo" and element.text in BARE:
        element.attrib |= {"lspace": "0", "rspace": "0"}
    for k, (name, after) in reversed(list(enumerate(pairwise(list(element))))):
        base = name[0] if name.tag in ("msub", "munder") and len(name) else name
        is_name = element.tag in ("mrow", "math", "mstyle", "mtd") and base.tag == "mi" and len(base.text or "") > 1
        if is_name and after.tag != "mo":
            element.insert(k + 1, Element("mspace", width="0.17em"))


def _typeset(translator: Any, node: Any, block: bool) -> str:
    latex = node.astext()
    try:
        return mathml(latex, block=block)
    except Exception as error:
        LOG.warning("no LaTeX: %s (%s)", latex, error, location=node)
        return f"<code>{translator.encode(latex)}</code>"


def inline(translator: Any, node: nodes.math) -> None:
    """Render an inline formula."""
    translator.body.append(_typeset(translator, node, False))
    raise nodes.SkipNode


def block(translator: Any, node: nodes.math_block) -> None:
    """Render a displayed formula."""
    translator.body.append(f'<div class="formula">{_typeset(translator, node, True)}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the renderer `mathml`."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
