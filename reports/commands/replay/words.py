"""A counterfactual replay in words: noise calls as a table, where control flow parts, findings."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import PurePath
from typing import TYPE_CHECKING

from provado.audit.experiments.replay import Divergence, Finding, NoiseCall, PairReplay, Replay
from provado.audit.result import AuditResult
from provado.reports.documents.origin import shown_place
from provado.reports.text.formatting import clean, counted, percent, plain, text_table
from provado.reports.text.sentences import claim, limit
from provado.reports.text.sentences import finding as finding_of

if TYPE_CHECKING:
    from .document import Replayed

MOST_CALLS = 20
"""Noise calls of a pair that are shown in the table; the document has all."""

_WIDEST = 24

HEADS = ("noise", "scale", "input under D", "under D′", "moves by", "costs ε")


def lines_of(replay_result: Replayed) -> Iterator[str]:
    """Yield the report of a replay and of the audits of its pairs, line by line."""
    if replay_result.name != replay_result.replay.name:
        yield clean(f"{replay_result.name}:")
    yield from lines(replay_result.replay, replay_result.certified)
    if replay_result.expected != "nothing":
        yield f"Expected: {replay_result.expected}."


def lines(replay: Replay, certified: Sequence[AuditResult | None] = ()) -> Iterator[str]:
    """Yield the report of a replay, line by line; ``certified``: what audits of its pairs found."""
    claim = f", claimed: {replay.promise}" if replay.promise else ""
    yield clean(f"{replay.name}{claim}: counterfactual replay, the noise frozen")
    for pair, result in zip_longest(replay.pairs, certified):
        yield ""
        yield clean(pair.difference or "D and D′")
        if pair.reason:
            yield clean(f"not completed: {pair.reason}")
            continue
        if pair.divergence is not None:
            yield clean(f"Control flow {divergence(pair.divergence)}.")
        if pair.calls:
            yield from table(pair).splitlines()
            yield f"{total(pair)} on this pair, along this control flow."
        for finding in pair.findings:
            yield from of_finding(finding)
        for note in pair.notes:
            yield clean(f"Not followed: {note}.")
        if result is not None:
            yield f"Audit of this pair: {certificate(result)}."
            yield from (f"  {clean(sentence)}" for sentence in finding_of(result))
    yield ""
    yield closing(replay)


def table(pair: PairReplay) -> str:
    """Return the noise calls of a pair as a table."""
    rows = [HEADS, *(row(call) for call in pair.calls[:MOST_CALLS])]
    more = len(pair.calls) - MOST_CALLS
    sentence = f"\n… and {counted(more, 'more call')} of noise" if more > 0 else ""
    return text_table(rows, right=range(1, len(HEADS))) + sentence


def row(call: NoiseCall) -> tuple[str, ...]:
    """Return a noise call as the cells below ``HEADS``."""
    place = shown_place(call.file, call.line)
    what = f"{call.name}, {call.size:,} numbers" if call.size > 1 else call.name
    shown = [
        text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"
        for text in (call.input_d, call.input_d_prime)
    ]
    cost = "unknown" if call.cost is not None and math.isnan(call.cost) else _figure(call.cost)
    figures = (_figure(call.input_distance), cost)
    return clean(f"{place} {what}"), _figure(call.scale), *map(clean, shown), *figures


def _figure(value: float | None) -> str:
    if value is None:
        return ""
    return "NaN" if math.isnan(value) else plain(value)


def total(pair: PairReplay) -> str:
    """Return what the noise adds up to."""
    if math.isinf(pair.epsilon):
        return "Something is not hidden by noise"
    if math.isnan(pair.epsilon):
        return "The total cost is unknown"
    gaussian = f"{plain(pair.deviations)} standard deviations of Gaussian noise"
    parts = [f"ε = {plain(pair.epsilon)}", *([gaussian] if pair.deviations else [])]
    parts += [f"ρ = {plain(pair.rho)}"] if pair.rho else []
    return f"Adds up to {' and '.join(parts)}"


def divergence(where: Divergence) -> str:
    """Return where control flow parts: ``parts after mine.py:6: D goes to line 10, …``."""
    after = f"parts after {shown_place(where.after.file, where.after.line)}"
    if not where.after.file:
        after = "parts from the start"
    ways = [f"to line {one.line}" if one.line else "no further" for one in (where.d, where.d_prime)]
    calls = counted(where.noise_before, "noise call")
    noise = f"after {calls}" if where.noise_before else "before any noise"
    return f"{after}: D goes {ways[0]}, D′ {ways[1]} ({noise})"


def of_finding(finding: Finding) -> Iterator[str]:
    """Yield a finding, the event to look at, and the command that audits the pair."""
    yield clean(headline(finding))
    if finding.event:
        yield f"  An audit can look at: {clean(finding.event)}."
    if finding.command:
        yield f"  To certify: {clean(finding.command)}"


def headline(finding: Finding) -> str:
    """Return kind, place and words of a finding."""
    place = shown_place(finding.file, finding.line)
    told = not place or finding.words.startswith(f"{PurePath(place).name}:")
    at = "" if told else f" at {place}"
    return f"Finding ({finding.kind}){at}: {finding.words}."


def certificate(result: AuditResult) -> str:
    """Return what the audit of a pair certifies, beside the claim."""
    sentence = f"{result.verdict}; claimed {claim(result)}"
    if not result.certifies:
        return sentence
    trials = result.counts.trials
    sure = percent(result.confidence)
    return (
        f"{sentence}, certified {limit(result)} with {sure} confidence ({counted(trials, 'trial')})"
    )


def closing(replay: Replay) -> str:
    """Return how much was found; a replay has no verdict."""
    number = len(replay.findings)
    broken = sum(bool(pair.reason) for pair in replay.pairs)
    unknown = sum(math.isnan(pair.epsilon) and not pair.reason for pair in replay.pairs)
    sentences = [counted(number, "finding") if number else "no finding"]
    sentences.append(f"on {counted(len(replay.pairs), 'pair')}")
    sentences += [f"({broken} not completed)"] if broken else []
    sentences += [f"({unknown} not followed to the end)"] if unknown else []
    return f"{' '.join(sentences)}. A finding is no verdict: only an audit certifies a violation."
