"""Each page loads from its file alone: nothing else is asked for, and nothing is complained of."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.browser.chromium import Page

WIDE = """[...document.querySelectorAll('.scroll')].filter(
  box => box.scrollWidth > box.clientWidth).map(box => box.getAttribute('aria-label'))"""
CUT = """[['forest', '.forest .strip'], ['figure', 'figure']].filter(([, selector]) =>
  [...document.querySelectorAll(selector)].some(box => {
    const whole = box.getBoundingClientRect(), slack = 8;
    return [...box.querySelectorAll('svg *')].some(mark => {
      const place = mark.getBoundingClientRect();
      return place.width && (place.left < whole.left - slack || place.right > whole.right + slack);
    });
  })).map(([name]) => name)"""
NAMES = ["audit", "ledger", "single", "hundred", "verify", "effect", "graph", "papers"]
NAMES += ["beside", "prove", "replay", "curves"]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_but_the_file_is_read_and_nothing_is_said(
    visit: Callable[..., Page], name: str
) -> None:
    page = visit(name)
    # Pictures that stand in the page itself are no other file.
    assert [asked for asked in page.requests() if not asked.startswith("data:")] == [page.url]
    assert page.complaints() == []
    assert page.evaluate("document.title") == page.evaluate(
        "document.querySelector('h1').innerText"
    )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [390, 1400])
def test_no_page_is_wider_than_its_window_and_no_table_than_its_place(
    visit: Callable[..., Page], name: str, width: int
) -> None:
    page = visit(name, width=width)
    page.evaluate("for (const card of document.querySelectorAll('details')) card.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(WIDE) == []


def test_a_table_that_is_too_wide_is_found(visit: Callable[..., Page]) -> None:
    page = visit("effect", width=1400)
    page.evaluate("document.querySelector('td').style.minWidth = '1000px'")
    assert page.evaluate(WIDE) == ["Outputs that showed each event"]


@pytest.mark.parametrize("width", [390, 1400])
@pytest.mark.parametrize("name", ["audit", "effect", "single"])
def test_no_plot_is_cut_and_its_axis_stays_in_sight(
    visit: Callable[..., Page], name: str, width: int
) -> None:
    page = visit(name, width=width)
    page.evaluate("for (const card of document.querySelectorAll('details')) card.open = true")
    assert page.evaluate(CUT) == []
    top = """(() => { const plot = document.querySelector('.forest'), row = plot.lastElementChild;
      row.scrollIntoView({block: 'end', behavior: 'instant'});
      scrollBy({top: 860, behavior: 'instant'});
      row.scrollIntoView({block: 'center', behavior: 'instant'});
      const place = plot.querySelector('.axis').getBoundingClientRect();
      return place.top >= 0 && place.bottom <= innerHeight; })()"""
    assert page.evaluate(top)


def test_what_is_cut_is_found(visit: Callable[..., Page]) -> None:
    page = visit("single")
    page.evaluate("document.querySelector('figure svg tspan').setAttribute('x', '-60')")
    assert page.evaluate(CUT) == ["figure"]
    page.evaluate("document.querySelector('.forest .row circle').setAttribute('cx', '120%')")
    assert page.evaluate(CUT) == ["forest", "figure"]


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
    page = visit("audit", address="#?text=nothing+at+all")
    hidden = "[...document.querySelectorAll('[data-item]')].filter(one => one.hidden).length"
    closed = "document.querySelectorAll('details:not([open])').length"
    before = [page.evaluate(hidden), page.evaluate(closed)]
    assert min(before) > 0
    page.emulate(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    shown = "getComputedStyle(document.querySelector('{}')).display"
    assert page.evaluate(shown.format("nav")) == "none"
    assert page.evaluate(shown.format(".filters")) == "none"
    assert page.evaluate(shown.format("thead")) == "table-header-group"
    assert page.evaluate(hidden) == page.evaluate(closed) == 0
    assert page.evaluate(
        "[...document.querySelectorAll('details .body')].every(b => b.offsetHeight)"
    )
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate()
    assert page.printed().startswith(b"%PDF-")
    assert [page.evaluate(hidden), page.evaluate(closed)] == before


@pytest.mark.parametrize("name", ["audit", "single", "hundred"])
def test_one_page_is_one_page(visit: Callable[..., Page], name: str) -> None:
    page = visit(name)
    page.evaluate("window.print = () => {}; document.querySelector('.printing button').click()")
    assert sheets(page.printed()) == 1
    # After that, and by the other button, it is all of it again.
    assert sheets(page.printed()) > 1


def sheets(document: bytes) -> int:
    """Return the number of pages of a PDF."""
    return len(re.findall(rb"/Type /Page\b", document))


def test_a_hundred_audits_are_light_and_answer_within_a_second(visit: Callable[..., Page]) -> None:
    page = visit("hundred")
    assert page.evaluate("document.querySelectorAll('details.card').length") == 100
    assert (
        page.evaluate("performance.getEntriesByType('navigation')[0].decodedBodySize") < 1_000_000
    )
    ready = "performance.getEntriesByType('navigation')[0].domInteractive"
    answered = """(() => { const start = performance.now();
      const field = document.querySelector('.filters input');
      field.value = 'laplace'; field.dispatchEvent(new Event('input', {bubbles: true}));
      document.body.offsetHeight; return performance.now() - start; })()"""
    assert page.evaluate(ready) + page.evaluate(answered) < 1000


def test_a_graph_follows_the_reader_into_the_dark(visit: Callable[..., Page]) -> None:
    shown = "getComputedStyle(document.querySelector('.g-name')).fill"
    light, dark = visit("graph").evaluate(shown), visit("graph", dark=True).evaluate(shown)
    assert light != dark
    order = """document.querySelector('.warning').compareDocumentPosition(
      document.querySelector('.g-dot')) & Node.DOCUMENT_POSITION_FOLLOWING"""
    assert visit("graph").evaluate(order)
