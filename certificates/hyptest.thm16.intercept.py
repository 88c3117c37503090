# hyptest.thm16.intercept: a counterexample
#
# Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Theorem 16, the equation for t (step)
# Statement: 1 - \delta = -t \tfrac{dx}{dy}(t) + 1 - (e^\rho t)^{\frac{\alpha-1}\alpha}
#     \Leftrightarrow 1 - \delta = \tfrac{\alpha-1}\alpha e^{\frac{\alpha-1}\alpha\rho}
#     t^{-\frac1\alpha} t + 1 - (e^\rho t)^{\frac{\alpha-1}\alpha} t^{-\frac1\alpha} t
# Claimed: lhs = rhs, of the two sides below
# Quote: t^{-\frac{1}{\alpha}}t + 1 -
#     (e^{\rho}t)^{\frac{\alpha-1}{\alpha}}t^{-\frac{1}{\alpha}}t$$ We then have
# In short: (e^rho t)^((alpha-1)/alpha) has a further factor t^(1-1/alpha)
# But: the factor is counted twice; the next display is correct
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, exp, log, power

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
height = exp(t1 * log(t))
rise = -t * (-(alpha - 1) / alpha * height / t)
lhs = rise + 1 - height
rhs = rise + 1 - height * power(t, t1)

# The branches taken, and the terms left out because they are zero
check(rho == 0, "a term left out is zero")

# Agreement with the program that found the instance
check(agrees(lhs, "0.9375"), "lhs is 0.9375")
check(agrees(rhs, "1.046875"), "rhs is 1.046875")

# The conclusion
check(lhs < rhs or rhs < lhs, "lhs != rhs: the equality lhs = rhs fails")
