"""The formula of a claim at one instance, as data: the claim's own function is run on numbers that record operations.

A number is a node: an operation, its arguments, and its value, an exact rational or a ball. Equal nodes are one node.
The entries of the instance are leaves that know their place, so the formula refers to the instance; a call of the
vocabulary stays a call. Comparisons are decided on the values and kept, since the formula holds only for the branch
taken.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

import numpy as np
from flint import ctx

from krdtheory.arithmetic.ball import UndecidedError
from krdtheory.arithmetic.base import Array
from verification import rigorous
from verification.certificates import intervals
from verification.claim import Claim
from verification.instances import Channel
from verification.instances.fields import parts
from verification.rigorous import Number, RigorousVocabulary, number
from verification.vocabulary import Restrictions

DIGITS = 60
CALLS = {  # functions of the vocabulary that certificates define
    name for name, f in vars(intervals).items() if getattr(f, "__module__", None) == intervals.__name__
}
STRUCTURES = {"covariance", "tensor", "pulled", "kron", "direct_sum", "product", "through"}  # rational operations
OPPOSITE = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "=="}
ZERO, ONE = Number(rigorous.fmpq(0)), Number(rigorous.fmpq(1))


class CannotRecordError(ValueError):
    """The claim computes something at this instance for which there is no certificate."""


class Node:
    """A number or a list of numbers, described by an operation and its arguments."""

    __slots__ = ("args", "data", "op", "tape", "value")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, tape: Tape, op: str, args: tuple[Node, ...], data: Any, value: Number | None) -> None:
        self.tape, self.op, self.args, self.data, self.value = tape, op, args, data, value

    @property
    def known(self) -> Number:
        """The value of the number."""
        if self.value is None:
            raise CannotRecordError("a list of numbers where a number is wanted")
        return self.value

    @property
    def real(self) -> Node:
        """The number itself, since recorded numbers are real."""
        return self

    @property
    def imag(self) -> Node:
        """Zero."""
        return self.tape.constant(ZERO)

    def conjugate(self) -> Node:
        """Return the number itself, which is real."""
        return self

    def __pos__(self) -> Node:
        return self

    def __neg__(self) -> Node:
        return self.tape.negative(self)

    def __abs__(self) -> Node:
        return self.tape.apply("abs", abs(self.known), self)

    def __add__(self, other: Any) -> Any:
        return self.tape.binary("+", self, other)

    def __radd__(self, other: Any) -> Any:
        return self.tape.binary("+", other, self)

    def __sub__(self, other: Any) -> Any:
        return self.tape.binary("-", self, other)

    def __rsub__(self, other: Any) -> Any:
        return self.tape.binary("-", other, self)

    def __mul__(self, other: Any) -> Any:
        return self.tape.binary("*", self, other)

    def __rmul__(self, other: Any) -> Any:
        return self.tape.binary("*", other, self)

    def __truediv__(self, other: Any) -> Any:
        return self.tape.binary("/", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return self.tape.binary("/", other, self)

    def __pow__(self, other: Any) -> Any:
        return self.tape.binary("**", self, other)

    def __rpow__(self, other: Any) -> Any:
        return self.tape.binary("**", other, self)

    def __lt__(self, other: Any) -> bool:
        return self.tape.compare("<", self, other)

    def __le__(self, other: Any) -> bool:
        return self.tape.compare("<=", self, other)

    def __gt__(self, other: Any) -> bool:
        return self.tape.compare(">", self, other)

    def __ge__(self, other: Any) -> bool:
        return self.tape.compare(">=", self, other)

    def __eq__(self, other: object) -> bool:
        return self.tape.compare("==", self, other)

    def __ne__(self, other: object) -> bool:
        return self.tape.compare("!=", self, other)

    def __bool__(self) -> bool:
        return self != 0

    def __int__(self) -> int:
        n = int(self.known)
        self.tape.compare("==", self, n)
        return n

    def __float__(self) -> float:
        raise CannotRecordError("the claim computes in float64")

    def __repr__(self) -> str:
        return f"{self.op}({self.value})"


@dataclass(frozen=True)
class Call:
    """A call of the vocabulary: the number of positional arguments, the names of the others, and the result's shape."""

    name: str
    positional: int
    named: tuple[str, ...]
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Comparison:
    """The outcome of a comparison of two numbers."""

    left: Node
    relation: str
    right: Node


@dataclass
class Tape:
    """All nodes of a recording, its comparisons, and the numbers that were left out because they are zero."""

    nodes: dict[tuple[Any, ...], Node] = field(default_factory=dict)
    comparisons: dict[tuple[Any, ...], Comparison] = field(default_factory=dict)
    left_out: dict[int, Node] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    parts: dict[int, str] = field(default_factory=dict)  # names of entries of arrays
    inputs: dict[str, Node] = field(default_factory=dict)

    # Nodes

    def made(self, op: str, args: tuple[Node, ...], data: Any, value: Number | None) -> Node:
        """Return the unique node of an operation, its arguments and its data."""
        key = (op, *map(id, args), str(data))
        if key not in self.nodes:
            self.nodes[key] = Node(self, op, args, data, value)
        return self.nodes[key]

    def constant(self, value: Number) -> Node:
        """Return the node of a rational, or of an infinity."""
        return self.made("constant", (), str(value), value)

    def input(self, place: str, value: Number) -> Node:
        """Return the node of an entry of the instance."""
        return self.inputs.setdefault(place, self.made("input", (), place, value))

    def listed(self, items: list[Any], place: str | None = None) -> Node:
        """Return the node of a list of nodes; `place` is its place in the instance."""
        args = tuple(x if isinstance(x, Node) else self.node(x) for x in items)
        whole = self._whole(args)
        if whole is not None:
            return whole
        made = self.made("list", args, None, None)
        if place is not None and made.data is None:
            made.data = place
        return made

    def _whole(self, args: tuple[Node, ...]) -> Node | None:
        """Return the call, or the row of a call, of which these are all the entries; None if there is none."""
        if not args or any(x.op != "item" or x.args[0] is not args[0].args[0] for x in args):
            return None
        call, index = args[0].args[0], args[0].data[:-1]
        shape = call.data.shape
        if any(x.data != (*index, i) for i, x in enumerate(args)) or len(args) != shape[len(index)]:
            return None
        return self.made("item", (call,), index, None) if index else call

    def structure(self, x: Any, place: str | None = None) -> Node:
        """Return a nested list or array of numbers as nodes."""
        if isinstance(x, np.ndarray | list | tuple) and np.ndim(x):
            return self.listed(
                [self.structure(y, None if place is None else f"{place}[{i}]") for i, y in enumerate(x)], place
            )
        return self.node(x)

    def node(self, x: Any) -> Node:
        """Return a number as a node."""
        if isinstance(x, Node):
            return x
        if isinstance(x, np.ndarray) and x.ndim == 0:
            return self.node(x.item())
        try:
            value = number(x)
        except TypeError:
            raise CannotRecordError(f"the claim computes with {x!r}, which is no exact number") from None
        if not value.is_real:
            raise CannotRecordError("the claim computes with complex numbers at this instance")
        return self.constant(value)

    # Operations

    def binary(self, op: str, x: Any, y: Any) -> Any:
        """Return x op y, simplified if one of them is exactly 0 or the constant 1."""
        if isinstance(x, np.ndarray) or isinstance(y, np.ndarray):
            return NotImplemented
        a, b = self.node(x), self.node(y)
        simple = self._simple(op, a, b)
        if simple is not None:
            return simple
        try:
            value = OPERATIONS[op](a.known, b.known)
        except ZeroDivisionError:
            raise CannotRecordError(
                f"the claim divides by zero, or takes a power of it, at this instance: {a} {op} {b}"
            ) from None
        return self.apply(op, value, a, b)

    def _simple(self, op: str, a: Node, b: Node) -> Node | None:
        zero = self.constant(ZERO)
        if op in "+-":
            if a is b and op == "-":
                return zero
            if self.is_zero(b):
                self.leave_out(b)
                return a
            if self.is_zero(a):
                self.leave_out(a)
                return b if op == "+" else -b
        elif op == "*":
            for one, other in ((a, b), (b, a)):
                if self.is_zero(one) and finite(other):
                    self.leave_out(one)
                    return zero
                if is_constant(one, 1):
                    return other
        elif op == "/":
            if self.is_zero(a) and not self.is_zero(b) and finite(b):
                self.leave_out(a)
                return zero
            if is_constant(b, 1):
                return a
        elif op == "**":
            if is_constant(b, 1):
                return a
            if is_constant(b, 0):
                return self.constant(ONE)
            if self.is_zero(a) and b.known > 0:
                self.leave_out(a)
                return zero
        return None

    def negative(self, a: Node) -> Node:
        """Return -a."""
        if a.op == "neg":
            return a.args[0]
        return a if is_constant(a, 0) else self.apply("neg", -a.known, a)

    def apply(self, op: str, value: Number, *args: Node) -> Node:
        """Return the node of an operation, or a constant if all arguments are constants and the value is rational."""
        if all(x.op == "constant" for x in args) and (value.rational is not None or not finite_value(value)):
            return self.constant(value)
        if op == "exp" and args[0].op == "log":
            return args[0].args[0]
        if op == "log" and args[0].op == "exp":
            return args[0].args[0]
        return self.made(op, args, None, value)

    def is_zero(self, a: Node) -> bool:
        """Whether the number is exactly 0 and computed by rational operations."""
        told = a.op != "call" and (a.op != "item" or a.args[0].data.name in STRUCTURES)
        return told and a.value is not None and a.value.rational is not None and a.value.rational == 0

    def leave_out(self, a: Node) -> None:
        """Note that a number was left out because it is 0."""
        if a.op != "constant":
            self.left_out[id(a)] = a

    def compare(self, relation: str, x: Any, y: Any) -> bool:
        """Decide a comparison and record its outcome."""
        if isinstance(x, np.ndarray) or isinstance(y, np.ndarray):
            return NotImplemented
        a, b = self.node(x), self.node(y)
        holds = (a is b and relation in ("<=", ">=", "==")) or (a is not b and RELATIONS[relation](a.known, b.known))
        if a.op != "constant" or b.op != "constant":
            found = relation if holds else OPPOSITE[relation]
            self.comparisons.setdefault((id(a), found, id(b)), Comparison(a, found, b))
        return bool(holds)


OPERATIONS: Mapping[str, Callable[[Number, Number], Number]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x / y,
    "**": lambda x, y: x**y,
}
RELATIONS: Mapping[str, Callable[[Number, Number], bool]] = {
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
    "==": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
}


def is_constant(a: Node, n: int) -> bool:
    """Whether the number is the constant n, whatever the instance."""
    return a.op == "constant" and a.known.rational is not None and a.known.rational == n


def finite_value(x: Number) -> bool:
    """Whether the value is finite."""
    return x.rational is not None or bool(rigorous.arb(x.part()).is_finite())


def finite(a: Node) -> bool:
    """Whether the number is finite."""
    return a.value is None or finite_value(a.value)


class RecordingVocabulary(Restrictions):
    """The names of `Vocabulary` on arrays of nodes. Divergences become calls, if certificates define them."""

    exact = True
    inf = float("inf")

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self._rigorous = RigorousVocabulary(DIGITS)
        for name in ("log", "exp", "sqrt"):
            setattr(self, name, self._elementwise(self._function(name), 1))
        self.power = self._elementwise(lambda x, y: x**y, 2)
        self.maximum = self._elementwise(self._maximum, 2)
        self.minimum = self._elementwise(self._minimum, 2)
        for name in CALLS & {*vars(Restrictions)}:
            setattr(self, name, self._call(name))

    @property
    def pi(self) -> Node:
        """The number pi."""
        return self.tape.made("pi", (), None, self._rigorous.pi)

    def _elementwise(self, f: Callable[..., Node], inputs: int) -> Callable[..., Array]:
        ufunc = np.frompyfunc(lambda *x: f(*map(self.tape.node, x)), inputs, 1)
        return lambda *arrays: np.asarray(ufunc(*arrays), dtype=object)

    def _function(self, name: str) -> Callable[[Node], Node]:
        def apply(x: Node) -> Node:
            if not finite(x):
                return self.tape.constant(number(float("inf"))) if x.known > 0 else self.tape.constant(ZERO)
            return self.tape.apply(name, getattr(rigorous, name)(x.known), x)

        return apply

    def _maximum(self, x: Node, y: Node) -> Node:
        if x is y:
            return x
        return self.tape.apply("max", rigorous.maximum(x.known, y.known), x, y)

    def _minimum(self, x: Node, y: Node) -> Node:
        if x is y:
            return x
        return self.tape.apply("min", -rigorous.maximum(-x.known, -y.known), x, y)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        getattr(self._rigorous, name)  # it raises for a name that no vocabulary has
        if name not in CALLS:
            raise CannotRecordError(f"certificates have no definition of the vocabulary's {name}")
        return self._call(name)

    def _call(self, name: str) -> Callable[..., Array]:
        """Return a function of the vocabulary that is recorded as a call."""
        found = getattr(self._rigorous, name)

        def call(*args: Any, **kwargs: Any) -> Array:
            values = [_values(x) for x in args]
            try:
                result = np.asarray(found(*values, **{key: _values(x) for key, x in kwargs.items()}))
            except UndecidedError as error:
                raise CannotRecordError(f"{name} is not decided in balls: {error}") from None
            batch = len(result)
            out = np.empty(result.shape, dtype=object)
            for i in range(batch):
                row = [self._row(x, i, batch) for x in args]
                named = {key: self._row(x, i, batch) for key, x in kwargs.items()}
                data = Call(name, len(row), tuple(named), result.shape[1:])
                made = self.tape.made("call", (*row, *named.values()), data, None)
                for index in np.ndindex(result.shape[1:]):
                    out[(i, *index)] = self._item(made, index, result[(i, *index)])
            return out

        return call

    def _row(self, x: Any, i: int, batch: int) -> Node:
        """Return the part of an argument that belongs to the only instance of the batch."""
        if callable(x) or isinstance(x, str):
            raise CannotRecordError("a call of the vocabulary with a function or a word")
        whole = isinstance(x, np.ndarray) and x.ndim and len(x) == batch
        return self.tape.structure(x[i] if whole else x)

    def _item(self, call: Node, index: tuple[int, ...], value: Number) -> Node:
        if index:
            return self.tape.made("item", (call,), index, value)
        call.value = value
        return call


def _values(x: Any) -> Any:
    """Return an argument of the vocabulary with numbers in place of nodes."""
    if isinstance(x, Node):
        return x.known
    if isinstance(x, np.ndarray) and x.dtype == object:
        return np.frompyfunc(lambda y: y.known if isinstance(y, Node) else number(y), 1, 1)(x)
    return [_values(y) for y in x] if isinstance(x, list | tuple) else x


@dataclass(frozen=True)
class Recording:
    """Both sides of the inequality that an instance violates, as nodes, and the decisions made in their computation."""

    claim: Claim
    values: Mapping[str, Any]
    lhs: Node
    rhs: Node
    tape: Tape

    @property
    def comparisons(self) -> list[Comparison]:
        """The comparisons, in the order in which they were made."""
        return list(self.tape.comparisons.values())

    @property
    def left_out(self) -> list[Node]:
        """The numbers that were left out because they are zero."""
        return list(self.tape.left_out.values())


def recorded(claim: Claim, values: Mapping[str, Any], part: int) -> Recording:
    """Return the formula of a claim at an instance, for its inequality number `part`.

    Parameters
    ----------
    claim : Claim
    values : mapping
        The instance in exact rationals, with a batch axis of one.
    part : int
        The index of one of the claim's inequalities.

    Raises
    ------
    CannotRecordError
        The claim computes something there for which there is no certificate.
    """
    tape = Tape()
    instance = {name: _leaves(tape, value, name) for name, value in values.items()}
    with ctx.workdps(DIGITS), _naming(claim, tape):
        try:
            sides = claim.sides(RecordingVocabulary(tape), **instance)
        except UndecidedError as error:
            raise CannotRecordError(f"a comparison is not decided in balls: {error}") from None
        left, right = np.broadcast_arrays(*(np.asarray(x, dtype=object) for x in sides))
        lhs, rhs = (tape.node(side.ravel()[part]) for side in (left, right))
    return Recording(claim, values, lhs, rhs, tape)


def _leaves(tape: Tape, value: Any, place: str) -> Any:
    """Return a value of the instance with its entries as leaves."""
    if isinstance(value, list | tuple):
        return type(value)(_leaves(tape, v, f"{place}[{i}]") for i, v in enumerate(value))
    if isinstance(value, Channel):
        return Channel(_leaves(tape, value.isometry, place), value.out, lambda x: x)
    if not isinstance(value, np.ndarray):
        return value
    if value.dtype != object:  # maps are indices in every arithmetic
        tape.structure(value[0], place)
        return value
    out = np.empty(value.shape, dtype=object)
    for index in np.ndindex(value.shape):
        re, im = parts(value[index])
        if im:
            raise CannotRecordError(f"{place} has complex entries")
        out[index] = tape.input(place + "".join(f"[{i}]" for i in index[1:]), number(re))
    if value.ndim > 1:
        tape.structure(out[0], place)
    return out


@contextmanager
def _naming(claim: Claim, tape: Tape) -> Iterator[None]:
    """Name nodes after local variables of functions in the claim's file; those of the claim's function prevail."""
    file = claim.sides.__code__.co_filename

    def seen(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "return" and code.co_filename == file and not code.co_name.startswith("<"):
            for name, value in frame.f_locals.items():
                _name(tape, name, value)

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        yield
    finally:
        sys.setprofile(before)


def _name(tape: Tape, name: str, value: Any) -> None:
    if isinstance(value, Node):
        tape.names[id(value)] = name
    elif isinstance(value, np.ndarray) and value.dtype == object and 0 < value.ndim <= 3 and len(value) == 1:
        if not all(isinstance(x, Node) for x in value.flat):
            return
        if value.ndim == 1:
            tape.names[id(value[0])] = name
            return
        tape.names[id(tape.structure(value[0]))] = name
        for index in np.ndindex(value.shape):
            tape.parts[id(value[index])] = "_".join([name, *map(str, index[1:])])
    elif isinstance(value, list | tuple) and len(value) <= 4:
        for i, v in enumerate(value):
            _name(tape, f"{name}_{i}", v)
