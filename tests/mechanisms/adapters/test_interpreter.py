"""Callables of another interpreter: what comes back, what ends with what, what is refused."""

from __future__ import annotations

import fractions
import inspect
import multiprocessing
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from provado.audit import audit
from provado.mechanisms import UsageError, Verdict
from provado.mechanisms.adapters import interpreter
from provado.mechanisms.adapters.interpreter import InterpreterError, OtherInterpreter
from provado.mechanisms.adapters.interpreter_worker import dumps, loads

MECHANISMS = """
import collections
import dataclasses
import enum
import os
import random
import sys
import threading
import time

import numpy as np

CONSTANT = 3
calls = 0

def response(data, rng):
    return data[0] ^ int(rng.random() > 0.7310585786300049)

def responses(data, *, size, rng):
    return data[0] ^ (rng.random(size) > 0.7310585786300049).astype(int)

def global_response(data):
    return data[0] ^ int(random.random() > 0.7310585786300049)

def leaky_response(data, rng):
    return data[0] ^ int(rng.random() > 0.9)

def same(data):
    return data

def name(data):
    return __name__, sys.executable, os.getppid(), sys.path[0]

def raises(data):
    raise ArithmeticError(f"cannot count {data}")

def raises_for_one(data, rng):
    if data[0] == 1 and rng.random() < 0.9:
        raise LookupError("one")
    return 0

def changes(data):
    data.append(1)
    return 0

def crashes(data):
    os._exit(7)

def exits(data):
    raise SystemExit(3)

def exhausts(data):
    raise MemoryError("all of it")

def hangs(data):
    time.sleep(600)

def own_class(data):
    return Own()

class Own(list):
    pass

class Held:
    unit = "people"

    def __init__(self, held):
        self.held = held

    def double(self):
        return 2 * self.held

class Narrow:
    __slots__ = ("held", "empty")

    def __init__(self, held):
        self.held = held

class Secret(Held):
    def __getstate__(self):
        return {}

    def __reduce__(self):
        return Secret, (0,)

class Color(enum.Enum):
    RED = 1

@dataclasses.dataclass
class Row:
    held: float
    unit: str = "people"

Point = collections.namedtuple("Point", "held left")

class Hides:
    @property
    def __dict__(self):
        return {}

def hides(data):
    return Hides()

def held(data):
    return Held(data)

def narrow(data):
    return Narrow(data)

def secret(data):
    return Secret(data)

def row(data):
    return Row(data)

def nested(data):
    return {"a": [Row(Held(data))]}

def point(data):
    return Point(data, 2)

def color(data):
    return Color.RED

def itself(data):
    made = Held(data)
    made.self = made
    return made

def function(data):
    return lambda: 0

def chatters(data):
    print("chatter")
    return 0

def all_generators(data, rng):
    return [random.random(), float(np.random.random()), float(rng.random())]

def global_generators(data):
    return [random.random(), float(np.random.random())]

OWN = np.random.default_rng(0)

def with_a_generator_of_its_own(data):
    return data[0] ^ int(OWN.random() > 0.7310585786300049)

def counts(data):
    global calls
    calls += 1
    return calls
"""

PAIR = ([0], [1])


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("far")
    (folder / "old.py").write_text(MECHANISMS)
    yield folder
    there.cache_clear()


@pytest.fixture(autouse=True)
def folder(written: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(written)
    return written


@cache
def there(name: str) -> OtherInterpreter:
    """Return a callable of the file in the one folder: to ask an interpreter of it takes long."""
    return OtherInterpreter(sys.executable, f"old.py:{name}")


PLAIN = [
    None,
    [1, 2.5, "text", b"bytes", True, {"key": (1, {2})}],
    float("nan"),
    2**80,
    fractions.Fraction(1, 3),
    np.arange(6.0).reshape(2, 3),
    np.array(3),
    np.array([], dtype=np.int8),
    np.array(["a", None, 1.5], dtype=object),
    np.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")]),
    np.float32(0.1),
    np.str_("word"),
    pd.DataFrame({"x": [1.5, 2], "y": ["a", None]}, index=[3, 1]),
    pd.Series([1, 2], name="s"),
]


@pytest.mark.parametrize("value", PLAIN, ids=repr)
def test_plain_data_travels(value: Any) -> None:
    found = there("same")(value)
    assert type(found) is type(value)
    if isinstance(value, pd.DataFrame | pd.Series):
        assert found.equals(value)
    else:
        np.testing.assert_equal(found, value)
        assert getattr(found, "dtype", None) == getattr(value, "dtype", None)


def test_objects_arrive_as_what_they_hold() -> None:
    for name in ("held", "narrow", "secret", "row"):
        found = there(name)(5)
        assert found.held == 5
        assert type(found).__name__ == name.capitalize()
        assert type(found).__module__ == "old"
        assert getattr(found, "unit", "people") == "people"
        assert not hasattr(found, "double")
    assert there("nested")(5)["a"][0].held.held == 5
    assert there("point")(5) == (5, 2)
    assert there("point")(5).left == 2
    assert vars(there("color")(5)) == {"name": "RED", "value": 1}
    found = there("itself")(5)
    assert found.self is found


@pytest.mark.parametrize("name", ["held", "narrow", "secret", "row", "nested", "point"])
def test_what_an_object_holds_is_audited(name: str) -> None:
    result = audit(there(name), epsilon=1, pair=([0], [1]), samples=3000)
    assert result.verdict is Verdict.VIOLATION


def test_arrays_are_lists_where_there_is_no_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    content = [dumps(one) for one in (np.eye(2), np.array([1, 2], "i2"), np.float64(0.1))]
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert [loads(one) for one in content] == [[[1.0, 0.0], [0.0, 1.0]], [1, 2], 0.1]


def test_it_runs_in_the_other_interpreter_and_with_its_folder(folder: Path) -> None:
    module, executable, parent, path = there("name")([0])
    assert (module, parent, path) == ("old", os.getpid(), str(folder))
    assert executable == sys.executable
    assert OtherInterpreter(sys.executable, "old:name", str(folder))([0])[0] == "old"


def test_it_has_the_protocol_of_its_target() -> None:
    assert list(inspect.signature(there("responses")).parameters) == ["data", "size", "rng"]
    assert list(inspect.signature(there("response")).parameters) == ["data", "rng"]
    outputs = there("responses")([0], size=50, rng=np.random.default_rng(0))
    assert outputs.shape == (50,)


def test_notes_name_python_and_what_the_file_imports() -> None:
    (note,) = there("same").notes
    version = ".".join(map(str, sys.version_info[:3]))
    assert note == f"ran in Python {version} with numpy {np.__version__}"


@pytest.mark.parametrize("name", ["response", "responses", "global_response"])
def test_an_audit_replays_by_seed_on_any_number_of_workers_and_does_not_accuse(name: str) -> None:
    results = [
        audit(there(name), epsilon=1, pair=PAIR, samples=8_000, jobs=jobs, seed=5)
        for jobs in (1, 2)
    ]
    assert results[0].counts == results[1].counts
    assert results[0].verdict is Verdict.NO_VIOLATION
    assert results[0].epsilon_lower > 0.9
    assert results[0].notes == there(name).notes
    assert results[0].name == name


@pytest.mark.parametrize("name", ["all_generators", "global_generators"])
def test_generators_of_random_and_numpy_draw_different_numbers(name: str) -> None:
    # Of one seed of two words both would make the same numbers: noise of two parts would be one.
    first, again = (there(name)([0], rng=np.random.default_rng(3)) for _ in range(2))
    assert first == again
    assert len(set(first)) == len(first)


def test_workers_that_would_draw_the_same_are_not_used() -> None:
    mechanism = there("with_a_generator_of_its_own")
    result = audit(mechanism, epsilon=1, pair=PAIR, samples=200_000, explore=2000, jobs=2)
    assert result.verdict is Verdict.NO_VIOLATION
    assert "drawn in one process" in result.notes[0]


def test_a_broken_twin_is_found() -> None:
    result = audit(there("leaky_response"), epsilon=1, pair=PAIR, samples=20_000)
    assert result.verdict is Verdict.VIOLATION


def test_batched_calls_are_the_calls_one_by_one() -> None:
    def drawn(size: int) -> list[Any]:
        calls = there("response").batched_calls(iter([[0], [1]] * 300), np.random.default_rng(1))
        calls._size = size
        return [calls(data) for data in calls]

    assert drawn(1) == drawn(512)


def test_what_it_raises_is_raised_here_and_the_next_call_goes_on() -> None:
    with pytest.raises(Exception, match=r"cannot count \[0\]") as raised:
        there("raises")([0])
    assert type(raised.value).__name__ == "ArithmeticError"
    assert "old.py" in raised.value.__notes__[0]
    calls = there("raises_for_one").batched_calls(iter([[0], [1]] * 50), np.random.default_rng(0))
    seen = []
    for data in calls:
        try:
            seen.append((data[0], calls(data)))
        except Exception as error:
            seen.append((data[0], type(error).__name__))
    assert len(seen) == 100
    assert set(seen) == {(0, 0), (1, 0), (1, "LookupError")}


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("raises", "the mechanism raised ArithmeticError: cannot count [0]"),
        ("exits", "the mechanism raised SystemExit: 3"),
        ("exhausts", "the mechanism raised MemoryError: all of it"),
        ("changes", "the mechanism changed the dataset that it was given"),
        ("crashes", "the mechanism lost its interpreter, which ended with status 7"),
        ("own_class", "the mechanism returned an output that cannot be read"),
        ("hides", "the mechanism returned an output that cannot be read"),
        ("function", "the mechanism returned an output that cannot be sent"),
        ("counts", "the mechanism gives draws that are not independent"),
    ],
)
def test_what_breaks_is_unknown_with_the_reason(name: str, reason: str) -> None:
    result = audit(there(name), epsilon=1, pair=PAIR, samples=3000)
    assert result.verdict is Verdict.UNKNOWN
    assert reason in result.reason


def test_a_crash_is_no_output_and_the_next_call_starts_anew() -> None:
    with pytest.raises(InterpreterError):
        there("crashes")([0])
    assert there("same")([0]) == [0]


def test_a_hang_ends_with_the_time_limit() -> None:
    result = audit(there("hangs"), epsilon=1, pair=PAIR, samples=100, time_limit=1)
    assert (result.verdict, result.reason) == (Verdict.UNKNOWN, "no answer within 1 s")


def test_what_it_prints_is_not_on_standard_output(capfd: pytest.CaptureFixture[str]) -> None:
    assert there("chatters")([0]) == 0
    assert capfd.readouterr().out == ""


def test_a_forked_process_has_an_interpreter_of_its_own() -> None:
    mechanism = there("counts")
    assert [mechanism([0]), mechanism([0])] == [1, 2]
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply(mechanism, ([0],)) == 1
    assert mechanism([0]) == 3
    assert pickle.loads(pickle.dumps(mechanism)) == mechanism


def test_nothing_is_left_of_a_process_that_was_killed(folder: Path) -> None:
    code = (
        "import sys; from provado.mechanisms.adapters.interpreter import OtherInterpreter\n"
        "mechanism = OtherInterpreter(sys.executable, sys.argv[1])\n"
        "OtherInterpreter(sys.executable, 'old.py:chatters')([0])\n"
        "from provado.mechanisms.adapters.interpreter import _RUNNING\n"
        "print(next(iter(_RUNNING.values())).process.pid, flush=True)\n"
        "mechanism([0])\n"
    )
    for target in ("old.py:hangs", "old.py:name"):
        process = subprocess.Popen(
            [sys.executable, "-c", code, target], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        far = int(process.stdout.readline())
        if target == "old.py:hangs":
            process.send_signal(signal.SIGKILL)
        process.communicate()
        for _ in range(600):
            if not alive(far):
                break
            time.sleep(0.05)
        assert not alive(far)


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{process}/stat")
    return not (stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z")


@pytest.mark.parametrize(
    ("python", "target", "words"),
    [
        ("no-such-python", "old.py:same", "python 'no-such-python': there is no such command"),
        ("./none/python", "old.py:same", "python './none/python': there is no such file"),
        ("./old.py", "old.py:same", "Permission denied"),
        (sys.executable, "none.py:same", "there is no file 'none.py'"),
        (sys.executable, "old.py:sam", "old.py has no 'sam'; callables there: response, "),
        (sys.executable, "old.py", "say which, as old.py:name; callables there: response, "),
        (sys.executable, "old.py:CONSTANT", "CONSTANT is of type int; it must be a callable"),
        (sys.executable, "bad.py:f", "importing bad.py raised ZeroDivisionError: division by zero"),
        (sys.executable, "ends.py:f", "importing ends.py raised SystemExit: 3"),
        (sys.executable, "dies.py:f", "lost its interpreter, which ended with status 4"),
        (sys.executable, "half.py:f", "line 1: '(' was never closed"),
        (sys.executable, "no_such_module:f", "No module named 'no_such_module'"),
        (shutil.which("true") or "", "old.py:same", "lost its interpreter"),
    ],
)
def test_what_is_not_there_is_one_line(folder: Path, python: str, target: str, words: str) -> None:
    (folder / "bad.py").write_text("1 / 0")
    (folder / "ends.py").write_text("raise SystemExit(3)")
    (folder / "dies.py").write_text("import os; os._exit(4)")
    (folder / "half.py").write_text("f = (")
    with pytest.raises(UsageError) as raised:
        OtherInterpreter(python, target)
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)


def test_an_import_that_hangs_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "waits.py").write_text("import time; time.sleep(600)")
    monkeypatch.setattr(interpreter, "IMPORT_SECONDS", 0.5)
    with pytest.raises(UsageError, match="its import takes more"):
        OtherInterpreter(sys.executable, "waits.py:f")


def test_an_old_python_will_do(folder: Path) -> None:
    old = next((p for p in ("python3.8", "python3.9", "python3.10") if works(p)), None)
    if old is None:
        pytest.skip("no older Python here")
    code = "def f(data):\n    return [*data, 1.5]\n\ndef g(data, size):\n    return [data] * size\n"
    (folder / "plain.py").write_text(code)
    mechanism = OtherInterpreter(old, "plain.py:f")
    assert mechanism([0]) == [0, 1.5]
    assert OtherInterpreter(old, "plain.py:g")(3, size=2) == [3, 3]
    assert mechanism.notes[0].startswith(f"ran in Python {old.removeprefix('python')}.")


def works(command: str) -> bool:
    if shutil.which(command) is None:
        return False
    return subprocess.run([command, "-c", ""], capture_output=True).returncode == 0


LIBRARIES = {
    "torch": """
import numpy as np


class Tensor:
    grad_fn = grad = None

    def __init__(self, values):
        VALUES[id(self)] = self, values

    def detach(self):
        return self

    def cpu(self):
        return self

    def numpy(self):
        return np.array(VALUES[id(self)][1])


VALUES = {}  # compiled, so that a tensor has no attributes of its own
""",
    "jaxlib": """
import numpy as np


class ArrayImpl:
    def __init__(self, values, dtype=float):
        self.made = np.array(values).astype(dtype)

    def __array__(self, dtype=None, copy=None):
        return self.made
""",
    "polars": """
class Series:
    def __init__(self, name, values):
        self.name, self.values, self.dtype = name, values, "Float64"
        self.compiled = lambda: values

    def to_list(self):
        return self.values


class DataFrame:
    def __init__(self, columns):
        self.get_columns = lambda: columns
""",
    "release": """
import jaxlib
import polars
import torch


def tensor(data):
    return torch.Tensor(data)


def graph(data):
    made = torch.Tensor([0.0])
    made.grad_fn = data
    return made


def gradient(data):
    made = torch.Tensor([0.0])
    made.grad = torch.Tensor(data)
    return made


def attribute(data):
    made = torch.Tensor([0.0])
    made.secret = data
    return made


def array(data):
    return {"a": (jaxlib.ArrayImpl(data),)}


def narrow(data):
    return jaxlib.ArrayImpl([0], "V2")


def series(data):
    return polars.Series("x", data)


def named(data):
    return polars.Series(str(data[0]), [0.0])


def frame(data):
    return polars.DataFrame([polars.Series("x", data)])
""",
}
"""Classes by the names of released ones, whose content is compiled there."""


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("libraries")
    for name, code in LIBRARIES.items():
        (folder / f"{name}.py").write_text(code, encoding="utf-8")
    return folder


def test_arrays_and_columns_of_other_libraries_arrive_with_all_that_they_hold(
    libraries: Path,
) -> None:
    def asked(name: str, data: list[float]) -> Any:
        return OtherInterpreter(sys.executable, f"release.py:{name}", str(libraries))(data)

    data = [1.5, 2.0]
    assert asked("tensor", data).tolist() == asked("array", data)["a"][0].tolist() == data
    assert vars(asked("series", data)) == {"name": "x", "dtype": "Float64", "values": data}
    assert vars(asked("named", data))["name"] == "1.5"
    assert vars(asked("frame", data).columns[0])["values"] == data


@pytest.mark.parametrize("name", ["graph", "gradient", "attribute", "narrow"])
def test_an_array_that_holds_more_than_numbers_gives_no_pass(libraries: Path, name: str) -> None:
    there = OtherInterpreter(sys.executable, f"release.py:{name}", str(libraries))
    result = audit(there, epsilon=1, pair=([0.0], [1.0]), samples=100)
    assert result.verdict is Verdict.UNKNOWN
    assert "cannot be sent (a" in result.reason


@pytest.mark.parametrize("name", ["tensor", "array", "series", "named", "frame"])
def test_what_they_hold_is_compared(libraries: Path, name: str) -> None:
    there = OtherInterpreter(sys.executable, f"release.py:{name}", str(libraries))
    result = audit(there, epsilon=1, pair=([0.0], [1.0]), samples=1000)
    assert result.verdict is Verdict.VIOLATION
