"""Divergences for private mechanisms: computed, verified and estimated from samples."""

from importlib.metadata import version

from krdtheory import kernels, mp
from krdtheory.divergences import *  # noqa: F403
from krdtheory.divergences import __all__ as _divergences

__version__ = version("krdtheory")
__all__ = ["kernels", "mp", *_divergences]
