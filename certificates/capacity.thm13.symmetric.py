# capacity.thm13.symmetric: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Theorem 13 (printed)
# Statement: P = X,\ Q = X + v,\ Y \text{ symmetric},\ K = \mathbb{E}|Y|^{\frac\alpha{\alpha-1}}
#     \Rightarrow D^{lin}_{R,\alpha} \le \tfrac1{\alpha-1} \log(1 +
#     \tfrac{\|v\|_\alpha^\alpha}{(0.5^d K)^{\alpha-1}})
# Claimed: lhs <= rhs, of the two sides below
# Quote: \mathcal{D}_{R,\alpha}^{lin}(P, Q) \leq \frac{1}{\alpha-1} \log \left(1 +
#     \frac{\|v\|_\alpha^\alpha}{(0.5^d K)^{\alpha-1}} \right)
# In short: for linear adversaries it is at most log(1 + |v|^a / (K/2^d)^(a-1)) / (a-1)
# But: for alpha > 2 the true value decreases as |v|^2, slower than the bound does
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, log, pi, sqrt

# The instance
v = F(1, 64)

# The hypotheses
check(0 < v, "v: number in (0, inf)")

# The two sides, with the names that the claim's own function uses
square = v * v / 2
second = 1 + square
moment = 3 * sqrt(pi()) / 4
lhs = F(3, 2) * log(second) - F(3, 4) * log(second)
rhs = log(1 + 4 * v * v * v / (moment * moment)) / 2

# Agreement with the program that found the instance
check(agrees(lhs, "0.000091547146894258028717"), "lhs is 0.000091547146894258028717")
check(agrees(rhs, "4.3173355025932606893e-6"), "rhs is 4.3173355025932606893e-6")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
