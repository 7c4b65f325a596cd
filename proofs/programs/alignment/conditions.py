"""Verification conditions of a proof by alignment. This file is trusted: what it says is enough.

Setting. Noise is one independent draw H[a] for each address a, a place of the program in an
iteration of its loop: its distribution depends on a and on public parameters alone, and a run looks
at an address at most once. Both runs, on neighbors q and q′, look at the same family. P tells
tags, each perhaps with a number; what the user sees is a function of that.

Theorem. Fix q, q′ and a sequence of tags (with a prophecy, also the whole number told last): o.
Let T add to H[a] the shift s[a], which is 0 where the run on q does not look. A step is the run
from a cut to the next one: s[a] may depend on o, on data, on draws of earlier steps, and on the way
that its own step takes. Say that T is one-to-one, and that for every H with P(q, H) in o: P(q′,
T H) tells the same tags and numbers; T H stays where the density is above 0; and the density of H
is at most e^ε times that of T H. Then Pr[P(q) ∈ S] ≤ e^ε·Pr[P(q′) ∈ S] for all S. Proof. Where the
sequence of ways is given, of which there are countably many, T is triangular (s[a] depends on
earlier draws only) and keeps volume; as T is one-to-one, so does T on all of them. For each o,
{P(q) ∈ S, o} is mapped into {P(q′) ∈ S, o}, and ∫ f(H) ≤ e^ε·∫ f(T H) ≤ e^ε·Pr[P(q′) ∈ S, o]. Add
up over o, of which there are countably many. (For whole-number noise T stays in the whole numbers
if shifts are whole.) The factor of a Laplace draw is at most e^(|s|/b); that of an exponential one
e^(s/b), where H + s ≥ 0.

What is generated. Runs go from cut to cut. Invariants in the phases of a cut are claimed to hold
for each H with P(q, H) in o; a condition for each pair of ways that the two runs may take shows
that they lead to the next cut. Phases at a cut are told apart by the first run's state and o, and
one of them always holds. ``lost`` phases, in which the first run can no longer tell o, need say
nothing of the second run; that the end contradicts o from there is a condition, too.

Why T is one-to-one. Say that T H = T H′, both in o. As long as H and H′ take the same ways, a step
shifts them alike, so that they agree at all addresses that were examined, and cut, state, case,
phase and the number of tags so far are the same. Let them take two ways w, w′ at the next step.
With different tags, neither of which begins with the other's, one of them is not in o. With another
outcome of the same coin they do not agree at that coin, which is not shifted; a public comparison
has one outcome. Otherwise
H′[a] = H[a] + s_w[a] − s_w′[a] at each address a where both ways look, and either
- the two shifts are the same wherever both look before the ways part (``_separate``): then H and H′
  agree on what the ways part by, which is a contradiction; or
- ``_collisions`` asks to show that this contradicts what is known at the cut, with w taken by H and
  w′ by H′. Of an address where just one of the two looks nothing is assumed: the other run may look
  there in a later step.
A shift is a form in what has moved before the step, which depends on earlier draws, o and data, and
in answers. So is the case: by o, or by what the second run decides by its answers alone.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from provado.proofs import kernel

from ..claim import ProgramClaim
from ..read import path
from ..read.ir import LENGTH, UndecidedProgramError
from ..read.polynomial import (
    Atom,
    LinearForm,
    ParameterPolynomial,
    ParameterRatio,
    equal,
    opposite,
    ratio,
)

# Phases and cases. ----------------------------------------------------------------------------

START, ALWAYS, BEFORE, AFTER = "start", "always", "before", "after"
BELOW, ABOVE = "lost below", "lost above"
LOST = (BELOW, ABOVE)
CASES = ("earlier", "now", "later")


class UnsoundAlignmentError(Exception):
    """The alignment is not one: a shift depends on what it may not; the message says which."""


def guards(
    claim: ProgramClaim, prophecy: path.Prophecy | None, cut: int
) -> dict[str, tuple[Atom, ...]]:
    """Return the phases of a cut, and what determines each; the numbers in it are whole.

    One of them holds whenever the first run is there: before the first iteration ``start``; then by
    the first run's states, or, with a prophecy, by where its loop and its variable are beside the
    outcome.
    """
    if cut == path.ENTRY:
        return {ALWAYS: ()}
    counter, one = LinearForm.symbol(claim.ways.heads[cut].counter), LinearForm.number(1)
    begun, result = Atom(counter - one), {START: equal(counter, LinearForm())}
    if prophecy is None:
        return result | {name: (begun, *of) for name, of in claim.ways.states[cut].items()}
    if cut != prophecy.loop:
        return result | {ALWAYS: (begun,)}
    outcome, variable = LinearForm.symbol(path.OUTCOME), LinearForm.symbol(prophecy.variable)
    past = (begun, Atom(counter - outcome - one))
    return result | {
        BEFORE: (begun, Atom(outcome - counter)),
        AFTER: (*past, *equal(variable, outcome)),
        BELOW: (*past, Atom(outcome - variable - one)),
        ABOVE: (*past, Atom(variable - outcome - one)),
    }


def cases(ways: path.Paths, prophecy: path.Prophecy | None, cut: int) -> tuple[str, ...]:
    """Return the cases that a step from a cut is split into: one of them always holds.

    Without a prophecy, by what the second run decides there by data alone: the first that holds.
    """
    if prophecy is None:
        return tuple(ways.data_cases[cut])
    return CASES if cut == prophecy.loop else ("",)


def case_atoms(
    ways: path.Paths, prophecy: path.Prophecy | None, cut: int, case: str
) -> tuple[Atom, ...]:
    """Return what is known in a case: where the iteration is beside the outcome, or of data."""
    if prophecy is None:

        def second(symbol: str) -> LinearForm | None:
            if not symbol.startswith("answer "):
                return None
            return LinearForm.symbol(symbol) + LinearForm.symbol(path.moved(symbol))

        return tuple(atom.replace(second) for atom in ways.data_cases[cut][case])
    if not case:
        return ()
    position, outcome = LinearForm.symbol(prophecy.counter), LinearForm.symbol(path.OUTCOME)
    one = LinearForm.number(1)
    return {
        "earlier": (Atom(outcome - position - one),),
        "now": equal(position, outcome),
        "later": (Atom(position - outcome - one),),
    }[case]


def _tells_whole(ways: path.Paths, way: path.Path) -> bool:
    """Return whether a way tells just one number, which is whole whatever happens."""
    if len(way.told) != 1 or way.told[0][1] is None:
        return False
    form = way.told[0][1]
    is_whole = all(c.denominator == 1 and path.is_whole(ways.program, s) for s, c in form.terms)
    return is_whole and form.constant.denominator == 1


def check_prophecy(ways: path.Paths, prophecy: path.Prophecy) -> None:
    """Refuse a prophecy unless it is of the whole number that every run tells last, after its loop.

    The outcome is a whole number, so that phases and cases, which part whole numbers, are all.
    """
    is_whole = path.is_whole(ways.program, prophecy.variable) and prophecy.counter.startswith(
        "iteration "
    )
    only = set(ways.of) == {path.ENTRY, prophecy.loop}
    named = only and ways.heads[prophecy.loop].counter == prophecy.counter
    lives = only and prophecy.variable in ways.variables[prophecy.loop]
    told = all(
        (_tells_whole(ways, way) and way.start != path.ENTRY)
        if way.end == path.END
        else not way.told
        for way in ways.all()
    )
    if not (is_whole and only and named and lives and told):
        raise UnsoundAlignmentError("no prophecy is possible of this program")


ABSURD = Atom(LinearForm(), strict=True)
"""0 > 0: its hypotheses contradict each other."""


@dataclass(frozen=True)
class Obligation:
    """The hypotheses imply each goal, over the reals; if they contradict each other, they do.

    target: the cut and the phase whose invariant the goals are; goals and ``names`` go together.
    """

    words: str
    hypotheses: tuple[Atom, ...]
    goals: tuple[Atom, ...]
    names: tuple[Atom | str, ...] = ()
    target: tuple[int, str] | None = None


# Shifts. --------------------------------------------------------------------------------------

_Shifts = Mapping[str, LinearForm]
"""The shift of each draw of a way, by its symbol."""


def _check_shifts(claim: ProgramClaim, alignment: path.Alignment) -> None:
    """Refuse shifts that depend on what comes later, or are not whole where noise is."""
    known = {path.moved(v) for names in claim.ways.variables.values() for v in names}
    known |= set(claim.ways.program.parameters)
    for start, ways in claim.ways.of.items():
        for case in cases(claim.ways, alignment.prophecy, start):
            for number, way in enumerate(ways):
                for draw in way.draws:
                    shift = alignment.shift_of(way, number, case, draw)
                    for symbol in shift.symbols():
                        data = symbol.removeprefix("moved ").startswith("answer ")
                        if symbol not in known and not data:
                            raise UnsoundAlignmentError(f"a shift depends on {symbol}")
                    if draw.kind == "gaussian" and shift != LinearForm():
                        raise UnsoundAlignmentError("no shift of Gaussian noise has a bounded cost")
                    if draw.kind == "discrete_laplace" and not whole_shift(claim, shift):
                        raise UnsoundAlignmentError("whole noise has whole shifts")


def whole_shift(claim: ProgramClaim, shift: LinearForm) -> bool:
    """Return whether a shift is a whole number whatever happens.

    How far a variable has moved is the difference of its values in the two runs, which is whole
    where both are. So is the move of an answer where the program says that the data are whole: of
    these data alone it is claimed then.
    """
    program = claim.ways.program

    def whole(symbol: str) -> bool:
        name = symbol.removeprefix("moved ")
        if name.startswith("answer "):
            return program.whole_data
        return claim.ways.is_whole(name)

    parts = all(c.denominator == 1 and whole(symbol) for symbol, c in shift.terms)
    return parts and shift.constant.denominator == 1


def _separate(way: path.Path, other: path.Path, shifts: _Shifts, other_shifts: _Shifts) -> bool:
    """Return whether two ways have the same shifts wherever both look before they part."""
    twins = {d.site: d for d in other.draws}
    return not any(
        way.decisions[: draw.before] == other.decisions[: twins[draw.site].before]
        and shifts[draw.symbol] != other_shifts[draw.symbol]
        for draw in way.draws
        if draw.site in twins
    )


def same_output(tags: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether what is told leaves open which of two ways was taken."""
    short = min(len(tags), len(other))
    return tags[:short] == other[:short]


# Conditions. ----------------------------------------------------------------------------------


def obligations(claim: ProgramClaim, alignment: path.Alignment) -> Iterator[Obligation]:
    """Yield all that must be shown; raise ``UnsoundAlignmentError`` for what is no alignment."""
    if alignment.prophecy is not None:
        check_prophecy(claim.ways, alignment.prophecy)
    _check_shifts(claim, alignment)
    conditions = _Conditions(claim, alignment)
    for start in claim.ways.of:
        for phase, guard in conditions.guards[start].items():
            yield from conditions.of_phase(start, phase, guard)


def _both_possible(way: path.Path, other: path.Path) -> bool:
    """Return whether the two runs can take these ways: they share public decisions and coins."""
    mine, theirs = way.fixed, other.fixed
    return all(theirs.get(key, holds) == holds for key, holds in mine.items())


def _facts(claim: ProgramClaim, cut: int) -> tuple[Atom, ...]:
    """Return what holds at a cut by what its symbols mean."""
    if cut == path.ENTRY:
        return ()
    counter, length = LinearForm.symbol(claim.ways.heads[cut].counter), LinearForm.symbol(LENGTH)
    facts: tuple[Atom, ...] = (Atom(counter), Atom(length - counter))
    if claim.moves.kind == "one":
        so_far = LinearForm.symbol(path.moved_so_far(cut))
        facts += (Atom(so_far), Atom(LinearForm.number(claim.moves.width) - so_far))
    return facts


def _answers(claim: ProgramClaim, way: path.Path, other: path.Path) -> Iterator[Atom]:
    """Yield by how much the answers that two ways read may move."""
    for answer in dict.fromkeys((*way.answers, *other.answers)):
        move = LinearForm.symbol(path.moved(answer))
        yield Atom(move - LinearForm.number(claim.moves.lower))
        yield Atom(LinearForm.number(claim.moves.upper) - move)


def _density(draws: Iterable[path.DrawnNoise]) -> list[Atom]:
    """Return where the density of draws is above 0."""
    return [Atom(LinearForm.symbol(d.symbol)) for d in draws if d.kind == "exponential"]


def _stays(variable: str, atoms: set[Atom]) -> bool:
    """Return whether it is among what is given that the two runs' values are the same."""
    return {*equal(LinearForm.symbol(path.moved(variable)), LinearForm())} <= atoms


def _signs(
    claim: ProgramClaim, way: path.Path, other: path.Path, shifts: _Shifts
) -> Iterator[tuple[tuple[Atom, ...], dict[str, LinearForm]]]:
    """Yield each way in which shifts and moves can be above or below 0, with their sizes.

    The sizes are |shift| by the symbol of the draw (the shift itself of an exponential one), and
    |move| of the loop's own answer and of those at fixed positions. Together the signs are all that
    there are.
    """
    sized = {d.symbol: shifts[d.symbol] for d in way.draws if d.kind != "exponential"}
    own, read = f"answer {way.start}", dict.fromkeys((*way.answers, *other.answers))
    # Of answers at several fixed positions, too, at most one moves; the loop's may be one of them.
    fixed = [name for name in read if name.startswith("answer at ")]
    if claim.moves.kind == "one":
        sized |= {n: LinearForm.symbol(path.moved(n)) for n in read if n == own or n in fixed}
    # Forms that are multiples of each other are above or below 0 together.
    lines = {name: _direction(form) for name, form in sized.items() if form.terms}
    apart = list(dict.fromkeys(lines.values()))
    for signs in product((1, -1), repeat=len(apart)):
        of = dict(zip(apart, signs, strict=True))
        atoms = [Atom(line.times(Fraction(sign))) for line, sign in of.items()]
        steps = {n: LinearForm.number(abs(form.constant)) for n, form in sized.items()}
        for name, line in lines.items():
            first = sized[name].terms[0]
            size = abs(first[1] / line.coefficient(first[0]))
            steps[name] = line.times(of[line] * size)
        steps |= {d.symbol: shifts[d.symbol] for d in way.draws if d.kind == "exponential"}
        if own in steps:
            so_far = LinearForm.symbol(path.moved_so_far(way.start)) + steps[own]
            atoms.append(Atom(LinearForm.number(claim.moves.width) - so_far))
        if len(fixed) > 1 and claim.moves.kind == "one":
            total = sum((steps[name] for name in fixed), LinearForm())
            atoms.append(Atom(LinearForm.number(claim.moves.width) - total))
        yield tuple(atoms), steps


def _direction(form: LinearForm) -> LinearForm:
    """Return the multiple of a form whose first coefficient is 1; it has terms."""
    return form.times(1 / form.terms[0][1])


class _Conditions:
    """The conditions of an alignment.

    guards: of each cut, the phases with what determines them. What is given at a cut is known in a
    phase and a case.
    """

    def __init__(self, claim: ProgramClaim, alignment: path.Alignment) -> None:
        self.claim, self.alignment = claim, alignment
        self.guards = {cut: guards(claim, alignment.prophecy, cut) for cut in claim.ways.of}

    def of_phase(self, start: int, phase: str, guard: tuple[Atom, ...]) -> Iterator[Obligation]:
        """Yield what must hold of all steps from a cut in a phase."""
        claim, prophecy = self.claim, self.alignment.prophecy
        ways, where = claim.ways.of[start], f"cut {start}, {phase}"
        given = (*claim.assumed, *_facts(claim, start), *guard)
        held = self.alignment.invariants.get((start, phase), ())
        if phase in LOST:
            for way in ways:
                yield from self._lost(f"{where}: {way.words()}", (*given, *held, *way.atoms), way)
            return
        in_case = {
            case: (*given, *case_atoms(claim.ways, prophecy, start, case), *held)
            for case in cases(claim.ways, prophecy, start)
        }
        for number, way in enumerate(ways):
            for case, known in in_case.items():
                words, atoms = f"{where} {case}: {way.words()}", (*known, *way.atoms)
                if opposite(atoms):
                    yield Obligation(f"{words}: not taken", atoms, (ABSURD,))
                    continue
                for other in ways:
                    if _both_possible(way, other):
                        both = f"{words} | {other.words()}"
                        yield from self._pair(both, known, case, number, way, other)
        for case, known in in_case.items():
            yield from self._collisions(f"{where} {case}", known, case, ways)

    def _shifts(self, number: int, way: path.Path, case: str) -> dict[str, LinearForm]:
        """Return the shift of each draw of a way, by its symbol."""
        return {d.symbol: self.alignment.shift_of(way, number, case, d) for d in way.draws}

    def _collisions(
        self, where: str, given: tuple[Atom, ...], case: str, ways: tuple[path.Path, ...]
    ) -> Iterator[Obligation]:
        """Yield that no noise is reached from two ways that the output leaves open."""
        shifts = [self._shifts(number, way, case) for number, way in enumerate(ways)]
        for number, way in enumerate(ways):
            for before, other in enumerate(ways[:number]):
                if not same_output(way.tags, other.tags) or not _both_possible(way, other):
                    continue
                if _separate(way, other, shifts[number], shifts[before]):
                    continue
                back = {
                    d.symbol: LinearForm.symbol(d.symbol)
                    + shifts[number][d.symbol]
                    - shifts[before][d.symbol]
                    if d.symbol in shifts[number]
                    else LinearForm.symbol(f"other {d.symbol}")
                    for d in other.draws
                }
                atoms = [*given, *_answers(self.claim, way, other)]
                atoms += [*way.atoms, *_density(way.draws)]
                atoms += [a.replace(back.get) for a in (*other.atoms, *_density(other.draws))]
                words = f"{where}: {way.words()} | {other.words()}"
                yield Obligation(f"{words}: no noise is reached from both", tuple(atoms), (ABSURD,))

    def _lost(self, words: str, atoms: tuple[Atom, ...], way: path.Path) -> Iterator[Obligation]:
        """Yield that a first run which can no longer tell the outcome never can."""
        if way.end == path.END:
            atoms = (*atoms, *_is_outcome(way))
            yield Obligation(f"{words}: the end", atoms, (ABSURD,))
            return
        after = dict(way.after).get
        for target, guard in self.guards[way.end].items():
            there = tuple(a.replace(after) for a in guard)
            held = self.alignment.invariants.get((way.end, target), ())
            goals = tuple(a.replace(after) for a in held) if target in LOST else (ABSURD,)
            if goals:
                where = (way.end, target) if target in LOST else None
                yield Obligation(f"{words}: {target}", (*atoms, *there), goals, held, where)

    def _pair(
        self,
        words: str,
        given: tuple[Atom, ...],
        case: str,
        number: int,
        way: path.Path,
        other: path.Path,
    ) -> Iterator[Obligation]:
        """Yield what must hold if the first run takes ``way`` and the second ``other``."""
        claim, start = self.claim, way.start
        shifts = self._shifts(number, way, case)
        counter = None if start == path.ENTRY else claim.ways.heads[start].counter
        known = {*given}
        own = {v for v in claim.ways.variables[start] if v != counter and not _stays(v, known)}

        def second(symbol: str) -> LinearForm | None:
            if symbol in own or symbol.startswith("answer "):
                return LinearForm.symbol(symbol) + LinearForm.symbol(path.moved(symbol))
            if symbol in shifts:
                return LinearForm.symbol(symbol) + shifts[symbol]
            return None

        atoms = [*given, *way.atoms, *(atom.replace(second) for atom in other.atoms)]
        if opposite(atoms):
            yield Obligation(f"{words}: not taken", tuple(atoms), (ABSURD,))
            return
        atoms += _answers(claim, way, other)
        atoms += _density({d.site: d for d in (*way.draws, *other.draws)}.values())
        goals = [
            Atom(LinearForm.symbol(d.symbol) + shifts[d.symbol])
            for d in way.draws
            if d.kind == "exponential" and shifts[d.symbol] != LinearForm()
        ]
        same = way.end == other.end and way.tags == other.tags
        if same:
            for (_, mine), (_, theirs) in zip(way.told, other.told, strict=True):
                if mine is not None and theirs is not None:
                    goals += equal(theirs.replace(second), mine)
        else:
            goals.append(ABSURD)
        if self.alignment.prophecy is not None and way.end == path.END:
            atoms += _is_outcome(way)
        for signs, steps in _signs(claim, way, other, shifts):
            here = (*atoms, *signs)
            if goals:
                yield Obligation(f"{words}: the same output", here, tuple(goals))
            if same:
                yield from self._reached(words, here, way, _after(claim, way, other, second, steps))

    def _reached(
        self, words: str, atoms: tuple[Atom, ...], way: path.Path, after: dict[str, LinearForm]
    ) -> Iterator[Obligation]:
        """Yield what must hold at the next cut, or at the end; after: what each symbol is there."""
        if way.end == path.END:
            pairs = enumerate(self.alignment.bounds)
            totals = tuple(Atom(bound - after[path.paid(j)]) for j, bound in pairs)
            yield Obligation(f"{words}: what is paid", atoms, totals, target=(path.END, ""))
            return
        for target, guard in self.guards[way.end].items():
            held = self.alignment.invariants.get((way.end, target), ())
            if held:
                there = tuple(a.replace(after.get) for a in guard)
                goals = tuple(a.replace(after.get) for a in held)
                where = (way.end, target)
                yield Obligation(f"{words}: {target}", (*atoms, *there), goals, held, where)


def _is_outcome(way: path.Path) -> tuple[Atom, ...]:
    """Return the atoms which state that the last output of a path is the outcome."""
    value = way.told[-1][1]
    assert value is not None
    return equal(value, LinearForm.symbol(path.OUTCOME))


def _after(
    claim: ProgramClaim,
    way: path.Path,
    other: path.Path,
    second: Callable[[str], LinearForm | None],
    steps: Mapping[str, LinearForm],
) -> dict[str, LinearForm]:
    """Return what each symbol of the next cut is, in the symbols of the cut before."""
    known = dict(way.after)
    for name, form in other.after:
        if name in known:
            known[path.moved(name)] = form.replace(second) - known[name]
    for account in range(len(claim.accounts.units)):
        paid = path.paid(account)
        total = LinearForm() if way.start == path.ENTRY else LinearForm.symbol(paid)
        for draw in way.draws:
            if claim.accounts.of[draw.site] == account:
                total += steps[draw.symbol].times(claim.accounts.weight[draw.site])
        known[paid] = total
    if claim.moves.kind == "one":
        so_far = LinearForm()
        if way.end == way.start:
            own = steps.get(f"answer {way.start}", LinearForm())
            so_far = LinearForm.symbol(path.moved_so_far(way.end)) + own
        known[path.moved_so_far(way.end)] = so_far
    return known


# The budget. ----------------------------------------------------------------------------------

# That the shifts' cost stays within ε, as certificates about polynomials.


def above_zero(claim: ProgramClaim) -> tuple[kernel.MultivariateSign, ...]:
    """Return certificates that scales and units are above 0 for all parameters of the claim."""
    result = []
    for draw in path.draws_of(claim.ways).values():
        scale = ratio(draw.scale)
        result += [_sign(claim, part, strict=True) for part in (scale.top, scale.bottom)]
    for parameter_ratio in (*claim.accounts.units, claim.epsilon):
        result.append(_sign(claim, parameter_ratio.bottom, strict=True))
    return tuple(result)


def budget(claim: ProgramClaim, bounds: tuple[LinearForm, ...]) -> kernel.MultivariateSign:
    """Return the certificate that Σ bound·unit ≤ ε for all parameters of the claim.

    Both sides are multiplied by all denominators, which are above 0.
    """
    rest = claim.epsilon
    for bound, unit in zip(bounds, claim.accounts.units, strict=True):
        rest += -ParameterRatio(ParameterPolynomial.linear(bound) * unit.top, unit.bottom)
    return _sign(claim, rest.top, strict=False)


def _sign(
    claim: ProgramClaim, polynomial: ParameterPolynomial, *, strict: bool
) -> kernel.MultivariateSign:
    """Return the certificate that a polynomial is ≥ 0 for all parameters of the claim.

    For > 0 each term must be at least 0 as it stands, no coefficient below 0, and one above 0. Then
    Σ c·(monomial) is at least that term, which the kernel sees at a corner above 0. A parameter x
    that is at most b is written as b/(1 + t), t ≥ 0.
    """
    names = tuple(sorted(polynomial.parameters())) or ("no parameter",)
    if not set(names) <= {*claim.positive, "no parameter", LENGTH}:
        raise UndecidedProgramError("the sign of a scale is open: its parameters are not all > 0")
    words, lower, zero = polynomial.words(), {n: least(claim, n) for n in names}, set[str]()
    falling = {p for m, c in polynomial.terms if c < 0 for p, _ in m}
    falling = {p for p in falling if len({dict(m).get(p) for m, _ in polynomial.terms}) > 1}
    for name in sorted(falling):
        if above := [(end, not atom.strict) for end, atom in assumed_ends(claim, name, -1)]:
            most, reached = min(above)
            polynomial, lower[name] = polynomial.within(name, most), Fraction(0)
            zero |= {name} if reached else set()
    if strict:
        seen = any(zero.isdisjoint(dict(m)) for m, _ in polynomial.terms)
        if not seen or any(c < 0 for _, c in polynomial.terms):
            hints = [f": assert {p} < NUMBER, or give it a value (--set)" for p in sorted(falling)]
            raise UndecidedProgramError(f"{words} is not seen to be above 0{''.join(hints[:1])}")
        # The kernel is shown the coefficients' signs.
        signs = tuple((c, (0,)) for _, c in polynomial.terms)
        return kernel.MultivariateSign(signs, (0,), strict=True)
    terms = tuple((c, tuple(dict(m).get(name, 0) for name in names)) for m, c in polynomial.terms)
    return kernel.MultivariateSign(terms, tuple(lower.values()))


def assumed_ends(claim: ProgramClaim, name: str, sign: int) -> Iterator[tuple[Fraction, Atom]]:
    """Yield the bounds of a parameter that are assumed: below it for ``sign`` 1, above for −1."""
    for atom in claim.assumed:
        if [s for s, _ in atom.form.terms] == [name] and atom.form.coefficient(name) * sign > 0:
            yield -atom.form.constant / atom.form.coefficient(name), atom


def least(claim: ProgramClaim, name: str) -> Fraction:
    """Return a number that a parameter of the claim is never below."""
    return max((Fraction(0), *(bound for bound, _ in assumed_ends(claim, name, 1))))
