"""Turns a configured audit of few runs, or one that is typed, into a job."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from provado.mechanisms import ExactlyDecidable, Mechanism, UsageError, Verdict
from provado.reports.targets.load import Target
from provado.reports.targets.one_run import check_relation, load_score
from provado.reports.tasks.run import Settings
from provado.reports.tasks.run_tasks import Planned
from provado.reports.tasks.task import Job

from .jobs import Typed, claimed, dataset_of, settings_of, target_of
from .keys import OF_RUNS
from .read import Configuration, Spec

_PLAIN = ("guesses", "threshold", "runs")


def is_few(spec: Spec, typed: Typed) -> bool:
    """Tell whether a configured audit is one of few runs, by its keys or by what is typed."""
    return "canaries" in spec.settings or "canaries" in typed.few


def few_settings(settings: Settings) -> Settings:
    """Return the settings without those that are for audits of pairs."""
    return replace(settings, samples=None, seconds=None, stop_early=False, explore=None)


def plan_few(configuration: Configuration, spec: Spec, typed: Typed, confidence: float) -> Planned:
    """Return the job of a configured audit; raises ``UsageError`` that names file, line and key.

    What is typed wins over the audit's own keys.
    """
    stated, entries = spec.settings, spec.entries
    target = target_of(configuration, spec, typed)
    epsilon, delta, promise = claimed(spec, typed.claim)
    if epsilon is None and promise is None and not isinstance(target.mechanism, Mechanism):
        spec.missing("epsilon", "the claimed ε, which a plain callable does not state itself")
    few: dict[str, Any] = {key: stated[key] for key in _PLAIN if key in stated}
    if "explore-runs" in stated:
        few["explore"] = stated["explore-runs"]
    few |= {
        key: dataset_of(configuration, entries[key])
        for key in ("canaries", "instead", "data")
        if key in stated and key not in typed.few
    }
    if "score" in stated and "score" not in typed.few:
        try:
            few["score"] = load_score(stated["score"], configuration.folder)
        except UsageError as error:
            entries["score"].fail(str(error))
    said = {} if typed.claim["data"] is None else {"data": typed.claim["data"]}
    claim = {"epsilon": epsilon, "delta": delta, "promise": promise, **few, **typed.few, **said}
    selection = (spec.name, "--config", configuration.source.shown, *typed.words)
    relation = typed.claim["relation"] or stated.get("relation")
    try:
        job = _job(spec.name, target, selection, claim, relation)
    except UsageError as error:
        named = next((key for key in (*OF_RUNS, "data", "relation") if _of(key, error)), "canaries")
        if named in entries and named not in typed.few:
            entries[named].fail(str(error))
        raise
    settings = few_settings(settings_of(stated, typed, confidence))
    expected = stated.get("expected")
    return Planned(job, settings, expected and Verdict(expected))


def few_job(target: Target, typed: Typed) -> Job:
    """Return the job of a target that is typed, with its canaries."""
    said = typed.claim
    if (
        said["epsilon"] is None
        and said["promise"] is None
        and not isinstance(target.mechanism, Mechanism)
    ):
        raise UsageError(
            f"--epsilon: {target.text} is a plain callable, which states no claim of its own; give "
            "one, as in --epsilon 1"
        )
    claim = {key: said[key] for key in ("epsilon", "delta", "promise", "data")}
    selection = (target.text, *typed.words)
    return _job(target.name, target, selection, {**claim, **typed.few}, said["relation"])


def _job(
    name: str,
    target: Target,
    selection: tuple[str, ...],
    claim: Mapping[str, Any],
    relation: Any,
) -> Job:
    from provado.audit.experiments.one_run.request import read_one_run

    mechanism = target.mechanism
    if isinstance(mechanism, ExactlyDecidable):
        raise UsageError(f"canaries: {name} is a table, which is decided without any run")
    check_relation(relation, claim.get("instead"))
    read_one_run(mechanism, **claim)
    return Job(name, mechanism, selection, dict(claim), surroundings=target.importable)


def _of(key: str, error: UsageError) -> bool:
    """Tell whether a complaint is about this key, with which it begins."""
    return str(error).startswith(f"{'explore' if key == 'explore-runs' else key} ")
