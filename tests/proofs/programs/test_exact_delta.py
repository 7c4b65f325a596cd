"""Exact δ of given data: enclosures against independent integration; broken versions."""

import itertools
import math
import random
import sys
import types
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy import integrate, special

from provado.mechanisms import UsageError
from provado.proofs.programs.claim import ProgramVerdict
from provado.proofs.programs.decide import decide
from provado.proofs.programs.probability import domain_delta, finite_delta, noise_integrals
from provado.proofs.programs.probability.output_probability import ParameterValues, distribution
from provado.proofs.programs.read.ir import UndecidedProgramError
from provado.proofs.programs.read.parse import read_program
from provado.proofs.programs.read.symbolic_execution import enumerate_paths
from tests.proofs.programs.random_programs import maxima, ranges, thresholds
from tests.proofs.programs.written import function

F = Fraction
CLOSE = 1e-10

SPARSE = """
    def sparse(q, first, then, most):
        level = {first}(first)
        count = 0
        for x in q:
            if x + {then}(then) {sign} level:
                output(True)
                count = count + 1
                if count >= most:
                    break
                {again}
            else:
                output(False)
    """
ARGMAX = """
    def largest(q, scale):
        return argmax(x + {kind}(scale) for x in q)
    """
RUNNING = """
    def largest(q, scale):
        best = 0
        at = 0
        for i, x in enumerate(q):
            noisy = x + {kind}(scale)
            if i == 0 or noisy > best:
                best = noisy
                at = i
        output(at)
    """


# Independent probabilities: plain functions, integrated by scipy. ---------------------------------


def above(kind, t, scale):
    """Return the chance that noise lies above t."""
    u = np.asarray(t, dtype=float) / scale
    if kind == "gaussian":
        return special.erfc(u / math.sqrt(2)) / 2
    if kind == "exponential":
        return np.where(u > 0, np.exp(-np.maximum(u, 0)), 1.0)
    return np.where(u > 0, np.exp(-np.abs(u)) / 2, 1 - np.exp(-np.abs(u)) / 2)


def density(kind, z, scale):
    u = abs(z) / scale
    if kind == "gaussian":
        return math.exp(-u * u / 2) / math.sqrt(2 * math.pi) / scale
    if kind == "exponential":
        return math.exp(-u) / scale if z >= 0 else 0.0
    return math.exp(-u) / 2 / scale


def integral(kind, scale, product, kinks=()):
    """Return ∫ density·product."""
    reach = 45.0 * scale if kind != "gaussian" else 12.0 * scale
    points = sorted({-reach, reach, 0.0, *(float(k) for k in kinks if abs(k) < reach)})
    total = 0.0
    for a, b in itertools.pairwise(points):
        for c, d in itertools.pairwise(np.linspace(a, b, 7)):
            total += integrate.quad(
                lambda z: density(kind, z, scale) * float(product(z)),
                c,
                d,
                epsabs=1e-14,
                epsrel=1e-12,
            )[0]
    return total


def sparse_table(q, first, then, scales, most, fresh):
    """Return the chance of each output of sparse vector; ``fresh``: the level is drawn again."""
    outputs = [()]
    done = []
    for _ in q:
        outputs = [(*o, b) for o in outputs for b in (True, False)]
        done += [o for o in outputs if sum(o) == most]
        outputs = [o for o in outputs if sum(o) < most]
    table = {}
    for output in (*done, *outputs):
        ends = [i + 1 for i, b in enumerate(output) if b] if fresh else []
        chance = 1.0
        for a, b in itertools.pairwise(sorted({0, *ends, len(output)})):
            part = list(zip(q[a:b], output[a:b], strict=True))

            def product(z, part=part):
                value = 1.0
                for x, is_above in part:
                    p = above(then, z - float(x), scales[1])
                    value *= p if is_above else 1 - p
                return value

            chance *= integral(first, scales[0], product, q)
        table[output] = chance
    return table


def largest_table(q, kind, scale):
    def product(i):
        others = [float(q[i] - x) for k, x in enumerate(q) if k != i]
        return lambda z: math.prod(1 - above(kind, z + d, scale) for d in others)

    kinks = [a - b for a in q for b in q]
    return {i: integral(kind, scale, product(i), kinks) for i in range(len(q))}


def of_tables(p, q, epsilon):
    return max(
        sum(max(0.0, a[o] - math.exp(epsilon) * b.get(o, 0.0)) for o in a)
        for a, b in ((p, q), (q, p))
    )


# What the product says. ---------------------------------------------------------------------------


def enclosed(program, pair, epsilon, bits=None, of=finite_delta, **parameters):
    """Return the enclosure of the largest δ of a pair, whatever is claimed."""
    values = {name: F(value) for name, value in parameters.items()}
    setting = ParameterValues(enumerate_paths(read_program(program, values)), values, None)
    enclosures = of.Enclosures(bits or 64)
    with enclosures.working():
        return of.delta_of_pairs(setting, [pair, pair[::-1]], F(epsilon), enclosures)


def data(rng, size):
    return tuple(F(int(v), 4) for v in rng.integers(-6, 7, size))


@pytest.mark.parametrize("seed", range(12))
def test_sparse_vector_against_independent_integration(seed):
    rng = np.random.default_rng(seed)
    first, then = rng.choice(["gaussian", "laplace", "exponential"], 2)
    most, size, fresh = int(rng.integers(1, 3)), int(rng.integers(1, 5)), bool(rng.integers(2))
    scales = [F(int(v), 4) for v in rng.integers(1, 13, 2)]
    sign = rng.choice([">=", ">"])
    text = SPARSE.format(
        first=first, then=then, sign=sign, again=f"level = {first}(first)" if fresh else "pass"
    )
    pair, epsilon = (data(rng, size), data(rng, size)), F(int(rng.integers(1, 9)), 4)
    found = enclosed(function(text), pair, epsilon, first=scales[0], then=scales[1], most=most)
    tables = [sparse_table(d, first, then, [float(s) for s in scales], most, fresh) for d in pair]
    exact = of_tables(*tables, float(epsilon))
    assert found.low <= found.high <= found.low + F(1, 10**15)
    assert float(found.low) == pytest.approx(exact, abs=CLOSE)


@pytest.mark.parametrize("text", [ARGMAX, RUNNING])
@pytest.mark.parametrize("kind", ["gaussian", "laplace", "exponential"])
def test_noisy_max_against_independent_integration(text, kind):
    rng = np.random.default_rng(len(kind))
    for size in (1, 2, 5):
        pair, scale = (data(rng, size), data(rng, size)), F(int(rng.integers(2, 9)), 4)
        found = enclosed(function(text.format(kind=kind)), pair, F(1, 4), scale=scale)
        exact = of_tables(*(largest_table(d, kind, float(scale)) for d in pair), 0.25)
        assert float(found.low) == pytest.approx(exact, abs=CLOSE)
        assert found.outputs == size


def test_closed_forms():
    def phi(t):
        return special.ndtr(t)

    # The larger of two Gaussian numbers; whether one is above a Gaussian level.
    found = enclosed(
        function(ARGMAX.format(kind="gaussian")), ((F(0), F(2)), (F(0), F(0))), 1, scale=1
    )
    exact = phi(math.sqrt(2)) - math.e / 2
    assert float(found.high) == pytest.approx(
        max(0, exact, 0.5 - math.e * phi(-math.sqrt(2))), abs=CLOSE
    )
    text = SPARSE.format(first="gaussian", then="gaussian", sign=">=", again="pass")
    found = enclosed(function(text), ((F(3),), (F(0),)), 1, first=3, then=4, most=1)
    assert float(found.high) == pytest.approx(max(0, 0.5 - math.e * phi(-0.6)), abs=CLOSE)
    found = enclosed(function(text), ((F(3),), (F(0),)), F(1, 10), first=3, then=4, most=1)
    exact = max(phi(0.6) - math.exp(0.1) / 2, 0.5 - math.exp(0.1) * phi(-0.6))
    assert float(found.high) == pytest.approx(exact, abs=CLOSE)


@pytest.mark.parametrize("seed", range(10))
def test_laplace_agrees_with_exact_probabilities(seed):
    """The route without δ has formulas in exponentials; both speak of the same program."""
    rng = np.random.default_rng(seed + 50)
    first, then = rng.choice(["laplace", "exponential"], 2)
    again = "level = laplace(first)" if rng.integers(2) else "pass"
    text = function(SPARSE.format(first=first, then=then, sign=">=", again=again))
    if seed % 3 == 0:
        text = function(ARGMAX.format(kind=first))
    values = {"scale": F(3, 2)} if seed % 3 == 0 else {"first": F(2), "then": F(5, 3), "most": F(2)}
    pair = data(rng, 3), data(rng, 3)
    setting = ParameterValues(enumerate_paths(read_program(text, values)), values, None)
    tables = [
        {
            event: p.top.near(F(1)) / p.bottom.near(F(1))
            for event, p in distribution(setting, d).items()
        }
        for d in pair
    ]
    found = enclosed(text, pair, F(1, 5), **values)
    assert float(found.low) == pytest.approx(of_tables(*tables, 0.2), abs=CLOSE)


def test_random_programs_agree_with_exact_probabilities():
    rng, positive, seen = random.Random(11), 0, 0
    while seen < 80:
        text = rng.choice([thresholds, maxima, ranges])(rng).replace("epsilon", "unit")
        size, values = rng.randint(1, 3), {"unit": F(1)}
        pair = tuple(tuple(F(rng.randint(-4, 4), 2) for _ in range(size)) for _ in (0, 1))
        one = function(text)
        try:
            ways = enumerate_paths(read_program(one, values))
            exact = [distribution(ParameterValues(ways, values, None), d).items() for d in pair]
        except (UndecidedProgramError, UsageError):
            continue
        tables = [{o: p.top.near(F(1)) / p.bottom.near(F(1)) for o, p in each} for each in exact]
        found, delta = enclosed(one, pair, F(1, 4), **values), of_tables(*tables, 0.25)
        assert float(found.low) == pytest.approx(delta, abs=CLOSE), text
        assert float(found.high) == pytest.approx(delta, abs=CLOSE), text
        seen, positive = seen + 1, positive + (delta > 1e-9)
    assert positive > 20


@pytest.mark.parametrize("kind", ["gaussian", "laplace"])
def test_more_bits_lie_within_fewer(kind):
    """At 4 bits what lies beyond the ends is not negligible: it must be added."""
    pair = (F(0), F(1), F(1)), (F(1), F(0), F(0))
    text = function(SPARSE.format(first=kind, then="gaussian", sign=">=", again="pass"))
    wide, fine = (enclosed(text, pair, F(1, 10), bits, first=1, then=2, most=1) for bits in (4, 64))
    assert wide.low <= fine.low <= fine.high <= wide.high
    assert wide.high - wide.low > 1e-3


COIN = """
    def coin(q, sigma, p=1/4):
        best = 0
        at = 0
        for i, x in enumerate(q):
            noisy = x + gaussian(sigma)
            if bernoulli(0.25):
                noisy = x
            if i == 0 or noisy > best:
                best = noisy
                at = i
        output(at)
    """


def test_coins_are_no_regions_of_the_noise():
    pair = (F(0), F(1)), (F(1), F(0))
    found = enclosed(function(COIN), pair, F(1, 2), sigma=1, p=F(1, 4))

    def second(gap):
        # Both noisy, one of the two, none.
        parts = (9, special.ndtr(gap / math.sqrt(2))), (6, special.ndtr(gap)), (1, float(gap > 0))
        return sum(weight * p for weight, p in parts) / 16

    exact = second(1) - math.exp(0.5) * second(-1)
    assert float(found.low) == pytest.approx(exact, abs=CLOSE)


AGAIN = "level = gaussian(first)"
INDEX = """
    def index(q, scale, then):
        level = gaussian(scale)
        for i, x in enumerate(q):
            if x + laplace(then) > level:
                output(i)
                level = level + 1
            else:
                output("below")
    """
EACH = """
    def each(q, scale, then):
        last = 0
        for x in q:
            level = gaussian(scale)
            output(last + laplace(then) > level)
            last = x
    """
ONCE = """
    def once(q, scale):
        level = gaussian(scale)
        for x in q:
            if x + gaussian(scale) > level:
                output(True)
                break
    """
FIRST = """
    def compared(q, scale):
        level = gaussian(scale)
        for x in q:
            output(x + q[0] + gaussian(scale) > level)
    """


# Verdicts. ----------------------------------------------------------------------------------------

GAUSSIAN = function(SPARSE.format(first="gaussian", then="gaussian", sign=">=", again="pass"))
SET = {"first": 2, "then": 4, "most": 1}
PAIR = ((0,) * 8, (1,) * 8)


def verdict(delta, **more):
    return decide(
        GAUSSIAN, epsilon=F(1, 4), delta=delta, **{"parameters": SET, "pairs": [PAIR], **more}
    )


def test_the_exact_delta_is_proved_and_nothing_below_it():
    exact = verdict("1/2").exact_delta
    assert F(1, 100) < exact.low <= exact.high < F(1, 2)
    for delta, said in (
        (exact.high, "proved"),
        (exact.high + F(1, 10**12), "proved"),
        (exact.low - F(1, 10**12), "refuted"),
        (F(99, 100) * exact.low, "refuted"),
    ):
        found = verdict(delta)
        assert found.verdict == said, delta
    assert found.exact_delta.events
    assert found.exact_delta.d == PAIR[0]


def test_both_directions_are_computed():
    pair = ((1, 1, 1), (0, 0, 0))
    both = {verdict("1/2", pairs=[one]).exact_delta.low for one in (pair, pair[::-1])}
    assert len(both) == 1


def test_a_claim_within_the_enclosure_is_undecided(monkeypatch):
    monkeypatch.setattr(finite_delta, "BITS", (8,))
    exact = verdict("1/2").exact_delta
    found = verdict((exact.low + exact.high) / 2)
    assert found.verdict is ProgramVerdict.UNDECIDED
    assert "near to the claim" in found.reason


def test_a_domain_is_all_its_pairs():
    found = verdict("1/2", pairs=None, domain=[0, 1], size=3)
    assert found.exact_delta.pairs == 12
    singles = [
        verdict("1/2", pairs=[(d, (*d[:k], 1 - d[k], *d[k + 1 :]))]).exact_delta
        for d in itertools.product((0, 1), repeat=3)
        for k in range(3)
    ]
    assert max(one.high for one in singles) == found.exact_delta.high


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def f(q, s):\n    output(q[0] + gaussian(s))\n", "number with noise"),
        (
            "def f(q, s):\n    a = gaussian(s)\n    b = gaussian(s)\n"
            "    output(q[0] + a + b > gaussian(s))\n",
            "no single integral",
        ),
        (
            "def f(q, s):\n    a = gaussian(s)\n    b = gaussian(s)\n    c = gaussian(s)\n"
            "    d = gaussian(s)\n    output(q[0] + a > b)\n    output(b > c)\n    output(c > d)\n",
            "no single integral",
        ),
        ("def f(q, s):\n    output(q[0] + discrete_laplace(s) > 0)\n", "whole noise"),
    ],
)
def test_other_programs_are_undecided(text, words):
    found = decide(
        function(text), epsilon=1, delta="1/10", parameters={"s": 2}, pairs=[((0,), (1,))]
    )
    assert found.verdict is ProgramVerdict.UNDECIDED
    assert words in found.reason


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"delta": 1}, "below 1"),
        ({"delta": -1}, "above 0"),
        ({"delta": "much"}, "above 0"),
        ({"delta": "1/2", "pairs": None}, "given data"),
        ({"delta": "1/2", "epsilon": "first", "parameters": {"then": 1, "most": 1}}, "a number"),
    ],
)
def test_bad_claims(given, words):
    with pytest.raises(UsageError, match=words):
        decide(GAUSSIAN, **{"epsilon": 1, "parameters": SET, "pairs": [PAIR], **given})


# Domains of which no list is made. ---------------------------------------------------------------


def of_domain(program, domain, size, epsilon, of=domain_delta, **parameters):
    """Return the largest δ over all neighbors of a domain, by states."""
    values = {name: F(value) for name, value in parameters.items()}
    setting = ParameterValues(enumerate_paths(read_program(program, values)), values, None)
    enclosures = of.Enclosures(64)
    points = [F(v) for v in domain]
    with enclosures.working():
        return of.delta_of_domain(setting, points, size, F(epsilon), enclosures)


BY_STATES = [
    (SPARSE.format(first="gaussian", then="laplace", sign=">=", again="pass"), (1, 2, 1), 5),
    (SPARSE.format(first="laplace", then="gaussian", sign=">", again="pass"), (1, 1, 2), 4),
    (SPARSE.format(first="gaussian", then="laplace", sign=">=", again=AGAIN), (1, 2, 2), 4),
    (SPARSE.format(first="laplace", then="laplace", sign=">=", again="pass"), (2, 1, 1), 3),
    (INDEX, (1, 1), 3),
    (EACH, (1, 1), 3),
]
DOMAINS = [("1/8", (0, 1)), ("1/3", (1, 0)), ("1/3", (0, F(-1, 2), 2))]


def asked(text, values):
    one = function(text)
    names = one.__code__.co_varnames[1 : 1 + len(values)]
    return one, dict(zip(names, values, strict=True))


@cache
def by_list(text, values, size, epsilon, domain):
    """Return the same by a list of pairs."""
    one, parameters = asked(text, values)
    given = {"domain": domain, "size": size, "parameters": parameters}
    return decide(one, epsilon=epsilon, delta="1/2", **given).exact_delta


@pytest.mark.parametrize(("text", "values", "size"), BY_STATES)
@pytest.mark.parametrize(("epsilon", "domain"), DOMAINS)
def test_states_of_the_data_are_all_datasets(text, values, size, epsilon, domain):
    size -= len(domain) - 2
    listed = by_list(text, values, size, epsilon, domain)
    one, parameters = asked(text, values)
    found = of_domain(one, domain, size, epsilon, **parameters)
    assert listed.low > 0
    assert found.low <= listed.high
    assert listed.low <= found.high
    assert found.high - found.low < F(1, 10**15)
    assert (found.pairs, found.outputs) == (listed.pairs, listed.outputs)


def test_a_domain_of_thousands_of_pairs_is_decided():
    one = verdict("1/2", pairs=None, domain=[0, 1], size=10)
    assert one.verdict is ProgramVerdict.PROVED
    assert one.exact_delta.pairs == 10 * 2**9
    just = one.exact_delta.low
    assert verdict(just - F(1, 10**12), pairs=None, domain=[0, 1], size=10).verdict == "refuted"
    d, d_prime = one.exact_delta.d, one.exact_delta.d_prime
    assert sum(a != b for a, b in zip(d, d_prime, strict=True)) == 1
    assert verdict("1/2", pairs=[(d, d_prime)]).exact_delta.high >= just


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (RUNNING.format(kind="gaussian"), "told the same"),
        (ONCE, "do not say at which answer"),
        (COIN, "one after the other"),
        (FIRST, "one after the other"),
    ],
)
def test_domains_of_other_programs_are_left_open(text, words):
    one, parameters = asked(text, (1,))
    given = {"domain": [0, 1], "size": 12, "parameters": parameters}
    found = decide(one, epsilon=1, delta="1/2", **given)
    assert found.verdict is ProgramVerdict.UNDECIDED
    assert words in found.reason
    assert "more than 4000 pairs of neighbors: take fewer values, or give pairs" in found.reason


BROKEN_STATES = [
    ("if a == b or not changed", "if a == b"),
    ("if a == b or not changed", "if a != b or not changed"),
    ("max(one.high, other.high)", "other.high"),
    ("max(one, other, key=lambda state: state.low)", "other"),
    ("p - self.factor * q", "p - q"),
    ("key = changed or a != b, one.key", "key = changed or a != b, ()"),
    ("key = changed or a != b, one.key", "key = False, one.key"),
    ("parts[group_of(run, atoms)] += 1", "pass"),
    ("atom.replace((names | this).get)", "len(atom.form.terms)"),
    ("parts[run.draws.get(symbol), frozenset(said)] += 1", "pass"),
    ("cut, iteration, tuple(values), tuple(held)", "cut, iteration, tuple(held)"),
    ("* count).max(0)", ").max(0)"),
    ("count + places.get(key, ((), 0))[1]", "count"),
    ("tuple(map(_key, both))", "_key(both[0])"),
]


@pytest.mark.parametrize(("old", "new"), BROKEN_STATES)
def test_a_broken_search_of_states_is_seen(old, new):
    text = Path(domain_delta.__file__).read_text(encoding="utf-8")
    assert text.count(old) == 1
    of = types.ModuleType(f"{domain_delta.__name__}_broken")
    of.__package__ = domain_delta.__package__
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, of.__name__, of)
        exec(compile(text.replace(old, new), domain_delta.__file__, "exec"), vars(of))
    for (epsilon, domain), (text, values, size) in itertools.product(DOMAINS, BY_STATES):
        listed = by_list(text, values, size - len(domain) + 2, epsilon, domain)
        one, parameters = asked(text, values)
        try:
            found = of_domain(one, domain, size - len(domain) + 2, epsilon, of, **parameters)
        except (UndecidedProgramError, AssertionError, ValueError):
            return
        if max(abs(found.low - listed.low), abs(found.high - listed.high)) > F(1, 10**12):
            return
    pytest.fail("every δ is still right")


# Broken versions: each must give another δ, or none, for one of these programs. -------------------

BAND = """
    def band(q, scale):
        level = gaussian(scale)
        v = q[0] + laplace(scale)
        output(v > level)
        output(v > level + 1/2)
        output(v < 2 * level + 1)
        output(level > 1)
    """
EITHER = """
    def either(q, scale):
        level = gaussian(scale)
        output(q[0] + gaussian(scale) > level)
        if q[1] + gaussian(scale) > level:
            output(q[2] + gaussian(scale) > level)
        else:
            output(q[2] + gaussian(scale) <= level)
    """
IDLE = """
    def idle(q, scale):
        unseen = 0
        if bernoulli(0.25):
            unseen = 1
        output(q[0] + gaussian(scale) > gaussian(scale))
    """
MARGIN = RUNNING.replace("noisy > best", "noisy > best + 1")
CASES = [
    (SPARSE.format(first="laplace", then="gaussian", sign=">=", again="pass"), (2, 3, 2)),
    (SPARSE.format(first="gaussian", then="laplace", sign=">=", again="pass"), (2, 3, 2)),
    (COIN, (1, F(1, 4))),
    (BAND, (2,)),
    (IDLE, (2,)),
    (EITHER, (2,)),
    (RUNNING.format(kind="gaussian"), (2,)),
    (MARGIN.format(kind="gaussian"), (2,)),
]
DATA = (F(1), F(1), F(0)), (F(0), F(1, 3), F(5, 4))
BROKEN = [
    ("noise_integrals", "arb(0).union(rest)", "arb(0)"),
    ("noise_integrals", "(integrand, 0, 1", "(integrand, 0, 0.5"),
    ("noise_integrals", "return value * length", "return value"),
    ("noise_integrals", "ends[symbol][size < 0].add", "ends[symbol][size > 0].add"),
    ("noise_integrals", "heights), count))", "heights), 1))"),
    ("noise_integrals", "factors.append((", "factors and factors.append(("),
    ("noise_integrals", "slope * scale / unit", "slope / unit"),
    ("noise_integrals", "_at(interval.lows, middle, max)", "_at(interval.lows, middle, min)"),
    ("noise_integrals", "if None not in heights and", "if False and"),
    ("noise_integrals", "lines.append((Fraction(0), Fraction(0)))", "pass"),
    ("noise_integrals", '{Fraction(0)} if group.kind == "laplace" else set()', "set()"),
    ("noise_integrals", "in lines[:i] if a != c", "in lines[:0] if a != c"),
    ("noise_integrals", "max((c for _, c in lows), default=None)", "None"),
    ("finite_delta", "number(epsilon).exp()", "number(-epsilon).exp()"),
    ("finite_delta", "p - factor * tables", "p - tables"),
    ("finite_delta", "item.max(0)", "item"),
    ("finite_delta", "table.get(event, 0) + ", ""),
    ("finite_delta", "if has_coins(setting):", "if False:"),
    ("finite_delta", "if all(_implies(rows, t, c) for rows in members)", ""),
    ("finite_delta", "for run in others)", "for run in others[:0])"),
    ("finite_delta", "and rows[rest.terms] <= rest.constant", ""),
]


def broken(module, old, new):
    """Return ``finite_delta`` with one change in it, or in the integrals that it uses."""
    made = {}
    for of in (noise_integrals, finite_delta):
        text = Path(of.__file__).read_text(encoding="utf-8")
        name = of.__name__.rpartition(".")[2]
        if name == module:
            assert text.count(old) == 1, (old, text.count(old))
            text = text.replace(old, new)
        one = made[name] = types.ModuleType(f"{of.__name__}_broken")
        one.__package__ = of.__package__
        text = text.replace("from .noise_integrals import Enclosures", "")
        vars(one).update(vars(made.get("noise_integrals", one)))
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(sys.modules, one.__name__, one)  # Dataclasses look it up.
            exec(compile(text, of.__file__, "exec"), vars(one))
    return made["finite_delta"]


def cases(of, bits):
    for text, values in CASES:
        one = function(text)
        names = one.__code__.co_varnames[1 : 1 + len(values)]
        try:
            found = enclosed(one, DATA, F(1, 4), bits, of, **dict(zip(names, values, strict=True)))
            yield found.low, found.high
        except UndecidedProgramError as error:
            yield str(error), ""


@pytest.fixture(scope="module")
def right():
    return list(cases(finite_delta, 64))


def test_an_unchanged_copy_agrees(right):
    assert list(cases(broken("finite_delta", "BITS = (64, 192)", "BITS = (64,)"), 64)) == right
    assert all(isinstance(low, F) and 0 < low <= high < 1 for low, high in right)
    for (low, high), (least, most) in zip(right, cases(finite_delta, 4), strict=True):
        assert least <= low <= high <= most


@pytest.mark.parametrize(("module", "old", "new"), BROKEN)
def test_a_broken_version_is_seen(module, old, new, right):
    of = broken(module, old, new)
    for bits in (64, 4):
        for (low, high), found in zip(right, cases(of, bits), strict=True):
            if isinstance(found[0], str) or not (found[0] <= low <= high <= found[1]):
                return
    pytest.fail("every enclosure is still right")
