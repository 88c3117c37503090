# colisson.sec25.finite-bounded: a counterexample
#
# Stated in: Colisson (2016), Section 2.5.1 (reading)
# Statement: D_\alpha(P\|Q) \le -\ln \min_{q_i > 0} q_i \text{ for all } P, Q \text{ on a finite
#     alphabet and }\ \alpha > 1
# Claimed: lhs <= rhs, of the two sides below
# Quote: all finite distribution gives a bounded divergence
# In short: Distributions on finitely many points have a bounded divergence
# But: It is infinite where Q gives probability 0 to a point of P
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, log, renyi

# The instance
p = [[F(0), F(1)], [F(1), F(0)]]
alpha = F(2)

# The hypotheses
check(
    [len(w) for w in p] == [2, 2] and all(x >= 0 for w in p for x in w)
    and all(sum(w) == 1 for w in p),
    "p: 2 distributions on finitely many points",
)
check(1 <= alpha and alpha != 1, "alpha: order in (1, inf)")

# The two sides
lhs = renyi(p[0], p[1], alpha)
rhs = -log(p[1][0])

# The branches taken, and the terms left out because they are zero
check(p[1][0] > 0 and p[1][1] <= 0 and p[1][0] <= 1, "the branches taken")

# Agreement with the program that found the instance
check(agrees(lhs, "+inf"), "lhs is +inf")
check(agrees(rhs, "0.0"), "rhs is 0.0")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
