"""Prove or refute what is claimed of a function: of answers to queries, or of records."""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from provado.mechanisms import NeighboringRelation, UsageError
from provado.proofs.programs.decide import STEPS, ProgramDecision, decide
from provado.proofs.programs.read.source import exact_value
from provado.proofs.releases.decide import ReleaseDecision, arguments, decide_releases
from provado.proofs.releases.noise_costs import ReleaseClaim
from provado.proofs.sensitivity.change.formula import read_formula

Amount = str | int | float | Fraction
"""A number, or a text such as ``1/3``, or ``2*epsilon`` in the function's parameters."""


def prove(
    function: Any,
    *,
    epsilon: Amount | None = None,
    delta: Amount | None = None,
    mu: Amount | None = None,
    rho: Amount | None = None,
    domain: Any = None,
    size: int | tuple[int, int | None] | None = None,
    relation: NeighboringRelation | None = None,
    parameters: Mapping[str, Any] | None = None,
    sensitivity: Amount = 1,
    neighbors: str = "all",
    pairs: Any = None,
    steps: int = STEPS,
) -> ProgramDecision | ReleaseDecision:
    """Return a proof of what is claimed of a function, a refutation, or why there is neither.

    function: takes answers to queries, whose neighbors each move by ``sensitivity``
        (``programs.decide``); or, where ``domain`` says what a record is, an array of records
        (``releases.decide``).
    epsilon, delta, mu, rho: the claim: ε, ε and δ, μ of Gaussian differential privacy, or ρ of
        zero-concentrated differential privacy; without any, the parameters of these names.
    domain: of records, ``(low, high)``, ``bool`` or a tuple or mapping of columns, as of
        ``bound_sensitivity``; a list of numbers is the values of finite data, of which all
        probabilities are computed. size: how many records, or the fewest and the most; of finite
        data how many there are (1).
    relation: between datasets of records: ``ReplaceOne()`` (the default) or ``AddOrRemoveOne()``.
    parameters: values of the function's other parameters; of records, one that is named as a claim
        and has no value takes that of the claim.
    sensitivity, neighbors, pairs, steps: of a function of answers.

    Raises ``UsageError`` for bad arguments, and ``LanguageError`` for a program that is not read.
    """
    if is_records(domain):
        claim = _claim(function, parameters or {}, epsilon=epsilon, delta=delta, mu=mu, rho=rho)
        _refuse(
            "of records",
            sensitivity=sensitivity != 1,
            neighbors=neighbors != "all",
            pairs=pairs is not None,
        )
        return decide_releases(
            function,
            claim,
            domain=domain,
            relation=relation,
            size=(1, None) if size is None else size,
            parameters={**_of_claim(function, claim), **(parameters or {})},
        )
    _refuse(
        "of answers: say by domain what a record is, such as 0:1",
        **{name: item is not None for name, item in (("mu", mu), ("rho", rho))},
        relation=relation is not None,
    )
    if isinstance(size, tuple):
        raise UsageError(f"size is {size!r}: of finite data it is one number")
    many = 1 if size is None else size
    return decide(
        function,
        epsilon=epsilon,
        delta=delta,
        sensitivity=sensitivity,
        neighbors=neighbors,
        parameters=parameters,
        domain=domain,
        size=many,
        pairs=pairs,
        steps=steps,
    )


def is_records(domain: Any) -> bool:
    """Tell whether it says what a record is, rather than which values finite data have."""
    return isinstance(domain, tuple | Mapping) or domain in (bool, float, int)


def _refuse(what: str, **given: bool) -> None:
    for name, is_given in given.items():
        if is_given:
            raise UsageError(f"{name}: it is not stated of a function {what}")


def _claim(function: Any, parameters: Mapping[str, Any], **stated: Amount | None) -> ReleaseClaim:
    """Return what is claimed; raises ``UsageError`` where that is nothing, or two claims."""
    given = arguments(function, parameters, needed=False)
    known = {name: value for name, value in stated.items() if value is not None}
    if not known:
        known = {name: name for name in stated if isinstance(given.get(name), int | float)}
    which = [name for name in ("epsilon", "mu", "rho") if name in known]
    if len(which) != 1 or ("delta" in known and which != ["epsilon"]):
        raise UsageError(
            "the claim: state epsilon (with delta, or without), mu or rho, one of the three"
        )
    result = {name: _amount(value, name, given) for name, value in known.items()}
    if not result.get("delta", Fraction(0)) < 1:
        raise UsageError(f"delta is {known['delta']!r}: it must be below 1")
    for name in which:
        if result[name] == 0 and not result.get("delta"):
            beside = ", or be given with a delta" if name == "epsilon" else ""
            raise UsageError(f"{name} is {known[name]!r}: it must be above 0{beside}")
    return ReleaseClaim(**result)


def _of_claim(function: Any, claim: ReleaseClaim) -> dict[str, Fraction]:
    """Return the values of parameters that have none and are named as what is claimed."""
    open_to = arguments(function, {}, needed=False)
    stated = {**vars(claim), "eps": claim.epsilon, "delta": claim.delta or None}
    return {
        name: stated[name]
        for name, value in open_to.items()
        if value is None and stated.get(name) is not None
    }


def _amount(value: Amount, name: str, given: Mapping[str, Any]) -> Fraction:
    if not isinstance(value, str):
        fraction = exact_value(value, name)
    else:
        text = value
        for parameter, number in given.items():
            if isinstance(number, int | float | Fraction) and not isinstance(number, bool):
                exact = exact_value(number, parameter)
                text = re.sub(rf"\b{re.escape(parameter)}\b", f"({exact})", text)
        constant = read_formula(text, name).constant
        if constant is None:
            raise UsageError(f"{name} is {value!r}: it must be a number, or one of parameters")
        fraction = constant
    if fraction < 0:
        raise UsageError(f"{name} is {value!r}: it must be at least 0")
    return fraction
