"""Theorems 6 and 4.1: the release of a stable value, and how often an unstable one comes out."""

from dataclasses import dataclass
from fractions import Fraction

from provado.proofs import ledger
from provado.proofs.algebra import ExpPoly
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.fact import Fact, Fails
from provado.proofs.ledger.find_certificate import refute, show, show_claim

from . import source
from ._claims import ONE_NOISE, NoisyTest, tail_of_one, threshold_steps

_RELEASED = "the chance that a value on unstable data is released, δ = e^(−x),"
_SILENT = "the chance of ⊥ on data of the stability named, β = e^(−x),"


@dataclass(frozen=True)
class StableRelease(ledger.All):
    """The claims on the test, on unstable data and on stable data, which are one theorem of Coq."""

    def statement(self) -> Statement | None:
        test, released, silent = self.parts
        if not (isinstance(test, NoisyTest) and isinstance(released, ledger.Bounded)):
            return None
        if not isinstance(silent, ledger.Bounded):
            return None
        loss = "eps" if test.loss == 1 else f"({test.loss}%:R * eps)"
        mechanism = "(stable_release domains f e eps level)"
        return Statement(
            "forall (R : realFieldType) (V O : eqType) (e : R -> R) (domains : seq (seq V)) "
            "(f : seq V -> O) (eps level delta : R), exponential e -> 0 < eps -> 0 < delta < 1 -> "
            f"e (eps * level) = delta^-1 -> approximate (e {loss}) {_times(released, 'delta')} "
            f"{mechanism} /\\ forall (beta : R) k d, 0 < beta -> "
            "(delta * beta)^-1 <= e (eps * k%:R) -> d \\in datasets domains -> "
            f"stable domains f k d -> 1 - {_times(silent, 'beta')} <= "
            f"chance {mechanism} d (Some (f d))",
            ("definitions.finite", "definitions.mechanism", "definitions.release"),
        )


def _times(claim: ledger.Bounded, name: str) -> str:
    """Return a bound c·e^(−x) as c times the ``name`` of e^(−x)."""
    ((c, *rest),) = claim.bound.value().as_data()
    if rest != [0, 0, -1]:
        raise claim.bound.refusal("it is no multiple of e^(−x)")
    return name if c == 1 else f"({c.numerator}%:R / {c.denominator}%:R * {name})"


def stable_release(delta: str, beta: str, loss: int = 1) -> StableRelease:
    """Return the claim of (loss·ε, delta), and of a release with probability 1 − beta."""
    reached = (ledger.Stretch(ONE_NOISE.tail, 0),)
    return StableRelease(
        (
            NoisyTest(loss),
            ledger.Bounded(_RELEASED, ledger.Formula(delta), reached),
            ledger.Bounded(_SILENT, ledger.Formula(beta), reached),
        )
    )


@ledger.Entry(
    source=source("Theorem 6 (after Dwork and Roth, Algorithm 13)"),
    printed="Algorithm 13 is (ε, δ)-differentially private. Further, for all β > 0 if s(x′, r′_Y) "
    "is (log(1/δ) + log(1/β))/ε-stable on r′_Y, then Algorithm 13 releases s(x′, r′_Y) w.p. at "
    "least 1 − β.",
    words="Releasing a value only if its distance to instability, with noise, is large is "
    "(ε, δ)-DP, and on data of the stability named it is released with probability at least 1 − β.",
    scope="All ε > 0, δ and β in (0, 1), any function f of finitely many datasets; k-stable for a "
    "whole k means that no k changes, or fewer, alter f.",
    claim=stable_release("e^(−x)", "e^(−x)"),
    twin=ledger.Twin(
        "A release on unstable data with probability δ/4 at most.",
        stable_release("1/4·e^(−x)", "e^(−x)"),
    ),
)
def _thm6(claim: ledger.All) -> ledger.Evidence:
    _, released, silent = (part.obligations() for part in claim.parts)
    return ledger.Evidence(
        printed=show_claim(claim),
        correction="It is (ε, δ/2)-DP, and releases with probability at least 1 − β/2.",
        kind="sharpening",
        argument=(
            "Algorithm 13 releases f(D) if d + Lap(1/ε) > ln(1/δ)/ε, else ⊥, d being the distance "
            "to the nearest unstable set, which moves by at most 1.",
            *threshold_steps(),
            ledger.Step(
                "Where f(D) = f(D′) the test alone costs (ε, 0). Else d = 0 for both: ⊥ is equally "
                "likely, and a value comes out with u(ln(1/δ)) = δ/2 ≤ δ (kernel): (0, δ).",
                released,
            ),
            ledger.Step(
                "On k-stable data, k ≥ (ln(1/δ) + ln(1/β))/ε, d ≥ k, and ⊥ has at most "
                "u(ln(1/β)) = β/2 ≤ β (kernel).",
                silent,
            ),
        ),
        proof_remark='The theorem is quoted, without a proof. Definition 4 says "with a minimum '
        'of k element substitutions": read as exactly k, a function that depends on the parity of '
        "the number of ones among two bits is 2-stable on (0, 0) and yet unstable, so d = 0, and "
        "the utility clause fails for it. Here, as in Dwork and Roth, k-stable means: any k "
        "substitutions or fewer.",
    )


# Theorem 4.1: how often an IQR is released although few points suffice to move it.


@dataclass(frozen=True)
class TriedRun:
    """A run of the printed tests: ε, and how many changes leave each interval (1 or 2, or 1000).

    up_to: the largest ln(1/δ) for which its chance is written down.
    """

    epsilon: Fraction
    changes: tuple[int, ...]
    up_to: int | None = None

    def released(self) -> ExpPoly:
        """Return the chance that a test is passed, as a function of x = ln(1/δ)."""
        none = ExpPoly.of(1)
        for count in self.changes:
            none = none * (1 - _pass(self.epsilon, count))
        return 1 - none


@dataclass(frozen=True)
class RarelyReleased(ledger.Claim):
    """P[P_* ≠ ⊥] ≤ bound, δ = e^(−x), if few points suffice; each run must refute it."""

    bound: ledger.Formula
    runs: tuple[TriedRun, ...]

    @property
    def formula(self) -> str:
        tried = "; ".join(f"ε = {run.epsilon}, A = {run.changes}" for run in self.runs)
        return f"P[P_* ≠ ⊥] ≤ {self.bound}, δ = e^(−x), tried at {tried}"

    def counterexamples(self) -> tuple[Fact, ...]:
        claimed = self.bound.value()
        return (
            *ONE_NOISE.obligations(),
            *(
                Fails((claimed - run.released()).as_data(), "≥ 0", 1, run.up_to)
                for run in self.runs
            ),
        )


_ONE, _HALF = Fraction(1), Fraction(1, 2)
THM4_1_CLAIM = RarelyReleased(
    ledger.Formula("3/2·e^(−x)"),
    (TriedRun(_ONE, (2, 2)), TriedRun(_HALF, (2,)), TriedRun(_ONE, (1000,), up_to=999)),
)
_AT = (4, 10, 4)
"""ln(1/δ) of the counterexamples."""


def _pass(epsilon: Fraction, changes: int) -> ExpPoly:
    """Return the chance that A_j = changes passes the printed test, as a function of ln(1/δ).

    A_j + Lap(1/ε) > 1 + ln(1/δ) is Z > ε(1 + x − A_j) for Z ~ Lap(0, 1): below 0 for the many
    changes of ``up_to``, and from x = A_j − 1 on above it for the few.
    """
    left, right = tail_of_one()
    piece = left if changes > 2 else right
    return piece.compose(epsilon, epsilon * (1 - changes))


_ALWAYS = ledger.at_least_zero("e^(1 − x) − 1/4·e^(2 − 2x) − 3/2·e^(−x)", 2, strict=True)
_TWO_TESTS = ledger.at_least_zero("w − (1 − (1 − w/2)²)", 0, variable="w")
_SMALL = ledger.at_least_zero("3/2 − x", 1, Fraction(3, 2))


@ledger.Entry(
    source=source("Theorem 4, part 1"),
    printed="P[P_* ≠ ⊥ | A₁ or A₂ ≤ e] ≤ 3δ/2.",
    words="If at most e points move the IQR out of an interval, it is rarely released: Algorithm 1 "
    "of the appendix compares A_j + Lap(1/ε) with 1 + ln(1/δ).",
    scope="All ε > 0 and δ in (0, 1), as printed; the repair for all ε > 0 with δe^ε ≤ 1.",
    claim=THM4_1_CLAIM,
    expected=ledger.LedgerVerdict.REFUTED,
    twin=ledger.Twin(
        "A counterexample with one test only at ε = 1, where the bound holds.",
        RarelyReleased(THM4_1_CLAIM.bound, (TriedRun(_ONE, (2,)), *THM4_1_CLAIM.runs[1:])),
    ),
)
def _thm4_1(claim: RarelyReleased) -> ledger.Evidence:
    noise, *broken = claim.counterexamples()
    fails = [refute(fact, at) for fact, at in zip(broken, _AT, strict=True)]
    return ledger.Evidence(
        printed=(show(noise), *fails, show(_ALWAYS)),
        corrected=(show(_TWO_TESTS), show(_SMALL)),
        correction="With the threshold 1 + ln(1/δ)/ε, and both A₁ and A₂ at most 2: "
        "P[P_* ≠ ⊥] ≤ e^ε·δ, and so ≤ 3δ/2 for ε ≤ ln(3/2); with both at most 1 it is ≤ δ.",
        kind="repair",
        argument=(
            "A_j is a number of points, so A_j ≤ e means A_j ≤ 2. Let δ = e^(−x).",
            ledger.Step(
                "With the printed threshold, A_j = 2 passes its test with probability "
                "e^(−ε(x − 1))/2 for x ≥ 1 (kernel: the tail of one Laplace variable).",
                (noise,),
            ),
            ledger.Step(
                "Let ε = 1, A₁ = A₂ = 2, δ = e^(−4): released with probability e^(−3) − e^(−6)/4 = "
                ".049, above 3δ/2 = .027 (kernel); likewise for every δ ≤ e^(−2) (kernel).",
                (broken[0], _ALWAYS),
            ),
            ledger.Step(
                "Let ε = 1/2, δ = e^(−10): even one test with A₁ = 2 passes with probability "
                "e^(−9/2)/2, which is 80 times 3δ/2 (kernel): the threshold lacks the 1/ε.",
                (broken[1],),
            ),
            ledger.Step(
                "Let A₁ = 1 ≤ e and A₂ = 1000, δ = e^(−4), ε = 1: the second test passes nearly "
                'surely (kernel). So the condition must ask for both, not for "A₁ or A₂".',
                (broken[2],),
            ),
            ledger.Step(
                "Repaired: with threshold 1 + ln(1/δ)/ε, A_j ≤ 2 passes with probability at most "
                "w/2, w = δe^ε, if w ≤ 1 (tail at t = ln(1/w) ≥ 0); two independent tests pass "
                "with at most 1 − (1 − w/2)² = w − w²/4 ≤ w (kernel); w > 1 bounds nothing. "
                "e^ε ≤ 3/2 gives 3δ/2. With A_j ≤ 1 the same holds with w = δ.",
                (_TWO_TESTS, _SMALL),
            ),
        ),
        proof_remark="The appendix announces a proof of Theorem 4 and gives one of part 2 only. "
        "One test with A_j = 2 and ε = 1 passes with probability eδ/2 ≤ 3δ/2; the bound fits that.",
    )


ENTRIES = (_thm6, _thm4_1)
