"""Table 2: how often each score finds the true direction, without noise and at three ε."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from provado.mechanisms.pairs.anm.margins import SCORES, chance_of_positive, margins
from provado.mechanisms.statement.source import Source
from provado.reports.reproduce.experiment import Answers, Experiment, Part, Setting
from provado.reports.reproduce.findings import Comparison, Findings, Table, mean_and_deviation

from ._pairs import QUICK_PAIRS, QUICK_RECORDS, RECORDS, WORK, columns, pairs_of, sign, sources

EPSILONS = (0.1, 1.0, 2.0)
SPLITS, QUICK_SPLITS = 10, 2


def parts(setting: Setting) -> Sequence[Part]:
    """One part a pair."""
    found = []
    most, splits = (QUICK_RECORDS, QUICK_SPLITS) if setting.quick else (RECORDS, SPLITS)
    for source in sources(setting):
        pairs = pairs_of(source, setting.seed)
        for index, pair in enumerate(pairs[: QUICK_PAIRS if setting.quick else None]):
            n = min(pair.x.size, most)
            arguments = {
                "source": source,
                "index": index,
                "pairs_seed": setting.seed,
                "most": most,
                "splits": splits,
            }
            # A factorisation of n/2 rows for each direction of each split, and the scores.
            part = Part(f"{source}/{pair.name}", arguments, splits * (0.02 + 0.2 * (n / 1e3) ** 2))
            found.append(part)
    return found


def work(arguments: Mapping[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Return, by score, the chance of the right direction on each split: exact, then at each ε."""
    pair = pairs_of(arguments["source"], arguments["pairs_seed"])[arguments["index"]]
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
    """Return a table a source in the layout of Table 2, with all pairs in one column."""
    tables = []
    best: dict[str, float] = {}
    for number, source in enumerate(sources(setting)):
        own = [answer for key, answer in answers.items() if key.startswith(f"{source}/")]
        rows = []
        for at, epsilon in enumerate(("∞", *(f"{e:g}" for e in EPSILONS))):
            for name in SCORES:
                of_pairs = [float(np.mean(a["shares"][name][at])) for a in own]
                splits = [float(np.std(a["shares"][name][at], ddof=1)) for a in own]
                mean, deviation = mean_and_deviation(of_pairs)
                rows.append((epsilon, name, mean, deviation, float(np.mean(splits))))
                best[f"{source}/{epsilon}/{name}"] = mean
        caption = (
            f"Probability of the right direction on {len(own)} pairs ({source}): mean and standard "
            "deviation over pairs, and the mean standard deviation over the splits of a pair. ε is "
            "that of each noisy number; noise for the test set only, by the printed sensitivities."
        )
        head = ("ε", "score", "mean", "deviation over pairs", "deviation over splits")
        tables.append(Table(f"pairs{number + 1}", caption, head, tuple(rows)))
    settings = (
        ("splits", str(QUICK_SPLITS if setting.quick else SPLITS)),
        ("records", f"at most {QUICK_RECORDS if setting.quick else RECORDS:,} a pair"),
    )
    return Findings(settings, tuple(tables), comparisons=_comparisons(setting, best))


def _comparisons(setting: Setting, best: Mapping[str, float]) -> tuple[Comparison, ...]:
    found = []
    for source in sources(setting):
        iqr = [best[f"{source}/{epsilon}/iqr"] for epsilon in ("0.1", "∞")]
        found.append(
            Comparison(
                "at ε = .1 the noise of the IQR leaves a tossed coin: .50 or .51 on all ten pairs",
                "Table 2",
                f"{source}: IQR {iqr[0]:.3f} at ε = .1, {iqr[1]:.3f} without noise.",
                abs(iqr[0] - 0.5) < 0.05,
            )
        )
        hsic = [best[f"{source}/{e}/hsic"] for e in ("0.1", "1", "2", "∞")]
        found.append(
            Comparison(
                "the probability of HSIC moves from a coin's to its noise-free value as ε grows",
                "Table 2, Figure 1",
                f"{source}: {', '.join(f'{h:.3f}' for h in hsic)} at ε = .1, 1, 2, ∞.",
                all(abs(a - 0.5) <= abs(b - 0.5) + 0.01 for a, b in pairwise(hsic)),
            )
        )
    return tuple(found)


EXPERIMENT = Experiment(
    name="kusner2016/table2",
    title="accuracy of the four scores, with and without noise",
    source=Source(WORK, "Table 2"),
    parts=parts,
    work=work,
    findings=findings,
    needs=("cdt",),
)
