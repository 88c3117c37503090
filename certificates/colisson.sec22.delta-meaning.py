# colisson.sec22.delta-meaning: a counterexample
#
# Stated in: Colisson (2016), Section 2.2, on Definition 4 (reading)
# Statement: (\varepsilon, \delta)\text{-DP} \Rightarrow \Pr[L > \varepsilon] \le \delta
# Claimed: lhs <= rhs, of the two sides below
# Quote: it just doesn’t occur more often than with a probability δ
# In short: The loss exceeds epsilon with probability at most delta
# But: The loss may exceed epsilon with any probability; delta bounds the excess mass
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, hockey_stick, log, maximum

# The instance
p = [[F(1), F(0)], [F(1, 2), F(1, 2)]]
more = F(1, 64)

# The hypotheses
check(
    [len(w) for w in p] == [2, 2] and all(x >= 0 for w in p for x in w)
    and all(sum(w) == 1 for w in p),
    "p: 2 distributions on finitely many points",
)
check(0 < more, "more: number in (0, inf)")

# The two sides, with the names that the claim's own function uses
ratio = 1 + more
epsilon = log(ratio)
lhs = p[0][0]
rhs = maximum(hockey_stick(p[0], p[1], epsilon), hockey_stick(p[1], p[0], epsilon))

# The branches taken, and the terms left out because they are zero
check(p[0][0] > ratio * p[1][0] and p[0][1] <= ratio * p[1][1], "the branches taken")

# Agreement with the program that found the instance
check(lhs == 1, "lhs is 1")
check(agrees(rhs, "0.5"), "rhs is 0.5")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
