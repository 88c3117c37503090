# capacity.appA.renyi-param: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Appendix A (printed)
# Statement: \text{the Renyi parameter is } \alpha (\|v\|_2 / \sigma)^2
# Claimed: lhs = rhs, of the two sides below
# Quote: The Renyi parameter, on the other hand, is $$\alpha \left(\frac{\|v\|_2}{\sigma}
#     \right)^2
# In short: the Renyi parameter of the Gaussian mechanism is alpha (|v| / sigma)^2
# But: it is half of that, as in Theorem 12 and Table 1
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, gdp_to_rdp

# The instance
epsilon = F(1, 64)
alpha = F(2)

# The hypotheses
check(0 < epsilon, "epsilon: number in (0, inf)")
check(1 <= alpha and alpha != 1, "alpha: order in (1, inf)")

# The two sides
lhs = alpha * epsilon * epsilon
rhs = gdp_to_rdp(mu=epsilon, alpha=alpha)

# Agreement with the program that found the instance
check(lhs == F(1, 2048), "lhs is 1/2048")
check(agrees(rhs, "0.000244140625"), "rhs is 0.000244140625")

# The conclusion
check(lhs < rhs or rhs < lhs, "lhs != rhs: the equality lhs = rhs fails")
