"""What a call of ``provado replay`` asks for: from its options and from the configuration."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from provado.mechanisms import Mechanism, NeighboringRelation, UsageError
from provado.mechanisms.definitions.relation import RELATIONS
from provado.reports.config.choose import Chosen
from provado.reports.config.jobs import claimed, files_read, neighbors_of, relation_of
from provado.reports.config.read import Configuration, Spec
from provado.reports.targets.adapted import adapted
from provado.reports.targets.claim_text import read_promise
from provado.reports.targets.dataset import load_dataset, load_pair, relation_for
from provado.reports.targets.domain import read_domain
from provado.reports.targets.load import Target, load_target, source_file


@dataclass(frozen=True)
class ReplayTask:
    """A program to be replayed.

    arguments: of ``provado.audit.replay``. words: the arguments of ``provado replay`` that repeat
    it. audits: of each pair the command that audits it; one for all, where neighbors are made.
    expected: the kind of a finding, or ``nothing``.
    """

    name: str
    target: Target
    arguments: Mapping[str, Any]
    words: tuple[str, ...]
    audits: tuple[str, ...]
    expected: str = "nothing"


def read_tasks(options: argparse.Namespace, chosen: Chosen) -> list[ReplayTask]:
    """Return what is asked for; raises ``UsageError`` that names the option or the key at fault."""
    _check(options)
    relation = RELATIONS[options.relation] if options.relation else None
    asked = []
    for spec in chosen.specs:
        assert chosen.configuration is not None
        asked.append(_of_spec(options, chosen.configuration, spec, relation))
    return asked + [_of_target(options, text, relation) for text in chosen.plain]


def files_of(options: argparse.Namespace, chosen: Chosen) -> list[Path]:
    """Return the files that are read, which nothing may replace."""
    files = [Path(file) for pair in options.pair or () for file in pair]
    files += [options.data] if options.data is not None else []
    files += [file for text in chosen.plain if (file := source_file(text)) is not None]
    if chosen.configuration is not None:
        files.append(chosen.configuration.source.file)
        for spec in chosen.specs:
            files += files_read(chosen.configuration, spec)
    return files


def _check(options: argparse.Namespace) -> None:
    if options.promise and (options.epsilon or options.delta):
        raise UsageError("--promise and --epsilon: a claim is given in one way; give one")
    if options.pair and options.data is not None:
        raise UsageError("--pair and --data: neighbors are given or made; give one")
    if options.domain and options.data is None:
        raise UsageError("--domain: it says what may stand in --data; give that")
    if options.samples is not None and not options.certify:
        raise UsageError("--samples: they are of the audits that --certify makes; give that")


def _of_target(
    options: argparse.Namespace, text: str, relation: NeighboringRelation | None
) -> ReplayTask:
    target = load_target(text)
    if options.data is not None:
        relation = relation_for(target.mechanism, relation)
    found = _neighbors(options, relation)
    promise = read_promise(options.promise) if options.promise else None
    pairs = found.get("pair") or ([(found["data"],) * 2] if "data" in found else None)
    mechanism = adapted(
        target.mechanism,
        name=target.name,
        epsilon=options.epsilon or promise,
        pairs=pairs,
        relation=relation,
    )
    if not (found or isinstance(mechanism, Mechanism)):
        raise UsageError(
            f"--pair: {target.text} has no neighbors of its own; give --pair d0.json d1.json, or "
            "--data people.csv --relation add-or-remove-one"
        )
    claim = {"epsilon": options.epsilon, "delta": options.delta, "promise": promise}
    arguments = {**_how(options), **claim, **found, "mechanism": mechanism, "relation": relation}
    words = tuple(_words(options))
    return ReplayTask(
        target.name,
        target,
        {**arguments, "name": target.name},
        (text, *words),
        tuple(_audits(options, text)),
    )


def _of_spec(
    options: argparse.Namespace,
    configuration: Configuration,
    spec: Spec,
    relation: NeighboringRelation | None,
) -> ReplayTask:
    stated = spec.settings
    try:
        target = load_target(stated["target"], configuration.folder)
    except UsageError as error:
        spec.entries["target"].fail(str(error))
    typed = read_promise(options.promise) if options.promise else None
    said = {"epsilon": options.epsilon, "delta": options.delta, "promise": typed}
    epsilon, delta, promise = claimed(spec, said)
    relation = relation or relation_of(stated)
    found = _neighbors(options, relation)
    if not found:
        found = neighbors_of(configuration, spec, target.mechanism, relation)
    pairs = found.get("pair") or ([(found["data"],) * 2] if "data" in found else None)
    try:
        mechanism = adapted(
            target.mechanism,
            name=spec.name,
            epsilon=epsilon or promise,
            pairs=pairs,
            relation=relation,
        )
    except UsageError as error:
        spec.entries["target"].fail(str(error))
    keys = {"seed": "seed", "time-limit": "time_limit"}
    own = {name: stated[key] for key, name in keys.items() if key in stated}
    claim = {"epsilon": epsilon, "delta": delta, "promise": promise, "relation": relation}
    again = (spec.name, "--config", configuration.source.shown, *_words(options))
    return ReplayTask(
        spec.name,
        target,
        {**own, **_how(options), **found, **claim, "mechanism": mechanism, "name": spec.name},
        again,
        (shlex.join(["provado", "replay", *again, "--certify"]),),
        stated.get("expected", "nothing"),
    )


def _neighbors(options: argparse.Namespace, relation: NeighboringRelation | None) -> dict[str, Any]:
    """Return the datasets that were typed."""
    if options.pair:
        return {"pair": [load_pair(tuple(files), relation) for files in options.pair]}
    if options.data is None:
        return {}
    found = {"data": load_dataset(options.data)}
    return {**found, "domain": read_domain(options.domain)} if options.domain else found


def _how(options: argparse.Namespace) -> dict[str, Any]:
    given = {"seed": options.seed, "time_limit": options.time_limit}
    return {name: value for name, value in given.items() if value is not None}


def _words(options: argparse.Namespace) -> list[str]:
    """Return all that was typed, but for what is left where."""
    words = _claim(options)
    for pair in options.pair or ():
        words += ["--pair", *pair]
    words += _data(options)
    for name in ("seed", "time_limit"):
        if getattr(options, name) is not None:
            words += [f"--{name.replace('_', '-')}", f"{getattr(options, name):g}"]
    return words


def _audits(options: argparse.Namespace, text: str) -> list[str]:
    """Return the commands that audit the pairs."""
    first = ["provado", "audit", text, *_claim(options)]
    pairs: Sequence[Sequence[str]] = [["--pair", *pair] for pair in options.pair or ()]
    return [shlex.join([*first, *more]) for more in pairs or [_data(options)]]


def _claim(options: argparse.Namespace) -> list[str]:
    words = []
    for name in ("epsilon", "delta", "promise", "relation"):
        value = getattr(options, name)
        if value is not None:
            words += [f"--{name}", f"{value:g}" if isinstance(value, float) else str(value)]
    return words


def _data(options: argparse.Namespace) -> list[str]:
    if options.data is None:
        return []
    domains = [word for one in options.domain or () for word in ("--domain", one)]
    return ["--data", str(options.data), *domains]
