"""Priv-PC on discrete columns: as printed, as released, and repaired.

Source: Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020),
Algorithm 2; the authors' released code. What is wrong with them, and the argument for the
repaired one: the ledger's ``wang2020/algorithm2-privacy``, ``thm1-algorithm1`` and
``thm3-conditional-kendall``.

The orientation of edges reads only what the tests answered. Noise is drawn in floating point; only
comparisons with it are released, not noisy numbers.
"""

from typing import Unpack

from provado.mechanisms.accounting.pld import LaplaceNoise, Part
from provado.mechanisms.definitions import PureDP, UsageError
from provado.mechanisms.definitions.parameters import positive
from provado.mechanisms.definitions.relation import counted
from provado.mechanisms.noise.sieve import optimal_share, sieve_scales

from ..independence_tests.margin import Margin, PrintedMargin, ProvedMargin, ReleasedMargin
from ..tables.coded import CodedTable
from .budget import rounds_by_pairs
from .method import NO_BOUND, REPAIRED, REQUIRED, Method, orders_by_rows
from .rounds import PrivatelyDiscovered, PrivateWork, RoundNoise, questions, run_rounds_on
from .runtime_estimate import seconds_as_tests

LARGEST_EPSILON = 1000
"""Of one round: e^(ε/2) stays representable, and no privacy is left long before."""


@seconds_as_tests(orders_by_rows)
def priv_pc_printed(
    data: CodedTable,
    *,
    threshold: float,
    tweak: float,
    subset: int | None = None,
    **work: Unpack[PrivateWork],
) -> PrivatelyDiscovered:
    """Return what Algorithm 2 finds with the noise of the text, (n/m)·Δ in the sieve, Δ = 9/(2n).

    epsilon: ε of each sieve-and-examine. threshold, tweak: T and t, in terms of 1 − |τ̄|. subset: m;
    n·``optimal_share`` by default. max_order: ``largest_order`` by default. work: see ``Work`` and
    ``seconds_as_tests``.

    Charges one ε for each answer of the sieve. That is no bound on what a run tells, and Δ no bound
    on the sensitivity. Raises ``UsageError`` for arguments out of range.
    """
    return _sieve_and_examine(data, PrintedMargin(threshold, tweak), subset, None, **work)


@seconds_as_tests(orders_by_rows)
def priv_pc_released(
    data: CodedTable,
    *,
    alpha: float = 0.1,
    tweak: float = 0.02,
    subset: int | None = None,
    **work: Unpack[PrivateWork],
) -> PrivatelyDiscovered:
    """Return what Priv-PC finds as the authors' released code runs it: p-values of z-scores.

    alpha: the level; see ``ReleasedMargin``. Other parameters, the charge, what is wrong with it,
    and errors as of ``priv_pc_printed``.
    """
    return _sieve_and_examine(data, ReleasedMargin(alpha, tweak), subset, None, **work)


@seconds_as_tests(orders_by_rows)
def priv_pc_repaired(
    data: CodedTable,
    *,
    rounds: int,
    alpha: float = 0.1,
    tweak: float = 0.02,
    subset: int | None = None,
    **work: Unpack[PrivateWork],
) -> PrivatelyDiscovered:
    """Return what Priv-PC finds with a proved sensitivity and every round paid for.

    epsilon: ε of each sieve-and-examine. rounds: c, fixed beforehand; after c answers the run ends
    and the edges that are left stay. alpha, tweak: see ``ProvedMargin``. subset: m; all records by
    default, which adds the least noise, as the sensitivity grows as 1/m. max_order:
    ``largest_order`` by default. work: as of ``priv_pc_printed``.

    Guarantee: under replacement of one record, what c mechanisms that are ε-DP promise together,
    for n and the columns' levels fixed beforehand. Charged are c rounds, however many took place.
    Each sieve is the sparse vector on queries of sensitivity 1 with noise Lap(2/ε′) and Lap(4/ε′),
    ε/2-DP by ``sieve_epsilon``; each examination has noise Lap(2/ε), ε/2-DP. Raises ``UsageError``
    for arguments out of range.
    """
    m = data.n if subset is None else subset
    return _sieve_and_examine(data, ProvedMargin(alpha, tweak), m, rounds, **work)


def sieve_noise(epsilon: float, n: int, m: int) -> RoundNoise:
    """Return the noise of ``sieve_scales`` on m of n records, in units of sensitivity."""
    return RoundNoise(*sieve_scales(epsilon, n, m))


def _sieve_and_examine(
    data: CodedTable,
    margin: Margin,
    subset: int | None,
    rounds: int | None,
    **work: Unpack[PrivateWork],
) -> PrivatelyDiscovered:
    epsilon = positive(work["epsilon"], "epsilon")
    if epsilon > LARGEST_EPSILON:
        raise UsageError(f"epsilon is {epsilon!r}: a round has at most {LARGEST_EPSILON}")
    m = int(optimal_share(epsilon) * data.n) if subset is None else subset
    if subset is None and m < 1:
        raise UsageError(f"data has {counted(data.n, 'record')}: the sieve's subset would be empty")
    noise = sieve_noise(epsilon, data.n, m)
    return run_rounds_on(data, questions(data, margin, m), noise, _parts(epsilon), rounds, **work)


def _parts(epsilon: float) -> tuple[Part, ...]:
    return PureDP(epsilon / 2), LaplaceNoise(1.0, 2 / epsilon)


_SIEVE = {"alpha": 0.1, "max_order": None, "tweak": 0.02}
_PRINTED = {"threshold": REQUIRED, "tweak": REQUIRED, "max_order": None}

_REPAIRED = Method(
    "priv-pc",
    REPAIRED,
    "Priv-PC",
    priv_pc_repaired,
    _SIEVE,
    parts=_parts,
    rounds=lambda d, *_: rounds_by_pairs(d, 2),
    tests=orders_by_rows,
    noise=lambda epsilon, n: sieve_noise(epsilon, n, n),
)

METHODS = (
    _REPAIRED,
    _REPAIRED.published("released", priv_pc_released, _SIEVE, NO_BOUND),
    _REPAIRED.published("printed", priv_pc_printed, _PRINTED, NO_BOUND),
)
