"""The parser of every command: it complains in one line, and knows the nearest right word.

The options of ``provado prove`` are declared once, as those of audits in ``audit.options``.
"""

import argparse
import re
import sys
from collections.abc import Iterable, Sequence
from itertools import takewhile
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from provado.audit.options import domains
from provado.audit.options.declaration import AUDIT, REPLAY, WHERE, Option, Place, named
from provado.audit.options.domains import NumberDomain, OptionDomain, choice, whole
from provado.mechanisms import UsageError
from provado.mechanisms.definitions.relation import RELATIONS
from provado.reports.text.formatting import hint


class Parser(argparse.ArgumentParser):
    """Raises ``UsageError`` where ``argparse`` would print its usage and end the program."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        # What begins as a negative number does is a value (``-5:10``): no option of ours does.
        self._negative_number_matcher = re.compile(r"-(\.?\d|inf|:)")
        self._full = self.add_argument(
            "--help-all", action=_FullHelp, nargs=0, help=argparse.SUPPRESS
        )
        self._first: frozenset[str] = frozenset()
        self._examples: tuple[str, ...] = ()

    def shorten(self, first: str, *examples: str) -> None:
        """Let ``--help`` show these arguments and examples alone; ``--help-all`` shows the rest.

        first: the names of the attributes that hold them. An error message has the first example.
        """
        self._full.help = "show all options and exit"
        self._first, self._examples = frozenset({*first.split(), "help", "help_all"}), examples

    def format_help(self, *, full: bool = False) -> str:
        """Return the text of ``--help``; full: that of ``--help-all``."""
        left_out = [] if full or not self._first else self._actions
        hidden = {action: action.help for action in left_out if action.dest not in self._first}
        for item in hidden:
            item.help = argparse.SUPPRESS
        try:
            text = super().format_help()
        finally:
            for item, help in hidden.items():
                item.help = help
        examples = "\n".join(f"  {example}" for example in self._examples)
        return f"{text}\nexamples:\n{examples}\n" if examples else text

    def error(self, message: str) -> NoReturn:
        """Raise the complaint, with the place where help is found, and a command that works."""
        works = f"; an example: `{self._examples[0]}`" if self._examples else ""
        raise UsageError(f"{message} (see `{self.prog} --help`){works}")

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help where it is asked for; ``argparse`` would not say that it failed."""
        (file or sys.stdout).write(message)

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Refuse unknown options, which ``argparse`` reports only once all others are right.

        Refused, too, is an option that has another one in the place of a value.
        """
        if args is not None:
            self._refuse_unknown(list(args))
        found, rest = super().parse_known_args(args, namespace)
        if rest:
            before = takewhile(lambda word: word != rest[0], args or sys.argv[1:])
            options = (self._option_string_actions.get(word.partition("=")[0]) for word in before)
            last = next((action for action in reversed([*options]) if action is not None), None)
            repeated = isinstance(last, argparse._AppendAction) and last.option_strings[-1]
            more = f"; repeat {repeated} before each value" if repeated else ""
            self.error(f"unrecognized arguments: {' '.join(rest)}{more}")
        return found, rest

    def _refuse_unknown(self, args: list[str]) -> None:
        known = self._option_string_actions
        for i, word in enumerate(args):
            if word == "--":
                return
            if self._subparsers is not None and not word.startswith("-"):
                return  # What follows is the command's own to parse.
            option = word.partition("=")[0]
            if option.startswith("--") and option not in known:
                long = [name for name in known if name.startswith("--")]
                value = [w for w in args[i + 1 : i + 2] if not w.startswith("-")]
                more = hint(option, long)
                shown = " ".join([word, *value])
                self.error(f"unrecognized arguments: {shown}{more}")
            values = getattr(known.get(word), "nargs", None)
            # Python 3.13 takes the next option for one of the values.
            if isinstance(values, int) and known.keys() & set(args[i + 1 : i + 1 + values]):
                self.error(f"argument {word}: expected {values} arguments")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            known = [str(item) for item in action.choices or ()]
            error.message += hint(str(value), known)
            raise


class _FullHelp(argparse.Action):
    """Print all options, and end the program."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        assert isinstance(parser, Parser)
        parser._print_message(parser.format_help(full=True))
        parser.exit()


def add_command(subparsers: Any, name: str, module: ModuleType) -> None:
    """Register a command with what its file states: ``HELP``, ``DESCRIPTION``, ``EPILOG``."""
    description, epilog = (getattr(module, key, None) for key in ("DESCRIPTION", "EPILOG"))
    parser = subparsers.add_parser(
        name, help=module.HELP, description=description, epilog=epilog, allow_abbrev=False
    )
    parser.set_defaults(run=module.run)
    module.add(parser)


def add_targets(parser: argparse._ActionsContainer, what: str) -> None:
    """Add the TARGETs of a command, any number of them; ``what`` says what they may be."""
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=what)


def add_options(
    parser: argparse.ArgumentParser,
    options: Iterable[Option],
    of: str = "",
    *,
    formats: str = "",
    grouped: bool = True,
) -> None:
    """Add the options that can be typed.

    of: what takes them. formats: stands in their help for the names of the forms of a report.
    grouped: whether they stand under their titles.
    """
    groups = {group.title: group for group in parser._action_groups}
    for option in options:
        if not option.at.group:
            continue
        help = (option.replay if of == REPLAY else "") or option.help.replace("FORMATS", formats)
        arguments: dict[str, Any] = (
            {"type": option.domain} if isinstance(option.domain, NumberDomain) else {}
        )
        arguments |= {**option.domain.parse, "help": help}
        if option.metavar is not None:
            arguments["metavar"] = option.metavar
        place: argparse._ActionsContainer = parser
        if grouped:
            title = option.at.group
            if title not in groups:
                groups[title] = parser.add_argument_group(title)
            place = groups[title]
        place.add_argument(f"--{option.word}", **arguments)


JOBS = ("jobs", domains.jobs, "number of processes (default: as many as processors)")
"""A row of the options of some commands, as ``placed`` takes them."""


def several(metavar: str) -> OptionDomain:
    """Return the domain of an option that may be repeated."""
    return OptionDomain(parse={"action": "append", "default": [], "metavar": metavar})


def _python_file(text: str) -> Path:
    """Return a place for a source file, and not the target that was meant to stand before."""
    if not text.endswith(".py"):
        raise argparse.ArgumentTypeError(f"{text!r}: a file ending in .py; TARGET stands before it")
    return Path(text)


_FRACTION = "a finite number above 0, or a text such as"
_NUMBER_OR_TEXT = {**domains.positive.form, **domains.text.form, "type": ["number", "string"]}
_NUMBER = domains.finite.schema()

_BOTH, _TYPED, _IN_FILE = Place("claim", (), AUDIT), Place("claim", ()), Place("", (), AUDIT)
_FILE = Place(WHERE, ())

PROVE_OPTIONS = (
    Option(
        _IN_FILE,
        "target",
        domains.place,
        "what is proved or refuted: path/to/file.py:name or module:name",
    ),
    Option(_TYPED, "config", domains.file, "read this configuration instead of the nearest one"),
    Option(
        _BOTH,
        "epsilon",
        OptionDomain(f'{_FRACTION} "2*epsilon"', _NUMBER_OR_TEXT, {"metavar": "EPS"}),
        "the claimed ε: a number, or an expression of parameters such as 2*epsilon (default: the "
        "parameter epsilon)",
    ),
    *(
        Option(
            _BOTH,
            name,
            OptionDomain(f'{_FRACTION} "1/3"', _NUMBER_OR_TEXT, {"metavar": name.upper()}),
            f"with --domain{more}: the claimed {words}",
        )
        for name, more, words in (
            (
                "delta",
                " or --pair",
                "δ beside ε; a function of answers needs pip install 'provado[exact]'",
            ),
            ("mu", "", "μ of Gaussian differential privacy"),
            ("rho", "", "ρ of zero-concentrated differential privacy"),
        )
    ),
    Option(
        _BOTH,
        "relation",
        choice(*sorted(RELATIONS)),
        "with a --domain of records: the neighboring relation (default: replace-one)",
    ),
    Option(
        _BOTH,
        "sensitivity",
        OptionDomain(f'{_FRACTION} "1/3"', _NUMBER_OR_TEXT, {"metavar": "WIDTH"}),
        "the most that one answer moves: a number, or a fraction such as 1/3 (default: 1)",
    ),
    Option(
        _BOTH,
        "neighbors",
        choice("all", "one", "increasing", "decreasing", "monotone"),
        "which answers may move between neighbors: all, only one, or all in one direction "
        "(monotone: increasing or decreasing) (default: all)",
    ),
    Option(
        _BOTH,
        "set",
        OptionDomain(
            "a table of numbers, such as { count = 2 }",
            {"type": "object", "additionalProperties": _NUMBER},
            {"action": "append", "default": [], "metavar": "NAME=NUMBER"},
        ),
        "give a parameter a value; the claim is proved for all values of the others",
        toml="values of parameters, such as { count = 2 }; the claim is proved for all values of "
        "the others",
        keyword="parameters",
    ),
    Option(
        _TYPED,
        "all_epsilon",
        domains.flag,
        "prove the claim for every value of the parameter epsilon (the default without --epsilon)",
    ),
    Option(
        _BOTH,
        "domain",
        OptionDomain(
            'a list of two numbers or more, a text as "0:1" or "0,1/2,1", or a table of columns',
            {
                "type": ["string", "array", "object"],
                "pattern": "\\S",
                "minItems": 2,
                "items": _NUMBER,
                "additionalProperties": {"type": "string"},
            },
            {"action": "append", "metavar": "WHAT"},
        ),
        "LOW:HIGH: the range of a record; for several columns --domain 0=0:1 --domain 1=0:1. "
        "V,V,…: a list of all values of a data point; all probabilities are then computed",
    ),
    Option(
        _BOTH,
        "pair",
        OptionDomain(
            'a list of pairs [[0, 0], [1, 1]] or ["0,0", "1/2,1"], at least one',
            {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "array",
                    "minItems": 2,
                    "maxItems": 2,
                    "items": {"type": ["array", "string"], "minItems": 1, "items": _NUMBER},
                },
            },
            {"action": "append", "nargs": 2, "metavar": ("V,V,…", "V,V,…")},
        ),
        "instead of --domain: two neighboring datasets, for which all probabilities are computed; "
        "may be repeated",
        key="pairs",
        toml="pairs of neighboring datasets, instead of domain",
    ),
    Option(
        _BOTH,
        "size",
        OptionDomain(
            'a whole number of at least 1, or a text such as "3:100"',
            {"type": ["integer", "string"], "minimum": 1, "pattern": "^[0-9]+(:[0-9]*)?$"},
            {"metavar": "LEAST[:MOST]"},
        ),
        "with --domain: the number of records; 9 is exactly 9, 9: is 9 or more (default: 1 or "
        "more; 1 for a list of values)",
    ),
    Option(
        _BOTH,
        "steps",
        whole(1),
        "most work to spend, of which 150,000 units take about a second (default: 12000000)",
    ),
    Option(
        _FILE,
        "repair",
        OptionDomain(
            "a file", {}, {"nargs": "?", "const": True, "type": _python_file, "metavar": "OUT.py"}
        ),
        "print the least multiple of ε that is proved, and noise scales that would prove the "
        "claim; write the source with these scales to OUT.py, a new file, and prove it",
    ),
    Option(
        _FILE,
        "audit",
        whole(1),
        "audit a refuted function on the answers that refute it, with this many samples",
    ),
    Option(_FILE, "smt", domains.file, "write the conditions of the proof as SMT-LIB"),
    Option(_FILE, "sarif", domains.file, "write claims that are not proved as SARIF"),
    Option(_FILE, "out", domains.folder, "write prove.html and prove.json to DIR"),
    Option(_FILE, "json", domains.flag, "print JSON instead of words"),
    named("anonymous"),
    Option(
        _IN_FILE,
        "expected",
        choice("proved", "refuted"),
        "the expected verdict: 'proved' (default) or 'refuted'",
    ),
)


_NAME = re.compile(r"\w[\w.-]*")


def is_name(text: str) -> bool:
    """Return whether an audit may have this name: none that could be a TARGET or an option."""
    return _NAME.fullmatch(text) is not None and not text.endswith(".py")
