"""The exact δ(ε) of a program on given pairs of data, whose outputs hold no noise: enclosed.

δ is Σ max(0, Pr[o | D] − e^ε·Pr[o | D′]) over the outputs o, whatever the noise. The outputs come
from all runs, and their probabilities from ``noise_integrals``. (Programs of this kind, with
Gaussian noise, are those of Bhusal, Chadha, Sistla and Viswanathan, Approximate Algorithms for
Verifying Differential Privacy with Gaussian Distributions, 2025.)
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from ..read.ir import UndecidedProgramError
from ..read.path import Public
from ..read.polynomial import Atom, LinearForm
from .finite_data import Data, check_coins
from .noise_integrals import Enclosures
from .output_probability import Event, ParameterValues, Place, System, by_levels, constants

BITS = (64, 192)
"""Precision of the integrals; the next one is taken where the claim lies in an enclosure."""


@dataclass(frozen=True)
class ExactDelta:
    """The largest δ at ``epsilon`` over all given pairs lies from ``low`` to ``high``.

    d, d_prime: the pair with the largest ``low``. events: its outputs that are more than e^ε times
    as likely on d, those that add most to δ first. claimed: the δ that was claimed.
    integrals: how many were enclosed.
    """

    epsilon: Fraction
    low: Fraction
    high: Fraction
    d: Data
    d_prime: Data
    events: tuple[Event, ...]
    pairs: int
    outputs: int
    integrals: int
    claimed: Fraction = Fraction(0)

    @property
    def holds(self) -> bool:
        """Whether the claim holds for all pairs."""
        return self.high <= self.claimed

    @property
    def refuted(self) -> bool:
        """Whether the claim fails for a pair."""
        return self.low > self.claimed


def decide_delta(
    setting: ParameterValues, enclose: Callable[[Enclosures], ExactDelta], delta: Fraction
) -> ExactDelta:
    """Decide a claimed δ; raise ``UndecidedProgramError`` where it is left open.

    enclose: returns the ends of the exact δ by integrals of a precision.
    """
    check_coins(setting)
    for bits in BITS:
        enclosures = Enclosures(bits)
        with enclosures.working():
            result = replace(enclose(enclosures), claimed=delta)
        if result.refuted:
            return result
        if result.holds:
            if setting.ways.inexact:
                raise UndecidedProgramError(setting.ways.inexact)
            return result
    raise UndecidedProgramError(
        f"the exact δ is {float(result.low):.17g} to within 10^-17, and so near to the claim that "
        "neither side is seen"
    )


def delta_of_pairs(
    setting: ParameterValues,
    pairs: Sequence[tuple[Data, Data]],
    epsilon: Fraction,
    enclosures: Enclosures,
) -> ExactDelta:
    """Return between which ends the largest δ of the pairs lies, whatever is claimed.

    pairs: all neighbors, in both orders.
    """
    tables: dict[Data, dict[Event, Any]] = {}
    for d in dict.fromkeys(d for pair in pairs for d in pair):
        table = tables[d] = {}
        for event, run in runs_of(setting, d):
            table[event] = table.get(event, 0) + enclosures.chance(run)
        if not sum(table.values()).contains(1):
            raise UndecidedProgramError("probabilities do not add up to 1")
    factor = enclosures.number(epsilon).exp()
    exact_delta = ExactDelta(
        epsilon,
        Fraction(-1),
        Fraction(-1),
        *pairs[0],
        (),
        len(pairs) // 2,
        len({event for table in tables.values() for event in table}),
        len(enclosures.known),
    )
    for d, d_prime in pairs:
        excess = {
            event: p - factor * tables[d_prime].get(event, 0) for event, p in tables[d].items()
        }
        total = sum((item.max(0) for item in excess.values()), enclosures.number(Fraction(0)))
        low, high = ends(total)
        if low > exact_delta.low:
            largest = sorted(excess.items(), key=lambda item: -float(item[1].mid()))
            events = tuple(event for event, item in largest if item > 0)
            exact_delta = replace(exact_delta, low=low, d=d, d_prime=d_prime, events=events)
        exact_delta = replace(exact_delta, high=max(exact_delta.high, high))
    return exact_delta


def ends(ball: Any) -> tuple[Fraction, Fraction]:
    """Return the ends of a ball, which are floating-point numbers, exactly."""
    parts = (end.man_exp() for end in (ball.lower(), ball.upper()))
    low, high = (int(mantissa) * Fraction(2) ** int(exponent) for mantissa, exponent in parts)
    return low, high


# All runs, those of one output together where they are one region of the noise. ------------------


def runs_of(setting: ParameterValues, data: Data) -> list[tuple[Event, System]]:
    """Return systems that no two values of all noise share, and that leave no value out."""
    if has_coins(setting):
        # What a coin decides is no region of the noise.
        ended = by_levels(setting, constants(data), lambda places, _: places)
    else:
        ended = _joined(by_levels(setting, constants(data), _joined), [])
    return [(run.event(), run) for *_, run in ended]


def has_coins(setting: ParameterValues) -> bool:
    """Return whether the program draws anything but noise."""
    return any(not isinstance(item, Public) for way in setting.ways.all() for item in way.fixed)


def _joined(places: list[Place], ended: list[Place]) -> list[Place]:
    """Return places with those put together that have the same future, and are one region.

    A maximum is found in many orders of records, which lead to one place. Their regions of the
    noise are parts of the region R of what all of them imply. All places part the noise among them,
    so that R has no more than these where it contradicts each other place; ties have no chance.
    """
    groups: dict[Any, list[Place]] = {}
    for place in places:
        end, iteration, variables, run = place
        run.check_atoms()
        key = end, iteration, frozenset(variables.items()), run.kinds, run.numbers
        groups.setdefault(key, []).append(place)
    result = []
    for group in groups.values():
        common = _common([_rows(run) for *_, run in group]) if len(group) > 1 else {}
        members = {id(place) for place in group}
        others = [place[3] for place in (*places, *ended) if id(place) not in members]
        if common and all(_contradict(common, _rows(run)) for run in others):
            end, iteration, variables, run = group[0]
            draws = {symbol: noise for *_, run in group for symbol, noise in run.draws.items()}
            atoms = tuple(Atom(LinearForm(terms, c)) for terms, c in common.items())
            group = [(end, iteration, variables, replace(run, draws=draws, atoms=atoms))]
        result += group
    return result


_Terms = tuple[tuple[str, Fraction], ...]
_Rows = dict[_Terms, Fraction]
"""Terms, of which the first is 1 or −1 times a draw, and the least c with terms + c > 0."""


def _rows(run: System) -> _Rows:
    rows: _Rows = {}
    for atom in run.atoms:
        size = 1 / abs(atom.form.terms[0][1])
        form = atom.form.times(size)
        rows[form.terms] = min(form.constant, rows.get(form.terms, form.constant))
    return rows


def _common(members: Sequence[_Rows]) -> _Rows:
    """Return what all of the members imply, of what one of them says."""
    said: _Rows = {}
    for rows in members:
        for terms, c in rows.items():
            said[terms] = max(c, said.get(terms, c))
    return {t: c for t, c in said.items() if all(_implies(rows, t, c) for rows in members)}


def _implies(rows: _Rows, terms: _Terms, c: Fraction) -> bool:
    """Return whether one row, or the sum of two, is terms + c > 0 or more than that."""
    if terms in rows and rows[terms] <= c:
        return True
    goal, symbol = LinearForm(terms, c), terms[0][0]
    for first, constant in rows.items():
        # One of the two has the goal's first symbol.
        if all(other != symbol for other, _ in first):
            continue
        rest = goal - LinearForm(first, constant)
        if rest.terms in rows and rows[rest.terms] <= rest.constant:
            return True
    return False


def _contradict(one: _Rows, other: _Rows) -> bool:
    """Return whether a row of one bounds a form from below where a row of the other does above."""
    for terms, c in one.items():
        opposite = tuple((symbol, -size) for symbol, size in terms)
        if opposite in other and c + other[opposite] <= 0:
            return True
    return False
