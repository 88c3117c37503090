# colisson.def20.maximal.any: a counterexample
#
# Stated in: Colisson (2016), Definition 20, (4.4), without data processing (condition)
# Statement: \text{Petz's divergence } \le \mathbb D_\alpha,\ \alpha > 1
# Claimed: lhs <= rhs, of the two sides below
# In short: (4.4) for a divergence without data processing
# But: Petz's is larger at every order tried beyond 2
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, is_semidefinite, maximal_renyi, petz_renyi, trace

# The instance
states = [[[F(1), F(0)], [F(0), F(0)]], [[F(1, 3), F(-1, 3)], [F(-1, 3), F(2, 3)]]]
alpha = F(4)

# The hypotheses
check(
    [len(a) for a in states] == [2, 2] and all(is_semidefinite(a) and trace(a) > 0 for a in states),
    "states: 2 density matrices, of finite dimension",
)
check(all(trace(a) == 1 for a in states), "states: of trace 1")
check(1 <= alpha and alpha != 1, "alpha: order in (1, inf)")

# The two sides
lhs = petz_renyi(states[0], states[1], alpha)
rhs = maximal_renyi(states[0], states[1], alpha)

# Agreement with the program that found the instance
check(agrees(lhs, "1.9535954078219552701"), "lhs is 1.9535954078219552701")
check(agrees(rhs, "1.7917594692280550008"), "rhs is 1.7917594692280550008")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
