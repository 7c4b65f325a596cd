"""The command line; each file of ``commands`` is one command.

Exit status: 0 as expected; 1 a surprise; 2 wrong usage or configuration, with one line on
standard error; 3 some audit could not be completed. Standard output carries results only.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import sys
from collections.abc import Sequence
from typing import NoReturn

from provado.mechanisms import UsageError
from provado.reports import commands
from provado.reports.run import WRONG_USAGE
from provado.reports.versions import provado_version
from provado.reports.words import clean

_INTERRUPTED, _READER_GONE = 130, 141


class _Parser(argparse.ArgumentParser):
    """Complains as the rest of the program does: in one line."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see `{self.prog} --help`)")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that has no ε prints another sign instead of failing.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        options = _parser().parse_args(arguments)
        status: int = options.run(options)
        sys.stdout.flush()
        return status
    except UsageError as error:
        print(f"provado: error: {clean(str(error))}", file=sys.stderr)
        return WRONG_USAGE
    except KeyboardInterrupt:
        print("provado: interrupted; nothing was written", file=sys.stderr)
        return _INTERRUPTED
    except BrokenPipeError:
        # The reader (head, less) has gone; Python must not complain of it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return _READER_GONE


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="provado",
        description="Proves, refutes and audits privacy claims, and reports what was found.",
        epilog="Exit status: 0 as expected, 1 a surprise, 2 wrong usage, 3 not completed.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"provado {provado_version()}")
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for module in sorted(pkgutil.iter_modules(commands.__path__), key=lambda module: module.name):
        importlib.import_module(f"{commands.__name__}.{module.name}").add(subparsers)
    return parser
