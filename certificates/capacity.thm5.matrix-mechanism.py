# capacity.thm5.matrix-mechanism: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Theorem 5 (printed)
# Statement: M_A(W,x,\epsilon) \text{ has } D^{lin}_{R,\alpha} \le \tfrac1{\alpha-1} \log(1 +
#     2^{s(\alpha-1)} \epsilon^\alpha)
# Claimed: lhs <= rhs, of the two sides below
# Quote: (lin, Renyi) capacity bounded privacy with parameter at most $\frac{1}{\alpha-1} \log(1
#     + 2^{s(\alpha-1)} \epsilon^\alpha)$
# In short: the matrix mechanism has parameter log(1 + 2^(s(a-1)) eps^a) / (a-1)
# But: for alpha > 2 and small epsilon the parameter is above it, as in Corollary 2
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, log

# The instance
epsilon = F(1, 64)
alpha = F(4)

# The hypotheses
check(0 < epsilon, "epsilon: number in (0, inf)")
check(1 <= alpha and alpha != 1, "alpha: order in (1, inf)")

# The two sides, with the names that the claim's own function uses
order = alpha / (alpha - 1)
square = epsilon * epsilon / 2
second = 1 + square
value = order * log(second) - order / 2 * log(second)
factor = 4**(alpha - 1)
lhs = value
rhs = log(1 + factor * epsilon**alpha) / (alpha - 1)

# The branches taken, and the terms left out because they are zero
check(alpha >= 2, "the branches taken")

# Agreement with the program that found the instance
check(agrees(lhs, "0.000081375241683784914415"), "lhs is 0.000081375241683784914415")
check(agrees(rhs, "1.2715633298952964936e-6"), "rhs is 1.2715633298952964936e-6")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
