"""Many audits that share one alpha."""

import math

import numpy as np
import pytest

from provado.audit import audit_all
from provado.audit.trials.checkpoint import Checkpoint
from provado.mechanisms import UsageError, Verdict


def response(data, size, rng):
    """Exactly tight at ε = 1."""
    truthful = rng.random(size) < math.e / (1 + math.e)
    return np.where(truthful, data, 1 - data)


def leaky(data, size, rng):
    return np.where(rng.random(size) < 0.95, data, 1 - data)


GIVEN = {"epsilon": 1.0, "pair": (0, 1), "samples": 2000}


def test_all_share_one_alpha_and_the_broken_one_is_found():
    sound = [(response, {"seed": seed}) for seed in range(9)]
    results = audit_all([*sound, (leaky, {"epsilon": 2.0})], **GIVEN)
    assert [result.verdict for result in results] == [Verdict.NO_VIOLATION] * 9 + [
        Verdict.VIOLATION
    ]
    assert results[-1].epsilon == 2.0
    alphas = [pair.method.alpha for result in results for pair in result.pairs]
    assert math.fsum(alphas) <= 0.05
    assert min(alphas) > 0.98 * 0.05 / 10


@pytest.mark.parametrize(
    ("mechanisms", "more", "words"),
    [
        ([], {}, "mechanisms is empty"),
        ([(response, 3)], {}, "a mapping of keywords"),
        ([(response, {"confidence": 0.9})], {}, "shared by all"),
        ([response], {"confidence": 2}, "confidence is 2"),
        ([3], {}, "must be callable"),
    ],
)
def test_what_is_wrong_is_named(mechanisms, more, words):
    with pytest.raises(UsageError, match=words):
        audit_all(mechanisms, **GIVEN, **more)


@pytest.mark.slow
def test_eighty_tight_mechanisms_are_rarely_accused_of_anything():
    runs = 40
    accused = sum(
        any(
            result.verdict is Verdict.VIOLATION
            for result in audit_all(
                [(response, {"seed": 1000 * run + i, "isolate": False}) for i in range(80)],
                **GIVEN | {"samples": 400},
            )
        )
        for run in range(runs)
    )
    assert accused <= 0.05 * runs + 3 * math.sqrt(runs * 0.05 * 0.95)


def test_one_keeper_for_all_is_refused():
    with pytest.raises(UsageError, match="checkpoint is given for all"):
        audit_all([(lambda data: data, {"epsilon": 1.0, "pair": (0, 1)})], checkpoint=Checkpoint())
