"""How a process of ours begins: forked from this one, or new where a fork is not safe.

A forked process has all that this one has, at once. A new one (``spawn``) imports the package
anew and is sent its work by value, functions without a name to be imported by among them. On Linux
a fork is safe enough up to Python 3.13, and what it breaks says so. From 3.14 on Python itself no
longer forks by default, because a process with threads may hang after a fork, and libraries are
tested for that default. On macOS the system's own libraries do not stand a fork, and Windows has
none. Linear algebra is kept to one thread there: processes are enough.
"""

import contextlib
import functools
import io
import multiprocessing
import os
import pickle
import sys
from collections import ChainMap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from types import ModuleType
from typing import Any

from threadpoolctl import ThreadpoolController

from provado.mechanisms import UsageError
from provado.mechanisms.definitions.relation import one_line

START = "PROVADO_START"
"""The variable of the environment that says how: ``fork`` or ``spawn``."""

NO_PROCESS = (
    "no process can be started from here: a worker of a pool may not; the library's audit(…) runs "
    "in this process instead"
)


def start_method() -> str:
    """Return how processes begin: ``"fork"``, ``"spawn"``, or ``""`` where none may be started.

    Raises ``UsageError`` where the environment asks for what this system does not have.
    """
    if multiprocessing.current_process().daemon:
        return ""
    known = [item for item in ("fork", "spawn") if item in multiprocessing.get_all_start_methods()]
    asked = os.environ.get(START)
    if asked:
        if asked not in known:
            raise UsageError(f"{START} is {asked!r}: here it must be {' or '.join(known)}")
        return asked
    forks = sys.platform.startswith("linux") and sys.version_info < (3, 14)
    return "fork" if forks and "fork" in known else "spawn"


def can_isolate() -> bool:
    """Return whether this process may start others."""
    return start_method() != ""


def runs_in_subprocess(wanted: bool, *things: Any) -> tuple[bool, tuple[str, ...]]:
    """Return whether these are run in another process, and a note where they should be and cannot.

    wanted: whether another process is asked for.
    """
    if not wanted or not can_isolate():
        return False, ()
    if why := unsendable(*things):
        return False, (f"run in the calling process, which the mechanism may end: {why}",)
    return True, ()


class UnsendableError(UsageError):
    """Work that holds what no other process can be sent."""


def unsendable(*things: Any) -> str:
    """Return why these cannot go to another process; empty where they can, or need not."""
    if start_method() != "spawn":
        return ""
    try:
        to_bytes(things)
    except UnsendableError as error:
        return f"it {error}"
    return ""


def to_bytes(thing: Any) -> bytes:
    """Return what ``pickle.loads`` reads in any process that has this package.

    Functions and classes that have no name to be imported by go along. Raises ``UnsendableError``.
    """
    buffer = io.BytesIO()
    pickler = _pickler()(buffer)
    try:
        pickler.dump(thing)
    except Exception as error:  # whatever a user's __reduce__ may raise
        raise UnsendableError(f"cannot be sent to another process ({one_line(error)})") from None
    return buffer.getvalue()


@functools.cache
def _pickler() -> Any:
    """Return the class that pickles; while a process is being started, ends of pipes, too."""
    cloudpickle = import_module("cloudpickle")
    theirs = ForkingPickler(io.BytesIO()).dispatch_table
    table = ChainMap({}, cloudpickle.Pickler.dispatch_table, theirs)
    return type("Pickler", (cloudpickle.Pickler,), {"dispatch_table": table})


class Carried:
    """Work on its way to a new process, with the folders that its modules are imported from."""

    def __init__(self, work: Callable[..., Any]) -> None:
        self._work = work

    def __reduce__(self) -> tuple[Any, ...]:
        return Parcel, (_folders(), to_bytes(self._work))


@dataclass(frozen=True)
class Parcel:
    """Work as it arrives: to be read where what cannot be imported is an answer like any other."""

    folders: tuple[str, ...]
    work: bytes

    def arrived(self) -> Callable[..., Any]:
        """Return the work; raise whatever an import of its modules raises."""
        sys.path += [folder for folder in self.folders if folder not in sys.path]
        work: Callable[..., Any] = pickle.loads(self.work)
        return work


def _folders() -> tuple[str, ...]:
    """Return the folders of modules that were loaded from elsewhere than the path."""
    result = dict[str, None]()
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if not isinstance(file, str) or "." in name:
            continue
        place = Path(file)
        if place.stem == "__init__":
            place = place.parent
        if place.stem == name:
            result[str(place.parent)] = None
    return tuple(text for text in result if text not in sys.path)


@contextlib.contextmanager
def without_main() -> Iterator[None]:
    """Keep the program's own file out of the new process, which would run it once more."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def one_thread(kind: str | None = None) -> contextlib.AbstractContextManager[Any]:
    """Keep linear algebra to one thread for a while: all of it, or a ``kind`` (blas, openmp).

    What is at one thread already is left alone: OpenBLAS, when it is told so in a forked process,
    starts the threads that it had, and these spin for a tenth of a second.
    """
    libraries = look_for_libraries()
    if any(one["num_threads"] > 1 for one in libraries.info() if kind in (None, one["user_api"])):
        limit: contextlib.AbstractContextManager[Any] = libraries.limit(limits=1, user_api=kind)
        return limit
    return contextlib.nullcontext()


def look_for_libraries() -> ThreadpoolController:
    """Return the loaded libraries that have threads, as they were found last."""
    return _libraries(len(sys.modules))


@functools.lru_cache(maxsize=1)
def _libraries(_modules: int) -> ThreadpoolController:
    """Return the loaded libraries that have threads; looked for anew once more was imported."""
    return ThreadpoolController()
