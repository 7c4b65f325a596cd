"""Propositions 1 to 5, equation (28), appendix B: definitions equivalent to privacy, or weaker."""

from provado.proofs.ledger import Entry, Evidence, Step, Twin, show

from . import source
from ._arrows import Arrow, arrow_entry, arrow_findings, arrow_lines
from ._witness import NoArrow, OneWay, one_way_findings, smallest_step


def one_way(seen: int) -> OneWay:
    """Return the claim of Proposition 4; its printed example has a population of so many values."""
    return OneWay((Arrow("1", "7"),), NoArrow("7", "1", seen=seen))


def one_way_evidence(claim: OneWay) -> Evidence:
    """Return the evidence of both directions."""
    printed, case, _ = claim.back.cases()
    return Evidence(
        printed=one_way_findings(claim),
        argument=(
            "Pr[O = o | do(D_i = d_i)] is an average of Pr[A(d) = o] over the other points, with "
            "weights that do not depend on d_i (Lemma 2): the bound holds for the averages.",
            *arrow_lines(*claim.arrows),
            Step(
                "Equations (18) and (19), the population uniform on {0, 1}²: all probabilities of "
                "Definition 7 are 1/2, and those of the outputs at (2, 2) and (0, 2) differ by "
                "more than any factor (kernel).",
                claim.back.on(printed),
            ),
            Step("The parity of two fair bits, at full support (kernel).", claim.back.on(case)),
            smallest_step(claim.back),
        ),
        proof_remark="In the text at hand (15), (16) and (22) lack factors Pr_P[…] and e^ε; with "
        "the factors of (14) the steps are those above.",
    )


# Equation (28): differential privacy bounds the maximum relative probabilities, and conversely.

SEC6_1_EQ28 = arrow_entry(
    id="tschantz2022/sec6-1-eq28",
    place="Equation (28)",
    printed="max over P and i of RP̄(O, D_i) ≤ e^ε for an ε-differentially private algorithm.",
    words="e^ε bounds every data point's effect on the output if and only if ε-DP holds.",
    scope="every finite mechanism",
    claim=Arrow("1", "9", "is equivalent to"),
    argument=(
        "Definition 8 says this, instance by instance; Proposition 5.",
        "By Lemma 2 both probabilities of RP are averages over the other points, same weights.",
        "Conversely, a point mass has one term of weight 1, and the sum is that term.",
    ),
    twin=Twin(
        "Definition 3 (the association) for the relative probability of interventions.",
        Arrow("1", "3", "is equivalent to"),
    ),
)


# Appendix B: Definition 10 does not imply Definition 1.

_BACK = Arrow("1", "10")


@Entry(
    source=source("Appendix B, Definition 10"),
    printed="Definition 10 does not imply Definition 1. [By one data point of three values.]",
    words="Conditioning under one population leaves datasets of probability zero unchecked: with "
    "one data point of two values Definition 10 can hold with ε = 0, and Definition 1 with no ε.",
    scope="finite mechanisms",
    claim=NoArrow("10", "1", sizes=(2,), seen=2),
    twin=Twin(
        "The same with a population that has the value 2 as well.",
        NoArrow("10", "1", sizes=(2,), seen=3),
    ),
)
def _appendix_b(claim: NoArrow) -> Evidence:
    printed, _ = claim.cases()
    return Evidence(
        printed=(*map(show, claim.obligations()), *arrow_findings(_BACK)),
        argument=(
            Step(
                "Equations (31) to (33), the population uniform on 0 and 1: all comparisons of "
                "Definition 10 have p = q = 1/2, and Pr[A(0) = 1] = 1/2 exceeds every multiple of "
                "Pr[A(2) = 1] = 0 (kernel).",
                claim.on(printed),
            ),
            smallest_step(claim),
            "A population at a single value compares nothing: Definition 10 holds with ε = 0.",
            Step("The other way round it holds over part of the battery.", _BACK.recounts()),
        ),
    )


ENTRIES = (
    arrow_entry(
        id="tschantz2022/prop1",
        place="Proposition 1",
        printed="Definitions 1 and 2 are equivalent.",
        words="Differential privacy and strong adversary differential privacy need the same ε.",
        scope="every finite mechanism; populations over its datasets",
        claim=Arrow("1", "2", "is equivalent to"),
        argument=(
            "Conditioned on a dataset of positive probability, the output has the distribution "
            "A(d), whatever the population. So Definition 2 compares exactly the pairs of "
            "neighbors of which some population gives both positive probability, and the uniform "
            "one does so for all.",
        ),
        twin=Twin(
            "Definition 10, one population for all, in place of Definition 2.",
            Arrow("1", "10", "is equivalent to"),
        ),
    ),
    arrow_entry(
        id="tschantz2022/prop2",
        place="Proposition 2",
        printed="Definitions 1 and 5 are equivalent.",
        words="Differential privacy is a bound on the effect of one data point, all points being "
        "set.",
        scope="every finite mechanism and every population",
        claim=Arrow("1", "5", "is equivalent to"),
        argument=(
            "By Lemma 1 Pr[O = o | do(D = d)] = Pr[A(d) = o] for every population, so both "
            "definitions compare the same numbers.",
        ),
        twin=Twin(
            "Definition 7, a single data point set, in place of Definition 5.",
            Arrow("1", "7", "is equivalent to"),
        ),
    ),
    arrow_entry(
        id="tschantz2022/prop3",
        place="Proposition 3",
        printed="Definitions 1 and 6 are equivalent.",
        words="One given population, whichever, is enough when all data points are set.",
        scope="every finite mechanism and every population, of full support or not",
        claim=Arrow("1", "6", "is equivalent to"),
        argument=("As for Proposition 2: by Lemma 1 the population drops out.",),
        twin=Twin(
            "Definition 10 for Definition 6: conditioning for intervening.",
            Arrow("1", "10", "is equivalent to"),
        ),
    ),
    arrow_entry(
        id="tschantz2022/prop4",
        place="Proposition 4, equations (13) to (19)",
        printed="Definition 1 implies Definition 7, but not the other way around.",
        words="Differential privacy bounds the effect of one data point under any one population. "
        "The converse fails: with two data points of two values and a population of full "
        "support there may be no effect of one data point, and no ε with which there is "
        "differential privacy.",
        scope="every finite mechanism and every population",
        claim=one_way(2),
        gather=one_way_evidence,
        twin=Twin(
            "The printed example under a population that has the value 2 as well.", one_way(3)
        ),
    ),
    arrow_entry(
        id="tschantz2022/prop5",
        place="Proposition 5",
        printed="Definitions 1 and 8 are equivalent.",
        words="Differential privacy is the bound on the effect of one data point, for all "
        "populations.",
        scope="every finite mechanism; all populations",
        claim=Arrow("1", "8", "is equivalent to"),
        argument=(
            "By Proposition 4 Definition 1 implies Definition 8. Conversely, with the other points "
            "at x by a point mass, Pr[O = o | do(D_i = d_i)] is Pr[A(d_i, x) = o] by Lemma 2.",
            "A point mass has one term of weight 1, and the sum is that term.",
        ),
        proof_remark="In the text at hand (22) lacks the factor Pr_P[…] on its right side, as (15) "
        "and (16) do elsewhere; the step to (23) needs it.",
        twin=Twin(
            "Definition 7, one population, in place of Definition 8.",
            Arrow("1", "7", "is equivalent to"),
        ),
    ),
    SEC6_1_EQ28,
    _appendix_b,
)
