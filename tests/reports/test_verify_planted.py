"""Planted entries that ``provado verify`` must notice, and that must not break what it prints."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest

from provado.mechanisms import Source
from provado.proofs import kernel
from provado.proofs.ledger import (
    Claim,
    Entry,
    Evidence,
    LedgerVerdict,
    Searched,
    Twin,
    Unstated,
    show,
    show_claim,
)
from provado.proofs.ledger.fact import Equal, Fact, Fails
from provado.reports.cli.commands import verify
from provado.reports.cli.main import main
from provado.reports.documents import schema
from provado.reports.ledger import run as verify_run
from provado.reports.ledger.run import decide_all
from provado.reports.ledger.words import Shortening, ledger_table, shortened
from provado.reports.tasks.resources import run_in_processes

ONE, TWO = ((1, 0, 0, 0),), ((2, 0, 0, 0),)
NASTY = '<script src=x>alert(1)</script> & "quoted" \x1b[31m'


class Tags(HTMLParser):
    """Collects the names of elements, and of attributes that run code."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.update({tag} | {name for name, _ in attrs if name.startswith("on")})


@dataclass(frozen=True)
class Same(Claim):
    """One is a number; not, if 1 = 0 fails."""

    number: int
    words: str = ""

    @property
    def formula(self) -> str:
        return f"1 = {self.number}{self.words}"

    def obligations(self) -> tuple[Fact, ...]:
        return (Equal(ONE, ((self.number, 0, 0, 0),)),)

    def counterexamples(self) -> tuple[Fact, ...]:
        return (Fails(ONE, "= 0"),) if self.number == 1 else ()


ONE_IS_ONE = Same(1)


def argued(claim: Same = ONE_IS_ONE) -> Evidence:
    return Evidence(printed=show_claim(claim), argument=("One is one.",))


def refuted(claim: Same) -> Evidence:
    # 1 > 0 is not refuted by any point, so that the twin falls by the rule that decides.
    point = kernel.PointCounterexample(ONE, "= 0" if claim.number == 1 else "> 0", 0)
    return Evidence(printed=(kernel.check(point),))


def searched(_: Same) -> Evidence:
    return Evidence(printed=(Searched("a hundred pairs", 100, ONE_IS_ONE.obligations()[0]),))


def accepting(_: Same) -> Evidence:
    both = (Equal(ONE, ONE), Searched("all", 1, Equal(ONE, TWO)))
    return Evidence(printed=(show(both[0]), both[1]))  # type: ignore[arg-type]


def raising(*_: object) -> Evidence:
    raise ZeroDivisionError("nothing\n to see")


def raising_later(claim: Same) -> Evidence:
    return argued(claim) if claim == ONE_IS_ONE else raising()


def crashing(_: Same) -> Evidence:
    os._exit(7)


def unsendable(_: Same) -> Evidence:
    return Evidence(argument=(lambda: 1,))  # type: ignore[arg-type]


def entry(
    gather: Callable[[Same], Evidence] = argued,
    expected: str = "argued",
    name: str = "one",
    words: str = "One is one.",
    claim: Claim = ONE_IS_ONE,
) -> Entry:
    return Entry(
        id=f"nobody1900/{name}",
        source=Source("Nobody (1900)", "page 1"),
        printed="1 = 1",
        words=words,
        scope="one",
        claim=claim,
        expected=LedgerVerdict(expected),
        gather=gather,
        twin=Twin("One is two.", Same(2)),
    )


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def put(*entries: Entry) -> None:
        monkeypatch.setattr(verify, "ledger", lambda _: entries)

    return put


# Planted entries: what must be noticed. -------------------------------------------------------


@pytest.mark.parametrize(
    ("entries", "status"),
    [
        ([entry()], 0),
        ([entry(searched, "supported")], 0),
        ([entry(raising, "unknown")], 0),
        ([entry(refuted)], 1),
        ([entry(expected="refuted")], 1),
        ([entry(expected="unknown")], 1),
        ([entry(raising)], 3),
        ([entry(crashing)], 3),
        ([entry(unsendable)], 3),
        ([entry(accepting)], 3),
        ([entry(raising_later)], 3),
        ([entry(raising), entry(refuted, name="two")], 1),
        ([], 3),
    ],
)
def test_the_status_says_what_became_of_them(
    plant: Callable[..., None],
    capsys: pytest.CaptureFixture[str],
    entries: list[Entry],
    status: int,
) -> None:
    plant(*entries)
    assert main(["verify"]) == status
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    assert main(["verify", "--json"]) == status
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, schema.json_schema(schema.VERIFY))
    assert document["exit_status"] == status


def test_what_differs_is_named_below_the_table(
    plant: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    calm = [entry(name=f"calm-{i}") for i in range(3)]
    plant(*calm, entry(refuted, name="changed"), entry(raising, name="broken"))
    assert main(["verify"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert re.split(r" {2,}", lines[5])[:3] == ["nobody1900/changed", "refuted", "unexpected"]
    assert re.split(r" {2,}", lines[6])[:3] == ["nobody1900/broken", "unknown", "not completed"]
    assert lines[7] == "nobody1900/changed: refuted, unexpected (on record: argued)"
    assert lines[8].endswith("(on record: argued): ZeroDivisionError: nothing to see")
    assert lines[9] == (
        "5 statements: 3 argued, 1 refuted, 1 unknown; 1 unexpected, 1 not completed."
    )


def test_an_accepted_twin_is_said_aloud(
    plant: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    plant(entry(accepting))
    assert main(["verify"]) == 3
    out = capsys.readouterr().out
    assert "unknown, not completed" in out
    assert "It was NOT refused" in out


def test_an_entry_that_hangs_is_ended(
    monkeypatch: pytest.MonkeyPatch, stopped: Callable[[Callable[[], bool]], None]
) -> None:
    def hang(_: object) -> Evidence:
        while True:
            signal.pause()

    finished: list[int] = []
    monkeypatch.setattr(
        verify_run, "run_in_processes", partial(run_in_processes, finished=finished.append)
    )
    stopped(lambda: finished == [1])
    found = decide_all([entry(hang), entry()], 2, time_limit=1.0)
    assert [one.verdict for one in found] == [LedgerVerdict.UNKNOWN, LedgerVerdict.ARGUED]
    assert "no answer within 1 seconds" in found[0].reason


def test_a_ledger_that_cannot_be_read_is_not_completed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(verify, "ledger", raising)
    assert main(["verify"]) == 3
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "ZeroDivisionError: nothing to see" in err


def test_the_page_escapes_whatever_an_entry_says(
    plant: Callable[..., None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lacking = entry(argued, "incomplete", claim=Unstated(NASTY, Same(1, NASTY)))
    plant(entry(words=NASTY, name=f"o{NASTY}"), lacking)
    assert main(["verify", "--out", str(tmp_path)]) == 0
    text = (tmp_path / "verify.html").read_text(encoding="utf-8")
    # The page's own, and no other.
    assert text.count("<script") == text.count("</script") == 1
    assert "<script src" not in text
    assert "script src" in text
    assert "\x1b" not in text + capsys.readouterr().out


# Pieces. --------------------------------------------------------------------------------------


def test_the_table_is_cut_to_the_width_and_colors_only_the_verdict() -> None:
    found = decide_all([entry(words="A long statement. " * 20)], 1)
    for width in (80, 120):
        lines = ledger_table(found, width=width).splitlines()
        assert len(lines[2]) == width
        assert lines[2].endswith("…")
    painted = ledger_table(found, color=True).splitlines()[2]
    assert "\x1b[36margued " in painted
    assert re.sub(r"\x1b\[\d*m", "", painted) == ledger_table(found).splitlines()[2]


def test_a_cut_keeps_both_ends_and_says_how_much_is_gone() -> None:
    text = "".join(f"{i:04}" for i in range(300))
    cut = shortened(text, Shortening(300, "elsewhere"))
    assert cut.startswith(text[:200])
    assert cut.endswith(text[-100:])
    assert "900 characters more: see elsewhere" in cut
    assert shortened(text, Shortening(1200, "")) == shortened(text, None) == text
