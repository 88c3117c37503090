# colisson.def12.low-orders: a counterexample
#
# Stated in: Colisson (2016), Definition 12, alpha < 1 (reading)
# Statement: D_\alpha^\delta(P\|Q) \le D_\alpha(P\|Q),\ 0 < \alpha < 1
# Claimed: lhs <= rhs, of the two sides below
# Quote: And we can generate δ -approximate max divergence with a random α
# In short: Smoothing decreases the divergence, at every order
# But: Below order 1 the printed infimum increases it
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, renyi

# The instance
p = [[F(1), F(0)], [F(1), F(0)], [F(0), F(1)]]
alpha = F(1, 64)

# The hypotheses
check(
    [len(w) for w in p] == [2, 2, 2] and all(x >= 0 for w in p for x in w)
    and all(sum(w) == 1 for w in p),
    "p: 3 distributions on finitely many points",
)
check(0 < alpha <= 1 and alpha != 1, "alpha: order in (0, 1)")

# The two sides
lhs = renyi(p[2], p[1], alpha)
rhs = renyi(p[0], p[1], alpha)

# Agreement with the program that found the instance
check(agrees(lhs, "+inf"), "lhs is +inf")
check(agrees(rhs, "0.0"), "rhs is 0.0")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
