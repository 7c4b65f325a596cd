"""From a fact to a finding: searches for the certificate, and asks the kernel."""

from collections.abc import Callable, Sequence
from typing import Any

from provado.mechanisms import UsageError
from provado.proofs import kernel
from provado.proofs.algebra.certificates import laplace_sum_tail, prove_sign
from provado.proofs.kernel import Expression, Number

from . import fact as facts
from .claim import Claim
from .fact import Fact


def show(fact: Fact, *, cuts: Sequence[Number] = ()) -> kernel.Checked:
    """Return the kernel's finding of a fact, or raise its ``KernelRefusal``.

    cuts: points where an expression touches 0. Raises ``UsageError`` for facts whose evidence
    holds data of its own: counterexamples, recounts and integrals.
    """
    evidence: Any
    match fact:
        case facts.AtLeastZero():
            evidence = _sign(fact, cuts)
        case facts.Polynomial():
            evidence = kernel.MultivariateSign(fact.terms, fact.lower, fact.upper, fact.strict)
        case facts.Equal():
            evidence = kernel.Identity(fact.left, fact.right)
        case facts.Enclosed(value, lower, upper, over, logarithm):
            evidence = kernel.Enclosure(value, lower, upper, over, logarithm)
        case facts.NoisyMean(before, scales, after):
            chain = laplace_sum_tail(scales)[1].evidence.after[:-1]
            evidence = kernel.AddLaplace(before, scales, (*chain, after))
        case _:
            raise UsageError(f"show: {fact} needs data of its own")
    return kernel.check(evidence)


def show_claim(claim: Claim, *, cuts: Sequence[Number] = ()) -> tuple[kernel.Checked, ...]:
    """Return a finding for each obligation of a claim."""
    return tuple(show(fact, cuts=cuts) for fact in claim.obligations())


def refute(fact: Fact, at: Number) -> kernel.Checked:
    """Return the kernel's finding that a ``Fails`` is so, by one point."""
    if not isinstance(fact, facts.Fails):
        raise UsageError(f"refute: {fact} is not refuted by a point")
    return kernel.check(
        kernel.PointCounterexample(
            fact.terms, fact.claim, at, fact.lower, fact.upper, fact.integers
        )
    )


def recount(rows: tuple[tuple[object, Number], ...], fact: facts.Recounted) -> kernel.Checked:
    """Return the kernel's finding of a fact about these rows."""
    operation: Any = fact.operation
    return kernel.check(kernel.Recount(rows, operation, fact.value, fact.rows, fact.scope))


def _sign(fact: facts.AtLeastZero, cuts: Sequence[Number]) -> kernel.ExpressionSign:
    terms, lower, upper, strict, over = fact.terms, fact.lower, fact.upper, fact.strict, fact.over
    if not fact.integers:
        below, above = _argument(over, fact, True, ()), _argument(terms, fact, strict, cuts)
        return kernel.ExpressionSign(
            terms, lower, above, upper, strict, denominator=over, denominator_argument=below
        )
    if upper is None:
        argument = kernel.Coefficients()
        return kernel.ExpressionSign(terms, lower, argument, upper, strict, int(lower), over)
    return kernel.ExpressionSign(terms, lower, None, upper, strict, int(upper) + 1, over)


def _argument(
    terms: Expression, fact: facts.AtLeastZero, strict: bool, cuts: Sequence[Number]
) -> kernel.Argument:
    check = prove_sign(facts.expression_of(terms), fact.lower, fact.upper, strict=strict, cuts=cuts)
    # Where no argument is found the kernel says why in its own words.
    argument: kernel.Argument = kernel.Coefficients()
    return argument if check is None else check.evidence.argument


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
    if not isinstance(fact, facts.NotPrivate):
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
    if not isinstance(fact, facts.MovesMore):
        raise UsageError(f"moves_more: {fact} is of another kind")
    d, d_prime = pair
    values = reference(d), reference(d_prime)
    evidence = kernel.ChangeCounterexample(
        d, d_prime, fact.relation, values, fact.claimed, fact.logarithm
    )
    return kernel.check(evidence, reference)
