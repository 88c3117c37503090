"""A certificate in LaTeX: the statement, the counterexample, and both sides step by step."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from krdtheory.terminal import cleaned
from verification.certificates import intervals
from verification.certificates.formula import PRECEDENCE, Language, Lines, Written, ordered
from verification.certificates.recorder import Node
from verification.certificates.script import Found, roots
from verification.claim import PAPERS
from verification.instances import shown

OPEN, CLOSE, COMMA = r"\left(", r"\right)", r",\; "  # delimiters of vectors
MATRIX = r"\begin{pmatrix} %s \end{pmatrix}"
GREEK = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "lambda", "mu"),
    *("omega", "phi", "psi", "rho", "sigma", "tau", "theta"),
)
DIVERGENCES = {
    "renyi": r"D_{%s}",
    "sandwiched_renyi": r"\widetilde D_{%s}",
    "petz_renyi": r"\bar D_{%s}",
    "maximal_renyi": r"\widehat D_{%s}",
    "hockey_stick": r"E_{e^{%s}}",
    "quantum_hockey_stick": r"E_{e^{%s}}",
}


def latex(found: Found) -> str:
    """Return a document for pdflatex, whose parts can be copied into another one."""
    claim, recording = found.claim, found.recording
    lines = Lines(LATEX, recording)
    lines.write([recording.lhs, recording.rhs])
    out = [r"\documentclass{article}", r"\usepackage{amsmath,amssymb}", r"\allowdisplaybreaks", r"\begin{document}"]
    out += [rf"\section*{{{_escaped(claim.id)}: a counterexample}}"]
    stated = f"{PAPERS.get(claim.paper, claim.paper)}, {claim.label} ({claim.nature.value})"
    out += ["", rf"\paragraph{{Stated in}} {_escaped(stated)}."]
    out += ["", r"\paragraph{Statement}", r"\[", cleaned(claim.statement), r"\]"]
    if claim.quote:
        out += [r"\begin{quote}\ttfamily", _escaped(" ".join(claim.quote.split())), r"\end{quote}"]
    out += ["", r"\paragraph{Counterexample}", r"\begin{align*}", " \\\\\n".join(_instance(found)), r"\end{align*}"]
    calls = dict.fromkeys(x.data.name for x in ordered(roots(recording)) if x.op == "call")
    if calls:
        out += ["Here", r"\begin{itemize}", *_definitions(list(calls)), r"\end{itemize}"]
    out += ["", r"\paragraph{Certificate}", r"\begin{align*}"]
    rows = [f"{_name(name)} &= {text}" for name, _, text in lines.lines]
    rows += [rf"\mathrm{{lhs}} &= {lines.text(recording.lhs)} {_decimal(found.lhs)}"]
    rows += [rf"\mathrm{{rhs}} &= {lines.text(recording.rhs)} {_decimal(found.rhs)}"]
    out += [" \\\\\n".join(rows), r"\end{align*}"]
    sign, fails = (">", r"\le") if claim.relation == "<=" else (r"\ne", "=")
    out += [rf"So $\mathrm{{lhs}} {sign} \mathrm{{rhs}}$, against $\mathrm{{lhs}} {fails} \mathrm{{rhs}}$."]
    return "\n".join([*out, r"\end{document}"]) + "\n"


def _escaped(text: str) -> str:
    """Return text in which special characters are escaped, so that it contains no commands."""
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    special |= {c: f"\\{c}" for c in "#$%&_{}"}
    return "".join(special.get(c, c) for c in cleaned(text))


def _decimal(text: str) -> str:
    if text.endswith("inf"):
        return ""
    mantissa, _, exponent = text.partition("e")
    return rf"= {mantissa[:14]}\ldots" + (rf"\cdot 10^{{{int(exponent)}}}" if exponent else "")


def _definitions(calls: list[str]) -> Iterator[str]:
    for name in calls:
        words = str(getattr(intervals, name).__doc__).strip().splitlines()[0]
        yield rf"\item \texttt{{{_escaped(name)}}}: {_escaped(words)}"


def _instance(found: Found) -> Iterator[str]:
    for name, value in found.recording.values.items():
        yield f"{_name(name)} &= {_value(shown(value))}"


def _value(x: Any) -> str:
    if isinstance(x, dict):
        return r",\ ".join(rf"\mathrm{{{key}}} = {_value(v)}" for key, v in x.items())
    if not isinstance(x, list):
        return _fraction(Fraction(x))
    if all(isinstance(row, list) and not isinstance(row[0], list) for row in x):
        rows = r" \\ ".join(" & ".join(map(_value, row)) for row in x)
        return rf"\begin{{pmatrix}} {rows} \end{{pmatrix}}"
    if any(isinstance(row, list) for row in x):
        return r",\ ".join(map(_value, x))
    return rf"({', '.join(map(_value, x))})"


def _fraction(x: Fraction) -> str:
    sign = "-" if x < 0 else ""
    return str(x) if x.denominator == 1 else rf"{sign}\tfrac{{{abs(x.numerator)}}}{{{x.denominator}}}"


def _name(name: str) -> str:
    """Return a letter with its indices, Greek if it has a Greek name."""
    word, *indices = re.findall(r"[A-Za-z]+|\d+", name) or ["t"]
    words = [x for x in indices if not x.isdigit()]
    numbers = [x for x in indices if x.isdigit()]
    word = "lambda" if word == "lam" else word
    base = f"\\{word}" if word in GREEK else word if len(word) == 1 else rf"\mathrm{{{word}}}"
    base += rf"^{{\mathrm{{{' '.join(words)}}}}}" if words else ""
    return base + (f"_{{{','.join(numbers)}}}" if numbers else "")


def _constant(node: Node) -> str:
    value = node.known.rational
    if value is None:
        return r"\infty" if node.known > 0 else r"-\infty"
    return _fraction(Fraction(int(value.p), int(value.q)))


def _operation(node: Node, args: list[Written]) -> Written:
    texts = [text for text, _ in args]

    def bracketed(i: int, least: float) -> str:
        return texts[i] if args[i][1] >= least else rf"\left({texts[i]}\right)"

    if node.op == "/":
        return rf"\frac{{{texts[0]}}}{{{texts[1]}}}", 4
    if node.op in ("+", "-", "*"):
        own = PRECEDENCE[node.op]
        sign = r"\cdot" if node.op == "*" else node.op
        right = own if node.op == "+" and node.args[1].op == "+" else own + 1
        return f"{bracketed(0, own)} {sign} {bracketed(1, right)}", own
    if node.op == "neg":
        return f"-{bracketed(0, 2)}", 1.5
    if node.op == "**":
        return f"{{{bracketed(0, 4.5)}}}^{{{texts[1]}}}", 4
    if node.op == "exp":
        return f"e^{{{texts[0]}}}", 4
    if node.op == "sqrt":
        return rf"\sqrt{{{texts[0]}}}", 5
    if node.op == "abs":
        return rf"\left|{texts[0]}\right|", 5
    if node.op == "pi":
        return r"\pi", 5
    if node.op == "list":
        if all(x.op == "list" for x in node.args):
            rows = (text.removeprefix(OPEN).removesuffix(CLOSE).replace(COMMA, " & ") for text in texts)
            return MATRIX % r" \\ ".join(rows), 5
        return f"{OPEN}{COMMA.join(texts)}{CLOSE}", 5
    if node.op == "item":
        return f"{{{bracketed(0, 5)}}}_{{{','.join(map(str, node.data))}}}", 5
    if node.op == "call":
        return _call(node, texts)
    name = {"log": r"\log", "max": r"\max", "min": r"\min"}[node.op]
    return rf"{name}\left({', '.join(texts)}\right)", 5


def _call(node: Node, texts: list[str]) -> Written:
    call = node.data
    if call.name in DIVERGENCES and call.positional == 3 and not call.named:
        return rf"{DIVERGENCES[call.name] % texts[2]}\left({texts[0]}\,\middle\|\,{texts[1]}\right)", 5
    named = [
        rf"\mathrm{{{_escaped(key)}}}={text}" for key, text in zip(call.named, texts[call.positional :], strict=True)
    ]
    arguments = ", ".join([*texts[: call.positional], *named])
    return rf"\operatorname{{{_escaped(call.name)}}}\left({arguments}\right)", 5


LATEX = Language(_constant, _name, _operation, frozenset(), 160, _name)
