"""Programs in which a counterfactual replay finds a fault, sound ones, and ones it cannot follow.

A fault stands on the line that ends in ``# here``.
"""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from provado.audit.experiments.replay import FindingKind

EPSILON = 1.0


@dataclass(frozen=True)
class Program:
    """A program, a pair of neighbors and what a replay has to find there; nothing, of sound ones.

    claim: arguments of ``replay``. kinds: any of these is the fault's name.
    """

    run: Callable[..., Any]
    pair: tuple[Any, Any]
    kinds: tuple[FindingKind, ...] = ()
    claim: dict[str, Any] = field(default_factory=lambda: {"epsilon": EPSILON})

    @property
    def name(self) -> str:
        """Return the function's name in words."""
        return self.run.__name__.replace("_", " ")

    @property
    def line(self) -> int:
        """Return the number of the line that is marked as the fault's; 0 of a sound program."""
        lines, first = inspect.getsourcelines(self.run)
        return next((first + i for i, one in enumerate(lines) if "# here" in one), 0)


def domain_inferred_from_data(words: list[str], rng: np.random.Generator) -> dict[str, float]:
    """Count only the words that occur."""
    counts = {}
    for word in sorted(set(words)):
        counts[word] = words.count(word) + rng.laplace(scale=1 / EPSILON)  # here
    return counts


def domain_inferred_as_an_array(words: list[str], rng: np.random.Generator) -> Any:
    """Count as many as there are, at once."""
    _, counts = np.unique(np.array(words), return_counts=True)
    return counts + rng.laplace(scale=1 / EPSILON, size=len(counts))  # here


def budget_spent_twice(ages: Any, rng: np.random.Generator) -> tuple[float, float]:
    """Release a sum at the whole budget, and then its square for it again."""
    total = float(np.clip(ages, 0, 1).sum())
    first = total + rng.laplace(scale=1 / EPSILON)
    return first, total + rng.laplace(scale=1 / EPSILON)  # here


def wrong_sensitivity(ages: Any, rng: np.random.Generator) -> float:
    """Clip to 100 and take the noise for 1."""
    return float(np.clip(ages, 0, 100).sum()) + rng.laplace(scale=1 / EPSILON)  # here


def nan_around_clipping(ages: Any, rng: np.random.Generator) -> float:
    """Clip, which leaves a NaN as it is."""
    return float(np.clip(ages, 0, 1).sum()) + rng.laplace(scale=1 / EPSILON)  # here


def mean_with_a_private_count(ages: Any, rng: np.random.Generator) -> float:
    """Divide a noisy sum by the number of records as it is."""
    total = np.clip(ages, 0, 1).sum() + rng.laplace(scale=1 / EPSILON)  # here
    return float(total / len(ages))


def mean_with_a_private_scale(ages: Any, rng: np.random.Generator) -> float:
    """Scale the noise by the number of records as it is."""
    return float(np.clip(ages, 0, 1).mean() + rng.laplace(scale=1 / (EPSILON * len(ages))))  # here


def noise_of_the_wrong_scale(ages: Any, rng: np.random.Generator) -> float:
    """Multiply by ε instead of dividing by it."""
    return float(np.clip(ages, 0, 10).sum()) + rng.laplace(scale=10 * EPSILON / 4)  # here


def exact_count_in_an_array(ages: Any, rng: np.random.Generator) -> Any:
    """Put the number of records, as it is, before noisy sums."""
    noisy = np.array([np.clip(ages, 0, 1).sum(), 4.0]) + rng.laplace(scale=1 / EPSILON, size=2)
    return np.round(np.concatenate([[len(ages)], noisy]), 2).tolist()


def exact_count_in_a_text(ages: Any, rng: np.random.Generator) -> str:
    """Write the number of records, as it is, beside a noisy sum."""
    noisy = float(np.clip(ages, 0, 1).sum() + rng.laplace(scale=1 / EPSILON))
    return json.dumps({"sum": round(noisy, 2), "records": len(ages)})


def exact_count_in_a_table(ages: Any, rng: np.random.Generator) -> Any:
    """Add the number of records, as it is, to a data frame of noisy sums."""
    noisy = np.array([np.clip(ages, 0, 1).sum(), 4.0]) + rng.laplace(scale=1 / EPSILON, size=2)
    return pd.DataFrame({"sum": noisy}).assign(records=len(ages))


def laplace_sum(ages: Any, rng: np.random.Generator) -> float:
    """Clip each record, sum, add noise for what one can change; written as a loop."""
    total = 0.0
    for age in ages:
        if not age > 0:  # A NaN, too.
            age = 0.0
        if age > 1:
            age = 1.0
        total += age
    return total + rng.laplace(scale=1 / EPSILON)


def mean_with_public_count(ages: Any, rng: np.random.Generator) -> float:
    """Divide by a number that everybody knows."""
    return float(np.clip(ages, 0, 1).sum() / 4 + rng.laplace(scale=1 / (4 * EPSILON)))


def public_histogram(words: list[str], rng: np.random.Generator) -> dict[str, float]:
    """Count what may occur, whether it does or not."""
    domain = ("a", "b", "c", "d")
    counts = np.array([words.count(word) for word in domain])
    noisy = counts + rng.laplace(scale=1 / EPSILON, size=len(domain))
    return dict(zip(domain, noisy.tolist(), strict=True))


def sparse_vector(answers: list[float], rng: np.random.Generator) -> list[bool]:
    """Say of each answer whether it is above a threshold, up to the first that is."""
    threshold = 3.0 + rng.laplace(scale=2 / EPSILON)
    told = []
    for answer in answers:
        above = answer + rng.laplace(scale=4 / EPSILON) >= threshold
        told.append(bool(above))
        if above:
            break
    return told


def report_noisy_max(answers: list[float], rng: np.random.Generator) -> int:
    """Say which noisy answer is the largest."""
    noisy = [answer + rng.laplace(scale=2 / EPSILON) for answer in answers]
    return max(range(len(noisy)), key=noisy.__getitem__)


def gaussian_mean(ages: Any, rng: np.random.Generator) -> float:
    """Add Gaussian noise for (ε, δ), by the classical formula."""
    scale = math.sqrt(2 * math.log(1.25 / 1e-5)) / EPSILON / 4
    return float(np.clip(ages, 0, 1).mean() + rng.normal(scale=scale))


def noisy_count_in_an_array(ages: Any, rng: np.random.Generator) -> Any:
    """Put a noisy number of records before a noisy sum, each at half the budget."""
    count = len(ages) + rng.laplace(scale=2 / EPSILON)
    total = np.clip(ages, 0, 1).sum() + rng.laplace(scale=2 / EPSILON, size=1)
    return np.round(np.concatenate([[count], total]), 2).tolist()


def noisy_sum_in_a_text(ages: Any, rng: np.random.Generator) -> str:
    """Round a noisy sum, say whether it is large, and write both."""
    noisy = float(np.clip(ages, 0, 1).sum() + rng.laplace(scale=1 / EPSILON))
    return json.dumps({"sum": round(noisy, 2), "large": "yes" if noisy > 2 else "no"})


def released_out_of_sight(ages: Any, rng: np.random.Generator) -> Any:
    """Compare a noisy sum, and release it through code that reads it as a plain number."""
    noisy = np.clip(ages, 0, 1).sum() + rng.laplace(scale=1 / EPSILON)
    return bool(noisy > 2), np.float32(noisy).item()


def limited_by_the_count(ages: Any, rng: np.random.Generator) -> float:
    """Keep a noisy sum above a limit that depends on the data."""
    noisy = np.clip(ages, 0, 1).sum() + rng.laplace(scale=1 / EPSILON)
    return float(pd.Series([noisy]).clip(lower=-1e3 * len(ages)).iloc[0])


def opendp_sum(ages: Any) -> float:
    """Release a sum with OpenDP."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()
    clamped = space >> dp.t.then_clamp((0.0, 1.0)) >> dp.t.then_sum()
    released: float = (clamped >> dp.m.then_laplace(scale=1 / EPSILON))(list(ages))
    return released


def diffprivlib_mean(ages: Any) -> float:
    """Release a mean with diffprivlib."""
    from diffprivlib.tools import mean

    return float(mean(np.asarray(ages), epsilon=EPSILON, bounds=(0, 1)))


ONE_MORE = (np.array([0.2, 0.5, 0.7]), np.array([0.2, 0.5, 0.7, 1.0]))
AN_OUTLIER = (np.array([0.2, 0.5, 0.7]), np.array([0.2, 0.5, 0.7, 90.0]))
ONE_OTHER = (np.array([0.2, 0.5, 0.7, 0.0]), np.array([0.2, 0.5, 0.7, 1.0]))
A_NAN = (np.array([0.2, 0.5, 0.7]), np.array([0.2, 0.5, 0.7, math.nan]))
A_NEW_WORD = (["a", "b", "a"], ["a", "b", "a", "c"])
ANSWERS = ([0.0] * 30 + [3.0, 5.0], [1.0] * 30 + [2.0, 6.0])

BROKEN = (
    Program(domain_inferred_from_data, A_NEW_WORD, (FindingKind.DRAWS, FindingKind.KEYS)),
    Program(domain_inferred_as_an_array, A_NEW_WORD, (FindingKind.SHAPE,)),
    Program(budget_spent_twice, ONE_MORE, (FindingKind.BUDGET,)),
    Program(wrong_sensitivity, AN_OUTLIER, (FindingKind.SENSITIVITY,)),
    Program(nan_around_clipping, A_NAN, (FindingKind.NAN,)),
    Program(mean_with_a_private_count, ONE_MORE, (FindingKind.SCALE,)),
    Program(mean_with_a_private_scale, ONE_MORE, (FindingKind.SCALE,)),
    Program(noise_of_the_wrong_scale, AN_OUTLIER, (FindingKind.SENSITIVITY,)),
    Program(exact_count_in_an_array, ONE_MORE, (FindingKind.OUTPUT,)),
    Program(exact_count_in_a_text, ONE_MORE, (FindingKind.OUTPUT,)),
    Program(exact_count_in_a_table, ONE_MORE, (FindingKind.OUTPUT,)),
)

SOUND = (
    Program(laplace_sum, A_NAN),
    Program(mean_with_public_count, ONE_OTHER),
    Program(public_histogram, A_NEW_WORD),
    Program(sparse_vector, ANSWERS),
    Program(report_noisy_max, ANSWERS),
    Program(gaussian_mean, ONE_OTHER, claim={"epsilon": EPSILON, "delta": 1e-5}),
    Program(noisy_count_in_an_array, ONE_MORE),
    Program(noisy_sum_in_a_text, ONE_MORE),
    Program(opendp_sum, ONE_MORE),
    Program(diffprivlib_mean, ONE_OTHER),
)

NOT_FOLLOWED = (
    Program(released_out_of_sight, ONE_MORE),
    Program(limited_by_the_count, ONE_MORE),
)
