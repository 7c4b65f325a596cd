"""Every small fault in the kernel is noticed by its tests, but for those that change nothing."""

import pytest

from tests.proofs.kernel_equivalents import EQUIVALENT
from tests.proofs.kernel_mutants import mutants, survives, unchanged


def remembers_less(mutant):
    """Say whether only a cache is gone."""
    return mutant.words.startswith("_members: @cache")


@pytest.mark.slow
def test_there_are_many_and_each_equivalent_is_one_of_them():
    words = [mutant.words for mutant in mutants()]
    assert len(words) > 1_400
    assert EQUIVALENT.keys() <= set(words)


@pytest.mark.slow
def test_all_others_die():
    # Else each would die of something else, memory or a module that is not found.
    assert survives(unchanged())
    left = [m for m in mutants() if m.words not in EQUIVALENT and not remembers_less(m)]
    assert [mutant.words for mutant in left if survives(mutant)] == []
