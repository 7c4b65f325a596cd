"""What was asked apart from known answers, order, anchors, plot, paper and weight of the page."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest

from provado.audit import Counts, PairResult
from provado.mechanisms import Verdict
from provado.reports.audit_report.page import render
from provado.reports.audit_report.page.claims import (
    EFFECTS,
    HAZARDS,
    HEADS,
    NOT_TESTED,
    items_of,
    template,
    true_of_shown,
)
from provado.reports.pages.frame import anchors, piece
from provado.reports.tasks.run import Run
from tests.reports.conftest import CLEAR, TELLING, make_pair, make_result, make_run

TWIN = {"expected": Verdict.VIOLATION, "tags": ("twin",)}
SOUND = {"expected": Verdict.NO_VIOLATION}
LIBRARY = {"expected": Verdict.NO_VIOLATION, "tags": ("library",)}


def mixed() -> Run:
    """Return a run of everything: own, libraries, reference mechanisms, twins."""
    return make_run(
        make_result("own/clear", make_pair(CLEAR, 1.0)),
        make_result("reference/sound", make_pair(CLEAR, 1.0), **SOUND),
        make_result("twin/found", make_pair(TELLING, 1.0), **TWIN),
        make_result("twin/missed", make_pair(CLEAR, 1.0), **TWIN),
        make_result("library/worse", make_pair(TELLING, 0.5), epsilon=0.5, **LIBRARY),
        make_result("own/broken"),
        make_result("own/bad", make_pair(TELLING, 1.0)),
        make_result("library/clear", make_pair(CLEAR, 1.0), **LIBRARY),
    )


def part(page: str, ident: str) -> str:
    """Return one section of a page."""
    found = re.search(rf'<section id="{ident}".*?</section>', page, re.DOTALL)
    assert found is not None
    return found[0]


def rows(table: str) -> list[str]:
    return re.findall(r'<th scope="row"[^>]*><a href="#([^"]*)"', table)


def numbers(page: str) -> dict[str, int]:
    """Return the tiles: by table and counter the number shown."""
    return {key: int(n) for key, n in re.findall('data-counts="([^"]*)">([0-9]+)<', page)}


def counted_rows(page: str) -> dict[str, int]:
    """The slow twin of the tiles: the rows that the script would count in each."""
    found: dict[str, int] = {}
    for ident, body in re.findall('<table[^>]* id="([^"]*)"(.*?)</table>', page, re.DOTALL):
        for tally in re.findall('<tr [^>]*data-tally="([^"]*)"', body):
            found[f"{ident} {tally}"] = found.get(f"{ident} {tally}", 0) + 1
    return found


def test_known_answers_stand_apart_and_have_a_count_of_their_own() -> None:
    page = render(mixed())
    summary, known = part(page, "summary"), part(page, "known")
    assert rows(part(page, "claims")) == [
        *("library/worse", "own/bad", "own/broken", "own/clear", "library/clear")
    ]
    assert rows(known) == ["twin/found", "twin/missed", "reference/sound"]
    assert "Privacy audit of 5 mechanisms, and of 3 built-in ones" in page
    assert "2 claims are refuted" in summary
    assert "The auditor found 1 of 2 planted violations and missed " in summary
    assert "It flagged none of 1 sound mechanism" in summary
    for name in ("twin/found", "reference/sound"):
        assert name not in part(page, "plot") + part(page, "audits")
    shown = {key: number for key, number in numbers(page).items() if number}
    assert shown == counted_rows(page)
    # A twin that is taken for one's own is counted with what was asked.
    careless = [
        replace(r, result=replace(r.result, tags=(), expected=None)) for r in mixed().records
    ]
    assert "3 claims are refuted" in render(replace(mixed(), records=tuple(careless)))


def test_an_accusation_of_a_sound_mechanism_counts_against_the_auditor() -> None:
    accused = make_run(make_result("sound", make_pair(TELLING, 1.0), **SOUND))
    said = "".join(str(text) for text in template().of_known(items_of(accused.records)) if text)
    assert 'It flagged 1 of 1 sound mechanism: <a href="#sound">' in said


def test_a_run_of_known_answers_alone_claims_no_finding() -> None:
    page = render(make_run(make_result("t", make_pair(TELLING, 1.0), **TWIN)))
    assert "refuted" not in part(page, "summary")
    assert "None of these is counted above" not in page
    assert 'id="claims"' not in page
    assert rows(part(page, "known")) == ["t"]


def test_what_was_asked_comes_violations_first_and_worst_first() -> None:
    run = mixed()
    order = [item.result for item in items_of(run.records)]
    ranks = [(r.verdict is not Verdict.VIOLATION, r.verdict is not Verdict.UNKNOWN) for r in order]
    assert ranks == sorted(ranks)
    excess = [r.epsilon_lower - r.epsilon for r in order if r.verdict is Verdict.VIOLATION]
    assert excess == sorted(excess, reverse=True)
    assert len(excess) == 3
    forward, backward = (items_of(records) for records in (run.records, run.records[::-1]))
    assert {item.anchor for item in forward} == {item.anchor for item in backward}
    # As listed they are in no such order.
    assert [item.record for item in forward] != list(run.records)


def test_anchors_are_names_and_never_two_of_a_kind() -> None:
    assert anchors(["opendp/sum", "mine.py:f", "Ä"]) == ["opendp/sum", "mine.py:f", "Ä"]
    hostile = ["", "a b", "a-b", "summary", "known-title", '"><b>', "?text=x#y", "%41", "a b", "-2"]
    found = anchors(hostile)
    assert len(set(found)) == len(hostile)
    assert all(re.fullmatch(r"[^\s?#%\"<>&]+", ident) for ident in found)
    assert not {"summary", "known-title"} & set(found)
    page = render(make_run(*(make_result(name or "x", make_pair(CLEAR, 1.0)) for name in hostile)))
    idents = re.findall(' id="([^"]*)"', page)
    assert len(idents) == len(set(idents))


def dots_right_of_the_truth(page: str) -> list[str]:
    """Return the audits whose certified ε is drawn right of a true ε in the same row."""
    found = []
    for name, row in re.findall(
        '<div class="row" data-item="([^"]*)">(.*?)</div>', page, re.DOTALL
    ):
        truth = re.search(r'<svg x="([0-9.]+)%"[^>]*><path [^>]*class="exact"', row)
        dot = re.search(r'(?:cx="([0-9.]+)%"|<svg x="([0-9.]+)%"[^>]*><path [^>]*class="bad")', row)
        if truth and dot and float(dot[1] or dot[2]) > float(truth[1]):
            found.append(name)
    return found


def test_no_true_epsilon_is_drawn_beside_the_dot_of_another_pair(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, other = make_pair(CLEAR, 1.0), make_pair(TELLING, 1.0, index=1)
    run = make_run(
        make_result("two", first, other, true_epsilon=0.7),
        make_result("one", first, true_epsilon=0.7),
    )
    page = render(run)
    assert dots_right_of_the_truth(page) == []
    assert part(page, "plot").count('class="exact"') == 2  # in a row and in the legend
    assert [true_of_shown(result) for result in run.results] == [None, 0.7]
    # Drawn for whatever pair is shown it would stand left of the dot.
    monkeypatch.setattr(
        "provado.reports.audit_report.page.claims.true_of_shown", lambda result: result.true_epsilon
    )
    assert dots_right_of_the_truth(render(run)) == ["two"]


def test_every_mark_of_the_plot_lies_on_its_axis_which_stays_in_sight() -> None:
    wild = make_result("wild", make_pair(TELLING, 1.0), epsilon=1e9, true_epsilon=math.inf)
    plot = part(render(make_run(wild, make_result("broken"))), "plot")
    places = [float(p) for p in re.findall(r' c?x[12]?="([0-9.]+)%"', plot)]
    assert places
    assert 0 <= min(places) <= max(places) <= 100
    assert plot.index('class="row axis"') < plot.index("data-item")
    assert re.search(r"\.row\.axis \{[^}]*position: sticky; top: 0", piece("style.css"))
    # What scrolls by itself would take the axis out of sight.
    assert not re.search(r"\.forest \{[^}]*overflow", piece("style.css"))


def test_the_page_to_print_says_what_somebody_signs() -> None:
    page = render(mixed())
    summary = part(page, "summary")
    paper = summary.split('class="on-paper"')[1]
    lines = re.findall("<tr>(.*?)</tr>", paper)[1:]
    assert len(lines) == 5
    for words in ("library/worse", "ε = 0.5", "violation", "The claim is wrong"):
        assert words in lines[0]
    assert "is no proof" in lines[-1]
    assert all(words in summary for words in NOT_TESTED)
    style = piece("style.css").split("@media print")[1]
    assert "thead { display: table-header-group; }" in style
    assert ".on-paper { display: block; }" in style
    many = [make_result(f"m{i}", make_pair(CLEAR, 1.0)) for i in range(25)]
    paper = part(render(make_run(*many)), "summary").split('class="on-paper"')[1]
    assert len(re.findall("<tr>", paper)) == 11
    assert "The 15 claims that follow" in paper


def test_a_cell_says_what_it_is_where_a_row_becomes_a_list() -> None:
    """By itself, or by the page's style, which must have its table's heads."""
    page = render(mixed())
    for name, heads in (("audits", HEADS), ("sizes", EFFECTS)):
        for place, head in enumerate(heads[1:], 2):
            assert f'.{name} td:nth-child({place})::before{{content:"{head} "}}' in page
    for attributes, inside in re.findall("<table([^>]*)>(.*?)</table>", page, re.DOTALL):
        shown = re.findall('<th scope="col">(.*?)</th>', inside)
        heads = [re.sub(r"<abbr[^>]*>|</abbr>", "", head) for head in shown]
        if 'class="' in attributes:
            assert tuple(heads) in (HEADS, EFFECTS, HAZARDS)
            continue
        for row in re.findall("<tr[^>]*>(?!<th scope=.col)(.*?)</tr>", inside, re.DOTALL):
            assert re.findall('<td data-h="([^"]*)"', row) == heads[1:]


def test_a_page_of_a_hundred_audits_weighs_less_than_a_megabyte(
    pair_of: Callable[..., PairResult],
) -> None:
    def weight(number: int) -> int:
        made = [
            make_result(
                f"library/mechanism-{i}-with-a-name",
                pair_of(Counts(4471, 1872, 3571, 1964, 5105, 3017), 1.0),
                summary="sum of 442 body mass indices, bounds 15 to 50, Laplace on a fine grid",
                **LIBRARY,
            )
            for i in range(number)
        ]
        return len(render(make_run(*made)).encode())

    weights = [weight(number) for number in (0, 50, 100)]
    assert weights[2] < 1_000_000
    # It grows by what each audit adds, and by nothing else.
    steps = [after - before for before, after in pairwise(weights)]
    assert steps[1] == pytest.approx(steps[0], rel=0.1)


def test_filters_name_what_the_rows_are_marked_with() -> None:
    page = render(mixed())
    form = re.search("<form.*?</form>", page, re.DOTALL)
    assert form is not None
    assert page.count("<form") == 1
    for name, inside in re.findall('<select name="([^"]*)">(.*?)</select>', form[0], re.DOTALL):
        values = set(re.findall('<option value="([^"]+)"', inside))
        assert values == set(re.findall(f'<tr [^>]*data-{name}="([^"]*)"', page))
        assert len(values) > 1
    named = set(re.findall('<tr [^>]*data-item="([^"]*)"', page))
    for kind in ('<div class="row"', "<details"):
        assert set(re.findall(f'{kind}[^>]*data-item="([^"]*)"', page)) == named
    few = render(make_run(*(result for result in mixed().results[:4])))
    assert "<form" not in few
