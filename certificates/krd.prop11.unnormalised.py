# krd.prop11.unnormalised: a counterexample
#
# Stated in: Domingo-Enrich and Mroueh (2022), Proposition 11 without k~_g(x,x) = 1 (condition)
# Statement: k_a(x,x') = \mathbb{E}_g[\tilde k_g(x,x') k_b(g(x),g(x'))] \Rightarrow \exists\, T
#     \text{ CPTP}: T(a_x a_x^*) = \mathbb{E}_g[b_{g(x)} b_{g(x)}^*]
# Claimed: lhs <= rhs, of the two sides below
# In short: Proposition 11 for kernels that are not 1 on the diagonal
# But: in general no such channel exists
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, pulled, tensor, trace_distance

# The instance
psi = [[F(1), F(0)], [F(0), F(1)], [F(0), F(1)]]
g = [[2, 2, 2], [0, 1, 1]]
phi1 = [[F(1), F(0)], [F(0), F(1)], [F(1), F(0)]]
phi2 = [[F(1), F(0)], [F(0), F(1)], [F(1), F(0)]]
amplitudes = [[F(1), F(0)], [F(0), F(1)], [F(1), F(0)]]
# Nothing below depends on amplitudes[1][1].

# The hypotheses
check(
    [len(w) for w in psi] == [2, 2, 2] and all(sum(x * x for x in w) == 1 for w in psi),
    "psi: 3 real unit vectors of finite dimension",
)
check(
    [len(w) for w in g] == [3, 3] and all(0 <= x < 3 for w in g for x in w),
    "g: 2 maps from 3 points to 3",
)
check(g == [[2, 2, 2], [0, 1, 1]], "g: the formula below is written out for this one")
check(
    [len(w) for w in phi1] == [2, 2, 2] and all(sum(x * x for x in w) == 1 for w in phi1),
    "phi1: 3 real unit vectors of dimension 2",
)
check(
    [len(w) for w in phi2] == [2, 2, 2] and all(sum(x * x for x in w) == 1 for w in phi2),
    "phi2: 3 real unit vectors of dimension 2",
)
check(
    [len(w) for w in amplitudes] == [2, 2, 2]
    and all(sum(x * x for x in w) == 1 for w in amplitudes),
    "amplitudes: 3 real unit vectors of dimension 2",
)

# The two sides, with the names that the claim's own function uses
images_0 = pulled(psi, g[0])
t1 = tensor(images_0, phi1)
images_1 = pulled(psi, g[1])
t2 = tensor(images_1, phi2)
images_1_0_0 = images_1[0][0]
images_0_0_1 = images_0[0][1]
images_0_2_1 = images_0[2][1]
images_1_2_1 = images_1[2][1]
t3 = [0, F(1, 2) * images_0_2_1 * images_0_2_1 + F(1, 2) * images_1_2_1 * images_1_2_1]
t4 = [[F(1, 2) * images_1_0_0 * images_1_0_0, 0], [0, F(1, 2) * images_0_0_1 * images_0_0_1]]
sides_1 = trace_distance(t4, [[0, 0], t3])
a_0_2 = amplitudes[0][0] * t1[0][2]
t5 = [0, 0, a_0_2 * a_0_2, 0, 0, 0, 0, 0]
a_2_2 = amplitudes[2][0] * t1[2][2]
t6 = [0, 0, a_2_2 * a_2_2, 0, 0, 0, 0, 0]
t7 = [[0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0], t5, [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0,
    0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0]]
t8 = [[0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0], t6, [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0,
    0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0]]
sides_1_2 = trace_distance(t7, t8)
lhs = sides_1
rhs = sides_1_2

# The branches taken, and the terms left out because they are zero
check(
    all(x == 0 for x in [
        t1[0][0], t1[0][1], t1[0][3], amplitudes[1][0], t1[2][0], t1[2][1], t1[2][3],
        amplitudes[0][1], t2[1][0], t2[1][1], t2[1][2], amplitudes[2][1], images_0[0][0],
        images_0[1][0], images_0[2][0], images_1[0][1], images_1[1][0], images_1[2][0],
    ]),
    "the terms left out are zero",
)

# Agreement with the program that found the instance
check(agrees(lhs, "0.5"), "lhs is 0.5")
check(agrees(rhs, "0.0"), "rhs is 0.0")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
