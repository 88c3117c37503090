"""Number systems. A formula is written once, over an `Arithmetic`; here are the arithmetics it can run in."""

from krdtheory.arithmetic.base import Arithmetic, Embedding, Pair, Spectrum
from krdtheory.arithmetic.float64 import FLOAT64, Float64
from krdtheory.arithmetic.mp import MP, PrecisionError

__all__ = ["FLOAT64", "MP", "Arithmetic", "Embedding", "Float64", "Pair", "PrecisionError", "Spectrum"]
