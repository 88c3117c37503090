"""Proofs by derivation: the claim's sides are evaluated on symbols, and each case of its kinds gets a theorem."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy
from sympy import Expr
from sympy.core.cache import clear_cache

from verification.proof import Derivation, ProofError, Prover
from verification.provers.kernel import Theorem, at_most, equal, pointwise, same, shortened
from verification.provers.kinds import domain, instance
from verification.provers.lemmas import both
from verification.provers.operators import canonical, terms
from verification.provers.symbols import Case, Total, cases
from verification.provers.values import expression
from verification.provers.vocabulary import SymbolicVocabulary
from verification.vocabulary import NoneAssumed

if TYPE_CHECKING:
    from verification.claim import Claim

SECONDS = 300  # the limit for one proof; none comes near it, so verdicts do not depend on the machine's speed

Script = Callable[["Goal"], Theorem]


@dataclass(frozen=True)
class Goal:
    """An inequality of a claim in one case, which a script is to derive.

    `given` maps the names of the kinds to expressions in parameters and symbols of weights, which are also attributes
    of the goal. `index` is the number of the inequality if the claim has several, and `relation` is "<=" or "==".
    """

    case: Case
    lhs: Expr
    rhs: Expr
    given: Mapping[str, Any]
    index: int = 0
    relation: str = "<="

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name not in self.given:
            raise AttributeError(name)
        return self.given[name]

    @cached_property
    def obvious(self) -> Theorem | None:
        """The theorem if a side is infinite, the sides are equal, or the sign of their difference is clear; or None."""
        try:
            return _obvious(self)
        except ProofError:
            return None

    def total(self, e: Expr) -> Expr:
        """Return the sum of an expression over the letters on which it depends."""
        return Total(e, *sorted(self.case.ranges(e), key=str))

    def pointwise(self, lhs: Any = None, rhs: Any = None, **hints: Any) -> Theorem:
        """Apply `kernel.pointwise` to the goal, or to the sides that are given."""
        hints.setdefault("equal", self.relation == "==" and lhs is None and rhs is None)
        return pointwise(self.case, self.lhs if lhs is None else lhs, self.rhs if rhs is None else rhs, **hints)

    def at_most(self, lhs: Any = None, rhs: Any = None, tactic: Any = None) -> Theorem:
        """Apply `kernel.at_most` to the goal, or to the sides that are given."""
        return at_most(self.case, self.lhs if lhs is None else lhs, self.rhs if rhs is None else rhs, tactic)

    def equal(self, lhs: Any = None, rhs: Any = None) -> Theorem:
        """Apply `kernel.equal` to the goal, or to the sides that are given."""
        return equal(self.case, self.lhs if lhs is None else lhs, self.rhs if rhs is None else rhs)


def _obvious(goal: Goal) -> Theorem:
    first, second = (goal.equal, goal.at_most) if goal.relation == "==" else (goal.at_most, goal.equal)
    try:
        return first()
    except ProofError:
        shown = second()
        return shown if shown.equal or goal.relation != "==" else both(shown, goal.at_most(goal.rhs, goal.lhs))


@dataclass
class Tally:
    """A summary of a derivation: its cases and inequalities, how many are trivial, its steps and its premises."""

    cases: int = 0
    inequalities: int = 0
    trivial: int = 0  # inequalities between numbers, without symbols
    trivial_cases: int = 0
    steps: dict[str, None] = field(default_factory=dict)
    premises: dict[str, None] = field(default_factory=dict)


def goals(claim: Claim, case: Case) -> list[Goal]:
    """Return the inequalities of a claim in a case of its kinds; empty if the case cannot occur."""
    made = instance(claim.given, case)
    try:
        lhs, rhs = claim.sides(SymbolicVocabulary(), **made.arguments)
    except NoneAssumed:
        return []
    left, right = np.broadcast_arrays(np.asarray(lhs, dtype=object), np.asarray(rhs, dtype=object))
    if left.shape[:1] != (1,):
        raise ProofError(f"the sides of one instance have shape {left.shape}")
    if case.impossible():
        return []
    if not left.size:
        raise ProofError("there is no inequality")
    pairs = zip(left.ravel(), right.ravel(), strict=True)
    parameters = made.parameters
    return [Goal(case, expression(x), expression(y), parameters, i, claim.relation) for i, (x, y) in enumerate(pairs)]


def derive(claim: Claim, script: Script | None) -> Tally:
    """Derive every inequality of a claim in every case, whether its kinds or the script opens the case.

    Obvious inequalities need no script.

    Raises
    ------
    ProofError
        A step is refused, a theorem is not about its goal, or all cases are trivial.
    """
    tally = Tally()
    clear_cache()  # sums in the cache belong to the letters of another claim
    canonical.cache_clear()
    terms.cache_clear()
    limit = time.monotonic() + SECONDS

    def run(case: Case) -> None:
        wanted = goals(claim, case)
        before = tally.inequalities - tally.trivial
        for goal in wanted:
            if time.monotonic() > limit:
                raise ProofError(f"more than {SECONDS} seconds")
            tally.inequalities += 1
            if not goal.lhs.free_symbols and not goal.rhs.free_symbols and goal.obvious is not None:
                tally.trivial += 1
                continue
            try:
                theorem = _derived(goal, script)
            except ProofError as error:
                raise ProofError(f"{error}; {_told(goal)}") from error
            tally.steps.update(dict.fromkeys(theorem.steps))
            tally.premises.update(dict.fromkeys(theorem.premises))
        if wanted:
            tally.cases += 1
            tally.trivial_cases += tally.inequalities - tally.trivial == before

    for _ in cases(run):
        pass
    if tally.inequalities == tally.trivial:
        raise ProofError("every case is trivial")
    return tally


def _derived(goal: Goal, script: Script | None) -> Theorem:
    """Return the theorem from the script, or an obvious one if the script fails or is not needed."""
    infinite = goal.relation != "==" and (goal.rhs == sympy.oo or goal.lhs == -sympy.oo)
    if infinite or goal.lhs == goal.rhs or (script is None and goal.obvious is not None):
        return _belongs(goal.obvious, goal)
    try:
        return _belongs(script(goal) if script is not None else goal.pointwise(), goal)
    except Exception:  # a script may fail in any way on a goal that it is not written for
        if goal.obvious is None:
            raise
        return goal.obvious


def _told(goal: Goal) -> str:
    """Return the goal and its case as text, with the definitions of its symbols."""
    text = f"to show: {shortened(goal.lhs)} {goal.relation} {shortened(goal.rhs)}"
    names = goal.lhs.free_symbols | goal.rhs.free_symbols
    meant = [f"{s} for {shortened(d)}" for s, d in goal.case.definitions.items() if s in names]
    return "; ".join([text, *(f"in the case {a}" for a in goal.case.assumed[:6]), *meant])


def _belongs(theorem: Theorem | None, goal: Goal) -> Theorem:
    """Return the theorem as one about the goal's own sides, which may follow from it by signs."""
    if theorem is None:
        raise ProofError("the goal is not obvious, and the script returns no theorem")
    if not isinstance(theorem, Theorem) or theorem.case is not goal.case:
        raise ProofError("a script must return a theorem in the case of its own goal")
    if goal.relation == "==" and not theorem.equal:
        raise ProofError("the goal is an equality, and the theorem is an inequality")
    sides = [(theorem.lhs, goal.lhs), (theorem.rhs, goal.rhs)]
    low, high = (same(goal.case, mine, wanted) for mine, wanted in sides)
    if goal.relation == "==" and not (low and high):
        raise ProofError("the theorem is {} == {}", theorem.lhs, theorem.rhs)
    if not low:
        theorem = at_most(goal.case, goal.lhs, theorem.lhs).then(theorem)
    return theorem if high else theorem.then(at_most(goal.case, theorem.rhs, goal.rhs))


@dataclass(frozen=True)
class Derived(Prover):
    """The prover by derivation; `script` maps a goal to its theorem, or to one that implies it by signs.

    Without a script, only goals that are obvious, or follow letter by letter, are derived.
    """

    script: Script | None = None
    method = "derivation"

    def derive(self, claim: Claim) -> Derivation:
        tally = derive(claim, self.script)
        if claim.id in tally.premises:
            raise ProofError(f"{claim.id} rests on itself")
        steps = (
            f"{tally.cases} {'case' if tally.cases == 1 else 'cases'}, {tally.trivial_cases} trivial",
            *tally.steps,
        )
        return Derivation(domain(claim.given), steps, tuple(tally.premises))


def derived(script: Script | None = None) -> Derived:
    """Return the prover of a claim by a script, which is a function from a `Goal` to its `Theorem`.

    A theorem a <= b suffices for the goal x <= y if x <= a and b <= y are obvious. A script may fail on goals that are
    obvious themselves.

    Examples
    --------
    >>> from verification import claim
    >>> from verification.instances import Order, Scale
    >>> from verification.proof import proved
    >>> @claim("own.sign", label="example", statement="(alpha - 1) x >= 0", given={"alpha": Order(1), "x": Scale()})
    ... def example(k, alpha, x):
    ...     return 0 * x, (alpha - 1) * x
    >>> proved(example, derived()).domain
    'alpha: in (1, oo); x: in [0, oo)'
    """
    return Derived(script)


__all__ = ["Derived", "Goal", "derive", "derived", "goals"]
