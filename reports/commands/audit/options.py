"""The options of ``provado audit``; a report's command is read by them again."""

from __future__ import annotations

import argparse
from pathlib import Path

from provado.mechanisms.definitions.relation import RELATIONS
from provado.reports.audit_report.formats import FORMATS
from provado.reports.targets import option_types
from provado.reports.targets.claim_text import FORMS as FORMS_OF_CLAIMS
from provado.reports.targets.claim_text import promise_option
from provado.reports.targets.domain import FORMS
from provado.reports.tasks.journal import NAME as JOURNAL
from provado.reports.tasks.run import DEFAULT_TIME_LIMIT

from .request import ARITHMETIC

MOST_RUNS = 10_000


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add all options."""
    what = parser.add_argument_group("what to audit")
    what.add_argument(
        "targets",
        nargs="*",
        metavar="TARGET",
        help="path/to/file.py:name or module:name; a callable or a provado Mechanism; or the "
        "name of an audit in the configuration. path/to/file.py alone lists what it holds",
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
    what.add_argument(
        "--config", type=Path, metavar="FILE", help="a configuration other than the nearest"
    )
    what.add_argument(
        "--python",
        metavar="PATH",
        help="run the targets in another interpreter, with its own packages; Python 3.8 or later",
    )
    claim = parser.add_argument_group("the claim of the targets")
    claim.add_argument("--epsilon", type=option_types.positive, help="the claimed ε")
    claim.add_argument("--delta", type=option_types.small_share, help="the claimed δ (default: 0)")
    claim.add_argument(
        "--promise",
        type=promise_option,
        metavar="CLAIM",
        help=f"the claim where it is a curve, instead of --epsilon: {FORMS_OF_CLAIMS}",
    )
    claim.add_argument(
        "--pair",
        nargs=2,
        action="append",
        metavar=("D0", "D1"),
        help="files of two neighboring datasets (.json, .npy, .csv); may be repeated",
    )
    claim.add_argument(
        "--data",
        type=Path,
        metavar="FILE",
        help="one dataset (.json, .npy, .csv, .parquet), of which the neighbors that tell most are "
        "searched, instead of --pair",
    )
    claim.add_argument(
        "--domain",
        action="append",
        metavar="[COLUMN=]WHAT",
        help=f"with --data, what a record may be: {FORMS}; inferred from the data where it is left "
        "out; may be repeated, a column each",
    )
    claim.add_argument(
        "--relation",
        choices=sorted(RELATIONS),
        help="what neighbors are; each pair is checked to be",
    )
    claim.add_argument(
        "--arithmetic",
        choices=ARITHMETIC,
        help="ideal: exact real arithmetic is meant, leave low-order bits alone (floating)",
    )
    claim.add_argument(
        "--read",
        metavar="TARGET",
        help="a function from an output to plain values, for outputs that cannot be read as they "
        "are; the claim is then about what it returns",
    )
    few = parser.add_argument_group("few runs, many interventions in each")
    few.add_argument(
        "--canaries",
        type=Path,
        metavar="FILE",
        help="records (.json, .npy, .csv, .parquet), each in the dataset or not by a coin of its "
        "own: audits the targets by few runs; --data are then the records that are always there",
    )
    few.add_argument(
        "--instead",
        type=Path,
        metavar="FILE",
        help="records that stand in the canaries' place where their coins say so: replace-one",
    )
    few.add_argument(
        "--score",
        metavar="TARGET",
        help="a function from an output to a number for each canary, high where it likely was in; "
        "without it the output has these numbers itself",
    )
    few.add_argument(
        "--guesses", type=option_types.whole(1), metavar="N", help="coins that a run guesses (half)"
    )
    few.add_argument(
        "--threshold",
        type=option_types.finite,
        metavar="X",
        help="guess the scores that are farthest from it, on their side of it",
    )
    few.add_argument(
        "--runs", type=option_types.whole(1, MOST_RUNS), metavar="N", help="runs that count (1)"
    )
    few.add_argument(
        "--explore-runs",
        type=option_types.whole(0, MOST_RUNS),
        metavar="N",
        help="runs before them, thrown away, that choose how many coins to guess (0)",
    )
    how = parser.add_argument_group("how")
    how.add_argument(
        "--samples",
        type=option_types.samples,
        metavar="N",
        help="certifying trials (10^6, but no more than fit in a minute an audit); auto: as few as "
        "it takes, bets on each block of them learned from those before it; auto:N: at most N; "
        "N:END: those planned for N trials, ended after END",
    )
    how.add_argument(
        "--explore",
        type=option_types.explore,
        metavar="N",
        help="exploration samples (as many as certify, at most 10^6); N:KEPT: of wide outputs so "
        "many kept whole; N:KEPT,search=RUNS:END: runs that a search for the pair plans, and after "
        "which it ends",
    )
    how.add_argument(
        "--seconds", type=option_types.seconds, help="plan the trials from a time instead"
    )
    how.add_argument(
        "--confidence",
        type=option_types.share,
        help="of the whole run, shared by its audits (0.95)",
    )
    how.add_argument("--seed", type=option_types.seed, help="(0)")
    how.add_argument("--jobs", type=option_types.jobs, help="processes (as many as processors)")
    how.add_argument(
        "--executor",
        metavar="dask://HOST:PORT",
        help="let the workers of a Dask cluster draw the certifying trials; the same counts",
    )
    how.add_argument(
        "--time-limit",
        type=option_types.seconds,
        metavar="SECONDS",
        help=f"end an audit as unknown after this time ({DEFAULT_TIME_LIMIT:g})",
    )
    how.add_argument(
        "--block-limit",
        type=option_types.seconds,
        metavar="SECONDS",
        help="end an audit as unknown where one block of trials takes longer",
    )
    how.add_argument(
        "--memory",
        type=option_types.size,
        metavar="SIZE",
        help="what each process of an audit may take beyond what it begins with: 500M, 2G",
    )
    how.add_argument(
        "--no-network", action="store_true", help="let the mechanism have no network (Linux)"
    )
    how.add_argument(
        "--timing",
        action="store_true",
        help="the run time of each trial is a part of its output; it is noisy",
    )
    how.add_argument(
        "--stop-early", action="store_true", help="stop once a violation is certain; still valid"
    )
    lasting = parser.add_argument_group("nothing lost, nothing spent twice")
    lasting.add_argument(
        "--journal",
        type=Path,
        metavar="FILE",
        help=f"keep plans and counts in FILE while they are drawn ({JOURNAL} in --out DIR)",
    )
    lasting.add_argument(
        "--resume",
        action="store_true",
        help="go on with a run that was ended, from its journal; begin where there is none",
    )
    lasting.add_argument(
        "--history",
        type=Path,
        metavar="FILE",
        help="one chance of a false alarm (1 − confidence) for all runs ever with this FILE: each "
        "spends a part of it, and what earlier ones certified is told",
    )
    where = parser.add_argument_group("where to")
    where.add_argument(
        "--out", type=Path, metavar="DIR", help="leave audit.html and audit.json in DIR"
    )
    where.add_argument(
        "--format",
        action="append",
        default=[],
        metavar="NAME[=FILE]",
        help=f"{', '.join(FORMATS)}; into FILE, else instead of the table; may be repeated",
    )
    where.add_argument("--json", action="store_true", help="as --format json")
    where.add_argument(
        "--anonymous", action="store_true", help="leave login and host name out of the report"
    )
    where.add_argument(
        "--baseline",
        type=Path,
        metavar="FILE",
        help="status 1 if a verdict differs from those in FILE, or a bound rose beyond chance",
    )
    where.add_argument(
        "--update-baseline", action="store_true", help="write this run into the baseline instead"
    )
