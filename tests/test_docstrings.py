"""The examples in the docstrings run and print what they show."""

import doctest
import importlib
import inspect
import pkgutil
import re

import pytest

import krdtheory
import verification
from krdtheory.table import FUNCTIONS, names

MODULES = sorted(
    module.name
    for package in (krdtheory, verification)
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
    if not module.name.endswith("__main__")
)


@pytest.mark.slow
@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    outcome = doctest.testmod(importlib.import_module(name))
    assert outcome.failed == 0


def test_public_functions_have_an_example() -> None:
    functions = [FUNCTIONS[name].load() for name in names("float64")]
    without = [f.__name__ for f in functions if ">>>" not in (f.__doc__ or "")]
    assert without == []


def test_help_in_multiprecision_is_complete() -> None:
    """Every argument is described under its own name, and other functions that are named exist."""
    ours = {name for module in MODULES for name in vars(importlib.import_module(module))}
    functions = {name: f for name, f in vars(krdtheory.mp).items() if inspect.isfunction(f) and name[0] != "_"}
    functions = {n: f for n, f in functions.items() if f.__module__ == "krdtheory.mp" and n != "evaluate"}
    assert len(functions) > 40
    for name, f in functions.items():
        parameters = inspect.signature(f).parameters
        text = inspect.getdoc(f) or ""
        words = set(re.findall(r"\w+", text))
        assert "arithmetic : Arithmetic" not in text, name
        assert {"digits"} & set(parameters) <= words, name
        assert set(parameters) <= words or "As `" in text, name
        assert set(re.findall(r"`(\w+)`", text)) <= ours | set(parameters) | words, name
