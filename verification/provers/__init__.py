"""Provers, which take a claim and derive it from its own two sides.

`derived(script)` runs the claim's function on symbols, and asks the script for a theorem about each inequality in each
case. `symbols` has the cases and the letters, `vocabulary` the definitions, `kernel` the rules of inference, and
`scalars` the decisions whether a real expression is zero or nonnegative.
"""

from verification.provers.derivation import Goal, derived

__all__ = ["Goal", "derived"]
