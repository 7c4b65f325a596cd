"""What is kept of an experiment: six integers, the guesses made under each intervention."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from provado.mechanisms import UsageError

_MORE = ("cells", "beside")
_NO_COUNT = (*_MORE, "unread")


@dataclass(frozen=True)
class Counts:
    """Trials by intervention (do(D) or do(D′)) and by what the rule said of the output.

    cells: where the claim is a curve, trials by cell of the rule's score, those under do(D) first,
        then those under do(D′), and in each the scores of NaN last; else empty.
    unread: the part of their outputs that stayed unread, in words; else empty.
    beside: the counts of other rules on the same trials, where they have several; else empty.

    Counts of independent trials add, from any number of workers, in any order.
    """

    d_said_d: int = 0
    d_said_d_prime: int = 0
    d_abstained: int = 0
    d_prime_said_d: int = 0
    d_prime_said_d_prime: int = 0
    d_prime_abstained: int = 0
    cells: tuple[int, ...] = field(default=(), kw_only=True)
    unread: str = field(default="", kw_only=True)
    beside: tuple[Counts, ...] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        every = [(name, value) for name, value in vars(self).items() if name not in _NO_COUNT]
        for name, value in (*every, *(("cells", value) for value in self.cells)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise UsageError(f"{name} is {value!r}: a count is an integer of at least 0")

    @property
    def correct(self) -> int:
        """C: guesses that named the intervention that was made."""
        return self.d_said_d + self.d_prime_said_d_prime

    @property
    def wrong(self) -> int:
        """W: guesses that named the other one."""
        return self.d_said_d_prime + self.d_prime_said_d

    @property
    def abstained(self) -> int:
        """A: trials on which the rule said nothing."""
        return self.d_abstained + self.d_prime_abstained

    @property
    def guesses(self) -> int:
        """C + W."""
        return self.correct + self.wrong

    @property
    def trials(self) -> int:
        """C + W + A."""
        return self.guesses + self.abstained

    @property
    def d_trials(self) -> int:
        """Trials under do(D)."""
        return self.d_said_d + self.d_said_d_prime + self.d_abstained

    @property
    def d_prime_trials(self) -> int:
        """Trials under do(D′)."""
        return self.d_prime_said_d + self.d_prime_said_d_prime + self.d_prime_abstained

    @property
    def side(self) -> int:
        """1 where only D was guessed, −1 where only D′ was, else 0."""
        d = self.d_said_d + self.d_prime_said_d
        return 0 if 0 < d < self.guesses or not self.guesses else 1 if d else -1

    def guessed(self, side: int = 0) -> tuple[int, int, int]:
        """Return right and wrong guesses, and the other trials.

        side: 1 for guesses of D alone, −1 for those of D′ alone, 0 for all.
        """
        d, d_prime = self.d_said_d, self.d_prime_said_d_prime
        right = (d + d_prime, d, d_prime)[side]
        wrong = (self.wrong, self.d_prime_said_d, self.d_said_d_prime)[side]
        return right, wrong, self.trials - right - wrong

    def __add__(self, other: Counts) -> Counts:
        # By name: ``astuple`` copies deeply, a hundred times as slowly.
        mine, others = vars(self), vars(other)
        summed = {name: mine[name] + others[name] for name in mine if name not in _NO_COUNT}
        more: dict[str, Any] = {
            name: tuple(a + b for a, b in zip(mine[name], others[name], strict=True))
            if mine[name] and others[name]
            else mine[name] or others[name]
            for name in _MORE
        }
        return Counts(**summed, **more, unread=self.unread or other.unread)

    @property
    def each(self) -> tuple[Counts, ...]:
        """The counts of each rule alone, this one's first."""
        return replace(self, beside=()), *self.beside

    @property
    def six(self) -> tuple[int, int, int, int, int, int]:
        """The six integers that the guesses are, without cells."""
        return (
            self.d_said_d,
            self.d_said_d_prime,
            self.d_abstained,
            self.d_prime_said_d,
            self.d_prime_said_d_prime,
            self.d_prime_abstained,
        )
