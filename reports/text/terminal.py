"""The table of audits on a terminal, and what an audit is about to do and what that costs."""

import math
from collections.abc import Collection, Sequence

from provado.audit.result import AuditResult
from provado.audit.workers.progress import Forecast
from provado.mechanisms import ExactVerdict, Verdict
from provado.reports.text import power, proved, sentences
from provado.reports.text.formatting import clean, counted, lasting, percents, plain

_VERDICT = 4


def audit_table(results: Sequence[AuditResult], *, color: bool = False, width: int = 0) -> str:
    """Return the results as aligned plain text; notes are cut to ``width`` if it is above 0.

    Certified limits are rounded down, those of what is visible to a rule up.
    """
    levels = {result.confidence for result in results}
    level = f" ({100 * levels.pop():.6g} %)" if len(levels) == 1 else ""
    header = (
        *("name", "claim", f"certified ε ≥{level}", "true ε", "verdict", "expected?"),
        *(power.COLUMN, "trials", "note"),
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
    exactly = sum(result.refuted_exactly for result in results)
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
        power.visible(result),
        f"{result.trials:,}" if result.pairs or result.trials else "–",
        clean("; ".join(_notes(result))),
    ]


def _notes(result: AuditResult) -> list[str]:
    seeding = ["cannot be seeded"] if result.seedable is False else []
    exact = [] if result.exact is None else [proved.exact_scope(result.exact)]
    found = result.one_run
    exact += [power.one_run_summary(found)] if found is not None and found.runs else []
    exact += ["refuted by exact probabilities"] if result.refuted_exactly else []
    reasons = [result.reason] if result.reason else []
    return [*result.limitations, *exact, *reasons, *seeding, *result.notes]


def _true(result: AuditResult) -> str:
    """Return the true ε, which is known of the first pair: a lower limit if there are more."""
    if result.true_epsilon is None:
        return ""
    more = len(result.pairs) > 1 and math.isfinite(result.true_epsilon)
    return f"≥ {plain(result.true_epsilon)}" if more else plain(result.true_epsilon)


MANY = 10**9
"""More trials than these are no plan: time ends them."""

ELSE = "the default; --seconds or --samples set another"


def forecast_sentences(name: str, forecast: Forecast) -> tuple[str, str]:
    """Return a line on what one audit does, and one on what it costs."""
    parts = []
    if forecast.candidates:
        pairs = f"{forecast.candidates:,} pairs and more like them"
        parts.append(f"looks for the worst neighbors among {pairs}{_most(forecast.searched)}")
    if not forecast.sequential:
        parts.append(f"learns what tells them apart{_most(forecast.explored)}")
    trials = "trials" if forecast.trials > MANY else f"at most {forecast.trials:,} trials"
    way = ", learning from each what to bet on the next" if forecast.sequential else ""
    each = " each" if forecast.pairs > 1 else ""
    certifies = f"certifies {counted(forecast.pairs, 'pair')} by {trials}{each}{way}"
    parts.append(f"{certifies}, with {_confidence(forecast)}")
    processes = f"; {forecast.jobs} processes" if forecast.jobs > 1 else ""
    name = clean(name)
    return f"{name}: {', '.join(parts)}{processes}", f"{name}: {_price(forecast)}"


def forecast_of_all(forecasts: Sequence[Forecast | None], processes: int) -> str:
    """Return one line on many audits; ``None`` stands for one that could not be timed in time."""
    known = [one for one in forecasts if one is not None]
    audits = f"{counted(len(forecasts), 'audit')}, {processes} at a time"
    pairs = counted(sum(one.pairs for one in known), "pair")
    trials = max((one.trials for one in known), default=0)
    each = f" by at most {trials:,} trials each" if 0 < trials <= MANY else ""
    others = len(forecasts) - len(known)
    but = f", but for {others:,} that gave no answer soon" if others else ""
    if not known:
        return f"{audits}: none gave an answer soon"
    seconds = drawing_time(known, processes)
    return f"{audits}: {pairs}{each}; drawing takes some {lasting(seconds)} in all{but}"


def drawing_time(forecasts: Sequence[Forecast | None], processes: int) -> float:
    """Return how long so many audits draw, side by side; the longest alone if that is more."""
    times = [min(one.total, one.time_limit) for one in forecasts if one is not None]
    return max(sum(times) / processes, *times) if times else 0.0


def _most(runs: int) -> str:
    return f" in at most {runs:,} runs" if runs <= MANY else ""


def _confidence(forecast: Forecast) -> str:
    return f"{percents(forecast.confidence)[0]} confidence"


def _price(forecast: Forecast) -> str:
    if not forecast.cost:
        return f"no run could be timed; it ends after {lasting(forecast.total)}"
    text, given = f"{_cost(forecast.cost)} a run", (forecast.seconds or 0) * forecast.pairs
    if given and forecast.total >= given:
        fit = float(plain(given / forecast.cost, 2))
        text += f"; it takes {lasting(given)}, in which some {fit:,.0f} runs fit"
        text += f" ({ELSE})" if forecast.usual else ""
    elif forecast.sequential:
        text += f"; it takes {lasting(forecast.total)} at most, less where the answer shows sooner"
    else:
        text += f"; drawing takes some {lasting(forecast.total)}"
    if forecast.total > forecast.time_limit:
        limit = lasting(forecast.time_limit)
        text += f", but after {limit} it ends as unknown (--time-limit)"
    return text


def _cost(seconds: float) -> str:
    for size, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= size:
            return f"{plain(seconds / size, 2)} {unit}"
    return f"{plain(seconds / 1e-9, 2)} ns"
