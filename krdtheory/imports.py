"""Imports that wait until a name is asked for, and imports of libraries that need not be installed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

EXTRAS = {  # of pyproject.toml, and what they bring, as it is imported
    "audit": ("sklearn",),
    "plot": ("matplotlib", "jinja2"),
    "verify": ("hypothesis", "sympy", "jinja2", "latex2mathml"),
}


class MissingExtraError(ImportError):
    """A library that is needed here comes with an extra, which is not installed."""


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Around imports of what the extra `name` brings: where that is missing, the error says how to get it.

    >>> with extra("plot"):
    ...     import matplotlib
    """
    try:
        yield
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in EXTRAS[name]:
            raise
        raise MissingExtraError(f"{missing} is not installed: pip install 'krdtheory[{name}]'", name=missing) from None


def need(name: str) -> None:
    """Raise MissingExtraError where a library of the extra `name` is missing: before the work, not at its end."""
    with extra(name):
        for module in EXTRAS[name]:
            import_module(module)


def lazily(package: str, homes: Mapping[str, Sequence[str]]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package, which import a name when it is first asked for.

    `homes` has the modules, as they are called within the package, and the names that each gives; "" gives modules. Of
    the package's other modules each is imported too when it is asked for, though not listed.
    """
    home = {name: module for module, names in homes.items() for name in names}

    def get(name: str) -> Any:
        if module := home.get(name):
            value = getattr(import_module(f"{package}.{module}"), name)
            setattr(sys.modules[package], name, value)
            return value
        try:
            if not name.startswith("_"):
                return import_module(f"{package}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{package}.{name}":
                raise
        text = f"module {package!r} has no attribute {name!r}"
        raise AttributeError(text, name=name, obj=sys.modules[package])  # so that Python asks what was meant

    return get, lambda: sorted({*vars(sys.modules[package]), *home})
