"""What the noise calls of a pair cost, each and together, and the claim that this is held to."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from provado.audit.experiments.replay.alignment import BY_SCALE, Demands, Shifts, cheapest
from provado.audit.experiments.replay.match_draws import MatchedDraws, Variables
from provado.audit.experiments.replay.record.linear import Floats
from provado.audit.experiments.replay.record.recording import Site
from provado.audit.experiments.replay.result import Finding, FindingKind, NoiseCall, place
from provado.audit.options.request import PrivacyClaim
from provado.mechanisms import ConcentratedDP, GaussianDP, PureDP, RenyiDP
from provado.mechanisms.definitions.relation import short


@dataclass(frozen=True, eq=False)
class Costs:
    """The cheapest shifts from D to D′ and from D′ to D, and the ε of each call by its number."""

    shifts: tuple[Shifts, Shifts]
    by_call: dict[int, float]
    spent: Spent


def costs_of(
    draws: MatchedDraws, rows: Demands, variables: Variables, unhidden: Iterable[int]
) -> Costs:
    """Return what the calls cost; of both directions the dearer.

    unhidden: noise variables that no shift can hide what they are to protect with.
    """
    there, back = (
        cheapest(replace(rows, moves=sign * rows.moves), variables.scale, variables.family)
        for sign in (1.0, -1.0)
    )
    both = (_of_shifts(shifts, variables) for shifts in (there, back))
    by_call = max(both, key=lambda costs: math.fsum(costs.values()))
    charged = ((number, item.epsilon) for number, item in draws.charged.items())
    for number, cost in (*charged, *_chances(rows, variables).items()):
        if cost is not None:
            by_call[number] = by_call.get(number, 0.0) + cost
    for variable in unhidden:
        if 0 <= variable < variables.call.size and variables.call[variable] >= 0:
            by_call[int(variables.call[variable])] = math.inf
    each = [item for item in by_call.values() if not math.isnan(item)]
    spent = Spent(
        epsilon=math.fsum(each),
        squares=math.fsum(item**2 / 2 for item in each),
        deviations=max(_deviations(shifts, variables) for shifts in (there, back)),
        rho=math.fsum(item.rho or 0.0 for item in draws.charged.values()),
    )
    return Costs((there, back), by_call, spent)


def _of_shifts(shifts: Shifts, variables: Variables) -> dict[int, float]:
    calls = variables.call[shifts.variables]
    costed = np.isin(variables.family[shifts.variables], BY_SCALE) & (calls >= 0)
    if not costed.any():
        return {}
    sums = np.bincount(calls[costed], shifts.costs[costed])
    return {number: float(sums[number]) for number in np.unique(calls[costed]).tolist()}


def _chances(rows: Demands, variables: Variables) -> dict[int, float]:
    """Return what comparisons of uniform numbers cost: the log ratio of the chance they met.

    Of a number that was compared once, the dearer of its two outcomes.
    """
    result: dict[int, float] = {}
    by_variable: dict[int, list[tuple[float, float, bool]]] = {}
    for variable, at, at_prime, above in rows.chances:
        by_variable.setdefault(variable, []).append((at, at_prime, above))
    for variable, told in by_variable.items():
        outcomes = [told] if len(told) > 1 else [told, [(a, b, not c) for a, b, c in told]]
        cost = max(_log_ratio(outcome) for outcome in outcomes)
        if cost:
            number = int(variables.call[variable])
            result[number] = result.get(number, 0.0) + cost
    return result


def _log_ratio(told: list[tuple[float, float, bool]]) -> float:
    p, q = (_chance([(item[side], item[2]) for item in told]) for side in (0, 1))
    if p == q:
        return 0.0
    return abs(math.log(p / q)) if p > 0 and q > 0 else math.inf


def _chance(told: list[tuple[float, bool]]) -> float:
    """Return the chance that a uniform number lies above, or below, each of some thresholds."""
    low = max([0.0, *(at for at, above in told if above)])
    high = min([1.0, *(at for at, above in told if not above)])
    return max(high - low, 0.0)


def _deviations(shifts: Shifts, variables: Variables) -> float:
    gaussian = variables.family[shifts.variables] == "gaussian"
    return float(np.sqrt((shifts.costs[gaussian] ** 2).sum()))


def call_table(
    draws: MatchedDraws, variables: Variables | None = None, costs: Costs | None = None
) -> tuple[NoiseCall, ...]:
    """Return the calls of both runs in order; without costs where the runs could not be judged."""
    result = []
    for one, other in sorted(draws.matched, key=lambda pair: pair[0].number):
        if one.name.startswith("seed of "):
            continue
        inputs: list[Floats] = []
        move: float | None = None
        same = np.shape(one.value) == np.shape(other.value)
        if variables is not None and one.first >= 0 and same:
            here = slice(one.first, one.first + int(np.size(one.value)))
            inputs = [side[here] for side in variables.inputs]
            if not (np.isnan(inputs[0]).all() and np.isnan(inputs[1]).all()):
                move = float(np.abs(inputs[1] - inputs[0]).sum())
        if one.number in draws.charged:
            move = draws.charged[one.number].move
        cost = None if costs is None else costs.by_call.get(one.number)
        if cost is None and costs is not None and one.family in BY_SCALE:
            cost = 0.0
        shown = [_shown(side) for side in inputs] if move is not None and inputs else ["", ""]
        result.append(
            NoiseCall(
                name=one.name,
                family=one.family,
                file=one.site.file,
                line=one.site.line,
                size=int(np.size(one.value)) if one.first >= 0 else 1,
                scale=None if one.scale is None else float(np.min(one.scale, initial=math.inf)),
                input_d=shown[0],
                input_d_prime=shown[1],
                input_distance=_rounded(move),
                sensitivity=one.sensitivity,
                cost=_rounded(cost),
            )
        )
    return tuple(result)


def _rounded(value: float | None) -> float | None:
    """Return a figure as it is shown: the program that found it is right to about 1e-9."""
    return None if value is None else float(f"{value:.8g}")


def _shown(values: Floats) -> str:
    return f"{values[0]:.10g}" if values.size == 1 else short(values)


def where(call: NoiseCall) -> str:
    """Return ``mine.py:12: Generator.laplace``."""
    return f"{Site(call.file, call.line).words()}: {call.name}"


def declared(calls: Sequence[NoiseCall]) -> list[Finding]:
    """Return a finding for each call whose input moved by more than is declared."""
    result = []
    for call in calls:
        most, moved = call.sensitivity, call.input_distance
        if most is not None and moved is not None and moved > most * BEYOND:
            words = (
                f"{where(call)} declares sensitivity {most:g}, and its input moves by {moved:g}: "
                f"from {call.input_d} to {call.input_d_prime}"
            )
            result.append(_finding(FindingKind.SENSITIVITY, words, call))
    return result


def _finding(kind: FindingKind, words: str, call: NoiseCall) -> Finding:
    return Finding(kind, words, call.file, call.line, "where the noisy value lies", call.cost)


def above_claim(
    calls: Sequence[NoiseCall], costs: Costs, claim: PrivacyClaim, findings: Sequence[Finding]
) -> list[Finding]:
    """Return findings on what single calls cost, where none is too dear on what they add up to.

    findings: those that there are; a line that is not hidden at all has one of its own.
    """
    known = {(finding.file, finding.line) for finding in findings if finding.cost == math.inf}
    result: list[Finding] = []
    most = claim.epsilon if claim.pure and claim.epsilon is not None else math.inf
    for call in calls:
        if call.cost is None or not call.cost > most * BEYOND:
            continue
        if math.isinf(call.cost) and (call.file, call.line) in known:
            continue
        words = f"{where(call)} costs ε = {call.cost:.6g} alone, more than the claimed {most:g}"
        if math.isinf(call.cost):
            words = f"{where(call)} costs more than any ε"
        if call.family in ("uniform", ""):
            words += ": the chances of what it decides depend on the data"
        elif call.input_distance and call.scale:
            words += f": its input moves by {call.input_distance:g}, and of scale {call.scale:g} "
            words += f"that hides {call.scale * most:g}"
        result.append(_finding(FindingKind.SENSITIVITY, words, call))
    if result or math.isinf(costs.spent.epsilon) or allows(claim, costs.spent):
        return result
    paid = [
        call for call in calls if call.cost or (call.family == "gaussian" and call.input_distance)
    ]
    paid = paid or [call for call in calls if call.input_distance]
    names = [*dict.fromkeys(map(where, paid))]
    listed = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
    words = f"the noise adds up to {costs.spent.words()} on this pair, more than {claim.words()} "
    words += f"allows: {listed}"
    site = {"file": paid[-1].file, "line": paid[-1].line} if paid else place()
    event = "the noisy values together"
    return [Finding(FindingKind.BUDGET, words, event=event, cost=costs.spent.epsilon, **site)]


BEYOND = 1 + 1e-6
"""A cost exceeds a claim from here on: sums are rounded."""


@dataclass(frozen=True)
class Spent:
    """What one pair cost, along one control flow.

    epsilon: of pure costs, summed. squares: half the sum of their squares, which is their zCDP.
    deviations: how many standard deviations Gaussian means moved, in the ℓ2 norm. rho: zCDP that
    libraries account for.
    """

    epsilon: float
    squares: float
    deviations: float
    rho: float

    @property
    def mu(self) -> float:
        """Return the Gaussian shift equivalent to the Gaussian and zCDP costs."""
        return math.hypot(self.deviations, math.sqrt(2 * self.rho))

    def words(self) -> str:
        """Return what was spent, kind by kind."""
        parts = [f"ε = {self.epsilon:.6g}"] if self.epsilon else []
        if self.deviations:
            parts.append(f"Gaussian means moved by {self.deviations:.4g} standard deviations")
        if self.rho:
            parts.append(f"ρ = {self.rho:.4g}")
        return " and ".join(parts) or "nothing"


def allows(claim: PrivacyClaim, spent: Spent) -> bool:
    """Return whether what was spent stays within a claim, by basic composition.

    A curve that is neither zCDP nor Rényi is asked about Gaussian noise alone.
    """
    if claim.epsilon is None:
        return True
    curve = claim.curve
    if not math.isfinite(spent.epsilon):
        return False
    if isinstance(curve, ConcentratedDP):
        return spent.squares + spent.mu**2 / 2 <= curve.rho * BEYOND
    if isinstance(curve, RenyiDP):
        pure = min(spent.epsilon, curve.alpha * spent.squares)
        cost = pure + curve.alpha * spent.mu**2 / 2
        return cost <= curve.epsilon * BEYOND
    if isinstance(curve, GaussianDP):
        return spent.mu <= curve.mu * BEYOND
    if curve is not None:
        return True
    if spent.mu == 0:
        pure = spent.epsilon <= claim.epsilon * BEYOND
        return pure or PureDP(spent.epsilon).delta(claim.epsilon) <= claim.delta
    if not claim.delta:
        return False
    left = claim.epsilon - spent.epsilon
    return left >= 0 and GaussianDP(spent.mu).delta(left) <= claim.delta * BEYOND
