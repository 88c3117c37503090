# hyptest.lem9.processing-needed: a counterexample
#
# Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Lemma 9, second part, without data
#     processing (condition)
# Statement: \Delta' \le \Delta \Rightarrow \overline\Delta^k \le \Delta
# Claimed: lhs <= rhs, of the two sides below
#
# Run it with python3: it needs Python 3.8 or later and nothing else. Exit status 0: verified.

from fractions import Fraction as F


def check(condition, what):
    if condition is not True:
        raise SystemExit(f"NOT VERIFIED: {what}")
    print("ok:", what)


# The instance
p = [[F(0), F(1), F(0)], [F(0), F(1), F(0)]]
# Nothing below depends on p[1][1].

# The hypotheses
check(
    [len(w) for w in p] == [3, 3] and all(x >= 0 for w in p for x in w)
    and all(sum(w) == 1 for w in p),
    "p: 2 distributions on 3 points",
)

# The two sides
lhs = max(max(p[0][1], 0), 0)
rhs = 0
# NOTE: rhs does not depend on the instance.

# The branches taken, and the terms left out because they are zero
check(all(x == 0 for x in [p[0][0], p[0][2], p[1][0], p[1][2]]), "the terms left out are zero")

# Agreement with the program that found the instance
check(lhs == 1, "lhs is 1")
check(rhs == 0, "rhs is 0")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
