"""Counterfactual replays as a page: both runs side by side, findings at their lines."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from provado.audit.experiments.replay import Finding, NoiseCall, PairReplay
from provado.audit.result import AuditResult
from provado.reports.commands.replay.document import Replayed
from provado.reports.commands.replay.words import (
    HEADS,
    certificate,
    closing,
    headline,
    parted,
    row,
    total,
)
from provado.reports.documents.exit_status import AS_EXPECTED
from provado.reports.documents.location import parse_location, shown_place
from provado.reports.pages.element import Markup, tag
from provado.reports.pages.frame import anchors, command, tile
from provado.reports.pages.listing import listing
from provado.reports.pages.programs import programs_page
from provado.reports.pages.table import table
from provado.reports.text.formatting import clean, counted, plain
from provado.reports.text.sentences import finding as finding_of

MOST_CALLS = 200
"""Noise calls of a pair that the page shows; the document has all."""


def render(found: Sequence[Replayed]) -> str:
    """Return the page as text; see ``programs_page``."""
    names = anchors(f"program-{one.name}" for one in found)
    cards = [_card(ident, one) for ident, one in zip(names, found, strict=True)]
    title = f"Counterfactual replay of {clean(found[0].name)}"
    if len(found) != 1:
        title = f"Counterfactual replays of {counted(len(found), 'program')}"
    summary = [_tiles(found), *map(_sentence, found)]
    return programs_page(title, summary, cards, methods="replay_methods.html")


def _kind(one: Replayed) -> str:
    if one.replay.findings:
        return "bad"
    return "ok" if one.replay.completed else "unknown"


def _tiles(found: Sequence[Replayed]) -> Markup:
    tiles = []
    for kind, what in (("bad", "with findings"), ("ok", "no finding"), ("unknown", "unknown")):
        of_kind = [one for one in found if _kind(one) == kind]
        if of_kind:
            surprises = sum(one.exit_status != AS_EXPECTED for one in of_kind)
            note = f"{surprises} not as expected" if surprises else "as expected"
            note = "could not be completed" if kind == "unknown" else note
            tiles.append(tile(len(of_kind), what, note, kind))
    return tag("div", *tiles, class_="tiles")


def _sentence(one: Replayed) -> Markup:
    return tag("p", clean(f"{one.name}: {closing(one.replay)}"))


def _card(ident: str, one: Replayed) -> Markup:
    replay, kind = one.replay, _kind(one)
    chip = counted(len(replay.findings), "finding") if replay.findings else "no finding"
    chip = "not completed" if kind == "unknown" else chip
    claim = f"claimed {replay.promise}" if replay.promise else "no claim stated"
    summary = tag(
        "summary",
        tag("h3", clean(one.name)),
        tag("span", chip, class_=f"chip {kind}"),
        tag("span", clean(claim), class_="headline"),
    )
    entries = (
        ("Claim", replay.promise),
        ("Neighbors", replay.relation),
        ("Seed", str(replay.seed)),
        ("Expected", "" if one.expected == "nothing" else one.expected),
    )
    known = [tag("div", tag("dt", k), tag("dd", clean(v))) for k, v in entries if v]
    parts = [
        markup
        for number, (pair, result) in enumerate(zip(replay.pairs, one.certified, strict=True), 1)
        for markup in _pair(one, pair, result, number if len(replay.pairs) > 1 else 0)
    ]
    body = tag(
        "div",
        tag("dl", *known),
        *parts,
        tag("h4", "Run it again"),
        tag("div", command(one.again), class_="replay"),
        class_="body",
    )
    return tag("details", summary, body, class_=f"card {kind}", id=ident, open=True)


def _pair(
    one: Replayed, pair: PairReplay, result: AuditResult | None, number: int
) -> Iterator[Markup]:
    said = clean(pair.change or "D and D′")
    yield tag("h4", f"Pair {number}: {said}" if number else said)
    if pair.reason:
        yield tag("p", clean(f"Not completed: {pair.reason}."))
        return
    yield tag("div", _run(pair, prime=False), _run(pair, prime=True), class_="beside")
    if pair.calls:
        yield _calls(pair)
        yield tag("p", _costs(one, pair))
    for excerpt in excerpts(pair):
        yield tag("h5", clean(excerpt.file))
        yield listing(
            excerpt.text,
            excerpt.first,
            excerpt.notes,
            name=clean(f"Source, {excerpt.file} from line {excerpt.first}"),
            bad=excerpt.findings,
        )
    yield from map(_finding, pair.findings)
    if result is not None:
        told = [f"Audit of this pair: {certificate(result)}.", *finding_of(result)]
        yield tag("div", *(tag("p", clean(line)) for line in told), class_="finding")
    if pair.notes:
        yield tag("h5", "Not followed")
        yield tag("ul", *(tag("li", clean(note)) for note in pair.notes), class_="untested")


def _run(pair: PairReplay, *, prime: bool) -> Markup:
    """Return one of the two runs: where it parts, and what each of its noise calls protects."""
    steps = [_step(call, prime) for call in pair.calls[:MOST_CALLS]]
    if pair.parted is not None:
        site = pair.parted.d_prime if prime else pair.parted.d
        after = shown_place(pair.parted.after.file, pair.parted.after.line)
        where = f"goes to line {site.line}" if site.line else "ends"
        steps.insert(
            min(pair.parted.noise_before, len(steps)),
            tag("li", clean(f"after {after or 'its start'} {where}, where the other does not")),
        )
    head = tag("h5", "The run under do(D′)" if prime else "The run under do(D)")
    if not steps:
        return tag("div", head, tag("p", "It calls no noise."))
    return tag("div", head, tag("ol", *steps, class_="steps"))


def _step(call: NoiseCall, prime: bool) -> Markup:
    shown = call.input_d_prime if prime else call.input_d
    protects = f" protects {shown}" if shown else ""
    return tag("li", clean(f"{shown_place(call.file, call.line)} {call.name}{protects}"))


def _calls(pair: PairReplay) -> Markup:
    rows = [row(call) for call in pair.calls[:MOST_CALLS]]
    rest = len(pair.calls) - MOST_CALLS
    more = f" (the first {MOST_CALLS}, of {len(pair.calls):,})" if rest > 0 else ""
    return table(f"Noise calls{more}", HEADS, rows)


def _costs(one: Replayed, pair: PairReplay) -> str:
    """Hold what the noise adds up to against the claim."""
    said = f"{total(pair)} on this pair, along this control flow"
    claimed = one.replay.epsilon
    if claimed is None:
        return f"{said}; no claim was stated."
    if math.isinf(pair.epsilon):
        return f"{said}, whatever ε is claimed."
    return f"{said}, where ε = {plain(claimed)} is claimed."


def _finding(one: Finding) -> Markup:
    head = headline(one)
    event = tag("p", clean(f"An audit can look at: {one.event}.")) if one.event else None
    again = tag("div", command(one.command), class_="replay") if one.command else None
    return tag("div", tag("p", clean(head), class_="compared"), event, again, class_="finding")


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
