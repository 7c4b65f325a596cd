"""The same sound mechanisms through other auditors: a scoreboard of validity."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from benchmarks.validity_rate import Rate

ROOT = Path(__file__).parent.parent
RIVALS = ("jax-privacy", "dp-auditorium")
"""Installed by ``make`` into an environment of their own, with a log of pip for each."""


def scoreboard(ours: dict[str, Rate], runs: int, environment: str) -> Iterator[str]:
    """Yield the lines of the table. environment: the folder of the rivals' environment."""
    home = Path(environment)
    jax, reason = _measured(home, runs)
    if jax is None:
        yield f"jax-privacy: {reason}."
    else:
        yield from _table(ours, jax, runs)
    yield ""
    yield f"DP-Auditorium: {_why_not(home, 'dp-auditorium', 'dp_auditorium')}."


def _table(ours: dict[str, Rate], jax: dict[str, object], runs: int) -> Iterator[str]:
    alarms = jax["alarms"]
    assert isinstance(alarms, dict)
    methods = list(alarms)
    names = list(alarms[methods[0]])
    yield "| lower bound above the claim, of " + f"{runs} | " + " | ".join(names) + " |"
    yield "| --- |" + " --- |" * len(names)
    yield "| Provado | " + " | ".join(_cell(ours[name]) for name in names) + " |"
    for method in methods:
        found = alarms[method]
        cells = [_cell(Rate(found[name], runs)) if name in found else "–" for name in names]
        yield f"| jax-privacy {jax['version']}: {method} | " + " | ".join(cells) + " |"
    yield ""
    yield (
        "–: the method takes Gaussian DP for granted, which the mechanism is not. In bold: above "
        "5 % beyond the interval."
    )


def _cell(rate: Rate) -> str:
    _, share, interval = rate.cells()
    text = f"{share} {interval}"
    return f"**{text}**" if rate.above else text


def _measured(home: Path, runs: int) -> tuple[dict[str, object] | None, str]:
    """Return what the rivals' environment measured, or why it did not."""
    why_not = _why_not(home, "jax-privacy", "jax_privacy")
    if why_not != INSTALLED:
        return None, why_not
    done = subprocess.run(
        [_python(home), "-m", "benchmarks.validity_rivals", str(runs)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src"), "JAX_PLATFORMS": "cpu"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return found, ""


INSTALLED = "installed, and not measured"


def _why_not(home: Path, package: str, module: str) -> str:
    """Return why a package cannot be used, in pip's words, or ``INSTALLED``."""
    if not home.name or not Path(_python(home)).is_file():
        return "not installed: there is no environment of rivals (`make bench-validity` makes it)"
    here = subprocess.run(
        [_python(home), "-c", f"import {module}"], capture_output=True, text=True, check=False
    )
    if here.returncode == 0:
        return INSTALLED
    log = home / f"{package}.log"
    said = log.read_text(encoding="utf-8").splitlines() if log.is_file() else []
    errors = [line.removeprefix("ERROR: ") for line in said if line.startswith("ERROR: ")]
    return "not installed: " + (errors[-1] if errors else here.stderr.splitlines()[-1])


def _python(home: Path) -> str:
    return str(home / "bin" / "python")
