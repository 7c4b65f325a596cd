"""The table on a terminal: one line an audit."""

from __future__ import annotations

import math
from collections.abc import Sequence

from provado.audit.result import AuditResult
from provado.mechanisms import ExactVerdict, Verdict
from provado.reports import exact_words, power_words, words
from provado.reports.numbers import plain

_COLORS: dict[Verdict | ExactVerdict, str] = {
    Verdict.VIOLATION: "31",
    Verdict.NO_VIOLATION: "32",
    Verdict.UNKNOWN: "33",
    ExactVerdict.PROVED: "32",
    ExactVerdict.VERIFIED: "32",
}
_VERDICT = 4


def audit_table(results: Sequence[AuditResult], *, color: bool = False, width: int = 0) -> str:
    """Return the results as aligned plain text; notes are cut to ``width`` if it is above 0.

    Certified limits are rounded down, those of what is visible to a rule up.
    """
    levels = {result.confidence for result in results}
    level = f" ({100 * levels.pop():.6g} %)" if len(levels) == 1 else ""
    header = [
        *("name", "claim", f"certified ε ≥{level}", "true ε", "verdict", "expected?"),
        *(power_words.COLUMN, "trials", "note"),
    ]
    rows = [_row(result) for result in results]
    widths = [max(len(row[i]) for row in (header, *rows)) for i in range(len(header))]
    lines = [_line(header, widths, width), "  ".join("─" * w for w in widths[:-1])]
    for result, row in zip(results, rows, strict=True):
        line = _line(row, widths, width)
        if color:
            line = _paint(line, widths, _COLORS[result.verdict])
        lines.append(line)
    return "\n".join(lines)


def closing(results: Sequence[AuditResult]) -> str:
    """Return the run in one line: how many of each verdict, how many unexpected."""
    count = {
        verdict: sum(r.verdict is verdict for r in results) for verdict in (*Verdict, *ExactVerdict)
    }
    surprises = sum(result.surprising for result in results)
    plural = "s" if count[Verdict.VIOLATION] > 1 else ""
    parts = [
        f"{number} {verdict}{plural if verdict is Verdict.VIOLATION else ''}"
        for verdict, number in count.items()
        if number
    ]
    unexpected = f"{surprises} unexpected" if surprises else "nothing unexpected"
    audits = "1 audit" if len(results) == 1 else f"{len(results)} audits"
    return f"{audits}: {', '.join(parts)}; {unexpected}."


def _row(result: AuditResult) -> list[str]:
    claim = words.claim(result)
    return [
        words.clean(result.name),
        claim,
        words.lower(result),
        _true(result),
        str(result.verdict),
        words.expectation(result),
        power_words.visible(result),
        f"{sum(pair.counts.trials for pair in result.pairs):,}" if result.pairs else "–",
        words.clean("; ".join(_notes(result))),
    ]


def _notes(result: AuditResult) -> list[str]:
    seeding = ["cannot be seeded"] if result.seedable is False else []
    exact = [] if result.exact is None else [exact_words.scope(result.exact)]
    return [*exact, *([result.reason] if result.reason else []), *seeding, *result.notes]


def _line(row: list[str], widths: list[int], width: int) -> str:
    right = {2, 3, 6, 7}
    cells = [
        cell.rjust(w) if i in right else cell.ljust(w)
        for i, (cell, w) in enumerate(zip(row, widths, strict=True))
    ]
    line = "  ".join(cells).rstrip()
    fixed = sum(widths[:-1]) + 2 * (len(widths) - 1)
    room = max(width, fixed + 12)
    return line if not width or len(line) <= room else line[: room - 1] + "…"


def _paint(line: str, widths: list[int], color: str) -> str:
    start = sum(widths[:_VERDICT]) + 2 * _VERDICT
    end = start + widths[_VERDICT]
    return f"{line[:start]}\x1b[{color}m{line[start:end]}\x1b[0m{line[end:]}"


def _true(result: AuditResult) -> str:
    """Return the true ε, which is known of the first pair: a lower limit if there are more."""
    if result.true_epsilon is None:
        return ""
    more = len(result.pairs) > 1 and math.isfinite(result.true_epsilon)
    return f"≥ {plain(result.true_epsilon)}" if more else plain(result.true_epsilon)
