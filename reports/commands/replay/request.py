"""What a call of ``provado replay`` asks for: from its options and from the configuration."""

import argparse
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from provado.audit.options.declaration import REPLAY, named, taken_by
from provado.mechanisms import Mechanism, UsageError
from provado.reports.config import plan
from provado.reports.config.read import Chosen, Spec
from provado.reports.targets.dataset import relation_for
from provado.reports.targets.load import LoadedTarget, adapted, load_target

_CLAIM, _DATA = ("epsilon", "delta", "promise", "relation"), ("data", "domain")


@dataclass(frozen=True)
class ReplayTask:
    """A program to be replayed.

    arguments: of ``provado.audit.replay``. words: the arguments of ``provado replay`` that repeat
    it. audits: of each pair the command that audits it; one for all, where neighbors are made.
    expected: the kind of a finding, or ``nothing``.
    """

    name: str
    target: LoadedTarget
    arguments: Mapping[str, Any]
    words: tuple[str, ...]
    audits: tuple[str, ...]
    expected: str = "nothing"


def read_tasks(options: argparse.Namespace, chosen: Chosen) -> list[ReplayTask]:
    """Return what is asked for; raises ``UsageError`` that names the wrong option or key."""
    _check(options)
    typed = plan.claim_typed(options, taken_by(REPLAY))
    tasks = [_of_spec(options, spec, typed) for spec in chosen.specs]
    return tasks + [_of_target(options, text, typed) for text in chosen.plain]


def _check(options: argparse.Namespace) -> None:
    if options.promise and (options.epsilon or options.delta):
        raise UsageError("--promise and --epsilon: a claim is given in one way; give one")
    if options.pair and options.data is not None:
        raise UsageError("--pair and --data: neighbors are given or made; give one")
    if options.domain and options.data is None:
        raise UsageError(
            "--domain: it says what the records of --data may hold; give both, or --pair alone"
        )
    if options.samples is not None and not options.certify:
        raise UsageError("--samples: they are of the audits that --certify makes; give that")


def _of_target(options: argparse.Namespace, text: str, typed: Mapping[str, Any]) -> ReplayTask:
    target, relation = load_target(text), typed.get("relation")
    if "data" in typed:
        relation = relation_for(target.mechanism, relation)
    mechanism = _mechanism(target, target.name, {**typed, "relation": relation})
    if not ("data" in typed or "pair" in typed or isinstance(mechanism, Mechanism)):
        raise UsageError(
            f"--pair: {target.text} has no neighbors of its own; give --pair d0.json d1.json, or "
            "--data people.csv --relation add-or-remove-one"
        )
    arguments = {**typed, "mechanism": mechanism, "relation": relation, "name": target.name}
    return ReplayTask(
        target.name, target, arguments, (text, *_words(options)), tuple(_audits(options, text))
    )


def _of_spec(options: argparse.Namespace, spec: Spec, typed: Mapping[str, Any]) -> ReplayTask:
    stated, target = spec.settings, plan.target_of(spec)
    epsilon, delta, promise = plan.claimed(spec, typed)
    relation = typed.get("relation") or plan.relation_of(stated)
    claim = {"epsilon": epsilon, "delta": delta, "promise": promise, "relation": relation}
    result = {key: typed[key] for key in ("pair", "data", "domain") if key in typed}
    if not result:
        result = plan.neighbors_of(spec, target.mechanism, relation)
    with spec.entries["target"].blamed():
        mechanism = _mechanism(target, spec.name, {**claim, **result, "relation": relation})
    how = {
        name: typed.get(name, stated.get(named(name).in_file))
        for name in ("seed", "time_limit")
        if name in typed or named(name).in_file in stated
    }
    again = (spec.name, "--config", spec.source.shown, *_words(options))
    return ReplayTask(
        spec.name,
        target,
        {**how, **result, **claim, "mechanism": mechanism, "name": spec.name},
        again,
        (shlex.join(["provado", "replay", *again, "--certify"]),),
        stated.get("expected", "nothing"),
    )


def _mechanism(target: LoadedTarget, name: str, claim: Mapping[str, Any]) -> Any:
    """Return what is replayed, adapted where it states its own cost."""
    same = [(claim["data"],) * 2] if "data" in claim else None
    return adapted(target.mechanism, name, claim, claim.get("pair") or same)


def _words(options: argparse.Namespace) -> list[str]:
    """Return all that was typed, but for what is left where."""
    rows = map(named, (*_CLAIM, "pair", *_DATA, "seed", "time_limit"))
    return plan.typed_again(options, rows, "{:g}".format)


def _audits(options: argparse.Namespace, text: str) -> list[str]:
    """Return the commands that audit the pairs."""
    claim, data = (
        plan.typed_again(options, map(named, names), "{:g}".format) for names in (_CLAIM, _DATA)
    )
    each = [["--pair", *pair] for pair in options.pair or ()]
    return [shlex.join(["provado", "audit", text, *claim, *more]) for more in each or [data]]
