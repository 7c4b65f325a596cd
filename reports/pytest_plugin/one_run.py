"""``audit_dp`` with canaries: an audit of few runs, with what a marker says of pairs left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from provado.mechanisms import UsageError
from provado.reports.targets.one_run import OPTIONS, check_relation

OF_PAIRS = (
    *("pair", "domain", "values", "arithmetic", "samples", "seconds", "stop_early", "jobs"),
    "read",
)
"""Arguments that an audit of few runs has no use for."""


def few_runs(arguments: Mapping[str, Any], given: Mapping[str, Any]) -> tuple[bool, dict[str, Any]]:
    """Tell whether there are canaries; return the arguments that then, or else, are of use.

    arguments: of the call over those of markers. given: of the call alone. Raises ``UsageError``
    for an argument of the one kind of audit in a call of the other.
    """
    if arguments.get("canaries") is None:
        for name in OPTIONS[1:]:
            if given.get(name) is not None:
                raise UsageError(f"{name} is given: it belongs to canaries, and there are none")
        return False, {name: arguments[name] for name in arguments if name not in OPTIONS}
    for name in OF_PAIRS:
        if given.get(name) is not None:
            raise UsageError(f"{name} and canaries are both given: {name} is for audits of pairs")
    check_relation(given.get("relation"), arguments.get("instead"))
    aside = (*OF_PAIRS, "relation", *(() if given.get("data") is not None else ("data",)))
    found = {name: value for name, value in arguments.items() if name not in aside}
    if "explore_runs" in found:
        found["explore"] = found.pop("explore_runs")
    return True, found
