"""Outputs of every kind: all audits read them in the same way, without losing information, and reject empty objects."""

import collections
import dataclasses
import datetime
import decimal
import enum
import re
import threading

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import Ridge

from krdtheory.audit import SequentialAudit, assert_private, audit
from krdtheory.audit.outputs import Encoder, read, read_two, take_apart
from krdtheory.audit.result import NOTHING
from krdtheory.privacy.notions import PureDP, RenyiDP

CLAIM = PureDP(epsilon=1)


class Silent:
    """An object with an uninformative repr."""

    def __init__(self, value):
        self.value = value

    def __repr__(self):
        return "Silent()"


class Slots:
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value

    def __repr__(self):
        return "Slots()"


@dataclasses.dataclass
class Record:
    label: str
    weights: dict = dataclasses.field(repr=False)


Point = collections.namedtuple("Point", "a b")


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


def frame(*columns):
    import pandas

    return pandas.DataFrame(dict(columns))


def fitted(intercept):
    model = Ridge(alpha=0.5)
    model.coef_, model.intercept_, model.n_features_in_ = np.array([1.0, 2.0]), intercept, 2
    return model


# one output of each kind, and another that differs in only one place
PAIRS = {
    "number": (1.0, 1.5),
    "nan": (np.nan, 1.0),
    "nan and infinity": (np.nan, np.inf),
    "infinities": (np.inf, -np.inf),
    "bool": (True, False),
    "complex": (1 + 1j, 1 - 1j),
    "text": ("yes", "no"),
    "missing": (None, 1.0),
    "text or number": ("none", 1.0),
    "lists of two lengths": ([1.0, 2.0], [1.0, 2.0, 3.0]),
    "list or tuple": ([1.0, 2.0], (1.0, 2.0)),
    "matrix": (np.eye(3), np.eye(3)[::-1]),
    "images": (np.zeros((4, 4, 3)), np.pad(np.ones((1, 1, 1)), ((0, 3), (2, 1), (1, 1)))),
    "dtype": (np.ones(2, np.float32), np.ones(2)),
    "dict": ({"a": 1, "b": 2.0}, {"a": 1, "b": 2.5}),
    "key": ({"a": 1}, {"a": 1, "b": 0}),
    "kind of key": ({1: 2.0}, {"1": 2.0}),
    "silent key": ({Silent(1): 2.0}, {Silent(2): 2.0}),
    "silent member": ({Silent(1)}, {Silent(2)}),
    "order of keys": ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    "label and number": (("cat", 1.0), ("dog", 1.0)),
    "named tuple": (Point(1, 2), Point(1, 3)),
    "dict of arrays": ({"w": np.ones((2, 2)), "b": np.zeros(2)}, {"w": np.ones((2, 2)), "b": np.array([0, 1e-9])}),
    "dataclass": (Record("a", {"k": [1.0]}), Record("a", {"k": [2.0]})),
    "silent object": (Silent(1.0), Silent(2.0)),
    "slots": (Slots([1]), Slots([2])),
    "sparse": (
        sparse.csr_array([[0.0] * 50 + [1.0] + [0.0] * 50]),
        sparse.csr_array([[0.0] * 51 + [1.0] + [0.0] * 49]),
    ),
    "stored zero": (sparse.csr_array(([0.0], ([0], [3])), shape=(1, 9)), sparse.csr_array((1, 9))),
    "model": (fitted(0.25), fitted(0.5)),
    "unfitted": (Ridge(alpha=1.0), Ridge(alpha=2.0)),
    "long array": ({"a": np.arange(1100.0)}, {"a": np.where(np.arange(1100) == 550, 550 + 1e-9, np.arange(1100.0))}),
    "large integer": ({"hash": 2**70}, {"hash": 2**70 + 1}),
    "decimal": (decimal.Decimal("0.1"), decimal.Decimal("0.1000000000000000000000001")),
    "time": (datetime.datetime(2020, 1, 1, 12), datetime.datetime(2020, 1, 1, 13)),
    "date": (datetime.date(2020, 1, 1), datetime.date(2020, 1, 2)),
    "numpy time": (np.timedelta64(1, "s"), np.timedelta64(2, "s")),
    "enum": (Colour.RED, Colour.BLUE),
    "bytes": (b"\x00", b"\x00\x00"),
    "set": ({1, 2}, {1, 3}),
    "deque": (collections.deque([1, "a"]), collections.deque([2, "a"])),
    "records": (np.array([(1, 2.0)], [("a", int), ("b", float)]), np.array([(1, 3.0)], [("a", int), ("b", float)])),
    "objects": (np.array([1.0, "a"], object), np.array([1.0, "b"], object)),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", PAIRS)
def test_a_difference_is_found_by_every_audit_and_equal_outputs_pass(kind):
    """Outputs without noise: a total leak if the two differ, and none if they are equal."""
    one, other = PAIRS[kind]
    assert audit([one] * 40, [other] * 40, CLAIM, rng=0).rejected
    same = audit([one] * 40, [one] * 40, CLAIM, rng=0)
    assert (same.p_value, same.epsilon_lower) == (1, 0)
    assert same.witness["event"] == NOTHING
    with pytest.raises(AssertionError, match="the mechanism is not PureDP"):
        assert_private(lambda data: other if data else one, 0, 1, CLAIM, max_samples=60, false_alarm=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("one", [0.5, "text", fitted(1.0)], ids=["number", "text", "model"])
def test_outputs_that_are_all_the_same(one):
    """The summary says so in words, and there is no warning about uninformative outputs."""
    for result in (
        audit([one] * 40, [one] * 40, CLAIM, rng=0),
        assert_private(lambda data: one, 0, 1, CLAIM, max_samples=60),
    ):
        assert NOTHING in " ".join(result.summary().split())


@pytest.mark.slow
def test_tables_of_several_kinds():
    pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    x, y = (
        frame(("group", rng.choice(["a", "b"], 300, p=[p, 1 - p])), ("size", rng.normal(size=300))) for p in (0.9, 0.1)
    )
    assert audit(x, y, CLAIM, rng=0).rejected
    assert SequentialAudit(CLAIM).update(x, y).rejected
    assert not audit(x[["size"]], y[["size"]], CLAIM, rng=0).rejected
    inner = [{"table": frame(("a", [1.0, value]))} for value in rng.normal(size=120)]
    shifted = [{"table": frame(("a", [1.0, value]))} for value in rng.normal(5, 1, size=120)]
    assert audit(inner, shifted, CLAIM, rng=0).rejected


REFUSED = {
    "object": object(),
    "lambda": lambda: 0,
    "lock": threading.Lock(),
    "generator": (k for k in range(3)),
    "no attributes": type("Empty", (), {})(),
    "within": {"model": [threading.Lock()]},
    "masked": {"a": np.ma.masked_array([1.0, 2.0], [0, 1])},
}


@pytest.mark.parametrize("kind", REFUSED)
def test_objects_without_data_are_rejected_by_every_audit_with_the_same_message(kind):
    value, said = REFUSED[kind], []
    for door in (
        lambda: audit([value] * 20, [value] * 20, CLAIM),
        lambda: SequentialAudit(CLAIM).update([value] * 20, [1.0] * 20),
        lambda: assert_private(lambda data: value, 0, 1, CLAIM, max_samples=50),
    ):
        with pytest.raises(TypeError) as caught:
            door()
        said.append(re.sub(r"x\[\d+\]", "x[]", str(caught.value)))
    assert len({text.partition("; got")[0] for text in said}) == 1, said
    assert "compared (or be given features" in said[0] or "without a mask" in said[0]


@pytest.mark.slow
def test_a_custom_rule():
    """`features` replaces the rule, even for objects that it does not support; outputs may differ in other parts."""
    x, y = [(threading.Lock(), k % 2, 0) for k in range(200)], [(threading.Lock(), 1, 1) for k in range(200)]
    for features, leaks in ((lambda one: one[1], True), (lambda one: {"last": one[2]}, True), (lambda one: 0, False)):
        assert audit(x, y, CLAIM, features=features, rng=0).rejected == leaks
        assert SequentialAudit(CLAIM, features=features).update(x, y).rejected == leaks
    assert audit(np.eye(9), np.eye(9), CLAIM, features=lambda row: row.argmax(), rng=0).arguments["features"]
    with pytest.raises(TypeError, match="features must be a function of one output; got 3"):
        audit(x, y, CLAIM, features=3)


def test_arrays_must_agree_and_lists_need_not():
    for x, y, words in (
        (np.eye(9), np.ones(9), "the same dimension; got 9 and 1"),
        (np.eye(9), [[1.0]] * 9, "the same dimension; got 9 and 1"),
        (np.array(["a"] * 9), [1.0] * 9, "both be numbers, or both other objects; got text and numbers"),
    ):
        for door in (audit, lambda x, y, claim: SequentialAudit(claim).update(x, y)):
            with pytest.raises(ValueError, match=words):
                door(x, y, CLAIM)
    assert audit([[1.0] * 4] * 60, [[1.0] * 3] * 60, CLAIM, rng=0).rejected


def test_names_of_features():
    parts = take_apart({"a": [1.0, 2], "b": {"c": "word"}, 3: np.eye(2), "d": [Point(1, None)]})
    assert {name: vector.tolist() for name, vector in parts.numbers.items()} == {
        "len(a)": [2],
        "a": [1, 2],
        "[3]": [1, 0, 0, 1],
        "len(d)": [1],
        "d[0].a": [1],
    }
    assert (parts.words["b.c"], parts.words["type of d[0].b"], parts.words["shape of [3]"]) == (
        "word",
        "NoneType",
        "(2, 2)",
    )
    model = take_apart(fitted(0.25))
    assert model.numbers["intercept_"].tolist() == [0.25]
    assert (model.numbers["alpha"].tolist(), model.words["solver"]) == ([0.5], "auto")


def test_features_are_those_that_differ_in_the_learning_data():
    sample = read([{"a": 1.0, "b": [1.0]}, {"a": 1.0, "b": [2.0, np.inf]}, {"a": 1.0, "b": []}], "x").values
    encoder = Encoder(sample[:2])
    assert not any(name.startswith("a") for name in encoder.names)
    assert {"b[0]", "b[1] is inf", "b[1] is nan", "len(b)", "mean of b"} <= set(encoder.names)
    later = encoder(read([{"c": 5}, {"b": [3.0, 4, 5], "d": "new"}], "x").values)
    assert later.shape == (2, len(encoder.names))
    assert np.isfinite(later).all()
    assert later[1, encoder.names.index("b[0]")] == 3


def test_nested_within_itself():
    loop = [1.0]
    loop.append(loop)
    with pytest.raises(ValueError, match="nested at most 24 deep"):
        audit([loop] * 9, [loop] * 9, CLAIM)


@pytest.mark.slow
@pytest.mark.parametrize("views", [False, True])
def test_one_array_that_is_filled_repeatedly(views):
    """Laplace noise of epsilon = 5 in a single buffer: each output is copied when it is drawn."""
    buffer = np.zeros((3, 1))

    def one(data, rng):
        out = buffer[:1, 0] if views else buffer
        out[...] = data + rng.laplace(0, 0.2)
        return out

    def many(data, size, rng):
        filled[:size] = data + rng.laplace(0, 0.2, (size, 1))
        return filled[:size]

    filled = np.zeros((5000, 1))
    for mechanism in (one, many):
        with pytest.raises(AssertionError):
            assert_private(mechanism, 0, 1, CLAIM, max_samples=1000)
        assert not assert_private(mechanism, 0, 0, CLAIM, max_samples=400).rejected
    rng = np.random.default_rng(0)
    for draw in (lambda data: many(data, 50, rng), lambda data: [one(data, rng) for _ in range(50)]):
        with pytest.raises(ValueError, match="x and y must be apart; got one and the same memory"):
            SequentialAudit(CLAIM).update(draw(0), draw(1))


@pytest.mark.slow
def test_a_stream_whose_outputs_change_their_kind():
    """Numbers, and from the 100th on sometimes a text: the learnt event bets on numbers only, and later on both."""

    def draw(rng, leaks, n=50):
        return [f"error {int(leaks)}" if k > 30 else float(rng.normal()) for k in range(n)]

    rng = np.random.default_rng(0)
    for leaks in (True, False):
        stream = SequentialAudit(CLAIM).update(list(rng.normal(size=100)), list(rng.normal(size=100)))
        for _ in range(8):
            stream.update(draw(rng, False), draw(rng, leaks))
        assert stream.rejected == leaks


def test_there_is_no_bet_on_a_change_of_kind():
    """The outputs that introduce the new kind are in no event, whatever was learnt."""
    rng = np.random.default_rng(0)
    stream = SequentialAudit(CLAIM).update(list(rng.normal(1, 1, 60)), list(rng.normal(0, 1, 60)))
    pair = stream._pairs[-1]
    x, y = stream._like_before(pair, *read_two(["a", 2.0, [1.0]], ["b", 5.0, None]))
    first, second = pair._hits(x, y)
    half = first.shape[1] // 2
    assert not first[[0, 2], :half].any()
    assert not second[[0, 2], :half].any()
    assert first[1].any()


@pytest.mark.slow
def test_renyi_and_cells_take_objects():
    rng = np.random.default_rng(0)
    x, y = ([{"v": float(v)} for v in rng.normal(mean, 1, 200)] for mean in (3, 0))
    for method in ("cells", "events"):
        assert audit(x, y, RenyiDP(alpha=2, epsilon=0.5), method=method, rng=0).rejected
