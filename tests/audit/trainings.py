"""DP-SGD on canaries, each with a direction of its own, and what their scores read off a run."""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from provado.mechanisms.textbook.dp_sgd import SgdFlaw, dp_sgd_delta, dp_sgd_epsilon, trainer

CANARIES = 200
DELTA = 1e-5

NEAR_ZERO = 0.05
"""ε at which trainings with little noise are audited, with a large δ: what they show is how seldom
a canary was left out by chance."""

MICROBATCHES = 8


@dataclass(frozen=True)
class Setting:
    """A training, its canaries and others, and how an audit reads it.

    parameters: of the trainer. score: from its path to a number for each canary.
    halves: 2 for as many weights again, a second parameter of which no example has a feature.
    epsilon: of the claim, whose δ is then accounted; without it ε is, at ``DELTA``.
    options: of the audit. runs: trainings in an audit of the sound one; at a δ of 0.64 fewer than
    seven could accuse nobody, whatever they do.
    """

    parameters: Mapping[str, float]
    score: Callable[[Any], Any]
    canaries: int = CANARIES
    others: int = 50
    halves: int = 1
    epsilon: float | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    runs: int = 30

    def examples(self) -> dict[str, np.ndarray]:
        """Return the canaries, whose gradients are long, and the other examples."""
        features = self.halves * (self.canaries + 1)
        canaries = np.zeros((self.canaries, features + 1))
        canaries[np.arange(self.canaries), np.arange(self.canaries)] = 100
        canaries[:, -1] = 1e6
        others = np.zeros((self.others, features + 1))
        others[:, self.canaries] = others[:, -1] = np.linspace(-1, 1, self.others)
        return {"canaries": canaries, "data": others}


@dataclass(frozen=True)
class Slip:
    """A slip, or none: parameters that are trained or accounted in place of the setting's."""

    name: str
    setting: str
    flaw: SgdFlaw = SgdFlaw.NONE
    trained: Mapping[str, float] = field(default_factory=dict)
    accounted: Mapping[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.name}, {self.setting}"


def final_weights(path):
    return path[-1, :CANARIES]


def difference(path):
    """Return the last weights less those of the second parameter."""
    first, second = np.split(path[-1], 2)
    return (first - second)[:CANARIES]


def moves_of(path, batch):
    """Return the noisy sums of clipped gradients of each step, for the canaries' features."""
    return np.diff(path, axis=0, prepend=np.zeros((1, path.shape[1])))[:, :CANARIES] * batch / 0.1


def in_one_step(path, *, noise, batch):
    """Return the log-likelihood ratio of one participation in one of the steps against none."""
    each = (moves_of(path, batch) - 0.5) / noise**2
    return np.logaddexp.reduce(each, axis=0) - np.log(len(each))


def in_samples(path, *, rate, noise, batch):
    """Return the log-likelihood ratio of a record of Poisson samples against none."""
    each = (moves_of(path, batch) - 0.5) / noise**2
    return np.logaddexp(np.log1p(-rate), np.log(rate) + each).sum(axis=0)


def moved_steps(path):
    """Return the share of steps after which a weight differs."""
    return np.mean(np.any(np.diff(path, axis=0) != 0, axis=1), keepdims=True)


def _setting(parameters, score, read=(), **more):
    """Return a setting whose score is told these parameters of it."""
    known = {name: parameters[name] for name in read}
    return Setting(parameters, functools.partial(score, **known) if read else score, **more)


USUAL = {"steps": 40, "rate": 0.1, "noise": 2.0, "batch": 15.0}
BY_SIGN = {"epsilon": NEAR_ZERO, "options": {"threshold": 0.0, "guesses": CANARIES}}

SETTINGS = {
    # About (1.48, 1e-5)-DP: for slips that add too little noise for what is clipped.
    "usual": _setting(USUAL, final_weights, runs=4),
    "two parameters": _setting(USUAL, difference, halves=2),
    # One epoch of four batches with little noise: for who takes part, and how often.
    "one epoch": _setting(
        {"steps": 4, "rate": 0.25, "noise": 0.25, "batch": 30.0},
        in_one_step,
        ("noise", "batch"),
        **BY_SIGN,
    ),
    # Samples of two of the 250 examples, nearly.
    "low rate": _setting(
        {"steps": 200, "rate": 1.99 / 250, "noise": 0.1, "batch": 30.0},
        in_samples,
        ("rate", "noise", "batch"),
        **BY_SIGN,
    ),
    # Two examples, one of them the canary: without it twice as many samples are empty.
    "two examples": _setting(
        {"steps": 100, "rate": 0.5, "noise": 50.0, "batch": 1.0},
        moved_steps,
        canaries=1,
        others=1,
        options={"threshold": 0.625},
    ),
}


@functools.cache
def _claim(epsilon, steps, rate, noise):
    cost = {"steps": steps, "rate": rate, "noise": noise}
    if epsilon is None:
        return {"epsilon": dp_sgd_epsilon(**cost, delta=DELTA), "delta": DELTA}
    return {"epsilon": epsilon, "delta": dp_sgd_delta(**cost, epsilon=epsilon)}


def asked(slip):
    """Return the trainer and the arguments of its audit."""
    setting = SETTINGS[slip.setting]
    cost = {k: setting.parameters[k] for k in ("steps", "rate", "noise")}
    return trainer(slip.flaw, **{**setting.parameters, **slip.trained}), {
        **setting.examples(),
        **_claim(setting.epsilon, **{**cost, **slip.accounted}),
        **setting.options,
        "score": setting.score,
        "name": f"dp-sgd/{slip.name}",
    }


SLIPS = (
    Slip("clips-batch", "usual", SgdFlaw.CLIPS_BATCH),
    Slip("noise-per-batch", "usual", SgdFlaw.NOISE_PER_BATCH),
    Slip("rate-in-noise", "usual", SgdFlaw.RATE_IN_NOISE),
    Slip("noise by microbatch", "usual", trained={"noise": USUAL["noise"] / MICROBATCHES}),
    Slip("shuffles", "one epoch", SgdFlaw.SHUFFLES),
    Slip("accounted at the whole part of n·q", "low rate", accounted={"rate": int(1.99) / 250}),
    Slip("shares-noise", "two parameters", SgdFlaw.SHARES_NOISE),
    Slip("skips-empty", "two examples", SgdFlaw.SKIPS_EMPTY),
)

SOUND = tuple(Slip("sound", setting) for setting in SETTINGS)
