"""Every kind of `verification.instances` as a hypothesis strategy, for property tests of your own.

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

from krdtheory.arithmetic.base import reject
from krdtheory.imports import extra
from verification.instances import FIXED, FLOATS, RATIONALS, SIZES, Kind, Raw

with extra("verify"):
    from hypothesis import strategies as st

FIELDS = {"float64": FLOATS, "exact": RATIONALS}
DRAWS = 256  # the number of draws that determine the range of a family's integers


def instances(kind: Kind, *, dim: int | None = None, numbers: str = "float64") -> st.SearchStrategy[Any]:
    """Return a strategy for objects of a kind, without a batch axis, which shrink to small integers.

    Parameters
    ----------
    kind : Kind
        From `verification.instances`.
    dim : int, optional
        Dimension or alphabet size, if the kind does not fix it; by default 2 to 8.
    numbers : {"float64", "exact"}
        NumPy arrays of float64 or complex128, or object arrays of exact rationals.

    Raises
    ------
    ValueError, TypeError
        An argument out of range, or of the wrong type.

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
    fitting = [n for n in sorted(set(SIZES)) if kind.fits(n)] if dim is None else [dim]
    if not fitting or not kind.fits(fitting[0]):
        reject("dim", dim, f"a dimension in which there is {kind.describe()}")
    sizes = st.sampled_from(fitting)
    families = st.sampled_from(list(kind.started))
    raw = st.tuples(sizes, families).flatmap(lambda chosen: _raw(kind, *chosen)).map(kind.project)
    legal = raw.filter(lambda r: bool(kind.legal(r)[0]))
    return legal.map(lambda r: _single(kind.build(r, FIELDS[numbers])))


@cache  # making strategies is slow
def _raw(kind: Kind, dim: int, family: str) -> st.SearchStrategy[Raw]:
    """Return a strategy for raw integers, each within the range that the family draws for its place."""
    return st.fixed_dictionaries(
        {
            key: _array(key, low, high, kind.coarse().get(key, 1))
            for key, (low, high) in _ranges(kind, dim, family).items()
        }
    )


@cache
def _ranges(kind: Kind, dim: int, family: str) -> dict[str, tuple[Any, Any]]:
    drawn = kind.draw(np.random.default_rng(0), DRAWS, dim, family)
    return {key: (value.min(0), value.max(0)) for key, value in drawn.items()}


def _array(key: str, low: Any, high: Any, coarse: int) -> st.SearchStrategy[Any]:
    if key == FIXED:
        return st.just(np.array([low]))
    shape = np.shape(low)
    entries = [_entry(int(a), int(b), coarse) for a, b in zip(np.ravel(low), np.ravel(high), strict=True)]
    return st.tuples(*entries).map(lambda drawn: np.array(drawn, dtype=int).reshape((1, *shape)))


def _entry(low: int, high: int, coarse: int) -> st.SearchStrategy[int]:
    """Return a strategy for integers in a range, with a preference for multiples of `coarse`."""
    first, last = -(-low // coarse), high // coarse
    if coarse == 1 or first > last:
        return st.integers(low, high)
    return st.one_of(st.integers(first, last).map(lambda n: n * coarse), st.integers(low, high))


def _single(value: Any) -> Any:
    """Return an object without its batch axis."""
    if isinstance(value, (list, tuple)):
        return type(value)(_single(v) for v in value)
    return value[0] if isinstance(value, np.ndarray) else value
