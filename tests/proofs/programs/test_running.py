"""What is proved is the code that runs: no other source, binding, default or rounding is."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.prove_running import (
    HONEST,
    NUMBERS,
    PATCHES,
    RUNNING,
    is_proved,
    module,
    number_text,
    patched,
)
from provado.mechanisms.definitions import UsageError
from provado.mechanisms.programs import laplace, output
from provado.proofs.programs import decide as deciding
from provado.proofs.programs.agreement import Agreement
from provado.proofs.programs.decide import decide
from provado.proofs.programs.read import source, symbolic_execution
from provado.proofs.programs.read.expressions import LanguageError
from provado.proofs.programs.read.parse import read_program
from provado.proofs.programs.read.symbolic_execution import enumerate_paths
from tests.proofs.programs.random_programs import thresholds


def test_the_program_that_they_are_made_from_is_proved():
    assert is_proved(module().honest)
    assert len(RUNNING) + len(PATCHES) >= 40


@pytest.mark.parametrize("words", RUNNING)
def test_code_that_is_not_its_source_is_not_proved(words):
    assert not is_proved(RUNNING[words]())


@pytest.mark.parametrize("words", PATCHES)
def test_a_program_is_not_proved_while_something_is_patched(words):
    honest = module().honest
    of, name, value = PATCHES[words]
    with patched(of, name, value), pytest.raises(UsageError, match=r"changed|when it runs"):
        read_program(honest)
    read_program(honest)


@pytest.mark.parametrize("words", NUMBERS)
def test_what_only_real_numbers_hide_is_not_proved(words):
    try:
        inexact = enumerate_paths(read_program(module(number_text(NUMBERS[words])).honest)).inexact
    except LanguageError:
        return
    assert inexact or decide(module(number_text(NUMBERS[words])).honest).verdict == "refuted"


def test_whole_noise_hides_whole_data_alone():
    text = number_text("output(q[0] + discrete_laplace(1 / epsilon))")
    assert is_proved(module(text.replace("(q,", "(q: list[int],")).honest)
    assert not is_proved(module(text).honest)


@pytest.mark.parametrize(
    "words", ["a cancelled answer", "a division", "a product", "a branch on a parameter"]
)
def test_without_the_check_it_would_be_proved(words, monkeypatch):
    monkeypatch.setattr(symbolic_execution, "_shown", lambda *_: "")
    monkeypatch.setattr(symbolic_execution._Walker, "_differs", lambda *_: None)
    # A run of the function may show the difference, too.
    monkeypatch.setattr(deciding, "compare", lambda *_: Agreement(1, 1, 1))
    body = NUMBERS[words].replace("1e17", "100000")
    assert decide(module(number_text(body)).honest).verdict == "proved"


def test_without_the_comparison_other_code_would_be_proved(monkeypatch):
    made = module(HONEST.replace(" + laplace(1 / epsilon)", ""))
    Path(made.__file__).write_text(HONEST, encoding="utf-8")
    with pytest.raises(LanguageError, match="is not that of its source"):
        read_program(made.honest)
    steps = read_program(module().honest).steps
    monkeypatch.setattr(source, "codes_in", lambda _: [made.honest.__code__])
    assert read_program(made.honest).steps == steps


def test_the_code_of_one_program_is_never_read_as_another():
    rng = random.Random(5)
    for _ in range(150):
        texts = [thresholds(rng) for _ in range(2)]
        head = "from provado.mechanisms.programs import *\n"
        one, other = (module(head + text) for text in texts)
        Path(one.__file__).write_text(head + texts[1], encoding="utf-8")
        try:
            steps = read_program(one.f).steps
        except UsageError:
            continue
        # Then the two differ in nothing that runs.
        assert steps == read_program(other.f).steps


def test_what_does_not_change_the_code_is_read():
    for text in (
        "from __future__ import annotations\n" + HONEST,
        HONEST.replace("def honest(", "@program\ndef honest(").replace(
            "import ", "import program, "
        ),
        HONEST.replace(" laplace,", " laplace as noise,").replace(" laplace(1", " noise(1"),
    ):
        assert read_program(module(text).honest).steps
    sys.settrace(lambda *_: None)
    try:
        assert read_program(module().honest).steps
    finally:
        sys.settrace(None)


def rewritten(q, epsilon):
    assert epsilon > 0
    output(q[0] + laplace(1 / epsilon))


def plain(q, epsilon):
    output(q[0] + laplace(1 / epsilon))


def test_an_assert_that_pytest_rewrites_is_refused_with_the_reason():
    assert read_program(plain).steps
    with pytest.raises(LanguageError, match="pytest rewrites assert in the modules of tests"):
        read_program(rewritten)


def test_an_assert_is_refused_where_python_drops_it():
    text = HONEST.replace("    noisy =", "    assert epsilon > 0\n    noisy =")
    made = module(text)
    assert read_program(made.honest).assumed
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); "
        "from provado.proofs.programs.read.parse import "
        f"read_program; import {made.__name__} as m; read_program(m.honest)"
    )
    words = [sys.executable, "-O", "-c", code, str(Path(made.__file__).parent)]
    found = subprocess.run(words, capture_output=True, text=True, check=False)
    assert "python -O runs no assert" in found.stderr
