"""Output: files, written whole or not at all and those of one run all or none; standard output."""

import argparse
import contextlib
import errno
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from provado.mechanisms import UsageError
from provado.reports.documents import schema
from provado.reports.documents.origin import Provenance, provado_version, provenance
from provado.reports.text.formatting import clean


def check_places(places: Iterable[Path], inputs: Iterable[Path] = ()) -> None:
    """Raise ``UsageError`` for the first place where a run cannot, or must not, leave a file.

    To be called before anything is computed; makes nothing. inputs: the files that the run reads,
    none of which it may replace.
    """
    read = {identity for file in inputs if (identity := _identity(file)) is not None}
    taken: dict[Path, Path] = {}
    for place in places:
        shown = f"output file {str(place)!r}"
        try:
            real = _real(place)
            if real.is_dir():
                raise UsageError(f"{shown}: it is a folder")
            if real.exists() and not real.is_file():
                raise UsageError(f"{shown}: it is a device or a pipe, not a regular file")
            check_folder(real.parent if place.is_symlink() else place.parent)
        except OSError as error:
            raise UsageError(f"{shown}: {error.strerror or error}") from error
        if real in taken:
            raise UsageError(f"{shown}: two outputs of this run would be written there")
        taken[real] = place
        if _identity(real) in read:
            raise UsageError(f"{shown}: this run reads that file, and would replace it")


def check_folder(folder: Path) -> None:
    """Raise ``UsageError`` unless ``folder`` can be written to, or made; makes nothing."""
    nearest = next(p for p in (folder, *folder.absolute().parents) if p.exists())
    if not nearest.is_dir():
        raise UsageError(f"output folder {str(folder)!r}: {str(nearest)!r} is not a folder")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise UsageError(f"output folder {str(folder)!r}: no permission to write") from (
            PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        )


def write_all(files: Mapping[Path, str | bytes]) -> None:
    """Write all of ``files`` (place to content), or none; folders are made if need be.

    Every file is first written in full beside its place, then moved there. A failure at any point
    puts back the old files and takes away what was made; it comes as a ``UsageError`` whose cause
    is the system's error. A link is followed: the file that it leads to is replaced.
    """
    ready: list[tuple[Path, Path]] = []
    made: list[Path] = []
    place = Path()
    try:
        for place, content in files.items():
            real = _real(place)
            for folder in missing_folders(real.parent):
                folder.mkdir(exist_ok=True)
                made.append(folder)
            ready.append((_write_beside(real, content), real))
        _move(ready)
    except BaseException as error:
        for temporary, _ in ready:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
        for folder in reversed(made):
            with contextlib.suppress(OSError):
                folder.rmdir()
        if isinstance(error, OSError):
            words = f"output file {str(place)!r}: {error.strerror or error}"
            raise UsageError(f"{words}; nothing was written") from error
        raise


def _move(ready: Iterable[tuple[Path, Path]]) -> None:
    """Move every file to its place; where one cannot be moved, put all the old ones back."""
    kept: list[tuple[Path | None, Path]] = []
    try:
        for temporary, place in ready:
            kept.append((_keep(place), place))
            temporary.replace(place)
    except BaseException:
        for old, place in reversed(kept):
            with contextlib.suppress(OSError):
                if old is None:
                    place.unlink(missing_ok=True)
                else:
                    old.replace(place)
        raise
    finally:
        for old, _ in kept:
            with contextlib.suppress(OSError):
                if old is not None:
                    old.unlink(missing_ok=True)


def _keep(place: Path) -> Path | None:
    """Return a second name of the file at a place, or ``None`` if there is none."""
    if place.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not place.exists():
        return None
    handle, name = tempfile.mkstemp(prefix=".provado-", dir=place.parent)
    os.close(handle)
    old = Path(name)
    try:
        shutil.copy2(place, old)
    except BaseException:
        old.unlink(missing_ok=True)
        raise
    return old


def missing_folders(folder: Path) -> Iterator[Path]:
    """Yield the folders that are to be made for this one to be there, the outermost first."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    yield from reversed(missing)


def _real(place: Path) -> Path:
    """Return where a file would be written, links followed."""
    return Path(os.path.realpath(place))


def _identity(file: Path) -> tuple[int, int] | None:
    """Return what two names of one file have in common; ``None`` where there is none."""
    try:
        result = file.stat()
    except (OSError, ValueError):
        return None
    return result.st_dev, result.st_ino


def _write_beside(place: Path, content: str | bytes) -> Path:
    handle, name = tempfile.mkstemp(prefix=".provado-", dir=place.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            if isinstance(content, str):
                # A lone surrogate, as undecodable file names have, becomes its \udXXX escape.
                content = content.encode("utf-8", errors="backslashreplace")
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(_mode(place))
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    return temporary


def _mode(place: Path) -> int:
    """Return the mode of the file that is replaced, else what the user's umask leaves."""
    with contextlib.suppress(OSError):
        return place.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def show_text(text: str) -> None:
    """Print text in UTF-8 whatever the terminal's encoding."""
    binary = getattr(sys.stdout, "buffer", None)
    if binary is None:
        sys.stdout.write(text)
        return
    sys.stdout.flush()
    binary.write(text.encode("utf-8", errors="backslashreplace"))
    binary.flush()


def save(files: Mapping[Path, str | bytes]) -> None:
    """Write files as ``write_all`` does, and say on a terminal which."""
    write_all(files)
    if files and sys.stderr.isatty():
        print(f"wrote {', '.join(map(str, files))}", file=sys.stderr)


def show_json(document: dict[str, Any]) -> None:
    """Print one JSON document."""
    show_text(schema.dumps(document))


def show(document: dict[str, Any], words: Callable[[], str], *, as_json: bool) -> None:
    """Print a document as JSON, or what it says in words: on a terminal in lines that fit."""
    if as_json:
        show_json(document)
        return
    text = words()
    if sys.stdout.isatty():
        from provado.reports.text.terminal import fitted

        text = fitted(text)
    print(text)


def places(kind: str, out: Path | None) -> list[Path]:
    """Return where ``deliver`` leaves the document of a command and its page."""
    return [] if out is None else [out / f"{kind}.json", out / f"{kind}.html"]


def deliver(
    document: dict[str, Any],
    words: Callable[[], str],
    page: Callable[[Provenance], str],
    into: Sequence[Path],
    options: argparse.Namespace,
    more: Mapping[Path, str] | None = None,
) -> None:
    """Write a document and its page into the places, if there are any, and ``more``; print it."""
    files: dict[Path, str | bytes] = {}
    if into:
        made = provenance(anonymous=options.anonymous)
        files |= dict(zip(into, (schema.dumps(document), page(made)), strict=True))
    save(files | dict(more or {}))
    show(document, words, as_json=options.json)


def one_or_several(
    found: Sequence[Any], documents: Sequence[dict[str, Any]], status: int, *, several: bool
) -> dict[str, Any]:
    """Return the document that holds the others, or the only one by itself.

    found: what they are of, each with its ``name`` and what was ``expected``. status: of the whole
    call. several: whether more than one was asked for, or one by the name that it has in a
    configuration.
    """
    if not several:
        (document,) = documents
        return document
    return {
        "schema": schema.SEVERAL,
        "provado": provado_version(),
        "exit_status": status,
        "entries": [
            {"name": clean(item.name), "expected": str(item.expected), "found": document}
            for item, document in zip(found, documents, strict=True)
        ],
    }
