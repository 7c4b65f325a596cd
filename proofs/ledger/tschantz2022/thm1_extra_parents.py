"""The remark after Theorem 1: Z may have additional parents."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from provado.mechanisms.statement.errors import UsageError
from provado.proofs import kernel
from provado.proofs.causal.composition import composition
from provado.proofs.causal.definitions import definition_9
from provado.proofs.causal.examples import one_time_pad, side_channel
from provado.proofs.causal.model import Model, Values, probability
from provado.proofs.ledger import (
    Claim,
    Entry,
    Evidence,
    LedgerVerdict,
    Step,
    Twin,
    named,
    not_private,
    show,
)
from provado.proofs.ledger.fact import Fact, NotPrivate, Recounted

from . import source
from ._arrows import AVERAGED, MULTIPLIED, averaged, multiplied, reciprocal, recount

MODELS = (
    ("W := X, Y := 0, Z := W", side_channel),
    ("W a fair coin, Y := X ⊕ W, Z := Y ⊕ W", one_time_pad),
)


@dataclass(frozen=True)
class ExtraParents(Claim):
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


_HERE = "tschantz2022.thm1_extra_parents"


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

    said = f"{event!r} under do(X) in {name}"
    replayed = named(chance, claim.event())
    return not_private(claim.counterexamples()[-1], (d, d_prime), said, replayed)


def _found(name: str, model: Model, claim: ExtraParents) -> tuple[kernel.Checked, ...]:
    effects = composition(model)
    rows = (("X to Y", reciprocal(effects.first)), ("X to Z, worst", reciprocal(effects.second)))
    return recount(rows, premises(name)), together(name, model, claim)


def _gather(claim: ExtraParents) -> Evidence:
    return Evidence(
        printed=tuple(one for name, make in MODELS for one in _found(name, make(), claim)),
        corrected=(show(averaged()), show(multiplied())),
        correction="Z may have additional parents W if X has ε₁-BRP to ⟨Y, W⟩ jointly.",
        kind="repair",
        argument=(
            *(f"Let {name}, all of two values." for name, _ in MODELS),
            Step(
                "In both X has 0-BRP to Y, and 0-BRP to Z for all values of Y and W (kernel, "
                "recount), and ⟨Y, Z⟩ tells X apart (kernel, replay).",
                claim.counterexamples(),
            ),
            "Σ_w Pr[Y = y, W = w | do(X = x)]·F_Z(z | x, y, w): with the joint bound each summand "
            "grows by at most e^(ε₁ + ε₂). With BRP to Y alone the weights of w given y may move "
            "with x freely, as the two counterexamples show; variables of one value have no "
            "effects.",
            MULTIPLIED,
            AVERAGED,
        ),
    )


ENTRY = Entry(
    id="tschantz2022/thm1-extra-parents",
    source=source("Section 6.2, remark after the proof of Theorem 1"),
    printed="Z may have additional parents, by requiring BRP for all of their values as well.",
    words=(
        "False: a further parent W may carry X to Z, or be the key that unlocks Y. It holds if X "
        "has ε₁-BRP to ⟨Y, W⟩."
    ),
    scope="every finite model; the counterexamples have two values",
    claim=ExtraParents(),
    expected=LedgerVerdict.REFUTED,
    gather=_gather,
    twin=Twin("Y alone, on which X has no effect, as what tells X apart.", ExtraParents(("Y",))),
)
