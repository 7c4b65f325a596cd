"""Turns a configured audit into a job, with what the command line says put over it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from provado.mechanisms import (
    AddOrRemoveOne,
    BoundedAnswers,
    ExactlyDecidable,
    Mechanism,
    NeighboringRelation,
    ReplaceOne,
    UsageError,
    Verdict,
)
from provado.mechanisms.statement.neighbors import neighbors
from provado.reports.ask.adapted import adapted, is_measurement
from provado.reports.ask.dataset import load_dataset
from provado.reports.ask.target import load_target, source_file
from provado.reports.run.job import Job
from provado.reports.run.planned import Planned
from provado.reports.run.run import DEFAULT_TIME_LIMIT, Settings

from .entry import Entry
from .read import AuditSpec, Configuration

Pair = tuple[Any, Any]


@dataclass(frozen=True)
class Typed:
    """What the command line says of audits; each that is not ``None`` wins over the file.

    words: these options as they are typed again to repeat the claim.
    """

    epsilon: float | None = None
    delta: float | None = None
    relation: NeighboringRelation | None = None
    pairs: Sequence[Pair] | None = None
    samples: int | None = None
    seconds: float | None = None
    seed: int | None = None
    time_limit: float | None = None
    stop_early: bool = False
    explore: int | None = None
    words: tuple[str, ...] = ()


def typed_settings(typed: Typed, confidence: float) -> Settings:
    """Return the settings that the command line alone makes."""
    return Settings(
        samples=typed.samples,
        seconds=typed.seconds,
        confidence=confidence,
        seed=typed.seed or 0,
        time_limit=typed.time_limit or DEFAULT_TIME_LIMIT,
        stop_early=typed.stop_early,
        explore=typed.explore,
    )


def plan(configuration: Configuration, spec: AuditSpec, typed: Typed, confidence: float) -> Planned:
    """Return the job of one configured audit; raises ``UsageError`` that names file, line and key.

    What is typed wins over the audit's own keys, and these over the defaults of the file.
    """
    stated = spec.settings
    try:
        target = load_target(stated["target"], configuration.folder)
    except UsageError as error:
        spec.entries["target"].fail(str(error))
    mechanism = target.mechanism
    epsilon = stated.get("epsilon") if typed.epsilon is None else typed.epsilon
    states = isinstance(mechanism, Mechanism) or is_measurement(mechanism)
    if epsilon is None and not states:
        spec.missing("epsilon", "the claimed ε, which a plain callable does not state itself")
    relation = typed.relation or _relation(stated)
    pairs = typed.pairs or _pairs(configuration, spec, mechanism, relation)
    claim = {
        "epsilon": epsilon,
        "delta": stated.get("delta") if typed.delta is None else typed.delta,
        "relation": relation,
        "pair": pairs,
    }
    if typed.pairs and relation is not None:
        _check_typed(typed.pairs, relation)
    try:
        mechanism = adapted(
            mechanism, name=spec.name, epsilon=epsilon, pairs=pairs, relation=relation
        )
    except UsageError as error:
        spec.entries["target"].fail(str(error))
    job = Job(
        name=spec.name,
        mechanism=mechanism,
        selection=(spec.name, "--config", configuration.source.shown, *typed.words),
        claim=claim,
        surroundings=target.importable,
    )
    expected = stated.get("expected")
    return Planned(job, _settings(spec, typed, confidence), expected and Verdict(expected))


def files_read(configuration: Configuration, spec: AuditSpec) -> list[Path]:
    """Return the files that an audit, once planned, has read: its target's and its datasets'."""
    stated, folder = spec.settings, configuration.folder
    sides = [side for pair in stated.get("pairs", ()) for side in pair.items()]
    sides += [stated["data"]] if "data" in stated else []
    files = [folder / side.value for side in sides if isinstance(side.value, str)]
    source = source_file(stated["target"], folder)
    return files if source is None else [*files, source]


def _settings(spec: AuditSpec, typed: Typed, confidence: float) -> Settings:
    stated = spec.settings
    settings = Settings(
        samples=stated.get("samples"),
        seconds=stated.get("seconds"),
        confidence=confidence,
        seed=stated.get("seed", 0) if typed.seed is None else typed.seed,
        time_limit=typed.time_limit or stated.get("time-limit", DEFAULT_TIME_LIMIT),
        stop_early=typed.stop_early or stated.get("stop-early", False),
        explore=typed.explore,
    )
    if typed.samples is None and typed.seconds is None:
        return settings
    return replace(settings, samples=typed.samples, seconds=typed.seconds)


def _relation(stated: Any) -> NeighboringRelation | None:
    name = stated.get("relation")
    if name is None:
        return None
    if name == "bounded-answers":
        return BoundedAnswers(
            sensitivity=stated.get("sensitivity", 1.0),
            monotone=stated.get("monotone", False),
            at_most=stated.get("at-most"),
        )
    return ReplaceOne() if name == ReplaceOne().words() else AddOrRemoveOne()


def _pairs(
    configuration: Configuration,
    spec: AuditSpec,
    mechanism: Any,
    relation: NeighboringRelation | None,
) -> list[Pair] | None:
    """Return the stated pairs, or those made of the data; ``None`` where the target brings its."""
    stated, entries = spec.settings, spec.entries
    if "pairs" in stated:
        return [_pair(configuration, pair, relation) for pair in stated["pairs"]]
    if "data" not in stated:
        if not isinstance(mechanism, Mechanism | ExactlyDecidable):
            line = spec.table.source.commented(spec.table.path, "pairs")
            key = "pairs" if line and "data" not in _commented(spec) else "data"
            spec.missing(key, "a dataset of which neighbors are made (or pairs)")
        return None
    if isinstance(mechanism, ExactlyDecidable):
        entries["data"].fail("a table is decided for all of its neighbors; leave data out")
    if relation is None:
        own = getattr(mechanism, "relation", None)
        relation = own if isinstance(own, NeighboringRelation) else None
    if relation is None:
        spec.missing("relation", "it says what neighbors of data are")
    assert relation is not None
    data = _dataset(configuration, stated["data"])
    try:
        return neighbors(data, relation, stated.get("values"))
    except (UsageError, TypeError, ValueError) as error:
        key = "values" if str(error).startswith("values") and "values" in entries else "data"
        entries[key].fail(str(error))


def _commented(spec: AuditSpec) -> set[str]:
    source, path = spec.table.source, spec.table.path
    return {key for key in ("data", "pairs") if source.commented(path, key)}


def _pair(configuration: Configuration, entry: Entry, relation: NeighboringRelation | None) -> Pair:
    d, d_prime = (_dataset(configuration, side) for side in entry.items())
    if relation is not None:
        try:
            relation.check(d, d_prime)
        except (UsageError, TypeError, ValueError) as error:
            entry.fail(str(error))
    return d, d_prime


def _dataset(configuration: Configuration, entry: Entry) -> Any:
    if not isinstance(entry.value, str):
        return entry.value
    try:
        return load_dataset(configuration.folder / entry.value)
    except UsageError as error:
        entry.fail(str(error))


def _check_typed(pairs: Sequence[Pair], relation: NeighboringRelation) -> None:
    for d, d_prime in pairs:
        try:
            relation.check(d, d_prime)
        except (UsageError, TypeError, ValueError) as error:
            raise UsageError(f"--pair: {error}") from error
