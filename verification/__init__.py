"""The claims of the papers as printed, tested by search and by proof; and the same tests for claims of your own."""

from typing import TYPE_CHECKING

from krdtheory.imports import extra, lazily

if TYPE_CHECKING:
    from verification import claims

with extra("verify"):
    from verification import instances
    from verification.claim import Claim, Evidence, Verdict, claim
    from verification.search import check

__all__ = ["Claim", "Evidence", "Verdict", "check", "claim", "claims", "instances"]
__getattr__, __dir__ = lazily(__name__, {"": ["claims"]})  # imported on use, since the papers have many claims
