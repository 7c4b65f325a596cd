"""Algorithm 1 of the appendix and section 4.3: the release of log-IQRs, and four together."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from provado.proofs import kernel, ledger
from provado.proofs.algebra import ExpSum
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.fact import Enclosed, Equal, Fact, NotPrivate, Polynomial
from provado.proofs.ledger.find_certificate import named, not_private, show, show_claim

from . import source
from ._claims import TEST, threshold_steps
from ._exact import PassTest, RangeRelease, interquartile_range, printed_interval, repaired_interval

Values = tuple[kernel.Number, ...]
SETTINGS = (
    (Fraction(1, 2), Fraction(1, 10000), Fraction(1, 100), 24),
    (Fraction(1), Fraction(1, 100), Fraction(1, 100), 12),
    (Fraction(2), Fraction(1, 100), Fraction(1, 100), 12),
)
"""(ε, δ, the root of δ that the test needs, points in a cluster)."""
FAR = Fraction(10) ** 40
"""An IQR whose logarithm, 92.10…, lies in both printed intervals."""


def boundary_pair(t: int) -> tuple[Values, Values]:
    """Return neighbors of 4t points whose IQR is 2.71 in D and 2.72 in D′: e lies between."""
    low, high = Fraction(271, 100), Fraction(272, 100)
    d = (0,) * (2 * t) + (low,) * t + (high,) * t
    return d, (0,) * (2 * t) + (high,) + (low,) * (t - 1) + (high,) * t


def jump_pair() -> tuple[Values, Values]:
    """Return neighbors of 4 points with IQR 10^40 in D and 1 in D′."""
    return (0, 1, FAR, FAR), (0, 1, 1, FAR)


def silent(epsilon: Fraction, root: Fraction) -> Callable[[Values], kernel.Sum]:
    """Return the exact chance of ⊥ of the printed algorithm, as a function of the data."""

    def chance_of_no_release(values: Values) -> kernel.Sum:
        release = RangeRelease(values, printed_interval(epsilon, root), repaired=False)
        return (1 - release.probability).as_data()

    return named(chance_of_no_release, f"silent at ε = {epsilon}")


def released_above(*, repaired: bool, level: kernel.Number) -> Callable[[Values], kernel.Sum]:
    """Return the exact chance of a number above ``level`` at ε = 1/2, δ = 10^(−6).

    repaired: with the repaired threshold; the intervals of the pair are the same either way.
    """

    def chance_above_level(values: Values) -> kernel.Sum:
        half, delta = Fraction(1, 2), Fraction(1, 10**6)
        printed = printed_interval(half, Fraction(1, 1000))
        test = repaired_interval(half, delta) if repaired else printed
        power = Fraction(10) ** 20 if max(values[1:3]) == FAR else Fraction(1)
        return RangeRelease(values, test, repaired=repaired).above(level, power).as_data()

    return named(chance_above_level, f"released above {level}, repaired: {repaired}")


_HERE = "kusner2016.iqr_release"
JUMP = ledger.Setting(
    f"{_HERE}.released above 46, repaired: False", Fraction(1, 2), Fraction(1, 10**6)
)
IQR_PTR_PRIVACY_CLAIM = ledger.Private(
    "Algorithm 1",
    "replace-one",
    (
        *(
            ledger.Setting(f"{_HERE}.silent at ε = {epsilon}", epsilon, d)
            for epsilon, d, _, _ in SETTINGS
        ),
        JUMP,
    ),
    epsilon_times=3,
    delta_times=1,
)


def boundary_findings(claim: ledger.Private) -> tuple[kernel.Checked, ...]:
    """Return the counterexamples to the printed intervals, one for each of ``SETTINGS``."""
    facts = claim.counterexamples()[: len(SETTINGS)]
    return tuple(
        not_private(fact, boundary_pair(t), "the output is ⊥", silent(epsilon, root))
        for fact, (epsilon, _, root, t) in zip(facts, SETTINGS, strict=True)
    )


def threshold_finding(claim: ledger.Private) -> kernel.Checked:
    """Return the counterexample to the printed threshold."""
    above = released_above(repaired=False, level=46)
    return not_private(
        claim.counterexamples()[-1], jump_pair(), "a number above 46 is released", above
    )


GROWS = Polynomial(((1, (2, 1, 1)), (-1, (1, 1, 1))), (1, 0, 0))
"""s(a + b − ab) − (sa + sb − s²ab) = s²ab − sab in (s, a, b), for s = e^ε ≥ 1."""
SILENT = Polynomial(((1, (1, 0)), (1, (0, 1)), (3, (1, 1))), (0, 0))
"""(1 − y/2)(1 − z/2) − 1/4 at y = 1/(1 + s), z = 1/(1 + t), times 4(1 + s)(1 + t)."""


@dataclass(frozen=True)
class Repaired(ledger.Claim):
    """The repaired algorithm is (epsilon_times·ε, delta_times·δ)-DP.

    Stated for any number with two grids of intervals; log IQR is one. Events are ⊥ and unions of
    finitely many intervals.
    """

    epsilon_times: int = 2
    delta_times: int = 1

    @property
    def formula(self) -> str:
        times = "" if self.delta_times == 1 else f"{self.delta_times}"
        return (
            f"with the threshold 1 + log(1/δ)/ε and intervals that hold the number, both "
            f"({self.epsilon_times}ε, {times}δ)-DP, on ⊥ and finite unions; finitely many datasets"
        )

    def statement(self) -> Statement:
        cost = "delta" if self.delta_times == 1 else f"{self.delta_times}%:R * delta"
        chance = "propose_test_release e eps level domains value first second"
        return Statement(
            "forall (R : realFieldType) (V C : eqType) (e : R -> R) (domains : seq (seq V)) "
            "(value : seq V -> R) (first second : seq V -> C) (eps level delta : R) (i : nat) "
            "(d : seq V) (v : V) (none : bool) (from : R) (ivs : seq (R * R)), "
            "exponential e -> 0 < eps -> 0 < delta < 1 -> e (eps * (level - 1)) = delta^-1 -> "
            "width_one domains value first second -> (i < size domains)%N -> "
            "d \\in datasets domains -> v \\in nth [::] domains i -> in_a_row from ivs -> "
            f"{chance} d none ivs <= e eps ^+ {self.epsilon_times} * "
            f"{chance} (replace d i v) none ivs + {cost}",
            ("definitions.finite", "definitions.release", "definitions.propose"),
        )

    def losses(self) -> Equal:
        """Return that two tests, or a test and the noise on the number, lose that many ε."""
        return Equal(((1 + 1, 0, 0, 0),), ((self.epsilon_times, 0, 0, 0),))

    def rarely(self) -> Fact:
        """Return that two tests with δ/2 each pass with delta_times·δ at most."""
        return ledger.at_least_zero(f"{self.delta_times}·x − (1 − (1 − x/2)²)", 0)

    def obligations(self) -> tuple[Fact, ...]:
        return *TEST.obligations(), self.rarely(), GROWS, self.losses()


REPAIRED = Repaired()


@ledger.Entry(
    source=source("section 4.3 and appendix, Algorithm 1"),
    printed="This algorithm was shown to be (3ε, δ)-differentially private. [k = ⌊log IQR(X)⌋; "
    "B₁ = [e^k, e^(k+1)), B₂ = [e^(k−0.5), e^(k+0.5)); R_j = A_j + Lap(1/ε); if R_j > "
    "1 + log(1/δ) return log IQR(X) + Lap(1/ε); else ⊥.]",
    words="Propose-test-release of the logarithm of an IQR, with two intervals tried in turn, is "
    "(3ε, δ)-DP when one point is replaced.",
    scope="All ε > 0, δ in (0, 1) and numbers of points; quartiles as order statistics.",
    claim=IQR_PTR_PRIVACY_CLAIM,
    expected=ledger.LedgerVerdict.REFUTED,
    twin=ledger.Twin(
        "The same counterexamples against (30ε, δ).",
        replace(IQR_PTR_PRIVACY_CLAIM, epsilon_times=30),
    ),
    theorem_of=REPAIRED,
)
def _iqr_ptr_privacy(claim: ledger.Private) -> ledger.Evidence:
    *boundary, threshold = claim.counterexamples()
    return ledger.Evidence(
        printed=(*boundary_findings(claim), threshold_finding(claim), show(SILENT)),
        corrected=show_claim(REPAIRED),
        corrected_claim=REPAIRED,
        correction="With k₂ = ⌊log IQR + 1/2⌋, B₂ = [e^(k₂ − 1/2), e^(k₂ + 1/2)), and the "
        "threshold 1 + log(1/δ)/ε, Algorithm 1 is (3ε, δ)-DP under replace-one, and even (2ε, δ).",
        kind="repair",
        argument=(
            "Intervals. Let D hold 2t zeros, t times 2.71 and t times 2.72; D′ has 2.72 in place "
            "of one 2.71. Their IQRs are 2.71 < e and 2.72 > e.",
            "For D, k = 0: B₁ = [1, e) is left by 1 change, and B₂ = [e^(−1/2), e^(1/2)) does not "
            "hold the IQR, so A₁ = 1, A₂ = 0. For D′, k = 1: A₁ = 1, and B₂ = [e^(1/2), e^(3/2)) "
            "is left by no fewer than t changes.",
            ledger.Step(
                "So ⊥ has probability (1 − y/2)(1 − z/2) under D with y = δ^ε, z = δ^ε·e^(−ε), "
                "both in [0, 1], hence at least 1/4 (kernel, with y = 1/(1 + s), z = 1/(1 + t)), "
                "for all ε and δ; under D′ it tends to 0 as t grows. So for δ < 1/4 no finite ε "
                "bounds it.",
                (SILENT,),
            ),
            ledger.Step(
                "At (ε, δ) = (1/2, 1/10000), (1, 1/100), (2, 1/100) the claim is refuted on this "
                "pair with exact probabilities (kernel, replay).",
                tuple(boundary),
            ),
            ledger.Step(
                "Threshold. Let D = (0, 1, 10^40, 10^40), D′ = (0, 1, 1, 10^40), ε = 1/2, "
                "δ = 10^(−6). Both printed intervals hold the IQR, and one change leaves them: "
                "A₁ = A₂ = 1 in both. A test passes with probability δ^ε/2 = 1/2000, not δ/2, as "
                "the threshold lacks 1/ε; D then gives a number near 92, D′ one near 0 (kernel, "
                "replay).",
                (threshold,),
            ),
            "Repaired. Each interval holds the IQR. If the IQRs of neighbors share interval j, A_j "
            "moves by at most 1; if not, A_j = 1 for both.",
            *threshold_steps(),
            ledger.Step(
                "If they share one, log IQR moves by at most its width 1, which costs e^ε, and the "
                "chance of a release, a + b − ab for passing chances a and b, grows by at most e^ε "
                "(kernel): numbers cost 2ε, and so does ⊥.",
                (GROWS, REPAIRED.losses()),
            ),
            ledger.Step(
                "If they share none, each test passes with δ/2, so a number comes out with "
                "1 − (1 − δ/2)² ≤ δ (kernel), and ⊥ is equally likely: (0, δ).",
                (REPAIRED.rarely(),),
            ),
            "An IQR of 0 forms an interval {0} of its own in both grids, and the same cases hold. "
            "2ε is reached in the limit by ⊥, when both distances are large and move by 1.",
        ),
        proof_remark="The text cites Dwork and Lei (2009), whose algorithm it modifies.",
    )


# Section 4.3: what the four log-IQRs cost together.

Rows = tuple[tuple[kernel.Number, kernel.Number], ...]
DELTA = Fraction(1, 20)
FAR_BASIC, FAR_ADVANCED = Fraction(10) ** 40, Fraction(2) ** 360


def jump_in_four_columns(far: Fraction) -> tuple[Rows, Rows]:
    """Return neighbors (x′ = y′) whose third row has ``far`` in D and 1 in D′."""
    return (((0, 0), (1, 1), (far, far), (far, far)), ((0, 0), (1, 1), (1, 1), (far, far)))


def four_columns(rows: Rows, slope: Fraction) -> tuple[tuple[kernel.Number, ...], ...]:
    """Return x′, y′, r′_Y = y′ − f̂(x′) and r′_X = x′ − ĝ(y′), f̂ and ĝ times ``slope``."""
    return (
        tuple(x for x, _ in rows),
        tuple(y for _, y in rows),
        tuple(y - slope * x for x, y in rows),
        tuple(x - slope * y for x, y in rows),
    )


def some_number_above(
    level: int, test: PassTest, slope: Fraction, root: Callable[[Fraction], Fraction]
) -> Callable[[Rows], kernel.Sum]:
    """Return the exact chance that one of the four repaired releases exceeds ``level``.

    root: IQR ↦ IQR^ε.
    """

    def chance_of_a_high_number(rows: Rows) -> kernel.Sum:
        none = ExpSum.of(1)
        for column in four_columns(rows, slope):
            power = root(interquartile_range(column))
            none = none * (1 - RangeRelease(column, test, repaired=True).above(level, power))
        return (1 - none).as_data()

    return named(
        chance_of_a_high_number, f"some number above {level} at ε = {1 / Fraction(test.scale)}"
    )


def _fortieth_root(iqr: Fraction) -> Fraction:
    return Fraction(2) ** 9 if iqr == FAR_ADVANCED else Fraction(1)


_CHANCE = "kusner2016.iqr_release.some number above"


@dataclass(frozen=True)
class Advanced(ledger.Claim):
    """Four releases of (3ε, δ) are (ε′, delta_times·δ + δ′)-DP, 3ε = ε′/(2√(releases·2·ln(1/δ′))).

    epsilon, delta, slack: the setting, slack for δ′. rounded: a number that ε′ does not exceed.
    logarithm: one that ln(1/slack) does not exceed.
    """

    releases: int = 3
    delta_times: int = 3
    epsilon: Fraction = Fraction(1, 40)
    delta: Fraction = DELTA
    slack: Fraction = Fraction(1, 100)
    rounded: Fraction = Fraction(4, 5)
    logarithm: Fraction = Fraction(474, 100)

    @property
    def formula(self) -> str:
        rule = f"3ε = ε′/(2√({2 * self.releases}·ln(1/δ′)))"
        tried = f"ε = {self.epsilon}, δ = {self.delta}, δ′ = {self.slack}, ε′ ≤ {self.rounded}"
        return f"four (3ε, δ)-DP releases are (ε′, {self.delta_times}δ + δ′)-DP, {rule}; {tried}"

    def counterexamples(self) -> tuple[Fact, ...]:
        # ε′² = (6ε)²·2·releases·ln(1/δ′).
        square = (6 * self.epsilon) ** 2 * 2 * self.releases * self.logarithm
        return (
            Enclosed(((0, 1 / self.slack),), 0, self.logarithm, logarithm=True),
            Enclosed(((0, square),), 0, self.rounded**2),
            NotPrivate(
                f"{_CHANCE} 125 at ε = {self.epsilon}",
                "replace-one",
                self.rounded,
                self.delta_times * self.delta + self.slack,
            ),
        )


_BASIC = ledger.Private(
    "the four releases, each (3ε, δ)-DP, together",
    "replace-one",
    (ledger.Setting(f"{_CHANCE} 46 at ε = 1", 1, DELTA),),
    epsilon_times=9,
    delta_times=3,
)
_POWER = ledger.at_least_zero("4x − (1 − (1 − x)⁴)", 0, 1)


def basic_finding(fact: Fact) -> kernel.Checked:
    """Return the refutation by four releases with ε = 1, δ = 1/20."""
    above = some_number_above(
        46, repaired_interval(Fraction(1), DELTA), Fraction(1, 2), lambda iqr: iqr
    )
    return not_private(
        fact, jump_in_four_columns(FAR_BASIC), "one of the four numbers is above 46", above
    )


def advanced_finding(fact: Fact, epsilon: Fraction) -> kernel.Checked:
    """Return the refutation at ε = 1/40, δ = 1/20."""
    above = some_number_above(125, repaired_interval(epsilon, DELTA), Fraction(0), _fortieth_root)
    event = "one of the four released numbers is above 125"
    return not_private(fact, jump_in_four_columns(FAR_ADVANCED), event, above)


@ledger.Entry(
    source=source("section 4.3"),
    printed="Under simple composition this would lead to (9ε, 3δ) differential privacy for both "
    "x′ and y′. […] (ε′, 3δ + δ′) […] where 3ε = ε′/(2√(6 log(1/δ′))).",
    words="The four log-IQRs of x′, y′, r′_Y and r′_X, each released (3ε, δ)-privately, are "
    "together (9ε, 3δ)-private when one data point (x′_k, y′_k) is replaced.",
    scope="All ε > 0 and δ; releases that are (3ε, δ)-DP each.",
    claim=ledger.All((_BASIC, Advanced())),
    expected=ledger.LedgerVerdict.REFUTED,
    twin=ledger.Twin(
        "The same counterexample against (9ε, 4δ).",
        ledger.All((replace(_BASIC, delta_times=4), Advanced())),
    ),
)
def _sec4_3_composition(claim: ledger.All) -> ledger.Evidence:
    basic, logarithm, rounded, advanced = claim.counterexamples()
    return ledger.Evidence(
        printed=(
            basic_finding(basic),
            show(logarithm),
            show(rounded),
            advanced_finding(advanced, Fraction(1, 40)),
        ),
        corrected=(*show_claim(REPAIRED), show(_POWER)),
        correction="Four releases of the repaired algorithm are (12ε, 4δ)-DP, and even (8ε, 4δ); "
        "in the advanced form, (ε′, 4δ + δ′) with 3ε = ε′/(2√(8 log(1/δ′))).",
        kind="repair",
        argument=(
            "One data point is the pair (x′_k, y′_k) (start of section 4). Replacing it changes "
            "x′, y′, r′_Y and r′_X at k, so it reaches all four releases; each column alone is "
            "read by three.",
            "Let f̂(x) = x/2 and ĝ(y) = y/2 be fixed; D holds (0, 0), (1, 1), (N, N), (N, N) with "
            "N = 10^40, and D′ has (1, 1) in the third place. All four IQRs fall from N or N/2 to "
            "1 or 1/2, all distances A_j are 1 in both.",
            ledger.Step(
                "Let ε = 1, δ = 1/20, each release the repaired algorithm, which is (3ε, δ)-DP. "
                "Under D some number near 92 comes out with probability nearly 1 − (1 − δ/2)^8 = "
                ".183, under D′ with less than 10^(−20); both are exact sums of exponentials, and "
                ".183 is above 3δ = .15 + e^9 times the other (kernel, replay).",
                (basic,),
            ),
            ledger.Step(
                "Advanced composition: let δ′ = 1/100, ε = 1/40, f̂ = ĝ = 0, N = 2^360. The printed "
                "rule makes this ε′ = 6ε√(6 ln 100) ≤ 4/5, as ln 100 ≤ 4.74 (kernel, both). "
                "(4/5, 3δ + δ′) fails on the same kind of pair (kernel, replay).",
                (logarithm, rounded, advanced),
            ),
            ledger.Step(
                "Corrected: each repaired release is (2ε, δ)-DP, so (3ε, δ)-DP, by the argument of "
                "kusner2016/iqr-ptr-privacy, whose findings are gathered here again; four of them "
                "compose by adding up (basic composition, which the paper cites too). In δ even "
                "1 − (1 − δ)⁴ ≤ 4δ would do (kernel).",
                (*REPAIRED.obligations(), _POWER),
            ),
            "For a change in one column alone, three releases compose and (9ε, 3δ) is right.",
        ),
    )


ENTRIES = (_iqr_ptr_privacy, _sec4_3_composition)
