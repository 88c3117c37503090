# colisson.lem19.a35: a counterexample
#
# Stated in: Colisson (2016), Lemma 19, (A.35) to (A.37) (step)
# Statement: P' = s_m Q \text{ on } S,\ P_1 \le P' \le P_2 \Rightarrow \Delta(P, P') = \int_S P
#     - P'
# Claimed: lhs = rhs, of the two sides below
# Quote: find values between P_1 and P_2 to ensure that P' is well normed
# In short: P' may have any value between 0 and sQ outside S
# But: Values below P add to the distance; it must be between P and sQ there
#
# Run it with python3: it needs Python 3.8 or later and nothing else. Exit status 0: verified.

from fractions import Fraction as F


def check(condition, what):
    if condition is not True:
        raise SystemExit(f"NOT VERIFIED: {what}")
    print("ok:", what)


# The instance
p = [[F(1), F(0)], [F(1, 2), F(1, 2)]]
level = F(2)

# The hypotheses
check(
    [len(w) for w in p] == [2, 2] and all(x >= 0 for w in p for x in w)
    and all(sum(w) == 1 for w in p),
    "p: 2 distributions on finitely many points",
)
check(0 <= level, "level: number in [0, inf)")

# The two sides, with the names that the claim's own function uses
high_0 = (1 + level) * p[1][0]
high_1 = (1 + level) * p[1][1]
room = high_0 + high_1
part = 1 / room
lhs = (abs(p[0][0] - part * high_0) + abs(-(part * high_1))) / 2
rhs = 0
# NOTE: rhs does not depend on the instance.

# The branches taken, and the terms left out because they are zero
check(p[0][0] < high_0 and p[0][1] < high_1 and room > 0, "the branches taken")
check(p[0][1] == 0, "a term left out is zero")

# Agreement with the program that found the instance
check(lhs == F(1, 2), "lhs is 1/2")
check(rhs == 0, "rhs is 0")

# The conclusion
check(lhs < rhs or rhs < lhs, "lhs != rhs: the equality lhs = rhs fails")
