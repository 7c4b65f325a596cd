"""Section 6.3: the joint effect of a group of k data points is kε at most."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs.causal.definitions import definition_1
from provado.proofs.causal.search import SCOPE, Case, all_mechanisms
from provado.proofs.ledger.tschantz2022.effects import joint_effects

from ._finding import Counterexample, Finding


def check(claim: str, role: str, less: int) -> Finding:
    """Check that joint effects are at most e^((k − less)ε), and keep how near they come."""
    tried, reached = 0, Fraction(0)
    for m in all_mechanisms():
        bound = definition_1(m).factor
        for k, joint in joint_effects(m):
            tried += 1
            if joint > bound ** (k - less):
                numbers = (("joint effect", joint), ("e^ε", bound))
                found = (Counterexample(f"{k} data points", numbers, Case(m)),)
                return Finding(claim, role, tried, SCOPE, found)
            if isinstance(bound, Fraction) and bound > 1 and k > 1:
                reached = max(reached, Fraction(joint) / bound**k)
    share = (("largest share of e^(kε) that two or more reach", reached),)
    return Finding(claim, role, tried, SCOPE, (), share)


def evidence() -> tuple[Finding, ...]:
    """Compute the joint effect of every group of the battery's mechanisms."""
    return (check("a group of k data points: kε at most", "printed", 0),)


def broken() -> Finding:
    """Allow (k − 1)ε only."""
    return check("a group of k data points: (k − 1)ε at most", "part", 1)
