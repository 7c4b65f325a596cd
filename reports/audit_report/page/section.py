"""One audit on the page: the claim, the finding in words, and everything needed to check it."""

from __future__ import annotations

from collections.abc import Sequence

from provado.audit.bounds.effect_size import EffectSize
from provado.audit.result import AuditResult, PairResult
from provado.mechanisms import Verdict
from provado.reports.pages.element import Markup, join, tag
from provado.reports.pages.figures.effect_sizes import sizes
from provado.reports.pages.figures.growth import growth
from provado.reports.pages.figures.tradeoff import tradeoff
from provado.reports.pages.frame import command
from provado.reports.pages.table import table
from provado.reports.tasks.repeat import replay
from provado.reports.text import power, proved, sentences
from provado.reports.text.evidence import Row
from provado.reports.text.formatting import certified, clean, down, percent, percents, plain, up
from provado.reports.text.power import power_of
from provado.reports.text.proved import APART, decided, enough, gap_words
from provado.reports.text.sentences import IDEAL, cause, searched

from .claims import verdict_chip
from .evidence import evidence_of
from .group import Item

EFFECTS = ("event", "under do(D)", "under do(D′)", "relative probability", "risk difference")


def section(item: Item, *, folded: bool, level: int = 3, common: Sequence[Row] = ()) -> Markup:
    """Return one section; ``folded`` ones show their head only until they are opened.

    level: that of its heading; what stands in it has one more. common: rows of evidence that are
    said elsewhere.
    """
    result = item.result
    head = join(
        tag(f"h{level}", clean(result.name)),
        verdict_chip(result),
        _expectation(result),
        tag("span", _headline(result), class_="headline"),
    )
    body = tag("div", *_body(item, level + 1, common), class_="body")
    return tag(
        "details",
        tag("summary", head),
        body,
        class_=f"card {sentences.KINDS[result.verdict]}",
        id=item.anchor,
        data_item=item.anchor,
        open=not folded,
    )


def _expectation(result: AuditResult) -> Markup | None:
    if result.verdict is Verdict.UNKNOWN:
        return None
    return tag(
        "span", sentences.expectation(result), class_="chip alarm" if result.surprising else "chip"
    )


def _headline(result: AuditResult) -> str:
    if not result.certifies:
        return f"claimed {sentences.claim(result)}"
    return f"claimed {sentences.claim(result)}; certified {sentences.limit(result)}"


def _body(item: Item, level: int, common: Sequence[Row]) -> list[Markup | None]:
    result, best = item.result, item.result.explained_pair
    limits = [tag("p", clean(said)) for said in result.limitations]
    parts: list[Markup | None] = [
        tag("div", *limits, class_="finding limitations") if limits else None,
        tag("p", clean(result.summary), class_="lead") if result.summary else None,
        tag("p", _because(result), class_="finding") if result.verdict is Verdict.UNKNOWN else None,
    ]
    if result.exact is not None or (result.one_run is not None and result.certifies):
        said = (tag("p", clean(s)) for s in sentences.finding(result))
        parts.append(tag("div", *said, class_="finding"))
    if best is not None:
        parts.append(_witness(result, best))
    if result.program is not None and result.program.words:
        shown = (tag("p", clean(words)) for words in result.program.words)
        parts.append(tag("div", *shown, class_="finding"))
    parts.append(_facts(result, best))
    if best is not None:
        parts += [_figures(result, best, level), _effects(best), _examples(best, level)]
    if len(result.pairs) > 1:
        parts.append(_pairs(result))
    if not item.known:
        parts.append(evidence_of(item.record, level, common))
    if item.record.selection:
        again = tag("div", command(replay(item.record)), class_="replay")
        parts += [tag(f"h{level}", "Run it again"), again]
    return parts


def _figures(result: AuditResult, pair: PairResult, level: int) -> Markup:
    drawn = [draw(result, pair, level) for draw in (tradeoff, sizes, growth)]
    return tag("div", *drawn, class_="plots")


def _because(result: AuditResult) -> str:
    return f"No verdict: {clean(result.reason) or 'no reason was given'}."


def _witness(result: AuditResult, pair: PairResult) -> Markup:
    shown = clean(f"{sentences.setting(pair)} {sentences.guessed(pair)}")
    compared = clean(sentences.compared(result, pair))
    return tag(
        "div",
        tag("p", shown),
        tag("p", compared, class_="compared") if compared else None,
        tag("p", clean(cause(result)), class_="cause") if cause(result) else None,
        class_="finding",
    )


def _facts(result: AuditResult, pair: PairResult | None) -> Markup:
    facts: list[tuple[str, str]] = [("Claim", result.promise or sentences.claim(result))]
    if result.promise and sentences.point(result) not in result.promise:
        facts.append(("Tested at", sentences.point(result)))
    facts += [("Neighbors", result.relation), ("Source", result.source)]
    if pair is not None:
        sure = percent(result.confidence)
        method = sentences.bound(pair.method, result.confidence)
        facts += [
            ("Certified", f"{sentences.limit(result)} with {sure} confidence ({method})"),
            ("Whole curve", sentences.whole_curve(pair)),
            ("Power", power_of(result)),
            ("Searched", searched(result)),
            ("Arithmetic", IDEAL if result.arithmetic == "ideal" else ""),
            (
                "Samples",
                _samples(pair),
            ),
        ]
    if result.one_run is not None and result.certifies:
        sure = percent(result.confidence)
        facts.append(("Certified", f"{sentences.limit(result)} with {sure} confidence"))
        facts.append(("Guesses", power.one_run_summary(result.one_run)))
    if result.exact is not None:
        facts.append(("Decided", proved.exact_scope(result.exact)))
        facts += [("Checked", statement) for statement in result.exact.statements]
        facts += [("Taken for granted", what) for what in result.exact.rests_on]
    if result.program is not None:
        facts += [
            ("Proved", " ".join(filter(None, (decided(result.program), enough(result.program))))),
            ("Gap", gap_words(result)),
            ("Of what", APART if gap_words(result) else ""),
        ]
        facts += [("Rests on", what) for what in result.program.rests_on]
    if result.true_epsilon is not None:
        facts.append((_true_name(result), plain(result.true_epsilon, 6)))
    facts.append(("Seed", _seed(result) if result.exact is None else ""))
    if result.reason and result.verdict is not Verdict.UNKNOWN:
        facts.append(("Not completed", result.reason))
    facts += [("Note", note) for note in result.notes]
    entries = [tag("div", tag("dt", name), tag("dd", clean(text))) for name, text in facts if text]
    return tag("dl", *entries)


def _true_name(result: AuditResult) -> str:
    """Name the exact ε that an entry knows: that of its first pair, which others may exceed."""
    return "True ε" if len(result.pairs) < 2 else "True ε of pair 0"


def _seed(result: AuditResult) -> str:
    if result.seedable is False:
        return f"{result.seed}, but the mechanism’s own sampler cannot be seeded"
    return str(result.seed)


def _effects(pair: PairResult) -> Markup:
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
    return f"{percents(hits / trials)[0]} ({hits:,} of {trials:,})" if trials else "–"


def _interval(value: float, ends: tuple[float, float]) -> str:
    return f"{plain(value)} ({down(ends[0])} to {up(ends[1])})"


def _examples(pair: PairResult, level: int) -> Markup | None:
    groups = (("D", pair.witness.examples_d), ("D′", pair.witness.examples_d_prime))
    items = [
        tag("li", f"guessed {guess}: ", *_codes(examples)) for guess, examples in groups if examples
    ]
    if not items:
        return None
    heading = tag(f"h{level}", "Outputs seen while exploring")
    return join(heading, tag("ul", *items, class_="examples"))


def _codes(examples: tuple[str, ...]) -> list[Markup]:
    return [join(tag("code", clean(example)), " ") for example in examples]


def _samples(pair: PairResult) -> str:
    if pair.method.bettors:
        return (
            f"{pair.counts.trials:,} trials; bets on each block of them were learned from those "
            "before it, and none was thrown away"
        )
    return (
        f"{pair.counts.trials:,} certifying trials of {pair.planned_trials:,} planned, "
        f"after {pair.explored_trials:,} samples of exploration that were thrown away"
    )


def _pairs(result: AuditResult) -> Markup:
    twice = len({pair.index for pair in result.pairs}) < len(result.pairs)
    heads = ("pair", "D′", "verdict", "certified ε ≥", "trials", "alpha")
    rows = [
        (
            f"{pair.index}, rounded" if pair.rounded and twice else str(pair.index),
            clean(pair.witness.difference),
            str(pair.verdict),
            certified(pair.epsilon_lower, result.epsilon),
            f"{pair.counts.trials:,}",
            f"{pair.method.alpha:.4g}",
        )
        for pair in result.pairs
    ]
    return table("All pairs", heads, rows)
