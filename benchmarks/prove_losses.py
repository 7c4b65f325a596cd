"""The exact loss of one event on one pair of neighbors, as a formula in the open parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from provado.mechanisms.definitions import UsageError
from provado.proofs import kernel
from provado.proofs.programs.probability.finite_data import Quotient, quotient, scaled
from provado.proofs.programs.probability.output_probability import Event, ParameterValues, chance
from provado.proofs.programs.read.parse import read_program
from provado.proofs.programs.read.symbolic_execution import enumerate_paths


def loss_of(
    function: Any,
    pair: tuple[Sequence[Fraction | int], Sequence[Fraction | int]],
    event: Event,
    *,
    parameters: Mapping[str, Fraction | int] | None = None,
    rate: str | None = "epsilon",
) -> Quotient:
    """Return Pr[event | d]/Pr[event | d′] of a program, exactly.

    pair: d and d′, each a tuple of answers. parameters: values of all parameters but ``rate``,
    which stays open; ``None`` where all have values. Raises ``UsageError`` where the event cannot
    happen on d, ``UndecidedProgramError`` where the probabilities are out of reach.
    """
    values = {name: Fraction(value) for name, value in (parameters or {}).items()}
    setting = ParameterValues(enumerate_paths(read_program(function, values)), values, rate)
    d, d_prime = (tuple(map(Fraction, answers)) for answers in pair)
    p, q = (chance(setting, answers, event) for answers in (d, d_prime))
    if not p:
        raise UsageError(f"event {event.words()}: it cannot happen on the first dataset")
    return quotient(d, d_prime, event, p, q)


def is_just(one: Quotient, factor: Fraction) -> bool:
    """Return whether the loss is factor·ε for every ε: both sides are the same expression."""
    return bool(one.bottom) and not scaled(one.bottom, factor) - one.top


def more_than(one: Quotient, factor: Fraction, rate: Fraction) -> kernel.Checked:
    """Return the kernel's finding that the loss is above factor·rate at ε = ``rate``.

    Raises ``kernel.KernelRefusal`` where it is not.
    """
    difference = scaled(one.bottom, factor) - one.top
    return kernel.check(kernel.PointCounterexample(difference.in_epsilon(), "≥ 0", rate, 0))
