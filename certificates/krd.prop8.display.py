# krd.prop8.display: a counterexample
#
# Stated in: Domingo-Enrich and Mroueh (2022), Proposition 8, last display (reading)
# Statement: D_{\alpha,\lambda}(\hat\Sigma_p\|\hat\Sigma_q) =
#     \frac{1}{\alpha-1}\log(\mathrm{tr}[(\tfrac1n K_q+\lambda)^{\frac{1-\alpha}{2\alpha}}
#     \tfrac1n K_p (\tfrac1n K_q+\lambda)^{\frac{1-\alpha}{2\alpha}}]^\alpha)
# Claimed: lhs = rhs, of the two sides below
# Quote: \left[ \left( \frac{1}{n} K_q + \lambda \text{Id} \right)^{\frac{1-\alpha}{2\alpha}}
#     \frac{1}{n} K_p \left( \frac{1}{n} K_q + \lambda \text{Id}
#     \right)^{\frac{1-\alpha}{2\alpha}} \right]^\alpha \right)$
# In short: The estimator's formula, with the power outside the trace
# But: the power belongs inside the trace
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, covariance, log, sandwiched_renyi, trace

# The instance
phi = [
    [F(0), F(1), F(0), F(0)],
    [F(1), F(0), F(0), F(0)],
    [F(1), F(0), F(0), F(0)],
    [F(1), F(0), F(0), F(0)],
]
lam = F(1, 64)

# The hypotheses
check(
    len(phi) == 4 and all(len(w) == 4 for w in phi) and all(sum(x * x for x in w) == 1 for w in phi),
    "phi: 4 real unit vectors of dimension 4",
)
check(0 < lam, "lam: number in (0, inf)")

# The two sides, with the names that the claim's own function uses
kp_1_1 = phi[1][0] * phi[1][0] / 2
kp_1_2 = phi[1][0] * phi[2][0] / 2
kp_1_3 = phi[1][0] * phi[3][0] / 2
kq_2_1 = phi[2][0] * phi[1][0] / 2
kq_3_1 = phi[3][0] * phi[1][0] / 2
t1 = [0, kq_2_1 * kp_1_1, kq_2_1 * kp_1_2, kq_2_1 * kp_1_3]
t2 = [0, kq_3_1 * kp_1_1, kq_3_1 * kp_1_2, kq_3_1 * kp_1_3]
t3 = [0, lam * kp_1_1, lam * kp_1_2, lam * kp_1_3]
operators_0 = covariance([phi[0], phi[1]], [F(1, 2), F(1, 2)])
operators_1 = covariance([phi[2], phi[3]], [F(1, 2), F(1, 2)])
lhs = -log(trace([[lam * (phi[0][1] * phi[0][1] / 2), 0, 0, 0], t3, t1, t2]))
rhs = sandwiched_renyi(operators_0, operators_1, F(1, 2), lam)

# The branches taken, and the terms left out because they are zero
check(
    all(x == 0 for x in [
        phi[0][0], phi[0][2], phi[0][3], phi[1][1], phi[2][1], phi[3][1], phi[1][2], phi[1][3],
        phi[2][2], phi[2][3], phi[3][2], phi[3][3],
    ]),
    "the terms left out are zero",
)

# Agreement with the program that found the instance
check(agrees(lhs, "0.66237552189319162105"), "lhs is 0.66237552189319162105")
check(agrees(rhs, "0.44379368671705982157"), "rhs is 0.44379368671705982157")

# The conclusion
check(lhs < rhs or rhs < lhs, "lhs != rhs: the equality lhs = rhs fails")
