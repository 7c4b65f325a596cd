"""What a call of ``provado prove`` asks for: from its options and from the configuration."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from provado.mechanisms import BoundedAnswers, UsageError
from provado.mechanisms.definitions.relation import RELATIONS
from provado.mechanisms.programs import Program
from provado.proofs.api import is_records, prove
from provado.proofs.programs.claim import ProgramVerdict
from provado.proofs.programs.decide import ProgramDecision
from provado.proofs.programs.repair import Repair, repair
from provado.reports.config.plan import typed_again
from provado.reports.config.read import Chosen, Spec
from provado.reports.documents.origin import source_location
from provado.reports.documents.write import save
from provado.reports.targets.argument_parser import PROVE_OPTIONS
from provado.reports.targets.dataset import of_records, read_domain, read_size
from provado.reports.targets.load import LoadedTarget, load_target

from .document import Decided

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
