"""Notions of privacy, the mechanisms that satisfy them, conversions between them and their composition."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from krdtheory.privacy import composition, conversions, mechanisms, notions, regions
else:
    from krdtheory.imports import lazily

    __getattr__, __dir__ = lazily(__name__, {"": ("composition", "conversions", "mechanisms", "notions", "regions")})

__all__ = ["composition", "conversions", "mechanisms", "notions", "regions"]
