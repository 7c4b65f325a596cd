"""A run in the forms that other programs read; each file of this folder is one of them."""

from .choice import FORMATS, Choice, parse_choices
from .render import render

__all__ = ["FORMATS", "Choice", "parse_choices", "render"]
