# colisson.thm23.any: a counterexample
#
# Stated in: Colisson (2016), Theorem 23, without data processing (condition)
# Statement: \text{the same where } \mathbb D'_\alpha \text{ need not satisfy data processing}
# Claimed: lhs <= rhs, of the two sides below
# Quote: \mathbb{D}'_α is any quantum Rényi divergence
# In short: (4.7) for a divergence without data processing
# But: The alpha-z divergence at z = 2 alpha is too small for it
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, exp, log, power, quantum_hockey_stick, sqrt

# The instance
psi = [[F(3, 5), F(4, 5)]]
q = [[F(256, 257), F(1, 257)]]
alpha = F(32)
epsilon = F(0)
level = F(7, 8)

# The hypotheses
check(
    [len(w) for w in psi] == [2] and all(sum(x * x for x in w) == 1 for w in psi),
    "psi: a real unit vector of dimension 2",
)
check(
    [len(w) for w in q] == [2] and all(x >= 0 for w in q for x in w) and all(sum(w) == 1 for w in q),
    "q: a distribution on 2 points",
)
check(all(x > 0 for w in q for x in w), "q: every weight positive")
check(1 <= alpha and alpha != 1, "alpha: order in (1, inf)")
check(0 <= epsilon <= 1, "epsilon: number in [0, 1]")
check(0 <= level <= 1, "level: number in [0, 1]")

# The two sides, with the names that the claim's own function uses
level_2 = (1 + 63 * level) / 64
t1 = (1 - alpha) / (2 * alpha)
charged = psi[0][0] * psi[0][0] * power(q[0][0], t1) + psi[0][1] * psi[0][1] * power(q[0][1], t1)
divergence = 2 * alpha / (alpha - 1) * log(charged)
bound = divergence - log(1 - sqrt(F(4095, 4096))) / (alpha - 1)
scaled_0 = psi[0][0] * sqrt(q[0][0])
scaled_1 = psi[0][1] * sqrt(q[0][1])
rho = [[scaled_0 * scaled_0, scaled_0 * scaled_1], [scaled_1 * scaled_0, scaled_1 * scaled_1]]
sigma = [[q[0][0], 0], [0, q[0][1]]]
lhs = F(4095, 4096)
rhs = level_2 + exp(bound) * quantum_hockey_stick(rho, sigma, log(level_2))
# NOTE: lhs does not depend on the instance.

# The branches taken, and the terms left out because they are zero
check(epsilon == 0, "a term left out is zero")

# Agreement with the program that found the instance
check(lhs == F(4095, 4096), "lhs is 4095/4096")
check(agrees(rhs, "0.99661688972670247278"), "rhs is 0.99661688972670247278")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
