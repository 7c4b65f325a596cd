"""Audits of a trained model in few runs: slips of DP-SGD, and the sound one."""

import math

import pytest

from provado.audit import audit_one_run
from provado.mechanisms import Verdict
from tests.audit.trainings import SETTINGS, SLIPS, SOUND, asked

pytest.importorskip("dp_accounting")


@pytest.mark.parametrize("slip", SLIPS, ids=str)
def test_a_slip_is_certified_within_thirty_runs(slip):
    mechanism, more = asked(slip)
    assert audit_one_run(mechanism, runs=30, **more).verdict is Verdict.VIOLATION


@pytest.mark.parametrize("sound", SOUND, ids=str)
def test_the_sound_training_passes(sound):
    mechanism, more = asked(sound)
    result = audit_one_run(mechanism, runs=30, **more)
    assert result.verdict is Verdict.NO_VIOLATION
    assert result.epsilon_lower < result.epsilon


@pytest.mark.slow
@pytest.mark.parametrize("sound", SOUND, ids=str)
def test_the_sound_training_is_not_accused_beyond_the_level(sound):
    mechanism, more = asked(sound)
    audits, runs = 200, SETTINGS[sound.setting].runs
    accused = sum(
        audit_one_run(mechanism, runs=runs, seed=seed, isolate=False, **more).verdict
        is Verdict.VIOLATION
        for seed in range(audits)
    )
    assert accused <= 0.05 * audits + 3 * math.sqrt(0.05 * 0.95 * audits)
