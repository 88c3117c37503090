"""Outcomes for people and for programs: as plain data, called records, and as tables of records.

The texts of a claim may come from a user's file, so they are never interpreted as markup, and control characters are
removed.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from types import CodeType, FunctionType
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.syntax import Syntax
from rich.text import Text
from rich.tree import Tree

from krdtheory import __version__
from krdtheory.terminal import Table, cleaned
from verification.certificates.checks import TRUST, checks
from verification.cited import CITED
from verification.claim import (
    MARGIN_EDGES,
    PAPERS,
    REGISTRY,
    CertifiedMargin,
    Claim,
    Counterexample,
    Evidence,
    Nature,
    Uncovered,
    Verdict,
)
from verification.digest import digest
from verification.given import Evaluation
from verification.instances import SIZES
from verification.premises import Premise, leaves
from verification.proof import Argument, Proof

Record = Mapping[str, Any]

STYLES = {
    Verdict.REFUTED: "bold red",
    Verdict.PROVED: "bold green",
    Verdict.SUPPORTED: "green",
    Verdict.UNDECIDED: "yellow",
    Verdict.VACUOUS: "yellow",
    Verdict.ERROR: "bold yellow",
}
PLAIN_REASONS = ("no violation found", "certified")
BESIDES = {  # singular and plural
    Nature.STEP: ("step of a proof", "steps of proofs"),
    Nature.READING: ("reading of a loose sentence", "readings of loose sentences"),
    Nature.CONDITION: ("statement without a hypothesis", "statements without a hypothesis"),
    Nature.OWN: ("statement of our own", "statements of our own"),
}

ROUNDING = 1e-12  # a float64 margin this small may be 0
NARROW = 100  # columns, below which a summary is narrow
WIDE = 120  # columns needed to show every claim with its place


def as_json(
    records: Iterable[Record], *, seed: int, profile: str, budget: int, sizes: Sequence[int] = SIZES
) -> dict[str, Any]:
    """Return a whole run as plain data."""
    head = {"version": __version__, "seed": seed, "profile": profile, "budget": budget, "sizes": list(sizes)}
    claims = list(records)
    return {**head, "margin_edges": list(MARGIN_EDGES), "summary": counts(claims), "claims": claims}


def described(c: Claim) -> dict[str, Any]:
    """Return the record of a claim itself, without its outcome."""
    return {
        "id": c.id,
        "paper": c.paper,
        "label": c.label,
        "place": c.label,
        "nature": c.nature.value,
        "quote": c.quote,
        "says": c.says,
        "fault": c.fault,
        "statement": c.statement,
        "relation": c.relation,
        "kinds": {name: kind.describe() for name, kind in c.given.items()},
        "source": source(c),
        "recorded": c.recorded.value,
        "corrects": c.corrects,
        "corrected_by": [other.id for other in REGISTRY.declared.values() if other.corrects == c.id],
        "note": c.note,
    }


def record(e: Evidence) -> dict[str, Any]:
    """Return an outcome as plain data; every number of an instance is exact, as a string."""
    return {
        **described(e.claim),
        "digest": digest(e.claim, e.proof.premises if e.proof is not None else ()),
        "verdict": e.verdict.value,
        "reason": e.reason,
        "evidence": {
            "method": _method(e),
            "instances": e.instances,
            "drawn": e.drawn,
            "looked_at_again": e.looked,
            "float64_wrong_by_far": e.contradicted,
            "left_to_rounding": e.left,
            "sizes": list(e.sizes),
            "min_margin": e.min_margin if abs(e.min_margin) < float("inf") else str(e.min_margin),
            "tightest": e.tightest,
            "margins": list(e.margins),
            "seconds": round(e.seconds, 3),
        },
        "counterexample": _plain(e.counterexample),
        "certificate": _plain(e.certificate),
        "proof": _plain(e.proof),
        "argument": _plain(e.argument),
    }


def _plain(part: Counterexample | CertifiedMargin | Proof | Argument | None) -> dict[str, Any] | None:
    if part is None:
        return None
    values = {f.name: getattr(part, f.name) for f in fields(part) if f.name != "seal"}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def _method(e: Evidence) -> str:
    if e.certificate is not None:
        return "violation found by sampling and climbing, certified in ball arithmetic"
    if e.proof is not None:
        return e.proof.method
    return "sampling and climbing in float64, suspect and tight instances looked at again in balls or mpmath"


def source(c: Claim) -> str | None:
    """Return the source of a claim's two sides, without the decorator, and of the functions of its file that they call.

    Return None if there is no file to read it from.
    """
    found: dict[FunctionType, None] = {}
    left = [c.sides]
    while left:
        made = left.pop(0)
        if isinstance(made, FunctionType) and made.__module__ == c.sides.__module__ and made not in found:
            found[made] = None
            left += [made.__globals__[name] for name in _names(made.__code__) if name in made.__globals__]
    try:
        return "\n\n".join(map(_source, found))
    except (OSError, TypeError):
        return None


def _names(code: CodeType) -> list[str]:
    inner = [name for part in code.co_consts if isinstance(part, CodeType) for name in _names(part)]
    return [*code.co_names, *inner]


def _source(made: FunctionType) -> str:
    text = textwrap.dedent(inspect.getsource(made)).strip("\n")
    try:
        (node,) = ast.parse(text).body
    except (SyntaxError, ValueError):  # a lambda inside an expression
        return text
    start = node.lineno if isinstance(node, ast.FunctionDef) else 1
    return "\n".join(text.splitlines()[start - 1 :])


def changed(records: Iterable[Record]) -> list[Record]:
    """Return the claims whose verdict is not the recorded one."""
    return [r for r in records if r["verdict"] != r["recorded"]]


# Counts


def counts(records: Sequence[Record]) -> dict[str, Any]:
    """Return the number of printed statements of each paper with each verdict, and of the claims of other natures.

    `proved` counts proofs of the whole statement, `proved_in_part` those whose domain is smaller than the statement's;
    `given` counts the proofs of either sort that rest on other claims or cited theorems. `holds` counts all of these
    and the supported statements; `argued` counts the supported ones that come with a checked argument.
    """
    printed = [r for r in records if r["nature"] == Nature.PRINTED]
    papers = {p: _counts([r for r in printed if r["paper"] == p]) for p in dict.fromkeys(r["paper"] for r in records)}
    others = {n.value: _counts([r for r in records if r["nature"] == n]) for n in BESIDES}
    return {"papers": papers, "printed": _counts(printed), "others": others}


def _counts(records: Sequence[Record]) -> dict[str, int]:
    found = {v.value: sum(r["verdict"] == v for r in records) for v in Verdict}
    proofs = [r["proof"] for r in records if r["verdict"] == Verdict.PROVED and r["proof"] is not None]
    part = sum(not p["complete"] for p in proofs)
    return {
        "total": len(records),
        "holds": found["proved"] + found["supported"],
        **found,
        "proved": found["proved"] - part,
        "proved_in_part": part,
        "given": sum(bool(p["premises"]) for p in proofs),
        "argued": sum(r["verdict"] == Verdict.SUPPORTED and r["argument"] is not None for r in records),
    }


def told(records: Sequence[Record]) -> str:
    """Return the number of claims of each verdict, in one line."""
    found = {v: sum(r["verdict"] == v for r in records) for v in Verdict}
    verdicts = ", ".join(f"{count} {verdict}" for verdict, count in found.items() if count)
    return f"{len(records)} {'claim' if len(records) == 1 else 'claims'}: {verdicts}"


# The summary


COLUMNS = {  # names and styles of the counts in a table
    "total": ("printed", ""),
    "proved": ("proved", STYLES[Verdict.PROVED]),
    "proved_in_part": ("proved in part", STYLES[Verdict.PROVED]),
    "supported": ("supported", STYLES[Verdict.SUPPORTED]),
    "refuted": ("fail", STYLES[Verdict.REFUTED]),
}


def summary(records: Sequence[Record], width: int) -> Group:
    """Return the verdicts on the printed statements of each paper, and what is wrong with those that fail."""
    data = cleaned(records)
    found = counts(data)
    parts: list[RenderableType] = []
    if found["printed"]["total"]:
        parts += [_by_paper(found, width), headline(found["printed"])]
    others = besides(found)
    if others:
        parts.append(Text(f"{'Besides' if parts else 'Tested'}: {others}.", style="dim"))
    failing = [r for r in data if r["nature"] == Nature.PRINTED and r["verdict"] == Verdict.REFUTED]
    if failing:
        parts += [Text(), _failing(failing, width)]
        parts.append(Text.assemble("Read more: ", ("krdtheory verify --claim ID", "bold")))
    return Group(*parts, Text())


def columns(found: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """Return the counts that a table shows, with names and styles; rare verdicts only if there are any."""
    kept = {key: name for key, name in COLUMNS.items() if key != "proved_in_part" or found["printed"][key]}
    rare = {v.value: (v.value, STYLES.get(v, "")) for v in Verdict if v.value not in kept}
    return kept | {key: name for key, name in rare.items() if found["printed"][key] or key == Verdict.UNDECIDED}


def _by_paper(found: Mapping[str, Any], width: int) -> Table:
    table = _table("What the papers state")
    table.padding = (0, 0) if width < NARROW else (0, 1)
    papers = {p: values for p, values in found["papers"].items() if values["total"]}
    longest = max(len(word) for p in papers for word in PAPERS.get(p, p).split())
    table.add_column("paper", min_width=longest, overflow="fold")
    shown = columns(found)
    for name, _ in shown.values():
        table.add_column(name, justify="right")

    def row(name: str, values: Mapping[str, int], **options: Any) -> None:
        cells = [Text(str(values[key]), style=style if values[key] else "dim") for key, (_, style) in shown.items()]
        table.add_row(Text(name), *cells, **options)

    for paper, values in papers.items():
        row(PAPERS.get(paper, paper), values)
    if len(papers) > 1:
        table.add_section()
        row("all", found["printed"], style="bold")
    return table


def headline(printed: Mapping[str, int]) -> Text:
    """Return how many printed statements hold, and how many fail."""
    total, rest = printed["total"], printed["total"] - printed["holds"] - printed["refuted"]
    text = Text(f"Of {_number(total, 'printed statement')}, ", style="bold")
    text.append(_verb(printed["holds"], "hold"), style=STYLES[Verdict.PROVED])
    ways = [(printed["proved"], "proved"), (printed["proved_in_part"], "proved on a part of what they range over")]
    ways.append((printed["supported"], "supported: no instance tried goes against them"))
    said = ", ".join(f"{count} {way}" for count, way in ways if count)
    text.append(f" ({said}), " if said else ", ")
    text.append(_verb(printed["refuted"], "fail"), style=STYLES[Verdict.REFUTED])
    text.append(f", {rest} undecided." if rest else ".")
    if printed["given"]:
        rest_on = "rests" if printed["given"] == 1 else "rest"
        text.append(f" {printed['given']} of the proofs {rest_on} on other claims or cited theorems.", style="not bold")
    if printed["argued"]:
        come = "comes" if printed["argued"] == 1 else "come"
        text.append(
            f" {printed['argued']} of the supported {come} with an argument by hand, its steps checked.",
            style="not bold",
        )
    return text


def besides(found: Mapping[str, Any]) -> str:
    """Return the verdicts on the claims that are not printed statements, in one line."""
    return ", ".join(_besides(n, found["others"][n]) for n in BESIDES if found["others"][n]["total"])


def _besides(nature: Nature, values: Mapping[str, int]) -> str:
    one, many = BESIDES[nature]
    rest = values["total"] - values["holds"] - values["refuted"]
    outcome = [_verb(values["holds"], "hold"), _verb(values["refuted"], "fail"), f"{rest} undecided"]
    shown = ", ".join(text for text, count in zip(outcome, (1, values["refuted"], rest), strict=True) if count)
    return f"{values['total']} {one if values['total'] == 1 else many} ({shown})"


def _verb(count: int, verb: str) -> str:
    return f"{count} {verb}{'s' if count == 1 else ''}"


def _number(count: int, one: str) -> str:
    return f"{count:,} {one}{'' if count == 1 else 's'}"


def _failing(records: Sequence[Record], width: int) -> Table:
    table = _table("What fails as printed")
    table.add_column("claim", no_wrap=True, min_width=max(len(r["id"]) for r in records))
    wide = width >= NARROW
    for column in ("the paper says", "what is wrong") if wide else ("the paper says, and what is wrong",):
        table.add_column(column, ratio=1, overflow="fold")
    for r in records:
        wrong = Text(fault(r) if wide else f"but: {fault(r)}", style="red")
        cells = (Text(says(r)), wrong) if wide else (Text("\n").join([Text(says(r)), wrong]),)
        table.add_row(Text(r["id"]), *cells)
    table.expand = True
    return table


def says(r: Record) -> str:
    """Return a statement in short, or else as it is printed."""
    return str(r["says"] or r["quote"] or r["statement"])


def fault(r: Record) -> str:
    """Return what is wrong with a refuted statement, or else by how much it is violated."""
    if r["fault"] or r["certificate"] is None:
        return str(r["fault"] or r["reason"])
    return f"rhs - lhs is at most {float(r['certificate']['margin_upper']):.2g} at a counterexample"


def changes(records: Sequence[Record]) -> Table:
    """Return a table of the verdicts that differ from the recorded ones."""
    table = _table("Changed verdicts")
    for column in ("claim", "recorded", "found"):
        table.add_column(column, no_wrap=column == "claim")
    for r in cleaned(changed(records)):
        table.add_row(Text(r["id"]), Text(r["recorded"]), verdict(r))
    return table


# All claims


def tables(records: Sequence[Record], *, narrow: bool = False, compare: bool = True) -> list[Table]:
    """Return one table for each paper; narrow ones leave out where the claims are stated.

    `compare` adds the natures, and the recorded verdict if it differs from the one found.
    """
    out = []
    data = cleaned(records)
    for paper in dict.fromkeys(r["paper"] for r in data):
        table = _table(PAPERS.get(paper, paper))
        table.padding = (0, 0) if narrow else (0, 1)
        names = {r["id"]: r["id"] if r["corrects"] is None else f"  {r['id']}" for r in data if r["paper"] == paper}
        table.add_column("claim", no_wrap=True, min_width=max(map(len, names.values())))
        if not narrow:
            table.add_column("stated in", overflow="fold")
        if compare:
            table.add_column("nature")
        table.add_column("verdict")
        table.add_column("tried" if narrow else "instances", justify="right")
        table.add_column("min margin", justify="right")
        for r in data:
            if r["paper"] == paper:
                stated = () if narrow else (Text(r["label"]),)
                nature = (Text(r["nature"]),) if compare else ()
                evidence = r["evidence"]
                margin = Text(_margin(float(evidence["min_margin"])), no_wrap=True)
                table.add_row(
                    Text(names[r["id"]]), *stated, *nature, verdict(r, compare), f"{evidence['instances']:,}", margin
                )
        out.append(table)
    return out


def _table(title: str) -> Table:
    return Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)


def _margin(margin: float) -> str:
    return "~0" if abs(margin) <= ROUNDING else f"{margin:.2e}"


def marks(r: Record) -> str:
    """Return the qualifications of a verdict: premises of a proof, a proof of a part only, an argument."""
    proof, out = r["proof"], ""
    if r["verdict"] == Verdict.PROVED and proof is not None:
        out += f", given {len(proof['premises'])}" if proof["premises"] else ""
        out += "" if proof["complete"] else ", in part"
    if r["verdict"] == Verdict.SUPPORTED and r["argument"] is not None:
        out += " (argued)"
    return out


def verdict(r: Record, compare: bool = False) -> Text:
    """Return the verdict with its marks and its reason, and the recorded verdict if it differs."""
    plain = r["reason"] in PLAIN_REASONS or r["verdict"] == Verdict.ERROR  # `failed` shows the reason of an error
    reason = "" if plain else f" ({r['reason']})"
    text = Text(f"{r['verdict']}{marks(r)}{reason}", style=STYLES.get(Verdict(r["verdict"]), ""))
    if compare and r["verdict"] != r["recorded"]:
        text.append(f" was {r['recorded']}", style="bold magenta")
    return text


# One claim


def details(r: Record) -> Group:
    """Return everything about one claim: the statement, its Python code, and what was found."""
    r = cleaned(r)
    head = Text.assemble((r["id"], "bold"), ": ", verdict(r, True))
    table = Table.grid(padding=(0, 2), pad_edge=True)
    table.add_column(no_wrap=True, style="dim")
    table.add_column(overflow="fold")
    for name, value in _facts(r):
        table.add_row(Text(name), Text(value) if isinstance(value, str) else value)
    return Group(head, table, Text())


def _facts(r: Record) -> Iterable[tuple[str, RenderableType]]:
    yield "stated in", f"{r['place']} ({r['nature']})"
    if r["quote"]:
        yield "quote", f"“{r['quote']}”"
    if r["says"]:
        yield "in short", r["says"]
    if r["fault"]:
        yield "what is wrong", r["fault"]
    yield "statement", r["statement"]
    for i, (name, words) in enumerate(r["kinds"].items()):
        yield "" if i else "for", f"{name}: {words}"
    if r["source"]:
        yield "Python", _python(r["source"])
    if r["proof"] is not None:
        yield from _proof_facts(r["proof"])
    if r["argument"] is not None:
        argument = r["argument"]
        yield (
            "argument",
            f"{argument['method']}, {_number(argument['steps'], 'step')} checked; this does not prove the claim",
        )
        yield "  domain", argument["domain"]
        if argument["detail"]:
            yield "  how", argument["detail"]
    if r["counterexample"] is not None:
        yield "counterexample", ""
        for name, value in _counterexample(r):
            yield f"  {name}", value
    for i, (name, how) in enumerate(checks(r)):
        yield "" if i else "checks", f"{name}: {how}"
    yield "tried", tried(r)
    if r["note"]:
        yield "note", r["note"]
    if r["corrects"]:
        yield "corrects", r["corrects"]
    if r["corrected_by"]:
        yield "corrected by", ", ".join(r["corrected_by"])


def tried(r: Record) -> str:
    """Return the number of instances, their sizes, and how they were tried."""
    e = r["evidence"]
    text = _number(e["instances"], "instance")
    text += "" if e["drawn"] == e["instances"] else f" for which the hypotheses hold, out of {e['drawn']:,}"
    text += f", dimensions and alphabets {', '.join(map(str, e['sizes']))}" if len(e["sizes"]) > 1 else ""
    left = f", {e['left_to_rounding']} left to rounding" if e["left_to_rounding"] else ""
    return f"{text}; {e['looked_at_again']} looked at again{left}; {e['method']}"


def searched(records: Sequence[Record], *, seed: int, budget: int, sizes: Sequence[int], **other: Any) -> Text:
    """Return the budget and the seed of a search, in one line."""
    most = max((len(r["evidence"]["sizes"]) for r in records), default=0)
    text = f"seed {seed}, a budget of {budget:,} instances a claim"
    text += (
        f", dimensions and alphabets {', '.join(map(str, sorted(set(sizes))))} where a kind has none"
        if most > 1
        else ""
    )
    return Text(text, style="dim")


def failed(r: Record) -> Text:
    """Return the error of a claim's own Python code."""
    r = cleaned(r)
    return Text.assemble((f"{r['id']}: error: ", STYLES[Verdict.ERROR]), r["reason"])


def instance(c: Claim, found: Evaluation) -> Group:
    """Return both sides of a claim at one instance, one row for each inequality."""
    told = "the hypotheses do not hold there" if not found.applies else "violated" if found.violated else "holds"
    table = _table("")
    for column in ("lhs", "rhs", "margin"):
        table.add_column(column, overflow="fold")
    for x, y, margin in zip(found.lhs, found.rhs, found.margins, strict=False):
        table.add_row(x, y, f"{margin:.6g}")
    parts: list[RenderableType] = [Text(f"{cleaned(c.id)}: {told}"), *([table] if found.lhs else [])]
    if found.certificate is not None:
        low, high = found.certificate.margin_lower, found.certificate.margin_upper
        parts.append(Text(f"rhs - lhs in [{low}, {high}], certified at {found.certificate.bits} bits"))
    return Group(*parts)


def _python(text: str) -> Text:
    code = Syntax("", "python", theme="ansi_dark", background_color="default").highlight(text)
    code.rstrip()
    code.no_wrap, code.overflow = False, "fold"
    return code


def cited(premise: str) -> str:
    """Return the source of a cited theorem, or an empty string for a claim."""
    return f" ({cleaned(CITED[premise].label)})" if premise in CITED else ""


def _proof_facts(proof: Mapping[str, Any]) -> Iterable[tuple[str, RenderableType]]:
    yield "proof", proof["method"]
    yield "  domain", proof["domain"] + ("" if proof["complete"] else " (less than what the claim ranges over)")
    for i, premise in enumerate(proof["premises"]):
        yield "" if i else "  given", premise + cited(premise)
    for i, step in enumerate(proof["steps"]):
        yield "" if i else "  steps", f"{i + 1}. {step}"


def counterexample(r: Record) -> Table:
    """Return a table of the instance that refutes a claim, in exact numbers, and its two sides."""
    r = cleaned(r)
    table = _table(f"{r['id']}: counterexample")
    table.show_header = False
    table.pad_edge = True
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in _counterexample(r):
        table.add_row(Text(name), Text(value))
    return table


def _counterexample(r: Record) -> Iterable[tuple[str, str]]:
    found, certificate = r["counterexample"], r["certificate"]
    for name, value in found["inputs"].items():
        yield name, str(value).replace("'", "")
    yield "lhs", found["lhs"]
    yield "rhs", found["rhs"]
    if certificate is not None:
        low, high = certificate["margin_lower"], certificate["margin_upper"]
        yield "rhs - lhs", f"in [{low}, {high}], certified at {certificate['bits']} bits"


# Premises, and what has to be trusted


def premises(tree: Premise) -> Group:
    """Return the premises of a proof as a tree, and the number of its leaves that are not proved here."""
    ends = [p for p in leaves(tree) if p.known != "proved"]
    told = (
        f"{tree.id} rests on {_number(len(ends), 'statement')} that nothing here proves"
        if ends
        else (f"{tree.id} rests on nothing that is not proved here")
    )
    return Group(_branch(tree, Tree(_premise(tree))), Text(), Text(cleaned(told)))


def _branch(tree: Premise, shown: Tree) -> Tree:
    for premise in tree.premises:
        _branch(premise, shown.add(_premise(premise)))
    return shown


def _premise(p: Premise) -> Text:
    style = {"proved": STYLES[Verdict.PROVED], "cited": "bold", "assumed": STYLES[Verdict.UNDECIDED]}[p.known]
    how = f": {p.how}" + (", see above" if p.above else "")
    return Text.assemble(f"{p.id} ", (p.known, style), cleaned(how))


def trust() -> Table:
    """Return a table of what has to be trusted for each verdict."""
    table = _table("What has to be trusted")
    for column in ("verdict", "checked by", "trusting"):
        table.add_column(column, overflow="fold")
    for row in TRUST:
        table.add_row(*(Text(cell.replace("`", "")) for cell in row))
    return table


# Statements without a claim, and claims


def uncovered(listed: Sequence[Uncovered]) -> list[Table]:
    """Return the statements that no claim tests, in a table for each paper."""
    out = []
    for paper in dict.fromkeys(u.paper for u in listed):
        table = _table(PAPERS.get(paper, paper))
        for column in ("place", "it says", "why it is not tested"):
            table.add_column(column, overflow="fold")
        for u in listed:
            if u.paper == paper:
                table.add_row(*(Text(cleaned(text)) for text in (u.place, u.says, u.why)))
        out.append(table)
    return out


def listed(c: Claim) -> dict[str, str]:
    """Return a claim as plain data, before it is tested."""
    return {
        "id": c.id,
        "paper": c.paper,
        "label": c.label,
        "nature": c.nature.value,
        "statement": c.statement,
        "recorded": c.recorded.value,
    }


def listing(claims: Sequence[Claim]) -> Table:
    """Return a table of the claims: where they are stated, their natures, and the recorded verdicts."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("claim", "stated in", "nature", "recorded"):
        table.add_column(column, no_wrap=column == "claim")
    for c in claims:
        table.add_row(*(Text(cleaned(text)) for text in (c.id, c.label, c.nature.value, c.recorded.value)))
    return table
