"""One Markdown page a paper, for a documentation: figures beside it, no time, no version."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from .files import files_of
from .findings import Comparison, Findings
from .run import Outcome
from .words import holds, rows


def pages(outcomes: Sequence[Outcome]) -> dict[str, str | bytes]:
    """Return the pages and their figures, by file name.

    What depends on more than the seed, processor times, is left out and named; so is what was not
    completed.
    """
    files: dict[str, str | bytes] = {}
    for paper, group in groupby(outcomes, key=lambda one: one.experiment.name.partition("/")[0]):
        own = tuple(group)
        files[f"{paper}.md"] = _page(own)
        for outcome in _shown(own):
            assert outcome.findings is not None
            for name, content in files_of(outcome, outcome.findings).items():
                if name.endswith(".svg"):
                    files[_picture(outcome, name.removesuffix(".svg"))] = content
    return files


def _shown(outcomes: Sequence[Outcome]) -> list[Outcome]:
    return [o for o in outcomes if o.findings is not None and not o.experiment.timed]


def _picture(outcome: Outcome, name: str) -> str:
    return f"{outcome.experiment.name.replace('/', '-')}-{name}.svg"


def _page(outcomes: Sequence[Outcome]) -> str:
    first = outcomes[0]
    setting = first.setting
    paper = first.experiment.name.partition("/")[0]
    command = f"provado reproduce {paper} --seed {setting.seed}{' --quick' * setting.quick}"
    parts = [f"# {first.experiment.source.work}", f"Made by `{command}`; every number is computed."]
    left_out = [o.experiment for o in outcomes if o.findings is None or o.experiment.timed]
    if left_out:
        named = ", ".join(f"`{one.name}`" for one in left_out)
        parts.append(f"Not on this page, since it holds times or was not completed: {named}.")
    for outcome in _shown(outcomes):
        assert outcome.findings is not None
        parts += _experiment(outcome, outcome.findings)
    return "\n\n".join(parts) + "\n"


def _experiment(outcome: Outcome, findings: Findings) -> list[str]:
    own = outcome.experiment
    settings = "; ".join(f"{name}: {value}" for name, value in findings.settings)
    parts = [f"## {escaped(own.title)}", escaped(f"{own.source.place}. {settings}.")]
    if findings.comparisons:
        parts.append(_comparisons(findings.comparisons))
    for figure in findings.figures:
        caption = escaped(figure.caption)
        parts += [f"![{caption}]({_picture(outcome, figure.name)})", caption]
    for table in findings.tables:
        parts += [escaped(table.caption), _table(table.head, rows(table))]
    return parts


def _comparisons(found: Sequence[Comparison]) -> str:
    head = ("printed", "place", "found here", "")
    return _table(
        head, [(c.printed, c.place, " ".join([c.measured, c.why]).strip(), holds(c)) for c in found]
    )


def _table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    shown = [f"| {' | '.join(map(escaped, line))} |" for line in (head, *lines)]
    return "\n".join([shown[0], "|" + " --- |" * len(head), *shown[1:]])


def escaped(text: str) -> str:
    """Return text with the signs that Markdown reads as its own made harmless."""
    kept = " ".join(text.split()).replace("\\", "\\\\")
    for sign in "*_`<[#":
        kept = kept.replace(sign, f"\\{sign}")
    return kept.replace("|", "&#124;")
