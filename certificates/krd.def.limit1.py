# krd.def.limit1: a counterexample
#
# Stated in: Domingo-Enrich and Mroueh (2022), Section 2, limit at alpha = 1 (printed)
# Statement: \lim_{\alpha\to 1} D_\alpha(A\|B) = \mathrm{tr}[A(\log A - \log B)]
# Claimed: lhs <= rhs, of the two sides below
# Quote: the quantum KL divergence is recovered $\lim_{\alpha \rightarrow 1} D_\alpha(A||B) =
#     D(A||B)$
# In short: Quantum Renyi divergences tend to tr A(log A - log B) as alpha -> 1
# But: the limit is this divided by tr A: it holds only for tr A = 1
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import (
    F, agrees, check, is_semidefinite, quantum_relative_entropy,
    sandwiched_renyi, trace,
)

# The instance
states = [[[F(4), F(0)], [F(0), F(0)]], [[F(1), F(0)], [F(0), F(0)]]]

# The hypotheses
check(
    [len(a) for a in states] == [2, 2] and all(is_semidefinite(a) and trace(a) > 0 for a in states),
    "states: 2 nonzero positive semidefinite matrices, of finite dimension",
)

# The two sides, with the names that the claim's own function uses
umegaki = quantum_relative_entropy(states[0], states[1])
above = sandwiched_renyi(states[0], states[1], F(1025, 1024))
lhs = umegaki
rhs = above

# Agreement with the program that found the instance
check(agrees(lhs, "5.5451774444795624753"), "lhs is 5.5451774444795624753")
check(agrees(rhs, "1.3862943611198906188"), "rhs is 1.3862943611198906188")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
