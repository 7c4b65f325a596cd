"""The page is whole, stands alone and escapes whatever a mechanism may print."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from provado.audit import AuditResult, PairResult, Witness
from provado.mechanisms import Verdict
from provado.reports.html import render
from provado.reports.html.element import VOID, Markup, join, tag
from provado.reports.html.scale import scale_of
from provado.reports.run import Run


class Checker(HTMLParser):
    """Collects elements, and complains of tags that do not nest."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        self.seen.append((name, dict(attributes)))
        if name not in VOID:
            self.open.append(name)

    def handle_startendtag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        self.seen.append((name, dict(attributes)))

    def handle_endtag(self, name: str) -> None:
        assert self.open.pop() == name


def elements(page: str) -> list[tuple[str, dict[str, str | None]]]:
    checker = Checker()
    checker.feed(page)
    assert checker.open == []
    return checker.seen


def test_the_page_is_well_formed_and_links_lead_somewhere(run: Run) -> None:
    seen = elements(render(run))
    ids = [attributes["id"] for _, attributes in seen if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = {attributes["href"] for name, attributes in seen if name == "a"}
    assert {f"#{i}" for i in ids if i and i.startswith("audit-")} <= links
    assert all(link and link.startswith("#") and link[1:] in ids for link in links)


def test_the_page_needs_nothing_else(run: Run) -> None:
    page = render(run)
    names = {name for name, _ in elements(page)}
    assert not names & {"script", "img", "link", "iframe", "object", "embed"}
    assert "http" not in page
    assert "url(" not in page
    assert "@import" not in page
    assert "prefers-color-scheme: dark" in page


def test_the_page_says_what_was_found(run: Run) -> None:
    page = render(run)
    for words in (
        "Let D = [0, 1, 1], D′ = do(D[2] = 7). Guess D when output ≤ 1; guess D′ when output ≥ 3: "
        "right 600 times of 900 guesses (abstained on 100 of 1,000 trials).",
        "a guess is right at most 73.1 % of the time; this rule was right 66.7 %",
        "2 claims are refuted",
        "For 1 claim no violation was found. That is no proof",
        "1 claim is left open",
        "No verdict: it broke.",
        "take no seed",
        "exact binomial bound; this pair has 0.05 of the total alpha 0.05",
        "betting bound at δ = 0.001",
        "1,000 certifying trials of 1,000 planned, after 500 samples of exploration",
        "provado audit x:2",
        "relative probability",
        "can never say “proved”",
        "3.11.0",
    ):
        assert words in page, words


HOSTILE = "<script>alert('x')</script>\"&amp;${style}"


def test_everything_a_mechanism_may_print_is_escaped(
    make: Callable[..., AuditResult],
    run_of: Callable[..., Run],
    violating: AuditResult,
) -> None:
    pair = violating.pairs[0]
    witness = Witness(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, (HOSTILE,), (HOSTILE,))
    hostile = PairResult(**{**vars(pair), "witness": witness})
    other = PairResult(**{**vars(hostile), "index": 1})
    named = dict.fromkeys(("relation", "promise", "source", "summary", "reason"), HOSTILE)
    found = make(HOSTILE, hostile, other, notes=(HOSTILE,), tags=(HOSTILE,), **named)
    broken = make(HOSTILE, seedable=False, expected=Verdict.VIOLATION, **named)
    for results in ((found,), (found, broken)):
        page = render(run_of(*results))
        assert "<script" not in page
        assert page.count("&lt;script&gt;") > 10
        elements(page)


def test_many_audits_are_folded_but_for_those_that_need_attention(
    run: Run, run_of: Callable[..., Run]
) -> None:
    def unfolded(run: Run) -> list[bool]:
        return ["open" in a for name, a in elements(render(run)) if name == "details"]

    assert unfolded(run) == [True] * 4
    clear, violating, expected, broken = run.results
    many = run_of(clear, violating, clear, broken, clear, expected)
    assert unfolded(many) == [False, True, False, True, False, False]


def test_text_is_escaped_and_markup_is_not() -> None:
    inner = tag("b", "<", class_="x\"'")
    assert inner == '<b class="x&quot;&#x27;">&lt;</b>'
    assert join("&", inner, None) == f"&amp;{inner}"
    assert tag("path", d="M0 0") == '<path d="M0 0"/>'
    assert isinstance(tag("meta", charset="utf-8"), Markup)
    assert tag("details", open=True, hidden=False, title=None) == "<details open></details>"


@pytest.mark.parametrize(
    ("values", "claims"),
    [
        ([1.0, 0.99], [1.0]),
        ([0.1, 3.0, 36.0, math.inf], [0.1, 1.0]),
        ([0.0], [1e-9]),
        ([1e-6, 700.0], [1e-6]),
        ([0.1178, 0.12], [0.1178]),
        ([1e12, 1.0], [1.0]),
    ],
)
def test_a_scale_keeps_order_and_its_labels_apart(values: list[float], claims: list[float]) -> None:
    scale = scale_of([*values, *claims], claims)
    everything = sorted({0.0, *values, *claims})
    places = [scale.place(value) for value in everything]
    assert places == sorted(places)
    assert len(set(places)) == len(places)
    assert 0 <= places[0] <= places[-1] <= 100
    ticks = scale.ticks()
    assert 2 <= len(ticks) <= 12
    gaps = [b.place - a.place for a, b in pairwise(ticks)]
    assert min(gaps) > 8
    assert re.fullmatch("0|∞|[0-9.e-]+", "".join(tick.label for tick in ticks[:1]))
