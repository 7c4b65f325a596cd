"""Turns a configured audit into a job, with what the command line says put over it."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from provado.audit.search.request import read_question
from provado.mechanisms import (
    BoundedAnswers,
    ExactlyDecidable,
    Mechanism,
    NeighboringRelation,
    PrivacyPromise,
    UsageError,
    Verdict,
)
from provado.mechanisms.definitions.relation import RELATIONS
from provado.reports.targets.adapted import adapted, is_measurement
from provado.reports.targets.claim_text import read_promise
from provado.reports.targets.dataset import check_neighbors, load_dataset, load_pair
from provado.reports.targets.domain import read_domain
from provado.reports.targets.load import Target, load_target, source_file
from provado.reports.targets.one_run import few_words, load_function, load_score, typed_few
from provado.reports.targets.proof_of_target import with_program
from provado.reports.tasks.run import DEFAULT_TIME_LIMIT, Settings
from provado.reports.tasks.run_tasks import Planned
from provado.reports.tasks.task import Job

from .entry import Placed
from .read import Configuration, Spec

Pair = tuple[Any, Any]


_FREE: Mapping[str, Any] = {
    "samples": None,
    "seconds": None,
    "seed": 0,
    "time_limit": DEFAULT_TIME_LIMIT,
    "stop_early": False,
    "explore": None,
}
"""The settings of an audit that nobody needs to state."""


@dataclass(frozen=True)
class Typed:
    """What the command line says of audits; what is there wins over the file.

    claim: the keywords of ``audit`` that state it, ``None`` where they are left out. settings:
    only those that were given. words: the options of the claim as they are typed again. python:
    another interpreter to run in. few: of audits of few runs, the keywords of ``audit_one_run``
    that were given.
    """

    claim: Mapping[str, Any]
    settings: Mapping[str, Any]
    words: tuple[str, ...]
    python: str | None = None
    few: Mapping[str, Any] = field(default_factory=dict)


def typed(options: argparse.Namespace, relation: NeighboringRelation | None) -> Typed:
    """Return what the options of ``provado audit`` say; raises ``UsageError`` for its datasets."""
    pairs = [load_pair((d, d_prime), relation) for d, d_prime in options.pair or ()]
    words = [] if options.python is None else ["--python", options.python]
    for name in ("epsilon", "delta"):
        if getattr(options, name) is not None:
            words += [f"--{name}", repr(getattr(options, name))]
    if options.promise is not None:
        words += ["--promise", options.promise]
    for pair in options.pair or ():
        words += ["--pair", *pair]
    if options.data is not None:
        words += ["--data", str(options.data)]
    for domain in options.domain or ():
        words += ["--domain", domain]
    for name in ("relation", "arithmetic", "read"):
        if getattr(options, name):
            words += [f"--{name}", getattr(options, name)]
    if options.timing:
        words.append("--timing")
    few = typed_few(options)
    words += few_words(options)
    claim = {
        "epsilon": options.epsilon,
        "delta": options.delta,
        "promise": None if options.promise is None else read_promise(options.promise),
        "relation": relation,
        "pair": pairs or None,
        "data": None if options.data is None else load_dataset(options.data),
        "domain": read_domain(options.domain) if options.domain else None,
        "arithmetic": options.arithmetic or "floating",
        "timing": options.timing,
        "read": None if options.read is None else load_function(options.read, "--read"),
    }
    if relation is not None and "canaries" not in few:
        first_pair(claim)
    given = {name: getattr(options, name) for name in _FREE}
    settings = {k: v for k, v in given.items() if v is not None and v is not False}
    python = options.python
    if python and os.sep in python:
        # One that was typed is looked for from here, wherever the configuration is.
        python = str(Path(python).absolute())
    return Typed(claim, settings, tuple(words), python, few)


def first_pair(claim: Mapping[str, Any]) -> list[Pair] | None:
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
        runs=0,
    )
    return [question.pair(question.candidates[0])]


def settings_of(stated: Mapping[str, Any], typed: Typed, confidence: float) -> Settings:
    """Return the settings of an audit: what is typed, then what the file states, then defaults."""
    found = {name: stated[key] for name in _FREE if (key := name.replace("_", "-")) in stated}
    if {"samples", "seconds"} & typed.settings.keys():
        found = {k: v for k, v in found.items() if k not in ("samples", "seconds")}
    return Settings(**{**_FREE, **found, **typed.settings, "confidence": confidence})


def plan(configuration: Configuration, spec: Spec, typed: Typed, confidence: float) -> Planned:
    """Return the job of one configured audit; raises ``UsageError`` that names file, line and key.

    What is typed wins over the audit's own keys, and these over the defaults of the file.
    """
    stated, said = spec.settings, typed.claim
    target = target_of(configuration, spec, typed)
    mechanism = target.mechanism
    epsilon, delta, promise = claimed(spec, said)
    states = isinstance(mechanism, Mechanism) or is_measurement(mechanism)
    if epsilon is None and promise is None and not states:
        spec.missing("epsilon", "the claimed ε, which a plain callable does not state itself")
    relation = said["relation"] or relation_of(stated)
    claim = {
        "epsilon": epsilon,
        "delta": delta,
        "promise": promise,
        "relation": relation,
        "arithmetic": stated.get("arithmetic", "floating"),
        "pair": said["pair"],
        "timing": said["timing"] or stated.get("timing", False),
        "read": said["read"] or _reader(configuration, spec),
    }
    if said["data"] is not None:
        claim |= {key: said[key] for key in ("data", "domain")}
    elif not said["pair"]:
        claim |= neighbors_of(configuration, spec, mechanism, relation)
    if said["arithmetic"] != "floating":
        claim["arithmetic"] = said["arithmetic"]
    pairs = claim["pair"] or first_pair(claim)
    for d, d_prime in said["pair"] or ():
        check_neighbors(d, d_prime, relation, "--pair")
    try:
        mechanism = adapted(
            mechanism,
            name=spec.name,
            epsilon=epsilon or promise,
            pairs=pairs,
            relation=relation,
        )
    except UsageError as error:
        spec.entries["target"].fail(str(error))
    job = Job(
        name=spec.name,
        mechanism=mechanism,
        selection=(spec.name, "--config", configuration.source.shown, *typed.words),
        claim=claim,
        surroundings=target.importable,
        beside=partial(with_program, mechanism, claim),
    )
    expected = stated.get("expected")
    return Planned(job, settings_of(stated, typed, confidence), expected and Verdict(expected))


def target_of(configuration: Configuration, spec: Spec, typed: Typed) -> Target:
    """Return what a configured audit is of; complains with the key at fault."""
    python = typed.python or spec.settings.get("python")
    try:
        return load_target(spec.settings["target"], configuration.folder, python)
    except UsageError as error:
        at_fault = "python" if str(error).startswith("python ") and not typed.python else "target"
        spec.entries[at_fault].fail(str(error))


def _reader(configuration: Configuration, spec: Spec) -> Any:
    """Return the function that reads outputs, where the file names one."""
    if "read" not in spec.settings:
        return None
    try:
        return load_score(spec.settings["read"], configuration.folder)
    except UsageError as error:
        spec.entries["read"].fail(str(error))


def claimed(
    spec: Spec, said: Mapping[str, Any]
) -> tuple[float | None, float | None, PrivacyPromise | None]:
    """Return ε, δ and promise: what is typed puts aside what the file claims in another way."""
    stated = spec.settings
    if said["promise"] is not None:
        return None, None, said["promise"]
    typed_point = said["epsilon"] is not None or said["delta"] is not None
    if "promise" in stated and not typed_point:
        try:
            return None, None, read_promise(stated["promise"])
        except UsageError as error:
            spec.entries["promise"].fail(str(error))
    epsilon = stated.get("epsilon") if said["epsilon"] is None else said["epsilon"]
    return epsilon, stated.get("delta") if said["delta"] is None else said["delta"], None


def files_read(configuration: Configuration, spec: Spec) -> list[Path]:
    """Return the files that an audit, once planned, has read: its target's and its datasets'."""
    stated, entries, folder = spec.settings, spec.entries, configuration.folder
    pairs = entries["pairs"].items() if "pairs" in entries else ()
    sides = [side for pair in pairs for side in pair.items()]
    sides += [entries[key] for key in ("data", "canaries", "instead") if key in entries]
    files = [folder / side.value for side in sides if isinstance(side.value, str)]
    sources = [
        source_file(stated[key], folder) for key in ("target", "score", "read") if key in stated
    ]
    return [*files, *(one for one in sources if one is not None)]


def relation_of(stated: Any) -> NeighboringRelation | None:
    """Return the relation that a table states, if it does."""
    name = stated.get("relation")
    if name is None:
        return None
    if name == "bounded-answers":
        return BoundedAnswers(
            sensitivity=stated.get("sensitivity", 1.0),
            monotone=stated.get("monotone", False),
            at_most=stated.get("at-most"),
        )
    return RELATIONS[name]


def neighbors_of(
    configuration: Configuration,
    spec: Spec,
    mechanism: Any,
    relation: NeighboringRelation | None,
) -> dict[str, Any]:
    """Return the stated pairs, or the data to search some of; nothing where the target has its."""
    stated, entries = spec.settings, spec.entries
    if "pairs" in stated:
        return {"pair": [_pair(configuration, pair, relation) for pair in entries["pairs"].items()]}
    if "data" not in stated:
        if not isinstance(mechanism, Mechanism | ExactlyDecidable):
            source, path = spec.table.source, spec.table.path
            waiting = [key for key in ("data", "pairs") if source.commented(path, key)]
            spec.missing([*waiting, "data"][0], "a dataset of which neighbors are made (or pairs)")
        return {}
    if isinstance(mechanism, ExactlyDecidable):
        entries["data"].fail("a table is decided for all of its neighbors; leave data out")
    if relation is None:
        own = getattr(mechanism, "relation", None)
        relation = own if isinstance(own, NeighboringRelation) else None
    if relation is None:
        spec.missing("relation", "it says what neighbors of data are")
    assert relation is not None
    found = {
        "data": dataset_of(configuration, entries["data"]),
        "relation": relation,
        "values": stated.get("values"),
    }
    try:
        if "domain" in stated:
            found["domain"] = read_domain(stated["domain"], "domain")
        first_pair(found)
    except (UsageError, TypeError, ValueError) as error:
        named = [key for key in ("values", "domain") if str(error).startswith(key)]
        key = named[0] if named and named[0] in entries else "data"
        entries[key].fail(str(error))
    return found


def _pair(
    configuration: Configuration, entry: Placed, relation: NeighboringRelation | None
) -> Pair:
    d, d_prime = (dataset_of(configuration, side) for side in entry.items())
    try:
        check_neighbors(d, d_prime, relation)
    except UsageError as error:
        entry.fail(str(error))
    return d, d_prime


def dataset_of(configuration: Configuration, entry: Placed) -> Any:
    """Return the dataset that stands there, or in the file that is named; complains with both."""
    if not isinstance(entry.value, str):
        return entry.value
    try:
        return load_dataset(configuration.folder / entry.value)
    except UsageError as error:
        entry.fail(str(error))
