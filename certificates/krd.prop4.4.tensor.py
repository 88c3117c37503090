# krd.prop4.4.tensor: a counterexample
#
# Stated in: Domingo-Enrich and Mroueh (2022), Proof of Proposition 4.4 (step)
# Statement: \int (\varphi_1 \otimes \varphi_2)(\varphi_1 \otimes \varphi_2)^* dp = \int
#     \varphi_1\varphi_1^* dp \otimes \int \varphi_2\varphi_2^* dp
# Claimed: lhs = rhs, of the two sides below
# Quote: dp(x) \right) := \Sigma_p^{\mathcal{H}_1} \otimes \Sigma_p^{\mathcal{H}_2}
# In short: The covariance of a product kernel is the tensor product of two
# But: true only if the two feature maps are independent under p
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, covariance, kron, tensor

# The instance
phi1 = [[F(1), F(0)], [F(1), F(0)], [F(0), F(1)], [F(1), F(0)]]
phi2 = [[F(1), F(0)], [F(1), F(0)], [F(1), F(0)], [F(0), F(1)]]
p = [[F(0), F(0), F(1, 2), F(1, 2)]]

# The hypotheses
check(
    len(phi1) == 4 and all(len(w) == 2 for w in phi1)
    and all(sum(x * x for x in w) == 1 for w in phi1),
    "phi1: 4 real unit vectors of dimension 2",
)
check(
    len(phi2) == 4 and all(len(w) == 2 for w in phi2)
    and all(sum(x * x for x in w) == 1 for w in phi2),
    "phi2: 4 real unit vectors of dimension 2",
)
check(
    [len(w) for w in p] == [4] and all(x >= 0 for w in p for x in w) and all(sum(w) == 1 for w in p),
    "p: a distribution on 4 points",
)

# The two sides, with the names that the claim's own function uses
x = covariance(tensor(phi1, phi2), p[0])
x_2 = kron(covariance(phi1, p[0]), covariance(phi2, p[0]))
lhs = x[0][0]
rhs = x_2[0][0]

# Agreement with the program that found the instance
check(agrees(lhs, "0.0"), "lhs is 0.0")
check(agrees(rhs, "0.25"), "rhs is 0.25")

# The conclusion
check(lhs < rhs or rhs < lhs, "lhs != rhs: the equality lhs = rhs fails")
