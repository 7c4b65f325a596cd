"""What makes two runs of an audit the same: all that its plans and counts follow from."""

from __future__ import annotations

import hashlib
import pickle
from typing import Any

from provado.mechanisms import Mechanism
from provado.mechanisms.definitions.intervention import short
from provado.reports.documents.versions import provado_version, versions
from provado.reports.tasks.run import Settings
from provado.reports.tasks.task import Job, code_of


def identity(job: Job, settings: Settings) -> dict[str, Any]:
    """Return it as plain data for a journal.

    How many processes draw, and after which time an audit counts as hanging, are no part of it:
    the counts are the same.
    """
    claim = {
        name: value if isinstance(value, int | float | str | None) else _words(value)
        for name, value in job.claim.items()
    }
    mechanism = job.mechanism
    stated: dict[str, str] = {}
    if isinstance(mechanism, Mechanism):
        stated = {
            "promise": mechanism.promise.words(),
            "relation": mechanism.relation.words(),
            "pairs": _words(mechanism.pairs),
        }
    return {
        "name": job.name,
        "selection": list(job.selection),
        "claim": claim,
        "stated": stated,
        "samples": settings.samples,
        "seconds": settings.seconds,
        "explore": settings.explore,
        "usual": [job.seconds, job.most],
        "confidence": settings.confidence,
        "seed": settings.seed,
        "stop early": settings.stop_early,
        "code": code_of(job),
        "versions": {"provado": provado_version(), **versions()},
    }


def _words(value: Any) -> str:
    """Return a dataset or a promise, short, with a digest of all of it."""
    try:
        data = pickle.dumps(value, protocol=5)
    except Exception:  # whatever a user's __reduce__ may raise
        return short(value, 10_000)
    return f"{short(value, 60)} ({hashlib.sha256(data).hexdigest()[:16]})"
