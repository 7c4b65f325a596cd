"""Counterfactual replays as a page: both runs side by side, findings at their lines."""

import ast
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from provado.audit.experiments.replay import PairReplay, Replay
from provado.reports.commands.replay import words
from provado.reports.commands.replay.document import Replayed
from provado.reports.documents import AS_EXPECTED
from provado.reports.documents.origin import parse_location, shown_place
from provado.reports.pages.frame import Tile, anchors, code_lines, macros, programs_page, table
from provado.reports.pages.markup import Markup
from provado.reports.text import sentences
from provado.reports.text.formatting import clean, counted, plain

MOST_CALLS = 200
"""Noise calls of a pair that the page shows; the document has all."""


def render(found: Sequence[Replayed]) -> str:
    """Return the page as text; see ``programs_page``."""
    template = macros(
        "commands/replay/page.html",
        **{f.__name__: f for f in (calls_table, code_lines, costs, excerpts, runs)},
        certificate=words.certificate,
        finding_of=sentences.finding,
        headline=words.headline,
    )
    names = anchors(f"program-{one.name}" for one in found)
    cards = [
        template.program(ident, one, _kind(one), _chip(one), _facts(one))
        for ident, one in zip(names, found, strict=True)
    ]
    title = f"Counterfactual replay of {clean(found[0].name)}"
    if len(found) != 1:
        title = f"Counterfactual replays of {counted(len(found), 'program')}"
    said = [f"{one.name}: {words.closing(one.replay)}" for one in found]
    if found[0].redacted:
        said.append("Redacted: records and outputs are left out.")
    summary = template.summary(list(_tiles(found)), said)
    return programs_page(title, summary, cards, methods="replay_methods.html")


def _kind(one: Replayed) -> str:
    if one.replay.findings:
        return "bad"
    return "ok" if one.replay.completed else "unknown"


def _chip(one: Replayed) -> str:
    number = len(one.replay.findings)
    if not number and not one.replay.completed:
        return "not completed"
    return counted(number, "finding") if number else "no finding"


def _tiles(found: Sequence[Replayed]) -> Iterator[Tile]:
    for kind, what in (("bad", "with findings"), ("ok", "no finding"), ("unknown", "unknown")):
        of_kind = [one for one in found if _kind(one) == kind]
        if of_kind:
            surprises = sum(one.exit_status != AS_EXPECTED for one in of_kind)
            note = f"{surprises} not as expected" if surprises else "as expected"
            note = "could not be completed" if kind == "unknown" else note
            yield len(of_kind), what, note, kind, ""


def _facts(one: Replayed) -> list[tuple[str, str]]:
    return [
        ("Claim", one.replay.promise),
        ("Neighbors", one.replay.relation),
        ("Seed", str(one.replay.seed)),
        ("Expected", "" if one.expected == "nothing" else one.expected),
    ]


def runs(pair: PairReplay) -> list[tuple[str, list[str]]]:
    """Return both runs: where control flow parts, and what each of the noise calls protects."""
    both = []
    for prime in (False, True):
        steps = []
        for call in pair.calls[:MOST_CALLS]:
            shown = call.input_d_prime if prime else call.input_d
            protects = f" protects {shown}" if shown else ""
            steps.append(f"{shown_place(call.file, call.line)} {call.name}{protects}")
        if pair.divergence is not None:
            site = pair.divergence.d_prime if prime else pair.divergence.d
            after = shown_place(pair.divergence.after.file, pair.divergence.after.line)
            where = f"goes to line {site.line}" if site.line else "ends"
            said = f"after {after or 'its start'} {where}, where the other does not"
            steps.insert(min(pair.divergence.noise_before, len(steps)), said)
        both.append(("do(D′)" if prime else "do(D)", steps))
    return both


def calls_table(pair: PairReplay) -> Markup:
    """Return the noise calls of a pair."""
    rows = [words.row(call) for call in pair.calls[:MOST_CALLS]]
    rest = len(pair.calls) - MOST_CALLS
    more = f" (the first {MOST_CALLS}, of {len(pair.calls):,})" if rest > 0 else ""
    return table(f"Noise calls{more}", words.HEADS, rows)


def costs(replay: Replay, pair: PairReplay) -> str:
    """Return the sentence that compares the total cost of the noise with the claim."""
    said = f"{words.total(pair)} on this pair, along this control flow"
    if replay.epsilon is None:
        return f"{said}; no claim was stated."
    if math.isinf(pair.epsilon):
        return f"{said}, whatever ε is claimed."
    return f"{said}, where ε = {plain(replay.epsilon)} is claimed."


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
    if pair.divergence is not None:
        after = pair.divergence.after
        yield after.file, after.line, f"Control flow {words.divergence(pair.divergence)}", False
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
    for line in (one for one in lines if 1 <= one <= length):
        around = [one for one in functions if one[0] <= line <= one[1] <= one[0] + MOST_LINES]
        wanted.append(min(around, default=(max(1, line - AROUND), min(length, line + AROUND))))
    joined: list[tuple[int, int]] = []
    for first, last in sorted(wanted):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(last, joined[-1][1])
        else:
            joined.append((first, last))
    return joined
