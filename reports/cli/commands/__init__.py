"""The commands, one file each, found by walking this folder.

A file has the command's name, says in ``HELP`` what it does, and registers it in
``add(subparsers)``. Only the files of commands that are run are imported: what the others do is
read from their text.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import pkgutil
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Any


def names() -> tuple[str, ...]:
    """Return the commands' names, sorted."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


def add(subparsers: argparse._SubParsersAction[Any], whole: Collection[str]) -> None:
    """Register every command, with all their options those of ``whole``, the others by name."""
    for name in names():
        if name in whole:
            importlib.import_module(f"{__name__}.{name}").add(subparsers)
        else:
            subparsers.add_parser(name, help=help_of(name), allow_abbrev=False)


@cache
def help_of(name: str) -> str:
    """Return what a command does in few words: the constant ``HELP`` of its file."""
    text = (Path(__path__[0]) / f"{name}.py").read_text(encoding="utf-8")
    for node in ast.parse(text).body:
        match node:
            case ast.Assign(targets=[ast.Name("HELP")], value=ast.Constant(str(words))):
                return words
    raise LookupError(f"the command {name} has no HELP")
