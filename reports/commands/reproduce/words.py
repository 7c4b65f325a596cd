"""Findings in words: cells, comparisons, lines of a terminal."""

from __future__ import annotations

from provado.reports.text.formatting import plain
from provado.reports.text.terminal import aligned

from .findings import Cell, Comparison, Table
from .run import Outcome

_HOLDS = {True: "holds here", False: "not here", None: "not decided"}


def cell(value: Cell, digits: int) -> str:
    """Return a cell as it is shown; a whole number whole, nothing as a dash."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return plain(value, digits)
    return f"{value:,}" if isinstance(value, int) else value


def holds(comparison: Comparison) -> str:
    """Return whether what is printed was found here too, in a word."""
    return comparison.verdict or _HOLDS[comparison.holds]


def rows(table: Table) -> list[tuple[str, ...]]:
    """Return the rows of a table as text, without its head."""
    return [tuple(cell(one, table.digits) for one in row) for row in table.rows]


def text(outcome: Outcome) -> str:
    """Return an experiment for a terminal: its tables and comparisons."""
    own = outcome.experiment
    lines = [f"{own.name}: {own.title}", f"  {own.source.words()}"]
    if outcome.findings is None:
        return "\n".join([*lines, *(f"  not completed: {one}" for one in outcome.reasons[:5])])
    lines += [f"  {name}: {value}" for name, value in outcome.findings.settings]
    for table in outcome.findings.tables:
        lines += ["", f"  {table.caption}"]
        right = range(1, len(table.head))
        lines += [f"    {line}" for line in aligned([table.head, *rows(table)], right)]
    for one in outcome.findings.comparisons:
        lines += ["", f"  {one.place}: {one.printed}", f"    {holds(one)}: {one.measured}"]
        lines += [f"    {one.why}"] if one.why else []
    return "\n".join(lines)


def closing(outcomes: tuple[Outcome, ...]) -> str:
    """Return the run in one line."""
    found = [c for o in outcomes if o.findings is not None for c in o.findings.comparisons]
    counts = {said: sum(one.holds is is_so for one in found) for is_so, said in _HOLDS.items()}
    parts = [f"{number} {said}" for said, number in counts.items() if number]
    broken = [o.experiment.name for o in outcomes if o.findings is None]
    end = f"; not completed: {', '.join(broken)}" if broken else ""
    return f"{len(found)} printed statements compared: {', '.join(parts) or 'none'}{end}."
