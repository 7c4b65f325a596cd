"""Puts the page together, from the summary to the versions."""

from __future__ import annotations

from collections.abc import Sequence

from provado.mechanisms import Verdict
from provado.proofs.ledger import Decision
from provado.reports.run.run import Run
from provado.reports.words.clean import clean

from .claims import claims
from .element import Markup, join, tag
from .environment import environment
from .forest import forest
from .frame import frame, piece
from .frame import section as part
from .group import grouped
from .ledger import ledger_part
from .section import section
from .summary import summary

_UNFOLDED = 4
"""Reports of more audits than this open only what needs attention."""


def render(run: Run, *, ledger: Sequence[Decision] | None = None) -> str:
    """Return the page as text. It fetches nothing, and can be read without its script.

    ledger: decisions on published statements, shown with their arguments. Without them the
    statements of the works that the audited mechanisms come from are listed as on record.
    """
    known = ledger_part(run, ledger)
    parts = [
        part("summary", "Summary", summary(run)),
        part("claims", "Claims", claims(run.records)),
        part("plot", "Claimed and certified ε", tag("p", _PLOT), forest(run.records)),
        part("audits", "Audit by audit", *_audits(run)),
        part("ledger", "What the ledger says", *known) if known else None,
        part("methods", "Methods and assumptions", Markup(piece("methods.html"))),
        part("environment", "Versions and environment", environment(run)),
    ]
    contents = [
        ("Summary", "summary"),
        ("Claims", "claims"),
        ("Claimed and certified\u00a0ε", "plot"),
        ("Audit by audit", "audits"),
        *([("The ledger", "ledger")] if known else []),
        ("Methods and assumptions", "methods"),
        ("Versions and environment", "environment"),
    ]
    return frame(
        _title(run),
        [shown for shown in parts if shown is not None],
        under_title=tag("p", _under_title(run), class_="under"),
        contents=contents,
        footer=f"Provado {clean(run.provado)}",
        script=piece("page.js"),
    )


_PLOT = "Further right is less private. A certified ε right of its claim refutes the claim."


def _title(run: Run) -> str:
    if len(run.records) == 1:
        return f"Privacy audit of {clean(run.records[0].result.name)}"
    return f"Privacy audit of {len(run.records)} mechanisms"


def _under_title(run: Run) -> str:
    confidence = f"{100 * run.settings.confidence:.6g} % confidence, all claims together"
    return f"{confidence} · seed {run.settings.seed} · Provado {clean(run.provado)}"


def _audits(run: Run) -> list[Markup]:
    parts: list[Markup] = []
    if len(run.records) > _UNFOLDED:
        parts.append(tag("p", class_="folding", data_folding="audits", hidden=True))
    groups = grouped(run.records)
    level = 4 if len(groups) > 1 else 3
    for title, members in groups:
        if len(groups) > 1:
            parts.append(tag("h3", title, class_="group"))
        for position, record in members:
            result = record.result
            calm = not result.surprising and result.verdict is not Verdict.UNKNOWN
            folded = calm and len(run.records) > _UNFOLDED
            parts.append(section(position, record, folded=folded, level=level))
    return [join(*parts)]
