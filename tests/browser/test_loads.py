"""Each page loads from its file alone: nothing else is asked for, and nothing is complained of."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.chromium import Page

NAMES = ["audit", "ledger", "single", "verify", "effect"]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_but_the_file_is_read_and_nothing_is_said(
    visit: Callable[..., Page], name: str
) -> None:
    page = visit(name)
    assert page.requests() == [page.url]
    assert page.complaints() == []
    assert page.evaluate("document.title") == page.evaluate(
        "document.querySelector('h1').innerText"
    )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_is_wider_than_its_window(
    visit: Callable[..., Page], name: str, width: int
) -> None:
    page = visit(name, width=width)
    page.evaluate("for (const card of document.querySelectorAll('details')) card.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_what_would_leave_is_stopped_and_seen(visit: Callable[..., Page]) -> None:
    page = visit("audit")
    page.evaluate(
        "document.body.append(Object.assign(new Image(), {src: 'https://example.org/x'}))"
    )
    page.evaluate(
        "document.body.append(Object.assign(document.createElement('script'),"
        " {text: 'window.ran = 1'}))"
    )
    said = " ".join(page.complaints())
    assert "img-src" in said
    assert "script-src" in said
    assert page.evaluate("window.ran") is None
    assert page.requests() == [page.url, "https://example.org/x"]
    assert page.refused() == ["csp"]


def test_the_page_can_be_read_without_its_script(visit: Callable[..., Page]) -> None:
    page = visit("audit", script=False)
    assert page.evaluate("getComputedStyle(document.querySelector('.filters')).display") == "none"
    assert page.evaluate("document.querySelectorAll('#claims-table button').length") == 0
    assert page.evaluate("document.querySelectorAll('#claims-table tbody tr').length") > 5
    assert page.evaluate("document.querySelectorAll('.copy').length") == 0


def test_what_a_mechanism_says_stays_text(visit: Callable[..., Page]) -> None:
    page = visit("audit")
    assert page.evaluate("document.title").startswith("Privacy audit of")
    assert page.evaluate("document.querySelectorAll('script').length") == 1
    assert "</script><b>" in page.evaluate("document.body.textContent")
    assert "\u202e" not in page.evaluate("document.body.textContent")


def test_paper_gets_everything(visit: Callable[..., Page]) -> None:
    page = visit("audit")
    page.evaluate("document.querySelector('.filters input').value = 'nothing at all'")
    page.evaluate("document.querySelector('.filters').dispatchEvent(new Event('input'))")
    page.emulate(media="print")
    shown = "getComputedStyle(document.querySelector('{}')).display"
    assert page.evaluate(shown.format("nav")) == "none"
    assert page.evaluate(shown.format(".filters")) == "none"
    assert page.evaluate(shown.format("#claims-table tbody tr")) == "table-row"
    assert page.evaluate(
        "[...document.querySelectorAll('details .body')].every(b => b.offsetHeight)"
    )
    page.emulate()
    closed = "document.querySelectorAll('details:not([open])').length"
    before = page.evaluate(closed)
    assert before > 0
    assert page.printed().startswith(b"%PDF-")
    assert page.evaluate(closed) == before
