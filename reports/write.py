"""Files are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from provado.mechanisms import UsageError


def check_folder(folder: Path) -> None:
    """Raise ``UsageError`` unless ``folder`` can be written to, or made; makes nothing."""
    nearest = next(p for p in (folder, *folder.absolute().parents) if p.exists())
    if not nearest.is_dir():
        raise UsageError(f"output folder {str(folder)!r}: {str(nearest)!r} is not a folder")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise UsageError(f"output folder {str(folder)!r}: no permission to write")


def write_files(folder: Path, contents: Mapping[str, str]) -> None:
    """Write all of ``contents`` (name to text) into ``folder``, which is made if need be.

    Every file is first written in full beside its place, then moved there: a failure leaves the
    old files as they were.
    """
    ready: list[tuple[Path, Path]] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in contents.items():
            ready.append((_write_beside(folder / name, text), folder / name))
        for temporary, place in ready:
            temporary.replace(place)
    except OSError as error:
        raise UsageError(f"output folder {str(folder)!r}: {error.strerror or error}") from error
    finally:
        for temporary, _ in ready:
            temporary.unlink(missing_ok=True)


def _write_beside(place: Path, text: str) -> Path:
    handle, name = tempfile.mkstemp(prefix=f".{place.name}.", dir=place.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            # A lone surrogate, as undecodable file names have, becomes its \udXXX escape.
            file.write(text.encode("utf-8", errors="backslashreplace"))
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
