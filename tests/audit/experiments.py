"""Plans made by hand, and mechanisms that tell what was asked of them."""

from dataclasses import fields

import numpy as np

from provado.audit.bounds import BoundMethod
from provado.audit.events.cause import UNNAMED
from provado.audit.events.features.feature import Column
from provado.audit.events.learners.piecewise import Raw
from provado.audit.events.rule import Rule
from provado.audit.events.threshold import Cut
from provado.audit.target.output_encoding import PatternBook
from provado.audit.trials.experiment import Plan

D, D_PRIME = 1.0, -1.0

RULE = Rule(Raw(Column(0, 1)), Cut(low=-0.5, high=0.5, value=0.0, floor=0.0, error=0.0))
"""Guesses D from 0.5 on, D′ down from −0.5, and abstains in between."""


def plan_of(trials, block=None, **more):
    """Return a plan for so many trials, in blocks of so many, all in one unless it is said."""
    method = BoundMethod(0.05)
    given = {
        "pair": 0,
        "d": D,
        "d_prime": D_PRIME,
        "rule": RULE,
        "book": PatternBook(width=1, closed=True),
        "method": method,
        "early": method,
        "trials": trials,
        "block": block or trials,
        "explored": 0,
        "rounded": False,
        "cause": UNNAMED,
        "edges": (),
        "beside": (),
        "until": None,
    } | more
    return Plan(**{field.name: given[field.name] for field in fields(Plan)})


class Told:
    """Keeps what it was asked and what it answered, call by call.

    answer: from the data, how many, and a generator to that many numbers.
    """

    def __init__(self, answer):
        self.answer = answer
        self.asked, self.answered = [], []

    def draw(self, data, size, rng):
        outputs = self.answer(data, size, rng)
        self.asked.append((data, size))
        self.answered.append(outputs)
        return outputs

    def calls(self):
        """Return what was asked with what was answered, in order."""
        return list(zip(self.asked, self.answered, strict=True))


class Batched(Told):
    """Takes all of one side at once."""

    def __call__(self, data, *, size, rng):
        return self.draw(data, size, rng)


class Single(Told):
    """Is called once a trial."""

    def __call__(self, data, rng):
        (output,) = self.draw(data, 1, rng)
        return output


def the_data(data, size, rng):
    """Answer with the data: whoever guesses by it is right every time."""
    return [data] * size


def anything(data, size, rng):
    """Answer 1, 0 or −1 at random, whatever the data are."""
    return np.floor(3 * rng.random(size) - 1).tolist()
