"""Table 2: how often each score finds the true direction, without noise and at three ε.

What the paper says of it is held against the probabilities of the right direction.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise, product
from typing import Any

import numpy as np

from provado.mechanisms.cause_effect.pair_budget import SCORES, chance_of_positive, margins
from provado.proofs.ledger import kusner2016

from ... import experiment
from ...experiment import Answers, Experiment, Findings, PaperClaim, PaperTable, Scope, under
from . import _paper as paper
from ._paper import DRAWN, TABLE_2

EPSILONS = (0.1, 1.0, 2.0)
LEVELS = ("∞", *(f"{epsilon:g}" for epsilon in EPSILONS))
PAPER_SCORES = ("spearman", "kendall", "hsic", "iqr")
RIGHT = 0.9
"""A score is right on a pair where it is on so many of its splits; wrong where on 1 − this."""

FEW = DRAWN
"""Among fewer pairs than the paper has, that a kind is missing decides nothing."""

Shares = Mapping[str, Mapping[str, Sequence[Sequence[float]]]]
"""By pair and score: of each level, the probability of the right direction on each split."""

SPLITS = ((10, 2), (10, 2))

parts = partial(paper.pair_parts, splits=SPLITS, seconds=paper.halving_seconds)
"""One part a pair."""


def work(arguments: Mapping[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Return, by score, the chance of the right direction on each split: exact, then at each ε."""
    pair = paper.pair_at(arguments)
    x, y = paper.columns(pair, arguments["most"], rng)
    result = margins(x, y, splits=arguments["splits"], rng=rng)
    m = x.size - x.size // 2
    shares = {}
    for name, margin in result.items():
        towards = paper.sign(pair) * margin
        exact = np.where(np.isnan(towards) | (towards == 0), 0.5, towards > 0)
        noisy = [chance_of_positive(name, towards, m=m, epsilon=epsilon) for epsilon in EPSILONS]
        shares[name] = np.array([exact, *noisy]).tolist()
    return {"records": int(x.size), "shares": shares}


def findings(setting: Scope, answers: Answers) -> Findings:
    """Return tables over all pairs of a source, tables of one column a pair, the printed one."""
    by_source = {source: under(answers, source) for source in paper.sources(setting)}
    tables = [
        _over_pairs(f"pairs{number}", source, own)
        for number, (source, own) in enumerate(by_source.items(), 1)
    ]
    single = [(paper.LARGE_TUEBINGEN, by_source[paper.LARGE_TUEBINGEN])]
    if setting.pairs:
        own = by_source[setting.pairs]
        drawn = paper.drawn_as_printed(paper.pairs_of(setting.pairs, setting.seed), setting.seed)
        single.append(
            (setting.pairs, {pair.name: own[pair.name] for pair in drawn if pair.name in own})
        )
    tables += [
        _one_column_a_pair(f"columns{number}", source, own)
        for number, (source, own) in enumerate(single, 1)
        if own
    ]
    settings = (
        *paper.pair_settings(setting, SPLITS),
        ("noise", "for the test set only, by the printed sensitivities"),
    )
    shares: dict[str, Shares] = {
        source: {pair: answer["shares"] for pair, answer in own.items()}
        for source, own in by_source.items()
    }
    return Findings(settings, (*tables, _printed()), comparisons=comparisons(shares))


def _over_pairs(name: str, source: str, own: Mapping[str, Mapping[str, Any]]) -> PaperTable:
    rows = []
    for at, epsilon in enumerate(LEVELS):
        for score in SCORES:
            of_pairs = [experiment.mean_and_deviation(a["shares"][score][at]) for a in own.values()]
            mean, deviation = experiment.mean_and_deviation([pair for pair, _ in of_pairs])
            over_splits = float(np.mean([splits for _, splits in of_pairs]))
            rows.append((epsilon, score, mean, deviation, over_splits))
    caption = (
        f"Probability of the right direction on {len(own)} pairs ({source}): mean and standard "
        "deviation over pairs, and the mean standard deviation over the splits of a pair. ε is "
        "that of each noisy number."
    )
    head = ("ε", "score", "mean", "deviation over pairs", "deviation over splits")
    return PaperTable(name, caption, head, rows)


def _one_column_a_pair(name: str, source: str, own: Mapping[str, Mapping[str, Any]]) -> PaperTable:
    sizes = ("", "records", *(f"{answer['records']:,}" for answer in own.values()))
    rows = []
    for at, epsilon in enumerate(LEVELS):
        for score in PAPER_SCORES:
            each = (experiment.mean_and_deviation(a["shares"][score][at]) for a in own.values())
            rows.append((epsilon, score, *(_cell(*item) for item in each)))
    caption = (
        f"Laid out as Table 2 is: probability of the right direction on {len(own)} pairs "
        f"({source}), drawn at random from the largest 25, mean ± standard deviation over splits."
    )
    return PaperTable(name, caption, ("ε", "score", *own), (sizes, *rows))


def _printed() -> PaperTable:
    sizes = ("", "records", *(f"{size:,}" for size in paper.TABLE_2_SIZES))
    none = (None,) * len(paper.TABLE_2_IDS)
    rows = []
    for level in product(LEVELS, PAPER_SCORES):
        cells = tuple(_cell(*cell) for cell in paper.TABLE_2.get(level, ()))
        rows.append((*level, *(cells or none)))
    left = ", ".join(f"{value:.2f}" for value in paper.TABLE_2_IQR_AT_TENTH)
    caption = (
        "The paper's own numbers, on ten pairs of the Cause-Effect Pairs competition, which cannot "
        "be had. Of the row IQR at ε = .1 the text at hand has six numbers and not their columns: "
        f"{left}."
    )
    return PaperTable("printed", caption, ("ε", "score", *paper.TABLE_2_IDS), (sizes, *rows))


def _cell(mean: float, deviation: float) -> str:
    return f"{mean:.2f} ± {deviation:.2f}"


def comparisons(found: Mapping[str, Shares]) -> tuple[PaperClaim, ...]:
    """Return what is said of Table 2 beside each source of pairs, by the source's name."""
    about = (_coin, _grows, _kendall, _complementary)
    return tuple(say(source, shares) for source, shares in found.items() for say in about)


def _mean(shares: Shares, score: str, at: int) -> float:
    return float(np.mean([np.mean(of[score][at]) for of in shares.values()]))


def _coin(source: str, shares: Shares) -> PaperClaim:
    most = max(abs(float(np.mean(of["iqr"][1])) - 0.5) for of in shares.values())
    return PaperClaim(
        "at ε = .1 the noise of the IQR leaves a tossed coin: .50 or .51 wherever a number is left",
        "Table 2",
        f"{source}: IQR {_mean(shares, 'iqr', 1):.3f} in the mean at ε = .1, {most:.3f} from .5 at "
        f"most on a pair; {_mean(shares, 'iqr', 0):.3f} without noise.",
        most < 0.05,
        ""
        if most < 0.05
        else "Where quartiles of a column nearly agree, the margin of the "
        "logarithms is large, and no noise of scale 1/ε hides it.",
    )


def _grows(source: str, shares: Shares) -> PaperClaim:
    means = [_mean(shares, "hsic", at) for at in (1, 2, 3, 0)]
    off = [distances(shares, at)["hsic"] for at in (1, 2, 3)]
    return PaperClaim(
        "the probability of HSIC moves from a coin's to its noise-free value as ε grows",
        "Table 2, Figure 1",
        f"{source}: {', '.join(f'{mean:.3f}' for mean in means)} in the mean at ε = .1, 1, 2, ∞; "
        f"a pair's is off its noise-free value by {', '.join(f'{item:.3f}' for item in off)}.",
        all(a > b for a, b in pairwise(off)),
    )


def distances(shares: Shares, at: int) -> dict[str, float]:
    """Return, by rank score and HSIC, how far noise moves a pair's probability in the mean."""
    return {
        score: float(
            np.mean([abs(np.mean(of[score][at]) - np.mean(of[score][0])) for of in shares.values()])
        )
        for score in ("kendall", "spearman", "hsic")
    }


def printed_shares() -> dict[str, dict[str, list[list[float]]]]:
    """Return the printed means in the form of ``Shares``; without the IQR, of which a row lacks."""
    return {
        str(i): {
            score: [[TABLE_2[level, score][i][0]] for level in LEVELS]
            for score in ("spearman", "kendall", "hsic")
        }
        for i in range(len(TABLE_2["∞", "hsic"]))
    }


def _kendall(source: str, shares: Shares) -> PaperClaim:
    own, printed = distances(shares, 1), distances(printed_shares(), 1)
    least = own["kendall"] < min(own["spearman"], own["hsic"])
    words = ", ".join(f"{score} {value:.3f}" for score, value in own.items())
    paper = ", ".join(f"{score} {value:.3f}" for score, value in printed.items())
    return PaperClaim(
        f"Kendall's τ needs the least ε: at ε = .1 a pair's probability is off its noise-free "
        f"value by the least ({paper}, computed from the printed numbers)",
        "Table 2",
        f"{source}: {words}.",
        least,
        ""
        if least
        else "A score that is a coin without noise as well has nothing to lose by noise.",
    )


def _complementary(source: str, shares: Shares) -> PaperClaim:
    right = {
        score: {pair: float(np.mean(of[score][0])) for pair, of in shares.items()}
        for score in ("spearman", "kendall", "hsic")
    }

    def pairs(good: Sequence[str], bad: Sequence[str]) -> list[str]:
        return [
            pair
            for pair in shares
            if all(right[score][pair] >= RIGHT for score in good)
            and all(right[score][pair] <= 1 - RIGHT + 1e-9 for score in bad)
        ]

    ranks = ("spearman", "kendall")
    ours, theirs = pairs(("hsic",), ranks), pairs(ranks, ("hsic",))
    return PaperClaim(
        "the scores are often complementary: ranks do well where HSIC does worse, and vice versa",
        "section 6",
        f"{source}: of {len(shares)} pairs HSIC is right and both rank scores wrong on "
        f"{len(ours)}, the reverse on {len(theirs)} (right: on {RIGHT:.0%} of the splits).",
        True if ours and theirs else False if len(shares) >= FEW else None,
        "" if ours and theirs else "No pair of one of the two kinds is among these.",
    )


EXPERIMENT = Experiment(
    "kusner2016/table2",
    "accuracy of the four scores, with and without noise",
    kusner2016.source("Table 2"),
    *(parts, work, findings),
    needs=("cdt",),
)
