"""Results of audits of one run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from krdtheory.arithmetic.base import reject
from krdtheory.audit.result import AuditResult
from krdtheory.privacy import conversions
from krdtheory.privacy.notions import ApproximateDP, GaussianDP, PureDP


def _interval(found: Mapping[str, float]) -> str:
    return f"{found['value']:.4g} ({found['low']:.4g} to {found['high']:.4g}), uncertified"


@dataclass(frozen=True, kw_only=True)
class OneRunResult(AuditResult):
    """Outcome of an audit of one run: an `AuditResult`, in which n canaries were in and m were not.

    Parameters
    ----------
    supposes : str
        What a bound assumes beyond the coins: "" for nothing, as for (epsilon, delta)-DP, or the Gaussian curve.
    path : mapping
        Numbers of guesses ("guesses") and of right ones among them ("right"), the most confident first.
    membership : mapping
        Common metrics of attacks with intervals, none of them certified; see `krdtheory.audit.one_run.membership`.
    """

    supposes: str = ""
    path: Mapping[str, Any] = field(default_factory=dict)
    membership: Mapping[str, Any] = field(default_factory=dict)
    consequence: ClassVar[str] = "where not every canary has a coin of its own, the level does not hold"
    samples: ClassVar[tuple[str, str]] = ("in", "out")
    sample_name: ClassVar[str] = "canaries"

    def more_findings(self) -> list[tuple[str, str]]:
        """Return the assumptions of the bound, and the metrics of attacks."""
        supposed = [("supposed", self.supposes)] if self.supposes else []
        shown = [(name, _interval(found)) for name, found in self.membership.items() if name != "note"]
        return [*supposed, *shown, *([("these", self.membership["note"])] if self.membership else [])]

    @property
    def mu_lower(self) -> float | None:
        """The lower bound on mu for a claim of Gaussian DP, otherwise None."""
        return self.divergence_lower if isinstance(self.notion, GaussianDP) else None

    def epsilon_at(self, delta: float) -> float:
        """Return a lower bound on epsilon at this delta; for Gaussian DP, it assumes the Gaussian curve.

        Raises
        ------
        ValueError
            The audit was for another delta, or has no such bound.
        """
        if isinstance(self.notion, GaussianDP):
            mu = self.divergence_lower
            return float(conversions.gdp_to_approximate_dp(mu=mu, delta=delta, nonnegative=True)) if mu > 0 else 0.0
        known = getattr(self.notion, "delta", 0.0 if isinstance(self.notion, PureDP) else None)
        if self.epsilon_lower is None or known != delta:
            reject("delta", delta, f"that of the audit, {known}" if self.epsilon_lower is not None else "left alone")
        return self.epsilon_lower

    def delta_at(self, epsilon: float) -> float:
        """Return a lower bound on delta at this epsilon; for Gaussian DP, it assumes the Gaussian curve.

        Raises
        ------
        ValueError
            The audit was for another epsilon, or has no such bound.
        """
        if isinstance(self.notion, GaussianDP):
            mu = self.divergence_lower
            return float(conversions.gdp_to_delta(mu=mu, epsilon=epsilon)) if mu > 0 else 0.0
        known = self.notion.epsilon if isinstance(self.notion, ApproximateDP) else None
        if self.delta_lower is None or known != epsilon:
            allowed = f"that of the audit, {known}" if self.delta_lower is not None else "asked of an audit by delta"
            reject("epsilon", epsilon, allowed)
        return self.delta_lower
