"""None of two hundred and eighty false certificates, twenty of each rule, is accepted."""

from collections import Counter

import pytest

from provado.proofs import kernel
from tests.proofs.planted_certificates import planted


@pytest.mark.parametrize("one", planted(), ids=lambda one: f"{one.rule}: {one.words}")
def test_a_false_certificate_is_refused(one):
    with pytest.raises(kernel.KernelRefusal) as refusal:
        kernel.check(one.evidence, one.reference)
    # By a check, not by a crash.
    assert refusal.value.rule != "malformed"


def test_there_are_twenty_of_each_rule_each_for_a_reason_of_its_own():
    found = planted()
    rules = {rule for rule, _ in kernel._RULES.values()}
    assert Counter(one.rule for one in found) == dict.fromkeys(rules, 20)
    assert all(kernel._RULES[type(one.evidence)][0] == one.rule for one in found)
    assert len({(one.rule, one.words) for one in found}) == len(found)
    assert len({(one.rule, repr(one.evidence), id(one.reference)) for one in found}) == len(found)


def test_a_repeated_event_is_refused_by_the_rule_that_it_breaks():
    refused = {}
    for one in planted():
        if one.rule == "repeated":
            with pytest.raises(kernel.KernelRefusal) as refusal:
                kernel.check(one.evidence, one.reference)
            refused.setdefault(refusal.value.rule, []).append(one.words)
    assert {rule: len(words) for rule, words in refused.items()} == {
        "repeated": 6,
        "replay": 5,
        "neighbors": 5,
        "enclosure": 1,
        "probability": 2,
        "reference": 1,
    }
