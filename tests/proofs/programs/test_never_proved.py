"""Programs that are not private, and alignments that are none: nothing of these may be proved."""

from fractions import Fraction

import pytest

from benchmarks.prove_mutants import CHANGES, compiled, mutants
from provado.proofs.programs.alignment import conditions
from provado.proofs.programs.alignment.conditions import ABSURD, UnsoundAlignmentError, obligations
from provado.proofs.programs.alignment.prove import Failure, Proof, consequence, prove
from provado.proofs.programs.claim import ProgramVerdict
from provado.proofs.programs.decide import decide
from provado.proofs.programs.read.path import Alignment, Prophecy
from provado.proofs.programs.read.polynomial import LinearForm, ParameterPolynomial
from tests.proofs.programs.written import claim, function

# Names that come close to names of ours, values that depend on data where it is not seen.
TRAPS = {
    "a variable named answer": """
    def f(q, epsilon):
        answer = 0.0
        for x in q:
            answer = answer + x
        output(answer + laplace(1 / epsilon) * 0)
    """,
    "a variable named answers, told over two loops": """
    def f(q, epsilon):
        answers = 0.0
        for x in q:
            answers = x
        for y in q:
            output(answers)
    """,
    "a parameter named outcome": """
    def f(q, epsilon, outcome: int):
        best = 0
        for i, x in enumerate(q):
            if x > outcome:
                best = i
        output(best)
    """,
    "variables named noise, moved, shift, paid": """
    def f(q, epsilon):
        noise = laplace(2 / epsilon)
        moved = q[0] + noise
        shift = q[0] + noise
        paid = moved - shift + q[0]
        output(paid)
    """,
    "the same noise, told twice": """
    def f(q, epsilon):
        y = laplace(1 / epsilon)
        output(q[0] + y)
        output(q[1] + y)
    """,
    "one noise for both branches": """
    def f(q, epsilon):
        y = laplace(1 / epsilon)
        if q[0] > 0:
            output(y)
        else:
            output(y + 1)
    """,
    "a branch on data after the noise": """
    def f(q, epsilon):
        y = q[0] + laplace(1 / epsilon)
        if q[0] > 1:
            output(y)
        else:
            output(y + 5)
    """,
    "a hidden branch picks the noise": """
    def f(q, epsilon):
        y = q[0] + laplace(1 / epsilon)
        if q[0] > 0:
            y = q[0] + laplace(1 / epsilon)
        output(y)
    """,
    "one query, twice in all": """
    def f(q, epsilon):
        for x in q:
            output(x + laplace(1 / epsilon))
    """,
    "noise is thrown away where it is small": """
    def f(q, epsilon):
        for x in q:
            y = laplace(2 / epsilon)
            if y > 0:
                output(x + y)
            else:
                output(x)
    """,
    "the number of outputs": """
    def f(q, epsilon):
        for x in q:
            if x > 0:
                output(1)
    """,
    "the end of the loop": """
    def f(q, epsilon):
        for x in q:
            output(1)
            if x > 0:
                break
    """,
    "the sum of all, with noise for one": """
    def f(q, epsilon):
        output(sum(q) + laplace(1 / epsilon))
    """,
    "the maximum, with noise for its position": """
    def f(q, epsilon):
        output(argmax(q))
    """,
    "two maxima for the price of one": """
    def f(q, epsilon):
        output(argmax(x + laplace(2 / epsilon) for x in q))
        output(argmax(x + laplace(2 / epsilon) for x in q))
    """,
    "noise of one sign": """
    def f(q, epsilon):
        output(q[0] + exponential(1 / epsilon))
    """,
    "a coin that shows": """
    def f(q, epsilon):
        if bernoulli(1 / 2):
            output(q[0])
        else:
            output(laplace(1 / epsilon))
    """,
    "Gaussian noise": """
    def f(q, epsilon):
        output(q[0] + gaussian(9 / epsilon))
    """,
    "whole noise for what is not whole": """
    def f(q, epsilon):
        output(q[0] + discrete_laplace(1 / epsilon))
    """,
    "a threshold that drifts": """
    def f(q, epsilon):
        level = laplace(2 / epsilon)
        for x in q:
            if x + laplace(4 / epsilon) >= level:
                output(True)
                break
            output(False)
            level = level + x
    """,
    "an answer told twice in a repeated loop": """
    def f(q, epsilon):
        for _ in range(2):
            output(q[0] + laplace(1 / epsilon))
    """,
    "a break after noise, in a repeated loop": """
    def f(q, epsilon):
        for k in range(3):
            y = q[0] + laplace(3 / epsilon)
            output(k)
            if q[0] > 0:
                break
    """,
    "the last repetition is without noise": """
    def f(q, epsilon):
        y = laplace(1 / epsilon)
        for k in range(3):
            if k == 2:
                y = 0
        output(q[0] + y)
    """,
    "all queries, as often as the loop repeats": """
    def f(q, epsilon):
        for _ in range(2):
            for x in q:
                output(x > 0)
    """,
    "half of whole data": """
    def f(q: list[int], epsilon):
        output(q[0] / 2 + discrete_laplace(1 / epsilon))
    """,
    "whole noise of half the scale": """
    def f(x: int, epsilon):
        output(x + discrete_laplace(1 / (2 * epsilon)))
    """,
    "whole noise and a mean": """
    def f(q: list[int], epsilon):
        total = 0
        for x in q:
            total += x / 3
        output(total + discrete_laplace(9 / epsilon))
    """,
    "a threshold that is whole, with data that are not": """
    def f(q, epsilon, threshold: int):
        for x in q:
            output(threshold + x + discrete_laplace(9 / epsilon))
            break
    """,
    "noise that is kept for the next": """
    def f(q, epsilon):
        y = laplace(1 / epsilon)
        for x in q:
            output(x + y)
            if x > 0:
                y = laplace(1 / epsilon)
    """,
}


@pytest.mark.parametrize("name", TRAPS)
def test_a_trap_is_not_proved(name):
    found = prove(claim(function(TRAPS[name])), steps=1_500_000)
    assert isinstance(found, Failure)


def named(one):
    return f"{one.of}: {one.words}"


@pytest.mark.parametrize("one", [m for m in mutants() if m.of == "response"], ids=named)
def test_each_mutant_of_randomized_response_is_refuted(one):
    assert decide(one.program, domain=[0, 1, 2, 3]).verdict is ProgramVerdict.REFUTED


@pytest.mark.slow
@pytest.mark.parametrize("one", [m for m in mutants() if m.of != "response"], ids=named)
def test_each_mutant_of_the_others_is_refuted_and_not_proved(one):
    assert isinstance(prove(claim(one.program), steps=4_500_000), Failure)
    assert decide(one.program).verdict is ProgramVerdict.REFUTED


@pytest.mark.slow
@pytest.mark.parametrize("text", CHANGES, ids=lambda text: text.split("(")[0][5:])
def test_what_was_mutated_is_proved(text):
    # Else nothing would have been shown above.
    name = text.split("(")[0][5:]
    domain = [0, 1, 2, 3] if name == "response" else None
    assert decide(compiled(text, name), domain=domain).verdict is ProgramVerdict.PROVED


def test_there_are_ten_mutants_of_each():
    for text in CHANGES:
        assert sum(one.of == text.split("(")[0][5:] for one in mutants()) >= 10


COLLISION = "no noise is reached from both"

# Alignments. ----------------------------------------------------------------------------------

LATER = """
def f(q, epsilon):
    y = q[0] + laplace(1 / epsilon)
    if y > 0:
        z = 1
    else:
        z = 0
    output(z)
    output(1)
"""


def shifted(one, by):
    """Return an alignment that shifts the first draw of the n-th way by ``by[n]``."""
    ways = one.ways.of[0]
    shifts = {(0, "", n, way.draws[0].site): by[n] for n, way in enumerate(ways)}
    return Alignment(None, shifts)


def test_a_shift_may_depend_on_what_is_told_but_on_no_branch_that_is_not():
    numbers = [LinearForm.number(1), LinearForm.number(-1)]
    told = claim(function(LATER))
    assert list(obligations(told, shifted(told, numbers)))
    hidden = claim(function(LATER.replace("    output(z)\n", "")))
    same = list(obligations(hidden, shifted(hidden, numbers[:1] * 2)))
    assert same
    assert not any(COLLISION in one.words for one in same)
    # y > 0 moved up and y ≤ 0 moved down stay apart; moved toward each other, they meet.
    by_way = {way.atoms[0].strict: number for number, way in enumerate(hidden.ways.of[0])}
    for up, shown in ((1, True), (-1, False)):
        by = [LinearForm.number(up if n == by_way[True] else -up) for n in range(2)]
        (one,) = [o for o in obligations(hidden, shifted(hidden, by)) if COLLISION in o.words]
        assert (consequence(one.hypotheses, ABSURD) is not None) is shown


@pytest.mark.parametrize(
    ("kind", "by", "words"),
    [
        ("laplace", LinearForm.symbol("noise 1"), "depends on noise 1"),
        ("laplace", LinearForm.symbol("z"), "depends on z"),
        ("gaussian", LinearForm.number(1), "Gaussian"),
        ("discrete_laplace", LinearForm.symbol("moved answer at 0"), "whole"),
        ("discrete_laplace", LinearForm.number("1/2"), "whole"),
    ],
)
def test_what_a_shift_may_not_be(kind, by, words):
    one = claim(function(LATER.replace("laplace", kind)))
    with pytest.raises(UnsoundAlignmentError, match=words):
        list(obligations(one, shifted(one, [by] * 2)))


STEEP = """
def f(q, epsilon):
    y = q[0]
    if y < 0:
        y = 2 * y
    output(y + laplace(1 / epsilon))
"""


def not_shown(of, alignment):
    """Return the conditions of an alignment that are not shown, in words."""
    return [
        one.words
        for one in obligations(of, alignment)
        if consequence(one.hypotheses, ABSURD) is None
        and any(consequence(one.hypotheses, goal) is None for goal in one.goals)
    ]


def test_no_case_of_answers_is_left_out(monkeypatch):
    one, by = (
        claim(function(STEEP), "epsilon", "decreasing"),
        LinearForm.symbol("moved answer at 0"),
    )
    every = [*one.ways.data_cases[0]]
    shifts = {
        (0, case, number, way.draws[0].site): by.times(-1)
        for case in every
        for number, way in enumerate(one.ways.of[0])
    }
    alignment = Alignment(None, shifts, bounds=(LinearForm.number(1),))
    assert not_shown(one, alignment)
    assert isinstance(prove(one, steps=300_000), Failure)
    # The broken twin: nothing is asked of second runs where the answer counts twice.
    monkeypatch.setattr(conditions, "cases", lambda *_: [c for c in every if c[0] != "-"])
    assert not not_shown(one, alignment)


SHARED = """
def f(q, epsilon, share):
    assert share {end}
    output(q[0] + laplace(({scale}) / epsilon))
"""


@pytest.mark.parametrize(
    ("end", "scale", "proved"),
    [
        ("< 1", "1 / (1 - share)", True),
        ("<= 1", "1 / (1 - share)", False),
        ("< 2", "1 / (1 - share)", False),
        ("<= 1 / 2", "1 / (2 * (1 - share))", False),
        ("<= 1 / 2", "1 / (2 * share)", True),
        ("<= 51 / 100", "1 / (2 * share)", False),
        ("<= 1", "2 - share", True),
        ("<= 1", "(2 - share) * 99 / 100", False),
        ("< 1 and share * 2 < 1", "2 * (1 - share)", True),
    ],
)
def test_a_share_is_proved_within_its_ends_only(end, scale, proved):
    found = prove(claim(function(SHARED.format(end=end, scale=scale))))
    assert isinstance(found, Proof) is proved


def test_a_polynomial_within_an_end_has_the_values_that_it_had():
    x, y = (ParameterPolynomial.linear(LinearForm.symbol(name)) for name in "xy")
    one = x * x * y + x.times(Fraction(-3)) + y + ParameterPolynomial.number(2)
    within = one.within("x", Fraction(5))
    for t, other in ((0.0, 1.0), (1.0, 2.0), (4.0, 0.5)):
        before = one.value({"x": 5 / (1 + t), "y": other})
        assert within.value({"x": t, "y": other}) == pytest.approx(before * (1 + t) ** 2)


def test_a_scale_without_epsilon_is_refuted_where_epsilon_is_small():
    found = decide(function("def f(q, epsilon):\n    output(q[0] + laplace(1))\n"))
    assert found.verdict is ProgramVerdict.REFUTED
    assert dict(found.counterexample.parameters)["epsilon"] < 1


@pytest.mark.parametrize(
    ("epsilon", "proved"),
    [("len(q)*epsilon/2", True), ("len(q)*epsilon*49/100", False), ("9*epsilon", False)],
)
def test_a_claim_may_grow_with_the_number_of_queries(epsilon, proved):
    text = """
    def f(q, epsilon):
        level = laplace(2 / epsilon)
        for x in q:
            output(x + laplace(2 / epsilon) >= level)
    """
    found = prove(claim(function(text), epsilon), steps=1_500_000)
    assert isinstance(found, Proof) is proved


@pytest.mark.parametrize(("annotation", "proved"), [("list[int]", True), ("list[float]", False)])
def test_whole_noise_hides_whole_data(annotation, proved):
    text = f"""
    def f(q: {annotation}, epsilon):
        total = 0
        for x in q:
            total += x
        noisy = total + discrete_laplace(1 / epsilon)
        output(max(0, min(5, noisy)))
    """
    found = decide(function(text), neighbors="one", steps=1_500_000)
    assert (found.verdict is ProgramVerdict.PROVED) is proved
    assert ("whole numbers" in found.relation) is proved


def test_counterexamples_about_whole_data_are_whole():
    text = (
        "def f(q: list[int], epsilon):\n    for x in q:\n        output(x + laplace(1 / epsilon))\n"
    )
    found = decide(function(text)).counterexample
    assert all(v.denominator == 1 for v in (*found.d, *found.d_prime))


def test_a_prophecy_is_of_a_whole_number():
    # Cases part whole numbers: before, at, after. A real outcome would be between them.
    text = """
    def f(q, epsilon):
        best = 0
        top = 0.0
        for i, x in enumerate(q):
            best = i
            top = top + x
        output(best if epsilon > 1 else top)
    """
    one = claim(function(text))
    told = Prophecy(1, "iteration 1", "best")
    with pytest.raises(UnsoundAlignmentError, match="no prophecy"):
        list(obligations(one, Alignment(told, {})))
    whole = claim(function(text.replace("else top", "else best")))
    assert list(obligations(whole, Alignment(told, {})))
    for wrong in (Prophecy(1, "iteration 1", "top"), Prophecy(1, "best", "best")):
        with pytest.raises(UnsoundAlignmentError):
            list(obligations(whole, Alignment(wrong, {})))


def test_a_proof_holds_for_its_own_claim_only():
    text = "def f(q, epsilon):\n    output(q[0] + laplace(1 / epsilon))\n"
    assert isinstance(prove(claim(function(text))), Proof)
    assert isinstance(prove(claim(function(text), "epsilon*99/100")), Failure)
    assert isinstance(prove(claim(function(text), "epsilon", "one")), Proof)
    assert isinstance(prove(claim(function(text.replace("1 /", "99/100 /")))), Failure)


@pytest.mark.parametrize(("scale", "proved"), [("len(q)", True), ("0.99 * len(q)", False)])
def test_a_scale_that_grows_with_the_answers_has_an_exact_epsilon(scale, proved):
    text = f"""
    def f(q, epsilon):
        for x in q:
            output(x + laplace(({scale}) / epsilon))
    """
    found = decide(function(text), steps=300_000)
    assert (found.verdict is ProgramVerdict.PROVED) == proved
