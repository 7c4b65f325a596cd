"""A decision about a function of records in words: the verdict first, then what it rests on."""

from provado.proofs.releases.decide import ReleaseDecision
from provado.proofs.releases.rules import ProvedCost
from provado.proofs.sensitivity.change.formula import formula_words

ASSUMPTIONS = (
    "real numbers instead of floating point",
    "that the function does with data what it does with symbols (proofs/releases, "
    "proofs/sensitivity)",
    "what a number with noise costs once it moves (proofs/releases/rules.py, with the sources)",
    "that the cases, derivatives and ends of functions, which are computed outside of the kernel, "
    "are right",
)
"""What a proof takes for granted."""


def words(decision: ReleaseDecision) -> str:
    """Return the decision as the command line prints it."""
    lines = [f"{decision.name}: {decision.verdict} ({decision.claimed})"]
    lines.append(f"  neighbors: {decision.relation}")
    lines.append(f"  for {scope(decision)}")
    lines += [f"  {line}" for line in evidence(decision)]
    if decision.verdict == "proved":
        lines.append("  Assumptions:")
        lines += [f"    {one};" for one in ASSUMPTIONS]
    return "\n".join(lines)


def scope(decision: ReleaseDecision) -> str:
    """Return of which data and parameters the verdict speaks."""
    given = [
        f"{name} = {value}"
        for name, value in decision.parameters.items()
        if isinstance(value, int | float)
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
        lines += [cost(one) for one in way] or ["Nothing that it returns depends on the data."]
    count = sum(len(bound.findings) for way in decision.ways for one in way for bound in one.bounds)
    return [*lines, f"The kernel checked the signs of {count} polynomials."]


def cost(one: ProvedCost) -> str:
    """Return what a group of releases costs at most, in words."""
    unit = "ε" if one.group.pure else "μ"
    name = one.group.name
    return f"{name[0].upper()}{name[1:]}: {unit} ≤ {formula_words(one.cost)}."
