"""How fast a mechanism is, from a few draws: too slow for exploring, or not."""

from __future__ import annotations

import time

from .experiment import draw_sides
from .explore import Clock
from .outputs import PatternBook
from .randomness import Held, seeding
from .request import Request
from .stream import TIMED, generators, held_generator
from .watch import Watch

FEW_TRIALS = 20_000
"""Where fewer fit in the time, exploring would take too many of them."""

TIMED_SHARE, MOST_TIMED = 1 / 200, 4096
"""Of the time, what finding that out may take, and how many trials."""


def few_trials_fit(request: Request, index: int, clock: Clock, held: Held, watch: Watch) -> bool:
    """Tell whether so few trials fit in the time that none should be thrown away.

    Told by some that are; the first call is not timed, since it may import and compile.
    """
    target, (d, d_prime) = request.target, request.pairs[index]
    size, number = 1, 1
    with seeding(held) as seed_held:
        while True:
            seed_held(held_generator(request.seed, target.name, index, TIMED, number))
            rngs = generators(request.seed, target.name, index, TIMED, number)
            started = time.perf_counter()
            draw_sides(target, d, d_prime, size, PatternBook(), rngs, watch)
            spent = time.perf_counter() - started
            if number > 1 and (spent > TIMED_SHARE * clock.seconds or size >= MOST_TIMED):
                return clock.seconds * size / max(spent, 1e-9) < FEW_TRIALS
            if watch.over:
                raise watch.ended()
            size, number = size * 4 if number > 1 else 1, number + 1
