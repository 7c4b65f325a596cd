"""Claims that are curves from the command line to the page: read, shown, computed again."""

import json
from dataclasses import replace

import numpy as np
import pytest

from provado.audit import audit
from provado.audit.bounds.trade_off import value_at
from provado.audit.options.domains import read_promise
from provado.mechanisms import (
    ApproximateDP,
    ConcentratedDP,
    GaussianDP,
    PrivacyCurve,
    PureDP,
    RenyiDP,
    UsageError,
    Verdict,
)
from provado.reports.audit_report.baseline import claimed
from provado.reports.audit_report.document import result_to_json
from provado.reports.commands.recheck.pair import curve_differences, pair_verdict
from provado.reports.commands.recheck.recheck import _derived_of_curves, point_differences
from provado.reports.documents.schema import build, plain
from provado.reports.pages.figures.figure import horizontal, vertical
from provado.reports.pages.figures.pair_figures import (
    _within,
    claimed_points,
    least_by_claim,
    tradeoff,
)
from provado.reports.text import sentences
from tests.audit.curve_experiments import gaussian


@pytest.mark.parametrize(
    ("text", "promise"),
    [
        ("zcdp:0.5", ConcentratedDP(0.5)),
        ("gdp:1", GaussianDP(1.0)),
        ("RDP: 8, 1.5", RenyiDP(8.0, 1.5)),
        ("tv:0.1", ApproximateDP(0.0, 0.1)),
        ("dp:1", PureDP(1.0)),
        ("dp:1,1e-6", ApproximateDP(1.0, 1e-6)),
    ],
)
def test_a_claim_is_read(text, promise):
    assert read_promise(text) == promise


@pytest.mark.parametrize(
    "text",
    ["", "zcdp", "zcdp:", "zcdp:x", "zcdp:1,2", "rdp:2", "xdp:1", "gdp:-1", "tv:1", "rdp:1,1"],
)
def test_what_is_no_claim_is_refused(text):
    with pytest.raises(UsageError, match="promise "):
        read_promise(text)


@pytest.fixture(scope="module")
def found():
    """Audits of a violated zCDP claim, a Gaussian one that holds, and a curve without formula."""
    given = {"pair": (0.0, 1.0), "samples": 60_000, "isolate": False}
    claims = (ConcentratedDP(0.35), GaussianDP(1.0), PrivacyCurve(GaussianDP(1.0).delta, "own"))
    return [audit(gaussian, promise=claim, **given) for claim in claims]


def test_a_result_says_it_in_the_claims_own_words(found):
    violated, held, _ = found
    assert violated.verdict is Verdict.VIOLATION
    assert sentences.claim(violated) == "0.35-zCDP"
    assert sentences.limit(violated).startswith("ρ ≥ 0.4")
    assert "cells of the rule’s score" in sentences.compared(violated, violated.explained_pair)
    assert sentences.limit(held).startswith("μ ≥ 0.9")
    assert claimed(held) == (1.0, 0.0)


def test_a_result_written_and_read_is_the_same(found):
    for result in found:
        pair = result.explained_pair
        again = build(type(pair.method), json.loads(json.dumps(plain(pair.method))), "bound")
        assert again == pair.method
        assert build(type(result.curve), plain(result.curve), "curve") == result.curve


def test_what_follows_is_computed_again_and_what_was_changed_is_found(found):
    for result in found:
        pair, promise = result.explained_pair, result.curve.promise()
        assert list(curve_differences(pair, promise)) == []
        assert list(point_differences(result)) == []
        assert pair_verdict(pair, result) is pair.verdict
        higher = replace(pair, parameter_lower=pair.parameter_lower + 0.01)
        assert "parameter_lower" in next(curve_differences(higher, promise))
        moved = replace(pair, method=replace(pair.method, delta=pair.method.delta / 2))
        assert any("point tested" in one for one in curve_differences(moved, promise))
        assert list(point_differences(replace(result, epsilon=9.0)))


def test_a_ladder_of_another_alpha_or_of_other_counts_is_found(found):
    pair, promise = found[0].explained_pair, found[0].curve.promise()
    ladder = pair.method.ladder
    richer = replace(pair.method, ladder=replace(ladder, alpha=2 * ladder.alpha))
    assert any(
        "its alpha" in one for one in curve_differences(replace(pair, method=richer), promise)
    )
    cells = (pair.counts.cells[0] + 1, *pair.counts.cells[1:])
    more = replace(pair, counts=replace(pair.counts, cells=cells))
    assert any("cells" in one for one in curve_differences(more, promise))


def test_limits_on_the_whole_curve_that_do_not_follow_are_found(found):
    for result in found:
        written = result_to_json(result)
        limits = result.trade_off
        assert list(_derived_of_curves(written, result_to_json(result))) == []
        (pair,) = written["pairs"]
        assert pair["trade_off"]["mu_lower"] == limits.mu_lower
        assert pair["trade_off"]["epsilon_lower"][2] == [1e-3, limits.epsilon_lower(1e-3)]
        assert build(type(result), json.loads(json.dumps(written)), "audit").trade_off == limits
        for key, value in pair["trade_off"].items():
            other = [*value[:-1], [0.5, 0.5]] if isinstance(value, list) else value / 2
            changed = {"pairs": [{**pair, "trade_off": {**pair["trade_off"], key: other}}]}
            (said,) = _derived_of_curves(changed, written)
            assert said.startswith(key)
        without = {"pairs": [{k: v for k, v in pair.items() if k != "trade_off"}]}
        for old, new in ((without, written), (written, without)):
            assert "all planned trials" in next(_derived_of_curves(old, new))
        cells = (limits.d[0] + 1, *result.counts.cells[1:])
        more = replace(result.explained_pair, counts=replace(result.counts, cells=cells))
        said = curve_differences(more, result.curve.promise())
        assert any(one.startswith("cells") for one in said)


def test_the_page_draws_the_whole_curve(found):
    for result in found:
        pair = result.explained_pair
        drawn = tradeoff(result, pair, 3)
        assert drawn.count('class="between"') == drawn.count('class="limit"') == 1
        assert "The whole curve: some test misses at most" in drawn
        without = tradeoff(result, replace(pair, planned_trials=pair.planned_trials + 1), 3)
        assert "between" not in without
        assert "The whole curve" not in without
        said = sentences.whole_curve(pair)
        assert said.startswith("ε ≥ ")
        assert "hold together with 95 % confidence" in said
        assert sentences.whole_curve(replace(pair, planned_trials=pair.planned_trials + 1)) == ""


def drawn_at(corners, x, y, at):
    """Return the height of a drawn curve at one place, from its corners on the page."""
    places = _within(corners, x, y)
    return float(np.interp(at, *zip(*places, strict=True)))


@pytest.mark.parametrize(("size", "top"), [(1.0, False), (0.2, True), (0.2, False), (0.01, True)])
def test_a_corner_of_the_square_shows_the_curve_that_lies_in_it(found, size, top):
    limits = found[1].explained_pair.trade_off
    x, y = horizontal(0, size), vertical(1 - size, 1) if top else vertical(0, size)
    for corners in (limits.most, limits.least):
        for step in range(21):
            wrong = size * step / 20
            shown = drawn_at(corners, x, y, x.place(wrong))
            # Places are rounded to a tenth of a unit, which matters where the curve is steep.
            near = [value_at(corners, max(wrong + move, 0.0)) for move in (-size / 250, size / 250)]
            low, high = (y.place(value) for value in near)
            assert high - 0.2 <= shown <= low + 0.2 or low - 0.2 <= shown <= high + 0.2


def test_the_page_draws_the_claims_own_curve(found):
    for result in found:
        points = claimed_points(result)
        assert len(points) > 5
        for wrong in (0.01, 0.2, 0.5):
            # No test is better than the claim allows, and that of the Gaussian is on its curve.
            assert 0 <= least_by_claim(wrong, points) <= 1 - wrong
        assert tradeoff(result, result.explained_pair, 3) is not None
    gdp = claimed_points(found[1])
    # Φ(Φ⁻¹(1 − x) − μ) at x = 0.2 and μ = 1.
    assert least_by_claim(0.2, gdp) == pytest.approx(0.4371, abs=2e-3)
