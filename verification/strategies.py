"""Instances as hypothesis strategies: every kind of `verification.instances`, for property tests of one's own.

>>> from hypothesis import given, settings
>>> import krdtheory
>>> from verification.instances import Distributions, Order
>>> from verification.strategies import instances
>>> @settings(max_examples=20, derandomize=True, deadline=None)
... @given(instances(Distributions(2)), instances(Order(1, 8)))
... def kl_is_below(p, alpha):
...     assert krdtheory.kl(*p) <= krdtheory.renyi(*p, alpha) + 1e-9
>>> kl_is_below()
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st

from krdtheory.arithmetic.base import reject
from verification.instances import FIXED, FLOATS, RATIONALS, Kind, Raw

FIELDS = {"float64": FLOATS, "exact": RATIONALS}
DRAWS = 256  # to see which integers a family has in which place


def instances(kind: Kind, *, dim: int | None = None, numbers: str = "float64") -> st.SearchStrategy[Any]:
    """Objects of a kind, without a batch axis; they shrink to small integers.

    Parameters
    ----------
    kind : Kind
        From `verification.instances`.
    dim : int, optional
        Dimension or alphabet size, where the kind does not fix it; 2, 3 or 4 unless told.
    numbers : {"float64", "exact"}
        NumPy arrays of float64 or complex128, or object arrays of exact rationals.

    Raises
    ------
    ValueError, TypeError
        Arguments that cannot be.

    Examples
    --------
    >>> from verification.instances import States
    >>> rho, sigma = instances(States(2, normalised=True), dim=2).example()  # doctest: +SKIP
    """
    if not isinstance(kind, Kind):
        reject("kind", kind, "a kind of verification.instances", TypeError)
    if dim is not None and (isinstance(dim, bool) or not isinstance(dim, int)):
        reject("dim", dim, "an integer >= 1", TypeError)
    if dim is not None and dim < 1:
        reject("dim", dim, "an integer >= 1")
    if numbers not in FIELDS:
        reject("numbers", numbers, f"one of {', '.join(FIELDS)}")
    sizes = st.sampled_from((2, 3, 4) if dim is None else (dim,))
    families = st.sampled_from(list(kind.families))
    raw = st.tuples(sizes, families).flatmap(lambda chosen: _raw(kind, *chosen))
    legal = raw.filter(lambda r: bool(kind.legal(r)[0]))
    return legal.map(lambda r: _single(kind.build(r, FIELDS[numbers])))


def _raw(kind: Kind, dim: int, family: str) -> st.SearchStrategy[Raw]:
    """Raw integers, each within what the family draws in its place."""
    return st.fixed_dictionaries(
        {key: _array(key, low, high) for key, (low, high) in _ranges(kind, dim, family).items()}
    )


@cache
def _ranges(kind: Kind, dim: int, family: str) -> dict[str, tuple[Any, Any]]:
    drawn = kind.draw(np.random.default_rng(0), DRAWS, dim, family)
    return {key: (value.min(0), value.max(0)) for key, value in drawn.items()}


def _array(key: str, low: Any, high: Any) -> st.SearchStrategy[Any]:
    if key == FIXED:
        return st.just(np.array([low]))
    shape = np.shape(low)
    entries = [st.integers(int(a), int(b)) for a, b in zip(np.ravel(low), np.ravel(high), strict=True)]
    return st.tuples(*entries).map(lambda drawn: np.array(drawn, dtype=int).reshape((1, *shape)))


def _single(value: Any) -> Any:
    """An object without its batch axis."""
    if isinstance(value, (list, tuple)):
        return type(value)(_single(v) for v in value)
    return value[0] if isinstance(value, np.ndarray) else value
