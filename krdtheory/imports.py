"""Lazy imports of names, and imports of optional libraries."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any

EXTRAS = {  # the extras of pyproject.toml, and the modules that each installs
    "audit": ("sklearn",),
    "plot": ("matplotlib", "jinja2"),
    "verify": ("hypothesis", "sympy", "jinja2", "latex2mathml"),
}


class MissingExtraError(ImportError):
    """A required library belongs to an extra that is not installed."""


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Replace an import error for a library of the extra `name` by one that says how to install it.

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


def need(name: str, *modules: str) -> None:
    """Raise MissingExtraError if a library of the extra `name` is missing, so that it is reported before long work.

    The libraries are those of `modules`, or all of the extra. They are not imported.
    """
    with extra(name):
        for module in modules or EXTRAS[name]:
            if find_spec(module) is None:
                raise ModuleNotFoundError(f"No module named {module!r}", name=module)


def lazily(package: str, homes: Mapping[str, Sequence[str]]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package, which import a name when it is first used.

    `homes` maps the package's modules to the names that each provides; the key "" lists modules. Other modules of the
    package are imported on use too, but not listed.
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
        # `name` and `obj` let Python suggest a similar name
        raise AttributeError(text, name=name, obj=sys.modules[package])

    return get, lambda: sorted({*vars(sys.modules[package]), *home})
