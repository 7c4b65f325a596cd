"""The ways through a program from one cut to the next, in linear forms: symbolic execution.

Cuts are the entry, the heads of loops and the end. Between two cuts a way is straight: which
branches it takes, what it draws, what it tells, and what its variables are at the other cut, all as
linear forms in the variables at the first cut, the answers that it reads and its noise.

What is trusted here: that the ways from a cut are all there are, that no two of them can be taken
by the same run, and that each says what the steps do. A step outside of linear arithmetic raises
``UndecidedProgramError``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from provado.mechanisms.definitions import UsageError

from . import ir
from .floats import Hidden, folded, is_large
from .path import END, ENTRY, DrawnNoise, Path, Paths, Public, Shared, is_whole
from .polynomial import Atom, LinearForm

MOST_WAYS = 2000


@dataclass
class _State:
    """A way that is being walked."""

    way: Path
    store: dict[str, LinearForm]
    at: int = 0

    def fork(self, way: Path) -> _State:
        return _State(way, dict(self.store), self.at)


@dataclass
class _Walker:
    program: ir.ParsedProgram
    walked: int = 0
    inexact: str = ""
    compared: list[tuple[int, LinearForm, LinearForm]] = field(default_factory=list)
    smooth: set[str] = field(default_factory=set)
    heads: dict[int, ir.Head] = field(default_factory=dict)

    # Values. ----------------------------------------------------------------------------------

    def value(self, part: ir.Expression, state: _State) -> Iterator[tuple[LinearForm, _State]]:
        match part:
            case ir.Constant(value):
                yield LinearForm.number(value), state
            case ir.Name(name):
                yield self._name(name, state), state
            case ir.Draw(site, kind, scale):
                drawn = DrawnNoise(site, kind, scale, len(state.way.decisions))
                # A place draws once between two cuts: read again, it is the same number.
                if drawn.symbol not in (d.symbol for d in state.way.draws):
                    state.way = replace(state.way, draws=(*state.way.draws, drawn))
                self.smooth |= {drawn.symbol} if kind != "discrete_laplace" else set()
                yield LinearForm.symbol(drawn.symbol), state
            case ir.Uniform(_, count):
                for number, one in self._shared(part, range(count), state):
                    yield LinearForm.number(number), one
            case ir.Choose(condition, then, other):
                for holds, one in self.decide(condition, state):
                    yield from self.value(then if holds else other, one)
            case ir.Binary(op, left, right):
                for a, one in self.value(left, state):
                    for b, two in self.value(right, one):
                        yield self._combined(op, a, b, two), two

    def _name(self, name: str, state: _State) -> LinearForm:
        if name.startswith("answer "):
            if name not in state.store:
                state.store[name] = LinearForm.symbol(name)
                state.way = replace(state.way, answers=(*state.way.answers, name))
            return state.store[name]
        level = name.startswith("level ") and self.program.levels
        if level or name in self.program.parameters or name == ir.LENGTH:
            return LinearForm.symbol(name)
        if name not in state.store:
            where = f"{self.program.name}, line {self._line(state)}: {name} may be read before it"
            where += " has a value"
            raise UsageError(where)
        return state.store[name]

    def _combined(self, op: str, a: LinearForm, b: LinearForm, state: _State) -> LinearForm:
        rounded = a.rounded or b.rounded
        if not a.terms and not b.terms:
            return LinearForm((), folded(op, a.constant, b.constant), rounded)
        if op in ("+", "-"):
            result = a + b if op == "+" else a - b
            exact = not (a.terms or a.constant) or not (b.terms or b.constant)
        elif op == "*" and not (a.terms and b.terms):
            factor, form = (b.constant, a) if a.terms else (a.constant, b)
            result, exact = form.times(factor), abs(factor) == 1
        elif op == "/" and not b.terms and b.constant:
            result, exact = a.times(1 / b.constant), abs(b.constant) == 1
        else:
            by_length = op == "/" and b == LinearForm.symbol(ir.LENGTH)
            instead = ": divide what is released, whose noise is as many times as large; where the "
            instead += "data are records say so by --domain LOW:HIGH"
            rule = f"line {self._line(state)}: ({a.words()}) {op} ({b.words()}) is not linear"
            rule += instead * by_length or ": answers and noise are multiplied by numbers only"
            raise ir.UndecidedProgramError(rule)
        whole = all(map(self._is_whole, (a, b, result)))
        lost = {*a.symbols(), *b.symbols()} - set(result.symbols())
        if lost and not whole:
            self._differs(state, f"{min(lost)} cancels in real numbers, not in floating point")
        if is_large(a, b, result):
            self._differs(state, "numbers below 10^-6 or above 10^6 occur together with others")
        bare = self.smooth.isdisjoint(result.symbols())
        return replace(result, rounded=bare and (rounded or not (exact or whole)))

    def _is_whole(self, form: LinearForm) -> bool:
        """Return whether a form is computed in whole numbers."""
        kinds = ("noise ", "answer ") if self.program.whole_data else ("noise ",)
        return form.constant.denominator == 1 and all(
            c.denominator == 1
            and s not in self.smooth
            and (s.startswith(kinds) or is_whole(self.program, s))
            for s, c in form.terms
        )

    def _differs(self, state: _State, why: str) -> None:
        self.inexact = self.inexact or f"line {self._line(state)}: {why}"

    def _line(self, state: _State) -> int:
        return getattr(self.program.steps[state.at], "line", self.program.first)

    # Conditions. ------------------------------------------------------------------------------

    def decide(self, condition: ir.Condition, state: _State) -> Iterator[tuple[bool, _State]]:
        """Yield what the condition can be, each with the way on which it is."""
        match condition:
            case ir.Negation(inner):
                for holds, one in self.decide(inner, state):
                    yield not holds, one
            case ir.Both(left, right):
                for holds, one in self.decide(left, state):
                    if holds:
                        yield from self.decide(right, one)
                    else:
                        yield False, one
            case ir.Coin():
                yield from self._shared(condition, (True, False), state)
            case ir.Compare():
                public = self._public(condition, state)
                if public is not None:
                    yield from self._shared(public, (True, False), state)
                    return
                for a, one in self.value(condition.left, state):
                    for b, two in self.value(condition.right, one):
                        yield from self._compared(condition.op, a, b, two)

    def _shared(
        self, what: Shared, outcomes: Iterable[Any], state: _State
    ) -> Iterator[tuple[Any, _State]]:
        """Yield each outcome of what both runs share; the same one where it is known."""
        known = state.way.fixed.get(what)
        for outcome in outcomes:
            if known is None or known == outcome:
                yield outcome, self._decided(state, (what, outcome))

    def _compared(
        self, op: str, a: LinearForm, b: LinearForm, state: _State
    ) -> Iterator[tuple[bool, _State]]:
        self.compared.append((state.at, a, b))
        cases: list[tuple[bool, tuple[Atom, ...]]]
        if op in ("<", ">", "<=", ">="):
            above, strict = b - a if "<" in op else a - b, "=" not in op
            cases = [(True, (Atom(above, strict),)), (False, (Atom(-above, not strict),))]
        else:
            cases = [(op == "==", (Atom(a - b), Atom(b - a)))]
            cases += [(op != "==", (Atom(form, True),)) for form in (a - b, b - a)]
        for holds, atoms in cases:
            kept = [self._whole(atom) for atom in atoms]
            if any(self._whole(Atom(-a.form, not a.strict)) in state.way.decisions for a in atoms):
                continue
            constant = [atom for atom in kept if not atom.form.terms]
            if all(
                c.form.constant > 0 or (c.form.constant == 0 and not c.strict) for c in constant
            ):
                new = (a for a in kept if a.form.terms and a not in state.way.decisions)
                yield holds, self._decided(state, *new)

    def _whole(self, atom: Atom) -> Atom:
        """Return form > 0 as form ≥ 1 where the form is a whole number."""
        terms = atom.form.terms
        whole = all(c.denominator == 1 and is_whole(self.program, s) for s, c in terms)
        if atom.strict and whole and atom.form.constant.denominator == 1:
            return Atom(atom.form - LinearForm.number(1))
        return atom

    def _decided(self, state: _State, *more: Atom | tuple[Shared, int]) -> _State:
        self.walked += 1
        if self.walked > MOST_WAYS * 20:
            raise ir.UndecidedProgramError("there are too many ways through the program")
        decisions = (*state.way.decisions, *more)
        return state.fork(replace(state.way, decisions=decisions))

    def _public(self, compare: ir.Compare, state: _State) -> Public | None:
        """Return a comparison with %, // or ** as one of public numbers; ``None`` for others."""
        parts = [*_within(compare.left), *_within(compare.right)]
        if not any(isinstance(p, ir.Binary) and p.op in ("%", "//", "**", "exp") for p in parts):
            return None
        if any(isinstance(part, ir.Draw | ir.Choose | ir.Uniform) for part in parts):
            raise ir.UndecidedProgramError("noise, or a choice, stands in %, // or **")
        names = {p.name: self._name(p.name, state) for p in parts if isinstance(p, ir.Name)}
        public = {*self.program.parameters, ir.LENGTH}
        for name, form in names.items():
            if any(s not in public and not s.startswith("iteration ") for s in form.symbols()):
                raise ir.UndecidedProgramError(f"{name} stands in %, // or **, and is not public")
            self.compared.append((state.at, form, form))
        return Public(compare, tuple(sorted(names.items())))

    # Steps. -----------------------------------------------------------------------------------

    def ways(self, start: int, at: int, variables: tuple[str, ...]) -> list[Path]:
        """Return all ways from a cut whose first step is ``at``."""
        store = {v: LinearForm.symbol(v) for v in variables}
        done: list[Path] = []
        begin = _State(Path(start, END), store, at)
        todo = [begin]
        if start != ENTRY:
            head = self.heads[start]
            counter, length = LinearForm.symbol(head.counter), LinearForm.symbol(ir.LENGTH)
            more = self._decided(begin, Atom(length - counter - LinearForm.number(1)))
            more.at = at + 1
            enough = self._decided(begin, Atom(counter - length), Atom(length - counter))
            enough.at = head.exit
            todo = [enough, more]
        while todo:
            state = todo.pop()
            if len(done) > MOST_WAYS:
                raise ir.UndecidedProgramError("there are too many ways through the program")
            step = self.program.steps[state.at]
            if isinstance(step, ir.Head):
                if step.loop == start:
                    state.store[step.counter] = state.store[step.counter] + LinearForm.number(1)
                after = {v: f for v, f in state.store.items() if not v.startswith("answer ")}
                done.append(replace(state.way, end=step.loop, after=tuple(after.items())))
            elif isinstance(step, ir.Stop):
                done.append(state.way)
            elif isinstance(step, ir.Jump):
                state.at = step.to
                todo.append(state)
            elif isinstance(step, ir.Branch):
                for holds, item in self.decide(step.condition, state):
                    item.at = step.then if holds else step.other
                    todo.append(item)
            elif isinstance(step, ir.Assign):
                for value, item in self.value(step.value, state):
                    branch = item.fork(item.way)
                    branch.store[step.name] = value
                    branch.at = state.at + 1
                    todo.append(branch)
            elif isinstance(step, ir.OutputStep):
                todo += self._told(step, state)
        return done

    def _told(self, step: ir.OutputStep, state: _State) -> list[_State]:
        at = state.at + 1
        found = [(None, state)] if step.value is None else list(self.value(step.value, state))
        result = []
        for form, item in found:
            tag = step.tag
            if form is not None and not form.terms:
                # A constant is known by its tag: knowing more of a run asks more of the other.
                tag, form = f"constant {form.constant}", None
            told = (*item.way.told, (tag, form))
            branch = item.fork(replace(item.way, told=told))
            branch.at = at
            result.append(branch)
        return result


def enumerate_paths(program: ir.ParsedProgram) -> Paths:
    """Return all ways of a program; raise ``UndecidedProgramError`` or ``UsageError``."""
    walker = _Walker(program)
    places = {s.loop: (at, s) for at, s in enumerate(program.steps) if isinstance(s, ir.Head)}
    walker.heads = {loop: head for loop, (_, head) in places.items()}
    result = {ENTRY: walker.ways(ENTRY, 0, ())}
    known: dict[int, set[str]] = {}
    while True:
        arrived: dict[int, set[str]] = {}
        for ways in result.values():
            for way in ways:
                if way.end != END:
                    names = {v for v, _ in way.after}
                    arrived[way.end] = arrived.get(way.end, names) & names
        if arrived == known:
            break
        known = arrived
        for loop, names in known.items():
            result[loop] = walker.ways(loop, places[loop][0], tuple(sorted(names)))
    live = _live(result, {loop: walker.heads[loop].counter for loop in known})
    for start, ways in result.items():
        result[start] = [
            replace(w, after=tuple(p for p in w.after if p[0] in live.get(w.end, ()))) for w in ways
        ]
    variables = {cut: tuple(sorted(names)) for cut, names in live.items()} | {ENTRY: ()}
    inexact = walker.inexact or _shown(walker, [w for ways in result.values() for w in ways])
    of = {s: tuple(_differences(program, w) for w in ways) for s, ways in result.items()}
    return Paths(program, of, variables, walker.heads, inexact)


def _differences(program: ir.ParsedProgram, way: Path) -> Path:
    """Return a way with the answers' differences from their levels as answers."""
    if not program.levels:
        return way

    def difference(of: LinearForm) -> LinearForm:
        return of.replace(lambda s: LinearForm() if s.startswith("level ") else None)

    def form(of: LinearForm) -> LinearForm:
        _check_differences(program, of)
        return difference(of)

    def level(of: LinearForm) -> LinearForm:
        terms = of.replace(lambda s: None if s.startswith(("answer ", "level ")) else LinearForm())
        terms -= LinearForm.number(terms.constant)
        return terms.replace(lambda s: LinearForm.symbol(s.replace("answer", "level")))

    return replace(
        way,
        decisions=tuple(
            Atom(form(d.form), d.strict) if isinstance(d, Atom) else d for d in way.decisions
        ),
        # Both runs release a number in the same step, where the level beside it is the same.
        told=tuple((tag, told and difference(told)) for tag, told in way.told),
        beside=tuple(level(told) if told else LinearForm() for _, told in way.told),
        after=tuple((name, form(value)) for name, value in way.after),
    )


def _check_differences(program: ir.ParsedProgram, form: LinearForm) -> None:
    """Raise ``UsageError`` where an answer, or its level, stands without the other."""
    terms = dict(form.terms)
    for symbol, c in form.terms:
        kind, _, number = symbol.partition(" ")
        other = {"answer": f"level {number}", "level": f"answer {number}"}.get(kind)
        if other is not None and terms.get(other) != -c:
            rule = f"only differences of {program.query} and {program.levels} are read"
            raise UsageError(f"{program.name}: {rule}: compare one with the other, place by place")


def _shown(walker: _Walker, ways: list[Path]) -> str:
    """Return where something is compared or told that was rounded and has no noise; else none."""
    hidden = Hidden(ways, walker.smooth)
    if (name := hidden.growing()) is not None:
        return f"{name} is a sum of variables, which a loop may make too large for floating point"
    for at, a, b in walker.compared:
        if hidden.is_bare(a - b, a, b):
            line = getattr(walker.program.steps[at], "line", walker.program.first)
            return f"line {line}: a number that was rounded is compared, and has no noise"
    if any(form and hidden.is_bare(form) for way in ways for _, form in way.told):
        return "a number that was rounded is released without noise"
    return ""


def _live(found: dict[int, list[Path]], counters: dict[int, str]) -> dict[int, set[str]]:
    """Return the variables that matter from each cut on: those read, now or by what is read."""
    live = {cut: {counters[cut]} for cut in counters}
    while True:
        before = {cut: set(names) for cut, names in live.items()}
        for cut in counters:
            for way in found[cut]:
                forms = [atom.form for atom in way.atoms] + [
                    f for _, f in way.told if f is not None
                ]
                forms += [f for v, f in way.after if v in live[way.end]]
                for public in way.fixed:
                    forms += [f for _, f in public.names] if isinstance(public, Public) else []
                # A name that is a parameter, an answer or noise is no variable of a cut.
                starts = {v for v, _ in _after(found, cut)}
                live[cut] |= {s for form in forms for s in form.symbols()} & starts
        if live == before:
            return live


def _after(found: dict[int, list[Path]], cut: int) -> tuple[tuple[str, LinearForm], ...]:
    return next(way.after for ways in found.values() for way in ways if way.end == cut)


def _within(part: ir.Expression) -> Iterator[ir.Expression]:
    """Yield a formula and its parts; noise and choices as they stand."""
    yield part
    if isinstance(part, ir.Binary):
        yield from _within(part.left)
        yield from _within(part.right)


def parameter_atoms(program: ir.ParsedProgram) -> tuple[Atom, ...]:
    """Return what ``assert`` says of parameters, and that there are no fewer than 0 queries."""
    walker = _Walker(program)
    atoms = [Atom(LinearForm.symbol(ir.LENGTH))]
    for compare in program.assumed:
        state = _State(Path(ENTRY, END), {})
        result = [item.way.atoms for holds, item in walker.decide(compare, state) if holds]
        if len(result) != 1:
            raise ir.UndecidedProgramError("an assert does not join linear comparisons by and")
        atoms += result[0]
    return tuple(atoms)
