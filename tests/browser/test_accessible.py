"""No violation that axe-core knows of, in light and dark, on a screen and on a phone."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.browser.chromium import Page

RUN = """axe.run(document, {resultTypes: ["violations"], rules: {region: {enabled: true}}}).then(
  found => JSON.stringify(found.violations.map(
    one => [one.id, one.impact, one.nodes.length, one.nodes[0].html.slice(0, 300),
            one.nodes[0].failureSummary])))"""
OPEN = "for (const card of document.querySelectorAll('details')) card.open = true"


def violations(page: Page, axe: str) -> list[list[object]]:
    page.evaluate(OPEN)
    page.evaluate(axe)
    found: list[list[object]] = json.loads(page.evaluate(RUN))
    return found


@pytest.mark.parametrize("width", [390, 1400])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(
    "name",
    [
        *("audit", "ledger", "single", "verify"),
        *("effect", "graph", "papers"),
        *("beside", "prove", "replay", "curves"),
    ],
)
def test_axe_finds_nothing(
    visit: Callable[..., Page], axe: str, name: str, dark: bool, width: int
) -> None:
    assert violations(visit(name, dark=dark, width=width), axe) == []


def test_axe_would_have_found_something(visit: Callable[..., Page], axe: str) -> None:
    page = visit("audit")
    page.evaluate(
        "document.querySelector('.filters label').replaceWith(document.createElement('input'))"
    )
    page.evaluate("document.documentElement.style.setProperty('--soft', '#ccc')")
    found = {one[0] for one in violations(page, axe)}
    assert {"label", "color-contrast"} <= found
