"""A run in the forms that other programs read; each file of this folder is one of them."""

from .render import FORMATS, Choice, parse_choices, render

__all__ = ["FORMATS", "Choice", "parse_choices", "render"]
