"""What an audit that found no violation is worth, in words: the same ones wherever it is shown."""

from __future__ import annotations

import math

from provado.audit.events.cause import Kind
from provado.audit.events.features.kinds import merged
from provado.audit.result import AuditResult, PairResult
from provado.mechanisms import Verdict

from . import one_run
from .numbers import percents, up

COLUMN = "visible to this rule ε ≥"
LEGEND = (
    f"“{COLUMN}”: how large a violation visible to the one rule that the audit learned would have "
    "to be to show in nine runs of ten; nothing is said of what the rule does not see."
)
NOTHING = "no event was found that tells D from D′"
REST = "Nothing is said of events of other kinds, of rarer ones, or of other pairs."

_MOSTLY = 0.9


def power(result: AuditResult) -> str:
    """Say how large a violation visible to its rules would have shown, and what was looked at.

    It names the rule of each pair, the kinds of event and the pairs, and says that nothing is said
    of the rest. Empty unless samples were drawn and the verdict is "no violation found".
    """
    if result.verdict is Verdict.NO_VIOLATION and result.one_run is not None:
        return one_run.worth(result.one_run, result.relation)
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
    value = figure(result)
    return "–" if value is None else up(value)


def figure(result: AuditResult) -> float | None:
    """Return how large a violation visible to the best pair's rule, or to guesses, had shown.

    ``None`` where there was no rule, or none that tells D from D′, and for other verdicts than "no
    violation found".
    """
    if result.verdict is not Verdict.NO_VIOLATION:
        return None
    if (found := result.one_run) is not None:
        return found.visible_epsilon if one_run.shows(found) else None
    best = result.best
    return best.visible_epsilon if best is not None and shows(best) else None


def shows(pair: PairResult) -> bool:
    """Return whether the rule tells D from D′ and guessed often enough to show a violation."""
    return pair.tells and math.isfinite(pair.visible_epsilon)


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
    if not pair.tells:
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
