"""The public names: a directive that documents those of a module, links by name, and the table of number systems.

The build warns of a public name that has no entry.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterable
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole

LOG = logging.getLogger(__name__)

PUBLIC = (  # modules whose public names the reference has, each under the first of them that it is public in
    "krdtheory",
    "krdtheory.divergences.restricted",
    "krdtheory.kernels",
    "krdtheory.privacy.notions",
    "krdtheory.privacy.mechanisms",
    "krdtheory.privacy.conversions",
    "krdtheory.privacy.composition",
    "krdtheory.privacy.regions",
    "krdtheory.audit",
    "krdtheory.mp",
    "krdtheory.ball",
    "verification",
    "verification.instances",
    "verification.provers",
)
SYSTEMS = ("krdtheory.mp", "krdtheory.ball")  # have the names of float64 once more


def public(module: str) -> list[str]:
    """The names of `__all__`, or else the classes and functions that the module itself defines; no modules."""
    made = importlib.import_module(module)
    listed = getattr(made, "__all__", None)
    if listed is None:
        own = vars(made).items()
        listed = [n for n, v in own if n[0] != "_" and callable(v) and getattr(v, "__module__", "") == module]
    return [name for name in listed if not inspect.ismodule(getattr(made, name))]


def entries(modules: Iterable[str] = PUBLIC) -> dict[str, str]:
    """From every public name, module and all, to the full name that its entry has."""
    out: dict[str, str] = {}
    first: dict[int, str] = {}
    for module in modules:
        for name in public(module):
            value = getattr(importlib.import_module(module), name)
            full = f"{module}.{name}"
            out[full] = first.setdefault(id(value), full) if callable(value) and module not in SYSTEMS else full
    return out


def missing(documented: Iterable[str], modules: Iterable[str] = PUBLIC) -> list[str]:
    """Public names that have no entry."""
    known = set(documented)
    return [name for name, entry in entries(modules).items() if entry not in known]


# Entries


def _options(value: Any, name: str) -> list[str]:
    """The directive of autodoc for a value, and its options."""
    if inspect.isclass(value):
        members = "" if issubclass(value, Exception | Warning) else "   :members:\n"
        return [f".. autoclass:: {name}", *members.splitlines()]
    return [f".. {'autofunction' if inspect.isroutine(value) else 'autodata'}:: {name}"]


class Public(SphinxDirective):
    """`.. public:: MODULE` documents its public names, with a table of them; the content may choose some of them."""

    required_arguments = 1
    has_content = True
    option_spec = {"brief": directives.flag}

    def run(self) -> list[nodes.Node]:
        module = self.arguments[0]
        names = " ".join(self.content).split() or public(module)
        made = importlib.import_module(module)
        known = entries()
        own = [n for n in names if known.get(f"{module}.{n}", f"{module}.{n}") == f"{module}.{n}"]
        rows = ["   " + known.get(f"{module}.{n}", f"{module}.{n}") for n in names]
        lines = [".. autosummary::", "   :nosignatures:", "", *rows, ""]
        if "brief" not in self.options:
            for name in own:
                lines += [*_options(getattr(made, name), f"{module}.{name}"), ""]
        return self.parse_text_to_nodes("\n".join(lines))


# Links by name


class Name(SphinxRole):
    """Text in backquotes, as docstrings have it: code, and a link if it is a public name."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        code = nodes.literal(self.rawtext, self.text, classes=["xref", "py"])
        link = addnodes.pending_xref("", code, refdomain="", reftype="name", reftarget=self.text, refwarn=False)
        link["module"] = self.env.ref_context.get("py:module") or ""
        link.source, link.line = self.get_source_info()
        return [link], []


def found(target: str, near: str, objects: Iterable[str]) -> str | None:
    """The entry that a name means, written in a page or entry of the module `near`: there, or in float64."""
    target = target.removesuffix("()").lstrip("~")
    known = objects if isinstance(objects, dict) else dict.fromkeys(objects)
    modules = (near, "krdtheory", *PUBLIC)
    for full in (target, *(f"{module}.{target}" for module in modules)):
        if full in known:
            return full
    return entries().get(target)


def resolve(app: Sphinx, env: BuildEnvironment, node: addnodes.pending_xref, text: nodes.Element) -> nodes.Node | None:
    """The link of a name, or its text."""
    if node.get("reftype") != "name" or node.get("refdomain"):
        return None
    objects = env.domains.python_domain.objects
    name = found(node["reftarget"], node["module"], objects)
    if name is None or name not in objects:
        return text
    entry = objects[name]
    refuri = app.builder.get_relative_uri(node.get("refdoc", env.docname), entry.docname)
    return nodes.reference("", "", text, internal=True, refuri=f"{refuri}#{entry.node_id}", reftitle=name)


# The table of number systems


class NumberSystems(SphinxDirective):
    """Which functions there are in float64, in multiprecision and in balls."""

    def run(self) -> list[nodes.Node]:
        float64 = ("krdtheory", "krdtheory.kernels", "krdtheory.privacy.conversions", "krdtheory.privacy.composition")
        mp, ball = (set(public(module)) for module in SYSTEMS)
        lines = [".. list-table::", "   :header-rows: 1", "   :widths: 60 15 15 15", "   :class: number-systems", ""]
        lines += ["   * - ", "     - float64", "     - mp", "     - ball"]
        seen: set[str] = set()
        for module in float64:
            made = importlib.import_module(module)
            for name in (n for n in public(module) if inspect.isroutine(getattr(made, n))):
                seen.add(name)
                cells = [f":py:obj:`✓ <{module}.{name}>`"]
                cells += [f":py:obj:`✓ <{s}.{name}>`" if name in o else "–" for s, o in zip(SYSTEMS, (mp, ball))]
                lines += [f"   * - ``{name}``", *(f"     - {cell}" for cell in cells)]
        for name in sorted((mp | ball) - seen):
            cells = ["–"]
            cells += [f":py:obj:`✓ <{s}.{name}>`" if name in o else "–" for s, o in zip(SYSTEMS, (mp, ball))]
            lines += [f"   * - ``{name}``", *(f"     - {cell}" for cell in cells)]
        return self.parse_text_to_nodes("\n".join(lines))


def check(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of public names without an entry."""
    for name in missing(env.domains.python_domain.objects):
        LOG.warning("the reference has no entry for %s", name)


def setup(app: Sphinx) -> dict[str, Any]:
    """Directives `public` and `number-systems`, role `name`."""
    app.add_directive("public", Public)
    app.add_directive("number-systems", NumberSystems)
    app.add_role("name", Name())
    app.connect("missing-reference", resolve)
    app.connect("env-check-consistency", check)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
