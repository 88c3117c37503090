"""Lower confidence bounds, from samples of a mechanism's outputs, on what it leaks."""

from krdtheory.audit.result import AuditResult, Band, Bound

__all__ = ["AuditResult", "Band", "Bound"]
