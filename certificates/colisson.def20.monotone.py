# colisson.def20.monotone: a counterexample
#
# Stated in: Colisson (2016), Definitions 20 and 21, with Section 3.3.1 (reading)
# Statement: \mathbb D_\alpha(\mathcal E(\rho)\|\mathcal E(\sigma)) \le \mathbb
#     D_\alpha(\rho\|\sigma),\ \alpha > 1
# Claimed: lhs <= rhs, of the two sides below
# Quote: We can then use this Quantum definition of divergence with classical differential
#     privacy definitions
# In short: Post-processing decreases (4.2) at every order above 1
# But: False beyond order 2: discarding a flag can increase it
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import (
    F, agrees, check, identity, is_semidefinite, maximal_renyi, times, trace,
    transposed,
)

# The instance
states = [
    [
        [F(1, 42), F(0), F(1, 15), F(0)],
        [F(0), F(1, 210), F(0), F(1, 21)],
        [F(1, 15), F(0), F(52, 105), F(0)],
        [F(0), F(1, 21), F(0), F(10, 21)],
    ],
    [
        [F(1, 36), F(0), F(1, 9), F(0)],
        [F(0), F(1, 36), F(0), F(1, 9)],
        [F(1, 9), F(0), F(17, 36), F(0)],
        [F(0), F(1, 9), F(0), F(17, 36)],
    ],
]
channel = [
    [F(1), F(0), F(0), F(0)],
    [F(0), F(1), F(0), F(0)],
    [F(0), F(0), F(1), F(0)],
    [F(0), F(0), F(0), F(1)],
]
alpha = F(4)

# The hypotheses
check(
    [len(a) for a in states] == [4, 4] and all(is_semidefinite(a) and trace(a) > 0 for a in states),
    "states: 2 density matrices, of dimension 4",
)
check(all(trace(a) == 1 for a in states), "states: of trace 1")
check(
    times(transposed(channel), channel) == identity(len(channel[0])) and len(channel) % 2 == 0
    and len(channel[0]) == 4,
    "channel: a quantum channel from a system of dimension 4, to dimension 2",
)
check(
    channel == [row[: len(channel[0])] for row in identity(len(channel))],
    "channel: which only discards the environment",
)
check(1 <= alpha and alpha != 1, "alpha: order in (1, inf)")

# The two sides, with the names that the claim's own function uses
t1 = channel[0][0] * states[0][0][0] * channel[0][0]
t2 = channel[0][0] * states[0][0][2] * channel[2][2]
t3 = t1 + channel[1][1] * states[0][1][1] * channel[1][1]
t4 = channel[2][2] * states[0][2][0] * channel[0][0]
t5 = channel[2][2] * states[0][2][2] * channel[2][2]
t6 = t4 + channel[3][3] * states[0][3][1] * channel[1][1]
t7 = [t3, t2 + channel[1][1] * states[0][1][3] * channel[3][3]]
t8 = channel[0][0] * states[1][0][0] * channel[0][0]
t9 = channel[0][0] * states[1][0][2] * channel[2][2]
t10 = t8 + channel[1][1] * states[1][1][1] * channel[1][1]
t11 = channel[2][2] * states[1][2][0] * channel[0][0]
t12 = channel[2][2] * states[1][2][2] * channel[2][2]
t13 = t11 + channel[3][3] * states[1][3][1] * channel[1][1]
t14 = [t13, t12 + channel[3][3] * states[1][3][3] * channel[3][3]]
t15 = [[t10, t9 + channel[1][1] * states[1][1][3] * channel[3][3]], t14]
t16 = [t7, [t6, t5 + channel[3][3] * states[0][3][3] * channel[3][3]]]
lhs = maximal_renyi(t16, t15, alpha)
rhs = maximal_renyi(states[0], states[1], alpha)

# The branches taken, and the terms left out because they are zero
check(
    all(x == 0 for x in [
        channel[0][1], channel[0][2], channel[0][3], states[0][0][1], states[0][0][3],
        channel[2][0], channel[2][1], channel[2][3], states[0][2][1], states[0][2][3],
        channel[1][0], states[0][1][0], channel[1][2], channel[1][3], states[0][1][2],
        channel[3][0], channel[3][1], channel[3][2], states[0][3][0], states[0][3][2],
        states[1][0][1], states[1][0][3], states[1][2][1], states[1][2][3], states[1][1][0],
        states[1][1][2], states[1][3][0], states[1][3][2],
    ]),
    "the terms left out are zero",
)

# Agreement with the program that found the instance
check(agrees(lhs, "2.0037906626605040406"), "lhs is 2.0037906626605040406")
check(agrees(rhs, "1.9986989201964049715"), "rhs is 1.9986989201964049715")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
