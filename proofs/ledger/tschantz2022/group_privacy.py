"""Section 6.3: setting the data points of a group at once adds the group's losses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from provado.proofs.causal.definitions import definition_1, joint_effect
from provado.proofs.causal.finite_mechanism import FiniteMechanism, data_point_names
from provado.proofs.causal.model import Factor
from provado.proofs.causal.search import SCOPE, all_mechanisms
from provado.proofs.ledger import Claim, Entry, Evidence, LedgerVerdict, Step, Twin, show
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.fact import Fact, Recounted

from . import source
from ._arrows import AVERAGED, CHAINED, FOR_A_MECHANISM, averaged, chained, largest_excess, stated

STEP = 12
"""Each twelfth mechanism; slow tests run through all of them."""


@dataclass(frozen=True)
class GroupPrivacy(Claim):
    """Setting k data points at once moves each output's probability by e^((k − less)ε) at most."""

    less: int = 0

    @property
    def formula(self) -> str:
        k = f"(k − {self.less})" if self.less else "k"
        return (
            f"Definition 1: Pr[O = o | do(D_i = d_i, i ∈ G)] ≤ e^({k}ε)·Pr[O = o | do(D_i = e_i, "
            "i ∈ G)] for a group G of k data points"
        )

    def statement(self) -> Statement:
        points = f"(size group - {self.less})%N" if self.less else "size group"
        return stated(
            f"{FOR_A_MECHANISM} (P : seq V -> R) (t : R), "
            "well_formed m -> population m P -> definition_1 t m -> "
            "forall group d e o, all (fun i => i < size (domains m))%N group -> "
            "d \\in datasets (domains m) -> e \\in datasets (domains m) -> o \\in outputs m -> "
            f"effect m P (set_group m group d) o <= t ^+ {points} * "
            "effect m P (set_group m group e) o"
        )

    def recounted(self) -> Recounted:
        """Return the fact that joint effects need no more, over part of the battery."""
        scope = f"1/e^(joint effect) less 1/e^(kε) of all groups, every twelfth of: {SCOPE}"
        if self.less:
            scope += f", with k − {self.less} for k"
        return Recounted("maximum", 0, len(_groups()), scope)

    def obligations(self) -> tuple[Fact, ...]:
        return chained(), averaged(), self.recounted()


def joint_effects(m: FiniteMechanism) -> Iterator[tuple[int, Factor]]:
    """Yield k and the smallest factor of the joint effect, for each group of k data points."""
    names = data_point_names(m.n)
    for k in range(1, m.n + 1):
        for group in combinations(names, k):
            yield k, joint_effect(m.model, group, ["O"]).factor


@cache
def _groups() -> tuple[tuple[int, Factor, Factor], ...]:
    """Return k, the joint effect and e^ε, for the groups of part of the battery."""
    found = []
    for m in all_mechanisms()[::STEP]:
        bound = definition_1(m).factor
        found += [(k, joint, bound) for k, joint in joint_effects(m)]
    return tuple(found)


def _gather(claim: GroupPrivacy) -> Evidence:
    fact = claim.recounted()
    pairs = ((joint, bound ** (k - claim.less)) for k, joint, bound in _groups())
    return Evidence(
        printed=(show(chained()), show(averaged()), largest_excess(pairs, fact)),
        argument=(
            "Let two datasets differ in the k data points of the group alone. Change one after the "
            "other: each step is between neighbors.",
            CHAINED,
            "By induction k changes cost t^k at most; t ≥ 1 where there is a data point, as an "
            "unchanged one is compared, too.",
            "Pr[O = o | do(D_i = d_i, i ∈ G)] is an average of Pr[A(d) = o] over the other points, "
            "with weights that do not depend on what is set (as in Lemma 2).",
            AVERAGED,
            Step("Over part of the battery the joint effects were computed (kernel).", (fact,)),
        ),
    )


ENTRY = Entry(
    id="tschantz2022/group-privacy",
    source=source("Section 6.3, second application"),
    printed=(
        "Differential privacy approaches group privacy by summing the privacy losses, measured in "
        "terms of ε, of each individual in the group [25, p. 9]. […] BRP can easily be extended to "
        "measure simultaneous joint interventions by using multiple instances of the do operator."
    ),
    words=(
        "With Definition 1, setting the data points of a group of k at once has an effect of at "
        "most kε, under every population."
    ),
    scope="every finite mechanism, every population, every group of its data points",
    claim=GroupPrivacy(),
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin("(k − 1)ε for a group of k, over the same battery.", GroupPrivacy(less=1)),
    theorem_of=GroupPrivacy(),
)
