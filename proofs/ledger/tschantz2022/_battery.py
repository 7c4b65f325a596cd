"""Arrows between definitions, recounted by the kernel over a part of the battery."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, Literal

from provado.proofs import kernel
from provado.proofs.causal.battery import PEOPLE_SCOPE, SCOPE, all_cases, all_mechanisms
from provado.proofs.causal.definitions import Decide, named
from provado.proofs.causal.exact import Factor
from provado.proofs.causal.search import Case
from provado.proofs.kernel import Number
from provado.proofs.ledger import Claim, Entry, Evidence, LedgerVerdict, Line, Step, Twin, show
from provado.proofs.ledger.fact import Fact, Recounted, Unshown
from provado.proofs.ledger.statement import Statement
from provado.proofs.ledger.theorem import Theorem

from ._coq import arrow, stated
from ._steps import AVERAGED, CONDITIONED
from ._terms import source

MECHANISMS_STEP, CASES_STEP = 3, 4
"""Each third mechanism and each fourth case; slow tests run through all of them."""
GIVEN_POPULATION = {"6", "7", "10", "3 for one population"}
"""Definitions that speak of one given population."""


def reciprocal(factor: Factor) -> Fraction:
    """Return 1/factor, which is 0 for ``math.inf``: a larger factor has a smaller reciprocal."""
    return Fraction(1) / factor if isinstance(factor, Fraction) else Fraction(0)


def largest_excess(pairs: Iterable[tuple[Factor, Factor]], fact: Recounted) -> kernel.Checked:
    """Return the finding that each first factor is at most the second, and equals it somewhere.

    The largest 1/second − 1/first is 0. Raises ``KernelRefusal`` where it is not.
    """
    rows = tuple(
        (i, reciprocal(allowed) - reciprocal(needed)) for i, (needed, allowed) in enumerate(pairs)
    )
    return recount(rows, fact)


def recount(rows: tuple[tuple[object, Number], ...], fact: Recounted) -> kernel.Checked:
    """Return the kernel's finding of a fact about these rows."""
    operation: Any = fact.operation
    return kernel.check(kernel.Recount(rows, operation, fact.value, fact.rows, fact.scope))


@dataclass(frozen=True)
class Arrow(Claim):
    """One definition implies another, or they are equivalent, for all finite mechanisms.

    Its obligations are the algebra of the definitions that it connects, and that over part of the
    battery the weaker definition needs no larger e^ε than the stronger one.
    """

    strong: str
    weak: str
    relation: Literal["implies", "is equivalent to", "does not imply"] = "implies"

    @property
    def formula(self) -> str:
        return f"Definition {self.strong} {self.relation} Definition {self.weak}, with the same ε"

    def statement(self) -> Statement | None:
        if self.relation == "does not imply":
            return None
        return stated(arrow(self.strong, self.weak, self.relation))

    def obligations(self) -> tuple[Fact, ...]:
        if self.relation == "does not imply":
            return (Unshown(self.formula),)
        return *(fact for line in self.steps() for fact in line.facts), *self.recounts()

    def steps(self) -> tuple[Step, ...]:
        """Return the algebra behind the arrow."""
        kinds = {_ALGEBRA[name] for name in (self.strong, self.weak) if name in _ALGEBRA}
        return tuple(step for step in (CONDITIONED, AVERAGED) if step in kinds)

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Return the implications: (strong, weak)."""
        both = ((self.strong, self.weak), (self.weak, self.strong))
        return both if self.relation == "is equivalent to" else both[:1]

    def recounts(self) -> tuple[Recounted, ...]:
        """Return what the battery must show."""
        return tuple(_recounted(*pair) for pair in self.pairs())


_ALGEBRA: Mapping[str, Step] = {
    **dict.fromkeys(("2", "3", "10"), CONDITIONED),
    **dict.fromkeys(("7", "8", "9", "4 with mutual independence"), AVERAGED),
}
"""How a definition's probabilities come from Pr[A(d) = o]; those of 1, 5 and 6 are these."""


def arrow_findings(claim: Arrow) -> tuple[kernel.Checked, ...]:
    """Return the findings of an arrow's obligations."""
    algebra = (show(fact) for step in claim.steps() for fact in step.facts)
    recounts = zip(claim.pairs(), claim.recounts(), strict=True)
    return *algebra, *(_implication(*pair, fact) for pair, fact in recounts)


def arrow_lines(*claims: Arrow) -> tuple[Line, ...]:
    """Return the steps of arrows, and what was recounted."""
    said = "Over part of the battery the definitions were decided in the model itself (kernel)."
    steps = dict.fromkeys(step for claim in claims for step in claim.steps())
    return *steps, Step(said, tuple(fact for claim in claims for fact in claim.recounts()))


def arrow_entry(
    *,
    id: str,
    place: str,
    printed: str,
    words: str,
    scope: str,
    claim: Arrow,
    argument: Sequence[Line],
    twin: Twin,
    proof_remark: str = "",
) -> Entry:
    """Return an entry that is an arrow and nothing else; the arrow's own steps end its argument.

    Its theorem stands in the file of its own name.
    """

    def gather(claim: Arrow) -> Evidence:
        lines = (*argument, *arrow_lines(claim))
        return Evidence(arrow_findings(claim), argument=lines, proof_remark=proof_remark)

    return Entry(
        id=id,
        source=source(place),
        printed=printed,
        words=words,
        scope=scope,
        claim=claim,
        expected=LedgerVerdict.ARGUED,
        gather=gather,
        twin=twin,
        theorem=Theorem(theorem_name(id), claim),
    )


def theorem_name(id: str) -> str:
    """Return the theorem of an entry: ``tschantz2022.prop1.prop1`` for ``tschantz2022/prop1``."""
    paper, _, name = id.replace("-", "_").partition("/")
    return f"{paper}.{name}.{name}"


def _people(strong: str, weak: str) -> bool:
    return bool({strong, weak} & GIVEN_POPULATION)


def _recounted(strong: str, weak: str) -> Recounted:
    people = _people(strong, weak)
    part = f"every fourth of: {PEOPLE_SCOPE}" if people else f"every third of: {SCOPE}"
    scope = f"1/e^ε of Definition {weak} less 1/e^ε of Definition {strong}, {part}"
    return Recounted("maximum", 0, len(_cases(people)), scope)


def _implication(strong: str, weak: str, fact: Recounted) -> kernel.Checked:
    people = _people(strong, weak)
    pairs = zip(_needed(named(weak), people), _needed(named(strong), people), strict=True)
    return largest_excess(pairs, fact)


@cache
def _cases(people: bool) -> tuple[Case, ...]:
    if people:
        return all_cases()[::CASES_STEP]
    return tuple(Case(mechanism) for mechanism in all_mechanisms()[::MECHANISMS_STEP])


@cache
def _needed(definition: tuple[str, Decide], people: bool) -> tuple[Factor, ...]:
    return tuple(definition[1](case).factor for case in _cases(people))
