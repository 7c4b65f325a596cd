"""Every text can be read, data are drawn in full, lines to sign on: at each width and in print."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.browser.chromium import Page

NAMES = ("audit", "ledger", "single", "hundred", "curves", "beside", "verify", "effect", "prove")
NAMES += ("replay", "graph", "papers")

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
  // ---- Texts, line by line, as far as the boxes around them let them be seen.
  const pixel = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const known = new Map();
  const rgba = color => {
    if (!known.has(color)) {
      pixel.clearRect(0, 0, 1, 1); pixel.fillStyle = color; pixel.fillRect(0, 0, 1, 1);
      known.set(color, [...pixel.getImageData(0, 0, 1, 1).data].map(part => part / 255));
    }
    return known.get(color);
  };
  const over = ([r, g, b, a], [x, y, z]) => [r * a + x * (1 - a), g * a + y * (1 - a),
                                            b * a + z * (1 - a), 1];
  const light = ([r, g, b]) => [[r, .2126], [g, .7152], [b, .0722]].reduce((sum, [part, weight]) =>
    sum + weight * (part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4), 0);
  const ground = element => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      layers.push(rgba(getComputedStyle(at).backgroundColor));
      if (layers.at(-1)[3] === 1) break;
    }
    return layers.reduceRight((below, layer) => over(layer, below), [1, 1, 1, 1]);
  };
  const lines = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || element.closest('.unseen, .skip, script, style, noscript'))
      continue;
    if (!element.checkVisibility({visibilityProperty: true})) continue;
    const style = getComputedStyle(element), size = parseFloat(style.fontSize);
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    let seen = false;
    for (const {left, top, right, bottom} of range.getClientRects()) {
      const box = {element, left, top, right, bottom};
      if (right - left < 1) continue;
      for (let at = element; at && at !== document.body; at = at.parentElement) {
        const around = getComputedStyle(at);
        if (around.overflowX === 'visible' || around.display.startsWith('inline')
            || at.namespaceURI.endsWith('svg')) continue;
        const whole = at.getBoundingClientRect(), hides = /hidden|clip/.test(around.overflowX);
        if (hides && (right > whole.right + 2 || bottom > whole.bottom + size / 3)
            && at.clientWidth > 1) faults.push(`clipped: ${named(element)}`);
        box.left = Math.max(box.left, whole.left); box.right = Math.min(box.right, whole.right);
        box.top = Math.max(box.top, whole.top); box.bottom = Math.min(box.bottom, whole.bottom);
      }
      // Letters fill the middle of their line.
      const inset = (bottom - top) / 4;
      box.top += inset; box.bottom -= inset;
      if (box.right - box.left > 2 && box.bottom - box.top > 2) lines.push(box), seen = true;
    }
    if (!seen || element.closest(':disabled')) continue;
    let opacity = 1;  // That of data is checked above.
    for (let at = element.closest('.strip, figure svg') ? null : element; at; at = at.parentElement)
      opacity *= getComputedStyle(at).opacity;
    const [r, g, b, a] = rgba(element.namespaceURI.endsWith('svg') ? style.fill : style.color);
    const behindIt = ground(element), ink = over([r, g, b, a * opacity], behindIt);
    const [dark, bright] = [light(ink), light(behindIt)].sort((x, y) => x - y);
    const large = size >= 24 || (size >= 18.6 && style.fontWeight >= 600);
    if ((bright + .05) / (dark + .05) < (large ? 3 : 4.5))
      faults.push(`contrast: ${named(element)}`);
  }
  lines.sort((one, other) => one.top - other.top);
  lines.forEach((one, place) => {
    for (let next = place + 1; next < lines.length && lines[next].top < one.bottom - 1; next++) {
      const other = lines[next];
      if (one.element !== other.element && one.left < other.right - 2 && other.left < one.right - 2)
        faults.push(`overlap: ${named(one.element)} / ${named(other.element)}`);
    }
  });
  return [...new Set(faults)];
})()"""

PLANTED = {
    "faint": ".strip { fill: var(--ink); opacity: .16; }",
    "narrow": """@media (min-width: 400px) {
        .versions { grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)) !important;
                    gap: .35rem !important; }
        .versions > div { grid-template-columns: 7rem 1fr !important; } }""",
    "no line": ".signature > div { grid-template-columns: 9.5rem 1fr; }",
    "overlap": ".card .body dl dd { transform: translateX(-7rem); }",
    "clipped": ".finding dd { max-height: .7em; overflow: hidden; }",
    "contrast": "dt { color: #b5b5b5 !important; }",
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [1400, 800, 390])
def test_no_page_has_a_fault_of_layout(visit: Callable[..., Page], name: str, width: int) -> None:
    page = visit(name, width=width)
    assert page.evaluate(FAULTS) == []
    page.emulate(dark=True)
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
