"""The options of ``provado audit``, from their declaration; a report's command is read by them."""

import argparse

from provado.audit.options.declaration import OPTIONS, WHAT
from provado.reports.audit_report.formats import FORMATS
from provado.reports.targets import argument_parser


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add all options."""
    parser.add_argument_group(WHAT).add_argument(
        "targets",
        nargs="*",
        metavar="TARGET",
        help="path/to/file.py:name or module:name; a callable or a provado Mechanism; or the "
        "name of an audit in the configuration. path/to/file.py alone lists what it holds",
    )
    argument_parser.add_options(parser, OPTIONS, formats=", ".join(FORMATS))
