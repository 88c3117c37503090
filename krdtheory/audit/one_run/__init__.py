"""Audits of one training run with canaries, each put in by a coin of its own.

`audit_one_run` takes their scores and the coins. Below it are `coins` and `guesses` (what is guessed, and how often a
guarantee lets it be right), `mixture` and `blocks` (the test of (epsilon, delta)-DP, and what delta costs it),
`tradeoff` (that of f-DP), `fixed` (the sharp bound for a fixed number of guesses), `walk` (bounds from claim after
claim) and `membership` (what attackers report). `stream` takes canaries in pieces, `many` many runs with the same ones.

Which door for which experiment:

- outputs of many independent runs, for one input and for a neighbouring one: `krdtheory.audit.audit`, and for a
  mechanism that can be called, `audit_mechanism` and `assert_private`;
- scores of one canary, of many runs with it and many without: `audit` too, the two arrays of scores;
- scores of many canaries of one run, each put in by a coin of its own: `audit_one_run`. Given to `audit` as scores in
  and scores out, the same numbers break its level: one run is one output, and scores of one run go together;
- pairs of canaries of which one is in, or canaries that hold one of k secrets: `audit_one_run`, a row each;
- several runs, each with coins of its own, canaries new or not: `audit_one_run`, scores (runs, m);
- many runs with the same canaries, to find the worst: `audit_canaries`, which pays for choosing;
- runs or pieces one after the other, looked at all the time: `OneRunStream`.
"""

from krdtheory.audit.one_run.auditor import audit_one_run
from krdtheory.audit.one_run.many import audit_canaries
from krdtheory.audit.one_run.result import OneRunResult
from krdtheory.audit.one_run.stream import OneRunStream

__all__ = ["OneRunResult", "OneRunStream", "audit_canaries", "audit_one_run"]
