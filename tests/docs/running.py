"""Runs the blocks of one page in a folder of its own, in order, and compares what they print.

Everything runs in forked processes, so that a page sees neither the modules nor the settings that
another one left, and nothing is imported twice. A command ``provado`` or ``pytest`` is its
``main``; any other goes to bash.
"""

import contextlib
import importlib
import io
import math
import multiprocessing
import os
import pkgutil
import re
import shlex
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from provado.proofs.ledger.entry import ledger
from provado.reports.cli import commands
from provado.reports.commands.reproduce.experiment import experiments
from provado.reports.tasks import progress, task
from tests.docs.fences import Block
from tests.docs.matching import matches

# What the commands import when they run is imported once, here, and not in every forked process.
_PREFIX = f"{commands.__name__}."
LATE = (
    "hypothesis",
    "provado.audit.experiments.effects.observational",
    "provado.reports.pytest_plugin.audit_fixture",
    "provado.reports.pytest_plugin.check_fixtures",
    "provado.audit.experiments.replay",
    "provado.reports.commands.replay.words",
    "provado.reports.ledger.run",
    "provado.proofs.sensitivity",
    "sklearn.ensemble",
)
for _module in (*(m.name for m in pkgutil.iter_modules(commands.__path__, _PREFIX)), *LATE):
    importlib.import_module(_module)
experiments()
ledger()

WIDTH = "88"
OURS = (Path(__file__).parents[1], Path(__file__).parents[2] / "docs")


@dataclass
class Page:
    """What one page has come to: its folder, its Python names, what was wrong, what was printed."""

    folder: Path
    names: dict = field(default_factory=lambda: {"__name__": "__docs__"})
    wrong: list[str] = field(default_factory=list)
    printed: dict[int, str] = field(default_factory=dict)
    last: str | None = None
    status: int = 0


def run_page(blocks: list[Block], folder: Path) -> tuple[list[str], dict[int, str]]:
    """Return what was wrong on a page, and what its console and output blocks should show.

    The latter is keyed by the position of the block.
    """
    return in_child(lambda: _run(blocks, folder))


def printed(name: str, arguments: list[str], folder: Path) -> tuple[int, str]:
    """Return the status of ``provado`` or ``pytest``, run in a folder, and all that it printed."""

    def run() -> tuple[int, str]:
        _settle(folder)
        return _captured(folder, _MAINS[name], arguments)

    return in_child(run)


def _run(blocks: list[Block], folder: Path) -> tuple[list[str], dict[int, str]]:
    _settle(folder)
    page = Page(folder)
    for position, block in enumerate(blocks):
        if block.no_run:
            page.last = None
            continue
        try:
            _one(page, position, block)
        except Exception:
            page.wrong.append(f"{block.place}: {traceback.format_exc(limit=-3)}")
    _unshown(page, blocks[-1].place if blocks else "")
    return page.wrong, page.printed


def _settle(folder: Path) -> None:
    os.chdir(folder)
    os.environ.update(COLUMNS=WIDTH, NO_COLOR="1", PY_COLORS="0", HOME=str(folder))
    # Where CI is set, pytest does not shorten its summary, and Hypothesis takes another profile.
    for name in [name for name in os.environ if name.startswith(("PYTEST", "PROVADO"))]:
        del os.environ[name]
    for name in ("CI", "BUILD_NUMBER"):
        os.environ.pop(name, None)
    # What a run is going to cost is said where it takes long, which no page can know.
    progress.LONG = task.LONG = math.inf
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True
    _forget(*OURS)


def _one(page: Page, position: int, block: Block) -> None:
    if block.language == "output":
        if page.last is None:
            page.wrong.append(f"{block.place}: no block that was run stands before this output")
            return
        page.printed[position] = page.last
        _compare(page, block.place, block.text, page.last)
        page.last = None
        return
    _unshown(page, block.place)
    if block.title:
        place = page.folder / block.title
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(block.text, encoding="utf-8")
        _forget(place)
    elif block.language == "python":
        page.last = _python(page, block)
    elif block.language == "console":
        page.printed[position] = _console(page, block)
    else:
        page.wrong.append(
            f'{block.place}: a {block.language or "nameless"} block is not run: give it title="…", '
            'to write it to a file, or no-run="why"'
        )


def _unshown(page: Page, place: str) -> None:
    if page.last:
        page.wrong.append(f"before {place}: the page does not show this output: {page.last!r}")
    page.last = None


def _python(page: Page, block: Block) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(block.text, block.place, "exec"), page.names)
    return out.getvalue()


def commands_of(text: str) -> list[tuple[str, str]]:
    """Return the commands of a console block, each with the output that is shown below it."""
    found: list[tuple[str, str]] = []
    lines = iter(text.splitlines(keepends=True))
    for line in lines:
        if line.startswith("$ "):
            command = line
            while command.endswith("\\\n"):
                command += next(lines)
            found.append((command, ""))
        elif found:
            command, shown = found[-1]
            found[-1] = command, shown + line
        else:
            raise ValueError(f"a console block begins with {line!r}: it must be a command, '$ …'")
    return found


def _console(page: Page, block: Block) -> str:
    text = ""
    for command, shown in commands_of(block.text):
        printed = _command(page, command[2:].replace("\\\n", " ").strip())
        _compare(page, f"{block.place}: {command.strip()}", shown, printed)
        text += command + printed
    return text


def _command(page: Page, command: str) -> str:
    if command == "echo $?":
        return f"{page.status}\n"
    words = shlex.split(command)
    if words[0] in _MAINS and not re.search(r"[|<>&;$]", command):
        page.status, text = in_child(lambda: _captured(page.folder, _MAINS[words[0]], words[1:]))
        return text
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    page.status = done.returncode
    return done.stdout


def _captured(
    folder: Path, main: Callable[[list[str]], int], arguments: list[str]
) -> tuple[int, str]:
    place = folder.parent / "printed"
    with place.open("wb") as file:
        for number in (1, 2):
            os.dup2(file.fileno(), number)
    sys.stdout = open(1, "w", encoding="utf-8", buffering=1, closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", buffering=1, closefd=False)  # noqa: SIM115
    warnings.resetwarnings()
    warnings.simplefilter("ignore", DeprecationWarning)
    # A program has its own folder first on its path, and has imported nothing of the caller's.
    sys.path.remove(str(folder))
    _forget(folder)
    try:
        status = int(main(arguments))
    except SystemExit as error:
        status = int(error.code or 0)
    sys.stdout.flush()
    sys.stderr.flush()
    return status, place.read_text(encoding="utf-8")


def _forget(*places: Path) -> None:
    """Drop the modules that were imported from a file, or from below a folder."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and any(Path(file).is_relative_to(place) for place in places):
            del sys.modules[name]


def _provado(arguments: list[str]) -> int:
    from provado.reports.cli.main import main

    return main(arguments)


def _pytest(arguments: list[str]) -> int:
    import pytest

    return pytest.main(arguments)


_MAINS = {"provado": _provado, "pytest": _pytest}


def in_child(work: Callable[[], object]) -> object:
    """Return what ``work`` returns in a forked process; raise what it raised, as text."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)

    def told() -> None:
        try:
            theirs.send((True, work()))
        except BaseException:
            theirs.send((False, traceback.format_exc()))

    child = context.Process(target=told)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child.start()
    theirs.close()
    try:
        good, value = ours.recv()
    except EOFError:
        good, value = False, "the process ended without an answer"
    child.join()
    if not good:
        raise RuntimeError(value)
    return value


def _compare(page: Page, place: str, shown: str, printed: str) -> None:
    # From a minute on, pytest says a time twice.
    printed = re.sub(r"( in \d+\.\d+s) \(\d+:\d\d:\d\d\)", r"\1", printed)
    if not matches(shown, printed):
        page.wrong.append(f"{place}\nthe page shows:\n{shown}\nwhat was printed:\n{printed}")
