"""Pages are Jinja2 templates, which escape every text that is not markup already.

A line break in a template, with the blanks around it, is no part of a page where a tag, an
expression or a statement ends before it or begins after it; elsewhere it is one blank.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from provado.reports.text.formatting import clean

from .mathml import typeset

if TYPE_CHECKING:
    from jinja2 import Environment

SHARED = "pages/templates/parts.html"
"""The macros of what all pages share."""

_NEXT_TO_MARKUP = re.compile(r"(?<=[>}])\s*\n\s*|\s*\n\s*(?=[<{])|^\s+|\s+$")


def macros(name: str, **names: Any) -> Any:
    """Return a template of the room's, whose macros are its attributes; each returns markup.

    names: functions and constants that the template calls; each time the same ones.
    """
    return _environment().get_template(name, globals=names).module


@cache
def _environment() -> Environment:
    # Only what writes a page takes the time to import it.
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    made = Environment(loader=FunctionLoader(_source), autoescape=True, undefined=StrictUndefined)
    made.filters |= {"clean": clean, "typeset": typeset}
    return made


def _source(name: str) -> str:
    text = resources.files("provado.reports").joinpath(name).read_text(encoding="utf-8")
    return re.sub(r"\s*\n\s*", " ", _NEXT_TO_MARKUP.sub("", text))
