"""The remark after Theorem 1: Z may have additional parents."""

from __future__ import annotations

from fractions import Fraction

from provado.mechanisms.errors import UsageError
from provado.proofs import kernel
from provado.proofs.causal.composition import composition
from provado.proofs.causal.effects import definition_9
from provado.proofs.causal.exact import Value, Values
from provado.proofs.causal.examples import one_time_pad, side_channel
from provado.proofs.causal.model import Model
from provado.proofs.causal.probability import probability
from provado.proofs.causal.statements.thm1_extra_parents import STATEMENT
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import reciprocal
from provado.proofs.ledger.tschantz2022._steps import AVERAGED, MULTIPLIED, averaged, multiplied
from provado.proofs.ledger.tschantz2022._terms import entry
from provado.proofs.ledger.tschantz2022._witness import Compared, not_private

MODELS = (
    ("W := X, Y := 0, Z := W", side_channel),
    ("W a fair coin, Y := X ⊕ W, Z := Y ⊕ W", one_time_pad),
)


def premises(name: str, model: Model) -> kernel.Checked:
    """Return that X has 0-BRP to Y, and to Z for all values of Y and W: all e^ε are 1."""
    effects = composition(model)
    rows = (("X to Y", reciprocal(effects.first)), ("X to Z, worst", reciprocal(effects.second)))
    return kernel.check(kernel.Recount(rows, "minimum", 1, 2, f"1/e^ε in {name}"))


def together(name: str, model: Model, output: str | None = None) -> kernel.Checked:
    """Refute ε = 0 for X to ⟨Y, Z⟩, or to one ``output`` alone, from the laws under do(X = x)."""
    wanted = ["Y", "Z"] if output is None else [output]
    at = definition_9(model, ["X"], wanted).at
    if at is None or not isinstance(at.output, tuple):
        raise UsageError(f"{name}: nothing is compared")
    event = dict(zip(wanted, at.output, strict=True))

    def chance(x: Values, _: Value) -> Fraction:
        return probability(model, at.people, event, do={"X": x[0]})

    values = [at.d if isinstance(at.d, tuple) else (at.d,)]
    values.append(at.d_prime if isinstance(at.d_prime, tuple) else (at.d_prime,))
    pair = Compared(values[0], values[1], at.output, at.left, at.right)
    return not_private(pair, f"{event!r} under do(X) in {name}", Fraction(0), chance)


def _gather() -> Evidence:
    found = [(premises(name, make()), together(name, make())) for name, make in MODELS]
    return Evidence(
        printed=tuple(finding for pair in found for finding in pair),
        corrected=(averaged(), multiplied()),
        correction="Z may have additional parents W if X has ε₁-BRP to ⟨Y, W⟩ jointly.",
        kind="repair",
        argument=(
            *(f"Let {name}, all of two values." for name, _ in MODELS),
            "In both X has 0-BRP to Y, and 0-BRP to Z for all values of Y and W (kernel, "
            "recount), and ⟨Y, Z⟩ tells X apart (kernel, replay).",
            STATEMENT.argument,
            MULTIPLIED,
            AVERAGED,
        ),
    )


def _twin() -> object:
    name, make = MODELS[0]
    return together(name, make(), "Y")


ENTRY = entry(
    STATEMENT,
    LedgerVerdict.REFUTED,
    _gather,
    ("Y alone, on which X has no effect, as what tells X apart.", _twin),
)
