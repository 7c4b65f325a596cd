"""Trainings of the guide on Opacus and JAX Privacy: sound ones pass, planted faults are certified.

They run where the atlas has installed the frameworks: ``make bench-atlas ONLY=opacus``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from provado.audit import OneRunResult, audit_one_run
from provado.mechanisms.adapters.interpreter import Elsewhere
from provado.mechanisms.textbook.dp_sgd import dp_sgd_delta, dp_sgd_epsilon

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs/pages/how-to/opacus-and-jax.md"
DELTA, CANARIES, OTHERS = 1e-5, 100, 20
QUIET = {"steps": 4, "rate": 0.25, "noise": 0.15}

PLANTS = {
    "opacus": f"""
def microbatches(data):
    engine, model, optimizer, loader = prepared(data)
    optimizer.noise_multiplier = NOISE / 8
    return trained(model, optimizer, loader)


def quiet(data, **options):
    parts = prepared(data, {QUIET["noise"]}, 4, **options)[1:]
    return trained(*parts, epochs=1) - 0.5


def shuffled(data):
    return quiet(data, poisson_sampling=False)
""",
    "jax-privacy": """
def microbatches(data):
    return trained(data, NOISE / 8)
""",
}


def interpreter(package: str) -> str:
    found = sorted(ROOT.glob(f"build/atlas/{package}-[0-9]*/bin/python"))
    if not found:
        pytest.skip(f"{package} is not installed: make bench-atlas ONLY={package}")
    return str(found[-1])


def result_of(package: str, folder: Path, name: str, **claim: Any) -> OneRunResult:
    title = {"opacus": "Opacus", "jax-privacy": "JAX Privacy"}[package]
    blocks = re.findall(r"```python[^\n]*\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    (code,) = [block for block in blocks if block.startswith(f'"""DP-SGD by {title}:')]
    (folder / "train.py").write_text(code + PLANTS[package])
    canaries = np.zeros((CANARIES, CANARIES + 2))
    canaries[np.arange(CANARIES), np.arange(CANARIES)] = 100
    canaries[:, -1] = 1e6
    others = np.zeros((OTHERS, CANARIES + 2))
    others[:, CANARIES] = others[:, -1] = np.linspace(-1, 1, OTHERS)
    training = Elsewhere(interpreter(package), f"train.py:{name}", str(folder))
    return audit_one_run(training, canaries=canaries, data=others, seed=0, **claim)


@pytest.mark.parametrize(
    ("name", "verdict"), [("run", "no violation found"), ("microbatches", "violation")]
)
@pytest.mark.parametrize("package", ["opacus", "jax-privacy"])
def test_noise_by_microbatch_is_certified(
    tmp_path: Path, package: str, name: str, verdict: str
) -> None:
    epsilon = dp_sgd_epsilon(steps=20, rate=0.2, noise=2.0, delta=DELTA)
    claim = {"epsilon": epsilon, "delta": DELTA, "runs": 10}
    assert result_of(package, tmp_path, name, **claim).verdict == verdict


@pytest.mark.parametrize(
    ("name", "verdict"), [("quiet", "no violation found"), ("shuffled", "violation")]
)
def test_shuffled_batches_accounted_as_poisson_are_certified(
    tmp_path: Path, name: str, verdict: str
) -> None:
    claim = {"epsilon": 0.05, "delta": dp_sgd_delta(**QUIET, epsilon=0.05), "runs": 30}
    result = result_of("opacus", tmp_path, name, **claim, threshold=0.0, guesses=CANARIES)
    assert result.verdict == verdict
