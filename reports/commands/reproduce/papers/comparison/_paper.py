"""Which methods are compared and on what terms, their stated sensitivities, and what is shown.

A stated sensitivity is compared with the largest change over all datasets of a few records.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.catalogue import catalogue
from provado.mechanisms.graph_discovery.independence_tests import rcit
from provado.mechanisms.graph_discovery.methods.deletion_utility import greedy_removals
from provado.mechanisms.graph_discovery.methods.method import Method, methods
from provado.mechanisms.graph_discovery.tables.contingency import stratified_tau
from provado.mechanisms.regression.kernels import SquaredExponential
from provado.mechanisms.scores import conditional_ranks
from provado.mechanisms.scores.hsic.hsic import hsic, hsic_sensitivity_improved
from provado.mechanisms.scores.hsic.permuted import root_hsic_sensitivity

from ...experiment import Answers, Cell, PaperClaim, PaperTable, under
from .._audit import certified_by, true_epsilon

TOTALS = (1.0, 4.0, 16.0)
DELTA = 1e-3
"""ε and δ of everything that a run of a repaired method spends, shared out beforehand."""

LEVEL, TESTED = 0.05, 60
"""Level of the permutation tests, and records of each null dataset."""


@cache
def private_methods() -> tuple[Method, ...]:
    """Return the methods of tests that claim privacy, in all versions."""
    return tuple(method for method in methods() if method.private and method.counts == "tests")


def sound(numeric: bool) -> tuple[Method, ...]:
    """Return those without a known flaw, on discrete or on numeric columns."""
    return tuple(m for m in private_methods() if m.flaw is None and m.numeric is numeric)


def audited_as(method: Method) -> str | None:
    """Return the name of a method's graph of three columns in the catalogue."""
    names = {mechanism.name for mechanism in catalogue()}
    wanted = f"{method.name}/graph"
    if method.flaw is not None:
        wanted = f"twin/{method.name}-graph-{method.version}"
    return wanted if wanted in names else None


Record = tuple[int, ...]
Counts = tuple[int, ...]

ALPHA, WIDTH, LAM = 0.05, 1.0, 1.0


@dataclass(frozen=True)
class StatedSensitivity:
    """A score of a few records, and how far one replaced record is said to move it.

    ledger: the statement that is about it in general. domain: the values of a record. n: records.
    value: of a dataset, given as how often each value occurs. bound: what is stated for n records.
    """

    methods: str
    what: str
    ledger: str
    domain: tuple[Record, ...]
    n: int
    value: Callable[[Counts], float]
    bound: float


def largest_move(stated: StatedSensitivity) -> tuple[float, Counts, Counts]:
    """Return the largest change between all neighbors, replace-one, and two that reach it.

    Datasets that differ in the order of their records only count once: no score here sees it.
    """
    values = {counts: stated.value(counts) for counts in datasets(len(stated.domain), stated.n)}
    most, first, second = -1.0, next(iter(values)), next(iter(values))
    for counts, value in values.items():
        for gone, come in itertools.permutations(range(len(counts)), 2):
            # Each pair of neighbors once: the record that comes has the later value.
            if gone < come and counts[gone]:
                other = list(counts)
                other[gone] -= 1
                other[come] += 1
                moved = abs(values[tuple(other)] - value)
                if moved > most:
                    most, first, second = moved, counts, tuple(other)
    return most, first, second


def datasets(cells: int, n: int) -> Iterator[Counts]:
    """Yield every way to put n records into so many cells."""
    for bars in itertools.combinations(range(n + cells - 1), cells - 1):
        ends = (-1, *bars, n + cells - 1)
        yield tuple(b - a - 1 for a, b in itertools.pairwise(ends))


def _rows(domain: Sequence[Record], counts: Counts) -> NDArray[np.int64]:
    return np.repeat(np.array(domain), counts, axis=0)


def _average(domain: Sequence[Record], counts: Counts) -> float:
    rows = _rows(domain, counts)
    return float(conditional_ranks.conditional_tau_average(rows[:, 0], rows[:, 1], rows[:, 2]))


def _p_value(counts: Counts) -> float:
    # The last coordinate of a record is its stratum; the cells stand in that order.
    return stratified_tau(np.array(counts).reshape(2, 2, 2).transpose(2, 0, 1)).p_value


def _removals(critical: float, counts: Counts) -> float:
    return greedy_removals(np.array(counts).reshape(1, 2, 2), critical)


def _numeric(score: Callable[..., float], domain: Sequence[Record], counts: Counts) -> float:
    rows = _rows(domain, counts).astype(np.float64)
    return score(*rows.T)


def _rcit(x: ArrayLike, y: ArrayLike, z: ArrayLike) -> float:
    kernel = SquaredExponential(WIDTH)
    return rcit.rcit_score(x, y, z, kernel_x=kernel, kernel_y=kernel, ridge_kernel=kernel, lam=LAM)


def _hsic(x: ArrayLike, y: ArrayLike) -> float:
    kernel = SquaredExponential(WIDTH)
    return hsic(x, y, kernel, kernel)


def _root(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """Return √(trace(KHLH))/m."""
    return math.sqrt(max(_hsic(x, y), 0.0)) * (x.size - 1) / x.size


def all_stated() -> tuple[StatedSensitivity, ...]:
    """Return every sensitivity that a method takes for its test, with its score."""
    from scipy.special import chdtri

    bits = tuple(itertools.product((0, 1), repeat=3))
    signs = tuple(itertools.product((-1, 1), repeat=3))
    grid = tuple(itertools.product((-1, 0, 1), repeat=2))
    square = tuple(itertools.product((0, 1), repeat=2))
    n, few, many = 9, 6, 20
    slope = SquaredExponential(WIDTH).lipschitz
    average, margin = partial(_average, bits), partial(_numeric, _rcit, signs)
    root, score = partial(_numeric, _root, grid), partial(_numeric, _hsic, grid)
    greedy = partial(_removals, float(chdtri(1, ALPHA)))
    tau, removed = "wang2020/thm3-conditional-kendall", "wang2020/empc-sensitivity"
    rows: tuple[tuple[Any, ...], ...] = (
        ("priv-pc, svt-pc, printed", "average τ given a column, 9/(2n)", tau, bits, n,
         average, float(conditional_ranks.average_sensitivity_printed(n))),
        ("priv-pc, svt-pc, em-pc, curate, repaired", "average τ given a column, 12/(2n − 7K)",
         tau, bits, n, average, float(conditional_ranks.average_sensitivity(n, 2))),
        ("priv-pc, svt-pc, released", "p-value of τ given a column, ∫ φ to 6/√n", tau, bits,
         n, _p_value, conditional_ranks.p_value_sensitivity_released(n)),
        ("curate, released", "p-value of τ given a column, .7253/√n",
         "curate2024/sensitivity", bits, n, _p_value,
         conditional_ranks.p_value_sensitivity_curate(n)),
        ("em-pc, released", "rows removed greedily, 1", removed, square, many, greedy, 1.0),
        ("pcd, printed", "HSIC of residuals, equation (3)", "zhang2023/thm3-eq3", signs, few,
         margin, rcit.rcit_sensitivity_printed(few, LAM, WIDTH, WIDTH)),
        ("pcd, repaired", "HSIC of residuals, 8/(m − 1) + …", "zhang2023/thm3-eq3", signs,
         few, margin, rcit.rcit_sensitivity(few, LAM, slope, slope)),
        ("pcd, order 0", "HSIC, (12m − 11)/(m − 1)²", "zhang2023/thm1", grid, few, score,
         float(hsic_sensitivity_improved(few))),
        ("dphsic-pc", "root of HSIC, 4(m − 1)/m²", "kim2023/root-hsic", grid, few, root,
         root_hsic_sensitivity(few)),
    )  # fmt: skip
    return tuple(StatedSensitivity(*row) for row in rows)


def tables(answers: Answers, rows: int, records: int) -> tuple[PaperTable, ...]:
    """Return all tables; rows, records: of each sample of a network and of a nonlinear model."""
    return (
        _claims(under(answers, "release")),
        _sensitivities(under(answers, "sensitivity")),
        _accuracy("discrete", under(answers, "f1/discrete"), f"{rows:,} rows of a network"),
        _accuracy(
            "numeric", under(answers, "f1/numeric"), f"{records:,} records of a nonlinear model"
        ),
        PaperTable(
            "levels",
            f"Rejections at the level {LEVEL:g} where two columns of {TESTED} records are "
            "independent, with a 95 % Clopper–Pearson interval.",
            ("test", "nulls", "rejected", "share", "lowest", "highest"),
            tuple(level_rows(under(answers, "level"))),
        ),
    )


def comparisons(answers: Answers) -> tuple[PaperClaim, ...]:
    """Return whether claims, stated sensitivities and levels hold, as far as was seen."""
    releases, stated = under(answers, "release"), under(answers, "sensitivity")
    return compared(releases, stated, level_rows(under(answers, "level")))


def _claims(releases: Answers) -> PaperTable:
    rows: list[tuple[Cell, ...]] = []
    for method in private_methods():
        a = releases.get(audited_as(method) or "")
        cells: tuple[Cell, ...] = (None, None, None, "not audited")
        flaw = method.flaw.words if method.flaw else "none known"
        if a is not None:
            cells = (a["claim"], true_epsilon(a), certified_by(a), a["verdict"])
        rows.append((method.title, method.version or "", *cells, flaw))
    return PaperTable(
        "claims",
        "Each method on three columns and a few records, where the distribution of whole runs is "
        "known: its claim, the exact ε of the pair that is audited, and the certified lower bound.",
        ("method", "version", "claim", "exact ε", "certified ε ≥", "verdict", "known flaw"),
        rows,
    )


def _sensitivities(stated: Answers) -> PaperTable:
    rows: list[tuple[Cell, ...]] = []
    for key, a in stated.items():
        methods_of, _, what = key.partition(": ")
        sentence = "exceeded" if exceeded(a) else "not exceeded"
        ratio = a["moved"] / a["bound"]
        cells = (a["n"], a["bound"], a["moved"], ratio, sentence, a["ledger"])
        rows.append((methods_of, what, *cells))
    return PaperTable(
        "sensitivities",
        "The sensitivity that a method takes for its test, against the largest change over all "
        "datasets of so few records and a few values. Not exceeded there is no proof; what is "
        "known in general stands in the ledger.",
        ("method", "test and its stated sensitivity", "records", "stated", "largest change",
         "ratio", "", "in general"),
        rows,
    )  # fmt: skip


def exceeded(answer: Mapping[str, Any]) -> bool:
    """Return whether a score moves beyond what is stated, rounding aside."""
    return bool(answer["moved"] > answer["bound"] * (1 + 1e-9) + 1e-9)


def _accuracy(kind: str, answers: Answers, what: str) -> PaperTable:
    rows: list[tuple[Cell, ...]] = []
    networks = list(dict.fromkeys(key.partition("/")[0] for key in answers))
    for network in networks:
        own = [a for key, a in answers.items() if key.startswith(f"{network}/")]
        for name in own[0]["f1"]:
            middle = np.median([a["f1"][name] for a in own], axis=0)
            rows.append((network, name, *map(float, middle)))
        rows.append(
            (network, "PC, not private", *[float(np.median([a["plain"] for a in own]))] * 3)
        )
    return PaperTable(
        f"f1_{kind}",
        f"Median F1 of the skeleton at equal total ε, δ = {DELTA:g}, of the methods without a "
        f"known flaw; {what}.",
        ("network", "method", *(f"ε = {total:g}" for total in TOTALS)),
        rows,
    )


def level_rows(answers: Answers) -> list[tuple[Cell, ...]]:
    """Return of each test how often it rejected, and the interval of that share."""
    # Here, so that the experiments are listed without scipy.
    from provado.audit.bounds.binomial import binomial_limits

    rows: list[tuple[Cell, ...]] = []
    blocks = list(answers.values())
    nulls = sum(block["nulls"] for block in blocks)
    for name in blocks[0]["rejected"]:
        count = sum(block["rejected"][name] for block in blocks)
        low, high = binomial_limits(count, nulls, 0.025)
        rows.append((name, nulls, count, count / nulls, float(low), float(high)))
    return rows


def compared(
    releases: Answers, stated: Answers, levels: Sequence[tuple[Cell, ...]]
) -> tuple[PaperClaim, ...]:
    """Return what of releases, stated sensitivities and levels holds."""
    result = []
    for method in private_methods():
        a = releases.get(audited_as(method) or "")
        if a is not None:
            result.append(
                PaperClaim(
                    f"{', '.join(filter(None, (method.title, method.version)))}: a run is "
                    f"{a['claim']}",
                    method.flaw.ledger[0] if method.flaw and method.flaw.ledger else "as repaired",
                    f"ε ≥ {certified_by(a)} is certified of a graph of three columns.",
                    False if a["violation"] else None,
                    method.flaw.words if method.flaw else "",
                    a["verdict"],
                )
            )
    for key, a in stated.items():
        result.append(
            PaperClaim(
                f"stated sensitivity of {key}",
                a["ledger"],
                f"moves by {a['moved']:.4g} of {a['bound']:.4g} on {a['n']} records: counts "
                f"{list(a['d'])} and {list(a['d_prime'])}.",
                False if exceeded(a) else None,
                verdict="exceeded" if exceeded(a) else "not exceeded",
            )
        )
    for test, nulls, count, share, low, _ in levels:
        result.append(
            PaperClaim(
                f"{test} keeps the level {LEVEL:g}",
                "permutation tests",
                f"{count} rejections of {nulls} ({float(share or 0):.3f}).",
                float(low or 0) <= LEVEL,
            )
        )
    return tuple(result)
