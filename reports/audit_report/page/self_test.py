"""Known answers: mechanisms whose verdict was known beforehand, which test the auditor itself."""

from __future__ import annotations

from collections.abc import Sequence

from provado.mechanisms import Verdict
from provado.reports.pages.element import Child, Markup, tag
from provado.reports.pages.frame import tile
from provado.reports.text.formatting import counted

from .claims import ACCUSED, FOUND, MISSED, SOUND, claims, tally
from .group import Item, linked

TABLE = "known-table"


def of_known(items: Sequence[Item]) -> list[Child]:
    """Say how many planted violations the auditor found, and how many sound claims it accused."""
    counts = _counts(items)
    planted, sound = counts[FOUND] + counts[MISSED], counts[SOUND] + counts[ACCUSED]
    said: list[Child] = [tag("a", "Does the auditor work?", href="#known"), " "]
    if planted:
        said.append(f"The auditor found {counts[FOUND]} of {planted} planted violations")
        missed = [item for item in items if tally(item) == MISSED]
        said += [" and missed ", *linked(missed), "; more trials show more"] if missed else []
        said.append(". ")
    if sound:
        accused = [item for item in items if tally(item) == ACCUSED]
        said.append(f"It accused {len(accused) or 'none'} of {counted(sound, 'sound mechanism')}")
        said += [": ", *linked(accused)] if accused else []
        said.append(". ")
    broken = [item for item in items if item.result.verdict is Verdict.UNKNOWN]
    said += ["Not completed: ", *linked(broken), ". "] if broken else []
    return said


def known_answers(items: Sequence[Item]) -> list[Markup]:
    """Return the count of the known answers, and their table."""
    counts = _counts(items)
    planted, sound = counts[FOUND] + counts[MISSED], counts[SOUND] + counts[ACCUSED]
    shown = [
        (FOUND, "planted violations found", f"of {planted}", "ok"),
        (MISSED, "planted violations missed", f"of {planted}", "bad"),
        (SOUND, "sound, and not accused", f"of {sound}", "ok"),
        (ACCUSED, "sound, but accused", f"of {sound}", "bad"),
        (str(Verdict.UNKNOWN), "unknown", "could not be completed", "unknown"),
    ]
    tiles = [
        tile(counts[name], what, note, kind if counts[name] else "none", f"{TABLE} {name}")
        for name, what, note, kind in shown
        if counts[name] or name in (FOUND, ACCUSED)
    ]
    return [
        tag("p", _WHY),
        tag("div", *tiles, class_="tiles"),
        claims(items, "Claims with known answers", TABLE),
    ]


_WHY = (
    "These mechanisms come with Provado, and of each it is known whether it keeps its claim: some "
    "are sound, and some are broken on purpose. They test the auditor; their violations are "
    "deliberate and say nothing of any program of yours."
)


def _counts(items: Sequence[Item]) -> dict[str, int]:
    tallies = [tally(item) for item in items]
    names = (FOUND, MISSED, SOUND, ACCUSED, str(Verdict.UNKNOWN))
    return {name: tallies.count(name) for name in names}
