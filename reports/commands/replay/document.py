"""A replay as it is reported: in JSON, form ``provado-replay/2``, and in SARIF 2.1.0."""

import math
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from provado.audit.bounds.alpha_spending import confidence_of_each
from provado.audit.experiments import replay as experiment
from provado.audit.experiments.replay import replay as counterfactual
from provado.audit.experiments.replay.result import ReplayedClaim
from provado.audit.result import AuditResult
from provado.reports.commands.replay.request import ReplayTask
from provado.reports.documents import schema
from provado.reports.documents.exit_status import AS_EXPECTED, NOT_COMPLETED, SURPRISE
from provado.reports.documents.origin import provado_version, shown_place, versions
from provado.reports.documents.sarif import location, log, result, rule
from provado.reports.text.formatting import clean, up
from provado.reports.text.redact import MARK, kind_of, masked, redact
from provado.reports.text.sentences import claim, finding

CONFIDENCE = 0.95
"""Of all audits together that a replay hands its pairs to."""


@dataclass(frozen=True)
class Replayed:
    """A replay of one program.

    name: as it is reported. expected: the kind of a finding, or ``nothing``. certified: of each
    pair the audit's result, ``None`` where none was asked for or nothing was found. again: the
    command that repeats it. redacted: whether records and outputs are left out.
    """

    name: str
    replay: experiment.Replay
    certified: tuple[AuditResult | None, ...]
    expected: str = "nothing"
    again: str = ""
    redacted: bool = False

    @property
    def exit_status(self) -> int:
        """0 as expected, 1 other findings, 3 not completed or not followed."""
        kinds = {str(item.kind) for item in self.replay.findings}
        if self.expected in kinds:
            return AS_EXPECTED if self.replay.completed else NOT_COMPLETED
        if kinds:
            return SURPRISE
        if not self.replay.completed:
            return NOT_COMPLETED
        return AS_EXPECTED if self.expected == "nothing" else SURPRISE


def replayed(
    task: ReplayTask, certify: bool, samples: int | str | None, redacted: bool
) -> Replayed:
    """Replay what is asked for; ``certify``: audit each pair that something is found on.

    What is returned can be sent: it holds no mechanism.
    """
    with task.target.importable():
        replay = counterfactual(**task.arguments)
        number = sum(bool(pair.findings) for pair in replay.pairs)
        given = {"seed": replay.seed, "jobs": 1, "name": task.name}
        given |= {} if samples is None else {"samples": samples}
        if certify and number:
            given["confidence"] = confidence_of_each(CONFIDENCE, number)
        certified = tuple(
            pair.findings[0].audit(**given) if certify and pair.findings else None
            for pair in replay.pairs
        )
    more = ["--certify"] if certify else []
    more += [] if samples is None else ["--samples", str(samples)]
    more += ["--redact"] if redacted else []
    again = shlex.join(["provado", "replay", *task.words, *more])
    replay = _named(replay, task.audits)
    if redacted:
        replay = replace(replay, pairs=tuple(map(_redacted, replay.pairs)))
        certified = tuple(item and redact(item) for item in certified)
    return Replayed(task.name, replay, certified, task.expected, again, redacted)


def _redacted(pair: experiment.PairReplay) -> experiment.PairReplay:
    """Return a pair without records and outputs; costs keep two digits, since they are exact."""
    findings, calls = [], []
    nothing: dict[str, Any] = dict.fromkeys(("scale", "input_distance", "sensitivity"))
    for item in pair.findings:
        words, event = masked(item.words), masked(item.event)
        findings.append(replace(item, words=words, event=event, cost=_two_digits(item.cost)))
    for call in pair.calls:
        sides = {"input_d": call.input_d and MARK, "input_d_prime": call.input_d_prime and MARK}
        calls.append(replace(call, **nothing | sides, cost=_two_digits(call.cost)))
    totals = {key: _two_digits(getattr(pair, key)) for key in ("epsilon", "deviations", "rho")}
    return replace(
        pair,
        difference=kind_of(pair.difference),
        findings=tuple(findings),
        calls=tuple(calls),
        notes=tuple(map(masked, pair.notes)),
        reason=masked(pair.reason),
        **totals,
    )


def _two_digits(cost: Any) -> Any:
    return cost if cost is None or not math.isfinite(cost) else float(up(cost, 2))


def _named(replay: experiment.Replay, audits: tuple[str, ...]) -> experiment.Replay:
    """Return the replay with the audit of each finding's pair as a command."""
    pairs = []
    for number, pair in enumerate(replay.pairs):
        command = audits[number] if number < len(audits) else audits[-1]
        replayed_claim = ReplayedClaim(None, (None, None), None, None, command=command)
        findings = tuple(replace(item, claim=replayed_claim) for item in pair.findings)
        pairs.append(replace(pair, findings=findings))
    return replace(replay, pairs=tuple(pairs))


def replay_to_json(replay_result: Replayed) -> dict[str, Any]:
    """Return the document that ``provado replay --json`` prints."""
    replay = replay_result.replay
    pairs = zip(replay.pairs, replay_result.certified, strict=True)
    return {
        "schema": schema.REPLAY,
        "provado": provado_version(),
        "versions": versions(),
        "mechanism": clean(replay.name),
        "promise": replay.promise,
        "epsilon": schema.plain(replay.epsilon),
        "delta": schema.plain(replay.delta),
        "relation": replay.relation,
        "seed": replay.seed,
        "exit_status": replay_result.exit_status,
        "pairs": [{**_pair(pair), "certified": _certified(result)} for pair, result in pairs],
    }


def _pair(pair: experiment.PairReplay) -> dict[str, Any]:
    return {
        **schema.printed(pair, "difference reason"),
        "findings": [
            {**_at(item, "kind words", "event cost"), "audit": clean(item.command)}
            for item in pair.findings
        ],
        "divergence": None if pair.divergence is None else _divergence(pair.divergence),
        "calls": [_at(call, "name", _OF_CALL) for call in pair.calls],
        **schema.printed(pair, "epsilon deviations rho"),
        "notes": [clean(note) for note in pair.notes],
        "seconds": [schema.number(item) for item in pair.seconds],
    }


_OF_CALL = "family size scale input_d input_d_prime input_distance sensitivity cost"


def _at(value: experiment.Finding | experiment.NoiseCall, names: str, more: str) -> dict[str, Any]:
    """Return attributes of what was found at a place, and the place between them."""
    place = {"location": shown_place(value.file, value.line)}
    return schema.printed(value, names) | place | schema.printed(value, more)


def _certified(result: AuditResult | None) -> dict[str, Any] | None:
    if result is None:
        return None
    return {
        "verdict": str(result.verdict),
        "claim": claim(result),
        "epsilon_lower": schema.number(result.epsilon_lower),
        "confidence": result.confidence,
        "trials": result.counts.trials,
        "seed": result.seed,
        "sentences": [clean(sentence) for sentence in finding(result)],
    }


def _divergence(where: experiment.Divergence) -> dict[str, Any]:
    sites = {"after": where.after, "d": where.d, "d_prime": where.d_prime}
    shown = {key: shown_place(site.file, site.line) for key, site in sites.items()}
    return {**shown, "noise_before": where.noise_before}


def _id(kind: experiment.FindingKind) -> str:
    return f"replay-{kind.value.replace(' ', '-')}"


_THOUGH = "depends on a data point though noise is frozen"
_RULES = [
    rule(_id(kind), "warning", f"Counterfactual replay: {kind.value} {_THOUGH}.")
    for kind in experiment.FindingKind
]


def replays_to_sarif(replays: Sequence[experiment.Replay], status: int) -> str:
    """Return the findings as a SARIF log with one run; they are warnings, since no verdicts."""
    pairs = [pair for replay in replays for pair in replay.pairs]
    told = [("warning", clean(pair.reason)) for pair in pairs if pair.reason]
    told += [("note", clean(note)) for pair in pairs for note in pair.notes]
    return log(
        _RULES,
        [_result(replay, item) for replay in replays for item in replay.findings],
        told,
        provado=provado_version(),
        status=status,
        completed=all(replay.completed for replay in replays),
    )


def _result(replay: experiment.Replay, finding: experiment.Finding) -> dict[str, Any]:
    text = [f"{replay.name}: {finding.words}."]
    text += [f"An audit can look at: {finding.event}."] if finding.event else []
    text += [f"To certify: {finding.command}"] if finding.command else []
    place, parts = shown_place(finding.file, finding.line), (finding.kind, replay.name)
    sentence = "\n".join(map(clean, text))
    made = result(_RULES, _id(finding.kind), sentence, "replay/v1", parts, place)
    return {**made, "locations": [location(clean(replay.name), place)]}
