"""Every sign certificate of the ledger, decided a second time by code that shares none with it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from provado.proofs import kernel
from provado.proofs.kernel import Coefficients, ExpressionSign
from provado.proofs.ledger.entry import ledger
from tests.proofs.formal.signs_by_arb import OpenError, collected, derivative, holds, sign_at
from tests.proofs.planted_certificates import planted
from tests.proofs.sound_certificates import sound

ANY = Coefficients()
LINE = ((-1, 0, 0, 0), (1, 0, 1, 0))
DOUBLE = ((1, 0, 0, 0), (-2, 0, 1, 0), (1, 0, 2, 0))
TOUCHES = ((1, -1, 0, 0), (-1, 0, 1, -1))
EXPONENTIAL = ((1, 0, 0, 1), (-1, 0, 0, 0), (-1, 0, 1, 0))


def signs() -> dict[ExpressionSign, str]:
    """Return the sign certificates in the evidence of all entries, each with its entry."""
    found: dict[ExpressionSign, str] = {}
    for entry in ledger():
        evidence = entry.gather(entry.claim)
        for finding in (*evidence.printed, *evidence.corrected):
            one = getattr(finding, "evidence", None)
            if isinstance(one, ExpressionSign):
                found.setdefault(one, entry.id)
    return found


@pytest.mark.formal
def test_all_of_the_ledger_agree() -> None:
    found = signs()
    assert len(found) >= 60
    assert [place for one, place in found.items() if not holds(one)] == []


@pytest.mark.formal
def test_none_holds_once_its_sign_is_turned() -> None:
    turned = [replace(one, terms=tuple((-c, *t) for c, *t in one.terms)) for one in signs()]
    alive = [one for one in turned if holds(one)]
    # f and -f are both at least 0 where f is 0 throughout.
    assert all(not collected(one.terms) for one in alive)


def test_sound_certificates_hold() -> None:
    found = [one.evidence for one in sound() if isinstance(one.evidence, ExpressionSign)]
    assert len(found) >= 10
    assert all(map(holds, found))


@pytest.mark.parametrize(
    ("terms", "low", "high", "strict", "told"),
    [
        (LINE, 1, None, False, True),
        (LINE, 1, None, True, False),
        (LINE, 0, None, False, False),
        (LINE, 2, 3, True, True),
        (LINE, 0, 1, False, False),
        (DOUBLE, 0, None, False, True),
        (DOUBLE, 0, 2, True, None),
        (TOUCHES, 0, None, False, True),
        (TOUCHES, 2, None, True, True),
        (DOUBLE, 1, None, False, True),
        (EXPONENTIAL, 0, None, False, True),
        (EXPONENTIAL, 0, None, True, False),
        (EXPONENTIAL, -1, 0, False, True),
        (((1, 0, 0, -1), (-1, 0, 3, -1)), 0, None, False, False),
        (((1, 0, 0, 0), (-1, -40, 1, 0)), 0, None, False, False),
        (((1, 0, 0, 0), (-1, -40, 1, 0)), 0, 10**6, True, True),
        ((), 0, None, False, True),
        ((), 0, None, True, False),
    ],
)
def test_signs_that_are_known(
    terms: kernel.Expression, low: int, high: int | None, strict: bool, told: bool | None
) -> None:
    one = ExpressionSign(terms, low, ANY, high, strict)
    if told is None:
        with pytest.raises(OpenError):
            holds(one)
    else:
        assert holds(one) is told


def test_integers_are_tried_one_by_one() -> None:
    # (x - 1)(x - 2): below 0 between two integers.
    terms = ((2, 0, 0, 0), (-3, 0, 1, 0), (1, 0, 2, 0))
    assert not holds(ExpressionSign(terms, 0, ANY))
    assert holds(ExpressionSign(terms, 0, ANY, integers_to=2))
    assert not holds(ExpressionSign(terms, 0, ANY, integers_to=2, strict=True))


def test_a_denominator_must_be_above_zero() -> None:
    assert holds(ExpressionSign(LINE, 1, ANY, denominator=((1, 0, 1, 0),)))
    assert not holds(ExpressionSign(LINE, 1, ANY, denominator=LINE))


def test_zero_is_seen_where_powers_of_e_cancel() -> None:
    f = collected(((1, 1, 0, 0), (-1, 0, 0, 1)))
    assert [sign_at(f, Fraction(x)) for x in (0, 1, 2)] == [1, 0, -1]
    assert derivative(f) == {(Fraction(0), 0, Fraction(1)): Fraction(-1)}


def test_planted_falsehoods_do_not_hold() -> None:
    found = [one for one in planted() if isinstance(one.evidence, ExpressionSign)]
    assert len(found) >= 20
    # Of no number at all anything is true; the kernel refuses to say it.
    assert [one.words for one in found if holds(one.evidence)] == ["−1, at no integer"]
