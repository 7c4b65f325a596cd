"""Formulas as MathML: nothing lost, nothing added, and of the value that is computed with."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from html import unescape
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from provado.proofs.ledger import Entry, ledger
from provado.proofs.ledger.formula import Formula
from provado.reports.pages.markup import WIDEST, typeset, width

ENTRIES = ledger()


def bare(text: str) -> str:
    """Return a text without what mathematics shows by place: brackets, bars, roots, spaces."""
    return re.sub(r"[\s()\[\]{}/^_√]", "", unicodedata.normalize("NFKC", text))


def words(shown: str) -> str:
    """Return what a reader sees: the text of all elements, in order."""
    return unescape(re.sub("<[^>]*>", "", shown))


def texts(entry: Entry) -> list[str]:
    return [entry.claim.formula, entry.printed, entry.words, entry.scope]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_nothing_is_lost_and_nothing_added(entry: Entry) -> None:
    for text in texts(entry):
        shown = typeset(text)
        assert bare(words(shown)) == bare(text)
        for formula in re.findall("<math>.*?</math>", shown):
            ElementTree.fromstring(formula)
            assert width(formula) <= WIDEST
        # A bracket that is dropped is one of a bar, a root, or a place; all others come in pairs.
        for pair in ("()", "[]"):
            differences = [text.count(mark) - words(shown).count(mark) for mark in pair]
            assert min(differences) >= 0


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_no_formula_of_a_claim_is_left_as_typed(entry: Entry) -> None:
    left = re.sub("<math>.*?</math>", "", typeset(entry.claim.formula))
    assert not re.search(r"[\^√_²³₁₂]|\d/|/\d|\)/|/\(", words(left)), left


@example("1^1₂")
@example("1^−")
@given(st.text(alphabet="ab1²₂ε′√/^_(){}[]+−·=≤,.;:<&| …e", max_size=40))
def test_no_text_breaks_it_or_loses_a_letter(text: str) -> None:
    shown = typeset(text)
    ElementTree.fromstring(f"<p>{shown.replace('<wbr>', '<wbr/>')}</p>")
    # Mathematics has an index before an exponent, whichever was written first.
    assert sorted(bare(words(shown))) == sorted(bare(text))
    assert len(shown) < 200 + 60 * len(text)


def formulas(value: Any) -> Iterator[Formula]:
    """Yield the formulas in a claim's data."""
    if isinstance(value, Formula):
        yield value
    elif isinstance(value, tuple):
        for one in value:
            yield from formulas(one)
    elif is_dataclass(value):
        for one in fields(value):
            yield from formulas(getattr(value, one.name))


FORMULAS = sorted({f for entry in ENTRIES for f in formulas(entry.claim)}, key=lambda f: f.text)


def value_of(shown: str, variable: str, x: float) -> float:
    """The slow twin: read the mathematics as a person does, from its elements alone."""
    joined = "".join(re.findall("<math>(.*?)</math>", shown))
    root = ElementTree.fromstring(f"<mrow>{joined}</mrow>")

    def whole(elements: list[ElementTree.Element]) -> float:
        total, product, sign = 0.0, None, 1.0
        for element in elements:
            mark = element.text if element.tag == "mo" else None
            if mark in ("+", "−"):
                if product is not None:
                    total += sign * product
                product, sign = None, 1.0 if mark == "+" else -1.0
            elif mark != "·":
                product = (1.0 if product is None else product) * one(element)
        assert product is not None
        return total + sign * product

    def one(element: ElementTree.Element) -> float:
        inside = list(element)
        match element.tag:
            case "mn":
                return float(element.text or "")
            case "mi" if element.text == "e":
                return math.e
            case "mi":
                assert element.text == variable
                return x
            case "mfrac":
                return one(inside[0]) / one(inside[1])
            case "msup":
                return one(inside[0]) ** one(inside[1])
            case "msqrt":
                return math.sqrt(whole(inside))
            case "mrow":
                brackets = [i for i, e in enumerate(inside) if e.text in ("(", ")")]
                held = inside[1:-1] if brackets[:1] == [0] else inside
                slash = [i for i, e in enumerate(held) if e.text == "/"]
                if slash:
                    return whole(held[: slash[0]]) / whole(held[slash[0] + 1 :])
                return whole(held)
        raise AssertionError(element.tag)

    return whole(list(root))


def exact(formula: Formula, x: float) -> float:
    top, bottom = (
        sum(
            float(c) * math.exp(float(q) + float(a) * x) * x**k
            for (k, a, q), c in part.terms.items()
        )
        for part in formula.ratio()
    )
    return float(top / bottom)


def plain(formula: Formula) -> bool:
    """Whether it needs no setting: a number, a product."""
    return not re.search(r"[\^/²³]", formula.text)


@pytest.mark.parametrize(
    "formula", [f for f in FORMULAS if not plain(f)], ids=lambda formula: formula.text
)
def test_what_is_shown_has_the_value_that_is_computed_with(formula: Formula) -> None:
    for x in (2.5, 3.0, 7.0):
        shown = value_of(typeset(formula.text), formula.variable, x)
        assert shown == pytest.approx(exact(formula, x), rel=1e-9)


def test_a_formula_that_is_set_wrongly_has_another_value() -> None:
    """The broken twin: the bar over too much, or a raised place that is none."""
    formula = Formula("(x + 2)/4·e^(−x)")
    shown = typeset(formula.text)
    assert value_of(shown, "x", 3.0) == pytest.approx(exact(formula, 3.0))
    for broken in (
        shown.replace("<msup>", "<mrow>").replace("</msup>", "</mrow>"),
        shown.replace("<mn>4</mn>", "<mn>2</mn>"),
        shown.replace("<mfrac>", "<mrow>").replace("</mfrac>", "</mrow>"),
    ):
        assert broken != shown
        assert value_of(broken, "x", 3.0) != pytest.approx(exact(formula, 3.0))
    # A claim with another constant is shown as another formula.
    assert typeset("(x + 2)/4") != typeset("(x + 3)/4")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("λ^(3/2)", "<msup><mi>λ</mi><mrow><mn>3</mn><mo>/</mo><mn>2</mn></mrow></msup>"),
        ("m²", "<msup><mi>m</mi><mn>2</mn></msup>"),
        ("D_i", "<msub><mi>D</mi><mi>i</mi></msub>"),
        ("8/(nλ)", "<mfrac><mn>8</mn><mrow><mi>n</mi><mi>λ</mi></mrow></mfrac>"),
        ("√(n/m)", "<msqrt><mrow><mfrac><mi>n</mi><mi>m</mi></mfrac></mrow></msqrt>"),
    ],
)
def test_notation(text: str, wanted: str) -> None:
    assert typeset(text) == f"<math>{wanted}</math>"


@pytest.mark.parametrize(
    "text",
    [
        "a (replace-one) pair",
        "ε-DP",
        "R1 moves R2 along",
        "and/or",
        "p-value",
        "<bb>",
        "",
        "w.p. 1",
        "2raised,b",
        "2lowered.b",
    ],
)
def test_words_stay_words(text: str) -> None:
    assert "<math>" not in typeset(text)
    assert words(typeset(text)) == text
