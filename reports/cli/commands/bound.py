"""``provado bound``: bounds how far a query moves between neighbors, by following its steps."""

import argparse
from fractions import Fraction
from typing import Any

from provado.audit.options import domains
from provado.audit.options.declaration import Place, placed
from provado.audit.options.domains import OptionDomain, choice, whole
from provado.mechanisms import UsageError
from provado.mechanisms.definitions.relation import RELATIONS
from provado.proofs import bound_sensitivity
from provado.proofs.sensitivity import SensitivityBound, SensitivityVerdict
from provado.proofs.sensitivity.bounded import NORMS
from provado.proofs.sensitivity.change.formula import read_formula
from provado.proofs.sensitivity.trace.bound import finite
from provado.reports.documents import schema
from provado.reports.documents.exit_status import NOT_COMPLETED, exit_status_of
from provado.reports.documents.origin import provado_version, source_location
from provado.reports.documents.write import show
from provado.reports.targets.argument_parser import Parser, add_options
from provado.reports.targets.dataset import of_records, read_domain, read_size
from provado.reports.targets.load import load_target
from provado.reports.tasks.resources import completed
from provado.reports.text.formatting import clean

HELP = "bound the sensitivity of a query: how far one record moves it"

_SHOWN = (SensitivityVerdict.PROVED, SensitivityVerdict.ARGUED, SensitivityVerdict.VERIFIED)


OPTIONS = placed(
    Place("query", ()),
    (
        "domain",
        domains.columns.typed(required=True),
        "what a record may be: LOW:HIGH, a list A,B,C, numbers (NaN included) or booleans; repeat "
        "it for each column: by name for a data frame, 0=… and 1=… for an array",
    ),
    (
        "sensitivity",
        OptionDomain(parse={"metavar": "WIDTH"}),
        "the claimed sensitivity: a number, or an expression of the number of records n such as "
        "2*(n-1)/n or log(2)",
    ),
    (
        "claim",
        OptionDomain(parse={"metavar": "WIDTH", "dest": "sensitivity"}),
        "the same as --sensitivity",
    ),
    (
        "norm",
        choice(*NORMS).typed(default="l1"),
        "how the changes of several numbers add up: l1 for Laplace noise, l2 for Gaussian noise, "
        "linf for the largest change (default: l1)",
    ),
    ("relation", choice(*sorted(RELATIONS)), "the neighboring relation (default: replace-one)"),
    (
        "size",
        OptionDomain(parse={"metavar": "LEAST[:MOST]", "default": "1:"}),
        "the number of records; 9 is exactly 9, 9: is 9 or more (default: 1 or more)",
    ),
    (
        "parameter",
        OptionDomain(parse={"metavar": "NAME=NUMBER", "action": "append", "default": []}),
        "a further argument of the query; with NAME=LOW:HIGH the bound holds for every number from "
        "LOW to HIGH; may be repeated",
    ),
    (
        "examples",
        whole(1).typed(default=200),
        "number of pairs that the search for a counterexample tries (default: 200)",
    ),
    ("seed", domains.seed.typed(default=0), "seed of that search (default: 0)"),
    ("json", domains.flag, "print JSON instead of text"),
)


DESCRIPTION = (
    "Bounds the sensitivity of a query in NumPy or pandas, which is how far one record moves it. "
    "The query is called with symbols in place of data, so that the bound holds for all datasets. "
    "A claimed sensitivity that is too small is refuted by two datasets."
)
EPILOG = (
    "Exit status: 0 bounded, and within the claim if there is one, 1 claim refuted, 2 wrong usage, "
    "3 neither bounded nor refuted, 4 output failed."
)


def add(parser: Parser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "target",
        metavar="TARGET",
        help="path/to/file.py:name or module:name of a function of an array or data frame",
    )
    add_options(parser, OPTIONS, grouped=False)
    parser.shorten(
        "target domain sensitivity norm relation size json",
        "provado bound mine.py:mean --domain 0:1 --size 100:",
        "provado bound mine.py:total --domain 0:1 --sensitivity 1",
        "provado bound mine.py:incomes --domain age=0:120 --domain pay=0:1e6 --norm l2",
    )


def run(options: argparse.Namespace) -> int:
    """Bound the query; return the exit status."""
    arguments = {
        "claimed": None if options.sensitivity is None else _claimed(options.sensitivity),
        "domain": of_records(read_domain(options.domain)),
        "relation": RELATIONS[options.relation or "replace-one"],
        "size": read_size(options.size, "--size"),
        "examples": options.examples,
        "seed": options.seed,
        "norm": options.norm,
        "parameters": _parameters(options.parameter),
    }
    target = load_target(options.target)
    if not callable(target.mechanism):
        raise UsageError(f"target {options.target!r}: {target.name} is no function")
    place = source_location(target.mechanism, target.text)

    def work() -> tuple[str, dict[str, Any]]:
        with target.importable():
            bound = bound_sensitivity(target.mechanism, **arguments)
        # Neither datasets nor evidence need be data that can be sent.
        return bound.words(), _document(bound, target.name, place)

    done = completed([work])
    if not done:
        return NOT_COMPLETED
    ((words, document),) = done
    show(document, lambda: "\n".join(map(clean, words.splitlines())), as_json=options.json)
    return int(document["exit_status"])


def _document(sensitivity_bound: SensitivityBound, name: str, place: str) -> dict[str, Any]:
    traced, check = sensitivity_bound.traced, sensitivity_bound.check
    worst = None if check is None else check.worst
    refuted = sensitivity_bound.verdict is SensitivityVerdict.REFUTED
    bound = str(traced.moved(sensitivity_bound.norm)) if finite(traced.moves) else None
    bound = bound if sensitivity_bound.proof is None else sensitivity_bound.formula
    return {
        "schema": schema.BOUND,
        "provado": provado_version(),
        "exit_status": exit_status_of(
            surprising=refuted, incomplete=sensitivity_bound.verdict not in _SHOWN
        ),
        "query": clean(name),
        "location": place,
        "verdict": str(sensitivity_bound.verdict),
        "claimed": None if sensitivity_bound.claimed is None else str(sensitivity_bound.claimed),
        "norm": sensitivity_bound.norm,
        "bound": bound,
        "each": str(traced.most) if finite(traced.most) else None,
        "numbers": traced.numbers
        if sensitivity_bound.proof is None
        else sensitivity_bound.proof.numbers,
        "scope": clean(sensitivity_bound.scope),
        "reason": clean(sensitivity_bound.reason),
        "steps": [{"line": step.line, "words": clean(step.words)} for step in traced.steps],
        "counterexample": None
        if worst is None or not refuted
        else {
            "d": schema.plain(worst.d),
            "d_prime": schema.plain(worst.d_prime),
            "values": [str(value) for value in worst.values],
            "change": str(worst.change),
        },
    }


def _claimed(text: str) -> Fraction | str:
    ratio = read_formula(text, "--sensitivity")
    if ratio.constant is not None and ratio.constant < 0:
        raise UsageError(f"--sensitivity {text!r}: it must be a number of at least 0")
    return text if ratio.constant is None else ratio.constant


def _parameters(texts: list[str]) -> dict[str, Any]:
    """Return further arguments: numbers, and intervals as (low, high)."""
    result: dict[str, Any] = {}
    for text in texts:
        name, _, value = text.partition("=")
        numbers = []
        for part in value.split(":"):
            try:
                exact = Fraction(part)
            except (ValueError, ZeroDivisionError):
                break
            numbers.append(int(exact) if part.strip("+-").isdecimal() else float(exact))
        whole_ = len(numbers) == len(value.split(":")) <= 2 and name.isidentifier()
        if not whole_ or name in result:
            raise UsageError(
                f"--parameter {text!r}: it must be NAME=NUMBER or NAME=LOW:HIGH, each name once"
            )
        result[name] = tuple(numbers) if len(numbers) > 1 else numbers[0]
    return result
