"""Theorem 6: Algorithm 13 of Dwork and Roth, release of a stable value."""

from __future__ import annotations

from dataclasses import dataclass

from provado.proofs.ledger import (
    All,
    Bounded,
    Entry,
    Evidence,
    Formula,
    LedgerVerdict,
    Step,
    Stretch,
    Twin,
)
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.show import show_claim

from . import source
from ._claims import ONE_NOISE, NoisyTest, threshold_steps

_RELEASED = "the chance that a value on unstable data is released, δ = e^(−x),"
_SILENT = "the chance of ⊥ on data of the stability named, β = e^(−x),"


@dataclass(frozen=True)
class StableRelease(All):
    """The claims on the test, on unstable data and on stable data, which are one theorem of Coq."""

    def statement(self) -> Statement | None:
        test, released, silent = self.parts
        if not (isinstance(test, NoisyTest) and isinstance(released, Bounded)):
            return None
        if not isinstance(silent, Bounded):
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


def _times(claim: Bounded, name: str) -> str:
    """Return a bound c·e^(−x) as c times the ``name`` of e^(−x)."""
    ((c, *rest),) = claim.bound.value().as_data()
    if rest != [0, 0, -1]:
        raise claim.bound.refusal("it is no multiple of e^(−x)")
    return name if c == 1 else f"({c.numerator}%:R / {c.denominator}%:R * {name})"


def stable_release(delta: str, beta: str, loss: int = 1) -> StableRelease:
    """Return the claim of (loss·ε, delta), and of a release with probability 1 − beta."""
    reached = (Stretch(ONE_NOISE.tail, 0),)
    return StableRelease(
        (
            NoisyTest(loss),
            Bounded(_RELEASED, Formula(delta), reached),
            Bounded(_SILENT, Formula(beta), reached),
        )
    )


CLAIM = stable_release("e^(−x)", "e^(−x)")


def _gather(claim: All) -> Evidence:
    _, released, silent = (part.obligations() for part in claim.parts)
    return Evidence(
        printed=show_claim(claim),
        correction="It is (ε, δ/2)-DP, and releases with probability at least 1 − β/2.",
        kind="sharpening",
        argument=(
            "Algorithm 13: let d be the distance of the data to the nearest unstable set; release "
            "f(D) if d + Lap(1/ε) > ln(1/δ)/ε, else ⊥. d moves by at most 1 between neighbors, as "
            "a Hamming distance to a fixed set does.",
            *threshold_steps(),
            "Let D and D′ be neighbors. If f(D) = f(D′), the output is a function of whether d "
            "passes: (ε, 0).",
            Step(
                "If f(D) ≠ f(D′), both are unstable (not even 1-stable), so d = 0 for both: ⊥ is "
                "equally likely, and a value comes out with u(ln(1/δ)) = δ/2 ≤ δ (kernel): (0, δ).",
                released,
            ),
            Step(
                "Utility. If f is k-stable on D for a whole number k ≥ (ln(1/δ) + ln(1/β))/ε, "
                "every set within k changes has the value f(D), so every set within k − 1 changes "
                "is 1-stable, and d ≥ k. Then ε(T − d) ≤ −ln(1/β), and ⊥ has at most 1 − "
                "u(−ln(1/β)) = u(ln(1/β)) = β/2 ≤ β (kernel).",
                silent,
            ),
        ),
        proof_remark='The theorem is quoted, without a proof. Definition 4 says "with a minimum '
        'of k element substitutions": read as exactly k, a function that depends on the parity of '
        "the number of ones among two bits is 2-stable on (0, 0) and yet unstable, so d = 0, and "
        "the utility clause fails for it. Here, as in Dwork and Roth, k-stable means: any k "
        "substitutions or fewer.",
    )


ENTRY = Entry(
    id="kusner2016/thm6",
    source=source("Theorem 6 (after Dwork and Roth, Algorithm 13)"),
    printed="Algorithm 13 is (ε, δ)-differentially private. Further, for all β > 0 if s(x′, r′_Y) "
    "is (log(1/δ) + log(1/β))/ε-stable on r′_Y, then Algorithm 13 releases s(x′, r′_Y) w.p. at "
    "least 1 − β.",
    words="Releasing a value only if its distance to instability, with noise, is large is "
    "(ε, δ)-DP, and on data of the stability named it is released with probability at least 1 − β.",
    scope="All ε > 0, δ and β in (0, 1), any function f of finitely many datasets; k-stable for a "
    "whole k means that no k changes, or fewer, alter f.",
    claim=CLAIM,
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin(
        "A release on unstable data with probability δ/4 at most.",
        stable_release("1/4·e^(−x)", "e^(−x)"),
    ),
    theorem_of=CLAIM,
)
