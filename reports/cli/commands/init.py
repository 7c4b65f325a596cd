"""``provado init``: writes a first configuration from the mechanisms that it finds."""

import argparse
from pathlib import Path

from provado.mechanisms import UsageError
from provado.reports.config.keys import template
from provado.reports.documents.exit_status import AS_EXPECTED
from provado.reports.documents.write import check_places, write_all
from provado.reports.targets.scan import FoundMechanism, scan_folder
from provado.reports.text.formatting import clean

NAME = "provado.toml"

HELP = "write a configuration from the mechanisms in this folder's Python files"
DESCRIPTION = (
    "Searches the Python files of the current folder, without importing them, for functions that "
    "add noise and for Mechanism objects, and writes a provado.toml with an audit for each. You "
    "fill in the claims and the data."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--force", action="store_true", help=f"replace an existing {NAME}")
    parser.add_argument(
        "--stdout", action="store_true", help="print the configuration and write no file"
    )


def run(options: argparse.Namespace) -> int:
    """Write or print the configuration; return the exit status."""
    if options.force and options.stdout:
        raise UsageError("--force and --stdout: with --stdout nothing is written; give one")
    place = Path(NAME)
    if not options.stdout:
        check_places([place])
        if place.exists() and not options.force:
            raise UsageError(
                f"{NAME}: it is there already; --force replaces it, --stdout prints a new one"
            )
    mechanisms = scan_folder(Path(), unsure=True)
    text = template(mechanisms)
    if options.stdout:
        print(text, end="")
        return AS_EXPECTED
    write_all({place: text})
    print(_words(mechanisms))
    return AS_EXPECTED


def _words(all_found: tuple[FoundMechanism, ...]) -> str:
    mechanisms = [mechanism for mechanism in all_found if not mechanism.unsure]
    others = [mechanism.target for mechanism in all_found if mechanism.unsure]
    number = len(mechanisms)
    lines = [f"wrote {NAME}: {number or 'no'} mechanism{'s' * (number != 1)} found"]
    lines += [f"  {clean(f'{mechanism.target} ({mechanism.why})')}" for mechanism in mechanisms]
    if others:
        lines.append(f"left out, as no noise was seen in them: {clean(', '.join(others))}")
    if mechanisms:
        lines.append("Next: fill in the lines of claims and data, then run `provado audit`.")
    else:
        lines.append("Next: put your function in the place of mine.py:noisy_count there.")
    return "\n".join(lines)
