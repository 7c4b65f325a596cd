"""Kinds of claims that several entries make.

The test d + Lap(1/ε) > T of a count d that moves by at most 1, and what the kernel shows of it; and
how the claims on sensitivities read in Coq: the names of the definitions, and the hypotheses.
"""

from dataclasses import dataclass, replace
from typing import Final

from provado.proofs.algebra import ExpPoly
from provado.proofs.kernel import Number
from provado.proofs.ledger import Claim, Formula, LaplaceTail, Line, Step
from provado.proofs.ledger.fact import AtLeastZero, Equal, Fact
from provado.proofs.ledger.theorem import Wording, in_coq

ONE_NOISE = LaplaceTail((1,), Formula("1/2·e^(−x)"), "one variable Z ~ Lap(0, 1)")
"""u(x) = Pr[Z > x]."""


def tail_of_one() -> tuple[ExpPoly, ExpPoly]:
    """Return u for t < 0 and for t ≥ 0."""
    right = ONE_NOISE.tail.value()
    return 1 - right.compose(-1, 0), right


@dataclass(frozen=True)
class NoisyTest(Claim):
    """Both outcomes of the test lose at most e^(loss·ε), as a share, if d moves by at most 1."""

    loss: Number = 1

    @property
    def formula(self) -> str:
        return f"d + Lap(1/ε) > T, for a count d that moves by at most 1, is ({self.loss}·ε, 0)-DP"

    def obligations(self) -> tuple[Fact, ...]:
        left, right = tail_of_one()
        mirrored = 1 - right.compose(-1, 0)
        falls = self.loss * left + left.derivative()
        return (
            *ONE_NOISE.obligations(),
            Equal(mirrored.as_data(), left.as_data()),
            Equal((self.loss * right).as_data(), (-right.derivative()).as_data()),
            AtLeastZero(falls.compose(-1, 0).as_data(), 0),
        )


TEST = NoisyTest()


def threshold_steps() -> tuple[Line, ...]:
    """Return the argument for ``TEST``."""
    tail, mirrored, *slopes = TEST.obligations()
    return (
        Step(
            "Let u(t) = Pr[Z > t] for Z ~ Lap(0, 1): 1 − e^t/2 for t < 0 and e^(−t)/2 from 0 on "
            "(kernel); ε·Lap(1/ε) has that distribution, so d passes with probability u(ε(T − d)).",
            (tail,),
        ),
        Step(
            "u + u′ ≥ 0 (kernel), so that e^t·u(t) never falls, and 1 − u(t) = u(−t) (kernel): a "
            "count that moves by at most 1 changes neither chance by more than e^ε.",
            (mirrored, *slopes),
        ),
    )


_COLUMNS: Final = (
    "forall (R : realFieldType) (m : nat), ({start} <= m)%N -> "
    "(forall D D' : dataset (R * R) m, replace_one D D' -> "
)
_SHARP: Final = (
    ") /\\ (({reached} <= m)%N -> exists D D' : dataset (R * R) m, replace_one D D' /\\ "
)
KENDALL: Final = Wording(
    f"{_COLUMNS}[/\\ `|kendall D - kendall D'| <= {{bound}}, "
    "`|kendall_a D - kendall_a D'| <= {bound} "
    "& forall rule : R * R -> R * R -> R, (forall r s, `|rule r s| <= 1) -> "
    "`| `|pair_score rule D| - `|pair_score rule D'| | <= {bound}]"
    f"{_SHARP}`|kendall D - kendall D'| = {{bound}})",
    ("definitions.dataset", "definitions.kendall"),
)
"""The printed rule for ties, τ-a, and every rule by which a pair counts between −1 and 1."""
SPEARMAN: Final = Wording(
    f"{_COLUMNS}`|spearman D - spearman D'| <= {{bound}} /\\ "
    f"`|spearman D - spearman D'| <= {{derived}}{_SHARP}`|spearman D - spearman D'| = {{derived}})",
    ("definitions.dataset", "definitions.spearman"),
)
_KERNELS: Final = "semidefinite k -> semidefinite l -> diagonal_bounded k -> diagonal_bounded l -> "
HSIC: Final = Wording(
    "forall (R : rcfType) (S T : Type) (m : nat) (k : S -> S -> R) (l : T -> T -> R) "
    f"(D D' : dataset (S * T) m), ({{start}} <= m)%N -> {_KERNELS}replace_one D D' -> "
    "`|hsic k l (first D) (second D) - hsic k l (first D') (second D')| <= {bound}",
    ("definitions.dataset", "definitions.hsic"),
)
"""Over any field with square roots; kernels do not depend on the data."""
HSIC_TWICE: Final = replace(
    HSIC, text=f"{HSIC.text} /\\ {HSIC.text.rpartition('-> ')[2].replace('bound', 'derived')}"
)
"""The derived bound, too."""
_RIDGE: Final = ("definitions.dataset", "definitions.inner", "definitions.ridge")
_FIELD: Final = "forall (R : rcfType) (K := Num.RealClosedField.realFieldType R)"
_UNIT: Final = "(forall i, b (D i).1 (D i).1 <= 1 /\\ `|(D i).2| <= 1) -> "
_UNIT_TOO: Final = _UNIT.replace("D", "D'")
_TRAINED: Final = f"0 < lam -> lam <= 1 -> replace_one D D' -> {_UNIT}{_UNIT_TOO}"
_LEAST: Final = (
    "minimises b lam (first D) (second D) w -> minimises b lam (first D') (second D') w' -> "
)
_LOSS: Final = "lam * Num.sqrt lam"
"""λ^(3/2)."""
RESIDUAL: Final = Wording(
    f"{_FIELD} (V : lmodType K) (b : inner V) (n : nat) (lam : K) (D D' : dataset (V * K) n) "
    f"(w w' g : V) (target : K), {_TRAINED}b g g <= 1 -> {_LEAST}"
    f"`|residual b w g target - residual b w' g target| <= {{bound}} / (n%:R * ({_LOSS}))",
    _RIDGE,
)
"""For a point with features g; a data point is its features and its target."""


def trained_hsic(constant: Formula) -> Wording:
    """Return how Theorem 7 reads: R is ``constant``/λ^(3/2), that of Theorem 5."""
    return Wording(
        f"{_FIELD} (S : Type) (V : lmodType K) (b : inner V) (n m : nat) (lam L : K) "
        "(k : S -> S -> K) (l : K -> K -> K) (D D' : dataset (V * K) n) (w w' : V) "
        "(x : 'I_m -> S) (g : 'I_m -> V) (target : 'I_m -> K), "
        f"(2 <= m)%N -> {_TRAINED}(forall i, b (g i) (g i) <= 1) -> {_LEAST}{_KERNELS}"
        "lipschitz L l -> `|hsic k l x (fun i => residual b w (g i) (target i)) "
        "- hsic k l x (fun i => residual b w' (g i) (target i))| "
        f"<= {in_coq(constant, '')} / ({_LOSS}) * ({{bound}} * L) / n%:R",
        (*_RIDGE, "definitions.hsic"),
        "Num.sqrt m%:R",
    )
