"""A certificate as a Python script that needs only the standard library."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from krdtheory.terminal import cleaned
from verification.certificates import intervals
from verification.certificates.formula import Language, Lines, Written, inputs, is_rational, joined
from verification.certificates.hypotheses import conditions
from verification.certificates.recorder import Comparison, Node, Recording
from verification.claim import PAPERS, Claim

WIDTH = 100
SHORT = 40  # the most characters of a rational that is compared exactly
FUNCTIONS = {"max": "maximum", "min": "minimum"}
SIGNS = {"+": " + ", "-": " - ", "*": " * ", "/": " / "}
RESERVED = frozenset(dir(intervals)) | {*dir(builtins), "sys", "Path", "left", "right"}


@dataclass(frozen=True)
class Found:
    """A recorded formula, and the values of both sides that the program computed, to 20 digits."""

    recording: Recording
    lhs: str
    rhs: str
    bits: int = intervals.BITS

    @property
    def claim(self) -> Claim:
        """The claim that the instance violates."""
        return self.recording.claim

    @property
    def aside(self) -> list[str]:
        """The sides that do not depend on the instance."""
        return [s for s in ("lhs", "rhs") if not inputs(getattr(self.recording, s))]


@cache
def library() -> str:
    """Return the text of `intervals.py`, the file that scripts import."""
    return files("verification.certificates").joinpath("intervals.py").read_text(encoding="utf-8")


def script(found: Found, *, inline: bool = False) -> str:
    """Return the script of a certificate; `inline` copies into it what it needs from `intervals.py`.

    Raises
    ------
    CannotRecordError
        The hypotheses cannot be expressed as conditions.
    """
    text = body(found)
    needed = _needed(text)
    return "\n".join([_head(found, bool(needed) and not inline), *_library(needed, inline), text])


def roots(recording: Recording) -> list[Node]:
    """Return everything that a script computes: what was compared or left out, and the sides."""
    compared = [x for c in recording.comparisons for x in (c.left, c.right)]
    return [*compared, *recording.left_out, recording.lhs, recording.rhs]


def needs_library(found: Found) -> bool:
    """Whether the script imports `intervals.py`."""
    return bool(_needed(body(found)))


def _needed(text: str) -> list[str]:
    used = {x.id for x in ast.walk(ast.parse(text)) if isinstance(x, ast.Name)}
    return sorted((used & set(dir(intervals))) - {"F", "check"})


def body(found: Found) -> str:
    """Return the script after its imports."""
    recording = found.recording
    claim = recording.claim
    lines = Lines(PYTHON, recording)
    every = roots(recording)
    lines.write(every)
    out = [f"precision({found.bits})\n"] if found.bits != intervals.BITS else []
    out += ["# The instance", *_instance(recording.values)]
    unused = _unused(recording, every)
    if unused:
        out += _comment(f"Nothing below depends on {', '.join(map(letter, unused))}.")
    out += ["", "# The hypotheses"]
    for condition, words in conditions(claim.given, recording.values, letter):
        out += _check(condition, words)
    out += ["", "# The two sides" + (", with the names that the claim's own function uses" if lines.lines else "")]
    out += [_folded(f"{name} = {text}") for name, _, text in lines.lines]
    out += [_folded(f"{side} = {lines.text(getattr(recording, side))}") for side in ("lhs", "rhs")]
    for side in found.aside:
        out += _comment(f"NOTE: {side} does not depend on the instance.")
    if recording.comparisons or recording.left_out:
        out += ["", "# The branches taken, and the terms left out because they are zero"]
        out += _branches(lines, recording.comparisons)
        out += _zeros(lines, recording.left_out)
    out += ["", "# Agreement with the program that found the instance"]
    out += _check(*_agrees("lhs", found.lhs, recording.lhs))
    out += _check(*_agrees("rhs", found.rhs, recording.rhs))
    out += ["", "# The conclusion"]
    if claim.relation == "==":
        out += _check("lhs < rhs or rhs < lhs", "lhs != rhs: the equality lhs = rhs fails")
    else:
        out += _check("lhs > rhs", "lhs > rhs: the inequality lhs <= rhs fails")
    return "\n".join(out) + "\n"


def _folded(line: str) -> str:
    """Return a long line, broken after commas, all of which are in brackets."""
    first, *rest = _rows(line, WIDTH)
    return "\n".join([first, *(f"    {row}" for row in rest)])


def _agrees(side: str, text: str, node: Node) -> tuple[str, str]:
    """Return the condition that a side agrees with the program, exactly if it is a short rational, and its words."""
    value = node.known.rational
    if is_rational(node) and value is not None and len(str(value)) <= SHORT:
        return f"{side} == {_constant(node)}", f"{side} is {value}"
    return f'agrees({side}, "{text}")', f"{side} is {text}"


# The head


def heading(found: Found, opening: str = "#", closing: str = "") -> list[str]:
    """Return the description of the claim, as comments."""
    claim = found.claim
    out = [f"{claim.id}: a counterexample"]
    out += _field("Stated in", f"{PAPERS.get(claim.paper, claim.paper)}, {claim.label} ({claim.nature.value})")
    out += _field("Statement", claim.statement)
    out += _field("Claimed", f"lhs {'<=' if claim.relation == '<=' else '='} rhs, of the two sides below")
    if claim.quote:
        out += _field("Quote", claim.quote)
    if claim.says:
        out += _field("In short", claim.says)
    if claim.fault:
        out += _field("But", claim.fault)
    safe = (line.replace("(*", "( *").replace("*)", "* )") for line in out) if closing else iter(out)
    return [f"{opening} {line} {closing}".rstrip() for line in safe]


def _head(found: Found, beside: bool) -> str:
    first, *rest = heading(found)
    needs = "Python 3.8 or later" + (" and the file intervals.py beside it" if beside else " and nothing else")
    last = f"# Run it with python3: it needs {needs}. Exit status 0: verified."
    return "\n".join([first, "#", *rest, "#", last]) + "\n"


def _field(name: str, text: str) -> list[str]:
    return textwrap.wrap(f"{name}: {' '.join(cleaned(text).split())}", WIDTH - 6, subsequent_indent="    ")


def _comment(text: str) -> list[str]:
    return [f"# {line}" for line in textwrap.wrap(text, WIDTH - 2)]


def _library(needed: list[str], inline: bool) -> list[str]:
    if not needed:
        return [
            "from fractions import Fraction as F\n\n",
            "def check(condition, what):",
            "    if condition is not True:",
            '        raise SystemExit(f"NOT VERIFIED: {what}")',
            '    print("ok:", what)\n\n',
        ]
    if inline:
        return [_extract({*needed, "check"}), ""]
    names = textwrap.fill(", ".join(["F", *sorted([*needed, "check"])]), WIDTH - 24, subsequent_indent="    ")
    names = f"(\n    {names},\n)" if "\n" in names else names
    return [
        "import sys",
        "from pathlib import Path\n",
        "sys.path.insert(0, str(Path(__file__).resolve().parent))",
        f"from intervals import {names}\n",
    ]


def _extract(needed: set[str]) -> str:
    """Return the required functions of the library, and those that they require, as they are in the library."""
    text = library()
    tree = ast.parse(text)
    lines = text.splitlines()
    defined: dict[str, ast.stmt] = {}
    imports: list[str] = []
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            defined[statement.name] = statement
        elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            defined[statement.targets[0].id] = statement
        elif isinstance(statement, ast.ImportFrom):
            imports.append(ast.unparse(statement))
    kept: set[str] = set()
    left = list(needed)
    while left:
        name = left.pop()
        if name in defined and name not in kept:
            kept.add(name)
            left += [x.id for x in ast.walk(defined[name]) if isinstance(x, ast.Name)]
    parts = [
        ("" if isinstance(node, ast.Assign) else "\n\n") + "\n".join(lines[node.lineno - 1 : node.end_lineno])
        for name, node in defined.items()
        if name in kept
    ]
    return "\n".join([*imports, "", *parts, "\n"])


# The instance


def _instance(values: Mapping[str, Any]) -> Iterable[str]:
    for name, value in values.items():
        yield f"{letter(name)} = {_literal(value)}"


def letter(name: str) -> str:
    """Return the name of a letter of the instance, or of an entry, in a script; it avoids Python's own names."""
    word, *rest = re.split(r"(?=\[)", name, maxsplit=1)
    return "".join([f"{word}_" if word in RESERVED or keyword.iskeyword(word) else word, *rest])


def _literal(value: Any) -> str:
    """Return a value of the instance, batch of one, in Python."""
    if isinstance(value, list | tuple):
        return _broken([_literal(v) for v in value])
    if hasattr(value, "isometry"):
        return _literal(value.isometry)
    if hasattr(value, "staircase"):
        return str(value.staircase[0].tolist())
    return _array(value[0])


def _array(x: Any) -> str:
    if isinstance(x, np.ndarray):
        return _broken([_array(y) for y in x])
    if isinstance(x, int | np.integer):
        return str(int(x))
    return fraction(x if isinstance(x, Fraction) else _real(x))


def _real(x: Any) -> Fraction:
    return Fraction(int(x.numerator), int(x.denominator)) if not hasattr(x, "y") else _real(x.x)


def _broken(items: list[str]) -> str:
    """Return a list as text, on several lines if it is long."""
    text = f"[{', '.join(items)}]"
    if len(text) <= WIDTH - 12 and "\n" not in text:
        return text
    rows = [items[0]]
    for item in items[1:]:
        if "\n" in rows[-1] + item or len(rows[-1]) + len(item) > WIDTH - 12 or item[0] == "[":
            rows.append(item)
        else:
            rows[-1] += f", {item}"
    return "[\n" + textwrap.indent(",\n".join(rows), "    ") + ",\n]"


def fraction(x: Fraction) -> str:
    """Return a rational in Python."""
    return f"F({x.numerator})" if x.denominator == 1 else f"F({x.numerator}, {x.denominator})"


def _unused(recording: Recording, roots: list[Node]) -> list[str]:
    used = set(inputs(*roots))
    out = []
    for name in recording.values:
        mine = [place for place in recording.tape.inputs if place == name or place.startswith(f"{name}[")]
        idle = [place for place in mine if not any(place == one or place.startswith(f"{one}[") for one in used)]
        out += [name] if mine and idle == mine else idle
    return out


# Checks


def _check(condition: str, words: str) -> list[str]:
    words = words.replace('"', "'").replace("\\", "/")
    text = f'check({condition}, "{words}")'
    if len(text) <= WIDTH:
        return [text]
    rows = [row for line in condition.splitlines() for row in _rows(line, WIDTH - 4)]
    return ["check(", *(f"    {row}" for row in rows[:-1]), f"    {rows[-1]},", f'    "{words}",', ")"]


def _rows(line: str, width: int) -> list[str]:
    """Return a condition broken before `and` and `or`, or else after commas; all of it is in brackets."""
    if len(line) <= width:
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    parts = re.split(r" (?=and |or )|(?<=,) ", line.strip())
    rows = [parts[0]]
    for part in parts[1:]:
        if len(indent) + len(rows[-1]) + len(part) < width:
            rows[-1] += f" {part}"
        else:
            rows.append(part)
    return [indent + row for row in rows]


def _branches(lines: Lines, found: list[Comparison]) -> list[str]:
    texts = dict.fromkeys(f"{lines.text(c.left, 1)} {c.relation} {lines.text(c.right, 1)}" for c in found)
    return _check(" and ".join(texts), "the branches taken") if texts else []


def _zeros(lines: Lines, nodes: list[Node]) -> list[str]:
    texts = list(dict.fromkeys(lines.text(x) for x in nodes))
    if not texts:
        return []
    if len(texts) == 1:
        return _check(f"{texts[0]} == 0", "a term left out is zero")
    return _check(f"all(x == 0 for x in {_broken(texts)})", "the terms left out are zero")


# The language


def _constant(node: Node) -> str:
    value = node.known.rational
    if value is None:
        return "inf" if node.known > 0 else "-inf"
    return str(int(value.p)) if value.q == 1 else f"F({int(value.p)}, {int(value.q)})"


def _operation(node: Node, args: list[Written]) -> Written:
    texts = [text for text, _ in args]
    if node.op in "+-*/" or node.op == "neg":
        return joined(node, args, SIGNS)
    if node.op == "**":
        exponent = node.args[1].known.rational
        if exponent is not None and exponent.q == 1:
            base = texts[0] if args[0][1] > 4 else f"({texts[0]})"
            return f"{base}**{texts[1] if args[1][1] > 4 else f'({texts[1]})'}", 4
        return f"power({texts[0]}, {texts[1]})", 5
    if node.op == "list":
        return f"[{', '.join(texts)}]", 5
    if node.op == "call":
        call = node.data
        named = [f"{key}={text}" for key, text in zip(call.named, texts[call.positional :], strict=True)]
        return f"{call.name}({', '.join(texts[: call.positional] + named)})", 5
    if node.op == "item":
        return texts[0] + "".join(f"[{i}]" for i in node.data), 5
    if node.op == "pi":
        return "pi()", 5
    name = FUNCTIONS.get(node.op, node.op)
    if node.op in FUNCTIONS and is_rational(node):
        name = node.op
    return f"{name}({', '.join(texts)})", 5


PYTHON = Language(_constant, letter, _operation, RESERVED)
