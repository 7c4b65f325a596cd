"""HTML that is escaped by construction: only ``tag`` makes markup, and it escapes all text."""

from __future__ import annotations

from html import escape
from typing import Final

VOID: Final = frozenset({"meta", "br", "wbr", "link", "input", "img"})
EMPTY_SVG: Final = frozenset({"line", "circle", "path", "rect", "polyline"})


class Markup(str):
    """Text that is HTML already. Everything else that reaches a page is escaped."""

    __slots__ = ()

    def __html__(self) -> Markup:
        """Return it as it is: for templates, which escape what has no such method."""
        return self


Child = str | Markup | None


def tag(name: str, *children: Child, **attributes: str | float | bool | None) -> Markup:
    """Return an element; children that are not ``Markup`` are escaped, ``None`` is left out.

    ``class_`` and ``for_`` lose their underscore, other underscores become hyphens (``view_box``
    is written as it is needed, ``viewBox``). An attribute of ``True`` stands alone; ``None`` and
    ``False`` are left out.
    """
    written = [name]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        key = key.rstrip("_").replace("_", "-")
        written.append(key if value is True else f'{key}="{escape(_text(value))}"')
    opening = " ".join(written)
    if name in EMPTY_SVG and not children:
        return Markup(f"<{opening}/>")
    if name in VOID:
        return Markup(f"<{opening}>")
    return Markup(f"<{opening}>{join(*children)}</{name}>")


def join(*children: Child) -> Markup:
    """Return children one after the other, escaped where they are not ``Markup``."""
    return Markup("".join(_safe(child) for child in children if child is not None))


def _safe(child: str) -> str:
    return child if hasattr(child, "__html__") else escape(child)


def _text(value: str | float) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
