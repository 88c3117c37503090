"""A certificate as plain data, for programs.

It is a JSON object: `format` is "krdtheory certificate", and `schema` is the version of the format, 1. `claim`
describes the claim as in outcomes: its id, paper, label, nature, statement, relation, quote, says, fault. `instance` is
the counterexample as in outcomes, with exact numbers as strings; `hypotheses` are conditions on it in Python, and in
words.

`lines` are the named parts of the formula, in order, each `{"name": ..., "value": EXPRESSION}`; `lhs` and `rhs` are
expressions of these. An expression is one of

- `{"input": "p[0][1]"}`, an entry of the instance, given by its place;
- `{"name": "t1"}`, an earlier line;
- `{"constant": "1/3"}`, an exact rational, or "inf" or "-inf";
- `{"op": OPERATION, "args": [...]}`: `+ - * / ** max min` of two, `neg abs exp log sqrt` of one, `pi` of none;
- `{"call": NAME, "args": [...], "named": {...}}`, a function that `intervals.py` defines;
- `{"item": EXPRESSION, "index": [0, 1]}`, an entry of the result of such a function;
- a list of expressions: a vector, or a matrix as a list of rows.

`branches` are the comparisons under which the formula holds, `{"left": ..., "relation": "<", "right": ...}`, and
`zeros` the expressions that were left out because they are zero. `values` has both sides to 20 digits, and `aside` the
sides that do not depend on the instance. New keys may be added; if a key changes its meaning, `schema` increases.
"""

from __future__ import annotations

import json
from typing import Any

from krdtheory import __version__
from krdtheory.terminal import cleaned
from verification.certificates.formula import Lines
from verification.certificates.hypotheses import conditions
from verification.certificates.recorder import Node
from verification.certificates.script import PYTHON, Found, letter, roots
from verification.instances import shown

SCHEMA = 1


def data(found: Found) -> str:
    """Return the text of the JSON object."""
    claim, recording = found.claim, found.recording
    lines = Lines(PYTHON, recording)
    lines.write(roots(recording))
    names = {id(node): name for name, node, _ in lines.lines}
    facts = ("id", "paper", "label", "statement", "relation", "quote", "says", "fault")
    out: dict[str, Any] = {
        "format": "krdtheory certificate",
        "schema": SCHEMA,
        "version": __version__,
        "claim": {**{key: getattr(claim, key) for key in facts}, "nature": claim.nature.value},
        "instance": {name: shown(value) for name, value in recording.values.items()},
        "hypotheses": [{"condition": c, "words": w} for c, w in conditions(claim.given, recording.values, letter)],
        "lines": [{"name": name, "value": _tree(node, names, whole=True)} for name, node, _ in lines.lines],
        "lhs": _tree(recording.lhs, names),
        "rhs": _tree(recording.rhs, names),
        "branches": [
            {"left": _tree(c.left, names), "relation": c.relation, "right": _tree(c.right, names)}
            for c in recording.comparisons
        ],
        "zeros": [_tree(x, names) for x in recording.left_out],
        "values": {"lhs": found.lhs, "rhs": found.rhs},
        "aside": found.aside,
    }
    return json.dumps(cleaned(out), indent=1, ensure_ascii=False) + "\n"


def _tree(node: Node, names: dict[int, str], *, whole: bool = False) -> Any:
    """Return an expression as data; `whole` writes it out even if it has a line of its own."""
    if id(node) in names and not whole:
        return {"name": names[id(node)]}
    args = [_tree(x, names) for x in node.args]
    if node.op == "input" or (node.op == "list" and node.data is not None):
        return {"input": node.data}
    if node.op == "list":
        return args
    if node.op == "constant":
        value = node.known.rational
        return {"constant": str(value) if value is not None else "inf" if node.known > 0 else "-inf"}
    if node.op == "call":
        call = node.data
        named = dict(zip(call.named, args[call.positional :], strict=True))
        return {"call": call.name, "args": args[: call.positional], "named": named}
    if node.op == "item":
        return {"item": args[0], "index": list(node.data)}
    return {"op": node.op, "args": args}
