"""How many planted false certificates the kernel accepts, and what the ledger says of nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from provado.proofs import kernel
from provado.proofs.ledger import ledger
from tests.proofs.ledger.tampering import Survivors, survivors
from tests.proofs.planted_certificates import planted


def accepted_certificates() -> dict[str, tuple[int, int]]:
    """Return, by rule of the kernel, how many are planted and how many are accepted."""
    accepted, there = Counter[str](), Counter(one.rule for one in planted())
    for one in planted():
        try:
            kernel.check(one.evidence, one.reference)
            accepted[one.rule] += 1
        except kernel.KernelRefusal:
            pass
    return {rule: (number, accepted[rule]) for rule, number in there.items()}


def planted_rows() -> tuple[list[str], bool]:
    """Return the lines of the section, and whether nothing false was accepted."""
    certificates, kept = accepted_certificates(), survivors(ledger())
    fine = not any(accepted for _, accepted in certificates.values())
    fine = fine and not kept.emptied and not kept.disturbed
    return [*_certificate_rows(certificates), "", *_ledger_rows(kept)], fine


def _certificate_rows(certificates: dict[str, tuple[int, int]]) -> Iterator[str]:
    yield "| rule of the kernel | false certificates | accepted |"
    yield "| --- | --- | --- |"
    for rule, (number, accepted) in certificates.items():
        yield f"| {rule} | {number} | {accepted} |"
    total, bad = (sum(column) for column in zip(*certificates.values(), strict=True))
    yield f"| all | {total} | {bad} |"


def _ledger_rows(kept: Survivors) -> Iterator[str]:
    yield "| ledger | tried | entries that keep a verdict |"
    yield "| --- | --- | --- |"
    yield f"| evidence replaced by 0 = 0 | {kept.entries} entries | {len(kept.emptied)} |"
    yield (
        f"| the claim's data changed in one place, negated among others | {kept.claims} claims "
        f"| {len(kept.disturbed)} |"
    )
