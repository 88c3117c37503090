"""Find counterexamples for certificates, and record them: python -m verification.certificates.record [ID ...]

For each refuted claim the search finds a counterexample and simplifies it, as `krdtheory verify` does. Then instances
of small integers and fractions are tried. Counterexamples with rational sides, or with logarithms of rationals, are
preferred to shorter ones. Run it after a change of a claim; with ids, the records of other claims are kept.
"""

from __future__ import annotations

import json
import sys
import time
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

import verification  # noqa: F401  registers the claims
from verification.certificates import make
from verification.certificates.rocq import rocq
from verification.claim import REGISTRY, Claim, Evidence, Verdict
from verification.instances import RATIONALS, SIZES, Batch, build, draw, legal, project, shown, take
from verification.search import BUDGET, Found, _Search
from verification.sides import ClaimError, evaluate
from verification.simplify import _sizes, simplified

FILE = Path(__file__).with_name("instances.json")
SECONDS = 4.0  # the time for small instances of a claim
WORTH = {"rational": 0, "logarithms": 6, "real": 14}  # the cost of such sides, in digits of the instance
CLEAR = -1e-4


class _Remembering(_Search):
    """A search that keeps the violation before it is simplified."""

    before: Batch | None = None

    def _violated(self, violation: Found) -> Evidence:
        self.before = violation.raw
        return super()._violated(violation)


def recorded(claim: Claim) -> dict[str, Any]:
    """Return the record of a claim: its instance, and the digits of this and of the first one found."""
    search = _Remembering(claim, BUDGET, 0, [s for s in SIZES if claim.largest is None or s <= claim.largest])
    outcome = search.run()
    if outcome.counterexample is None or search.before is None:
        raise ValueError(f"{claim.id} is not refuted")
    before = _shown(claim, search.before)
    found = [*_made(claim, before), *_made(claim, outcome.counterexample.inputs), *_small(claim)]
    best = min(found, key=lambda f: WORTH[make.sort_of(f)] + make.digits(make.inputs(f)))
    inputs = make.inputs(best)
    out: dict[str, Any] = {"inputs": inputs, "sides": make.sort_of(best), "digits": make.digits(inputs)}
    out["digits_found"] = make.digits(before)
    with suppress(ValueError):
        out["rocq"] = bool(rocq(best))
    return {**out, "bits": best.bits} if best.bits != make.BITS else out


def _small(claim: Claim) -> Iterator[make.Found]:
    """Yield certificates of small instances."""
    rng = np.random.default_rng(zlib.crc32(claim.id.encode()))
    start, seen = time.perf_counter(), set()
    for size in (2, 3, 2, 2, 3, 4):
        if claim.largest is not None and size > claim.largest:
            continue
        raw = project(claim.given, _plain(claim, draw(claim.given, rng, 1024, size), rng))
        raw = take(raw, np.flatnonzero(legal(claim.given, raw)))
        try:
            margins = evaluate(claim, raw).margins
        except (ClaimError, ValueError):
            continue
        bad = np.flatnonzero(np.nanmin(margins, -1, initial=np.inf) < CLEAR)
        sizes = _sizes(claim, raw)
        for i in bad[np.argsort(sizes[bad], kind="stable")][:6]:
            if time.perf_counter() - start > SECONDS:
                return
            inputs = _shown(claim, simplified(claim, take(raw, [int(i)])))
            if str(inputs) in seen:
                continue
            seen.add(str(inputs))
            yield from _made(claim, inputs)


def _made(claim: Claim, inputs: Any) -> Iterator[make.Found]:
    """Yield the certificate of an instance, if there is one."""
    with suppress(ValueError):
        yield make.at_instance(claim, inputs)


def _plain(claim: Claim, raw: Batch, rng: np.random.Generator) -> Batch:
    """Return instances with numbers of few digits: integers, halves, quarters and eighths."""
    out: dict[str, Any] = {}
    for name, part in raw.items():
        coarse = claim.given[name].coarse()
        out[name] = {}
        for key, value in part.items():
            if key not in coarse:
                out[name][key] = value
                continue
            unit = 64 * coarse[key]
            small = rng.integers(1, 6, size=value.shape) * unit >> rng.integers(0, 4, size=value.shape)
            whole = np.where(rng.random(value.shape) < 0.5, rng.integers(1, 5, size=value.shape) * unit, small)
            out[name][key] = np.where(value == 0, 0, np.sign(value) * whole)
    return out


def _shown(claim: Claim, raw: Batch) -> dict[str, Any]:
    return {name: shown(value) for name, value in build(claim.given, raw, RATIONALS).items()}


def main(ids: Iterable[str]) -> None:
    """Record the instances of some claims, or of all refuted ones."""
    wanted = list(ids)
    kept = json.loads(FILE.read_text(encoding="utf-8")) if wanted else {}
    for claim in REGISTRY.values():
        if claim.recorded != Verdict.REFUTED or (wanted and claim.id not in wanted):
            continue
        kept[claim.id] = recorded(claim)
        print(
            claim.id,
            kept[claim.id]["sides"],
            kept[claim.id]["digits_found"],
            "->",
            kept[claim.id]["digits"],
            flush=True,
        )
    order = {id: i for i, id in enumerate(REGISTRY)}
    kept = {id: kept[id] for id in sorted((i for i in kept if i in order), key=lambda i: order[i])}
    rows = (f"{json.dumps(id)}: {json.dumps(one)}" for id, one in kept.items())
    FILE.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
