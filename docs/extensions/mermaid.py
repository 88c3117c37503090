"""A Mermaid graph of arrows, as docs/architecture.md has one, drawn without Mermaid, which would be a script."""

from __future__ import annotations

from typing import Any

from architecture import svg
from docutils import nodes
from sphinx.application import Sphinx


def draw(app: Sphinx, document: nodes.document) -> None:
    """Pictures in the place of Mermaid's text."""
    for node in list(document.findall(nodes.literal_block)):
        if node.get("language") == "mermaid":
            node.replace_self(nodes.raw("", svg(node.astext()), format="html"))


def setup(app: Sphinx) -> dict[str, Any]:
    """Draws when a page has been read."""
    app.connect("doctree-read", draw)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
