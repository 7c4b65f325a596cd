"""``provado reproduce``: the published accuracy experiments, on other data."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms import UsageError
from provado.mechanisms.pairs.anm import Direction, generate_pairs
from provado.mechanisms.pairs.anm.margins import SCORES, chance_of_positive, margins
from provado.mechanisms.regression import scale_to_unit
from provado.reports.ask import option
from provado.reports.data import schema
from provado.reports.data.output import show_json
from provado.reports.reproduce.pairs import NamedPair, load_pairs, tuebingen_pairs
from provado.reports.run.exit_status import AS_EXPECTED

EPSILONS = (0.1, 1.0, 2.0)
"""Of Table 2 of Kusner et al. (2016)."""

GENERATED, RECORDS = 100, 1_000

HELP = "accuracy of private causal inference on pairs of known direction"


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "reproduce",
        help=HELP,
        description=(
            "Table 2 of Kusner et al. (2016) on other pairs: how often each score finds the true "
            "direction, without noise and with noise for the test set. Not private: it needs "
            "the true directions, and scales each column by its own range."
        ),
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    parser.add_argument("experiment", choices=["kusner2016"])
    parser.add_argument(
        "--pairs",
        default="generated",
        metavar="generated|tuebingen|DIR",
        help=f"{GENERATED} simulated pairs, the Tübingen pairs, or a folder of pairs (generated)",
    )
    parser.add_argument("--splits", type=option.whole(1), default=3, help="halvings a pair (3)")
    parser.add_argument(
        "--most-rows",
        type=option.whole(4),
        default=RECORDS,
        help=f"records drawn from a longer pair ({RECORDS})",
    )
    parser.add_argument("--seed", type=option.seed, default=0, help="(0)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    """Compute and print the table; return the exit status."""
    choice, draws = np.random.default_rng(options.seed).spawn(2)
    pairs = [pair for pair in _pairs(options.pairs, choice) if pair.direction is not None]
    if not pairs:
        raise UsageError(f"--pairs {options.pairs}: no pair has a known direction")
    shares: dict[str, list[NDArray[np.float64]]] = {name: [] for name in SCORES}
    for i, pair in enumerate(pairs):
        if sys.stderr.isatty():
            print(f"\r{i + 1}/{len(pairs)} {pair.name}\x1b[K", end="", file=sys.stderr)
        found = margins(*_columns(pair, options.most_rows, draws), splits=options.splits, rng=draws)
        sign = 1.0 if pair.direction is Direction.FORWARD else -1.0
        m = _test_rows(min(pair.x.size, options.most_rows))
        for name, margin in found.items():
            shares[name].append(_row(name, sign * margin, m))
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr)
    table = {name: np.array(rows) for name, rows in shares.items()}
    if options.json:
        show_json(_document(options, len(pairs), table))
    else:
        _show(options, len(pairs), table)
    return AS_EXPECTED


def _pairs(source: str, rng: np.random.Generator) -> tuple[NamedPair, ...]:
    if source == "generated":
        made = generate_pairs(GENERATED, RECORDS, rng)
        return tuple(NamedPair(f"pair{i}", p.x, p.y, p.direction) for i, p in enumerate(made))
    return tuebingen_pairs(rng) if source == "tuebingen" else load_pairs(Path(source))


def _columns(
    pair: NamedPair, most: int, rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    rows = np.arange(pair.x.size)
    if rows.size > most:
        rows = rng.choice(rows, size=most, replace=False)
    return _scaled(pair.x[rows]), _scaled(pair.y[rows])


def _scaled(column: NDArray[np.float64]) -> NDArray[np.float64]:
    low, high = float(column.min()), float(column.max())
    return scale_to_unit(column, low, high) if low < high else np.zeros(column.shape)


def _test_rows(n: int) -> int:
    return n - n // 2


def _row(name: str, margin: NDArray[np.float64], m: int) -> NDArray[np.float64]:
    """Return the share of right answers without noise and at each ε, averaged over the splits."""
    exact = np.where(np.isnan(margin) | (margin == 0), 0.5, margin > 0)
    noisy = [chance_of_positive(name, margin, m=m, epsilon=epsilon) for epsilon in EPSILONS]
    return np.array([exact.mean(), *(chance.mean() for chance in noisy)])


def _show(options: argparse.Namespace, count: int, table: dict[str, NDArray[np.float64]]) -> None:
    print(
        f"Right direction on {count} pairs ({options.pairs}), {options.splits} splits each: "
        "mean ± standard error over pairs"
    )
    print("score     " + "".join(f"{head:>16s}" for head in _heads()))
    for name, rows in table.items():
        errors = rows.std(axis=0) / np.sqrt(count)
        cells = [
            f"{mean:.3f} ± {error:.3f}" for mean, error in zip(rows.mean(0), errors, strict=True)
        ]
        print(f"{name:10s}" + "".join(f"{cell:>16s}" for cell in cells))
    print(
        "ε is that of each noisy number; noise for the test set only, by the printed sensitivities."
    )


def _heads() -> list[str]:
    return ["without noise", *(f"ε = {epsilon:g}" for epsilon in EPSILONS)]


def _document(
    options: argparse.Namespace, count: int, table: dict[str, NDArray[np.float64]]
) -> dict[str, object]:
    return {
        "schema": schema.REPRODUCE,
        "experiment": options.experiment,
        "pairs": {"source": options.pairs, "count": count, "splits": options.splits},
        "seed": options.seed,
        "epsilon": [None, *EPSILONS],
        "scores": {
            name: {
                "mean": rows.mean(axis=0).tolist(),
                "standard_error": (rows.std(axis=0) / np.sqrt(count)).tolist(),
            }
            for name, rows in table.items()
        },
    }
