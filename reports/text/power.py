"""Which violations an audit would have found, in words; and the guesses of few runs."""

import math

from provado.audit.events.cause import CauseKind
from provado.audit.events.features.feature import merged
from provado.audit.events.rare import rarest_event
from provado.audit.result import AuditResult, OneRunFinding, PairResult
from provado.mechanisms import Verdict
from provado.reports.text.formatting import counted, percents, up

COLUMN = "detectable ε ≥"
LEGEND = (
    f"“{COLUMN}”: a violation at least this large would have been certified in nine runs of ten, "
    "if it shows in the one event that the audit learned. Other violations may be larger."
)
NOTHING = "no event was found that distinguishes D from D′"
REST = "This does not cover other kinds of events, rarer events or other pairs."
NOT_COVERED = (
    "violations that show only in other or rarer events, other pairs, several releases together, "
    "time, memory and logs"
)
"""What a pass on pairs does not cover, in a line."""


def not_covered(result: AuditResult) -> str:
    """Return what a pass on pairs does not cover; at δ > 0 also how rare an event may be."""
    if not result.delta or result.curve is not None:
        return NOT_COVERED
    rarest = max(
        rarest_event(pair.counts.trials, pair.explored_trials, pair.method, result.epsilon)
        for pair in result.pairs
    )
    return (
        f"outputs that only one dataset gives, in less than {up(100 * rarest)} % of its runs "
        f"(δ is {100 * result.delta:.3g} %); {NOT_COVERED}"
    )


_MOSTLY = 0.9


def power_of(result: AuditResult) -> str:
    """Return which violations would have been certified, and what was covered, in sentences.

    They name the rule of each pair, the kinds of event and the pairs, and what is not covered.
    Empty unless samples were drawn and the verdict is "no violation found".
    """
    if result.verdict is Verdict.NO_VIOLATION and result.one_run is not None:
        return f"{power_of_guesses(result.one_run, result.relation)} {REST_OF_GUESSES}"
    if result.verdict is not Verdict.NO_VIOLATION or not result.pairs:
        return ""
    numbers = {pair.index for pair in result.pairs}
    explored = [pair.explored_trials for pair in result.pairs]
    one = f"1 pair ({result.pairs[0].witness.difference})"
    pairs = f"{len(numbers)} pairs" if len(numbers) > 1 else one
    seen = f"{min(explored):,}" + (" or more each" if len(set(explored)) > 1 else "")
    covered = f"Covered, on {pairs} and in {seen} outputs of exploration: {kinds_of_event(result)}."
    return f"{power_of_pairs(result)} {covered} {REST}"


def power_of_pairs(result: AuditResult) -> str:
    """Return which violations the rule of each pair would have certified, in sentences."""
    numbers = {pair.index for pair in result.pairs}
    several, twice = len(numbers) > 1, len(numbers) < len(result.pairs)
    return " ".join(
        _sentence(_visible(pair), _prefix(pair, several=several, twice=twice))
        for pair in result.pairs
    )


def kinds_of_event(result: AuditResult) -> str:
    """Return the kinds of event among which the rules were chosen."""
    kinds = merged(kind for pair in result.pairs for kind in pair.event_kinds)
    return "; ".join(kind.words() for kind in kinds) or "no event of any kind"


def detectable(result: AuditResult) -> str:
    """Return the figure for a column headed ``COLUMN``, rounded up, or a dash without one."""
    value = detectable_epsilon(result)
    return "–" if value is None else up(value)


def detectable_epsilon(result: AuditResult) -> float | None:
    """Return the ε of a violation that the best pair's rule, or guesses, would have certified.

    ``None`` where there was no rule, or none that distinguishes D from D′, and for other verdicts
    than "no violation found".
    """
    if result.verdict is not Verdict.NO_VIOLATION:
        return None
    if (finding := result.one_run) is not None:
        return finding.detectable_epsilon if guesses_show(finding) else None
    best = result.best
    return best.detectable_epsilon if best is not None and shows(best) else None


def shows(pair: PairResult) -> bool:
    """Return whether the rule distinguishes D from D′ and guessed often enough."""
    return pair.distinguishes and math.isfinite(pair.detectable_epsilon)


def rule(pair: PairResult) -> str:
    """Return in words when the rule guesses what; empty where it never guesses."""
    witness = pair.witness
    if not (witness.guess_d or witness.guess_d_prime):
        return ""
    first = f"guess D when {witness.guess_d}" if witness.guess_d else "never guess D"
    second = f"guess D′ when {witness.guess_d_prime}" if witness.guess_d_prime else "never guess D′"
    return f"{first}; {second}"


def _prefix(pair: PairResult, *, several: bool, twice: bool) -> str:
    """Name a pair among several, and one of its two bounds where a pair has two."""
    named = f"Pair {pair.index} ({pair.witness.difference})" if several else ""
    view = "apart from low-order bits" if pair.rounded else "as released"
    view = "rare outputs" if pair.cause.kind is CauseKind.RARE else view
    return ", ".join(filter(None, (named, view if twice else "")))


def _sentence(text: str, prefix: str) -> str:
    sentence = f"{prefix}: {text}" if prefix else text
    return f"{sentence[0].upper()}{sentence[1:]}."


def _visible(pair: PairResult) -> str:
    counts, event = pair.counts, rule(pair)
    if not event:
        return NOTHING
    if not counts.guesses:
        return (
            f"{NOTHING}: the rule ({event}) abstained on all of {counted(counts.trials, 'trial')}"
        )
    if not pair.distinguishes:
        beyond = f" beyond δ = {pair.method.delta:g}" if pair.method.delta else ""
        return (
            f"{NOTHING}{beyond}: {counts.correct:,} of {counted(counts.guesses, 'guess')} of the "
            f"rule ({event}) were correct, which shows nothing"
        )
    if not shows(pair):
        return (
            f"the rule ({event}) guessed on {counts.guesses:,} of {counted(counts.trials, 'trial')}"
            ", too few to show any violation"
        )
    share = counts.abstained / counts.trials
    seldom = f"; it abstained on {percents(share)[0]} of the trials" if share > _MOSTLY else ""
    return (
        f"a violation detectable by this rule ({event}{seldom}) would have been certified in nine "
        f"runs of ten, if it makes guesses correct as often as ε = {up(pair.detectable_epsilon)} "
        "allows"
    )


REST_OF_GUESSES = (
    "Guesses of one run may depend on each other, and what many data points release together may "
    "hide each of them. This does not cover one data point alone, other data points, other scores "
    "of the output, or side channels."
)


def one_run_summary(finding: OneRunFinding) -> str:
    """Return it in a few words: ``1 run with 1,000 interventions, 353 of 500 guesses correct``."""
    return (
        f"{counted(finding.runs, 'run')} with {counted(finding.interventions, 'intervention')}, "
        f"{finding.correct:,} of {counted(finding.guessed, 'guess')} correct"
    )


def interventions(result: AuditResult, finding: OneRunFinding) -> str:
    """Return in words how many data points were intervened on, and how."""
    each = "one run" if finding.runs == 1 else f"each of {finding.runs:,} runs"
    added = result.relation == "add-or-remove-one"
    how = "whether it was in the dataset" if added else "which of two records it was"
    points = counted(finding.interventions, "data point")
    points = points if finding.interventions == 1 else f"each of {points}"
    return f"In {each}, a fair coin decided for {points} {how} ({result.relation})."


def guesses(finding: OneRunFinding) -> str:
    """Return in words how many coins were guessed, left open, and guessed right."""
    each = " of each run" if finding.runs > 1 else ""
    left = finding.interventions - finding.guesses
    open_ = f" and left {left:,} open" if left else ""
    rate = percents(finding.correct / finding.guessed)[0]
    runs = counted(finding.explored, "exploration run")
    explored = f" {runs} chose how many." if finding.explored else ""
    return (
        f"Scores of the output guessed {counted(finding.guesses, 'coin')}{each}{open_}: "
        f"{finding.correct:,} of {counted(finding.guessed, 'guess')} correct ({rate}).{explored}"
    )


def guesses_against_claim(result: AuditResult, finding: OneRunFinding, claim: str) -> str:
    """Compare that with what the claim allows."""
    curve = None if result.curve is None else result.curve.promise()
    chance = finding.chance(result.epsilon, result.delta, curve)
    return (
        f"Under the claimed {claim} this many correct guesses, or more, have a probability of at "
        f"most {up(chance)}, however they depend on each other."
    )


def power_of_guesses(finding: OneRunFinding, relation: str) -> str:
    """Return which violations these guesses would have certified, and what was covered."""
    if not finding.epsilon_lower > 0:
        first = (
            "the guesses do not distinguish the coins: "
            f"{finding.correct:,} of {finding.guessed:,} were correct, which shows nothing"
        )
    elif math.isfinite(finding.detectable_epsilon):
        first = (
            "a violation detectable by these guesses would have been certified in nine runs of "
            "ten, if they were independent, and correct as often as ε = "
            f"{up(finding.detectable_epsilon)} allows"
        )
    else:
        first = "so few guesses certify no violation of this claim, even if all are correct"
    return (
        f"{first[0].upper()}{first[1:]}. Covered, in {counted(finding.runs, 'run')}: "
        f"{counted(finding.interventions, 'intervention')} each ({relation}), of which "
        f"{finding.guesses:,} were guessed by their scores."
    )


def guesses_show(finding: OneRunFinding) -> bool:
    """Return whether the guesses are right often enough to show a violation."""
    return finding.epsilon_lower > 0 and math.isfinite(finding.detectable_epsilon)
