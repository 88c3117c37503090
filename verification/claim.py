"""Claims, their verdicts, and the evidence for them."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import import_module
from numbers import Integral
from pathlib import Path
from typing import Any

from krdtheory import __version__
from krdtheory.arithmetic.base import reject
from krdtheory.terminal import Stopped
from verification.instances import Kind
from verification.proof import Argument, Proof, Prover

PAPERS = {
    "krd": "Domingo-Enrich and Mroueh (2022)",
    "capacity": "Chaudhuri, Imola and Machanavajjhala (2019)",
    "hyptest": "Balle, Barthe, Gaboardi, Hsu and Sato (2020)",
    "colisson": "Colisson (2016)",
    "own": "This project",
}


MARGIN_EDGES = (-1e-1, -1e-3, -1e-6, -1e-9, 1e-9, 1e-6, 1e-3, 1e-2, 1e-1, 5e-1)


class Verdict(StrEnum):
    """`refuted` needs a certificate, `proved` a proof; sampling alone yields `supported`.

    `undecided`: a violation is not certified, or instances could not be decided. `vacuous`: the hypotheses hold for too
    few instances. `error`: the claim's own Python fails.
    """

    REFUTED = "refuted"
    PROVED = "proved"
    SUPPORTED = "supported"
    UNDECIDED = "undecided"
    VACUOUS = "vacuous"
    ERROR = "error"


class Nature(StrEnum):
    """What kind of sentence a claim is.

    `printed`: a numbered statement or a plain assertion of the paper, quoted. `step`: a display inside a proof.
    `reading`: ours, of a sentence that is loose; the statement says how it is read. `condition`: a printed statement
    with a hypothesis removed, to see whether it is needed. `own`: a correction, or a theorem of this project.
    """

    PRINTED = "printed"
    STEP = "step"
    READING = "reading"
    CONDITION = "condition"
    OWN = "own"


@dataclass(frozen=True)
class Claim:
    r"""A statement as printed, and a function that returns its two sides on an instance.

    `sides(k, **instance)` returns (lhs, rhs), each an array with a leading batch axis (the inequalities along a last
    axis are all claimed), computed with the vocabulary `k` (`verification.vocabulary.Vocabulary`) so that it runs in
    any arithmetic. `relation` is "<=" or "==". `recorded` is the verdict found before, with which a run is compared.
    `proof` is a prover that derives the statement; `argument` checks the steps of a proof by hand. `effort` is the
    share of the budget to spend on the claim, less than 1 if a side needs a solver. `largest` is the largest dimension
    or alphabet size to try, if the kinds do not fix it and larger ones are slow. `quote` is the printed sentence, or
    its decisive part; for a refuted claim, `says` restates it in a few plain words, and `fault` says what is wrong with
    it.
    """

    id: str
    label: str
    statement: str
    given: Mapping[str, Kind]
    sides: Callable[..., tuple[Any, Any]]
    relation: str = "<="
    recorded: Verdict = Verdict.SUPPORTED
    corrects: str | None = None
    note: str | None = None
    proof: Prover | None = None
    argument: Callable[[Claim], Argument] | None = None
    effort: float = 1.0
    largest: int | None = None
    nature: Nature = Nature.OWN
    quote: str | None = None
    says: str | None = None
    fault: str | None = None

    @property
    def paper(self) -> str:
        """The first part of the id."""
        return self.id.split(".")[0]

    def __reduce__(self) -> tuple[Callable[[str], Claim], tuple[str]]:
        """A claim is pickled by its id."""
        return registered, (self.id,)


def registered(id: str) -> Claim:
    """Return the claim of this id."""
    return REGISTRY[id]


@dataclass(frozen=True)
class Counterexample:
    """An instance that violates a claim: exact inputs, and both sides in multiprecision."""

    inputs: Mapping[str, Any]
    lhs: str
    rhs: str
    digits: int


@dataclass(frozen=True)
class CertifiedMargin:
    """Decimal bounds of rhs - lhs at a counterexample, proved in ball arithmetic with `bits` bits."""

    margin_lower: str
    margin_upper: str
    bits: int


@dataclass(frozen=True)
class Evidence:
    """The outcome for one claim.

    `min_margin` is the smallest margin found, ``(rhs - lhs) / max(|lhs|, |rhs|)``, or for an equality minus the largest
    residual: in float64, or in balls or multiprecision if the instance was evaluated again. `margins` is a histogram of
    the sampled margins between the `MARGIN_EDGES`. The statement applies to `instances` of the `drawn` instances;
    `looked` of these were evaluated again, and for `contradicted` of them float64 was far off. If no violation is
    found, `left` further instances have a negative margin in float64 that is too few units of rounding for them to be
    evaluated again. `sizes` are the dimensions tried.
    """

    claim: Claim
    verdict: Verdict
    reason: str
    instances: int
    min_margin: float
    seconds: float
    counterexample: Counterexample | None = None
    tightest: Mapping[str, Any] = field(default_factory=dict)
    certificate: CertifiedMargin | None = None
    proof: Proof | None = None
    argument: Argument | None = None
    margins: tuple[int, ...] = ()
    drawn: int = 0
    looked: int = 0
    contradicted: int = 0
    left: int = 0
    sizes: tuple[int, ...] = ()
    seed: int = 0

    def to_json(self) -> str:
        """Return the outcome as JSON: the record of `krdtheory verify --json`, with the seed and the version."""
        from verification.report import record

        data = {"version": __version__, "seed": self.seed, **record(self)}
        return json.dumps(data, indent=1, allow_nan=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Evidence:
        """Return the outcome that `to_json` wrote, for a claim that is registered and has not changed since.

        Parameters
        ----------
        text : str
            Trusted input, like a file for --resume.

        Raises
        ------
        ValueError
            The text is not such JSON; no claim has the id, or the claim has changed.

        Examples
        --------
        >>> from verification import Evidence, check, claims
        >>> from verification.claim import REGISTRY
        >>> found = check(REGISTRY["hyptest.tv.2gen"], budget=10)
        >>> Evidence.from_json(found.to_json()).to_json() == found.to_json()
        True
        """
        from verification.resume import read_outcome

        return read_outcome(text)


@dataclass(frozen=True)
class Uncovered:
    """A statement of a paper that no claim tests: its place, its content in short, and why it is not tested."""

    paper: str
    place: str
    says: str
    why: str


class Registry(MutableMapping[str, Claim]):
    """Claims by id: those declared so far, and the papers' claims, which are imported when an id is not among the
    declared ones."""

    def __init__(self) -> None:
        self.declared: dict[str, Claim] = {}

    def _all(self) -> dict[str, Claim]:
        import_module("verification.claims")
        return self.declared

    def takes(self, id: str) -> bool:
        """Whether a new claim may have this id. The papers' claims are imported only for an id of a paper."""
        return id not in (self if id.partition(".")[0] in PAPERS else self.declared)

    def __getitem__(self, id: str) -> Claim:
        return self.declared[id] if id in self.declared else self._all()[id]

    def __setitem__(self, id: str, claim: Claim) -> None:
        self.declared[id] = claim

    def __delitem__(self, id: str) -> None:
        del self.declared[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


REGISTRY = Registry()
UNCOVERED: list[Uncovered] = []


def uncovered(paper: str, place: str, says: str, why: str) -> None:
    """List a statement that has no claim."""
    UNCOVERED.append(Uncovered(paper, place, says, why))


def check_integer(name: str, value: Any, low: int) -> None:
    """Raise unless value is an integer >= low."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        reject(name, value, f"an integer >= {low}", TypeError)
    if value < low:
        reject(name, value, f"an integer >= {low}")


def claim(
    id: str,
    *,
    label: str,
    statement: str,
    given: Mapping[str, Kind],
    relation: str = "<=",
    recorded: Verdict | None = None,
    corrects: str | None = None,
    note: str | None = None,
    proof: Prover | None = None,
    argument: Callable[[Claim], Argument] | None = None,
    effort: float = 1.0,
    largest: int | None = None,
    nature: Nature = Nature.OWN,
    quote: str | None = None,
    says: str | None = None,
    fault: str | None = None,
) -> Callable[[Callable[..., tuple[Any, Any]]], Claim]:
    r"""Declare a claim by decorating the function that gives its two sides.

    Parameters
    ----------
    id : str
        "paper.name", unique.
    label : str
        Where the paper states it.
    statement : str
        As printed, LaTeX allowed.
    given : mapping of str to Kind
        The instance: a kind from `verification.instances` for every argument of the function.
    relation : {"<=", "=="}
        Between the two sides.
    recorded : Verdict, optional
        The verdict with which a run is compared; by default `proved` if there is a proof, and `supported` otherwise.
    corrects : str, optional
        Id of the printed claim this one corrects.
    note : str, optional
        What a reader found in the proof.
    proof : Prover, optional
        From `verification.provers`; what it derives from the claim's own sides makes the claim `proved`, unless it also
        proves a false neighbour of the claim, such as its opposite.
    argument : callable, optional
        A function of the claim that returns a `verification.proof.Argument`: checked steps of a proof by hand, which
        do not change the verdict.
    effort : float
        Share of the budget to spend on the claim, in (0, 1]; less than 1 if its sides are slow.
    largest : int, optional
        Largest dimension or alphabet size, >= 2, to try, if the kinds do not fix it and larger ones are slow.
    nature : Nature
        What kind of sentence it is; a conjecture is `own`.
    quote : str, optional
        The printed words, or the decisive part of them; required if the nature is `printed`.
    says, fault : str, optional
        For a refuted printed claim: what the paper says in a few plain words, and what is wrong with it.

    Raises
    ------
    ValueError
        The id is taken or has no paper, the relation is neither "<=" nor "==", `recorded` is not a verdict,
        `nature` is not a nature, a printed claim has no quote, the effort is outside (0, 1], `largest` is below 2, or
        the function takes other arguments than ``(k, **given)``.
    TypeError
        `given` does not map names to kinds; what is decorated is not a function.

    Examples
    --------
    >>> from verification import claim, check
    >>> from verification.instances import Distributions, Order
    >>> @claim("own.example", label="example", statement="D_1 <= D_alpha for alpha >= 1",
    ...        given={"p": Distributions(2), "alpha": Order(1, 30)})
    ... def kl_is_below(k, p, alpha):
    ...     return k.kl(p[0], p[1]), k.renyi(p[0], p[1], alpha)
    >>> check(kl_is_below, budget=500).verdict
    <Verdict.SUPPORTED: 'supported'>
    """
    if relation not in ("<=", "=="):
        raise ValueError(f"relation must be '<=' or '=='; got {relation!r}")
    if recorded is None:
        recorded = Verdict.SUPPORTED if proof is None else Verdict.PROVED
    if recorded not in list(Verdict):
        reject("recorded", recorded, f"one of {', '.join(Verdict)}")
    if nature not in list(Nature):
        reject("nature", nature, f"one of {', '.join(Nature)}")
    if nature == Nature.PRINTED and not quote:
        reject("quote", quote, "the printed words, as the nature is printed")
    if proof is not None and not isinstance(proof, Prover):
        reject("proof", proof, "a prover of verification.provers", TypeError)
    if not 0 < effort <= 1:
        reject("effort", effort, "in (0, 1]")
    if largest is not None:
        check_integer("largest", largest, 2)
    if not isinstance(id, str):
        reject("id", id, 'a string "paper.name"', TypeError)
    if not all(id.partition(".")):
        reject("id", id, '"paper.name"')
    if not isinstance(given, Mapping) or not given or not all(isinstance(kind, Kind) for kind in given.values()):
        reject("given", given, "a mapping of the function's arguments to kinds of verification.instances", TypeError)

    def declare(sides: Callable[..., tuple[Any, Any]]) -> Claim:
        if not inspect.isfunction(sides):
            reject("sides", sides, "a function", TypeError)
        try:
            inspect.signature(sides).bind(None, **given)
        except TypeError as error:
            reject("given", list(given), f"the arguments of {sides.__name__} after the first ({error})")
        if not REGISTRY.takes(id) and REGISTRY[id].sides.__code__ is not sides.__code__:
            raise ValueError(f"id must be new; {id!r} is taken")
        made = Claim(
            id,
            label,
            statement,
            given,
            sides,
            relation,
            Verdict(recorded),
            corrects,
            note,
            proof,
            argument,
            effort,
            largest,
            Nature(nature),
            quote,
            says,
            fault,
        )
        REGISTRY[id] = made
        return made

    return declare


def select(paper: str | None = None, ids: Iterable[str] = ()) -> list[Claim]:
    """Return the registered claims of a paper and with these ids, in the order of declaration.

    Raises
    ------
    ValueError
        A paper or an id that no claim has.
    TypeError
        `ids` is not a list of ids.
    """
    if isinstance(ids, str) or not isinstance(ids, Iterable):
        reject("ids", ids, "a list of ids", TypeError)
    wanted = list(ids)
    papers = {c.paper for c in REGISTRY.values()}
    if paper is not None and paper not in papers:
        raise ValueError(f"paper must be one of {', '.join(sorted(papers))}; got {paper!r}")
    unknown = [i for i in wanted if not isinstance(i, str) or i not in REGISTRY]
    if unknown:
        raise ValueError(f"claim must be an id that --list shows; got {unknown[0]!r}")
    chosen = [c for c in REGISTRY.values() if paper in (None, c.paper) and (not wanted or c.id in wanted)]
    if not chosen:
        raise ValueError(f"claim must be of the paper {paper}; got {', '.join(wanted)}")
    return chosen


def load(file: str | Path) -> list[Claim]:
    """Return the claims that a Python file declares, in order.

    Raises
    ------
    ValueError
        The file declares no claim, is not Python, or fails.
    OSError
        The file cannot be read.
    """
    path = Path(file)
    source = path.read_bytes()
    before = set(REGISTRY.declared)
    try:
        exec(compile(source, str(path), "exec"), {"__name__": path.stem, "__file__": str(path)})
    except (KeyboardInterrupt, Stopped):
        raise
    except BaseException as error:  # this includes SystemExit
        raise ValueError(f"{path} does not run: {type(error).__name__}: {error}") from error
    declared = [c for id, c in REGISTRY.declared.items() if id not in before]
    if not declared:
        raise ValueError(f"{path} declares no claim of a new id; decorate a function with verification.claim")
    return declared
