"""Build both distributions and try each in empty environments: ``make release-check``.

The project's tracked files are exported, built by ``python -m build``, and the metadata is checked.
Wheel and source distribution are then installed into a new environment of each Python that is
found (3.11 to 3.13), where a planted violation must be certified from the shell, in Python and in
pytest. Prints the size of each installation. Exit status 1 where a step fails, or without a Python.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
VERSIONS = ("3.11", "3.12", "3.13")

MECHANISM = """\
import numpy as np


def noisy_count(data, *, size, rng):
    return np.round(np.sum(data) + rng.laplace(scale=0.5, size=size), 3)
"""

TEST = """\
from mine import noisy_count


def test_count(audit_dp):
    audit_dp(noisy_count, epsilon=1.0, data=[1, 0, 1], relation="replace-one", expected="violation")
"""

SCRIPT = """\
from mine import noisy_count
from provado import audit

result = audit(noisy_count, epsilon=1.0, data=[1, 0, 1], relation="replace-one", samples=20_000)
assert str(result.verdict) == "violation", result
"""

AUDIT = ["audit", "mine.py:noisy_count", "--epsilon", "1", "--data", "data.json"]
AUDIT += ["--relation", "replace-one", "--samples", "20000", "--out", "out"]


class StepError(Exception):
    """A step that did not end as it must."""


def run(what: str, words: list[str | Path], folder: Path, expected: int = 0) -> str:
    """Run a command, print what it was for, and return its output; raises ``StepError``."""
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    print(f"  {what}: {'ok' if done.returncode == expected else 'FAILED'}", flush=True)
    if done.returncode != expected:
        raise StepError(
            f"{what}: exit status {done.returncode}\n{done.stdout}{done.stderr}"[-4000:]
        )
    return done.stdout


def build(folder: Path) -> list[Path]:
    """Return the wheel and the source distribution, built from the tracked files alone."""
    archive, source, dist = folder / "source.tar", folder / "source", folder / "dist"
    run("export", ["git", "archive", "-o", archive, "HEAD"], ROOT)
    with tarfile.open(archive) as held:
        held.extractall(source, filter="data")
    run("environment", [sys.executable, "-m", "venv", folder / "build"], folder)
    python = folder / "build/bin/python"
    run("install build", [python, "-m", "pip", "install", "-q", "build", "twine"], folder)
    run("build", [python, "-m", "build", "-o", dist, source], folder)
    files = sorted(dist.iterdir())
    run("metadata", [python, "-m", "twine", "check", "--strict", *files], folder)
    check_contents(*files)
    return files


def check_contents(wheel: Path, source: Path) -> None:
    """Raise ``StepError`` where a distribution lacks what it must hold."""
    with zipfile.ZipFile(wheel) as held:
        names = set(held.namelist())
        (described,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        metadata = held.read(described).decode("utf-8")
    missing = {"provado/py.typed", "provado/audit/api.py", "provado/proofs/kernel.py"} - names
    with tarfile.open(source) as packed:
        inside = {name.partition("/")[2] for name in packed.getnames()}
    missing |= {"tests/conftest.py", "docs/pages/tutorial.md", "Makefile", "CHANGELOG.md"} - inside
    if missing:
        raise StepError(f"missing in the distributions: {', '.join(sorted(missing))}")
    relative = re.findall(r"\]\((?!https?:)([^)]*)", metadata)
    if relative or "# Provado" not in metadata:
        raise StepError(f"long description: relative links {relative} or no text")


def try_out(artifact: Path, version: str, folder: Path) -> float:
    """Install a distribution into an empty environment and use it; return its size in MB."""
    interpreter = shutil.which(f"python{version}")
    assert interpreter is not None
    run("environment", [interpreter, "-m", "venv", folder / "venv"], folder)
    tools = folder / "venv/bin"
    run("install", [tools / "python", "-m", "pip", "install", "-q", artifact], folder)
    site = next((folder / "venv/lib").glob("*/site-packages"))
    size = sum(f.stat().st_size for f in site.rglob("*") if f.is_file()) / 1e6
    (folder / "mine.py").write_text(MECHANISM, encoding="utf-8")
    (folder / "script.py").write_text(SCRIPT, encoding="utf-8")
    (folder / "test_mine.py").write_text(TEST, encoding="utf-8")
    (folder / "data.json").write_text("[1, 0, 1]", encoding="utf-8")
    run("version", [tools / "provado", "--version"], folder)
    run("command line", [tools / "provado", *AUDIT], folder, expected=1)
    run("recheck", [tools / "provado", "report", "out/audit.json", "--recheck"], folder)
    run("library", [tools / "python", "script.py"], folder)
    run("install pytest", [tools / "python", "-m", "pip", "install", "-q", "pytest"], folder)
    run("pytest", [tools / "python", "-m", "pytest", "-q"], folder)
    return size


def answers(version: str) -> bool:
    """Return whether there is such a Python; what only stands in for one does not run."""
    words = [f"python{version}", "--version"]
    return bool(shutil.which(words[0])) and not subprocess.run(words, check=False).returncode


def main() -> int:
    """Build and try everything; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", action="append", choices=VERSIONS, help="only this version")
    wanted = parser.parse_args().python or VERSIONS
    found = [one for one in wanted if answers(one)]
    for missing in sorted(set(wanted) - set(found)):
        print(f"python{missing} is not installed: not tried")
    if not found:
        return 1
    with tempfile.TemporaryDirectory() as name:
        try:
            for artifact in build(Path(name)):
                for version in found:
                    print(f"{artifact.name}, Python {version}", flush=True)
                    folder = Path(tempfile.mkdtemp(dir=name))
                    print(f"  installed: {try_out(artifact, version, folder):.0f} MB")
        except StepError as error:
            print(error, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
