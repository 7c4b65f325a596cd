"""SVT-PC on discrete columns: the sparse vector alone, as released and repaired.

Source: Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020),
section 4.1; the authors' released code. The ledger's ``wang2020/algorithm2-privacy`` and
``thm3-conditional-kendall`` say what is wrong and repair it.
"""

from typing import Unpack

from ..independence_tests.margin import Margin, ProvedMargin, ReleasedMargin
from ..tables.coded import CodedTable
from .method import NO_BOUND, REPAIRED, Method, all_pairs, one_answer, orders_by_rows
from .rounds import (
    PrivatelyDiscovered,
    PrivateWork,
    RoundNoise,
    questions,
    run_rounds_on,
    vector_noise,
)
from .runtime_estimate import seconds_as_tests


@seconds_as_tests(orders_by_rows)
def svt_pc_released(
    data: CodedTable, *, alpha: float = 0.1, **work: Unpack[PrivateWork]
) -> PrivatelyDiscovered:
    """Return what SVT-PC finds: the sparse vector alone, on all records, as released.

    Noise Lap(2S/ε) on the level, drawn anew after each answer, and Lap(8S/ε) on each p-value. (The
    released code draws the later levels from the normal distribution with that standard deviation,
    against its own paper; no ε holds then. Here all are Laplace, the reading in its favor.)
    Charges one ε for each answer; see ``priv_pc_printed`` for what is wrong with that, and
    ``p_value_sensitivity_released`` for S. work: as of ``priv_pc_printed``.
    Raises ``UsageError`` for arguments out of range.
    """
    return _sparse_vector(data, ReleasedMargin(alpha, 0.0), 8, None, **work)


@seconds_as_tests(orders_by_rows)
def svt_pc_repaired(
    data: CodedTable, *, rounds: int, alpha: float = 0.1, **work: Unpack[PrivateWork]
) -> PrivatelyDiscovered:
    """Return what SVT-PC finds with a proved sensitivity and every round paid for.

    Noise Lap(2/ε) and Lap(4/ε) in units of the sensitivity. Parameters, guarantee and errors as of
    ``priv_pc_repaired``.
    """
    return _sparse_vector(data, ProvedMargin(alpha, 0.0), 4, rounds, **work)


def _sparse_vector(
    data: CodedTable, margin: Margin, query: int, rounds: int | None, **work: Unpack[PrivateWork]
) -> PrivatelyDiscovered:
    asked = questions(data, margin, data.n)
    noise = vector_noise(work["epsilon"], query)
    return run_rounds_on(data, asked, noise, one_answer(work["epsilon"]), rounds, **work)


_PARAMETERS = {"alpha": 0.1, "max_order": None}

_REPAIRED = Method(
    "svt-pc",
    REPAIRED,
    "SVT-PC",
    svt_pc_repaired,
    _PARAMETERS,
    parts=one_answer,
    rounds=all_pairs,
    tests=orders_by_rows,
    noise=lambda epsilon, _: RoundNoise(0.0, 4 / epsilon, None),
)

METHODS = (_REPAIRED, _REPAIRED.published("released", svt_pc_released, _PARAMETERS, NO_BOUND))
