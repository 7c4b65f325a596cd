"""A decision about a function of records in words: the verdict, then its evidence."""

from collections.abc import Sequence
from fractions import Fraction

from provado.proofs.kernel import BoxSign, Checked, Number
from provado.proofs.releases.decide import ReleaseDecision
from provado.proofs.releases.noise_costs import ProvedCost
from provado.proofs.sensitivity.change.formula import formula_words
from provado.reports.text.formatting import counted

ASSUMPTIONS = (
    "real numbers instead of floating point",
    "that draws are independent, and nobody knows a seed of np.random or random",
    "that the function does with data what it does with symbols",
    "what noise costs (proofs/releases/noise_costs.py, with sources)",
    "cases, derivatives and ends of functions, computed outside of the kernel",
)
"""What a proof takes for granted."""


def words(decision: ReleaseDecision) -> str:
    """Return the decision as the command line prints it."""
    first = f"{decision.name}: {decision.verdict} ({decision.claimed})"
    sentences = (f"neighbors: {decision.relation}", f"for {scope(decision)}", *evidence(decision))
    lines = [first, *(f"  {line}" for line in sentences)]
    if decision.verdict == "proved":
        lines += ["  Assumptions:", *(f"    - {assumption}" for assumption in ASSUMPTIONS)]
    return "\n".join(lines)


def scope(decision: ReleaseDecision) -> str:
    """Return of which data and parameters the verdict speaks."""
    given = [
        f"{name} = {value}"
        for name, value in decision.parameters.items()
        if isinstance(value, int | float | Fraction)
    ]
    return f"{decision.scope}{' with ' * bool(given)}{', '.join(given)}"


def evidence(decision: ReleaseDecision) -> list[str]:
    """Return what was shown, line by line, or why nothing was."""
    if decision.counterexample is not None:
        return decision.counterexample.words()
    if decision.reason:
        return [f"Reason: {decision.reason}."]
    lines = []
    for number, way in enumerate(decision.ways, 1):
        if len(decision.ways) > 1:
            lines.append(f"Way {number} of {len(decision.ways)} through the function:")
        lines += [cost(item) for item in way] or ["Nothing that it returns depends on the data."]
    count = sum(
        len(bound.findings)
        for way in decision.ways
        for proved_cost in way
        for bound in proved_cost.bounds
    )
    return [*lines, f"The kernel checked the signs of {counted(count, 'polynomial')}."]


def cost(proved_cost: ProvedCost) -> str:
    """Return what a group of releases costs at most, in words."""
    unit = "ε" if proved_cost.group.pure else "μ"
    name = proved_cost.group.name
    return f"{name[0].upper()}{name[1:]}: {unit} ≤ {formula_words(proved_cost.cost)}."


def statement(finding: Checked) -> str:
    """Return what the kernel found, the sign of a polynomial as people write it."""
    result = finding.evidence
    if not isinstance(result, BoxSign):
        return finding.statement
    text = " + ".join(_term(Fraction(c), powers) for c, powers in result.terms) or "0"
    used = [k for k in range(len(result.lower)) if any(powers[k] for _, powers in result.terms)]
    box = [_side(k, result.lower[k], result.upper[k]) for k in used]
    sign = ">" if result.strict else "≥"
    return f"{text.replace('+ -', '− ')} {sign} 0{' for ' * bool(box)}{', '.join(box)}"


def _term(factor: Fraction, powers: Sequence[int]) -> str:
    shown = [
        f"{_name(k)}{str(power).translate(_RAISED) if power > 1 else ''}"
        for k, power in enumerate(powers)
        if power
    ]
    if shown and abs(factor) == 1:
        return f"{'-' if factor < 0 else ''}{'·'.join(shown)}"
    return "·".join([str(factor), *shown])


def _name(k: int) -> str:
    return f"x{str(k + 1).translate(_LOWERED)}"


def _side(k: int, low: Number, high: Number | None) -> str:
    return f"{_name(k)} ≥ {low}" if high is None else f"{_name(k)} in [{low}, {high}]"


_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
