"""The fifteen mechanisms on which black-box auditors were compared, with their known best events.

The oracle of a row knows the best single event beforehand; each run is assigned to D or D′ by a
fair coin, and one exact binomial bounds ε. ``rival`` holds the certified lower bounds that other
tools reached, measured once with 500,000 runs per input at 95 %.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from provado.audit.bounds.binomial import binomial_epsilon_lower
from provado.mechanisms import Mechanism, PureDP
from provado.mechanisms.catalogue import catalogue
from provado.mechanisms.textbook.noisy_max import report_noisy_max_probabilities
from provado.mechanisms.textbook.sparse_vector import sparse_vector
from tests.mechanisms.exact.sparse_vector import pattern_probabilities, patterns
from tests.mechanisms.exact_probabilities import truncated_geometric_probabilities

CATALOGUE = {mechanism.name: mechanism for mechanism in catalogue()}


@dataclass(frozen=True)
class Row:
    """One row: a mechanism on one pair, the events its oracle chooses from, the rivals' figures.

    events: pairs (Pr[E | D], Pr[E | D′]). bar: the share of the oracle that must be certified.
    rival: StatDP, DP-Sniper at its better constant, DP-Auditorium.
    """

    name: str
    mechanism: Mechanism
    events: tuple[tuple[float, float], ...]
    bar: float
    rival: tuple[str, str, str]

    def oracle(self, trials: int, alpha: float = 0.05) -> float:
        """Return the median certified ε of the best event, from its expected counts."""
        return max(_conditional(p, q, trials, alpha) for p, q in self.events)


def _conditional(p: float, q: float, trials: int, alpha: float) -> float:
    p, q = max(p, q), min(p, q)
    right, wrong = round(trials / 2 * p), round(trials / 2 * q)
    return binomial_epsilon_lower(right, wrong, alpha)


def rows() -> tuple[Row, ...]:
    """Return the rows in their published order."""
    tail = lambda epsilon: ((0.5, 0.5 * math.exp(-epsilon)),)  # noqa: E731
    truth = math.e / (1 + math.e)
    argmax = CATALOGUE["noisy-max/laplace"]
    laplace = CATALOGUE["twin/noisy-max-value-laplace"]
    exponential = CATALOGUE["twin/noisy-max-value-exponential"]
    geometric = CATALOGUE["truncated-geometric/five"]
    return (
        Row(
            "Laplace ε=.1", CATALOGUE["laplace/grid-0.1"], tail(0.1), 0.97, (".0895", ".0848", "–")
        ),
        Row("Laplace ε=1", CATALOGUE["laplace/grid-1"], tail(1.0), 0.97, (".989", ".9816", ".9")),
        Row(
            "Laplace, scale for .2, claimed .1",
            CATALOGUE["twin/laplace-wrong-scale"],
            tail(0.2),
            0.97,
            (".1941", ".1883", ".15"),
        ),
        Row(
            "randomized response",
            CATALOGUE["randomized-response/binary"],
            ((truth, 1 - truth),),
            0.97,
            (".989", ".9861", ".9"),
        ),
        Row(
            "truncated geometric",
            geometric,
            _up_sets(
                truncated_geometric_probabilities(geometric.pairs[0][0], **_keywords(geometric)),
                truncated_geometric_probabilities(geometric.pairs[0][1], **_keywords(geometric)),
            ),
            0.97,
            (".1104", ".1035", "–"),
        ),
        Row(
            "histogram, scale 2",
            CATALOGUE["histogram/laplace"],
            tail(0.5),
            0.97,
            (".469", ".4893", ".45"),
        ),
        Row(
            "histogram, scale .5",
            CATALOGUE["twin/histogram-wrong-scale"],
            tail(2.0),
            0.97,
            ("1.95", "1.987", "1.8"),
        ),
        Row(
            "noisy max, argmax",
            argmax,
            tuple(
                zip(
                    *(
                        report_noisy_max_probabilities(d, **_keywords(argmax)).tolist()
                        for d in argmax.pairs[0]
                    ),
                    strict=True,
                )
            ),
            0.97,
            (".45", ".4656", "–"),
        ),
        Row(
            "noisy max, value",
            laplace,
            tuple(_max_below(t, _laplace_cdf) for t in np.linspace(-20, 3, 400)),
            0.97,
            (".94", "1.205", "missed"),
        ),
        Row(
            "noisy max, exponential, value",
            exponential,
            tuple(_max_below(t, _exponential_cdf) for t in np.linspace(2, 3, 400)),
            0.90,
            (".94", "1.408", "–"),
        ),
        Row(
            "SVT 1",
            Mechanism(
                "bench/svt-1",
                partial(sparse_vector, threshold=0.5, epsilon=1.0, cutoff=1),
                PureDP(1.0),
                CATALOGUE["sparse-vector/svt-1"].relation,
                CATALOGUE["twin/svt-4"].pairs,
                CATALOGUE["sparse-vector/svt-1"].source,
                CATALOGUE["sparse-vector/svt-1"].expected,
                "SVT 1 at threshold .5",
            ),
            _patterns(CATALOGUE["twin/svt-4"].pairs[0], 0.5, 2.0, 4.0, 1),
            0.97,
            (".675", ".894", "0"),
        ),
        Row("SVT 3", CATALOGUE["twin/svt-3"], (), 0.0, ("1.5", "1.427", "–")),
        Row(
            "SVT 4",
            CATALOGUE["twin/svt-4"],
            _patterns(CATALOGUE["twin/svt-4"].pairs[0], 1.0, 4.0, 4 / 3, 1),
            0.97,
            ("1.575", "1.513", "missed"),
        ),
        Row(
            "SVT 5",
            CATALOGUE["twin/svt-5"],
            ((0.0, 1 - math.exp(-0.5)),),
            0.90,
            ("5.6", "3.66", "3.6"),
        ),
        Row(
            "SVT 6",
            CATALOGUE["twin/svt-6"],
            _patterns(CATALOGUE["twin/svt-6"].pairs[0], 1.0, 2.0, 2.0, None),
            0.90,
            ("2.6", "2.19", "1.0"),
        ),
    )


def _keywords(mechanism: Mechanism) -> dict[str, Any]:
    assert isinstance(mechanism.run, partial)
    return dict(mechanism.run.keywords)


def _up_sets(p: Iterable[Any], q: Iterable[Any]) -> tuple[tuple[float, float], ...]:
    a, b = [float(x) for x in p], [float(x) for x in q]
    return tuple((sum(a[i:]), sum(b[i:])) for i in range(len(a)))


def _laplace_cdf(x: float) -> float:
    return 0.5 * math.exp(x / 4) if x < 0 else 1 - 0.5 * math.exp(-x / 4)


def _exponential_cdf(x: float) -> float:
    return -math.expm1(-x / 4) if x > 0 else 0.0


def _max_below(t: float, cdf: Any) -> tuple[float, float]:
    return cdf(t - 1) ** 5, cdf(t - 2) ** 5


def _patterns(
    pair: Any, threshold: float, threshold_scale: float, query_scale: float, cutoff: int | None
) -> tuple[tuple[float, float], ...]:
    every = patterns(len(pair[0]), cutoff)
    p, q = (
        pattern_probabilities(
            d,
            every,
            threshold=threshold,
            threshold_scale=threshold_scale,
            query_scale=query_scale,
        )
        for d in pair
    )
    return tuple(zip(p.tolist(), q.tolist(), strict=True))
