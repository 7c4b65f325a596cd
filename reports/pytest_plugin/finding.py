"""What an audit found, as a test says it: one sentence where it passes, the witness where not."""

from provado.audit import AuditResult
from provado.mechanisms import ExactVerdict, Verdict
from provado.reports.text import proved, sentences
from provado.reports.text.formatting import clean
from provado.reports.text.power import power_of
from provado.reports.text.sentences import searched


def sentence(result: AuditResult) -> str:
    """Return the finding on one line, and what it is worth where no violation was found."""
    said = _head(result)
    worth = " ".join(filter(None, (*result.limitations, power_of(result), searched(result))))
    return clean(f"{said}. {worth}" if worth else said)


def _head(result: AuditResult) -> str:
    return f"{result.name}, {sentences.claim(result)}: {verdict(result)}"


def verdict(result: AuditResult) -> str:
    """Return the verdict with what it rests on: certified ε, or the reason."""
    if result.verdict is Verdict.UNKNOWN:
        return f"unknown: {result.reason or 'no reason was given'}"
    if result.exact is not None:
        smallest = proved.smallest_factor(result.exact).rstrip(".")
        return f"{result.verdict} ({smallest[0].lower()}{smallest[1:]})"
    if result.verdict is Verdict.VIOLATION:
        return f"violation: {sentences.limit(result)} is certified"
    beside = ", but exact probabilities refute the claim" if result.refuted_exactly else ""
    return f"{result.verdict}{beside}"


def failure(result: AuditResult, expected: Verdict, again: str, here: str, *, twin: bool) -> str:
    """Return why the test fails: the finding, the witness, and two ways to repeat it.

    again: the command that runs the test again; here: the same audit in Python. twin: the mechanism
    itself says that it is broken.
    """
    first = _head(result)
    if expected is Verdict.VIOLATION and result.verdict is not Verdict.UNKNOWN:
        first += "; a violation was expected"
    lines = [first, *sentences.finding(result)]
    best = result.best
    if best is not None and not isinstance(result.verdict, ExactVerdict):
        lines.append(f"{sentences.bound(best.method, result.confidence).capitalize()}.")
        if best.witness.examples_d or best.witness.examples_d_prime:
            lines.append(_examples(result))
    if twin and result.verdict is Verdict.VIOLATION:
        lines.append("The mechanism states that it is broken: expect='violation' asks for this.")
    lines += [f"Again: {again}", f"In Python: {here}"]
    return "\n".join(map(clean, lines))


def _examples(result: AuditResult) -> str:
    assert result.witness is not None
    parts = []
    for name, seen in (("D", result.witness.examples_d), ("D′", result.witness.examples_d_prime)):
        if seen:
            parts.append(f"on {seen[0]} it guesses {name}")
    return f"For example, {' and '.join(parts)}."
