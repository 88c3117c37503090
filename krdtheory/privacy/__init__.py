"""Notions of privacy, the mechanisms that satisfy them, conversions between them and their composition."""

from krdtheory.privacy import composition, conversions, mechanisms, notions, regions

__all__ = ["composition", "conversions", "mechanisms", "notions", "regions"]
