"""The picture of docs/architecture.md, from the imports of the code: `python docs/architecture.py` writes it anew."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = Path(__file__).with_suffix(".md")
START, END = "```mermaid\n", "```\n"
OWN = ("krdtheory", "verification")
TOP = ("krdtheory.__", "krdtheory.cli", "krdtheory.pytest_plugin")  # on all of the others
GROUND = ("krdtheory.__", "krdtheory.imports", "krdtheory.version")  # below all of them


def imports(source: str) -> Iterator[tuple[str, str]]:
    """(module, name) of everything a module takes from our packages, wherever the import stands."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in OWN:
            yield from ((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names if alias.name.split(".")[0] in OWN)


def room(path: Path) -> str:
    """The package that a file is in, or the module that it is: krdtheory.audit, krdtheory.mp, verification."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return parts[0] if parts[0] == "verification" else ".".join(parts[:2])


def target(module: str, name: str) -> str:
    """The room that an import reaches."""
    parts = module.split(".")
    if parts[0] == "verification":
        return "verification"
    return ".".join(parts[:2]) if len(parts) > 1 else f"krdtheory.{name}".rstrip(".")


def arrows() -> Mapping[str, Mapping[str, set[tuple[str, str]]]]:
    """From room to room, what is imported."""
    out: dict[str, dict[str, set[tuple[str, str]]]] = defaultdict(lambda: defaultdict(set))
    for package in OWN:
        for path in sorted((ROOT / package).rglob("*.py")):
            for module, name in imports(path.read_text(encoding="utf-8")):
                if target(module, name) != room(path):
                    out[room(path)][target(module, name)].add((module, name))
    return out


def picture() -> str:
    """A Mermaid graph: rooms, and an arrow from each to what it stands on, where nothing between them does too."""
    found = {a: set(b) for a, b in arrows().items() if not a.startswith(TOP)}
    found = {a: {b for b in bs if not b.startswith(GROUND) and "." in b} for a, bs in found.items()}
    lines = ["graph BT"]
    for a, below in sorted(found.items()):
        direct = {b for b in below if not any(b in found.get(c, ()) for c in below - {b})}
        lines += [f"    {a} --> {b}" for b in sorted(direct)]
    return "\n".join(lines) + "\n"


def page(text: str) -> str:
    """The page with the picture in it."""
    before, rest = text.split(START, 1)
    return before + START + picture() + END + rest.split(END, 1)[1]


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
