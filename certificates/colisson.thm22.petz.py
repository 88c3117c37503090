# colisson.thm22.petz: a counterexample
#
# Stated in: Colisson (2016), Theorem 22, other divergences (reading)
# Statement: \text{the same for Petz's divergence}
# Claimed: lhs <= rhs, of the two sides below
# In short: Theorem 22 for Petz's divergence at every order above 1
# But: False beyond order 2
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import (
    F, agrees, check, inf, is_semidefinite, max_relative_entropy, maximum,
    petz_renyi, rank, trace,
)

# The instance
states = [[[F(1, 6), F(1, 6)], [F(1, 6), F(5, 6)]], [[F(1, 3), F(1, 3)], [F(1, 3), F(2, 3)]]]
alpha = F(4)

# The hypotheses
check(
    [len(a) for a in states] == [2, 2] and all(is_semidefinite(a) and trace(a) > 0 for a in states),
    "states: 2 density matrices, of dimension 2",
)
check(all(trace(a) == 1 for a in states), "states: of trace 1")
check(all(rank(a) == len(a) for a in states), "states: invertible")
check(1 <= alpha and alpha != 1, "alpha: order in (1, inf)")

# The two sides, with the names that the claim's own function uses
t1 = max_relative_entropy(states[0], states[1])
epsilon = maximum(t1, max_relative_entropy(states[1], states[0]))
lhs = petz_renyi(states[0], states[1], alpha)
rhs = alpha * epsilon * epsilon / 2

# The branches taken, and the terms left out because they are zero
check(abs(epsilon) != inf, "the branches taken")

# Agreement with the program that found the instance
check(agrees(lhs, "1.1224319433288246757"), "lhs is 1.1224319433288246757")
check(agrees(rhs, "0.96090602783640284933"), "rhs is 0.96090602783640284933")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
