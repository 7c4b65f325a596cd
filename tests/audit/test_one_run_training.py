"""Audits of a trained model in few runs: four slips of DP-SGD, and the sound one."""

import math

import pytest

from provado.audit import audit_one_run
from provado.mechanisms import Verdict
from provado.mechanisms.textbook.dp_sgd import SgdFlaw
from tests.audit.trainings import SLIPS, asked

pytest.importorskip("dp_accounting")


@pytest.mark.parametrize(("flaw", "shuffling"), SLIPS, ids=str)
def test_a_slip_is_certified_within_thirty_runs(flaw, shuffling):
    mechanism, more = asked(flaw, shuffling)
    assert audit_one_run(mechanism, runs=30, **more).verdict is Verdict.VIOLATION


@pytest.mark.parametrize("shuffling", [False, True])
def test_the_sound_training_passes(shuffling):
    mechanism, more = asked(SgdFlaw.NONE, shuffling)
    result = audit_one_run(mechanism, runs=30, **more)
    assert result.verdict is Verdict.NO_VIOLATION
    assert result.epsilon_lower < result.epsilon


@pytest.mark.slow
@pytest.mark.parametrize(("shuffling", "runs"), [(False, 4), (True, 30)])
def test_the_sound_training_is_not_accused_beyond_the_level(shuffling, runs):
    mechanism, more = asked(SgdFlaw.NONE, shuffling)
    audits = 60
    accused = sum(
        audit_one_run(mechanism, runs=runs, seed=seed, isolate=False, **more).verdict
        is Verdict.VIOLATION
        for seed in range(audits)
    )
    assert accused <= 0.05 * audits + 3 * math.sqrt(0.05 * 0.95 * audits)
