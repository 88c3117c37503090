"""The examples in the docstrings run and print what they say."""

import doctest
import importlib
import pkgutil

import pytest

import krdtheory
import verification

MODULES = sorted(
    module.name
    for package in (krdtheory, verification)
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
    if not module.name.endswith("__main__")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    outcome = doctest.testmod(importlib.import_module(name))
    assert outcome.failed == 0


def test_public_functions_have_an_example() -> None:
    modules = ("ball", "kernels", "mp", "privacy")
    functions = [getattr(krdtheory, name) for name in krdtheory.__all__ if name not in modules]
    functions += [getattr(krdtheory.kernels, name) for name in krdtheory.kernels.__all__]
    for module in (krdtheory.privacy.conversions, krdtheory.privacy.composition):
        functions += [getattr(module, name) for name in module.__all__]
    without = [f.__name__ for f in functions if ">>>" not in (f.__doc__ or "")]
    assert without == []
