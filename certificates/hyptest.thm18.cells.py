# hyptest.thm18.cells: a counterexample
#
# Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Theorem 18, the cells (step)
# Statement: \textstyle\bigcup_{j=0}^{2^n-1} D^n_j = [0,1],\ D^n_0 = \{0\},\ D^n_{l+1} = (l/2^n,
#     (l+1)/2^n]
# Claimed: lhs <= rhs, of the two sides below
# Quote: j_1, \dots, j_k \in \{0, 1, \dots, 2^n - 1\}, C_{j_1 \dots j_k}^n \neq \emptyset
# In short: the cells with index up to 2^n - 1 cover X
# But: values above 1 - 1/2^n are in no such cell, so no test that is ever certain is covered
#
# Run it with python3: it needs Python 3.8 or later and nothing else. Exit status 0: verified.

from fractions import Fraction as F


def check(condition, what):
    if condition is not True:
        raise SystemExit(f"NOT VERIFIED: {what}")
    print("ok:", what)


# The instance
value = F(1)
n = F(1)

# The hypotheses
check(0 <= value <= 1, "value: number in [0, 1]")
check(n.denominator == 1 and 1 <= n, "n: integer at least 1")

# The two sides
lhs = value
rhs = 1 - 1 / 2**n

# Agreement with the program that found the instance
check(lhs == 1, "lhs is 1")
check(rhs == F(1, 2), "rhs is 1/2")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
