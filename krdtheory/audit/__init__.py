"""Lower confidence bounds on the privacy loss of a mechanism, from samples of its outputs.

`audit` takes two samples, `audit_mechanism` and `assert_private` draw from a mechanism, `SequentialAudit` takes a
stream, `learn_event` and `EventAudit` take samples in pieces or on several machines, and `audit_one_run`
(`krdtheory.audit.one_run`) takes the scores of canaries in one training run. They are built on `exact_test` and
`two_sided_test` (exact tests of events), `renyi_bounds`, `kernel_bounds` and `capacity_bounds` (bounds on divergences;
`kernel_bounds.DualAudit` takes samples in pieces, and merges), `betting` and `mean_bounds` (tests by betting),
`outputs` (which reads outputs of any kind), `independence` (which warns of dependent outputs) and `scores` (whose
thresholds define events).
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from krdtheory.audit.auditor import audit
    from krdtheory.audit.independence import DependentReleases
    from krdtheory.audit.one_run import OneRunResult, OneRunStream, audit_canaries, audit_one_run
    from krdtheory.audit.pieces import EventAudit, learn_event
    from krdtheory.audit.planning import samples_to_detect
    from krdtheory.audit.result import AuditResult, Band, Bound
    from krdtheory.audit.sequential import Inconclusive, NotPrivateError, assert_private, audit_mechanism
    from krdtheory.audit.stream import SequentialAudit
else:
    from krdtheory.imports import lazily

    __getattr__, __dir__ = lazily(
        __name__,
        {
            "auditor": ("audit",),
            "independence": ("DependentReleases",),
            "one_run": ("OneRunResult", "OneRunStream", "audit_canaries", "audit_one_run"),
            "pieces": ("EventAudit", "learn_event"),
            "planning": ("samples_to_detect",),
            "result": ("AuditResult", "Band", "Bound"),
            "sequential": ("Inconclusive", "NotPrivateError", "assert_private", "audit_mechanism"),
            "stream": ("SequentialAudit",),
        },
    )

__all__ = [
    "AuditResult",
    "Band",
    "Bound",
    "DependentReleases",
    "EventAudit",
    "Inconclusive",
    "NotPrivateError",
    "OneRunResult",
    "OneRunStream",
    "SequentialAudit",
    "assert_private",
    "audit",
    "audit_canaries",
    "audit_mechanism",
    "audit_one_run",
    "learn_event",
    "samples_to_detect",
]
