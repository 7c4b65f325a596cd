"""What is claimed of each algorithm of dpest's report, what is shown of it, and by which event.

The published columns are those of docs/privacy_loss_report.md of tak-ka3/dpest-v2: a million
samples, on another machine; ε = 1/10 throughout, but for RAPPOR.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from benchmarks import prove_rows as programs
from benchmarks.prove_losses import loss_of
from benchmarks.prove_max_sum import loss_of_sum
from provado.proofs.programs.probability.finite_data import Quotient
from provado.proofs.programs.probability.output_probability import NUMBER, Event, Interval

F = Fraction
EPSILON = F(1, 10)
INFINITE = math.inf
Answers = tuple[int, ...]
Pair = tuple[Answers, Answers]


@dataclass(frozen=True)
class Row:
    """One algorithm: published figures, claim, neighbors, and how much an event tells.

    size: inputs. ideal, estimate, seconds: as printed. claim: the published ε (where it is ∞, the
    ε that the algorithm is called with); bound: what is proved in its place where the claim fails,
    for any number of queries; factor: the proved bound at this size, in units of ε. quotient: the
    exact loss of an event at this size, ``None`` where all data are tried (``pairs``). at: the
    value of ε for the table. more: what
    is to be said besides.
    """

    name: str
    program: Callable[..., Any]
    size: int
    ideal: float
    estimate: float
    seconds: float
    neighbors: str = "all"
    claim: str | None = "epsilon"
    bound: str | None = None
    factor: Fraction | None = None
    quotient: Callable[[], Quotient] | None = None
    pairs: tuple[Pair, ...] = ()
    at: float = float(EPSILON)
    exact: str = ""
    more: str = ""


def told(*parts: int | Interval | None) -> Event:
    """Return the event that these numbers are told: just these, in intervals, or any."""
    limits = [p if p is None or isinstance(p, tuple) else (F(p), F(p)) for p in parts]
    return Event((NUMBER,) * len(parts), tuple(limits))


LOW: Interval = (None, F(0))
FAR = 2000
"""How far answers lie above the others where a loss is only come near."""


def _loss(program: Callable[..., Any], pair: Pair, event: Event, **values: Any) -> Any:
    return lambda: loss_of(program, pair, event, parameters=values)


def _moved(d: Answers, *by: int) -> Pair:
    return d, tuple(a + m for a, m in zip(d, by, strict=True))


_ZEROS = (0,) * 10
_UP = _moved((0,) * 5, 1, 1, 1, 1, 1)
_FIRST = _moved((FAR,) * 9 + (0,), *[1] * 9, -1)
_TWO = _moved((FAR,) * 8 + (0, 0), *[1] * 8, -1, -1)
_HALVES = _moved((FAR,) * 5 + (-FAR,) * 5, *[1] * 5, *[-1] * 5)
_NINE = told(*[0] * 9, 1)
_FILTERS: Pair = ((1,) * 4 + (0,) * 4, (0,) * 4 + (1,) * 4)

ROWS = (
    Row(
        "NoisyHist1",
        programs.noisy_histogram,
        5,
        0.10,
        0.5001,
        0.04,
        "one",
        factor=F(1),
        quotient=_loss(
            programs.noisy_histogram,
            _moved((0,) * 5, 1, 0, 0, 0, 0),
            told(LOW, None, None, None, None),
        ),
        more="the estimate is 5·ε, of five counts that all move",
    ),
    Row(
        "NoisyHist2",
        programs.noisy_histogram_wrong_scale,
        5,
        10.00,
        19.9901,
        0.03,
        "one",
        claim="1/epsilon",
        factor=F(10),
        quotient=lambda: loss_of(
            programs.noisy_histogram_wrong_scale,
            _moved((0,) * 5, 1, 0, 0, 0, 0),
            told(LOW, None, None, None, None),
            parameters={"epsilon": EPSILON},
            rate=None,
        ),
        exact="1/ε",
        more="the estimate is near that of two counts that move, 2/ε",
    ),
    Row(
        "ReportNoisyMax1",
        programs.noisy_max_laplace,
        5,
        0.10,
        0.1040,
        2.72,
        factor=F(1),
        quotient=_loss(
            programs.noisy_max_laplace, _moved((-FAR, 0, 0, 0, 0), -1, 1, 1, 1, 1), told(0)
        ),
    ),
    Row(
        "ReportNoisyMax2",
        programs.noisy_max_exponential,
        5,
        0.10,
        0.0964,
        2.71,
        factor=F(1),
        quotient=_loss(
            programs.noisy_max_exponential, _moved((1, 2, 2, 2, 2), -1, 1, 1, 1, 1), told(0)
        ),
    ),
    Row(
        "ReportNoisyMax3",
        programs.noisy_max_value_laplace,
        5,
        INFINITE,
        1.5520,
        2.71,
        bound="len(q)*epsilon/2",
        factor=F(5, 2),
        quotient=_loss(programs.noisy_max_value_laplace, _UP, told(LOW)),
    ),
    Row(
        "ReportNoisyMax4",
        programs.noisy_max_value_exponential,
        5,
        INFINITE,
        8.6719,
        2.72,
        quotient=_loss(programs.noisy_max_value_exponential, _UP, told((F(0), F(1)))),
    ),
    Row(
        "LaplaceMechanism",
        programs.laplace_mechanism,
        1,
        0.10,
        0.1000,
        0.01,
        factor=F(1),
        quotient=_loss(programs.laplace_mechanism, ((0,), (1,)), told(LOW)),
    ),
    Row(
        "LaplaceParallel",
        programs.laplace_parallel,
        20,
        0.10,
        0.1003,
        0.02,
        factor=F(1),
        quotient=_loss(programs.laplace_parallel, ((0,), (1,)), told(*[LOW] * 20)),
    ),
    Row(
        "SVT1",
        programs.svt_1,
        10,
        0.10,
        0.0920,
        273.63,
        factor=F(1),
        quotient=_loss(programs.svt_1, _FIRST, _NINE, threshold=F(1, 2), count=1),
    ),
    Row(
        "SVT2",
        programs.svt_2,
        10,
        0.10,
        0.0843,
        282.52,
        factor=F(1),
        quotient=_loss(programs.svt_2, _FIRST, _NINE, threshold=1, count=1),
    ),
    Row(
        "SVT3",
        programs.svt_3,
        10,
        INFINITE,
        INFINITE,
        46.03,
        bound="len(q)*epsilon/(2*count)",
        factor=F(5),
        quotient=_loss(
            programs.svt_3, _moved(_ZEROS, *[1] * 10), told(*[0] * 9, LOW), threshold=1, count=1
        ),
    ),
    Row(
        "SVT4",
        programs.svt_4,
        10,
        0.18,
        0.1761,
        307.74,
        claim="(1+6*count)*epsilon/4",
        factor=F(7, 4),
        quotient=_loss(programs.svt_4, _FIRST, _NINE, threshold=1, count=1),
        more="0.18 is 0.175, rounded",
    ),
    Row(
        "SVT5",
        programs.svt_5,
        10,
        INFINITE,
        INFINITE,
        24.81,
        quotient=_loss(
            programs.svt_5, _moved((0, 1) * 5, *[1, -1] * 5), told(*[0, 1] * 5), threshold=1
        ),
    ),
    Row(
        "SVT6",
        programs.svt_6,
        10,
        INFINITE,
        0.4976,
        281.40,
        bound="len(q)*epsilon/2",
        factor=F(5),
        quotient=_loss(programs.svt_6, _HALVES, told(*[0] * 5, *[1] * 5), threshold=1),
    ),
    Row(
        "NumericalSVT",
        programs.numerical_svt,
        10,
        0.10,
        INFINITE,
        58.76,
        factor=F(1),
        quotient=_loss(
            programs.numerical_svt,
            _TWO,
            told(*[0] * 8, (F(0), None), (F(0), None)),
            threshold=1,
            count=2,
        ),
    ),
    Row(
        "PrefixSum",
        programs.prefix_sum,
        10,
        0.10,
        INFINITE,
        125.87,
        "one",
        factor=F(1),
        quotient=_loss(programs.prefix_sum, _moved(_ZEROS, 1, *[0] * 9), told(LOW, *[None] * 9)),
    ),
    Row(
        "SVT34Parallel",
        programs.svt_3_and_4,
        10,
        INFINITE,
        INFINITE,
        105.44,
        bound="len(q)*epsilon/(2*count)+(1+6*count)*epsilon/4",
        factor=F(23, 4),
        quotient=_loss(
            programs.svt_3_and_4,
            _TWO,
            told(*[0] * 8, (F(0), F(FAR)), (F(0), F(FAR)), *[0] * 8, 1, 1),
            threshold=1,
            count=2,
        ),
    ),
    Row(
        "OneTimeRAPPOR",
        programs.one_time_rappor,
        1,
        0.80,
        0.6005,
        0.00,
        claim="0.8007",
        pairs=(_FILTERS,),
        exact="ln((21/19)^8)",
        more="0.80 is rounded. With 4 hashes two filters differ in at most 8 of 20 bits, those of "
        "the pair; the others are drawn alike. The estimate is 6·ln(21/19)",
    ),
    Row(
        "RAPPOR",
        programs.rappor,
        1,
        0.40,
        0.3001,
        0.00,
        claim="0.4001",
        pairs=(_FILTERS,),
        exact="ln((41/39)^8)",
        more="0.40 is rounded; the estimate is 6·ln(41/39)",
    ),
    Row(
        "TruncatedGeometric",
        programs.truncated_geometric,
        5,
        0.12,
        0.1312,
        23.62,
        pairs=tuple(((k,), (k + 1,)) for k in range(5)),
        exact="ε",
        at=math.log(9 / 8),
        more="for every ε; published at e^(−ε) = 8/9, where it is ln(9/8)",
    ),
    Row(
        "NoisyMaxSum",
        programs.noisy_max_sum,
        20,
        INFINITE,
        2.7707,
        24.27,
        bound="len(q)*epsilon",
        factor=F(20),
        quotient=lambda: loss_of_sum(10, F(-(10**10))),
    ),
)
"""The twenty-one, in the report's order but for the two kinds of noise of the maxima."""

MOVING = (
    Row(
        "NoisyHist1, all counts move",
        programs.noisy_histogram,
        5,
        0.10,
        0.5001,
        0.04,
        bound="len(q)*epsilon",
        factor=F(5),
        quotient=_loss(programs.noisy_histogram, _UP, told(*[LOW] * 5)),
    ),
    Row(
        "PrefixSum, all answers move",
        programs.prefix_sum,
        10,
        0.10,
        INFINITE,
        125.87,
        bound="len(q)*epsilon",
        factor=F(10),
        # Sums and noisy answers tell one another, so that the loss is that of the latter.
        quotient=_loss(programs.noisy_histogram, _moved(_ZEROS, *[1] * 10), told(*[LOW] * 10)),
        more="by its items, which tell the sums and are told by them",
    ),
)
"""Two of them for the neighbors that the report names, or has estimated."""
