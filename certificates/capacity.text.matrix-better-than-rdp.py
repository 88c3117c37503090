# capacity.text.matrix-better-than-rdp: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Section 5, before Theorem 5 (printed)
# Statement: \text{regardless of } A, \text{ the parameter } \tfrac1{\alpha-1} \log(1 +
#     2^{s(\alpha-1)} \epsilon^\alpha) \text{ is better than any known R\'enyi-DP analysis}
# Claimed: lhs <= rhs, of the two sides below
# Quote: we are able to provide a capacity-bounded privacy parameter that is better than any
#     known Renyi-DP analysis has shown
# In short: for every A the parameter is better than any known Renyi-DP analysis
# But: at A = I, s = 2, epsilon = 1 it is above log 4 at every order; Renyi is below 1
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, exp, log

# The instance
epsilon = F(1, 2)
alpha = F(4)

# The hypotheses
check(0 < epsilon, "epsilon: number in (0, inf)")
check(2 < alpha and alpha != 1, "alpha: order in (2, inf)")

# The two sides, with the names that the claim's own function uses
factor = 4**(alpha - 1)
left_2 = exp((alpha - 1) * epsilon)
t1 = 2 * alpha - 1
middle = left_2 * (1 - exp(-t1 * epsilon)) / t1
right_2 = exp(-epsilon) * exp(-(alpha - 1) * epsilon)
lhs = log(1 + factor * epsilon**alpha) / (alpha - 1)
rhs = log((left_2 + middle + right_2) / 2) / (alpha - 1)

# Agreement with the program that found the instance
check(agrees(lhs, "0.53647930414470012487"), "lhs is 0.53647930414470012487")
check(agrees(rhs, "0.32092653017871750708"), "rhs is 0.32092653017871750708")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
