"""Audits to be run: what, with which arguments, and the command that repeats each of them."""

import contextlib
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

from provado.audit.options.declaration import OF_PAIRS
from provado.audit.result import AuditResult
from provado.audit.target.exceptions import own_error
from provado.audit.trials.checkpoint import NO_CHECKPOINT, Checkpoint, CheckpointEntry
from provado.audit.workers import GRACE, Broken, InterruptedWorkError, Send
from provado.audit.workers.progress import Forecast, Progress
from provado.audit.workers.time_limits import NoAnswerError, watched
from provado.mechanisms import ExactlyDecidable, Mechanism, UsageError, Verdict
from provado.mechanisms.definitions.curve import CurvePromise, CurveRecord
from provado.reports.documents.origin import source_location
from provado.reports.tasks.progress import LONG, Bar, FinishedAudits
from provado.reports.tasks.resources import NO_RESOURCES, RunResources, run_in_processes
from provado.reports.tasks.run import Record, Settings, code_hashes
from provado.reports.text.redact import redact
from provado.reports.text.terminal import drawing_time, forecast_of_all, redraws, wrapped

FORECAST_SECONDS = 10.0
"""Seconds to find out what many audits cost; each may take half of it."""

PROOF_SECONDS = 60.0
"""Seconds for what is made of a result beside its audit, such as a proof."""


Audited = Callable[..., Any] | Mechanism | ExactlyDecidable
"""What an audit may be of."""


class InterruptedRun(KeyboardInterrupt):
    """Ctrl-C during a run; ``records`` holds what every audit had certified so far."""

    def __init__(self, records: tuple[Record, ...]) -> None:
        super().__init__("interrupted")
        self.records = records


@dataclass(frozen=True)
class AuditTask:
    """One audit to be run.

    claim: the keywords of ``audit`` that this one alone gets (``epsilon``, ``pair``, …), or, with
        ``canaries`` among them, of ``audit_one_run``.
    settings: those that it runs under, with its own share of the confidence. expected: its verdict,
        where that is stated.
    selection: the arguments of ``provado audit`` that name this audit and its claim.
    seconds, most: its budget of time, and the trials it is to make at most, where the run
        sets neither.
    context: entered while the audit runs. add_proof: makes more of its result.
    """

    name: str
    mechanism: Audited
    selection: tuple[str, ...] = ()
    claim: dict[str, Any] = field(default_factory=dict)
    seconds: float | None = None
    most: int | None = None
    context: Callable[[], AbstractContextManager[None]] = contextlib.nullcontext
    add_proof: Callable[[AuditResult], AuditResult] | None = None
    settings: Settings = field(default_factory=Settings)
    expected: Verdict | None = None

    @property
    def one_run(self) -> bool:
        """Whether it is an audit of few runs with many interventions."""
        return "canaries" in self.claim

    @property
    def of_pairs(self) -> bool:
        """Whether trials of pairs are drawn, which is foretold and takes a bar."""
        return not isinstance(self.mechanism, ExactlyDecidable) and not self.one_run

    @property
    def budget(self) -> float | None:
        """Its time: what its settings ask for, or its own where they ask for no number either."""
        asked = self.settings
        return self.seconds if asked.samples is None and asked.seconds is None else asked.seconds


def run_jobs(
    jobs: Sequence[AuditTask],
    processes: int,
    finished: Callable[[int], None] = lambda _: None,
    checkpoints: Sequence[Checkpoint] = (),
    resources: RunResources = NO_RESOURCES,
) -> tuple[Record, ...]:
    """Run jobs of equal settings, each in a process of its own; return the records in their order.

    One job alone gets all ``processes`` to itself. Each gets the same seed, from which the audit
    derives streams by name, so that no job's samples depend on which others run. checkpoints: where
    there are any, what was kept of each job, and who is told here what else is to be kept.
    """
    after = PROOF_SECONDS if any(job.add_proof is not None for job in jobs) else 0.0
    interrupted, alone = False, len(jobs) == 1
    inner = processes if alone else 1
    pairs = zip(jobs, checkpoints or [NO_CHECKPOINT] * len(jobs), strict=True)
    try:
        outcomes = run_in_processes(
            [partial(_work, job, inner, kept, resources, alone=alone) for job, kept in pairs],
            processes=processes,
            # An audit ends itself in time, with what it has, unless nothing gets through to it.
            time_limit=jobs[0].settings.time_limit + 2 * GRACE + after,
            finished=finished,
            heard=lambda index, entry: _tell(checkpoints[index], entry),
            verbose=resources.verbose,
        )
    except InterruptedWorkError as error:
        outcomes, interrupted = error.outcomes, True
    records = []
    for job, outcome in zip(jobs, outcomes, strict=True):
        if isinstance(outcome, Broken):
            outcome = _unknown(job, outcome.reason)
        if job.expected is not None:
            outcome = replace(outcome, expected=job.expected)
        target = job.selection[0] if job.selection else ""
        location = source_location(job.mechanism, target)
        own = replace(job.settings, seconds=job.budget)
        shown = redact(outcome) if own.redact else outcome
        records.append(Record(shown, job.selection, own, location, code_of(job)))
    if interrupted:
        raise InterruptedRun(tuple(records))
    return tuple(records)


def code_of(job: AuditTask) -> dict[str, str]:
    """Return digests of the code that a job runs: of the mechanism, and of a score."""
    result = code_hashes(job.mechanism, job.selection[0] if job.selection else "")
    score = job.claim.get("score")
    return result if score is None else result | code_hashes(score)


def print_forecast(jobs: Sequence[AuditTask], processes: int) -> None:
    """Print the plan of many audits on standard error, if it takes long or on a terminal.

    Each is begun in a process of its own, until it has said what it is going to cost. One that has
    not said so soon is counted as such.
    """
    end = time.monotonic() + FORECAST_SECONDS
    result = run_in_processes(
        [partial(_forecast, job, end) for job in jobs if job.of_pairs],
        processes=processes,
        time_limit=FORECAST_SECONDS / 2,
    )
    forecasts = [forecast if isinstance(forecast, Forecast) else None for forecast in result]
    if forecasts and (redraws(sys.stderr) or drawing_time(forecasts, processes) >= LONG):
        sentences = wrapped(forecast_of_all(forecasts, processes), 4)
        sys.stderr.write("".join(f"{text}\n" for text in sentences))
        sys.stderr.flush()


def _forecast(job: AuditTask, end: float) -> Forecast | None:
    def stop(message: Progress) -> None:
        raise _ForecastError(message.forecast)

    if time.monotonic() < end:
        try:
            _audit(job, 1, stop)
        except _ForecastError as ended:
            return ended.forecast
    return None


class _ForecastError(Exception):
    """Ends an audit that was started only to forecast its cost."""

    def __init__(self, forecast: Forecast | None) -> None:
        super().__init__()
        self.forecast = forecast


def _tell(checkpoint: Checkpoint, entry: CheckpointEntry) -> None:
    assert checkpoint.save is not None
    checkpoint.save(entry)


def _work(
    job: AuditTask,
    processes: int,
    checkpoint: Checkpoint,
    resources: RunResources,
    send: Send,
    *,
    alone: bool,
) -> AuditResult:
    usual = job.settings.seconds is None
    listener = Bar(job.name, usual=usual) if alone and job.of_pairs else None
    try:
        return _audit(job, processes, listener, checkpoint.to(send), resources)
    except (UsageError, MemoryError):
        raise
    except Exception as error:
        return _unknown(job, own_error(error))


def _audit(
    job: AuditTask,
    processes: int,
    listener: Callable[[Progress], None] | None,
    checkpoint: Checkpoint = NO_CHECKPOINT,
    resources: RunResources = NO_RESOURCES,
) -> AuditResult:
    arguments: dict[str, Any] = {
        "confidence": job.settings.confidence,
        "seed": job.settings.seed,
        "name": job.name,
        "time_limit": job.settings.time_limit,
        "isolate": False,
        "checkpoint": checkpoint,
        **job.claim,
    }
    if not job.one_run:
        arguments |= _of_pairs(job, processes)
    if listener is not None:
        arguments["progress"] = listener
    from provado.audit.experiments.one_run.api import audit_one_run
    from provado.audit.result import InterruptedAudit

    call = audit_one_run if job.one_run else run_audit
    with resources.arguments(job.mechanism, job.claim.get("score")) as more, job.context():
        try:
            result = call(job.mechanism, **arguments, **more)
            try:
                with watched(PROOF_SECONDS) as watch, watch.learning():
                    return result if job.add_proof is None else job.add_proof(result)
            except (UsageError, MemoryError):
                raise
            except NoAnswerError as error:
                return replace(result, notes=(*result.notes, f"not proved: {error.reason}"))
            except Exception as error:
                return replace(result, notes=(*result.notes, f"not proved: {own_error(error)}"))
        except InterruptedAudit as interrupt:
            return interrupt.result


def _of_pairs(job: AuditTask, processes: int) -> dict[str, Any]:
    """Return the keywords of ``audit`` that say how many trials are made, and where."""
    settings = job.settings
    most = job.most if settings.seconds is None else None
    samples = most if settings.samples is None else settings.samples
    asked = {**asdict(settings), "samples": samples, "seconds": job.budget}
    arguments = {option.name: asked[option.name] for option in OF_PAIRS if option.name in asked}
    return {"jobs": processes, **{k: v for k, v in arguments.items() if v is not None}}


def run_audit(mechanism: Audited, **arguments: Any) -> AuditResult:
    """Call ``provado.audit.audit``; imported here, since most commands do without it."""
    from provado.audit.api import audit

    return audit(mechanism, **arguments)


def stated_by(mechanism: Mechanism) -> dict[str, Any]:
    """Return the fields of a result that a mechanism's statement brings, but for ε and δ."""
    return {
        "seedable": mechanism.seedable,
        "relation": mechanism.relation.words(),
        "promise": mechanism.promise.words(),
        "source": mechanism.source.words(),
        "summary": mechanism.summary,
        "expected": mechanism.expected,
        "true_epsilon": mechanism.true_epsilon,
        "tags": mechanism.tags,
    }


def _unknown(job: AuditTask, reason: str) -> AuditResult:
    """Return the result of an audit that gave none."""
    settings = job.settings
    statement: dict[str, Any] = {}
    epsilon, delta = job.claim.get("epsilon"), job.claim.get("delta")
    promise = job.claim.get("promise")
    if promise is not None:
        epsilon, delta = promise.point()
    mechanism = job.mechanism
    if isinstance(mechanism, Mechanism):
        stated, own = mechanism.promise.point(), epsilon is None and delta is None
        # An ε of the user's own is a claim of its own: the δ of the statement is not for it.
        delta = (stated[1] if epsilon is None else 0.0) if delta is None else delta
        epsilon = stated[0] if epsilon is None else epsilon
        promise = promise or (mechanism.promise if own else None)
        statement = stated_by(mechanism)
    assert epsilon is not None
    if isinstance(promise, CurvePromise):
        statement |= {"promise": promise.words(), "curve": CurveRecord.of(promise)}
    return AuditResult(
        name=job.name,
        verdict=Verdict.UNKNOWN,
        reason=reason,
        epsilon=epsilon,
        delta=delta or 0.0,
        confidence=settings.confidence,
        seed=settings.seed,
        samples=settings.samples if isinstance(settings.samples, int) else 0,
        pairs=(),
        **statement,
    )


def run_planned(
    planned: Sequence[AuditTask],
    processes: int,
    checkpoint: Callable[[int], Checkpoint] | None = None,
    resources: RunResources = NO_RESOURCES,
) -> tuple[Record, ...]:
    """Run all audits and return the records in their order.

    Those of equal settings run side by side; those of other settings after them. What they are
    going to cost is said first. checkpoint: what keeps each audit, by its place, and knows what was
    drawn of it before. resources: what else may be used.
    """
    if len(planned) > 1:
        print_forecast(planned, processes)
    progress = FinishedAudits([task.name for task in planned])
    records: dict[int, Record] = {}
    try:
        for settings in dict.fromkeys(task.settings for task in planned):
            places = [i for i, task in enumerate(planned) if task.settings == settings]
            try:
                result = run_jobs(
                    [planned[i] for i in places],
                    processes,
                    lambda index, places=places: progress.finished(places[index]),  # type: ignore[misc]
                    [checkpoint(place) for place in places] if checkpoint is not None else (),
                    resources,
                )
            except InterruptedRun as interrupt:
                records |= dict(zip(places, interrupt.records, strict=True))
                raise InterruptedRun(tuple(records[i] for i in sorted(records))) from None
            records |= dict(zip(places, result, strict=True))
    finally:
        progress.clear()
    return tuple(records[i] for i in sorted(records))
