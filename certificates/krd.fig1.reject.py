# krd.fig1.reject: a counterexample
#
# Stated in: Domingo-Enrich and Mroueh (2022), Section 6, 'we can reject' (reading)
# Statement: (\varepsilon,\delta)\text{-DP},\ (\varepsilon,\delta) = (1, .005),\ \lambda =
#     \delta e^{-\varepsilon},\ \alpha = 12,\ n = 600 \Rightarrow
#     \Pr(D_{\alpha,\lambda}(\hat\Sigma_p\|\hat\Sigma_q) > \varepsilon) \le \tfrac1{20}
# Claimed: lhs <= rhs, of the two sides below
# Quote: (so much so that the statistical error is not an issue), we can reject the hypothesis
# In short: One may reject if the estimate is above epsilon (n = 600, alpha = 12)
# But: a private mechanism is then rejected with probability up to 0.18
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, binomial_outside, check, power

# The instance
part = F(1)

# The hypotheses
check(0 <= part <= 1, "part: number in [0, 1]")

# The two sides, with the names that the claim's own function uses
frequency = power(F(1, 200), F(11, 12))
lhs = binomial_outside(600, part * 5 / 1000, -600, 600 * frequency)
rhs = F(1, 20)
# NOTE: rhs does not depend on the instance.

# Agreement with the program that found the instance
check(agrees(lhs, "0.18431474367094847203"), "lhs is 0.18431474367094847203")
check(rhs == F(1, 20), "rhs is 1/20")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
