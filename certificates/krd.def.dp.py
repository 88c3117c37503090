# krd.def.dp: a counterexample
#
# Stated in: Domingo-Enrich and Mroueh (2022), Section 2, definition of epsilon-DP (printed)
# Statement: \sup \log \tfrac{dp}{dq}, \sup \log \tfrac{dq}{dp} < \varepsilon \Rightarrow
#     \forall S: p(S) \le e^{-\varepsilon} q(S)
# Claimed: lhs <= rhs, of the two sides below
# Quote: typically stated as $\Pr[f(D) \in \mathcal{S}] \leq e^{-\varepsilon} \Pr[f(D') \in
#     \mathcal{S}]$
# In short: epsilon-DP: P(S) <= e^-epsilon Q(S) for every event S
# But: the sign of epsilon: for S = everything it says 1 <= e^-epsilon
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, hockey_stick, inf, max_divergence, maximum

# The instance
p = [[F(1), F(0)], [F(1), F(0)]]
slack = F(1, 64)

# The hypotheses
check(
    [len(w) for w in p] == [2, 2] and all(x >= 0 for w in p for x in w)
    and all(sum(w) == 1 for w in p),
    "p: 2 distributions on finitely many points",
)
check(0 < slack, "slack: number in (0, inf)")

# The two sides, with the names that the claim's own function uses
epsilon = maximum(max_divergence(p[0], p[1]), max_divergence(p[1], p[0]))
excess = hockey_stick(p[0], p[1], -(epsilon + slack))
lhs = excess
rhs = 0
# NOTE: rhs does not depend on the instance.

# The branches taken, and the terms left out because they are zero
check(abs(epsilon) != inf, "the branches taken")

# Agreement with the program that found the instance
check(agrees(lhs, "0.015503562994591594013"), "lhs is 0.015503562994591594013")
check(rhs == 0, "rhs is 0")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
