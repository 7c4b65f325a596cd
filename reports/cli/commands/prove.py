"""``provado prove``: proves or refutes the claim of a mechanism that is a plain Python function."""

import argparse
import contextlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from provado.mechanisms import BoundedAnswers, UsageError
from provado.mechanisms.definitions.relation import RELATIONS
from provado.mechanisms.programs import Program
from provado.proofs.api import is_records, prove
from provado.proofs.programs.alignment.prove import smtlib
from provado.proofs.programs.claim import ProgramVerdict
from provado.proofs.programs.decide import ProgramDecision
from provado.proofs.programs.repair import Repair, repair
from provado.reports.config.plan import files_of, typed_again
from provado.reports.config.read import Chosen, Spec, choose
from provado.reports.documents.exit_status import joined_status
from provado.reports.documents.origin import Provenance, source_location
from provado.reports.documents.write import check_places, deliver, one_or_several, places, save
from provado.reports.targets.argument_parser import PROVE_OPTIONS, Parser, add_options, add_targets
from provado.reports.targets.dataset import of_records, read_domain, read_size
from provado.reports.targets.load import LoadedTarget, load_target
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


_KEYS = ("epsilon", "delta", "mu", "rho", "sensitivity", "neighbors", "steps")
"""Arguments of ``decide`` that are as they are given."""

_ROWS = {option.name: option for option in PROVE_OPTIONS}
_AGAIN = [
    _ROWS[name] for name in ("all_epsilon", *_KEYS, "size", "domain", "relation", "pair", "set")
]


@dataclass(frozen=True)
class ProveTask:
    """A program and its claim. spec: where the configuration states them, if it does.

    arguments: of ``decide``. words: the arguments of the command line that repeat it.
    """

    name: str
    target: LoadedTarget
    arguments: Mapping[str, Any]
    words: tuple[str, ...]
    expected: ProgramVerdict = ProgramVerdict.PROVED
    spec: Spec | None = None

    def decide(self) -> Decided:
        """Return the decision; raises ``UsageError`` that names the wrong key, if there is one."""
        try:
            with self.target.importable():
                decision = prove(self.target.mechanism, **self.arguments)
        except UsageError as error:
            if self.spec is not None:
                fail(self.spec, error)
            raise
        place = source_location(self.target.mechanism, self.target.text)
        return Decided(self.name, decision, self.expected, place, self.words)

    def repaired(self, decision: Decided, out: Path | None) -> Decided:
        """Return a decision with its repair; ``out``: where the changed source is left."""
        finite = ("domain", "size", "pairs")
        arguments = {key: v for key, v in self.arguments.items() if key not in finite}
        with self.target.importable():
            result = repair(self.target.mechanism, **arguments)
        if out is None or not isinstance(result, Repair) or not result.needed:
            return replace(decision, repair=result)
        save({out: result.source})
        text = f"{out}:{decision.decision.name}"
        again = replace(self, name=text, target=load_target(text), words=(text, *self.words[1:]))
        return replace(decision, repair=result, repaired=replace(again, spec=None).decide())

    def audited(self, decided: Decided, samples: int) -> Decided:
        """Return a refutation with an audit of the answers that refute it, if there are any."""
        decision = decided.decision
        if not isinstance(decision, ProgramDecision) or decision.refuting is None:
            return decided
        # Imported here: most claims are decided without an experiment.
        from provado.audit import audit

        (parameters, epsilon, pairs), mechanism = decision.refuting, self.target.mechanism
        function = mechanism.function if isinstance(mechanism, Program) else mechanism
        result = audit(
            Program(function, **{name: _plain(v) for name, v in parameters.items()}),
            epsilon=float(epsilon),
            pair=[tuple(list(map(_plain, data)) for data in pair) for pair in pairs],
            relation=BoundedAnswers(float(Fraction(str(self.arguments.get("sensitivity", 1))))),
            samples=samples,
        )
        return replace(decided, audit=result)


def _plain(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else float(value)


def fail(spec: Spec, error: UsageError) -> None:
    """Raise the error with file, line and key in front: the key that it begins with, or target."""
    first = str(error).split()[0].strip(":")
    spec.entries[first if first in spec.entries else "target"].fail(str(error))


def read_tasks(options: argparse.Namespace, chosen: Chosen) -> list[ProveTask]:
    """Return what is asked for; raises ``UsageError`` that names the wrong option or key."""
    if options.all_epsilon and options.epsilon is not None:
        raise UsageError("--all-epsilon: it is claimed of every ε; leave --epsilon out")
    typed = _typed(options)
    words = typed_again(options, _AGAIN)
    tasks = [_of_spec(spec, typed, words, options.all_epsilon) for spec in chosen.specs]
    for text in chosen.plain:
        target = load_target(text)
        _check_plain(target)
        tasks.append(ProveTask(target.name, target, typed, (text, *words)))
    return tasks


def repair_place(options: argparse.Namespace, tasks: Sequence[ProveTask]) -> Path | None:
    """Return where a changed source is left, if anywhere; raises ``UsageError``."""
    if options.repair is None:
        return None
    if any({"domain", "pairs"} & task.arguments.keys() for task in tasks):
        raise UsageError("--repair: it is for functions of answers, without a domain or a pair")
    if not isinstance(options.repair, Path):
        return None
    out = options.repair
    if len(tasks) > 1:
        raise UsageError("--repair: name one target to leave its changed source in a file")
    if out.exists() or out.is_symlink():
        raise UsageError(f"output file {str(out)!r}: it exists, and --repair replaces no file")
    return out


def _of_spec(
    spec: Spec, typed: Mapping[str, Any], words: Sequence[str], all_epsilon: bool
) -> ProveTask:
    stated = spec.settings
    with spec.entries["target"].blamed():
        target = load_target(stated["target"], spec.source.folder)
        _check_plain(target)
    arguments = {key: stated[key] for key in _KEYS if key in stated}
    if all_epsilon:
        arguments.pop("epsilon", None)
    if "set" in stated:
        arguments["parameters"] = dict(stated["set"])
    for key, _, read in _READ:
        if key in stated:
            with spec.entries[key].blamed():
                arguments[key] = read(stated[key], key)
    parameters = {**arguments.get("parameters", {}), **typed.get("parameters", {})}
    arguments = {**arguments, **typed, **({"parameters": parameters} if parameters else {})}
    again = (spec.name, "--config", spec.source.shown, *words)
    expected = ProgramVerdict(stated.get("expected", ProgramVerdict.PROVED))
    return ProveTask(spec.name, target, arguments, again, expected, spec)


def _check_plain(target: LoadedTarget) -> None:
    function = target.mechanism
    if not isinstance(function, Program) and not hasattr(function, "__code__"):
        raise UsageError(f"target {target.text!r}: {target.name} is no plain function")


def _typed(options: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of ``decide`` that were typed."""
    typed = {key: getattr(options, key) for key in _KEYS if getattr(options, key) is not None}
    if options.set:
        typed["parameters"] = _parameters(options.set)
    for key, name, read in _READ:
        if getattr(options, name) is not None:
            typed[key] = read(getattr(options, name), f"--{name}")
    return typed


def _pairs(stated: Sequence[Sequence[Any]], name: str) -> list[list[Any]]:
    """Return pairs of datasets, each a text as "0,1/2" or a list of numbers."""
    return [[read_values(d, name) if isinstance(d, str) else d for d in pair] for pair in stated]


def _domain(stated: Any, name: str) -> Any:
    """Return what a record is, or the values of finite data, as ``prove`` takes them."""
    texts = [stated] if isinstance(stated, str) else stated
    if isinstance(texts, list) and not all(isinstance(text, str) for text in texts):
        return texts
    alone = texts[0] if isinstance(texts, list) and len(texts) == 1 else ":"
    if "," in alone and not set("=:") & set(alone):
        return read_values(alone, name)
    result = of_records(read_domain(texts, name))
    if not is_records(result):
        raise UsageError(f"{name}: {stated!r}: a record is LOW:HIGH or booleans, by column")
    return result


def _size(stated: int | str, name: str) -> int | tuple[int, int | None]:
    """Return a number of records, or the fewest and the most."""
    least, most = read_size(stated, name)
    return least if least == most else (least, most)


def read_values(text: str, name: str) -> list[Fraction]:
    """Return numbers with commas between; raises ``UsageError`` that starts with ``name``."""
    try:
        return [Fraction(part) for part in text.split(",")]
    except (ValueError, ZeroDivisionError):
        raise UsageError(f"{name} {text!r}: it must be numbers with commas between") from None


_READ = (
    ("domain", "domain", _domain),
    ("relation", "relation", lambda text, _: RELATIONS[text]),
    ("size", "size", _size),
    ("pairs", "pair", _pairs),
)
"""What is read of an option: the key of a configuration, the name on the command line, how."""


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
