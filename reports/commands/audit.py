"""``provado audit``: runs audits, prints what they found, leaves a report."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from provado.mechanisms import (
    AddOrRemoveOne,
    ExactlyDecidable,
    Mechanism,
    ReplaceOne,
    UsageError,
)
from provado.reports import option, schema
from provado.reports.dataset import load_pair
from provado.reports.html import render
from provado.reports.job import DEFAULT_TIME_LIMIT, Job, run_jobs
from provado.reports.progress import Progress
from provado.reports.run import Run, Settings
from provado.reports.selection import select
from provado.reports.show import show_json, show_run
from provado.reports.target import Target, load_target
from provado.reports.to_json import run_to_json
from provado.reports.versions import provado_version, versions
from provado.reports.write import check_folder, write_files

LIBRARY_SECONDS = 3.0
"""Budget of a released library's audit where the user sets none: libraries draw slowly."""

RELATIONS = {relation.words(): relation for relation in (ReplaceOne(), AddOrRemoveOne())}


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "audit",
        help="audit mechanisms against their privacy claims",
        description="Audits mechanisms against their privacy claims by randomised experiments.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    what = parser.add_argument_group("what to audit")
    what.add_argument(
        "targets",
        nargs="*",
        metavar="TARGET",
        help="path/to/file.py:name or module:name; a callable or a provado Mechanism",
    )
    what.add_argument("--catalogue", action="store_true", help="the built-in mechanisms")
    what.add_argument("--libraries", action="store_true", help="the released libraries")
    what.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="GLOB",
        help="of the catalogue and libraries, only names that match; may be repeated",
    )
    claim = parser.add_argument_group("the claim of the targets")
    claim.add_argument("--epsilon", type=option.positive, help="the claimed ε")
    claim.add_argument("--delta", type=option.small_share, help="the claimed δ (default: 0)")
    claim.add_argument(
        "--pair",
        nargs=2,
        action="append",
        metavar=("D0", "D1"),
        help="files of two neighboring datasets (.json, .npy, .csv); may be repeated",
    )
    claim.add_argument(
        "--relation", choices=sorted(RELATIONS), help="check that each pair are neighbors"
    )
    how = parser.add_argument_group("how")
    how.add_argument("--samples", type=option.whole(1), help="certifying trials (10^6)")
    how.add_argument("--seconds", type=option.positive, help="plan the trials from a time instead")
    how.add_argument(
        "--confidence",
        type=option.share,
        default=0.95,
        help="of the whole run, shared by its audits (0.95)",
    )
    how.add_argument("--seed", type=option.whole(0), default=0, help="(0)")
    how.add_argument("--jobs", type=option.whole(1), help="processes (as many as processors)")
    how.add_argument(
        "--time-limit",
        type=option.positive,
        default=DEFAULT_TIME_LIMIT,
        metavar="SECONDS",
        help=f"end an audit as unknown after this time ({DEFAULT_TIME_LIMIT:g})",
    )
    how.add_argument(
        "--stop-early", action="store_true", help="stop once a violation is certain; still valid"
    )
    where = parser.add_argument_group("where to")
    where.add_argument(
        "--out", type=Path, metavar="DIR", help="leave audit.html and audit.json in DIR"
    )
    where.add_argument("--json", action="store_true", help="print the JSON instead of the table")


def run(options: argparse.Namespace) -> int:
    """Audit everything asked for; return the exit status."""
    if options.out is not None:
        check_folder(options.out)
    jobs = _jobs(options)
    if not jobs:
        raise UsageError("nothing to audit: give a TARGET, --catalogue or --libraries")
    settings = Settings(
        samples=options.samples,
        seconds=options.seconds,
        confidence=options.confidence,
        seed=options.seed,
        time_limit=options.time_limit,
        stop_early=options.stop_early,
    )
    shared = replace(settings, confidence=1 - (1 - settings.confidence) / len(jobs))
    progress = Progress([job.name for job in jobs])
    try:
        records = run_jobs(jobs, shared, options.jobs or option.processors(), progress.finished)
    finally:
        progress.close()
    done = Run(provado_version(), versions(), settings, records)
    document = run_to_json(done)
    if options.out is not None:
        contents = {"audit.json": schema.dumps(document), "audit.html": render(done)}
        write_files(options.out, contents)
        if sys.stderr.isatty():
            print(f"wrote {', '.join(str(options.out / n) for n in contents)}", file=sys.stderr)
    if options.json:
        show_json(document)
    else:
        show_run(done)
    return done.exit_status


def _jobs(options: argparse.Namespace) -> list[Job]:
    _check_combination(options)
    relation = RELATIONS[options.relation] if options.relation else None
    pairs = [load_pair((d, d_prime), relation) for d, d_prime in options.pair or ()]
    claim = {
        "epsilon": options.epsilon,
        "delta": options.delta,
        "pair": pairs or None,
        "relation": relation,
    }
    jobs = [_target_job(load_target(text), claim, options) for text in options.targets]
    for where, mechanism in select(options.catalogue, options.libraries, options.only):
        jobs.append(
            Job(
                name=mechanism.name,
                mechanism=mechanism,
                selection=(where, "--only", mechanism.name),
                seconds=LIBRARY_SECONDS if "library" in mechanism.tags else None,
            )
        )
    return jobs


def _target_job(target: Target, claim: dict[str, Any], options: argparse.Namespace) -> Job:
    if not isinstance(target.mechanism, Mechanism):
        for name, key in (("--epsilon", "epsilon"), ("--pair", "pair")):
            if key == "pair" and isinstance(target.mechanism, ExactlyDecidable):
                continue  # All its neighbors are decided.
            if claim[key] is None:
                raise UsageError(
                    f"{name}: {target.text} is a plain callable, which states no claim of its "
                    "own; give one"
                )
    words = [target.text]
    if options.epsilon is not None:
        words += ["--epsilon", repr(options.epsilon)]
    if options.delta is not None:
        words += ["--delta", repr(options.delta)]
    for d, d_prime in options.pair or ():
        words += ["--pair", d, d_prime]
    if options.relation:
        words += ["--relation", options.relation]
    return Job(target.name, target.mechanism, tuple(words), claim, None, target.importable)


def _check_combination(options: argparse.Namespace) -> None:
    """Refuse options that would be silently without effect."""
    if options.only and not (options.catalogue or options.libraries):
        raise UsageError("--only: it filters --catalogue and --libraries; give one of them")
    if not options.targets:
        for name in ("epsilon", "delta", "pair", "relation"):
            if getattr(options, name) is not None:
                raise UsageError(
                    f"--{name}: it states the claim of a TARGET; entries of the catalogue and "
                    "the libraries carry their own"
                )
    if options.samples is not None and options.seconds is not None:
        raise UsageError("--samples and --seconds: both set the number of trials; give one")
