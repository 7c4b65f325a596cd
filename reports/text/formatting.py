"""Numbers and texts for people: limits rounded toward the weaker conclusion, safe to print.

Tables of texts with aligned columns, and the nearest right word for a wrong one.
"""

import math
import shlex
from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path

from provado.mechanisms import UsageError
from provado.mechanisms.definitions.relation import counted as counted
from provado.mechanisms.definitions.relation import cut

_UNITS = ((31_557_600, "years"), (86_400, "days"), (3_600, "hours"), (60, "minutes"))


def plain(value: float, digits: int = 4) -> str:
    """Return the nearest text with ``digits`` significant digits, without trailing zeros."""
    text = _rounded(value, digits, ROUND_HALF_EVEN)
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text


def down(value: float, digits: int = 4) -> str:
    """Return a text of at most ``value``: for lower limits."""
    return _rounded(value, digits, ROUND_FLOOR)


def up(value: float, digits: int = 4) -> str:
    """Return a text of at least ``value``: for upper limits."""
    return _rounded(value, digits, ROUND_CEILING)


def typed(value: float) -> str:
    """Return a budget as it was typed: rounding to few digits could exceed or belittle it."""
    return f"{value:.12g}"


def certified(value: float, claim: float) -> str:
    """Return a lower limit rounded down, with digits enough to stay above a claim it exceeds."""
    for digits in range(4, 18):
        text = down(value, digits)
        if not value > claim or float(text.replace("∞", "inf")) > claim:
            break
    return text


def duration(seconds: float) -> str:
    """Return a time in words."""
    for size, unit in _UNITS:
        if seconds >= 2 * size:
            return f"{seconds / size:,.0f} {unit}"
    return f"{plain(seconds, 2)} s"


def percent(confidence: float) -> str:
    """Return a confidence as a percentage: ``95 %``."""
    return f"{100 * confidence:.6g} %"


def percents(*shares: float) -> tuple[str, ...]:
    """Return shares as percentages, all with the same decimals, enough to distinguish them.

    Shares close to 0 or 1 get two digits of what separates them from it.
    """
    margins = (min(share, 1 - share) for share in shares)
    needed = [1 - math.floor(math.log10(margin) + 2 + 1e-9) for margin in margins if margin > 0]
    decimals = max([1, *needed])
    while True:
        texts = tuple(f"{100 * share:.{decimals}f} %" for share in shares)
        if len(set(texts)) == len(set(shares)) or decimals >= 12:
            return texts
        decimals += 1


def _rounded(value: float, digits: int, rounding: str) -> str:
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    number = Decimal(value)
    if not number:
        return "0"
    place = Decimal((0, (1,), number.adjusted() - digits + 1))
    rounded = number.quantize(place, rounding=rounding)
    if -5 < number.adjusted() < 9:
        if rounded.adjusted() >= digits:
            return str(int(rounded))
        return f"{rounded:f}"
    return f"{rounded:e}".replace("+", "")


_LONGEST = 6000
"""Of a text in characters: an argument of several sentences, with the longest of each."""


def clean(text: str) -> str:
    """Return text on one line that no terminal takes for a command, cut where it is long."""
    line = " ".join(cut(text, _LONGEST).split())
    return cut(printable(line), _LONGEST)


def printable(text: str) -> str:
    """Return text with an escape in the place of every control character but line breaks."""
    return "".join(
        c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text
    )


def hint(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean 'epsilon'?``, or nothing where no known word is near."""
    result = near(word, known)
    return f"; did you mean {result!r}?" if result else ""


def file_hint(file: Path) -> str:
    """Return a hint at a file beside it: of a near name and its kind, or of its name alone."""
    try:
        beside = sorted(path for path in file.parent.iterdir() if path.is_file())
    except (OSError, ValueError):
        return ""
    alike = hint(file.name, [path.name for path in beside if path.suffix == file.suffix])
    return alike or hint(file.name, [path.name for path in beside if path.stem == file.stem])


def unreadable(file: Path, error: OSError) -> str:
    """Say why a file cannot be read; of one that is not there, which is near."""
    missing = file_hint(file) if isinstance(error, FileNotFoundError) else ""
    return f"it cannot be read: {error.strerror or error}{missing}"


def other_encoding(file: Path) -> str:
    """Say in which encoding a text file seems to be, and how to convert it; nothing for UTF-8."""
    with file.open("rb") as stream:
        start = stream.read(1 << 16)
    marked = start[:2] in (b"\xff\xfe", b"\xfe\xff")
    order = "" if marked else "BE" if start[:1] == b"\0" else "LE"
    sure = marked or b"\0" in start
    if sure:
        guess = ("UTF-32" if start.count(0) * 2 > len(start) else "UTF-16") + order
    else:
        try:
            file.read_text(encoding="utf-8")
            return ""
        except UnicodeDecodeError:
            guess = "WINDOWS-1252"
    convert = f"iconv -f {guess} -t UTF-8 {shlex.quote(str(file))} > NEW"
    seems = "it seems to be" if sure else "it is perhaps"
    return f"{seems} in {guess}: save it in UTF-8, for example by `{convert}`"


def require_matches(
    globs: Mapping[str, str], names: Sequence[str], groups: Iterable[str], complaint: str
) -> None:
    """Raise ``UsageError`` for the first glob that matches no name, with the nearest that does.

    globs: by what was typed. groups: what else may be typed, named where nothing is near.
    complaint: follows what was typed.
    """
    for typed, glob in globs.items():
        if not any(fnmatchcase(name, glob) for name in names):
            last = [name for name in names if name.rpartition("/")[2] == typed]
            nearest = last[0] if last else near(typed, [*names, *groups])
            end = f"the nearest is {nearest}" if nearest else f"choose from {', '.join(groups)}"
            raise UsageError(f"{typed}: {complaint}; {end}")


def near(word: str, known: Iterable[str]) -> str:
    """Return the nearest known word, or nothing where none is near.

    Case is ignored, and dashes in front are not compared. The one word that starts like this one
    is the nearest; else the most alike, if at least about six letters of ten are.
    """
    bare = word.lower().lstrip("-")
    by_bare = {text.lower().lstrip("-"): text for text in known}
    longer = [text for text in by_bare if len(bare) > 1 and text.startswith(bare)]
    alike = longer if len(longer) == 1 else get_close_matches(bare, by_bare, n=1)
    return by_bare[alike[0]] if alike else ""


def text_table(
    rows: Sequence[Sequence[str]],
    *,
    right: Collection[int] = (),
    colors: Sequence[str] = (),
    colored: int = 0,
    width: int = 0,
) -> str:
    """Return rows as aligned text, with a line under the first one, the heads.

    right: the columns that are aligned on the right. colors: a terminal's codes, one a row below
    the heads, for the column ``colored``. width: of a line, if above 0: what is longer is cut, but
    never to less than 12 characters of the last column, which may be ragged.
    """
    heads, *lines = aligned(rows, right)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    ragged = len(widths) - 1 not in right
    rule = "  ".join("─" * wide for wide in (widths[:-1] if ragged else widths))
    room = max(width, sum(widths[:-1]) + 2 * (len(widths) - 1) + 12) if width else 0
    cut = [
        line if not room or len(line) <= room else f"{line[: room - 1]}…"
        for line in (heads, *lines)
    ]
    start = sum(widths[:colored]) + 2 * colored
    end = start + widths[colored]
    for i, color in enumerate(colors, 1):
        cut[i] = f"{cut[i][:start]}\x1b[{color}m{cut[i][start:end]}\x1b[0m{cut[i][end:]}"
    return "\n".join([cut[0], rule, *cut[1:]])


def aligned(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """Return rows as lines with aligned columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(wide) if i in right else cell.ljust(wide)
            for i, (cell, wide) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
