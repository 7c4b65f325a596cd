"""Decides a claim about a program: proved, refuted, or undecided with the reason."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import natural
from provado.mechanisms.programs import Program

from .agreement import Agreement, compare
from .alignment.prove import Failure, Proof, prove
from .claim import (
    KINDS,
    AnswerRelation,
    ProgramClaim,
    ProgramVerdict,
    claims_to_try,
    numeric_defaults_of,
    positive_number,
    read_delta,
    scope_words,
)
from .probability import finite_data
from .probability.domain_delta import delta_of_domain
from .probability.finite_delta import ExactDelta, decide_delta, delta_of_pairs
from .probability.output_probability import ParameterValues
from .read import ir
from .read.floats import LARGEST
from .read.parse import Bound, read_program
from .read.path import Public
from .read.polynomial import LinearForm, ratio
from .read.source import exact_value
from .read.symbolic_execution import enumerate_paths
from .refutation.pump import Data, PumpedCounterexample
from .refutation.pump_search import pumped
from .refutation.refute import Counterexample, refute

_DATASETS = 60
"""Of a domain that is too large for a list, with which a function is run."""
_HIDDEN = "no counterexample: the lists that are returned do not show in which order they grew"
STEPS = 12_000_000
"""After so many steps of work a claim is left undecided."""


@dataclass(frozen=True)
class ProgramDecision:
    """The verdict on a program's claim with all that it rests on.

    claim: the claimed ε as it was given. scope: for which parameters the verdict speaks, in words;
    relation: for which neighbors. proofs: one, or two for monotone queries. reason: for
    ``undecided``, what was tried. seconds: of processor time. bound: the parameters that were given
    values. pump: an event that repeats and refutes every multiple of ε. finite: what exact
    probabilities of all datasets showed, where data have finitely many values. delta: the claimed δ
    as it was given, exact_delta: what integrals showed of it. agreement: what runs of the function
    showed beside what was read of it, of what is proved or refuted.
    """

    name: str
    claim: str
    relation: str
    program: ir.ParsedProgram
    scope: str
    proofs: tuple[Proof, ...] = ()
    counterexample: Counterexample | None = None
    reason: str = ""
    seconds: float = 0.0
    bound: Mapping[str, Fraction] = field(default_factory=dict)
    finite: finite_data.FiniteProof | finite_data.FiniteCounterexample | None = None
    pump: PumpedCounterexample | None = None
    delta: str = ""
    exact_delta: ExactDelta | None = None
    agreement: Agreement | None = None

    @property
    def claimed(self) -> str:
        """The claim in words."""
        return f"ε = {self.claim}{self.delta and f', δ = {self.delta}'}"

    @property
    def verdict(self) -> ProgramVerdict:
        """The verdict, which follows from the evidence alone."""
        exact = self.exact_delta
        if exact is not None:
            if exact.holds or exact.refuted:
                return ProgramVerdict.PROVED if exact.holds else ProgramVerdict.REFUTED
            return ProgramVerdict.UNDECIDED
        if self.proofs or isinstance(self.finite, finite_data.FiniteProof):
            return ProgramVerdict.PROVED
        refuted = self.counterexample is not None or self.pump is not None
        if refuted or isinstance(self.finite, finite_data.FiniteCounterexample):
            return ProgramVerdict.REFUTED
        return ProgramVerdict.UNDECIDED

    @property
    def refuting(self) -> tuple[dict[str, Fraction], Fraction, list[Data]] | None:
        """Values of parameters, the ε that is claimed there, and answers that exceed it.

        Of a pump as many periods as exceed it, and four times as many.
        """
        counterexample, pump = self.counterexample, self.pump
        if pump is not None:
            pairs = [pump.pump.data(pump.periods * times) for times in (1, 4)]
            epsilon, values = pump.finding.evidence.epsilon, pump.parameters
        elif counterexample is not None:
            pairs = [(counterexample.d, counterexample.d_prime)]
            epsilon, values = counterexample.epsilon, counterexample.parameters
        else:
            return None
        return {**self.bound, **dict(values)}, epsilon, pairs


def decide(
    function: Any,
    *,
    epsilon: str | int | float | Fraction | None = None,
    delta: str | int | float | Fraction | None = None,
    sensitivity: str | int | float | Fraction = 1,
    neighbors: str = "all",
    parameters: Bound | None = None,
    domain: Sequence[int | float | Fraction] | None = None,
    size: int = 1,
    pairs: Sequence[tuple[finite_data.Data, finite_data.Data]] | None = None,
    steps: int = STEPS,
) -> ProgramDecision:
    """Prove or refute that a program is ε-differentially private.

    function: a plain function in the language of ``mechanisms.programs``; ``LanguageError`` else.
    epsilon: the claim: a number, or an expression in the parameters such as ``2*epsilon``; where
        there is none, the parameter ``epsilon``. A number is claimed of the program as it is called
        with its defaults; an ``epsilon`` without a default has that number as its value.
    delta: claimed beside a number for ε, with ``domain`` or ``pairs``: needs python-flint.
    sensitivity: by how much each answer moves at most. neighbors: ``all`` answers may move, at most
        ``one``, or all in one direction: ``increasing``, ``decreasing``, ``monotone`` for both.
    parameters: values of parameters; the others stay open where the claim allows it.
    domain: the values of one data point, where they are finitely many; datasets are ``size`` of
        them, neighbors differ in one, and all probabilities are computed. The data are one number
        where the function says so by ``x: int`` or ``x: float``; the exact ε is given as a formula.
    steps: of work, counted and not timed, so that a claim is decided alike on every machine;
        some 150,000 take a second.

    ``proved``: for all data, any number of queries, all neighbors, and the parameters in ``scope``;
    in real numbers, floating point not being examined. ``refuted``: by data, parameters and an
    event with exact probabilities. Raises ``UsageError`` for bad arguments.
    """
    start = time.process_time()
    relations = relations_of(neighbors, sensitivity)
    given = dict(parameters or {})
    program = read_program(function, given)
    if domain is not None or pairs is not None:
        with ir.allowed(steps):
            finite = _neighbors(program, domain, natural(size, "size"), pairs, delta is None)
            result = _finite(function, program, epsilon, delta, given, finite)
        return replace(result, seconds=time.process_time() - start)
    if delta is not None:
        raise UsageError(
            "delta: it is not stated of a function of answers, but for given data: --domain 0,1 "
            "with --size, or --pair; or say by --domain 0:1 what a record is"
        )
    words = " or ".join(moves.words() for moves in relations)
    if program.whole_data:
        words += "; the data are whole numbers"
    bound = {name: Fraction(str(value)) for name, value in given.items()}
    *tries, final = claims_to_try(function, program, epsilon)
    for claimed, values in (*tries, final):
        if values:
            program = read_program(function, {**given, **values})
        text = str(epsilon) if epsilon is not None else "epsilon"
        scope = scope_words(program, values)
        decision = ProgramDecision(
            program.name, text, words, program, scope, bound={**bound, **values}
        )
        covered = None if claimed is final[0] else final[1]
        decision = _decided(function, decision, claimed, relations, steps, covered)
        if decision.verdict is not ProgramVerdict.UNDECIDED:
            break
    return replace(decision, seconds=time.process_time() - start)


def relations_of(neighbors: str, sensitivity: str | int | float | Fraction) -> list[AnswerRelation]:
    """Return the relations that make up what is stated; raise ``UsageError``."""
    if neighbors not in KINDS:
        raise UsageError(f"neighbors are {neighbors!r}: they must be one of {', '.join(KINDS)}")
    width = positive_number(sensitivity, "sensitivity")
    kinds = ("increasing", "decreasing") if neighbors == "monotone" else (neighbors,)
    return [AnswerRelation(width, kind) for kind in kinds]  # type: ignore[arg-type]


def _decided(
    function: Any,
    decision: ProgramDecision,
    claimed: ir.Expression,
    relations: list[AnswerRelation],
    steps: int,
    covered: Mapping[str, Fraction] | None,
) -> ProgramDecision:
    """Return the decision with evidence.

    covered: of a claim that is more general than the one at hand, the values for which it must
    hold; no refutation of it is looked for.
    """
    try:
        ways = enumerate_paths(decision.program)
        proofs = []
        reason = ""
        for moves in relations:
            claim = ProgramClaim.made(ways, moves, ratio(claimed))
            proof = prove(claim, steps=steps // (3 * len(relations)))
            if isinstance(proof, Failure):
                reason = proof.reason
                break
            proofs.append(proof)
        if proofs and covered is not None and not _within(proofs[0].claim, covered):
            proofs, reason = [], "the parameters' defaults are outside of what was proved"
        if len(proofs) == len(relations):
            scope = scope_words(decision.program, decision.bound, proofs[0].claim)
            proved = replace(decision, proofs=tuple(proofs), scope=scope)
            return _beside(proved, function, proofs[0].claim)
        if covered is not None:
            return replace(decision, reason=reason)
        if not ways.is_all_shown:
            return replace(decision, reason=f"no proof: {reason}; {_HIDDEN}")
        tried = []
        for moves in relations:
            claim = ProgramClaim.made(ways, moves, ratio(claimed))
            pump = pumped(claim, steps=steps // 12)
            counter = refute(claim, steps=steps // ((2 if pump is None else 12) * len(relations)))
            if pump is not None or isinstance(counter, Counterexample):
                found = counter if isinstance(counter, Counterexample) else None
                data = () if found is None else (found.d, found.d_prime)
                refuted = replace(decision, counterexample=found, pump=pump)
                return _beside(refuted, function, claim, data)
            assert isinstance(counter, str)
            tried.append(counter)
        finite = any(not isinstance(s, Public) for w in ways.all() for s in w.fixed)
        hint = "; where data have finitely many values, give them (domain)" if finite else ""
        reason = f"no proof: {reason}; no counterexample: {tried[0]}{hint}"
    except (ir.UndecidedProgramError, ir.WorkIsOverError) as error:
        reason = str(error)
    return replace(decision, reason=reason)


def _beside(
    decision: ProgramDecision,
    function: Any,
    claim: ProgramClaim,
    datasets: Sequence[finite_data.Data] = (),
) -> ProgramDecision:
    """Return a decision with runs of the function that agreed, or without its evidence."""
    bound = dict(decision.bound)
    if isinstance(function, Program):
        bound = {**{n: exact_value(v, n) for n, v in function.parameters.items()}, **bound}
        function = function.function
    # Data and parameters that refute need not be among those that are drawn.
    least = int(decision.verdict is ProgramVerdict.PROVED)
    agreement = compare(function, claim, bound, np.random.default_rng(0), datasets, least)
    if agreement.difference:
        decision = replace(decision, proofs=(), finite=None, exact_delta=None)
        decision = replace(decision, counterexample=None, pump=None)
    shown = agreement if agreement.runs or agreement.difference else None
    return replace(decision, agreement=shown, reason=agreement.difference)


@dataclass(frozen=True)
class _Neighbors:
    """All pairs of neighbors, in both orders, and which those are in words.

    domain: where they are too many for a list, the values of each of ``size`` data points.
    """

    words: str
    pairs: tuple[tuple[finite_data.Data, finite_data.Data], ...]
    domain: tuple[Fraction, ...] = ()
    size: int = 1


def _neighbors(
    program: ir.ParsedProgram,
    domain: Sequence[int | float | Fraction] | None,
    size: int,
    pairs: Sequence[tuple[finite_data.Data, finite_data.Data]] | None,
    listed: bool,
) -> _Neighbors:
    """Return finitely many neighbors as they are given; raise ``UsageError``."""
    if domain is not None:
        if pairs is not None:
            raise UsageError("pairs: they are given without a domain")
        if program.scalar and size != 1:
            raise UsageError(f"size is {size}: the data of {program.name} are one number")
        points = [Fraction(str(v)) for v in domain]
        among = f"in {{{', '.join(map(str, points))}}}"
        many = f"one of {size} data points {among} is another"
        words = many if size > 1 else f"the data point, {among}, is another"
        if not listed and finite_data.pairs_of(points, size) > finite_data.MOST_PAIRS:
            return _Neighbors(words, (), tuple(dict.fromkeys(points)), size)
        every = finite_data.datasets(points, size)
        return _Neighbors(words, tuple(finite_data.neighbors_in(every)))
    exact = [
        (tuple(Fraction(str(v)) for v in d), tuple(Fraction(str(v)) for v in d_prime))
        for d, d_prime in pairs or ()
    ]
    if not exact or any(len(d) != len(d_prime) for d, d_prime in exact):
        raise UsageError("pairs: there must be one, and of each both have as many numbers")
    if program.scalar and any(len(d) != 1 for d, _ in exact):
        raise UsageError(f"pairs: the data of {program.name} are one number")
    both = dict.fromkeys([*exact, *((d_prime, d) for d, d_prime in exact)])
    if len(both) > finite_data.MOST_PAIRS:
        raise UsageError(f"pairs: more than {finite_data.MOST_PAIRS} of neighbors; take fewer")
    return _Neighbors("the data are one and the other of a given pair", tuple(both))


def _finite(
    function: Any,
    program: ir.ParsedProgram,
    epsilon: str | int | float | Fraction | None,
    delta: str | int | float | Fraction | None,
    arguments: dict[str, Any],
    neighbors: _Neighbors,
) -> ProgramDecision:
    """Return the decision by all probabilities of all datasets."""
    pairs, domain, size = neighbors.pairs, neighbors.domain, neighbors.size
    if program.levels:
        raise UsageError(f"{program.levels} is a list: with finite data, take one number")
    claimed, values = claims_to_try(function, program, epsilon)[-1]
    values = {**numeric_defaults_of(function, program), **values}
    parameter_ratio = ratio(claimed)
    rates = sorted(parameter_ratio.parameters())
    if rates:
        values = {name: value for name, value in values.items() if name not in rates}
    open_ = [name for name in program.parameters if name not in values and name not in rates]
    if open_:
        raise UsageError(f"{program.name}: with finite data, give {', '.join(open_)} a value")
    bound = {name: Fraction(str(value)) for name, value in {**arguments, **values}.items()}
    # Floating point adds small whole numbers without rounding, whatever type they have.
    every = [d for d, _ in pairs] or [(value,) * size for value in domain]
    small = all(sum(map(abs, d)) <= LARGEST for d in every)
    is_whole = small and all(v.denominator == 1 for d in every for v in d)
    program = read_program(function, bound, is_whole)
    scope = ", ".join([f"all {r} > 0" for r in rates] + [f"{n} = {v}" for n, v in bound.items()])
    text = str(epsilon) if epsilon is not None else "epsilon"
    result = ProgramDecision(program.name, text, neighbors.words, program, scope, bound=bound)
    if delta is not None:
        if rates:
            raise UsageError(f"epsilon: with δ it is a number; give {', '.join(rates)} a value")
        result = replace(result, delta=str(delta))
    try:
        factor, unit = parameter_ratio.unit()
        if unit.parameters() and unit != ratio(ir.Name(rates[0])):
            raise ir.UndecidedProgramError("the claim is no multiple of one parameter")
        ways = enumerate_paths(program)
        if not ways.is_all_shown:
            raise ir.UndecidedProgramError(_HIDDEN)
        setting = ParameterValues(ways, bound, rates[0] if rates else None)
        if delta is not None:
            enclose = (
                partial(delta_of_pairs, setting, pairs, factor)
                if pairs
                else partial(delta_of_domain, setting, domain, size, factor)
            )
            exact = decide_delta(setting, enclose, read_delta(delta))
            decided = replace(result, exact_delta=exact)
        else:
            decided = replace(result, finite=finite_data.decide_finite(setting, pairs, factor))
        if decided.verdict is ProgramVerdict.UNDECIDED:
            return decided
        drawn = np.random.default_rng(0).integers(len(domain) or 1, size=(_DATASETS, size))
        data = [d for d, _ in pairs] or [tuple(domain[k] for k in row) for row in drawn]
        claim = ProgramClaim.made(ways, AnswerRelation(Fraction(1)), parameter_ratio)
        # A decision that could not be compared with runs of the function is no evidence.
        return _beside(decided, function, claim, data)
    except (ir.UndecidedProgramError, ir.WorkIsOverError) as error:
        fewer = "take fewer values, or give pairs (--pair)"
        many = f"; there are more than {finite_data.MOST_PAIRS} pairs of neighbors: {fewer}"
        return replace(result, reason=f"{error}{'' if pairs else many}")


def _within(claim: ProgramClaim, values: Mapping[str, Fraction]) -> bool:
    """Return whether values of parameters are among those that a claim speaks of."""
    for atom in claim.assumed:
        if set(atom.form.symbols()) <= set(values):
            value = atom.form.replace(lambda s: LinearForm.number(values[s])).constant
            if value < 0 or (value == 0 and atom.strict):
                return False
    return all(values[n].denominator == 1 for n in claim.ways.program.whole if n in values)
