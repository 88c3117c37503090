# colisson.lem8.additive-delta: a counterexample
#
# Stated in: Colisson (2016), Lemma 8 (printed)
# Statement: \Delta(\mathcal M(x), Y), \Delta(\mathcal M(x'), Y') \le
#     \tfrac{\delta_0}{e^\varepsilon+1},\ D_\infty^\delta(Y\|Y'), D_\infty^\delta(Y'\|Y) \le
#     \varepsilon_0 \Rightarrow D_\infty^{\delta+\delta_0}(\mathcal M(x)\|\mathcal M(x')) \le
#     \varepsilon_0
# Claimed: lhs <= rhs, of the two sides below
# Quote: D_\infty^{\delta+\delta_0}(\mathcal{M}(x) \|\mathcal{M}(x')) \leq \varepsilon_0
# In short: Distances of delta_0/(e^eps+1) cost delta_0 at any level eps_0
# But: False if eps_0 > eps: the cost is then (e^eps_0+1)/(e^eps+1) times delta_0
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, hockey_stick, log, maximum, total_variation

# The instance
p = [[F(1, 9), F(8, 9)], [F(8, 9), F(1, 9)], [F(0), F(1)], [F(1), F(0)]]
more = F(0)
further = F(1, 8)

# The hypotheses
check(
    len(p) == 4 and all(len(w) == 2 for w in p) and all(x >= 0 for w in p for x in w)
    and all(sum(w) == 1 for w in p),
    "p: 4 distributions on finitely many points",
)
check(0 <= more, "more: number in [0, inf)")
check(0 <= further, "further: number in [0, inf)")

# The two sides, with the names that the claim's own function uses
final = 1 + further
level = log(final)
value = hockey_stick(p[2], p[3], level)
delta = maximum(hockey_stick(p[0], p[1], level), hockey_stick(p[1], p[0], level))
radius = maximum(total_variation(p[2], p[0]), total_variation(p[3], p[1]))
delta_0 = 2 * radius
lhs = value
rhs = delta + delta_0

# The branches taken, and the terms left out because they are zero
check(more == 0, "a term left out is zero")

# Agreement with the program that found the instance
check(agrees(lhs, "1.0"), "lhs is 1.0")
check(agrees(rhs, "0.98611111111111111111"), "rhs is 0.98611111111111111111")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
