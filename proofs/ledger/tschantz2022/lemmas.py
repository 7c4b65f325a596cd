"""Lemmas 1 and 2: probabilities when all data points are set, or one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Literal

from provado.mechanisms import UsageError
from provado.proofs.causal.definitions import people_of
from provado.proofs.causal.finite_mechanism import data_point_names
from provado.proofs.causal.model import Value, distribution
from provado.proofs.causal.search import PEOPLE_SCOPE, Case, all_cases, by_size
from provado.proofs.ledger import Claim, Entry, Evidence, LedgerVerdict, Step, Twin, refute
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.fact import Fact, Fails, Recounted
from provado.proofs.ledger.find_certificate import recount

from . import source
from ._arrows import CASES_STEP, FOR_A_POPULATION, stated
from ._witness import people_words, set_one, table_words


@dataclass(frozen=True)
class SetAll(Claim):
    """Pr[O = o | do(D = d)] = Pr[A(d) = o].

    left_alone: how many of the last data points are not set. difference: how far apart the two are.
    """

    left_alone: int = 0
    difference: int = 0

    @property
    def formula(self) -> str:
        set_points = "D = d" if not self.left_alone else f"all but {self.left_alone} D_i"
        apart = f", up to {self.difference}" if self.difference else ""
        return f"Pr[O = o | do({set_points})] = Pr[A(d) = o]{apart}, whatever the population"

    def statement(self) -> Statement | None:
        if self.left_alone or self.difference:
            return None
        return stated(
            f"{FOR_A_POPULATION} forall d o, d \\in datasets (domains m) -> o \\in outputs m -> "
            "effect m P (set_all m d) o = chance m d o"
        )

    def obligations(self) -> tuple[Fact, ...]:
        return (self.recounted(),)

    def recounted(self) -> Recounted:
        """Return the fact that both sides agree over part of the battery."""
        scope = f"|Pr[O = o | do(D = d)] − Pr[A(d) = o]|, every fourth of: {PEOPLE_SCOPE}"
        if self.left_alone:
            scope += f", the last {self.left_alone} left alone"
        rows = len(_all_set_differences(self.left_alone))
        return Recounted("maximum", self.difference, rows, scope)


@cache
def _all_set_differences(left_alone: int) -> tuple[tuple[object, Fraction], ...]:
    rows: list[tuple[object, Fraction]] = []
    for i, case in enumerate(all_cases()[::CASES_STEP]):
        m = case.mechanism
        for d in m.datasets:
            names = data_point_names(m.n)[: m.n - left_alone]
            law = distribution(m.model, case.people, ["O"], do=dict(zip(names, d, strict=False)))
            for o in m.outputs:
                gap = abs(law.get((o,), Fraction(0)) - m.chance(d, o))
                rows.append(((i, repr(d), repr(o)), gap))
    return tuple(rows)


@Entry(
    source=source("Lemma 1, equation (44)"),
    printed="Pr[O = o | do(D_1 := d_1, …, D_n := d_n)] = Pr[A(d_1, …, d_n) = o].",
    words="As printed: the population drops out when all data points are set.",
    scope="every finite mechanism and every population",
    claim=SetAll(),
    twin=Twin("The last data point is left alone, over the same battery.", SetAll(left_alone=1)),
)
def _lemma1(claim: SetAll) -> Evidence:
    same = claim.recounted()
    return Evidence(
        printed=(recount(_all_set_differences(claim.left_alone), same),),
        argument=(
            "In the sub-model no attribute is an ancestor of O; D is d, and O has the distribution "
            "A(d).",
            Step(
                "Over part of the battery both sides were computed in the model itself (kernel).",
                (same,),
            ),
        ),
    )


# Lemma 2: setting one data point averages over the others as they are in the population.

SumFormula = Callable[[Case, int, Value, Value], Fraction]
Weights = Literal["1", "Pr_P[the others]"]


def unweighted(case: Case, j: int, value: Value, o: Value) -> Fraction:
    """Return (59) as the text has it: Σ Pr[A(…) = o] over the other points, without weights."""
    m = case.mechanism
    return sum((m.chance(d, o) for d in m.datasets if d[j] == value), Fraction(0))


def weighted(case: Case, j: int, value: Value, o: Value) -> Fraction:
    """Return Σ Pr_P[others]·Pr[A(…) = o], equations (77) and (78)."""
    return set_one(case, j)((value,), o)


_FORMULAS: dict[str, SumFormula] = {"1": unweighted, "Pr_P[the others]": weighted}


_IN_COQ = {"1": "", "Pr_P[the others]": "seen m P (fun d => others d j == x) * "}


@dataclass(frozen=True)
class SetOne(Claim):
    """Pr[O = o | do(D_j = d)] is the sum of Pr[A(…, d, …) = o] over the others with weights."""

    weights: Weights

    @property
    def formula(self) -> str:
        return f"Pr[O = o | do(D_j = d)] = Σ {self.weights}·Pr[A(…, d, …) = o] over the others"

    def statement(self) -> Statement | None:
        return stated(
            f"{FOR_A_POPULATION} forall j v o, (j < size (domains m))%N -> "
            "v \\in nth [::] (domains m) j -> o \\in outputs m -> effect m P (set_one m j v) o = "
            f"sigma (fun x => {_IN_COQ[self.weights]}chance m (insert x j v) o) "
            "(datasets (others (domains m) j))"
        )

    def obligations(self) -> tuple[Fact, ...]:
        return (self.recounted(),)

    def recounted(self) -> Recounted:
        """Return the fact that both sides agree over part of the battery."""
        rows = len(_one_set_differences(self.weights))
        scope = (
            f"|Pr[O = o | do(D_j = d)] − Σ {self.weights}·Pr[A(…, d, …) = o]|, every fourth of: "
            f"{PEOPLE_SCOPE}"
        )
        return Recounted("maximum", 0, rows, scope)

    def counterexamples(self) -> tuple[Fact, ...]:
        case, j, value, o, left = _smallest()
        right = _FORMULAS[self.weights](case, j, value, o)
        return (Fails(((left, 0, 0, 0), (-right, 0, 0, 0)), "= 0", 0, 0),)


def _in_the_model(case: Case) -> Iterator[tuple[int, Value, Value, Fraction]]:
    """Yield (j, value, o, Pr[O = o | do(D_j = value)]), j from 0."""
    m = case.mechanism
    for j, name in enumerate(data_point_names(m.n)):
        for value in m.domains[j]:
            law = distribution(m.model, case.people, ["O"], do={name: value})
            for o in m.outputs:
                yield j, value, o, law.get((o,), Fraction(0))


@cache
def _smallest() -> tuple[Case, int, Value, Value, Fraction]:
    """Return the first case, the smallest first, in which the sum without weights is wrong."""
    for case in by_size(most_points=2, denominators=(1,), people=(1,)):
        for j, value, o, chance in _in_the_model(case):
            if chance != unweighted(case, j, value, o):
                return case, j, value, o, chance
    raise UsageError("search: the sum without weights is right on all small cases")


@cache
def _one_set_differences(weights: Weights) -> tuple[tuple[object, Fraction], ...]:
    rows: list[tuple[object, Fraction]] = []
    for i, case in enumerate(all_cases()[::CASES_STEP]):
        for j, value, o, chance in _in_the_model(case):
            gap = abs(chance - _FORMULAS[weights](case, j, value, o))
            rows.append(((i, j, repr(value), repr(o)), gap))
    return tuple(rows)


MEANT = SetOne("Pr_P[the others]")


@Entry(
    source=source("Lemma 2, equations (58) to (60)"),
    printed="Pr[O = o | do(D_j = d_j′)] = Σ over the other points of Pr[A(…, d_j′, …) = o]. [In "
    "the text at hand; the last lines of the proof, (77) and (78), have the factor "
    "Pr_P[the other points] in each summand.]",
    words="With the weight Pr_P[the others] in each summand, as the last lines of its proof have "
    "it. In the text at hand (59) and (60) lack it, and the sum can exceed 1.",
    scope="every finite mechanism and every population",
    claim=SetOne("1"),
    expected=LedgerVerdict.MISPRINT,
    twin=Twin("The sum with the weights, tried as a misprint at the same case.", MEANT),
    theorem_of=MEANT,
)
def _lemma2(claim: SetOne) -> Evidence:
    (wrong,), same = claim.counterexamples(), MEANT.recounted()
    case, j, value, o, _ = _smallest()
    return Evidence(
        printed=(refute(wrong, 0),),
        corrected=(recount(_one_set_differences(MEANT.weights), same),),
        correction="With the weight Pr_P[the others] in each summand, as (77) and (78) have it.",
        kind="misprint",
        corrected_claim=MEANT,
        argument=(
            Step(
                f"Let A = {table_words(case)} under {people_words(people_of(case))}, "
                f"do(D_{j + 1} = {value!r}) and o = {o!r}. The sum of (59) in the text at hand is "
                "not the probability in the model: their difference is not 0 (kernel).",
                (wrong,),
            ),
            "In the text at hand (58) has a stray sum and (59), (60) lack the weights of (77) and "
            "(78); that it is a slip follows from these. Whether the paper lacks them or its "
            "transcription lost them is not decided here.",
            "D_j is d_j′ and each other D_i is R_i in the sub-model, so O has the distribution "
            "Σ_r Pr_P[R = r]·Pr[A(r with r_j := d_j′) = o]; adding over r_j first gives the "
            "weights. Without them one data point is no counterexample (the sum has one term of "
            "weight 1), nor is one value, so two data points of two values are smallest.",
            Step(
                "With the weights both sides are the same over part of the battery (kernel).",
                (same,),
            ),
        ),
        proof_remark="(73) conditions on events that may have probability 0; the step is "
        "marginalisation, which needs no conditioning.",
    )


ENTRIES = (_lemma1, _lemma2)
