"""The table on a terminal: one line an audit."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from provado.audit.result import AuditResult
from provado.mechanisms import ExactVerdict, Verdict

from . import exact as exact_words
from . import one_run as one_run_words
from . import power as power_words
from . import sentences
from .numbers import counted, plain
from .printable import clean

_VERDICT = 4


def audit_table(results: Sequence[AuditResult], *, color: bool = False, width: int = 0) -> str:
    """Return the results as aligned plain text; notes are cut to ``width`` if it is above 0.

    Certified limits are rounded down, those of what is visible to a rule up.
    """
    levels = {result.confidence for result in results}
    level = f" ({100 * levels.pop():.6g} %)" if len(levels) == 1 else ""
    header = (
        *("name", "claim", f"certified ε ≥{level}", "true ε", "verdict", "expected?"),
        *(power_words.COLUMN, "trials", "note"),
    )
    colors = (
        [sentences.COLORS[sentences.KINDS[result.verdict]] for result in results] if color else []
    )
    rows = [header, *map(_row, results)]
    return text_table(rows, right={2, 3, 6, 7}, colors=colors, colored=_VERDICT, width=width)


def text_table(
    rows: Sequence[Sequence[str]],
    *,
    right: Collection[int] = (),
    colors: Sequence[str] = (),
    colored: int = 0,
    width: int = 0,
) -> str:
    """Return rows as aligned text, with a line under the first one, the heads.

    right: the columns that are aligned on the right. colors: a terminal's codes, one a row below
    the heads, for the column ``colored``. width: of a line, if above 0: what is longer is cut, but
    never to less than 12 characters of the last column, which may be ragged.
    """
    heads, *lines = aligned(rows, right)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    ragged = len(widths) - 1 not in right
    rule = "  ".join("─" * wide for wide in (widths[:-1] if ragged else widths))
    room = max(width, sum(widths[:-1]) + 2 * (len(widths) - 1) + 12) if width else 0
    cut = [
        line if not room or len(line) <= room else f"{line[: room - 1]}…"
        for line in (heads, *lines)
    ]
    start = sum(widths[:colored]) + 2 * colored
    end = start + widths[colored]
    for i, color in enumerate(colors, 1):
        cut[i] = f"{cut[i][:start]}\x1b[{color}m{cut[i][start:end]}\x1b[0m{cut[i][end:]}"
    return "\n".join([cut[0], rule, *cut[1:]])


def aligned(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """Return rows as lines whose columns stand below each other."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(wide) if i in right else cell.ljust(wide)
            for i, (cell, wide) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


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
    exactly = sum(result.refuted for result in results)
    # An experiment that found nothing must not be all that is said of a claim known to fail.
    beside = f"; {counted(exactly, 'claim')} refuted by exact probabilities" if exactly else ""
    return f"{counted(len(results), 'audit')}: {', '.join(parts)}; {unexpected}{beside}."


def _row(result: AuditResult) -> list[str]:
    claim = sentences.claim(result)
    return [
        clean(result.name),
        claim,
        sentences.lower(result),
        _true(result),
        str(result.verdict),
        sentences.expectation(result),
        power_words.visible(result),
        f"{result.trials:,}" if result.pairs or result.trials else "–",
        clean("; ".join(_notes(result))),
    ]


def _notes(result: AuditResult) -> list[str]:
    seeding = ["cannot be seeded"] if result.seedable is False else []
    exact = [] if result.exact is None else [exact_words.scope(result.exact)]
    found = result.one_run
    exact += [one_run_words.short(found)] if found is not None and found.runs else []
    exact += ["refuted by exact probabilities"] if result.refuted else []
    reasons = [result.reason] if result.reason else []
    return [*result.limitations, *exact, *reasons, *seeding, *result.notes]


def _true(result: AuditResult) -> str:
    """Return the true ε, which is known of the first pair: a lower limit if there are more."""
    if result.true_epsilon is None:
        return ""
    more = len(result.pairs) > 1 and math.isfinite(result.true_epsilon)
    return f"≥ {plain(result.true_epsilon)}" if more else plain(result.true_epsilon)
