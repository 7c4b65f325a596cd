"""Theorem 1, its remark on additional parents, and post-processing."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from provado.mechanisms.definitions.parameters import UsageError
from provado.proofs import kernel, ledger
from provado.proofs.causal.composition import SCOPE, Composition, composition, models_in_sequence
from provado.proofs.causal.definitions import definition_9
from provado.proofs.causal.examples import one_time_pad, side_channel
from provado.proofs.causal.model import Model, Values, probability
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.fact import Fact, NotPrivate, Polynomial, Recounted
from provado.proofs.ledger.find_certificate import recount

from . import _arrows as arrows
from . import source


@dataclass(frozen=True)
class InSequence(ledger.Claim):
    """If X has ε₁-BRP to Y and ε₂-BRP to Z, it has the sum to ⟨Y, Z⟩; or ε₁ without ``second``."""

    second: bool = True

    @property
    def formula(self) -> str:
        return f"X has ε₁-BRP to Y, and ε₂-BRP to Z for each y: ({self._cost()})-BRP to ⟨Y, Z⟩"

    def statement(self) -> Statement | None:
        binders, model = arrows.IN_SEQUENCE
        cost = "t1 * t2" if self.second else "t1"
        return arrows.stated(
            f"{binders} (t1 t2 : R), {model} {{subset parents_of M z <= [:: x; y]}} -> "
            "brp t1 M x [:: y] -> (forall v, v \\in nth [::] (ranges M) y -> "
            f"brp t2 (submodel M (one y v)) x [:: z]) -> brp ({cost}) M x [:: y; z]"
        )

    def _cost(self) -> str:
        return "ε₁ + ε₂" if self.second else "ε₁"

    def algebra(self) -> Polynomial:
        """Return the fact that the bounds multiply."""
        return arrows.multiplied(second=self.second)

    def recounted(self) -> Recounted:
        """Return the fact that ⟨Y, Z⟩ needs no more than what is promised, over the models."""
        scope = f"1/e^({self._cost()}) less 1/e^ε of X to ⟨Y, Z⟩: {SCOPE}"
        return Recounted("maximum", 0, len(_sequence_effects()), scope)

    def obligations(self) -> tuple[Fact, ...]:
        return self.algebra(), self.recounted()


@cache
def _sequence_effects() -> tuple[Composition, ...]:
    return tuple(map(composition, models_in_sequence()))


@ledger.Entry(
    source=source("Theorem 1"),
    printed="X, Y, Z in sequence, the parents of Z are {X, Y}, X has ε₁-BRP to Y and ε₂-BRP to Z "
    "in M[Y := y] for all y: then X has (ε₁ + ε₂)-BRP to ⟨Y, Z⟩.",
    words="As printed.",
    scope="every finite model",
    claim=InSequence(),
    twin=ledger.Twin("The promise e^ε₁ without the factor e^ε₂.", InSequence(second=False)),
)
def _thm1_composition(claim: InSequence) -> ledger.Evidence:
    algebra, fact = claim.algebra(), claim.recounted()
    pairs = (
        (item.whole, item.promised if claim.second else item.first) for item in _sequence_effects()
    )
    return ledger.Evidence(
        printed=(ledger.show(algebra), arrows.largest_excess(pairs, fact)),
        argument=(
            "The equation of Z reads X and Y alone, so Pr[Y = y, Z = z | do(X = x)] is Pr[Y = y | "
            "do(X = x)]·F_Z(z | x, y). The first factor grows by at most e^ε₁ from x′ to x, and "
            "F_Z(z | x, y) = Pr[Z = z | do(Y = y), do(X = x)] by at most e^ε₂.",
            ledger.Step(
                "Bounds multiply (kernel): with s = t₁·a′ − a ≥ 0 and u = t₂·b′ − b ≥ 0, "
                "t₁·t₂·a′·b′ − a·b = (a + s)·(b + u) − a·b ≥ 0. Here a = Pr[Y = y | do(X = x)] and "
                "b = F_Z(z | x, y), with x′ in a′ and b′.",
                (algebra,),
            ),
            ledger.Step("The effects were compared in the models themselves (kernel).", (fact,)),
        ),
        proof_remark="The printed proof conditions on Y = y for y with Pr[Y = y] > 0 only; under "
        "do(X = x) other y may have positive probability. The factorisation above needs none.",
    )


# The remark after Theorem 1: Z may have additional parents.

MODELS = (
    ("W := X, Y := 0, Z := W", side_channel),
    ("W a fair coin, Y := X ⊕ W, Z := Y ⊕ W", one_time_pad),
)


@dataclass(frozen=True)
class ExtraParents(ledger.Claim):
    """With 0-BRP to Y, and to Z for all values of Y and W, X has ``epsilon``-BRP to ``outputs``."""

    outputs: tuple[str, ...] = ("Y", "Z")
    epsilon: int = 0

    @property
    def formula(self) -> str:
        listed = ", ".join(self.outputs)
        return f"0-BRP to Y, and to Z for each y and w: {self.epsilon}-BRP to ⟨{listed}⟩"

    def event(self) -> str:
        """Return what is told apart, as the name of its reference function."""
        return f"chance of ⟨{', '.join(self.outputs)}⟩"

    def counterexamples(self) -> tuple[Fact, ...]:
        fails = NotPrivate(f"{_HERE}.{self.event()}", "replace-one", self.epsilon)
        return *(premises(name) for name, _ in MODELS), fails


_HERE = "tschantz2022.composition"


def premises(name: str) -> Recounted:
    """Return that X has 0-BRP to Y, and to Z for all values of Y and W: all e^ε are 1."""
    return Recounted("minimum", 1, 2, f"1/e^ε in {name}")


def together(name: str, model: Model, claim: ExtraParents) -> kernel.Checked:
    """Return the refutation for the claimed outputs, from the distributions under do(X = x)."""
    wanted = list(claim.outputs)
    at = definition_9(model, ["X"], wanted).at
    if at is None or not isinstance(at.output, tuple):
        raise UsageError(f"{name}: nothing is compared")
    event = dict(zip(wanted, at.output, strict=True))
    d, d_prime = (v if isinstance(v, tuple) else (v,) for v in (at.d, at.d_prime))

    def chance(x: Values) -> Fraction:
        return probability(model, at.people, event, do={"X": x[0]})

    sentence = f"{event!r} under do(X) in {name}"
    replayed = ledger.named(chance, claim.event())
    return ledger.not_private(claim.counterexamples()[-1], (d, d_prime), sentence, replayed)


def _found(name: str, model: Model, claim: ExtraParents) -> tuple[kernel.Checked, ...]:
    effects = composition(model)
    rows = (
        ("X to Y", arrows.reciprocal(effects.first)),
        ("X to Z, worst", arrows.reciprocal(effects.second)),
    )
    return recount(rows, premises(name)), together(name, model, claim)


@ledger.Entry(
    source=source("Section 6.2, remark after the proof of Theorem 1"),
    printed="Z may have additional parents, by requiring BRP for all of their values as well.",
    words="False: a further parent W may carry X to Z, or be the key that unlocks Y. It holds if X "
    "has ε₁-BRP to ⟨Y, W⟩.",
    scope="every finite model; the counterexamples have two values",
    claim=ExtraParents(),
    expected=ledger.LedgerVerdict.REFUTED,
    twin=ledger.Twin(
        "Y alone, on which X has no effect, as what distinguishes X.", ExtraParents(("Y",))
    ),
)
def _thm1_extra_parents(claim: ExtraParents) -> ledger.Evidence:
    return ledger.Evidence(
        printed=tuple(check for name, make in MODELS for check in _found(name, make(), claim)),
        corrected=(ledger.show(arrows.averaged()), ledger.show(arrows.multiplied())),
        correction="Z may have additional parents W if X has ε₁-BRP to ⟨Y, W⟩ jointly.",
        kind="repair",
        argument=(
            *(f"Let {name}, all of two values." for name, _ in MODELS),
            ledger.Step(
                "In both X has 0-BRP to Y, and 0-BRP to Z for all values of Y and W (kernel, "
                "recount), and ⟨Y, Z⟩ distinguishes the values of X (kernel, replay).",
                claim.counterexamples(),
            ),
            "Σ_w Pr[Y = y, W = w | do(X = x)]·F_Z(z | x, y, w): with the joint bound each summand "
            "grows by at most e^(ε₁ + ε₂). With BRP to Y alone the weights of w given y may move "
            "with x freely, as the two counterexamples show; variables of one value have no "
            "effects.",
            arrows.MULTIPLIED,
            arrows.AVERAGED,
        ),
    )


# Post-processing: what is caused through Y alone is bounded as Y is.


@dataclass(frozen=True)
class PostProcessing(ledger.Claim):
    """If X has ε-BRP to Y, then X has ε-BRP to what is computed from Y alone.

    direct: X reaches Z past Y as well.
    """

    direct: bool = False

    @property
    def formula(self) -> str:
        chain = "X → Y → Z and X → Z" if self.direct else "X → Y → Z"
        return f"{chain}: X to Z, and X to ⟨Y, Z⟩, need no larger e^ε than X to Y"

    def statement(self) -> Statement | None:
        binders, model = arrows.IN_SEQUENCE
        parents = "[:: x; y]" if self.direct else "[:: y]"
        return arrows.stated(
            f"{binders} (t : R), {model} {{subset parents_of M z <= {parents}}} -> "
            "brp t M x [:: y] -> brp t M x [:: y; z] /\\ brp t M x [:: z]"
        )

    def recounted(self) -> Recounted:
        """Return the fact that Z and ⟨Y, Z⟩ need no more than Y, over the models."""
        scope = (
            "1/e^ε of X to Y less that of X to Z and ⟨Y, Z⟩: Y and Z of two values on a grid, all "
            "of them, and 60 random models of up to three values"
        )
        past = ", with an arrow from X to Z" if self.direct else ""
        return Recounted("maximum", 0, len(_processed_effects(self.direct)), scope + past)

    def obligations(self) -> tuple[Fact, ...]:
        return arrows.averaged(), self.recounted()


@cache
def _processed_effects(direct: bool) -> tuple[Composition, ...]:
    return tuple(map(composition, models_in_sequence(direct=direct)))


@ledger.Entry(
    source=source("Section 6.2, post-processing condition"),
    printed="If X has ε-BRP to Y, then any subsequent consequence Z of Y is also ε-BRP.",
    words="If Z has no parent but Y, an ε with which X has ε-BRP to Y does for ⟨Y, Z⟩ and for Z.",
    scope="every finite model with X, Y, Z in sequence in which Z has no parent but Y",
    claim=PostProcessing(),
    twin=ledger.Twin(
        "An arrow from X to Z past Y, over models of the same kind.", PostProcessing(direct=True)
    ),
)
def _post_processing(claim: PostProcessing) -> ledger.Evidence:
    fact = claim.recounted()
    pairs = ((max(item.whole, item.last), item.first) for item in _processed_effects(claim.direct))
    return ledger.Evidence(
        printed=(ledger.show(arrows.averaged()), arrows.largest_excess(pairs, fact)),
        argument=(
            "Theorem 1 with ε₂ = 0: F_Z(z | y) does not read X. For Z alone add over y, with "
            "weights F_Z(z | y) that do not depend on x.",
            arrows.AVERAGED,
            ledger.Step("The effects were compared in the models themselves (kernel).", (fact,)),
        ),
    )


ENTRIES = (_thm1_composition, _thm1_extra_parents, _post_processing)
