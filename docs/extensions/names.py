"""The public names: a directive that documents those of a module, links by name, and the table of number systems.

The build warns of a public name that has no entry.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterable, Mapping
from typing import Any

from docutils import nodes
from public import PUBLIC, SYSTEMS, entries, missing, public
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole

LOG = logging.getLogger(__name__)

# Entries


def _options(value: Any, name: str) -> list[str]:
    """Return the autodoc directive for a value, with its options."""
    if isinstance(value, type):
        members = "" if issubclass(value, Exception | Warning) else "   :members:\n"
        return [f".. autoclass:: {name}", *members.splitlines()]
    return [f".. {'autofunction' if inspect.isroutine(value) else 'autodata'}:: {name}"]


class Public(SphinxDirective):
    """`.. public:: MODULE` documents the public names of a module, or those listed in the content, with a table."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        module = self.arguments[0]
        names = " ".join(self.content).split() or public(module)
        made = importlib.import_module(module)
        known = entries()
        own = [n for n in names if known.get(f"{module}.{n}", f"{module}.{n}") == f"{module}.{n}"]
        rows = [f"   {n if n in own else known[f'{module}.{n}']}" for n in names]
        lines = [".. autosummary::", "   :nosignatures:", "", *rows, ""]
        for name in own:
            lines += [*_options(getattr(made, name), f"{module}.{name}"), ""]
        return self.parse_text_to_nodes("\n".join(lines))


# Links by name


class Name(SphinxRole):
    """The role of text in backquotes in docstrings: code, and a link if it is a public name."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        code = nodes.literal(self.rawtext, self.text, classes=["xref", "py"])
        link = addnodes.pending_xref("", code, refdomain="", reftype="name", reftarget=self.text, refwarn=False)
        link["module"] = self.env.ref_context.get("py:module") or ""
        link.source, link.line = self.get_source_info()
        return [link], []


def found(target: str, near: str, objects: Iterable[str]) -> str | None:
    """Return the entry of a name in a page of the module `near`: in this module, or else the first in the others."""
    target = target.removesuffix("()").lstrip("~")
    known = objects if isinstance(objects, dict) else dict.fromkeys(objects)
    names = [target, *(f"{module}.{target}" for module in (near, "krdtheory", *PUBLIC))]
    if target.startswith("krdtheory.divergences."):  # public at the top level
        names.append(f"krdtheory.{target.rpartition('.')[2]}")
    for full in names:
        if full in known:
            return full
    return entries().get(target)


def resolve(app: Sphinx, env: BuildEnvironment, node: addnodes.pending_xref, text: nodes.Element) -> nodes.Node | None:
    """Return the link for a name, or its text."""
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
    """The table of functions in float64, in multiprecision and in balls."""

    def run(self) -> list[nodes.Node]:
        float64 = ("krdtheory", "krdtheory.kernels", "krdtheory.privacy.conversions", "krdtheory.privacy.composition")
        others = {module: set(public(module)) for module in SYSTEMS}
        lines = [".. list-table::", "   :header-rows: 1", "   :widths: 60 15 15 15", "   :class: number-systems", ""]
        lines += ["   * - ", "     - float64", "     - mp", "     - ball"]
        seen: set[str] = set()
        for module in float64:
            made = importlib.import_module(module)
            for name in (n for n in public(module) if inspect.isroutine(getattr(made, n))):
                seen.add(name)
                lines += _row(name, module, others)
        for name in sorted(set().union(*others.values()) - seen):
            lines += _row(name, None, others)
        return self.parse_text_to_nodes("\n".join(lines))


def _row(name: str, module: str | None, others: Mapping[str, set[str]]) -> list[str]:
    """Return a row of the table; `module` is where the name is in float64, or None."""
    has = {module or "": module is not None} | {other: name in names for other, names in others.items()}
    cells = [f":py:obj:`✓ <{where}.{name}>`" if there else "–" for where, there in has.items()]
    return [f"   * - ``{name}``", *(f"     - {cell}" for cell in cells)]


def check(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn about public names without an entry."""
    for name in missing(env.domains.python_domain.objects):
        LOG.warning("the reference has no entry for %s", name)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives `public` and `number-systems` and the role `name`."""
    app.add_directive("public", Public)
    app.add_directive("number-systems", NumberSystems)
    app.add_role("name", Name())
    app.connect("missing-reference", resolve)
    app.connect("env-check-consistency", check)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
