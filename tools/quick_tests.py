"""Run the tests of the rooms that were changed, and of those above, that fit into a minute.

Run by ``make test-quick``. ``tests/times.json`` has the processor seconds of each test file as
``pytest --record-times`` measured them; files are taken from the quickest on until their sum is
``BUDGET``. A file that is not in the record is taken first, since it is new.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

BUDGET = 60.0
"""Processor seconds of the tests chosen, which two processors share; the rest is starting."""

ABOVE = {
    "mechanisms": ("mechanisms", "audit", "proofs", "reports"),
    "proofs": ("proofs", "reports"),
    "audit": ("audit", "reports"),
    "reports": ("reports",),
}
ROOT = Path(__file__).resolve().parent.parent


def changed_files() -> list[str]:
    """Return the files that differ from the last commit; those of that commit where none does."""
    for revision in ("HEAD", "HEAD~1"):
        command = ["git", "diff", "--name-only", revision]
        found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        if found.stdout.split():
            break
    return found.stdout.split()


def folders_of(changed: Iterable[str]) -> set[str]:
    """Return the folders of ``tests`` that concern the files changed; all where no room is."""
    rooms = {part for path in changed for part in path.split("/")[:2] if part in ABOVE}
    return {above for room in rooms or ABOVE for above in ABOVE[room]}


def chosen_files(files: Iterable[str], seconds: Mapping[str, float], budget: float) -> list[str]:
    """Return the files that fit into the budget, the quickest first; new ones cost nothing."""
    left, chosen = budget, []
    for path in sorted(files, key=lambda path: (seconds.get(path, 0.0), path)):
        left -= seconds.get(path, 0.0)
        if left < 0:
            break
        chosen.append(path)
    return chosen


def main() -> int:
    """Run the files chosen; return pytest's status."""
    folders = folders_of(changed_files())
    files = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        if path.relative_to(ROOT / "tests").parts[0] in folders or path.parent == ROOT / "tests"
    ]
    seconds = json.loads((ROOT / "tests/times.json").read_text(encoding="utf-8"))
    chosen = chosen_files(files, seconds, BUDGET)
    print(f"{len(chosen)} of {len(files)} test files of {', '.join(sorted(folders))}.")
    command = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadfile", "-q", *chosen]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
