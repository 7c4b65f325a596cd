"""Turns the docstrings of Provado into Markdown, for the API reference.

They are prose: code stands between double backticks, and a paragraph of lines ``name: meaning``
describes arguments or fields, with what belongs to a line indented below it.
"""

from __future__ import annotations

import re
import textwrap

_NAME = r"(?:``)?\**[A-Za-z_][\w.]*(?:=\S+)?(?:``)?"
_FIELD = re.compile(rf"({_NAME}(?:, {_NAME})*): (\S.*)$")
_LABEL = re.compile(
    r"(Guarantee|Source|Sources|Shape|Shapes|Shape of the result|Units|Fields|Note): "
)
_CODE = re.compile(r"``(.+?)``", re.DOTALL)
_SPECIAL = re.compile(r"([\\`*\[\]])|(?<!\w)(_)|(_)(?!\w)")


def markdown(docstring: str) -> str:
    """Return a docstring, without its common indent, as Markdown."""
    summary, *paragraphs = re.split(r"\n\s*\n", docstring.strip("\n"))
    first = _paragraph(summary) if summary.startswith(">>>") else escaped(summary)
    return "\n\n".join([re.sub(r"::$", ":", first), *map(_paragraph, paragraphs)])


def _paragraph(text: str) -> str:
    lines = text.split("\n")
    if lines[0].startswith(">>>") or lines[0].startswith("    >>>"):
        return f"```pycon\n{textwrap.dedent(text)}\n```"
    if lines[0].startswith("    "):
        return text  # Shown as it stands.
    text = re.sub(r"::$", ":", text)
    lines = text.split("\n")
    label = _LABEL.match(text)
    if label:
        rest = text[label.end() :]
        return f"**{label[1]}.** {escaped(rest[:1].upper() + rest[1:])}"
    fields = [_FIELD.match(line) for line in lines]
    # A line that is not indented still belongs to the field where the one before ends no sentence.
    loose = [
        i
        for i, line in enumerate(lines)
        if not (fields[i] or line.startswith(" ") or (i and not lines[i - 1].endswith((".", ")"))))
    ]
    if fields[0] is None or (loose and sum(map(bool, fields)) == 1):
        return escaped(text)
    end = loose[0] if loose else len(lines)
    items: list[list[str]] = []
    for line, field in zip(lines[:end], fields, strict=False):
        if field:
            items.append([f"- **{_names(field[1])}**: {field[2]}"])
        else:
            items[-1].append(line.strip())
    rest = [escaped("\n".join(lines[end:]))] if loose else []
    return "\n\n".join(["\n".join(map(_item, items)), *rest])


def _names(text: str) -> str:
    return ", ".join(f"`{name.strip('`')}`" for name in text.split(", "))


def _item(lines: list[str]) -> str:
    head, _, rest = " ".join(lines).partition("**: ")
    return f"{head}**: {escaped(rest)}"


def escaped(text: str) -> str:
    """Return prose in which only what stands between double backticks is marked up."""
    parts = _CODE.split(text)
    for i, part in enumerate(parts):
        if i % 2:
            parts[i] = f"`{' '.join(part.split())}`"
        else:
            part = _SPECIAL.sub(lambda found: "\\" + found[0], part)
            parts[i] = part.replace("&", "&amp;").replace("<", "&lt;")
    return "".join(parts)
