"""Streams and files that fail: status 4 (or 2 for a wrong path), no traceback, no half of a run."""

from __future__ import annotations

import errno
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

# Imported here: what stands in for read_text would refuse it its own schemas.
import jsonschema  # noqa: F401
import pytest

from provado.reports.cli.main import main
from provado.reports.documents import write
from provado.reports.documents.exit_status import (
    AS_EXPECTED,
    IO_FAILED,
    NOT_COMPLETED,
    SURPRISE,
    WRONG_USAGE,
)
from tests.reports.ended import ended

CLAIM = ["--epsilon", "1", "--pair", "d0.json", "d1.json", "--samples", "500", "--jobs", "1"]
AUDIT = ["audit", "targets_under_test.py:sound", *CLAIM]

COMMANDS = {
    "welcome": [],
    "help": ["--help"],
    "version": ["--version"],
    "help of a command": ["audit", "--help"],
    "audit": AUDIT,
    "audit json": [*AUDIT, "--json"],
    "offers": ["audit", "targets_under_test.py"],
    "completion": ["completion", "bash"],
    "discover": ["discover", "table.csv", "--x", "a", "--y", "b", "--protect", "none"],
    "discover graph": ["discover", "table.csv", "--method", "pc"],
    "effect": [
        *("effect", "targets_under_test.py:first", "--population", "family.csv"),
        *("--point", "x", "--values", "0", "1", "--samples", "500"),
    ],
    "init": ["init", "--stdout"],
    "list": ["list"],
    "report": ["report", "old/audit.json"],
    "recheck": ["report", "old/audit.json", "--recheck"],
    "report json": ["report", "old/audit.json", "--json"],
    "reproduce": ["reproduce"],
    "verify": ["verify", "kusner2016/thm2"],
}

WRITING: dict[str, tuple[list[str], tuple[str, ...]]] = {
    "audit": ([*AUDIT, "--out", "old"], ("old/audit.html", "old/audit.json")),
    "audit formats": (
        [
            *(*AUDIT, "--format", "junit=old/a.xml", "--format", "sarif=old/b", "--out", "old"),
            *("--baseline", "old/base.json", "--update-baseline"),
        ],
        ("old/a.xml", "old/b", "old/audit.html", "old/audit.json", "old/base.json"),
    ),
    "effect": ([*COMMANDS["effect"], "--out", "old"], ("old/effect.html", "old/effect.json")),
    "init": (["init", "--force"], ("provado.toml",)),
    "report": (
        ["report", "old/audit.json", "--html", "old/c.html", "--format", "markdown=old/c.md"],
        ("old/c.html", "old/c.md"),
    ),
    "reproduce": (
        ["reproduce", "kusner2016/table2", "--quick", "--pairs", "pairs", "--out", "old"],
        ("old/quick/index.html", "old/quick/kusner2016/table2/numbers.json"),
    ),
    "verify": ([*COMMANDS["verify"], "--out", "old"], ("old/verify.html", "old/verify.json")),
}
"""Commands that write, and what they write."""

FIRST = """
def first(data, *, size, rng):
    return rng.random(size) < 0.5 + 0.01 * data[0]
"""


@pytest.fixture(scope="module")
def audit_json(tmp_path_factory: pytest.TempPathFactory) -> str:
    out = tmp_path_factory.mktemp("report")
    what = ["--catalogue", "--only", "laplace/grid-3", "--samples", "500", "--jobs", "1"]
    assert main(["audit", *what, "--out", str(out)]) == AS_EXPECTED
    return (out / "audit.json").read_text(encoding="utf-8")


@pytest.fixture
def here(folder: Path, audit_json: str) -> Path:
    """A folder with something for every command to do."""
    with (folder / "targets_under_test.py").open("a") as file:
        file.write(FIRST)
    rows = [f"{i % 3},{i % 7},{i % 2}" for i in range(60)]
    (folder / "table.csv").write_text("\n".join(["a,b,c", *rows]))
    (folder / "family.csv").write_text("\n".join(["x,y", *(f"{i % 2},{i % 2}" for i in range(20))]))
    for name in ("pairs", "old"):
        (folder / name).mkdir()
    numbers = [f"{i * 0.37 % 1:.3f},{i * 0.61 % 1:.3f}" for i in range(40)]
    (folder / "pairs" / "one.csv").write_text("\n".join(numbers))
    (folder / "pairs" / "labels.csv").write_text("name,direction\none,X->Y\n")
    (folder / "old" / "audit.json").write_text(audit_json)
    return folder


def full() -> None:
    os.dup2(os.open("/dev/full", os.O_WRONLY), 1)


def closed() -> None:
    os.close(1)


def unread() -> None:
    reader, writer = os.pipe()
    os.dup2(writer, 1)
    os.close(reader)
    os.close(writer)


def texts(folder: Path) -> dict[str, bytes | None]:
    return {
        str(file.relative_to(folder)): file.read_bytes() if file.is_file() else None
        for file in sorted(folder.rglob("*"))
    }


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("stream", [full, closed, unread])
@pytest.mark.parametrize("name", COMMANDS)
def test_a_standard_output_that_fails(here: Path, name: str, stream: Callable[[], None]) -> None:
    before = texts(here)
    status, told = ended(COMMANDS[name], stream, closed=stream is closed)
    assert status == IO_FAILED
    assert "Traceback" not in told
    assert "Exception ignored" not in told
    # Of a reader that has gone there is nobody to tell.
    assert told.count("\n") == (0 if stream is unread else 1)
    assert texts(here) == before


@pytest.mark.parametrize("name", COMMANDS)
def test_without_a_failure_each_of_them_ends_otherwise(here: Path, name: str) -> None:
    status, told = ended(COMMANDS[name], lambda: None)
    assert status in (AS_EXPECTED, SURPRISE), told
    assert Path("../out").stat().st_size


def test_an_audit_whose_table_cannot_be_printed_leaves_its_files_whole(here: Path) -> None:
    status, _ = ended([*AUDIT, "--out", "new"], full)
    assert status == IO_FAILED
    assert ended(["report", "new/audit.json", "--recheck"], lambda: None)[0] == AS_EXPECTED
    assert sorted(os.listdir("new")) == ["audit.html", "audit.json"]  # noqa: PTH208


def nothing() -> None:
    """Leave the streams as they are."""


def small_files() -> None:
    """Let the disk be full after 300 bytes of any file."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))


def no_permission() -> None:
    os.access = lambda *_, **__: False


@pytest.mark.parametrize("name", WRITING)
def test_a_disk_that_is_full(here: Path, name: str) -> None:
    before = texts(here)
    status, told = ended(WRITING[name][0], small_files)
    assert status == IO_FAILED
    # The journal of an audit is the first file that cannot be written.
    words = "it cannot be written" if name.startswith("audit") else "File too large"
    assert f"{words}; nothing was written" in told
    assert told.count("\n") == 1
    assert texts(here) == before


@pytest.mark.parametrize("name", WRITING)
def test_a_folder_without_permission(here: Path, name: str) -> None:
    before = texts(here)
    status, told = ended(WRITING[name][0], no_permission)
    assert status == IO_FAILED
    assert "no permission to write" in told
    assert told.count("\n") == 1
    assert texts(here) == before


@pytest.mark.parametrize(("name", "place"), [(n, p) for n in WRITING for p in WRITING[n][1]])
def test_a_folder_or_a_pipe_where_a_file_is_to_stand(here: Path, name: str, place: str) -> None:
    (here / place).unlink(missing_ok=True)
    (here / place).parent.mkdir(parents=True, exist_ok=True)
    if name == "report":
        assert place != "old/audit.json"
    for make in (Path.mkdir, os.mkfifo):
        make(here / place)
        before = sorted(map(str, here.rglob("*")))
        status, told = ended(WRITING[name][0], nothing)
        assert status == WRONG_USAGE
        assert told.count("\n") == 1
        assert ("it is a folder" if make is Path.mkdir else "not a regular file") in told
        assert sorted(map(str, here.rglob("*"))) == before
        if make is Path.mkdir:
            (here / place).rmdir()


@pytest.mark.parametrize("name", ["audit", "audit formats", "effect", "verify"])
def test_a_file_where_the_folder_is_to_be(here: Path, name: str) -> None:
    words = ["d0.json" if word == "old" else word for word in WRITING[name][0]]
    before = texts(here)
    status, told = ended(words, nothing)
    assert status == WRONG_USAGE
    assert "'d0.json' is not a folder" in told
    assert texts(here) == before


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ([*AUDIT, "--format", "json=targets_under_test.py"], "targets_under_test.py"),
        ([*AUDIT, "--html-link"], "linked.py"),
        ([*AUDIT, "--format", "json=./old/../d0.json"], "d0.json"),
        ([*AUDIT, "--baseline", "d1.json", "--update-baseline"], "d1.json"),
        (["audit", "--config", "provado.toml", "--format", "markdown=provado.toml"], ""),
        (["audit", "--format", "markdown=d0.json"], "d0.json"),
        (["audit", "--format", "markdown=targets_under_test.py"], ""),
        (["report", "old/audit.json", "--format", "json=old/audit.json"], "old/audit.json"),
        (["report", "old/audit.json", "--html", "old/audit.json"], "old/audit.json"),
    ],
)
def test_no_output_replaces_an_input(here: Path, words: list[str], place: str) -> None:
    (here / "provado.toml").write_text(
        "[defaults]\nsamples = 500\n[audits.one]\ntarget = 'targets_under_test.py:sound'\n"
        "epsilon = 1\npairs = [['d0.json', 'd1.json']]\n"
    )
    (here / "linked.py").symlink_to("targets_under_test.py")
    words = ["--format=json=linked.py" if word == "--html-link" else word for word in words]
    before = texts(here)
    status, told = ended(words, nothing)
    assert status == WRONG_USAGE
    assert "this run reads that file, and would replace it" in told
    assert place in told
    assert texts(here) == before


def test_two_outputs_do_not_go_to_one_place(here: Path) -> None:
    status, told = ended([*AUDIT, "--out", "old", "--format", "html=old/audit.json"], nothing)
    assert status == WRONG_USAGE
    assert "two outputs of this run would be written there" in told
    # The same text twice is one file.
    assert ended([*AUDIT, "--out", "old", "--format", "json=old/audit.json"], nothing)[0] == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def f(): pass\n", "not readable as JSON"),
        ('{"schema": "provado-audit/3"}', "schema is 'provado-audit/3'"),
        ("[]", "no JSON object"),
        ("{}", "schema is None"),
    ],
)
def test_only_a_baseline_is_replaced_by_a_baseline(here: Path, text: str, told: str) -> None:
    (here / "kept").write_text(text)
    words = [*AUDIT, "--baseline", "kept", "--update-baseline"]
    status, error = ended(words, nothing)
    assert status == WRONG_USAGE
    assert f"{told}" in error
    assert "no baseline, and not replaced" in error
    assert (here / "kept").read_text() == text
    for fine in ("", '{"schema": "provado-baseline/0"}'):
        (here / "kept").write_text(fine)
        assert ended(words, nothing)[0] == AS_EXPECTED
        assert '"schema": "provado-baseline/1"' in (here / "kept").read_text()


@pytest.mark.parametrize("end", ["2>&- <&-", "2>/dev/full"])
def test_standard_error_may_be_closed_or_full(here: Path, end: str) -> None:
    command = f"{sys.executable} -m provado.reports audit nothing.py:f {end}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (WRONG_USAGE, "")


PROGRAM = "-c 'import sys; from provado.reports.cli.main import main; sys.exit(main())'"


@pytest.mark.parametrize(
    ("start", "stream", "unbuffered"),
    [
        ("-m provado.reports list", "| true", ""),
        (f"{PROGRAM} --version", ">/dev/full", ""),
        (f"{PROGRAM} audit --help", ">/dev/full", "1"),
    ],
)
def test_the_module_and_the_program_end_quietly(
    here: Path, start: str, stream: str, unbuffered: str
) -> None:
    """The whole way, the end of the interpreter included."""
    line = f"set -o pipefail; {sys.executable} {start} {stream}"
    done = subprocess.run(
        ["bash", "-c", line],
        capture_output=True,
        text=True,
        check=False,
        cwd=here,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    )
    assert done.returncode == IO_FAILED
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    assert done.stderr.count("\n") == (stream != "| true")


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (OSError(errno.EIO, "Input/output error"), IO_FAILED),
        (PermissionError(errno.EACCES, "Permission denied"), IO_FAILED),
        (FileNotFoundError(errno.ENOENT, "No such file or directory"), WRONG_USAGE),
        (NotADirectoryError(errno.ENOTDIR, "Not a directory"), WRONG_USAGE),
    ],
)
@pytest.mark.parametrize(
    "words",
    [
        AUDIT,
        ["audit"],
        ["report", "old/audit.json"],
        [*AUDIT, "--baseline", "old/audit.json"],
        ["discover", "table.csv", "--method", "pc", "--levels", "d0.json"],
    ],
)
def test_a_file_that_cannot_be_read(
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    error: OSError,
    status: int,
) -> None:
    def read_text(self: Path, *_: object, **__: object) -> str:
        # The schemas that the program brings along are no files of the user's.
        if self.suffix == ".json" and not self.name.endswith("_schema.json"):
            raise error
        return text(self, *_, **__)  # type: ignore[arg-type]

    (here / "provado.toml").write_text(
        "[audits.one]\ntarget = 'targets_under_test.py:sound'\n"
        "epsilon = 1\npairs = [['d0.json', 'd1.json']]\n"
    )
    text = Path.read_text
    monkeypatch.setattr(Path, "read_text", read_text)
    assert main(words) == status
    err = capsys.readouterr().err
    assert str(error.strerror) in err
    assert err.count("\n") == 1


def test_a_mistake_of_ours_does_not_end_like_a_violation(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def mistake(*_: object) -> None:
        raise ZeroDivisionError("ours")

    monkeypatch.setattr("provado.reports.cli.commands.audit.run_planned", mistake)
    assert main(AUDIT) == NOT_COMPLETED
    assert "ZeroDivisionError: ours" in capsys.readouterr().err


@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), KeyboardInterrupt()])
@pytest.mark.parametrize("failing", [1, 2, 3])
def test_a_move_that_fails_puts_everything_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: int, error: BaseException
) -> None:
    (tmp_path / "a").write_text("old a")
    (tmp_path / "c").write_text("old c")
    before, replace, calls = texts(tmp_path), Path.replace, []

    def failing_replace(self: Path, target: Path) -> Path:
        calls.append(target)
        if len(calls) == failing:
            raise error
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", failing_replace)
    names = ("a", "new/deep/b", "c")
    with pytest.raises((write.UsageError, KeyboardInterrupt)):
        write.write_all({tmp_path / name: "new" for name in names})
    assert texts(tmp_path) == before
    monkeypatch.undo()
    write.write_all({tmp_path / name: "new" for name in names})
    assert texts(tmp_path) == {
        **dict.fromkeys(names, b"new"),
        "new": None,
        "new/deep": None,
    }


def test_a_link_is_followed_and_stays(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write.write_all({tmp_path / "link": "new"})
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_name_as_long_as_the_system_allows(tmp_path: Path) -> None:
    write.write_all({tmp_path / ("n" * 255): "new"})
    assert (tmp_path / ("n" * 255)).read_text() == "new"
