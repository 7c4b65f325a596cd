from fractions import Fraction

import pytest

from provado.proofs.kernel import KernelRefusal
from tests.proofs.sensitivity.sharp_bounds import findings
from tests.proofs.sensitivity.sharp_bounds.finding import SensitivityFinding, UnboundedFinding

BOUNDED = [f for f in findings() if isinstance(f, SensitivityFinding)]
UNBOUNDED = [f for f in findings() if isinstance(f, UnboundedFinding)]


def name(finding):
    return f"{finding.score} {finding.relation.words()}"


def test_names_are_unique():
    names = [name(finding) for finding in findings()]
    assert len(set(names)) == len(names) == len(BOUNDED) + len(UNBOUNDED)


@pytest.mark.parametrize("finding", BOUNDED, ids=name)
def test_worst_pairs_are_neighbors_within_the_proved_bound(finding):
    for m in (finding.smallest, finding.smallest + 1, 9, 24):
        found = finding.at(m)
        finding.relation.check(list(found.worst.d), list(found.worst.d_prime))
        assert max(len(found.worst.d), len(found.worst.d_prime)) == m
        assert 0 <= found.worst.change <= found.upper
        if found.printed_holds and found.upper:
            assert found.printed >= found.upper
            assert found.saving >= 1


@pytest.mark.parametrize("finding", BOUNDED, ids=name)
def test_certificates_hold(finding):
    found = finding.certificates()
    assert found
    assert {c.verdict for c in found} <= {"proved", "verified", "refuted"}


@pytest.mark.parametrize("finding", BOUNDED, ids=name)
def test_words_put_the_data_first(finding):
    text = finding.words(12)
    assert text.startswith("Let D = ")
    assert all(step in text for step in finding.steps)


@pytest.mark.parametrize("finding", UNBOUNDED, ids=name)
def test_a_small_claim_is_refuted(finding):
    found = finding.beyond(Fraction(1, 10))
    assert found.verdict == "refuted"
    assert found.assumptions


@pytest.mark.parametrize("finding", UNBOUNDED, ids=name)
def test_each_refutation_ends_where_the_range_does(finding):
    # Logarithmic scores and z have no end; the rest must refuse a claim above their range.
    if finding.score.startswith("log") or "z-score" in finding.score:
        assert finding.beyond(Fraction(30)).verdict == "refuted"
    else:
        with pytest.raises(KernelRefusal):
            finding.beyond(Fraction(3))
