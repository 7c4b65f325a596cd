"""Every change of the experiment's law is noticed by the fast tests."""

import ast
import os
import subprocess
import sys

import pytest

from tests.audit.mutants import _namespace, changed_source, failing_test
from tests.audit.planted import MUTANTS


def named(mutant):
    return f"{mutant.file}: {mutant.breaks}"


def test_every_mutant_is_another_program():
    assert len(MUTANTS) == len(set(MUTANTS)) >= 40
    assert len({named(mutant) for mutant in MUTANTS}) == len(MUTANTS)
    for mutant in MUTANTS:
        ast.parse(changed_source(mutant))


@pytest.mark.slow
def test_without_a_change_the_fast_tests_pass():
    assert failing_test(None) == ""


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=named)
def test_it_dies(mutant):
    assert failing_test(mutant) != ""


def test_the_tests_run_on_the_copy(tmp_path):
    copied = _namespace(tmp_path)
    said = subprocess.run(
        [sys.executable, "-c", "import provado.audit.api as a; print(a.__file__)"],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert said.strip() == str(copied / "api.py")
