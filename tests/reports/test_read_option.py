"""A function that makes outputs readable: on the command line, in a configuration, in a report."""

import json
import sys
from pathlib import Path

import pytest

from provado.reports.cli.main import main

MODELS = """
import threading

class Model:
    def __init__(self, value):
        self.lock, self.value = threading.Lock(), value

def fit(data, rng):
    return Model(rng.laplace())

def leaky(data, rng):
    return Model(data[0])

def value_of(model):
    return model.value
"""
CONFIG = """
[audits.fit]
target = "models.py:fit"
epsilon = 1.0
pairs = [[[0], [1]]]
samples = 500
"""
ASKED = ["--epsilon", "1", "--pair", "d0.json", "d1.json", "--samples", "500", "--jobs", "1"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    # A module that was imported from another folder would be in the way.
    monkeypatch.delitem(sys.modules, "models", raising=False)
    (tmp_path / "models.py").write_text(MODELS)
    (tmp_path / "d0.json").write_text("[0]")
    (tmp_path / "d1.json").write_text("[1]")
    return tmp_path


def found(*words: str) -> tuple[int, dict]:
    status = main(["audit", *words, "--out", "out"])
    return status, json.loads(Path("out/audit.json").read_text())["audits"][0]


@pytest.mark.usefixtures("folder")
def test_what_is_not_read_is_unknown_with_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    status, result = found("models.py:fit", *ASKED)
    assert (status, result["verdict"]) == (3, "unknown")
    said = " ".join(capsys.readouterr().out.split())
    assert "a part that is not read: output.lock is _thread.lock" in said
    assert "--read file.py:function" in said
    assert "read" not in result


@pytest.mark.usefixtures("folder")
def test_a_function_is_given_and_declared() -> None:
    status, result = found("models.py:fit", *ASKED, "--read", "models.py:value_of")
    assert (status, result["verdict"]) == (0, "no violation found")
    assert result["read"] == "models.value_of"
    assert "--read" in result["selection"]
    assert result["evidence"]["Claim"].startswith("ε = 1 of outputs read by models.value_of")
    assert found("models.py:leaky", *ASKED, "--read", "models.py:value_of")[0] == 1


def test_a_configuration_names_the_function(folder: Path) -> None:
    file = folder / "provado.toml"
    file.write_text(CONFIG)
    assert found("fit")[0] == 3
    file.write_text(CONFIG + 'read = "models.py:value_of"\n')
    status, result = found("fit")
    assert (status, result["read"]) == (0, "models.value_of")


@pytest.mark.usefixtures("folder")
def test_a_function_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "models.py:fit", *ASKED, "--read", "models.py:values"]) == 2
    assert "--read: target 'models.py:values'" in capsys.readouterr().err
