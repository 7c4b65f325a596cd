"""What is known about the sensitivity of one score under one relation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from provado.mechanisms import NeighboringRelation, Source
from provado.mechanisms.definitions.parameters import natural
from provado.mechanisms.definitions.relation import difference_words, short
from provado.proofs.kernel import Checked, Recount, check

Dataset = tuple[Any, ...]
Reference = Callable[[Any], Any]


@dataclass(frozen=True)
class WorstPair:
    """The two neighbors on which a score moves most, of those that were found.

    change: recomputed from them by ``worst_of``. The data are records, exact.
    """

    d: Dataset
    d_prime: Dataset
    change: Fraction


@dataclass(frozen=True)
class Comparison:
    """Printed bound, proved bound and worst found pair for one number of records.

    size: m, for add-or-remove-one the larger of the two. printed, upper: ``None`` where there is
    none.
    """

    size: int
    printed: Fraction | None
    upper: Fraction
    worst: WorstPair

    @property
    def sharp(self) -> bool:
        """Return whether the worst pair reaches the proved bound: no smaller constant holds."""
        return self.worst.change == self.upper

    @property
    def printed_holds(self) -> bool | None:
        """Return whether printed is at least proved; ``False`` if a pair breaks the printed.

        ``None`` where nothing is printed, or where the printed one lies between the two.
        """
        if self.printed is None:
            return None
        if self.worst.change > self.printed:
            return False
        return True if self.printed >= self.upper else None

    @property
    def saving(self) -> Fraction | None:
        """Return printed over proved: how many times less noise the proved bound asks for.

        ``None`` where there is no printed bound, or one that a pair breaks.
        """
        if self.printed is None or self.printed_holds is False or not self.upper:
            return None
        return self.printed / self.upper


@dataclass(frozen=True)
class SensitivityFinding:
    """A score with a bound on its change that is proved for all sizes.

    score: name, with the variant. relation: which datasets are neighbors.
    scope: of which data, kernels or parameters all this speaks.
    source: where score and printed bound are published.
    printed, printed_words: the published bound, as a function of the size and in words.
    upper, upper_words: the proved bound, likewise. A user should take this one.
    steps: the counting that leads to it, a sentence a step; what the kernel decides is marked so.
    certificates: builds and checks the inequalities for all sizes, and that the printed bound is
        not below (where it is not); raises ``KernelRefusal`` where one fails.
    worst: the worst neighbors for a size, found by construction or enumeration, at run time.
    smallest: the smallest size for which the bound is claimed.
    remark: what else is to be known: gaps, faulty printed proofs, open questions.
    """

    score: str
    relation: NeighboringRelation
    scope: str
    source: Source
    printed: Callable[[int], Fraction] | None
    printed_words: str
    upper: Callable[[int], Fraction]
    upper_words: str
    steps: tuple[str, ...]
    certificates: Callable[[], tuple[Checked, ...]]
    worst: Callable[[int], WorstPair]
    smallest: int
    remark: str = ""

    def at(self, size: int) -> Comparison:
        """Return the comparison for one number of records, from ``smallest`` on."""
        m = natural(size, "size")
        printed = None if self.printed is None else self.printed(m)
        return Comparison(m, printed, self.upper(m), self.worst(m))

    def words(self, size: int) -> str:
        """Return the finding for one size: the data first, then the bounds, then the steps."""
        found = self.at(size)
        pair = found.worst
        saving = found.saving
        return "\n".join(
            [
                f"Let D = {short(list(pair.d))}.",
                f"{difference_words(list(pair.d), list(pair.d_prime))}.",
                f"Then {self.score} moves by {pair.change} ({self.relation.words()}).",
                f"Proved for all m ≥ {self.smallest}: it never moves by more than "
                f"{self.upper_words}, here {found.upper}"
                + (", which is sharp." if found.sharp else "."),
                f"Printed: {self.printed_words}"
                + (f", here {found.printed}" if found.printed is not None else "")
                + (f": {float(saving):.3g} times the noise." if saving is not None else "."),
                *(f"{i}. {step}" for i, step in enumerate(self.steps, 1)),
                *([self.remark] if self.remark else []),
            ]
        )


@dataclass(frozen=True)
class UnboundedFinding:
    """A score for which a claimed bound fails; counterexamples to it can be built at will.

    beyond: takes a claimed bound and returns the kernel's refutation of it, or raises
        ``KernelRefusal`` if the score's range does not allow one.
    printed: what the source claims, in words. steps: why the family breaks any bound.
    """

    score: str
    relation: NeighboringRelation
    scope: str
    source: Source
    printed: str
    beyond: Callable[[Fraction], Checked]
    steps: tuple[str, ...]
    remark: str = ""


def worst_of(d: Dataset, d_prime: Dataset, score: Reference) -> WorstPair:
    """Return the pair with its change as the exact ``score`` gives it."""
    return WorstPair(d, d_prime, abs(Fraction(score(d_prime)) - Fraction(score(d))))


def recounted(pairs: Sequence[WorstPair], scope: str) -> Checked:
    """Return the kernel's finding of the largest change among enumerated pairs."""
    rows = tuple((i, pair.change) for i, pair in enumerate(pairs))
    largest = max(change for _, change in rows)
    return check(Recount(rows, "maximum", largest, len(rows), scope))
