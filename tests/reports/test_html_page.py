"""The page is whole, stands alone and escapes whatever a mechanism may print."""

from __future__ import annotations

import base64
import hashlib
import math
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from provado.audit import AuditResult, Counts, Witness
from provado.mechanisms import Verdict
from provado.proofs.ledger import decide, ledger
from provado.reports.audit_report.page import render
from provado.reports.audit_report.page.page import cited
from provado.reports.pages.figures.figure import scale_of
from provado.reports.pages.frame import policy
from provado.reports.pages.markup import VOID, Markup, join, tag
from provado.reports.tasks.run import Run


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
    assert {f"#{name}" for name in ("clear", "violating", "approximate", "broken")} <= links
    assert all(link and link.startswith("#") and link[1:] in ids for link in links)


def test_the_page_needs_nothing_else(run: Run) -> None:
    page = render(run)
    names = {name for name, _ in elements(page)}
    assert not names & {"img", "link", "iframe", "object", "embed", "base"}
    assert not any("src" in attributes for _, attributes in elements(page))
    assert not re.search("https?:", page)
    assert "url(" not in page
    assert "@import" not in page
    assert "prefers-color-scheme: dark" in page


def test_the_page_says_what_was_found(run: Run) -> None:
    page = render(run)
    for words in (
        "D = [0, 1, 1], D′ = do(D[2] = 7) = [0, 1, 7]",
        "Guess D when output ≤ 1; guess D′ when output ≥ 3: 600 of 900 guesses correct (abstained "
        "on 100 of 1,000 trials).",
        "66.7 % are correct; ε = 1 allows 73.1 %",
        "1 claim is refuted",
        "The auditor found 1 of 1 planted violation",
        "For 1 claim no violation was found, which is no proof",
        "1 claim is left open",
        "<dt>Reason</dt><dd>it broke.</dd>",
        "take no seed",
        "exact binomial bound; this pair has 0.04975 of the total alpha 0.05",
        "betting bound at δ = 0.001",
        "1,000 certifying trials of 1,000 planned, after 500 samples of exploration",
        "provado audit x:2",
        "relative probability",
        "can never say “proved”",
        "3.11.0",
    ):
        assert words in page, words


HOSTILE = "</script></svg><script>alert('x')</script>\"'&amp;${style}\u202e\u2066\x1b"


def test_everything_a_mechanism_may_print_is_escaped(
    make: Callable[..., AuditResult],
    run_of: Callable[..., Run],
    violating: AuditResult,
) -> None:
    pair = violating.pairs[0]
    witness = Witness(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, (HOSTILE,), (HOSTILE,))
    steps = (Counts(*[8] * 6), pair.counts)
    hostile = replace(pair, witness=witness, checkpoints=steps)
    other = replace(hostile, index=1)
    named = dict.fromkeys(("relation", "promise", "source", "summary", "reason"), HOSTILE)
    found = make(HOSTILE, hostile, other, notes=(HOSTILE,), tags=(HOSTILE,), **named)
    broken = make(HOSTILE, seedable=False, expected=Verdict.VIOLATION, **named)
    for results in ((found,), (found, broken)):
        planted = run_of(*results)
        page = render(replace(planted, versions={HOSTILE: HOSTILE}, provado=HOSTILE))
        assert page.count("<script") == page.count("</script") == 1
        assert page.count("&lt;script&gt;") > 10
        assert not {"\u202e", "\u2066", "\x1b"} & set(page)
        elements(page)


def test_a_summary_has_at_most_five_sentences(
    make: Callable[..., AuditResult], run_of: Callable[..., Run], run: Run
) -> None:
    clear, violating, _, broken = run.results
    library = replace(violating, tags=("library",), name="from.a library v1.2")
    missed = replace(clear, expected=Verdict.VIOLATION)
    for results in ((clear,), (broken,), (violating, library), (*run.results, library, missed)):
        page = render(run_of(*results))
        inside = re.search('<section id="summary".*?</section>', page, re.DOTALL)
        assert inside is not None
        said = re.sub("<[^>]+>", "", " ".join(re.findall("<p>(.*?)</p>", inside[0])))
        assert 2 <= len(re.findall(r"[.!?](?=\s|$)", said)) <= 5, said


def test_the_policy_names_the_script_and_nothing_that_can_be_reached(run: Run) -> None:
    page = render(run)
    policy_found = next(a["content"] for n, a in elements(page) if "http-equiv" in a)
    script = page.split("<script>")[1].split("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy_found == policy(script)
    assert f"script-src 'sha256-{digest}'" in policy_found
    assert policy_found.startswith("default-src 'none';")
    assert "script-src" not in policy("")
    assert page.index("http-equiv") < page.index("<style") < page.index("<script")


def test_headings_go_down_one_step_at_a_time_and_parts_are_named(run: Run) -> None:
    seen = elements(render(run))
    levels = [int(name[1]) for name, _ in seen if re.fullmatch("h[1-6]", name)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    ids = {attributes.get("id") for _, attributes in seen}
    for name, attributes in seen:
        if name == "svg" and "role" in attributes:
            assert attributes["aria-label"]
        if name == "section":
            assert attributes["aria-labelledby"] in ids
        if name == "th":
            assert attributes["scope"] in ("col", "row")
    names = [name for name, _ in seen]
    assert names.count("caption") == names.count("table") > 0
    assert names.count("main") == names.count("nav") == names.count("header") == 1


def test_works_of_the_ledger_are_listed_with_the_verdict_on_record(
    make: Callable[..., AuditResult], run_of: Callable[..., Run], violating: AuditResult
) -> None:
    entry = next(entry for entry in ledger() if entry.id == "wang2020/subsample-size")
    title = entry.source.work.rsplit(", ", 1)[-1]
    citing = run_of(replace(violating, source=f"Wang et al., {title}, Algorithm 1"))
    assert {one.source.work for one in cited(citing)} == {entry.source.work}
    page = render(citing)
    assert "not decided for this page" in page
    assert "wang2020/subsample-size" in page
    assert "Broken twin" not in page
    argued = render(citing, ledger=[decide(entry)])
    assert "not decided for this page" not in argued
    assert "Broken twin" in argued
    elements(argued)
    assert cited(run_of(violating)) == ()
    assert 'id="ledger"' not in render(run_of(violating))


def test_many_audits_are_folded_but_for_those_that_need_attention(
    run: Run, run_of: Callable[..., Run]
) -> None:
    def unfolded(run: Run) -> list[bool]:
        folds = (a for name, a in elements(render(run)) if name == "details")
        return ["open" in a for a in folds if a.get("class") != "evidence"]

    assert unfolded(run) == [True] * 4
    clear, violating, expected, broken = run.results
    many = run_of(clear, violating, clear, broken, clear, expected)
    # Violations first, then what was left open; the known answer comes apart, at the end.
    assert unfolded(many) == [True, True, False, False, False, False]


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
