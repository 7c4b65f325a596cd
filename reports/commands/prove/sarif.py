"""Decisions about programs in SARIF 2.1.0, each on the line of its function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from provado.proofs.programs.decide import ProgramVerdict
from provado.reports.documents.exit_status import SURPRISE
from provado.reports.documents.location import parse_location
from provado.reports.documents.sarif import fingerprint, location, log
from provado.reports.documents.versions import provado_version
from provado.reports.text.printable import clean
from provado.reports.text.program import words

from .answer import Decided

_RULES = {
    ProgramVerdict.REFUTED: ("error", "Claims that exact probabilities refute"),
    ProgramVerdict.UNDECIDED: ("note", "Claims that are neither proved nor refuted"),
    ProgramVerdict.PROVED: ("error", "Claims that are proved where a refutation was expected"),
}


def render(found: Sequence[Decided], status: int) -> str:
    """Return a log: a refuted claim is an error, an undecided one a note, a proved one nothing.

    What was expected to be refuted, and is, gives no result; what is proved against expectation
    gives one.
    """
    return log(
        [_rule(verdict) for verdict in _RULES],
        [_result(one) for one in found if _is_result(one)],
        [
            ("note", f"{clean(one.name)}: as expected, {one.decision.verdict}")
            for one in found
            if not _is_result(one)
        ],
        provado=provado_version(),
        status=status,
        completed=all(one.decision.verdict is not ProgramVerdict.UNDECIDED for one in found),
    )


def _is_result(one: Decided) -> bool:
    return one.exit_status == SURPRISE or one.decision.verdict is ProgramVerdict.UNDECIDED


def _rule(verdict: ProgramVerdict) -> dict[str, Any]:
    level, text = _RULES[verdict]
    return {
        "id": f"prove-{verdict}",
        "shortDescription": {"text": f"{text}."},
        "defaultConfiguration": {"level": level},
    }


def _result(one: Decided) -> dict[str, Any]:
    verdict = one.decision.verdict
    text = [*map(clean, words(one.decision).splitlines()), clean(f"Again: {one.again}")]
    file, _ = parse_location(one.location)
    return {
        "ruleId": f"prove-{verdict}",
        "ruleIndex": list(_RULES).index(verdict),
        "level": _RULES[verdict][0],
        "message": {"text": "\n".join(text)},
        "partialFingerprints": {"prove/v1": fingerprint(verdict, one.name, file)},
        "locations": [location(clean(one.name), one.location)],
    }
