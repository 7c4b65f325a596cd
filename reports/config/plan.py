"""Turns a target, typed or configured, into a planned audit: what is typed overrides the file."""

import argparse
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from provado import mechanisms
from provado.audit.options import domains
from provado.audit.options.declaration import AUDIT, OF_PAIRS, OF_RUNS, OPTIONS, Option, named
from provado.audit.options.domains import read_promise
from provado.audit.search.request import read_question
from provado.mechanisms.definitions.relation import RELATIONS
from provado.reports.targets import dataset, load
from provado.reports.targets.load import LoadedTarget
from provado.reports.targets.proof_of_target import with_program
from provado.reports.tasks.run import Settings
from provado.reports.tasks.task import AuditTask

from .read import Chosen, ConfigValue, Spec

TARGET_SECONDS, MOST_TRIALS = 60.0, 1_000_000
"""Budget of a target where the user sets none, and the most trials that it is used for."""

_SETTINGS = {field.name for field in fields(Settings)} - {"confidence"}

CLAIM = tuple(
    option
    for option in OPTIONS
    if option.at.group and option.at.table == AUDIT and option.name not in _SETTINGS
)
"""Options that state the claim of a target, and what it is about."""

_CORE = ("epsilon", "delta", "promise", "pair", "data", "domain", "relation", "python")
"""Of these, those that depend on each other; the rest are keywords as they are."""


@dataclass(frozen=True)
class CommandLineClaim:
    """What the command line says of audits; what is there overrides the file.

    claim: what was given of the options that state it, by name. settings: those that were given.
    words: the options of the claim as they are typed again. python: another interpreter to run in.
    """

    claim: Mapping[str, Any]
    settings: Mapping[str, Any]
    words: tuple[str, ...]
    python: str | None = None

    @property
    def one_run(self) -> bool:
        """Whether audits of one run, or of a few, are asked for."""
        return "canaries" in self.claim


def is_given(options: argparse.Namespace, option: Option) -> bool:
    """Return whether an option was typed."""
    value = getattr(options, option.name, None)
    return value is not None and value is not False and value != []


def typed(options: argparse.Namespace) -> CommandLineClaim:
    """Return what the options of ``provado audit`` say; raises ``UsageError`` for its datasets."""
    claim = claim_typed(options, CLAIM)
    relation = claim.get("relation")
    if relation is not None and "canaries" not in claim:
        first_pair(claim)
    settings = {
        option.name: getattr(options, option.name) for option in OPTIONS if option.name in _SETTINGS
    }
    settings = {k: v for k, v in settings.items() if v is not None and v is not False}
    python: str | None = options.python
    if python and os.sep in python:
        # One that was typed is looked for from here, wherever the configuration is.
        python = str(Path(python).absolute())
    return CommandLineClaim(claim, settings, tuple(typed_again(options, CLAIM)), python)


def claim_typed(options: argparse.Namespace, rows: Iterable[Option]) -> dict[str, Any]:
    """Return by name what these options mean, where they were typed."""
    relation = RELATIONS[options.relation] if options.relation else None
    return {
        row.name: _loaded(row, getattr(options, row.name), relation)
        for row in rows
        if row.name != "python" and is_given(options, row)
    }


def _loaded(option: Option, value: Any, relation: mechanisms.NeighboringRelation | None) -> Any:
    """Return what an option means whose text was typed."""
    if option.domain is domains.pairs:
        return [dataset.load_pair((d, d_prime), relation) for d, d_prime in value]
    if option.domain is domains.place:
        return load.load_function(value, option=f"--{option.word}")
    if option.name == "relation":
        return relation
    readers: dict[Any, Callable[[Any], Any]] = {
        id(domains.dataset): dataset.load_dataset,
        id(domains.promise): read_promise,
        id(domains.columns): dataset.read_domain,
    }
    return readers.get(id(option.domain), lambda plain: plain)(value)


def typed_again(
    options: argparse.Namespace, rows: Iterable[Option], real: Callable[[float], str] = repr
) -> list[str]:
    """Return those of the options that were typed as they are typed again, real numbers by real."""
    words: list[str] = []
    for option in (row for row in rows if is_given(options, row)):
        word, value = f"--{option.word}", getattr(options, option.name)
        if value is True:
            words.append(word)
        elif option.domain is domains.finite:
            words.append(f"{word}={value!r}")  # A number below 0 could be taken for an option.
        elif isinstance(value, list):
            for part in value:
                words += [word, *([part] if isinstance(part, str) else part)]
        else:
            words += [word, real(value) if isinstance(value, float) else str(value)]
    return words


def first_pair(claim: Mapping[str, Any]) -> list[tuple[Any, Any]] | None:
    """Return one pair of neighbors made of the claim's data; ``None`` where it has none.

    Raises ``UsageError`` where none can be made.
    """
    if claim.get("data") is None:
        return None
    question = read_question(
        claim["data"],
        claim["relation"],
        domain=claim.get("domain"),
        values=claim.get("values"),
        fixed_size=claim.get("fixed_size", False),
        runs=0,
    )
    return [question.pair(question.candidates[0])]


def settings_of(
    stated: Mapping[str, Any], claim: CommandLineClaim, confidence: float, *, one_run: bool = False
) -> Settings:
    """Return the settings of an audit: what is typed, then what the file states, then defaults.

    one_run: it is one of few runs, for which those of pairs are no settings.
    """
    result = {name: stated[key] for name in _SETTINGS if (key := named(name).in_file) in stated}
    if {"samples", "seconds"} & claim.settings.keys():
        result = {k: v for k, v in result.items() if k not in ("samples", "seconds")}
    made = {**result, **claim.settings}
    if one_run:
        made |= {option.name: option.default for option in OF_PAIRS if option.name in _SETTINGS}
    return Settings(**made, confidence=confidence)


def plan_target(
    target: LoadedTarget, command_line_claim: CommandLineClaim, confidence: float
) -> AuditTask:
    """Return the audit of a target that is typed; raises ``UsageError`` that names the option."""
    claim, selection = dict(command_line_claim.claim), (target.text, *command_line_claim.words)
    if command_line_claim.one_run:
        _require_claim(target, claim)
        settings = settings_of({}, command_line_claim, confidence, one_run=True)
        task = _one_run_task(target.name, target, claim)
        return replace(task, selection=selection, settings=settings)
    exact = isinstance(target.mechanism, mechanisms.ExactlyDecidable)
    if "data" in claim and not exact:
        claim["relation"] = dataset.relation_for(target.mechanism, claim.get("relation"))
    pairs = claim.get("pair") or first_pair(claim)
    mechanism = load.adapted(target.mechanism, target.name, claim, pairs)
    stated = isinstance(mechanism, mechanisms.Mechanism)
    number = len(mechanism.pairs if stated else claim.get("pair", ()))
    seconds = None if exact else TARGET_SECONDS / max(number, 1)
    if not stated:
        _require_claim(target, claim)
        if not (exact or "data" in claim or "pair" in claim):
            raise mechanisms.UsageError(
                f"--data: {target.text} needs a dataset to run on; give one, as in --data "
                "people.csv --relation add-or-remove-one, or a pair of neighbors, as in --pair "
                "d0.json d1.json"
            )
    return AuditTask(
        target.name,
        mechanism,
        selection,
        claim,
        seconds,
        MOST_TRIALS,
        target.importable,
        partial(with_program, mechanism, claim),
        settings_of({}, command_line_claim, confidence),
    )


def _require_claim(target: LoadedTarget, claim: Mapping[str, Any]) -> None:
    states = isinstance(target.mechanism, mechanisms.Mechanism)
    if not (states or "epsilon" in claim or "promise" in claim):
        raise mechanisms.UsageError(
            f"--epsilon: {target.text} is a plain callable, which states no claim of its own; give "
            "one, as in --epsilon 1"
        )


def plan(spec: Spec, command_line_claim: CommandLineClaim, confidence: float) -> AuditTask:
    """Return one configured audit; raises ``UsageError`` that names file, line and key.

    What is typed overrides the audit's own keys, and these the defaults of the file.
    """
    one_run = command_line_claim.one_run or "canaries" in spec.settings
    target = target_of(spec, command_line_claim.python)
    epsilon, delta, promise = claimed(spec, command_line_claim.claim)
    states = isinstance(target.mechanism, mechanisms.Mechanism)
    states |= not one_run and load.is_measurement(target.mechanism)
    if epsilon is None and promise is None and not states:
        spec.missing("epsilon", "the claimed ε, which a plain callable does not state itself")
    claim = {"epsilon": epsilon, "delta": delta, "promise": promise}
    for option in OF_RUNS if one_run else OF_PAIRS:
        if option in CLAIM and option.name not in _CORE:
            if option.name in command_line_claim.claim:
                claim[option.name] = command_line_claim.claim[option.name]
            elif option.in_file in spec.settings:
                claim[option.name] = _stated(spec, option)
            elif option.default is not None:
                claim[option.name] = option.default
    selection = (spec.name, "--config", spec.source.shown, *command_line_claim.words)
    expected = spec.settings.get("expected")
    return replace(
        (_one_run_of_spec if one_run else _pairs_of_spec)(
            spec, command_line_claim.claim, target, claim
        ),
        selection=selection,
        settings=settings_of(spec.settings, command_line_claim, confidence, one_run=one_run),
        expected=expected and mechanisms.Verdict(expected),
    )


def _pairs_of_spec(
    spec: Spec, said: Mapping[str, Any], target: LoadedTarget, claim: dict[str, Any]
) -> AuditTask:
    relation = said.get("relation") or relation_of(spec.settings)
    claim["relation"] = relation
    if "data" in said:
        claim |= {key: said[key] for key in ("data", "domain") if key in said}
    elif "pair" in said:
        claim["pair"] = said["pair"]
    else:
        claim |= neighbors_of(spec, target.mechanism, relation)
    pairs = claim.get("pair") or first_pair(claim)
    for d, d_prime in said.get("pair", ()):
        dataset.check_neighbors(d, d_prime, relation, "--pair")
    with spec.entries["target"].blamed():
        own = {**claim, "relation": relation}
        mechanism = load.adapted(target.mechanism, spec.name, own, pairs)
    return AuditTask(
        spec.name,
        mechanism,
        claim=claim,
        context=target.importable,
        add_proof=partial(with_program, mechanism, claim),
    )


def _one_run_of_spec(
    spec: Spec, said: Mapping[str, Any], target: LoadedTarget, claim: dict[str, Any]
) -> AuditTask:
    entries = spec.entries
    if "data" in said:
        claim["data"] = said["data"]
    elif "data" in entries:
        claim["data"] = dataset_of(entries["data"])
    claim["relation"] = said.get("relation") or spec.settings.get("relation")
    try:
        return _one_run_task(spec.name, target, claim)
    except mechanisms.UsageError as error:
        # A complaint begins with the keyword that it is about.
        rows = (*OF_RUNS, named("data"), named("relation"))
        about = (row for row in rows if str(error).startswith(f"{row.keyword or row.name} "))
        option = next(about, named("canaries"))
        if option.in_file in entries and not (option in OF_RUNS and option.name in said):
            entries[option.in_file].fail(str(error))
        raise


def _one_run_task(name: str, target: LoadedTarget, claim: Mapping[str, Any]) -> AuditTask:
    from provado.audit.experiments.one_run.api import read_one_run

    mechanism = target.mechanism
    if isinstance(mechanism, mechanisms.ExactlyDecidable):
        raise mechanisms.UsageError(
            f"canaries: {name} is a table, which is decided without any run"
        )
    check_relation(claim.get("relation"), claim.get("replacements"))
    keywords = {option.name: option.keyword or option.name for option in CLAIM}
    arguments = {keywords[name]: value for name, value in claim.items() if name != "relation"}
    read_one_run(mechanism, **arguments)
    return AuditTask(name, mechanism, claim=arguments, context=target.importable)


def check_relation(
    relation: mechanisms.NeighboringRelation | str | None, replacements: Any
) -> None:
    """Raise ``UsageError`` where a relation is stated that a coin is no step of."""
    own = "add-or-remove-one" if replacements is None else "replace-one"
    if relation is None:
        return
    stated = relation if isinstance(relation, str) else relation.words()
    if stated != own:
        how = "without" if replacements is None else "with"
        raise mechanisms.UsageError(
            f"relation is {stated!r}: canaries {how} replacements are of {own!r}"
        )


def target_of(spec: Spec, python: str | None = None) -> LoadedTarget:
    """Return what a configured audit is of; complains with the wrong key.

    python: the interpreter that was typed, which overrides the one stated.
    """
    stated = python or spec.settings.get("python")
    try:
        return load.load_target(spec.settings["target"], spec.source.folder, stated)
    except mechanisms.UsageError as error:
        at_fault = "python" if str(error).startswith("python ") and not python else "target"
        spec.entries[at_fault].fail(str(error))


def _stated(spec: Spec, option: Option) -> Any:
    """Return what a key of a configured audit means; complains with the key."""
    entry = spec.entries[option.in_file]
    if option.domain is domains.dataset:
        return dataset_of(entry)
    if option.domain is domains.place:
        with entry.blamed():
            return load.load_function(entry.value, spec.source.folder)
    return spec.settings[option.in_file]


def claimed(
    spec: Spec, said: Mapping[str, Any]
) -> tuple[float | None, float | None, mechanisms.PrivacyPromise | None]:
    """Return ε, δ and promise: what is typed puts aside what the file claims in another way."""
    stated = spec.settings
    epsilon, delta, promise = (said.get(name) for name in ("epsilon", "delta", "promise"))
    if promise is not None:
        return None, None, promise
    if "promise" in stated and epsilon is None and delta is None:
        with spec.entries["promise"].blamed():
            return None, None, read_promise(stated["promise"])
    epsilon = stated.get("epsilon") if epsilon is None else epsilon
    return epsilon, stated.get("delta") if delta is None else delta, None


def files_read(spec: Spec) -> list[Path]:
    """Return the files that an audit, once planned, has read: its target's and its datasets'."""
    stated, entries, folder = spec.settings, spec.entries, spec.source.folder
    pairs = entries["pairs"].items() if "pairs" in entries else ()
    sides = [side for pair in pairs for side in pair.items()]
    sides += [entries[key] for key in _keys(domains.dataset) if key in entries]
    files = [folder / side.value for side in sides if isinstance(side.value, str)]
    places = [stated[key] for key in _keys(domains.place) if key in stated]
    return files + [file for text in places if (file := load.source_file(text, folder))]


def files_of(options: argparse.Namespace, chosen: Chosen) -> list[Path]:
    """Return the files that are read, which nothing may replace."""
    files = files_typed(options, chosen.plain)
    if chosen.configuration is not None:
        files.append(chosen.configuration.source.file)
        for spec in chosen.specs:
            files += files_read(spec)
    return files


def files_typed(options: argparse.Namespace, targets: Sequence[str]) -> list[Path]:
    """Return the files that are read for what is typed. targets: those of no configuration."""
    files = [Path(file) for pair in getattr(options, "pair", None) or () for file in pair]
    typed = [option for option in OPTIONS if option.at.group and is_given(options, option)]
    files += [getattr(options, option.name) for option in typed if option.domain is domains.dataset]
    sources = [getattr(options, option.name) for option in typed if option.domain is domains.place]
    return files + [file for text in (*targets, *sources) if (file := load.source_file(text))]


def _keys(domain: domains.OptionDomain) -> list[str]:
    return [item.in_file for item in OPTIONS if item.domain is domain and item.at.table == AUDIT]


def relation_of(stated: Any) -> mechanisms.NeighboringRelation | None:
    """Return the relation that a table states, if it does."""
    name = stated.get("relation")
    if name is None:
        return None
    if name == "bounded-answers":
        return mechanisms.BoundedAnswers(
            sensitivity=stated.get("sensitivity", 1.0),
            monotone=stated.get("monotone", False),
            at_most=stated.get("at-most"),
        )
    return RELATIONS[name]


def neighbors_of(
    spec: Spec, mechanism: Any, relation: mechanisms.NeighboringRelation | None
) -> dict[str, Any]:
    """Return the stated pairs, or the data to search some of; nothing where the target has its."""
    stated, entries = spec.settings, spec.entries
    if "pairs" in stated:
        return {"pair": [_pair(pair, relation) for pair in entries["pairs"].items()]}
    if "data" not in stated:
        if not isinstance(mechanism, mechanisms.Mechanism | mechanisms.ExactlyDecidable):
            source, path = spec.table.source, spec.table.path
            waiting = [key for key in ("data", "pairs") if source.commented(path, key)]
            spec.missing([*waiting, "data"][0], "a dataset of which neighbors are made (or pairs)")
        return {}
    if isinstance(mechanism, mechanisms.ExactlyDecidable):
        entries["data"].fail("a table is decided for all of its neighbors; leave data out")
    if relation is None:
        own = getattr(mechanism, "relation", None)
        relation = own if isinstance(own, mechanisms.NeighboringRelation) else None
    if relation is None:
        spec.missing("relation", "it says what neighbors of data are")
    assert relation is not None
    result = {"data": dataset_of(entries["data"]), "relation": relation}
    result["values"] = stated.get("values")
    try:
        if "domain" in stated:
            result["domain"] = dataset.read_domain(stated["domain"], "domain")
        first_pair(result)
    except (mechanisms.UsageError, TypeError, ValueError) as error:
        about = [key for key in ("values", "domain") if str(error).startswith(key)]
        key = about[0] if about and about[0] in entries else "data"
        entries[key].fail(str(error))
    return result


def _pair(entry: ConfigValue, relation: mechanisms.NeighboringRelation | None) -> tuple[Any, Any]:
    d, d_prime = (dataset_of(side) for side in entry.items())
    with entry.blamed():
        dataset.check_neighbors(d, d_prime, relation)
    return d, d_prime


def dataset_of(entry: ConfigValue) -> Any:
    """Return the dataset given there, or in the file that is named; raises with both."""
    if not isinstance(entry.value, str):
        return entry.value
    with entry.blamed():
        return dataset.load_dataset(entry.source.folder / entry.value)
