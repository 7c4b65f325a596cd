"""What is proved of a program that is audited: the same claim, decided beside the experiment."""

import inspect
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from provado.audit.options.request import checked_relation, listed_pairs
from provado.audit.result import AuditResult
from provado.mechanisms import BoundedAnswers, ReplaceOne, UsageError
from provado.mechanisms.definitions.mechanism import ProgramFinding
from provado.mechanisms.programs import Program
from provado.reports.targets.dataset import of_records

STEPS = 1_500_000
"""Of the prover's work in an audit, some ten seconds of it at most; ``provado prove`` has more."""

SECONDS = 5.0
"""Of the proof of a function of records in an audit."""

_LARGER = (2, 4)
"""Where a claim is refuted, so many times the claim is tried."""


@dataclass(frozen=True)
class _Neighbors:
    """A relation to decide the claim for.

    arguments: of ``decide``. whole: whether it holds no more pairs than were meant, so that a
    counterexample in it refutes the claim.
    """

    arguments: Mapping[str, Any]
    whole: bool = True


def with_program(mechanism: Any, claim: Mapping[str, Any], result: AuditResult) -> AuditResult:
    """Return a result with what is proved of the mechanism's claim, where it is a program.

    claim: the keywords of ``audit`` that stated it. Of a program only claims of pure ε are decided;
    of a plain function of records that adds noise, those with a δ as well, where a domain is
    stated and one record is replaced. Both only where the experiment was completed. It depends on
    nothing drawn.
    """
    completed = result.pairs and not result.reason
    if inspect.isfunction(mechanism) and completed and not (result.curve or result.read):
        finding = _of_function(mechanism, claim, result)
        return result if finding is None else replace(result, program=finding)
    # What is read of an output may be less than the program tells.
    other = result.delta or result.curve or result.read
    if not isinstance(mechanism, Program) or other or not completed:
        return result
    claim = {**claim, "relation": checked_relation(claim.get("relation"))}
    if claim.get("pair") is not None:
        claim["pair"] = listed_pairs(claim["pair"])
    value = result.epsilon
    epsilon = int(value) if value.is_integer() else value
    return replace(result, program=_found(mechanism, epsilon, claim))


def _of_function(
    function: Any, claim: Mapping[str, Any], result: AuditResult
) -> ProgramFinding | None:
    """Return what is proved or refuted of a function of records; ``None`` where neither is."""
    domain, data = of_records(claim.get("domain")), claim.get("data")
    relation = checked_relation(claim.get("relation"))
    if not isinstance(relation, ReplaceOne) or domain is None or data is None or not len(data):
        return None
    # Imported here: most audits are of other functions.
    from provado.proofs.releases import decide_releases
    from provado.proofs.releases.noise_costs import ReleaseClaim
    from provado.reports.text.release import ASSUMPTIONS, evidence, scope

    stated = [Fraction(str(number)) for number in (result.epsilon, result.delta)]
    try:
        decision = decide_releases(
            function, ReleaseClaim(*stated), domain=domain, size=len(data), seconds=SECONDS
        )
    except Exception:
        # What is no function of such records, or breaks the prover, leaves the experiment alone.
        return None
    if decision.verdict.value == "undecided":
        return None
    proved = decision.counterexample is None
    return ProgramFinding(
        verdict="proved" if proved else "refuted",
        claim=decision.claimed.removeprefix("ε = "),
        relation="one record is replaced by another",
        scope=scope(decision),
        epsilon=float(stated[0]) if proved else None,
        loss=None if decision.counterexample is None else decision.counterexample.loss,
        words=tuple(evidence(decision)),
        assumptions=ASSUMPTIONS if proved else (),
        fixed_size=True,
    )


def _found(program: Program, epsilon: float, claim: Mapping[str, Any]) -> ProgramFinding:
    tries = _relations(claim)
    if isinstance(tries, str) or not tries:
        reason = tries if isinstance(tries, str) else "the two datasets of each pair are equal"
        return ProgramFinding("undecided", str(epsilon), "", "", reason=reason)
    finding = ProgramFinding("undecided", str(epsilon), "", "")
    for number, neighbors in enumerate(tries, 1):
        finding = _decided(program, epsilon, neighbors, STEPS // number)
        if finding.verdict == "proved":
            return finding
        if finding.verdict == "refuted" and neighbors.whole:
            return finding if finding.exact else _with_larger(finding, program, epsilon, neighbors)
        if finding.verdict == "refuted":
            reason = "a counterexample was found, but for more neighbors than were meant"
            finding = replace(
                finding, verdict="undecided", epsilon=None, loss=None, words=(), reason=reason
            )
    return finding


def _with_larger(
    finding: ProgramFinding, program: Program, epsilon: float, neighbors: _Neighbors
) -> ProgramFinding:
    """Return a refutation with the least multiple of the claim that is proved."""
    for factor in _LARGER:
        if finding.loss is None or factor * epsilon < finding.loss - 1e-9:
            continue  # The counterexample at hand refutes it, too.
        larger = _decided(program, factor * epsilon, neighbors, STEPS // 4)
        if larger.epsilon is not None:
            return replace(finding, epsilon=larger.epsilon, assumptions=larger.assumptions)
    return finding


def _decided(program: Program, epsilon: float, neighbors: _Neighbors, steps: int) -> ProgramFinding:
    # Imported here: most audits are of no programs.
    from provado.proofs.programs.decide import decide
    from provado.proofs.programs.probability.finite_data import FiniteCounterexample, FiniteProof
    from provado.reports.text.program import RESTS_ON, checked, cost, exact_lines
    from provado.reports.text.program import loss as loss_of

    try:
        decision = decide(program, epsilon=epsilon, steps=steps, **neighbors.arguments)
    except UsageError as error:
        return ProgramFinding("undecided", str(epsilon), "", "", reason=str(error))
    except Exception as error:
        # Whatever breaks here must not take the experiment's own result along.
        reason = f"the prover broke: {type(error).__name__}{f': {error}' if str(error) else ''}"
        return ProgramFinding("undecided", str(epsilon), "", "", reason=reason)
    words = [
        f"Shifts of the noise cost at most {cost(proof)} ≤ {proof.claim.epsilon.words()}; "
        f"{checked(proof)}."
        for proof in decision.proofs
    ]
    words += exact_lines(decision)
    enough, exact, loss = (float(epsilon) if decision.proofs else None), False, None
    if isinstance(decision.finite, FiniteProof | FiniteCounterexample):
        largest = max(quotient.loss(Fraction(1)) for quotient in decision.finite.worst)
        enough, exact = (largest if math.isfinite(largest) else None), math.isfinite(largest)
    if isinstance(decision.finite, FiniteCounterexample):
        loss = decision.finite.loss
    elif decision.counterexample is not None:
        loss = loss_of(decision.counterexample)
    everywhere = "all data, any number of queries, " if decision.proofs else ""
    return ProgramFinding(
        verdict=decision.verdict.value,
        claim=decision.claim,
        relation=decision.relation,
        scope=f"{everywhere}{decision.scope}".removesuffix(", "),
        epsilon=enough,
        exact=exact,
        loss=loss,
        words=tuple(words),
        assumptions=RESTS_ON if enough is not None else (),
        reason=decision.reason,
        fixed_size="size" in neighbors.arguments and not decision.proofs,
    )


def _relations(claim: Mapping[str, Any]) -> list[_Neighbors] | str:
    """Return the relations to try, the widest first, or why there are none."""
    relation, pairs = claim.get("relation"), claim.get("pair") or ()
    if isinstance(relation, BoundedAnswers):
        kind = "monotone" if relation.monotone else "all"
        kind = "one" if relation.at_most == 1 else kind
        is_whole = relation.at_most is None or (relation.at_most == 1 and not relation.monotone)
        width = Fraction(str(relation.sensitivity))
        return [_Neighbors({"neighbors": kind, "sensitivity": width}, is_whole)]
    data = claim.get("data")
    sides = [side for pair in pairs for side in pair] if data is None else [data]
    try:
        arrays = [np.asarray(side, dtype=float) for side in sides]
    except (TypeError, ValueError):
        return "the data are no numbers"
    shapes = {array.shape for array in arrays}
    if len(shapes) != 1 or arrays[0].ndim > 1 or not all(np.isfinite(a).all() for a in arrays):
        return "the neighbors are no lists of as many finite numbers"
    size = arrays[0].size if arrays[0].ndim else 1
    if isinstance(relation, ReplaceOne):
        return list(_of_records(claim.get("domain"), arrays, size))
    if relation is not None:
        return f"no proof is looked for with neighbors as in {relation.words()}"
    return list(_of_pairs(arrays, size))


def _of_records(domain: Any, arrays: Sequence[Any], size: int) -> Iterator[_Neighbors]:
    """Yield relations for one record that is replaced: by one of few, or within a range."""
    numbers = isinstance(domain, list) and all(isinstance(v, int | float) for v in domain)
    if isinstance(domain, tuple) and all(map(math.isfinite, domain)):
        width = Fraction(str(domain[1])) - Fraction(str(domain[0]))
        yield _Neighbors({"neighbors": "one", "sensitivity": width}, whole=False)
        return
    yield _Neighbors({"domain": domain if numbers else _values(arrays), "size": size})


def _of_pairs(arrays: Sequence[Any], size: int) -> Iterator[_Neighbors]:
    """Yield relations that hold all pairs, where none was stated."""
    moves = [b - a for a, b in zip(arrays[::2], arrays[1::2], strict=True)]
    width = max(
        abs(Fraction(str(y)) - Fraction(str(x)))
        for a, b in zip(arrays[::2], arrays[1::2], strict=True)
        for x, y in zip(a.flat, b.flat, strict=True)
    )
    if not width:
        return
    one = all(np.count_nonzero(move) <= 1 for move in moves)
    monotone = all((move >= 0).all() or (move <= 0).all() for move in moves)
    arguments: dict[str, Any] = {"sensitivity": width}
    scalar = not arrays[0].ndim
    yield _Neighbors(arguments, whole=scalar or not (one or monotone))
    if scalar:
        yield _Neighbors({"domain": _values(arrays), "size": size})
    elif one or monotone:
        yield _Neighbors({**arguments, "neighbors": "one" if one else "monotone"})


def _values(arrays: Sequence[Any]) -> list[float]:
    """Return the numbers in the data."""
    result = sorted({float(value) for array in arrays for value in array.flat})
    return [int(value) if value.is_integer() else value for value in result]
