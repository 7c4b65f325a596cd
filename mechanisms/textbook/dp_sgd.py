"""DP-SGD for linear regression, with the slips that its implementations were found to have.

Not in the catalogue: what its twins leak shows in a run with many canaries, not on one pair.
Source: Abadi, Chu, Goodfellow, McMahan, Mironov, Talwar and Zhang, Deep Learning with Differential
Privacy (2016), Algorithm 1.
"""

from enum import StrEnum
from functools import partial
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.accounting.pld import GaussianNoise, tight_composition, tight_delta
from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import natural, positive

Floats = NDArray[np.float64]


class SgdFlaw(StrEnum):
    """A slip of an implementation; each voids the accounting of ``dp_sgd_epsilon``.

    CLIPS_BATCH: the mean gradient of the batch is clipped, where each example's ought to be (among
        the improper gradient computations of Finding Private Bugs, 2023).
    NOISE_PER_BATCH: the noise is divided by the batch size once too often (Tramèr, Terzis, Steinke,
        Song, Jagielski and Carlini, Debugging Differential Privacy, 2022).
    SHUFFLES: batches of one shuffled order, accounted as Poisson samples (Chua, Ghazi, Kamath,
        Kumar, Manurangsi, Sinha and Zhang, How Private are DP-SGD Implementations?, 2024).
    RATE_IN_NOISE: the noise that is added is multiplied by the learning rate before the step, which
        multiplies by it again.
    SHARES_NOISE: both halves of the weights, taken as two parameters, get the same noise, as if it
        were drawn from one key of JAX or a generator seeded anew for each.
    SKIPS_EMPTY: a step whose sample is empty adds no noise, which reveals that it is.
    """

    NONE = "none"
    CLIPS_BATCH = "clips-batch"
    NOISE_PER_BATCH = "noise-per-batch"
    SHUFFLES = "shuffles"
    RATE_IN_NOISE = "rate-in-noise"
    SHARES_NOISE = "shares-noise"
    SKIPS_EMPTY = "skips-empty"


def dp_sgd(
    data: ArrayLike,
    *,
    rng: Generator,
    steps: int,
    batch: float,
    rate: float,
    noise: float,
    clip: float = 1.0,
    learning_rate: float = 0.1,
    flaw: SgdFlaw = SgdFlaw.NONE,
) -> Floats:
    """Return the weights after each step of one training, from weights 0; shape (steps, k).

    data: n examples, each k features and the target y; the loss is (w·x − y)²/2.
    batch: the size by which sums of gradients are divided, public; the mean size of a batch.
    rate: the chance that an example is in a batch, each for itself (Poisson sampling).
    noise: standard deviation of the noise on a sum of gradients, in units of ``clip``.
    clip: the norm that each example's gradient has at most.

    Guarantee without a ``flaw``, over the real numbers: (``dp_sgd_epsilon``, δ)-DP under adding or
    removing one example, for anyone who sees the weights of all steps. Raises ``UsageError`` for
    parameters outside their range.
    """
    table = np.asarray(data, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] < 2:
        raise UsageError(f"data has shape {table.shape}: it must be examples of features and y")
    count, norm = natural(steps, "steps"), positive(clip, "clip")
    share, size = _share(rate), positive(batch, "batch")
    deviation, pace = positive(noise, "noise") * norm, positive(learning_rate, "learning_rate")
    features, targets = table[:, :-1], table[:, -1]
    if flaw is SgdFlaw.NOISE_PER_BATCH:
        deviation /= size
    if flaw is SgdFlaw.RATE_IN_NOISE:
        deviation *= pace
    weights = np.zeros(features.shape[1])
    path = np.empty((count, features.shape[1]))
    chosen = _shuffled(len(table), share, rng) if flaw is SgdFlaw.SHUFFLES else None
    for step in range(count):
        rows = rng.random(len(table)) < share if chosen is None else next(chosen)
        errors = features[rows] @ weights - targets[rows]
        gradients = errors[:, None] * features[rows]
        if flaw is SgdFlaw.CLIPS_BATCH:
            total = size * _clipped(gradients.sum(axis=0, keepdims=True) / size, norm)[0]
        else:
            total = _clipped(gradients, norm).sum(axis=0)
        drawn = rng.standard_normal(len(weights))
        if flaw is SgdFlaw.SHARES_NOISE:
            drawn = np.resize(drawn[: -(-len(drawn) // 2)], len(drawn))
        if flaw is not SgdFlaw.SKIPS_EMPTY or np.any(rows):
            weights = weights - pace * (total + deviation * drawn) / size
        path[step] = weights
    return path


def dp_sgd_epsilon(*, steps: int, rate: float, noise: float, delta: float) -> float:
    """Return an ε such that ``dp_sgd`` is (ε, ``delta``)-DP under adding or removing one example.

    Each step is a Gaussian mechanism of sensitivity ``clip`` on a Poisson sample; composed by
    ``accounting.tight_composition``, whose guarantee and errors these are.
    """
    return tight_composition([_step(rate, noise)] * natural(steps, "steps"), delta, step=STEP)


def dp_sgd_delta(*, steps: int, rate: float, noise: float, epsilon: float) -> float:
    """Return a δ such that ``dp_sgd`` is (``epsilon``, δ)-DP under adding or removing one."""
    return tight_delta([_step(rate, noise)] * natural(steps, "steps"), epsilon, step=STEP)


STEP = 1e-3
"""Of privacy losses, in the accounting."""


def trainer(flaw: SgdFlaw = SgdFlaw.NONE, **parameters: Any) -> Any:
    """Return ``dp_sgd`` with everything set but ``data`` and ``rng``, ready to be audited."""
    return partial(dp_sgd, flaw=flaw, **parameters)


def _step(rate: float, noise: float) -> GaussianNoise:
    return GaussianNoise(1.0, positive(noise, "noise"), _share(rate))


def _share(rate: float) -> float:
    share = positive(rate, "rate")
    if share > 1:
        raise UsageError(f"rate is {rate!r}: it must lie in (0, 1]")
    return share


def _clipped(gradients: Floats, norm: float) -> Floats:
    lengths = np.sqrt(np.sum(gradients**2, axis=1, keepdims=True))
    clipped: Floats = gradients * np.minimum(1.0, norm / np.maximum(lengths, 1e-300))
    return clipped


def _shuffled(examples: int, share: float, rng: Generator) -> Any:
    """Yield batches without end: each epoch in an order of its own, cut to 1/rate parts."""
    while True:
        yield from np.array_split(rng.permutation(examples), max(1, round(1 / share)))
