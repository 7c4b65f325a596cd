"""What a statement claims, as data: its formula is shown from them, its obligations follow by code.

A claim says which facts show it (``obligations``) and which refute it (``counterexamples``); a
finding counts only where it states one of them (``provado.proofs.ledger.decide``). So a constant of
the paper stands once, here: change it, and findings about the old one no longer fit.

``WHOLE`` are the claims whose obligations are the claim itself, from definitions. All other claims
need an argument between the facts and the words, and are never ``proved``.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, Protocol

from provado.proofs.algebra import ExpPoly
from provado.proofs.algebra.certificates import STEP
from provado.proofs.kernel import Number, Pieces

from .fact import AtLeastZero, Equal, Fact, Fails, MovesMore, NoisyMean, NotPrivate, span
from .formula import Formula


@dataclass(frozen=True)
class Statement:
    """A proposition of Coq, made from a claim's data.

    text: the proposition. imports: the files of definitions that it is written with, below
    ``proofs/coq`` and with dots: ``definitions.mechanism``. It sees no others.
    """

    text: str
    imports: tuple[str, ...]


class Claim(Protocol):
    """A frozen dataclass of the paper's constants.

    A claim that inherits from this one need state only what can show it, or only what can refute.
    """

    @property
    def formula(self) -> str:
        """Return the claim as a formula, made from the data."""

    def obligations(self) -> tuple[Fact, ...]:
        """Return the facts that show the claim, all of them; none if no facts can."""
        return ()

    def counterexamples(self) -> tuple[Fact, ...]:
        """Return the facts that refute it, all of them; none if no facts can."""
        return ()

    def statement(self) -> Statement | None:
        """Return the claim in Coq's language, from the data; ``None`` if it has no such form."""
        return None


@dataclass(frozen=True)
class LaplaceTail(Claim):
    """Pr[Z_1 + … + Z_n > x] = tail for x ≥ 0, Z_i ~ Laplace(0, scales[i]) independent.

    The noise is symmetric, so that the formula for x ≥ 0 gives the other half. Whole: the kernel
    goes from the definition of the noise to the formula.

    where: which quantities of the paper the noise and x stand for.
    """

    scales: tuple[Number, ...]
    tail: Formula
    where: str

    @property
    def formula(self) -> str:
        noise = " + ".join(f"Laplace({scale})" for scale in self.scales)
        x = self.tail.variable
        return f"Pr[{noise} > {x}] = {self.tail} for {x} ≥ 0; {self.where}"

    def pieces(self) -> Pieces:
        """Return the tail on the whole line."""
        right = self.tail.value()
        left = 1 - right.compose(-1, 0)
        return ((None, 0, left.as_data()), (0, None, right.as_data()))

    def obligations(self) -> tuple[Fact, ...]:
        return (NoisyMean(STEP.as_data(), self.scales, self.pieces()),)


@dataclass(frozen=True)
class Stretch:
    """A derived bound, and where it holds: for all x, or all integers, in [lower, upper]."""

    derived: Formula
    lower: Number
    upper: Number | None = None
    integers: bool = False


@dataclass(frozen=True)
class Bounded(Claim):
    """A quantity is at most a printed bound, by way of derived bounds that are at most that.

    quantity: what is bounded, in words. stretches: derived bounds with their scopes; that they
    bound the quantity is what the argument is for. same: the derived bound is the printed one.
    """

    quantity: str
    bound: Formula
    stretches: tuple[Stretch, ...]
    relation: Literal["≤", "≥"] = "≤"
    same: bool = False

    @property
    def formula(self) -> str:
        x = self.bound.variable
        scopes = " and ".join(
            span(s.lower, s.upper, s.integers).replace("x", x) for s in self.stretches
        )
        return f"{self.quantity} {self.relation} {self.bound} for {scopes}"

    def differences(self) -> tuple[tuple[Stretch, ExpPoly, ExpPoly], ...]:
        """Return bound less derived bound, as numerator and denominator, for each stretch."""
        result = []
        for stretch in self.stretches:
            (a, b), (c, d) = self.bound.ratio(), stretch.derived.ratio()
            rest = a * d - c * b
            result.append((stretch, rest if self.relation == "≤" else -rest, b * d))
        return tuple(result)

    def obligations(self) -> tuple[Fact, ...]:
        if self.same:
            return tuple(fact for stretch in self.stretches for fact in self._same(stretch))
        return tuple(
            AtLeastZero(top.as_data(), s.lower, s.upper, False, s.integers, bottom.as_data())
            for s, top, bottom in self.differences()
        )

    def _same(self, s: Stretch) -> tuple[Fact, ...]:
        """Return that the bounds are one, and that neither divides by 0."""
        (a, b), (c, d) = self.bound.ratio(), s.derived.ratio()
        crossed = c * b if self.relation == "≤" else -(c * b)
        return (
            Equal((a * d).as_data(), crossed.as_data()),
            AtLeastZero((b * d).as_data(), s.lower, s.upper, True, s.integers),
        )

    def counterexamples(self) -> tuple[Fact, ...]:
        if self.same:
            return ()
        return tuple(
            Fails(top.as_data(), "≥ 0", s.lower, s.upper, s.integers)
            for s, top, _ in self.differences()
        )


@dataclass(frozen=True)
class Setting:
    """A mechanism as it is run: the name of its reference function, its ε and δ."""

    mechanism: str
    epsilon: Number
    delta: Number = 0


@dataclass(frozen=True)
class Private(Claim):
    """A mechanism run at (ε, δ) is claimed to be (epsilon_times·ε, delta_times·δ)-DP.

    delta_times: ``None`` for pure differential privacy. settings: where the claim is tried; each of
    them must refute it.
    """

    mechanism: str
    relation: str | Number
    settings: tuple[Setting, ...]
    epsilon_times: Number = 1
    delta_times: Number | None = None

    @property
    def formula(self) -> str:
        pair = ((self.epsilon_times, "ε"), (self.delta_times, "δ"))
        sentences = [f"{'' if n == 1 else n}{name}" for n, name in pair if n is not None]
        loss = f"({', '.join(sentences)})" if len(sentences) > 1 else sentences[0]
        tried = ", ".join(f"({s.epsilon}, {s.delta})" for s in self.settings)
        return f"{self.mechanism} is {loss}-DP, tried at (ε, δ) = {tried}"

    def counterexamples(self) -> tuple[Fact, ...]:
        return tuple(
            NotPrivate(
                s.mechanism,
                self.relation,
                self.epsilon_times * Fraction(s.epsilon),
                s.delta if self.delta_times is None else self.delta_times * Fraction(s.delta),
            )
            for s in self.settings
        )


@dataclass(frozen=True)
class Sensitivity(Claim):
    """A score moves by at most a bound between neighbors.

    sizes: (reference function, n): where the claim is tried; each of them must refute it.
    """

    score: str
    relation: str | Number
    bound: Formula
    sizes: tuple[tuple[str, Number], ...]

    @property
    def formula(self) -> str:
        n = self.bound.variable
        tried = ", ".join(f"{n} = {size}" for _, size in self.sizes)
        return f"{self.score} moves by at most {self.bound} ({self.relation}), tried at {tried}"

    def counterexamples(self) -> tuple[Fact, ...]:
        return tuple(
            MovesMore(name, self.relation, self.bound.at(size)) for name, size in self.sizes
        )


@dataclass(frozen=True)
class All(Claim):
    """Several claims at once. It is refuted only if each part is."""

    parts: tuple[Claim, ...]

    @property
    def formula(self) -> str:
        return "; ".join(part.formula for part in self.parts)

    def obligations(self) -> tuple[Fact, ...]:
        result = [part.obligations() for part in self.parts]
        return tuple(fact for facts in result for fact in facts) if all(result) else ()

    def counterexamples(self) -> tuple[Fact, ...]:
        result = [part.counterexamples() for part in self.parts]
        return tuple(fact for facts in result for fact in facts) if all(result) else ()


@dataclass(frozen=True)
class Unstated(Claim):
    """The text lacks what it takes to state the claim: nothing shows it, nothing refutes it.

    lacks: what is missing, in words. reading: what is decided instead, and marked as such.
    """

    lacks: str
    reading: Claim | None = None

    @property
    def formula(self) -> str:
        return "" if self.reading is None else f"as read here: {self.reading.formula}"


WHOLE: tuple[type, ...] = (LaplaceTail,)
"""Claims that are nothing but their obligations; by exact type, so that no subclass slips in."""


def whole(claim: Claim) -> bool:
    """Return whether the obligations are the claim, with no argument in between."""
    if type(claim) is All:
        return bool(claim.parts) and all(map(whole, claim.parts))
    return type(claim) in WHOLE
