"""What a recheck cannot see: the fields of a report that do not follow from the rest of it."""

from __future__ import annotations

from dataclasses import fields

from provado.audit.options.declaration import named
from provado.mechanisms import Verdict
from provado.reports.tasks.run import Record, Run, Settings

from .claim import FEW, of_catalogue

BEYOND = (
    "That the counts were drawn as the report says does not follow from it, nor does what is "
    "listed as unchecked; --redraw draws again. The digest shows accidents and partial "
    "edits; it is no signature, and does not stop a forger who computes it anew."
)

_STATED = ("name", "summary", "tags", "promise", "relation", "source", "expected")
_SETTINGS = tuple(one.name for one in fields(Settings) if one.name != "confidence")


def of_run(run: Run) -> tuple[str, ...]:
    """Return the unchecked fields of the run: paths in the document."""
    own = () if shared(run) else tuple(f"settings.{name}" for name in _SETTINGS)
    return ("provado", "versions", "provenance", *own, "audits (their order)")


def shared(run: Run) -> bool:
    """Tell whether all audits were asked the same, which the run's settings must then say."""
    return len({tuple(getattr(r.settings, name) for name in _SETTINGS) for r in run.records}) == 1


def of_audit(record: Record) -> tuple[str, ...]:
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
        fields += ["one_run.interventions", "one_run.right"]
        typed = [word.partition("=")[0] for word in selection]
        free = (name for option, name in FEW.items() if f"--{named(option).word}" not in typed)
        return (*fields, *(f"one_run.{name}" for name in free))
    if not result.pairs:
        return (*fields, "samples", "epsilon", "delta")
    if not of_catalogue(record):
        fields += [f"pairs[].witness.{name}" for name in ("d", "d_prime", "difference")]
        fields += ["arithmetic", *(["searched"] if result.searched is not None else [])]
    words = ("guess_d", "guess_d_prime", "examples_d", "examples_d_prime")
    fields += [f"pairs[].witness.{name}" for name in words]
    rest = ("rule", "looked_at", "explored_trials", "kept_trials", "checkpoints", "rounded")
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


def said(run: Run) -> str:
    """Return all of them in one line."""
    audits = dict.fromkeys(field for record in run.records for field in of_audit(record))
    return f"{', '.join(of_run(run))}; of audits: {', '.join(audits)}"
