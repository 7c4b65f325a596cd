"""Section 7: what an adversary learns, with a person's data and without."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from provado.proofs.causal.definitions import definition_1
from provado.proofs.causal.finite_mechanism import FiniteMechanism, finite_mechanism
from provado.proofs.causal.model import Factor, Population, uniform
from provado.proofs.causal.posterior import largest_change, posterior
from provado.proofs.causal.search import SCOPE, Case, all_mechanisms
from provado.proofs.ledger import Claim, Entry, Evidence, LedgerVerdict, Step, Twin, refute, show
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.fact import Fact, Fails, NotPrivate, Recounted
from provado.proofs.ledger.find_certificate import recount

from . import _arrows as arrows
from . import source
from ._witness import CHANCE, given_one, single, told_apart, worst

IDENTITY = finite_mechanism([(0, 1)], lambda d: {d: 1, 1 - d: 0})
PARITY = finite_mechanism([(0, 1)] * 2, lambda a, b: {a ^ b: 1, 1 - (a ^ b): 0})
FAIR = uniform([(0,), (1,)])
BITS = uniform([(a, b) for a in (0, 1) for b in (0, 1)])


Rows = tuple[tuple[object, Fraction], ...]


def disclosed(mechanism: FiniteMechanism, people: Population) -> Rows:
    """Return |posterior − prior| over datasets, for each output that can occur."""
    rows: list[tuple[object, Fraction]] = []
    for o in mechanism.outputs:
        if any(mechanism.chance(d, o) for d in people.weights):
            after = posterior(mechanism, people, o).weights
            for d, weight in people.weights.items():
                rows.append((repr((d, o)), abs(after.get(d, Fraction(0)) - weight)))
    return tuple(rows)


def differences_given_one() -> Rows:
    """Return how far the distributions of the parity are apart given D_1 or D_2 alone."""
    compared = single(Case(PARITY, BITS), given_one)
    return tuple((i, abs(c.left - c.right)) for i, c in enumerate(compared))


@dataclass(frozen=True)
class Nondisclosure(Claim):
    """Nondisclosure is Definition 3 with an ε of 0.

    prior: the equally likely values of the one data point, under which O := D_1 is tried.
    """

    prior: tuple[tuple[int, ...], ...] = ((1,),)
    epsilon: int = 0

    @property
    def formula(self) -> str:
        tried = ", ".join(str(d[0]) for d in self.prior)
        return (
            f"nothing disclosed ⇔ Definition 3 with ε = {self.epsilon}; tried on O := D_1 with D_1 "
            f"in {{{tried}}}, and on the parity of two bits"
        )

    def undisclosed(self) -> Recounted:
        """Return the fact that the posterior is the prior."""
        rows = len(disclosed(IDENTITY, uniform(list(self.prior))))
        return Recounted("maximum", 0, rows, "|posterior − prior| over datasets and outputs")

    def counterexamples(self) -> tuple[Fact, ...]:
        joint = BITS.weights[(0, 0)] * PARITY.chance((0, 0), 0)
        output = sum((w * PARITY.chance(d, 0) for d, w in BITS.weights.items()), Fraction(0))
        terms = ((joint, 0, 0, 0), (-BITS.weights[(0, 0)] * output, 0, 0, 0))
        return (
            self.undisclosed(),
            NotPrivate(CHANCE, "replace-one", self.epsilon),
            EQUAL_GIVEN_ONE,
            # Pr[D = d, O = o] = Pr[D = d]·Pr[O = o] fails for the parity.
            Fails(terms, "= 0", 0, 0),
        )


EQUAL_GIVEN_ONE = Recounted(
    "maximum",
    0,
    len(differences_given_one()),
    "|Pr[O = o | D_i = d] − Pr[O = o | D_i = d′]| for the parity of two fair bits",
)


@Entry(
    source=source("Section 7, second paragraph"),
    printed="Statistical nondisclosure implies 0-Bayesian₀ differential privacy (Def. 3), since "
    "both are equivalent to independence of D and O where the background information is the true "
    "distribution.",
    words="For one population, nondisclosure implies Definition 3's comparison under it, and no "
    "more: the comparison does not make D and O independent (O = D_1 ⊕ D_2), and Definition 3 "
    "speaks of all populations.",
    scope="every finite mechanism and every population",
    claim=Nondisclosure(),
    expected=LedgerVerdict.REFUTED,
    twin=Twin(
        "The fair population as one under which O := D_1 discloses nothing.",
        Nondisclosure(((0,), (1,))),
    ),
)
def _sec7_nondisclosure(claim: Nondisclosure) -> Evidence:
    case = Case(IDENTITY, FAIR)
    undisclosed, apart, equal, dependent = claim.counterexamples()
    return Evidence(
        printed=(
            recount(disclosed(IDENTITY, uniform(list(claim.prior))), claim.undisclosed()),
            told_apart(
                worst(single(case, given_one)), "O = 0, given D_1 = d_1", apart, given_one(case, 0)
            ),
            recount(differences_given_one(), EQUAL_GIVEN_ONE),
            refute(dependent, 0),
        ),
        correction="Nondisclosure under a population implies Definition 3's comparison with ε = 0 "
        "under the same population, and is not implied by it.",
        kind="repair",
        argument=(
            Step(
                "Let one data point be 1 for sure and O := D_1. The posterior is the prior "
                "(kernel), so nothing is disclosed; under the fair population, which Definition 3 "
                "speaks of too, ε = 0 fails (kernel, replay).",
                (undisclosed, apart),
            ),
            Step(
                "Let O be the parity of two fair bits. Given one of them O is fair (kernel), but D "
                "and O are not independent (kernel).",
                (equal, dependent),
            ),
            "If D and O are independent so are D_i and O. The converse needs two data points, as "
            "with one D is D_1. A population at a single dataset discloses nothing, whatever the "
            "mechanism; one data point of two values shows that Definition 3 does not follow.",
            "If Pr[d, o] = Pr[d]·Pr[o] for all d, adding over the d with D_i = d_i gives "
            "Pr[d_i, o] = Pr[d_i]·Pr[o], the common factor being Pr[o].",
        ),
    )


# Section 7: posterior with a person's data against posterior without.


@dataclass(frozen=True)
class PosteriorChange(Claim):
    """Posteriors with a person's data and without are up to e^(power·ε) apart, events less."""

    power: int = 2

    @property
    def formula(self) -> str:
        factor = f"e^({self.power}ε)"
        return (
            f"Cr[d | o] ≤ {factor}·Cr′[d | o], and the other way round; no factor below {factor} "
            "bounds either; |Cr[E | o] − Cr′[E | o]| ≤ (e^ε − 1)/(e^ε + 1) for every event E"
        )

    def statement(self) -> Statement:
        change = f"t ^+ {self.power}"
        one, other = "posterior m prior o d", "posterior_without m prior i v o d"
        event = "sigma (fun d => (event d)%:R * {}) (datasets (domains m))"
        return Statement(
            "(forall (R : realFieldType) (V O : eqType) (m : mechanism R V O) (t : R) "
            "(prior : seq V -> R), well_formed m -> definition_1 t m -> population m prior -> "
            "forall i v o, (i < size (domains m))%N -> v \\in nth [::] (domains m) i -> "
            "o \\in outputs m -> (forall d, d \\in datasets (domains m) -> "
            f"{one} <= {change} * {other} /\\ {other} <= {change} * {one}) /\\ "
            f"forall event : pred (seq V), `|{event.format(one)} - {event.format(other)}| <= "
            f"(t - 1) / (t + 1)) /\\ (forall (R : realFieldType) (t s : R), 1 <= t -> s < {change} "
            "-> exists (V O : eqType) (m : mechanism R V O) (prior : seq V -> R) i v o o' d, "
            "[/\\ well_formed m, definition_1 t m, population m prior, "
            "[/\\ (i < size (domains m))%N, v \\in nth [::] (domains m) i, o \\in outputs m, "
            "o' \\in outputs m & d \\in datasets (domains m)] & "
            f"s * {other} < {one} /\\ s * posterior m prior o' d < "
            "posterior_without m prior i v o' d])",
            (*arrows.IMPORTS, "definitions.knowledge"),
        )

    def recounted(self) -> Recounted:
        """Return the fact that posteriors change by no more, over part of the battery."""
        scope = f"1/e^({self.power}ε) less 1/(largest change), finite e^ε, every third of: {SCOPE}"
        return Recounted("maximum", 0, len(_changes()), scope)

    def obligations(self) -> tuple[Fact, ...]:
        return arrows.averaged(), arrows.multiplied(), self.recounted()


@cache
def _changes() -> tuple[tuple[Factor, Fraction], ...]:
    """Return the largest change and e^ε, for the mechanisms where that is finite."""
    pairs = []
    for mechanism in all_mechanisms()[:: arrows.MECHANISMS_STEP]:
        bound = definition_1(mechanism).factor
        if isinstance(bound, Fraction):
            pairs.append((largest_change(mechanism).factor, bound))
    return tuple(pairs)


@Entry(
    source=source("Section 7, after equation (29)"),
    printed="Differential privacy ensures that Cr[D = d | O = o, B] and the same under do(D_i = "
    "d_i′) are close in nearly the same sense as Pr[O = o] and Pr[O = o | do(D_i = d_i′)].",
    words='"Nearly": the factor is e^{2ε} instead of e^ε. No smaller one will do for all '
    "mechanisms and priors, in either direction and at any ε ≥ 0. An event's probability changes "
    "by at most (e^ε − 1)/(e^ε + 1).",
    scope="every finite mechanism and every prior",
    claim=PosteriorChange(),
    twin=Twin("The factor e^ε in place of e^{2ε}, over the same battery.", PosteriorChange(1)),
)
def _sec7_posterior_change(claim: PosteriorChange) -> Evidence:
    fact = claim.recounted()
    pairs = ((change, bound**claim.power) for change, bound in _changes())
    return Evidence(
        printed=(
            show(arrows.averaged()),
            show(arrows.multiplied()),
            arrows.largest_excess(pairs, fact),
        ),
        argument=(
            f'Decided with the factor e^({claim.power}ε) for "nearly the same": Cr[d | o] is '
            "Pr[d]·Pr[A(d) = o] over a sum of such products.",
            "Numerators and sums are each at most e^ε apart, and the two bounds multiply.",
            arrows.AVERAGED,
            arrows.MULTIPLIED,
            "No smaller factor: A says with chance t/(1 + t) whether two bits are the same, and "
            "the prior is q at (0, 0) and 1 − q at (0, 1): the posteriors of (0, 0) differ by a "
            "factor that tends to t². Events: see provado.proofs.causal.posterior.",
            Step("Over part of the battery the posteriors were computed (kernel).", (fact,)),
        ),
    )


ENTRIES = (_sec7_nondisclosure, _sec7_posterior_change)
