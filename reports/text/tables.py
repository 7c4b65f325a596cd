"""Tables of texts with aligned columns."""

from collections.abc import Collection, Sequence


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
