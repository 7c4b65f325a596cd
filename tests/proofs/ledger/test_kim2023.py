"""Each entry on dpHSIC; their numbers are tried in ``test_private_permutation``."""

from fractions import Fraction

import pytest

from provado.audit import audit
from provado.mechanisms.catalogue import catalogue
from provado.mechanisms.scores.hsic.permuted import noise_scale, root_hsic_sensitivity
from provado.proofs.ledger import LedgerVerdict, decide
from provado.proofs.ledger.kim2023 import permutation_test


@pytest.mark.parametrize("entry", permutation_test.ENTRIES, ids=lambda entry: entry.id)
def test_the_verdict_is_the_recorded_one_and_the_twin_is_refused(entry):
    decided = decide(entry)
    assert decided.reason == ""
    assert decided.twin is not None
    assert decided.as_expected
    assert decided.verdict is LedgerVerdict.ARGUED


@pytest.mark.parametrize("n", [2, 7, 1000])
def test_the_code_takes_the_ledger_s_bounds(n):
    assert Fraction(permutation_test.ROOT_HSIC_CLAIM.bound.at(n)) == pytest.approx(
        root_hsic_sensitivity(n)
    )
    assert noise_scale(n, 3.0) >= 2 * root_hsic_sensitivity(n) / 3


@pytest.mark.parametrize(
    "mechanism",
    [m for m in catalogue() if m.source.work.startswith("Kim and")],
    ids=lambda mechanism: mechanism.name,
)
@pytest.mark.parametrize("samples", [10_000, pytest.param(200_000, marks=pytest.mark.slow)])
def test_the_auditor_agrees(mechanism, samples):
    assert audit(mechanism, samples=samples).verdict is mechanism.expected
