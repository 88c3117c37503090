# colisson.thm21.tradeoff: a counterexample
#
# Stated in: Colisson (2016), Theorem 21 (printed)
# Statement: D_\infty(P\|Q), D_\infty(Q\|P) \le \varepsilon,\ 0 < \delta \le \Delta(P, Q)
#     \Rightarrow D_\infty^\delta(P\|Q) \le \tfrac12 \varepsilon^2 (1 +
#     \tfrac\varepsilon{\sqrt{2\ln(1/\delta)}})
# Claimed: lhs <= rhs, of the two sides below
# Quote: \leq \frac{1}{2} \varepsilon^2 \left(1 + \frac{\varepsilon}{\sqrt{2 \ln(1/\delta)}}
#     \right) \quad (3.8)
# In short: With delta, eps becomes eps^2/2 (1 + eps/sqrt(2 ln(1/delta)))
# But: False for every eps < 2: randomised response is near eps for small delta
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, approximate_max_divergence, check, log, sqrt, total_variation

# The instance
near = [[[F(65, 129), F(64, 129)], [F(64, 129), F(65, 129)]], F(65, 64)]
part = F(1, 64)

# The hypotheses
check(
    [len(w) for w in near[0]] == [2, 2] and all(x >= 0 for w in near[0] for x in w)
    and all(sum(w) == 1 for w in near[0]),
    "near: 2 distributions on finitely many points",
)
check(
    near[1] > 1 and all(left <= near[1] * right and right <= near[1] * left for left,
    right in zip(near[0][0], near[0][1])),
    "near: each at most r times the other, r > 1",
)
check(0 <= part, "part: number in [0, inf)")

# The two sides, with the names that the claim's own function uses
distance = total_variation(near[0][0], near[0][1])
delta = distance / (1 + part)
value = approximate_max_divergence(near[0][0], near[0][1], delta=delta)
epsilon = log(near[1])
lhs = value
rhs = epsilon * epsilon / 2 * (1 + epsilon / sqrt(2 * log(1 / delta)))

# The branches taken, and the terms left out because they are zero
check(distance > 0, "the branches taken")

# Agreement with the program that found the instance
check(agrees(lhs, "0.00024035572763231333874"), "lhs is 0.00024035572763231333874")
check(agrees(rhs, "0.00012078666123126215051"), "rhs is 0.00012078666123126215051")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
