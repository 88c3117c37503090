"""Every claim of the papers, stated as printed and put to the test; and the same for a claim of your own."""

from krdtheory.imports import extra

with extra("verify"):
    from verification import claims, instances
    from verification.claim import Claim, Evidence, Verdict, claim
    from verification.search import check

__all__ = ["Claim", "Evidence", "Verdict", "check", "claim", "claims", "instances"]
