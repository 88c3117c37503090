# krd.thm3.first-term: a counterexample
#
# Stated in: Domingo-Enrich and Mroueh (2022), Proof of Theorem 3, first term of (15) (step)
# Statement: |\mathrm{tr}(M \hat A M)^\alpha - \mathrm{tr}(M A M)^\alpha| \le \lambda^{1-\alpha}
#     |\mathrm{tr} \hat A^\alpha - \mathrm{tr} A^\alpha|,\ M = (B +
#     \lambda)^{\frac{1-\alpha}{2\alpha}}
# Claimed: lhs <= rhs, of the two sides below
# Quote: & \leq \lambda^{1-\alpha} \left| \text{tr} \left[ \hat{\Sigma}_p^\alpha -
#     \Sigma_p^\alpha \right] \right|
# In short: A sandwiched difference of powers is below that of the powers
# But: for two operators with equal spectra the right side is 0
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, eigvalsh, exp, is_semidefinite, sandwiched_renyi, trace

# The instance
a = [[[F(0), F(0)], [F(0), F(1)]], [[F(1), F(0)], [F(0), F(0)]]]
b = [[[F(0), F(0)], [F(0), F(1)]]]
alpha = F(2)
lam = F(1, 64)

# The hypotheses
check(
    [len(a) for a in a] == [2, 2] and all(is_semidefinite(a) and trace(a) > 0 for a in a),
    "a: 2 density matrices, of finite dimension",
)
check(all(trace(a) == 1 for a in a), "a: of trace 1")
check(
    [len(a) for a in b] == [2] and all(is_semidefinite(a) and trace(a) > 0 for a in b),
    "b: a density matrix, of finite dimension",
)
check(all(trace(a) == 1 for a in b), "b: of trace 1")
check(2 <= alpha and alpha != 1, "alpha: order in [2, inf)")
check(0 < lam, "lam: number in (0, inf)")

# The two sides, with the names that the claim's own function uses
moments_1 = trace(a[1]) * exp((alpha - 1) * sandwiched_renyi(a[1], b[0], alpha, lam))
moments_0 = trace(a[0]) * exp((alpha - 1) * sandwiched_renyi(a[0], b[0], alpha, lam))
t1 = eigvalsh(a[1])
powers_1 = abs(t1[0])**alpha + abs(t1[1])**alpha
t2 = eigvalsh(a[0])
powers_0 = abs(t2[0])**alpha + abs(t2[1])**alpha
lhs = abs(moments_1 - moments_0)
rhs = lam**(1 - alpha) * abs(powers_1 - powers_0)

# Agreement with the program that found the instance
check(agrees(lhs, "63.015384615384615385"), "lhs is 63.015384615384615385")
check(agrees(rhs, "0.0"), "rhs is 0.0")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
