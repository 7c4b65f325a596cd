"""What the comparison of private discovery shows: its tables, and what holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from provado.reports.commands.reproduce.experiment import Answers, under
from provado.reports.commands.reproduce.findings import Cell, Comparison, Table
from provado.reports.commands.reproduce.papers._audit import certified_by, true_epsilon

from ._terms import DELTA, LEVEL, TESTED, TOTALS, audited_as, private_methods


def tables(answers: Answers, rows: int, records: int) -> tuple[Table, ...]:
    """Return all tables; rows, records: of each sample of a network and of a nonlinear model."""
    return (
        _claims(under(answers, "release")),
        _sensitivities(under(answers, "sensitivity")),
        _accuracy("discrete", under(answers, "f1/discrete"), f"{rows:,} rows of a network"),
        _accuracy(
            "numeric", under(answers, "f1/numeric"), f"{records:,} records of a nonlinear model"
        ),
        Table(
            "levels",
            f"Rejections at the level {LEVEL:g} where two columns of {TESTED} records are "
            "independent, with a 95 % Clopper–Pearson interval.",
            ("test", "nulls", "rejected", "share", "lowest", "highest"),
            tuple(level_rows(under(answers, "level"))),
        ),
    )


def comparisons(answers: Answers) -> tuple[Comparison, ...]:
    """Return whether claims, stated sensitivities and levels hold, as far as was seen."""
    releases, stated = under(answers, "release"), under(answers, "sensitivity")
    return compared(releases, stated, level_rows(under(answers, "level")))


def _claims(releases: Mapping[str, Mapping[str, Any]]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for method in private_methods():
        name = audited_as(method)
        version, flaw = method.version or "", method.flaw.words if method.flaw else "none known"
        if name is None or name not in releases:
            rows.append((method.title, version, None, None, None, "not audited", flaw))
        else:
            a = releases[name]
            cells = (a["claim"], true_epsilon(a), certified_by(a), a["verdict"])
            rows.append((method.title, version, *cells, flaw))
    return Table(
        "claims",
        "Each method on three columns and a few records, where the distribution of whole runs is "
        "known: its claim, the exact ε of the pair that is audited, and the certified lower bound.",
        ("method", "version", "claim", "exact ε", "certified ε ≥", "verdict", "known flaw"),
        tuple(rows),
    )


def _sensitivities(stated: Mapping[str, Mapping[str, Any]]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for key, a in stated.items():
        methods_of, _, what = key.partition(": ")
        said = "exceeded" if exceeded(a) else "not exceeded"
        ratio = a["moved"] / a["bound"]
        cells = (a["n"], a["bound"], a["moved"], ratio, said, a["ledger"])
        rows.append((methods_of, what, *cells))
    return Table(
        "sensitivities",
        "The sensitivity that a method takes for its test, against the largest change over all "
        "datasets of so few records and a few values. Not exceeded there is no proof; what is "
        "known in general stands in the ledger.",
        ("method", "test and its stated sensitivity", "records", "stated", "largest change",
         "ratio", "", "in general"),
        tuple(rows),
    )  # fmt: skip


def exceeded(answer: Mapping[str, Any]) -> bool:
    """Return whether a score moves beyond what is stated, rounding aside."""
    return bool(answer["moved"] > answer["bound"] * (1 + 1e-9) + 1e-9)


def _accuracy(kind: str, answers: Mapping[str, Mapping[str, Any]], what: str) -> Table:
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
    return Table(
        f"f1_{kind}",
        f"Median F1 of the skeleton at equal total ε, δ = {DELTA:g}, of the methods without a "
        f"known flaw; {what}.",
        ("network", "method", *(f"ε = {total:g}" for total in TOTALS)),
        tuple(rows),
    )


def level_rows(answers: Mapping[str, Mapping[str, Any]]) -> list[tuple[Cell, ...]]:
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
    releases: Mapping[str, Mapping[str, Any]],
    stated: Mapping[str, Mapping[str, Any]],
    levels: Sequence[tuple[Cell, ...]],
) -> tuple[Comparison, ...]:
    """Return what of releases, stated sensitivities and levels holds."""
    found = []
    for method in private_methods():
        name = audited_as(method)
        if name is not None and name in releases:
            a = releases[name]
            broken = a["violation"]
            found.append(
                Comparison(
                    f"{', '.join(filter(None, (method.title, method.version)))}: a run is "
                    f"{a['claim']}",
                    method.flaw.ledger[0] if method.flaw and method.flaw.ledger else "as repaired",
                    f"ε ≥ {certified_by(a)} is certified of a graph of three columns.",
                    False if broken else None,
                    method.flaw.words if method.flaw else "",
                    a["verdict"],
                )
            )
    for key, a in stated.items():
        found.append(
            Comparison(
                f"stated sensitivity of {key}",
                a["ledger"],
                f"moves by {a['moved']:.4g} of {a['bound']:.4g} on {a['n']} records: counts "
                f"{list(a['d'])} and {list(a['d_prime'])}.",
                False if exceeded(a) else None,
                verdict="exceeded" if exceeded(a) else "not exceeded",
            )
        )
    for test, nulls, count, share, low, _ in levels:
        found.append(
            Comparison(
                f"{test} keeps the level {LEVEL:g}",
                "permutation tests",
                f"{count} rejections of {nulls} ({float(share or 0):.3f}).",
                float(low or 0) <= LEVEL,
            )
        )
    return tuple(found)
