"""Audits of one training run with canaries, each included by an independent coin.

`audit_one_run` takes the scores of the canaries and the coins. It is built on `coins` and `guesses` (the guesses, and
how often they can be right under a guarantee), `mixture` and `blocks` (the test of (epsilon, delta)-DP, and the cost of
delta), `tradeoff` (the test of f-DP), `fixed` (the sharp bound for a fixed number of guesses), `walk` (bounds from
nested claims) and `membership` (metrics of membership attacks). `stream` takes canaries in pieces, `many` takes many
runs with the same canaries.

Which function to use for which experiment:

- outputs of many independent runs, for one input and for a neighbouring one: `krdtheory.audit.audit`, or for a callable
  mechanism `audit_mechanism` and `assert_private`;
- scores of one canary, in many runs with it and many without: `audit` too, with the two arrays of scores;
- scores of many canaries of one run, each included by an independent coin: `audit_one_run`. If they are passed to
  `audit` as scores in and scores out, its level does not hold, as the scores of one run are dependent;
- pairs of canaries of which one is included, or canaries with one of k secrets: `audit_one_run`, with a row for each;
- several runs, each with its own coins, with the same canaries or others: `audit_one_run`, with scores (runs, m);
- many runs with the same canaries, to find the worst one: `audit_canaries`, which accounts for the choice;
- runs or pieces one after the other, monitored continuously: `OneRunStream`.
"""

from krdtheory.audit.one_run.auditor import audit_one_run
from krdtheory.audit.one_run.many import audit_canaries
from krdtheory.audit.one_run.result import OneRunResult
from krdtheory.audit.one_run.stream import OneRunStream

__all__ = ["OneRunResult", "OneRunStream", "audit_canaries", "audit_one_run"]
