# capacity.lemma1.sign: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Lemma 1, end of the proof (step)
# Statement: 1 - \log m + m^{-1} m = - \log m,\ m = \mathbb{E}_Q e^{a^T\phi}
# Claimed: lhs = rhs, of the two sides below
# Quote: + 1 - \log \mathbb{E}_{x \sim Q}[e^{a^\top \phi(x)}] + (\mathbb{E}_{x \sim Q}[e^{a^\top
#     \phi(x)}])^{-1} \mathbb{E}_{x \sim Q}[e^{a^\top \phi(x)}]
# In short: 1 - log m + m / m is - log m, m the mean of exp(a.phi)
# But: the last plus should be a minus: as printed it is 2 - log m
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, exp, log

# The instance
q = [[F(1), F(0)]]
h = [[F(0), F(0)]]
# Nothing below depends on h[0][1].

# The hypotheses
check(
    [len(w) for w in q] == [2] and all(x >= 0 for w in q for x in w) and all(sum(w) == 1 for w in q),
    "q: a distribution on finitely many points",
)
check([len(w) for w in h] == [2], "h: a real function on finitely many points")

# The two sides, with the names that the claim's own function uses
m = q[0][0] * exp(h[0][0])
lhs = 1 + m / m
rhs = -log(m)

# The branches taken, and the terms left out because they are zero
check(all(x == 0 for x in [q[0][1], log(m)]), "the terms left out are zero")

# Agreement with the program that found the instance
check(agrees(lhs, "2.0"), "lhs is 2.0")
check(agrees(rhs, "0.0"), "rhs is 0.0")

# The conclusion
check(lhs < rhs or rhs < lhs, "lhs != rhs: the equality lhs = rhs fails")
