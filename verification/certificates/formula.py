"""The formula of a recording, line by line: which numbers get a line and a name, and in which order."""

from __future__ import annotations

import keyword
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from verification.certificates.recorder import Node, Recording, finite

LONG = 88  # the most characters of an expression; a longer one is split
TRIVIAL = ("input", "constant", "pi")
RATIONAL = ("input", "constant", "+", "-", "*", "/", "neg", "abs", "max", "min")
Written = tuple[str, float]  # a text, and its precedence: how tightly it binds
PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2, "neg": 3, "**": 4}


def ordered(roots: Iterable[Node]) -> list[Node]:
    """Return all nodes on which some nodes depend, arguments first."""
    done: dict[int, Node] = {}
    for root in roots:
        stack: list[tuple[Node, Iterator[Node]]] = [(root, iter(root.args))]
        while stack:
            node, left = stack[-1]
            following = next((x for x in left if id(x) not in done), None) if id(node) not in done else None
            if following is None:
                done[id(node)] = node
                stack.pop()
            else:
                stack.append((following, iter(following.args)))
    return list(done.values())


def inputs(*roots: Node) -> list[str]:
    """Return the entries of the instance on which some nodes depend."""
    return [x.data for x in ordered(roots) if x.op == "input" or (x.op == "list" and x.data is not None)]


def is_rational(root: Node) -> bool:
    """Whether a number is computed from the instance by rational operations alone."""
    return all(
        (x.op in RATIONAL and finite(x)) or (x.op == "**" and _integer(x.args[1]))
        for x in ordered([root])
        if x.op != "list"
    )


def _integer(x: Node) -> bool:
    value = x.value.rational if x.value is not None else None
    return value is not None and value.q == 1


@dataclass
class Language:
    """How numbers are written: constants, entries of the instance, and each operation on texts of its arguments."""

    constant: Callable[[Node], str]
    place: Callable[[str], str]
    operation: Callable[[Node, list[Written]], Written]
    reserved: frozenset[str] = frozenset()
    long: int = LONG
    name: Callable[[str], str] = str
    apart: frozenset[str] = frozenset()  # operations that get a line of their own


@dataclass
class Lines:
    """The lines of a formula, in order: (name, node, text)."""

    language: Language
    recording: Recording
    lines: list[tuple[str, Node, str]] = field(default_factory=list)
    _texts: dict[int, Written] = field(default_factory=dict)  # with the precedence
    _taken: set[str] = field(default_factory=set)
    _uses: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._taken |= {*self.recording.values, "lhs", "rhs", *self.language.reserved}

    def write(self, roots: Iterable[Node]) -> None:
        """Write lines for everything on which some nodes depend, in order."""
        nodes = ordered(roots)
        for node in nodes:
            self._uses.update(map(id, node.args))
        for node in nodes:
            if id(node) not in self._texts:
                self._write(node)

    def text(self, node: Node, tightness: float = 0) -> str:
        """Return a node as text, in parentheses unless it binds at least as tightly as `tightness`."""
        text, precedence = self._texts[id(node)]
        return text if precedence >= tightness else f"({text})"

    def _write(self, node: Node) -> None:
        if node.op == "constant":
            text = self.language.constant(node)
            self._texts[id(node)] = text, 5 if text[0] != "-" else 3
            return
        if node.op == "input" or (node.op == "list" and node.data is not None):
            self._texts[id(node)] = self.language.place(node.data), 5
            return
        text, precedence = self._expression(node)
        while len(text) > self.language.long:
            longest = max(node.args, key=lambda x: len(self._texts[id(x)][0]))
            if len(self._texts[id(longest)][0]) <= 24 or longest.op in TRIVIAL:
                break
            self._line(longest, *self._texts[id(longest)])
            text, precedence = self._expression(node)
        self._texts[id(node)] = text, precedence
        named = id(node) in self.recording.tape.names
        if node.op in TRIVIAL or (node.op == "list" and all(x.op == "constant" for x in node.args)):
            return
        if named or node.op in self.language.apart or (self._uses[id(node)] > 1 and len(text) > 12):
            self._line(node, text, precedence)

    def _expression(self, node: Node) -> Written:
        return self.language.operation(node, [self._texts[id(x)] for x in node.args])

    def _line(self, node: Node, text: str, precedence: float) -> None:
        tape = self.recording.tape
        wanted = tape.names.get(id(node)) or tape.parts.get(id(node)) or "t"
        name = self._free(wanted)
        self.lines.append((name, node, text))
        self._texts[id(node)] = self.language.name(name), 5

    def _free(self, wanted: str) -> str:
        wanted = wanted.lstrip("_") or "t"
        name, i = wanted, 1
        while name in self._taken or keyword.iskeyword(name) or (wanted == "t" and name == "t"):
            i += 1
            name = f"{wanted}_{i}" if wanted != "t" else f"t{i - 1}"
        self._taken.add(name)
        return name


def joined(node: Node, args: list[Written], signs: Mapping[str, str]) -> Written:
    """Return a binary operation or a minus sign as text, with the necessary parentheses."""
    own = PRECEDENCE[node.op]

    def bracketed(i: int, least: float) -> str:
        text, precedence = args[i]
        return text if precedence >= least else f"({text})"

    if node.op == "neg":
        return f"-{bracketed(0, own)}", own
    same = node.op in "+*" and node.args[1].op == node.op
    right = own if same else own + 1
    return f"{bracketed(0, own)}{signs[node.op]}{bracketed(1, right)}", own
