"""What happens to every page while the site is built.

A line ``<!-- make: NAME ARGUMENT -->`` is replaced by what its maker returns, so that no list or
table is kept by hand. ``no-run="…"``, which tells the tests why a block is not run, is taken out.
"""

from __future__ import annotations

import os
import pkgutil
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import colors
import notebook
import tables

from provado.reports.cli.main import add_commands, command_names
from provado.reports.targets.argument_parser import Parser

ROOT = Path(__file__).parents[2]
INTERNALS = ("reference/", "papers/")
REPRODUCED = ROOT / "build" / "papers"
"""Where ``make reproduce`` leaves a page a paper with its figures; it may not be there."""

_MAKE = re.compile(r"^<!-- make: ([a-z-]+) ?(.*?) -->$", re.MULTILINE)
_NO_RUN = re.compile(r'^(\s*```.*?) no-run="[^"\n]*"', re.MULTILINE)


def on_files(files: Any, config: Any) -> Any:
    """Add the style sheet of code, and the pages that ``make reproduce`` has left, if any."""
    # Imported here: the other hooks are tested without MkDocs.
    from mkdocs.structure.files import File

    files.append(File.generated(config, "css/code.css", content=colors.css()))
    for file in sorted(REPRODUCED.glob("*")):
        place = f"papers/full/{file.name}"
        files.append(File.generated(config, place, abs_src_path=str(file)))
    return files


def on_page_markdown(markdown: str, config: Any, page: Any = None, **_: Any) -> str:
    """Return the page with everything made that it asks for; the search ranks guides first."""
    if page is not None and page.file.src_uri.startswith(INTERNALS):
        page.meta["search"] = {"boost": 0.2}
        name = page.file.src_uri.removeprefix("papers/")
        if (REPRODUCED / name).is_file():
            markdown += f"\n## All tables and figures\n\n[The whole run](full/{name})\n"
    decide = config.extra.get("decide", True)

    def make(found: re.Match[str]) -> str:
        if found[1] == "ledger" and not decide:
            return tables.undecided_tables()
        return MAKERS[found[1]](found[2])

    return _NO_RUN.sub(r"\1", _MAKE.sub(make, markdown))


def modules(package: str) -> str:
    """Return directives that document every public module of a package."""
    found = pkgutil.iter_modules(import_module(package).__path__)
    names = sorted(m.name for m in found if not m.ispkg and not m.name.startswith("_"))
    return "\n\n".join(f"::: {package}.{name}" for name in names)


def commands(_: str = "") -> str:
    """Return the help of every command, as its parser prints it on a terminal of 90 columns."""
    parser = Parser(prog="provado")
    offered = parser.add_subparsers()
    add_commands(offered, command_names())
    width = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "90"
    try:
        helps = {name: one.format_help(full=True).rstrip() for name, one in offered.choices.items()}
    finally:
        del os.environ["COLUMNS"]
        os.environ |= {} if width is None else {"COLUMNS": width}
    return "\n\n".join(f"## provado {n}\n\n```text\n{helps[n]}\n```" for n in sorted(helps))


MAKERS: dict[str, Callable[[str], str]] = {
    "ledger": lambda _: tables.ledger_tables(),
    "atlas": lambda _: tables.atlas_table(),
    "catalogue": lambda _: tables.catalogue_table(),
    "modules": modules,
    "commands": commands,
    "operations": tables.operations_table,
    "output-types": lambda _: tables.output_types(),
    "options": lambda _: tables.options(),
    "config-keys": lambda _: tables.config_keys(),
    "notebook": notebook.notebook,
}
