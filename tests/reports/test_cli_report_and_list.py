from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from provado.mechanisms.catalogue import catalogue
from provado.reports.audit_report.document import run_to_json
from provado.reports.audit_report.formats import FORMATS, render
from provado.reports.cli.main import main
from provado.reports.documents import schema
from provado.reports.tasks.run import Run


@pytest.fixture
def file(run: Run, tmp_path: Path) -> Path:
    place = tmp_path / "audit.json"
    place.write_text(schema.dumps(run_to_json(run)), encoding="utf-8")
    return place


def test_a_report_is_shown_again(file: Path, run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(file)]) == 0
    out = capsys.readouterr().out
    assert all(result.name in out for result in run.results)
    assert main(["report", str(file), "--json"]) == 0
    assert capsys.readouterr().out == file.read_text(encoding="utf-8")


def test_a_recheck_prints_one_line_an_audit(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(file), "--recheck"]) == 0
    *lines, unchecked, beyond = capsys.readouterr().out.splitlines()
    assert [line.split(maxsplit=1) for line in lines] == [
        ["agrees", name] for name in ("the run", "clear", "violating", "approximate", "broken")
    ]
    assert unchecked.startswith(
        "unchecked: provado, versions, provenance, audits (their order); of audits: "
    )
    assert "That the counts were drawn as the report says does not follow from it" in beyond
    assert "it is no signature, and does not stop a forger" in beyond


def test_a_recheck_that_differs_is_a_surprise_and_says_where(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(
        file.read_text(encoding="utf-8").replace('"d_guessed_d": 300', '"d_guessed_d": 299')
    )
    assert main(["report", str(file), "--recheck"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("DIFFERS clear: pair 0: bound: recorded ε ≥ ")
    assert main(["report", str(file), "--recheck", "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, schema.json_schema(schema.RECHECK))
    assert not document["agrees"]
    assert [check["agrees"] for check in document["checks"]] == [False, False, True, False, True]
    assert document["checks"][0]["differences"] == [
        "digest: the file is not as it was written: something in it was changed"
    ]
    assert {"seed", "seconds", "notes", "expected"} <= set(document["checks"][1]["unchecked"])


def test_a_report_is_rendered(file: Path, tmp_path: Path) -> None:
    assert main(["report", str(file), "--html", str(tmp_path / "sub" / "page.html")]) == 0
    assert (tmp_path / "sub" / "page.html").read_text(encoding="utf-8").startswith("<!doctype html")


def test_a_report_goes_into_several_formats_at_once(
    file: Path, tmp_path: Path, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "sub"
    files = {name: out / name for name in ("junit", "sarif", "json", "html")}
    words = [word for name, place in files.items() for word in ("--format", f"{name}={place}")]
    assert main(["report", str(file), *words, "--format", "markdown"]) == 0
    for name, place in files.items():
        assert place.read_text(encoding="utf-8") == render(run, name)
    assert capsys.readouterr().out == render(run, "markdown")


def test_a_format_alone_is_printed(
    file: Path, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in FORMATS:
        assert main(["report", str(file), "--format", name]) == 0
        assert capsys.readouterr().out == render(run, name)


def test_a_recheck_may_also_leave_files(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "out.xml"
    assert main(["report", str(file), "--recheck", "--format", f"junit={place}"]) == 0
    assert place.exists()
    assert capsys.readouterr().out.startswith("agrees")


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--format", "sarf"], "did you mean sarif?"),
        (["--format", "junit", "--json"], "standard output takes one format, here junit"),
        (["--format", "sarif=x", "--html", "x"], "two formats would be written to 'x'"),
        (["--format", "junit", "--recheck"], "--recheck prints to standard output"),
        (["--html", ""], "the file is missing"),
        (["--format", "markdown="], "the file is missing; as markdown=summary.md"),
    ],
)
def test_formats_that_cannot_be_are_wrong_usage(
    file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    part: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["report", str(file), *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert part in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == [file]


def test_a_format_that_cannot_be_written_is_wrong_usage(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken").mkdir()
    words = ["--format", f"sarif={tmp_path / 'taken'}", "--format", "markdown"]
    assert main(["report", str(file), *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1


@pytest.mark.parametrize("content", ["", "{}", '{"schema": "provado-audit/2"}', "[]"])
def test_what_is_no_report_is_wrong_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str
) -> None:
    file = tmp_path / "audit.json"
    file.write_text(content)
    assert main(["report", str(file), "--recheck", "--html", str(tmp_path / "page.html")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"provado: error: {file}: ")
    assert err.count("\n") == 1
    assert not (tmp_path / "page.html").exists()


def test_a_missing_report_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "nowhere.json"]) == 2
    assert "nowhere.json: it cannot be read" in capsys.readouterr().err


def test_the_catalogue_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == [one.name for one in catalogue()]
    assert main(["list", "--wide"]) == 0
    heads, *rows = capsys.readouterr().out.splitlines()
    assert heads.split() == ["name", "claim", "expected", "relation", "source"]
    assert all(str(one.source.words()) in row for one, row in zip(catalogue(), rows, strict=True))
    assert main(["list", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, schema.json_schema(schema.LIST))
    assert len(document["mechanisms"]) == len(catalogue())


@pytest.mark.parametrize("words", [["list"], ["list", "--json"]])
def test_a_list_loads_numpy_only(words: list[str]) -> None:
    code = (
        "import sys; from provado.reports.cli.main import main; main(sys.argv[1:]);"
        "heavy = ('scipy', 'pandas', 'statsmodels', 'sklearn', 'sympy', 'jinja2');"
        "sys.exit(str([name for name in heavy if name in sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True)
    assert done.stdout
    assert done.stderr.strip() == "[]"


def test_no_line_of_the_list_is_over_80_columns(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--libraries"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def test_a_list_may_be_filtered(capsys: pytest.CaptureFixture[str]) -> None:
    name = catalogue()[0].name
    assert main(["list", "--only", name]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert main(["list", "--only", "nothing"]) == 2


def test_the_ledger_is_decided_only_when_asked(tmp_path, capsys):
    out = tmp_path / "out"
    arguments = ["--only", "twin/priv-pc-uncharged-sieve", "--samples", "2000", "--jobs", "1"]
    main(["audit", "--catalogue", *arguments, "--out", str(out)])
    assert (
        main(["report", str(out / "audit.json"), "--html", str(tmp_path / "d.html"), "--ledger"])
        == 0
    )
    decided, recorded = (tmp_path / "d.html").read_text(), (out / "audit.html").read_text()
    assert "They were not decided for this page" in recorded
    assert "decided anew for this page" in decided
    capsys.readouterr()
    assert main(["report", str(out / "audit.json"), "--ledger"]) == 2
    assert "--ledger: it adds to the HTML page" in capsys.readouterr().err
