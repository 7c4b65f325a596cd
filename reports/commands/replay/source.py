"""The parts of a program's source that a replay speaks of, with what it says at their lines."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from provado.audit.experiments.replay import PairReplay
from provado.reports.documents.location import parse_location, shown_place
from provado.reports.text.numbers import plain

from .words import parted

AROUND, MOST_LINES = 4, 80
"""Lines on either side of one that is spoken of; of functions up to so long all are shown."""


@dataclass(frozen=True)
class Excerpt:
    """Lines of a file from ``first`` on, with notes by line; findings: the lines of such."""

    file: str
    first: int
    text: str
    notes: dict[int, list[str]]
    findings: frozenset[int]


def excerpts(pair: PairReplay) -> list[Excerpt]:
    """Return what of the source a pair's replay speaks of; nothing of a file that is gone."""
    notes: dict[str, dict[int, list[str]]] = {}
    bad: set[tuple[str, int]] = set()
    for file, line, said, finding in _notes(pair):
        here = notes.setdefault(file, {}).setdefault(line, [])
        if file and said not in here:
            here.append(said)
        if finding:
            bad.add((file, line))
    found = []
    for file, by_line in notes.items():
        shown, _ = parse_location(shown_place(file, 1))
        try:
            text = Path(file).read_text(encoding="utf-8") if shown else ""
        except (OSError, ValueError):
            continue
        rows = text.split("\n")
        for first, last in _ranges(text, len(rows), sorted(by_line)):
            inside = {line: said for line, said in by_line.items() if first <= line <= last}
            marked = frozenset(line for line in inside if (file, line) in bad)
            found.append(Excerpt(shown, first, "\n".join(rows[first - 1 : last]), inside, marked))
    return found


def _notes(pair: PairReplay) -> Iterator[tuple[str, int, str, bool]]:
    for call in pair.calls:
        said = f"{call.name} of scale {plain(call.scale)}" if call.scale is not None else call.name
        if call.input_d or call.input_d_prime:
            said += f" protects {call.input_d} under D and {call.input_d_prime} under D′"
        cost = f": costs ε = {plain(call.cost)}" if call.cost is not None else ""
        yield call.file, call.line, f"{said}{cost}", False
    if pair.parted is not None:
        after = pair.parted.after
        yield after.file, after.line, f"Control flow {parted(pair.parted)}", False
    for finding in pair.findings:
        yield finding.file, finding.line, f"Finding ({finding.kind}): {finding.words}", True


def _ranges(text: str, length: int, lines: list[int]) -> list[tuple[int, int]]:
    """Return first and last lines of what is shown: functions, or what is around the lines."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        tree = ast.Module([], [])
    functions = [
        (node.lineno, node.end_lineno or node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    wanted = []
    for line in lines:
        if not 1 <= line <= length:
            continue
        around = [one for one in functions if one[0] <= line <= one[1] <= one[0] + MOST_LINES]
        wanted.append(min(around, default=(max(1, line - AROUND), min(length, line + AROUND))))
    joined: list[tuple[int, int]] = []
    for first, last in sorted(wanted):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(last, joined[-1][1])
        else:
            joined.append((first, last))
    return joined
