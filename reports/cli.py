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

from provado.mechanisms import UsageError
from provado.reports import commands
from provado.reports.parser import Parser
from provado.reports.run import AS_EXPECTED, WRONG_USAGE
from provado.reports.versions import provado_version
from provado.reports.welcome import welcome
from provado.reports.words import clean

_INTERRUPTED, _READER_GONE = 130, 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; without any, say what there is to run."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    for stream in (sys.stdout, sys.stderr):
        # A terminal that has no ε prints another sign instead of failing.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        parser, offered = _parser()
        if not words:
            print(welcome({one.dest: one.help or "" for one in offered._choices_actions}))
            return AS_EXPECTED
        options = parser.parse_args(words)
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


def _parser() -> tuple[Parser, argparse._SubParsersAction[Parser]]:
    """Return the parser of everything, and its part that holds the commands."""
    parser = Parser(
        prog="provado",
        description="Proves, refutes and audits privacy claims, and reports what was found.",
        epilog="Exit status: 0 as expected, 1 a surprise, 2 wrong usage, 3 not completed.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"provado {provado_version()}")
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for module in sorted(pkgutil.iter_modules(commands.__path__), key=lambda module: module.name):
        importlib.import_module(f"{commands.__name__}.{module.name}").add(subparsers)
    return parser, subparsers
