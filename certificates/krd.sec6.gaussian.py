# krd.sec6.gaussian: a counterexample
#
# Stated in: Domingo-Enrich and Mroueh (2022), Section 6, the Gaussian mechanism (printed)
# Statement: \varepsilon, \delta > 0,\ \sigma = \Delta\sqrt{2\log(1.25/\delta)}/\varepsilon
#     \Rightarrow N(f(D), \sigma^2) \text{ is } (\varepsilon,\delta)\text{-DP}
# Claimed: lhs <= rhs, of the two sides below
# Quote: $\sigma = \Delta \sqrt{2 \log(1.25/\delta)}/\varepsilon$ is chosen such that the
#     mechanism satisfies $(\varepsilon, \delta)$ -DP
# In short: sigma = Delta sqrt(2 log(1.25/delta))/epsilon is (epsilon, delta)-DP
# But: false for epsilon of 4 or more: the theorem behind the rule requires epsilon < 1
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, gdp_to_delta, log, sqrt

# The instance
epsilon = F(4)
delta = F(3, 4)

# The hypotheses
check(0 < epsilon, "epsilon: number in (0, inf)")
check(0 < delta <= 1, "delta: number in (0, 1]")

# The two sides
lhs = gdp_to_delta(mu=epsilon / sqrt(2 * log(5 / (4 * delta))), epsilon=epsilon)
rhs = delta

# Agreement with the program that found the instance
check(agrees(lhs, "0.75716688180150558687"), "lhs is 0.75716688180150558687")
check(rhs == F(3, 4), "rhs is 3/4")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
