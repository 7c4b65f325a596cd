"""What ``check_sensitivity`` may say: verdicts in the words of the ledger, and what was found."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from provado.mechanisms.definitions.relation import counted, difference_words, of_one_field, short
from provado.proofs.kernel import Checked


class SensitivityVerdict(StrEnum):
    """The verdict on one claimed sensitivity of one score.

    ``PROVED``: a bound for all data; the kernel checked the signs on which every case depends.
    ``ARGUED``: a bound for all data follows from how the query is built, by a textbook inequality
    at each step. ``VERIFIED``: every pair of neighbors of the named finite scope was tried.
    ``SUPPORTED``: searched and nothing found; not a proof. ``REFUTED``: a pair of neighbors that
    replays.
    ``UNKNOWN``: the score broke somewhere; it comes with the reason. Never a pass.
    """

    PROVED = "proved"
    ARGUED = "argued"
    VERIFIED = "verified"
    SUPPORTED = "supported"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


class ExcessCause(StrEnum):
    """Why a score moves by more than was claimed.

    ``REAL``: the function itself does, in exact numbers. ``ROUNDING``: the exact function keeps the
    claim on this pair, and floating point breaks it. ``OPEN``: the score returns floats, and no
    exact version was given to tell the two apart.
    """

    REAL = "real numbers"
    ROUNDING = "floating point"
    OPEN = "not decided between real numbers and floating point"


# What was found out about a claimed sensitivity.


@dataclass(frozen=True)
class MovedPair:
    """Two neighbors and what the score does on them, exactly.

    d, d_prime: the records, in order. values: the score of each; a float as the number it holds.
    claimed: the bound that was claimed for this size. exact_values: those of the exact version of
    the score, where one was given.
    """

    d: tuple[Any, ...]
    d_prime: tuple[Any, ...]
    values: tuple[Fraction, Fraction]
    claimed: Fraction
    exact_values: tuple[Fraction, Fraction] | None = None

    @property
    def change(self) -> Fraction:
        """Return |score(D′) − score(D)|."""
        return abs(self.values[1] - self.values[0])

    @property
    def excess(self) -> Fraction:
        """Return by how much the change goes beyond the claim; not above 0 where it does not."""
        return self.change - self.claimed


@dataclass(frozen=True)
class SensitivityCheck:
    """The verdict of ``check_sensitivity`` with all that it rests on.

    worst: the pair that moves most beyond (or comes closest to) its claim; a refutation's smallest
        counterexample. ``None`` where no pair could be evaluated.
    cause: for a refutation, whether the function or its floating-point arithmetic is wrong.
    examined: how many pairs of neighbors were evaluated.
    scope: on what the verdict speaks, in words.
    reason: for ``unknown``, what broke.
    finding: what the kernel found when it re-checked the table or the counterexample.
    """

    verdict: SensitivityVerdict
    worst: MovedPair | None
    cause: ExcessCause | None
    examined: int
    scope: str
    reason: str = ""
    finding: Checked | None = None

    def words(self) -> str:
        """Return the explanation: the data, what the score does on them, then the verdict."""
        lines: list[str] = []
        if self.worst is not None:
            pair = self.worst
            before, after = pair.values
            d, d_prime = of_one_field(pair.d), of_one_field(pair.d_prime)
            lines += [
                f"Let D = {short(d)}.",
                f"{difference_words(d, d_prime)}.",
                f"Then score(D) = {_number(before)} and score(D′) = {_number(after)}: a change of "
                f"{_number(pair.change)}, where {_number(pair.claimed)} is claimed.",
            ]
            if pair.excess > 0:
                lines.append(f"The excess is {_number(pair.excess)}.")
            if pair.exact_values is not None:
                change = abs(pair.exact_values[1] - pair.exact_values[0])
                lines.append(f"In exact numbers the change is {_number(change)}.")
        if self.cause is not None:
            lines.append(f"Cause: {self.cause}.")
        if self.reason:
            lines.append(f"Reason: {self.reason}.")
        lines.append(
            f"Verdict: {self.verdict}, {counted(self.examined, 'pair')} examined ({self.scope})."
        )
        return "\n".join(lines)


def _number(value: Fraction) -> str:
    """Return a short fraction as it is; a long one as a float beside its size."""
    text = str(value)
    return text if len(text) <= 24 else f"{text[:60]}{'…' * (len(text) > 60)} ≈ {float(value):.17g}"
