# krd.lemma6: a counterexample
#
# Stated in: Domingo-Enrich and Mroueh (2022), Lemma 6 (printed)
# Statement: \sum_j c_{ij} c_{i'j} = \alpha_i \alpha_{i'}\ \forall i, i' \Leftrightarrow c_{ij}
#     = \beta_i \gamma_j,\ \|\beta\| = \|\gamma\| = 1
# Claimed: lhs = rhs, of the two sides below
# Quote: is equivalent to $\forall i, j \in \mathbb{Z}^+$ , $c_{ij} = \beta_i \gamma_j$ for some
#     sequences
# In short: C C^T = alpha alpha^T if and only if c has the form beta_i gamma_j
# But: 'if' is false: C C^T is then beta beta^T, whatever alpha is
#
# Run it with python3: it needs Python 3.8 or later and nothing else. Exit status 0: verified.

from fractions import Fraction as F


def check(condition, what):
    if condition is not True:
        raise SystemExit(f"NOT VERIFIED: {what}")
    print("ok:", what)


# The instance
vectors = [[F(1), F(0)], [F(0), F(1)], [F(1), F(0)]]
# Nothing below depends on vectors[1][1], vectors[2][0].

# The hypotheses
check(
    [len(w) for w in vectors] == [2, 2, 2] and all(sum(x * x for x in w) == 1 for w in vectors),
    "vectors: 3 real unit vectors of finite dimension",
)

# The two sides
lhs = 0
rhs = vectors[0][0] * vectors[0][0]
# NOTE: lhs does not depend on the instance.

# The branches taken, and the terms left out because they are zero
check(
    all(x == 0 for x in [vectors[1][0], vectors[2][1], vectors[0][1]]),
    "the terms left out are zero",
)

# Agreement with the program that found the instance
check(lhs == 0, "lhs is 0")
check(rhs == 1, "rhs is 1")

# The conclusion
check(lhs < rhs or rhs < lhs, "lhs != rhs: the equality lhs = rhs fails")
