"""``python -m benchmarks.atlas``: audits the packages that have not been, and writes the table.

``python -m benchmarks.atlas NAME …`` does so for some packages. Rows are recorded one by one in
``benchmarks/results/atlas.json``; a row is audited again where its claim, its data or its code has
changed or a check of a violation was added, or with ``--again``. The status is 1 where an
independent check does not agree with the verdict.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.museum.environment import NotInstalledError
from provado.mechanisms import UsageError

from .audits import SECONDS, audited, computed
from .package import ENVIRONMENTS, Package, packages
from .table import distance, faults, markdown

RESULTS = Path("benchmarks/results")

Row = dict[str, Any]


class Record:
    """The rows found so far, kept in a file that is written after each."""

    def __init__(self, folder: Path) -> None:
        self.file, self.page = folder / "atlas.json", folder / "atlas.md"
        self.drafts = folder / "atlas"
        self.rows: list[Row] = []
        self.read()

    def read(self) -> None:
        """Read the rows, to which another run may have added some."""
        if self.file.is_file():
            self.rows = json.loads(self.file.read_text(encoding="utf-8"))["rows"]

    def find(self, package: Package, row: Row) -> Row | None:
        """Return the row that was recorded of this release with the same digest and check."""
        wanted = (package.name, package.version, row["key"], row["digest"])
        keys = ("package", "version", "key", "digest")
        for one in self.rows:
            unconfirmed = one["verdict"] == "violation" and one.get("check") is None
            if tuple(map(one.get, keys)) == wanted and not (row["check"] and unconfirmed):
                return one
        return None

    def keep(self, package: Package, keys: Sequence[str]) -> None:
        """Forget the rows of a package but those of these keys."""
        self.read()
        self.rows = [
            one for one in self.rows if one["package"] != package.name or one["key"] in keys
        ]
        self.write()

    def add(self, row: Row, draft: Path | None = None) -> None:
        """Record a row in place of an earlier one, and its draft of a report."""
        self.replace(row)
        report = self.drafts / f"{row['package']}-{row['key']}.md"
        report.unlink(missing_ok=True)
        if row["verdict"] == "violation":
            self.drafts.mkdir(parents=True, exist_ok=True)
            report.write_text(_draft(row, draft), encoding="utf-8")

    def replace(self, row: Row) -> None:
        """Record a row in place of an earlier one."""
        self.read()
        same = (row["package"], row["key"])
        self.rows = [one for one in self.rows if (one["package"], one["key"]) != same]
        self.rows.append(row)
        self.rows.sort(key=lambda one: (one["package"], one["key"]))
        self.write()

    def write(self) -> None:
        """Write the rows and the page."""
        text = json.dumps({"rows": self.rows}, indent=1, ensure_ascii=False)
        self.file.write_text(text + "\n", encoding="utf-8")
        self.page.write_text(markdown(self.rows), encoding="utf-8")


def _draft(row: Row, draft: Path | None) -> str:
    """Return a draft of a report to the maintainers: what the audit wrote, claim and check."""
    body = f"# {row['package']} {row['version']}: {row['name']}\n\n"
    if draft is not None and draft.is_file():
        body = draft.read_text(encoding="utf-8").replace(
            f"# rows.{row['key']} ", f"# {row['package']} {row['version']}, {row['name']}: ", 1
        )
    else:
        body += (
            f"It states ε = {row['epsilon']:.8g} at δ = {row['delta']:g}; the true ε is between "
            f"{row['lower']:.8g} and {row['upper']:.8g}, {distance(row)}.\n"
        )
    claim = f"\n**The claim.** {row['place']}: “{row['claim']}”\n"
    if row["relation"]:
        claim += f"\n**Neighbors.** {row['relation']}\n"
    check = row["check"]
    how = f"ε ≥ {check['epsilon']:.4g}: {check['how']}" if check else "none"
    return f"{body}{claim}\n**Independent check.** {how}\n"


def audit_package(package: Package, record: Record, effort: Sequence[str], again: bool) -> None:
    """Audit the rows of a package that are not recorded."""
    empty = {"package": package.name, "version": package.version, "key": "", "name": package.what}
    if package.left_out:
        record.keep(package, [])
        record.add(empty | {"verdict": "not audited", "reason": package.left_out})
        return
    try:
        interpreter = package.interpreter()
        listing: list[Row] = package.ask(interpreter, "rows.listing")
    except (NotInstalledError, UsageError) as error:
        record.keep(package, [])
        record.add(empty | {"verdict": "not audited", "reason": f"not installed: {error}"[:300]})
        return
    record.keep(package, [row["key"] for row in listing])
    for row in listing:
        found = None if again else record.find(package, row)
        if found is not None:
            if row["exact"] and "exact" not in found and not row["error"]:
                record.replace(found | computed(package, interpreter, row))
            continue
        work = ENVIRONMENTS / "audits" / package.name
        found = audited(package, interpreter, row, effort, work)
        record.add(found, work / f"{row['key']}.md")
        print(package.name, row["key"], found["verdict"], _told(found), *faults(found), flush=True)


def _told(row: Row) -> str:
    lower = "" if row.get("lower") is None else f"ε ≥ {row['lower']:.4g}, "
    return f"({lower}claimed {row['epsilon']}, {row.get('seconds', 0)} s) {row['reason']}"


def main(words: Sequence[str], folder: Path = RESULTS) -> int:
    """Audit the packages of these names, or all; return the status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.atlas", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--samples", help="trials of an audit, in place of its time")
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args(words)
    known = {one.name: one for one in packages()}
    unknown = set(options.names) - known.keys()
    if unknown:
        print(f"unknown packages: {', '.join(sorted(unknown))}; known are {', '.join(known)}")
        return 2
    effort = ["--seconds", str(SECONDS)]
    if options.samples:
        # Both are counted, so that nothing depends on the time that there is.
        effort = ["--samples", options.samples, "--explore", options.samples]
    record = Record(folder)
    for name in options.names or known:
        audit_package(known[name], record, effort, options.again)
    wrong = [(row["package"], row["name"], *faults(row)) for row in record.rows if faults(row)]
    for one in wrong:
        print(*one)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
