"""What an audit found: the same sentences on the terminal and on pages."""

import math
from collections.abc import Iterator

from provado.audit.bounds import BoundMethod, ladder_lower, product_log_wealth
from provado.audit.result import AuditResult, PairResult
from provado.mechanisms import ExactVerdict, Verdict
from provado.reports.text import formatting, power, proved
from provado.reports.text.cause_and_fix import cause, fix, what_to_do
from provado.reports.text.power import rule

KINDS: dict[Verdict | ExactVerdict, str] = {
    Verdict.VIOLATION: "bad",
    Verdict.NO_VIOLATION: "ok",
    Verdict.UNKNOWN: "unknown",
    ExactVerdict.PROVED: "ok",
    ExactVerdict.VERIFIED: "ok",
}
"""How a verdict is shown: a style's name on a page, a color of ``COLORS`` on a terminal."""

Row = tuple[str, str]
"""A name, and what is said of it."""

COLORS = {"ok": "32", "argued": "36", "bad": "31", "unknown": "33"}


def claim(result: AuditResult) -> str:
    """Return the claim: ``ε = 1``, ``ε = 1, δ = 1e-06``, or of a curve ``0.5-zCDP``.

    Where outputs were not read as they are, it is one about what was read.
    """
    stated = point(result) if result.curve is None else result.promise
    return f"{stated} of outputs read by {formatting.clean(result.read)}" if result.read else stated


def point(result: AuditResult) -> str:
    """Return ε and δ at which the claim was tested, of a curve as of a point."""
    epsilon = f"ε = {formatting.plain(result.epsilon)}"
    return f"{epsilon}, δ = {result.delta:g}" if result.delta else epsilon


def tested(result: AuditResult) -> str:
    """Return the claim, of a curve with the point of it that was tested."""
    return claim(result) if result.curve is None else f"{claim(result)}, at {point(result)},"


def lower(result: AuditResult) -> str:
    """Return the certified lower limit of an audit, or a dash where none was reached.

    Of a curve it is on the claim's own parameter, which is named: ``ρ 0.49``.
    """
    if not result.certifies:
        return "–"
    if result.curve is not None:
        return f"{result.curve.symbol} {formatting.certified(result.lower, result.curve.parameter)}"
    return formatting.certified(result.epsilon_lower, result.epsilon)


def limit(result: AuditResult) -> str:
    """Return the certified lower limit as an inequality: ``ε ≥ 0.98``, of a curve ``ρ ≥ 0.49``."""
    curve = result.curve
    if curve is None or not result.certifies:
        return f"ε ≥ {lower(result)}"
    order = "" if curve.order is None else f" at α = {formatting.plain(curve.order)}"
    return f"{curve.symbol} ≥ {formatting.certified(result.lower, curve.parameter)}{order}"


def expectation(result: AuditResult) -> str:
    """Return whether the verdict is the one that was expected."""
    if result.verdict is Verdict.UNKNOWN:
        return "not completed"
    if result.refuted_exactly and result.verdict is not Verdict.VIOLATION:
        return "refuted exactly"
    return "unexpected" if result.surprising else "as expected"


def outcome(result: AuditResult) -> str:
    """Return the verdict, and whether it was expected, where that is known."""
    known = result.expected is not None or result.refuted_exactly
    return f"{result.verdict} ({expectation(result)})" if known else str(result.verdict)


def bounds(result: AuditResult) -> list[str]:
    """Return the claim, and what is certified of it with which confidence."""
    found, sure = [f"claimed {claim(result)}"], formatting.percent(result.confidence)
    if result.exact is not None:
        found.append(f"exact {limit(result)}")
    elif result.certifies:
        found.append(f"certified {limit(result)} ({sure} confidence)")
    return found


def headline(result: AuditResult) -> str:
    """Return verdict, claim and bound, or the reason, on one line: the same in every report."""
    if result.verdict is Verdict.UNKNOWN:
        return f"{result.verdict}: {result.reason or 'no reason was given'}"
    beside = "; exact probabilities refute the claim" if result.refuted_exactly else ""
    return f"{outcome(result)}, {', '.join(bounds(result))}{beside}"


_SHORT = 60
"""Characters of a dataset that is shown beside how it differs from the other."""


def setting(pair: PairResult) -> str:
    """Name the two datasets: ``D = [1, 2], D′ = do(D[1] = 7) = [1, 7]``."""
    d, d_prime, difference = pair.witness.d, pair.witness.d_prime, pair.witness.difference
    given = "" if difference.endswith(d_prime) or len(d_prime) > _SHORT else f" = {d_prime}"
    return f"D = {d}, {difference}{given if 'do(' in difference else ''}"


def guessed(pair: PairResult) -> str:
    """Return in words when the rule guesses which side, and how often it was right certifying."""
    counts, sentence = pair.counts, rule(pair)
    if not sentence:
        return "The rule never guesses: no output was found that distinguishes D from D′."
    sentence = f"{sentence[0].upper()}{sentence[1:]}"
    if not counts.guesses:
        return f"{sentence}: it abstained on all of {formatting.counted(counts.trials, 'trial')}."
    if pair.method.bettors:
        trials = formatting.counted(counts.trials, "trial")
        return f"{sentence} (learned from {trials}; bets carry the bound)."
    return (
        f"{sentence}: {counts.correct:,} of {formatting.counted(counts.guesses, 'guess')} correct "
        f"(abstained on {counts.abstained:,} of {formatting.counted(counts.trials, 'trial')})."
    )


def compared(result: AuditResult, pair: PairResult) -> str:
    """Compare that with what the claim allows; empty where the rule made no guess."""
    counts = pair.counts
    if pair.method.bettors:
        return _by_wealth(result, pair)
    if not counts.guesses:
        return ""
    if pair.method.ladder is not None and result.curve is not None:
        return f"{_by_point(result, pair)} {_by_cells(result, pair)}"
    return _by_point(result, pair)


def _by_wealth(result: AuditResult, pair: PairResult) -> str:
    """Say what the bets of a sequential audit won against the claim: the bound is theirs."""
    method, trials = pair.method, pair.counts.trials
    wealth = product_log_wealth(result.epsilon, result.delta, method.bettors)
    shown = f"{math.exp(wealth):.3g}" if wealth < 600 else f"10^{int(wealth / math.log(10))}"
    return (
        f"Bets on {formatting.counted(trials, 'trial')}, each placed before its outputs were "
        f"drawn, turned a stake of 1 into {shown} against the claimed "
        f"{tested(result).removesuffix(',')}. If the claim holds, they ever reach "
        f"{1 / method.alpha:.3g} with a probability of at most {method.alpha:.3g}."
    )


def _by_cells(result: AuditResult, pair: PairResult) -> str:
    """Say what the cells of the rule's score show of a divergence."""
    ladder, curve = pair.method.ladder, result.curve
    assert ladder is not None
    assert curve is not None
    kind = "Kullback–Leibler divergence" if ladder.order == 1 else "Rényi divergence"
    order = "" if ladder.order == 1 else f" of order {formatting.plain(ladder.order)}"
    allowed = formatting.plain(ladder.weight * curve.parameter)
    found = formatting.down(ladder.weight * ladder_lower(pair.counts.cells, ladder))
    return (
        f"It allows the outputs a {kind}{order} of at most {allowed}; counted in "
        f"{len(ladder.logs)} cells of the rule’s score, they have at least {found}."
    )


def _by_point(result: AuditResult, pair: PairResult) -> str:
    counts = pair.counts
    odds = math.exp(-result.epsilon)
    if result.delta == 0:
        limit, rate = formatting.percents(1 / (1 + odds), counts.correct / counts.guesses)
        return f"{rate} are correct; {tested(result)} allows {limit}."
    side = pair.method.side or counts.side
    right, wrong = (made / counts.trials for made in counts.guessed(side)[:2])
    delta, share = (result.delta / 2, "half of δ") if side else (result.delta, "δ")
    allowed = min(1.0, wrong / odds + delta) if odds else 1.0
    limit, rate, missed = formatting.percents(allowed, right, wrong)
    rule = f"a rule that guesses {'D' if side > 0 else 'D′'} only and" if side else "a rule that"
    return (
        f"Under the claimed {tested(result)} {rule} is wrong on {missed} of the trials is right on "
        f"at most {limit} of them (e^ε times as many, and {share}); this rule was right on {rate}."
    )


def bound(method: BoundMethod, confidence: float) -> str:
    """Name the bound, and its share of the chance of a false alarm."""
    valid = f"at δ = {method.delta:g}, valid at every stopping time"
    if method.bettors:
        name = f"bound from the wealth of sequential bets {valid}"
    elif method.bets is None:
        name = "exact binomial bound"
    else:
        name, side = f"betting bound {valid}", "D" if method.side > 0 else "D′"
        name += f", of guesses of {side} alone, which half of δ is for" if method.side else ""
        name += "" if method.aimed is None else "; beside it an exact test of these guesses"
    if method.ladder is not None:
        name += (
            f", and a ladder of {len(method.ladder.logs)} cells for the divergence of order "
            f"{method.ladder.order:g} with {method.ladder.alpha:.4g}"
        )
    return f"{name}; this pair has {method.alpha:.4g} of the total alpha {1 - confidence:.4g}"


def finding(result: AuditResult) -> list[str]:
    """Return the finding in lines, each with its name: limitations, then evidence or the reason."""
    return [f"{name}: {text}" for name, text in finding_rows(result)]


def finding_rows(result: AuditResult, *, cause_said: str | None = None) -> Iterator[Row]:
    """Yield names and texts: limitations first, then what was found and how, or the reason.

    cause_said: the sentences on the cause, where they were made before.
    """
    for text in result.limitations:
        yield "Limitation", text
    skipped = result.search
    if skipped is not None and skipped.failed:
        yield "Limitation", f"On {skipped.failed:,} of the pairs the mechanism {skipped.reason}."
    if result.verdict is Verdict.UNKNOWN:
        reason = result.reason or "no reason was given"
        yield "Reason", f"{reason}."
        yield "What to do", what_to_do(reason)
    elif result.exact is not None:
        pair, smallest, answer = proved.exact_sentences(result.exact)
        yield from (("Worst pair", pair), ("Evidence", smallest), ("Conclusion", answer))
    elif (one_run_finding := result.one_run) is not None:
        against = power.guesses_against_claim(result, one_run_finding, claim(result))
        yield "Evidence", f"{power.guesses(one_run_finding)} {against}"
        yield "Coverage", power.interventions(result, one_run_finding)
        if result.verdict is Verdict.NO_VIOLATION:
            yield "Power", power.power_of_guesses(one_run_finding, result.relation)
            yield "Not covered", power.REST_OF_GUESSES
    elif (pair_found := result.explained_pair) is not None:
        yield from _of_pairs(result, pair_found, cause_said)
    if sentence := " ".join(proved.proved_sentences(result)):
        yield "Proof", sentence


def _of_pairs(result: AuditResult, pair: PairResult, cause_said: str | None) -> Iterator[Row]:
    yield "Worst pair", setting(pair)
    yield "Evidence", f"{guessed(pair)} {compared(result, pair)}".rstrip()
    if why := cause(result) if cause_said is None else cause_said:
        yield "Cause", why
        if how := fix(result, pair):
            yield "Fix", how
    passed = result.verdict is Verdict.NO_VIOLATION
    if passed:
        yield "Power", power.power_of_pairs(result)
    search, pairs = result.search, len({pair_result.index for pair_result in result.pairs})
    covered = f"{formatting.counted(pairs, 'pair')} given"
    if search is not None:
        how = "inferred from the data" if search.inferred else "as stated"
        size = f" of {formatting.counted(search.fixed_size, 'record')}" if search.fixed_size else ""
        covered = (
            f"{formatting.counted(search.pairs, 'pair')}{size} searched in "
            f"{formatting.counted(search.runs, 'run')}; records: {search.domain} ({how})"
        )
    trials = formatting.counted(result.trials, "certifying trial")
    events = f"; events: {power.kinds_of_event(result)}" if passed else ""
    yield "Coverage", f"{covered}; {trials}{events}."
    bits = "low-order bits of outputs (exact real arithmetic is assumed); "
    bits = bits if result.arithmetic == "ideal" else ""
    if passed or bits:
        yield (
            "Not covered",
            f"{bits}{power.not_covered(result) if passed else ''}".rstrip("; ") + ".",
        )


def whole_curve(pair: PairResult) -> str:
    """Return in words what limits on the whole curve certify; empty where there are none."""
    limits = pair.trade_off
    if limits is None:
        return ""
    shown = [(delta, limits.epsilon_lower(delta)) for delta in (1e-1, 1e-3, 1e-5)]
    sentence = ", ".join(
        f"ε ≥ {formatting.down(result)} at δ = {delta:g}" for delta, result in shown
    )
    return (
        f"{sentence}; μ ≥ {formatting.down(limits.mu_lower)}: limits at all {len(limits.d) - 1} "
        f"thresholds of the rule’s score, which hold together with "
        f"{formatting.percent(1 - limits.alpha)} confidence"
    )


def searched(result: AuditResult) -> str:
    """Return what was tried before the pair was chosen; empty where pairs were given."""
    search = result.search
    if search is None:
        return ""
    how = "inferred from the data" if search.inferred else "as stated"
    broken = (
        f" On {search.failed:,} of them the mechanism {search.reason}." if search.failed else ""
    )
    bases, acts = (
        list(dict.fromkeys(kind.split(", ")[place] for kind in search.kinds if ", " in kind))
        for place in (0, -1)
    )
    return (
        f"The pair was searched: {formatting.counted(search.pairs, 'pair')} of neighbors in "
        f"{formatting.counted(search.runs, 'run')} ({', '.join(bases)}; {', '.join(acts)}). A "
        f"record may be ({how}) {search.domain}. Chosen: {search.construction}.{broken}"
    )
