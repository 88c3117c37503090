"""Number systems: a formula is written once, for an `Arithmetic`, and runs in each of those defined here."""

from typing import TYPE_CHECKING

from krdtheory.arithmetic.base import Arithmetic, Embedding, Pair, Spectrum
from krdtheory.arithmetic.float64 import FLOAT64, Float64

if TYPE_CHECKING:
    from krdtheory.arithmetic.mp import MP, PrecisionError
else:
    from krdtheory.imports import lazily

    __getattr__, __dir__ = lazily(__name__, {"mp": ("MP", "PrecisionError")})

__all__ = ["FLOAT64", "MP", "Arithmetic", "Embedding", "Float64", "Pair", "PrecisionError", "Spectrum"]
