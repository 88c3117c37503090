# hyptest.thm1.indices: a counterexample
#
# Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Theorem 1, rows 1 <= i <= l (reading)
# Statement: \alpha_{m+1} = \min_{s \le l} \max_t (\tilde f_m)_{s,t} \Rightarrow 0 \le (\tilde
#     f_{m+1})_{i,j}
# Claimed: lhs <= rhs, of the two sides below
#
# Run it with python3: it needs Python 3.8 or later and nothing else. Exit status 0: verified.

from fractions import Fraction as F


def check(condition, what):
    if condition is not True:
        raise SystemExit(f"NOT VERIFIED: {what}")
    print("ok:", what)


# The instance
rows = [[F(0), F(1)], [F(1), F(0)], [F(1, 2), F(1, 2)]]

# The hypotheses
check(
    [len(w) for w in rows] == [2, 2, 2] and all(x >= 0 for w in rows for x in w)
    and all(sum(w) == 1 for w in rows),
    "rows: 3 distributions on 2 points",
)

# The two sides
lhs = 0
rhs = rows[2][0] - rows[0][1]
# NOTE: lhs does not depend on the instance.

# The branches taken, and the terms left out because they are zero
check(
    rows[0][1] > rows[0][0] and rows[1][1] <= rows[1][0] and rows[2][1] <= rows[2][0]
    and rows[0][1] <= rows[1][0],
    "the branches taken",
)

# Agreement with the program that found the instance
check(lhs == 0, "lhs is 0")
check(rhs == F(-1, 2), "rhs is -1/2")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
