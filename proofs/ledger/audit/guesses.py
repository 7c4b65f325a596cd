"""The audit's own theorems: right guesses, betting wealth, and counts of several workers."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Final

from provado.proofs.ledger import Claim, Entry, Evidence, Step, Twin, show_claim
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.fact import Fact, Recounted
from provado.proofs.ledger.find_certificate import recount
from provado.proofs.ledger.formula import Multivariate, variables

from . import source

IMPORTS: Final = ("definitions.finite", "definitions.mechanism", "definitions.audit")
ANY_RULE: Final = (
    "forall (rule : O -> option bool) i d v, (i < size (domains m))%N -> "
    "d \\in datasets (domains m) -> v \\in nth [::] (domains m) i ->"
)
"""Any rule on any two neighbors, ``d`` and ``replace d i v``."""


def stated(text: str) -> Statement:
    """Return a statement written with the audit's definitions."""
    return Statement(text, IMPORTS)


# A guess under (ε, δ)-differential privacy with a fair coin, by any rule that may abstain.


@dataclass(frozen=True)
class Guess(Claim):
    """E[1{correct} − e^ε·1{wrong}] ≤ times·δ."""

    times: Fraction = Fraction(1)

    @property
    def formula(self) -> str:
        bound = "δ" if self.times == 1 else f"{self.times}·δ"
        sentence = f"E[1{{correct}} − e^ε·1{{wrong}}] ≤ {bound}, with a fair coin, for any rule"
        return f"{sentence}; half of that for a rule that only ever guesses one side"

    def statement(self) -> Statement:
        p, q = self.times.as_integer_ratio()
        bound = "delta" if self.times == 1 else f"{p}%:R / {q}%:R * delta"
        loss = "right m rule d (replace d i v) - t * wrong m rule d (replace d i v)"
        return stated(
            "forall (R : realFieldType) (V O : eqType) (m : mechanism R V O) (t delta : R), "
            f"approximate t delta m -> {ANY_RULE} {loss} <= {bound} /\\ forall side, "
            f"(forall o, rule o != Some (~~ side)) -> {loss} <= 1 / 2%:R * ({bound})"
        )

    def obligations(self) -> tuple[Fact, ...]:
        """Return times·δ − ½·((P₁ − t·Q₁) + (Q₂ − t·P₂)) ≥ 0, for P₁ = t·Q₁ + δ − u and so on.

        And ½·times·δ − ½·(P₁ − t·Q₁) ≥ 0, where D′ is never guessed.
        """
        delta, u, v = variables(3)
        half = Fraction(1, 2)
        one, other = (half * (self.times * delta - (delta - slack)) for slack in (u, v))
        return (one + other).nonnegative(), one.nonnegative()


@Entry(
    source=source("the three counts, step 4"),
    printed="Under (ε, δ)-DP, E[1{correct} − e^ε·1{wrong}] ≤ δ.",
    words="For any rule the chance of a right guess exceeds e^ε times that of a wrong one by at "
    "most δ. For a rule that only ever guesses one of the two sides the excess is at most δ/2.",
    scope="every finite mechanism, replace-one neighbors, a rule without randomness of its own",
    claim=Guess(),
    twin=Twin("Half of δ.", Guess(Fraction(1, 2))),
)
def _guess(claim: Guess) -> Evidence:
    return Evidence(
        printed=show_claim(claim),
        argument=(
            "Let S₁ be the outputs at which the rule guesses D, and S₂ those at which it guesses "
            "D′. P₁ and P₂ are their chances on D, Q₁ and Q₂ on D′. A guess is right with chance "
            "½(P₁ + Q₂) and wrong with ½(Q₁ + P₂).",
            Step(
                "With u = t·Q₁ + δ − P₁ ≥ 0 and v = t·P₂ + δ − Q₂ ≥ 0, which is what privacy says "
                "of S₁ and S₂: δ − ½(P₁ + Q₂) + t·½(Q₁ + P₂) = ½u + ½v ≥ 0, and "
                "½δ − ½P₁ + t·½Q₁ = ½u ≥ 0 where D′ is never guessed; likewise for D (kernel).",
                claim.obligations(),
            ),
        ),
    )


# Under ε-differential privacy a guess that is made is right with chance e^ε/(1 + e^ε) at most.


@dataclass(frozen=True)
class RightGuesses(Claim):
    """Pr[correct] ≤ e^ε/(other + e^ε)·Pr[a guess is made]."""

    other: int = 1

    @property
    def formula(self) -> str:
        return f"Pr[correct | a guess is made] ≤ e^ε/({self.other} + e^ε), for any rule"

    def statement(self) -> Statement:
        other = "1" if self.other == 1 else f"{self.other}%:R"
        pair = "m rule d (replace d i v)"
        return stated(
            "forall (R : realFieldType) (V O : eqType) (m : mechanism R V O) (t : R), 0 <= t -> "
            f"approximate t 0 m -> {ANY_RULE} right {pair} <= "
            f"t / ({other} + t) * (right {pair} + wrong {pair})"
        )

    def obligations(self) -> tuple[Fact, ...]:
        """Return t·(r + w) − (other + t)·r ≥ 0 for r = t·w − s; variables t, w, s."""
        t, w, s = variables(3)
        r = t * w - s
        return ((t * (r + w) - (self.other * r + t * r)).nonnegative(),)


@Entry(
    source=source("the three counts, step 4"),
    printed="Under ε-DP each guess that is made is right with probability at most e^ε/(1+e^ε).",
    words="Given that the rule guesses, it is right with chance e^ε/(1 + e^ε) at most; said with "
    "both sides times the chance that it guesses, so that it holds where it never does.",
    scope="every finite mechanism, replace-one neighbors, a rule without randomness of its own",
    claim=RightGuesses(),
    twin=Twin("e^ε/(2 + e^ε) as the bound.", RightGuesses(2)),
)
def _right_guesses(claim: RightGuesses) -> Evidence:
    return Evidence(
        printed=show_claim(claim),
        argument=(
            "Let r and w be the chances of a right and of a wrong guess. By audit/guess, "
            "s = t·w − r is at least 0 at δ = 0.",
            Step("t·(r + w) − (1 + t)·r = s ≥ 0 (kernel).", claim.obligations()),
            "Divided by 1 + t and by r + w, where a guess is made with some chance.",
        ),
    )


# The betting wealth is a supermartingale under the claim.


@dataclass(frozen=True)
class Betting(Claim):
    """The mean growth of the wealth is at most 1; a right guess wins ``win``, less δ."""

    win: int = 1

    @property
    def formula(self) -> str:
        return (
            f"E[(1+λ({self.win}−δ))^C (1−λ(e^ε+δ))^W (1−λδ)^A] ≤ 1 after any number of trials, "
            "from any history, λ and the rule chosen from it"
        )

    def statement(self) -> Statement | None:
        if self.win != 1:
            return None
        return stated(
            "forall (R : realFieldType) (t delta : R) (stake : seq outcome -> R) (p : seq outcome "
            "-> outcome -> R), (forall history, allowed t delta (p history)) -> (forall history, 0 "
            "<= stake history) -> (forall history o, 0 <= factor t delta (stake history) o) -> "
            "forall history n, 0 <= mean_growth t delta stake p history n <= 1"
        )

    def obligations(self) -> tuple[Fact, ...]:
        """Return 1 − E[factor] ≥ 0 for δ = u + c − t·w and a = 1 − c − w; variables c, w, t, u, λ.

        c, w and a are the chances of the three outcomes.
        """
        c, w, t, u, stake = variables(5)
        one = Multivariate(((1, (0,) * 5),))
        delta = u + c - t * w
        mean = (
            c * (one + stake * (self.win * one - delta))
            + w * (one - stake * (t + delta))
            + (one - c - w) * (one - stake * delta)
        )
        return ((one - mean).nonnegative(),)


@Entry(
    source=source("audit/bounds/betting.py"),
    printed="(1 + λ(1−δ))^C (1 − λ(e^ε+δ))^W (1 − λδ)^A is a nonnegative supermartingale that "
    "starts at 1.",
    words="If Pr[right] − e^ε·Pr[wrong] ≤ δ in each trial given the outcomes before it, the wealth "
    "does not grow in the mean over further trials; stakes may be chosen from those outcomes.",
    scope="finitely many trials; stakes λ ≥ 0 at which no factor is below 0",
    claim=Betting(),
    twin=Twin("A right guess wins 2.", Betting(2)),
)
def _betting(claim: Betting) -> Evidence:
    return Evidence(
        printed=show_claim(claim),
        argument=(
            "By audit/guess a trial has c − t·w ≤ δ, given all before it: mechanism, neighbors and "
            "rule are fixed before the trial is drawn.",
            Step(
                "With u = δ − (c − t·w) ≥ 0 the mean factor of one trial is 1 − λ·u ≤ 1 (kernel).",
                claim.obligations(),
            ),
            "By induction over the trials: the wealth after a trial, times what the rest makes of "
            "it, is at most the wealth in the mean, as no factor is below 0.",
        ),
    )


# Counts from any number of workers add up: the wealth follows from the sums.

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


@Entry(
    source=source("the three counts, step 3"),
    printed="Counts from any number of workers add up.",
    words="The wealth of all trials is that of the added counts, however they were divided.",
    scope="any number of workers and trials, all with one stake",
    claim=Tally(),
    twin=Twin("Abstentions are not counted.", Tally((1, 1, 0))),
)
def _tally(claim: Tally) -> Evidence:
    fact = claim.recounted()
    return Evidence(
        printed=(recount(claim.rows(), fact),),
        argument=(
            "The wealth is a product of one factor a trial, and a factor depends on the outcome "
            "alone. A product does not change with the order, nor with how it is split.",
            Step("Recounted for two workers (kernel).", (fact,)),
        ),
    )


ENTRIES = (_guess, _right_guesses, _betting, _tally)
