"""A journal of a run: a file of SQLite with what its audits keep, whatever becomes of the run.

One process writes it, that of the command: what audits in other processes keep comes to it by
message and is there once the transaction has ended, so that ``kill -9`` loses nothing but the
blocks in flight. Every entry has a digest; a file of which any part is not as it was written is
refused whole.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import pickle
import sqlite3
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from provado.audit.trials.checkpoint import Checkpoint, CheckpointEntry
from provado.mechanisms import Mechanism, UsageError
from provado.mechanisms.definitions.relation import short
from provado.reports.documents.origin import provado_version, versions
from provado.reports.documents.write import check_folder, missing_folders
from provado.reports.tasks.task import AuditTask, code_of
from provado.reports.text.formatting import clean

GOES_ON = "its entries are complete, and --resume continues with them"

FORM = 1
_MARK = 0x70726F76

_TABLES = """
CREATE TABLE run (delivered INTEGER NOT NULL);
CREATE TABLE audits (number INTEGER PRIMARY KEY, identity TEXT NOT NULL);
CREATE TABLE kept (
    audit INTEGER NOT NULL, pair INTEGER NOT NULL, name TEXT NOT NULL,
    seconds REAL NOT NULL, value BLOB NOT NULL, digest BLOB NOT NULL,
    PRIMARY KEY (audit, pair, name)
);
"""

Identity = Mapping[str, Any]


class Journal:
    """An open journal; nobody else can open it meanwhile.

    resumed: whether it was there and is resumed.
    """

    def __init__(self, file: Path, identities: Sequence[Identity], *, resume: bool) -> None:
        """Open it, or begin it. identities: by which the audits of the run are known.

        Raises ``UsageError``: with an error of the system as its cause where the file is damaged,
        in use or cannot be written; without one where it belongs to another run, or to one that
        has not ended and is not to be resumed.
        """
        self.file = file
        self._shown = f"journal {clean(str(file))!r}"
        self.resumed, self._made = False, list[Path]()
        texts = [json.dumps(item, sort_keys=True, ensure_ascii=False) for item in identities]
        with self._failing("nothing was drawn"):
            there = file.exists() and file.stat().st_size > 0
            if not there:
                check_folder(file.parent)
                for folder in missing_folders(file.parent):
                    folder.mkdir(exist_ok=True)
                    self._made.append(folder)
            self._base = sqlite3.connect(file, timeout=0.2, isolation_level=None)
        try:
            with self._failing("nothing was written"):
                self._base.execute("PRAGMA locking_mode = EXCLUSIVE")
                ours = there and self._ours()
                self._own()
                if ours:
                    self._check()
                    self.resumed = self._may_go_on(texts, resume=resume)
                if not self.resumed:
                    self._begin(texts)
        except BaseException:
            self._base.close()
            if not there:
                self._delete()
            raise

    def _own(self) -> None:
        """Lock the file, for as long as it is open."""
        # What a process wrote stays when it is killed; only the system's own end may take the last.
        self._base.execute("PRAGMA journal_mode = WAL")
        self._base.execute("PRAGMA synchronous = NORMAL")
        self._base.execute("BEGIN EXCLUSIVE")
        self._base.execute("COMMIT")

    def _ours(self) -> bool:
        """Return whether anything was begun in the file; raise ``UsageError`` if not by us."""
        mark = self._base.execute("PRAGMA application_id").fetchone()[0]
        form = self._base.execute("PRAGMA user_version").fetchone()[0]
        if mark == 0 and not self._base.execute("SELECT name FROM sqlite_master").fetchall():
            return False
        if mark != _MARK:
            raise UsageError(f"{self._shown}: the file is no journal of provado's")
        if form != FORM:
            raise UsageError(f"{self._shown}: it is of form {form}, this provado writes {FORM}")
        return True

    def _check(self) -> None:
        """Refuse a file of which anything is not as it was written."""
        if self._base.execute("PRAGMA quick_check").fetchone()[0] != "ok":
            self._damaged()
        for row in self._base.execute("SELECT audit, pair, name, seconds, value, digest FROM kept"):
            if _digest(*row[:-1]) != row[-1]:
                self._damaged()

    def _may_go_on(self, texts: Sequence[str], *, resume: bool) -> bool:
        """Return whether to go on; raise ``UsageError`` where neither is allowed."""
        result = self._base.execute("SELECT identity FROM audits ORDER BY number").fetchall()
        known = [text for (text,) in result]
        if not resume:
            (delivered,) = self._base.execute("SELECT delivered FROM run").fetchone() or (1,)
            if known and not delivered and self._base.execute("SELECT 1 FROM kept").fetchone():
                raise UsageError(
                    f"{self._shown}: it holds a run that was ended before its report; --resume "
                    "continues it; to start a new run, delete the file first"
                )
            return False
        if known and known != list(texts):
            raise UsageError(f"{self._shown}: {_difference(known, texts)}; nothing was drawn")
        return bool(known)

    def _begin(self, texts: Sequence[str]) -> None:
        base, tables = self._base, ("run", "audits", "kept")
        for statement in (
            *("BEGIN IMMEDIATE", f"PRAGMA application_id = {_MARK}"),
            *(f"DROP TABLE IF EXISTS {table}" for table in tables),
            *filter(str.strip, _TABLES.split(";")),
            *(f"PRAGMA user_version = {FORM}", "INSERT INTO run VALUES (0)"),
        ):
            base.execute(statement)
        base.executemany("INSERT INTO audits VALUES (?, ?)", list(enumerate(texts)))
        base.execute("COMMIT")

    def checkpoint(self, audit: int) -> Checkpoint:
        """Return what keeps one audit, by its number in the run."""
        return Checkpoint(self.known(audit), partial(self.keep, audit))

    def known(self, audit: int) -> dict[tuple[int, str], CheckpointEntry]:
        """Return what is kept of one audit."""
        asked = "SELECT pair, name, seconds, value FROM kept WHERE audit = ?"
        with self._failing():
            rows = self._base.execute(asked, (audit,)).fetchall()
        return {row[:2]: CheckpointEntry(*row) for row in rows}

    def keep(self, audit: int, entry: CheckpointEntry) -> None:
        """Write an entry; it is there once this returns. What it makes superfluous is deleted."""
        row = (audit, entry.pair, entry.name, entry.seconds, entry.value)
        with self._failing():
            if entry.name == "plan":
                self._forget_explored(audit, entry.pair)
            self._base.execute(
                "INSERT OR REPLACE INTO kept VALUES (?, ?, ?, ?, ?, ?)", (*row, _digest(*row))
            )

    def _forget_explored(self, audit: int, pair: int | None = None) -> None:
        """Delete the exploration of a pair, or of all: a plan holds all that was learned of it."""
        of = " AND (? IS NULL OR pair = ?) AND (name LIKE 'batch %' OR name LIKE 'single runs %')"
        self._base.execute(f"DELETE FROM kept WHERE audit = ?{of}", (audit, pair, pair))

    def delivered(self, unfinished: Sequence[int], broken: Sequence[int] = ()) -> bool:
        """Note that the run has its report; return whether the file stays, to be resumed.

        unfinished: the numbers of audits that are not complete. broken: those of which the
        mechanism broke: exploring them again comes to the same.
        """
        with self._failing():
            self._base.execute("UPDATE run SET delivered = 1")
            for number in broken:
                self._forget_explored(number)
            rows = self._base.execute("SELECT audit, name FROM kept").fetchall()
            goes_on = any(
                number in unfinished and (number not in broken or name not in ("settled", "found"))
                for number, name in rows
            )
            self._base.execute("VACUUM")
        self.close()
        if not goes_on:
            self._delete()
        return goes_on

    def close(self) -> None:
        """Close it, and let others have it."""
        with contextlib.suppress(sqlite3.Error):
            self._base.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        empty = False
        with contextlib.suppress(sqlite3.Error):
            empty = self._base.execute("SELECT 1 FROM kept").fetchone() is None
        self.close()
        if empty:
            self._delete()

    def _delete(self) -> None:
        """Leave nothing behind that holds nothing."""
        with contextlib.suppress(OSError):
            self.file.unlink(missing_ok=True)
            for folder in reversed(self._made):
                folder.rmdir()

    def _damaged(self) -> NoReturn:
        raise UsageError(
            f"{self._shown}: it is damaged or no journal; nothing of it was used, and it was left "
            "as it is"
        ) from OSError(errno.EIO, os.strerror(errno.EIO))

    @contextlib.contextmanager
    def _failing(self, then: str = GOES_ON) -> Iterator[None]:
        """Turn what SQLite and the system say into a complaint with the system's error as cause.

        then: what becomes of the run where there is no space left.
        """
        try:
            yield
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                self._damaged()
            number, words = _MEANINGS.get(code, (errno.EIO, str(error)))
            if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
                words = f"{words}; {then}"
            raise UsageError(f"{self._shown}: {words}") from OSError(number, os.strerror(number))
        except OSError as error:
            raise UsageError(f"{self._shown}: {error.strerror or error}") from error


_MEANINGS = {
    sqlite3.SQLITE_BUSY: (errno.EBUSY, "another run is using it"),
    sqlite3.SQLITE_LOCKED: (errno.EBUSY, "another run is using it"),
    sqlite3.SQLITE_FULL: (errno.ENOSPC, "no space is left for it"),
    sqlite3.SQLITE_IOERR: (errno.EIO, "it cannot be written"),
    sqlite3.SQLITE_READONLY: (errno.EACCES, "no permission to write"),
    sqlite3.SQLITE_PERM: (errno.EACCES, "no permission to write"),
    sqlite3.SQLITE_CANTOPEN: (errno.EACCES, "it cannot be opened"),
}


def _digest(*row: Any) -> bytes:
    # Damage may change a type, too.
    return hashlib.sha256(repr(row).encode()).digest()


def _difference(known: Sequence[str], asked: Sequence[str]) -> str:
    """Return in words how a journal differs from the run that was asked for."""
    before, now = [json.loads(text) for text in known], [json.loads(text) for text in asked]
    names = [[item.get("name") for item in run] for run in (before, now)]
    if names[0] != names[1]:
        return f"it is of other audits ({', '.join(map(str, names[0]))})"
    for old, new in zip(before, now, strict=True):
        for key in sorted(old.keys() | new.keys()):
            if old.get(key) != new.get(key):
                texts = (json.dumps(item.get(key), ensure_ascii=False) for item in (old, new))
                was, is_now = map(_cut, texts)
                what = f"{key} of {old['name']!r} differs: {was} then, {is_now} now"
                return f"it is of another run: {what}"
    return "it is of another run"


def _cut(text: str) -> str:
    return text if len(text) <= 120 else f"{text[:117]}…"


def identity(task: AuditTask) -> dict[str, Any]:
    """Return it as plain data for a journal.

    How many processes draw, and after which time an audit counts as hanging, are no part of it:
    the counts are the same.
    """
    claim = {
        name: value if isinstance(value, int | float | str | None) else _words(value)
        for name, value in task.claim.items()
    }
    mechanism, asked = task.mechanism, asdict(task.settings)
    stated: dict[str, str] = {}
    if isinstance(mechanism, Mechanism):
        stated = {
            "promise": mechanism.promise.words(),
            "relation": mechanism.relation.words(),
            "pairs": _words(mechanism.pairs),
        }
    return {
        "name": task.name,
        "selection": list(task.selection),
        "claim": claim,
        "stated": stated,
        **{key.replace("_", " "): value for key, value in asked.items() if key != "time_limit"},
        "usual": [task.seconds, task.most],
        "code": code_of(task),
        "versions": {"provado": provado_version(), **versions()},
    }


def _words(value: Any) -> str:
    """Return a dataset or a promise, short, with a digest of all of it."""
    try:
        data = pickle.dumps(value, protocol=5)
    except Exception:  # whatever a user's __reduce__ may raise
        return short(value, 10_000)
    return f"{short(value, 60)} ({hashlib.sha256(data).hexdigest()[:16]})"


@contextlib.contextmanager
def open_journal(
    file: Path | None, planned: Sequence[AuditTask], *, resume: bool
) -> Iterator[Journal | None]:
    """Yield the journal; print on standard error which run is continued.

    Raises ``UsageError`` as ``Journal``.
    """
    if file is None:
        yield None
        return
    there = [identity(task) for task in planned]
    with Journal(file, there, resume=resume) as journal:
        if resume:
            how = "continuing from" if journal.resumed else "nothing to continue in"
            sys.stderr.write(f"{how} {clean(str(file))}\n")
        yield journal
