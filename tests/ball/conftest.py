"""Fixtures for all tests of balls."""

import pytest
from flint import ctx


@pytest.fixture(autouse=True)
def precision_is_left_alone():
    before = ctx.prec
    yield
    assert ctx.prec == before
