"""Collects the docstrings of the API reference as Markdown: an extension of griffe."""

from __future__ import annotations

from typing import Any

from griffe import Extension, Object
from prose import markdown


class Docstrings(Extension):
    """Rewrites every docstring as it is collected."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Rewrite the docstring of ``obj``, if it has one."""
        if obj.docstring is not None:
            obj.docstring.value = markdown(obj.docstring.value)
