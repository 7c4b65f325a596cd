"""From a fact to a finding: searches for the certificate, and asks the kernel."""

from collections.abc import Callable, Sequence
from typing import Any

from provado.mechanisms import UsageError
from provado.proofs import kernel
from provado.proofs.algebra.certificates import laplace_sum_tail, prove_sign
from provado.proofs.kernel import Expression, Number

from .claim import Claim
from .fact import (
    AtLeastZero,
    Enclosed,
    Equal,
    Fact,
    Fails,
    MovesMore,
    NoisyMean,
    NotPrivate,
    Polynomial,
    expression_of,
)


def show(fact: Fact, *, cuts: Sequence[Number] = ()) -> kernel.Checked:
    """Return the kernel's finding of a fact, or raise its ``KernelRefusal``.

    cuts: points where an expression touches 0. Raises ``UsageError`` for facts whose evidence
    holds data of its own: counterexamples, recounts and integrals.
    """
    match fact:
        case AtLeastZero():
            return _sign(fact, cuts)
        case Polynomial():
            return kernel.check(
                kernel.MultivariateSign(fact.terms, fact.lower, fact.upper, fact.strict)
            )
        case Equal():
            return kernel.check(kernel.Identity(fact.left, fact.right))
        case Enclosed():
            return kernel.check(
                kernel.Enclosure(fact.value, fact.lower, fact.upper, fact.over, fact.logarithm)
            )
        case NoisyMean():
            _, found = laplace_sum_tail(fact.scales)
            chain = found.evidence.after[:-1]
            return kernel.check(kernel.AddLaplace(fact.before, fact.scales, (*chain, fact.after)))
    raise UsageError(f"show: {fact} needs data of its own")


def show_claim(claim: Claim, *, cuts: Sequence[Number] = ()) -> tuple[kernel.Checked, ...]:
    """Return a finding for each obligation of a claim."""
    return tuple(show(fact, cuts=cuts) for fact in claim.obligations())


def refute(fact: Fact, at: Number) -> kernel.Checked:
    """Return the kernel's finding that a ``Fails`` is so, by one point."""
    if not isinstance(fact, Fails):
        raise UsageError(f"refute: {fact} is not refuted by a point")
    return kernel.check(
        kernel.PointCounterexample(
            fact.terms, fact.claim, at, fact.lower, fact.upper, fact.integers
        )
    )


def _sign(fact: AtLeastZero, cuts: Sequence[Number]) -> kernel.Checked:
    if fact.integers:
        to = None if fact.upper is None else int(fact.upper) + 1
        argument = kernel.Coefficients() if to is None else None
        return kernel.check(
            kernel.ExpressionSign(
                fact.terms,
                fact.lower,
                argument,
                fact.upper,
                fact.strict,
                int(fact.lower) if to is None else to,
                fact.over,
            )
        )
    below = _argument(fact.over, fact, True, ())
    above = _argument(fact.terms, fact, fact.strict, cuts)
    return kernel.check(
        kernel.ExpressionSign(
            fact.terms,
            fact.lower,
            above,
            fact.upper,
            fact.strict,
            denominator=fact.over,
            denominator_argument=below,
        )
    )


def _argument(
    terms: Expression, fact: AtLeastZero, strict: bool, cuts: Sequence[Number]
) -> kernel.Argument:
    found = prove_sign(expression_of(terms), fact.lower, fact.upper, strict=strict, cuts=cuts)
    # Where no argument is found the kernel says why in its own words.
    argument: kernel.Argument = kernel.Coefficients()
    return argument if found is None else found.evidence.argument


def named(reference: Callable[[Any], Any], name: str) -> Callable[[Any], Any]:
    """Give a reference function made for some parameters a name that tells them."""
    reference.__qualname__ = name
    return reference


def not_private(
    fact: Fact, pair: tuple[Any, Any], event: str, reference: Callable[[Any], Any]
) -> kernel.Checked:
    """Return the kernel's finding of a ``NotPrivate``, by an event on two neighbors.

    reference: a dataset ↦ the exact probability of the event, as a number or a sum.
    """
    if not isinstance(fact, NotPrivate):
        raise UsageError(f"not_private: {fact} is of another kind")
    d, d_prime = pair
    chances = reference(d), reference(d_prime)
    sums = tuple(c if isinstance(c, tuple) else ((0, c),) for c in chances)
    evidence = kernel.PrivacyCounterexample(
        d, d_prime, fact.relation, event, (sums[0], sums[1]), fact.epsilon, fact.delta
    )
    return kernel.check(evidence, reference)


def moves_more(
    fact: Fact, pair: tuple[Any, Any], reference: Callable[[Any], Any]
) -> kernel.Checked:
    """Return the kernel's finding of a ``MovesMore``, by the values of a score on two neighbors."""
    if not isinstance(fact, MovesMore):
        raise UsageError(f"moves_more: {fact} is of another kind")
    d, d_prime = pair
    values = reference(d), reference(d_prime)
    evidence = kernel.ChangeCounterexample(
        d, d_prime, fact.relation, values, fact.claimed, fact.logarithm
    )
    return kernel.check(evidence, reference)
