"""What a report says where the worst pair has another number of records than the data."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from provado.reports.audit_report.document import load_run
from provado.reports.cli.main import main
from provado.reports.text.proved import proved_sentences
from provado.reports.text.report import AuditReport

N = 40
SIZED = f"""
N = {N}


def noisy_mean(data, rng):
    return round(sum(data) / len(data) + rng.laplace(0, 1 / N), 2)
"""
GIVEN = ["--epsilon", "1", "--domain", "0:1", "--relation", "replace-one", "--samples", "4000"]
CONFIGURED = """[audits.a]
target = "sized.py:noisy_mean"
epsilon = 1
samples = 4000
data = "data.json"
domain = "0:1"
relation = "replace-one"
fixed-size = true
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    Path("sized.py").write_text(SIZED, encoding="utf-8")
    Path("data.json").write_text(json.dumps([i / N for i in range(N)]), encoding="utf-8")
    yield tmp_path
    sys.modules.pop("sized", None)


def test_a_proof_of_one_size_says_nothing_of_a_pair_of_another(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["audit", "sized.py:noisy_mean", *GIVEN, "--data", "data.json", "--out", "out"]
    assert main(asked) == 1
    told = " ".join(capsys.readouterr().out.split())
    note = f"the datasets of the worst pair have size 1, your data have size {N}"
    for said in (note, "--fixed-size", "on a pair with another number of records"):
        assert said in told
        assert said in Path("out/audit.html").read_text(encoding="utf-8")
    assert "floating point, reveals more" not in told
    (result,) = load_run(Path("out/audit.json")).results
    assert result.search is not None
    assert result.search.other_size
    assert note in result.notes[0]
    assert "floating point, reveals more" not in " ".join(proved_sentences(result))
    proved = dict(AuditReport(result, anytime=False).evidence)["Proved bound"]
    assert "of such a pair the proof says nothing" in proved


def test_an_audit_of_one_size_passes_and_says_which(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["audit", "sized.py:noisy_mean", *GIVEN, "--data", "data.json", "--fixed-size"]
    assert main(asked) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert f"of {N} records searched in" in told
    assert "; records: numbers from 0 to 1 (as stated)" in told
    assert "--replace-one --fixed-size" in told.replace("--relation ", "--")
    assert "the gap is" in told


def test_a_configured_audit_of_one_size(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("provado.toml").write_text(CONFIGURED, encoding="utf-8")
    assert main(["audit", "a"]) == 0
    assert f"of {N} records" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ('relation = "replace-one"', 'relation = "add-or-remove-one"'),
        ('data = "data.json"\ndomain = "0:1"', "pairs = [[[0], [1]]]"),
    ],
)
def test_a_fixed_size_belongs_to_data_whose_records_are_replaced(
    folder: Path, capsys: pytest.CaptureFixture[str], line: str, other: str
) -> None:
    Path("provado.toml").write_text(CONFIGURED.replace(line, other), encoding="utf-8")
    assert main(["audit", "a"]) == 2
    number = 8 if "pairs" not in other else 7
    told = capsys.readouterr().err
    assert f"line {number}: audits.a.fixed-size: it belongs to data with relation" in told


@pytest.mark.parametrize(
    "words", [["--relation", "add-or-remove-one", "--data", "data.json"], ["--pair", "a", "b"]]
)
def test_the_command_line_refuses_it_where_sizes_change(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    assert main(["audit", "sized.py:noisy_mean", "--epsilon", "1", "--fixed-size", *words]) == 2
    told = capsys.readouterr().err
    assert "--fixed-size: it is for --data under --relation replace-one; give both" in told
