"""Computes again everything in a report that follows from the rest of it; nothing is drawn.

For each pair: its bound, power, verdict and effect sizes from its counts, alpha, δ and bets; its
bets from δ and the settings; its checkpoints, which must be complete, grow, and end at the counts;
no more trials than planned. For each audit: its verdict, its pairs' equal shares of alpha, the
sentence on its power, the command that repeats it, and its statement where the catalogue has it.
For the run: the audits' equal shares of its alpha, its settings, exit status and digest. A claim
that was decided exactly is decided again, from its table; of an audit of few runs bound, power and
verdict are computed from its guesses.

What does not follow from the file is listed as unchecked (``claim.py``).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

from provado.audit.api import VERDICTS
from provado.audit.events.cause import CauseKind
from provado.audit.result import AuditResult, OneRunFinding, judged
from provado.mechanisms import ExactFinding, UndecidedError, UsageError, Verdict
from provado.mechanisms.definitions.mechanism import merge
from provado.proofs.causal.finite_mechanism import decide_table
from provado.reports.audit_report.document import digest_differences, run_from_json, run_to_json
from provado.reports.tasks.run import Record, Run, Settings

from .claim import claim_differences, not_covered_of_audit, not_covered_of_run, shared
from .pair import pair_differences, pair_verdict, parts_of_alpha, same, unlike


@dataclass(frozen=True)
class Rechecked:
    """What differs in one audit (or in what the run says of itself); nothing where all agree.

    unchecked: the fields of which nothing is said, as paths.
    """

    name: str
    differences: tuple[str, ...]
    unchecked: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether nothing differs."""
        return not self.differences

    @property
    def line(self) -> str:
        """It in a line, before anything is made safe to print."""
        differ = "; ".join(self.differences)
        return f"{'DIFFERS':8}{self.name}: {differ}" if differ else f"{'agrees':8}{self.name}"


def recheck_document(document: Any, file: str = "document") -> tuple[Rechecked, ...]:
    """Return one answer for the run itself and one for each audit of the document, in order.

    Raises ``UsageError`` where the document is not of the form ``provado-audit/7``.
    """
    run = run_from_json(document, file)
    again = run_to_json(run)
    own = (*_shared_alpha(run), *_shared_settings(run), *digest_differences(document))
    own = (*_derived(document, again, "exit_status"), *own)
    rechecks = [Rechecked("the run", own, not_covered_of_run(run))]
    for record, old, new in zip(run.records, document["audits"], again["audits"], strict=True):
        derived = (*_derived(old, new, *_DERIVED), *_derived_of_curves(old, new))
        differences = (*record_differences(record), *derived)
        rechecks.append(Rechecked(record.result.name, differences, not_covered_of_audit(record)))
    return tuple(rechecks)


_DERIVED = ("epsilon_lower", "lower", "surprising", "power", "cause", "replay", "evidence")


def _derived_of_curves(old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
    """Yield where limits on a whole curve do not follow from the cells and the pair's alpha."""
    for pair, again in zip(old["pairs"], new["pairs"], strict=True):
        if ("trade_off" in pair) != ("trade_off" in again):
            yield "trade_off: stated just where all planned trials were counted by cell"
        elif "trade_off" in again:
            yield from _derived(pair["trade_off"], again["trade_off"], *again["trade_off"])


def _shared_alpha(run: Run) -> Iterator[str]:
    """Yield a difference where the audits' chances of a false alarm are not shares of the run's."""
    total, number = 1 - run.settings.confidence, max(len(run.results), 1)
    # A claim that was decided exactly can raise no false alarm.
    spent = math.fsum(1 - result.confidence for result in run.results if result.exact is None)
    if spent > total + 1e-9:
        yield (
            f"alpha: the audits' sum to {spent:.6g}; the run's confidence of "
            f"{run.settings.confidence:g} leaves {total:.6g}"
        )
    if run.results and any("interrupted" in result.reason for result in run.results):
        # Of a run that was interrupted some audits may never have begun.
        number = max(round(total / (1 - run.results[0].confidence)), number)
    equal = total / number
    for result in run.results:
        # A confidence near 1 holds its share to so many digits.
        if not math.isclose(1 - result.confidence, equal, rel_tol=1e-9, abs_tol=2**-52):
            yield (
                f"alpha: {result.name} has {1 - result.confidence:.6g}; an equal share of "
                f"{number} audits is {equal:.6g}"
            )


def _shared_settings(run: Run) -> Iterator[str]:
    """Yield a difference where all audits were asked the same, and the run's settings differ."""
    if not shared(run):
        return
    own = run.records[0].settings
    for field in fields(own):
        asked, has = getattr(run.settings, field.name), getattr(own, field.name)
        # A library's audit has a time of its own where the run sets none.
        free = field.name == "confidence" or (field.name == "seconds" and asked is None)
        if asked != has and not free:
            yield f"settings: {field.name} is {asked!r}; each audit has {has!r}"


def record_differences(record: Record) -> Iterator[str]:
    """Yield what differs in one audit, each as one line."""
    result = record.result
    if result.exact is not None:
        yield from exact_differences(result, result.exact)
    elif result.one_run is not None:
        yield from one_run_differences(result, result.one_run)
    else:
        yield from _sampled_differences(record)
    yield from claim_differences(record)


def _sampled_differences(record: Record) -> Iterator[str]:
    result = record.result
    for pair in result.pairs:
        for difference in pair_differences(pair, result, record.settings):
            yield f"pair {pair.index}: {difference}"
    indexes = list(dict.fromkeys(pair.index for pair in result.pairs))
    views = [(p.index, p.rounded, p.cause.kind is CauseKind.RARE) for p in result.pairs]
    if indexes != list(range(len(indexes))) or len(set(views)) < len(views):
        yield f"pairs: the indexes {[i for i, *_ in views]} must be distinct and count from 0"
    yield from _alpha_differences(result, record.settings)
    yield from point_differences(result)
    yield from _coverage_differences(result)
    follows = merge(pair_verdict(pair, result) for pair in result.pairs)
    if result.verdict is Verdict.UNKNOWN:
        if not result.reason:
            yield "verdict: unknown, and no reason is given"
        if follows is Verdict.VIOLATION:
            yield "verdict: recorded unknown; the counts certify a violation"
    elif result.verdict is not follows:
        yield f"verdict: recorded {str(result.verdict)!r}; the counts give {str(follows)!r}"
    elif result.reason and follows is Verdict.NO_VIOLATION:
        yield "verdict: a reason is given why the audit broke; it leaves the verdict unknown"


def _coverage_differences(result: AuditResult) -> Iterator[str]:
    """Yield where a pass does not state what its search left out."""
    searched = result.search
    if searched is None or result.verdict is not Verdict.NO_VIOLATION:
        return
    for limitation in searched.limitations:
        if limitation not in result.limitations:
            missing = f"the record of the search gives {limitation!r}"
            yield f"limitations: {missing}, which is not among them"
    if searched.unfinished:
        yield f"verdict: recorded {str(result.verdict)!r}; {searched.unfinished}"


def _alpha_differences(result: AuditResult, settings: Settings) -> Iterator[str]:
    indexes = [pair.index for pair in result.pairs]
    number, total = len(set(indexes)), 1 - result.confidence
    if (spent := math.fsum(pair.method.alpha for pair in result.pairs)) > total + 1e-12:
        yield (
            f"alpha: the shares sum to {spent:.6g}; a confidence of {result.confidence:g} leaves "
            f"{total:.6g}"
        )
    for pair in result.pairs:
        # Two results of one pair share what it has.
        mine = total / indexes.count(pair.index)
        shares = [mine * part for part in parts_of_alpha(pair, settings)]
        alpha, asked = pair.method.alpha, [number] * len(shares)
        if result.reason:
            # An audit that broke may have had more pairs than it got to.
            asked = [max(round(share / alpha), number) for share in shares]
        equal = [share / n for share, n in zip(shares, asked, strict=True)]
        if not any(math.isclose(alpha, item, rel_tol=1e-9) for item in equal):
            each = f"an equal share of {asked[0]} is {equal[0]:.6g}"
            yield f"alpha: pair {pair.index} has {alpha:.6g}; {each}"


def _derived(old: dict[str, Any], new: dict[str, Any], *keys: str) -> Iterator[str]:
    for key in keys:
        yield from unlike(key, old.get(key), new.get(key), "the rest gives")


def point_differences(result: AuditResult) -> Iterator[str]:
    """Yield where ε and δ of an audit are not the point at which its worst pair was tested."""
    telling = result.explained_pair
    if result.curve is None or telling is None or telling.method.epsilon is None:
        return
    tested = (telling.method.epsilon, telling.method.delta)
    if tested != (result.epsilon, result.delta):
        yield f"point: recorded ({result.epsilon!r}, {result.delta!r}); the pair has {tested}"


def exact_differences(result: AuditResult, finding: ExactFinding) -> Iterator[str]:
    """Yield what differs between a recorded finding and that of the kernel on its table."""
    try:
        again = decide_table(finding.table, finding.epsilon, finding.delta, finding.only)
    except (UndecidedError, UsageError) as error:
        yield f"exact: the recorded claim and table decide nothing: {error}"
        return
    for name, old in vars(finding).items():
        if old != (new := getattr(again, name)):
            yield f"exact: {name}: recorded {old!r}; the table gives {new!r}"
    follow = "the table gives"
    yield from unlike("verdict", str(result.verdict), str(VERDICTS[again.verdict]), follow)
    for name, claimed in (("epsilon", again.epsilon), ("delta", again.delta)):
        if getattr(result, name) != float(claimed):
            yield f"{name}: recorded {getattr(result, name)!r}; the claim decided is {claimed}"
    true = again.upper if again.only is None else None
    if result.true_epsilon != true:
        yield f"true_epsilon: recorded {result.true_epsilon!r}; the table gives {true!r}"
    if result.reason:
        yield "reason: recorded; a claim that was decided leaves nothing open"
    if result.pairs or result.samples:
        yield "pairs: an exact audit draws no samples, and some are recorded"


def one_run_differences(result: AuditResult, finding: OneRunFinding) -> Iterator[str]:
    """Yield what differs between what is recorded and what the guesses give, each as one line."""
    if result.pairs or result.samples:
        yield "pairs: an audit of few runs has none and no samples, and some are recorded"
    if result.relation not in RELATIONS:
        yield f"relation: recorded {result.relation!r}; a coin is a step of one of {RELATIONS}"
    curve = None if result.curve is None else result.curve.promise()
    point = result.epsilon, result.delta
    judgement = judged(finding, *point, 1 - result.confidence, curve)
    again, follow = judgement.found, "the guesses give"
    if not same(point, judgement.point, 1e-6):
        yield f"point: recorded {point}; the guesses say most of {judgement.point}"
    if finding.runs and result.reason:
        yield "reason: given why the audit broke; runs that broke count for nothing"
    elif not finding.runs and not result.reason:
        yield "verdict: unknown, and no reason is given"
    yield from unlike("bound", finding.epsilon_lower, again.epsilon_lower, follow, sign="ε ≥ ")
    for name in ("detectable_epsilon", "parameter_lower"):
        yield from unlike(name, getattr(finding, name), getattr(again, name), follow, relative=1e-6)
    yield from unlike("verdict", str(result.verdict), str(judgement.verdict), follow)


RELATIONS = ("add-or-remove-one", "replace-one")
