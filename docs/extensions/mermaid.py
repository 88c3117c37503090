"""Draw the Mermaid graph in docs/architecture.md as SVG, without loading the script of Mermaid."""

from __future__ import annotations

from typing import Any

from architecture import svg
from docutils import nodes
from sphinx.application import Sphinx


def draw(app: Sphinx, document: nodes.document) -> None:
    """Replace the source of Mermaid graphs by pictures."""
    for node in list(document.findall(nodes.literal_block)):
        if node.get("language") == "mermaid":
            node.replace_self(nodes.raw("", svg(node.astext()), format="html"))


def setup(app: Sphinx) -> dict[str, Any]:
    """Draw after a page has been read."""
    app.connect("doctree-read", draw)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
