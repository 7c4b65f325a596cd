"""What is proved or decided exactly, in sentences; of a program beside what its audit certifies."""

import math
from fractions import Fraction

from provado.audit.result import AuditResult
from provado.mechanisms import ExactFinding
from provado.mechanisms.definitions.mechanism import ProgramFinding
from provado.reports.text.formatting import certified, counted, down, plain, typed, up


def exact_scope(finding: ExactFinding) -> str:
    """Say in a few words over what the claim was decided."""
    which = "all" if finding.only is None else "the given"
    pairs = counted(finding.neighbors, "ordered pair")
    return f"exact, over {which} {pairs} of neighbors; no samples"


def worst_exact_pair(finding: ExactFinding) -> str:
    """Name the pair and the event that need the most, with their exact probabilities."""
    table = finding.table
    event = ", ".join(table.outputs[o] for o in finding.event)
    p, p_prime = finding.chances
    return (
        f"Let D = {table.words(finding.d)}, D′ = {table.words(finding.d_prime)}. The output is in "
        f"{{{event}}} with probability {p} on D and {p_prime} on D′."
    )


def smallest_factor(finding: ExactFinding) -> str:
    """State the smallest e^ε at the claimed δ, and its logarithm rounded both ways."""
    at = f" at δ = {float(finding.delta):g}" if finding.delta else ""
    if not finding.upper < float("inf"):
        return f"No ε is large enough{at}."
    low, high = down(finding.lower, 6), up(finding.upper, 6)
    ends = f"ε = {low}" if low == high else f"ε between {low} and {high}"
    return f"The smallest e^ε{at} is {finding.factor}: {ends}."


def exact_claim(finding: ExactFinding) -> str:
    """Return the claim with every digit, since a last digit may decide it."""
    epsilon, delta = (
        repr(float(value)) if Fraction(float(value)) == value else str(value)
        for value in (finding.epsilon, finding.delta)
    )
    return f"ε = {epsilon}, δ = {delta}" if finding.delta else f"ε = {epsilon}"


def exact_sentences(finding: ExactFinding) -> list[str]:
    """Return the finding, ending in what it means for the claim."""
    stated = exact_claim(finding)
    answer = {
        "proved": f"So {stated} is proved for all replace-one neighbors of this table.",
        "verified": f"So {stated} holds on the pairs that were given; of others nothing is said.",
        "refuted": f"So {stated} is refuted.",
    }[finding.verdict]
    return [worst_exact_pair(finding), smallest_factor(finding), answer]


DIFFERENT_SCOPES = (
    "A proof is about real numbers and the neighbors that it names, an audit about the program as "
    "it runs, on its pairs."
)


def proved_sentences(result: AuditResult) -> list[str]:
    """Return verdict, proved bound, gap and what they speak of; nothing where none was decided."""
    finding = result.program
    if finding is None:
        return []
    sentences = [decided(finding)]
    if finding.verdict == "refuted":
        sentences += finding.words
    bound = proved_bound(finding)
    if bound:
        sentences += [bound, gap_words(result), DIFFERENT_SCOPES]
    return sentences


def decided(finding: ProgramFinding) -> str:
    """Return the verdict on the claim, with its neighbors or its reason."""
    if finding.verdict == "undecided":
        return f"Neither proved nor refuted: {finding.reason}. Nothing is proved of ε."
    how = "proved" if finding.verdict == "proved" else "refuted by exact probabilities"
    scope = f"; for {finding.scope}" if finding.scope else ""
    return f"ε = {finding.claim} is {how}, where {finding.relation}{scope}."


def proved_bound(finding: ProgramFinding) -> str:
    """Return what is proved of how large ε may be; empty where nothing is."""
    if finding.epsilon is None:
        return ""
    if finding.exact:
        return f"The exact ε is {plain(finding.epsilon, 6)}."
    # A claim as it was typed, where that says all of it.
    text = typed(finding.epsilon)
    return f"Proved: ε ≤ {text if float(text) == finding.epsilon else up(finding.epsilon)}."


def gap_words(result: AuditResult) -> str:
    """Compare the proved bound with the certified one; empty where nothing is proved."""
    finding = result.program
    if finding is None or finding.epsilon is None:
        return ""
    low = certified(result.epsilon_lower, result.epsilon)
    if finding.fixed_size and result.search is not None and result.search.other_size:
        return (
            f"Certified: ε ≥ {low}, on a pair with another number of records: of such a pair the "
            "proof says nothing."
        )
    between = finding.epsilon - result.epsilon_lower
    if between >= 0:
        return f"Certified: ε ≥ {low}; the gap is {up(between)}."
    size = "∞" if math.isinf(between) else plain(-between)
    return (
        f"Certified: ε ≥ {low}, which lies {size} above what is proved: the program as it runs, "
        "with floating point, reveals more than in real numbers, or by a false alarm."
    )
