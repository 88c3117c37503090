# krd.prop4.4: a counterexample
#
# Stated in: Domingo-Enrich and Mroueh (2022), Proposition 4.4 (product kernels) (printed)
# Statement: k = k_1 k_2,\ \varepsilon > 0:\ (k,\alpha,\lambda,\varepsilon)\text{-RKRDP}
#     \Rightarrow (k_1,\alpha,\sqrt\lambda,\varepsilon)\text{-RKRDP}
# Claimed: lhs <= rhs, of the two sides below
# Quote: $(k, \alpha, \lambda, \varepsilon)$ -RKRDP implies $(k_j, \alpha, \lambda^{1/J},
#     \varepsilon)$ -RKRDP, for any $j \in \{1, \dots, J\}$
# In short: Privacy for a product of J kernels implies it for each, at lambda^(1/J)
# But: it may fail for lambda > 0: lambda must grow by the other factors' dimension
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, covariance, maximum, sandwiched_renyi, tensor

# The instance
phi1 = [[F(1), F(0)], [F(0), F(1)], [F(1), F(0)], [F(0), F(1)]]
phi2 = [[F(0), F(1)], [F(0), F(1)], [F(1), F(0)], [F(1), F(0)]]
p = [[F(0), F(1, 2), F(0), F(1, 2)], [F(1, 2), F(0), F(1, 2), F(0)]]
alpha = F(2)
root = F(3, 4)

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
    [len(w) for w in p] == [4, 4] and all(x >= 0 for w in p for x in w)
    and all(sum(w) == 1 for w in p),
    "p: 2 distributions on 4 points",
)
check(F(1, 2) <= alpha and alpha != 1, "alpha: order other than 1 in [1/2, inf)")
check(0 <= root <= 1, "root: number in [0, 1]")

# The two sides, with the names that the claim's own function uses
p_2 = covariance(phi1, p[0])
q = covariance(phi1, p[1])
one = maximum(sandwiched_renyi(p_2, q, alpha, root), sandwiched_renyi(q, p_2, alpha, root))
t1 = tensor(phi1, phi2)
p_3 = covariance(t1, p[0])
q_2 = covariance(t1, p[1])
t2 = sandwiched_renyi(p_3, q_2, alpha, root * root)
whole = maximum(t2, sandwiched_renyi(q_2, p_3, alpha, root * root))
lhs = one
rhs = maximum(whole, 0)

# Agreement with the program that found the instance
check(agrees(lhs, "0.28768207245178092744"), "lhs is 0.28768207245178092744")
check(agrees(rhs, "0.0"), "rhs is 0.0")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
