"""The search of the worst pair: what it finds, what it costs, and that it accuses nobody."""

import importlib

import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st

from benchmarks.field_programs import field_programs
from provado.audit import audit
from provado.audit.events.cause import CauseKind
from provado.mechanisms import AddOrRemoveOne, BoundedAnswers, UsageError, Verdict

SAMPLES = 8000
IDEAL = {"epsilon": 1.0, "samples": SAMPLES, "arithmetic": "ideal"}


def clipped(data, size, rng):
    return np.clip(np.asarray(data, dtype=float), 0, 1).sum() + rng.laplace(0, 1, size)


def clipped_above(data, size, rng):
    """Lets a record far below move the sum as far as it likes."""
    return np.minimum(np.asarray(data, dtype=float), 1).sum() + rng.laplace(0, 1, size)


def largest_leaks(data, size, rng):
    """Leaks only where two records lie above a threshold."""
    big = sum(x > 0.99 for x in data) >= 2
    return np.asarray(data).size + rng.laplace(0, 0.2 if big else 2.0, size)


def test_a_clipping_forgotten_on_one_side_is_found_without_a_pair():
    result = audit(clipped_above, **IDEAL, data=[0.2, 0.4, 0.7], relation="add-or-remove-one")
    assert result.verdict is Verdict.VIOLATION
    assert result.searched.outside
    assert result.searched.inferred
    assert result.pairs[0].cause.kind is CauseKind.SHIFT


@pytest.mark.parametrize(
    ("relation", "kind"),
    [
        ("add-or-remove-one", list),
        ("add-or-remove-one", np.array),
        ("replace-one", tuple),
        pytest.param("add-or-remove-one", tuple, marks=pytest.mark.slow),
        pytest.param("replace-one", list, marks=pytest.mark.slow),
        pytest.param("replace-one", np.array, marks=pytest.mark.slow),
    ],
)
def test_a_sound_sum_is_not_accused_and_its_bound_is_near_the_truth(relation, kind):
    data = kind([0.2, 0.4, 0.7])
    result = audit(clipped, **IDEAL, data=data, relation=relation, domain=(0, 1))
    assert result.verdict is Verdict.NO_VIOLATION
    assert result.epsilon_lower > 0.8
    assert not result.searched.outside
    assert result.searched.runs <= SAMPLES


def test_the_dataset_is_shrunk_to_what_it_takes():
    data = np.linspace(0.1, 0.9, 60).tolist()
    result = audit(largest_leaks, **IDEAL, data=data, relation=AddOrRemoveOne(), domain=(0, 1))
    assert result.verdict is Verdict.VIOLATION
    assert result.witness.d.count(",") <= 4


def test_patterns_of_answers_are_tried():
    def maximum(answers, size, rng):
        noisy = np.asarray(answers, dtype=float)[None, :] + rng.laplace(0, 2, (size, len(answers)))
        return noisy.max(axis=1)

    more = IDEAL | {"epsilon": 0.5}
    result = audit(maximum, **more, data=[1.0] * 5, relation=BoundedAnswers(1.0))
    assert result.verdict is Verdict.VIOLATION
    assert result.searched.pairs > 10


def test_frames_strategies_and_mappings_are_domains():
    def groups(frame, size, rng):
        return [f"{len(set(frame['city']))}" for _ in range(size)]

    frame = pd.DataFrame({"city": ["rome", "oslo", "rome"], "age": [1.0, 2.0, 3.0]})
    for domain in (None, {"age": (0, 5)}, {"city": st.sampled_from(["rome", "oslo", "bonn"])}):
        result = audit(
            groups, epsilon=1.0, samples=2000, data=frame, relation="add-or-remove-one",
            domain=domain,
        )  # fmt: skip
        assert result.verdict is Verdict.VIOLATION
        assert result.pairs[0].cause.kind is CauseKind.NO_NOISE


def test_a_search_replays_by_its_seed():
    given = IDEAL | {"samples": 3000, "data": [0.2, 0.4], "relation": "replace-one", "seed": 5}
    one, two = (audit(clipped_above, **given) for _ in range(2))
    assert one.pairs == two.pairs
    assert one.searched == two.searched


def test_a_search_does_not_depend_on_what_is_loaded(tmp_path, monkeypatch):
    data, domain = [0.2, 0.4], st.floats(0, 1e6)
    given = IDEAL | {"samples": 3000, "data": data, "domain": domain, "seed": 5}
    given |= {"relation": "replace-one"}
    before = audit(clipped_above, **given)
    # Hypothesis takes constants from modules outside of tests and site-packages.
    numbers = ", ".join(f"{1000 + i / 7}" for i in range(500))
    (tmp_path / "loaded_in_between.py").write_text(f"NUMBERS = [{numbers}]\n")
    monkeypatch.syspath_prepend(tmp_path)
    with monkeypatch.context() as changed:
        changed.setattr("hypothesis.internal.constants_ast.is_local_module_file", lambda _: True)
        changed.setattr(
            "hypothesis.internal.conjecture.providers.is_local_module_file", lambda _: True
        )
        importlib.import_module("loaded_in_between")
        after = audit(clipped_above, **given)
    assert before.pairs == after.pairs
    assert before.searched == after.searched


def test_what_always_raises_is_unknown():
    def broken(data, size, rng):
        raise KeyError("age")

    result = audit(broken, **IDEAL, data=[0.2, 0.4], relation="replace-one")
    assert result.verdict is Verdict.UNKNOWN
    assert "KeyError" in result.reason


def test_a_pair_and_data_exclude_each_other():
    with pytest.raises(UsageError, match="pair and data"):
        audit(clipped, epsilon=1.0, pair=([1], [0]), data=[1], relation="replace-one")
    with pytest.raises(UsageError, match="domain is given without data"):
        audit(clipped, epsilon=1.0, pair=([1], [0]), domain=(0, 1))


@pytest.mark.slow
@pytest.mark.parametrize("samples", [300, 3000])
def test_a_searched_pair_costs_no_level(samples):
    """Exactly tight mechanisms: every accusation is chance, at most 5 % and three deviations."""

    def answer(data, size, rng):
        bit = int(np.sum(np.asarray(data)) > 1)
        truthful = rng.random(size) < np.e / (1 + np.e)
        return np.where(truthful, bit, 1 - bit)

    given = {"data": [0, 1, 1], "relation": "replace-one", "domain": [0, 1], "samples": samples}
    accused = sum(
        audit(answer, epsilon=1.0, seed=seed, isolate=False, **given).verdict is Verdict.VIOLATION
        for seed in range(600)
    )
    assert accused <= 600 * 0.05 + 3 * np.sqrt(600 * 0.05 * 0.95)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_an_event_as_rare_as_delta_is_not_lost_among_pairs_that_use_up_their_epsilon(
    seed: int,
) -> None:
    rows = {one.name: one for one in field_programs()}
    row = rows["partitions, a threshold lower by one"]
    result = audit(row.broken, seed=seed, arithmetic="ideal", name="partitions", **row.given)
    assert result.verdict is Verdict.VIOLATION
    assert result.epsilon_lower > 3
