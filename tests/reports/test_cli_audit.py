"""The command from outside: exit status, standard output, standard error, files."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from provado.audit import AuditResult
from provado.audit.options.domains import read_promise
from provado.mechanisms import Mechanism, UsageError, Verdict
from provado.mechanisms.catalogue import catalogue
from provado.mechanisms.definitions.curve import grid_of
from provado.reports.cli.main import main
from provado.reports.commands import audit as audit_request
from provado.reports.documents import schema
from provado.reports.tasks import task
from provado.reports.tasks.run import Record, Settings

FILE = "targets_under_test.py"
CLAIM = ["--epsilon", "1", "--pair", "d0.json", "d1.json"]
SMALL = ["--samples", "2000"]


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    yield
    sys.modules.pop("targets_under_test", None)


@pytest.fixture
def as_expected(
    monkeypatch: pytest.MonkeyPatch, make: Callable[..., AuditResult], clear: AuditResult
) -> list[Any]:
    """Replace the audit by one that finds what is expected."""

    def run_audit(mechanism: Any, **arguments: Any) -> AuditResult:
        fields: dict[str, Any] = {"name": arguments["name"], "seed": arguments["seed"]}
        if isinstance(mechanism, Mechanism):
            fields |= {"expected": mechanism.expected, "verdict": mechanism.expected}
        else:
            fields["epsilon"] = arguments["epsilon"]
        return replace(clear, **fields)

    monkeypatch.setattr(task, "run_audit", run_audit)
    return []


def error_of(capsys: pytest.CaptureFixture[str]) -> str:
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("provado: error: ")
    assert err.count("\n") == 1
    return err.removeprefix("provado: error: ")


def test_a_sound_target_passes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", f"{FILE}:sound", *CLAIM, *SMALL]) == 0
    out, err = capsys.readouterr()
    assert "no violation found" in out
    assert out.startswith("sound    no violation found    claimed ε = ")
    assert err == ""


def test_a_leaky_target_is_a_surprise_and_leaves_a_report_that_agrees(
    folder: Path, capsys: pytest.CaptureFixture[str], files: Callable[[], set[str]]
) -> None:
    assert main(["audit", f"{FILE}:leaky", *CLAIM, *SMALL, "--out", "new/out"]) == 1
    assert "% are correct; ε = " in capsys.readouterr().out
    written = {"new", "new/out", "new/out/audit.html", "new/out/audit.json"}
    assert files() == {str(folder / name) for name in written}
    assert main(["report", "new/out/audit.json", "--recheck"]) == 0
    assert main(["report", "new/out/audit.json", "--html", "again.html"]) == 0
    assert Path("again.html").read_bytes() == Path("new/out/audit.html").read_bytes()


def test_the_replay_command_gives_the_same_counts(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [f"{FILE}:leaky", *CLAIM, "--delta", "0.001", "--relation", "replace-one"]
    assert main(["audit", *arguments, *SMALL, "--seed", "7", "--json"]) == 1
    first = json.loads(capsys.readouterr().out)["audits"][0]
    program, *again = first["replay"].split()
    assert program == "provado"
    assert main([*again, "--json"]) == 1
    second = json.loads(capsys.readouterr().out)["audits"][0]
    first["seconds"] = second["seconds"] = 0
    assert first == second


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("raises", "RuntimeError: boom"),
        ("crashes", "its process ended with status 7 and no answer"),
        ("hangs", "no answer within 1 s"),
    ],
)
def test_what_breaks_is_unknown(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, reason: str
) -> None:
    limit = ["--time-limit", "1"] if name == "hangs" else []
    assert main(["audit", f"{FILE}:{name}", *CLAIM, *SMALL, *limit, "--json"]) == 3
    document = json.loads(capsys.readouterr().out)
    assert document["exit_status"] == 3
    found = document["audits"][0]
    assert found["verdict"] == "unknown"
    assert reason in found["reason"]
    assert found["epsilon"] == 1


def test_json_is_all_that_standard_output_gets(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", f"{FILE}:prints", *CLAIM, *SMALL, "--json"]) == 0
    document = json.loads(capfd.readouterr().out)
    jsonschema.validate(document, schema.json_schema(document["schema"]))


BAD: list[tuple[list[str], str]] = [
    ([], "nothing to audit: give a TARGET, --catalogue or --libraries"),
    ([f"{FILE}:sound", "--pair", "d0.json", "d1.json"], "--epsilon: targets_under_test.py:sound"),
    ([f"{FILE}:sound", "--epsilon", "1"], "--data: targets_under_test.py:sound needs a dataset"),
    ([f"{FILE}:sound", *CLAIM, "--epsilon", "0"], "--epsilon: 0 is refused: it must be a finite"),
    ([f"{FILE}:sound", *CLAIM, "--epsilon", "-1"], "--epsilon: -1 is refused"),
    ([f"{FILE}:sound", *CLAIM, "--epsilon", "nan"], "--epsilon: nan is refused"),
    ([f"{FILE}:sound", *CLAIM, "--epsilon", "inf"], "--epsilon: inf is refused"),
    ([f"{FILE}:sound", *CLAIM, "--epsilon", "one"], "--epsilon: one is refused"),
    ([f"{FILE}:sound", *CLAIM, "--delta", "1"], "--delta: 1 is refused: it must be a number of a"),
    ([f"{FILE}:sound", *CLAIM, "--delta", "-0.1"], "--delta: -0.1 is refused"),
    ([f"{FILE}:sound", *CLAIM, "--delta", "nan"], "--delta: nan is refused"),
    ([f"{FILE}:sound", *CLAIM, "--samples", "0"], "--samples: 0 is refused: it must be a whole"),
    ([f"{FILE}:sound", *CLAIM, "--samples", "1.5"], "--samples: 1.5 is refused"),
    ([f"{FILE}:sound", *CLAIM, "--samples", "inf"], "--samples: inf is refused"),
    ([f"{FILE}:sound", *CLAIM, "--seconds", "0"], "--seconds: 0 is refused"),
    ([f"{FILE}:sound", *CLAIM, "--confidence", "1"], "--confidence: 1 is refused"),
    ([f"{FILE}:sound", *CLAIM, "--seed", "-1"], "--seed: -1 is refused"),
    ([f"{FILE}:sound", *CLAIM, "--jobs", "0"], "--jobs: 0 is refused"),
    ([f"{FILE}:sound", *CLAIM, "--samples", "9", "--seconds", "9"], "--samples and --seconds"),
    ([f"{FILE}:sound", *CLAIM, "--only", "x"], "--only: it filters --catalogue and --libraries"),
    (["--catalogue", "--epsilon", "1"], "--epsilon: it states the claim of a TARGET"),
    (["--catalogue", "--only", "nothing*"], "--only 'nothing*': no name matches"),
    ([f"{FILE}:sound", "--epsilon", "1", "--pair", "d0.json"], "--pair: expected 2 arguments"),
    ([f"{FILE}:sound", "--epsilon", "1", "--pair", "d0.json", "no.json"], "no.json: it cannot be"),
    ([f"{FILE}:sound", "--epsilon", "1", "--pair", "d0.json", FILE], "must end in one of"),
    ([f"{FILE}:sound", *CLAIM, "--pair", "d0.json", "bad.json"], "bad.json: not readable as JSON"),
    (
        [f"{FILE}:sound", *CLAIM, "--pair", "d0.json", "far.json", "--relation", "replace-one"],
        "--pair d0.json far.json: pair: D and D′ differ in 3 records; replace-one neighbors",
    ),
    (
        [f"{FILE}:sound", *CLAIM, "--relation", "add-or-remove-one"],
        "--pair d0.json d1.json: pair: the datasets have 3 and 3 records",
    ),
    ([f"{FILE}:sound", *CLAIM, "--relation", "distant"], "--relation: invalid choice: 'distant'"),
    ([f"{FILE}:missing", *CLAIM], "targets_under_test.py has no 'missing'"),
    ([f"{FILE}:CONSTANT", *CLAIM], "CONSTANT is of type int; it must be a callable"),
    (["nowhere.py:f", *CLAIM], "there is no file 'nowhere.py'"),
    ([f"{FILE}:sound", *CLAIM, "--out", "d0.json"], "'d0.json' is not a folder"),
    ([f"{FILE}:sound", *CLAIM, "--eps", "1"], "--eps 1; did you mean '--epsilon'? (see `provado"),
    ([f"{FILE}:sound", *CLAIM, "--sampels=9"], "unrecognized arguments: --sampels=9; did you mea"),
    ([f"{FILE}:sound", *CLAIM, "--config", "x.toml"], "--config: none of its audits is named"),
    (["--epsilon", "1"], "--epsilon: it states the claim of a TARGET; give one"),
    (["--catalogue", "--only", "laplace/grid-01"], "did you mean 'laplace/grid-0.1'?"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_wrong_usage_is_one_line_and_writes_nothing(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    files: Callable[[], set[str]],
    arguments: list[str],
    message: str,
) -> None:
    (folder / "bad.json").write_text("[1, 2")
    before = files()
    if "--out" not in arguments:
        arguments = [*arguments, "--out", "out"]
    assert main(["audit", *arguments]) == 2
    assert message in error_of(capsys)
    assert files() == before


def test_what_the_audit_itself_refuses_is_wrong_usage(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> AuditResult:
        raise UsageError("pair holds 3: each pair must be a tuple")

    monkeypatch.setattr(task, "run_audit", refuse)
    assert main(["audit", f"{FILE}:sound", *CLAIM, "--out", "out"]) == 2
    assert error_of(capsys) == "pair holds 3: each pair must be a tuple\n"
    assert not (folder / "out").exists()


def test_options_may_stand_before_the_target(folder: Path, as_expected: list[Any]) -> None:
    assert main(["audit", "--epsilon", "1", "--pair", "d0.json", "d1.json", f"{FILE}:sound"]) == 0


def test_an_audit_of_the_catalogue_does_not_depend_on_the_number_of_processes(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    quick = ("laplace/grid-", "randomized-response/")
    names = [mechanism.name for mechanism in catalogue() if mechanism.name.startswith(quick)][-3:]
    only = [word for name in names for word in ("--only", name)]
    few = ["--samples", "300"]
    documents = []
    for jobs in ("1", "3"):
        main(["audit", "--catalogue", *only, *few, "--jobs", jobs, "--json"])
        documents.append(json.loads(capsys.readouterr().out))
    share = repr(documents[0]["audits"][1]["confidence"])
    main(["audit", "--catalogue", *only[2:4], *few, "--confidence", share, "--json"])
    alone = json.loads(capsys.readouterr().out)
    for document in (*documents, alone):
        # The digest is over the seconds and the date, too.
        del document["digest"]
        document["provenance"]["date"] = ""
        for found in document["audits"]:
            found["seconds"] = 0
    assert documents[0] == documents[1]
    assert [found["name"] for found in documents[0]["audits"]] == names
    assert alone["audits"] == documents[0]["audits"][1:2]


def test_the_whole_catalogue_in_order(
    as_expected: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", "--catalogue", "--json", "--seed", "5"]) == 0
    document = json.loads(capsys.readouterr().out)
    names = [mechanism.name for mechanism in catalogue()]
    assert [found["name"] for found in document["audits"]] == names
    assert {found["seed"] for found in document["audits"]} == {5}
    assert all(f"--only {found['name']} " in found["replay"] for found in document["audits"])


def test_a_surprise_outweighs_an_unknown(
    monkeypatch: pytest.MonkeyPatch, clear: AuditResult, make: Callable[..., AuditResult]
) -> None:
    missed = make("x", *clear.pairs, expected=Verdict.VIOLATION)
    found = iter([make("broken"), missed])

    def in_turn(jobs: Any, *_: Any) -> Any:
        return tuple(Record(next(found), (), job.settings) for job in jobs)

    monkeypatch.setattr(task, "run_jobs", in_turn)
    names = [mechanism.name for mechanism in catalogue()[:2]]
    assert main(["audit", "--catalogue", "--only", names[0], "--only", names[1]]) == 1


def test_a_library_gets_a_budget_of_time_unless_the_user_sets_one() -> None:
    one = task.AuditTask("x", print, (), seconds=audit_request.LIBRARY_SECONDS)
    default = Settings(None, None, 0.95, 0, 3600.0)
    assert replace(one, settings=default).budget == audit_request.LIBRARY_SECONDS
    assert replace(one, settings=Settings(10, None, 0.95, 0, 3600.0)).budget is None
    assert replace(one, settings=Settings(None, 2.0, 0.95, 0, 3600.0)).budget == 2.0


def test_the_program_prints_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--version"])
    assert left.value.code == 0
    assert capsys.readouterr().out.startswith("provado ")


def test_a_file_alone_lists_what_it_holds(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", FILE]) == 0
    out, err = capsys.readouterr()
    assert f"provado audit {FILE}:leaky --epsilon 1 --data d.json --relation replace-one" in out
    assert err == ""
    assert main(["audit", FILE, "--json"]) == 2
    assert error_of(capsys).startswith("target 'targets_under_test.py': say which")


@pytest.mark.parametrize(
    "more", [["--epsilon", "1"], [FILE], ["--samples", "9"], ["--out", "out"], ["--catalogue"]]
)
def test_a_list_does_not_pass_for_an_audit(
    folder: Path, capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    assert main(["audit", FILE, *more]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "say which, as targets_under_test.py:name; callables there: sound, leaky" in err


def test_a_file_with_nothing_to_audit_is_no_success(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "nothing_to_audit.py").write_text("X = 1\n")
    assert main(["audit", "nothing_to_audit.py"]) == 2
    assert "has nothing to audit" in capsys.readouterr().out


def test_the_package_runs_as_a_module_and_hands_on_the_status() -> None:
    command = [sys.executable, "-m", "provado.reports", "adit"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("provado: error: argument COMMAND: invalid choice: 'adit'")
    assert "did you mean 'audit'?" in done.stderr


CURVES = """
import numpy as np

def wide(data, *, size, rng):
    return np.round(np.sum(data) + rng.normal(scale=1.0, size=size), 3)

def narrow(data, *, size, rng):
    return np.round(np.sum(data) + rng.normal(scale=0.3, size=size), 3)
"""


@pytest.fixture
def curves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "curves_under_test.py").write_text(CURVES)
    (tmp_path / "d0.json").write_text("[1, 0]")
    (tmp_path / "d1.json").write_text("[0, 0]")
    yield tmp_path
    sys.modules.pop("curves_under_test", None)


@pytest.mark.parametrize("promise", ["gdp:1", "zcdp:0.5", "rdp:2,1"])
def test_a_claim_may_be_a_curve(
    curves: Path, capsys: pytest.CaptureFixture[str], promise: str
) -> None:
    # Found out here, so that not every forked process does so.
    grid_of(read_promise(promise))  # type: ignore[arg-type]
    asked = ["--promise", promise, "--pair", "d0.json", "d1.json", "--samples", "2000"]
    assert main(["audit", "curves_under_test.py:wide", *asked, "--out", "out"]) == 0
    assert main(["audit", "curves_under_test.py:narrow", *asked]) == 1
    assert main(["report", "out/audit.json", "--recheck"]) == 0
    document = json.loads((curves / "out/audit.json").read_text())
    document["audits"][0]["curve"] = None
    (curves / "changed.json").write_text(json.dumps(document))
    assert main(["report", "changed.json", "--recheck"]) in (1, 2)
    capsys.readouterr()
    (curves / "provado.toml").write_text(
        '[audits.one]\ntarget = "curves_under_test.py:narrow"\n'
        f'promise = "{promise}"\npairs = [["d0.json", "d1.json"]]\n'
        'relation = "replace-one"\nsamples = 2000\nexpected = "violation"\n'
    )
    assert main(["audit"]) == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--promise", "zcdp:x"], "must be zcdp:RHO, gdp:MU"),
        (["--promise", "gdp:-1"], "gdp:-1"),
        (["--promise", "gdp:1", "--epsilon", "1"], "a claim is given in one way"),
    ],
)
def test_a_curve_that_is_none_is_refused(
    curves: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    neighbors = ["--pair", "d0.json", "d1.json"]
    try:
        status = main(["audit", "curves_under_test.py:wide", *words, *neighbors])
    except SystemExit as left:
        status = int(left.code or 0)
    assert status == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1
