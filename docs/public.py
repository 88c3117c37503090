"""The public names that the reference of the site has an entry for."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from types import GenericAlias, ModuleType

PUBLIC = (  # modules whose public names the reference has, each under the first of them that it is public in
    "krdtheory",
    "krdtheory.divergences.restricted",
    "krdtheory.kernels",
    "krdtheory.privacy.notions",
    "krdtheory.privacy.mechanisms",
    "krdtheory.privacy.conversions",
    "krdtheory.privacy.composition",
    "krdtheory.privacy.regions",
    "krdtheory.privacy.peers",
    "krdtheory.audit",
    "krdtheory.mp",
    "krdtheory.ball",
    "verification",
    "verification.instances",
    "verification.provers",
    "verification.table1",
)
SYSTEMS = ("krdtheory.mp", "krdtheory.ball")  # have the names of float64 once more


def public(module: str) -> list[str]:
    """The names of `__all__`, or else the classes and functions of the module; no modules or aliases of types."""
    made = importlib.import_module(module)
    listed = getattr(made, "__all__", None)
    if listed is None:
        own = vars(made).items()
        listed = [n for n, v in own if n[0] != "_" and callable(v) and getattr(v, "__module__", "") == module]
    return [name for name in listed if not isinstance(getattr(made, name), ModuleType | GenericAlias)]


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
