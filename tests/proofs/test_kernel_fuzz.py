"""Sound certificates with something changed: refused, or still true; never any other exception."""

import dataclasses
import random
from fractions import Fraction

import numpy as np
import pytest

from provado.proofs import kernel
from provado.proofs.kernel import Coefficients, Enclose, KernelRefusal, check
from tests.proofs.kernel_truth import is_plain, is_true
from tests.proofs.planted_certificates import planted
from tests.proofs.sound_certificates import sound

F = Fraction


class LyingInt(int):
    """Below nothing, and equal to all."""

    __hash__ = int.__hash__

    def __lt__(self, other):
        return False

    __gt__ = __le__ = __ge__ = __eq__ = lambda self, other: True


class LyingFraction(Fraction):
    __hash__ = Fraction.__hash__

    def __lt__(self, other):
        return False

    __gt__ = __le__ = __ge__ = __eq__ = lambda self, other: True


class LyingTuple(tuple):
    __slots__ = ()

    def __iter__(self):
        return iter(())


class LyingText(str):
    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other):
        return True


STRANGE = (
    True,
    False,
    None,
    0.5,
    float("nan"),
    float("inf"),
    1j,
    LyingInt(-1),
    LyingFraction(2),
    LyingTuple(((1, 0, 0, 0),)),
    LyingText("sum"),
    np.int64(-1),
    F(np.int64(1), np.int64(2)),
    "≥ 0",
    "count",
    "left",
    b"sum",
    [],
    {},
    (),
    object(),
    Coefficients,
    Enclose(1),
)


TEXTS = (
    *("≥ 0", "> 0", "= 0", "sum", "count", "maximum", "minimum", "left", "right", ""),
    *("replace-one", "add-or-remove-one"),
)


def is_evidence(value):
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


def paths(value, path=()):
    """Yield the way to each part of the evidence."""
    if path:
        yield path
    if is_evidence(value):
        for name, part in vars(value).items():
            yield from paths(part, (*path, name))
    elif type(value) is tuple:
        for i, part in enumerate(value):
            yield from paths(part, (*path, i))


def changed(value, path, change):
    """Return the evidence with ``change`` done to one of its parts."""
    if not path:
        return change(value)
    if is_evidence(value):
        part = changed(getattr(value, path[0]), path[1:], change)
        return dataclasses.replace(value, **{path[0]: part})
    part = changed(value[path[0]], path[1:], change)
    return (*value[: path[0]], part, *value[path[0] + 1 :])


def other(draw, value):
    """Return another value of the same kind, mostly; sometimes anything."""
    if draw.random() < 0.2:
        return draw.choice(STRANGE)
    if type(value) is bool:
        return draw.choice((not value, int(value), None, -1, 2))
    if isinstance(value, int | Fraction):
        return draw.choice(
            (
                value + 1,
                value - 1,
                -value,
                0,
                1,
                value * 2,
                F(value) / 2,
                F(value),
                value + F(1, 999),
            )
        )
    if value is None:
        return draw.choice((0, 1, F(7, 2), -1, (), (3,), (1, 1)))
    if isinstance(value, str):
        return draw.choice((*TEXTS, 1))
    if type(value) is tuple and value:
        i, j = draw.randrange(len(value)), draw.randrange(len(value))
        swapped = list(value)
        swapped[i], swapped[j] = swapped[j], swapped[i]
        return draw.choice(
            (
                tuple(swapped),
                value[:i] + value[i + 1 :],
                (*value, value[i]),
                value[::-1],
                list(value),
            )
        )
    return draw.choice((Coefficients(), Enclose(2), None, (value,), value))


def settle(evidence, reference):
    """Return the rule of the refusal, or "" where the finding is accepted and true."""
    try:
        finding = check(evidence, reference)
    except KernelRefusal as refusal:
        return refusal.rule
    assert is_plain(finding.evidence), evidence
    assert finding.evidence == evidence
    assert is_true(finding, reference), finding.statement
    return ""


def shaken(cases, rounds, seed):
    """Change each case ``rounds`` times, once or twice; return how often each rule refused."""
    draw = random.Random(seed)
    found = []
    for evidence, reference in cases:
        for _ in range(rounds):
            shaken_one = evidence
            for _ in range(draw.choice((1, 1, 2))):
                path = draw.choice(list(paths(shaken_one)))
                shaken_one = changed(shaken_one, path, lambda part: other(draw, part))
            found.append(settle(shaken_one, reference))
    return found


@pytest.mark.parametrize("one", sound(), ids=lambda one: type(one.evidence).__name__)
def test_a_sound_certificate_is_found_so_in_these_words(one):
    finding = check(one.evidence, one.reference)
    assert finding.verdict == one.verdict
    assert finding.statement == one.statement
    assert finding.assumptions == one.assumptions
    assert is_plain(finding.evidence)
    assert is_true(finding, one.reference)


def in_fractions(value):
    if isinstance(value, tuple):
        return tuple(map(in_fractions, value))
    return Fraction(value) if type(value) is int else value


def test_numbers_are_written_as_people_write_them_wherever_they_stand():
    stated = []
    for one in sound():
        for field in dataclasses.fields(one.evidence):
            value = in_fractions(getattr(one.evidence, field.name))
            evidence = dataclasses.replace(one.evidence, **{field.name: value})
            try:
                stated.append(check(evidence, one.reference).statement)
            except KernelRefusal as refused:
                stated.append(str(refused) if refused.rule == "neighbors" else "")
    assert sum(map(bool, stated)) > 400
    assert not any("Fraction(" in statement for statement in stated)


def test_what_is_changed_in_a_sound_certificate_is_refused_or_true():
    found = shaken([(one.evidence, one.reference) for one in sound()], 12, 0)
    # Both must be reached often, or nothing was tested.
    assert found.count("") > 100
    assert len(found) - found.count("") > 500
    assert len(set(found)) > 15


def test_what_is_changed_in_a_false_certificate_is_refused_or_true():
    cases = [(one.evidence, one.reference) for one in planted() if is_plain(one.evidence)]
    found = shaken(cases, 10, 1)
    assert found.count("") > 30
    assert len(found) - found.count("") > 1000


def test_the_independent_check_sees_that_planted_certificates_are_false():
    # Otherwise it could call anything true.
    class Believed:
        def __init__(self, evidence):
            self.evidence = evidence

    seen = 0
    for one in planted():
        try:
            if is_plain(one.evidence):
                seen += not is_true(Believed(one.evidence), one.reference)
        except Exception:
            continue
    assert seen > 120


@pytest.mark.slow
def test_what_is_changed_in_the_ledgers_own_certificates_is_refused_or_true(monkeypatch):
    from provado.proofs.ledger import decide, ledger

    gathered = {}

    def noting(kind):
        rule, decide_one = kernel._RULES[kind]

        def decided(evidence, reference):
            found = decide_one(evidence, reference)
            if len(repr(evidence)) < 4000:
                gathered[repr(evidence)] = evidence, reference
            return found

        return rule, decided

    with monkeypatch.context() as patch:
        for kind in tuple(kernel._RULES):
            patch.setitem(kernel._RULES, kind, noting(kind))
        for entry in ledger():
            decide(entry)
    # Programs alone, which are proved elsewhere, have linear consequences.
    unused = {kernel.LinearConsequence}
    assert {type(one) for one, _ in gathered.values()} == kernel._RULES.keys() - unused
    for evidence, reference in gathered.values():
        assert settle(evidence, reference) == ""
    found = shaken(gathered.values(), 15, 2)
    assert found.count("") > 500
    assert len(found) - found.count("") > 1000
