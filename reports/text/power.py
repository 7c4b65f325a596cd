"""What an audit that found no violation is worth, in words; and what few runs have shown."""

import math

from provado.audit.events.cause import Kind
from provado.audit.events.features.feature import merged
from provado.audit.result import AuditResult, OneRunFinding, PairResult
from provado.mechanisms import Verdict
from provado.reports.text.formatting import counted, percents, up

COLUMN = "visible to this rule ε ≥"
LEGEND = (
    f"“{COLUMN}”: how large a violation visible to the one rule that the audit learned would have "
    "to be to show in nine runs of ten; nothing is said of what the rule does not see."
)
NOTHING = "no event was found that tells D from D′"
REST = "Nothing is said of events of other kinds, of rarer ones, or of other pairs."

_MOSTLY = 0.9


def power_of(result: AuditResult) -> str:
    """Say how large a violation visible to its rules would have shown, and what was looked at.

    It names the rule of each pair, the kinds of event and the pairs, and says that nothing is said
    of the rest. Empty unless samples were drawn and the verdict is "no violation found".
    """
    if result.verdict is Verdict.NO_VIOLATION and result.one_run is not None:
        return worth_of_guesses(result.one_run, result.relation)
    if result.verdict is not Verdict.NO_VIOLATION or not result.pairs:
        return ""
    numbers = {pair.index for pair in result.pairs}
    several, twice = len(numbers) > 1, len(numbers) < len(result.pairs)
    sentences = [
        _sentence(_visible(pair), _prefix(pair, several=several, twice=twice))
        for pair in result.pairs
    ]
    kinds = [one.words() for one in merged(k for pair in result.pairs for k in pair.looked_at)]
    explored = [pair.explored_trials for pair in result.pairs]
    pairs = f"{len(numbers)} pairs" if several else f"1 pair ({result.pairs[0].witness.difference})"
    seen = f"{min(explored):,}" + (" or more each" if len(set(explored)) > 1 else "")
    looked = f"Looked at, on {pairs} and in {seen} outputs of exploration: "
    return " ".join((*sentences, f"{looked}{'; '.join(kinds) or 'no event of any kind'}.", REST))


def visible(result: AuditResult) -> str:
    """Return the figure for a column headed ``COLUMN``, rounded up, or a dash without one."""
    value = detectable_epsilon(result)
    return "–" if value is None else up(value)


def detectable_epsilon(result: AuditResult) -> float | None:
    """Return how large a violation visible to the best pair's rule, or to guesses, had shown.

    ``None`` where there was no rule, or none that tells D from D′, and for other verdicts than "no
    violation found".
    """
    if result.verdict is not Verdict.NO_VIOLATION:
        return None
    if (found := result.one_run) is not None:
        return found.visible_epsilon if guesses_show(found) else None
    best = result.best
    return best.visible_epsilon if best is not None and shows(best) else None


def shows(pair: PairResult) -> bool:
    """Return whether the rule tells D from D′ and guessed often enough to show a violation."""
    return pair.distinguishes and math.isfinite(pair.visible_epsilon)


def rule(pair: PairResult) -> str:
    """Say when the rule guesses what; empty where it never guesses."""
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
    view = "rare outputs" if pair.cause.kind is Kind.RARE else view
    return ", ".join(filter(None, (named, view if twice else "")))


def _sentence(text: str, prefix: str) -> str:
    said = f"{prefix}: {text}" if prefix else text
    return f"{said[0].upper()}{said[1:]}."


def _visible(pair: PairResult) -> str:
    counts, said = pair.counts, rule(pair)
    if not said:
        return NOTHING
    if not counts.guesses:
        return f"{NOTHING}: the rule ({said}) abstained on all of {counts.trials:,} trials"
    if not pair.distinguishes:
        beyond = f" beyond δ = {pair.method.delta:g}" if pair.method.delta else ""
        return (
            f"{NOTHING}{beyond}: the rule ({said}) was right {counts.correct:,} times of "
            f"{counts.guesses:,} guesses, which shows nothing"
        )
    if not shows(pair):
        return (
            f"the rule ({said}) guessed on {counts.guesses:,} of {counts.trials:,} trials, too "
            "few to show any violation"
        )
    share = counts.abstained / counts.trials
    seldom = f"; it abstained on {percents(share)[0]} of the trials" if share > _MOSTLY else ""
    return (
        f"a violation visible to this rule ({said}{seldom}) would have shown in nine runs of ten, "
        f"had it made the rule's guesses right as often as ε = {up(pair.visible_epsilon)} allows"
    )


REST_OF_GUESSES = (
    "Guesses of one run may depend on each other, and what many data points release together may "
    "drown each of them: nothing is said of one data point alone, of other data points, of other "
    "scores of the output, or of what the program shows beside it."
)


def one_run_summary(found: OneRunFinding) -> str:
    """Return it in a few words: ``1 run with 1,000 interventions, 353 of 500 guesses right``."""
    return (
        f"{counted(found.runs, 'run')} with {counted(found.interventions, 'intervention')}, "
        f"{found.right:,} of {counted(found.guessed, 'guess')} right"
    )


def one_run_sentences(result: AuditResult, found: OneRunFinding, claim: str) -> list[str]:
    """Return the finding: interventions, guesses, what the claim allows, what a pass is worth."""
    said = [
        interventions(result, found),
        guesses(found),
        guesses_against_claim(result, found, claim),
    ]
    clear = result.verdict is Verdict.NO_VIOLATION
    return [*said, worth_of_guesses(found, result.relation)] if clear else said


def interventions(result: AuditResult, found: OneRunFinding) -> str:
    """Say how many data points were intervened on, and how."""
    each = "one run" if found.runs == 1 else f"each of {found.runs:,} runs"
    how = "put in or left out" if result.relation == "add-or-remove-one" else "one of two records"
    points = counted(found.interventions, "data point")
    coin = "by its own fair coin" if found.interventions == 1 else "each by a fair coin of its own"
    return f"In {each} there were interventions on {points}: {how}, {coin} ({result.relation})."


def guesses(found: OneRunFinding) -> str:
    """Say how many coins were guessed, how many left open, and how many guesses were right."""
    each = " of each run" if found.runs > 1 else ""
    left = found.interventions - found.guesses
    open_ = f", and {left:,} left open" if left else ""
    rate = percents(found.right / found.guessed)[0]
    explored = ""
    if found.explored:
        explored = f" {counted(found.explored, 'run')} before chose how many, thrown away then."
    return (
        f"By scores of the output {counted(found.guesses, 'coin')}{each} were guessed{open_}: "
        f"right {found.right:,} times of {found.guessed:,}, which is {rate}.{explored}"
    )


def guesses_against_claim(result: AuditResult, found: OneRunFinding, claim: str) -> str:
    """Compare that with what the claim allows."""
    curve = None if result.curve is None else result.curve.promise()
    chance = found.chance(result.epsilon, result.delta, curve)
    return (
        f"Under the claimed {claim} so many right guesses, or more, come up with a probability of "
        f"at most {up(chance)}, however they depend on each other."
    )


def worth_of_guesses(found: OneRunFinding, relation: str) -> str:
    """Say what it is worth that no violation was found, and what was looked at."""
    if not found.epsilon_lower > 0:
        first = (
            f"the guesses do not tell the coins: right {found.right:,} times of {found.guessed:,}, "
            "which shows nothing"
        )
    elif math.isfinite(found.visible_epsilon):
        first = (
            "a violation visible to these guesses would have shown in nine runs of ten, had they "
            "been independent, and right as often as ε = "
            f"{up(found.visible_epsilon)} allows"
        )
    else:
        first = "so few guesses show no violation of this claim, even where all are right"
    return (
        f"{first[0].upper()}{first[1:]}. Looked at, in {counted(found.runs, 'run')}: "
        f"{counted(found.interventions, 'intervention')} each ({relation}), of which "
        f"{found.guesses:,} were guessed by their scores. {REST_OF_GUESSES}"
    )


def guesses_show(found: OneRunFinding) -> bool:
    """Return whether the guesses tell the coins, and often enough to show a violation."""
    return found.epsilon_lower > 0 and math.isfinite(found.visible_epsilon)
