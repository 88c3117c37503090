"""One BLAS thread, set before NumPy is loaded: results and timings must not depend on the machine's load."""

import os

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import pytest  # noqa: E402

from verification.claim import REGISTRY  # noqa: E402


@pytest.fixture(autouse=True)
def tables_have_their_full_width(monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture(autouse=True)
def claims_declared_by_a_test_are_forgotten():
    saved = dict(REGISTRY)
    yield
    REGISTRY.clear()
    REGISTRY.update(saved)
