"""A certificate for Rocq (Coq 8.16 or later) with the library `interval`: real expressions, and a proof."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

from verification.certificates.expand import expanded
from verification.certificates.formula import Language, Lines, Written, joined, ordered
from verification.certificates.recorder import CannotRecordError, Node
from verification.certificates.script import SIGNS, Found, heading
from verification.instances import Distributions, Fraction01, Integers, Order, Reals, Scale, Vectors

PRECISION = 160  # binary digits of the tactic
WORDS = """
as at cofix else end exists exists2 fix for forall fun if IF in let match mod return Set Prop SProp Type then using
where with R PI ln exp sqrt cos sin tan Rmax Rmin Rabs Rpower lra field interval hypotheses refuted e pos nat Z N
"""
RESERVED = frozenset(WORDS.split())


def rocq(found: Found) -> str:
    """Return a file that `coqc` accepts.

    Raises
    ------
    CannotRecordError
        The sides are not elementary real expressions.
    """
    recording = found.recording
    lhs, rhs = expanded(recording.tape, recording.lhs, recording.rhs)
    for node in ordered([lhs, rhs]):
        if node.op not in OPERATIONS or node.value is None or not _finite(node):
            raise CannotRecordError(f"{found.claim.id} has no elementary real expressions as sides")
    branches = list(_branches(found))
    lines = Lines(ROCQ, recording)
    lines.write([*(x for left, _, right in branches for x in (left, right)), lhs, rhs])
    out = [*heading(found, "(*", "*)"), "", *IMPORTS, ""]
    places = [x for x in ordered([lhs, rhs, *(x for b in branches for x in (b[0], b[2]))]) if x.op == "input"]
    letters = sorted(recording.tape.inputs, key=lambda place: place)
    out += ["(* The instance *)"]
    out += [f"Definition {_place(x)} : R := {_rational(recording.tape.inputs[x])}." for x in letters]
    stated = list(_hypotheses(found))
    unfolded = ", ".join([_place(x) for x in letters])
    if stated:
        out += ["", "(* The hypotheses *)", "Theorem hypotheses :", "  " + " /\\\n  ".join(stated) + "."]
        out += [f"Proof. unfold {unfolded}. repeat split; first [ lra | field ]. Qed."]
    if branches or any(node.op in ("max", "min") for _, node, _ in lines.lines):
        out += ["", f"Ltac order := first [ lra | {TACTIC} | apply Req_le; first [ reflexivity | field ] ]."]
    out += ["", "(* The two sides *)"]
    lemmas: list[str] = []
    names = [_place(x.data) for x in places]  # names to unfold, the last ones first
    for name, node, text in lines.lines:
        out.append(f"Definition {name} : R := {text}.")
        if node.op in ("max", "min"):
            out += _decided(name, node, lines, names, lemmas)
            lemmas.append(f"{name}_is")
        else:
            names.insert(0, name)
    out += [f"Definition lhs : R := {lines.text(lhs)}.", f"Definition rhs : R := {lines.text(rhs)}."]
    if branches:
        told = (f"{lines.text(x, 3)} {relation} {lines.text(y, 3)}" for x, relation, y in branches)
        out += ["", "(* The branches taken *)", "Theorem branches :", "  " + " /\\\n  ".join(dict.fromkeys(told)) + "."]
        out += [f"Proof. {_unfolded(names, lemmas)} repeat split; order. Qed."]
    out += ["", "(* The conclusion *)"]
    steps = _unfolded(["lhs", "rhs", *names], lemmas)
    if found.claim.relation == "==":
        turn = "Rgt_not_eq" if lhs.known > rhs.known else "Rlt_not_eq"
        out += ["Theorem refuted : lhs <> rhs.", f"Proof. apply {turn}. {steps} {TACTIC}. Qed."]
    else:
        out += ["Theorem refuted : lhs > rhs.", f"Proof. {steps} {TACTIC}. Qed."]
    return "\n".join(out) + "\n"


IMPORTS = ["Require Import Reals Lra.", "From Interval Require Import Tactic.", "Open Scope R_scope."]
TACTIC = f"interval with (i_prec {PRECISION})"
OPERATIONS = {"+", "-", "*", "/", "neg", "**", "abs", "max", "min", "log", "exp", "sqrt", "pi", "input", "constant"}


def _finite(node: Node) -> bool:
    value = node.known
    return value.rational is not None or bool(value.part().is_finite())


def _branches(found: Found) -> Iterator[tuple[Node, str, Node]]:
    """Yield the strict inequalities between elementary expressions under which the formula holds."""
    for c in found.recording.comparisons:
        if c.relation not in ("<", ">"):
            continue
        with suppress(CannotRecordError):
            left, right = expanded(found.recording.tape, c.left, c.right)
            if all(x.op in OPERATIONS and x.value is not None and _finite(x) for x in ordered([left, right])):
                yield left, c.relation, right


def _unfolded(names: list[str], lemmas: list[str]) -> str:
    unfold = f"unfold {', '.join(names)}"
    if not lemmas:
        return f"{unfold}."
    return f"repeat ({unfold}; rewrite {', '.join('?' + x for x in lemmas)})."


def _decided(name: str, node: Node, lines: Lines, names: list[str], lemmas: list[str]) -> Iterator[str]:
    """Yield a lemma that states which of two numbers is the maximum, or the minimum, and its proof."""
    x, y = node.args
    left = (x.known >= y.known) if node.op == "max" else (x.known <= y.known)
    side = "left" if left else "right"
    text = lines.text(x if left else y)
    yield f"Lemma {name}_is : {name} = {text}."
    yield (f"Proof. unfold {name}; apply R{node.op}_{side}; {_unfolded(names, lemmas)[:-1]}; order. Qed.")


def _hypotheses(found: Found) -> Iterator[str]:
    """Yield the hypotheses on numbers, distributions and unit vectors."""
    recording = found.recording
    for name, kind in found.claim.given.items():
        value = recording.values[name]
        if isinstance(kind, Distributions):
            for i, weights in enumerate(value):
                entries = [_place(f"{name}[{i}][{j}]") for j in range(weights.shape[1])]
                sign = "<" if kind.full else "<="
                yield from (f"0 {sign} {x}" for x in entries)
                yield f"{' + '.join(entries)} = 1"
        elif isinstance(kind, Vectors):
            for i in range(value.shape[1]):
                entries = [_place(f"{name}[{i}][{j}]") for j in range(value.shape[2])]
                yield f"{' + '.join(f'{x} * {x}' for x in entries)} = 1"
        elif isinstance(kind, Order):
            open_ = "<" if not kind.closed or kind.low == 0 else "<="
            yield f"{_float(kind.low)} {open_} {_place(name)}"
            if kind.high < float("inf"):
                yield f"{_place(name)} {'<=' if kind.closed else '<'} {_float(kind.high)}"
            yield f"{_place(name)} <> 1"
        elif isinstance(kind, Scale | Reals | Fraction01 | Integers):
            yield from _range(kind, _place(name))


def _range(kind: Scale | Reals | Fraction01 | Integers, name: str) -> Iterator[str]:
    low: float | None = 0
    high: float = 1
    open_low = open_high = False
    if isinstance(kind, Scale):
        high, open_low = kind.high, kind.positive
    elif isinstance(kind, Reals):
        low, high = (None if kind.high == float("inf") else -kind.high), kind.high
    elif isinstance(kind, Integers):
        low, high = kind.low, kind.high
    else:
        open_low, open_high = not kind.zero, not kind.one
    if low is not None:
        yield f"{_float(low)} {'<' if open_low else '<='} {name}"
    if high < float("inf"):
        yield f"{name} {'<' if open_high else '<='} {_float(high)}"


def _float(x: float) -> str:
    p, q = float(x).as_integer_ratio()
    return str(p) if q == 1 else f"({p} / {q})"


# The language


def _place(place: str) -> str:
    name = re.sub(r"\]\[|\[", "_", place).rstrip("]")
    return f"{name}_" if name in RESERVED else name


def _rational(node: Node) -> str:
    value = node.known.rational
    if value is None:
        raise CannotRecordError("an infinite number")
    return f"{int(value.p)}" if value.q == 1 else f"{int(value.p)} / {int(value.q)}"


def _constant(node: Node) -> str:
    text = _rational(node)
    return f"({text})" if "/" in text else text


def _operation(node: Node, args: list[Written]) -> Written:
    texts = [f"({text})" if precedence < 5 else text for text, precedence in args]
    if node.op in ("+", "-", "*", "/", "neg"):
        return joined(node, args, SIGNS)
    if node.op == "**":
        exponent, base = node.args[1].known.rational, node.args[0].known
        if exponent is not None and exponent.q == 1 and (node.args[1].op == "constant" or not base > 0):
            n = int(exponent.p)
            return (f"{texts[0]} ^ {n}", 4) if n >= 0 else (f"/ ({texts[0]} ^ {-n})", 2)
        return f"Rpower {texts[0]} {texts[1]}", 4.5
    if node.op == "pi":
        return "PI", 5
    names = {"abs": "Rabs", "max": "Rmax", "min": "Rmin", "log": "ln"}
    return f"{names.get(node.op, node.op)} {' '.join(texts)}", 4.5


ROCQ = Language(_constant, _place, _operation, RESERVED, 100, apart=frozenset({"max", "min"}))
