"""A result without records, outputs or texts of the data: what ``redact`` leaves for every format.

The pair is named by how it was made, the difference by its kind, and an event by its shape: each
number and quoted text of it is ``MARK``. Counts, bounds and verdicts stay as they are.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import replace

from provado.audit.result import AuditResult, PairResult, Witness

MARK = "▮"
"""Stands for what is left out."""

_VALUE = re.compile(
    r"""(?<!\w)[bf]?(['"])(?:\\.|[^\\])*?(?:\1(?!\w)|$)"""  # a text as Python writes it
    r"|“.*?(?:”|$)|\braised (\w+): .*"
    r"|((?:\.py:|\bline )\d+)"  # a place in the source, which is shown
    r"|[-+−]?\d(?:[\d,]*\d)?(?:\.\d+)?(?:e[-+]?\d+)?",
    re.DOTALL,
)


def redact(result: AuditResult) -> AuditResult:
    """Return a result that shows no value of the data; every bound follows from it as before."""
    search, ours = result.search, {""}
    if search is not None:
        ours = {*search.limitations, search.unfinished}
        domain = MARK if search.inferred else search.domain
        search = replace(search, domain=domain, reason=masked(search.reason))
    made = "" if search is None else f" ({search.construction})"
    return replace(
        result,
        pairs=tuple(_pair(pair, made) for pair in result.pairs),
        search=search,
        reason=result.reason if result.reason in ours else masked(result.reason),
        notes=tuple(map(masked, result.notes)),
        limitations=tuple(text if text in ours else masked(text) for text in result.limitations),
    )


def _pair(pair: PairResult, made: str) -> PairResult:
    difference = f"{kind_of(pair.witness.difference)}{made}"
    guess_d, guess_d_prime = map(masked, (pair.witness.guess_d, pair.witness.guess_d_prime))
    return replace(
        pair,
        witness=Witness(MARK, MARK, difference, guess_d, guess_d_prime),
        rule={},
        event_kinds=tuple(replace(kind, of=()) for kind in pair.event_kinds),
        cause=replace(pair.cause, words=masked(pair.cause.words), shift=None),
    )


def kind_of(difference: str) -> str:
    """Return a difference of two datasets without the records that differ."""
    match = re.match("D′ has one (?:more record|record fewer)", difference)
    other = "D′ has one record replaced" if "do(" in difference else f"D′ = {MARK}"
    return match[0] if match else other


def masked(text: str, typed: Mapping[str, Collection[str]] | None = None) -> str:
    """Return a text with ``MARK`` for each number and quoted text but places in the source.

    typed: what the user typed, by the name of its option; it stays where the last option that the
    text names before it is its own. A record that is equal to it is not shown.
    """
    shown, end, options = "", 0, typed or {}
    for match in _VALUE.finditer(text):
        shown += text[end : match.start()]
        named = [word for word in re.findall(r"\w+", shown) if word in options]
        own = bool(named) and match[0].strip("'\"") in options[named[-1]]
        shown += match[0] if own else _left(match)
        end = match.end()
    return shown + text[end:]


def _left(match: re.Match[str]) -> str:
    return match[3] or (f"raised {match[2]}: {MARK}" if match[2] else MARK)
