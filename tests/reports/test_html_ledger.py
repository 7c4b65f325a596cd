"""The ledger's page: introduction, filters, printed beside corrected, counterexamples in steps."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

import pytest

from provado.proofs import kernel
from provado.proofs.kernel import ChangeCounterexample, PointCounterexample, PrivacyCounterexample
from provado.proofs.ledger import Decision, ledger
from provado.proofs.ledger.entry import Searched
from provado.proofs.ledger.fact import Unshown
from provado.reports.ledger import page as verify_page
from provado.reports.ledger.page import _at, steps_of, value_of
from provado.reports.ledger.run import Verification, decide_all
from provado.reports.pages.frame import anchors
from tests.reports.test_html_mathml import words
from tests.reports.test_html_parts import counted_rows, numbers, part

WANTED = (
    "kusner2016/thm4-2",
    "kusner2016/thm4-1",
    "kusner2016/thm2",
    "kusner2016/sec5-1-distance",
    "kusner2016/iqr-ptr-privacy",
    "zhang2023/thm4",
    "zhang2023/improved-sensitivity",
    "tschantz2022/sec3-one-distribution",
    "wang2020/thm3-conditional-kendall",
)


@pytest.fixture(scope="module")
def decisions() -> tuple[Decision, ...]:
    return tuple(decide_all([entry for entry in ledger() if entry.id in WANTED], 1))


@pytest.fixture(scope="module")
def page(decisions: tuple[Decision, ...]) -> str:
    return verify_page.render(Verification("0.1.0", {"python": "3.11.0"}, decisions))


def test_the_page_begins_with_what_it_is(page: str) -> None:
    summary = part(page, "summary")
    assert summary.index("Papers on privacy print claims") < summary.index('class="tiles"')
    assert numbers(page) == counted_rows(page)


def test_filters_by_paper_and_verdict_and_a_search(page: str) -> None:
    form = re.search("<form.*?</form>", page, re.DOTALL)
    assert form is not None
    choices = {
        name: set(re.findall('<option value="([^"]+)"', inside))
        for name, inside in re.findall('<select name="([^"]*)">(.*?)</select>', form[0], re.DOTALL)
    }
    assert choices["paper"] == {name.split("/")[0] for name in WANTED}
    assert choices["verdict"] == {"proved", "misprint", "refuted"}
    assert 'data-within="row"' in form[0]
    for name, values in choices.items():
        assert set(re.findall(f'<tr [^>]*data-{name}="([^"]*)"', page)) == values
    cards = set(re.findall('<details [^>]*data-item="([^"]*)"', page))
    assert cards == set(re.findall('<tr [^>]*data-item="([^"]*)"', page)) == set(WANTED)
    assert set(re.findall('<details [^>]*id="([^"]*)"', page)) == set(WANTED)


def test_what_is_printed_stands_beside_what_holds(
    page: str, decisions: tuple[Decision, ...]
) -> None:
    cards = re.findall('<details [^>]*id="([^"]*)"(.*?)</details>', page, re.DOTALL)
    bodies = dict(cards)
    for decision in decisions:
        found = re.search('<div class="beside">(.*?)</div></div>', bodies[decision.entry.id])
        assert found is not None
        heads = re.findall("<h5>([^<]*)</h5>", found[0])
        assert heads[0] == "As printed"
        assert len(heads) == 1 + bool(decision.evidence.correction)
        said = words(bodies[decision.entry.id])
        # Once, not again in the list of facts below.
        assert said.count("As printed") == 1
    assert "As it should read" in bodies["kusner2016/thm4-2"]
    assert "Repaired" in bodies["kusner2016/iqr-ptr-privacy"]


def test_every_counterexample_is_there_in_steps(page: str, decisions: tuple[Decision, ...]) -> None:
    found = [steps for d in decisions for f in d.evidence.printed if (steps := steps_of(f))]
    lists = re.findall('<ol class="steps" data-steps>(.*?)</ol>', page, re.DOTALL)
    assert [len(re.findall("<li>", one)) for one in lists] == [len(steps) for steps in found]
    refuted = [d for d in decisions if str(d.verdict) in ("refuted", "misprint")]
    assert len(refuted) == len(decisions) - 1
    assert all(any(map(steps_of, d.evidence.printed)) for d in refuted)


def evidence(decisions: tuple[Decision, ...], kind: type) -> list[kernel.Checked]:
    found = [f for d in decisions for f in d.evidence.printed]
    return [f for f in found if isinstance(f, kernel.Checked) and isinstance(f.evidence, kind)]


def number(text: str) -> Decimal:
    return Decimal(text.replace("−", "-"))


def test_the_numbers_of_a_step_are_those_of_the_kernel(decisions: tuple[Decision, ...]) -> None:
    """And they break the claim by what is shown of them, not by digits that are cut away."""
    for found in evidence(decisions, PrivacyCounterexample):
        e = found.evidence
        p, q = map(value_of, e.probabilities)
        assert p > Decimal(float(e.epsilon)).exp() * q * Decimal("0.999999") + Decimal(
            float(e.delta)
        )
        last = steps_of(found)[-1]
        allowed, shown = re.search(r"which is ([^;]*); it is ([^,]*),", last).groups()  # type: ignore[union-attr]
        assert number(shown) > number(allowed)
        assert number(shown) == pytest.approx(p, rel=Decimal("1e-4"))
    for found in evidence(decisions, ChangeCounterexample):
        last = steps_of(found)[-1]
        moved, claimed = re.search(r"by ([^;]*); the claim allows (.*)\. So", last).groups()  # type: ignore[union-attr]
        assert number(moved) > Decimal(float(Fraction(claimed)))
    for found in evidence(decisions, PointCounterexample):
        e = found.evidence
        value = value_of(_at(e.terms, e.at))
        holds = {"≥ 0": value >= 0, "> 0": value > 0, "= 0": value == 0}[e.claim]
        assert not holds
        assert str(e.at) in steps_of(found)[1]


def test_a_change_of_one_record_is_named(decisions: tuple[Decision, ...]) -> None:
    (found,) = evidence(
        tuple(d for d in decisions if d.entry.id == "tschantz2022/sec3-one-distribution"),
        PrivacyCounterexample,
    )
    steps = steps_of(found)
    assert steps[0] == "Take D = (0, 1)."
    assert steps[1].endswith("but for record 1: 0 becomes 1.")
    assert steps[-1].endswith("and on D′ it never happens. So the claim is false.")


def test_what_is_no_counterexample_has_no_steps(decisions: tuple[Decision, ...]) -> None:
    assert steps_of(Searched("much", 7, Unshown("nothing"))) == ()
    proved = next(d for d in decisions if d.entry.id == "kusner2016/thm2")
    assert all(steps_of(found) == () for found in proved.evidence.printed)


def test_statements_are_linked_by_their_names() -> None:
    names = [entry.id for entry in ledger()]
    assert anchors(names) == names
