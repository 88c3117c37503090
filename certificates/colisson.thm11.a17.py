# colisson.thm11.a17: a counterexample
#
# Stated in: Colisson (2016), Theorem 11, (A.17) and (A.18) (step)
# Statement: D_\alpha(P_n\|R_n) \le \tfrac1{\alpha-1} \ln n
# Claimed: lhs <= rhs, of the two sides below
# Quote: \leq \frac{1}{\alpha-1} \ln(n) \quad (\text{A.18})
# In short: D(P_n||R_n) is at most ln n / (alpha - 1)
# But: The inequality sign is reversed: it is at least that
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, log, power, renyi

# The instance
n = F(2)
alpha = F(2)

# The hypotheses
check(n.denominator == 1 and 1 <= n, "n: integer at least 1")
check(1 <= alpha and alpha != 1, "alpha: order in (1, inf)")

# The two sides, with the names that the claim's own function uses
masses_0 = 1 / power(n, (alpha - 1) / alpha)
x = [masses_0, 1 - masses_0]
masses_2 = 1 / n**(alpha / (alpha - 1))
z = [masses_2, 1 - masses_2]
lhs = renyi(x, z, alpha)
rhs = log(n) / (alpha - 1)

# Agreement with the program that found the instance
check(agrees(lhs, "0.74876253188576386899"), "lhs is 0.74876253188576386899")
check(agrees(rhs, "0.69314718055994530942"), "rhs is 0.69314718055994530942")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
