"""``python -m benchmarks.museum``: audits all exhibits and writes the table.

``python -m benchmarks.museum NAME …`` prints some of them, and writes nothing. The status is 1
where a flaw was not certified, a fixed version was accused, or one took too long.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from provado.mechanisms import Verdict

from .audits import Outcome, outcome
from .exhibit import Exhibit, exhibits

RESULTS = Path("benchmarks/results/museum.md")

LEAST_PAIRS, MOST_SECONDS = 10, 180.0
"""The bars: so many pairs of versions, and so long an audit of one version."""

HEAD = """\
# A museum of real bugs

Written by `make bench-museum`. Released versions with a published flaw and their fixed successors,
each in an environment of its own, audited by `provado.audit` without tuning: neighbors, the claim
that the library itself states, 40 seconds a version, 95 % confidence shared by all pairs
of neighbors that an exhibit tries. ε is the certified lower bound.

| what | flaw | source | flawed version | fixed version | seconds |
| --- | --- | --- | --- | --- | --- |
"""


@dataclass(frozen=True)
class Row:
    """One exhibit and what was found."""

    exhibit: Exhibit
    flawed: Outcome
    fixed: Outcome | None

    @property
    def complete(self) -> bool:
        """Whether both versions could be had."""
        return self.fixed is not None and all(one.trials for one in (self.flawed, self.fixed))

    @property
    def faults(self) -> tuple[str, ...]:
        """What breaks a bar."""
        sides = [one for one in (self.flawed, self.fixed) if one is not None and one.trials]
        found = []
        if self.flawed.trials and self.flawed.verdict is not Verdict.VIOLATION:
            found.append("the flaw was not certified")
        if self.fixed is not None and self.fixed.verdict is Verdict.VIOLATION:
            found.append("the fixed version was accused")
        if any(one.seconds > MOST_SECONDS for one in sides):
            found.append(f"more than {MOST_SECONDS:g} s")
        return tuple(found)

    def markdown(self) -> str:
        """Return the line of the table."""
        exhibit, fixed = self.exhibit, "none was released"
        if self.fixed is not None and exhibit.fixed is not None:
            fixed = f"{exhibit.fixed.words}: {self.fixed.words}"
        times = [f"{one.seconds:.0f}" for one in (self.flawed, self.fixed) if one is not None]
        cells = (
            exhibit.name,
            exhibit.flaw,
            exhibit.source,
            f"{exhibit.flawed.words}: {self.flawed.words}",
            fixed,
            " + ".join(times),
        )
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def main(names: Sequence[str]) -> int:
    """Audit the exhibits of these names, or all; return the status."""
    known = list(exhibits())
    chosen = [one for one in known if not names or one.file.removesuffix(".py") in names]
    if len(chosen) < len(names):
        print("known are", ", ".join(one.file.removesuffix(".py") for one in known))
        return 2
    rows = []
    for exhibit in chosen:
        fixed = None if exhibit.fixed is None else outcome(exhibit, exhibit.fixed)
        rows.append(Row(exhibit, outcome(exhibit, exhibit.flawed), fixed))
        print(rows[-1].markdown(), *rows[-1].faults, flush=True)
    complete = sum(row.complete for row in rows)
    summary = (
        f"{complete} pairs of versions; "
        f"{sum(row.flawed.verdict is Verdict.VIOLATION for row in rows)} of {len(rows)} flaws "
        f"certified; {sum('accused' in ' '.join(row.faults) for row in rows)} fixed versions "
        f"accused; the longest took "
        f"{max(o.seconds for r in rows for o in (r.flawed, r.fixed) if o):.0f} s.\n"
    )
    print(summary)
    if not names:
        lines = "\n".join(row.markdown() for row in rows)
        RESULTS.write_text(f"{HEAD}{lines}\n\n{summary}", encoding="utf-8")
    met = names or complete >= LEAST_PAIRS
    return 0 if met and not any(row.faults for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
