"""Results of single parts on disk, so that a run that was killed goes on where it was."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from provado.mechanisms import UsageError
from provado.reports.documents.write import write_all

from .experiment import Experiment, Part

_ROOMS = ("mechanisms", "audit", "proofs")


@dataclass(frozen=True)
class Stored:
    """The result of a part, and the seconds of its processor that it took."""

    result: dict[str, Any]
    seconds: float


@dataclass(frozen=True)
class Store:
    """The parts of one experiment under one seed, a file each."""

    folder: Path
    experiment: Experiment
    seed: int

    def read(self, part: Part) -> Stored | None:
        """Return what is stored of a part; nothing where its arguments or the code were others."""
        try:
            found = json.loads(self._file(part).read_text(encoding="utf-8"))
            if found["fingerprint"] == self._fingerprint(part):
                return Stored(found["result"], float(found["seconds"]))
        except (OSError, ValueError, KeyError, TypeError):
            pass
        return None

    def write(self, part: Part, stored: Stored) -> None:
        """Store a result, whole or not at all. Raises ``UsageError`` where JSON has no such."""
        document = {
            "experiment": self.experiment.name,
            "part": part.key,
            "arguments": dict(part.arguments),
            "fingerprint": self._fingerprint(part),
            "seconds": round(stored.seconds, 3),
            "result": stored.result,
        }
        try:
            text = json.dumps(document, ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError) as error:
            name = f"{self.experiment.name}, part {part.key!r}"
            raise UsageError(f"{name}: its result cannot be stored: {error}") from error
        write_all({self._file(part): f"{text}\n"})

    def _file(self, part: Part) -> Path:
        # Keys may hold signs that a file name cannot.
        name = hashlib.sha256(part.key.encode()).hexdigest()[:16]
        return self.folder / f"{name}.json"

    def _fingerprint(self, part: Part) -> str:
        asked: Mapping[str, Any] = {
            "experiment": self.experiment.name,
            "part": part.key,
            "arguments": dict(part.arguments),
            "seed": self.seed,
            "code": _code(self.experiment.name),
        }
        return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


@cache
def _code(experiment: str) -> str:
    """Return a digest of all code that a result may depend on: a change makes old parts void.

    Experiments of one paper, and of all, share the files whose names begin with an underscore.
    """
    own = (Path(__file__).parent / "papers" / experiment).with_suffix(".py")
    digest = hashlib.sha256(_shared_code().encode())
    for file in (*sorted(own.parent.glob("_*.py")), *([own] if own.is_file() else [])):
        digest.update(file.read_bytes())
    return digest.hexdigest()


@cache
def _shared_code() -> str:
    """Return a digest of the code that all experiments share."""
    here, room = Path(__file__).parent, Path(__file__).parents[3]
    files = [file for name in _ROOMS for file in sorted((room / name).rglob("*.py"))]
    files += [*sorted((here / "sources").rglob("*.py")), *sorted((here / "papers").glob("_*.py"))]
    digest = hashlib.sha256(sys.version.encode())
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()
