# hyptest.thm16.tangent-line: a counterexample
#
# Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Theorem 16, the tangent of C (step)
# Statement: x = \tfrac{dx}{dy}(t)(y-t) + (e^\rho(1-t))^{\frac{\alpha-1}\alpha} \text{ touches }
#     x = 1 - (e^\rho y)^{\frac{\alpha-1}\alpha} \text{ at } y = t
# Claimed: lhs = rhs, of the two sides below
# Quote: x = \frac{dx}{dy}(t)(y-t) + (e^{\rho}(1-t))^{\frac{\alpha-1}{\alpha}}
# In short: this line is the tangent of the curve C at y = t
# But: it does not meet C at y = t; its constant is wrong
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, exp, log

# The instance
alpha = F(2)
rho = F(0)
t = F(1, 64)

# The hypotheses
check(1 <= alpha and alpha != 1, "alpha: order in (1, inf)")
check(0 <= rho, "rho: number in [0, inf)")
check(0 < t < 1, "t: number in (0, 1)")

# The two sides, with the names that the claim's own function uses
t1 = (alpha - 1) / alpha
t2 = 1 - t
lhs = exp(t1 * log(t2))
rhs = 1 - exp(t1 * log(t))

# The branches taken, and the terms left out because they are zero
check(rho == 0, "a term left out is zero")

# Agreement with the program that found the instance
check(agrees(lhs, "0.99215674164922147144"), "lhs is 0.99215674164922147144")
check(agrees(rhs, "0.875"), "rhs is 0.875")

# The conclusion
check(lhs < rhs or rhs < lhs, "lhs != rhs: the equality lhs = rhs fails")
