"""The definitions' names in ``proofs/coq/definitions``, and statements made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from provado.proofs.ledger.statement import Statement

IMPORTS: Final = (
    "definitions.finite",
    "definitions.mechanism",
    "definitions.associative",
    "definitions.model",
    "definitions.interventional",
)

_OF_A_MECHANISM: Final[Mapping[str, str]] = {
    "1": "definition_1",
    "2": "definition_2",
    "3": "definition_3",
    "4 as printed": "definition_4_printed",
    "4 with mutual independence": "definition_4_mutual",
    "5": "definition_5",
    "8": "definition_8",
    "9": "definition_9",
}
_ANY_TWO = (
    "((0 < size (domains m))%N -> forall d e o, d \\in datasets (domains m) -> "
    "e \\in datasets (domains m) -> o \\in outputs m -> chance m d o <= {} * chance m e o)"
)
_OF_A_POPULATION: Final[Mapping[str, str]] = {
    "3 for one population": "bayesian",
    "6": "definition_6",
    "7": "definition_7",
    "10": "definition_10",
}
_BETWEEN: Final = {"implies": "->", "is equivalent to": "<->"}


def holds(definition: str, factor: str = "t") -> str:
    """Return that a definition holds of the mechanism m, under P if it speaks of a population."""
    if definition == "1 for any two datasets":
        return _ANY_TWO.format(factor)
    if definition in _OF_A_MECHANISM:
        return f"{_OF_A_MECHANISM[definition]} {factor} m"
    return f"{_OF_A_POPULATION[definition]} {factor} m P"


def about_people(*definitions: str) -> bool:
    """Return whether one of them speaks of a given population."""
    return bool(_OF_A_POPULATION.keys() & set(definitions))


def arrow(strong: str, weak: str, relation: str) -> str:
    """Return that one definition implies another, for all finite mechanisms and t = e^ε."""
    people = about_people(strong, weak)
    binders = "(R : realFieldType) (V O : eqType) (m : mechanism R V O)"
    given = ["well_formed m"]
    if people:
        binders += " (P : seq V -> R)"
        given.append("population m P")
    said = f"{holds(strong)} {_BETWEEN[relation]} {holds(weak)}"
    return f"forall {binders} (t : R), {' -> '.join([*given, f'({said})'])}"


def no_arrow(strong: str, weak: str, factor: str, sizes: Sequence[int]) -> str:
    """Return that for some mechanism the strong definition holds with a factor and the weak fails.

    Where the factor is 1 the weak one fails with every factor. sizes: how many values each data
    point has. Under Definition 7 the population gives every dataset positive probability.
    """
    people = about_people(strong, weak)
    fails = f"~ {holds(weak, factor)}"
    if factor == "1":
        fails = f"forall t : R, ~ {holds(weak)}"
    population = "population m P"
    if strong == "7":
        population += " /\\ (forall d, d \\in datasets (domains m) -> 0 < P d)"
    counted = f"[seq size values | values <- domains m] = [:: {'; '.join(map(str, sizes))}]%N"
    bound = "(V O : eqType) (m : mechanism R V O)" + " (P : seq V -> R)" * people
    given = ["well_formed m", *[population] * people, counted, holds(strong, factor)]
    return f"forall R : realFieldType, exists {bound}, {conjunction([*given, fails])}"


def conjunction(parts: Sequence[str]) -> str:
    """Return that all parts hold, in ssreflect's form."""
    return f"[/\\ {', '.join(parts[:-1])} & {parts[-1]}]"


FOR_A_MECHANISM: Final = "forall (R : realFieldType) (V O : eqType) (m : mechanism R V O)"
FOR_A_POPULATION: Final = f"{FOR_A_MECHANISM} (P : seq V -> R), well_formed m -> population m P ->"


IN_SEQUENCE: Final = (
    "forall (R : realFieldType) (U : eqType) (M : model R U) (x y z : nat)",
    "proper M -> in_sequence M x y z ->",
)
"""How statements about X, Y and Z in sequence begin: binders, then the model."""


def stated(text: str) -> Statement:
    """Return a statement written with all definitions of the paper."""
    return Statement(text, IMPORTS)


Kind = Literal["implies", "is equivalent to", "does not imply"]
