"""Bob joins a social network: a model of direct and indirect effects."""

from provado.proofs.causal.examples import BITS, _same, noisy_count
from provado.proofs.causal.model import Model, Number, assigned, structural_model


def social_network(r: Number) -> Model:
    """Return Bob's joining a network (B), his own edge, and the one he brings about.

    ``own`` := B; ``between`` (Alice and Charlie) := B; O is the noisy number of edges. Source:
    section 6.3, after Kifer and Machanavajjhala. Arrow B → own is Bob's direct contribution, and
    B → between the evidence of his participation that edge privacy leaves out.
    """
    return structural_model(
        {"B": BITS},
        {
            "own": assigned(["B"], _same, BITS),
            "between": assigned(["B"], _same, BITS),
            "O": noisy_count(2, r).equation("own", "between"),
        },
    )
