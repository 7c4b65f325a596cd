"""A run in the forms that other programs read; each file of this folder is one of them."""

from .render import FORMATS, FormatChoice, parse_choices, render

__all__ = ["FORMATS", "FormatChoice", "parse_choices", "render"]
