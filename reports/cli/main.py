"""The command line; each file of ``commands`` is one command.

Exit status: 0 as expected; 1 a violation or another unexpected verdict; 2 wrong usage or
configuration, with one line on standard error; 3 some audit could not be completed; 4 input or
output failed. Standard output carries results only.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import errno
import importlib
import os
import pkgutil
import re
import sys
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from provado.mechanisms import UsageError
from provado.reports.cli import commands
from provado.reports.documents.exit_status import AS_EXPECTED, IO_FAILED, NOT_COMPLETED, WRONG_USAGE
from provado.reports.documents.origin import provado_version
from provado.reports.targets.argument_parser import Parser, add_command
from provado.reports.text.formatting import clean

_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; without any, say what there is to run."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    _open_streams()
    try:
        if sys.stdout is None:
            _tell("error: standard output is closed; nothing was done")
            return IO_FAILED
        try:
            return _run(words)
        finally:
            # What fails only here, at the last moment, is as good as lost, too.
            sys.stdout.flush()
    except UsageError as error:
        _tell(f"error: {_as_typed(clean(str(error)), words)}")
        return IO_FAILED if io_failure(error) else WRONG_USAGE
    except KeyboardInterrupt:
        _tell("interrupted")
        return _INTERRUPTED
    except BrokenPipeError:
        return IO_FAILED  # The reader (head, less) has gone: there is nobody to tell.
    except OSError as error:
        _tell(f"error: input or output failed: {clean(error.strerror or str(error))}")
        return IO_FAILED
    except MemoryError:
        _tell("error: out of memory")
        return NOT_COMPLETED
    except Exception:
        import traceback

        # A mistake of ours says nothing of any claim: it must not end like a violation.
        _tell("error: a mistake in Provado itself; please report it:\n" + traceback.format_exc())
        return NOT_COMPLETED
    finally:
        _give_up_what_cannot_be_flushed()


def _run(words: Sequence[str]) -> int:
    if not words:
        print(welcome({name: help_of(name) for name in command_names()}))
        return AS_EXPECTED
    parser, _ = _parser(words)
    options = parser.parse_args(words)
    try:
        return int(options.run(options))
    except UsageError as error:
        if not getattr(options, "redact", False):
            raise
        from provado.reports.text.redact import masked

        words_left = masked(str(error), _typed(words))
        raise UsageError(f"{words_left} (--redact leaves values out)") from error


def _typed(words: Sequence[str]) -> dict[str, set[str]]:
    """Return what was typed, with its parts, by the name that a message has for its option."""
    typed: dict[str, set[str]] = {}
    name = "target"
    for word in words[1:]:
        if word.startswith("--"):
            option, _, word = word[2:].partition("=")
            name = option.replace("-", "_")
        typed.setdefault(name, set()).update((word, *re.split("[=:,]", word)))
    return typed | {"dataset": typed.get("data", set()) | typed.get("pair", set())}


def _as_typed(message: str, words: Sequence[str]) -> str:
    """Return a message that begins with the name of an argument with the option that was typed."""
    name = re.match(r"(\w+)(?= is | has |:)", message)
    if name is None:
        return message
    option = "--" + name[1].replace("_", "-")
    typed = [word.partition("=")[0] for word in words if word.startswith(option)]
    result = option if option in typed else next(iter(typed), name[1])
    return result + message[name.end() :]


def _open_streams() -> None:
    """Provide standard error, and output in any alphabet, whatever the process was started with."""
    if sys.stdin is None or sys.stderr is None:
        # Files that are opened later must not get the numbers of closed streams.
        while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
            pass
        os.close(number)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        # A terminal that has no ε prints another sign instead of failing.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _tell(words: str) -> None:
    """Print on standard error, if it can still be done: on a terminal in lines that fit."""
    with contextlib.suppress(OSError, ValueError):
        text = f"provado: {words}"
        if sys.stderr.isatty():
            from provado.reports.text.terminal import wrapped

            text = "\n".join(part for line in text.split("\n") for part in wrapped(line, 2))
        print(text, file=sys.stderr)


def _give_up_what_cannot_be_flushed() -> None:
    """Turn streams that fail into ones that do not: Python flushes again at exit, and complains."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _parser(words: Collection[str]) -> tuple[Parser, argparse._SubParsersAction[Parser]]:
    """Return the parser of the commands that are among ``words``, and its part that holds them."""
    parser = Parser(
        prog="provado",
        description="Proves, refutes and audits privacy claims, and reports what was found.",
        epilog="Exit status: 0 as expected, 1 a violation or another unexpected verdict, 2 wrong "
        "usage, 3 not completed, 4 input or output failed.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"provado {provado_version()}")
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    add_commands(subparsers, words)
    return parser, subparsers


_WRONG_PATH = frozenset(
    {
        *(errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ENAMETOOLONG),
        *(errno.ELOOP, errno.EINVAL, errno.EILSEQ),
    }
)
"""What the system says of a path that is wrong, whatever state the machine is in."""


def io_failure(error: BaseException | None) -> bool:
    """Return whether an error is, or was raised because of, a failure of input or output.

    A path that does not exist or names the wrong kind of thing is no such failure.
    """
    for _ in range(20):  # No complaint of ours has so many causes; a user's may go in a circle.
        if error is None:
            return False
        if isinstance(error, OSError) and error.errno is not None:
            return error.errno not in _WRONG_PATH
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return False


TRY = (
    ("provado audit --catalogue --only 'laplace*' --seconds 2", "audit some built-in mechanisms"),
    ("provado init --stdout", "find the mechanisms in this folder's Python files"),
    ("provado verify kusner2016/thm5-proof", "decide a published statement, with its argument"),
)
"""Commands that run anywhere in seconds, and what they do."""


def welcome(known: Mapping[str, str]) -> str:
    """Return what the program can do, by command and in few words, and what to try first."""
    wide = max(map(len, known))
    does = [f"  provado {name:{wide}}  {words}" for name, words in known.items()]
    tries = [f"  {command}\n      {words}" for command, words in TRY]
    return "\n".join(
        [
            "Provado proves, refutes and audits privacy claims, and reports what was found.",
            "",
            *does,
            "",
            "To try:",
            *tries,
            "",
            "Your own function: provado audit my.py lists what is in my.py, with a command for "
            "each.",
            "All options of a command: provado COMMAND --help.",
        ]
    )


def command_names() -> tuple[str, ...]:
    """Return the commands' names, sorted."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(commands.__path__)))


def add_commands(subparsers: argparse._SubParsersAction[Any], whole: Collection[str]) -> None:
    """Register every command, with all their options those of ``whole``, the others by name."""
    for name in command_names():
        if name in whole:
            module = importlib.import_module(f"{commands.__name__}.{name}")
            add_command(subparsers, name, module)
        else:
            subparsers.add_parser(name, help=help_of(name), allow_abbrev=False)


@cache
def help_of(name: str) -> str:
    """Return what a command does in few words: the constant ``HELP`` of its file."""
    text = (Path(commands.__path__[0]) / f"{name}.py").read_text(encoding="utf-8")
    for node in ast.parse(text).body:
        match node:
            case ast.Assign(targets=[ast.Name("HELP")], value=ast.Constant(str(words))):
                return words
    raise LookupError(f"the command {name} has no HELP")
