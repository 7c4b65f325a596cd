"""Counterfactual replays as a page: both runs side by side, findings at their lines."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from provado.audit.experiments.replay import PairReplay
from provado.reports.commands.replay import words
from provado.reports.commands.replay.document import Replayed
from provado.reports.documents.exit_status import AS_EXPECTED
from provado.reports.documents.origin import Provenance, parse_location, shown_place
from provado.reports.pages.frame import anchors, code_lines, macros, programs_page, table, tiles
from provado.reports.pages.markup import Markup
from provado.reports.text import sentences
from provado.reports.text.formatting import clean, counted, plain

MOST_CALLS = 200
"""Noise calls of a pair that the page shows; the document has all."""


def render(replay_results: Sequence[Replayed], made: Provenance | None = None) -> str:
    """Return the page as text; see ``programs_page``."""
    template = macros(
        "commands/replay/page.html",
        **{f.__name__: f for f in (calls_table, code_lines, counted, excerpts, plain, runs)},
        certificate=words.certificate,
        finding_of=sentences.finding,
        headline=words.headline,
        total=words.total,
    )
    names = anchors(f"program-{replay_result.name}" for replay_result in replay_results)
    cards = [
        template.program(ident, replayed, _kind(replayed))
        for ident, replayed in zip(names, replay_results, strict=True)
    ]
    title = f"Counterfactual replay of {clean(replay_results[0].name)}"
    if len(replay_results) != 1:
        title = f"Counterfactual replays of {counted(len(replay_results), 'program')}"
    said = [f"{replayed.name}: {words.closing(replayed.replay)}" for replayed in replay_results]
    if len(replay_results) == 1:
        said += map(words.headline, replay_results[0].replay.findings[:1])
    if replay_results[0].redacted:
        said.append("Redacted: records and outputs are left out.")
    groups = (
        (what, kind, [r.exit_status != AS_EXPECTED for r in replay_results if _kind(r) == kind])
        for kind, what in (("bad", "with findings"), ("ok", "no finding"), ("unknown", "unknown"))
    )
    summary = template.summary(tiles(groups, unknown="could not be completed"), said)
    return programs_page(title, summary, cards, made, methods="replay_methods.html")


def _kind(replay_result: Replayed) -> str:
    if replay_result.replay.findings:
        return "bad"
    return "ok" if replay_result.replay.completed else "unknown"


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
            sentence = f"after {after or 'its start'} {where}, where the other does not"
            steps.insert(min(pair.divergence.noise_before, len(steps)), sentence)
        both.append(("do(D′)" if prime else "do(D)", steps))
    return both


def calls_table(pair: PairReplay) -> Markup:
    """Return the noise calls of a pair."""
    rows = [words.row(call) for call in pair.calls[:MOST_CALLS]]
    rest = len(pair.calls) - MOST_CALLS
    more = f" (the first {MOST_CALLS}, of {len(pair.calls):,})" if rest > 0 else ""
    return table(f"Noise calls{more}", words.HEADS, rows)


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
    for file, line, sentence, finding in _notes(pair):
        here = notes.setdefault(file, {}).setdefault(line, [])
        if file and sentence not in here:
            here.append(sentence)
        if finding:
            bad.add((file, line))
    result = []
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
            result.append(Excerpt(shown, first, "\n".join(rows[first - 1 : last]), inside, marked))
    return result


def _notes(pair: PairReplay) -> Iterator[tuple[str, int, str, bool]]:
    for call in pair.calls:
        sentence = (
            f"{call.name} of scale {plain(call.scale)}" if call.scale is not None else call.name
        )
        if call.input_d or call.input_d_prime:
            sentence += f" protects {call.input_d} under D and {call.input_d_prime} under D′"
        cost = f": costs ε = {plain(call.cost)}" if call.cost is not None else ""
        yield call.file, call.line, f"{sentence}{cost}", False
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
    for line in (item for item in lines if 1 <= item <= length):
        around = [item for item in functions if item[0] <= line <= item[1] <= item[0] + MOST_LINES]
        wanted.append(min(around, default=(max(1, line - AROUND), min(length, line + AROUND))))
    joined: list[tuple[int, int]] = []
    for first, last in sorted(wanted):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(last, joined[-1][1])
        else:
            joined.append((first, last))
    return joined
