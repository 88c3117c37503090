"""A Mermaid graph of arrows, as docs/architecture.md has one, drawn as SVG without Mermaid.

Nodes stand as high as the longest way up to them, and links keep to that: a --> b points to what a stands on.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

ARROW = re.compile(r"^\s*(\S+) --> (\S+)\s*$", re.MULTILINE)
WIDTH, HEIGHT, GAP_X, GAP_Y = 176, 34, 20, 40


def floors(arrows: list[tuple[str, str]]) -> list[list[str]]:
    """Nodes from the ground up: what nothing is below comes first."""
    below: dict[str, set[str]] = {name: set() for arrow in arrows for name in arrow}
    for name, other in arrows:
        below[name].add(other)
    out: list[list[str]] = []
    while below:
        ready = sorted(name for name, others in below.items() if not others & below.keys())
        if not ready:
            raise ValueError("the arrows go round in a circle")
        out.append(ready)
        for name in ready:
            del below[name]
    return out


def svg(text: str) -> str:
    """The picture of `a --> b` lines."""
    arrows = ARROW.findall(text)
    rows = floors(arrows)[::-1]
    wide = max(len(row) for row in rows) * (WIDTH + GAP_X)
    tall = len(rows) * (HEIGHT + GAP_Y) - GAP_Y + 4
    middle: dict[str, tuple[float, float]] = {}
    for y, row in enumerate(rows):
        for x, name in enumerate(row):
            middle[name] = (wide / 2 + (x - (len(row) - 1) / 2) * (WIDTH + GAP_X), y * (HEIGHT + GAP_Y) + 2 + HEIGHT / 2)
    level = {name: y for y, row in enumerate(rows) for name in row}
    drawn = []
    for a, b in arrows:
        (x, y), (u, v) = middle[a], middle[b]
        bend = (WIDTH / 2 + 14) * (1 if u >= x else -1) if level[b] - level[a] > 1 and abs(u - x) < WIDTH else 0
        y, v = y + HEIGHT / 2, v - HEIGHT / 2 - 5
        drawn.append(f'<path d="M{x:g} {y:g}C{x + bend:g} {y + 25:g} {u + bend:g} {v - 25:g} {u:g} {v:g}"/>')
    for name, (x, y) in middle.items():
        drawn.append(f'<rect x="{x - WIDTH / 2:g}" y="{y - HEIGHT / 2:g}" width="{WIDTH}" height="{HEIGHT}" rx="6"/>')
        drawn.append(f'<text x="{x:g}" y="{y + 5:g}">{name}</text>')
    tip = '<marker id="tip" markerWidth="8" markerHeight="8" refX="3" refY="4" orient="auto"><path d="M0 0L7 4L0 8z"/></marker>'
    return (
        f'<svg class="arrows" role="img" aria-label="which package stands on which" viewBox="0 0 {wide:g} {tall:g}" '
        f'style="max-width: {wide:g}px"><defs>{tip}</defs>{"".join(drawn)}</svg>'
    )


def draw(app: Sphinx, document: nodes.document) -> None:
    """Pictures in the place of Mermaid's text."""
    for node in list(document.findall(nodes.literal_block)):
        if node.get("language") == "mermaid":
            node.replace_self(nodes.raw("", svg(node.astext()), format="html"))


def setup(app: Sphinx) -> dict[str, Any]:
    """Draws when a page has been read."""
    app.connect("doctree-read", draw)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
