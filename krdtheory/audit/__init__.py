"""Lower confidence bounds, from samples of a mechanism's outputs, on what it leaks."""

from krdtheory.audit.auditor import audit
from krdtheory.audit.result import AuditResult, Band, Bound
from krdtheory.audit.sequential import Inconclusive, assert_private, audit_mechanism, samples_to_detect
from krdtheory.audit.stream import SequentialAudit

__all__ = [
    "AuditResult",
    "Band",
    "Bound",
    "Inconclusive",
    "SequentialAudit",
    "assert_private",
    "audit",
    "audit_mechanism",
    "samples_to_detect",
]
