"""Audits on a terminal: one in full, several as a table, and what an audit is about to do."""

import math
import os
import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TextIO

from provado.audit.result import AuditResult
from provado.audit.workers.progress import Forecast
from provado.mechanisms import ExactVerdict, Verdict
from provado.reports.text import power, proved, sentences
from provado.reports.text.formatting import clean, counted, duration, plain, text_table

WIDTH = 80
"""Columns of a line at most, but for single words that are longer."""

_LABEL, _VERDICT, _LONGEST_NAME, _GLUE = 15, 4, 38, "\u00a0"
_GLUED = re.compile(r" (?=%|[=≥≤<] )|(?<= [=≥≤<]) ")
"""Spaces at which no line ends: ``ε = 1``, ``95 %``."""
_COMMAND = re.compile(r"`[^`]{1,76}`")
"""What stays on one line where one has room for it: a command in backquotes."""


def redraws(stream: TextIO) -> bool:
    """Return whether lines can be written over: not in a pipe, nor on a dumb terminal."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def colors(stream: TextIO) -> bool:
    """Return whether to use colors: not where ``NO_COLOR`` is set to anything."""
    return redraws(stream) and not os.environ.get("NO_COLOR")


def headline(result: AuditResult, *, color: bool = False) -> str:
    """Return name, verdict, claim and bounds, the first three of them on the first line."""
    verdict, shown = str(result.verdict), sentences.outcome(result)
    if result.verdict is Verdict.VIOLATION:
        verdict, shown = verdict.upper(), shown.replace(verdict, verdict.upper())
    parts = [*map(clean, sentences.bounds(result))]
    if (value := power.detectable(result)) != "–":
        parts.append(f"{power.COLUMN} {value} (90 % power)")
    sentence = ", ".join(part.replace(" ", _GLUE) for part in parts)
    name = shortened(clean(result.name), _LONGEST_NAME)
    lines = wrapped(f"{name}    {shown}    {sentence}".replace(" " * 4, _GLUE * 3 + " "), 4)
    text = "\n".join(lines)
    code = sentences.COLORS[sentences.KINDS[result.verdict]]
    colored = f"    \x1b[{code}m{verdict}\x1b[0m"
    return text.replace(f"    {verdict}", colored, 1) if color else text


def labelled(name: str, text: str) -> list[str]:
    """Return a text below its headline, wrapped beside its name."""
    return wrapped(f"  {name:{_LABEL - 3}} {text}", _LABEL)


def command_lines(name: str, words: Iterable[str]) -> list[str]:
    """Return a command below a headline; each line but the last continues, as a shell reads it.

    words: quoted for the shell, so that none is broken.
    """
    text = " ".join(word.replace(" ", _GLUE) for word in words)
    *lines, last = wrapped(f"  {name:{_LABEL - 3}} {text}", _LABEL, WIDTH - 2)
    return [*(f"{line} \\" for line in lines), last]


def wrapped(text: str, indent: int = 0, width: int = WIDTH) -> list[str]:
    """Return a text in lines of at most ``width``, those after the first indented."""
    lines = textwrap.wrap(
        _COMMAND.sub(lambda found: found[0].replace(" ", _GLUE), _GLUED.sub(_GLUE, text)),
        width,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
    )
    return [line.replace(_GLUE, " ") for line in lines]


def fitted(text: str) -> str:
    """Return a text whose long lines are wrapped, below the place where their own words begin.

    Rows of a table, with three cells or more, stay whole.
    """
    lines = []
    for line in text.split("\n"):
        label = re.match(r" *(?:\S+(?: \S+)* {2,})?", line)
        start = label.end() if label else 0
        if len(line) <= WIDTH or "  " in line[start:].strip():
            lines.append(line)
        else:
            lines += wrapped(line, start if start <= WIDTH // 3 else 4)
    return "\n".join(lines)


def shortened(text: str, most: int) -> str:
    """Return a text of at most ``most`` characters, or eight if that is more."""
    return text if len(text) <= most else f"{text[: max(most, 8) - 1]}…"


def rank(result: AuditResult) -> tuple[int, float]:
    """Return the place of an audit among others: violations first, worst first, then unknown."""
    over = result.epsilon_lower - result.epsilon
    if result.verdict is Verdict.VIOLATION:
        return 0, -over
    if result.verdict is Verdict.UNKNOWN:
        return 1, 0.0
    return (2 if result.surprising else 3), math.inf if math.isnan(over) else -over


def audit_table(results: Sequence[AuditResult], *, color: bool = False, wide: bool = False) -> str:
    """Return the results as a table that fits ``WIDTH``: violations first. wide: with all columns.

    Certified limits are rounded down, detectable ones up.
    """
    results = sorted(results, key=rank)
    heads: tuple[str, ...] = ("name", "claim", "certified", "detectable", "verdict")
    rows = [_row(result) for result in results]
    if wide:
        heads = (*heads, *_MORE)
        rows = [(*row, *_more(result)) for row, result in zip(rows, results, strict=True)]
    else:
        others = [max(map(len, column)) for column in zip(heads, *rows, strict=True)][2:]
        room = WIDTH - sum(others) - 2 * len(others)
        stated = max(min(max(len(row[1]) for row in rows), room // 2 - 2), len(heads[1]))
        rows = [
            (shortened(row[0], room - stated - 2), shortened(row[1], stated), *row[2:])
            for row in rows
        ]
    codes = [sentences.COLORS[sentences.KINDS[result.verdict]] for result in results]
    shown = codes if color else []
    return text_table([heads, *rows], right={2, 3, 5, 7}, colors=shown, colored=_VERDICT)


def closing(results: Sequence[AuditResult]) -> str:
    """Return the run in one line: how many of each verdict, how many unexpected."""
    count = Counter(result.verdict for result in results)
    surprises = sum(result.surprising for result in results)
    plural = {Verdict.VIOLATION: "s" * (count[Verdict.VIOLATION] > 1)}
    shown = (verdict for verdict in (*Verdict, *ExactVerdict) if count[verdict])
    parts = [f"{count[verdict]} {verdict}{plural.get(verdict, '')}" for verdict in shown]
    unexpected = f"{surprises} unexpected" if surprises else "nothing unexpected"
    exactly = sum(result.refuted_exactly for result in results)
    # An experiment that found nothing must not be all that is said of a claim known to fail.
    beside = f"; {counted(exactly, 'claim')} refuted by exact probabilities" if exactly else ""
    return f"{counted(len(results), 'audit')}: {', '.join(parts)}; {unexpected}{beside}."


_MORE = ("true ε", "expected?", "trials", "note")
"""Columns of a wide table beside those of every table."""


def _row(result: AuditResult) -> tuple[str, ...]:
    return (
        clean(result.name),
        clean(sentences.claim(result)),
        sentences.lower(result),
        power.detectable(result),
        str(result.verdict),
    )


def _more(result: AuditResult) -> tuple[str, ...]:
    return (
        _true(result),
        sentences.expectation(result),
        f"{result.trials:,}" if result.pairs or result.trials else "–",
        clean("; ".join([*result.limitations, *filter(None, [result.reason]), *notes_of(result)])),
    )


def notes_of(result: AuditResult) -> list[str]:
    """Return what else is to be known of a result, each in a few words."""
    seeding = ["cannot be seeded"] if result.seedable is False else []
    exact = [] if result.exact is None else [proved.exact_scope(result.exact)]
    exact += ["refuted by exact probabilities"] if result.refuted_exactly else []
    return [*exact, *seeding, *result.notes]


def _true(result: AuditResult) -> str:
    """Return the true ε, which is known of the first pair: a lower limit if there are more."""
    if result.true_epsilon is None:
        return ""
    more = len(result.pairs) > 1 and math.isfinite(result.true_epsilon)
    return f"≥ {plain(result.true_epsilon)}" if more else plain(result.true_epsilon)


MANY = 10**9
"""More trials than these are no plan: time ends them."""

ELSE = "default; change it with --seconds"


def forecast_line(name: str, forecast: Forecast) -> str:
    """Return what one audit does and what that costs."""
    parts = []
    if forecast.candidates:
        parts.append(f"search {forecast.candidates:,} or more pairs{_most(forecast.searched)}")
    if not forecast.sequential:
        parts.append(f"explore{_most(forecast.explored)}")
    trials = "" if forecast.trials > MANY else f" by at most {counted(forecast.trials, 'trial')}"
    each = " each" if forecast.pairs > 1 and trials else ""
    parts.append(f"certify {counted(forecast.pairs, 'pair')}{trials}{each}")
    processes = f" on {forecast.jobs} processes" if forecast.jobs > 1 else ""
    return f"{clean(name)}: {', '.join(parts)}{processes}; {_price(forecast)}"


def forecast_of_all(forecasts: Sequence[Forecast | None], processes: int) -> str:
    """Return one line on many audits; ``None`` is one that could not be timed in time."""
    known = [forecast for forecast in forecasts if forecast is not None]
    audits = f"{counted(len(forecasts), 'audit')}, {processes} at a time"
    pairs = counted(sum(forecast.pairs for forecast in known), "pair")
    trials = max((forecast.trials for forecast in known), default=0)
    each = f" by at most {counted(trials, 'trial')} each" if 0 < trials <= MANY else ""
    others = len(forecasts) - len(known)
    but = f", but for {others:,} that gave no answer soon" if others else ""
    if not known:
        return f"{audits}: none gave an answer soon"
    seconds = drawing_time(known, processes)
    return f"{audits}: {pairs}{each}; the runs alone take about {duration(seconds)}{but}"


def drawing_time(forecasts: Sequence[Forecast | None], processes: int) -> float:
    """Return how long so many audits draw, side by side; the longest alone if that is more."""
    times = [min(item.total, item.time_limit) for item in forecasts if item is not None]
    return max(sum(times) / processes, *times) if times else 0.0


def _most(runs: int) -> str:
    return f" in {counted(runs, 'run')}" if runs <= MANY else ""


def _price(forecast: Forecast) -> str:
    if not forecast.cost:
        return f"no run could be timed; it ends after {duration(forecast.total)}"
    given = (forecast.seconds or 0) * forecast.pairs
    ends = bool(given) and forecast.total >= given
    most = "at most" if forecast.sequential and not ends else "about"
    text = f"{most} {duration(given if ends else forecast.total)}"
    text += f" ({ELSE})" if ends and forecast.usual else ""
    text += f", {_cost(forecast.cost)} a run"
    if forecast.total > forecast.time_limit:
        limit = duration(forecast.time_limit)
        text += f"; it ends as unknown after {limit} (--time-limit)"
    return text


def _cost(seconds: float) -> str:
    for size, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= size:
            return f"{plain(seconds / size, 2)} {unit}"
    return f"{plain(seconds / 1e-9, 2)} ns"
