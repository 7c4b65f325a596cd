"""One audit on the page: everything needed to check it, and what was examined and what not."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from provado.audit.bounds.counts import EffectSize
from provado.audit.result import AuditResult, PairResult
from provado.mechanisms import Verdict
from provado.reports.pages.figures.pair_figures import growth, sizes
from provado.reports.pages.figures.tradeoff import tradeoff
from provado.reports.pages.frame import macros, table
from provado.reports.pages.markup import Markup
from provado.reports.tasks.run import Record, replay
from provado.reports.text import formatting, power, proved, sentences
from provado.reports.text.report import HAZARD, NOT_TESTED, Row

EFFECTS = ("event", "under do(D)", "under do(D′)", "relative probability", "risk difference")
HAZARD_HEADS = ("hazard", "status", "because")

ON_PAPER = 10
"""So many claims stand on the page to print; of more it says how many there are."""


@cache
def template() -> Any:
    """Return the macros of ``page.html``."""
    functions = (formatting.counted, effects_table, evidence_of, facts_of, figures, hazards_table)
    more = (counts_of_known, pairs_table, replay, rows_of_finding, short_rows, without_hazards)
    return macros(
        "audit_report/page/page.html",
        **{one.__name__: one for one in (*functions, *more)},
        KINDS=sentences.KINDS,
        detectable=power.detectable,
        NOT_TESTED=NOT_TESTED,
        ON_PAPER=ON_PAPER,
        words=sentences,
    )


def figures(result: AuditResult, pair: PairResult, level: int) -> list[Markup | None]:
    """Return the errors of the rule, the effect sizes and the growth of the bound."""
    return [draw(result, pair, level) for draw in (tradeoff, sizes, growth)]


def counts_of_known(items: Sequence[Any]) -> dict[str, int]:
    """Return how many known answers have each tally."""
    tallies = [item.tally for item in items]
    names = ("found", "missed", "sound", "flagged", str(Verdict.UNKNOWN))
    return {name: tallies.count(name) for name in names}


def rows_of(record: Record) -> tuple[Row, ...]:
    """Return the rows of evidence of one audit, in printable text."""
    return tuple(
        (formatting.clean(name), formatting.clean(text)) for name, text in record.report.evidence
    )


def rows_of_finding(record: Record) -> list[Row]:
    """Return the rows of the finding but for its limitations, which are shown above it."""
    limits = record.result.limitations
    return [row for row in record.report.rows if row[0] != "Limitation" or row[1] not in limits]


def short_rows(record: Record) -> list[Row]:
    """Return the rows for a reader in a hurry: limitations, cause or reason, what to do."""
    return [row for row in record.report.rows if row[0] in _SHORT]


_SHORT = ("Limitation", "Cause", "Fix", "Reason", "What to do", "Conclusion", "Not covered")


def shared(records: Sequence[Record]) -> tuple[Row, ...]:
    """Return the rows that all of several audits share; none of a single audit."""
    if len(records) < 2:
        return ()
    first, *rest = [rows_of(record) for record in records]
    common = set(first).intersection(*rest)
    return tuple(row for row in first if row in common)


def evidence_of(record: Record, common: Sequence[Row]) -> list[Row]:
    """Return the rows of one audit but for the common ones."""
    return [row for row in rows_of(record) if row not in common]


def without_hazards(rows: Sequence[Row]) -> list[Row]:
    """Return the rows that are no hazards."""
    return [row for row in rows if not row[0].startswith(HAZARD)]


def hazards_table(rows: Sequence[Row]) -> Markup | None:
    """Return the hazards among rows of evidence; ``None`` where there are none."""
    judged = [
        (name.removeprefix(HAZARD), *text.split(": ", 1))
        for name, text in rows
        if name.startswith(HAZARD)
    ]
    if not judged:
        return None
    return table("Hazards", HAZARD_HEADS, judged, visible=False, class_="hazards", labelled=True)


def facts_of(record: Record) -> list[tuple[str, str]]:
    """Return names and texts of all that is needed to check one audit; empty ones are left out."""
    result, pair = record.result, record.result.explained_pair
    facts: list[tuple[str, str]] = [("Claim", result.promise or sentences.claim(result))]
    if result.promise and sentences.point(result) not in result.promise:
        facts.append(("Tested at", sentences.point(result)))
    facts += [("Neighbors", result.relation), ("Source", result.source)]
    if pair is not None:
        sure = formatting.percent(result.confidence)
        method = sentences.bound(pair.method, result.confidence)
        facts += [
            ("Certified", f"{sentences.limit(result)} with {sure} confidence ({method})"),
            ("Whole curve", sentences.whole_curve(pair)),
            ("Searched", sentences.searched(result)),
            ("Arithmetic", sentences.IDEAL if result.arithmetic == "ideal" else ""),
            ("Samples", _samples(pair)),
        ]
    if result.one_run is not None and result.certifies:
        sure = formatting.percent(result.confidence)
        facts.append(("Certified", f"{sentences.limit(result)} with {sure} confidence"))
        facts.append(("Guesses", power.one_run_summary(result.one_run)))
    if result.exact is not None:
        facts.append(("Decided", proved.exact_scope(result.exact)))
        facts += [("Checked", statement) for statement in result.exact.statements]
        facts += [("Taken for granted", what) for what in result.exact.assumptions]
    if result.program is not None:
        facts += [("Assumption", what) for what in result.program.assumptions]
    if result.true_epsilon is not None:
        # Known of the first pair, which others may exceed.
        name = "True ε" if len(result.pairs) < 2 else "True ε of pair 0"
        facts.append((name, formatting.plain(result.true_epsilon, 6)))
    facts.append(("Seed", _seed(result) if result.exact is None else ""))
    if result.reason and result.verdict is not Verdict.UNKNOWN:
        facts.append(("Not completed", result.reason))
    facts += [("Note", note) for note in result.notes]
    return facts


def _seed(result: AuditResult) -> str:
    if result.seedable is False:
        return f"{result.seed}, but the mechanism’s own sampler cannot be seeded"
    return str(result.seed)


def effects_table(pair: PairResult) -> Markup:
    """Return the effect sizes of a pair."""
    rows = [_effect(effect) for effect in pair.effects]
    return table("Effect of changing the data point", EFFECTS, rows, class_="sizes", labelled=True)


def _effect(effect: EffectSize) -> list[str]:
    own = _rate(effect.hits, effect.trials)
    other = _rate(effect.other_hits, effect.other_trials)
    ratio = _interval(effect.relative_probability, effect.relative_probability_interval)
    difference = _interval(effect.risk_difference, effect.risk_difference_interval)
    rates = [own, other] if effect.guess == "D" else [other, own]
    return [f"the rule says {effect.guess}", *rates, ratio, difference]


def _rate(hits: int, trials: int) -> str:
    return f"{formatting.percents(hits / trials)[0]} ({hits:,} of {trials:,})" if trials else "–"


def _interval(value: float, ends: tuple[float, float]) -> str:
    return f"{formatting.plain(value)} ({formatting.down(ends[0])} to {formatting.up(ends[1])})"


def _samples(pair: PairResult) -> str:
    if pair.method.bettors:
        return (
            f"{pair.counts.trials:,} trials; bets on each block of them were learned from those "
            "before it, and none was discarded"
        )
    return (
        f"{pair.counts.trials:,} certifying trials of {pair.planned_trials:,} planned, "
        f"after {pair.explored_trials:,} samples of exploration that were discarded"
    )


def pairs_table(result: AuditResult) -> Markup:
    """Return the pairs of an audit that has several."""
    twice = len({pair.index for pair in result.pairs}) < len(result.pairs)
    heads = ("pair", "D′", "verdict", "certified ε ≥", "trials", "alpha")
    rows = [
        (
            f"{pair.index}, rounded" if pair.rounded and twice else str(pair.index),
            formatting.clean(pair.witness.difference),
            str(pair.verdict),
            formatting.certified(pair.epsilon_lower, result.epsilon),
            f"{pair.counts.trials:,}",
            f"{pair.method.alpha:.4g}",
        )
        for pair in result.pairs
    ]
    return table("All pairs", heads, rows)
