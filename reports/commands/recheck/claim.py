"""What a claim was selected by, compared with a report; and what no recheck can see."""

import argparse
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from provado.audit.options.declaration import named
from provado.audit.options.domains import read_promise
from provado.audit.result import AuditResult, OneRunFinding
from provado.mechanisms import UsageError, Verdict
from provado.mechanisms.catalogue import catalogue
from provado.mechanisms.definitions.curve import CurvePromise, CurveRecord
from provado.mechanisms.definitions.relation import difference_words, short
from provado.reports.commands.recheck.redraw import parse
from provado.reports.tasks.run import Record, Run, Settings
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
        yield from _catalogue_differences(record)


def _few(
    options: argparse.Namespace, finding: OneRunFinding | None
) -> Iterator[tuple[str, Any, Any]]:
    """Yield what is typed of few runs, and what is recorded; nothing where they broke."""
    if finding is None or not finding.runs:
        return
    for option, name in FEW.items():
        yield f"one_run.{name}", getattr(options, option), getattr(finding, name)


def of_catalogue(record: Record) -> bool:
    """Return whether the audit is of a mechanism of the catalogue, by its selection."""
    return record.selection[:1] == ("--catalogue",)


def _pairs(result: AuditResult) -> int | None:
    """Return how many pairs were asked for; ``None`` where the audit did not get to them all."""
    asked = len({pair.index for pair in result.pairs})
    return asked if asked and not result.reason else None


def _catalogue_differences(record: Record) -> Iterator[str]:
    result = record.result
    known = next((mechanism for mechanism in catalogue() if mechanism.name == result.name), None)
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
        if pair.index >= len(known.pairs) or record.settings.redact:
            continue
        d, d_prime = known.pairs[pair.index]
        own = (pair.witness.d, pair.witness.d_prime, pair.witness.difference)
        if own != (short(d), short(d_prime), difference_words(d, d_prime)):
            yield f"pair {pair.index}: the datasets are not those of the installed catalogue"
    if _pairs(result) not in (None, len(known.pairs)):
        yield f"pairs: {_pairs(result)} recorded; the installed catalogue has {len(known.pairs)}"


def _said(value: Any) -> str:
    return repr(str(value)) if isinstance(value, Verdict) else short(value, 60)


BEYOND = (
    "That the counts were drawn as the report says does not follow from it, nor does what is "
    "listed as unchecked; --redraw draws again. The digest shows accidents and partial "
    "edits; it is no signature, and does not stop a forger who computes it anew."
)

_STATED = ("name", "summary", "tags", "promise", "relation", "source", "expected")
_SETTINGS = tuple(field.name for field in fields(Settings) if field.name != "confidence")


def not_covered_of_run(run: Run) -> tuple[str, ...]:
    """Return the unchecked fields of the run: paths in the document."""
    own = () if shared(run) else tuple(f"settings.{name}" for name in _SETTINGS)
    return ("provado", "versions", "provenance", *own, "audits (their order)")


def shared(run: Run) -> bool:
    """Return whether all audits were asked the same, which the run's settings must then say."""
    return len({tuple(getattr(r.settings, name) for name in _SETTINGS) for r in run.records}) == 1


def not_covered_of_audit(record: Record) -> tuple[str, ...]:
    """Return the unchecked fields of one audit: paths in its object."""
    result, selection = record.result, record.selection
    fields = ["seed", "seconds", "notes", "limitations", "location", "code", "selection"]
    fields += [f"settings.{name}" for name in _SETTINGS]
    fields += ["program"] if result.program is not None else []
    if result.verdict in (Verdict.UNKNOWN, Verdict.VIOLATION) and result.exact is None:
        fields.append("reason")
    if not of_catalogue(record):
        checked = "--promise" in selection
        fields += [name for name in _STATED if not (name == "promise" and checked)]
        fields += ["seedable", *(["read"] if result.read else [])]
        fields += [name for name in ("epsilon", "delta") if f"--{name}" not in selection]
        if result.exact is None:
            fields += ["true_epsilon", *(["curve"] if result.curve is not None else [])]
    if result.exact is not None:
        return (*fields, "exact.table", "exact.only", "exact.epsilon", "exact.delta")
    if result.one_run is not None:
        fields += ["one_run.interventions", "one_run.correct"]
        typed = [word.partition("=")[0] for word in selection]
        free = (name for option, name in FEW.items() if f"--{named(option).word}" not in typed)
        return (*fields, *(f"one_run.{name}" for name in free))
    if not result.pairs:
        return (*fields, "samples", "epsilon", "delta")
    if not of_catalogue(record) or record.settings.redact:
        fields += [f"pairs[].witness.{name}" for name in ("d", "d_prime", "difference")]
    if not of_catalogue(record):
        fields += ["arithmetic", *(["search"] if result.search is not None else [])]
    words = ("guess_d", "guess_d_prime", "examples_d", "examples_d_prime")
    fields += [f"pairs[].witness.{name}" for name in words]
    rest = ("rule", "event_kinds", "explored_trials", "kept_trials", "checkpoints", "rounded")
    fields += [f"pairs[].{name}" for name in (*rest, "cause")]
    if any(pair.method.bets is not None for pair in result.pairs):
        fields += ["pairs[].bound.bets.stakes[0]", "pairs[].planned_trials"]
    if any(pair.method.ladder is not None for pair in result.pairs):
        fields.append("pairs[].bound.ladder")
    if any(pair.counts.cells for pair in result.pairs):
        fields.append("pairs[].counts.cells")
    if any(pair.method.bettors for pair in result.pairs):
        fields += ["pairs[].bound.bettors[].staked", "pairs[].planned_trials"]
    return tuple(fields)


def not_covered(run: Run) -> str:
    """Return all of them in one line."""
    audits = dict.fromkeys(field for item in run.records for field in not_covered_of_audit(item))
    return f"{', '.join(not_covered_of_run(run))}; of audits: {', '.join(audits)}"
