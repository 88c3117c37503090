"""The papers' claims; importing this package registers them all."""

from verification.claims import krd

__all__ = ["krd"]
