"""``provado list``: what the catalogue and the libraries offer to be audited."""

import argparse
from typing import Any

from provado.audit.options import domains
from provado.audit.options.declaration import Place, placed
from provado.mechanisms import Mechanism
from provado.reports.documents import schema
from provado.reports.documents.exit_status import AS_EXPECTED
from provado.reports.documents.write import show
from provado.reports.targets.argument_parser import add_options, several
from provado.reports.targets.load import select
from provado.reports.text.formatting import aligned

HELP = "list the built-in mechanisms"
DESCRIPTION = "Lists the built-in mechanisms with their claims and expected verdicts."


OPTIONS = placed(
    Place("list", ()),
    ("libraries", domains.flag, "list the releases of installed libraries, too"),
    ("only", several("GLOB"), "list only names that match; may be repeated"),
    ("wide", domains.flag, "show relation and source, too"),
    ("json", domains.flag, "print JSON"),
)


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_options(parser, OPTIONS, grouped=False)


def run(options: argparse.Namespace) -> int:
    """Print the list; return the exit status."""
    mechanisms = [mechanism for _, mechanism in select(True, options.libraries, options.only)]
    document = {"schema": schema.LIST, "mechanisms": list(map(_entry, mechanisms))}
    rows = [("name", "claim", "expected", "relation", "source"), *map(_row, mechanisms)]
    shown = rows if options.wide else [row[:3] for row in rows]
    show(document, lambda: "\n".join(aligned(shown)), as_json=options.json)
    return AS_EXPECTED


def _row(mechanism: Mechanism) -> tuple[str, ...]:
    return (
        mechanism.name,
        mechanism.promise.words(),
        str(mechanism.expected),
        mechanism.relation.words(),
        mechanism.source.words(),
    )


def _entry(mechanism: Mechanism) -> dict[str, Any]:
    epsilon, delta = mechanism.promise.point()
    exact = mechanism.true_epsilon
    return {
        "name": mechanism.name,
        "summary": mechanism.summary,
        "promise": mechanism.promise.words(),
        "epsilon": epsilon,
        "delta": delta,
        "true_epsilon": None if exact is None else schema.number(exact),
        "relation": mechanism.relation.words(),
        "pairs": len(mechanism.pairs),
        "expected": str(mechanism.expected),
        "source": mechanism.source.words(),
        "seedable": mechanism.seedable,
        "tags": list(mechanism.tags),
    }
