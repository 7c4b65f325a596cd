"""Outcomes for people: on a terminal, on the page of a run, and as Markdown, one page a paper."""

import base64
from collections.abc import Mapping, Sequence
from itertools import groupby

from provado.reports.documents.versions import provado_version, versions
from provado.reports.pages.element import Markup, tag
from provado.reports.pages.frame import facts, frame, section
from provado.reports.pages.table import table as table_element
from provado.reports.text.formatting import clean, plain
from provado.reports.text.terminal import aligned

from .experiment import Cell, Comparison, Findings, Table
from .files import files_of
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
    return [tuple(cell(value, table.digits) for value in row) for row in table.rows]


def text(outcome: Outcome) -> str:
    """Return an experiment for a terminal: its tables and comparisons."""
    own = outcome.experiment
    lines = [f"{own.name}: {own.title}", f"  {own.source.words()}"]
    if outcome.findings is None:
        reasons = (f"  not completed: {reason}" for reason in outcome.reasons[:5])
        return "\n".join([*lines, *reasons])
    lines += [f"  {name}: {value}" for name, value in outcome.findings.settings]
    for table in outcome.findings.tables:
        lines += ["", f"  {table.caption}"]
        right = range(1, len(table.head))
        lines += [f"    {line}" for line in aligned([table.head, *rows(table)], right)]
    for c in outcome.findings.comparisons:
        lines += ["", f"  {c.place}: {c.printed}", f"    {holds(c)}: {c.measured}"]
        lines += [f"    {c.why}"] if c.why else []
    return "\n".join(lines)


def closing(outcomes: tuple[Outcome, ...]) -> str:
    """Return the run in one line."""
    found = [c for o in outcomes if o.findings is not None for c in o.findings.comparisons]
    counts = {word: sum(c.holds is is_so for c in found) for is_so, word in _HOLDS.items()}
    parts = [f"{number} {word}" for word, number in counts.items() if number]
    broken = [o.experiment.name for o in outcomes if o.findings is None]
    end = f"; not completed: {', '.join(broken)}" if broken else ""
    return f"{len(found)} printed statements compared: {', '.join(parts) or 'none'}{end}."


# The page of a run.


def render(outcomes: Sequence[Outcome], drawn: Mapping[str, Mapping[str, str | bytes]]) -> str:
    """Return the page as text; it needs no other file. drawn: files by experiment's name."""
    sections = [section("summary", "Summary", tag("p", closing(tuple(outcomes))))]
    contents = [("Summary", "summary")]
    for outcome in outcomes:
        ident = outcome.experiment.name.replace("/", "-")
        title = clean(f"{outcome.experiment.name}: {outcome.experiment.title}")
        files = drawn.get(outcome.experiment.name, {})
        sections.append(section(ident, title, *_elements(outcome, files)))
        contents.append((title, ident))
    found = {"Provado": provado_version(), **versions()}
    sections.append(section("versions", "Versions", facts(found.items())))
    footer = f"Provado {provado_version()}"
    return frame("The papers' experiments, run anew", sections, footer=footer, contents=contents)


def _elements(outcome: Outcome, files: Mapping[str, str | bytes]) -> list[Markup]:
    parts = [tag("p", clean(f"{outcome.experiment.source.words()}."))]
    findings = outcome.findings
    if findings is None:
        reasons = [tag("li", clean(reason)) for reason in outcome.reasons]
        return [*parts, tag("p", "Not completed:"), tag("ul", *reasons)]
    parts.append(facts(findings.settings))
    if findings.comparisons:
        head = ("printed", "place", "holds?", "found here", "why")
        lines = [(c.printed, c.place, holds(c), c.measured, c.why) for c in findings.comparisons]
        parts.append(_element("What is printed beside what was found", head, lines))
    for figure in findings.figures:
        data = base64.b64encode(str(files[f"{figure.name}.svg"]).encode("utf-8")).decode("ascii")
        caption = clean(figure.caption)
        picture = tag("img", src=f"data:image/svg+xml;base64,{data}", alt=caption)
        parts.append(tag("figure", picture, tag("figcaption", caption)))
    return parts + [_element(clean(t.caption), t.head, rows(t)) for t in findings.tables]


def _element(caption: str, head: Sequence[str], lines: Sequence[Sequence[str]]) -> Markup:
    return table_element(caption, [*map(clean, head)], [tuple(map(clean, line)) for line in lines])


# Markdown, for a documentation.


def markdown(outcomes: Sequence[Outcome]) -> dict[str, str | bytes]:
    """Return a Markdown page a paper, and the figures beside it, by file name: no time, no version.

    What depends on more than the seed, processor times, is left out and named; so is what was not
    completed.
    """
    files: dict[str, str | bytes] = {}
    for paper, group in groupby(outcomes, key=lambda one: one.experiment.name.partition("/")[0]):
        own = tuple(group)
        shown = [(o, o.findings) for o in own if o.findings is not None and not o.experiment.timed]
        files[f"{paper}.md"] = _markdown_page(paper, own, shown)
        for outcome, findings in shown:
            for name, content in files_of(outcome, findings).items():
                if name.endswith(".svg"):
                    files[_picture(outcome, name)] = content
    return files


def _picture(outcome: Outcome, name: str) -> str:
    return f"{outcome.experiment.name.replace('/', '-')}-{name}"


def _markdown_page(
    paper: str, outcomes: Sequence[Outcome], shown: Sequence[tuple[Outcome, Findings]]
) -> str:
    setting = outcomes[0].setting
    command = f"provado reproduce {paper} --seed {setting.seed}{' --quick' * setting.quick}"
    title = f"# {outcomes[0].experiment.source.work}"
    parts = [title, f"Made by `{command}`; every number is computed."]
    left_out = [o.experiment for o in outcomes if o.findings is None or o.experiment.timed]
    if left_out:
        named = ", ".join(f"`{own.name}`" for own in left_out)
        parts.append(f"Not on this page, since it holds times or was not completed: {named}.")
    for outcome, findings in shown:
        parts += _markdown_section(outcome, findings)
    return "\n\n".join(parts) + "\n"


def _markdown_section(outcome: Outcome, findings: Findings) -> list[str]:
    own = outcome.experiment
    settings = "; ".join(f"{name}: {value}" for name, value in findings.settings)
    parts = [f"## {escaped(own.title)}", escaped(f"{own.source.place}. {settings}.")]
    if findings.comparisons:
        lines = [
            (c.printed, c.place, " ".join([c.measured, c.why]).strip(), holds(c))
            for c in findings.comparisons
        ]
        parts.append(_markdown_table(("printed", "place", "found here", ""), lines))
    for figure in findings.figures:
        caption = escaped(figure.caption)
        parts += [f"![{caption}]({_picture(outcome, f'{figure.name}.svg')})", caption]
    for table in findings.tables:
        parts += [escaped(table.caption), _markdown_table(table.head, rows(table))]
    return parts


def _markdown_table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    shown = [f"| {' | '.join(map(escaped, line))} |" for line in (head, *lines)]
    return "\n".join([shown[0], "|" + " --- |" * len(head), *shown[1:]])


def escaped(text: str) -> str:
    """Return text with the signs that Markdown reads as its own made harmless."""
    kept = " ".join(text.split()).replace("\\", "\\\\")
    for sign in "*_`<[#":
        kept = kept.replace(sign, f"\\{sign}")
    return kept.replace("|", "&#124;")
