"""The audit of a paper: every statement decided, every mechanism tested against its claim.

A file of a paper says which catalogue entries are its own, which printed form has which repaired
one, what the repair costs, and what to use instead; all verdicts and bounds are computed.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from provado.mechanisms import Mechanism
from provado.mechanisms.catalogue import catalogue
from provado.mechanisms.definitions.mechanism import Source
from provado.proofs.ledger import LedgerVerdict, decide, ledger
from provado.reports.documents.schema import number
from provado.reports.text.formatting import certified, plain

from .. import experiment

SAMPLES = (200_000, 5_000)
"""Trials of one audit, of all its pairs together."""

QUICK_EACH = 3
"""The quick version takes each third statement, and each third of the mechanisms."""

_LONGEST = 500
"""Characters of an argument on the page; ``provado verify ID`` prints the whole."""

_STANDS = {
    **dict.fromkeys((LedgerVerdict.PROVED, LedgerVerdict.VERIFIED, LedgerVerdict.ARGUED), True),
    **dict.fromkeys((LedgerVerdict.REFUTED, LedgerVerdict.MISPRINT), False),
}


@dataclass(frozen=True)
class Pairing:
    """A release as printed and as repaired, by their names in the catalogue."""

    what: str
    printed: str
    repaired: str


@dataclass(frozen=True)
class Advice:
    """What to use for a task.

    rests_on: names of mechanisms of which no violation may be found, for the advice to be given;
    against: names of which one must be.
    """

    task: str
    use: str
    because: str
    rests_on: tuple[str, ...] = ()
    against: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cost:
    """What the repairs cost in accuracy: parts, their work, and the tables of their results."""

    parts: Callable[[experiment.Scope], Sequence[experiment.Piece]]
    work: Callable[[Mapping[str, Any], np.random.Generator], dict[str, Any]]
    tables: Callable[[experiment.Answers], tuple[experiment.PaperTable, ...]]


@dataclass(frozen=True)
class Paper:
    """What is audited.

    key: of its experiments. work: as its statements have it; title: as its releases' sources do.
    needs: wheels whose files the cost reads.
    """

    key: str
    work: str
    title: str
    pairings: tuple[Pairing, ...] = ()
    advice: tuple[Advice, ...] = ()
    cost: Cost | None = None
    needs: tuple[str, ...] = ()


@cache
def mechanisms_of(title: str) -> tuple[Mechanism, ...]:
    """Return the catalogue's mechanisms whose source names the title."""
    return tuple(mechanism for mechanism in catalogue() if title in mechanism.source.work)


def audit_of(paper: Paper) -> experiment.Experiment:
    """Return the experiment that audits a paper."""
    return experiment.Experiment(
        name=f"{paper.key}/audit",
        title="the audit of the paper",
        source=Source(paper.work, "every statement and every release"),
        parts=partial(_parts, paper),
        work=partial(_work, paper),
        findings=partial(_findings, paper),
        needs=paper.needs,
    )


def _parts(paper: Paper, setting: experiment.Scope) -> Sequence[experiment.Piece]:
    step = QUICK_EACH if setting.quick else 1
    samples = setting.of(SAMPLES)
    ids = [entry.id for entry in ledger() if entry.source.work == paper.work]
    names = [mechanism.name for mechanism in mechanisms_of(paper.title)]
    paired = {name for pairing in paper.pairings for name in (pairing.printed, pairing.repaired)}
    taken = [n for i, n in enumerate(names) if i % step == 0 or n in paired]
    pieces = [experiment.Piece(f"statement/{id_}", {"id": id_}, 1.0) for id_ in ids[::step]]
    for name in taken:
        arguments = {"mechanism": name, "samples": samples, "seed": setting.seed}
        pieces.append(experiment.Piece(f"release/{name}", arguments, 0.5 + samples * 4e-5))
    return [*pieces, *(paper.cost.parts(setting) if paper.cost else ())]


def _work(paper: Paper, arguments: Mapping[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    if "id" in arguments:
        return _statement(arguments["id"])
    if "mechanism" in arguments:
        return release(arguments["mechanism"], arguments["samples"], arguments["seed"])
    assert paper.cost is not None
    return paper.cost.work(arguments, rng)


def _statement(entry_id: str) -> dict[str, Any]:
    (entry,) = (item for item in ledger([entry_id]) if item.id == entry_id)
    decision = decide(entry)
    evidence = decision.evidence
    lines = (line if isinstance(line, str) else line.words for line in evidence.argument)
    return {
        "verdict": str(decision.verdict),
        "as_on_record": decision.as_expected,
        "place": entry.source.place,
        "words": entry.words,
        "formula": entry.claim.formula,
        "correction": evidence.correction,
        "argument": " ".join(lines),
    }


def release(name: str, samples: int, seed: int) -> dict[str, Any]:
    """Return what an audit of one of the catalogue's mechanisms found."""
    from provado.audit import audit

    (mechanism,) = (item for item in catalogue() if item.name == name)
    result = audit(mechanism, samples=samples, seed=seed, jobs=1, isolate=False)
    return {
        "claim": mechanism.promise.words(),
        "place": mechanism.source.place,
        "epsilon": result.epsilon,
        # Of the first pair; of more pairs it is a lower limit.
        "true_epsilon": None if result.true_epsilon is None else number(result.true_epsilon),
        "pairs": len(result.pairs),
        "epsilon_lower": number(result.epsilon_lower),
        "verdict": str(result.verdict),
        "violation": str(result.verdict) == "violation",
        "expected": str(mechanism.expected),
        "trials": sum(pair.counts.trials for pair in result.pairs),
    }


def _findings(
    paper: Paper, setting: experiment.Scope, answers: experiment.Answers
) -> experiment.Findings:
    statements = experiment.under(answers, "statement")
    releases = experiment.under(answers, "release")
    tables = [_releases(releases)] if releases else []
    if paired := [p for p in paper.pairings if {p.printed, p.repaired} <= set(releases)]:
        tables.append(_pairs(paired, releases))
    if paper.cost is not None:
        rest = {k: a for k, a in answers.items() if not k.startswith(("statement/", "release/"))}
        tables += paper.cost.tables(rest)
    if paper.advice:
        tables.append(_advice(paper.advice, releases))
    settings = (
        ("trials of a release", f"{setting.of(SAMPLES):,}"),
        ("confidence", "95 % for each release by itself"),
        *((("part", "each third statement and release"),) if setting.quick else ()),
    )
    comparisons = tuple(_compared(name, a) for name, a in statements.items())
    return experiment.Findings(settings, tables, comparisons=comparisons)


def _compared(name: str, answer: Mapping[str, Any]) -> experiment.PaperClaim:
    verdict = LedgerVerdict(answer["verdict"])
    argument = answer["argument"]
    if len(argument) > _LONGEST:
        argument = f"{argument[:_LONGEST].rsplit(' ', 1)[0]} …"
    result = f"{answer['correction']} " if answer["correction"] else ""
    recorded = "" if answer["as_on_record"] else "This is not the verdict on record. "
    return experiment.PaperClaim(
        f"{answer['words']} ({answer['formula']})",
        answer["place"],
        f"{recorded}{result}".strip() or "As printed.",
        _STANDS.get(verdict),
        f"{argument} [provado verify {name}]",
        str(verdict),
    )


def _releases(releases: experiment.Answers) -> experiment.PaperTable:
    rows = []
    for name, a in releases.items():
        bounds = (a["place"], a["claim"], certified_by(a), true_epsilon(a))
        expected = "yes" if a["verdict"] == a["expected"] else f"no: {a['expected']}"
        rows.append((name, *bounds, a["verdict"], expected, a["trials"]))
    return experiment.PaperTable(
        "releases",
        "Certified lower bounds on the privacy loss of the paper's releases, printed and repaired, "
        "and of broken twins that must be found. No violation found is no proof: the bound says "
        "what was seen on the stated pairs of datasets.",
        ("release", "place", "claim", "certified ε ≥", "true ε", "verdict", "expected?", "trials"),
        tuple(sorted(rows, key=lambda row: str(row[0]))),
    )


def certified_by(answer: Mapping[str, Any]) -> str:
    """Return the certified bound of a release, rounded down."""
    return certified(float(answer["epsilon_lower"]), float(answer["epsilon"]))


def true_epsilon(answer: Mapping[str, Any]) -> str:
    """Return the true ε of a release, a lower limit where it is of the first of more pairs."""
    if answer["true_epsilon"] is None:
        return ""
    exact = float(answer["true_epsilon"])
    return f"{'≥ ' if answer['pairs'] > 1 and math.isfinite(exact) else ''}{plain(exact)}"


def _pairs(paired: Sequence[Pairing], releases: experiment.Answers) -> experiment.PaperTable:
    rows: list[tuple[experiment.Cell, ...]] = []
    for pairing in paired:
        sides = [releases[name] for name in (pairing.printed, pairing.repaired)]
        cells = [cell for a in sides for cell in (a["claim"], certified_by(a), a["verdict"])]
        rows.append((pairing.what, *cells))
    heads = [f"{side}: {what}" for side in ("printed", "repaired") for what in ("claim", "ε ≥", "")]
    return experiment.PaperTable(
        "printed_beside_repaired",
        "The same release as printed and as repaired; both claims are the form's own.",
        ("release", *(head.removesuffix(": ") for head in heads)),
        rows,
    )


def _advice(given: Sequence[Advice], releases: experiment.Answers) -> experiment.PaperTable:
    rows: list[tuple[experiment.Cell, ...]] = []
    for item in given:
        known = [n for n in (*item.rests_on, *item.against) if n in releases]
        fine = all(not releases[n]["violation"] for n in item.rests_on if n in releases)
        fine &= all(releases[n]["violation"] for n in item.against if n in releases)
        is_whole = len(known) == len(item.rests_on) + len(item.against)
        support = "as audited here" if fine and is_whole else "not audited in this run"
        if not fine:
            support = "NOT supported by this run"
        rows.append((item.task, item.use, item.because, support))
    return experiment.PaperTable(
        "instead", "What to use instead.", ("task", "use", "because", "support"), rows
    )
