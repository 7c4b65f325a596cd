"""Filters, sorting and copying, by script and by keyboard."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.chromium import Page

SHOWN = """[...document.querySelectorAll('table[data-filtered] tbody tr')].filter(
  row => row.offsetHeight).map(row => [...row.cells].map(cell => cell.textContent))"""
ITEMS = """[...document.querySelectorAll('{}[data-item]')].filter(
  one => !one.hidden).map(one => one.dataset.item).sort()"""
COUNTERS = """[...document.querySelectorAll('[data-counts]')].map(
  one => [one.dataset.counts, Number(one.textContent)])"""
TALLIES = """[...document.querySelectorAll('table[data-filtered] tbody tr')].filter(
  row => !row.hidden).map(row => `${row.closest('table').id} ${row.dataset.tally}`)"""
FOCUS = "document.activeElement.textContent"


def set_filter(page: Page, name: str, value: str) -> None:
    page.evaluate(
        f"""(() => {{
        const field = document.querySelector('.filters [name={name}]');
        field.value = {value!r};
        field.dispatchEvent(new Event('input', {{bubbles: true}}));
        }})()"""
    )


def column(page: Page, index: int) -> list[str]:
    asked = SHOWN.replace("table[data-filtered]", "#claims-table")
    return [row[index] for row in page.evaluate(asked)]


def test_each_filter_keeps_what_it_names_and_all_join(visit: Callable[..., Page]) -> None:
    page = visit("audit")
    everything = page.evaluate(SHOWN)
    for verdict in ("violation", "no violation found", "unknown"):
        set_filter(page, "verdict", verdict)
        # A verdict with limitations is marked so.
        of_verdict = [row for row in everything if row[1].removesuffix(" limited") == verdict]
        assert page.evaluate(SHOWN) == of_verdict
    set_filter(page, "verdict", "")
    set_filter(page, "text", "LAPLACE ")
    named = [row for row in everything if "laplace" in row[0].lower()]
    assert 0 < len(named) < len(everything)
    assert page.evaluate(SHOWN) == named
    set_filter(page, "verdict", "violation")
    assert page.evaluate(SHOWN) == [row for row in named if row[1] == "violation"]
    count = page.evaluate("document.querySelector('.count').textContent")
    assert count == f"{len(page.evaluate(SHOWN))} of {len(everything)} claims shown"
    set_filter(page, "group", "own")
    assert page.evaluate(SHOWN) == []
    page.evaluate("document.querySelector('.filters [type=reset]').click()")
    page.evaluate("new Promise(done => setTimeout(done, 20))")
    assert page.evaluate(SHOWN) == everything


def test_filters_drive_table_plot_cards_and_counters(visit: Callable[..., Page]) -> None:
    page = visit("audit")
    everything = page.evaluate(COUNTERS)
    for name, value in (("verdict", "violation"), ("text", "o"), ("group", "twin"), ("text", "")):
        set_filter(page, name, value)
        named = page.evaluate(ITEMS.format("tr"))
        assert (
            named == page.evaluate(ITEMS.format(".row")) == page.evaluate(ITEMS.format("details"))
        )
        tallies = page.evaluate(TALLIES)
        counters = page.evaluate(COUNTERS)
        assert counters == [[key, tallies.count(key)] for key, _ in counters]
        assert counters != everything
    empty = (
        "[...document.querySelectorAll('[data-block]')].filter(b => !b.hidden && !b.offsetHeight)"
    )
    assert page.evaluate(f"{empty}.length") == 0
    page.evaluate("document.querySelector('.filters [type=reset]').click()")
    page.evaluate("new Promise(done => setTimeout(done, 20))")
    assert page.evaluate(COUNTERS) == everything


def test_what_is_filtered_lives_in_the_address(visit: Callable[..., Page]) -> None:
    page = visit("audit")
    set_filter(page, "verdict", "violation")
    set_filter(page, "text", "laplace & co?")
    set_filter(page, "text", "laplace")
    address = page.evaluate("location.hash")
    assert address == "#?text=laplace&verdict=violation"
    shown = page.evaluate(SHOWN)
    again = visit("audit", address=address)
    assert again.evaluate(SHOWN) == shown
    assert again.evaluate("document.querySelector('.filters [name=verdict]').value") == "violation"
    # A link within the page keeps what is filtered, and a name in the address opens its section.
    again.evaluate("document.querySelector('.known a[href=\"#known\"]').click()")
    again.evaluate("new Promise(done => setTimeout(done, 50))")
    assert again.evaluate("location.hash") == "#known?text=laplace&verdict=violation"
    assert again.evaluate(SHOWN) == shown
    ident = page.evaluate("document.querySelector('#known details:not([open])').id")
    assert "/" in ident
    named = visit("audit", address=f"#{ident}?verdict=no+violation+found")
    assert named.evaluate(f"document.getElementById({ident!r}).open")
    assert named.evaluate("document.querySelector('.filters [name=verdict]').selectedIndex") > 0
    # What the address asks for and the page has not is left out.
    odd = visit("audit", address="#?verdict=no+such+word&nonsense=1")
    assert odd.evaluate(SHOWN) == visit("audit").evaluate(SHOWN)


@pytest.mark.parametrize(
    ("index", "numeric"), [(0, False), (1, False), (3, True), (5, True), (6, True)]
)
def test_a_head_sorts_up_then_down(visit: Callable[..., Page], index: int, numeric: bool) -> None:
    def number(text: str) -> float:
        return float(text.replace("∞", "inf").replace(",", ""))

    page = visit("audit")
    button = f"document.querySelectorAll('#claims-table thead button')[{index}].click()"
    for direction, reverse in (("ascending", False), ("descending", True), ("ascending", False)):
        page.evaluate(button)
        sort = f"document.querySelectorAll('#claims-table th')[{index}].getAttribute('aria-sort')"
        assert page.evaluate(sort) == direction
        assert page.evaluate("document.querySelectorAll('[aria-sort]').length") == 1
        cells = column(page, index)
        known = [cell for cell in cells if cell not in ("", "–")]
        assert cells[: len(known)] == known, "what has no number comes last"
        keys = [number(cell) for cell in known] if numeric else [cell.lower() for cell in known]
        if numeric:
            assert keys == sorted(keys, reverse=reverse)
        else:
            assert page.evaluate(
                f"{known!r}.every((a, i, all) => i === 0 || "
                f"({'-' if reverse else ''}all[i - 1].localeCompare(a, 'en')) <= 0)"
            )


def test_the_keyboard_alone_filters_sorts_and_unfolds(visit: Callable[..., Page]) -> None:
    page = visit("audit")
    page.press("Tab")
    assert page.evaluate(FOCUS) == "Skip to the report"
    page.press("Enter")
    assert page.evaluate("document.activeElement.id") == "report"
    page.evaluate("document.querySelector('.filters input').focus()")
    page.press(*"laplace")
    assert all("laplace" in name for name in column(page, 0))
    for _ in range(20):
        page.press("Tab")
        if page.evaluate(FOCUS) == "certified ε ≥":
            break
    page.press("Space")
    assert page.evaluate("document.querySelector('[aria-sort]').textContent") == "certified ε ≥"
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"
    page.evaluate(
        "document.querySelector('details.card:not([open]):not([hidden]) > summary').focus()"
    )
    page.press("Enter")
    assert page.evaluate("document.activeElement.parentElement.open")


def test_a_link_opens_the_section_that_it_leads_to(visit: Callable[..., Page]) -> None:
    page = visit("audit")
    ident = page.evaluate("document.querySelector('#audits details.card:not([open])').id")
    page.evaluate(f"document.querySelector('#claims-table a[href=\"#{ident}\"]').click()")
    page.evaluate("new Promise(done => setTimeout(done, 50))")
    assert page.evaluate(f"document.getElementById({ident!r}).open")


def test_all_sections_open_and_close_together(visit: Callable[..., Page]) -> None:
    page = visit("audit")
    for index, wanted in ((0, True), (1, False)):
        page.evaluate(f"document.querySelectorAll('.folding button')[{index}].click()")
        states = page.evaluate(
            "[...document.querySelectorAll('#audits details.card')].map(d => d.open)"
        )
        assert set(states) == {wanted}


def test_a_command_is_copied_as_it_stands(visit: Callable[..., Page]) -> None:
    page = visit("audit")
    page.evaluate(
        """(() => {
        window.copied = [];
        navigator.clipboard.writeText = async text => { window.copied.push(text); };
        document.querySelector('.copy').click();
        })()"""
    )
    page.evaluate("new Promise(done => setTimeout(done, 20))")
    command = page.evaluate("document.querySelector('pre[data-copy]').textContent")
    assert command.startswith("provado audit ")
    assert page.evaluate("window.copied") == [command]
    assert page.evaluate("document.querySelector('.replay .said').textContent") == "Copied"


def test_the_ledger_is_searched_and_stepped_through(visit: Callable[..., Page]) -> None:
    page = visit("verify", address="#zhang2023/thm5")
    assert page.evaluate("document.getElementById('zhang2023/thm5').open")
    steps = """[...document.querySelector('[id="zhang2023/thm5"] ol[data-steps]').children].filter(
      step => step.offsetHeight).length"""
    following, back = (
        f"""document.querySelector('[id="zhang2023/thm5"] .stepping button:nth-child({place})')"""
        for place in (2, 1)
    )
    assert page.evaluate(steps) == 1
    assert page.evaluate(f"{back}.disabled")
    page.evaluate(f"{following}.click()")
    assert page.evaluate(steps) == 2
    page.evaluate(f"{back}.click()")
    assert page.evaluate(steps) == 1
    whole = """document.querySelector('[id="zhang2023/thm5"] ol[data-steps]').children.length"""
    for _ in range(page.evaluate(whole) + 2):
        page.evaluate(f"{following}.click()")
    assert page.evaluate(steps) == page.evaluate(whole) > 3
    assert page.evaluate(f"{following}.disabled")


def test_the_ledger_is_filtered_like_the_audits(visit: Callable[..., Page]) -> None:
    page = visit("verify")
    for name, value in (("verdict", "refuted"), ("text", "PERMUTED SCORES")):
        set_filter(page, name, value)
        named = page.evaluate(ITEMS.format("tr"))
        assert named == page.evaluate(ITEMS.format("details"))
        assert 0 < len(named) < 8
        tallies, counters = page.evaluate(TALLIES), page.evaluate(COUNTERS)
        assert counters == [[key, tallies.count(key)] for key, _ in counters]
    set_filter(page, "verdict", "")
    again = visit("verify", address=page.evaluate("location.hash"))
    assert again.evaluate(ITEMS.format("tr")) == page.evaluate(ITEMS.format("tr"))
