"""The public names, each of which has an entry in the reference of the site."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from types import GenericAlias, ModuleType

PUBLIC = (  # documented modules; a name in several of them has its entry under the first
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
SYSTEMS = ("krdtheory.mp", "krdtheory.ball")  # whose functions have the same names as those of float64


def public(module: str) -> list[str]:
    """Return the names in `__all__`, or else the classes and functions defined in the module, without type aliases."""
    made = importlib.import_module(module)
    listed = getattr(made, "__all__", None)
    if listed is None:
        own = vars(made).items()
        listed = [n for n, v in own if n[0] != "_" and callable(v) and getattr(v, "__module__", "") == module]
    return [name for name in listed if not isinstance(getattr(made, name), ModuleType | GenericAlias)]


def entries(modules: Iterable[str] = PUBLIC) -> dict[str, str]:
    """Map every public name, with its module, to the full name under which it has its entry."""
    out: dict[str, str] = {}
    first: dict[int, str] = {}
    for module in modules:
        for name in public(module):
            value = getattr(importlib.import_module(module), name)
            full = f"{module}.{name}"
            out[full] = first.setdefault(id(value), full) if callable(value) and module not in SYSTEMS else full
    return out


def missing(documented: Iterable[str], modules: Iterable[str] = PUBLIC) -> list[str]:
    """Return the public names that have no entry."""
    known = set(documented)
    return [name for name, entry in entries(modules).items() if entry not in known]
