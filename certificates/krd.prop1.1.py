# krd.prop1.1: a counterexample
#
# Stated in: Domingo-Enrich and Mroueh (2022), Proposition 1.1 (continuity) (printed)
# Statement: D_{\alpha,\lambda}(A\|B) \text{ is continuous wherever } A \ne 0,\ B +
#     \lambda\,\mathrm{Id} \gg A
# Claimed: lhs <= rhs, of the two sides below
# Quote: is continuous in $A, B \geq 0$ , wherever $A \neq 0$ and $B + \lambda \text{Id} \gg A$
# In short: The divergence is continuous wherever B + lambda Id dominates A
# But: false for lambda = 0 and alpha > 1 at a singular B
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, direct_sum, is_semidefinite, sandwiched_renyi, trace

# The instance
ab = [[[F(0), F(0)], [F(0), F(1)]], [[F(0), F(0)], [F(0), F(1)]]]
cd = [[[F(0), F(0)], [F(0), F(1)]], [[F(0), F(0)], [F(0), F(1)]]]
alpha = F(2)
r = F(1, 64)

# The hypotheses
check(
    [len(a) for a in ab] == [2, 2] and all(is_semidefinite(a) and trace(a) > 0 for a in ab),
    "ab: 2 nonzero positive semidefinite matrices, of dimension 2",
)
check(
    [len(a) for a in cd] == [2, 2] and all(is_semidefinite(a) and trace(a) > 0 for a in cd),
    "cd: 2 nonzero positive semidefinite matrices, of dimension 2",
)
check(1 < alpha and alpha != 1, "alpha: order in (1, inf)")
check(0 < r, "r: number in (0, inf)")

# The two sides, with the names that the claim's own function uses
b = [ab[0][0], [ab[0][1][0], ab[0][1][1] + ab[1][1][1]]]
t1 = direct_sum(b, [[0, 0], [0, r**alpha * (cd[0][1][1] + cd[1][1][1])]])
t2 = direct_sum(ab[0], [[0, 0], [0, r**(alpha - 1) * cd[0][1][1]]])
moved = sandwiched_renyi(t2, t1, alpha)
t3 = [[0, 0], [0, 0]]
lhs = moved
rhs = sandwiched_renyi(direct_sum(ab[0], t3), direct_sum(b, t3), alpha)

# The branches taken, and the terms left out because they are zero
check(
    all(x == 0 for x in [
        ab[1][0][0], ab[1][0][1], ab[1][1][0], cd[1][0][0], cd[1][0][1], cd[1][1][0], cd[0][0][0],
        cd[0][0][1], cd[0][1][0],
    ]),
    "the terms left out are zero",
)

# Agreement with the program that found the instance
check(agrees(lhs, "-0.015504186535965254151"), "lhs is -0.015504186535965254151")
check(agrees(rhs, "-0.69314718055994530942"), "rhs is -0.69314718055994530942")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
