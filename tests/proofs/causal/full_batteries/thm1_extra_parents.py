"""The remark after Theorem 1: Z may have additional parents."""

from __future__ import annotations

from collections.abc import Iterator

from provado.proofs.causal.composition import composition, models_in_sequence
from provado.proofs.causal.definitions import definition_9
from provado.proofs.causal.examples import one_time_pad, side_channel
from provado.proofs.causal.model import Factor, Model

from ._finding import Counterexample, Finding


def _models() -> Iterator[tuple[str, Model]]:
    yield "W := X, Y := 0, Z := W", side_channel()
    yield "W a fair coin, Y := X ⊕ W, Z := Y ⊕ W", one_time_pad()
    yield from (("a model without further parents", model) for model in models_in_sequence())


def _first(model: Model, *, with_parents: bool) -> Factor:
    """Return the effect of X on Y, or on Y and the further parents of Z together."""
    further = [p for p in model.nodes["Z"].parents if p not in ("X", "Y")]
    return definition_9(model, ["X"], ["Y", *(further if with_parents else ())]).factor


def check(claim: str, role: str, *, with_parents: bool) -> Finding:
    """Check the promise e^(ε₁ + ε₂), where ε₁ is to Y alone or also to the further parents."""
    tried, found = 0, []
    for name, model in _models():
        tried += 1
        effects = composition(model)
        first = _first(model, with_parents=with_parents)
        if effects.whole > first * effects.second:
            numbers = (("first", first), ("second", effects.second), ("whole", effects.whole))
            words = f"{name}: X to Y needs {first}, to Z {effects.second}, to both {effects.whole}"
            found.append(Counterexample(words, numbers))
    return Finding(
        claim, role, tried, "two models of two values, and those in sequence", tuple(found)
    )


def evidence() -> tuple[Finding, ...]:
    """Check the remark as printed, and with the further parents counted to the first output."""
    return (
        check(
            "with BRP to Z for all values of Y and the further parents",
            "printed",
            with_parents=False,
        ),
        check(
            "with ε₁-BRP from X to Y and the further parents jointly", "repaired", with_parents=True
        ),
    )


def broken() -> Finding:
    """Leave the further parents out of the first output again."""
    return check("the repair without its condition", "part", with_parents=False)
