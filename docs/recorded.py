"""The verdicts that the site shows: `krdtheory verify --json docs/verdicts.json` records them, in five minutes.

`python docs/recorded.py` prints where the record differs from the registered claims; the exit status is 1 if it does.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import verification.claims  # noqa: F401
from verification.claim import REGISTRY, Claim, Nature, Verdict
from verification.report import counts, described

FILE = Path(__file__).with_name("verdicts.json")
ABOUT = ("statement", "relation", "kinds")  # what an outcome is about; other texts may change


def stale(records: Iterable[Mapping[str, Any]], claims: Iterable[Claim]) -> list[str]:
    """Return the differences between the records and the registered claims."""
    known, found = {c.id: c for c in claims}, {r["id"]: r for r in records}
    out = [f"{id} is not recorded" for id in known if id not in found]
    for id, r in found.items():
        if id not in known:
            out.append(f"{id} is no claim")
            continue
        now = described(known[id])
        out += [f"{id}: another {part}" for part in ABOUT if r[part] != now[part]]
        if r["verdict"] != known[id].recorded:
            out.append(f"{id}: {r['verdict']} in the record, {known[id].recorded} registered")
    return out


def of_papers() -> list[Claim]:
    """Return the claims that the project ships."""
    return [c for c in REGISTRY.values() if c.sides.__module__.startswith("verification.claims.")]


def read() -> dict[str, Any]:
    """Return the record as it is."""
    if not FILE.exists():
        raise FileNotFoundError(f"{FILE} is not there: krdtheory verify --json docs/verdicts.json records it")
    run: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return run


def registered() -> dict[str, dict[str, int]]:
    """Return the number of printed statements of each paper with each registered verdict."""
    printed = [c for c in of_papers() if c.nature == Nature.PRINTED]
    return {
        paper: {v.value: sum(c.paper == paper and c.recorded == v for c in printed) for v in Verdict}
        for paper in dict.fromkeys(c.paper for c in printed)
    }


def recorded() -> dict[str, Any]:
    """Return the recorded run, with the current descriptions of the claims."""
    run = read()
    known = {c.id: c for c in of_papers()}
    claims = [{**r, **described(known[r["id"]])} for r in run["claims"] if r["id"] in known]
    return {**run, "claims": claims, "summary": counts(claims)}


def of_paper(run: Mapping[str, Any], paper: str) -> dict[str, Any]:
    """Return the part of a run that is about one paper."""
    claims = [r for r in run["claims"] if r["paper"] == paper]
    return {**run, "claims": claims, "summary": counts(claims)}


if __name__ == "__main__":
    found = stale(read()["claims"], of_papers())
    print("\n".join(found) or f"the record is of the {len(of_papers())} registered claims")
    sys.exit(bool(found))
