"""A run in the forms that other programs read: page, document, and the files of ``forms``."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from provado.mechanisms import UsageError
from provado.mechanisms.walk import modules_in
from provado.reports.audit_report import document
from provado.reports.audit_report.baseline import Deviation
from provado.reports.audit_report.formats import forms
from provado.reports.audit_report.page import page
from provado.reports.tasks.run import Run
from provado.reports.text.formatting import near

Differences = Sequence[Deviation] | None


def render(run: Run, format: str, differences: Differences = None) -> str:
    """Return a run in one of ``FORMATS``; raises ``UsageError`` for another.

    differences: what differs from the baseline, where the run was compared with one. It then
    decides what fails, and what it records is no surprise; JSON and HTML stay as they are.
    """
    write: Callable[[Run, Differences], str] = _MODULES[checked_format(format)].render
    return write(run, differences)


_MODULES: dict[str, Any] = {"html": page, "json": document}
_MODULES |= {module.__name__.rpartition(".")[2]: module for module in modules_in(forms.__name__)}

FORMATS: dict[str, str] = {name: module.FILE for name, module in sorted(_MODULES.items())}
"""The formats, each with the name that its file gets in a folder."""


@dataclass(frozen=True)
class FormatChoice:
    """One format, and the file that it goes to; ``None`` for standard output."""

    format: str
    file: Path | None


def parse_choices(words: Sequence[str]) -> tuple[FormatChoice, ...]:
    """Return what ``--format`` was given, in order; raises ``UsageError`` naming the word.

    At most one format may go to standard output, and no two to one file.
    """
    choices = tuple(_choice(word) for word in words)
    printed = [choice.format for choice in choices if choice.file is None]
    if len(printed) > 1:
        raise UsageError(
            f"--format {printed[1]}: standard output takes one format, here {printed[0]}; "
            f"give the other a file: {printed[1]}={FORMATS[printed[1]]}"
        )
    files = [choice.file.absolute() for choice in choices if choice.file is not None]
    places = [Path(os.path.normpath(file)) for file in files]
    for i, place in enumerate(places):
        if place in places[:i]:
            raise UsageError(f"--format: two formats would be written to {str(place.name)!r}")
    return choices


def checked_format(name: str) -> str:
    """Return the name of a format; raises ``UsageError`` that offers the nearest one."""
    if name not in FORMATS:
        nearest = near(name, FORMATS)
        hint = f"did you mean {nearest}? " if nearest else ""
        raise UsageError(f"--format {name!r}: {hint}it must be one of {', '.join(FORMATS)}")
    return name


def _choice(word: str) -> FormatChoice:
    name, equals, file = word.partition("=")
    checked_format(name)
    if equals and not file.strip():
        raise UsageError(
            f"--format {word!r}: the file is missing; as {name}={FORMATS[name]}, or {name} alone "
            "for standard output"
        )
    return FormatChoice(name, Path(file) if equals else None)
