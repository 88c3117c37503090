# capacity.text.thm10-covers-unrestricted: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Theorem 10 for the unrestricted KL,
#     unequal variances (condition)
# Statement: \mathrm{KL}(\mathcal{N}(\mu_1,\sigma_1^2), \mathcal{N}(\mu_2,\sigma_2^2)) =
#     \tfrac{(\mu_1-\mu_2)^2}{2\sigma_2^2}
# Claimed: lhs = rhs, of the two sides below
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, log

# The instance
shift = F(0)
first = F(1, 64)
second = F(1, 32)

# The hypotheses
check(isinstance(shift, F), "shift: number in the reals")
check(0 < first, "first: number in (0, inf)")
check(0 < second, "second: number in (0, inf)")

# The two sides, with the names that the claim's own function uses
logs = log(second / first)
square_q = first * first
lhs = logs - square_q / (2 * first * first) + square_q / (2 * second * second)
rhs = 0
# NOTE: rhs does not depend on the instance.

# The branches taken, and the terms left out because they are zero
check(shift == 0, "a term left out is zero")

# Agreement with the program that found the instance
check(agrees(lhs, "0.31814718055994530942"), "lhs is 0.31814718055994530942")
check(rhs == 0, "rhs is 0")

# The conclusion
check(lhs < rhs or rhs < lhs, "lhs != rhs: the equality lhs = rhs fails")
