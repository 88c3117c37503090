# hyptest.thm1.countable.omega: a counterexample
#
# Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Theorem 1, countably many rows and
#     columns (condition)
# Statement: \gamma : \omega \to \mathrm{Prob}(\omega) \Rightarrow \exists\, a_1 > 0,\ \gamma_1
#     : \omega \to \omega : a_1 \le \gamma(i)(\gamma_1(i))\ \forall i
# Claimed: lhs <= rhs, of the two sides below
#
# Run it with python3: it needs Python 3.8 or later and nothing else. Exit status 0: verified.

from fractions import Fraction as F


def check(condition, what):
    if condition is not True:
        raise SystemExit(f"NOT VERIFIED: {what}")
    print("ok:", what)


# The instance
n = F(1)

# The hypotheses
check(n.denominator == 1 and 1 <= n, "n: integer at least 1")

# The two sides
lhs = 1 / n
rhs = 1 / (n + 1)

# Agreement with the program that found the instance
check(lhs == 1, "lhs is 1")
check(rhs == F(1, 2), "rhs is 1/2")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
