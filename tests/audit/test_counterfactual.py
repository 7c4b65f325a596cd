"""Counterfactual replays: what they find, where they are silent, what they say they cannot see."""

import math
import random

import numpy as np
import pytest

from benchmarks.replay_programs import BROKEN, SOUND
from provado.audit import replay
from provado.audit.experiments.replay import FindingKind
from provado.audit.experiments.replay.record import noisy_values
from provado.mechanisms import (
    ConcentratedDP,
    GaussianDP,
    Mechanism,
    PureDP,
    ReplaceOne,
    Source,
    UsageError,
    Verdict,
)
from tests.audit import replayed_programs as programs

ONE_MORE = ([0.2, 0.5, 0.7], [0.2, 0.5, 0.7, 1.0])
ANSWERS = ([0.0, 1.0, 2.0, 0.0], [1.0, 2.0, 1.0, 1.0])
BIT = (0, 1)


def replayed(run, pair=ONE_MORE, epsilon=1.0, seed=0, **more):
    return replay(run, pair=pair, epsilon=epsilon, seed=seed, isolate=False, **more)


def kinds(found):
    return [one.kind for one in found.findings]


@pytest.mark.parametrize("program", BROKEN, ids=lambda one: one.name)
@pytest.mark.parametrize("seed", [0, 1])
def test_a_fault_is_found_on_its_line(program, seed):
    found = replay(program.run, pair=program.pair, seed=seed, **program.claim)
    assert [(one.kind in program.kinds, one.line) for one in found.findings] == [
        (True, program.line)
    ]
    assert not program.line or found.findings[0].file.endswith("replay_programs.py")


@pytest.mark.parametrize("program", SOUND, ids=lambda one: one.name)
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))]
)
def test_a_sound_program_is_left_alone(program, seed):
    found = replay(program.run, pair=program.pair, seed=seed, **program.claim)
    assert found.completed
    assert found.findings == ()
    assert found.pairs[0].notes == ()


@pytest.mark.parametrize(
    ("run", "pair", "cost"),
    [
        (programs.legacy, ONE_MORE, 1.0),
        (programs.legacy_with_location, ONE_MORE, 1.0),
        (programs.own_generator, ONE_MORE, 1.0),
        (programs.global_generator, ONE_MORE, 1.0),
        (programs.with_default, ONE_MORE, 1.0),
        (programs.closure(), ONE_MORE, 1.0),
        (programs.GeneratorSet(), ONE_MORE, 1.0),
        (programs.legacy_state, ONE_MORE, 1.0),
        (programs.of_python, ONE_MORE, 1.0),
        (programs.rounded, ONE_MORE, 1.0),
        (programs.clipped, ONE_MORE, 1.0),
        (programs.in_place, ONE_MORE, 1.0),
        (programs.assigned, ONE_MORE, 1.0),
        (programs.geometric, ONE_MORE, 1.0),
        (programs.geometric_array, ONE_MORE, 1.0),
        (programs.series, ONE_MORE, 1.0),
        (programs.ratio_of_noisy, ONE_MORE, 1.0),
        (programs.marked, ONE_MORE, 1.0),
        (programs.converted, ONE_MORE, 1.0),
        (programs.converted_last, ONE_MORE, 1.0),
        (programs.as_text, ONE_MORE, 1.0),
        (programs.as_json, ONE_MORE, 1.0),
        (programs.chosen, ONE_MORE, None),
        (programs.chosen_of_python, ONE_MORE, None),
        (programs.noisy_max_exponential, ANSWERS, None),
        (programs.noisy_max_sorted, ANSWERS, None),
        (programs.noisy_max_array, ANSWERS, None),
        (programs.responded, BIT, 1.0),
    ],
    ids=lambda one: getattr(one, "__name__", None),
)
@pytest.mark.parametrize("seeds", [(0,), pytest.param((1, 2), marks=pytest.mark.slow)])
def test_every_way_to_draw_is_followed(run, pair, cost, seeds):
    for seed in seeds:
        found = replayed(run, pair, seed=seed, epsilon=1.0 + 1e-5)
        assert found.findings == ()
        assert found.pairs[0].notes == ()
        spent = found.pairs[0].epsilon
        assert spent == pytest.approx(cost, abs=1e-5) if cost else 0 < spent <= 1.0001
    halved = replayed(run, pair, epsilon=0.1)
    assert halved.findings[0].kind in (FindingKind.SENSITIVITY, FindingKind.BUDGET)


@pytest.mark.parametrize(
    "run",
    [
        programs.seed_drawn_by_the_system,
        programs.seed_of_bytes,
        programs.seed_of_the_clock,
        programs.seed_drawn_by_a_generator,
        programs.seed_of_a_spawned_sequence,
        programs.fixed_seed_beside_the_noise,
    ],
    ids=lambda one: one.__name__,
)
def test_a_seed_that_is_drawn_and_one_that_protects_nothing_are_no_findings(run):
    assert replayed(run).findings == ()


@pytest.mark.parametrize(
    ("run", "pair", "kind"),
    [
        (programs.marked_too_sensitive, ONE_MORE, FindingKind.SENSITIVITY),
        (programs.noisy_max_too_small, ANSWERS, FindingKind.SENSITIVITY),
        (programs.noisy_max_with_value, ANSWERS, FindingKind.SENSITIVITY),
        (programs.responded_too_truly, BIT, FindingKind.SENSITIVITY),
        (programs.responded_surely, BIT, FindingKind.SENSITIVITY),
        (programs.chosen_surely, BIT, FindingKind.SENSITIVITY),
        (programs.sparse_vector_unlimited, ([0.0] * 8, [1.0, -1.0] * 4), FindingKind.BUDGET),
        (programs.reused, ONE_MORE, FindingKind.REUSED),
        (programs.one_sided, ONE_MORE, FindingKind.OUTPUT),
        (programs.seeded, ONE_MORE, FindingKind.SEED),
        (programs.fixed_seed, ONE_MORE, FindingKind.SEED),
        (programs.fixed_seed_of_numpy, ONE_MORE, FindingKind.SEED),
        (programs.fixed_seed_of_python, ONE_MORE, FindingKind.SEED),
        (programs.fixed_seed_of_an_object, ONE_MORE, FindingKind.SEED),
        (programs.added_after_rounding, ONE_MORE, FindingKind.OUTPUT),
        (programs.beside_the_noise, ONE_MORE, FindingKind.OUTPUT),
        (programs.raises, ONE_MORE, FindingKind.EXCEPTION),
        (programs.without_noise_where_many, ONE_MORE, FindingKind.DRAWS),
    ],
    ids=lambda one: getattr(one, "__name__", None),
)
def test_a_fault_has_its_name(run, pair, kind):
    found = replayed(run, pair)
    assert kind in kinds(found)
    assert all(one.words and one.event for one in found.findings)


@pytest.mark.parametrize(
    ("run", "pair", "said"),
    [
        (programs.handmade, ONE_MORE, "computed by hand"),
        (programs.handmade_array, ONE_MORE, "computed by hand"),
        (programs.by_percent, ONE_MORE, "not followed to an output"),
        (programs.added_in_a_table, ONE_MORE, "and another under other noise"),
        (programs.padded, ONE_MORE, "not followed to an output"),
        (programs.student, ONE_MORE, "cost of such noise is not known"),
        (programs.responded_by_coin, BIT, "by a coin whether to tell the truth"),
    ],
    ids=lambda one: getattr(one, "__name__", None),
)
def test_what_is_not_seen_is_said_and_accuses_nobody(run, pair, said):
    found = replayed(run, pair)
    assert found.findings == ()
    assert said in " ".join(found.pairs[0].notes)
    assert math.isnan(found.pairs[0].epsilon)
    assert not found.completed


def test_what_a_coin_may_make_cheaper_is_no_finding():
    fine = replayed(programs.shuffled)
    assert fine.findings == ()
    assert "Generator.shuffle is a plain draw" in fine.pairs[0].notes[0]
    dear = replayed(programs.shuffled, epsilon=0.5)
    assert dear.findings == ()
    assert "costs ε = 1 alone" in dear.pairs[0].notes[0]
    assert "Generator.shuffle" in dear.pairs[0].notes[0]


def _picks(data, rng):
    return data[int(rng.choice(3, p=[0.5, 0.25, 0.25]))]


def _weighs(data, rng):
    weights = np.exp(np.array([data.count(0), data.count(1)]) / 2)
    return int(rng.choice(2, p=weights / weights.sum()))


COINS = {
    "integers": lambda rng: rng.integers(2),
    "choice": lambda rng: rng.choice([0, 1]),
    "choice of many": lambda rng: rng.choice(2, size=3)[0],
    "binomial": lambda rng: rng.binomial(1, 0.5),
    "poisson": lambda rng: rng.poisson(1) > 0,
    "permutation": lambda rng: rng.permutation(2)[0],
    "bytes": lambda rng: rng.bytes(1)[0] & 1,
    "random.randint": lambda _: random.randint(0, 1),
    "random.choice": lambda _: random.choice([0, 1]),
    "random.sample": lambda _: random.sample([0, 1], 1)[0],
    "random.getrandbits": lambda _: random.getrandbits(1),
    "a comparison": lambda rng: rng.random() < 0.5,
}


@pytest.mark.parametrize("coin", COINS)
@pytest.mark.parametrize("seed", range(3))
def test_a_coin_by_which_a_program_leaks_is_never_an_all_clear_on_either_side(coin, seed):
    def leaks(data, rng):
        return sum(data) if COINS[coin](rng) else 0

    of = replayed(leaks, ([0, 1], [1, 1]), seed=seed)
    assert of.findings == ()
    assert not of.completed
    assert math.isnan(of.pairs[0].epsilon)


def test_a_choice_by_weights_that_are_charged_is_no_plain_draw():
    of = replayed(_weighs, ([0, 1, 0], [1, 1, 0]))
    assert (of.findings, of.pairs[0].notes) == ((), ())
    for seed in range(4):
        assert not replayed(_picks, ([0, 1, 0], [0, 0, 0]), seed=seed).completed


def test_of_whole_arrays_compared_only_what_the_output_tells_is_judged():
    def all_told(answers, rng):
        return np.array(answers) + rng.laplace(scale=2.0, size=len(answers)) > 0.0

    def first_told(answers, rng):
        return int(np.argmax(all_told(answers, rng)))

    asked = ([0.0] * 6, [1.0] * 6)
    above = int(np.sum(all_told(asked[0], np.random.default_rng(0))))
    # Those below 0 must stay there under D′, those above it under D.
    assert replayed(all_told, asked).pairs[0].epsilon == max(above, 6 - above) / 2
    told = replayed(first_told, asked)
    assert told.findings == ()
    assert "whole arrays of noisy numbers are compared" in told.pairs[0].notes[0]


def test_of_a_function_by_elements_only_the_elements_in_the_output_are_released():
    def some(answers, rng):
        noisy = np.round(np.array(answers) + rng.laplace(scale=2.0, size=len(answers)), 1)
        return noisy[:2]

    found = replayed(some, ([0.0] * 6, [1.0] * 6))
    assert found.findings == ()
    assert found.pairs[0].epsilon == 1.0


@pytest.mark.parametrize("seed", range(12))
def test_a_sparse_vector_that_noises_the_threshold_alone_costs_nothing_only_where_it_can(seed):
    # Neighbors that move in both directions ask for shifts of one noise in both: none is enough.
    found = replayed(programs.sparse_vector_many, ([1.0, 1.0], [2.0, 0.0]), seed=seed)
    told = [one.kind for one in found.findings]
    answers = programs.sparse_vector_many([1.0, 1.0], np.random.Generator(np.random.PCG64(seed)))
    assert answers in ([True, True], [False, False])
    assert told == []
    parted = replayed(programs.sparse_vector_many, ([2.0, 1.5], [1.5, 2.0]), seed=seed)
    frozen = programs.sparse_vector_many([2.0, 1.5], np.random.Generator(np.random.PCG64(seed)))
    assert kinds(parted) == ([FindingKind.REUSED] if frozen == [True, False] else [])


def test_runs_of_one_seed_take_the_frozen_branch():
    taken = []

    def branches(data, rng):
        above = len(data) + rng.laplace(scale=1) > 3.5
        taken.append(above)
        return above

    for seed in range(10):
        replayed(branches, seed=seed)
    # The third run is made under another seed, which must be another branch somewhere.
    assert len(taken) == 40
    assert taken[::4] == taken[1::4] == taken[3::4] != taken[2::4]
    assert {True, False} == set(taken)


def test_control_flow_parts_where_it_does():
    def steps(data, rng):
        total = 0
        for _ in data:
            total += 1
        return total + rng.laplace()

    (pair,) = replayed(steps).pairs
    first = steps.__code__.co_firstlineno
    assert pair.divergence.after.line == first + 2
    assert (pair.divergence.d.line, pair.divergence.d_prime.line) == (first + 4, first + 3)
    assert pair.divergence.noise_before == 0
    assert pair.findings == ()
    assert replayed(programs.legacy).pairs[0].divergence is None


def test_calls_stand_in_order_with_their_inputs():
    def two(data, rng):
        first = rng.laplace(scale=2) + len(data)
        return first, np.sum(data) * 2 + rng.normal(scale=[3.0])

    (pair,) = replayed(two).pairs
    one, other = pair.calls
    assert (one.name, one.scale, one.input_d, one.input_d_prime) == (
        *("Generator.laplace", 2.0),
        *("3", "4"),
    )
    assert (one.input_distance, one.cost) == (1.0, 0.5)
    assert (other.name, other.scale, other.input_distance) == ("Generator.normal", 3.0, 2.0)
    assert other.line == one.line + 1 == two.__code__.co_firstlineno + 2
    assert pair.deviations == pytest.approx(2 / 3)


def test_a_mechanism_that_hangs_or_ends_its_process_is_an_answer():
    hung = replay(programs.never_answers, pair=ONE_MORE, epsilon=1, time_limit=2)
    assert kinds(hung) == [FindingKind.HANG]
    both = replay(programs.never_answers, pair=(ONE_MORE[1], ONE_MORE[1]), time_limit=1)
    assert both.findings == ()
    assert both.pairs[0].reason.startswith("under D: no answer within 1 s")
    ended = replay(programs.exits, pair=ONE_MORE, epsilon=1)
    assert kinds(ended) == [FindingKind.EXCEPTION]
    raised = replayed(programs.raises, (ONE_MORE[1], ONE_MORE[1]))
    assert "ValueError" in raised.pairs[0].reason
    assert not raised.completed


def test_a_finding_hands_its_pair_to_the_auditor():
    found = replayed(programs.beside_the_noise)
    result = found.findings[0].audit(samples=4000)
    assert result.verdict is Verdict.VIOLATION
    assert found.findings[0].cost == math.inf


def test_claims_of_other_kinds():
    def gaussian(data, rng):
        return len(data) + rng.normal(scale=1.0)

    def asked(**claim):
        return kinds(replay(gaussian, pair=ONE_MORE, isolate=False, **claim))

    assert asked(promise=ConcentratedDP(0.5)) == asked(promise=GaussianDP(1.0)) == []
    assert asked(promise=ConcentratedDP(0.49)) == asked(promise=GaussianDP(0.99)) == ["budget"]
    exact = GaussianDP(1.0).delta(1.0)
    assert asked(epsilon=1.0, delta=1.001 * exact) == []
    assert asked(epsilon=1.0, delta=0.999 * exact) == asked(epsilon=50.0) == ["budget"]
    assert asked() == []


def test_a_mechanism_brings_claim_pairs_and_batches():
    def batched(data, *, size, rng):
        return np.sum(data) + rng.laplace(scale=0.5, size=size)

    stated = Mechanism(
        name="example/sum",
        run=batched,
        promise=PureDP(1.0),
        relation=ReplaceOne(),
        pairs=(((0, 1), (1, 1)),),
        source=Source("An example", "here"),
    )
    found = replay(stated, isolate=False)
    assert (found.name, found.promise, found.relation) == ("example/sum", "1-DP", "replace-one")
    assert found.pairs[0].epsilon == 2
    assert kinds(found) == [FindingKind.SENSITIVITY]


def test_neighbors_are_made_of_data():
    def ages(data, rng):
        return float(np.clip(data, 0, 1).sum()) + rng.laplace(scale=1)

    found = replay(
        ages,
        data=np.array([0.2, 0.5]),
        domain=(0.0, 1.0),
        relation="add-or-remove-one",
        epsilon=1,
        isolate=False,
    )
    assert len(found.pairs) == 6
    assert found.findings == ()


def test_neighbors_made_of_data_go_beyond_it():
    def unclipped(data, rng):
        return float(np.sum(data)) + rng.laplace(scale=1)

    data = np.array([0.2, 0.5])
    found = replay(unclipped, data=data, relation="add-or-remove-one", epsilon=1, isolate=False)
    assert [bool(pair.findings) for pair in found.pairs].count(True) == 2
    assert found.findings[0].cost == 1e6
    assert found.findings[0].claim.pair[1].tolist() == [0.2, 0.5, 1e6]


def test_everything_is_put_back():
    places = (
        *[(np.random, name) for name in ("laplace", "default_rng", "RandomState", "Generator")],
        *((random, "gauss"), (random.Random, "gauss"), (np, "array"), (math, "log")),
        *((programs, "of_numpy"), (programs, "choices"), (programs, "GENERATOR")),
    )
    before = [getattr(owner, name) for owner, name in places]
    state, numpy_state = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    replayed(programs.global_generator)
    replayed(programs.raises)
    assert [getattr(owner, name) for owner, name in places] == before
    assert random.getstate() == state
    assert np.random.get_state()[1].tolist() == numpy_state  # noqa: NPY002
    assert isinstance(np.random.default_rng(0).laplace(), float)
    assert type(programs.protect(1.0, scale=1.0)) is float


def test_the_same_seed_replays_the_same():
    one, other = (replayed(programs.noisy_max_array, ANSWERS, seed=5) for _ in range(2))
    assert one.pairs[0].calls == other.pairs[0].calls


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"pair": None}, "pair is missing"),
        ({"epsilon": -1.0}, "epsilon"),
        ({"epsilon": None, "delta": 0.1}, "delta is given without epsilon"),
        ({"time_limit": 0}, "time_limit"),
        ({"data": [1.0]}, "give one"),
        ({"domain": (0, 1)}, "without data"),
        ({"relation": "replace-one"}, "replace-one"),
        ({"seed": -1}, "seed"),
    ],
)
def test_a_wrong_argument_is_refused(asked, said):
    given = {"pair": ONE_MORE, "epsilon": 1.0, **asked}
    with pytest.raises(UsageError, match=said):
        replay(programs.legacy, **given)


def test_marks_are_checked():
    from provado.audit import noise

    with pytest.raises(UsageError, match="family"):
        noise(scale=1.0, family="cauchy")
    with pytest.raises(UsageError, match="no parameter 'width'"):
        noise(scale="width")(programs.legacy)


DRAWN_FROM_A_TABLE = {"pcd/graph"}
"""Whole runs are drawn by their exact chances: other outcomes, other choices, that is their δ."""


@pytest.mark.slow
def test_sound_mechanisms_of_catalogue_and_libraries_are_left_alone():
    from provado.reports.targets.load import select

    sound = [one for _, one in select(True, True, ()) if one.expected is Verdict.NO_VIOLATION]
    assert len(sound) > 70
    accused = {one.name for one in sound if replay(one, pair=list(one.pairs)[:2]).findings}
    assert accused <= DRAWN_FROM_A_TABLE


def test_what_is_raised_only_where_noise_is_followed_is_no_finding(monkeypatch):
    def rounded_as_text(data, rng):
        return (np.array([len(data)]) + rng.laplace(scale=2, size=1)).round(1).tolist()

    def breaks(self, *_, **__):
        raise TypeError("an error of the recording")

    monkeypatch.setattr(noisy_values.NoisyArray, "tolist", breaks)
    found = replay(rounded_as_text, pair=([1], [1, 2]), epsilon=1, isolate=False)
    assert (found.findings, found.completed) == ((), False)
    assert "under D, where it is followed, it raised TypeError" in found.pairs[0].reason
