"""Columns wide enough to read, data drawn in full, lines to sign on: at each width and in print."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.browser.chromium import Page

NAMES = ("audit", "single", "hundred", "curves", "beside", "verify", "effect", "prove", "replay")

FAULTS = """(() => {
  const faults = [];
  for (const one of document.querySelectorAll('details')) one.open = true;
  // Heads of tables that are lists on a small screen are there for who listens alone.
  const shown = one => one.checkVisibility() && one.getClientRects().length
    && !(one.closest('thead, .unseen')?.clientWidth <= 1);
  const named = one => `${one.tagName} ${one.className} ${one.textContent.trim().slice(0, 30)}`;
  for (const one of document.querySelectorAll('main :is(dt, dd, td, th, p, li, summary, h2, h3)')) {
    // Under eight characters of the font's usual width no sentence can be read.
    const least = 8 * 0.5 * parseFloat(getComputedStyle(one).fontSize);
    const text = one.textContent.trim();
    if (shown(one) && /\\S{2}\\s+\\S{2}/.test(text) && one.clientWidth < least)
      faults.push(`narrow: ${named(one)}`);
  }
  // Shaded areas and connecting lines are drawn behind the data.
  const behind = '.excluded, .allowed, .between, .gap, .excess, .grid';
  for (const one of document.querySelectorAll('.forest .strip, .forest svg *, figure svg *')) {
    if (one.matches(behind)) continue;
    let opacity = 1;
    for (let at = one; at; at = at.parentElement) opacity *= getComputedStyle(at).opacity;
    if (opacity < 1) faults.push(`faint: ${one.tagName} ${one.getAttribute('class')}`);
  }
  for (const one of document.querySelectorAll('.signature dd'))
    if (one.clientWidth < 100 || !parseFloat(getComputedStyle(one).borderBottomWidth))
      faults.push(`no line: ${named(one.parentElement)}`);
  return [...new Set(faults)];
})()"""

PLANTED = {
    "faint": ".strip { fill: var(--ink); opacity: .16; }",
    "narrow": """@media (min-width: 400px) {
        .versions { grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)) !important;
                    gap: .35rem !important; }
        .versions > div { grid-template-columns: 7rem 1fr !important; } }""",
    "no line": ".signature > div { grid-template-columns: 9.5rem 1fr; }",
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [1400, 800, 390])
def test_no_page_has_a_fault_of_layout(visit: Callable[..., Page], name: str, width: int) -> None:
    page = visit(name, width=width, dark=width == 800)
    assert page.evaluate(FAULTS) == []
    if width >= 800:  # No paper is as narrow as a telephone.
        page.emulate(media="print")
        assert page.evaluate(FAULTS) == []


@pytest.mark.parametrize("fault", PLANTED)
@pytest.mark.parametrize("media", ["screen", "print"])
def test_each_fault_is_found_when_it_is_planted_again(
    visit: Callable[..., Page], fault: str, media: str
) -> None:
    page = visit("single", width=800)
    page.emulate(media=media)
    assert page.evaluate(FAULTS) == []
    page.evaluate(
        f"document.styleSheets[0].insertRule({PLANTED[fault]!r}.replaceAll('\\n', ' '), "
        "document.styleSheets[0].cssRules.length)"
    )
    found = page.evaluate(FAULTS)
    assert found
    assert {one.partition(":")[0] for one in found} == {fault}


FIRST = """(() => {
  const top = document.querySelector('.top').textContent;
  const seen = [...document.querySelectorAll('.outcome dt, .outcome dd, .untested li')].filter(
    one => one.getBoundingClientRect().bottom <= innerHeight).map(one => one.textContent.trim());
  return [top, ...seen].join(' | ');
})()"""


def test_the_first_screen_says_what_matters(visit: Callable[..., Page]) -> None:
    for name, verdict in (("single", "no violation found"), ("beside", "no violation found")):
        said = visit(name, width=1400).evaluate(FIRST)
        for part in ("run by", "Claim", "ε = 1", verdict, "95 % confidence", "Not covered"):
            assert part in said, (name, part, said)
        assert "Whether the claimed ε and δ" in said


def test_one_audit_prints_on_three_pages(visit: Callable[..., Page]) -> None:
    for name in ("single", "beside"):
        printed = visit(name, width=1400).printed()
        assert len(re.findall(rb"/Type /Page\b(?!s)", printed)) <= 3, name
