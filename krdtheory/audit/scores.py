"""Scores: functions of an output that are large where one distribution is more likely, and whose thresholds are events.

A score has ``fit(x, y, rng)``, which takes samples x of p and y of q and returns a function that maps outputs to one
real number each. It is learnt on data that no test uses, so any score is valid, and a good one is powerful. A score is
`steady` if a little more learning data changes its values little, so that values from cross-fitting can replace those
of a fit to all data. It is `rounded` if the values of one output may differ by rounding errors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np
from scipy.linalg import eigh

from krdtheory.arithmetic.base import Array, reject
from krdtheory.arithmetic.checks import check_count, check_number
from krdtheory.audit.basic_scores import Atoms, Linear, LowBits, Repeats, Sparse, Spread, Tree, Words
from krdtheory.audit.outputs import OfFeatures, OfValues, Release, keys
from krdtheory.audit.outputs.values import exact_text
from krdtheory.imports import extra
from krdtheory.kernels.kernels import AnyKernel, make_kernel

Fitted = Callable[[Any], Array]
_LANDMARKS = 200
_BANDWIDTH_FROM = 1000  # points of each sample that determine the bandwidth
_RANK = 1e-10  # relative eigenvalue below which a landmark direction is dropped


@runtime_checkable
class Score(Protocol):
    """Any object with such a `fit`."""

    def fit(self, x: Array, y: Array, rng: np.random.Generator) -> Fitted:
        """Return a function of outputs, learnt from samples of the two distributions."""
        ...


@dataclass(frozen=True)
class Coordinate:
    """One coordinate of the output; NaN is put at the end of the distribution under which it is more likely.

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit.scores import Coordinate
    >>> Coordinate(1).fit(np.zeros((2, 2)), np.zeros((2, 2)), np.random.default_rng(0))(np.eye(2)).tolist()
    [0.0, 1.0]
    """

    index: int = 0
    steady: ClassVar[bool] = True

    def fit(self, x: Array, y: Array, rng: np.random.Generator) -> Fitted:
        if x.ndim < 2 or not -x.shape[1] <= self.index < x.shape[1]:
            reject("index", self.index, f"that of a coordinate of outputs, whose shape is {x.shape[1:]}")
        u, v = x[:, self.index], y[:, self.index]
        of_u, of_v = np.isnan(u).mean(), np.isnan(v).mean()
        side = -1 if of_u != of_v and falls(u[~np.isnan(u)], v[~np.isnan(v)]) else 1
        return _Column(self.index, side * math.copysign(math.inf, of_u - of_v), bool(of_u or of_v))


@dataclass(frozen=True)
class _Column:
    """One coordinate as a score; `end` is the score of NaN, and `missing` says that it was met."""

    index: int
    end: float
    missing: bool

    def __call__(self, z: Array) -> Array:
        values = np.asarray(z[:, self.index], dtype=float)
        return np.where(np.isnan(values), self.end, values)

    def tells(self, names: Sequence[str]) -> list[str]:
        return [names[self.index]]


@dataclass(frozen=True)
class Classifier:
    """The decision function of a scikit-learn classifier, or its probability, learnt on x against y.

    Parameters
    ----------
    model : classifier
        With `fit` and `decision_function` or `predict_proba`; it may be a pipeline that takes texts or other objects.
        It is cloned and never changed.

    Raises
    ------
    TypeError
        The model is not such a classifier.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> from krdtheory.audit.scores import Classifier
    >>> score = Classifier(LogisticRegression()).fit(np.ones((4, 1)), np.zeros((4, 1)), np.random.default_rng(0))
    >>> bool(score(np.array([[2.0]])) > 0)
    True
    """

    model: Any

    def __post_init__(self) -> None:
        reads = hasattr(self.model, "decision_function") or hasattr(self.model, "predict_proba")
        if isinstance(self.model, type) or not (hasattr(self.model, "fit") and reads):
            reject("model", self.model, "a classifier with decision_function or predict_proba", TypeError)

    def fit(self, x: Array, y: Array, rng: np.random.Generator) -> Fitted:
        with extra("audit"):
            from sklearn.base import clone

        model = clone(self.model)
        for name in model.get_params():
            if name.rpartition("__")[2] == "random_state":
                model.set_params(**{name: int(rng.integers(2**31))})
        model.fit(np.concatenate([x, y]), np.repeat([1, 0], [len(x), len(y)]))
        if hasattr(model, "decision_function"):
            return lambda z: np.asarray(model.decision_function(z), dtype=float)
        return lambda z: np.asarray(model.predict_proba(z)[:, 1], dtype=float)


@dataclass(frozen=True)
class Function:
    """A given function as a score, without learning.

    Parameters
    ----------
    function : callable
        Maps an array of outputs, of shape (n, d) if they are numbers, to one real number each or, with each=True, one
        output to a number.
    each : bool
    """

    function: Callable[[Any], Any]
    each: bool = False
    steady: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not callable(self.function):
            reject("function", self.function, "callable", TypeError)

    def fit(self, x: Array, y: Array, rng: np.random.Generator) -> Fitted:
        if self.each:
            return lambda z: np.array([float(self.function(one)) for one in z])
        return lambda z: np.asarray(self.function(z))


@dataclass(frozen=True)
class KernelMeanDifference:
    r"""The difference of the kernel mean embeddings: :math:`f(z) = E_x k(x, z) - E_y k(y, z)`.

    Parameters
    ----------
    kernel, bandwidth
        As `krdtheory.kernels.kernel_renyi_estimate`; the default bandwidth is that of the median rule.
    landmarks : int
        The number of random outputs of each distribution that represent the learning data.

    References
    ----------
    Gretton, Borgwardt, Rasch, Schoelkopf and Smola (2012).
    """

    kernel: Any = "rbf"
    bandwidth: Any = None
    landmarks: int = 5 * _LANDMARKS
    steady: ClassVar[bool] = True
    rounded: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_count(self.landmarks, "landmarks", 1)

    def fit(self, x: Array, y: Array, rng: np.random.Generator) -> Fitted:
        kernel = _kernel(self, x, y)
        u, v = _some(x, self.landmarks, rng), _some(y, self.landmarks, rng)
        return lambda z: kernel.gram(z, u).mean(1) - kernel.gram(z, v).mean(1)


@dataclass(frozen=True)
class KernelClassifier:
    """Linear discriminant in the feature space of a kernel, on the span of landmarks (Nystroem features).

    Parameters
    ----------
    kernel, bandwidth
        As `KernelMeanDifference`.
    landmarks : int
        The number of random outputs, half from each distribution, that span the features.
    """

    kernel: Any = "rbf"
    bandwidth: Any = None
    landmarks: int = _LANDMARKS
    steady: ClassVar[bool] = True
    rounded: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_count(self.landmarks, "landmarks", 2)

    def fit(self, x: Array, y: Array, rng: np.random.Generator) -> Fitted:
        features = _nystroem(self, x, y, rng)
        inner = Linear().fit(features(x), features(y), rng)
        return lambda z: inner(features(z))


@dataclass(frozen=True)
class PositivePart:
    r"""The test of the kernel hockey-stick divergence: :math:`T(z) = \langle\phi(z), \Pi\, \phi(z)\rangle`.

    Pi projects onto the positive part of :math:`\Sigma_p - e^\epsilon \Sigma_q` on the span of landmarks; T is in [0,
    1].

    Parameters
    ----------
    epsilon : float
        Finite, in nats.
    kernel, bandwidth, landmarks
        As `KernelClassifier`.

    References
    ----------
    Domingo-Enrich and Mroueh (2022), Section 3, for the operators.
    """

    epsilon: float = 0.0
    kernel: Any = "rbf"
    bandwidth: Any = None
    landmarks: int = _LANDMARKS
    rounded: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_number(self.epsilon, "epsilon", -np.inf, allowed="a finite number")
        check_count(self.landmarks, "landmarks", 2)

    def fit(self, x: Array, y: Array, rng: np.random.Generator) -> Fitted:
        features = _nystroem(self, x, y, rng)
        u, v = features(x), features(y)
        values, vectors = eigh(u.T @ u / len(u) - math.exp(self.epsilon) * (v.T @ v) / len(v))
        positive = vectors[:, values > 0]
        return lambda z: np.asarray(((features(z) @ positive) ** 2).sum(1))


def rule(score: Fitted, name: str, above: bool, threshold: float) -> str:
    """Describe for which outputs a score is at least a threshold, or at most."""
    text = f"{name} {'>=' if above else '<='} {exact_text(threshold)}"
    with_nan = isinstance(score, _Column) and score.missing and (score.end > 0) == above
    return f"{text} or nan" if with_nan else text


SCORES: dict[str, Callable[[], Score]] = {
    "value": Coordinate,
    "linear": Linear,
    "sparse": Sparse,
    "tree": Tree,
    "spread": Spread,
    "repeats": Repeats,
    "atoms": Atoms,
    "words": Words,
    "low_bits": LowBits,
    "kernel_mean_difference": KernelMeanDifference,
    "kernel_classifier": KernelClassifier,
    "positive_part": PositivePart,
}
_OF_TEXT = ("atoms", "words")


def make_scores(scores: Any, x: Array, y: Array) -> dict[str, Score]:
    """Return the requested scores, by name.

    Parameters
    ----------
    scores : str, Score, classifier, callable, kernel, or a sequence of them
        "auto" is: for real numbers, the number itself, a tree and atoms; for vectors, linear, sparse, a tree, spread
        and repeats, and atoms if outputs repeat; for texts, atoms, and words if texts seldom repeat; for other objects,
        atoms and the scores of vectors on features. Scores of numbers use the features of other objects; a classifier
        or a function gets the objects as they were released.
    x, y : array
        From `krdtheory.audit.outputs.read_two`.

    Raises
    ------
    ValueError, TypeError
        An unknown name, no score at all, or something that is not a score.
    """
    if isinstance(scores, str) and scores == "auto":
        return _auto(x, y)
    several = scores if isinstance(scores, Sequence) and not isinstance(scores, str) else [scores]
    if not several:
        reject("scores", scores, "at least one score")
    out: dict[str, Score] = {}
    for given in several:
        if isinstance(given, str):
            if given not in SCORES:
                reject("scores", given, f'"auto" or one of {", ".join(SCORES)}, a score, a classifier or a function')
            if x.ndim == 1 and given not in _OF_TEXT and not _taken_apart(x):
                reject("scores", given, "'atoms', 'words', a classifier or a function for outputs that are text")
            if given == "words" and x.ndim == 2:
                reject("scores", given, "another score, for outputs that are numbers")
            name, score = given, SCORES[given]()
        elif isinstance(given, AnyKernel):
            name, score = "kernel_classifier", KernelClassifier(given)
        elif hasattr(given, "predict") and hasattr(given, "fit"):
            name, score = type(given).__name__, Classifier(given)
        elif isinstance(given, Score) and not isinstance(given, type):
            name, score = type(given).__name__, given
        elif callable(given) and not isinstance(given, type):
            name, score = getattr(given, "__name__", "function"), Function(given)
        else:
            reject("scores", given, "a name, a score, a classifier or a function", TypeError)
        while name in out:
            name += "'"
        out[name] = _adapted(score) if _taken_apart(x) else score
    return out


def _taken_apart(x: Array) -> bool:
    return x.ndim == 1 and len(x) > 0 and isinstance(x[0], Release)


def _adapted(score: Score) -> Score:
    """Adapt a score to objects: scores of numbers get features, scores given by the user the objects themselves."""
    if isinstance(score, Atoms):
        return score
    if isinstance(score, Words):  # the features include counts of words
        return OfFeatures(Sparse())
    if isinstance(score, (KernelMeanDifference, KernelClassifier, PositivePart)):
        return OfFeatures(score) if isinstance(score.kernel, str) else OfValues(score)
    return OfFeatures(score) if isinstance(score, (Linear, Tree, LowBits, Coordinate, Repeats)) else OfValues(score)


def _auto(x: Array, y: Array) -> dict[str, Score]:
    if _taken_apart(x):
        features: list[tuple[str, Score]] = [("linear", Linear()), ("sparse", Sparse()), ("tree", Tree())]
        features += [("spread", Spread()), ("repeats", Repeats())]
        return {"atoms": Atoms()} | {name: OfFeatures(score) for name, score in features}
    if x.ndim == 1:
        return {"atoms": Atoms()} | ({} if _come_again(x, y) else {"words": Words()})
    if x.shape[1] == 1:
        return {"value": Coordinate(), "tree": Tree(), "atoms": Atoms()}
    out: dict[str, Score] = {"linear": Linear(), "sparse": Sparse(), "tree": Tree(), "spread": Spread()}
    out["repeats"] = Repeats()
    if _come_again(x, y):
        out["atoms"] = Atoms()
    return out


def _come_again(x: Array, y: Array) -> bool:
    """Return whether half of some outputs are repetitions."""
    some = np.concatenate([x[:1000], y[:1000]])
    return len(np.unique(keys(some))) <= len(some) / 2


def values_of(score: Fitted, z: Any, name: str = "the score") -> Array:
    """Return scores, which may be infinite; NaN is rejected, as every comparison with it is False."""
    values = np.asarray(score(z))
    if values.dtype.kind not in "biuf":
        reject("scores", str(values.dtype), f"real numbers (this is the kind of {name})")
    values = values.astype(float)
    if values.shape != (len(z),):
        reject("scores", values.shape, f"one number for each of {len(z)} outputs (this is the shape for {name})")
    if np.isnan(values).any():
        reject("scores", "nan", f"numbers ({name} gives this)")
    return values


def falls(u: Array, v: Array) -> bool:
    """Return whether a score is smaller under the first distribution, by the mean ranks of samples of it."""
    if not (len(u) and len(v)):
        return False
    known = np.sort(v)
    below = sum(int(np.searchsorted(known, u, side).sum()) for side in ("left", "right"))  # and half of equal ones
    return below < len(u) * len(v)


def _some(x: Array, count: int, rng: np.random.Generator) -> Array:
    out: Array = x if len(x) <= count else x[rng.permutation(len(x))[:count]]
    return out


def _kernel(score: Any, x: Array, y: Array) -> AnyKernel:
    few = x[:_BANDWIDTH_FROM], y[:_BANDWIDTH_FROM]
    return make_kernel(score.kernel, score.bandwidth, None, *few)


def _nystroem(score: Any, x: Array, y: Array, rng: np.random.Generator) -> Fitted:
    """Return features whose inner products are the kernel's, projected onto the span of landmarks."""
    kernel = _kernel(score, x, y)
    half = score.landmarks // 2
    marks = np.concatenate([_some(x, half, rng), _some(y, score.landmarks - half, rng)])
    values, vectors = eigh(kernel.gram(marks))
    kept = values > _RANK * values[-1]
    root = vectors[:, kept] / np.sqrt(values[kept])
    return lambda z: np.asarray(kernel.gram(z, marks) @ root)
