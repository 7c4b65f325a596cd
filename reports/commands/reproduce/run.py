"""Run experiments part by part, in processes of their own, and continue an interrupted run.

The result of each part is stored on disk when it is done.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

from provado.audit.workers import Broken
from provado.mechanisms import UsageError
from provado.reports.commands.reproduce.experiment import Experiment, Findings, Piece, Scope
from provado.reports.documents.write import missing_folders, write_all
from provado.reports.tasks.progress import OverwrittenLine, bar_text
from provado.reports.tasks.resources import run_in_processes
from provado.reports.text.formatting import counted

PATIENCE, LEAST = 40.0, 900.0
"""A part that takes so many times as long as said, and this many seconds, counts as hanging."""


@dataclass(frozen=True)
class Task:
    """One part of one experiment, with the place for its result."""

    store: Store
    part: Piece

    def do(self) -> tuple[str, OSError] | None:
        """Do the work and store its result; return in words and why it could not be written."""
        start = time.process_time()
        own = self.store.experiment
        result = own.work(self.part.arguments, own.generator(self.part, self.store.seed))
        seconds = time.process_time() - start
        try:
            self.store.write(self.part, result, seconds)
        except UsageError as error:
            # The system's error would not come through to the process that waits.
            if isinstance(error.__cause__, OSError):
                return str(error), error.__cause__
            raise
        return None


@dataclass(frozen=True)
class Outcome:
    """What became of an experiment: its findings, or the reasons why there are none.

    results: of all parts, by key, where they are complete.
    """

    experiment: Experiment
    setting: Scope
    parts: tuple[Piece, ...]
    results: dict[str, dict[str, object]]
    findings: Findings | None
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReproducePlan:
    """Which parts there are, which of them are to be done, and about how long that takes.

    together: in as many processes as asked for. alone: those that are timed, one after another.
    """

    setting: Scope
    processes: int
    stores: tuple[tuple[Store, tuple[Piece, ...]], ...]
    together: tuple[Task, ...]
    alone: tuple[Task, ...]

    @property
    def seconds(self) -> float:
        """About how long what is left takes."""
        shared = [task.part.seconds for task in self.together]
        longest = max(shared, default=0.0)
        one_by_one = sum(task.part.seconds for task in self.alone)
        return max(sum(shared) / self.processes, longest) + one_by_one

    def words(self) -> str:
        """Return the plan as one line."""
        every = sum(len(parts) for _, parts in self.stores)
        left = len(self.together) + len(self.alone)
        there = f", {every - left} of them there already" if left < every else ""
        how_long = f"; about {span(self.seconds)} on {counted(self.processes, 'processor')}"
        what = counted(len(self.stores), "experiment")
        return f"{what} in {counted(every, 'part')}{there}{how_long if left else ''}"


def make_plan(
    experiments: Sequence[Experiment], setting: Scope, folder: Path, processes: int
) -> ReproducePlan:
    """Return what is to be done; reads what is stored under ``folder``, does nothing yet."""
    stores = tuple(
        (Store(folder / item.name / "parts", item, setting.seed), tuple(item.parts(setting)))
        for item in experiments
    )
    left = [Task(s, part) for s, parts in stores for part in parts if s.read(part) is None]
    together = [task for task in left if not task.store.experiment.timed]
    together.sort(key=lambda task: -task.part.seconds)
    alone = tuple(task for task in left if task.store.experiment.timed)
    return ReproducePlan(setting, processes, stores, tuple(together), alone)


def carry_out(plan: ReproducePlan) -> tuple[Outcome, ...]:
    """Do what the plan says and return what each experiment found.

    A part that raises, hangs or takes its process down leaves its experiment without findings,
    with the reason; nothing else is touched by it. On an interrupt all parts that ended are kept.
    Raises ``UsageError`` whose cause is an ``OSError`` where a result could not be written.
    """
    broken: dict[tuple[str, str], str] = {}
    with _folders(task.store.folder for task in (*plan.together, *plan.alone)):
        batches = ((plan.together, plan.processes, plan.alone), (plan.alone, 1, ()))
        for tasks, processes, rest in batches:
            if not tasks:
                continue
            limit = max(LEAST, PATIENCE * max(task.part.seconds for task in tasks))
            line = _Parts(tasks, processes, sum(task.part.seconds for task in rest))
            line.shown_after("")
            try:
                outcomes = run_in_processes(
                    [partial(Task.do, task) for task in tasks],
                    processes=processes,
                    time_limit=limit,
                    finished=line.finished,
                )
            finally:
                line.clear()
            for task, outcome in zip(tasks, outcomes, strict=True):
                if isinstance(outcome, tuple):
                    raise UsageError(outcome[0]) from outcome[1]
                if isinstance(outcome, Broken):
                    broken[task.store.experiment.name, task.part.key] = outcome.reason
    return tuple(_outcome(store, parts, plan.setting, broken) for store, parts in plan.stores)


@contextlib.contextmanager
def _folders(places: Iterable[Path]) -> Iterator[None]:
    """Make folders, and take away again those that stay empty.

    Made here, since of two processes that make one, one that fails would take it from the other.
    """
    made: list[Path] = []
    try:
        for place in dict.fromkeys(places):
            for folder in missing_folders(place):
                try:
                    folder.mkdir(exist_ok=True)
                except OSError as error:
                    words = f"output folder {str(folder)!r}: {error.strerror or error}"
                    raise UsageError(f"{words}; nothing was written") from error
                made.append(folder)
        yield
    finally:
        for folder in reversed(made):
            with contextlib.suppress(OSError):
                folder.rmdir()


def _outcome(
    store: Store, parts: tuple[Piece, ...], setting: Scope, broken: dict[tuple[str, str], str]
) -> Outcome:
    own = store.experiment
    results: dict[str, dict[str, object]] = {}
    reasons = []
    for part in parts:
        stored = store.read(part)
        if stored is None:
            why = broken.get((own.name, part.key), "its result is not there")
            reasons.append(f"part {part.key}: {why}")
        else:
            results[part.key] = stored
    findings = None if reasons else own.findings(setting, results)
    return Outcome(own, setting, parts, results, findings, tuple(reasons))


def span(seconds: float) -> str:
    """Return a time as people say it."""
    if seconds < 90:
        return f"{max(seconds, 1):.0f} s"
    return f"{seconds / 60:.0f} min"


@dataclass
class _Parts(OverwrittenLine):
    """One line on the terminal: how many parts, how much of the expected time, what is left.

    after: seconds of what is done once these tasks are.
    """

    tasks: Sequence[Task]
    processes: int
    after: float
    done: int = 0
    expected_done: float = 0.0
    started: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        super().__init__()

    def finished(self, index: int) -> None:
        self.done += 1
        part = self.tasks[index].part
        self.expected_done += part.seconds
        self.shown_after(f"; last: {self.tasks[index].store.experiment.name}, {part.key}")

    def shown_after(self, last: str) -> None:
        """Show how far the parts have come; last: what ended last, if anything did."""
        every = sum(task.part.seconds for task in self.tasks)
        spent = time.monotonic() - self.started
        # What was measured counts once there is something of it.
        pace = spent / (self.expected_done / self.processes) if self.expected_done else 1.0
        left = pace * ((every - self.expected_done) / self.processes + self.after)
        bar = bar_text(self.expected_done / every if every else 1.0, 24)
        parts = f"{self.done} of {counted(len(self.tasks), 'part')}"
        self.show(f"{bar} {parts}, {span(left)} left{last}")


_ROOMS = ("mechanisms", "audit", "proofs")


@dataclass(frozen=True)
class Store:
    """The parts of one experiment under one seed, a file each."""

    folder: Path
    experiment: Experiment
    seed: int

    def read(self, part: Piece) -> dict[str, Any] | None:
        """Return what is stored of a part; nothing where its arguments or the code were others."""
        try:
            found = json.loads(self._file(part).read_text(encoding="utf-8"))
            if found["fingerprint"] == self._fingerprint(part):
                result: dict[str, Any] = found["result"]
                return result
        except (OSError, ValueError, KeyError, TypeError):
            pass
        return None

    def write(self, part: Piece, result: dict[str, Any], seconds: float) -> None:
        """Store a result, whole or not at all. Raises ``UsageError`` where JSON has no such.

        seconds: of a processor that it took.
        """
        took = {"fingerprint": self._fingerprint(part), "seconds": round(seconds, 3)}
        document = {**self._asked(part), **took, "result": result}
        try:
            text = json.dumps(document, ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError) as error:
            name = f"{self.experiment.name}, part {part.key!r}"
            raise UsageError(f"{name}: its result cannot be stored: {error}") from error
        write_all({self._file(part): f"{text}\n"})

    def _file(self, part: Piece) -> Path:
        # Keys may hold signs that a file name cannot.
        name = hashlib.sha256(part.key.encode()).hexdigest()[:16]
        return self.folder / f"{name}.json"

    def _asked(self, part: Piece) -> dict[str, Any]:
        own = {"experiment": self.experiment.name, "part": part.key}
        return {**own, "arguments": dict(part.arguments)}

    def _fingerprint(self, part: Piece) -> str:
        code = {"seed": self.seed, "code": _code(self.experiment.name)}
        text = json.dumps(self._asked(part) | code, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()


@cache
def _code(experiment: str) -> str:
    """Return a digest of all code that a result may depend on: a change makes old parts void.

    Experiments of one paper, and of all, share the files whose names begin with an underscore.
    """
    own = (Path(__file__).parent / "papers" / experiment).with_suffix(".py")
    digest = hashlib.sha256(_shared_code().encode())
    for file in (*sorted(own.parent.glob("_*.py")), *([own] if own.is_file() else [])):
        digest.update(file.read_bytes())
    return digest.hexdigest()


@cache
def _shared_code() -> str:
    """Return a digest of the code that all experiments share."""
    here, room = Path(__file__).parent, Path(__file__).parents[3]
    files = [file for name in _ROOMS for file in sorted((room / name).rglob("*.py"))]
    files += [*sorted((here / "sources").rglob("*.py")), *sorted((here / "papers").glob("_*.py"))]
    digest = hashlib.sha256(sys.version.encode())
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()
