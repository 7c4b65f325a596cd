"""A replay as it is reported: what was asked, what was found, what audits of its pairs certify."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace

from provado.audit.experiments.replay import Replay
from provado.audit.experiments.replay import replay as counterfactual
from provado.audit.experiments.replay.result import Asked as AskedOfPair
from provado.audit.result import AuditResult
from provado.reports.documents.exit_status import AS_EXPECTED, NOT_COMPLETED, SURPRISE

from .request import Asked

CONFIDENCE = 0.95
"""Of all audits together that a replay hands its pairs to."""


@dataclass(frozen=True)
class Replayed:
    """A replay of one program.

    name: as it is reported. expected: the kind of a finding, or ``nothing``. certified: of each
    pair the audit's result, ``None`` where none was asked for or nothing was found. again: the
    command that repeats it.
    """

    name: str
    replay: Replay
    certified: tuple[AuditResult | None, ...]
    expected: str = "nothing"
    again: str = ""

    @property
    def exit_status(self) -> int:
        """0 as expected, 1 other findings, 3 not completed or not followed."""
        kinds = {str(one.kind) for one in self.replay.findings}
        if self.expected in kinds:
            return AS_EXPECTED if self.replay.completed else NOT_COMPLETED
        if kinds:
            return SURPRISE
        if not self.replay.completed:
            return NOT_COMPLETED
        return AS_EXPECTED if self.expected == "nothing" else SURPRISE


def replayed(asked: Asked, certify: bool, samples: int | str | None) -> Replayed:
    """Replay what is asked for; ``certify``: audit each pair that something is found on.

    What is returned can be sent: it holds no mechanism.
    """
    with asked.target.importable():
        found = counterfactual(**asked.arguments)
        number = sum(bool(pair.findings) for pair in found.pairs)
        given = {} if samples is None else {"samples": samples}
        certified = tuple(
            pair.findings[0].audit(
                confidence=1 - (1 - CONFIDENCE) / number,
                seed=found.seed,
                jobs=1,
                name=asked.name,
                **given,
            )
            if certify and pair.findings
            else None
            for pair in found.pairs
        )
    more = ["--certify"] if certify else []
    more += [] if samples is None else ["--samples", str(samples)]
    again = shlex.join(["provado", "replay", *asked.words, *more])
    return Replayed(asked.name, _named(found, asked.audits), certified, asked.expected, again)


def _named(found: Replay, audits: tuple[str, ...]) -> Replay:
    """Return the replay with the audit of each finding's pair as a command."""
    pairs = []
    for number, pair in enumerate(found.pairs):
        command = audits[number] if number < len(audits) else audits[-1]
        asked = AskedOfPair(None, (None, None), None, None, command=command)
        findings = tuple(replace(one, asked=asked) for one in pair.findings)
        pairs.append(replace(pair, findings=findings))
    return replace(found, pairs=tuple(pairs))
