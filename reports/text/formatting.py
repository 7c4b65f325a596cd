"""Numbers and texts for people: limits rounded toward the weaker conclusion, safe to print."""

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal

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


def counted(number: int, what: str) -> str:
    """Return a number with its noun: ``1 audit``, ``2 audits``, ``1,000 guesses``."""
    plural = "" if number == 1 else "es" if what.endswith("s") else "s"
    return f"{number:,} {what}{plural}"


def lasting(seconds: float) -> str:
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
    margins = [min(share, 1 - share) for share in shares]
    decimals = 1
    for margin in margins:
        if margin > 0:
            decimals = max(decimals, 1 - math.floor(math.log10(margin) + 2 + 1e-9))
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
