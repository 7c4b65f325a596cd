"""``provado prove``: proves or refutes the claim of a mechanism that is a plain Python function."""

import argparse
import contextlib
import sys
from functools import partial
from pathlib import Path

from provado.proofs.programs.alignment.prove import smtlib
from provado.proofs.programs.claim import ProgramVerdict
from provado.proofs.programs.decide import ProgramDecision
from provado.reports.commands.prove.request import read_tasks, repair_place
from provado.reports.config.plan import files_of
from provado.reports.config.read import choose
from provado.reports.documents.exit_status import joined_status
from provado.reports.documents.origin import Provenance
from provado.reports.documents.write import check_places, deliver, one_or_several, places
from provado.reports.targets.argument_parser import PROVE_OPTIONS, Parser, add_options, add_targets
from provado.reports.text.program import repair_words
from provado.reports.text.sentences import headline

from ...commands.prove.document import Decided, decided_to_json, decisions_to_sarif, words_of

HELP = "prove or refute the claim of a plain Python function"

DESCRIPTION = (
    "Proves the claim of a plain Python function for all data, refutes it, or says why it is "
    "undecided. With --domain 0:1 the function takes an array of records, computes numbers and "
    "adds noise. Without --domain it takes answers to queries, each of which moves by at most "
    "--sensitivity. The noise may come from NumPy, random or provado.mechanisms.programs."
)
EPILOG = (
    "Exit status: 0 proved, or as expected, 1 refuted, 2 wrong usage or a function "
    "outside of the language, 3 undecided, 4 input or output failed."
)


def add(parser: Parser) -> None:
    """Add the arguments of the command."""
    add_targets(
        parser,
        "path/to/file.py:name or module:name, or the name of a [prove.NAME] in the "
        "configuration (default: all of these)",
    )
    add_options(parser, PROVE_OPTIONS, grouped=False)
    parser.shorten(
        "targets epsilon delta mu rho sensitivity neighbors set domain size out json",
        "provado prove mine.py:above_threshold --epsilon epsilon",
        "provado prove mine.py:noisy_mean --epsilon 1 --domain 0:1",
        "provado prove mine.py:answer --epsilon 1 --domain 0,1 --out report",
    )


def run(options: argparse.Namespace) -> int:
    """Decide every claim; return the exit status."""
    chosen = choose(options.targets, "prove", options.config)
    tasks, out = read_tasks(options, chosen), chosen.out(options.out)
    into = places("prove", out)
    more = [file for file in (options.smt, options.sarif) if file is not None]
    repaired = repair_place(options, tasks)
    more += [] if repaired is None else [repaired]
    check_places([*into, *more], files_of(options, chosen))
    # What a function prints must not end up in the JSON.
    with contextlib.redirect_stdout(sys.stderr):
        result = [task.decide() for task in tasks]
        if options.repair is not None:
            result = [
                task.repaired(item, repaired) for task, item in zip(tasks, result, strict=True)
            ]
        if options.audit is not None:
            result = [
                t.audited(decided, options.audit) for t, decided in zip(tasks, result, strict=True)
            ]
    status = joined_status(decision.exit_status for decision in result)
    several = chosen.configuration is not None or len(result) > 1
    document = one_or_several(result, list(map(decided_to_json, result)), status, several=several)
    files: dict[Path, str] = {}
    programs = [item.decision for item in result if isinstance(item.decision, ProgramDecision)]
    scripts = [smtlib(proof.findings, proof.budget) for item in programs for proof in item.proofs]
    scripts += [smtlib(program.pump.findings) for program in programs if program.pump is not None]
    if options.smt is not None and scripts:
        files[options.smt] = "".join(scripts)
    if options.sarif is not None:
        files[options.sarif] = decisions_to_sarif(result, status)
    words = map(_said, result)
    deliver(document, lambda: "\n\n".join(words), partial(_page, result), into, options, files)
    return status


def _page(result: list[Decided], made: Provenance) -> str:
    # Imported here: most calls leave no page.
    from provado.reports.commands.prove.page import render

    return render(result, made)


def _said(value: Decided) -> str:
    """Return a decision in words, with the name that the configuration gives it."""
    sentence = words_of(value.decision)
    if value.name != value.decision.name:
        sentence = f"{value.name}: {sentence}"
    if value.expected is not ProgramVerdict.PROVED:
        sentence += f"\n  Expected: {value.expected}."
    if value.audit is not None:
        sentence += f"\n  Audit of these answers: {headline(value.audit)}."
    if value.repair is not None:
        lines = repair_words(value.repair, value.decision.claimed)
        sentence = "\n  ".join([sentence, *lines])
    if value.repaired is not None:
        sentence += (
            f"\n  It was written to a file, and decided from its text:\n{_said(value.repaired)}"
        )
    return sentence
