"""The claims of the papers as printed, tested by search and by proof; and the same tests for claims of your own."""

from typing import TYPE_CHECKING

from krdtheory.imports import lazily, need

if TYPE_CHECKING:
    from verification import claims

need("verify", "sympy")  # which proofs and complex numbers import later

from verification import instances  # noqa: E402
from verification.claim import Claim, Evidence, Verdict, claim  # noqa: E402
from verification.search import check  # noqa: E402

__all__ = ["Claim", "Evidence", "Verdict", "check", "claim", "claims", "instances"]
__getattr__, __dir__ = lazily(__name__, {"": ["claims"]})  # imported on use, since the papers have many claims
