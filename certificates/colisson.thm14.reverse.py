# colisson.thm14.reverse: a counterexample
#
# Stated in: Colisson (2016), Theorem 14 (printed)
# Statement: (\xi, \rho)\text{-zCDP} \Rightarrow (+\infty, \rho)\text{-tCDP}
# Claimed: lhs <= rhs, of the two sides below
# Quote: An algorithm (ξ, ρ) - $zCDP$ is $(+\infty, \rho)$ - $tCDP$
# In short: A (xi, rho)-zCDP algorithm is (+infinity, rho)-tCDP
# But: False for xi > 0: an eps-DP algorithm is (eps, 0)-zCDP, whatever its D_alpha > 0
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, renyi

# The instance
rows = [[F(0), F(1)], [F(1), F(0)]]
more = F(1, 64)
rho = F(0)
alpha = F(2)

# The hypotheses
check(
    [len(w) for w in rows] == [2, 2] and all(x >= 0 for w in rows for x in w)
    and all(sum(w) == 1 for w in rows),
    "rows: 2 distributions on finitely many points",
)
check(0 < more, "more: number in (0, inf)")
check(0 <= rho, "rho: number in [0, inf)")
check(1 <= alpha and alpha != 1, "alpha: order in (1, inf)")

# The two sides, with the names that the claim's own function uses
t1 = 1 + more
pair_0 = [rows[1][0] / (1 + t1), t1 * rows[0][1] / (1 + t1)]
pair_1 = [t1 * rows[1][0] / (1 + t1), rows[0][1] / (1 + t1)]
lhs = renyi(pair_0, pair_1, alpha)
rhs = 0
# NOTE: rhs does not depend on the instance.

# The branches taken, and the terms left out because they are zero
check(all(x == 0 for x in [rows[0][0], rows[1][1], rho]), "the terms left out are zero")

# Agreement with the program that found the instance
check(agrees(lhs, "0.00024035572763231333874"), "lhs is 0.00024035572763231333874")
check(rhs == 0, "rhs is 0")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
