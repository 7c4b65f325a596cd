"""Definition 9 and section 6.3: effects of data points, of attributes and of groups."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Literal

from provado.mechanisms.definitions.parameters import UsageError
from provado.proofs import ledger
from provado.proofs.causal.definitions import definition_1, definition_9, joint_effect, total_effect
from provado.proofs.causal.examples import ada_and_byron, masked_group, randomized_response
from provado.proofs.causal.finite_mechanism import FiniteMechanism, data_point_names
from provado.proofs.causal.model import Factor, Model
from provado.proofs.causal.search import SCOPE, all_mechanisms
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.fact import AtLeastZero, Equal, Fact, Fails, Recounted
from provado.proofs.ledger.find_certificate import recount

from . import _arrows as arrows
from . import source
from ._witness import Compared, beyond, constant_above

_ARROW = arrows.Arrow("1", "9", "is equivalent to")
_FACTOR = ledger.Formula("e^(x)")
"""The factor of Definition 1, in ε = x."""


@dataclass(frozen=True)
class RelativeProbability(ledger.Claim):
    """ε-BRP bounds the largest RP̄ by ``bound``, in x = ε, and is differential privacy."""

    bound: ledger.Formula

    @property
    def formula(self) -> str:
        return f"max over P of RP̄(Y, X) ≤ {self.bound}, x = ε, for all X = D_i and Y = O is ε-DP"

    def statement(self) -> Statement | None:
        # With t = e^ε the bound e^ε is t.
        same = self.bound.value().as_data() == _FACTOR.value().as_data()
        return _ARROW.statement() if same else None

    def least(self) -> AtLeastZero:
        """Return the fact that a constant output, whose RP̄ is 1, meets the bound for all ε ≥ 0."""
        return AtLeastZero((*self.bound.value().as_data(), (-1, 0, 0, 0)), 0)

    def obligations(self) -> tuple[Fact, ...]:
        same = Equal(self.bound.value().as_data(), _FACTOR.value().as_data())
        return self.least(), same, *_ARROW.obligations()

    def counterexamples(self) -> tuple[Fact, ...]:
        return Fails(self.least().terms, "≥ 0", 0), _never_below_one()


@cache
def _least_maxima() -> tuple[tuple[object, Fraction], ...]:
    rows: list[tuple[object, Fraction]] = []
    for i, mechanism in enumerate(m for m in all_mechanisms() if m.n == 1):
        row = mechanism.table
        smallest = min(
            row[b][o] / row[a][o]
            for a, b in product(row, repeat=2)
            for o in range(len(mechanism.outputs))
            if row[a][o]
        )
        rows.append((i, Fraction(smallest)))
    return tuple(rows)


def _never_below_one() -> Recounted:
    """Return that RP̄ ≥ 1 for all mechanisms of the battery with one data point (1/RP̄ ≤ 1)."""
    scope = "1/RP̄(O, D_1), the battery's mechanisms of one data point"
    return Recounted("maximum", 1, len(_least_maxima()), scope)


MEANT = RelativeProbability(_FACTOR)


@ledger.Entry(
    source=source("Definition 9"),
    printed="X has ε-BRP to Y iff the maximum over P of RP̄(Y, X) ≤ e^{-1}. Differential privacy is "
    "equivalent to requiring ε-BRP for all data points D_i.",
    words="The text prints e^{-1} for e^ε. With e^ε: DP is ε-BRP of all D_i to O.",
    scope="every finite mechanism",
    claim=RelativeProbability(ledger.Formula("e^(−1)")),
    expected=ledger.LedgerVerdict.MISPRINT,
    twin=ledger.Twin("The same constant algorithm as a counterexample to the bound e^ε.", MEANT),
    theorem_of=MEANT,
)
def _def9(claim: RelativeProbability) -> ledger.Evidence:
    wrong, least = claim.counterexamples()
    within, same, *_ = MEANT.obligations()
    return ledger.Evidence(
        printed=(ledger.refute(wrong, 0), recount(_least_maxima(), _never_below_one())),
        corrected=(ledger.show(within), ledger.show(same), *arrows.arrow_findings(_ARROW)),
        correction="max over P of RP̄(Y, X) ≤ e^ε, the bound of equation (28).",
        kind="misprint",
        corrected_claim=MEANT,
        argument=(
            ledger.Step(
                "Let O be constant: the algorithm is differentially private with ε = 0, and RP̄ is "
                "1. The text at hand has the bound e^{-1}, in which ε does not occur; it fails at "
                "every ε, and no RP̄ is below 1 (kernel, both).",
                (wrong, least),
            ),
            "That it is a slip follows from (28), a few lines above, and from the sentence after "
            "it; whether of the paper or of its transcription is not decided here.",
            "RP̄ ≥ 1, as some y has positive probability under do(X = x₁), and then x₁ = x₂ gives "
            "1; a constant Y reaches 1, in one variable of one value. With e^ε: Proposition 5.",
            ledger.Step(
                "With e^ε the constant algorithm meets the bound for all ε ≥ 0 (kernel), and in "
                "general RP̄ ≤ e^ε for all P and i is Definition 8: an average on both sides.",
                (within, same),
            ),
            "A point mass has one term of weight 1, and gives Definition 1 back.",
            *arrows.arrow_lines(_ARROW),
        ),
    )


# Section 6.3: setting the data points of a group at once adds the group's losses.

STEP = 12
"""Each twelfth mechanism; slow tests run through all of them."""


@dataclass(frozen=True)
class GroupPrivacy(ledger.Claim):
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
        return arrows.stated(
            f"{arrows.FOR_A_MECHANISM} (P : seq V -> R) (t : R), "
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
        return arrows.chained(), arrows.averaged(), self.recounted()


def joint_effects(m: FiniteMechanism) -> Iterator[tuple[int, Factor]]:
    """Yield k and the smallest factor of the joint effect, for each group of k data points."""
    names = data_point_names(m.n)
    for k in range(1, m.n + 1):
        for group in combinations(names, k):
            yield k, joint_effect(m.model, group, ["O"]).factor


@cache
def _groups() -> tuple[tuple[int, Factor, Factor], ...]:
    """Return k, the joint effect and e^ε, for the groups of part of the battery."""
    result = []
    for m in all_mechanisms()[::STEP]:
        bound = definition_1(m).factor
        result += [(k, joint, bound) for k, joint in joint_effects(m)]
    return tuple(result)


@ledger.Entry(
    source=source("Section 6.3, second application"),
    printed="Differential privacy approaches group privacy by summing the privacy losses, measured "
    "in terms of ε, of each individual in the group [25, p. 9]. […] BRP can easily be extended to "
    "measure simultaneous joint interventions by using multiple instances of the do operator.",
    words="With Definition 1, setting the data points of a group of k at once has an effect of at "
    "most kε, under every population.",
    scope="every finite mechanism, every population, every group of its data points",
    claim=GroupPrivacy(),
    twin=ledger.Twin("(k − 1)ε for a group of k, over the same battery.", GroupPrivacy(less=1)),
)
def _group_privacy(claim: GroupPrivacy) -> ledger.Evidence:
    fact = claim.recounted()
    pairs = ((joint, bound ** (k - claim.less)) for k, joint, bound in _groups())
    return ledger.Evidence(
        printed=(
            ledger.show(arrows.chained()),
            ledger.show(arrows.averaged()),
            arrows.largest_excess(pairs, fact),
        ),
        argument=(
            "Change the k data points one after the other: each step is between neighbors, and k "
            "of them cost t^k at most.",
            arrows.CHAINED,
            "Pr[O = o | do(D_i = d_i, i ∈ G)] is an average of Pr[A(d) = o] with weights that do "
            "not depend on what is set (as in Lemma 2).",
            arrows.AVERAGED,
            ledger.Step(
                "Over part of the battery the joint effects were computed (kernel).", (fact,)
            ),
        ),
    )


# Section 6.3: total and joint effects of a group; Ada and Byron.

FAMILY_RATIOS = (Fraction(2), Fraction(3), Fraction(5, 4))
FAMILY = ("R1", "R2")


def family_effects(model: Model) -> dict[str, Factor]:
    """Return the e^ε of all effects of the family in a model with R1, R2 and O."""
    return {
        "Ada": definition_9(model, ["R1"], ["O"]).factor,
        "Byron": definition_9(model, ["R2"], ["O"]).factor,
        "total": total_effect(model, FAMILY, ["O"]),
        "joint": joint_effect(model, FAMILY, ["O"]).factor,
    }


@dataclass(frozen=True)
class Effects(ledger.Claim):
    """In the survey of Ada and Byron each effect is the power of r = e^ε: so many times ε.

    larger: which of total and joint effect exceeds the other.
    """

    powers: tuple[tuple[str, int], ...]
    larger: Literal["total", "joint"] = "total"

    @property
    def formula(self) -> str:
        sentence = ", ".join(f"{name} {power}ε" for name, power in self.powers)
        return f"the effects of Ada and Byron: {sentence}; the {self.larger} one may be the larger"

    def obligations(self) -> tuple[Fact, ...]:
        result: list[Fact] = [arrows.chained()]
        for r in FAMILY_RATIOS:
            effects = family_effects(ada_and_byron(r))
            for name, power in self.powers:
                value = ((Fraction(effects[name]), 0, 0, 0),)
                result.append(Equal(value, ((r**power, 0, 0, 0),)))
        return *result, *larger(self.larger, masked=False)


POWERS = (("Ada", 2), ("Byron", 1), ("total", 3), ("joint", 2))


def larger(name: str, *, masked: bool) -> tuple[Fact, ...]:
    """Return that the effect named exceeds the other one, in the survey or in the masked group."""
    result = []
    for r in FAMILY_RATIOS:
        effects = family_effects((masked_group if masked else ada_and_byron)(r))
        other = "joint" if name == "total" else "total"
        pair = Fraction(effects[name]), Fraction(effects[other])
        result.append(constant_above(*pair, strict=True))
    return tuple(result)


@ledger.Entry(
    source=source("Section 6.3, second application; section 1.1"),
    printed="The total effect for Ada's and Byron's attributes is 3ε, with 2ε from Ada's; the "
    "joint effect is 2ε. The total effect may be larger than the joint effect.",
    words="The numbers are reached by a noisy count. The total effect may be larger, but also "
    "smaller: where R1 moves R2 along and the two cancel, total ε and joint 2ε, with an "
    'ε-differentially private algorithm. The text "adds the relative probabilities"; its '
    "numbers add their logarithms.",
    scope="the example; for the relation of total and joint effect any model",
    claim=Effects(POWERS),
    twin=ledger.Twin("Ada's effect as ε instead of 2ε.", Effects((("Ada", 1), *POWERS[1:]))),
)
def _sec6_3_group(claim: Effects) -> ledger.Evidence:
    masked = larger("joint", masked=True)
    _, *rest = claim.obligations()
    reached, above = rest[: -len(FAMILY_RATIOS)], rest[-len(FAMILY_RATIOS) :]
    return ledger.Evidence(
        printed=tuple(map(ledger.show, claim.obligations())),
        corrected=tuple(map(ledger.show, masked)),
        correction="The total effect may be larger than the joint effect, and also smaller: where "
        "R_2 := R_1 and the two cancel, total ε and joint 2ε.",
        kind="sharpening",
        argument=(
            "For every ε-differentially private algorithm: Byron moves one data point, so his "
            "effect is ε at most; Ada moves two, and so does setting both, so 2ε at most.",
            arrows.CHAINED,
            ledger.Step(
                "The total adds the two: 2ε + ε. These bounds are reached by a count with "
                "geometric noise of ratio e^(−ε), cut off at its ends, whose output 0 has at count "
                "k the probability of count 0 times e^(−kε); recomputed for e^ε = 2, 3 and 5/4 "
                "(kernel).",
                tuple(reached),
            ),
            ledger.Step(
                'So the total is above the joint effect here (kernel), which is "may be larger".',
                tuple(above),
            ),
            ledger.Step(
                "Sharper: in the masked group the joint effect is above the total one (kernel).",
                masked,
            ),
            'The text "adds the relative probabilities"; its numbers add their logarithms.',
            "Ada moves two data points and Byron one; each data point changes an output's "
            "probability by at most r, and the output 0 of the noisy count by exactly r each. One "
            "data point alone, or variables of one value, leave total and joint effect equal.",
        ),
    )


# Section 6.3: what randomized response bounds, and what it leaves unbounded.

RESPONSE_RATIOS = (Fraction(2), Fraction(3), Fraction(11, 10))


@dataclass(frozen=True)
class UnboundedEffect(ledger.Claim):
    """The effect of one variable on the output of randomized response exceeds every factor.

    cause: R1, an attribute that moves the others along, or D1, a response. people: how many.
    """

    cause: Literal["R1", "D1"] = "R1"
    people: int = 2

    @property
    def formula(self) -> str:
        return f"{self.cause} → O, which lists D1 to D{self.people}: no e^ε bounds the effect"

    def compared(self) -> Compared:
        """Return the two probabilities that are furthest apart."""
        model = randomized_response(RESPONSE_RATIOS[0], self.people)
        at = definition_9(model, [self.cause], ["O"]).at
        if at is None:
            raise UsageError(f"randomized response: {self.cause} to O compares nothing")
        return Compared((at.d,), (at.d_prime,), at.output, at.left, at.right)

    def obligations(self) -> tuple[Fact, ...]:
        return (beyond(self.compared()),)

    def counterexamples(self) -> tuple[Fact, ...]:
        return (Fails(beyond(self.compared()).terms, "> 0", 1),)


RESPONSE = UnboundedEffect("D1")


def _own_and_out() -> tuple[tuple[object, Fraction], ...]:
    rows: list[tuple[object, Fraction]] = []
    for r in RESPONSE_RATIOS:
        for n in (1, 2, 3):
            model = randomized_response(r, n)
            own = max(definition_9(model, [f"R{i + 1}"], [f"D{i + 1}"]).factor for i in range(n))
            out = definition_9(model, ["R1"], ["O"]).factor
            rows.append(((repr(r), n, "own"), abs(Fraction(own) - r)))
            rows.append(((repr(r), n, "out"), abs(Fraction(out) - r**n)))
    return tuple(rows)


EXACT = Recounted(
    "maximum",
    0,
    6 * len(RESPONSE_RATIOS),
    "|e^ε of R_i to D_i − r| and |e^ε of R_1 to O − r^n|, up to three people",
)


@ledger.Entry(
    source=source("Section 6.3, first application"),
    printed="Randomized response has ε-BRP from R_i to D_i; from D_i to O it is unbounded, and "
    "likewise from R_i to O, as the R_i may affect one another.",
    words="The first two hold, the second where O reveals D_i. The third does not: for n people "
    "the effect of R_i on O is nε at most, reached if R_i moves all others along; it grows without "
    "bound only with n.",
    scope="n people; any effects among the attributes; noise independent of them",
    claim=UnboundedEffect(),
    expected=ledger.LedgerVerdict.REFUTED,
    twin=ledger.Twin(
        "The effect of a response, which no factor bounds, as the counterexample.", RESPONSE
    ),
)
def _sec6_3_randomized_response(claim: UnboundedEffect) -> ledger.Evidence:
    (bounded,), (unbounded,) = claim.counterexamples(), RESPONSE.obligations()
    apart = claim.compared()
    ratio = apart.left / apart.right if apart.right else Fraction(1)
    return ledger.Evidence(
        printed=(ledger.refute(bounded, ratio), ledger.show(unbounded)),
        corrected=(
            ledger.show(arrows.averaged()),
            ledger.show(arrows.multiplied()),
            recount(_own_and_out(), EXACT),
        ),
        correction="From R_i to O the effect is nε at most for n people, reached if R_i moves all "
        "others along; it is unbounded only as n grows.",
        kind="repair",
        argument=(
            ledger.Step(
                "From R_i to D_i: the effect is the ratio of the noise's probabilities, by "
                "definition of ε. From D_i to O, which lists the D_i: Pr[O = o | do(D_1 = d_1)] is "
                "0 for one value and positive for the other (kernel), so no factor bounds it.",
                (unbounded,),
            ),
            ledger.Step(
                "From R_i to O: let n = 2, R_2 := R_1 and e^ε = 2. The largest ratio is 4, so that "
                'it does not exceed every factor (kernel). This reads "unbounded" as for D_i to '
                "O, with the people given; with n free, nε has no bound.",
                (bounded,),
            ),
            "Given all attributes r, Pr[D = d] is a product of n factors, each between the same "
            "two numbers a and b with b/a = e^ε. So it changes by at most e^{nε} between any two "
            "r, and so do averages over r, whatever do(R_i) does to them; O is post-processing. "
            "With one person of two values the effect is e^ε, finite, which is the smallest "
            "counterexample, as one value has no effect to bound.",
            "The product of n factors, one after the other:",
            arrows.MULTIPLIED,
            "The average over the attributes: Pr[D = d | r] ≤ e^(nε)·Pr[D = d | r′] for all r, r′, "
            "so an average over r on the left, then one over r′ on the right.",
            arrows.AVERAGED,
            ledger.Step(
                "Up to three people the effects are these exactly (kernel, recount).", (EXACT,)
            ),
        ),
    )


ENTRIES = (_def9, _group_privacy, _sec6_3_group, _sec6_3_randomized_response)
