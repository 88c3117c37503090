# krd.thm2: a counterexample
#
# Stated in: Domingo-Enrich and Mroueh (2022), Theorem 2 (randomised post-processing) (printed)
# Statement: k(x,x') = \mathbb{E}_g[\tilde k_g(x,x')\,k'(g(x),g(x'))] \Rightarrow
#     D_\alpha(\Sigma_{\mathcal L(g(f(D)))}\|\Sigma_{\mathcal L(g(f(D')))}) \le
#     D_\alpha(\Sigma_{\mathcal L(f(D))}\|\Sigma_{\mathcal L(f(D'))})
# Claimed: lhs <= rhs, of the two sides below
# Quote: D_\alpha(\Sigma_{\mathcal{L}(g(f(D)))} || \Sigma_{\mathcal{L}(g(f(D')))}) \leq
#     D_\alpha(\Sigma_{\mathcal{L}(f(D))} || \Sigma_{\mathcal{L}(f(D'))}). \quad (3)
# In short: Randomised post-processing decreases the divergence (no range of orders)
# But: it fails for orders below 1/2, which Definition 2 allows
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, covariance, pulled, sandwiched_renyi, tensor

# The instance
psi = [
    [F(1), F(0), F(0), F(0), F(0), F(0)],
    [F(0), F(1), F(0), F(0), F(0), F(0)],
    [F(0), F(0), F(1), F(0), F(0), F(0)],
]
g = [[1, 1, 1], [1, 2, 1]]
law = [[F(3, 5), F(-4, 5)]]
phi1 = [[F(0), F(1)], [F(0), F(1)], [F(1), F(0)]]
phi2 = [[F(1), F(0)], [F(1), F(0)], [F(1), F(0)]]
p = [[F(1), F(0), F(0)], [F(0), F(1), F(0)]]
alpha = F(1, 64)

# The hypotheses
check(
    [len(w) for w in psi] == [6, 6, 6] and all(sum(x * x for x in w) == 1 for w in psi),
    "psi: 3 real unit vectors of finite dimension",
)
check(
    [len(w) for w in g] == [3, 3] and all(0 <= x < 3 for w in g for x in w),
    "g: 2 maps from 3 points to 3",
)
check(g == [[1, 1, 1], [1, 2, 1]], "g: the formula below is written out for this one")
check(
    [len(w) for w in law] == [2] and all(sum(x * x for x in w) == 1 for w in law),
    "law: a real unit vector of dimension 2",
)
check(
    [len(w) for w in phi1] == [2, 2, 2] and all(sum(x * x for x in w) == 1 for w in phi1),
    "phi1: 3 real unit vectors of dimension 2",
)
check(
    [len(w) for w in phi2] == [2, 2, 2] and all(sum(x * x for x in w) == 1 for w in phi2),
    "phi2: 3 real unit vectors of dimension 2",
)
check(
    [len(w) for w in p] == [3, 3] and all(x >= 0 for w in p for x in w)
    and all(sum(w) == 1 for w in p),
    "p: 2 distributions on 3 points",
)
check(0 < alpha and alpha != 1, "alpha: order other than 1 in (0, inf)")

# The two sides, with the names that the claim's own function uses
images_0 = pulled(psi, g[0])
t1 = tensor(images_0, phi1)
images_1 = pulled(psi, g[1])
t2 = tensor(images_1, phi2)
t3 = covariance(images_0, p[0])
t4 = covariance(images_1, p[0])
t5 = covariance(images_0, p[1])
t6 = covariance(images_1, p[1])
t7 = [0, law[0][0]**2 * t3[1][1] + law[0][1]**2 * t4[1][1], 0, 0, 0, 0]
after_0 = [[0, 0, 0, 0, 0, 0], t7, [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0,
    0, 0, 0, 0, 0]]
t8 = [0, law[0][0]**2 * t5[1][1], 0, 0, 0, 0]
t9 = [0, 0, law[0][1]**2 * t6[2][2], 0, 0, 0]
after_1 = [[0, 0, 0, 0, 0, 0], t8, t9, [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]]
t10 = [0, 0, 0, law[0][0] * t1[0][3], 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, law[0][1] * t2[0][2], 0, 0, 0,
    0, 0, 0, 0, 0, 0]
t11 = [0, 0, 0, law[0][0] * t1[1][3], 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, law[0][1] * t2[1][4], 0,
    0, 0, 0, 0, 0, 0]
t12 = [0, 0, law[0][0] * t1[2][2], 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, law[0][1] * t2[2][2], 0, 0, 0,
    0, 0, 0, 0, 0, 0]
features = [t10, t11, t12]
before_0 = covariance(features, p[0])
before_1 = covariance(features, p[1])
lhs = sandwiched_renyi(after_0, after_1, alpha)
rhs = sandwiched_renyi(before_0, before_1, alpha)

# The branches taken, and the terms left out because they are zero
check(
    all(x == 0 for x in [
        t1[0][0], t1[0][1], t1[0][2], t1[0][4], t1[0][5], t1[0][6], t1[0][7], t1[0][8], t1[0][9],
        t1[0][10], t1[0][11], t1[1][0], t1[1][1], t1[1][2], t1[1][4], t1[1][5], t1[1][6], t1[1][7],
        t1[1][8], t1[1][9], t1[1][10], t1[1][11], t1[2][0], t1[2][1], t1[2][3], t1[2][4], t1[2][5],
        t1[2][6], t1[2][7], t1[2][8], t1[2][9], t1[2][10], t1[2][11], t2[0][0], t2[0][1], t2[0][3],
        t2[0][4], t2[0][5], t2[0][6], t2[0][7], t2[0][8], t2[0][9], t2[0][10], t2[0][11], t2[1][0],
        t2[1][1], t2[1][2], t2[1][3], t2[1][5], t2[1][6], t2[1][7], t2[1][8], t2[1][9], t2[1][10],
        t2[1][11], t2[2][0], t2[2][1], t2[2][3], t2[2][4], t2[2][5], t2[2][6], t2[2][7], t2[2][8],
        t2[2][9], t2[2][10], t2[2][11], t3[0][0], t3[0][1], t3[0][2], t3[0][3], t3[0][4], t3[0][5],
        t3[1][0], t3[1][2], t3[1][3], t3[1][4], t3[1][5], t3[2][0], t3[2][1], t3[2][2], t3[2][3],
        t3[2][4], t3[2][5], t3[3][0], t3[3][1], t3[3][2], t3[3][3], t3[3][4], t3[3][5], t3[4][0],
        t3[4][1], t3[4][2], t3[4][3], t3[4][4], t3[4][5], t3[5][0], t3[5][1], t3[5][2], t3[5][3],
        t3[5][4], t3[5][5], t4[0][0], t4[0][1], t4[0][2], t4[0][3], t4[0][4], t4[0][5], t4[1][0],
        t4[1][2], t4[1][3], t4[1][4], t4[1][5], t4[2][0], t4[2][1], t4[2][2], t4[2][3], t4[2][4],
        t4[2][5], t4[3][0], t4[3][1], t4[3][2], t4[3][3], t4[3][4], t4[3][5], t4[4][0], t4[4][1],
        t4[4][2], t4[4][3], t4[4][4], t4[4][5], t4[5][0], t4[5][1], t4[5][2], t4[5][3], t4[5][4],
        t4[5][5], t5[0][0], t5[0][1], t5[0][2], t5[0][3], t5[0][4], t5[0][5], t5[1][0], t5[1][2],
        t5[1][3], t5[1][4], t5[1][5], t5[2][0], t5[2][1], t5[2][2], t5[2][3], t5[2][4], t5[2][5],
        t5[3][0], t5[3][1], t5[3][2], t5[3][3], t5[3][4], t5[3][5], t5[4][0], t5[4][1], t5[4][2],
        t5[4][3], t5[4][4], t5[4][5], t5[5][0], t5[5][1], t5[5][2], t5[5][3], t5[5][4], t5[5][5],
        t6[0][0], t6[0][1], t6[0][2], t6[0][3], t6[0][4], t6[0][5], t6[1][0], t6[1][1], t6[1][2],
        t6[1][3], t6[1][4], t6[1][5], t6[2][0], t6[2][1], t6[2][3], t6[2][4], t6[2][5], t6[3][0],
        t6[3][1], t6[3][2], t6[3][3], t6[3][4], t6[3][5], t6[4][0], t6[4][1], t6[4][2], t6[4][3],
        t6[4][4], t6[4][5], t6[5][0], t6[5][1], t6[5][2], t6[5][3], t6[5][4], t6[5][5],
    ]),
    "the terms left out are zero",
)

# Agreement with the program that found the instance
check(agrees(lhs, "1.0216512475319813664"), "lhs is 1.0216512475319813664")
check(agrees(rhs, "0.032433372937523217981"), "rhs is 0.032433372937523217981")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
