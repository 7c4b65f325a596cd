"""Kendall's τ-b: one record moves it over its whole range, at any number of records."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from provado.mechanisms import AddOrRemoveOne, ReplaceOne, Source
from provado.mechanisms.scores.kendall import kendall_sensitivity
from provado.proofs.kernel import ChangeCounterexample, Checked, check
from tests.proofs.sensitivity.sharp_bounds.exact_scores import (
    Data,
    tau_b_exact,
    tau_b_exact_absolute,
)
from tests.proofs.sensitivity.sharp_bounds.finding import SensitivityFinding, WorstPair, worst_of

_STEPS = {
    (False, False): (
        "Let all records be (0, 0) but one, (1, 1): all untied pairs are concordant, τ-b = 1.",
        "Replace that one by (1, −1): all untied pairs are discordant, τ-b = −1, the whole range.",
    ),
    (True, False): (
        "Let one record be (1, 1) and all others (0, 0): τ-b = 1.",
        "Replace one of the others by (1, −1): it is discordant with the m − 2 at (0, 0) and tied "
        "with (1, 1), so that C = D = m − 2 and τ-b = 0, the whole range of the absolute value.",
    ),
    (True, True): (
        "Let one record be (1, 1) and the other m − 2 (0, 0): τ-b = 1.",
        "Add (1, −1): it is discordant with those at (0, 0) and tied with (1, 1): τ-b = 0.",
    ),
}
_REMARK = (
    "τ-b divides by a number that depends on the data; no noise below that for the whole range is "
    "enough. Theorem 1's 4/m holds for τ-a and for the printed rule only."
)


def _pair(m: int, absolute: bool, adds: bool) -> tuple[Data, Data]:
    if not absolute:
        rest: Data = ((0, 0),) * (m - 1)
        return ((1, 1), *rest), ((1, -1), *rest)
    if not adds:
        rest = ((0, 0),) * (m - 2)
        return ((0, 0), (1, 1), *rest), ((1, -1), (1, 1), *rest)
    rest = ((0, 0),) * (m - 2)
    return ((1, 1), *rest), ((1, 1), *rest, (1, -1))


def breaks_printed_bound(finding: SensitivityFinding, m: int) -> Checked:
    """Return the kernel's refutation of 4/m for τ-b on the worst pair of m records."""
    absolute = finding.score.startswith("|")
    score: Callable[[Data], Fraction] = tau_b_exact_absolute if absolute else tau_b_exact
    pair = finding.worst(m)
    values = score(pair.d), score(pair.d_prime)
    claimed = kendall_sensitivity(m)
    return check(
        ChangeCounterexample(pair.d, pair.d_prime, finding.relation.words(), values, claimed),
        score,
    )


def _finding(absolute: bool, adds: bool) -> SensitivityFinding:
    score = tau_b_exact_absolute if absolute else tau_b_exact

    def worst(m: int) -> WorstPair:
        return worst_of(*_pair(m, absolute, adds), score)

    finding = SensitivityFinding(
        score="|Kendall's τ-b|" if absolute else "Kendall's τ-b",
        relation=AddOrRemoveOne() if adds else ReplaceOne(),
        scope="data with ties, neither column constant",
        source=Source("Kendall, The Treatment of Ties in Ranking Problems (1945)", "τ-b"),
        printed=kendall_sensitivity,
        printed_words="4/m, if Theorem 1 of Kusner et al. (2016) is read for τ-b",
        upper=lambda _: Fraction(1 if absolute else 2),
        upper_words="its range",
        steps=_STEPS[absolute, adds],
        certificates=lambda: (breaks_printed_bound(finding, 10),),
        worst=worst,
        smallest=3 if absolute else 2,
        remark=_REMARK,
    )
    return finding


FINDINGS = (_finding(True, False), _finding(False, False), _finding(True, True))
