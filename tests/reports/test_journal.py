"""Nothing lost: a run that was ended goes on from its journal; each fault is one complaint."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from provado.audit.options.declaration import JOURNAL as NAME
from provado.audit.trials.checkpoint import CheckpointEntry
from provado.mechanisms import UsageError
from provado.reports.cli.main import io_failure, main
from provado.reports.documents.exit_status import AS_EXPECTED, IO_FAILED, NOT_COMPLETED, WRONG_USAGE
from provado.reports.tasks.journal import Journal
from tests.reports.ended import ended

CLAIM = ["--epsilon", "1", "--pair", "d0.json", "d1.json", "--samples", "2000", "--jobs", "1"]
AUDIT = ["audit", "targets_under_test.py:sound", *CLAIM]

WAITS = """
import time
from pathlib import Path

calls = 0

def slow(data, *, size, rng):
    global calls
    calls += 1
    if calls > 24 and not Path("go").exists():
        time.sleep(1)
    return rng.integers(0, 2, size=size)
"""
"""It makes some ten blocks, and is slow with more until it may go on."""


def killed_after(
    entries: int, *arguments: str, of: str = "", by: signal.Signals = signal.SIGKILL
) -> int:
    """Run a command that is ended once so many entries were kept; return its status.

    of: what their names hold. Batches of exploration are kept only where drawing them took long.
    """

    def prepare() -> None:
        left, keep = iter(range(entries)), Journal.keep

        def ends(self: Journal, audit: int, one: CheckpointEntry) -> None:
            keep(self, audit, one)
            if of in one.name and next(left, None) == entries - 1:
                os.kill(os.getpid(), by)

        Journal.keep = ends  # type: ignore[method-assign]

    return ended(list(arguments), prepare)[0]


def audits(file: Path) -> list[dict[str, Any]]:
    """Return the audits of a report without what a second run changes: time and notes."""
    found = json.loads(file.read_text("utf-8"))["audits"]
    return [{k: v for k, v in one.items() if k not in ("seconds", "notes")} for one in found]


def entry(name: str = "plan", value: bytes = b"1") -> CheckpointEntry:
    return CheckpointEntry(0, name, 1.5, value)


@pytest.mark.parametrize("more", [[], ["--stop-early"], ["--samples", "auto:300"]])
@pytest.mark.parametrize("entries", [2, 9])
def test_a_killed_run_ends_as_an_unbroken_one(
    folder: Path, more: list[str], entries: int, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [*AUDIT, *more]
    assert main([*asked, "--out", "whole"]) == AS_EXPECTED
    assert killed_after(entries, *asked, "--out", "out") == -signal.SIGKILL
    assert not (folder / "out/audit.json").exists()
    capsys.readouterr()
    assert main([*asked, "--out", "out", "--resume"]) == AS_EXPECTED
    assert "continuing from out/audit.journal" in capsys.readouterr().err
    assert audits(folder / "out/audit.json") == audits(folder / "whole/audit.json")
    assert sorted(file.name for file in (folder / "out").iterdir()) == ["audit.html", "audit.json"]


def test_several_audits_and_several_ends(folder: Path) -> None:
    (folder / "provado.toml").write_text(
        "[defaults]\nsamples = 2000\n"
        + "".join(
            f"[audits.{name}]\ntarget = 'targets_under_test.py:sound'\nepsilon = {epsilon}\n"
            "pairs = [[[0, 1, 1], [0, 1, 0]]]\n"
            for name, epsilon in (("one", 1), ("two", 2))
        )
    )
    assert main(["audit", "--out", "whole"]) == AS_EXPECTED
    for entries in (2, 5, 30):
        killed_after(entries, "audit", "--out", "out", "--resume")
    assert main(["audit", "--out", "out", "--resume"]) == AS_EXPECTED
    assert audits(folder / "out/audit.json") == audits(folder / "whole/audit.json")


def test_without_a_place_nothing_is_kept(folder: Path, files: Callable[[], set[str]]) -> None:
    assert main(AUDIT) == AS_EXPECTED
    assert not {file for file in files() if "pycache" not in file}


def test_a_named_journal_without_reports(
    folder: Path, files: Callable[[], set[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert killed_after(5, *AUDIT, "--journal", "deep/mine") == -signal.SIGKILL
    assert main([*AUDIT, "--journal", "deep/mine", "--resume"]) == AS_EXPECTED
    assert not {file for file in files() if "mine" in file}
    # There is nothing left to go on with: it begins.
    assert main([*AUDIT, "--journal", "deep/mine", "--resume"]) == AS_EXPECTED
    assert "nothing to continue in deep/mine" in capsys.readouterr().err


def test_resume_needs_a_journal(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*AUDIT, "--resume"]) == WRONG_USAGE
    assert "give --journal FILE" in capsys.readouterr().err


def test_a_run_that_was_ended_is_not_begun_anew_unasked(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    killed_after(5, *AUDIT, "--out", "out")
    before = (folder / "out" / NAME).read_bytes()
    assert main([*AUDIT, "--out", "out"]) == WRONG_USAGE
    assert "--resume" in capsys.readouterr().err
    assert len((folder / "out" / NAME).read_bytes()) >= len(before)
    assert main([*AUDIT, "--out", "out", "--resume"]) == AS_EXPECTED


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (["--seed", "1"], "seed"),
        (["--samples", "3000"], "samples"),
        (["--epsilon", "2"], "claim"),
        (["--stop-early"], "stop early"),
        (["--confidence", "0.9"], "confidence"),
    ],
)
def test_other_options_are_refused(
    folder: Path, change: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    killed_after(5, *AUDIT, "--out", "out")
    assert main([*AUDIT, *change, "--out", "out", "--resume"]) == WRONG_USAGE
    said = capsys.readouterr().err
    assert f"{named} of 'sound' differs" in said
    assert said.count("\n") == 1
    assert main([*AUDIT, "--out", "out", "--resume"]) == AS_EXPECTED


def test_what_does_not_bear_on_counts_may_differ(folder: Path) -> None:
    main([*AUDIT, "--out", "whole"])
    killed_after(5, *AUDIT, "--out", "out")
    more = ["--jobs", "2", "--time-limit", "500", "--anonymous"]
    assert main([*AUDIT, *more, "--out", "out", "--resume"]) == AS_EXPECTED
    old, new = (audits(folder / name / "audit.json")[0] for name in ("whole", "out"))
    assert old["pairs"] == new["pairs"]


def test_other_code_and_other_data_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in ("targets_under_test.py", "d0.json"):
        killed_after(5, *AUDIT, "--out", "out")
        was = (folder / file).read_text()
        (folder / file).write_text(was.replace("1, 1", "1, 9") if "json" in file else f"{was}\n")
        sys.modules.pop("targets_under_test", None)
        assert main([*AUDIT, "--out", "out", "--resume"]) == WRONG_USAGE
        assert {"d0.json": "claim of", "targets_under_test.py": "code of"}[file] in (
            capsys.readouterr().err
        )
        (folder / file).write_text(was)
        assert main([*AUDIT, "--out", "out", "--resume"]) == AS_EXPECTED


def test_another_audit_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    killed_after(5, *AUDIT, "--out", "out")
    other = ["audit", "targets_under_test.py:leaky", *CLAIM]
    assert main([*other, "--out", "out", "--resume"]) == WRONG_USAGE
    assert "it is of other audits (sound)" in capsys.readouterr().err


def damage_counts(file: Path) -> None:
    base = sqlite3.connect(file)
    changed = "UPDATE kept SET value = replace(value, '[[', '[[1') WHERE name LIKE '%block%'"
    assert base.execute(changed).rowcount > 0
    base.commit()
    base.close()


def damage_seconds(file: Path) -> None:
    base = sqlite3.connect(file)
    base.execute("UPDATE kept SET seconds = 0")
    base.commit()
    base.close()


def damage_pages(file: Path) -> None:
    base = sqlite3.connect(file)
    base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    base.close()
    data = bytearray(file.read_bytes())
    data[4096:] = os.urandom(len(data) - 4096)
    file.write_bytes(data)


def cut(file: Path) -> None:
    damage_seconds(file)
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2])


@pytest.mark.parametrize("damage", [damage_counts, damage_seconds, damage_pages, cut])
def test_a_damaged_journal_is_refused(
    folder: Path, damage: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    killed_after(4, *AUDIT, "--out", "out", of="block")
    damage(folder / "out" / NAME)
    left = (folder / "out" / NAME).read_bytes()
    assert main([*AUDIT, "--out", "out", "--resume"]) == IO_FAILED
    said = capsys.readouterr().err
    assert "it is damaged" in said
    assert said.count("\n") == 1
    assert (folder / "out" / NAME).read_bytes() == left


def test_a_file_of_another_kind_is_not_touched(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "notes.txt").write_text("my notes, long enough to be no empty file\n" * 50)
    with contextlib.closing(sqlite3.connect(folder / "other.db")) as base:
        base.execute("CREATE TABLE mine (x)")
    for name, status in (("notes.txt", IO_FAILED), ("other.db", WRONG_USAGE)):
        before = (folder / name).read_bytes()
        assert main([*AUDIT, "--journal", name]) == status
        assert "journal" in capsys.readouterr().err
        assert (folder / name).read_bytes() == before


def test_a_journal_in_use_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal(folder / "j", [{"name": "sound"}], resume=False) as journal:
        journal.keep(0, entry())
        # Locks are between processes.
        command = [sys.executable, "-m", "provado.reports", *AUDIT, "--journal", "j", "--resume"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == IO_FAILED
        assert "another run is using it" in done.stderr
        assert journal.known(0) == {(0, "plan"): entry()}


def test_no_space_left_keeps_the_last_good_state(folder: Path) -> None:
    most = 64 * 1024

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    asked = [*AUDIT, "--samples", "auto:3000", "--epsilon", "0.1", "--out", "out"]
    command = [sys.executable, "-m", "provado.reports", *asked]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, preexec_fn=limit
    )
    assert done.returncode == IO_FAILED, done.stderr
    assert "its entries are complete" in done.stderr
    assert done.stderr.count("error") == 1
    assert not (folder / "out/audit.json").exists()
    assert main([*asked, "--resume"]) == AS_EXPECTED
    assert main([*asked[:-1], "whole"]) == AS_EXPECTED
    assert audits(folder / "out/audit.json") == audits(folder / "whole/audit.json")


def test_a_full_journal_is_a_failure_of_the_system(tmp_path: Path) -> None:
    with Journal(tmp_path / "j", [{"name": "x"}], resume=False) as journal:
        journal.keep(0, entry("a"))
        journal._base.execute("PRAGMA max_page_count = 8")
        with pytest.raises(UsageError, match="no space is left") as caught:
            journal.keep(0, entry("b", b"x" * 100_000))
        assert io_failure(caught.value)
    with Journal(tmp_path / "j", [{"name": "x"}], resume=True) as journal:
        assert journal.known(0) == {(0, "a"): entry("a")}


def test_a_journal_without_permission(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "j").mkdir()
    assert main([*AUDIT, "--journal", "j"]) == WRONG_USAGE
    assert "it is a folder" in capsys.readouterr().err
    assert main([*AUDIT, "--journal", "d0.json"]) == WRONG_USAGE
    assert "this run reads that file" in capsys.readouterr().err


def test_a_form_of_the_future_is_refused(tmp_path: Path) -> None:
    with Journal(tmp_path / "j", [{"name": "x"}], resume=False) as journal:
        journal.keep(0, entry())
        journal._base.execute("PRAGMA user_version = 99")
    with pytest.raises(UsageError, match="of form 99"):
        Journal(tmp_path / "j", [{"name": "x"}], resume=True)


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_what_was_interrupted_has_its_report_and_may_be_gone_on_with(
    folder: Path, by: signal.Signals
) -> None:
    (folder / "slow_target.py").write_text(WAITS)
    (folder / "go").touch()
    sys.modules.pop("slow_target", None)
    asked = ["audit", "slow_target.py:slow", *CLAIM, "--samples", "4000", "--explore", "200"]
    assert main([*asked, "--out", "whole"]) == AS_EXPECTED
    (folder / "go").unlink()
    for _ in range(2):
        # A run that had its report is begun anew unless it is to be gone on with.
        assert killed_after(3, *asked, "--out", "out", by=by) == 130
        (early,) = audits(folder / "out/audit.json")
        assert early["verdict"] == "unknown"
        assert "interrupted" in early["reason"]
    assert (folder / "out" / NAME).exists()
    (folder / "go").touch()
    assert main([*asked, "--out", "out", "--resume"]) == AS_EXPECTED
    assert audits(folder / "out/audit.json") == audits(folder / "whole/audit.json")
    assert not (folder / "out" / NAME).exists()


def test_what_broke_leaves_nothing_to_go_on_with(folder: Path) -> None:
    broken = ["audit", "targets_under_test.py:raises", *CLAIM, "--out", "out"]
    assert main(broken) == NOT_COMPLETED
    assert main(broken) == NOT_COMPLETED
    assert main([*broken, "--resume"]) == NOT_COMPLETED


def test_a_journal_is_open_to_nobody_else_and_empty_ones_go(tmp_path: Path) -> None:
    with Journal(tmp_path / "deep" / "j", [{"name": "x"}], resume=True) as journal:
        assert not journal.resumed
        assert (tmp_path / "deep" / "j").exists()
    assert not (tmp_path / "deep").exists()


def test_the_copy_of_a_journal_can_be_gone_on_with(folder: Path) -> None:
    killed_after(8, *AUDIT, "--out", "out")
    shutil.copytree(folder / "out", folder / "copy")
    assert main([*AUDIT, "--out", "copy", "--resume"]) == AS_EXPECTED
    assert main([*AUDIT, "--out", "out", "--resume"]) == AS_EXPECTED
    assert audits(folder / "out/audit.json") == audits(folder / "copy/audit.json")
