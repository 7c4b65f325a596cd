"""Trainings of the guide on Opacus and JAX Privacy: sound ones pass, planted faults are certified.

They run where the atlas has installed the frameworks: ``make bench-atlas ONLY=opacus``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from .framework_trainings import CASES, PLANTED, SOUND, interpreter

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("package", "name"), CASES)
def test_planted_faults_are_certified_and_sound_trainings_are_not(
    tmp_path: Path, package: str, name: str
) -> None:
    if interpreter(package) is None:
        pytest.skip(f"{package} is not installed: make bench-atlas ONLY={package}")
    training = (PLANTED | SOUND)[name]
    verdict = "violation" if name in PLANTED else "no violation found"
    assert training.runs <= 30
    assert training.audit(package, tmp_path).verdict == verdict
