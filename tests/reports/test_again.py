"""The command that is printed under an audit repeats it, wherever time ended its parts."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from provado.reports.cli.main import main

TEN = """
import numpy as np


def total(data, *, size, rng):
    return np.sum(data) + rng.laplace(0, 1, size)


def total_of_one(data, rng):
    return float(np.sum(data) + rng.laplace(0, 1))


def mean(data, *, size, rng):
    return np.sum(data) / max(len(data), 1) + rng.laplace(0, 1, size)


def counted(data, *, size, rng):
    return len(data) + rng.geometric(0.5, size) - rng.geometric(0.5, size)


def answered(data, rng):
    return "yes" if rng.random() < (0.7 if max(data, default=0) > 0.5 else 0.4) else "no"


def raised(data, rng):
    if max(data, default=0) > 0.9 and rng.random() < 0.5:
        raise ValueError("too large")
    return int(rng.integers(2))


def suppressed(data, *, size, rng):
    return np.full(size, -1.0) if len(data) < 6 else len(data) + rng.laplace(0, 1, size)


def several(data, *, size, rng):
    return np.sum(data) + rng.laplace(0, 1, (size, 3))


def keyed(data, rng):
    return {"n": len(data) + float(rng.laplace()), "kind": "b" if rng.random() < 0.5 else "a"}


def rounded(data, *, size, rng):
    return np.round(np.sum(data) + rng.laplace(0, 2, size))
"""
NAMES = [line[4 : line.index("(")] for line in TEN.splitlines() if line.startswith("def ")]


@pytest.fixture
def ten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ten.py").write_text(TEN, encoding="utf-8")
    (tmp_path / "data.json").write_text("[0.2, 0.35, 0.5, 0.8, 0.4, 0.6]", encoding="utf-8")
    sys.modules.pop("ten", None)
    yield tmp_path
    sys.modules.pop("ten", None)


def audited(folder: Path, words: list[str], out: str) -> dict[str, Any]:
    main([*words, "--out", out])
    audit: dict[str, Any] = json.loads((folder / out / "audit.json").read_bytes())["audits"][0]
    return audit


@pytest.mark.parametrize("name", NAMES)
def test_the_printed_command_repeats_the_audit(
    name: str,
    ten: Path,
    ticking: Callable[[float], None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["audit", f"ten.py:{name}", "--epsilon", "0.01", "--data", "data.json", "--seed", "3"]
    words += ["--domain", "0:1", "--relation", "add-or-remove-one", "--seconds", "2", "--jobs", "1"]
    ticking(2e-3)
    first = audited(ten, words, "first")
    assert first["search"]["cut"]
    assert 0 < first["search"]["cut_after"] < first["search"]["planned_runs"]
    printed = capsys.readouterr().out
    (again,) = re.findall(r"^  Reproduce +provado (.*?)(?=\n  [A-Z]|\Z)", printed, re.M | re.S)
    monkeypatch.undo()
    monkeypatch.chdir(ten)
    repeated = audited(ten, shlex.split(again.replace("\\\n", "")), "again")
    assert repeated["pairs"] == first["pairs"]
    assert repeated["pairs"][0]["counts"]
    assert repeated["search"]["runs"] == first["search"]["runs"]


def test_there_are_ten() -> None:
    assert len(NAMES) == 10
