"""Counts from any number of workers add up: the wealth follows from the sums."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from provado.proofs import kernel
from provado.proofs.ledger import Claim, Entry, Evidence, LedgerVerdict, Step, Twin
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.fact import Fact, Recounted

from . import source
from ._terms import stated

T, DELTA, STAKE, MOST = Fraction(2), Fraction(1, 10), Fraction(1, 5), 2


@dataclass(frozen=True)
class Tally(Claim):
    """The wealth of all workers' trials is that of the added counts.

    each: how many times a right guess, a wrong one and none count in the sums.
    """

    each: tuple[int, int, int] = (1, 1, 1)

    @property
    def formula(self) -> str:
        return f"the product of the workers' wealths is the wealth of {self._sums()}"

    def _sums(self) -> str:
        return ", ".join(
            f"Σ {name}" if times == 1 else f"{times}·Σ {name}"
            for times, name in zip(self.each, "CWA", strict=True)
        )

    def statement(self) -> Statement | None:
        if self.each != (1, 1, 1):
            return None
        names = ("rights", "wrongs", "abstentions")
        sums = " ".join(f"(sumn [seq {name} h | h <- workers])" for name in names)
        return stated(
            "forall (R : realFieldType) (t delta stake : R) (workers : seq (seq outcome)), "
            f"product (wealth t delta stake) workers = wealth_of_counts t delta stake {sums}"
        )

    def recounted(self) -> Recounted:
        """Return the fact that both agree for two workers with up to so many of each outcome."""
        scope = (
            f"|wealth of both − product of the wealths| at t = {T}, δ = {DELTA}, λ = {STAKE}, two "
            f"workers, up to {MOST} of each outcome, counted {self.each}"
        )
        return Recounted("maximum", 0, (MOST + 1) ** 6, scope)

    def obligations(self) -> tuple[Fact, ...]:
        return (self.recounted(),)

    def rows(self) -> tuple[tuple[object, Fraction], ...]:
        """Return the differences."""
        rows: list[tuple[object, Fraction]] = []
        for six in product(range(MOST + 1), repeat=6):
            one, two = six[:3], six[3:]
            both = [(a + b) * times for a, b, times in zip(one, two, self.each, strict=True)]
            rows.append((six, abs(_wealth(*both) - _wealth(*one) * _wealth(*two))))
        return tuple(rows)


def _wealth(right: int, wrong: int, abstained: int) -> Fraction:
    won, lost = 1 + STAKE * (1 - DELTA), 1 - STAKE * (T + DELTA)
    return Fraction(won**right * lost**wrong * (1 - STAKE * DELTA) ** abstained)


def _gather(claim: Tally) -> Evidence:
    fact = claim.recounted()
    found = kernel.check(kernel.Recount(claim.rows(), "maximum", fact.value, fact.rows, fact.scope))
    return Evidence(
        printed=(found,),
        argument=(
            "The wealth is a product of one factor a trial, and a factor depends on the outcome "
            "alone. A product does not change with the order, nor with how it is split.",
            Step("Recounted for two workers (kernel).", (fact,)),
        ),
    )


ENTRY = Entry(
    id="audit/tally",
    source=source("the three counts, step 3"),
    printed="Counts from any number of workers add up.",
    words="The wealth of all trials is that of the added counts, whoever counted what.",
    scope="any number of workers and trials, all with one stake",
    claim=Tally(),
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin("Abstentions are not counted.", Tally((1, 1, 0))),
    theorem_of=Tally(),
)
