"""Programs that draw noise in many ways, and what a replay of them must say."""

import json
import math
import os
import random
import secrets
import time
from random import choices

import numpy as np
from numpy.random import default_rng
from numpy.random import laplace as of_numpy

from provado.audit import noise

GENERATOR = np.random.default_rng(3)


def handmade(data):
    u = random.random() - 0.5
    return sum(data) - math.copysign(1, u) * math.log(1 - 2 * abs(u))


def handmade_array(data):
    u = np.random.uniform(-0.5, 0.5, size=2)  # noqa: NPY002
    return np.array([np.sum(data), len(data)]) - np.sign(u) * np.log(1 - 2 * np.abs(u))


def legacy(data):
    return np.sum(data) + np.random.laplace(0, 1)  # noqa: NPY002


def legacy_with_location(data):
    return of_numpy(np.sum(data), 1.0)  # noqa: NPY002


def own_generator(data):
    return sum(data) + default_rng().laplace(scale=1)


def global_generator(data):
    return float(np.sum(data) + GENERATOR.laplace(scale=1))


def with_default(data, generator=np.random.default_rng(5)):  # noqa: B008
    return np.sum(data) + generator.laplace()


def closure():
    generator = np.random.default_rng(4)

    def run(data):
        return len(data) + generator.laplace()

    return run


class GeneratorSet:
    def __init__(self):
        self.rng = np.random.default_rng(1)

    def __call__(self, data):
        return len(data) + self.rng.laplace()


def legacy_state(data):
    return len(data) + np.random.RandomState().laplace()


def of_python(data):
    return len(data) + random.expovariate(1.0) - random.expovariate(1.0)


def rounded(data, rng):
    return round(sum(data) + rng.laplace(scale=1), 2)


def kept_above_zero(data, rng):
    return max(0.0, len(data) + rng.laplace(scale=1))


def clipped(data, rng):
    return np.clip(len(data) + rng.laplace(scale=1), 0, 10)


def in_place(data, rng):
    counts = np.array([len(data), 2.0])
    counts += rng.laplace(scale=1, size=2)
    return counts.tolist()


def assigned(data, rng):
    out = np.zeros(3)
    out[0] = len(data) + rng.laplace(scale=1)
    return out


def geometric(data, rng):
    p = 1 - math.exp(-1)
    return len(data) + rng.geometric(p) - rng.geometric(p)


def geometric_array(data, rng):
    p = 1 - math.exp(-1)
    return np.array([len(data), 3]) + rng.geometric(p, size=2) - rng.geometric(p, size=2)


def series(data, rng):
    import pandas as pd

    counts = pd.Series(np.round(data).astype(int)).value_counts().reindex(range(3), fill_value=0)
    return counts + rng.laplace(scale=1, size=3)


def ratio_of_noisy(data, rng):
    total = np.clip(data, 0, 1).sum() + rng.laplace(scale=2)
    count = len(data) + rng.laplace(scale=2)
    return total / max(count, 1.0)


def shuffled(data, rng):
    copied = np.array(data)
    rng.shuffle(copied)
    return copied.sum() + rng.laplace()


@noise(scale="scale", sensitivity=1)
def protect(value, scale):
    return value + random.SystemRandom().gauss(0, scale)


def marked(data):
    return protect(sum(data), scale=1.0)


def marked_too_sensitive(data):
    return protect(3 * sum(data), scale=5.0)


def chosen(data, rng):
    chances = np.exp(0.5 * np.array([sum(x <= k for x in data) for k in range(3)]))
    return int(rng.choice(3, p=chances / chances.sum()))


def chosen_of_python(data):
    return choices(range(3), weights=[math.exp(0.5 * sum(x <= k for x in data)) for k in range(3)])


def noisy_max_exponential(answers, rng):
    return int(np.argmax(np.array(answers) + rng.exponential(2, size=len(answers))))


def noisy_max_sorted(answers, rng):
    return sorted(range(len(answers)), key=lambda i: -(answers[i] + rng.laplace(scale=2)))[0]


def noisy_max_array(answers, rng):
    noisy = np.array([answer + rng.laplace(scale=2) for answer in answers])
    return int(noisy.argmax())


def noisy_max_too_small(answers, rng):
    return int(np.argmax(np.array(answers) + rng.laplace(scale=0.5, size=len(answers))))


def noisy_max_with_value(answers, rng):
    noisy = np.array(answers) + rng.laplace(scale=2, size=len(answers))
    return int(noisy.argmax()), noisy.max()


def sparse_vector_many(answers, rng):
    """Noise the threshold alone and answer all: Stoddard et al.'s, as Lyu et al. refute it."""
    threshold = 2.0 + rng.laplace(scale=2)
    return [bool(answer >= threshold) for answer in answers]


def sparse_vector_unlimited(answers, rng):
    """Go on after an answer above the threshold at the same noise."""
    threshold = rng.laplace(scale=2)
    return [bool(answer + rng.laplace(scale=2) >= threshold) for answer in answers]


def responded(bit, rng):
    return bool(rng.random() < (0.7310585 if bit else 0.2689414))


def responded_too_truly(bit, rng):
    return bool(rng.random() < (0.9 if bit else 0.1))


def responded_surely(bit, rng):
    return bool(rng.random() < (0.5 if bit else 0.0))


def chosen_surely(bit, rng):
    return int(rng.choice(2, p=[0.5, 0.5] if bit else [0.0, 1.0]))


def responded_by_coin(bit, rng):
    return bit if rng.random() < 0.7310585 else 1 - bit


def reused(data, rng):
    one = rng.laplace(scale=2)
    return len(data) + one, 2 * len(data) + one


def one_sided(data, rng):
    return len(data) + rng.exponential(1.0)


def seeded(data):
    return len(data) + np.random.default_rng(len(data)).laplace()


def fixed_seed(data):
    return len(data) + np.random.default_rng(7).laplace()


def fixed_seed_of_numpy(data):
    np.random.seed(7)  # noqa: NPY002
    return len(data) + np.random.laplace()  # noqa: NPY002


def fixed_seed_of_python(data):
    random.seed(7)
    return len(data) + random.gauss(0.0, 3.0)


def fixed_seed_of_an_object(data):
    return len(data) + random.Random(7).expovariate(1.0) - random.Random(8).expovariate(1.0)


def seed_drawn_by_the_system(data):
    return len(data) + np.random.default_rng(secrets.randbits(128)).laplace()


def seed_of_bytes(data):
    return len(data) + np.random.default_rng(int.from_bytes(os.urandom(8))).laplace()


def seed_of_the_clock(data):
    return len(data) + np.random.RandomState(time.perf_counter_ns() % 2**32).laplace()


def seed_drawn_by_a_generator(data, rng):
    return len(data) + np.random.default_rng(rng.integers(2**60)).laplace()


def seed_of_a_spawned_sequence(data):
    return len(data) + np.random.default_rng(np.random.SeedSequence().spawn(1)[0]).laplace()


def fixed_seed_beside_the_noise(data, rng):
    return len(data) + rng.laplace(), np.random.default_rng(7).normal()


def added_after_rounding(data, rng):
    return round(len(data) + rng.laplace(scale=2)) + len(data)


def beside_the_noise(data, rng):
    return {"noisy": len(data) + rng.laplace(), "seen": len(data)}


def raises(data, rng):
    if len(data) > 3:
        raise ValueError("too many")
    return rng.laplace()


def never_answers(data, rng):
    while len(data) > 3:
        time.sleep(0.01)
    return rng.laplace()


def exits(data):
    if len(data) > 3:
        import os

        os._exit(3)
    return 0


def without_noise_where_many(data, rng):
    if len(data) > 3:
        return 0.0
    return len(data) + rng.laplace()


def converted(data, rng):
    return sum(data) + float(rng.laplace())


def as_text(data, rng):
    return f"{len(data) + rng.laplace():.3f}"


def converted_last(data, rng):
    return max(0, int(round(float(len(data) + rng.laplace(scale=1)), 1)))


def as_json(data, rng):
    noisy = (np.array([len(data), 2]) + rng.laplace(scale=1, size=2)).tolist()
    return json.dumps({"released": str(noisy[0]), "rows": int(noisy[1]), "columns": 3})


def by_percent(data, rng):
    return "%.1f" % (len(data) + rng.laplace(scale=1))


def added_in_a_table(data, rng):
    import pandas as pd

    table = pd.DataFrame({"count": [float(len(data)), 2.0], "noise": rng.standard_t(3, size=2)})
    return table.sum(axis=1)


def padded(data, rng):
    return [0] * (len(data) + rng.geometric(0.3))


def student(data, rng):
    return len(data) + rng.standard_t(3)
