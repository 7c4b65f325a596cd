"""Puts the page together, from the summary to the versions, with what the papers state."""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from provado.mechanisms import ExactVerdict, Verdict
from provado.reports.audit_report.page import claims
from provado.reports.pages.frame import Part, Tile, labels, page, piece
from provado.reports.pages.markup import Markup, tag
from provado.reports.tasks.run import Run
from provado.reports.text import power, sentences
from provado.reports.text.formatting import clean, counted, percent, plain

if TYPE_CHECKING:
    from provado.proofs.ledger import Decision, Entry

FILE = "audit.html"

_UNFOLDED = 4
"""Reports of more audits than this open only what needs attention."""


def render(run: Run, _: object = None, *, ledger: "Sequence[Decision] | None" = None) -> str:
    """Return the run as a page, whatever differs from a baseline.

    It fetches nothing, and can be read without its script.

    ledger: decisions on published statements, shown with their arguments. Without them the
    statements of the works that the audited mechanisms come from are listed as on record.
    """
    items = claims.items_of(run.records)
    asked = [item for item in items if not item.known]
    known = [item for item in items if item.known]
    narrow = claims.claim_filters(items)
    common = claims.shared([item.record for item in asked])
    many = len(items) > _UNFOLDED
    parts: list[Part] = [("summary", "Summary", [_summary(run, asked, known)])]
    if asked:
        groups = claims.grouped(asked)
        cards = claims.template().audits("audits", groups, many, len(groups) > 1, common)
        listed = claims.claims_table(asked, "All claims", "claims-table")
        parts += [
            ("claims", "Claims", [claims.template().columns(power.LEGEND), narrow, listed]),
            (
                "plot",
                "Claimed and certified\u00a0ε",
                [claims.template().direction(), claims.forest(asked)],
            ),
            ("audits", "Audit by audit", [cards]),
        ]
    if common:
        said = claims.template().shared_evidence(common)
        parts.append(("evidence", "What was examined, and what was not", [said]))
    if known:
        listed = claims.claims_table(known, "Claims with known answers", "known-table")
        shown = [
            None if asked else narrow,
            claims.template().known_answers(list(_known_tiles(known)), listed),
            tag("h3", "Claimed and certified ε", id="known-plot"),
            claims.forest(known),
            claims.template().audits("known", claims.grouped(known), many, True, ()),
        ]
        parts.append(("known", "Known answers", shown))
    if stated := ledger_part(run, items, ledger):
        parts.append(("ledger", "What the ledger says", [stated]))
    methods = ["methods.html"]
    methods += ["few_methods.html"] if any(result.one_run for result in run.results) else []
    parts += [
        ("methods", "Methods and assumptions", [Markup(piece(name)) for name in methods]),
        ("environment", "Versions and environment", [_environment(run, items)]),
    ]
    return page(
        _title(asked, known),
        parts,
        made=run.provenance,
        versions={"Provado": run.provado},
        under=_under_title(run),
        origin=False,
        style=labels("audits", claims.HEADS)
        + labels("sizes", claims.EFFECTS)
        + labels("hazards", claims.HAZARDS),
    )


def _title(items: Sequence[claims.Item], known: Sequence[claims.Item]) -> str:
    if len(items) + len(known) == 1:
        return f"Privacy audit of {clean([*items, *known][0].result.name)}"
    if not items:
        return f"Audit of {counted(len(known), 'built-in mechanism')}"
    beside = f", and of {counted(len(known), 'built-in one')}" if known else ""
    return f"Privacy audit of {counted(len(items), 'mechanism')}{beside}"


def _under_title(run: Run) -> list[str]:
    confidence = f"{percent(run.settings.confidence)} confidence, all claims together"
    return [confidence, f"seed {run.settings.seed}", f"Provado {run.provado}", run.records_of]


def _summary(run: Run, items: Sequence[claims.Item], known: Sequence[claims.Item]) -> Markup:
    """Return what was found; known answers are spoken of in one sentence, unless all are such."""
    confidence = f"{100 * run.settings.confidence:g} %"
    summary = claims.template().summary
    return Markup(summary(items, known, list(_tiles(items)), _promise(items or known), confidence))


def _tiles(items: Sequence[claims.Item]) -> Iterator[Tile]:
    for verdict in (Verdict.VIOLATION, Verdict.NO_VIOLATION, Verdict.UNKNOWN, *_EXACT):
        of_kind = [item.result for item in items if item.tally == str(verdict)]
        if not of_kind and verdict in _EXACT:
            continue
        surprises = sum(result.surprising for result in of_kind)
        note = f"{surprises} unexpected" if surprises else "none unexpected"
        if verdict is Verdict.UNKNOWN:
            note = "could not be completed" if of_kind else "everything was completed"
        kind = sentences.KINDS[verdict] if of_kind else "none"
        yield len(of_kind), str(verdict), note, kind, f"claims-table {verdict}"


_EXACT = (ExactVerdict.PROVED, ExactVerdict.VERIFIED)


def _known_tiles(items: Sequence[claims.Item]) -> Iterator[Tile]:
    counts = claims.counts_of_known(items)
    planted = f"of {counts[claims.FOUND] + counts[claims.MISSED]}"
    sound = f"of {counts[claims.SOUND] + counts[claims.FLAGGED]}"
    for name, what, note, kind in (
        (claims.FOUND, "planted violations found", planted, "ok"),
        (claims.MISSED, "planted violations missed", planted, "bad"),
        (claims.SOUND, "sound, and not flagged", sound, "ok"),
        (claims.FLAGGED, "sound, but flagged", sound, "bad"),
        (str(Verdict.UNKNOWN), "unknown", "could not be completed", "unknown"),
    ):
        if counts[name] or name in (claims.FOUND, claims.FLAGGED):
            yield counts[name], what, note, kind if counts[name] else "none", f"known-table {name}"


def _promise(items: Sequence[claims.Item]) -> tuple[float, str, bool]:
    """Return the ε that all claim, or 1; e^ε as a text; and whether any claim has δ > 0."""
    claims = {item.result.epsilon for item in items}
    epsilon = claims.pop() if len(claims) == 1 else 1.0
    factor = math.exp(min(epsilon, 700.0))
    number = plain(factor, 3) if factor < 1e6 else f"{factor:.0e}"
    return epsilon, number, any(item.result.delta > 0 for item in items)


def _environment(run: Run, items: Sequence[claims.Item]) -> Markup:
    digests = {name: digest for record in run.records for name, digest in record.code.items()}
    unseeded = [item for item in items if item.result.seedable is False]
    origin = run.provenance.facts()
    return Markup(claims.template().environment(run, origin, sorted(digests.items()), unseeded))


def cited(run: Run) -> "tuple[Entry, ...]":
    """Return the ledger's entries of every work that some audited mechanism names as its source."""
    sources = [result.source for result in run.results if result.source]
    if not sources:
        return ()
    from provado.proofs.ledger import ledger

    return tuple(e for e in ledger() if any(cites(source, e.source.work) for source in sources))


def cites(source: str, work: str) -> bool:
    """Return whether a source names a work: by title and year, for authors may be shortened."""
    title = work.rsplit(", ", 1)[-1]
    return title in source


def ledger_part(
    run: Run, items: Sequence[claims.Item], decisions: "Sequence[Decision] | None"
) -> Markup | None:
    """Return the part, ``None`` where no audited mechanism comes from a work in the ledger.

    decisions: the entries as they were decided for this page. Without them the table names the
    verdict on record, and says so.
    """
    entries = cited(run) if decisions is None else [decision.entry for decision in decisions]
    if not entries:
        return None
    # Imported here: most runs audit what comes from no paper, and load no proofs.
    from provado.reports.ledger.page import statement, verdict_chip
    from provado.reports.ledger.words import Shortening

    cut = Shortening(600, "provado verify")
    works: list[tuple[str, list[claims.Item], list[Any]]] = []
    for i, work in enumerate(dict.fromkeys(entry.source.work for entry in entries), 1):
        shown: list[Any]
        if decisions is None:
            own = [entry for entry in entries if entry.source.work == work]
            shown = [(entry, verdict_chip(entry.expected)) for entry in own]
        else:
            decided = (decision for decision in decisions if decision.entry.source.work == work)
            shown = [
                statement(f"ledger-{i}-{j}", decision, folded=True, cut=cut, level=4)
                for j, decision in enumerate(decided, 1)
            ]
        works.append((work, [item for item in items if cites(item.result.source, work)], shown))
    return Markup(claims.template().papers(works, decisions is not None))
