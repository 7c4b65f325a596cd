"""An environment for each release, made once: of the museum, and of the atlas."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from .exhibit import Version

FOLDER = Path("build/museum").absolute()
SECONDS = 1200


class NotInstalledError(Exception):
    """A version cannot be had; the message says why."""


def environment(version: Version, below: Path = FOLDER) -> Path:
    """Return the interpreter of a version's environment; raise ``NotInstalledError``."""
    asked = (*version.alone, *version.requirements)
    folder = below / re.sub(r"[^\w.-]+", "-", "-".join((*asked, version.python)))[:120]
    python, made = folder / "bin" / "python", folder / "made"
    if made.exists():
        return python
    shutil.rmtree(folder, ignore_errors=True)
    _run([_interpreter(version.python), "-m", "venv", str(folder)])
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if version.requirements:
        _run([*install, *version.requirements])
    if version.alone:
        _run([*install, "--no-deps", *version.alone])
    made.touch()
    return python


def _interpreter(minor: str) -> str:
    name = f"python{minor}"
    kept = (Path.home() / ".pyenv" / "versions").glob(f"{minor}.*/bin/{name}")
    for one in (shutil.which(name), *map(str, kept)):
        if one and subprocess.run([one, "-c", ""], capture_output=True).returncode == 0:
            return one
    raise NotInstalledError(f"there is no Python {minor}")


def _run(command: list[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise NotInstalledError(f"not installed within {SECONDS} s") from None
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        raise NotInstalledError((said or done.stderr.splitlines() or ["pip failed"])[-1])
