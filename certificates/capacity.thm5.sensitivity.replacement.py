# capacity.thm5.sensitivity.replacement: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Theorem 5, proof, read for one
#     person's value replaced (reading)
# Statement: x' = x + e_i - e_j \Rightarrow \|A x - A x'\|_1 \le \|A\|_1
# Claimed: lhs <= rhs, of the two sides below
#
# Run it with python3: it needs Python 3.8 or later and nothing else. Exit status 0: verified.

from fractions import Fraction as F


def check(condition, what):
    if condition is not True:
        raise SystemExit(f"NOT VERIFIED: {what}")
    print("ok:", what)


# The instance
a = [[F(0), F(0), F(1)], [F(1), F(0), F(0)]]

# The hypotheses
check(
    [len(w) for w in a] == [3, 3] and all(sum(x * x for x in w) == 1 for w in a),
    "a: 2 real unit vectors of dimension 3",
)

# The two sides
lhs = abs(-a[1][0]) + abs(a[0][2])
rhs = max(abs(a[0][2]), abs(a[1][0]))

# The branches taken, and the terms left out because they are zero
check(
    all(x == 0 for x in [abs(a[0][1]), abs(a[0][0]), abs(a[1][1]), abs(a[1][2]), a[0][0], a[1][1],
    a[1][2]]),
    "the terms left out are zero",
)

# Agreement with the program that found the instance
check(lhs == 2, "lhs is 2")
check(rhs == 1, "rhs is 1")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
