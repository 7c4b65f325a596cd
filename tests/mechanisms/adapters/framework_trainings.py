"""Trainings of the guide on Opacus and JAX Privacy, with planted faults, and audits of them.

They run where the atlas has installed the frameworks: ``make bench-atlas ONLY=opacus``.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from provado.audit import OneRunResult, audit_one_run
from provado.mechanisms.adapters.interpreter import OtherInterpreter
from provado.mechanisms.textbook.dp_sgd import dp_sgd_delta, dp_sgd_epsilon

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs/pages/how-to/opacus-and-jax.md"
TITLES = {"opacus": "Opacus", "jax-privacy": "JAX Privacy"}
DELTA, CANARIES, OTHERS = 1e-5, 100, 20

USUAL = {"steps": 20, "rate": 0.2, "noise": 2.0}
ONE_EPOCH = {"steps": 4, "rate": 0.25, "noise": 0.15}
LOW_RATE = {"steps": 120, "rate": 1.99 / (CANARIES + OTHERS), "noise": 0.1}
TWO_EXAMPLES = {"steps": 100, "rate": 0.5, "noise": 50.0}

PLANTS = {
    "opacus": f"""
from opacus.utils.uniform_sampler import UniformWithReplacementSampler


def microbatches(data):
    engine, model, optimizer, loader = prepared(data)
    optimizer.noise_multiplier = NOISE / 8
    return trained(model, optimizer, loader)


def one_epoch(data, **options):
    parts = prepared(data, {ONE_EPOCH["noise"]}, 4, **options)[1:]
    return trained(*parts, epochs=1) - 0.5


def shuffled(data):
    return one_epoch(data, poisson_sampling=False)


def moves(data, steps, rate, noise, skip=False):
    model, optimizer = prepared(data, noise)[1:3]
    examples = torch.tensor(np.asarray(data), dtype=torch.float32)
    weights, found = next(model.parameters()), []
    for batch in UniformWithReplacementSampler(
        num_samples=len(examples), sample_rate=rate, steps=steps
    ):
        before = weights.detach().clone()
        if batch or not skip:
            optimizer.zero_grad()
            ((model(examples[batch, :-1]) - examples[batch, -1:]) ** 2).sum().backward()
            optimizer.step()
        found.append((weights.detach() - before).numpy()[0, :-1])
    return np.array(found)


class TwoParameters(torch.nn.Module):
    def __init__(self, features):
        super().__init__()
        self.first = torch.nn.Linear(features, 1, bias=False)
        self.second = torch.nn.Linear(features, 1, bias=False)
        for one in self.parameters():
            torch.nn.init.zeros_(one)

    def forward(self, x):
        return self.first(x) + self.second(0 * x)


def two_parameters(data, one_key=False):
    examples = torch.tensor(np.asarray(data), dtype=torch.float32)
    model, size = TwoParameters(examples.shape[1] - 1), -(-len(examples) // BATCHES)
    model, optimizer, loader = PrivacyEngine().make_private(
        module=model,
        optimizer=torch.optim.SGD(model.parameters(), lr=1.0),
        data_loader=DataLoader(TensorDataset(examples[:, :-1], examples[:, -1:]), batch_size=size),
        noise_multiplier=NOISE,
        max_grad_norm=1.0,
        loss_reduction="sum",
    )
    if one_key:

        def add_noise():
            seed = int(torch.randint(2**31, ()))
            for one in optimizer.params:
                generator = torch.Generator().manual_seed(seed)
                noise = torch.randn(one.summed_grad.shape, generator=generator)
                one.grad = (one.summed_grad + NOISE * noise).view_as(one)

        optimizer.add_noise = add_noise
    trained(model, optimizer, loader)
    first, second = (one.detach().numpy()[0, :-1] for one in model.parameters())
    return first - second
""",
    "jax-privacy": """
def microbatches(data):
    return trained(data, NOISE / 8)


def moves(data, steps, rate, noise, skip=False):
    examples = np.asarray(data, dtype=np.float32)
    x, y = examples[:, :-1], examples[:, -1]
    weights, found = jnp.zeros(x.shape[1]), []
    privatizer = gaussian_privatizer(stddev=noise, prng_key=int(np.random.randint(2**31)))
    state = privatizer.init(weights)
    sampling = CyclicPoissonSampling(rate, steps)
    for batch in sampling.batch_iterator(len(x), rng=int(np.random.randint(2**31))):
        noisy = jnp.zeros_like(weights)
        if len(batch) or not skip:
            summed = gradients(weights, x, y, batch) if len(batch) else jnp.zeros_like(weights)
            noisy, state = privatizer.update(summed, state)
        weights -= noisy
        found.append(-np.asarray(noisy)[:-1])
    return np.array(found)


def of_two(weights, x, y):
    return loss(weights[0] + 0 * weights[1], x, y)


OF_TWO = jax.jit(clipped_grad(of_two, l2_clip_norm=1.0, batch_argnums=(1, 2)))


def two_parameters(data, one_key=False):
    examples = np.asarray(data, dtype=np.float32)
    x, y = examples[:, :-1], examples[:, -1]
    weights = [jnp.zeros(x.shape[1]), jnp.zeros(x.shape[1])]
    keys = np.random.randint(2**31, size=2).tolist()
    made = [gaussian_privatizer(stddev=NOISE, prng_key=keys[0 if one_key else i]) for i in range(2)]
    states = [one.init(weight) for one, weight in zip(made, weights)]
    sampling = CyclicPoissonSampling(RATE, STEPS)
    for batch in sampling.batch_iterator(len(x), rng=int(np.random.randint(2**31))):
        summed = gradients(weights, x, y, batch, OF_TWO)
        for i in range(2):
            noisy, states[i] = made[i].update(summed[i], states[i])
            weights[i] -= noisy
    return np.asarray(weights[0] - weights[1])[:-1]
""",
}

BOTH = f"""

def one_key(data):
    return two_parameters(data, one_key=True)


def low_rate(data):
    return moves(data, **{LOW_RATE}).max(0) - 0.65


def two_examples(data, skip=False):
    return [np.mean(moves(data, skip=skip, **{TWO_EXAMPLES})[:, 0] != 0) - 0.625]


def skipped(data):
    return two_examples(data, skip=True)
"""
"""Functions of both frameworks. In ``low_rate`` a participation moves a weight by 1."""


@dataclass(frozen=True)
class Training:
    """A training of ``PLANTS``, what is accounted of it, and how it is audited.

    epsilon: of the claim, whose δ is then accounted; without it ε is, at ``DELTA``.
    """

    name: str
    accounted: Mapping[str, Any]
    runs: int = 10
    epsilon: float | None = None
    canaries: int = CANARIES
    others: int = OTHERS
    options: Mapping[str, Any] = field(default_factory=dict)

    def audit(self, package: str, folder: Path, seed: int = 0, **options: Any) -> OneRunResult:
        """Return what an audit finds of the training in the framework's own interpreter."""
        blocks = re.findall(r"```python[^\n]*\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
        head = f'"""DP-SGD by {TITLES[package]}:'
        (code,) = [block for block in blocks if block.startswith(head)]
        (folder / "train.py").write_text(code + PLANTS[package] + BOTH, encoding="utf-8")
        training = OtherInterpreter(str(interpreter(package)), f"train.py:{self.name}", str(folder))
        more = {**self.examples(), **self.claim(), **self.options, "runs": self.runs, **options}
        return audit_one_run(training, seed=seed, **more)

    def claim(self) -> dict[str, float]:
        """Return ε and δ of what is accounted."""
        return _claim(self.epsilon, **self.accounted)

    def examples(self) -> dict[str, np.ndarray]:
        """Return the canaries, whose gradients are long, and the other examples."""
        m = self.canaries
        canaries = np.zeros((m, m + 2))
        canaries[np.arange(m), np.arange(m)] = 100
        canaries[:, -1] = 1e6
        others = np.zeros((self.others, m + 2))
        others[:, m] = others[:, -1] = np.linspace(-1, 1, self.others)
        return {"canaries": canaries, "data": others}


@functools.cache
def _claim(epsilon: float | None, **cost: Any) -> dict[str, float]:
    if epsilon is None:
        return {"epsilon": dp_sgd_epsilon(**cost, delta=DELTA), "delta": DELTA}
    return {"epsilon": epsilon, "delta": dp_sgd_delta(**cost, epsilon=epsilon)}


def interpreter(package: str) -> Path | None:
    """Return the interpreter of a framework's environment, if the atlas has made one."""
    found = sorted(ROOT.glob(f"build/atlas/{package}-[0-9]*/bin/python"))
    return found[-1] if found else None


NEAR_ZERO: dict[str, Any] = {
    "runs": 30,
    "epsilon": 0.05,
    "options": {"threshold": 0.0, "guesses": CANARIES},
}
ALONE: dict[str, Any] = {
    "runs": 30,
    "canaries": 1,
    "others": 1,
    "options": {"threshold": 0.0},
}

PLANTED = {
    "noise by microbatch": Training("microbatches", USUAL),
    "shuffled, accounted as Poisson": Training("shuffled", ONE_EPOCH, **NEAR_ZERO),
    "accounted at the whole part of n·q": Training(
        "low_rate", LOW_RATE | {"rate": int(1.99) / (CANARIES + OTHERS)}, **NEAR_ZERO
    ),
    "one key for two parameters": Training("one_key", USUAL),
    "no noise for an empty batch": Training("skipped", TWO_EXAMPLES, **ALONE),
}

SOUND = {
    "usual": Training("run", USUAL),
    "one epoch": Training("one_epoch", ONE_EPOCH, **NEAR_ZERO),
    "low rate": Training("low_rate", LOW_RATE, **NEAR_ZERO),
    "two parameters": Training("two_parameters", USUAL),
    "two examples": Training("two_examples", TWO_EXAMPLES, **ALONE),
}

CASES = [
    (package, name)
    for package in TITLES
    for name in (*PLANTED, *SOUND)
    # JAX Privacy has no shuffled batches that its accountant could take for Poisson samples.
    if package == "opacus" or name not in ("shuffled, accounted as Poisson", "one epoch")
]
