"""Puts the page together, from the summary to the versions."""

from __future__ import annotations

from collections.abc import Sequence

from provado.mechanisms import Verdict
from provado.proofs.ledger import Decision
from provado.reports.pages.element import Markup, tag
from provado.reports.pages.frame import frame, piece
from provado.reports.pages.frame import section as part
from provado.reports.pages.table import labels
from provado.reports.tasks.run import Run
from provado.reports.text.evidence import Row
from provado.reports.text.formatting import clean, counted, percent

from .claims import EXPLAINED, HEADS, claim_filters, claims
from .environment import environment
from .evidence import HEADS as HAZARD_HEADS
from .evidence import listed, shared
from .forest import forest
from .group import Item, grouped, items_of
from .papers import ledger_part
from .section import EFFECTS, section
from .self_test import known_answers
from .summary import summary

_UNFOLDED = 4
"""Reports of more audits than this open only what needs attention."""

SHARED = "Of every audit that was asked for; what differs stands with each of them."

_PLOT = "Further right is less private. A certified ε right of its claim refutes the claim."


def render(run: Run, *, ledger: Sequence[Decision] | None = None) -> str:
    """Return the page as text. It fetches nothing, and can be read without its script.

    ledger: decisions on published statements, shown with their arguments. Without them the
    statements of the works that the audited mechanisms come from are listed as on record.
    """
    items = items_of(run.records)
    asked = [item for item in items if not item.known]
    known = [item for item in items if item.known]
    narrow = claim_filters(items)
    cited = ledger_part(run, items, ledger)
    common = shared([item.record for item in asked])
    parts: list[tuple[str, str, Sequence[Markup | None]]] = [
        ("summary", "Summary", [summary(run, items)])
    ]
    if asked:
        parts += [
            ("claims", "Claims", _claims(asked, narrow)),
            ("plot", "Claimed and certified\u00a0ε", [tag("p", _PLOT), forest(asked)]),
            ("audits", "Audit by audit", _audits(asked, len(items), "audits", common)),
        ]
    if common:
        said = [tag("p", SHARED), listed(common, 3)]
        parts.append(("evidence", "What was looked at, and what was not", said))
    if known:
        shown = [None if asked else narrow, *known_answers(known)]
        shown += [tag("h3", "Claimed and certified ε", id="known-plot"), forest(known)]
        shown += _audits(known, len(items), "known", ())
        parts.append(("known", "Known answers", shown))
    parts += [("ledger", "What the ledger says", cited)] if cited else []
    methods = [Markup(piece("methods.html"))]
    if any(result.one_run is not None for result in run.results):
        methods.append(Markup(piece("few_methods.html")))
    parts.append(("methods", "Methods and assumptions", methods))
    parts.append(("environment", "Versions and environment", [environment(run, items)]))
    return frame(
        _title(asked, known),
        [part(ident, title, *children) for ident, title, children in parts],
        under_title=tag("p", _under_title(run), class_="under"),
        contents=[(title, ident) for ident, title, _ in parts],
        footer=f"Provado {clean(run.provado)}",
        style=labels("audits", HEADS) + labels("sizes", EFFECTS) + labels("hazards", HAZARD_HEADS),
        script=piece("page.js"),
    )


def _claims(items: Sequence[Item], narrow: Markup | None) -> list[Markup | None]:
    return [tag("p", EXPLAINED), narrow, claims(items, "All claims", "claims-table")]


def _title(asked: Sequence[Item], known: Sequence[Item]) -> str:
    if len(asked) + len(known) == 1:
        return f"Privacy audit of {clean([*asked, *known][0].result.name)}"
    if not asked:
        return f"Audit of {counted(len(known), 'known answer')}"
    beside = f", and of {counted(len(known), 'known answer')}" if known else ""
    return f"Privacy audit of {counted(len(asked), 'mechanism')}{beside}"


def _under_title(run: Run) -> str:
    confidence = f"{percent(run.settings.confidence)} confidence, all claims together"
    date = f"{clean(run.provenance.date[:10])} · " if run.provenance.date else ""
    return f"{date}{confidence} · seed {run.settings.seed} · Provado {clean(run.provado)}"


def _audits(items: Sequence[Item], total: int, ident: str, common: Sequence[Row]) -> list[Markup]:
    """Return the section of each audit; of many in all only those that need attention are open."""
    parts: list[Markup] = []
    if total > _UNFOLDED:
        parts.append(tag("p", class_="folding", data_folding=ident, hidden=True))
    groups = grouped(items)
    named = len(groups) > 1 or items[0].known
    for title, members in groups:
        cards = [
            section(
                item,
                folded=total > _UNFOLDED and not _needs_attention(item),
                level=4 if named else 3,
                common=common,
            )
            for item in members
        ]
        heading = tag("h3", title, class_="group") if named else None
        parts.append(tag("div", heading, *cards, data_block=True))
    return parts


def _needs_attention(item: Item) -> bool:
    return item.result.surprising or item.result.verdict is Verdict.UNKNOWN
