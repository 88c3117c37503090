"""The diagram of docs/architecture.md, drawn from the imports in the code: `python docs/architecture.py` updates it."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = Path(__file__).with_suffix(".md")
START, END = "```mermaid\n", "```\n"
ARROW = re.compile(r"^\s*(\S+) --> (\S+)\s*$", re.MULTILINE)
WIDTH, HEIGHT, GAP_X, GAP_Y = 176, 34, 20, 40
OWN = ("krdtheory", "verification")
TOP = ("krdtheory.__", "krdtheory.cli", "krdtheory.pytest_plugin")  # these may import all of the others
GROUND = ("krdtheory.__", "krdtheory.imports", "krdtheory.version")  # all of the others may import these


def imports(source: str) -> Iterator[tuple[str, str]]:
    """Yield (module, name) for everything that a module imports from our packages, anywhere in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in OWN:
            yield from ((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names if alias.name.split(".")[0] in OWN)


def room(path: Path) -> str:
    """Return the package that contains a file, or its module: krdtheory.audit, krdtheory.mp, verification."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return parts[0] if parts[0] == "verification" else ".".join(parts[:2])


def target(module: str, name: str) -> str:
    """Return the package or module that an import refers to, as `room` names it."""
    parts = module.split(".")
    if parts[0] == "verification":
        return "verification"
    return ".".join(parts[:2]) if len(parts) > 1 else f"krdtheory.{name}".rstrip(".")


@cache
def arrows() -> Mapping[str, Mapping[str, set[tuple[str, str]]]]:
    """Return what each room imports from each other room."""
    out: dict[str, dict[str, set[tuple[str, str]]]] = defaultdict(lambda: defaultdict(set))
    for package in OWN:
        for path in sorted((ROOT / package).rglob("*.py")):
            for module, name in imports(path.read_text(encoding="utf-8")):
                if target(module, name) != room(path):
                    out[room(path)][target(module, name)].add((module, name))
    return out


def picture() -> str:
    """Return a Mermaid graph with an arrow from each room to those that it imports, unless a third room between them
    implies it."""
    found = {a: set(b) for a, b in arrows().items() if not a.startswith(TOP)}
    found = {a: {b for b in bs if not b.startswith(GROUND) and "." in b} for a, bs in found.items()}
    lines = ["graph BT"]
    for a, below in sorted(found.items()):
        direct = {b for b in below if not any(b in found.get(c, ()) for c in below - {b})}
        lines += [f"    {a} --> {b}" for b in sorted(direct)]
    return "\n".join(lines) + "\n"


def page(text: str) -> str:
    """Return the page with the diagram in it."""
    before, rest = text.split(START, 1)
    return before + START + picture() + END + rest.split(END, 1)[1]


# The same diagram as SVG


def floors(arrows: list[tuple[str, str]]) -> list[list[str]]:
    """Return the nodes in layers from the bottom, each of which depends only on the layers before it."""
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
    """Return the picture of `a --> b` lines."""
    arrows = ARROW.findall(text)
    rows = floors(arrows)[::-1]
    wide = max(len(row) for row in rows) * (WIDTH + GAP_X)
    tall = len(rows) * (HEIGHT + GAP_Y) - GAP_Y + 4
    middle: dict[str, tuple[float, float]] = {}
    for y, row in enumerate(rows):
        for x, name in enumerate(row):
            across = wide / 2 + (x - (len(row) - 1) / 2) * (WIDTH + GAP_X)
            middle[name] = across, y * (HEIGHT + GAP_Y) + 2 + HEIGHT / 2
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
    size = 'markerWidth="8" markerHeight="8" refX="3" refY="4" orient="auto"'
    tip = f'<marker id="tip" {size}><path d="M0 0L7 4L0 8z"/></marker>'
    return (
        f'<svg class="arrows" role="img" aria-label="which package stands on which" viewBox="0 0 {wide:g} {tall:g}" '
        f'style="max-width: {wide:g}px"><defs>{tip}</defs>{"".join(drawn)}</svg>'
    )


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
