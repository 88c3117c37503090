"""Canaries in a language model's training data, with synthetic scores: from log-likelihoods to a bound.

    python examples/llm_canaries.py       # writes examples/llm_canaries.csv
    krdtheory audit-run examples/llm_canaries.csv --column gain --included member --epsilon 2 --delta 1e-5

Each of 500 canaries ("the code of Ada Lovelace is 314159") was included in the training data with probability 1/2. The
trained model's log-likelihood of a canary depends on how likely the sentence is anyway, which hides whether it was
included. It helps to subtract the log-likelihood under a reference model that was trained without canaries ("gain").
Exposure, log2 of the number of secrets minus log2 of the canary's rank among secrets that were never included, is on
another scale, and orders the canaries in the same way. All scores are computed without knowing which canaries were
included. These would break the level: dividing by the mean of the included canaries, choosing the sign so that their
scores are higher, and leaving out canaries that were "not learnt".
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

FILE = Path(__file__).parent / "llm_canaries.csv"


def main() -> None:
    rng = np.random.default_rng(2025)
    m, others = 500, 4096
    member = rng.random(m) < 0.5
    likely = rng.normal(-60, 12, m)  # the log-likelihood of the sentence itself
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
