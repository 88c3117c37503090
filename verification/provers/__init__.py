"""Provers, which take a claim and derive it from its own two sides.

`derived(script)` runs the claim's function on symbols and asks the script for a theorem of each inequality, in every
case. Cases and letters are in `symbols`, definitions in `vocabulary`, the rules in `kernel`, zeros and signs of real
expressions in `scalars`.
"""

from verification.provers.derivation import Goal, derived

__all__ = ["Goal", "derived"]
