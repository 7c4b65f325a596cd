"""Writes the colors of code blocks, for light and dark pages, into the site."""

from __future__ import annotations

from pygments.formatters import HtmlFormatter

STYLES = {"default": "xcode", "slate": "github-dark"}


def css() -> str:
    """Return the style sheet."""
    parts = []
    for mode, style in STYLES.items():
        # No background of its own: that is the page's.
        made = HtmlFormatter(style=style, nobackground=True)
        parts.append(made.get_style_defs(f'[data-md-color-scheme="{mode}"] .highlight'))
    return "\n".join(parts) + "\n"
