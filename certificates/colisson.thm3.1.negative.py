# colisson.thm3.1.negative: a counterexample
#
# Stated in: Colisson (2016), Theorem 3.1, epsilon of either sign (condition)
# Statement: \varepsilon \in \mathbb R \Rightarrow (D_\infty^\delta(Y\|Z) \le \varepsilon
#     \Leftrightarrow \exists Y' : \Delta(Y, Y') \le \delta,\ D_\infty(Y'\|Z) \le \varepsilon)
# Claimed: lhs = rhs, of the two sides below
# In short: Theorem 3.1 for epsilon of either sign
# But: A divergence is never negative, but its delta-approximation can be
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, approximate_max_divergence, check, inf, smooth_renyi

# The instance
p = [[F(0), F(1)], [F(0), F(1)]]
delta = F(1, 64)

# The hypotheses
check(
    [len(w) for w in p] == [2, 2] and all(x >= 0 for w in p for x in w)
    and all(sum(w) == 1 for w in p),
    "p: 2 distributions on finitely many points",
)
check(0 <= delta <= 1, "delta: number in [0, 1]")

# The two sides, with the names that the claim's own function uses
least = approximate_max_divergence(p[0], p[1], delta=delta)
lhs = least
rhs = smooth_renyi(p[0], p[1], inf, delta=delta)

# The branches taken, and the terms left out because they are zero
check(abs(least) != inf, "the branches taken")

# Agreement with the program that found the instance
check(agrees(lhs, "-0.015748356968139168608"), "lhs is -0.015748356968139168608")
check(agrees(rhs, "0.0"), "rhs is 0.0")

# The conclusion
check(lhs < rhs or rhs < lhs, "lhs != rhs: the equality lhs = rhs fails")
