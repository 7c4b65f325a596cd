"""Compares what a report says of a claim with what it was selected by, and with the catalogue."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from provado.audit.options.domains import read_promise
from provado.audit.result import AuditResult, OneRunFinding
from provado.mechanisms import UsageError, Verdict
from provado.mechanisms.catalogue import catalogue
from provado.mechanisms.definitions.curve import CurvePromise, CurveRecord
from provado.mechanisms.definitions.relation import difference_words, short
from provado.reports.commands.audit.repeat import parse
from provado.reports.tasks.run import Record
from provado.reports.tasks.task import stated_by

FEW = {"runs": "runs", "guesses": "guesses", "threshold": "threshold", "explore_runs": "explored"}
"""Options of audits of few runs, and where a finding has what they say."""


def claim_differences(record: Record) -> Iterator[str]:
    """Yield where the selection is not well-formed, or the audit is not of what it selects."""
    result, settings = record.result, record.settings
    for name in ("confidence", "seed"):
        own, asked = getattr(result, name), getattr(settings, name)
        if own != asked:
            yield f"{name}: recorded {own!r}; the audit's settings have {asked!r}"
    planned = max((pair.planned_trials for pair in result.pairs), default=result.samples)
    if result.samples != planned:
        yield f"samples: recorded {result.samples:,}; {planned:,} were planned"
    try:
        options = parse(record)
    except UsageError as error:
        yield f"selection: not a command that repeats this audit: {error}"
        return
    relation = options.relation
    for name, typed, own in (
        ("promise", options.promise and read_promise(options.promise).words(), result.promise),
        ("epsilon", options.epsilon, result.epsilon),
        ("delta", options.delta, result.delta),
        ("relation", relation, result.relation),
        ("pairs", options.pair and len(options.pair), _pairs(result)),
        *_few(options, result.one_run),
    ):
        if typed is not None and own is not None and typed != own:
            yield f"{name}: recorded {own!r}; the selection says {typed!r}"
    if options.catalogue:
        yield from _catalogue_differences(result)


def _few(
    options: argparse.Namespace, found: OneRunFinding | None
) -> Iterator[tuple[str, Any, Any]]:
    """Yield what is typed of few runs, and what is recorded; nothing where they broke."""
    if found is None or not found.runs:
        return
    for option, name in FEW.items():
        yield f"one_run.{name}", getattr(options, option), getattr(found, name)


def of_catalogue(record: Record) -> bool:
    """Tell whether the audit is of a mechanism of the catalogue, by its selection."""
    return record.selection[:1] == ("--catalogue",)


def _pairs(result: AuditResult) -> int | None:
    """Return how many pairs were asked for; ``None`` where the audit did not get to them all."""
    asked = len({pair.index for pair in result.pairs})
    return asked if asked and not result.reason else None


def _catalogue_differences(result: AuditResult) -> Iterator[str]:
    known = next((one for one in catalogue() if one.name == result.name), None)
    if known is None:
        yield f"name: the installed catalogue has no {result.name!r}"
        return
    claim: dict[str, Any] = {"curve": None}
    if isinstance(known.promise, CurvePromise):
        claim = {"curve": CurveRecord.of(known.promise)}
    else:
        epsilon, delta = known.promise.point()
        claim |= {"epsilon": float(epsilon), "delta": float(delta)}
    for name, stated in (claim | stated_by(known)).items():
        if (own := getattr(result, name)) != stated:
            yield f"{name}: recorded {_said(own)}; the installed catalogue has {_said(stated)}"
    for pair in result.pairs:
        if pair.index >= len(known.pairs):
            continue
        d, d_prime = known.pairs[pair.index]
        own = (pair.witness.d, pair.witness.d_prime, pair.witness.difference)
        if own != (short(d), short(d_prime), difference_words(d, d_prime)):
            yield f"pair {pair.index}: the datasets are not those of the installed catalogue"
    if _pairs(result) not in (None, len(known.pairs)):
        yield f"pairs: {_pairs(result)} recorded; the installed catalogue has {len(known.pairs)}"


def _said(value: Any) -> str:
    return repr(str(value)) if isinstance(value, Verdict) else short(value, 60)
