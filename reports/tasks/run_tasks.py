"""Runs audits that may differ in their settings, each as its plan says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from provado.audit.trials.checkpoint import Keeper
from provado.mechanisms import Verdict

from .means import NO_MEANS, Means
from .progress import Progress
from .run import Record, Settings
from .task import InterruptedRun, Job, foretell, run_jobs


@dataclass(frozen=True)
class Planned:
    """A job, the settings that it runs under, and the verdict that is expected of it, if stated.

    The settings' confidence is this job's own share.
    """

    job: Job
    settings: Settings
    expected: Verdict | None = None


def run_planned(
    planned: Sequence[Planned],
    processes: int,
    keeper: Callable[[int], Keeper] | None = None,
    means: Means = NO_MEANS,
) -> tuple[Record, ...]:
    """Run all jobs and return the records in their order.

    Jobs of equal settings run side by side; those of other settings after them. What they are going
    to cost is said first. keeper: what keeps each job, by its place, and knows
    what was drawn of it before. means: what else may be used.
    """
    if len(planned) > 1:
        foretell([(one.job, one.settings) for one in planned], processes)
    progress = Progress([one.job.name for one in planned])
    records: dict[int, Record] = {}
    try:
        for settings in dict.fromkeys(one.settings for one in planned):
            places = [i for i, one in enumerate(planned) if one.settings == settings]
            try:
                found = run_jobs(
                    [planned[i].job for i in places],
                    settings,
                    processes,
                    lambda index, places=places: progress.finished(places[index]),  # type: ignore[misc]
                    [keeper(place) for place in places] if keeper is not None else (),
                    means,
                )
            except InterruptedRun as interrupt:
                records |= dict(zip(places, interrupt.records, strict=True))
                raise InterruptedRun(_in_order(planned, records)) from None
            records |= dict(zip(places, found, strict=True))
    finally:
        progress.close()
    return _in_order(planned, records)


def _in_order(planned: Sequence[Planned], records: dict[int, Record]) -> tuple[Record, ...]:
    """Return the records there are, in the order of the plan, with the verdicts expected."""
    places = [(i, one) for i, one in enumerate(planned) if i in records]
    expecting = {
        i: replace(records[i], result=replace(records[i].result, expected=one.expected))
        for i, one in places
        if one.expected is not None
    }
    return tuple(expecting.get(i, records[i]) for i, _ in places)
