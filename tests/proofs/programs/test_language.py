"""What is outside of the language is an error that names file, line and rule."""

import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.programs import output, program
from provado.proofs.programs.read.expressions import LanguageError
from provado.proofs.programs.read.ir import UndecidedProgramError
from provado.proofs.programs.read.parse import read_program
from provado.proofs.programs.read.symbolic_execution import enumerate_paths
from tests.proofs.programs.written import function

OUTSIDE = {
    "while is not in the language": "while True:\n    pass",
    "import os at the top of the file": "import os",
    "import is not in the language": "for x in q:\n    import math",
    "with is not in the language": "with open('f'):\n    pass",
    "global is not in the language": "global y\ny = 1",
    "a loop is over q": "for x in [1, 2]:\n    output(x)",
    "loops are not nested": "for x in q:\n    for y in q:\n        output(x)",
    "print is not a function": "x = print(1)",
    "q.sort is not a function": "x = q.sort()",
    "q.append(1) is not in the language: leave it out": "q.append(1)",
    "a scale depends on parameters": "for x in q:\n    output(laplace(x))",
    "a scale depends on": "y = laplace(laplace(1))",
    "q holds the data, and is": "if epsilon > 1:\n    q = 2",
    "f is more than assignments": "x = f(q, 1)",
    "begins as two things": "y = None\nif epsilon > 1:\n    y = float('inf')",
    "yield from is not in the language": "yield from q",
    "neither a variable nor a number": "output(unknown)",
    "q holds all answers": "output(q)",
    "one comparison at a time": "if epsilon in q:\n    output(1)",
    "is not a condition": "if 'a':\n    output(1)",
    "nothing is divided by 0": "output(1 / 0)",
    "numbers are not converted": "output(float(epsilon))",
    "it takes one argument": "output(laplace(1, 2))",
    "output() takes one value at a time": "output(1, 2)",
    "takes the loop's own position": "for i, x in enumerate(q):\n    output(q[i + 1])",
    "the loop's own position, or a number": "output(q[-2])",
    "give what stands between": "if 0 < laplace(1) < 1:\n    output(1)",
    "stands outside of loops and conditions": "for x in q:\n    output(max(q))",
    "outside of loops and conditions": "if epsilon > 1 and max(q) > 0:\n    output(1)",
    "takes every query once": "output(sum(x for x in q if x > 0))",
    "x is a name of a generator's own": "y = sum(x for x in q)\nx = 3\noutput(x + y)",
    "assert is not in the language": "output(1)\nassert epsilon > 0",
    "one list holds outputs": "out = []\nif epsilon > 1:\n    out = []\nreturn out",
    "what is returned is out": "out = []\nout.append(1)\nreturn 5\nreturn out",
    "the last line is: return out": "out = []\nif epsilon > 1:\n    return out",
    "out holds the outputs": "out = []\nfor out in q:\n    pass\nreturn out",
    "out holds the outputs: it is": "out = []\nfor i, out in enumerate(q):\n    pass\nreturn out",
    "holds the outputs: it is only": "out = []\nfor out in range(len(q)):\n    pass\nreturn out",
    "holds the outputs: it": "out = []\nfor out in range(2):\n    pass\nreturn out",
    "a loop is repeated 0 to 64 times": "for _ in range(65):\n    output(1)",
    "loops are repeated within": "for _ in range(64):\n    for _ in range(64):\n        output(1)",
    "use output() or append to one list": "out = []\noutput(1)\nreturn out",
    "q[-1] = 5 is not in the language": "q[-1] = 5\noutput(1)",
    "Subscript is not an expression": "def last(q):\n    return q[-1]\noutput(last([1]))",
    "try is not in the language": "try:\n    pass\nexcept ValueError:\n    pass",
    ":= in a list is not": "output(sum((y := x) for x in q))",
    "an f-string is not an expression of the language": "y = f'{epsilon}'",
    "integers takes a number": "output(integers(epsilon))",
}


@pytest.mark.parametrize("rule", OUTSIDE)
def test_what_is_outside_names_line_and_rule(rule):
    body = "\n".join(f"    {line}" for line in OUTSIDE[rule].splitlines())
    with pytest.raises(LanguageError) as refused:
        read_program(function(f"def f(q, epsilon):\n{body}\n"))
    assert rule in str(refused.value)
    assert f"line {refused.value.line}: " in str(refused.value)
    assert refused.value.line >= 2


def test_a_generator_that_reads_a_global_of_its_own_name_is_refused():
    # In Python the x outside is the global, not the generator's.
    text = "def f(q, epsilon):\n    y = sum(x for x in q)\n    output(x + y)\n"
    with pytest.raises(LanguageError, match="generator's own"):
        read_program(function(text))


def test_a_noise_of_another_name_or_shadowed_is_none_of_ours():
    shadowed = function("def f(q, epsilon, laplace):\n    output(laplace(1))\n")
    with pytest.raises(LanguageError, match="laplace is not a function"):
        read_program(shadowed)
    assigned = function("def f(q, epsilon):\n    laplace = 1\n    output(laplace(1))\n")
    with pytest.raises(LanguageError, match="laplace is not a function"):
        read_program(assigned)


def test_what_may_have_no_value_is_refused():
    text = """
    def f(q, epsilon):
        if q[0] + laplace(1 / epsilon) > 0:
            y = 1
        output(y)
    """
    with pytest.raises(UsageError, match="y may be read before it has a value"):
        enumerate_paths(read_program(function(text)))


def test_products_of_unknowns_are_undecided_not_refused():
    text = "def f(q, epsilon):\n    output(q[0] * q[0] + laplace(1 / epsilon))\n"
    with pytest.raises(UndecidedProgramError, match="is not linear"):
        enumerate_paths(read_program(function(text)))


def test_numbers_are_read_as_they_are_written():
    read = read_program(function("def f(q, epsilon):\n    output(q[0] + 0.1 + laplace(3 / 10))\n"))
    assert "Fraction(1, 10)" in repr(read.steps)
    assert "Fraction(3602879701896397" not in repr(read.steps)


def test_parameters_are_open_or_have_a_value():
    one = function("def f(q, epsilon=1.0, threshold=0.5, count=2):\n    output(laplace(count))\n")
    assert read_program(one).parameters == ("epsilon", "threshold", "count")
    assert read_program(one).whole == {"count"}
    assert read_program(one, {"count": 3}).parameters == ("epsilon", "threshold")
    assert read_program(program(one)).parameters == ("epsilon", "threshold", "count")
    with pytest.raises(UsageError, match="no parameter 'size'"):
        read_program(one, {"size": 1})


def test_only_what_stays_whole_counts_as_whole():
    text = """
    def f(q, epsilon, count: int):
        a = 0
        b = 0
        c = 0
        for i, x in enumerate(q):
            a += i + count
            b = b + a if x > 0 else 2 * b
            c += 1 / 2
        output(a + b + c)
    """
    found = read_program(function(text)).integers
    assert {"a", "b", "i"} <= found
    assert not {"c", "x"} & found


def unchanged(one):
    return one


@unchanged
def decorated(q, epsilon):
    output(1)


def test_a_decorator_of_another_kind_is_refused():
    with pytest.raises(LanguageError, match="no decorator"):
        read_program(decorated)


REFUSED = {
    "len(q) == 0": "len(q) > 0",
    "not q": "len(q) > 0",
    "epsilon <= 0 or epsilon > 3": "epsilon > 0 and epsilon <= 3",
    "not 0 < epsilon < 1": "0 < epsilon < 1",
    "not (epsilon > 0 and not epsilon > 4)": "epsilon > 0 and epsilon <= 4",
    "epsilon != 1": "epsilon == 1",
}


def assumed(check):
    head = "from provado.mechanisms.programs import laplace, output\n\n\n"
    text = f"def f(q, epsilon):\n{check}    output(q[0] + laplace(1 / epsilon))\n"
    return read_program(function(head + text)).assumed


@pytest.mark.parametrize("test", REFUSED)
def test_what_an_exception_refuses_is_what_an_assertion_asks_for(test):
    refused = assumed(f"    if {test}:\n        raise ValueError\n")
    assert refused == assumed(f"    assert {REFUSED[test]}\n")
    assert refused != assumed("    assert epsilon < 5\n")


@pytest.mark.parametrize("test", ["epsilon <= 0 and epsilon > 3", "epsilon == 1", "q[0] > 3"])
def test_an_exception_that_leaves_more_than_comparisons_is_refused(test):
    with pytest.raises(LanguageError, match="assert"):
        assumed(f"    if {test}:\n        raise ValueError\n")
