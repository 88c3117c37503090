# hyptest.thm1.indices.maps: a counterexample
#
# Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Theorem 1, the matrices of maps
#     (step)
# Statement: |\{g : \forall i \le l\ \exists!\, j \le k : g_{i,j} = 1\}| = |\{h : k \to l\}|,\ k
#     > l
# Claimed: lhs = rhs, of the two sides below
# Quote: for any $1 \leq i \leq l$ , there is exactly $1 \leq j \leq k$ such that $g_{i,j} = 1$
# In short: matrices with one 1 in each of l columns of k entries represent the maps k to l
# But: those are k^l matrices, and the maps are l^k; one 1 in each of k rows is meant
#
# Run it with python3: it needs Python 3.8 or later and nothing else. Exit status 0: verified.

from fractions import Fraction as F


def check(condition, what):
    if condition is not True:
        raise SystemExit(f"NOT VERIFIED: {what}")
    print("ok:", what)


# The instance
l = F(6)
more = F(6)

# The hypotheses
check(l.denominator == 1 and 1 <= l, "l: integer at least 1")
check(more.denominator == 1 and 1 <= more, "more: integer at least 1")

# The two sides
lhs = (l + more)**l
rhs = l**(l + more)

# Agreement with the program that found the instance
check(lhs == 2985984, "lhs is 2985984")
check(rhs == 2176782336, "rhs is 2176782336")

# The conclusion
check(lhs < rhs or rhs < lhs, "lhs != rhs: the equality lhs = rhs fails")
