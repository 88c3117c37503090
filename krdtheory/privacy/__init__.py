"""Notions of privacy, the mechanisms that satisfy them, conversions between them and their composition."""
