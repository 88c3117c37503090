"""A fault planted in a formula is noticed: at least one verdict is no longer the recorded one."""

import math
from dataclasses import replace
from functools import cache
from inspect import signature

import numpy as np
import pytest

import verification.claims  # noqa: F401
from verification import vocabulary
from verification.claim import REGISTRY
from verification.search import check

LIBRARY = dict(vocabulary.LIBRARY)


def trace_of(rho):
    return np.frompyfunc(lambda z: z.real, 1, 1)(np.trace(np.asarray(rho), axis1=-2, axis2=-1))


def sandwiched(change):
    def faulty(rho, sigma, alpha, regularization=0.0, **options):
        return change(LIBRARY["sandwiched_renyi"], rho, sigma, alpha, regularization, **options)

    return "sandwiched_renyi", faulty


def untraced(f, rho, sigma, alpha, lam, arithmetic, **options):
    value = f(rho, sigma, alpha, lam, arithmetic=arithmetic, **options)
    total = np.asarray(trace_of(rho), dtype=np.asarray(value).dtype)
    return value + arithmetic.log(total) / (alpha - 1)


FAULTS = {
    "the exponent of another divergence": sandwiched(lambda f, *a, **o: LIBRARY["petz_renyi"](*a, **o)),
    "lambda dropped": sandwiched(lambda f, rho, sigma, alpha, lam, **o: f(rho, sigma, alpha, 0 * lam, **o)),
    "lambda doubled": sandwiched(lambda f, rho, sigma, alpha, lam, **o: f(rho, sigma, alpha, 2 * lam, **o)),
    "arguments swapped": sandwiched(lambda f, rho, sigma, *a, **o: f(sigma, rho, *a, **o)),
    "no 1 / tr rho": sandwiched(untraced),
    "log to base 2": sandwiched(lambda f, *a, **o: f(*a, **o) / math.log(2)),
    "1 / alpha for 1 / (alpha - 1)": sandwiched(
        lambda f, rho, sigma, alpha, lam, **o: f(rho, sigma, alpha, lam, **o) * (alpha - 1) / alpha
    ),
    "renyi: arguments swapped": ("renyi", lambda p, q, alpha, **o: LIBRARY["renyi"](q, p, alpha, **o)),
    "renyi: log to base 2": ("renyi", lambda *a, **o: LIBRARY["renyi"](*a, **o) / math.log(2)),
    "hockey_stick: e^-epsilon": ("hockey_stick", lambda p, q, e, **o: LIBRARY["hockey_stick"](p, q, -e, **o)),
    "max_divergence: swapped": ("max_divergence", lambda p, q, **o: LIBRARY["max_divergence"](q, p, **o)),
    "relative entropy over the trace": (
        "quantum_relative_entropy",
        lambda rho, sigma, **o: LIBRARY["quantum_relative_entropy"](rho, sigma, **o) / trace_of(rho),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_changes_a_verdict(fault, monkeypatch):
    name, faulty = FAULTS[fault]
    faulty.__signature__ = signature(LIBRARY[name])  # the signature says which arguments it has
    users = [c.id for c in REGISTRY.values() if uses(c.sides, name) and c.effort == 1]
    assert users
    for id in users:
        plain = searched(id)
        with monkeypatch.context() as planted:
            planted.setitem(vocabulary.LIBRARY, name, faulty)
            found = searched.__wrapped__(id)
        if found.verdict is not plain.verdict or found.contradicted > plain.contradicted:
            return
    pytest.fail("no verdict changes")


@cache
def searched(claim_id):
    """Balls share no code with the fault, and may be right where float64 is far off."""
    return check(replace(REGISTRY[claim_id], proof=None, argument=None), budget=400)


def uses(function, name, depth=4):
    """Return whether a function, or one of its module that it calls, uses `k.<name>`."""
    names = set(names_in(function.__code__))
    called = [function.__globals__.get(n) for n in names]
    return name in names or (
        depth > 0
        and any(
            uses(f, name, depth - 1) for f in called if hasattr(f, "__code__") and f.__module__ == function.__module__
        )
    )


def names_in(code):
    yield from code.co_names
    for constant in code.co_consts:
        if hasattr(constant, "co_names"):
            yield from names_in(constant)
