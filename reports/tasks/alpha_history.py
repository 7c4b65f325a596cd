"""Audits of successive versions, which share one error probability and one file in JSON."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from provado.audit.bounds.alpha_spending import left_after, share_of
from provado.audit.result import AuditResult
from provado.mechanisms import UsageError
from provado.reports.documents.origin import provenance
from provado.reports.documents.schema import HISTORY, build, check_form, dumps, load_json, plain
from provado.reports.documents.write import write_all
from provado.reports.tasks.run import Run
from provado.reports.text.formatting import clean


@dataclass(frozen=True)
class Certified:
    """What a run found of one audit. claim: in words. lower: the certified limit on it."""

    name: str
    claim: str
    verdict: str
    lower: float


@dataclass(frozen=True)
class HistoryEntry:
    """One run. number: k. alpha: its share. complete: whether it came to its report."""

    number: int
    alpha: float
    date: str
    commit: str
    complete: bool
    audits: tuple[Certified, ...]


@dataclass(frozen=True)
class History:
    """All runs so far, and the chance of a false alarm that they share with all to come."""

    alpha: float
    looks: tuple[HistoryEntry, ...] = ()


def load_history(file: Path) -> History | None:
    """Return the history in a file, ``None`` where there is none yet.

    Raises ``UsageError`` naming file, key, value and rule; so it does where the shares of alpha are
    not those of the rule: a caller that takes more has no guarantee left.
    """
    if not file.exists() or (file.is_file() and file.stat().st_size == 0):
        return None
    if not (file.is_file() or file.is_dir()):
        raise UsageError(f"{file}: it is a device or a pipe; a history must be a regular file")
    document = load_json(file)
    check_form(document, HISTORY, str(file), "a history is of the form")
    looks = tuple(
        build(HistoryEntry, look, f"{file}: looks[{i}]") for i, look in enumerate(document["looks"])
    )
    alpha = float(document["alpha"])
    for i, look in enumerate(looks):
        if look.number != i + 1:
            raise UsageError(f"{file}: looks[{i}].number is {look.number}: it must be {i + 1}")
        if not math.isclose(look.alpha, share_of(alpha, i + 1), rel_tol=1e-12):
            raise UsageError(
                f"{file}: looks[{i}].alpha is {look.alpha}: it must be 6α/(π²k²), which is "
                f"{share_of(alpha, i + 1)}"
            )
    return History(alpha, looks)


@dataclass(frozen=True)
class AlphaHistory:
    """What watches over one run.

    before: the history as it was read, ``None`` where this run begins it. number: of this look.
    """

    file: Path
    before: History | None
    alpha: float
    number: int

    @property
    def confidence(self) -> float:
        """1 − the share of this run."""
        return 1 - share_of(self.alpha, self.number)

    def begin(self, names: Sequence[str]) -> AlphaHistory:
        """Note that the run begins: from now on its share is spent, whatever becomes of it."""
        if self.before is not None and len(self.before.looks) >= self.number:
            return self  # One that was interrupted is resumed.
        made = provenance(anonymous=True)
        audits = tuple(Certified(name, "", "", 0.0) for name in names)
        share = share_of(self.alpha, self.number)
        look = HistoryEntry(self.number, share, made.date, made.commit, False, audits)
        earlier = () if self.before is None else self.before.looks
        return self._saved(History(self.alpha, (*earlier, look)))

    def end(self, run: Run) -> AlphaHistory:
        """Note what the run found."""
        assert self.before is not None
        audits = tuple(_certified(result) for result in run.results)
        *earlier, look = self.before.looks
        look = replace(look, complete=True, audits=audits)
        return self._saved(History(self.alpha, (*earlier, look)))

    def _saved(self, history: History) -> AlphaHistory:
        """Write it, whole or not at all; raise ``UsageError`` where the file is not as read."""
        if load_history(self.file) != self.before:
            raise UsageError(
                f"{self.file}: another run has written it meanwhile; run this one again"
            )
        write_all({self.file: dumps({"schema": HISTORY, **plain(history)})})
        return replace(self, before=history)

    def tell(self, *, aside: bool) -> None:
        """Print what is spent and left of alpha, and what was certified before."""
        assert self.before is not None
        stream = sys.stderr if aside else sys.stdout
        for line in words(self.before, clean(str(self.file))):
            print(line, file=stream)


def open_history(file: Path, confidence: float | None, *, resume: bool) -> AlphaHistory:
    """Return what watches over the next look of a history.

    confidence: of all looks together, where it is asked for. resume: whether the last one is
    resumed. Raises ``UsageError`` where the file is no history, or one of another confidence.
    """
    before = load_history(file)
    if before is None:
        return AlphaHistory(file, None, 1 - (0.95 if confidence is None else confidence), 1)
    if confidence is not None and abs(1 - confidence - before.alpha) > 1e-12:
        raise UsageError(
            f"--confidence: the history {clean(str(file))} has {1 - before.alpha:g} for all of its "
            "runs together, which cannot be changed"
        )
    goes_on = resume and before.looks
    number = len(before.looks) if goes_on else len(before.looks) + 1
    return AlphaHistory(file, before, before.alpha, number)


def words(history: History, file: str) -> list[str]:
    """Return what a history says after its last look, in lines."""
    *earlier, last = history.looks
    left = left_after(history.alpha, last.number)
    lines = [
        f"Run {last.number} of the history {file}: of α = {history.alpha:.4g} for all runs ever, "
        f"{last.alpha:.4g} was spent on this one, {left:.4g} is left for those to come."
    ]
    for audit in last.audits:
        known = [
            (look, certified)
            for look in earlier
            for certified in look.audits
            if look.complete and certified.name == audit.name and certified.claim == audit.claim
        ]
        if known:
            look, best = max(known, key=lambda each: each[1].lower)
            violations = [each.number for each, item in known if item.verdict == "violation"]
            flagged = f"; violation in run {', '.join(map(str, violations))}" if violations else ""
            lines.append(
                f"  {clean(audit.name)}: {audit.verdict}, {audit.lower:.4g} certified; before at "
                f"most {best.lower:.4g} (run {look.number}){flagged}"
            )
    return lines


def _certified(result: AuditResult) -> Certified:
    claim = f"ε = {result.epsilon:g}, δ = {result.delta:g}"
    if result.curve is not None:
        claim = result.promise
    return Certified(result.name, claim, str(result.verdict), float(result.lower))
