"""Provers: they take a claim and work on its own two sides.

`derived(script)` runs the claim's function on symbols and asks the script for a theorem of each inequality, in every
case (`symbols`: cases and letters; `vocabulary`: definitions; `kernel`: the rules; `scalars`: zeros and signs).
"""

from verification.provers.derivation import Goal, derived

__all__ = ["Goal", "derived"]
