"""The options of ``provado prove``, declared once, as those of audits in ``audit.options``."""

from provado.audit.options import domains
from provado.audit.options.declaration import AUDIT, WHERE, Option, Place
from provado.audit.options.domains import OptionDomain, choice, whole

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
    Option(_TYPED, "config", domains.file, "a configuration other than the nearest"),
    Option(
        _BOTH,
        "epsilon",
        OptionDomain(f'{_FRACTION} "2*epsilon"', _NUMBER_OR_TEXT, {"metavar": "EPS"}),
        "the claim: a number, or of parameters, as 2*epsilon (the parameter epsilon)",
    ),
    Option(
        _BOTH,
        "sensitivity",
        OptionDomain(f'{_FRACTION} "1/3"', _NUMBER_OR_TEXT, {"metavar": "WIDTH"}),
        "how far an answer moves at most: a number, or a fraction as 1/3 (1)",
    ),
    Option(
        _BOTH,
        "neighbors",
        choice("all", "one", "increasing", "decreasing", "monotone"),
        "which answers move: all, one, or all in one direction; increasing and decreasing are the "
        "two halves of monotone (all)",
    ),
    Option(
        _BOTH,
        "set",
        OptionDomain(
            "a table of numbers, such as { count = 2 }",
            {"type": "object", "additionalProperties": _NUMBER},
            {"action": "append", "default": [], "metavar": "NAME=NUMBER"},
        ),
        "give a parameter a value; others stay open",
        toml="values of parameters, such as { count = 2 }; others stay open",
        keyword="parameters",
    ),
    Option(
        _TYPED,
        "all_epsilon",
        domains.flag,
        "claim the parameter epsilon for each of its values (also without --epsilon)",
    ),
    Option(
        _BOTH,
        "domain",
        OptionDomain(
            'a list of two numbers or more, or a text such as "0,1/2,1"',
            {"type": ["string", "array"], "pattern": "\\S", "minItems": 2, "items": _NUMBER},
            {"metavar": "V,V,…"},
        ),
        "the values of a data point: all probabilities are computed, and the exact ε",
    ),
    Option(
        _BOTH,
        "size",
        whole(1),
        "data points, with --domain (1)",
        toml="with domain: how many data points (1)",
    ),
    Option(
        _BOTH,
        "steps",
        whole(1),
        "budget of work, of which 150,000 take about a second (12000000)",
    ),
    Option(_FILE, "smt", domains.file, "leave the conditions as SMT-LIB"),
    Option(_FILE, "sarif", domains.file, "leave what is not proved as SARIF"),
    Option(_FILE, "out", domains.folder, "leave prove.html and prove.json in DIR"),
    Option(_FILE, "json", domains.flag, "print JSON instead of words"),
    Option(
        _IN_FILE,
        "expected",
        choice("proved", "refuted"),
        "the verdict to come: 'proved' or 'refuted' (proved)",
    ),
)
