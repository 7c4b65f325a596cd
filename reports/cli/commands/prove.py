"""``provado prove``: proves or refutes the claim of a mechanism that is a plain Python function."""

from __future__ import annotations

import argparse
from fractions import Fraction
from pathlib import Path
from typing import Any

from provado.mechanisms import UsageError
from provado.mechanisms.program import Program
from provado.proofs.programs.decide import STEPS, Decision, ProgramVerdict, decide
from provado.proofs.programs.relation import KINDS
from provado.proofs.programs.smtlib import smtlib
from provado.reports.ask import option
from provado.reports.ask.target import load_target
from provado.reports.data.output import save, show_json
from provado.reports.data.write import check_places
from provado.reports.prove.to_json import decision_to_json
from provado.reports.prove.words import words
from provado.reports.run.exit_status import AS_EXPECTED, NOT_COMPLETED, SURPRISE

HELP = "prove or refute the claim of a plain Python function"

_STATUS = {
    ProgramVerdict.PROVED: AS_EXPECTED,
    ProgramVerdict.REFUTED: SURPRISE,
    ProgramVerdict.UNDECIDED: NOT_COMPLETED,
}


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "prove",
        help=HELP,
        description="Proves that a plain Python function is ε-differentially private, for all data "
        "and all numbers of queries, or refutes it by exact probabilities, or says why it is "
        "undecided. The function calls the noise and the output of provado.mechanisms.program, and "
        "`provado audit` draws from the same function.",
        epilog="Exit status: 0 proved, 1 refuted, 2 wrong usage or a function outside of the "
        "language, 3 undecided, 4 input or output failed.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    parser.add_argument("target", metavar="TARGET", help="path/to/file.py:name or module:name")
    parser.add_argument(
        "--epsilon",
        metavar="EPS",
        help="the claim: a number, or of parameters, as 2*epsilon (the parameter epsilon)",
    )
    parser.add_argument(
        "--sensitivity", default="1", metavar="WIDTH", help="how far an answer moves at most (1)"
    )
    parser.add_argument(
        "--neighbors",
        choices=KINDS,
        default="all",
        help="which answers move: all, one, or all in one direction; increasing and decreasing are "
        "the two halves of monotone (all)",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=NUMBER",
        help="give a parameter a value; others stay open",
    )
    parser.add_argument(
        "--all-epsilon",
        action="store_true",
        help="claim the parameter epsilon for each of its values (also without --epsilon)",
    )
    parser.add_argument(
        "--domain",
        metavar="V,V,…",
        help="the values of a data point: all probabilities are computed, and the exact ε",
    )
    parser.add_argument(
        "--size", type=option.whole(1), default=1, help="data points, with --domain (1)"
    )
    parser.add_argument(
        "--steps",
        type=option.whole(1),
        default=STEPS,
        help=f"budget of work, of which 150,000 take about a second ({STEPS})",
    )
    parser.add_argument("--smt", type=Path, metavar="FILE", help="leave the conditions as SMT-LIB")
    parser.add_argument("--json", action="store_true", help="print JSON instead of words")


def run(options: argparse.Namespace) -> int:
    """Decide the claim; return the exit status."""
    if options.all_epsilon and options.epsilon is not None:
        raise UsageError("--all-epsilon: it is claimed of every ε; leave --epsilon out")
    if options.smt is not None:
        check_places([options.smt])
    target = load_target(options.target)
    function = target.mechanism
    if not isinstance(function, Program) and not hasattr(function, "__code__"):
        raise UsageError(f"target {options.target!r}: {target.name} is no plain function")
    with target.importable():
        decision = decide(
            function,
            epsilon=options.epsilon,
            sensitivity=options.sensitivity,
            neighbors=options.neighbors,
            parameters=_parameters(options.set),
            domain=_domain(options.domain),
            size=options.size,
            steps=options.steps,
        )
    if options.smt is not None:
        _leave(options.smt, decision)
    status = _STATUS[decision.verdict]
    if options.json:
        show_json(decision_to_json(decision, status))
    else:
        print(words(decision))
    return status


def _leave(file: Path, decision: Decision) -> None:
    if decision.proofs:
        save({file: "".join(smtlib(proof) for proof in decision.proofs)})


def _domain(text: str | None) -> list[Fraction] | None:
    try:
        return None if text is None else [Fraction(part) for part in text.split(",")]
    except (ValueError, ZeroDivisionError):
        raise UsageError(f"--domain {text!r}: it must be numbers with commas between") from None


def _parameters(texts: list[str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for text in texts:
        name, _, value = text.partition("=")
        try:
            values[name.strip()] = (
                int(value) if value.strip().lstrip("-").isdigit() else float(value)
            )
        except ValueError:
            raise UsageError(f"--set {text!r}: it must be NAME=NUMBER") from None
    return values
