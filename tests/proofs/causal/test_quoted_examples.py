"""The numbers that the documentation of the examples quotes are the numbers computed."""

import doctest

import pytest

from provado.proofs.causal import examples
from tests.proofs.causal import path_effects


def run(text, module=examples):
    parsed = doctest.DocTestParser().get_doctest(text, dict(vars(module)), "examples", None, 0)
    said = []
    failed, tried = doctest.DocTestRunner(verbose=False).run(parsed, out=said.append)
    return failed, tried, "".join(said)


def test_every_quoted_number_is_computed():
    failed, tried, said = run(examples.__doc__)
    assert not failed, said
    assert tried >= 15
    failed, tried, said = run(path_effects.__doc__, path_effects)
    assert (failed, tried) == (0, 2), said


@pytest.mark.parametrize(
    ("quoted", "false"), [("['2', '4', '2']", "['2', '2', '2']"), ("1 4", "2 4"), ("\ninf", "\n9")]
)
def test_a_false_quotation_is_caught(quoted, false):
    assert quoted in examples.__doc__
    assert run(examples.__doc__.replace(quoted, false))[0] >= 1
