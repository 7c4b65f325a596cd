"""The far end of ``interpreter``: a script for another Python, 3.8 or later, and nothing but it.

It imports what it is told to, calls it, and answers over a socket whose number it was given. It
ends when that socket closes, whatever it is doing. numpy and pandas are used where they are there;
arrays and frames travel as plain data, so that the two ends may have different versions of them.
"""

from __future__ import annotations

import ast
import collections
import contextlib
import ctypes
import enum
import functools
import hashlib
import importlib
import importlib.metadata
import importlib.util
import inspect
import io
import os
import pickle
import queue
import random
import signal
import sys
import threading
import traceback
import types
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any

PROTOCOL = 4
"""Of pickle: the newest that Python 3.8 shares with the oldest numpy around."""

LONGEST = 300
"""Of what an import raised, in characters: more helps no reader."""

Data = Any


class RefusedError(Exception):
    """What was asked for cannot be had; the message says why."""


# Plain data.


class _Pickler(pickle.Pickler):
    stand_ins = False

    def reducer_override(self, obj: Any) -> Any:
        kind: Any = type(obj)
        home = str(getattr(kind, "__module__", "")).partition(".")[0]
        if home == "numpy" and hasattr(obj, "dtype") and hasattr(obj, "tobytes"):
            if obj.dtype.hasobject:
                return _objects, (obj.shape, obj.ravel().tolist())
            dtype = obj.dtype.descr if obj.dtype.names else obj.dtype.str
            made = _array if kind.__name__ == "ndarray" else _scalar
            return made, (dtype, obj.shape, obj.tobytes())
        if home == "pandas" and kind.__name__ == "DataFrame":
            columns = [obj.iloc[:, i].to_numpy() for i in range(obj.shape[1])]
            return _frame, (list(obj.columns), columns, list(obj.index))
        if home == "pandas" and kind.__name__ == "Series":
            return _series, (obj.to_numpy(), list(obj.index), obj.name)
        if (home, kind.__name__) in _ARRAYS:
            return self.reducer_override(_ARRAYS[home, kind.__name__](obj))
        if not self.stand_ins or isinstance(obj, (type, *_CODE)) or _is_standard(home):
            return NotImplemented
        if home == "polars" and kind.__name__ in _COLUMNS:
            return _object, (kind.__module__, kind.__qualname__), _COLUMNS[kind.__name__](obj)
        if kind.__bases__ == (tuple,) and hasattr(kind, "_fields"):
            return _named_tuple, (kind.__module__, kind.__qualname__, kind._fields, tuple(obj))
        if kind.__bases__ == (enum.Enum,):
            state = {"name": obj.name, "value": obj.value}
        elif _holds_only_attributes(kind):
            state = _attributes(obj)
        else:
            return NotImplemented
        return _object, (kind.__module__, kind.__qualname__), state


def _of_torch(tensor: Any) -> Any:
    """Return a tensor as an array; refuse one that holds more, such as the data of its graph."""
    if tensor.grad_fn is not None or tensor.grad is not None or vars(tensor):
        raise RefusedError(
            "a tensor with a graph, a gradient or attributes; return .detach() of it"
        )
    return tensor.detach().cpu().numpy()


def _of_jax(array: Any) -> Any:
    numpy: Any = importlib.import_module("numpy")
    made = numpy.asarray(array)
    if made.dtype.kind == "V":
        raise RefusedError(f"an array of {made.dtype}, which NumPy does not have")
    return made


_ARRAYS: Any = {("torch", "Tensor"): _of_torch, ("torch", "Parameter"): _of_torch}
_ARRAYS["jaxlib", "ArrayImpl"] = _of_jax
_COLUMNS: Any = {
    "Series": lambda one: {"name": one.name, "dtype": str(one.dtype), "values": one.to_list()},
    "DataFrame": lambda one: {"columns": one.get_columns()},
}


class _Unpickler(pickle.Unpickler):
    known: Callable[[str], bool] = staticmethod(lambda _: True)

    def find_class(self, module: str, name: str) -> Any:
        if name in _MADE and module.endswith(("__main__", "interpreter_worker")):
            return _MADE[name]
        if not self.known(module):
            raise pickle.UnpicklingError(f"a {module}.{name} is no plain data")
        return super().find_class(module, name)


def dumps(value: Any, stand_ins: bool = False) -> bytes:
    """Return a value as bytes that the other end can read.

    With ``stand_ins``, an object of a class that is not Python's own arrives as what it holds,
    under the name of its class: the other end needs no such class, and runs no code of it.
    """
    stream = io.BytesIO()
    pickler = _Pickler(stream, PROTOCOL)
    pickler.stand_ins = stand_ins
    pickler.dump(value)
    return stream.getvalue()


def loads(data: bytes, known: Callable[[str], bool] | None = None) -> Any:
    """Return the value; ``known`` says of which modules classes may be taken, by default all."""
    reader = _Unpickler(io.BytesIO(data))
    if known is not None:
        reader.known = known
    return reader.load()


def _array(dtype: Any, shape: Any, data: bytes) -> Any:
    """Return an array; nested lists where there is no numpy."""
    try:
        numpy: Any = importlib.import_module("numpy")
    except ImportError:
        letter: Any = _LETTERS[dtype[-2:]]
        return memoryview(data).cast("B").cast(letter, shape or (1,)).tolist()
    return numpy.frombuffer(data, dtype).reshape(shape).copy()


def _scalar(dtype: Any, shape: Any, data: bytes) -> Any:
    made = _array(dtype, shape, data)
    return made[0] if isinstance(made, list) else made[()]


def _is_standard(home: str) -> bool:
    """Return whether a package is Python's own."""
    names = getattr(sys, "stdlib_module_names", None)  # From Python 3.10 on.
    if names is not None:
        return home in names
    file = Path(getattr(sys.modules.get(home), "__file__", None) or os.__file__)
    return Path(os.__file__).parent in file.parents and "-packages" not in str(file)


@functools.lru_cache(1024)
def _holds_only_attributes(kind: Any) -> bool:
    """Return whether objects of a class hold nothing beside their dictionary and their slots."""
    members = [member for cls in kind.__mro__ for member in vars(cls).items()]
    slots = [f"slot_{i}" for i, (_, one) in enumerate(members) if type(one) is _SLOT]
    special = {name for name, _ in members if name in ("__dict__", "__weakref__")}
    hides = any(name == "__dict__" and type(one) is not _DICTIONARY for name, one in members)
    same: Any = type("Same", (), {"__slots__": (*slots, *special)})
    sizes = [(one.__basicsize__, one.__itemsize__) for one in (kind, same)]
    return not hides and sizes[0] == sizes[1]


def _attributes(obj: Any) -> Any:
    """Return what an object holds by name, and what its classes hold beside code."""
    own, shared = {}, {}
    for cls in reversed(type(obj).__mro__):
        for name, member in vars(cls).items():
            if type(member) is _SLOT:
                with contextlib.suppress(AttributeError):
                    own[name] = member.__get__(obj)
            elif name == "__dict__":
                own.update(member.__get__(obj))
            elif not (name.startswith("__") or name == "_abc_impl" or isinstance(member, _CODE)):
                shared[name] = member
    return {**{f"class {name}" if name in own else name: shared[name] for name in shared}, **own}


_SLOT, _DICTIONARY = types.MemberDescriptorType, types.GetSetDescriptorType
_CODE = (types.FunctionType, types.BuiltinFunctionType, classmethod, staticmethod, property)


def _object(module: str, name: str) -> Any:
    """Return an object with the name of its class, for which no code of that class is there."""
    return _class(module, name)()


def _named_tuple(module: str, name: str, fields: Any, values: Any) -> Any:
    return _class(module, name, tuple(fields))(*values)


@functools.lru_cache(1024)
def _class(module: str, name: str, fields: Any = None) -> Any:
    last = name.rpartition(".")[2]
    made: Any = type(last, (), {}) if fields is None else collections.namedtuple(last, fields)
    made.__module__, made.__qualname__ = module, name
    return made


_LETTERS = {"b1": "?", "i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I"}
_LETTERS.update({"i8": "q", "u8": "Q", "f4": "f", "f8": "d"})


def _objects(shape: Any, values: Any) -> Any:
    numpy: Any = importlib.import_module("numpy")
    made = numpy.empty(len(values), dtype=object)
    made[:] = values
    return made.reshape(shape)


def _frame(names: Any, columns: Any, index: Any) -> Any:
    pandas: Any = importlib.import_module("pandas")
    made = pandas.DataFrame(dict(enumerate(columns)), index=index)
    made.columns = names
    return made


def _series(values: Any, index: Any, name: Any) -> Any:
    pandas: Any = importlib.import_module("pandas")
    return pandas.Series(values, index=index, name=name)


_MADE = {f.__name__: f for f in (_array, _scalar, _objects, _frame, _series, _object, _named_tuple)}


# What is called.


def load(target: str, folder: str) -> Any:
    """Return what ``path/to/file.py:name`` or ``module:name`` names, and its module."""
    place, _, name = target.rpartition(":")
    if not place or target.endswith(".py"):
        place, name = target, ""
    file = Path(os.path.normpath(Path(folder, place)))
    is_file = place.endswith(".py") or "/" in place
    if is_file and not file.is_file():
        raise RefusedError(f"there is no file {place!r}")
    try:
        module = _of_file(file) if is_file else _of_name(place, folder)
    except SyntaxError as error:
        raise RefusedError(f"{error.filename or place}, line {error.lineno}: {error.msg}") from None
    except BaseException as error:
        words = " ".join(str(error).split())
        words = words if len(words) <= LONGEST else f"{words[:LONGEST]}…"
        kind = type(error).__name__
        raise RefusedError(
            f"importing {place} raised {kind}{': ' if words else ''}{words}"
        ) from None
    own = [
        key
        for key, value in vars(module).items()
        if callable(value)
        and not key.startswith("_")
        and getattr(value, "__module__", None) == module.__name__
    ]
    there = f"callables there: {', '.join(own) or 'none'}"
    if not name:
        raise RefusedError(f"say which, as {target}:name; {there}")
    try:
        found = attrgetter(name)(module)
    except AttributeError:
        raise RefusedError(f"{place} has no {name!r}; {there}") from None
    if not callable(found):
        raise RefusedError(f"{name} is of type {type(found).__name__}; it must be a callable")
    return found, module


def _of_file(file: Path) -> ModuleType:
    sys.path.insert(0, str(file.parent))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise RefusedError(f"{file.name!r} is not a Python file (.py)")
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module


def _of_name(name: str, folder: str) -> ModuleType:
    sys.path.insert(0, folder)
    return importlib.import_module(name)


def distributions(module: ModuleType) -> Iterator[str]:
    """Yield name and version of the distributions that a module imports by its own text."""
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError, SyntaxError):
        return
    named: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            named.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            named.add(node.module.partition(".")[0])
    named -= set(sys.builtin_module_names)
    for each in importlib.metadata.distributions():
        folders = {file.parts[0] for file in each.files or () if len(file.parts) > 1}
        if named & folders:
            yield f"{each.metadata['Name']} {each.version}"


class _Server:
    """Calls one callable, on datasets that were sent before."""

    def __init__(self, target: str, folder: str) -> None:
        self.call, self.module = load(target, folder)
        try:
            parameters = set(inspect.signature(self.call).parameters)
        except (TypeError, ValueError):
            parameters = set()
        self.batched, self.takes_rng = "size" in parameters, "rng" in parameters
        self.greeting = {
            "python": ".".join(map(str, sys.version_info[:3])),
            "batched": self.batched,
        }
        self.data: dict[str, Data] = {}
        self.digests: dict[str, str] = {}
        self.asked = 0
        self.keywords: dict[str, Any] = {}

    def answer(self, kind: str, *rest: Any) -> Any:
        """Return the answer to one request."""
        return getattr(self, f"on_{kind}")(*rest)

    def on_data(self, key: str, content: bytes) -> Any:
        """Keep a dataset."""
        self.data[key] = loads(content)
        self.digests[key] = _digest(self.data[key])
        return ("kept",)

    def on_distributions(self) -> Any:
        """Return the names and versions of what the module imports."""
        return ("distributions", sorted(set(distributions(self.module))))

    def on_batch(self, key: str, size: int, seed: int | None) -> Any:
        """Return ``size`` outputs of one call."""
        self._seed(seed)
        try:
            outputs = self.call(self.data[key], size=size, **self.keywords)
        except BaseException as error:
            return ("raised", *_raised(error))
        return self._checked({key}, ("outputs", outputs))

    def on_each(self, keys: list[str], seed: int | None) -> Any:
        """Return one output for each dataset, and by their places the calls that raised."""
        if seed is not None:
            self._seed(seed)
        outputs, raised = [], {}
        for place, key in enumerate(keys):
            try:
                outputs.append(self.call(self.data[key], **self.keywords))
            except BaseException as error:
                outputs.append(None)
                raised[place] = _raised(error)
        return self._checked(set(keys), ("each", outputs, raised))

    def _seed(self, seed: int | None) -> None:
        """Seed the global generators, and make ``rng``.

        The third word keeps them apart: ``random`` and ``numpy.random`` make the same numbers of
        the same two words.
        """
        if seed is None:
            seed = int.from_bytes(os.urandom(8), "little") >> 1
        random.seed(seed)
        numpy: Any = sys.modules.get("numpy")
        if self.takes_rng:
            with contextlib.suppress(ImportError):
                numpy = importlib.import_module("numpy")
            apart = random.Random(seed | 1 << 64)
            self.keywords = {"rng": apart if numpy is None else numpy.random.default_rng(seed)}
        if numpy is not None and hasattr(numpy, "random"):
            numpy.random.seed([seed & 0xFFFFFFFF, seed >> 32, 1])

    def _checked(self, keys: set[str], answer: Any) -> Any:
        """Look, after one request, two, four, …, whether the datasets are as they were sent."""
        self.asked += 1
        if self.asked & (self.asked - 1) == 0:
            for key in keys:
                if _digest(self.data[key]) != self.digests[key]:
                    return ("broken", "changed the dataset that it was given")
        return answer


def _digest(value: Any) -> str:
    return hashlib.sha256(dumps(value)).hexdigest()


def _raised(error: BaseException) -> Any:
    lines = traceback.format_exception(type(error), error, error.__traceback__)
    return type(error).__name__, str(error), "".join(lines[-20:])


# The socket.


def _serve(line: Connection, target: str, folder: str) -> None:
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(line, requests), daemon=True).start()
    try:
        server = _Server(target, folder)
    except RefusedError as error:
        line.send_bytes(dumps(("refused", str(error))))
        return
    line.send_bytes(dumps(("ready", server.greeting)))
    while True:
        answer = server.answer(*loads(requests.get()))
        try:
            content = dumps(answer, stand_ins=True)
        except Exception as error:
            kind = "" if isinstance(error, RefusedError) else f"{type(error).__name__}: "
            words = f"{kind}{' '.join(str(error).split())}"
            content = dumps(("broken", f"returned an output that cannot be sent ({words})"))
        line.send_bytes(content)


def _listen(line: Connection, requests: queue.SimpleQueue[bytes]) -> None:
    """Read what is asked; end the process, even in the middle of a call, when nobody can ask."""
    with contextlib.suppress(EOFError, OSError):
        while True:
            requests.put(line.recv_bytes())
    os._exit(0)


def _die_with(parent: int) -> None:
    """Let Linux kill this process with its parent: compiled code may keep every thread waiting."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        if os.getppid() != parent:
            os._exit(0)


def main(number: str, parent: str, target: str, folder: str) -> None:
    """Serve ``target`` on the socket of this number. parent: a process to die with, or 0."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if int(parent):
        _die_with(int(parent))
    os.dup2(2, 1)  # What the mechanism prints is no part of any report.
    _serve(Connection(int(number)), target, folder)


if __name__ == "__main__":
    main(*sys.argv[2:])
