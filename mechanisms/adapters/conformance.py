"""Cases of the conformance suite: an adapter, an example, and what is known about it.

The suite draws in forked processes and under other global seeds, and compares outputs by two tests,
each at a stated level.

A suite that the author of an adapter runs on it, by pytest, by unittest or by a call.

Each rule that an adapter must keep is a function that raises where one example breaks it.
``AdapterConformance`` is subclassed in a test file::

    class TestMine(AdapterConformance):
        adapter = ADAPTER
        examples = (Example("noisy sum", make=…, accounting=…, pairs=…),)

Tests of distribution are each at level 1e-6. What an example lacks is skipped with the reason.
"""

import contextlib
import copy
import multiprocessing
import pickle
import random
import unittest
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from provado.mechanisms import definitions as dp
from provado.mechanisms.adapters.adapter import Adapter, fault_of, stated_promise
from provado.mechanisms.adapters.plugins import releases_fault
from provado.mechanisms.definitions.relation import record_key, records, short

DRAWS = 4000

Audited = Callable[[dp.Mechanism], bool]
"""An audit from outside: whether it certified a violation."""


class ConformanceError(AssertionError):
    """An adapter breaks a rule; the message says on which example and how."""


class NotApplicableError(Exception):
    """A rule says nothing about this example; the message says what the example lacks."""


@dataclass(frozen=True)
class Example:
    """One kind of object of a library, and what is known about it without the adapter.

    make: ``make(epsilon)`` makes the object that is to cost ε.
    accounting: ``accounting(obj)`` returns what the library itself accounts for the object: (ε, δ)
        or a promise, by a way that is not the adapter's.
    relation, options: passed to ``to_mechanism``.
    epsilons: the parameters at which the promise is compared.
    scales: whether the noise is numeric, continuous and inversely proportional to ε (no rounding
        and no clipping within reach).
    halved: makes the object of ``make(1.0)`` with the same claim and half the noise.
    strangers: two datasets that are no neighbors.
    """

    name: str
    make: Callable[[float], Any]
    accounting: Callable[[Any], tuple[float, float] | dp.PrivacyPromise]
    pairs: Sequence[tuple[dp.Dataset, dp.Dataset]]
    relation: dp.NeighboringRelation | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    epsilons: tuple[float, ...] = (0.5, 1.0, 2.0)
    scales: bool = True
    halved: Callable[[], Any] | None = None
    strangers: tuple[dp.Dataset, dp.Dataset] | None = None


@dataclass(frozen=True)
class ConformanceCase:
    """An adapter, one example, and an auditor where there is one."""

    adapter: Adapter
    example: Example
    audited: Audited | None = None

    def mechanism(self, obj: Any, **changed: Any) -> dp.Mechanism:
        """Return what the adapter makes of ``obj`` on the example's pairs."""
        example = self.example
        arguments = {"pairs": example.pairs, "relation": example.relation, **example.options}
        return self.adapter.to_mechanism(obj, **{**arguments, **changed})

    def draws(self, obj: Any, seed: int, size: int | None = DRAWS) -> dp.Output:
        """Return ``size`` outputs on the first dataset, each batch on a copy of it."""
        data = copy.deepcopy(self.example.pairs[0][0])
        return self.mechanism(obj).run(data, size=size, rng=np.random.default_rng(seed))


def forked(run: Callable[..., dp.Output], data: dp.Dataset) -> tuple[dp.Output, str | None]:
    """Return 64 outputs of a forked process, or None and what went wrong there."""
    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(duplex=False)

    def work() -> None:
        try:
            send.send((run(data, size=64, rng=np.random.default_rng(3)), None))
        except BaseException as error:
            send.send((None, f"{type(error).__name__}: {error}"))

    process = context.Process(target=work)
    process.start()
    # So that a child that dies ends the waiting.
    send.close()
    try:
        output, fault = receive.recv()
    except EOFError:
        output, fault = None, "it died"
    process.join()
    return output, fault


def equal(first: Any, second: Any) -> bool:
    """Return whether two datasets, or two batches of outputs, hold the same in the same order."""
    a, b = ([record_key(each) for each in records(part)] for part in (first, second))
    return a == b


@contextlib.contextmanager
def global_generators() -> Iterator[Callable[[int], None]]:
    """Yield a function that seeds them; put both back as they were."""
    python_state, numpy_state = random.getstate(), np.random.get_state()  # noqa: NPY002

    def seed(number: int) -> None:
        random.seed(number)
        np.random.seed(number)  # noqa: NPY002

    try:
        yield seed
    finally:
        random.setstate(python_state)
        np.random.set_state(numpy_state)  # noqa: NPY002


LEVEL = 1e-6
"""The chance that a test flags a sound adapter."""

LEAST_COUNT = 30
"""Values that are seen more rarely than this are one cell."""


def same_distribution_p_value(first: Any, second: Any) -> float:
    """Return a p-value that two samples of outputs have one distribution.

    Numbers: the two-sample Kolmogorov–Smirnov test, conservative where values tie; for vectors
    the least p-value of a coordinate times their number. Anything else: the chi-square test of a
    table of values. Samples of numbers of different shapes give 0.
    """
    a, b = (_columns(each) for each in (first, second))
    if a is None or b is None:
        return _table_p_value(first, second)
    if a.shape[1] != b.shape[1]:
        return 0.0
    p_values = [
        float(stats.ks_2samp(x, y, method="asymp").pvalue) for x, y in zip(a.T, b.T, strict=True)
    ]
    return min(1.0, min(p_values) * len(p_values))


def dependence_p_value(outputs: Any) -> float:
    """Return a p-value that consecutive outputs are independent.

    Disjoint pairs of neighbors in the batch are tested for rank correlation, at both ways of
    pairing; two p-values, so twice the smaller. Vectors are read at their first coordinate, and
    what is no number by the place of its spelling in alphabetical order.
    """
    columns = _columns(outputs)
    values = _codes(outputs) if columns is None else columns[:, 0]
    p_values = []
    for start in (0, 1):
        tail = values[start : start + (values.size - start) // 2 * 2]
        x, y = tail[0::2], tail[1::2]
        if np.ptp(x) > 0 and np.ptp(y) > 0:
            p_values.append(float(stats.spearmanr(x, y).pvalue))
    return min(1.0, 2 * min(p_values)) if p_values else 1.0


def _columns(outputs: Any) -> NDArray[np.float64] | None:
    try:
        array = np.asarray(outputs)
    except ValueError:
        return None
    if array.dtype.kind not in "biuf" or not array.size:
        return None
    return array.reshape(len(array), -1).astype(np.float64)


def _codes(*samples: Any) -> NDArray[np.int64]:
    keys = [record_key(each) for sample in samples for each in records(sample)]
    # Not by first appearance: of outputs that are all different that is the order of the draws.
    places = {key: place for place, key in enumerate(sorted(set(keys), key=repr))}
    return np.array([places[key] for key in keys], dtype=np.int64)


def _table_p_value(first: Any, second: Any) -> float:
    codes, n = _codes(first, second), len(records(first))
    table = np.stack(
        [np.bincount(part, minlength=codes.max() + 1) for part in (codes[:n], codes[n:])]
    )
    rare = table.sum(axis=0) < LEAST_COUNT
    table = np.column_stack([table[:, ~rare], table[:, rare].sum(axis=1)])
    table = table[:, table.sum(axis=0) > 0]
    return float(stats.chi2_contingency(table).pvalue) if table.shape[1] > 1 else 1.0


# A suite that the author of an adapter runs on it, by pytest, by unittest or by a call.

__all__ = [
    "AdapterConformance",
    "Audited",
    "Check",
    "ConformanceError",
    "Example",
    "NotApplicableError",
    "checks",
]


SINGLES = 500


def _require(kept: bool, words: str) -> None:
    if not kept:
        raise ConformanceError(words)


def keeps_the_protocol(case: ConformanceCase) -> None:
    """Require name and methods, and releases that are named after the adapter."""
    fault = fault_of(case.adapter)
    fault = fault or releases_fault(case.adapter.name, tuple(case.adapter.releases()))
    _require(fault is None, str(fault))


def matches_its_own_objects_only(case: ConformanceCase) -> None:
    """Require that it matches the example's object, and neither its class nor anyone else's."""
    own = case.example.make(1.0)
    _require(bool(case.adapter.matches(own)), f"it does not match {short(own)}")
    for foreign in (None, 3, "text", [1.0], np.zeros(2), object(), len, _require, type(own)):
        _require(not case.adapter.matches(foreign), f"it matches {short(foreign)}")


def promises_what_the_library_accounts(case: ConformanceCase) -> None:
    """Require at each parameter the promise that the library itself accounts for the object."""
    for epsilon in case.example.epsilons:
        obj = case.example.make(epsilon)
        expected = case.example.accounting(obj)
        if isinstance(expected, tuple):
            expected = stated_promise(*expected)
        promise = case.mechanism(obj).promise
        pairs = zip(promise.point(), expected.point(), strict=True)
        close = all(abs(a - b) <= 1e-9 * max(abs(a), abs(b)) for a, b in pairs)
        _require(
            close and type(promise) is type(expected),
            f"made at ε = {epsilon:g} it promises {promise.words()}; the library accounts "
            f"{expected.words()}",
        )


def keeps_the_promise_after_use(case: ConformanceCase) -> None:
    """Require that neither adapting an object nor drawing from it changes what it promises."""
    obj = case.example.make(1.0)
    before = case.mechanism(obj)
    before.run(copy.deepcopy(case.example.pairs[0][0]), size=5, rng=np.random.default_rng(0))
    after = case.mechanism(obj).promise
    _require(
        before.promise == after,
        f"it promised {before.promise.words()}, and after 5 releases {after.words()}",
    )


def draws_half_the_noise_at_twice_the_epsilon(case: ConformanceCase) -> None:
    """Require that noise at ε, halved, has the distribution of noise at 2ε."""
    if not case.example.scales:
        raise NotApplicableError("its noise is not in inverse proportion to ε")
    wide, narrow = (
        np.asarray(case.draws(case.example.make(epsilon), seed), dtype=float)
        for seed, epsilon in enumerate((1.0, 2.0))
    )
    p_value = same_distribution_p_value(
        (wide - np.median(wide, axis=0)) / 2, narrow - np.median(narrow, axis=0)
    )
    _require(p_value > LEVEL, f"halved noise at ε = 1 is not noise at ε = 2 (p = {p_value:.1e})")


def runs_the_object_that_it_was_given(case: ConformanceCase) -> None:
    """Require other outputs of an object with the same claim and half the noise."""
    if case.example.halved is None:
        raise NotApplicableError("it has no copy with half the noise")
    p_value = same_distribution_p_value(
        case.draws(case.example.make(1.0), 0), case.draws(case.example.halved(), 1)
    )
    _require(
        p_value <= LEVEL,
        f"an object with half the noise has the outputs of the sound one (p = {p_value:.1e})",
    )


def replays_by_seed_or_says_that_it_does_not(case: ConformanceCase) -> None:
    """Require all randomness to come from ``rng``, or else ``seedable=False``.

    Without a seed the same ``rng`` must not repeat the outputs: then ``seedable`` would be true.
    The example's outputs must be random enough that 64 of them never repeat by chance.
    """
    obj = case.example.make(1.0)
    seedable = case.mechanism(obj).seedable
    with global_generators() as seed:
        seed(1)
        first = case.draws(obj, 7, 64)
        seed(2)
        second, other = case.draws(obj, 7, 64), case.draws(obj, 8, 64)
    if seedable:
        _require(equal(first, second), "seedable, and the same rng gives other outputs")
        _require(not equal(first, other), "seedable, and another rng gives the same outputs")
    else:
        _require(not equal(first, second), "not seedable, and yet its outputs repeat")


def returns_as_many_as_asked_for(case: ConformanceCase) -> None:
    """Require n outputs along the first axis for ``size=n``, and one without it."""
    obj = case.example.make(1.0)
    one = np.shape(case.draws(obj, 0, None))
    for size in (1, 2, 7):
        batch = case.draws(obj, 0, size)
        _require(len(records(batch)) == size, f"size={size} returned {short(batch)}")
        _require(
            all(np.shape(each) == one for each in batch),
            f"outputs of a batch have not the shape {one} of a single output: {short(batch)}",
        )


def draws_batches_from_the_distribution_of_single_outputs(case: ConformanceCase) -> None:
    """Require that a batch and single calls have one distribution."""
    obj = case.example.make(1.0)
    mechanism, data = case.mechanism(obj), case.example.pairs[0][0]
    rng = np.random.default_rng(1)
    singles = [mechanism.run(copy.deepcopy(data), rng=rng) for _ in range(SINGLES)]
    p_value = same_distribution_p_value(singles, case.draws(obj, 0))
    _require(p_value > LEVEL, f"a batch and single calls differ (p = {p_value:.1e})")


def draws_independent_outputs(case: ConformanceCase) -> None:
    """Require that an output of a batch says nothing about the next."""
    p_value = dependence_p_value(case.draws(case.example.make(1.0), 0))
    _require(p_value > LEVEL, f"an output of a batch depends on the one before (p = {p_value:.1e})")


def leaves_the_data_as_they_are(case: ConformanceCase) -> None:
    """Require that neither adapting nor running changes a dataset."""
    pairs = copy.deepcopy(case.example.pairs)
    mechanism = case.mechanism(case.example.make(1.0), pairs=pairs)
    for data, original in zip(pairs[0], case.example.pairs[0], strict=True):
        for size in (None, 3):
            mechanism.run(data, size=size, rng=np.random.default_rng(0))
        _require(equal(data, original), f"a dataset was {short(original)} and is {short(data)}")


def refuses_pairs_that_are_no_neighbors(case: ConformanceCase) -> None:
    """Require a relation that holds for the example's pairs and refuses strangers."""
    if case.example.strangers is None:
        raise NotApplicableError("it names no two datasets that are no neighbors")
    obj = case.example.make(1.0)
    mechanism = case.mechanism(obj)
    for d, d_prime in case.example.pairs:
        mechanism.relation.check(d, d_prime)
    try:
        case.mechanism(obj, pairs=(case.example.strangers,))
    except dp.NotNeighborsError:
        return
    raise ConformanceError(
        f"under {mechanism.relation.words()} it takes {short(case.example.strangers)} for neighbors"
    )


def keeps_the_name_and_relation_given(case: ConformanceCase) -> None:
    """Require that ``name`` and ``relation`` are the mechanism's where they are given."""
    obj = case.example.make(1.0)
    relation = case.mechanism(obj).relation
    made = case.mechanism(obj, name="given/name", relation=relation)
    _require(made.name == "given/name", f"name='given/name' became {made.name!r}")
    _require(made.relation == relation, f"relation became {made.relation.words()}")


def refuses_options_that_it_does_not_know(case: ConformanceCase) -> None:
    """Require that a misspelt option raises and is not swallowed."""
    try:
        case.mechanism(case.example.make(1.0), misspelt_option=1)
    except (TypeError, dp.UsageError):
        return
    raise ConformanceError("it took misspelt_option=1 and said nothing")


def draws_anew_in_forked_processes(case: ConformanceCase) -> None:
    """Require that forked processes replay by seed, or else draw each its own noise.

    A run that can be pickled comes back as one that can draw.
    """
    mechanism, data = case.mechanism(case.example.make(1.0)), case.example.pairs[0][0]
    try:
        run = pickle.loads(pickle.dumps(mechanism.run))
    except Exception:
        run = mechanism.run
    outputs = []
    for _ in range(2):
        output, fault = forked(run, data)
        _require(fault is None, f"in a forked process: {fault}")
        outputs.append(output)
    same = equal(*outputs)
    if mechanism.seedable:
        _require(same, "seedable, and two forked processes with one rng differ")
        own = run(copy.deepcopy(data), size=64, rng=np.random.default_rng(3))
        _require(equal(own, outputs[0]), "seedable, and a forked process draws otherwise")
    else:
        _require(not same, "two forked processes draw the same noise")


def lets_an_audit_find_a_planted_bug(case: ConformanceCase) -> None:
    """Require that an audit flags the object with half the noise, and not the sound one."""
    if case.audited is None:
        raise NotApplicableError("no auditor was given")
    if case.example.halved is None:
        raise NotApplicableError("it has no copy with half the noise")
    _require(case.audited(case.mechanism(case.example.halved())), "half the noise was not found")
    _require(
        not case.audited(case.mechanism(case.example.make(1.0))), "the sound object was flagged"
    )


RULES: tuple[Callable[[ConformanceCase], None], ...] = (
    keeps_the_protocol,
    matches_its_own_objects_only,
    promises_what_the_library_accounts,
    keeps_the_promise_after_use,
    draws_half_the_noise_at_twice_the_epsilon,
    runs_the_object_that_it_was_given,
    replays_by_seed_or_says_that_it_does_not,
    returns_as_many_as_asked_for,
    draws_batches_from_the_distribution_of_single_outputs,
    draws_independent_outputs,
    leaves_the_data_as_they_are,
    refuses_pairs_that_are_no_neighbors,
    keeps_the_name_and_relation_given,
    refuses_options_that_it_does_not_know,
    draws_anew_in_forked_processes,
    lets_an_audit_find_a_planted_bug,
)


@dataclass(frozen=True)
class Check:
    """One rule on one example. A call returns where the rule is kept.

    It raises ``ConformanceError`` where the rule is broken, and ``NotApplicableError`` where the
    rule says nothing about the example.
    """

    rule: Callable[[ConformanceCase], None]
    case: ConformanceCase

    @property
    def name(self) -> str:
        """Return the rule's name and the example's."""
        return f"{self.rule.__name__}[{self.case.example.name}]"

    @property
    def words(self) -> str:
        """Return the rule in one sentence."""
        return (self.rule.__doc__ or "").partition("\n")[0]

    def __call__(self) -> None:
        """Check the rule; whatever else goes wrong is a break of it."""
        try:
            self.rule(self.case)
        except (ConformanceError, NotApplicableError) as error:
            raise type(error)(f"{self.case.example.name}: {error}") from error
        except Exception as error:
            raise ConformanceError(
                f"{self.case.example.name}: raised {type(error).__name__}: {error}"
            ) from error


def checks(
    adapter: Adapter, examples: Sequence[Example], *, audited: Audited | None = None
) -> tuple[Check, ...]:
    """Return every rule on every example, to be called one by one.

    audited: an audit to which a planted bug is shown: ``audited(mechanism)`` says whether it
        certified a violation. ``provado.audit.audit`` makes one.
    """
    if not examples:
        raise dp.UsageError("examples is empty: a suite without an example checks nothing")
    cases = [ConformanceCase(adapter, example, audited) for example in examples]
    return tuple(Check(rule, case) for case in cases for rule in RULES)


class AdapterConformance:
    """The suite as a class of tests; a subclass sets ``adapter`` and ``examples``.

    It has one test for each rule of ``conformance_rules``, ``test_`` and the rule's name.
    """

    adapter: Any
    examples: Sequence[Example]

    def audited(self, mechanism: dp.Mechanism) -> bool | None:
        """Return whether an audit certifies a violation; override it. None: there is no audit."""
        del mechanism
        return None

    def check(self, rule: Callable[[ConformanceCase], None]) -> None:
        """Check one rule on all examples; skip where it says nothing about any."""
        has_audit = type(self).audited is not AdapterConformance.audited
        audited = (lambda mechanism: bool(self.audited(mechanism))) if has_audit else None
        said, reasons = False, []
        for each in checks(self.adapter, self.examples, audited=audited):
            if each.rule is rule:
                try:
                    each()
                    said = True
                except NotApplicableError as error:
                    reasons.append(str(error))
        if not said:
            raise unittest.SkipTest("; ".join(reasons))


def _as_method(rule: Callable[[ConformanceCase], None]) -> Callable[[AdapterConformance], None]:
    def test(self: AdapterConformance) -> None:
        self.check(rule)

    test.__name__, test.__doc__ = f"test_{rule.__name__}", rule.__doc__
    return test


for _rule in RULES:
    setattr(AdapterConformance, f"test_{_rule.__name__}", _as_method(_rule))
