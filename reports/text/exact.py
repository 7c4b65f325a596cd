"""What exact arithmetic found, in sentences: data first."""

from __future__ import annotations

from fractions import Fraction

from provado.mechanisms import ExactFinding

from .numbers import down, up


def scope(finding: ExactFinding) -> str:
    """Say in a few words over what the claim was decided."""
    which = "all" if finding.only is None else "the given"
    return f"exact, over {which} {finding.neighbors:,} ordered pairs of neighbors; no samples"


def worst(finding: ExactFinding) -> str:
    """Name the pair and the event that need the most, with their exact probabilities."""
    table = finding.table
    event = ", ".join(table.outputs[o] for o in finding.event)
    p, p_prime = finding.chances
    return (
        f"Let D = {table.words(finding.d)}, D′ = {table.words(finding.d_prime)}. The output is in "
        f"{{{event}}} with probability {p} on D and {p_prime} on D′."
    )


def smallest(finding: ExactFinding) -> str:
    """State the smallest e^ε at the claimed δ, and its logarithm rounded both ways."""
    at = f" at δ = {float(finding.delta):g}" if finding.delta else ""
    if not finding.upper < float("inf"):
        return f"No ε is large enough{at}."
    low, high = down(finding.lower, 6), up(finding.upper, 6)
    ends = f"ε = {low}" if low == high else f"ε between {low} and {high}"
    return f"The smallest e^ε{at} is {finding.factor}: {ends}."


def claim(finding: ExactFinding) -> str:
    """Return the claim with every digit, since a last digit may decide it."""
    epsilon, delta = (
        repr(float(value)) if Fraction(float(value)) == value else str(value)
        for value in (finding.epsilon, finding.delta)
    )
    return f"ε = {epsilon}, δ = {delta}" if finding.delta else f"ε = {epsilon}"


def sentences(finding: ExactFinding) -> list[str]:
    """Return the finding, ending in what it means for the claim."""
    stated = claim(finding)
    answer = {
        "proved": f"So {stated} is proved for all replace-one neighbors of this table.",
        "verified": f"So {stated} holds on the pairs that were given; of others nothing is said.",
        "refuted": f"So {stated} is refuted.",
    }[finding.verdict]
    return [worst(finding), smallest(finding), answer]
