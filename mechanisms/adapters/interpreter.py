"""A mechanism in another interpreter: another Python, with other packages, of any version.

Nothing of ours is installed there: ``interpreter_worker``, a script of the standard library alone,
imports the mechanism and answers over a socket.
"""

from __future__ import annotations

import atexit
import hashlib
import inspect
import itertools
import os
import shutil
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing import Pipe
from pathlib import Path
from time import perf_counter
from typing import Any

from numpy.random import Generator

from provado.mechanisms.adapters.interpreter_worker import dumps, loads
from provado.mechanisms.definitions import Dataset, Output, UsageError
from provado.mechanisms.definitions.relation import one_line

from . import interpreter_worker

MOST_CALLS = 4096
SHORT, LONG = 0.002, 0.008
"""Seconds: calls that take less together are doubled in number, those that take more are halved."""

IMPORT_SECONDS = 300.0
"""After so long an import counts as hanging."""

_START = (
    "import runpy, sys\n"
    "sys.path[:] = [path for path in sys.path if path]\n"
    "runpy.run_path(sys.argv[1], run_name='__main__')\n"
)
_NOT_PASSED = ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__")
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
RAN_IN = "ran in Python"
"""How the note starts that tells where a mechanism ran, and with which libraries."""


class InterpreterError(Exception):
    """The other interpreter gave no answer that can be read: no output, and no fault of the data's.

    The message says what it did.
    """


@dataclass(frozen=True)
class OtherInterpreter:
    """A callable of another interpreter, called here as if it were one's own.

    python: the interpreter, a path or a command; Python 3.8 or later, without Provado.
    target: ``path/to/file.py:name`` or ``module:name``.
    folder: where both are looked for; the current folder by default.
    notes: what the interpreter said of itself and of what the target imports.

    A target with a parameter ``size`` is called once a batch; one with ``rng`` gets a generator of
    numpy that is made there (``random.Random`` where there is no numpy), from a seed that the
    ``rng`` given here draws. The global generators of ``random`` and ``numpy.random`` are seeded
    with it too. Every process that calls starts an interpreter of its
    own, which ends with it. Datasets and outputs are plain data: what Python has itself, numpy's
    arrays and numbers, pandas' frames and series.

    Raises ``UsageError``, one line, where there is no such interpreter, file or name.
    """

    python: str
    target: str
    folder: str = ""
    notes: tuple[str, ...] = field(default=(), init=False, compare=False)
    batched: bool = field(default=False, init=False, compare=False)

    def __post_init__(self) -> None:
        folder = Path(self.folder or ".").absolute()
        result = _interpreter(str(self.python), folder)
        for name, value in (("python", result), ("folder", str(folder))):
            object.__setattr__(self, name, value)
        running = _InterpreterProcess(self)
        sentence = ", ".join(running.ask("distributions"))
        running.end()
        notes = (f"{RAN_IN} {running.greeting['python']}{f' with {sentence}' if sentence else ''}",)
        names = ("data", "size", "rng") if running.greeting["batched"] else ("data", "rng")
        kinds = (inspect.Parameter.POSITIONAL_ONLY, *[inspect.Parameter.KEYWORD_ONLY] * 2)
        signature = inspect.Signature(
            [inspect.Parameter(name, kind) for name, kind in zip(names, kinds, strict=False)]
        )
        object.__setattr__(self, "notes", notes)
        object.__setattr__(self, "batched", running.greeting["batched"])
        object.__setattr__(self, "__signature__", signature)
        for name in ("__name__", "__qualname__"):
            object.__setattr__(self, name, self.target.rpartition(":")[2])

    def __call__(
        self, data: Dataset, /, *, size: int | None = None, rng: Generator | None = None
    ) -> Output:
        """Return one output, or ``size`` of them of a target that is called once a batch."""
        if self.batched:
            running = _running_process(self)
            return running.ask("batch", running.key_of(data), size, _seed(rng))
        calls = self.batched_calls([data], rng)
        return calls(next(iter(calls)))

    def batched_calls(self, data: Iterable[Dataset], rng: Generator | None) -> BatchedCalls:
        """Return calls on datasets one by one, of which many are made at a time."""
        return BatchedCalls(_running_process(self), iter(data), _seed(rng))


class BatchedCalls:
    """Yields datasets; a call with the one that it yielded last returns or raises its answer."""

    def __init__(
        self, interpreter: _InterpreterProcess, data: Iterator[Dataset], seed: int | None
    ) -> None:
        self._interpreter, self._data, self._seed = interpreter, data, seed
        self._known: dict[int, tuple[Dataset, str]] = {}
        self._chunk: list[Dataset] = []
        self._answers: deque[Any] = deque()
        self._size = 1

    def __iter__(self) -> Iterator[Dataset]:
        """Yield the datasets, in chunks that are asked for together."""
        while chunk := list(itertools.islice(self._data, self._size)):
            self._chunk = chunk
            yield from chunk

    def __call__(self, _: Dataset) -> Output:
        """Return the next answer."""
        if not self._answers:
            self._ask()
        answer, raised = self._answers.popleft()
        if raised is not None:
            raise _exception(*raised)
        return answer

    def _ask(self) -> None:
        keys = [self._key(item) for item in self._chunk]
        started = perf_counter()
        outputs, raised = self._interpreter.ask("each", keys, self._seed)
        seconds = perf_counter() - started
        self._seed = None
        self._answers.extend((output, raised.get(i)) for i, output in enumerate(outputs))
        if seconds < SHORT:
            self._size = min(2 * len(keys), MOST_CALLS)
        elif seconds > LONG:
            self._size = max(len(keys) // 2, 1)

    def _key(self, data: Dataset) -> str:
        # The dataset is kept beside its key: what is freed could give its number to another.
        if id(data) not in self._known:
            self._known[id(data)] = data, self._interpreter.key_of(data)
        return self._known[id(data)][1]


class _InterpreterProcess:
    """One running interpreter, of the process that started it."""

    def __init__(self, what: OtherInterpreter) -> None:
        self.what, self.owner = what, os.getpid()
        self.line, other = Pipe()
        self.sent: set[str] = set()
        main = threading.current_thread() is threading.main_thread()
        environment = {k: v for k, v in os.environ.items() if k not in _NOT_PASSED}
        environment |= {name: "1" for name in _THREADS if name not in os.environ}
        worker = str(Path(interpreter_worker.__file__))
        # With its parent it dies where Linux asks the thread that started it, which must last.
        parent = os.getpid() if main else 0
        words = (other.fileno(), parent, what.target, what.folder)
        try:
            self.process = subprocess.Popen(
                [what.python, "-B", "-c", _START, worker, *map(str, words)],
                stdin=subprocess.DEVNULL,
                pass_fds=(other.fileno(),),
                env=environment,
            )
        except OSError as error:
            self.line.close()
            raise UsageError(f"python {what.python!r}: {error.strerror or error}") from None
        finally:
            other.close()
        kind, self.greeting = self._greeting()
        if kind == "refused":
            self.end()
            raise UsageError(f"target {what.target!r} in {what.python}: {self.greeting}")

    def _greeting(self) -> tuple[str, Any]:
        if not self.line.poll(IMPORT_SECONDS):
            return "refused", f"its import takes more than {IMPORT_SECONDS:g} s"
        try:
            kind, greeting = self._receive()
        except InterpreterError as error:
            return "refused", str(error)
        return kind, greeting

    def key_of(self, data: Dataset) -> str:
        """Return the key of a dataset, which is sent unless it was before."""
        content = dumps(data)
        key = hashlib.sha256(content).hexdigest()
        if key not in self.sent:
            self.ask("data", key, content)
            self.sent.add(key)
        return key

    def ask(self, *request: Any) -> Any:
        """Return the answer to one request; raise what the mechanism raised."""
        try:
            self.line.send_bytes(dumps(request))
        except OSError:
            pass  # It has ended; why, the answer says.
        except BaseException:
            self.end()
            raise
        kind, *rest = self._receive()
        if kind == "raised":
            raise _exception(*rest)
        if kind == "broken":
            raise InterpreterError(rest[0])
        return rest[0] if len(rest) == 1 else rest

    def _receive(self) -> Any:
        try:
            content = self.line.recv_bytes()
        except (EOFError, OSError):
            self.end()
            raise InterpreterError(self._last_words()) from None
        except BaseException:
            # Its answer is still to come, and would be taken for that to the next request.
            self.end()
            raise
        try:
            return loads(content, known=_is_plain)
        except Exception as error:
            words = one_line(error)
            raise InterpreterError(f"returned an output that cannot be read ({words})") from None

    def _last_words(self) -> str:
        status = self.process.returncode
        how = f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
        return f"lost its interpreter, which {how}"

    def end(self) -> None:
        """Kill it, unless another process started it."""
        self.line.close()
        if self.owner != os.getpid():
            self.process.returncode = 0  # Not this process's to wait for.
        elif self.process.returncode is None:
            try:
                # One that ended by itself has a status of its own to tell.
                self.process.wait(0.2)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


_RUNNING: dict[OtherInterpreter, _InterpreterProcess] = {}


def _running_process(what: OtherInterpreter) -> _InterpreterProcess:
    running = _RUNNING.get(what)
    if running is None or running.owner != os.getpid() or running.line.closed:
        if running is not None:
            running.end()
        _RUNNING[what] = running = _InterpreterProcess(what)
    return running


@atexit.register
def _end_all() -> None:
    for running in _RUNNING.values():
        running.end()


def _seed(rng: Generator | None) -> int | None:
    return None if rng is None else int(rng.integers(2**63))


_ENDS = {item.__name__: item for item in (MemoryError, SystemExit, KeyboardInterrupt)}
"""What ends a process and is no answer of the mechanism's, there as here."""


def _exception(kind: str, words: str, lines: str) -> BaseException:
    """Return an exception of the name that one had elsewhere; its class need not exist here."""
    made: BaseException = (_ENDS.get(kind) or type(kind, (Exception,), {}))(words)
    made.add_note(lines)
    return made


def _is_plain(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names


def _interpreter(python: str, folder: Path) -> str:
    if not hasattr(os, "fork"):
        raise UsageError(f"python {python!r}: another interpreter needs a POSIX system")
    if os.sep in python:
        # Links are not followed: an environment's interpreter is one, and it is what names it.
        path = Path(os.path.normpath(folder / Path(python).expanduser()))
        if not path.is_file():
            raise UsageError(f"python {python!r}: there is no such file")
        return str(path)
    result = shutil.which(python)
    if result is None:
        raise UsageError(f"python {python!r}: there is no such command")
    return result
