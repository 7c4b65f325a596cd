"""Definitions and the arrows between them: in Coq's language, by algebra, and over the battery.

An arrow says that one definition implies another with the same ε. Its theorem in Coq is stated with
the names in ``proofs/coq/definitions``. The algebra is an inequality between polynomials in
quantities that are ≥ 0: probabilities, weights, and what a bound leaves over (its slack); there is
one certificate a step, and a sum of any number of terms is built up by ``averaged``, one term at a
time. Over part of a battery of small mechanisms the kernel recounts the definitions themselves.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, Final, Literal

from provado.proofs import kernel
from provado.proofs.causal.definitions import Decide, named
from provado.proofs.causal.model import Factor
from provado.proofs.causal.search import PEOPLE_SCOPE, SCOPE, Case, all_cases, all_mechanisms
from provado.proofs.ledger import Claim, Entry, Evidence, Line, Step, show
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.fact import Fact, Polynomial, Recounted, Unshown
from provado.proofs.ledger.find_certificate import recount
from provado.proofs.ledger.formula import variables

from . import source

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
GIVEN_POPULATION: Final = frozenset(_OF_A_POPULATION)
"""Definitions that speak of one given population."""
Relation = Literal["implies", "is equivalent to", "does not imply"]
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
    return not GIVEN_POPULATION.isdisjoint(definitions)


def arrow(strong: str, weak: str, relation: str) -> str:
    """Return that one definition implies another, for all finite mechanisms and t = e^ε."""
    people = about_people(strong, weak)
    binders = "(R : realFieldType) (V O : eqType) (m : mechanism R V O)"
    given = ["well_formed m"]
    if people:
        binders += " (P : seq V -> R)"
        given.append("population m P")
    sentence = f"{holds(strong)} {_BETWEEN[relation]} {holds(weak)}"
    return f"forall {binders} (t : R), {' -> '.join([*given, f'({sentence})'])}"


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


def averaged(*, same_weights: bool = True) -> Polynomial:
    """Return that a bound on sums survives one more term; with other weights it does not.

    Variables: Σwp, S, p, s and the weights w, w′ of the new term on the left and right;
    t·Σwp′ = Σwp + S and t·p′ = p + s.
    """
    total, slack, p, s, w, other = variables(6)
    right = w if same_weights else other
    return (total + slack + right * (p + s) - total - w * p).nonnegative()


def conditioned() -> Polynomial:
    """Return w·(t·w′·p′) − w′·(w·p) ≥ 0; variables w, w′, p and s = t·p′ − p."""
    w, other, p, s = variables(4)
    return (w * other * (p + s) - other * w * p).nonnegative()


def multiplied(*, second: bool = True) -> Polynomial:
    """Return t₁·t₂·a′·b′ − a·b ≥ 0; without the ``second`` factor t₂ it is not.

    Variables: a, s = t₁·a′ − a, b, u = t₂·b′ − b. Without t₂ there is b′ itself for t₂·b′ on the
    left, and b = b′ + u on the right, where the third variable is b′.
    """
    a, s, b, u = variables(4)
    if second:
        return ((a + s) * (b + u) - a * b).nonnegative()
    return ((a + s) * b - a * (b + u)).nonnegative()


def chained(*, power: Literal[1, 2] = 2) -> Polynomial:
    """Return t^power·p″ − p ≥ 0 for t ≥ 1; variables t, p″, u = t·p″ − p′ and s = t·p′ − p.

    p = t·p′ − s and p′ = t·p″ − u.
    """
    t, last, u, s = variables(4)
    middle = t * last - u
    polynomial = t * last if power == 1 else t * t * last
    return (polynomial - (t * middle - s)).nonnegative(1, 0, 0, 0)


AVERAGED = Step(
    "One term more keeps a bound on sums (kernel): with S = t·Σwp′ − Σwp ≥ 0 and s = t·p′ − p ≥ 0, "
    "t·(Σwp′ + w·p′) − (Σwp + w·p) = S + w·s ≥ 0. By induction it holds for any number of terms, "
    "and for the empty sum S = 0.",
    (averaged(),),
)
CONDITIONED = Step(
    "Conditioning cancels (kernel): w·p/w ≤ t·w′·p′/w′ for w, w′ > 0 follows from "
    "s = t·p′ − p ≥ 0, since w·w′ times the difference is w·w′·s. At w = w′ it is w²·s, so that "
    "there the two say the same.",
    (conditioned(),),
)
MULTIPLIED = Step(
    "Bounds multiply (kernel): with s = t₁·a′ − a ≥ 0 and u = t₂·b′ − b ≥ 0, "
    "t₁·t₂·a′·b′ − a·b = (a + s)·(b + u) − a·b ≥ 0.",
    (multiplied(),),
)
CHAINED = Step(
    "Two changes in turn (kernel): with u = t·p″ − p′ ≥ 0 and s = t·p′ − p ≥ 0, "
    "t²·p″ − p = t·u + s ≥ 0 for t ≥ 1.",
    (chained(),),
)


MECHANISMS_STEP, CASES_STEP = 3, 4
"""Each third mechanism and each fourth case; slow tests run through all of them."""


def reciprocal(factor: Factor) -> Fraction:
    """Return 1/factor, which is 0 for ``math.inf``: a larger factor has a smaller reciprocal."""
    return Fraction(1) / factor if isinstance(factor, Fraction) else Fraction(0)


def largest_excess(pairs: Iterable[tuple[Factor, Factor]], fact: Recounted) -> kernel.Checked:
    """Return the finding that each first factor is at most the second, and equals it somewhere.

    The largest 1/second − 1/first is 0. Raises ``KernelRefusal`` where it is not.
    """
    rows = tuple(
        (i, reciprocal(allowed) - reciprocal(needed)) for i, (needed, allowed) in enumerate(pairs)
    )
    return recount(rows, fact)


@dataclass(frozen=True)
class Arrow(Claim):
    """One definition implies another, or they are equivalent, for all finite mechanisms.

    Its obligations are the algebra of the definitions that it connects, and that over part of the
    battery the weaker definition needs no larger e^ε than the stronger one.
    """

    strong: str
    weak: str
    relation: Relation = "implies"

    @property
    def formula(self) -> str:
        return f"Definition {self.strong} {self.relation} Definition {self.weak}, with the same ε"

    def statement(self) -> Statement | None:
        if self.relation == "does not imply":
            return None
        return stated(arrow(self.strong, self.weak, self.relation))

    def obligations(self) -> tuple[Fact, ...]:
        if self.relation == "does not imply":
            return (Unshown(self.formula),)
        return *(fact for line in self.steps() for fact in line.facts), *self.recounts()

    def steps(self) -> tuple[Step, ...]:
        """Return the algebra behind the arrow."""
        kinds = {_ALGEBRA[name] for name in (self.strong, self.weak) if name in _ALGEBRA}
        return tuple(step for step in (CONDITIONED, AVERAGED) if step in kinds)

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Return the implications: (strong, weak)."""
        both = ((self.strong, self.weak), (self.weak, self.strong))
        return both if self.relation == "is equivalent to" else both[:1]

    def recounts(self) -> tuple[Recounted, ...]:
        """Return what the battery must show."""
        return tuple(_recounted(*pair) for pair in self.pairs())


_ALGEBRA: Mapping[str, Step] = {
    **dict.fromkeys(("2", "3", "10"), CONDITIONED),
    **dict.fromkeys(("7", "8", "9", "4 with mutual independence"), AVERAGED),
}
"""How a definition's probabilities come from Pr[A(d) = o]; those of 1, 5 and 6 are these."""


def arrow_findings(claim: Arrow) -> tuple[kernel.Checked, ...]:
    """Return the findings of an arrow's obligations."""
    algebra = (show(fact) for step in claim.steps() for fact in step.facts)
    recounts = zip(claim.pairs(), claim.recounts(), strict=True)
    return *algebra, *(_implication(*pair, fact) for pair, fact in recounts)


def arrow_lines(*claims: Arrow) -> tuple[Line, ...]:
    """Return the steps of arrows, and what was recounted."""
    sentence = "Over part of the battery the definitions were decided in the model itself (kernel)."
    steps = dict.fromkeys(step for claim in claims for step in claim.steps())
    return *steps, Step(sentence, tuple(fact for claim in claims for fact in claim.recounts()))


def arrow_entry(
    *,
    place: str,
    claim: Claim,
    argument: Sequence[Line] = (),
    gather: Callable[[Any], Evidence] | None = None,
    proof_remark: str = "",
    **stated: Any,
) -> Entry:
    """Return an entry of arrows that are argued; its theorem stands in the file of its own name.

    argument: of an ``Arrow`` and nothing else, whose own steps end it. gather: of other claims.
    stated: the other fields of ``Entry``.
    """

    def of_one_arrow(claim: Arrow) -> Evidence:
        lines = (*argument, *arrow_lines(claim))
        return Evidence(arrow_findings(claim), argument=lines, proof_remark=proof_remark)

    return Entry(source=source(place), claim=claim, gather=gather or of_one_arrow, **stated)


def _recounted(strong: str, weak: str) -> Recounted:
    people = about_people(strong, weak)
    part = f"every fourth of: {PEOPLE_SCOPE}" if people else f"every third of: {SCOPE}"
    scope = f"1/e^ε of Definition {weak} less 1/e^ε of Definition {strong}, {part}"
    return Recounted("maximum", 0, len(_cases(people)), scope)


def _implication(strong: str, weak: str, fact: Recounted) -> kernel.Checked:
    people = about_people(strong, weak)
    pairs = zip(_needed(named(weak), people), _needed(named(strong), people), strict=True)
    return largest_excess(pairs, fact)


@cache
def _cases(people: bool) -> tuple[Case, ...]:
    if people:
        return all_cases()[::CASES_STEP]
    return tuple(Case(mechanism) for mechanism in all_mechanisms()[::MECHANISMS_STEP])


@cache
def _needed(definition: tuple[str, Decide], people: bool) -> tuple[Factor, ...]:
    return tuple(definition[1](case).factor for case in _cases(people))
