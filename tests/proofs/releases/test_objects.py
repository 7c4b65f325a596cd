"""Functions that return objects: what an object holds is released; a class made in a run is not."""

from abc import ABC, abstractmethod
from collections import Counter, OrderedDict, defaultdict, namedtuple
from dataclasses import dataclass
from unittest import mock

import numpy as np
import pytest

from provado.proofs import prove
from provado.proofs.releases import decide
from provado.proofs.sensitivity.trace import run

CLAIM = {"epsilon": 1, "domain": (0.0, 1.0)}
Pair = namedtuple("Pair", "first second")


@dataclass(frozen=True)
class Release:
    mean: float
    unit: str = "years"


@dataclass
class Values:
    values: list

    def add(self, value):
        self.values.append(value)


class Plain:
    def __init__(self, mean):
        self.mean = mean


class Later:
    def __init__(self, mean):
        self.mean = mean
        self.twice = 2 * mean


@dataclass
class Account:
    rng: object
    spent: float = 0.0

    def mean(self, x, epsilon):
        self.spent += epsilon
        return x.mean() + self.rng.laplace(scale=1 / (len(x) * epsilon))


def noisy(x, rng, scale):
    return x.mean() + rng.laplace(scale=scale / len(x))


def in_a_data_class(x, rng, scale=1):
    return Release(noisy(x, rng, scale))


def in_a_plain_class(x, rng, scale=1):
    return Plain(noisy(x, rng, scale))


def computed_from(x, rng, scale=1):
    return Later(noisy(x, rng, scale))


def nested(x, rng, scale=1):
    return Plain({"here": [Release(noisy(x, rng, scale))]})


def set_afterwards(x, rng, scale=1):
    made = Release(0.0)
    object.__setattr__(made, "more", noisy(x, rng, scale))
    return made


def added_one_by_one(x, rng, scale=1):
    made = Values([])
    for _ in range(2):
        made.add(noisy(x, rng, 2 * scale))
    return made


def with_an_account(x, rng, scale=1):
    account = Account(rng)
    return {"means": [account.mean(x, 1 / (2 * scale)) for _ in "ab"], "spent": account.spent}


HOLD = [in_a_data_class, in_a_plain_class, computed_from, nested, set_afterwards]
HOLD += [added_one_by_one, with_an_account]


@pytest.mark.parametrize("function", HOLD)
def test_what_an_object_holds_is_decided(function):
    assert prove(function, **CLAIM).verdict == "proved"
    assert prove(function, **CLAIM, parameters={"scale": 0.99}).verdict != "proved"
    assert prove(function, **CLAIM, parameters={"scale": 0.5}).verdict == "refuted"


def exact(x, rng):
    return Release(x.mean())


def exact_and_noisy(x, rng):
    made = Plain(noisy(x, rng, 1))
    made.before = x.mean()
    return made


def exact_by_a_function(x, rng):
    made = Plain(0.0)
    made.read = lambda: x.mean()
    return made


def exact_in_a_class(x, rng):
    Plain.mean = x.mean()
    return Plain(0.0)


def exact_by_a_method(x, rng):
    mean = x.mean()
    Plain.read = lambda self: mean
    return Plain(0.0)


def of_a_local_class(x, rng):
    mean = x.mean()

    class Local:
        def read(self):
            return mean

    return Local()


def of_a_made_class(x, rng):
    return type("Made", (), {"mean": x.mean()})()


def of_a_child(x, rng):
    class Child(Plain):
        exact = x.mean()

    return Child(0.0)


def with_its_generator(x, rng):
    return Account(rng)


def inside_itself(x, rng):
    made = Plain(noisy(x, rng, 1))
    made.again = made
    return made


def by_its_type(x, rng):
    return Plain(0.0) if x.mean() > 0.5 else Later(0.0)


LEAK = [exact, exact_and_noisy, exact_by_a_function, exact_in_a_class, exact_by_a_method]
LEAK += [of_a_local_class, of_a_made_class, of_a_child, with_its_generator, inside_itself]


@pytest.mark.parametrize("function", [*LEAK, by_its_type])
def test_what_shows_data_is_never_proved(function):
    assert prove(function, **CLAIM).verdict != "proved"


class Every:
    """A register that every class is in."""

    def __contains__(self, _):
        return True

    def add(self, _):
        pass


@pytest.mark.parametrize("function", [of_a_local_class, of_a_made_class])
def test_without_the_register_a_class_of_the_run_hides_data(function):
    with mock.patch.object(run, "_CLASSES", Every()):
        assert prove(function, **CLAIM).verdict == "proved"


def test_classes_are_left_as_they_were():
    before = dict(vars(Plain))
    for function in (exact_in_a_class, exact_by_a_method):
        assert "attribute" in prove(function, **CLAIM).reason
    assert dict(vars(Plain)) == before


def subclass_of(base, *args):
    kind = type(base.__name__, (base,), {"__module__": __name__})

    def function(x, rng):
        made = kind(*args)
        made.exact = x.mean()
        return {"here": made}

    return function


class FirstOnly(Pair):
    __slots__ = ()

    def __iter__(self):
        return iter(self[:1])


def second_not_read(x, rng):
    return FirstOnly(1.0, x.mean())


def ordered(x, rng):
    made = OrderedDict(a=1)
    made.exact = x.mean()
    return made


def default(x, rng):
    mean = x.mean()
    return defaultdict(lambda: mean)


MORE = [subclass_of(one, 1) for one in (int, float, str, bytes)]
MORE += [
    subclass_of(list, [1]),
    subclass_of(tuple, [1]),
    subclass_of(dict),
    subclass_of(Pair, 1, 2),
]
MORE += [ordered, default]


@pytest.mark.parametrize("function", MORE)
def test_what_holds_more_than_is_read_of_it_is_not_proved(function):
    found = prove(function, **CLAIM)
    assert found.verdict == "undecided"
    assert "may hold more" in found.reason
    with mock.patch.object(decide, "may_hold_more", return_value=False):
        assert prove(function, **CLAIM).verdict == "proved"


def test_a_class_of_a_container_with_functions_of_its_own_is_refused():
    found = prove(second_not_read, **CLAIM)
    assert found.verdict == "undecided"
    assert "FirstOnly" in found.reason


def plain_values(x, rng, scale=1):
    more = [OrderedDict(a=1), defaultdict(float, a=1.0), Counter(a=1), "text", None, np.ones(2)]
    return Pair(noisy(x, rng, scale), more)


def test_plain_values_are_read_wholly():
    assert prove(plain_values, **CLAIM).verdict == "proved"
    assert prove(plain_values, **CLAIM, parameters={"scale": 0.5}).verdict == "refuted"


RNG = np.random.default_rng()


class Abstract(ABC):
    scale = 1.0

    @abstractmethod
    def noise(self) -> float: ...

    def __call__(self, x):
        return x.sum() + self.noise()


class Concrete(Abstract):
    def noise(self):
        return RNG.laplace(scale=self.scale)


class Counts(Abstract):
    def __init__(self):
        self.calls = 0

    def noise(self):
        self.calls += 1
        return RNG.laplace(scale=self.scale) + self.calls * 0


class Registered(Abstract):
    def noise(self):
        return RNG.laplace(scale=1.0 if isinstance(Other(), Registered) else 0.1)


class Hooked(Abstract):
    def noise(self):
        return RNG.laplace(scale=1.0 if isinstance(Other(), Hooked) else 0.1)

    @classmethod
    def __subclasshook__(cls, _):
        return True


class Other:
    pass


Registered.register(Other)


def test_an_abstract_class_is_followed_like_any_other():
    assert prove(Concrete().__call__, **CLAIM).verdict == "proved"
    assert "changes" in prove(Counts().__call__, **CLAIM).reason
    assert prove(Registered().__call__, **CLAIM).verdict == "undecided"
    assert prove(Hooked().__call__, **CLAIM).verdict == "undecided"
