"""Expansion of the calls in a recorded formula: their definitions are run on recorded numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from verification.certificates.formula import ordered
from verification.certificates.recorder import CannotRecordError, Node, RecordingVocabulary, Tape
from verification.certificates.script import library

# functions that are not expanded
WITHIN = (
    "normal",
    "diagonalised",
    "rank",
    "enclose",
    "Interval",
    "eigenvalues",
    "matrix_power",
    "matrix_log",
    "response",
)
MOST = 2000  # the most nodes of an expanded formula


def expanded(tape: Tape, *roots: Node) -> list[Node]:
    """Return these nodes without calls.

    Raises
    ------
    CannotRecordError
        A call needs more than elementary functions, or the formula becomes too long.
    """
    space = _definitions(tape)
    done: dict[int, Any] = {}
    for node in ordered(roots):
        args = [done[id(x)] for x in node.args]
        if node.op == "call":
            call = node.data
            named = dict(zip(call.named, args[call.positional :], strict=True))
            try:
                done[id(node)] = space[call.name](*args[: call.positional], **named)
            except (RecursionError, ArithmeticError) as error:
                raise CannotRecordError(f"{call.name} cannot be written out: {error}") from None
        elif node.op == "item":
            value = args[0]
            for i in node.data:
                value = value[i]
            done[id(node)] = value
        elif node.op == "list":
            done[id(node)] = args
        elif all(x is y for x, y in zip(args, node.args, strict=True)):
            done[id(node)] = node
        else:
            done[id(node)] = _applied(tape, node, args)
        if len(tape.nodes) > 20 * MOST:
            raise CannotRecordError("the formula becomes too long")
    out = [tape.node(done[id(x)]) for x in roots]
    if len(ordered(out)) > MOST:
        raise CannotRecordError("the formula becomes too long")
    return out


def _applied(tape: Tape, node: Node, args: list[Any]) -> Node:
    nodes = [tape.node(x) for x in args]
    if node.op in ("+", "-", "*", "/", "**"):
        made: Node = tape.binary(node.op, *nodes)
        return made
    return -nodes[0] if node.op == "neg" else tape.apply(node.op, node.known, *nodes)


def _definitions(tape: Tape) -> dict[str, Any]:
    """Return the definitions of the library, adapted to work on nodes."""
    space: dict[str, Any] = {"__name__": "intervals"}
    exec(compile(library(), "intervals.py", "exec"), space)
    k = RecordingVocabulary(tape)

    def one(f: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *x: f(*x).item()

    space |= {"log": one(k.log), "exp": one(k.exp), "sqrt": one(k.sqrt), "power": one(k.power), "pi": lambda: k.pi}
    space["is_exact"] = lambda x: isinstance(x, int)
    space["F"] = lambda x, y=1: tape.node(x) / y
    space["maximum"] = lambda x, *others: _folded(one(k.maximum), x, *others)
    space["minimum"] = lambda x, *others: _folded(one(k.minimum), x, *others)
    for name in WITHIN:
        space[name] = _refused(name)
    return space


def _folded(f: Callable[..., Any], x: Any, *others: Any) -> Any:
    for y in others:
        x = f(x, y)
    return x


def _refused(name: str) -> Callable[..., Any]:
    def refuse(*_: Any) -> Any:
        raise CannotRecordError(f"it needs {name}, which is not written out in elementary functions")

    return refuse
