"""The audit of one row, through the command line, as a user would run it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .enclosures import enclosure
from .package import PACKAGES, Package

SECONDS = 10.0
"""Of an audit, planned."""

LIMIT = 300.0
"""Seconds after which the command is ended."""

MOST_ROWS = 400
"""Rows that share alpha; a larger table is an error, so that rows can be added to it."""

ALPHA = 0.05 / MOST_ROWS

Row = dict[str, Any]


def audited(
    package: Package, interpreter: str, row: Mapping[str, Any], effort: Sequence[str], work: Path
) -> Row:
    """Return what was found of a row; a violation leaves a draft of a report in ``work``.

    effort: options of the command that plan the trials.
    """
    found: Row = {
        "package": package.name,
        "version": package.version,
        **{k: row[k] for k in ("key", "name", "claim", "place", "relation", "digest")},
        **{k: row[k] if row[k] == row[k] else None for k in ("epsilon", "delta")},
    }
    if row["error"]:
        return found | {"verdict": "unknown", "reason": row["error"]}
    if "mechanism" in row:
        return found | _held_to_numbers(row)
    started = time.monotonic()
    found |= _through_command_line(package, interpreter, row, effort, work)
    if found["verdict"] == "violation":
        found["check"] = None
        if row["check"]:
            epsilon, how = package.ask(interpreter, "rows.checked", row["key"])
            found["check"] = {"epsilon": epsilon, "how": how}
    if row["exact"]:
        found |= computed(package, interpreter, row)
    return found | {"seconds": round(time.monotonic() - started, 1)}


def computed(package: Package, interpreter: str, row: Mapping[str, Any]) -> Row:
    """Return the ε that follows from the parameters of a row's noise."""
    epsilon, how = package.ask(interpreter, "rows.computed", row["key"])
    return {"exact": {"epsilon": epsilon, "how": how}}


def _held_to_numbers(row: Mapping[str, Any]) -> Row:
    """Compare a claimed ε with an enclosure of the true one."""
    started = time.monotonic()
    low, high = enclosure(delta=row["delta"], **row["mechanism"])
    verdict = "unknown"
    if row["epsilon"] < low:
        verdict = "violation"
    elif row["epsilon"] >= high:
        verdict = "proved"
    reason = "the claim lies inside the enclosure" if verdict == "unknown" else ""
    check = None
    if verdict == "violation":
        check = {"epsilon": low, "how": "the enclosure itself is a computation with error bounds"}
    seconds = round(time.monotonic() - started, 1)
    told = {"verdict": verdict, "lower": low, "upper": high, "reason": reason}
    return told | {"check": check, "seconds": seconds}


def _through_command_line(
    package: Package, interpreter: str, row: Mapping[str, Any], effort: Sequence[str], work: Path
) -> Row:
    work.mkdir(parents=True, exist_ok=True)
    pairs: list[str] = []
    for number, pair in enumerate(row["pairs"]):
        files = [work / f"{row['key']}-{number}{side}.json" for side in "ab"]
        for file, data in zip(files, pair, strict=True):
            file.write_text(json.dumps(data), encoding="utf-8")
        pairs += ["--pair", *map(os.path.relpath, files)]
    record, draft = work / f"{row['key']}.audit.json", work / f"{row['key']}.md"
    for file in (record, draft):
        file.unlink(missing_ok=True)
    command = [sys.executable, "-m", "provado.reports", "audit"]
    target = f"{os.path.relpath(PACKAGES / package.file)}:rows.{row['key']}"
    command += [target, "--python", os.path.relpath(interpreter), *pairs]
    command += ["--epsilon", repr(float(row["epsilon"])), "--delta", repr(float(row["delta"]))]
    command += ["--confidence", repr(1 - ALPHA), *effort, "--jobs", "1"]
    command += ["--format", f"json={record}", "--format", f"issue={draft}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return {"verdict": "unknown", "reason": f"not finished after {LIMIT:g} s"}
    if not record.is_file():
        said = " ".join(done.stderr.split()) or f"exit status {done.returncode}"
        return {"verdict": "unknown", "reason": said[-300:]}
    result = json.loads(record.read_text(encoding="utf-8"))["audits"][0]
    detectable = [one["detectable_epsilon"] for one in result["pairs"]]
    if any(isinstance(one, str) or one is None for one in detectable):
        detectable = []  # no ε would have been detected on one of the pairs
    return without_power(
        {
            "verdict": result["verdict"],
            "reason": result["reason"],
            "lower": result["epsilon_lower"],
            "detectable": max(detectable, default=None),
            "cause": result["cause"],
            "trials": sum(_trials(one["counts"]) for one in result["pairs"]),
        }
    )


def without_power(found: Row) -> Row:
    """Return what was found, as ``unknown`` where no violation could have been certified."""
    if found["verdict"] != "no violation found" or found["detectable"] is not None:
        return found
    reason = f"no ε was detectable in {found['trials']} trials: finding no violation shows nothing"
    return found | {"verdict": "unknown", "reason": reason}


def _trials(counts: Mapping[str, int]) -> int:
    return sum(counts.values())
