# colisson.lem8.a12: a counterexample
#
# Stated in: Colisson (2016), Lemma 8, (A.8) to (A.12) (step)
# Statement: \Delta(\mathcal M(x), Y) \le \tfrac{\delta_0}{e^\varepsilon+1},\ \Delta(Y, Z) \le
#     \tfrac\delta{e^{\varepsilon_0}+1} \Rightarrow \Delta(\mathcal M(x), Z) \le
#     \tfrac{\delta+\delta_0}{e^{\varepsilon_0}+1}
# Claimed: lhs <= rhs, of the two sides below
# Quote: \leq \frac{\delta + \delta_0}{e^{\varepsilon_0+1}} \quad (\text{A.12})
# In short: Both distances have the denominator e^eps_0 + 1
# But: One of them has the denominator e^eps + 1, which is smaller if eps < eps_0
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, total_variation

# The instance
p = [[F(1), F(0)], [F(0), F(1)], [F(0), F(1)]]
more = F(0)
further = F(1, 32)

# The hypotheses
check(
    [len(w) for w in p] == [2, 2, 2] and all(x >= 0 for w in p for x in w)
    and all(sum(w) == 1 for w in p),
    "p: 3 distributions on finitely many points",
)
check(0 <= more, "more: number in [0, inf)")
check(0 <= further, "further: number in [0, inf)")

# The two sides, with the names that the claim's own function uses
change = 2 / (2 + further)
lhs = total_variation(p[0], p[2])
rhs = total_variation(p[1], p[2]) + total_variation(p[0], p[1]) * change

# The branches taken, and the terms left out because they are zero
check(more == 0, "a term left out is zero")

# Agreement with the program that found the instance
check(agrees(lhs, "1.0"), "lhs is 1.0")
check(agrees(rhs, "0.98461538461538461538"), "rhs is 0.98461538461538461538")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
