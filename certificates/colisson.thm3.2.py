# colisson.thm3.2: a counterexample
#
# Stated in: Colisson (2016), Theorem 3.2 (printed)
# Statement: D_\infty^\delta(Y\|Z), D_\infty^\delta(Z\|Y) \le \varepsilon \Leftrightarrow
#     \exists Y', Z' : \Delta(Y, Y'), \Delta(Z, Z') \le \tfrac\delta{e^\varepsilon+1},\
#     D_\infty(Y'\|Z') \le \varepsilon
# Claimed: lhs <= rhs, of the two sides below
# Quote: if and only if there exist random variables Y', Z' such that $$\Delta(Y, Y') \leq
#     \frac{\delta}{e^\varepsilon + 1}, \Delta(Z, Z') \leq \frac{\delta}{e^\varepsilon + 1}
#     \text{ and } D_\infty(Y'||Z') \leq \varepsilon
# In short: Closeness of both orders follows from one bound D(Y'||Z')
# But: D(Z'||Y') must be bounded as well, and may be infinite
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, hockey_stick, log, maximum, total_variation

# The instance
near = [[F(1), F(0)], [F(1, 2), F(1, 2)]]
other = [[F(0), F(1)], [F(0), F(1)]]
part = F(0)
# Nothing below depends on other.

# The hypotheses
check(
    [len(w) for w in near] == [2, 2] and all(x >= 0 for w in near for x in w)
    and all(sum(w) == 1 for w in near),
    "near: 2 distributions on finitely many points",
)
check(
    [len(w) for w in other] == [2, 2] and all(x >= 0 for w in other for x in w)
    and all(sum(w) == 1 for w in other),
    "other: 2 distributions on finitely many points",
)
check(0 <= part <= 1, "part: number in [0, 1]")

# The two sides, with the names that the claim's own function uses
ratio = max(max(max(0, near[0][0] / near[1][0]), near[0][0] / (near[1][0] + near[1][1])), 0)
ratio_2 = max(ratio, 1)
epsilon = log(ratio_2)
radius = maximum(total_variation(near[0], near[0]), total_variation(near[1], near[1]))
delta = (ratio_2 + 1) * radius
lhs = hockey_stick(near[1], near[0], epsilon)
rhs = delta

# The branches taken, and the terms left out because they are zero
check(near[1][1] > 0 and near[1][0] > 0 and near[1][0] + near[1][1] > 0, "the branches taken")
check(all(x == 0 for x in [near[0][1], part]), "the terms left out are zero")

# Agreement with the program that found the instance
check(agrees(lhs, "0.5"), "lhs is 0.5")
check(agrees(rhs, "0.0"), "rhs is 0.0")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
