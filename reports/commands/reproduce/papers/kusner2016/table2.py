"""Table 2: how often each score finds the true direction, without noise and at three ε."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from provado.mechanisms.cause_effect.anm.margins import SCORES, chance_of_positive, margins
from provado.proofs.ledger import kusner2016
from provado.reports.commands.reproduce.experiment import Answers, Experiment, Part, Setting, under
from provado.reports.commands.reproduce.findings import Findings, Table, mean_and_deviation

from ._pairs import (
    LARGE_TUEBINGEN,
    columns,
    drawn_as_printed,
    halving_seconds,
    pair_at,
    pair_parts,
    pairs_of,
    record_settings,
    sign,
    sources,
)
from ._printed import TABLE_2, TABLE_2_IDS, TABLE_2_IQR_AT_TENTH, TABLE_2_SIZES
from ._table2_comparisons import EPSILONS, LEVELS, PAPER_SCORES, Shares, comparisons

SPLITS, QUICK_SPLITS = 10, 2


def parts(setting: Setting) -> Sequence[Part]:
    """One part a pair."""
    splits = _splits(setting)
    return pair_parts(setting, splits, splits, halving_seconds)


def work(arguments: Mapping[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Return, by score, the chance of the right direction on each split: exact, then at each ε."""
    pair = pair_at(arguments)
    x, y = columns(pair, arguments["most"], rng)
    found = margins(x, y, splits=arguments["splits"], rng=rng)
    m = x.size - x.size // 2
    shares = {}
    for name, margin in found.items():
        towards = sign(pair) * margin
        exact = np.where(np.isnan(towards) | (towards == 0), 0.5, towards > 0)
        noisy = [chance_of_positive(name, towards, m=m, epsilon=epsilon) for epsilon in EPSILONS]
        shares[name] = np.array([exact, *noisy]).tolist()
    return {"records": int(x.size), "shares": shares}


def findings(setting: Setting, answers: Answers) -> Findings:
    """Return tables over all pairs of a source, tables of one column a pair, the printed one."""
    by_source = {source: under(answers, source) for source in sources(setting)}
    tables = [
        _over_pairs(f"pairs{number}", source, own)
        for number, (source, own) in enumerate(by_source.items(), 1)
    ]
    single = [(LARGE_TUEBINGEN, by_source[LARGE_TUEBINGEN])]
    if setting.pairs:
        own = by_source[setting.pairs]
        drawn = drawn_as_printed(pairs_of(setting.pairs, setting.seed), setting.seed)
        single.append(
            (setting.pairs, {pair.name: own[pair.name] for pair in drawn if pair.name in own})
        )
    tables += [
        _one_column_a_pair(f"columns{number}", source, own)
        for number, (source, own) in enumerate(single, 1)
        if own
    ]
    settings = (
        ("splits", str(_splits(setting))),
        *record_settings(setting),
        ("noise", "for the test set only, by the printed sensitivities"),
    )
    shares: dict[str, Shares] = {
        source: {pair: answer["shares"] for pair, answer in own.items()}
        for source, own in by_source.items()
    }
    return Findings(settings, (*tables, _printed()), comparisons=comparisons(shares))


def _splits(setting: Setting) -> int:
    return QUICK_SPLITS if setting.quick else SPLITS


def _over_pairs(name: str, source: str, own: Mapping[str, Mapping[str, Any]]) -> Table:
    rows = []
    for at, epsilon in enumerate(LEVELS):
        for score in SCORES:
            of_pairs = [mean_and_deviation(a["shares"][score][at]) for a in own.values()]
            mean, deviation = mean_and_deviation([pair for pair, _ in of_pairs])
            over_splits = float(np.mean([splits for _, splits in of_pairs]))
            rows.append((epsilon, score, mean, deviation, over_splits))
    caption = (
        f"Probability of the right direction on {len(own)} pairs ({source}): mean and standard "
        "deviation over pairs, and the mean standard deviation over the splits of a pair. ε is "
        "that of each noisy number."
    )
    head = ("ε", "score", "mean", "deviation over pairs", "deviation over splits")
    return Table(name, caption, head, tuple(rows))


def _one_column_a_pair(name: str, source: str, own: Mapping[str, Mapping[str, Any]]) -> Table:
    sizes = ("", "records", *(f"{answer['records']:,}" for answer in own.values()))
    rows = [
        (
            epsilon,
            score,
            *(_cell(*mean_and_deviation(a["shares"][score][at])) for a in own.values()),
        )
        for at, epsilon in enumerate(LEVELS)
        for score in PAPER_SCORES
    ]
    caption = (
        f"Laid out as Table 2 is: probability of the right direction on {len(own)} pairs "
        f"({source}), drawn at random from the largest 25, mean ± standard deviation over splits."
    )
    return Table(name, caption, ("ε", "score", *own), (sizes, *rows))


def _printed() -> Table:
    sizes = ("", "records", *(f"{size:,}" for size in TABLE_2_SIZES))
    rows = [
        (epsilon, score, *(_cell(*cell) for cell in TABLE_2[epsilon, score]))
        if (epsilon, score) in TABLE_2
        else (epsilon, score, *(None for _ in TABLE_2_IDS))
        for epsilon in LEVELS
        for score in PAPER_SCORES
    ]
    left = ", ".join(f"{value:.2f}" for value in TABLE_2_IQR_AT_TENTH)
    caption = (
        "The paper's own numbers, on ten pairs of the Cause-Effect Pairs competition, which cannot "
        "be had. Of the row IQR at ε = .1 the text at hand has six numbers and not their columns: "
        f"{left}."
    )
    return Table("printed", caption, ("ε", "score", *TABLE_2_IDS), (sizes, *rows))


def _cell(mean: float, deviation: float) -> str:
    return f"{mean:.2f} ± {deviation:.2f}"


EXPERIMENT = Experiment(
    name="kusner2016/table2",
    title="accuracy of the four scores, with and without noise",
    source=kusner2016.source("Table 2"),
    parts=parts,
    work=work,
    findings=findings,
    needs=("cdt",),
)
