"""Table 1: each definition beside differential privacy, on a battery of finite mechanisms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from provado.proofs.causal import search
from provado.proofs.causal.definitions import DECIDE, Decide, Smallest
from provado.proofs.ledger.tschantz2022 import source

from ...experiment import Answers, Experiment, Findings, PaperClaim, PaperTable, Piece, Scope
from ._paper import shown


@dataclass(frozen=True)
class Row:
    """A row of the printed table. given: whether it speaks of one given population."""

    definition: str
    population: str
    compared: str
    printed: str
    given: bool = False
    why: str = ""


_WHOLE = "O given do(D₁ = d₁, …, Dₙ = dₙ)"
_INDEPENDENT = "O given D_i = d_i"
ROWS = (
    Row("2", "all", "O given D₁ = d₁, …, Dₙ = dₙ", "↔"),
    Row("3", "all", _INDEPENDENT, "→"),
    Row(
        "4 as printed",
        "all that meet the printed condition",
        _INDEPENDENT,
        "↔",
        why="The printed condition, D_i independent of D_j given the others, lets three data "
        "points be equal to each other; mutual independence, the row below, repairs it.",
    ),
    Row("4 with mutual independence", "all with independent data points", _INDEPENDENT, "↔"),
    Row("5", "all", _WHOLE, "↔"),
    Row("6", "given", _WHOLE, "↔", given=True),
    Row("7", "given", "O given do(D_i = d_i)", "←", given=True),
    Row("8", "all", "O given do(D_i = d_i)", "↔"),
)
"""Row 4 twice: with the condition of Definition 4 as the text at hand has it, and as was meant."""

QUICK_STEP = 3
"""The quick version takes every third case."""
SYMBOLS = {(True, True): "↔", (True, False): "→", (False, True): "←", (False, False): "neither"}
"""By whether the definition implies differential privacy, and whether that implies it."""

_IMPLIES = {
    symbol: frozenset(name for name, holds in zip(("forth", "back"), both, strict=True) if holds)
    for both, symbol in SYMBOLS.items()
}


def parts(setting: Scope) -> Sequence[Piece]:
    """One part a row."""
    step = QUICK_STEP if setting.quick else 1
    return [
        Piece(
            f"Definition {row.definition}",
            {"definition": row.definition, "given": row.given, "step": step},
            0.3 + (3.0 if row.given else 0.9) / step,
        )
        for row in ROWS
    ]


def work(arguments: Mapping[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Return on how many cases each side needs a larger e^ε than the other, and a small such case.

    Nothing is drawn. exceeds: the definition needs more, so that differential privacy does not
    imply it. falls_short: it needs less, and does not imply differential privacy.
    """
    del rng
    result = cases(given=arguments["given"], step=arguments["step"])
    decide, plain = DECIDE[arguments["definition"]], DECIDE["1"]

    def exceeds(case: search.Case) -> bool:
        return decide(case).factor > plain(case).factor

    def falls_short(case: search.Case) -> bool:
        return decide(case).factor < plain(case).factor

    return {
        "cases": len(result),
        "exceeds": _met(result, exceeds, decide, plain),
        "falls_short": _met(result, falls_short, decide, plain),
    }


def cases(*, given: bool, step: int) -> tuple[search.Case, ...]:
    """Return the battery, or every ``step``-th case of it."""
    if given:
        return search.all_cases()[::step]
    return tuple(search.Case(mechanism) for mechanism in search.all_mechanisms()[::step])


def _met(
    found: Sequence[search.Case], wanted: search.Predicate, decide: Decide, plain: Decide
) -> dict[str, Any]:
    """Return how many cases are wanted, and the smallest of them made smaller still, in words."""
    met = [case for case in found if wanted(case)]
    if not met:
        return {"count": 0, "case": None}
    small = search.shrink(min(met, key=lambda case: case.size), wanted)
    return {"count": len(met), "case": _words(small, decide(small), plain(small))}


def _words(case: search.Case, own: Smallest, plain: Smallest) -> dict[str, str]:
    rows = {d: tuple(map(str, row)) for d, row in case.mechanism.table.items()}
    people = case.people or (own.at.people if own.at else None)
    weights = people.weights if people else {}
    return {
        "mechanism": "; ".join(f"{_tuple(d)} → {', '.join(row)}" for d, row in rows.items()),
        "population": "; ".join(f"{_tuple(d)}: {weight}" for d, weight in weights.items()),
        "definition": shown(own.factor),
        "privacy": shown(plain.factor),
    }


def _tuple(values: Sequence[object]) -> str:
    return f"({', '.join(map(str, values))})"


def relation(answer: Mapping[str, Any]) -> str:
    """Return the arrow between a definition and differential privacy that the cases leave."""
    return SYMBOLS[not answer["falls_short"]["count"], not answer["exceeds"]["count"]]


def agrees(found: str, printed: str) -> bool | None:
    """Return whether the cases bear out a printed arrow.

    They refute an implication that is printed, or show that one is missing that is not; where it
    is merely not refuted, they decide nothing.
    """
    stands, claimed = (_IMPLIES[symbol] for symbol in (found, printed))
    if claimed - stands:
        return False
    return None if stands - claimed else True


def findings(setting: Scope, answers: Answers) -> Findings:
    """Return Table 1 filled in, the counterexamples, and the arrows compared."""
    rows, against, compared = [], [], []
    for row in ROWS:
        answer = answers[f"Definition {row.definition}"]
        own = relation(answer)
        number = row.definition.partition(" ")[0]
        more, less = answer["exceeds"], answer["falls_short"]
        rows.append(
            (
                *(row.definition, row.population, row.compared, answer["cases"]),
                *(more["count"], less["count"], f"{own} DP", f"{row.printed} DP"),
            )
        )
        both = (more, f"DP, not {row.definition}"), (less, f"{row.definition}, not DP")
        for case, words in ((met["case"], words) for met, words in both if met["case"]):
            cells = (case["mechanism"], case["population"], case["definition"], case["privacy"])
            against.append((words, *cells))
        compared.append(
            PaperClaim(
                f"Definition {number} {row.printed} DP",
                f"Table 1, row {number}",
                f"Definition {row.definition}: {own} DP; of {answer['cases']:,} cases it needs a "
                f"larger e^ε than DP on {more['count']:,}, a smaller one on {less['count']:,}.",
                agrees(own, row.printed),
                row.why if own != row.printed else "",
            )
        )
    every = "every third of: " if setting.quick else ""
    settings = (
        ("mechanisms", f"{every}{search.SCOPE}"),
        ("given populations", f"{every}{search.PEOPLE_SCOPE}"),
        ("arithmetic", "exact; an arrow is refuted by one case, and left standing by the battery"),
    )
    return Findings(
        settings,
        (
            PaperTable(
                "definitions",
                "Table 1 filled in: what is compared, on how many cases the definition needs a "
                "larger or a smaller e^ε than differential privacy, and the arrow that is left.",
                (
                    *("definition", "population", "compared", "cases"),
                    *("needs more", "needs less", "found", "printed"),
                ),
                rows,
            ),
            PaperTable(
                "counterexamples",
                "For each arrow that does not stand a small case: the probabilities of the outputs "
                "of each dataset, the population, the smallest e^ε of the definition and of "
                "differential privacy.",
                ("holds, fails", "mechanism", "population", "e^ε of the definition", "e^ε of DP"),
                against,
            ),
        ),
        comparisons=tuple(compared),
    )


EXPERIMENT = Experiment(
    "tschantz2022/table1",
    "differential privacy and its variants, on a battery of mechanisms",
    source("Table 1"),
    *(parts, work, findings),
)
