"""One BLAS thread, set before NumPy is loaded, so that results and timings do not depend on the load of the machine."""

import os

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

from functools import cache  # noqa: E402

import pytest  # noqa: E402
import typer  # noqa: E402

import verification.claims  # noqa: E402, F401
from krdtheory import cli  # noqa: E402
from verification.claim import REGISTRY  # noqa: E402


@pytest.fixture(scope="session", autouse=True)
def the_command_line_is_built_once():
    """Build the command line only once, as a process does, because this takes longer than most of these tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cli, "_of_claims", cache(cli._of_claims))
        patch.setattr(cli, "app", typer.main.get_command(cli.app))
        yield


@pytest.fixture(autouse=True)
def tables_have_their_full_width(monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture(autouse=True)
def claims_declared_by_a_test_are_forgotten():
    saved = dict(REGISTRY.declared)
    yield
    REGISTRY.declared.clear()
    REGISTRY.declared.update(saved)
