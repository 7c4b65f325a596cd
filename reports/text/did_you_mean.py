"""The nearest right word for a wrong one."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path

from provado.mechanisms import UsageError


def hint(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean 'epsilon'?``, or nothing where no known word is near."""
    found = near(word, known)
    return f"; did you mean {found!r}?" if found else ""


def file_hint(file: Path) -> str:
    """Return a hint at a file beside it: of a near name and its kind, or of its name alone."""
    try:
        beside = sorted(one for one in file.parent.iterdir() if one.is_file())
    except (OSError, ValueError):
        return ""
    alike = hint(file.name, [one.name for one in beside if one.suffix == file.suffix])
    return alike or hint(file.name, [one.name for one in beside if one.stem == file.stem])


def unreadable(file: Path, error: OSError) -> str:
    """Say why a file cannot be read; of one that is not there, which is near."""
    missing = file_hint(file) if isinstance(error, FileNotFoundError) else ""
    return f"it cannot be read: {error.strerror or error}{missing}"


def require_matches(
    globs: Mapping[str, str], names: Sequence[str], groups: Iterable[str], complaint: str
) -> None:
    """Raise ``UsageError`` for the first glob that matches no name, with the nearest that does.

    globs: by what was typed. groups: what else may be typed. complaint: follows what was typed.
    """
    for typed, glob in globs.items():
        if not any(fnmatchcase(one, glob) for one in names):
            nearest = near(typed, [*names, *groups], always=True)
            end = f"; the nearest is {nearest}" if nearest else ""
            raise UsageError(f"{typed}: {complaint}{end}")


def near(word: str, known: Iterable[str], *, always: bool = False) -> str:
    """Return the nearest known word, or nothing where none is near (unless ``always``).

    Case is ignored, and dashes in front are not compared. The one word that starts like this one
    is the nearest; else the most alike, if at least about six letters of ten are.
    """
    bare = word.lower().lstrip("-")
    by_bare = {one.lower().lstrip("-"): one for one in known}
    longer = [one for one in by_bare if len(bare) > 1 and one.startswith(bare)]
    cutoff = 0.0 if always else 0.6
    alike = longer if len(longer) == 1 else get_close_matches(bare, by_bare, n=1, cutoff=cutoff)
    return by_bare[alike[0]] if alike else ""
