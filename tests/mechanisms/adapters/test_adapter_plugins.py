import sys
import types
from importlib.metadata import EntryPoint

import pytest

from provado.mechanisms import Mechanism, PureDP, ReplaceOne, UsageError
from provado.mechanisms.adapters import plugins
from provado.mechanisms.adapters.adapter import fault_of
from provado.mechanisms.adapters.diffprivlib_adapter import diffprivlib_mechanisms
from provado.mechanisms.adapters.opendp_adapter import opendp_mechanisms
from provado.mechanisms.adapters.plugins import (
    AdapterWarning,
    adapts,
    as_mechanism,
    discover,
    released_mechanisms,
)
from provado.mechanisms.adapters.pydp_adapter import pydp_mechanisms
from provado.reports.targets import load
from tests.mechanisms.adapters.toy_library import ADAPTER, CHANGED, DATA, NoisySum, ToyAdapter

PAIRS = ((DATA, CHANGED),)


class Distribution:
    def __init__(self, name):
        self.name, self.version = name, "1.0"


def entry_point(name, value, distribution="a-toy"):
    made = EntryPoint(name, value, plugins.GROUP)
    vars(made)["dist"] = Distribution(distribution)
    return made


@pytest.fixture
def register(monkeypatch):
    """Return a function that registers objects as adapters, each (name, object, distribution)."""

    def register(*adapters):
        module = types.ModuleType("adapters_of_the_tests")
        monkeypatch.setitem(sys.modules, module.__name__, module)
        points = []
        for i, (name, obj, distribution) in enumerate(adapters):
            value = obj if isinstance(obj, str) else f"{module.__name__}:adapter{i}"
            setattr(module, f"adapter{i}", obj)
            points.append(entry_point(name, value, distribution))
        monkeypatch.setattr(plugins, "entry_points", lambda group: points)

    return register


class RaisesOnMatch(ToyAdapter):
    def matches(self, _):
        raise RuntimeError("first line\nsecond line")


class RaisesOnRelease(ToyAdapter):
    def releases(self):
        raise RuntimeError("no data")


class NoReleases:
    name = "toy"
    matches = to_mechanism = print


class Callable:
    epsilon = 0.5
    relation = ReplaceOne()

    def release(self, data):
        return sum(data)


def test_our_own_are_found_without_metadata(monkeypatch):
    monkeypatch.setattr(plugins, "entry_points", lambda group: [])
    names = ("diffprivlib", "opendp", "pipeline_dp", "pydp", "smartnoise_sql")
    found = discover()
    assert tuple(each.name for each in found.found) == names
    assert found.broken == ()
    # With metadata, and found twice, they are the same.
    twice = [entry_point(each.name, each.value, "provado") for each in plugins.BUILT_IN] * 2
    monkeypatch.setattr(plugins, "entry_points", lambda group: twice)
    assert discover() == found


def test_an_adapter_of_another_distribution_is_used(register):
    register(("toy", ADAPTER, "a-toy"))
    made = as_mechanism(NoisySum(0.5), pairs=PAIRS)
    assert isinstance(made, Mechanism)
    assert (made.name, made.promise, made.relation) == ("toy/NoisySum", PureDP(0.5), ReplaceOne())
    assert as_mechanism(NoisySum(0.5), pairs=PAIRS, name="mine").name == "mine"
    assert as_mechanism(NoisySum(1.0), pairs=PAIRS, adapter=ADAPTER).promise == PureDP(1.0)
    released = released_mechanisms(lambda name: name == "toy")
    assert [each.name for each in released.mechanisms] == ["toy/sum"]
    assert released.broken == ()


def test_a_module_may_be_an_adapter(register, monkeypatch):
    module = types.ModuleType("toy_adapter_module")
    for each in ("name", "matches", "to_mechanism", "releases"):
        setattr(module, each, getattr(ADAPTER, each))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    register(("toy", module.__name__, "a-toy"))
    assert as_mechanism(NoisySum(0.5), pairs=PAIRS).promise == PureDP(0.5)


@pytest.mark.parametrize(
    ("name", "adapter", "reason"),
    [
        ("toy", "no_such_module_at_all:ADAPTER", "importing no_such_module_at_all:ADAPTER raised "),
        ("toy", NoReleases(), "it has no method releases"),
        ("toy", object(), "its name is None: it must be a text without '/'"),
        ("other", ADAPTER, "it is registered as 'other' and calls itself 'toy'"),
        ("opendp", ADAPTER, "its name is taken by an adapter of provado"),
    ],
)
def test_a_broken_adapter_is_named_and_breaks_nothing_else(register, name, adapter, reason):
    register((name, adapter, "a-toy"), ("zoo", types.SimpleNamespace(**zoo()), "z-zoo"))
    found = discover()
    (broken,) = found.broken
    words = broken.words()
    assert words.startswith(f"adapter {name!r} of a-toy 1.0 is left out: {reason}")
    assert "\n" not in words
    own = [each.name for each in plugins.BUILT_IN]
    assert [each.name for each in found.found] == [*own, "zoo"]
    # What an adapter takes does not need the broken one: there is no warning.
    assert as_mechanism(NoisySum(1.0), pairs=PAIRS).promise == PureDP(1.0)
    # What only the duck typing takes might have.
    with pytest.warns(AdapterWarning, match="of a-toy 1.0 is left out"):
        assert as_mechanism(Callable(), pairs=PAIRS).promise == PureDP(0.5)
    with pytest.raises(UsageError, match=r"no adapter takes 3: .*of a-toy 1.0 is left out"):
        as_mechanism(3, pairs=PAIRS)


def zoo():
    return {
        "name": "zoo",
        "matches": ADAPTER.matches,
        "to_mechanism": ADAPTER.to_mechanism,
        "releases": tuple,
    }


def test_one_name_of_two_distributions_is_the_firsts(register):
    register(("toy", ADAPTER, "b"), ("toy", ToyAdapter(), "a"))
    found = discover()
    assert found.found[-1].distribution == "a 1.0"
    assert [each.words() for each in found.broken] == [
        "adapter 'toy' of b 1.0 is left out: its name is taken by an adapter of a 1.0"
    ]


def test_two_that_match_are_refused_and_one_can_be_named(register):
    register(("toy", ADAPTER, "a-toy"), ("zoo", types.SimpleNamespace(**zoo()), "z-zoo"))
    with pytest.raises(UsageError, match=r"'toy' of a-toy 1.0 and 'zoo' of z-zoo 1.0: say which"):
        as_mechanism(NoisySum(1.0), pairs=PAIRS)
    assert as_mechanism(NoisySum(1.0), pairs=PAIRS, adapter="zoo").promise == PureDP(1.0)


def test_what_an_adapter_raises_becomes_one_line(register):
    register(("toy", RaisesOnMatch(), "a-toy"))
    with pytest.warns(AdapterWarning, match="matches raised RuntimeError: first line second line"):
        as_mechanism(Callable(), pairs=PAIRS)
    register(("toy", ADAPTER, "a-toy"))
    with pytest.raises(UsageError, match=r"adapter 'toy' of a-toy 1.0, for a NoisySum: TypeError"):
        as_mechanism(NoisySum(1.0), pairs=PAIRS, d_in=1)
    with pytest.raises(UsageError, match="epsilon is -1"):
        as_mechanism(NoisySum(-1), pairs=PAIRS)
    wrong = types.SimpleNamespace(**{**zoo(), "to_mechanism": lambda obj, **given: obj})
    register(("zoo", wrong, "z-zoo"))
    with pytest.raises(UsageError, match=r"of z-zoo 1.0 returned a NoisySum: it must return a"):
        as_mechanism(NoisySum(1.0), pairs=PAIRS)


@pytest.mark.parametrize(
    ("obj", "given", "words"),
    [
        (
            NoisySum(1.0),
            {"adapter": "nope"},
            "adapter is 'nope': it must be one of diffprivlib, opendp",
        ),
        (NoisySum(1.0), {"adapter": object()}, "adapter is of type object: its name is None"),
        (ADAPTER.releases()[0], {}, "toy/sum is a Mechanism: there is nothing to adapt"),
        (lambda data: 0.0, {}, "give it an attribute epsilon, or adapter='measurement'"),
        (object(), {}, "it must have a method such as release and state a cost"),
        (NoisySum, {}, "NoisySum is a class: give an object of it"),
    ],
)
def test_what_to_give_is_named(obj, given, words):
    with pytest.raises(UsageError, match=words):
        as_mechanism(obj, pairs=PAIRS, **given)


def test_what_can_be_adapted(register):
    register(("toy", ADAPTER, "a-toy"), ("zoo", "no_such_module_at_all:A", "z"))
    assert adapts(NoisySum(1.0))
    assert adapts(Callable())
    for obj in (None, 3, len, NoisySum, ADAPTER.releases()[0]):
        assert not adapts(obj)


def test_faults():
    assert fault_of(ADAPTER) is None
    assert "without '/'" in fault_of(types.SimpleNamespace(**{**zoo(), "name": "a/b"}))


# What `--libraries` audits.
def test_our_releases_are_the_libraries_in_their_order(register):
    for each in ("opendp", "diffprivlib", "pydp"):
        pytest.importorskip(each)
    register(("toy", ADAPTER, "a-toy"))
    libraries = (*diffprivlib_mechanisms(), *opendp_mechanisms(), *pydp_mechanisms())
    ours = [each.name for each in libraries]
    assert [each.name for each in released_mechanisms().mechanisms] == [*ours, "toy/sum"]


def test_releases_of_others_come_after_ours_and_failures_are_told(register, capsys):
    register(("toy", RaisesOnRelease(), "a-toy"))
    with pytest.raises(UsageError, match=r"a-toy 1.0 is left out: releases raised RuntimeError"):
        load.select(False, True, ["toy/*"])
    register(("toy", ADAPTER, "a-toy"), ("zoo", "no_such_module_at_all:A", "z"))
    for pattern, told in (("toy/*", 0), ("[tz]o*", 1)):
        chosen = load.select(False, True, [pattern])
        assert [(option, each.name) for option, each in chosen] == [("--libraries", "toy/sum")]
        lines = capsys.readouterr().err.splitlines()
        assert len(lines) == told
        assert all(each.startswith("provado: warning: adapter 'zoo' of z 1.0") for each in lines)


def test_a_missing_library_breaks_only_what_needs_it(register, monkeypatch, capsys):
    register(("toy", ADAPTER, "a-toy"), ("zoo", "no_such_module_at_all:A", "z"))
    monkeypatch.setitem(sys.modules, "diffprivlib", None)
    monkeypatch.setitem(sys.modules, "diffprivlib.mechanisms", None)
    monkeypatch.setitem(sys.modules, "diffprivlib.tools", None)
    assert load.select(False, True, ["toy/*"])
    with pytest.raises(UsageError, match=r"pip install 'provado\[libraries\]'"):
        load.select(False, True, ["*/sum"])


@pytest.mark.parametrize(
    ("pattern", "may"),
    [
        ("toy/sum", True),
        ("toy/*", True),
        ("*", True),
        ("t*m", True),
        ("*/sum", True),
        ("toy?sum", True),
        ("toy[/x]sum", True),
        ("toy", False),
        ("toys/*", False),
        ("opendp/*", False),
        ("x*", False),
    ],
)
def test_which_adapters_a_pattern_needs(pattern, may):
    assert load._may_match("toy", pattern) == may


@pytest.mark.parametrize(
    ("released", "words"),
    [
        ([3], "returned a int: each must be a Mechanism"),
        ([*ADAPTER.releases()] * 2, "returned 'toy/sum' twice"),
    ],
)
def test_faults_of_releases(released, words):
    assert words in plugins.releases_fault("toy", released)
    assert plugins.releases_fault("toy", ADAPTER.releases()) is None
