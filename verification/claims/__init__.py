"""The papers' claims; importing this package registers them all."""

from verification.claims import capacity, colisson, hypothesis_testing, krd, one_run, own

__all__ = ["capacity", "colisson", "hypothesis_testing", "krd", "one_run", "own"]
