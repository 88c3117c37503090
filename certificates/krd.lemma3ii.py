# krd.lemma3ii: a counterexample
#
# Stated in: Domingo-Enrich and Mroueh (2022), Lemma 3(ii) (printed)
# Statement: (A,B) \mapsto e^{(\alpha-1) D_\alpha(A\|B)} \text{ is jointly convex on }
#     \mathrm{tr} A = 1 \text{ for } \alpha \in [\tfrac12,1)\cup(1,\infty)
# Claimed: lhs <= rhs, of the two sides below
# Quote: $(A, B) \mapsto \exp((\alpha - 1)D_\alpha(A\|B))$ is jointly convex for any $\alpha \in
#     [1/2, 1) \cup (1, +\infty)$
# In short: At fixed trace e^((alpha-1) D) is jointly convex for alpha >= 1/2
# But: for alpha < 1 it is concave
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, is_semidefinite, log, log_mixture, sandwiched_renyi, trace

# The instance
ab = [[[F(0), F(0)], [F(0), F(1)]], [[F(0), F(0)], [F(0), F(1)]]]
cd = [[[F(1), F(0)], [F(0), F(0)]], [[F(0), F(0)], [F(0), F(1)]]]
alpha = F(1, 2)
part = F(1, 64)

# The hypotheses
check(
    [len(a) for a in ab] == [2, 2] and all(is_semidefinite(a) and trace(a) > 0 for a in ab),
    "ab: 2 density matrices, of finite dimension",
)
check(all(trace(a) == 1 for a in ab), "ab: of trace 1")
check(
    [len(a) for a in cd] == [2, 2] and all(is_semidefinite(a) and trace(a) > 0 for a in cd),
    "cd: 2 density matrices, of finite dimension",
)
check(all(trace(a) == 1 for a in cd), "cd: of trace 1")
check(F(1, 2) <= alpha and alpha != 1, "alpha: order other than 1 in [1/2, inf)")
check(0 <= part <= 1, "part: number in [0, 1]")

# The two sides, with the names that the claim's own function uses
ab_0 = [[(1 - part) * cd[0][0][0], 0], [0, part * ab[0][1][1]]]
ab_1 = [[0, 0], [0, part * ab[1][1][1] + (1 - part) * cd[1][1][1]]]
middle = sandwiched_renyi(ab_0, ab_1, alpha) * (alpha - 1)
t1 = sandwiched_renyi(ab[0], ab[1], alpha) * (alpha - 1)
ends_2 = log_mixture(part, t1, sandwiched_renyi(cd[0], cd[1], alpha) * (alpha - 1))
lhs = middle
rhs = ends_2

# The branches taken, and the terms left out because they are zero
check(part > 0 and part < 1, "the branches taken")
check(
    all(x == 0 for x in [
        ab[0][0][0], ab[0][0][1], ab[0][1][0], cd[0][0][1], cd[0][1][0], cd[0][1][1], ab[1][0][0],
        ab[1][0][1], ab[1][1][0], cd[1][0][0], cd[1][0][1], cd[1][1][0], log(trace(ab_0)),
        log(trace(ab[0])), log(trace(cd[0])),
    ]),
    "the terms left out are zero",
)

# Agreement with the program that found the instance
check(agrees(lhs, "-2.0794415416798359283"), "lhs is -2.0794415416798359283")
check(agrees(rhs, "-4.1588830833596718565"), "rhs is -4.1588830833596718565")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
