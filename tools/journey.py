"""Print how many files and functions of Provado three commands run through.

Run by ``make journey``. A profile hook notes every function of the four rooms that is entered, in
the command's own process and in those that it forks; functions entered while modules are imported
count as well, modules and class bodies themselves do not. ``modules`` are those of Provado that the
command's own process has loaded at its end.
"""

from __future__ import annotations

import argparse
import inspect
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from types import FrameType

from tools.weight import ROOMS

PARTS = ("comp>", "genexpr>")
ROOT = Path(__file__).resolve().parent.parent

MECHANISM = """
def noisy_mean(data, rng):
    return sum(data) / len(data) + rng.laplace(0, 1 / len(data))
"""
AUDIT = "audit mine.py:noisy_mean --epsilon 1 --domain 0:1 --relation replace-one --samples 2000"
COMMANDS = {
    "audit of a file's function": f"{AUDIT} --data data.json --seed 1 --out out",
    "verify one claim": "verify tschantz2022/prop1",
    "discover from a CSV": "discover people.csv --epsilon 1 --seed 1",
}


def watch(command: list[str], log: Path) -> int:
    """Run a command of Provado under the hook; append each function entered to a file."""
    seen: set[object] = set()
    # Written at once: processes that end by a signal or `_exit` write nothing at their end.
    file = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    rooms = tuple(f"{ROOT / room}{os.sep}" for room in ROOMS)

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code not in seen:
            seen.add(code)
            path = os.path.realpath(code.co_filename)
            # Comprehensions are part of their function, as they are from Python 3.12 on.
            function = code.co_flags & inspect.CO_OPTIMIZED and not code.co_name.endswith(PARTS)
            if function and path.startswith(rooms):
                os.write(file, f"{path}:{code.co_qualname}:{code.co_firstlineno}\n".encode())

    sys.setprofile(note)
    from provado.reports.cli.main import main

    try:
        status = main(command)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    sys.setprofile(None)
    modules = sum(name.split(".")[0] == "provado" for name in sys.modules)
    os.write(file, f"modules:{modules}\n".encode())
    return int(status or 0)


def journey(command: str) -> tuple[int, int, int]:
    """Run a command in a new folder; return files and functions entered, and modules loaded."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "mine.py").write_text(MECHANISM, encoding="utf-8")
        (folder / "data.json").write_text("[0.1, 0.4, 0.5, 0.9]", encoding="utf-8")
        rows = "\n".join(f"{k % 2},{(k * 7) % 3},{(k * k) % 4}" for k in range(200))
        (folder / "people.csv").write_text(f"a,b,c\n{rows}\n", encoding="utf-8")
        log = folder / "log"
        words = [sys.executable, "-m", "tools.journey", "--log", str(log), *shlex.split(command)]
        path = os.pathsep.join([str(ROOT), str(ROOT / "src")])
        run = subprocess.run(
            words,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
        )
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        if run.returncode not in (0, 1) or not lines[-1].startswith("modules:"):
            raise SystemExit(f"provado {command} ended with {run.returncode}:\n{run.stderr}")
    functions = {line for line in lines if not line.startswith("modules:")}
    files = {line.split(":")[0] for line in functions}
    return len(files), len(functions), int(lines[-1].split(":")[1])


def main() -> int:
    """Print a line for each command, or run one under the hook (``--log``)."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--log", type=Path)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    given = parser.parse_args()
    if given.log is not None:
        return watch(given.command, given.log)
    print(f"{'command':<28}{'files':>7}{'functions':>11}{'modules':>9}")
    for name, command in COMMANDS.items():
        files, functions, modules = journey(command)
        print(f"{name:<28}{files:>7}{functions:>11}{modules:>9}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
