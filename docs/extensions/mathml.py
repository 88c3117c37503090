"""Formulas as MathML, written when the site is built: no script and no font is loaded."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from xml.etree.ElementTree import tostring

from docutils import nodes
from latex2mathml.converter import Converter
from sphinx.application import Sphinx
from sphinx.util import logging

LOG = logging.getLogger(__name__)
TARGET = re.compile(r"\\label\{[^}]*\}")


def mathml(latex: str, *, block: bool = False) -> str:
    """A formula as a <math> element; raises an exception of latex2mathml's where it is no LaTeX."""
    if block and "\\\\" in latex and "\\begin" not in latex:
        latex = rf"\begin{{aligned}}{latex}\end{{aligned}}"
    made = Converter(display="block" if block else "inline").convert_to_element(TARGET.sub("", latex))
    for element in made.iter():
        element.text = element.text and unescape(element.text)
    return tostring(made, encoding="unicode")


def _typeset(translator: Any, node: Any, block: bool) -> str:
    latex = node.astext()
    try:
        return mathml(latex, block=block)
    except Exception as error:
        LOG.warning("no LaTeX: %s (%s)", latex, error, location=node)
        return f"<code>{translator.encode(latex)}</code>"


def inline(translator: Any, node: nodes.math) -> None:
    """Within a line."""
    translator.body.append(_typeset(translator, node, False))
    raise nodes.SkipNode


def block(translator: Any, node: nodes.math_block) -> None:
    """On a line of its own."""
    translator.body.append(f'<div class="formula">{_typeset(translator, node, True)}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """The renderer `mathml`."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
