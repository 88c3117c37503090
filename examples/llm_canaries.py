"""Canaries in a language model's training data, on synthetic scores: from log-likelihoods to a bound.

    python examples/llm_canaries.py       # writes examples/llm_canaries.csv
    krdtheory audit-run examples/llm_canaries.csv --column gain --included member --epsilon 2 --delta 1e-5

Each of 500 canaries ("the code of Ada Lovelace is 314159") was put into the training data by a fair coin. The trained
model's log-likelihood of a canary depends on how likely the sentence is anyway, which hides who was in; what helps is
to subtract that of a reference model, trained without canaries ("gain"). Exposure, log2 of the number of secrets less
log2 of the canary's rank among secrets that were never in, is on another scale, and says the same of order. All of it
is made without looking at who was in. What would break the level: to divide by the mean of members, to turn the sign so
that members are higher, to leave out canaries that were "not learnt".
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

FILE = Path(__file__).parent / "llm_canaries.csv"


def main() -> None:
    rng = np.random.default_rng(2025)
    m, others = 500, 4096
    member = rng.random(m) < 0.5
    likely = rng.normal(-60, 12, m)  # the sentence's own
    memorised = member * rng.gamma(4, 1.2, m)
    reference = likely + rng.normal(0, 1, m)
    trained = likely + memorised + rng.normal(0, 1, m)
    never_in = rng.normal(0, np.sqrt(2), others)
    gain = trained - reference
    rank = 1 + (never_in[None] > gain[:, None]).sum(1)
    exposure = np.log2(others) - np.log2(rank)
    lines = ["log_likelihood,reference,gain,exposure,member"]
    rows = zip(trained, reference, gain, exposure, member, strict=True)
    lines += [f"{a:.4f},{b:.4f},{c:.4f},{d:.4f},{int(e)}" for a, b, c, d, e in rows]
    FILE.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
