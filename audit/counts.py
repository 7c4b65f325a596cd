"""What is kept of an experiment: six integers, the guesses made under each intervention."""

from __future__ import annotations

from dataclasses import dataclass

from provado.mechanisms import UsageError


@dataclass(frozen=True)
class Counts:
    """Trials by intervention (do(D) or do(D′)) and by what the rule said of the output.

    Counts of independent trials add, from any number of workers, in any order.
    """

    d_said_d: int = 0
    d_said_d_prime: int = 0
    d_abstained: int = 0
    d_prime_said_d: int = 0
    d_prime_said_d_prime: int = 0
    d_prime_abstained: int = 0

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
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

    def __add__(self, other: Counts) -> Counts:
        # By name: ``astuple`` copies deeply, a hundred times as slowly.
        return Counts(**{name: count + getattr(other, name) for name, count in vars(self).items()})
